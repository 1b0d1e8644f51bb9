// thread.h: the thread, cone and head of bolts and nuts.

#pragma once

#include <mujoco/mjtnum.h>

// Distances of a point to the parts of a screw about z with the given radius.
typedef struct Screw_ {
  mjtNum thread;  // an infinite threaded rod
  mjtNum cone;    // the cone that cuts its end
  mjtNum head;    // a hexagonal head
} Screw;

// sqrt(1/2): thread and cone are slanted by 45 degrees
#define SCREW_SLANT ((mjtNum)0.70710678118654752440)

Screw screw_distances(const mjtNum point[3], mjtNum radius);

// The box in which a bolt or nut is meshed, whatever its radius: larger ones are cut off.
void screw_box(mjtNum aabb[6], const mjtNum* param);

const char* screw_check(const mjtNum* param);
