// tendon_path.h: spatial tendons, strings through sites, around geoms and over pulleys.
//
//   site ---- site ---(geom)--- site    pulley(2)    site ---- site
//
// The length of what follows a pulley counts 1 / divisor, until the next one.
//
// Only the straight pieces between two bodies matter for the gradient: an arc on a geom
// moves with it, and the string leaves it along a tangent, so the points where it touches
// count as fixed to the geom.                                        theory/tendons.md, Moment arms

#ifndef CONDYLE_SMOOTH_TENDON_PATH_H_
#define CONDYLE_SMOOTH_TENDON_PATH_H_

#include <mujoco/mjdata.h>

// What is built along the path. The row of J is either nv numbers (colind NULL, zero at first) or
// packed, with ascending columns.
typedef struct {
  mjtNum length;
  mjtNum* val;
  int* colind;
  int nnz;     // columns of a packed row so far
  int npoint;  // points for drawing so far, those of earlier tendons included
} TendonPath;

// Follows a tendon, adds to the path what it has passed, and writes its points to
// d->wrap_xpos, d->wrap_obj.
void path_follow(TendonPath* path, const mjModel* m, mjData* d, int tendon);

// (d/dt J) qvel: how fast the tendon's velocity changes at zero qacc. Only for
// tendons that wrap no geoms.
mjtNum path_acceleration(const mjModel* m, const mjData* d, int tendon);

#endif  // CONDYLE_SMOOTH_TENDON_PATH_H_
