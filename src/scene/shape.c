// shape.c: shapes with defaults, shapes between points.

#include "scene/shape.h"

#include <mujoco/api/base.h>
#include <mujoco/api/scene.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"

const mjvGeom scene_blank = {
    .type = mjGEOM_NONE,
    .dataid = -1,
    .matid = -1,
    .texid = -1,
    .castshadow = 1,
    .size = {.1f, .1f, .1f},
    .mat = {1, 0, 0, 0, 1, 0, 0, 0, 1},
    .rgba = {.5f, .5f, .5f, 1},
    .specular = .5f,
    .shininess = .5f,
};

void mjv_initGeom(mjvGeom* geom, int type, const mjtNum size[3], const mjtNum pos[3],
                  const mjtNum mat[9], const float rgba[4]) {
  check_given(geom);
  mjvGeom old = *geom;
  *geom = scene_blank;
  geom->objtype = old.objtype;
  geom->objid = old.objid;
  geom->category = old.category;
  geom->segid = old.segid;
  geom->camdist = old.camdist;
  geom->transparent = old.transparent;
  geom->type = type;
  if (size) {
    scene_size(geom, type, size);
  }
  if (pos) {
    scene_round3(geom->pos, pos);
  }
  for (int k = 0; mat && k < 9; k++) {
    geom->mat[k] = (float)mat[k];
  }
  if (rgba) {
    scene_color(geom, rgba);
  }
}

// u unit vector, c = u_z, k = 1 / (1 + c):
//
//       | 1 - k u_x^2   -k u_x u_y    u_x |
//   R = | -k u_x u_y    1 - k u_y^2   u_y |
//       | -u_x          -u_y          c   |
//
// Near c = -1, k = (1 - c) / (u_x^2 + u_y^2) keeps its digits. At c = -1 it turns about x.
void scene_turn_unit(mjtNum mat[9], const mjtNum u[3]) {
  mjtNum c = u[2], square = u[0] * u[0] + u[1] * u[1];
  if (square < mjMINVAL * mjMINVAL) {
    m3_identity(mat);
    mat[4] = mat[8] = c < 0 ? -1 : 1;
    return;
  }
  mjtNum k = c < 0 ? (1 - c) / square : 1 / (1 + c);
  v3_set(mat, 1 - k * u[0] * u[0], -k * u[0] * u[1], u[0]);
  v3_set(mat + 3, mat[1], 1 - k * u[1] * u[1], u[1]);
  v3_set(mat + 6, -u[0], -u[1], c);
}

void scene_turn(mjtNum mat[9], const mjtNum vec[3]) {
  mjtNum u[3];
  v3_copy(u, vec);
  if (v3_normalize(u) < mjMINVAL) {
    m3_identity(mat);
  } else {
    scene_turn_unit(mat, u);
  }
}

void scene_connect(mjvGeom* geom, int type, mjtNum width, const mjtNum from[3],
                   const mjtNum to[3]) {
  mjtNum vec[3], pos[3], mat[9];
  v3_sub(vec, to, from);
  v3_copy(pos, from);
  geom->type = type;
  geom->size[0] = geom->size[1] = (float)width;
  geom->size[2] = (float)v3_norm(vec);
  if (type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER) {
    v3_addscl(pos, from, vec, (mjtNum)0.5);
    geom->size[2] *= .5f;
  }
  scene_turn(mat, vec);
  scene_pose(geom, pos, mat);
}

void mjv_connector(mjvGeom* geom, int type, mjtNum width, const mjtNum from[3],
                   const mjtNum to[3]) {
  check_given(geom, from, to);
  switch (type) {
    case mjGEOM_CAPSULE:
    case mjGEOM_CYLINDER:
    case mjGEOM_ARROW:
    case mjGEOM_ARROW1:
    case mjGEOM_ARROW2:
    case mjGEOM_LINE:
      scene_connect(geom, type, width, from, to);
      break;
    default:
      mju_error("mjv_connector: invalid geom type %d for connector", type);
  }
}

void scene_triangle(mjvGeom* geom, const mjtNum v0[3], const mjtNum v1[3], const mjtNum v2[3]) {
  mjtNum side[3][3], mat[9];
  v3_sub(side[0], v1, v0);
  v3_sub(side[1], v2, v0);
  v3_cross(side[2], side[0], side[1]);
  for (int k = 0; k < 3; k++) {
    geom->size[k] = (float)v3_normalize(side[k]);
    for (int i = 0; i < 3; i++) {
      mat[3 * i + k] = side[k][i];
    }
  }
  geom->type = mjGEOM_TRIANGLE;
  scene_pose(geom, v0, mat);
}
