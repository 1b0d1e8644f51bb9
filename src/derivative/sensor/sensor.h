// sensor.h: derivatives of single sensors.

#ifndef CONDYLE_DERIVATIVE_SENSOR_SENSOR_H_
#define CONDYLE_DERIVATIVE_SENSOR_SENSOR_H_

#include "derivative/system.h"

// A sensor, and what its numbers change by, dim rows each: with positions, velocities,
// accelerations (nv), activations and controls. All zero at first.
typedef struct {
  System* system;
  const mjModel* m;
  mjData* d;
  int id, object, dim, kinks;
  mjtNum *q, *v, *x, *act, *ctrl;
} SensorDerivative;

// Of frames, and of what is measured in the frame of a site or a camera.
void frame_sensor(SensorDerivative* s);

// Of limits; of the force or the torque between a body and its parent; of touch; of chosen
// contacts; of a distance along a ray, and between geoms; of the direction and the segment between
// these.
void limit_sensor(SensorDerivative* s);
void wrench_sensor(SensorDerivative* s);
void touch_sensor(SensorDerivative* s);
void contact_sensor(SensorDerivative* s);
void range_sensor(SensorDerivative* s);
void distance_sensor(SensorDerivative* s);
void nearest_sensor(SensorDerivative* s);

#endif  // CONDYLE_DERIVATIVE_SENSOR_SENSOR_H_
