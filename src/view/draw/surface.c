// surface.c: what a model shows of itself: flexes, skins, geoms and sites.

#include <mujoco/api/base.h>

#include "view/draw/color.h"
#include "view/draw/elements.h"

void draw_flex(Picture* p, int flex) {
  const mjModel* m = p->m;
  mjvGeom* geom = take_shape(p, mjOBJ_FLEX, flex, mjCAT_DYNAMIC);
  if (!geom) {
    return;
  }
  geom->type = mjGEOM_FLEX;
  geom->size[0] = (float)m->flex_radius[flex];
  if (m->flex_vertnum[flex]) {
    scene_round3(geom->pos, p->d->flexvert_xpos + 3 * m->flex_vertadr[flex]);
  }
  set_material(p, geom, m->flex_matid[flex], m->flex_rgba + 4 * flex);
  if (m->flex_texcoordadr[flex] >= 0) {
    geom->texcoord = 1;
  } else {
    geom->matid = -1;
  }
  glow_if(p, geom, p->pert->flexselect == flex);
  set_label(p, geom, mjLABEL_FLEX, mjOBJ_FLEX, flex);
  drop_invisible(p, geom);
}

void draw_skin(Picture* p, int skin) {
  const mjModel* m = p->m;
  mjvGeom* geom = take_shape(p, mjOBJ_SKIN, skin, mjCAT_DYNAMIC);
  if (!geom) {
    return;
  }
  geom->type = mjGEOM_SKIN;
  if (m->skin_bonenum[skin]) {
    scene_round3(geom->pos, p->d->xpos + 3 * m->skin_bonebodyid[m->skin_boneadr[skin]]);
  }
  set_material(p, geom, m->skin_matid[skin], m->skin_rgba + 4 * skin);
  geom->texcoord = m->skin_texcoordadr[skin] >= 0;
  glow_if(p, geom, p->pert->skinselect == skin);
  set_label(p, geom, mjLABEL_SKIN, mjOBJ_SKIN, skin);
  drop_invisible(p, geom);
}

// The number of a plane among all planes of the model; geoms come in ascending order.
static int plane_number(Picture* p, int geom) {
  while (p->counted < geom) {
    p->planes += p->m->geom_type[p->counted++] == mjGEOM_PLANE;
  }
  return p->planes;
}

// What a renderer looks the surface of a geom up by: meshes have two, the hull comes second.
static int surface_id(Picture* p, int i) {
  const mjModel* m = p->m;
  int id = m->geom_dataid[i], type = m->geom_type[i];
  if (type == mjGEOM_PLANE) {
    return plane_number(p, i);
  }
  if ((type == mjGEOM_MESH || type == mjGEOM_SDF) && id >= 0) {
    int hull = IS_SHOWN(p, CONVEXHULL) && m->mesh_graphadr[id] >= 0 &&
               (m->geom_contype[i] || m->geom_conaffinity[i]);
    return 2 * id + hull;
  }
  return id;
}

// The period of a plane's pattern along one side: two squares of its texture, or of the grid of
// the renderer, which reaches as far as can be seen.
static mjtNum plane_period(const mjModel* m, int i, int side) {
  int material = m->geom_matid[i];
  if (material >= 0 && m->mat_texrepeat[2 * material + side] > 0) {
    return (mjtNum)(2 / m->mat_texrepeat[2 * material + side]);
  }
  mjtNum zfar = (mjtNum)m->vis.map.zfar * m->stat.extent;
  return (mjtNum)2.1 * zfar / (mjMAXPLANEGRID - 2);
}

// An infinite plane follows the camera, of the last picture, in steps that its pattern doesn't
// show.
static void follow_camera(const Picture* p, mjvGeom* geom, int i) {
  const mjModel* m = p->m;
  const mjvGLCamera* eye = p->scn->camera;
  mjtNum away[3], pos[3], axis[3];
  for (int k = 0; k < 3; k++) {
    away[k] = (mjtNum)(.5f * (eye[0].pos[k] + eye[1].pos[k])) - p->d->geom_xpos[3 * i + k];
  }
  v3_copy(pos, p->d->geom_xpos + 3 * i);
  for (int side = 0; side < 2; side++) {
    if (m->geom_size[3 * i + side] > 0) {
      continue;
    }
    mjtNum period = plane_period(m, i, side);
    m3_column(axis, p->d->geom_xmat + 9 * i, side);
    v3_addtoscl(pos, axis, 2 * period * mju_floor((mjtNum)0.5 * v3_dot(away, axis) / period +
                                                  (mjtNum)0.5));
  }
  scene_round3(geom->pos, pos);
}

// Things that can move show the island they are in.
static void set_island(const Picture* p, mjvGeom* geom, int body) {
  int weld = p->m->body_weldid[body];
  if (p->m->body_dofnum[weld]) {
    geom->matid = -1;
    dof_color(geom->rgba, p->d, p->m->body_dofadr[weld]);
  }
}

void draw_geom(Picture* p, int i) {
  const mjModel* m = p->m;
  int type = m->geom_type[i], body = m->geom_bodyid[i], data = m->geom_dataid[i];
  mjvGeom* geom = take_shape(p, mjOBJ_GEOM, i, body_category(m, body));
  if (!geom) {
    return;
  }
  geom->type = type;
  scene_size(geom, type, m->geom_size + 3 * i);
  scene_pose(geom, p->d->geom_xpos + 3 * i, p->d->geom_xmat + 9 * i);
  geom->modelrbound = (float)m->geom_rbound[i];
  set_material(p, geom, m->geom_matid[i], m->geom_rgba + 4 * i);
  if (IS_SHOWN(p, ISLAND)) {
    set_island(p, geom, body);
  }
  if (drop_invisible(p, geom)) {
    return;
  }
  if ((type == mjGEOM_MESH || type == mjGEOM_SDF) && data >= 0) {
    geom->texcoord = m->mesh_texcoordadr[data] >= 0;
  }
  geom->dataid = surface_id(p, i);
  glow_if(p, geom, p->pert->select > 0 && p->pert->select == body);
  set_label(p, geom, mjLABEL_GEOM, mjOBJ_GEOM, i);
  if (type == mjGEOM_PLANE && (m->geom_size[3 * i] <= 0 || m->geom_size[3 * i + 1] <= 0)) {
    follow_camera(p, geom, i);
  }
}

void draw_site(Picture* p, int i) {
  const mjModel* m = p->m;
  int body = m->site_bodyid[i];
  mjvGeom* geom = take_shape(p, mjOBJ_SITE, i, body_category(m, body));
  if (!geom) {
    return;
  }
  geom->type = m->site_type[i];
  scene_size(geom, geom->type, m->site_size + 3 * i);
  scene_pose(geom, p->d->site_xpos + 3 * i, p->d->site_xmat + 9 * i);
  set_material(p, geom, m->site_matid[i], m->site_rgba + 4 * i);
  glow_if(p, geom, p->pert->select > 0 && p->pert->select == body);
  set_label(p, geom, mjLABEL_SITE, mjOBJ_SITE, i);
  drop_invisible(p, geom);
}
