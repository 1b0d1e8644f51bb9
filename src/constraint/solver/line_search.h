// line_search.h: the exact minimum of the cost along a ray.
//
// phi(alpha) = cost(a + alpha s) is convex, once differentiable and piecewise quadratic (but for
// the middle zone of cones), so Newton steps on phi' find its root in a few evaluations; a bracket
// makes sure. Each evaluation costs one pass over the rows and none over the dofs.
//                                                                              spec 06, section 4.4

#ifndef CONDYLE_CONSTRAINT_SOLVER_LINE_SEARCH_H_
#define CONDYLE_CONSTRAINT_SOLVER_LINE_SEARCH_H_

#include "constraint/solver/problem.h"

// Rows along the ray, prepared once per solve.
typedef struct {
  const Rows* rows;
  const mjtNum* jar;  // SIMD_PADDED(nefc)
  mjtNum* Jv;         // SIMD_PADDED(nefc), zeros at the end
  mjtNum* D_free;     // D of rows that are quadratic below zero, else 0; SIMD_PADDED(nefc), zeros
  int first_free;     // those begin in the vector at this multiple of SIMD_N
  int* cone;          // first rows of elliptic contacts
  int ncone;
} Ray;

typedef struct {
  mjtNum alpha;
  mjtNum slope;  // |phi'| at alpha
  int neval;
} RayResult;

// Memory for Jv, D_free and cone is on the stack of d.
Ray ray_make(mjData* d, const Rows* rows, const mjtNum* jar);

// Minimum along a ray with ray->Jv = J s. gauss holds the coefficients of the Gauss term, g0 + g1
// alpha + g2 alpha^2; stop where |phi'| < gtol, after at most `limit` evaluations. alpha = 0: no
// progress is possible.
RayResult ray_minimum(const Ray* ray, const mjtNum gauss[3], mjtNum gtol, int limit);

#endif  // CONDYLE_CONSTRAINT_SOLVER_LINE_SEARCH_H_
