// scene.c: the picture of a world, passed to the page as addresses; the camera and the mouse.
//
// The page draws exactly what mjv_updateScene gives. It reads structs from memory; tests compare
// the member offsets that it uses with the compiler's.

#include <condyle/view.h>
#include <stddef.h>
#include <string.h>

#include "viewer.h"

// Parts of a scene in the array of addresses, in the order of Part in page/scene/layout.ts.
enum {
  GEOMS,
  NGEOM,
  LIGHTS,
  NLIGHT,
  EYES,
  FLAGS,
  FLEX_VERT,
  FLEX_FACE,
  FLEX_NORMAL,
  FLEX_TEXCOORD,
  FLEX_FACE_USED,
  FLEX_OPTIONS,
  SKIN_VERT,
  SKIN_NORMAL,
  STATUS,
  PART_COUNT
};

static int part[PART_COUNT];

static void update(void* argument) {
  World* it = argument;
  memcpy(it->scene.flags, viewer.flags, sizeof viewer.flags);
  mjv_updateScene(it->m, it->d, &viewer.option, &viewer.perturb, &viewer.camera, mjCAT_ALL,
                  &it->scene);
}

// Makes the picture of a world. Returns the parts, NULL if there is no such world or if it can't be
// drawn.
WEB const int* web_scene(int world) {
  World* it = world >= 0 && world < cndNCONTACT ? &viewer.world[world] : NULL;
  if (!it || !it->m || !attempt(update, it)) {
    return NULL;
  }
  const mjvScene* scene = &it->scene;
  part[GEOMS] = (int)(size_t)scene->geoms;
  part[NGEOM] = scene->ngeom;
  part[LIGHTS] = (int)(size_t)scene->lights;
  part[NLIGHT] = scene->nlight;
  part[EYES] = (int)(size_t)scene->camera;
  part[FLAGS] = (int)(size_t)scene->flags;
  part[FLEX_VERT] = (int)(size_t)scene->flexvert;
  part[FLEX_FACE] = (int)(size_t)scene->flexface;
  part[FLEX_NORMAL] = (int)(size_t)scene->flexnormal;
  part[FLEX_TEXCOORD] = (int)(size_t)scene->flextexcoord;
  part[FLEX_FACE_USED] = (int)(size_t)scene->flexfaceused;
  part[FLEX_OPTIONS] = (int)(size_t)&scene->flexvertopt;
  part[SKIN_VERT] = (int)(size_t)scene->skinvert;
  part[SKIN_NORMAL] = (int)(size_t)scene->skinnormal;
  part[STATUS] = scene->status;
  return part;
}

// Per flex: the first face in flexface and so on, the first vertex, the number of vertices, the
// first edge in flexedge and the number of edges. Returns the number of flexes.
WEB int web_flex(int* where, int flex) {
  const mjvScene* scene = &main_world()->scene;
  if (flex >= 0 && flex < scene->nflex) {
    where[0] = scene->flexfaceadr[flex];
    where[1] = scene->flexvertadr[flex];
    where[2] = scene->flexvertnum[flex];
    where[3] = scene->flexedgeadr[flex];
    where[4] = scene->flexedgenum[flex];
    where[5] = scene->flexfacenum[flex];
  }
  return scene->nflex;
}

// The places of members that the page reads, in the order of `layout` in page/scene/layout.ts.
WEB const int* web_layout(void) {
  static const int layout[] = {
      sizeof(mjvGeom),
      offsetof(mjvGeom, size),
      offsetof(mjvGeom, pos),
      offsetof(mjvGeom, mat),
      offsetof(mjvGeom, rgba),
      offsetof(mjvGeom, emission),
      offsetof(mjvGeom, reflectance),
      offsetof(mjvGeom, label),
      sizeof(mjvLight),
      offsetof(mjvLight, pos),
      offsetof(mjvLight, type),
      offsetof(mjvLight, attenuation),
      offsetof(mjvLight, ambient),
      offsetof(mjvLight, headlight),
      sizeof(mjvGLCamera),
      offsetof(mjvGLCamera, frustum_center),
      offsetof(mjvGLCamera, orthographic),
  };
  return layout;
}

// What is drawn: a flag of mjtVisFlag or, how: of mjtRndFlag.
WEB void web_show(int flag, int on) {
  if (flag >= 0 && flag < mjNVISFLAG) {
    viewer.option.flags[flag] = (mjtByte)on;
  }
}

WEB void web_render(int flag, int on) {
  if (flag >= 0 && flag < mjNRNDFLAG) {
    viewer.flags[flag] = (mjtByte)on;
  }
}

WEB int web_shown(int flag) {
  return flag >= 0 && flag < mjNVISFLAG ? viewer.option.flags[flag] : 0;
}

WEB int web_rendered(int flag) {
  return flag >= 0 && flag < mjNRNDFLAG ? viewer.flags[flag] : 0;
}

// Name of the i-th flag, label or frame, for `what` = 0: mjtVisFlag, 1: mjtRndFlag, 2: mjtLabel, 3:
// mjtFrame; or the key that switches a flag, for 4: mjtVisFlag, 5: mjtRndFlag. NULL after the last
// one.
WEB const char* web_name(int what, int i) {
  const int count[6] = {mjNVISFLAG, mjNRNDFLAG, mjNLABEL, mjNFRAME, mjNVISFLAG, mjNRNDFLAG};
  if (what < 0 || what >= 6 || i < 0 || i >= count[what]) {
    return NULL;
  }
  switch (what) {
    case 0:
      return mjVISSTRING[i][0];
    case 1:
      return mjRNDSTRING[i][0];
    case 2:
      return mjLABELSTRING[i];
    case 3:
      return mjFRAMESTRING[i];
    case 4:
      return mjVISSTRING[i][2];
    default:
      return mjRNDSTRING[i][2];
  }
}

WEB void web_setLabel(int label, int frame) {
  viewer.option.label = label;
  viewer.option.frame = frame;
}

// Shows or hides a group: of geoms, sites, joints, tendons, actuators, flexes, skins by `kind` = 0
// .. 6.
WEB void web_setGroup(int kind, int group, int on) {
  mjtByte* groups[] = {viewer.option.geomgroup,     viewer.option.sitegroup,
                       viewer.option.jointgroup,    viewer.option.tendongroup,
                       viewer.option.actuatorgroup, viewer.option.flexgroup,
                       viewer.option.skingroup};
  if (kind >= 0 && kind < 7 && group >= 0 && group < mjNGROUP) {
    groups[kind][group] = (mjtByte)on;
  }
}

WEB int web_group(int kind, int group) {
  const mjtByte* groups[] = {viewer.option.geomgroup,     viewer.option.sitegroup,
                             viewer.option.jointgroup,    viewer.option.tendongroup,
                             viewer.option.actuatorgroup, viewer.option.flexgroup,
                             viewer.option.skingroup};
  return kind >= 0 && kind < 7 && group >= 0 && group < mjNGROUP ? groups[kind][group] : 0;
}

// The depth of the boxes of bounding volume trees, and the layer of solid flexes, that are drawn.
WEB void web_setDepth(int depth, int layer) {
  viewer.option.bvh_depth = depth;
  viewer.option.flex_layer = layer;
}

// the eye

WEB void web_followBody(int body) {
  const mjModel* m = main_world()->m;
  if (m && body > 0 && body < m->nbody) {
    viewer.camera.type = mjCAMERA_TRACKING;
    viewer.camera.trackbodyid = body;
    viewer.camera.fixedcamid = -1;
  }
}

// Sets the camera for a new model: it follows the only floating body, and stands still if there is
// none or several.
void first_camera(const mjModel* m) {
  int found = 0, body = 0;
  for (int i = 0; i < m->njnt; i++) {
    if (m->jnt_type[i] == mjJNT_FREE) {
      body = m->jnt_bodyid[i];
      found++;
    }
  }
  mjv_defaultFreeCamera(m, &viewer.camera);
  if (found == 1) {
    web_followBody(body);
  }
}

typedef struct Motion_ {
  int action;
  double x, y;
} Motion;

static void move_camera(void* argument) {
  const Motion* it = argument;
  World* world = main_world();
  // a user who moves the camera elsewhere doesn't want it to follow
  if (viewer.camera.type == mjCAMERA_TRACKING && it->action != mjMOUSE_ROTATE_V &&
      it->action != mjMOUSE_ROTATE_H && it->action != mjMOUSE_ZOOM) {
    viewer.camera.type = mjCAMERA_FREE;
    viewer.camera.trackbodyid = -1;
  }
  mjv_moveCamera(world->m, it->action, it->x, it->y, &world->scene, &viewer.camera);
}

// Moves the camera by a motion of the mouse (mjtMouse), as a part of the window's height.
WEB void web_moveCamera(int action, double x, double y) {
  Motion it = {action, x, y};
  if (main_world()->m) {
    attempt(move_camera, &it);
  }
}

// Looks through the mouse's camera (-1), or one of the model.
WEB void web_useCamera(int id) {
  const mjModel* m = main_world()->m;
  if (m && id >= 0 && id < m->ncam) {
    viewer.camera.type = mjCAMERA_FIXED;
    viewer.camera.fixedcamid = id;
  } else if (m) {
    mjv_defaultFreeCamera(m, &viewer.camera);
  }
}

WEB void web_lookAt(double x, double y, double z) {
  viewer.camera.type = mjCAMERA_FREE;
  viewer.camera.fixedcamid = viewer.camera.trackbodyid = -1;
  viewer.camera.lookat[0] = x;
  viewer.camera.lookat[1] = y;
  viewer.camera.lookat[2] = z;
}

// Where the camera is: lookat, distance, azimuth, elevation.
WEB const double* web_camera(void) {
  static double pose[6];
  mju_copy3(pose, viewer.camera.lookat);
  pose[3] = viewer.camera.distance;
  pose[4] = viewer.camera.azimuth;
  pose[5] = viewer.camera.elevation;
  return pose;
}

WEB void web_setCamera(double distance, double azimuth, double elevation) {
  viewer.camera.distance = distance;
  viewer.camera.azimuth = azimuth;
  viewer.camera.elevation = elevation;
}

// the mouse

typedef struct Pick_ {
  double aspect, x, y;
  mjtNum point[3];
  int world, body, geom, flex, skin;
} Pick;

static void select_under(void* argument) {
  Pick* it = argument;
  World* world = &viewer.world[it->world];
  it->body = mjv_select(world->m, world->d, &viewer.option, it->aspect, it->x, it->y, &world->scene,
                        it->point, &it->geom, &it->flex, &it->skin);
}

// Finds the object at a position in the picture of a world (0 .. 1, from the lower left corner),
// and writes the point in space. Returns the body, -1 if nothing is there; *geom is -1 for a flex
// or a skin.
WEB int web_pick(double* point, int* geom, int world, double aspect, double x, double y) {
  Pick it = {aspect, x, y, {0, 0, 0}, world, -1, -1, -1, -1};
  if (world < 0 || world >= cndNCONTACT || !viewer.world[world].m || !attempt(select_under, &it)) {
    return -1;
  }
  if (it.body >= 0) {
    mju_copy3(point, it.point);
    *geom = it.geom;
  }
  return it.body;
}

// Selects a body, at a point of it in space; 0 or less: none.
WEB void web_select(int world, int body, double x, double y, double z) {
  mjv_defaultPerturb(&viewer.perturb);
  World* it = world >= 0 && world < cndNCONTACT ? &viewer.world[world] : main_world();
  if (!it->m || body <= 0 || body >= it->m->nbody) {
    return;
  }
  mjtNum out[3] = {x - it->d->xpos[3 * body], y - it->d->xpos[3 * body + 1],
                   z - it->d->xpos[3 * body + 2]};
  viewer.perturb.select = body;
  mju_mulMatTVec3(viewer.perturb.localpos, it->d->xmat + 9 * body, out);
}

WEB int web_selected(void) {
  return viewer.perturb.select;
}

static void begin(void* argument) {
  World* it = argument;
  mjv_initPerturb(it->m, it->d, &it->scene, &viewer.perturb);
}

// Starts (mjtPertBit) or ends (0) the perturbation of the selected body.
WEB void web_hold(int world, int active) {
  World* it = world >= 0 && world < cndNCONTACT ? &viewer.world[world] : main_world();
  if (active && !viewer.perturb.active && it->m && viewer.perturb.select > 0) {
    attempt(begin, it);
  }
  viewer.perturb.active = active;
  if (!active) {
    for (World* each = viewer.world; each < viewer.world + cndNCONTACT; each++) {
      if (each->m) {
        mju_zero(each->d->xfrc_applied, 6 * (int)each->m->nbody);
      }
    }
  }
}

typedef struct Drag_ {
  World* world;
  Motion motion;
} Drag;

static void drag(void* argument) {
  const Drag* it = argument;
  mjv_movePerturb(it->world->m, it->world->d, it->motion.action, it->motion.x, it->motion.y,
                  &it->world->scene, &viewer.perturb);
}

// Moves the perturbation by a motion of the mouse (mjtMouse), as a part of the window's height.
WEB void web_drag(int world, int action, double x, double y) {
  World* it = world >= 0 && world < cndNCONTACT ? &viewer.world[world] : main_world();
  Drag motion = {it, {action, x, y}};
  if (it->m && viewer.perturb.active) {
    attempt(drag, &motion);
  }
}

// Numbers of mjVisual and mjStatistic for drawing, in the order of readVisual in worker/model.ts.
WEB const double* web_visual(void) {
  static double out[12];
  const mjModel* m = main_world()->m;
  if (m) {
    const float* fog = m->vis.rgba.fog;
    const float* haze = m->vis.rgba.haze;
    const double all[12] = {m->stat.extent,
                            m->vis.map.zfar,
                            m->vis.map.shadowclip,
                            m->vis.map.fogstart,
                            m->vis.map.fogend,
                            m->vis.map.haze,
                            fog[0],
                            fog[1],
                            fog[2],
                            haze[0],
                            haze[1],
                            haze[2]};
    memcpy(out, all, sizeof out);
  }
  return out;
}

// Selects a body at its origin; 0 or less: none.
WEB void web_selectBody(int body) {
  const World* it = main_world();
  if (it->m && body > 0 && body < it->m->nbody) {
    const mjtNum* at = it->d->xpos + 3 * body;
    web_select(-1, body, at[0], at[1], at[2]);
  } else {
    mjv_defaultPerturb(&viewer.perturb);
  }
}
