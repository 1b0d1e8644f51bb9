// cone.h: the forces of one contact, the rest of the world being what it is.
//
// With q the velocity that the contact would have without force and K its own block of the matrix,
// find f
//
//   w = K f + q,   f in the cone |f_t| <= f_n,   w_n >= 0, w_n f_n = 0,   f_t against w_t
//
// There are three cases. It separates (q_n >= 0): f = 0. It sticks: K f = -q, if that is in the
// cone. Or it slides: w_n = 0 and w_t = -s f_t for some s > 0, so (K + s E_t) f = -q, E_t the
// identity on the tangents. For every s that matrix is positive definite, so f(s) is defined, and
// as s grows friction fades and what remains is the frictionless force: one equation in one number,
// |f_t(s)| = f_n(s), has a root, whatever the number of friction directions.
//                                                      theory/contact/hard-contacts.md, One contact

#pragma once

#include <mujoco/mjtnum.h>

enum {
  CONE_MAX = 5  // friction directions
};

// A block in a form in which f(s) costs little: S = K_tt - K_tn K_nt / K_nn = V diag(lambda) V'.
typedef struct Cone_ {
  int nt;  // friction directions
  mjtNum knn;
  mjtNum knt[CONE_MAX];  // column of K_tn
  mjtNum lambda[CONE_MAX];
  mjtNum V[CONE_MAX][CONE_MAX];  // V[i] is the eigenvector of lambda[i]
  mjtNum knt_V[CONE_MAX];        // V' K_tn
  mjtNum s;                      // root of the last time, where the next search starts; 0: none
} Cone;

// Prepares a symmetric block K of dimension dim = 1 + nt, entry (r, c) at K[r * dim + c].
void cone_make(Cone* cone, const mjtNum* K, int dim);

// f (1 + nt) for q (1 + nt).
void cone_solve(mjtNum* f, Cone* cone, const mjtNum* q);

// The nearest point of the cone |f_t| <= f_n, in place.
void cone_project(mjtNum* f, int dim);
