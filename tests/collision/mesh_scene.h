// mesh_scene.h: one geom of each shape and a dozen meshes, to be placed at random in pairs.

#pragma once

#include <condyle/load.h>

#include "base/algebra/vec.h"
#include "collision/pair_case.h"
#include "support/test.h"

enum {
  SCENE_MESHES = 11,
  SCENE_SOLIDS = 6,  // a plane, sphere, capsule, ellipsoid, cylinder and box come first
  SCENE_GEOMS = SCENE_SOLIDS + SCENE_MESHES,
  SCENE_BOX = SCENE_GEOMS,  // a second box, behind all
  SCENE_TEXT = 60000
};

typedef struct SceneText {
  char text[SCENE_TEXT];
  size_t num;
} SceneText;

static inline void scene_add(SceneText* s, const char* format, double x, double y, double z) {
  s->num += (size_t)snprintf(s->text + s->num, sizeof s->text - s->num, format, x, y, z);
}

// Vertices of mesh k: a cube with and without vertices within its faces, prisms, a tetrahedron,
// points of a ball (as many that some are searched and some climbed), a needle.
static inline void scene_vertices(SceneText* s, int k, uint64_t* seed) {
  static const int corners[SCENE_MESHES] = {8, 27, 4, 6, 12, 40, 8, 9, 10, 50, 500};
  int n = corners[k];
  for (int i = 0; i < n; i++) {
    double p[3] = {0, 0, 0};
    if (k == 0) {
      p[0] = i & 1 ? 0.3 : -0.3, p[1] = i & 2 ? 0.4 : -0.4, p[2] = i & 4 ? 0.2 : -0.2;
    } else if (k == 1) {
      p[0] = 0.25 * (i % 3 - 1), p[1] = 0.3 * (i / 3 % 3 - 1), p[2] = 0.35 * (i / 9 - 1);
    } else if (k == 2) {
      p[0] = i == 1 ? 0.8 : 0, p[1] = i == 2 ? 0.7 : 0, p[2] = i == 3 ? 0.6 : 0;
    } else if (k <= 5) {
      double turn = 2 * mjPI * (i % (n / 2)) / (n / 2);
      p[0] = 0.3 * cos(turn), p[1] = 0.35 * sin(turn), p[2] = i < n / 2 ? 0.2 : -0.3;
    } else {
      double length = 0;
      while (length < 0.1 || length > 1) {
        p[0] = case_real(seed, -1, 1), p[1] = case_real(seed, -1, 1), p[2] = case_real(seed, -1, 1);
        length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
      }
      p[0] *= 0.4 / length, p[1] *= 0.4 / length, p[2] *= 0.4 / length;
    }
    scene_add(s, "%.7g %.7g %.7g ", p[0], p[1], p[2]);
  }
}

// MJCF of the scene; all geoms belong to the world, so only tests collide them.
static inline const char* scene_text(int multiccd) {
  static SceneText s;
  uint64_t seed = 88172645463325252u;
  s.num = 0;
  scene_add(
      &s,
      multiccd ? "<mujoco><option><flag multiccd='enable'/></option><asset>" : "<mujoco><asset>", 0,
      0, 0);
  for (int k = 0; k < SCENE_MESHES; k++) {
    scene_add(&s, "<mesh name='m%.0f' vertex='", k, 0, 0);
    scene_vertices(&s, k, &seed);
    scene_add(&s, "'/>", 0, 0, 0);
  }
  scene_add(&s,
            "</asset><worldbody><geom type='plane' size='1 1 1'/><geom size='.3'/>"
            "<geom type='capsule' size='.15 .3'/><geom type='ellipsoid' size='.2 .3 .4'/>"
            "<geom type='cylinder' size='.25 .3'/><geom type='box' size='.2 .3 .35'/>",
            0, 0, 0);
  for (int k = 0; k < SCENE_MESHES; k++) {
    scene_add(&s, "<geom type='mesh' mesh='m%.0f'/>", k, 0, 0);
  }
  scene_add(&s, "<geom type='box' size='.3 .2 .15'/></worldbody></mujoco>", 0, 0, 0);
  return s.text;
}

// How two geoms lie to each other.
enum {
  SCENE_ANYWHERE,
  SCENE_GRID,     // quarter turns, centres on a grid
  SCENE_ALIGNED,  // the same axes
  SCENE_HINGED,   // one axis in common
  SCENE_NESTED,   // centres next to each other
  SCENE_PLACES
};

static inline void scene_turn(mjtNum mat[9], uint64_t* seed, int axis) {
  mjtNum q[4] = {1, 0, 0, 0};
  q_axisangle(q, (const mjtNum[3]){axis == 0, axis == 1, axis == 2},
              (mjtNum)case_real(seed, -mjPI, mjPI));
  q_tomat(mat, q);
}

static inline void scene_place(mjData* d, int g1, int g2, uint64_t* seed, int how, double spread) {
  mjtNum *a = d->geom_xmat + 9 * g1, *b = d->geom_xmat + 9 * g2, turn[9];
  for (int k = 0; k < 3; k++) {
    mjtNum *p = d->geom_xpos + 3 * g1 + k, *q = d->geom_xpos + 3 * g2 + k;
    *p = (mjtNum)case_real(seed, -1, 1);
    *q = *p + (mjtNum)case_real(seed, -spread, spread);
    if (how == SCENE_GRID) {
      *p = 0;
      *q = (mjtNum)(0.125 * (case_int(seed, 7) - 3));
    } else if (how == SCENE_NESTED) {
      *q = *p + (mjtNum)case_real(seed, -1e-7, 1e-7);
    }
  }
  case_rotation(a, seed);
  case_rotation(b, seed);
  if (how == SCENE_GRID) {
    case_quarter(a, seed);
    case_quarter(b, seed);
  } else if (how == SCENE_ALIGNED || how == SCENE_HINGED) {
    m3_identity(turn);
    if (how == SCENE_HINGED) {
      scene_turn(turn, seed, case_int(seed, 3));
    }
    m3_mul(b, a, turn);
  }
}

// It compiled, with its geoms in place; free with scene_free.
typedef struct Scene {
  mjModel* m;
  mjData* d;
} Scene;

static inline Scene scene_make(void) {
  Scene s = {.m = cnd_loadXMLString(scene_text(0), NULL, NULL)};
  assert_non_null(s.m);
  s.d = mj_makeData(s.m);
  mj_kinematics(s.m, s.d);
  return s;
}

static inline void scene_free(const Scene* s) {
  mj_deleteData(s->d);
  mj_deleteModel(s->m);
}
