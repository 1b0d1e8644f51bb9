// sensor.h: derivatives of single sensors, one function for each family.

#pragma once

#include "derivative/system.h"

// A sensor and the derivatives of its dim outputs. The matrices are row-major and zero before the
// call.
typedef struct {
  System* system;
  const mjModel* m;
  mjData* d;
  int id;              // sensor
  int object;          // sensor_objid
  int dim;             // number of outputs
  int kinks;           // number of kinks at which the derivative is one-sided, counted by the call
  mjtNum* q;           // by positions (dim x nv)
  mjtNum* v;           // by velocities (dim x nv)
  mjtNum* x;           // by accelerations qacc (dim x nv)
  mjtNum *act, *ctrl;  // by activations (dim x na) and controls (dim x nu)
} SensorDerivative;

// Adds the change of output k, which is `force` in the force of a row of d, by what the row weighs.
static inline void sensor_weigh(SensorDerivative* s, int k, int row, mjtNum force) {
  ForceTerms rows = {s->q + k * s->m->nv, s->v + k * s->m->nv, s->act + k * s->m->na,
                     s->ctrl + k * s->m->nu};
  regularizers_add(&rows, &s->system->regularizers, s->m, row, -force);
}

// pose, velocity and acceleration of frames, and other quantities measured in a site or camera
void frame_sensor(SensorDerivative* s);
// joint and tendon limits
void limit_sensor(SensorDerivative* s);
// force or torque between a body and its parent
void wrench_sensor(SensorDerivative* s);
// touch
void touch_sensor(SensorDerivative* s);
// contacts
void contact_sensor(SensorDerivative* s);
// rangefinder
void range_sensor(SensorDerivative* s);
// distance between geoms
void distance_sensor(SensorDerivative* s);
// normal and segment between the nearest points of two geoms
void nearest_sensor(SensorDerivative* s);
