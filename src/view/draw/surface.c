// surface.c: what a model shows of itself: flexes, skins, geoms and sites.

#include <mujoco/api/base.h>
#include <stddef.h>

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
INLINE int plane_number(Picture* p, int geom) {
  while (p->counted < geom) {
    p->planes += p->m->geom_type[p->counted++] == mjGEOM_PLANE;
  }
  return p->planes;
}

// The period of a plane's pattern along one side: two squares of its texture, or of the grid of
// the renderer, which reaches as far as can be seen.
INLINE mjtNum plane_period(const mjModel* m, int i, int side) {
  int material = m->geom_matid[i];
  if (material >= 0 && m->mat_texrepeat[2 * material + side] > 0) {
    return (mjtNum)(2 / m->mat_texrepeat[2 * material + side]);
  }
  mjtNum zfar = (mjtNum)m->vis.map.zfar * m->stat.extent;
  return (mjtNum)2.1 * zfar / (mjMAXPLANEGRID - 2);
}

// An infinite plane follows the camera, of the last picture, in steps that its pattern doesn't
// show.
INLINE void follow_camera(const Picture* p, mjvGeom* geom, int i) {
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
    v3_addtoscl(pos, axis,
                2 * period * mju_floor((mjtNum)0.5 * v3_dot(away, axis) / period + (mjtNum)0.5));
  }
  scene_round3(geom->pos, pos);
}

// What a renderer looks the surface of a geom up by. Meshes have two, the hull comes second.
INLINE void set_surface(Picture* p, mjvGeom* geom, int i) {
  const mjModel* m = p->m;
  int mesh = m->geom_dataid[i];
  if (geom->type == mjGEOM_PLANE) {
    geom->dataid = plane_number(p, i);
    if (m->geom_size[3 * i] <= 0 || m->geom_size[3 * i + 1] <= 0) {
      follow_camera(p, geom, i);
    }
  } else if (mesh >= 0) {
    int hull = IS_SHOWN(p, CONVEXHULL) && m->mesh_graphadr[mesh] >= 0 &&
               (m->geom_contype[i] || m->geom_conaffinity[i]);
    geom->dataid = 2 * mesh + hull;
    geom->texcoord = m->mesh_texcoordadr[mesh] >= 0;
  }
}

// Things that can move show the island they are in.
static void set_island(const Picture* p, mjvGeom* geom, int body) {
  int weld = p->m->body_weldid[body];
  if (p->m->body_dofnum[weld]) {
    geom->matid = -1;
    dof_color(geom->rgba, p->d, p->m->body_dofadr[weld]);
  }
}

// Geoms and sites are most of a scene: they are written without what take_shape would fill in only
// to be overwritten. (With it scenes of humanoids take 1.3 times as many instructions.)

// The part of an object's shape that all have: of geom or site i.
typedef struct Solids_ {
  int objtype;
  const int *type, *body, *group, *material;
  const mjtNum *size, *pos, *mat;
  const float* rgba;
  const mjtByte* shown;
} Solids;

// The category of an object that is shown, 0 if it is not.
INLINE int shown_category(const Picture* p, const Solids* solids, int i) {
  return is_group_shown(solids->shown, solids->group[i])
             ? body_category(p->m, solids->body[i]) & p->catmask
             : 0;
}

// Label, distances and the rest are 0: seven vectors, where a call or `rep stos` would take as long
// as all else.
INLINE void clear_rest(mjvGeom* geom) {
  _Static_assert(sizeof(mjvGeom) - offsetof(mjvGeom, label) == 7 * sizeof(SceneFloat4),
                 "the end of a shape is seven vectors");
  SceneFloat4* rest = (SceneFloat4*)(void*)geom->label;
  for (int k = 0; k < 7; k++) {
    rest[k] = (SceneFloat4){0, 0, 0, 0};
  }
}

// Fills in the place of a shape but for color and material. Which of an object's three sizes come
// second and third: see scene_size.
INLINE void place_solid(mjvGeom* geom, const Solids* solids, int i, int category, int segid) {
  static const unsigned char second[mjNGEOMTYPES] = {1, 1, 0, 0, 1, 0, 1, 1, 1};
  static const unsigned char third[mjNGEOMTYPES] = {2, 2, 0, 1, 2, 1, 2, 2, 2};
  int type = solids->type[i];
  const mjtNum* size = solids->size + 3 * i;
  geom->type = type;
  geom->dataid = -1;
  geom->objtype = solids->objtype;
  geom->objid = i;
  geom->category = category;
  geom->matid = -1;
  geom->texcoord = 0;
  geom->segid = segid;
  geom->size[0] = (float)size[0];
  geom->size[1] = (float)size[second[type]];
  geom->size[2] = (float)size[third[type]];
  scene_pose(geom, solids->pos + 3 * i, solids->mat + 9 * i);
  memcpy(&geom->emission, &scene_blank.emission,
         offsetof(mjvGeom, label) - offsetof(mjvGeom, emission));
  clear_rest(geom);
}

// What is said of some objects only.
typedef struct Extras_ {
  int any;       // something is
  int selected;  // body that shines, -1: none
  int label;
  int island;
} Extras;

INLINE Extras find_extras(const Picture* p, int label) {
  Extras extras = {.selected = p->pert->select > 0 ? p->pert->select : -1,
                   .label = p->opt->label == label,
                   .island = IS_SHOWN(p, ISLAND)};
  extras.any = extras.selected > 0 || extras.label || extras.island;
  return extras;
}

// Writes the shapes of all objects that are shown, geoms or sites: one loop for each.
INLINE void draw_solids(Picture* p, const Solids* solids, int n, Extras extras, int geoms) {
  const mjModel* m = p->m;
  mjvScene* scn = p->scn;
  mjvGeom *geom = scn->geoms + scn->ngeom, *end = scn->geoms + scn->maxgeom;
  for (int i = 0; i < n; i++) {
    int category = shown_category(p, solids, i);
    if (!category) {
      continue;
    }
    if (geom == end) {
      p->full = scn->status = 1;
      break;
    }
    place_solid(geom, solids, i, category, (int)(geom - scn->geoms));
    set_material(p, geom, solids->material[i], solids->rgba + 4 * i);
    if (extras.island && geoms) {
      set_island(p, geom, solids->body[i]);
    }
    if (geom->rgba[3] == 0) {
      continue;
    }
    if (geoms) {
      geom->dataid = m->geom_dataid[i];
      geom->modelrbound = (float)m->geom_rbound[i];
      if (geom->type == mjGEOM_PLANE || geom->type >= mjGEOM_MESH) {
        set_surface(p, geom, i);
      }
    }
    if (extras.any) {
      glow_if(p, geom, solids->body[i] == extras.selected);
      if (extras.label) {
        name_object(geom->label, m, solids->objtype, i);
      }
    }
    geom++;
  }
  scn->ngeom = (int)(geom - scn->geoms);
}

KERNEL void draw_geoms(Picture* p) {
  const mjModel* m = p->m;
  const Solids solids = {mjOBJ_GEOM,    m->geom_type,     m->geom_bodyid,  m->geom_group,
                         m->geom_matid, m->geom_size,     p->d->geom_xpos, p->d->geom_xmat,
                         m->geom_rgba,  p->opt->geomgroup};
  draw_solids(p, &solids, m->ngeom, find_extras(p, mjLABEL_GEOM), 1);
}

KERNEL void draw_sites(Picture* p) {
  const mjModel* m = p->m;
  const Solids solids = {mjOBJ_SITE,    m->site_type,     m->site_bodyid,  m->site_group,
                         m->site_matid, m->site_size,     p->d->site_xpos, p->d->site_xmat,
                         m->site_rgba,  p->opt->sitegroup};
  draw_solids(p, &solids, m->nsite, find_extras(p, mjLABEL_SITE), 0);
}
