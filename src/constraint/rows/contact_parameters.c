// Regularizer, spring and impedance of the rows of contacts, those of the same two geoms together.
//                                                        theory/contact/constraints.md, Regularizer

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it would make SIMD and scalar results differ

#include "constraint/rows/contact_parameters.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stddef.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "constraint/rows/impedance.h"
#include "constraint/rows/makers.h"
#include "constraint/rows/restitution.h"

enum {
  AT_ONCE = 8,  // contacts whose impedances are computed together

  // numbers from includemargin to surfacevel, which lie before mu
  PARAMETERS = (offsetof(mjContact, mu) - offsetof(mjContact, includemargin)) / sizeof(mjtNum)
};

// What contacts of the same two geoms share.
typedef struct SharedParameters {
  int type, nrow;
  mjtNum K, B, sliding;  // sliding: damping of the friction rows of an elliptic contact
  mjtNum tran, rot;      // inverse weights
  int soft;              // its restitution, not its impedance, says how it bounces
  int warns;             // of a reference of mixed signs, each contact for itself
} SharedParameters;

KERNEL
int contact_same_parameters(const mjContact* a, const mjContact* b) {
  const mjtNum *x = &a->includemargin, *y = &b->includemargin;
  Simd4Mask differs = {0};
  for (int i = 0; i < PARAMETERS; i += 4) {
    int at = int_min(i, PARAMETERS - 4);  // the last vector overlaps
    differs |= SIMD_READ(Simd4Mask, x + at) ^ SIMD_READ(Simd4Mask, y + at);
  }
  return !(differs[0] | differs[1] | differs[2] | differs[3]) && contact_same_geoms(a, b);
}

// Damping of the friction rows of an elliptic contact: from solreffriction, if it is given.
static void find_sliding(SharedParameters* shared, const mjModel* m, mjData* d,
                         const mjContact* contact) {
  const mjtNum none[mjNREF] = {0, 0}, *given = contact->solreffriction;
  mjtNum sliding[mjNREF];
  if (given[0] == 0 && given[1] == 0) {
    return;
  }
  if (reference_check(sliding, m, given, none)) {
    mj_warning(d, cndWARN_SOLREF, contact->efc_address);
    shared->warns = 1;
  }
  if (sliding[0] != 0 || sliding[1] != 0) {
    shared->sliding = reference_damping(sliding, contact->solimp);
  }
}

static void find_shared_parameters(SharedParameters* shared, const mjModel* m, mjData* d,
                                   const mjContact* contact, int row, SpringCache* spring) {
  mjtNum weight[2];
  shared->nrow = contact_rows(&shared->type, m, contact);
  spring_select(spring, m, d, row, contact->solref, contact->solimp);
  shared->K = spring->K;
  shared->B = shared->sliding = spring->B;
  shared->warns = isnan(spring->solref[0]);
  if (shared->type == mjCNSTR_CONTACT_ELLIPTIC) {
    find_sliding(shared, m, d, contact);
  }
  contact_weight(weight, m, d, contact);
  shared->tran = weight[0];
  shared->rot = weight[1];
  shared->soft = restitution_is_soft(m, contact);
}

// Ties the friction rows of a contact to its first row, so that the cone is round in the metric of
// R; returns the R of its second row:
//
//   R_1 = R_0 / impratio      mu = friction_0 sqrt(R_1 / R_0)
//   elliptic:   R_j = R_1 (friction_0 / friction_{j-1})^2
//   pyramidal:  R = 2 mu^2 R_0, all edges                theory/contact/constraints.md, Regularizer
// Also in lanes/setup/constants.c and derivative/constraint/constraint_gradient.c.
INLINE mjtNum adjust_friction(mjContact* contact, mjtNum R, mjtNum impratio) {
  mjtNum second = impratio == 1 ? R : R / num_max(mjMINVAL, impratio);
  contact->mu = impratio == 1 ? contact->friction[0] : contact->friction[0] * mju_sqrt(second / R);
  return second;
}

// Approximate diagonal of J M^-1 J' for a row; of a pyramid that of its first edge.
//                                             theory/contact/constraints.md, Diagonal approximation
// Also put_contact in lanes/setup/constants.c.
INLINE mjtNum diagonal_of(const SharedParameters* shared, const mjContact* contact, int r) {
  if (shared->type == mjCNSTR_CONTACT_PYRAMIDAL) {
    mjtNum mu = contact->friction[0];
    return shared->tran + mu * mu * shared->tran;
  }
  return r < 3 ? shared->tran : shared->rot;
}

// R, D and diagonal of all edges of a pyramid, by the diagonal of the first.
INLINE void put_pyramid(mjData* d, mjContact* contact, int row, int nrow, mjtNum first,
                        mjtNum strength, mjtNum impratio) {
  mjtNum *R = d->efc_R + row, *D = d->efc_D + row, *diagonal = d->efc_diagApprox + row;
  mjtNum softness = (1 - strength) / strength, hardness = strength / (1 - strength);
  mjtNum normal = num_max(mjMINVAL, softness * first);
  adjust_friction(contact, normal, impratio);
  mjtNum edge = 2 * contact->mu * contact->mu * normal, inverse = 1 / edge;
  if (nrow == 4) {
    SIMD_AT(Simd4, R) = (Simd4){edge, edge, edge, edge};
    SIMD_AT(Simd4, D) = (Simd4){inverse, inverse, inverse, inverse};
    SIMD_AT(Simd4, diagonal) = (Simd4){0} + edge * hardness;
    return;
  }
  for (int r = 0; r < nrow; r++) {
    R[r] = edge;
    D[r] = inverse;
    diagonal[r] = edge * hardness;
  }
}

// R, D and diagonal of the rows of an elliptic cone or without friction. The diagonal holds that of
// J M^-1 J' on entry, afterwards what R follows from by the impedance.
INLINE void put_cone(mjData* d, mjContact* contact, int row, int nrow, mjtNum strength,
                     mjtNum impratio) {
  mjtNum *R = d->efc_R + row, *diagonal = d->efc_diagApprox + row;
  const mjtNum* friction = contact->friction;
  mjtNum softness = (1 - strength) / strength, hardness = strength / (1 - strength);
  for (int r = 0; r < nrow; r++) {
    R[r] = num_max(mjMINVAL, softness * diagonal[r]);
  }
  if (nrow > 1) {
    R[1] = adjust_friction(contact, R[0], impratio);
  }
  for (int j = 1; j < nrow - 1; j++) {
    R[j + 1] = R[1] * friction[0] * friction[0] / (friction[j] * friction[j]);
  }
  for (int r = 0; r < nrow; r++) {
    d->efc_D[row + r] = 1 / R[r];
    diagonal[r] = R[r] * hardness;
  }
}

// Stiffness, damping, impedance and its derivative of the rows of a contact. The friction rows of
// an elliptic one have no position, so no stiffness.
INLINE void put_KBIP(mjtNum* KBIP, const SharedParameters* shared, mjtNum strength, mjtNum slope) {
  int elliptic = shared->type == mjCNSTR_CONTACT_ELLIPTIC;
  const Simd4 rest = {elliptic ? 0 : shared->K, shared->sliding, strength, slope};
  SIMD_AT(Simd4, KBIP) = (Simd4){shared->K, shared->B, strength, slope};
  if (shared->nrow == 4) {
    SIMD_AT(Simd4, KBIP + 4) = SIMD_AT(Simd4, KBIP + 8) = SIMD_AT(Simd4, KBIP + 12) = rest;
    return;
  }
  for (int r = 1; r < shared->nrow; r++) {
    SIMD_AT(Simd4, KBIP + 4 * r) = rest;
  }
}

// All parameters of the rows of one contact by its impedance.
INLINE void put_one(const mjModel* m, mjData* d, const SharedParameters* shared, mjContact* contact,
                    int row, const mjtNum* exact, mjtNum strength, mjtNum slope) {
  mjtNum impratio = m->opt.impratio;
  put_KBIP(d->efc_KBIP + 4 * (size_t)row, shared, strength, slope);
  if (shared->type == mjCNSTR_CONTACT_PYRAMIDAL) {
    mjtNum first = exact ? exact[row] : diagonal_of(shared, contact, 0);
    put_pyramid(d, contact, row, shared->nrow, first, strength, impratio);
    return;
  }
  for (int r = 0; r < shared->nrow; r++) {
    d->efc_diagApprox[row + r] = exact ? exact[row + r] : diagonal_of(shared, contact, r);
  }
  put_cone(d, contact, row, shared->nrow, strength, impratio);
}

// Parameters of the rows of at most AT_ONCE contacts.
static KERNEL void put_some(const mjModel* m, mjData* d, const SharedParameters* shared,
                            mjContact* contact, int n, int row, const mjtNum* exact) {
  mjtNum violation[AT_ONCE], strength[AT_ONCE], slope[AT_ONCE];
  violation[0] = contact->dist - contact->includemargin;  // there is one at least
  for (int i = 1; i < n; i++) {
    violation[i] = contact[i].dist - contact[i].includemargin;
  }
  if (n == 1) {
    impedance(strength, slope, contact->solimp, *violation);
  } else {
    impedances(strength, slope, contact->solimp, violation, n);
  }
  for (int i = 0; i < n; i++, row += shared->nrow) {
    mjtNum own = shared->soft ? (mjtNum)mjMAXIMP : strength[i];
    put_one(m, d, shared, contact + i, row, exact, own, shared->soft ? 0 : slope[i]);
  }
}

// R = (1 - d) / d A_ii, D = 1 / R
// Also lane_row_stiffness in lanes/laws/law.h and row_sigma in derivative/constraint/row_law.c.
void contact_parameters(const mjModel* m, mjData* d, mjContact* contact, int n, int row,
                        const mjtNum* exact, SpringCache* spring) {
  SharedParameters shared;
  find_shared_parameters(&shared, m, d, contact, row, spring);
  for (int i = 1; i < n && shared.warns; i++) {  // only to warn again
    find_shared_parameters(&shared, m, d, contact + i, row + i * shared.nrow, spring);
  }
  for (int i = 0; i < n; i += AT_ONCE) {
    put_some(m, d, &shared, contact + i, int_min(AT_ONCE, n - i), row + i * shared.nrow, exact);
  }
}
