// tendon_path.h: spatial tendons, strings through sites, around geoms and over pulleys.
//
//   site ---- site ---(geom)--- site    pulley(2)    site ---- site
//
// Behind a pulley lengths count 1 / divisor, until the next pulley.
//
// Only the straight pieces between two bodies matter for the gradient. An arc on a geom moves with
// the geom, and the string leaves it along a tangent, so the tangent points count as fixed to the
// geom.                                                       theory/smooth/tendons.md, Moment arms

#pragma once

#include <mujoco/mjdata.h>

// What d->wrap_obj has of points on no geom.
enum {
  PATH_SITE = -1,
  PATH_PULLEY = -2  // a break between branches, at the origin
};

// The results along the path. The row of J is either nv numbers (colind NULL, zero at first) or
// packed, with ascending columns.
typedef struct {
  mjtNum length;
  mjtNum* val;
  int* colind;
  int nnz;     // columns of a packed row so far
  int npoint;  // points for drawing so far, those of earlier tendons included
} TendonPath;

// Adds the length and gradient of a tendon to the path, and writes its points to d->wrap_xpos and
// d->wrap_obj.
void path_follow(TendonPath* path, const mjModel* m, mjData* d, int tendon);

// (d/dt J) qvel: the acceleration of the tendon's length at zero qacc. Only for tendons that wrap
// no geoms.
mjtNum path_acceleration(const mjModel* m, const mjData* d, int tendon);
