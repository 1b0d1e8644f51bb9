// shape.h: the common part of plugins that define shapes by signed distances.
//
// A shape is a signed distance, a function of a point in the shape's frame and of a few parameters,
// and a bounding box. The remaining hooks of the plugin are the same for all shapes. The file of a
// shape ends with the macro SHAPE_HOOKS, which defines all hooks.
//                                                                 theory/plugins/plugins.md, Shapes

#pragma once

#include <mujoco/mjdata.h>
#include <mujoco/mjplugin.h>

#include "base/algebra/simd.h"
#include "plugin/config.h"

enum {
  SHAPE_MAX_ATTRIBUTES = 5,
  SHAPE_MAX_PARAMS = 16,  // parameters from attributes and derived parameters
  SHAPE_LANES = 8,
};

// Step of forward differences, as in the reference.
#define SHAPE_STEP ((mjtNum)1e-8)

typedef struct Shape_ {
  const char* const* names;
  int count;
  mjtNum defaults[SHAPE_MAX_ATTRIBUTES];      // values of missing attributes
  const char* (*check)(const mjtNum* param);  // message for invalid parameters, or NULL
  mjtNum (*distance)(const mjtNum point[3], const mjtNum* param);

  // NULL for forward differences
  void (*gradient)(mjtNum gradient[3], const mjtNum point[3], const mjtNum* param);

  // writes derived parameters behind those from attributes; NULL if the shape has none
  void (*derive)(mjtNum* param);
} Shape;

// Distances of SHAPE_LANES points, inlined so that `distance` is vectorized.
INLINE void shape_lanes(mjtNum* restrict out, const mjtNum point[restrict 3][SHAPE_LANES],
                        const mjtNum* param,
                        mjtNum (*distance)(const mjtNum point[3], const mjtNum* param)) {
  for (int k = 0; k < SHAPE_LANES; k++) {
    const mjtNum p[3] = {point[0][k], point[1][k], point[2][k]};
    out[k] = distance(p, param);
  }
}

// What an instance keeps: its parameters, derived ones included, and the geoms of the last search,
// -1 before the first one.
typedef struct ShapeMemory_ {
  mjtNum param[SHAPE_MAX_PARAMS];
  int geom[2];
} ShapeMemory;

static inline const mjtNum* shape_params(const mjData* d, int instance) {
  return ((const ShapeMemory*)d->plugin_data[instance])->param;
}

int shape_init(const Shape* shape, const mjModel* m, mjData* d, int instance);
void shape_gradient(mjtNum gradient[3], const Shape* shape, const mjtNum point[3],
                    const mjtNum* param);

// The distance for the parameters in `attribute`, without an instance.
mjtNum shape_static_distance(const Shape* shape, const mjtNum point[3], const mjtNum* attribute);

// Parses the parameters from attribute strings. Missing or wrong values become the defaults.
void shape_parse(mjtNum param[], const Shape* shape, const char* const name[],
                 const char* const value[]);
void shape_reset(const mjModel* m, mjtNum* state, void* data, int instance);
void shape_compute(const mjModel* m, mjData* d, int instance, int capability);

void shape_meet(const mjModel* m, mjData* d, int instance, int geom1, int geom2);

// Draws the last searches for contacts with the shape: from blue to red, with a ball at both ends.
void shape_visualize(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scn,
                     int instance);

// Defines the hooks of a Shape whose parameters have these names, and the plugin that has them.
// box_ is the hook sdf_aabb, lanes_ the hook cnd_sdf_distances.
#define SHAPE_HOOKS(plugin_, name_, shape_, names_, box_, lanes_)                                \
  static int plugin_##_init(const mjModel* m, mjData* d, int instance) {                         \
    return shape_init(&shape_, m, d, instance);                                                  \
  }                                                                                              \
  static mjtNum plugin_##_sdf_distance(const mjtNum point[3], const mjData* d, int instance) {   \
    return shape_.distance(point, shape_params(d, instance));                                    \
  }                                                                                              \
  static void plugin_##_sdf_gradient(mjtNum gradient[3], const mjtNum point[3], const mjData* d, \
                                     int instance) {                                             \
    shape_gradient(gradient, &shape_, point, shape_params(d, instance));                         \
  }                                                                                              \
  static mjtNum plugin_##_sdf_staticdistance(const mjtNum point[3], const mjtNum* param) {       \
    return shape_static_distance(&shape_, point, param);                                         \
  }                                                                                              \
  static void plugin_##_sdf_attribute(mjtNum param[], const char* name[], const char* value[]) { \
    shape_parse(param, &shape_, name, value);                                                    \
  }                                                                                              \
  const mjpPlugin plugin_ = {                                                                    \
      .name = name_,                                                                             \
      .nattribute = sizeof(names_) / sizeof(names_[0]),                                          \
      .attributes = names_,                                                                      \
      .capabilityflags = mjPLUGIN_SDF,                                                           \
      .nstate = config_nstate,                                                                   \
      .init = plugin_##_init,                                                                    \
      .destroy = config_destroy,                                                                 \
      .reset = shape_reset,                                                                      \
      .compute = shape_compute,                                                                  \
      .visualize = shape_visualize,                                                              \
      .sdf_distance = plugin_##_sdf_distance,                                                    \
      .sdf_gradient = plugin_##_sdf_gradient,                                                    \
      .sdf_staticdistance = plugin_##_sdf_staticdistance,                                        \
      .sdf_attribute = plugin_##_sdf_attribute,                                                  \
      .sdf_aabb = box_,                                                                          \
      .cnd_sdf_distances = lanes_,                                                               \
      .cnd_sdf_meet = shape_meet,                                                                \
  }
