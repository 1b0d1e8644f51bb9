// sense.h: derivatives of single sensors.

#ifndef CONDYLE_DERIVATIVE_SENSE_H_
#define CONDYLE_DERIVATIVE_SENSE_H_

#include "derivative/system.h"

// A sensor, and what its numbers change by, dim rows each: with positions, velocities,
// accelerations (nv), activations and controls. All zero at first.
typedef struct {
  System* system;
  const mjModel* m;
  mjData* d;
  int id, object, dim, kinks;
  mjtNum *q, *v, *x, *act, *ctrl;
} Sense;

// Of frames, and of what is measured in the frame of a site or a camera.
void frame_derivative(Sense* s);

// Of limits; of the force or the torque between a body and its parent; of touch; of chosen
// contacts; of a distance along a ray, and between geoms; of the direction and the segment between
// these.
void sense_limit(Sense* s);
void sense_wrench(Sense* s);
void sense_touch(Sense* s);
void sense_contacts(Sense* s);
void sense_range(Sense* s);
void sense_distance(Sense* s);
void sense_nearest(Sense* s);

#endif  // CONDYLE_DERIVATIVE_SENSE_H_
