// eig3.h: principal axes of a symmetric 3x3 matrix as a rotation.

#pragma once

// Eigenvalues of the row-major matrix a in decreasing order, and the quaternion of its principal
// axes: a = R(quat) diag(eigenvalue) R(quat)'. Off-diagonal elements below `negligible` count as 0.
// Eigenvalues that differ by less than that keep their order. Returns the number of
// Jacobi rotations.
int eig3(double eigenvalue[3], double quat[4], const double a[9], double negligible);
