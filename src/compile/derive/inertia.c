// inertia.c: sums of the inertias of geoms, and principal axes of the sum.
//                                                            theory/model/shapes.md, Principal axes

#include "compile/derive/inertia.h"

#include <math.h>

#include "base/algebra/eig3.h"
#include "base/algebra/pose.h"

// R diag(I) R' + m (d'd 1 - d d')
void inertia_accumulate(double full[6], double mass, const double offset[3], const double quat[4],
                        const double inertia[3]) {
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double r[9];
  pose_matrix(r, quat);
  double dd = offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2];
  for (int k = 0; k < 6; k++) {
    const double *a = r + 3 * row[k], *b = r + 3 * column[k];
    full[k] += a[0] * inertia[0] * b[0] + a[1] * inertia[1] * b[1] + a[2] * inertia[2] * b[2];
    full[k] += mass * ((k < 3 ? dd : 0) - offset[row[k]] * offset[column[k]]);
  }
}

// By the rule of 3.3.7 off-diagonal elements below an absolute 1e-12 are taken as zero, however
// small the matrix; in single precision the threshold is at least 1e-6 of the trace, its rounding
// error. By the later one it is a part of the largest element, small for bodies, and for meshes the
// rounding error of their vertices.
static Eig3Ends ends_of(const double a[9], InertiaAxes axes) {
  const double eps = 1e-12, trace = a[0] + a[4] + a[8];
  int is_double = sizeof(mjtNum) == sizeof(double);
  if (axes == INERTIA_EARLY || !is_double) {
    return eig3_ends(is_double ? eps : fmax(eps, 1e-6 * trace));
  }
  return axes == INERTIA_BODY ? eig3_relative(a, 4e-15, 1e-12) : eig3_relative(a, 1e-7, 1e-7);
}

// Principal moments and axes of an inertia matrix.
void inertia_eigen3(double eigenvalue[3], double quat[4], const double full[6], InertiaAxes axes) {
  const double a[9] = {full[0], full[3], full[4], full[3], full[1],
                       full[5], full[4], full[5], full[2]};
  Eig3Ends ends = ends_of(a, axes);
  eig3(eigenvalue, quat, a, &ends);
}
