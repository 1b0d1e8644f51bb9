// eig3.h: principal axes of a symmetric 3x3 matrix as a rotation.

#pragma once

// When the iteration ends.
typedef struct Eig3Ends_ {
  double negligible;  // off-diagonal elements below this count as 0
  double equal;       // eigenvalues that differ by less keep their order
  double least_turn;  // a rotation with a smaller 1 - cos ends the iteration
} Eig3Ends;

// Eigenvalues of the row-major matrix a in decreasing order, and the quaternion of its principal
// axes: a = R(quat) diag(eigenvalue) R(quat)'. Returns the number of Jacobi rotations.
int eig3(double eigenvalue[3], double quat[4], const double a[9], const Eig3Ends* ends);

// The ends of 3.3.7: turns below 1e-6 are lost.
static inline Eig3Ends eig3_ends(double negligible) {
  return (Eig3Ends){negligible, negligible, 1e-12};
}

// The ends of 4.0: parts of the largest element. Turns are as small as need be.
Eig3Ends eig3_relative(const double a[9], double negligible, double equal);
