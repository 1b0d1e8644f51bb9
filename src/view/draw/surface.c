// surface.c: the visible surfaces of a model: flexes, skins, geoms and sites.

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stddef.h>

#include "model/data/awake.h"
#include "smooth/support.h"
#include "view/draw/color.h"
#include "view/draw/elements.h"
#include "view/flex_parts.h"

// One part of a flex, or all of it.
static void draw_part(Picture* p, int flex, const FlexPart* part, int number) {
  const mjModel* m = p->m;
  mjvGeom* geom = take_shape(p, mjOBJ_FLEX, flex, mjCAT_DYNAMIC);
  if (!geom) {
    return;
  }
  geom->type = mjGEOM_FLEX;
  geom->size[0] = (float)m->flex_radius[flex];
  if (part) {
    geom->dataid = number;
    geom->size[1] = (float)part->face;
    geom->size[2] = (float)part->nface;
  }
  if (m->flex_vertnum[flex]) {
    scene_round3(geom->pos, p->d->flexvert_xpos + 3 * m->flex_vertadr[flex]);
  }
  set_material(p, geom, part ? part->material : m->flex_matid[flex], m->flex_rgba + 4 * flex);
  if (m->flex_texcoordadr[flex] >= 0) {
    geom->texcoord = 1;
  } else {
    set_texture(m, geom, -1);
  }
  glow_if(p, geom, p->pert->flexselect == flex);
  set_label(p, geom, mjLABEL_FLEX, mjOBJ_FLEX, flex);
  drop_invisible(p, geom);
}

void draw_flex(Picture* p, int flex) {
  mj_markStack(p->d);
  FlexParts parts = flex_parts(p->m, p->d, flex, p->opt);
  for (int i = 0; i < parts.n; i++) {
    draw_part(p, flex, parts.part + i, i);
  }
  mj_freeStack(p->d);
  if (!parts.n) {
    draw_part(p, flex, NULL, 0);
  }
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
  return (mjtNum)(2.1 / (mjMAXPLANEGRID - 2)) * zfar;
}

// Moves an infinite plane with the camera of the last picture, by whole periods of its pattern, so
// that the motion isn't visible.
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

// Renderers identify planes by their number among all planes.
INLINE void set_plane(Picture* p, mjvGeom* geom, int i) {
  geom->dataid = plane_number(p, i);
  if (p->m->geom_size[3 * i] <= 0 || p->m->geom_size[3 * i + 1] <= 0) {
    follow_camera(p, geom, i);
  }
}

// Meshes have two surfaces, the hull comes second.
INLINE void set_mesh(const mjModel* m, mjvGeom* geom, int mesh, int has_hull, int hulls) {
  int hull = hulls && m->mesh_graphadr[mesh] >= 0 && has_hull;
  geom->dataid = 2 * mesh + hull;
  geom->texcoord = m->mesh_texcoordadr[mesh] >= 0;
}

// The shape of a mesh site is where its mesh is.
static void place_site(const Picture* p, mjvGeom* geom, int site) {
  mjtNum pos[3], mat[9];
  site_shape(pos, mat, p->m, p->d, site);
  scene_pose(geom, pos, mat);
}

// Geoms and sites are most of a scene, and stores take most of their time. So they are written by
// vectors, without the defaults of take_shape, most of which would be overwritten. (With take_shape
// and scene_pose, scenes of humanoids take 1.8 times as long.)

// What geoms and sites have in common.
typedef struct Solids_ {
  int objtype, catmask;
  const int *type, *body, *group, *material, *weld, *mocap;
  const mjtNum *size, *pos, *mat;
  const float* rgba;
  const mjtByte* shown;
} Solids;

// Emission, specular, shininess and reflectance of a material, -1: none.
INLINE SceneFloat4 shine_of(const mjModel* m, int material) {
  return material < 0 ? (SceneFloat4){0, .5f, .5f, 0}
                      : (SceneFloat4){m->mat_emission[material], m->mat_specular[material],
                                      m->mat_shininess[material], m->mat_reflectance[material]};
}

// The category of objects of a body, if it is shown. Objects of one body are consecutive.
INLINE int category_of(const Solids* solids, int body) {
  int is_static = solids->weld[body] == 0 && solids->mocap[body] == -1;
  return (is_static ? mjCAT_STATIC : mjCAT_DYNAMIC) & solids->catmask;
}

// Permutes the numbers of a vector by their indices.
INLINE SceneFloat4 pick4(SceneFloat4 x, SceneInt4 place) {
#ifdef __clang__
  return (SceneFloat4){x[place[0]], x[place[1]], x[place[2]], x[place[3]]};
#else
  return __builtin_shuffle(x, place);
#endif
}

// The sizes of a type in the order of scene_size, written as four numbers. The fourth input is past
// the sizes (still inside of the model's buffer), and the fourth output is overwritten later.
INLINE void put_size(float out[3], int type, const mjtNum size[3]) {
  static const SceneInt4 order[mjNGEOMTYPES] = {{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 0, 0, 3},
                                                {0, 0, 1, 3}, {0, 1, 2, 3}, {0, 0, 1, 3},
                                                {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}};
  SceneFloat4 x = __builtin_convertvector(SIMD_READ(Simd4, size), SceneFloat4);
  *(SceneFloat4*)(void*)out = pick4(x, order[type]);
}

// The members from pos to reflectance are contiguous, and they are written in ascending order. So a
// vector of four may spill into the next member, which is written after it. The fourth number read
// after a position is the next position or, after the last, still inside of mjData's buffer.
INLINE void put_look(mjvGeom* geom, const mjtNum pos[3], const mjtNum mat[9], SceneFloat4 rgba,
                     SceneFloat4 shine) {
  _Static_assert(offsetof(mjvGeom, label) - offsetof(mjvGeom, pos) == 20 * sizeof(float),
                 "pos, mat, rgba, emission, specular, shininess, reflectance");
  scene_round4(geom->pos, pos);
  scene_round4(geom->mat, mat);
  scene_round4(geom->mat + 4, mat + 4);
  geom->mat[8] = (float)mat[8];
  *(SceneFloat4*)(void*)geom->rgba = rgba;
  *(SceneFloat4*)(void*)&geom->emission = shine;
}

// Decorations that only some objects have.
typedef struct Extras_ {
  int any;       // something of these two is
  int selected;  // body that shines, -1: none
  int label;
  int island;
  int fade;       // what moves is transparent
  int recolored;  // something of the last two is
} Extras;

INLINE Extras find_extras(const Picture* p, int label) {
  Extras extras = {.selected = p->pert->select > 0 ? p->pert->select : -1,
                   .label = p->opt->label == label,
                   .island = IS_SHOWN(p, ISLAND),
                   .fade = IS_SHOWN(p, TRANSPARENT)};
  extras.any = extras.selected > 0 || extras.label;
  extras.recolored = extras.island || extras.fade;
  return extras;
}

// The color of the last island, cached because objects of one island are mostly consecutive.
typedef struct IslandColor_ {
  int island;  // -2: none is kept; -3 and less: a tree that sleeps
  float rgba[4];
} IslandColor;

// Sets the color of a body's island in `kept`. Returns 0 for bodies that can't move, which have
// none.
INLINE int find_island(IslandColor* kept, const Picture* p, int body) {
  int weld = p->m->body_weldid[body];
  if (!p->m->body_dofnum[weld]) {
    return 0;
  }
  int tree = p->m->body_treeid[weld], asleep = tree_sleeps(p->d, tree);
  int island = asleep              ? -3 - tree
               : p->d->nisland > 0 ? p->d->dof_island[p->m->body_dofadr[weld]]
                                   : -1;
  if (kept->island != island && asleep) {
    asleep_color(kept->rgba, p->m, p->d, tree);
  } else if (kept->island != island) {
    island_color(kept->rgba, p->d, island);
  }
  kept->island = island;
  return 1;
}

// Scenes of many shapes don't fit in the first-level cache, so the next shapes are prefetched.
enum {
  MANY = 30,
  AHEAD = 6
};

// Writes the shapes of all objects that are shown, geoms or sites: one loop for each.
INLINE void draw_solids(Picture* p, const Solids* solids, int n, Extras extras, int geoms) {
  const mjModel* m = p->m;
  mjvScene* scn = p->scn;
  const int textured = IS_SHOWN(p, TEXTURE), hulls = IS_SHOWN(p, CONVEXHULL), many = n > MANY;
  mjvGeom *geom = scn->geoms + scn->ngeom, *end = scn->geoms + scn->maxgeom;
  IslandColor kept = {.island = -2};
  int last = -1, category = 0, material = -1;
  _Static_assert(offsetof(mjvGeom, size) - offsetof(mjvGeom, category) == sizeof(SceneInt4),
                 "category, matid, texcoord, segid");
  SceneInt4 numbers = {0, -1, 0, scn->ngeom};  // of the next shape
  SceneFloat4 shine = shine_of(m, -1);
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!is_group_shown(solids->shown, solids->group[i])) {
      continue;
    }
    if (solids->body[i] != last) {
      last = solids->body[i];
      category = category_of(solids, last);
      numbers[0] = category;
    }
    if (!category) {
      continue;
    }
    if (geom >= end) {
      p->full = scn->status = 1;
      break;
    }

    // set_material, in registers; runs of shapes have one material
    if (solids->material[i] != material) {
      material = solids->material[i];
      shine = shine_of(m, material);
      numbers[1] = textured ? material : -1;
    }
    SceneInt4 here = numbers;
    const float* own = solids->rgba + 4 * i;
    if (material >= 0 && is_usual_color(own)) {
      own = m->mat_rgba + 4 * material;
    }
    SceneFloat4 rgba = *(const SceneFloat4*)(const void*)own;
    if (extras.recolored) {
      if (extras.fade && category == mjCAT_DYNAMIC) {
        rgba[3] *= m->vis.map.alpha;
      }
      if (geoms && extras.island && find_island(&kept, p, last)) {
        rgba = *(const SceneFloat4*)(const void*)kept.rgba;
        here[1] = -1;
      }
    }
    if (extras.recolored ? rgba[3] == 0 : own[3] == 0) {
      continue;
    }

    int type = solids->type[i], surface = geoms ? m->geom_dataid[i] : m->site_dataid[i];
    geom->type = type;
    geom->dataid = surface;
    geom->objtype = solids->objtype;
    geom->objid = (int)i;
    *(SceneInt4*)(void*)&geom->category = here;
    put_size(geom->size, type, solids->size + 3 * i);
    put_look(geom, solids->pos + 3 * i, solids->mat + 9 * i, rgba, shine);
    scene_clear_end(geom);
    if (here[1] >= 0) {
      set_texture(m, geom, here[1]);
    }
    if (geoms) {
      geom->castshadow = m->geom_castshadow[i];
      geom->modelrbound = (float)m->geom_rbound[i];
      if (type == mjGEOM_PLANE) {
        set_plane(p, geom, (int)i);
      } else if (type >= mjGEOM_MESH && surface >= 0) {
        set_mesh(m, geom, surface, m->geom_contype[i] || m->geom_conaffinity[i], hulls);
      }
    } else if (type == mjGEOM_MESH && surface >= 0) {
      set_mesh(m, geom, surface, 1, hulls);
      place_site(p, geom, (int)i);
    }
    if (extras.any) {
      glow_if(p, geom, last == extras.selected);
      if (extras.label) {
        name_object(geom->label, m, solids->objtype, (int)i);
      }
    }
    geom++;
    numbers += (SceneInt4){0, 0, 0, 1};
    if (many) {
      __builtin_prefetch(geom + AHEAD, 1);
      __builtin_prefetch(geom[AHEAD].rgba, 1);
      __builtin_prefetch(&geom[AHEAD].camdist, 1);
    }
  }
  scn->ngeom = numbers[3];
}

// Most pictures need none of the extras, so these get a loop without tests for them.
INLINE void draw_with(Picture* p, const Solids* solids, int n, int label, int geoms) {
  Extras extras = find_extras(p, label);
  if (extras.any || extras.recolored) {
    draw_solids(p, solids, n, extras, geoms);
  } else {
    draw_solids(p, solids, n, (Extras){.selected = -1}, geoms);
  }
}

KERNEL void draw_geoms(Picture* p) {
  const mjModel* m = p->m;
  const Solids solids = {mjOBJ_GEOM,       p->catmask,      m->geom_type,    m->geom_bodyid,
                         m->geom_group,    m->geom_matid,   m->body_weldid,  m->body_mocapid,
                         m->geom_size,     p->d->geom_xpos, p->d->geom_xmat, m->geom_rgba,
                         p->opt->geomgroup};
  draw_with(p, &solids, m->ngeom, mjLABEL_GEOM, 1);
}

KERNEL void draw_sites(Picture* p) {
  const mjModel* m = p->m;
  const Solids solids = {mjOBJ_SITE,       p->catmask,      m->site_type,    m->site_bodyid,
                         m->site_group,    m->site_matid,   m->body_weldid,  m->body_mocapid,
                         m->site_size,     p->d->site_xpos, p->d->site_xmat, m->site_rgba,
                         p->opt->sitegroup};
  draw_with(p, &solids, m->nsite, mjLABEL_SITE, 0);
}
