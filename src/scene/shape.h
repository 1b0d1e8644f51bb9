// shape.h: one shape of an abstract scene.
//
// Those who draw take the next free place of a scene, which comes filled in, and change what is
// different:
//
//   mjvGeom* geom = scene_next(scn, mjOBJ_UNKNOWN, i, mjCAT_DECOR);
//   if (geom) {
//     scene_connect(geom, mjGEOM_LINE, 3, from, to);
//     scene_color(geom, rgba);
//     scn->ngeom++;
//   }
//
// A place that is not counted is reused by the next shape. Numbers are rounded to single precision
// once, here.
//                                                                          theory/scenes.md, Shapes

#pragma once

#include <mujoco/mjvisualize.h>
#include <stddef.h>
#include <string.h>

#include "base/algebra/simd.h"

// The defaults of a shape.
extern const mjvGeom scene_blank;

// A shape without a texture.
INLINE void scene_clear_texture(mjvGeom* geom) {
  geom->texid = -1;
  geom->texuniform = 0;
  geom->texrepeat[0] = geom->texrepeat[1] = 0;
}

// Clears the members of later releases in places [begin, end), because programs that don't know
// them fill places without setting them.
INLINE void scene_forget(mjvScene* scn, int begin, int end) {
  for (int i = begin; i < end; i++) {
    scn->geoms[i].castshadow = 1;
    scene_clear_texture(scn->geoms + i);
  }
}

// Clears what stands behind the look: label, distances and texture. Few shapes have labels, and an
// empty one is empty throughout, so there is seldom something to write.
INLINE void scene_clear_end(mjvGeom* geom) {
  if (geom->label[0]) {
    memset(geom->label, 0, sizeof(geom->label));
  }
  geom->camdist = geom->modelrbound = 0;
  geom->transparent = 0;
  geom->castshadow = 1;
  scene_clear_texture(geom);
}

// The next place of a scene, filled in; NULL if the scene is full.
INLINE mjvGeom* scene_next(mjvScene* scn, int objtype, int objid, int category) {
  if (scn->ngeom >= scn->maxgeom) {
    return NULL;
  }
  mjvGeom* geom = scn->geoms + scn->ngeom;
  memcpy(geom, &scene_blank, offsetof(mjvGeom, label));
  scene_clear_end(geom);
  geom->objtype = objtype;
  geom->objid = objid;
  geom->category = category;
  geom->segid = scn->ngeom;
  return geom;
}

typedef float SceneFloat4 __attribute__((vector_size(16), aligned(sizeof(float)), may_alias));
typedef int SceneInt4 __attribute__((vector_size(16), aligned(sizeof(int)), may_alias));

INLINE void scene_round3(float out[3], const mjtNum x[3]) {
  out[0] = (float)x[0];
  out[1] = (float)x[1];
  out[2] = (float)x[2];
}

INLINE void scene_widen3(mjtNum out[3], const float x[3]) {
  out[0] = (mjtNum)x[0];
  out[1] = (mjtNum)x[1];
  out[2] = (mjtNum)x[2];
}

// Rounds four numbers to single precision.
INLINE void scene_round4(float* out, const mjtNum* x) {
  *(SceneFloat4*)(void*)out = __builtin_convertvector(SIMD_READ(Simd4, x), SceneFloat4);
}

INLINE void scene_pose(mjvGeom* geom, const mjtNum pos[3], const mjtNum mat[9]) {
  scene_round3(geom->pos, pos);
  scene_round4(geom->mat, mat);
  scene_round4(geom->mat + 4, mat + 4);
  geom->mat[8] = (float)mat[8];
}

INLINE void scene_color(mjvGeom* geom, const float rgba[4]) {
  memcpy(geom->rgba, rgba, sizeof(geom->rgba));
}

// The size of a shape from that of a geom or site: radii come first there, lengths along z last
// here.
INLINE void scene_size(mjvGeom* geom, int type, const mjtNum size[3]) {
  int round = type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER;
  geom->size[0] = (float)size[0];
  geom->size[1] = (float)size[round ? 0 : 1];
  geom->size[2] = (float)size[type == mjGEOM_SPHERE ? 0 : round ? 1 : 2];
}

// mjv_connector for a type that is known to be one.
void scene_connect(mjvGeom* geom, int type, mjtNum width, const mjtNum from[3], const mjtNum to[3]);

// A triangle: its sides from v0, and their normal, are the columns of mat, their lengths the size.
void scene_triangle(mjvGeom* geom, const mjtNum v0[3], const mjtNum v1[3], const mjtNum v2[3]);

// The least rotation that takes z to a direction; none for a vector shorter than mjMINVAL.
void scene_turn(mjtNum mat[9], const mjtNum vec[3]);

// The same for a vector of length 1.
void scene_turn_unit(mjtNum mat[9], const mjtNum u[3]);
