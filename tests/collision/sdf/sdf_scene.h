// sdf_scene.h: shapes that have distance fields, and a plugin that makes one.

#pragma once

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdint.h>
#include <string.h>

#include "support/bridge.h"
#include "support/random.h"
#include "support/test.h"

// Geoms of SDF_SCENE. The mesh comes first: the reference takes the geom's number for the mesh's.
enum {
  MESH,
  SPHERE,
  CAPSULE,
  ELLIPSOID,
  CYLINDER,
  BOX,
  FIELD_A,
  FIELD_B,
  NSHAPE
};

// One body each; all meet the two fields, which meet each other, and nothing else.
#define SDF_SCENE                                                                     \
  "<mujoco><size memory='20M'/><asset>"                                               \
  "<mesh name='a' builtin='supersphere' params='5 .8 1.2' scale='.3 .25 .2'/>"        \
  "<mesh name='b' builtin='hemisphere' params='2' scale='.3 .3 .4'/></asset>"         \
  "<default><geom conaffinity='0'/></default><worldbody>"                             \
  "<body><freejoint/><geom type='mesh' mesh='a'/></body>"                             \
  "<body><freejoint/><geom type='sphere' size='.2'/></body>"                          \
  "<body><freejoint/><geom type='capsule' size='.1 .2'/></body>"                      \
  "<body><freejoint/><geom type='ellipsoid' size='.1 .2 .3'/></body>"                 \
  "<body><freejoint/><geom type='cylinder' size='.15 .2'/></body>"                    \
  "<body><freejoint/><geom type='box' size='.1 .2 .15'/></body>"                      \
  "<body><freejoint/><geom type='sdf' mesh='a' conaffinity='1'/></body>"              \
  "<body><freejoint/><geom type='sdf' mesh='b' conaffinity='1' pos='.1 0 0'/></body>" \
  "</worldbody></mujoco>"

static inline void draw_vector(mjtNum out[3], mjtNum scale, uint64_t* seed) {
  for (int k = 0; k < 3; k++) {
    out[k] = scale * xorshift_random(seed);
  }
}

// A torus of radii 0.2 and 0.08 around z, made by a plugin that counts its calls.
static int torus_resets, torus_computes;

static int torus_nstate(const mjModel* m, int instance) {
  (void)m, (void)instance;
  return 0;
}

static int torus_init(const mjModel* m, mjData* d, int instance) {
  (void)m, (void)d, (void)instance;
  return 0;
}

static void torus_reset(const mjModel* m, mjtNum* state, void* data, int instance) {
  (void)m, (void)state, (void)data, (void)instance;
  torus_resets++;
}

static void torus_compute(const mjModel* m, mjData* d, int instance, int capability) {
  (void)m, (void)d, (void)instance;
  torus_computes += capability == mjPLUGIN_SDF;
}

static mjtNum torus_distance(const mjtNum p[3], const mjData* d, int instance) {
  (void)d, (void)instance;
  mjtNum q = mju_sqrt(p[0] * p[0] + p[1] * p[1]) - (mjtNum)0.2;
  return mju_sqrt(q * q + p[2] * p[2]) - (mjtNum)0.08;
}

static void torus_gradient(mjtNum gradient[3], const mjtNum p[3], const mjData* d, int instance) {
  (void)d, (void)instance;
  mjtNum rho = mju_sqrt(p[0] * p[0] + p[1] * p[1]), q = rho - (mjtNum)0.2;
  mjtNum norm = mju_max(mju_sqrt(q * q + p[2] * p[2]), mjMINVAL);
  gradient[0] = q * p[0] / rho / norm;
  gradient[1] = q * p[1] / rho / norm;
  gradient[2] = p[2] / norm;
}

static inline mjpPlugin torus_plugin(void) {
  mjpPlugin plugin;
  memset(&plugin, 0, sizeof(plugin));
  plugin.name = "test.torus";
  plugin.capabilityflags = mjPLUGIN_SDF;
  plugin.nstate = torus_nstate;
  plugin.init = torus_init;
  plugin.reset = torus_reset;
  plugin.compute = torus_compute;
  plugin.sdf_distance = torus_distance;
  plugin.sdf_gradient = torus_gradient;
  return plugin;
}

// Registers it in both engines, whose own plugins have their slots before.
static inline void register_torus(void) {
  mjpPlugin torus = torus_plugin();
  int (*reference)(const mjpPlugin*) = bridge_function("mjp_registerPlugin");
  mjp_getPlugin("mujoco.sdf.torus", NULL);
  assert_int_equal(mjp_registerPlugin(&torus), reference(&torus));
}
