// inertia.h: mass distribution of bodies put together from pieces.
//
// A symmetric 3x3 inertia is six numbers (xx, yy, zz, xy, xz, yz). Its principal frame is not
// unique (signs, order, equal eigenvalues), but body_iquat affects the results. So the algorithm of
// inertia_eigen3 is part of the format: a Jacobi iteration on a quaternion, then a sort in
// decreasing order.
//                                                            theory/model/shapes.md, Principal axes

#pragma once

#include <mujoco/mjmodel.h>

// Smaller masses, sizes and eigenvalues count as 0.
#define COMPILE_EPS 1e-14

// Adds to full what a piece (principal inertias in the frame quat, mass, centre at offset)
// contributes about the origin.
void inertia_accumulate(double full[6], double mass, const double offset[3], const double quat[4],
                        const double inertia[3]);

// How exact principal axes are: by the rule of 3.3.7, or by the later one for bodies or meshes.
typedef enum InertiaAxes_ {
  INERTIA_EARLY,
  INERTIA_BODY,
  INERTIA_MESH
} InertiaAxes;

// Eigenvalues of a symmetric matrix in decreasing order, and the frame of its eigenvectors.
void inertia_eigen3(double eigenvalue[3], double quat[4], const double full[6], InertiaAxes axes);
