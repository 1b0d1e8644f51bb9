// shape.c: the hooks that all plugins with shapes share: reading attributes, gradients, instance
// memory.

#pragma STDC FP_CONTRACT OFF  // gradients are differences of nearly equal distances

#include "plugin/shape.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/memory/memory.h"

int shape_init(const Shape* shape, const mjModel* m, mjData* d, int instance) {
  mjtNum param[SHAPE_MAX_PARAMS] = {0};
  memcpy(param, shape->defaults, sizeof(shape->defaults));
  for (int i = 0; i < shape->count; i++) {
    if (config_numbers(&param[i], 1, m, instance, shape->names[i]) == CONFIG_WRONG) {
      return -1;
    }
  }
  const char* wrong = shape->check ? shape->check(param) : NULL;
  if (wrong) {
    mju_warning("plugin '%s', instance %d: %s", mjp_getPluginAtSlot(m->plugin[instance])->name,
                instance, wrong);
    return -1;
  }
  if (shape->derive) {
    shape->derive(param);
  }
  ShapeMemory* own = memory_take(sizeof(ShapeMemory));
  if (!own) {
    mju_error(MEMORY_OUT);
    return -1;
  }
  memcpy(own->param, param, sizeof(param));
  own->geom[0] = own->geom[1] = -1;
  d->plugin_data[instance] = (uintptr_t)own;
  return 0;
}

// (f(x + h e_k) - f(x)) / h
void shape_gradient(mjtNum gradient[3], const Shape* shape, const mjtNum point[3],
                    const mjtNum* param) {
  if (shape->gradient) {
    shape->gradient(gradient, point, param);
    return;
  }
  mjtNum here = shape->distance(point, param);
  for (int k = 0; k < 3; k++) {
    mjtNum beside[3] = {point[0], point[1], point[2]};
    beside[k] += SHAPE_STEP;
    gradient[k] = (shape->distance(beside, param) - here) / SHAPE_STEP;
  }
}

mjtNum shape_static_distance(const Shape* shape, const mjtNum point[3], const mjtNum* attribute) {
  if (!shape->derive) {
    return shape->distance(point, attribute);
  }
  mjtNum param[SHAPE_MAX_PARAMS];
  memcpy(param, attribute, (size_t)shape->count * sizeof(mjtNum));
  shape->derive(param);
  return shape->distance(point, param);
}

void shape_parse(mjtNum param[], const Shape* shape, const char* const name[],
                 const char* const value[]) {
  for (int i = 0; i < shape->count; i++) {
    param[i] = shape->defaults[i];
    for (int k = 0; k < shape->count; k++) {
      if (name[k] && value[k] && !strcmp(name[k], shape->names[i])) {
        config_parse(&param[i], 1, value[k]);
      }
    }
  }
}

// contact searches keep no state, so there is nothing to reset

void shape_reset(const mjModel* m, mjtNum* state, void* data, int instance) {
  (void)m;
  (void)state;
  (void)data;
  (void)instance;
}

void shape_compute(const mjModel* m, mjData* d, int instance, int capability) {
  (void)m;
  (void)d;
  (void)instance;
  (void)capability;
}

void shape_meet(const mjModel* m, mjData* d, int instance, int geom1, int geom2) {
  ShapeMemory* own = (ShapeMemory*)d->plugin_data[instance];
  (void)m;
  own->geom[0] = geom1;
  own->geom[1] = geom2;
}
