// shape.h: the common part of plugins that define shapes by signed distances.
//
// A shape has a distance as a function of a point in its frame and of a few numbers, and a box
// around it. Everything else in its hooks is common to all shapes, so each shape's file ends in one
// line, SHAPE_HOOKS, that defines them.                                   theory/plugins.md, Shapes

#ifndef CONDYLE_PLUGIN_SHAPE_H_
#define CONDYLE_PLUGIN_SHAPE_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjplugin.h>

#include "base/simd.h"

enum {
  SHAPE_MAX_ATTRIBUTES = 5,
  SHAPE_MAX_NUMBERS = 16,  // derived ones included
  SHAPE_LANES = 8,
};

// Step of gradients by differences, as in the reference.
#define SHAPE_STEP ((mjtNum)1e-8)

typedef struct Shape_ {
  const char* const* names;
  int count;
  mjtNum fallback[SHAPE_MAX_ATTRIBUTES];       // values of numbers that are not given
  const char* (*check)(const mjtNum* number);  // message for invalid numbers, or NULL
  mjtNum (*distance)(const mjtNum point[3], const mjtNum* number);

  // NULL for forward differences
  void (*gradient)(mjtNum gradient[3], const mjtNum point[3], const mjtNum* number);

  // computes numbers from the given ones and stores them behind these; NULL if there are none
  void (*derive)(mjtNum* number);
} Shape;

// Distances of SHAPE_LANES points, to be inlined into a kernel.
INLINE void shape_lanes(mjtNum* restrict out, const mjtNum point[restrict 3][SHAPE_LANES],
                        const mjtNum* number,
                        mjtNum (*distance)(const mjtNum point[3], const mjtNum* number)) {
  for (int k = 0; k < SHAPE_LANES; k++) {
    const mjtNum p[3] = {point[0][k], point[1][k], point[2][k]};
    out[k] = distance(p, number);
  }
}

// The given and derived numbers of an instance.
static inline const mjtNum* shape_numbers(const mjData* d, int instance) {
  return (const mjtNum*)d->plugin_data[instance];
}

int shape_init(const Shape* shape, const mjModel* m, mjData* d, int instance);
void shape_destroy(mjData* d, int instance);
void shape_gradient(mjtNum gradient[3], const Shape* shape, const mjtNum point[3],
                    const mjtNum* number);

// The distance for given attributes, without an instance.
mjtNum shape_static_distance(const Shape* shape, const mjtNum point[3], const mjtNum* attribute);

// Reads the numbers of a configuration from texts. Missing or wrong ones get the shape's defaults.
void shape_parse(mjtNum number[], const Shape* shape, const char* const name[],
                 const char* const value[]);
int shape_nstate(const mjModel* m, int instance);
void shape_reset(const mjModel* m, mjtNum* state, void* data, int instance);
void shape_compute(const mjModel* m, mjData* d, int instance, int capability);

// Defines the hooks of a Shape called `shape` and the plugin made of them. box_ is its sdf_aabb,
// lanes_ its cnd_sdf_distances.
#define SHAPE_HOOKS(plugin_, name_, box_, lanes_)                                       \
  static int init(const mjModel* m, mjData* d, int instance) {                          \
    return shape_init(&shape, m, d, instance);                                          \
  }                                                                                     \
  static mjtNum sdf_distance(const mjtNum point[3], const mjData* d, int instance) {    \
    return shape.distance(point, shape_numbers(d, instance));                           \
  }                                                                                     \
  static void sdf_gradient(mjtNum gradient[3], const mjtNum point[3], const mjData* d,  \
                           int instance) {                                              \
    shape_gradient(gradient, &shape, point, shape_numbers(d, instance));                \
  }                                                                                     \
  static mjtNum sdf_staticdistance(const mjtNum point[3], const mjtNum* number) {       \
    return shape_static_distance(&shape, point, number);                                \
  }                                                                                     \
  static void sdf_attribute(mjtNum number[], const char* name[], const char* value[]) { \
    shape_parse(number, &shape, name, value);                                           \
  }                                                                                     \
  const mjpPlugin plugin_ = {                                                           \
      .name = name_,                                                                    \
      .nattribute = sizeof(names) / sizeof(names[0]),                                   \
      .attributes = names,                                                              \
      .capabilityflags = mjPLUGIN_SDF,                                                  \
      .nstate = shape_nstate,                                                           \
      .init = init,                                                                     \
      .destroy = shape_destroy,                                                         \
      .reset = shape_reset,                                                             \
      .compute = shape_compute,                                                         \
      .sdf_distance = sdf_distance,                                                     \
      .sdf_gradient = sdf_gradient,                                                     \
      .sdf_staticdistance = sdf_staticdistance,                                         \
      .sdf_attribute = sdf_attribute,                                                   \
      .sdf_aabb = box_,                                                                 \
      .cnd_sdf_distances = lanes_,                                                      \
  }

#endif  // CONDYLE_PLUGIN_SHAPE_H_
