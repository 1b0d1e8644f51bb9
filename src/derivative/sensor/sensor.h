// sensor.h: derivatives of single sensors, one function for each family.

#ifndef CONDYLE_DERIVATIVE_SENSOR_SENSOR_H_
#define CONDYLE_DERIVATIVE_SENSOR_SENSOR_H_

#include "derivative/system.h"

// A sensor and the derivatives of its dim values, one row each: by positions, velocities and
// accelerations (nv), activations and controls. Zero before the call.
typedef struct {
  System* system;
  const mjModel* m;
  mjData* d;
  int id, object, dim, kinks;
  mjtNum *q, *v, *x, *act, *ctrl;
} SensorDerivative;

// Place and motion of frames, and values in the frame of a site or camera.
void frame_sensor(SensorDerivative* s);

// In order: limits; force or torque between a body and its parent; touch; contacts; rangefinder;
// distance between geoms; direction and segment between them.
void limit_sensor(SensorDerivative* s);
void wrench_sensor(SensorDerivative* s);
void touch_sensor(SensorDerivative* s);
void contact_sensor(SensorDerivative* s);
void range_sensor(SensorDerivative* s);
void distance_sensor(SensorDerivative* s);
void nearest_sensor(SensorDerivative* s);

#endif  // CONDYLE_DERIVATIVE_SENSOR_SENSOR_H_
