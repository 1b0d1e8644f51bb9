// contact_wrench.h: wrenches of the rows of a contact, in whole vectors of rows.
//                                                       theory/contact/constraints.md, Contact rows

#pragma once

#include <mujoco/mjdata.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "constraint/rows/bodies.h"

// The directions of a contact are c_0 = normal force, c_1, c_2 = tangential forces,
// c_3..c_5 = torques about the same axes, phi_k = friction[k - 1] their coefficients. Its rows:
//
//   frictionless   c_0
//   elliptic       c_0 .. c_{dim-1}
//   pyramidal      c_0 + phi_k c_k, c_0 - phi_k c_k   for k = 1..dim-1
//
// dim and pyramidal are constants where this is inlined.
// Also in lanes/rows/grounded.h and lanes/rows/contacts.h.
INLINE void wrenches_of(BodyWrench w, const mjContact* contact, const mjtNum arm[3], int dim,
                        int pyramidal) {
  mjtNum c[8][6] = {{0}}, phi[6] = {0};
  for (int k = 0; k < dim; k++) {
    if (k < 3) {
      v3_cross(c[k], arm, contact->frame + 3 * k);
      v3_copy(c[k] + 3, contact->frame + 3 * k);
    } else {
      v3_copy(c[k], contact->frame + 3 * (k - 3));
    }
  }
  for (int k = 0; k < dim - 1; k++) {
    phi[k] = contact->friction[k];
  }
  for (int i = 0; i < 6; i++) {
    for (int v = 0; pyramidal && 4 * v < 2 * (dim - 1); v++) {
      int k = 2 * v + 1;
      const Simd4 slide = {c[k][i], c[k][i], c[k + 1][i], c[k + 1][i]};
      const Simd4 edge = {phi[k - 1], -phi[k - 1], phi[k], -phi[k]};
      SIMD_AT(Simd4, w[i] + 4 * v) = c[0][i] + edge * slide;
    }
    for (int v = 0; !pyramidal && v < dim; v += 4) {
      SIMD_AT(Simd4, w[i] + v) = (Simd4){c[v][i], c[v + 1][i], c[v + 2][i], c[v + 3][i]};
    }
  }
}

// Calls f(..., dim, pyramidal) with constants for the dimensions that models have.
#define WITH_CONE_AND_DIM(type, dim, f, ...)                      \
  switch ((type) == mjCNSTR_CONTACT_PYRAMIDAL ? -(dim) : (dim)) { \
    case -3:                                                      \
      f(__VA_ARGS__, 3, 1);                                       \
      break;                                                      \
    case -4:                                                      \
      f(__VA_ARGS__, 4, 1);                                       \
      break;                                                      \
    case -6:                                                      \
      f(__VA_ARGS__, 6, 1);                                       \
      break;                                                      \
    case 3:                                                       \
      f(__VA_ARGS__, 3, 0);                                       \
      break;                                                      \
    case 4:                                                       \
      f(__VA_ARGS__, 4, 0);                                       \
      break;                                                      \
    case 6:                                                       \
      f(__VA_ARGS__, 6, 0);                                       \
      break;                                                      \
    case 1:                                                       \
      f(__VA_ARGS__, 1, 0);                                       \
      break;                                                      \
    default:                                                      \
      f(__VA_ARGS__, dim, (type) == mjCNSTR_CONTACT_PYRAMIDAL);   \
      break;                                                      \
  }
