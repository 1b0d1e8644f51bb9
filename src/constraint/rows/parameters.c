// Diagonal, regularizer, spring and impedance of each constraint's rows.
//                                                        theory/contact/constraints.md, Regularizer

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it would make SIMD and scalar results differ

#include "constraint/rows/parameters.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "constraint/rows/impedance.h"
#include "constraint/rows/makers.h"
#include "constraint/rows/resolve.h"
#include "constraint/rows/restitution.h"
#include "constraint/rows/strain.h"
#include "model/options.h"

static const mjtNum NO_REFERENCE[mjNREF] = {0, 0};

// One conceptual constraint: consecutive rows that share type, id and impedance.
typedef struct {
  int row, nrow;
  int type, id;
  const mjtNum *solref, *solimp, *solreffriction;
  mjtNum pos;        // residual, the argument of the impedance
  mjtNum invweight;  // inverse weight, of a constraint with a single row
} Constraint;

// Reads the constraint's reference and impedance from the arrays of its kind.
static void read_spring(Constraint* c, const mjtNum* solref, const mjtNum* solimp) {
  c->solref = solref + mjNREF * c->id;
  c->solimp = solimp + mjNIMP * c->id;
}

static void source_equality(Constraint* c, const mjModel* m, const mjData* d) {
  read_spring(c, m->eq_solref, m->eq_solimp);
  int type = m->eq_type[c->id];
  c->nrow = type == mjEQ_CONNECT ? 3 : (type == mjEQ_WELD ? 6 : 1);

  // a constraint with several rows has one impedance, by the length of its residual
  if (c->nrow > 1) {
    mjtNum square = 0;
    for (int r = 0; r < c->nrow; r++) {
      square += d->efc_pos[c->row + r] * d->efc_pos[c->row + r];
    }
    c->pos = mju_sqrt(square);
  }
}

static Constraint constraint_at(const mjModel* m, const mjData* d, int row) {
  Constraint c = {.row = row, .nrow = 1, .type = d->efc_type[row], .id = d->efc_id[row]};
  c.pos = d->efc_pos[row];
  c.solreffriction = NO_REFERENCE;
  int id = c.id;
  switch (c.type) {
    case mjCNSTR_EQUALITY:
      source_equality(&c, m, d);
      break;
    case mjCNSTR_FRICTION_DOF:
      read_spring(&c, m->dof_solref, m->dof_solimp);
      c.invweight = m->dof_invweight0[id];
      break;
    case mjCNSTR_LIMIT_JOINT:
      read_spring(&c, m->jnt_solref, m->jnt_solimp);
      c.invweight = m->dof_invweight0[m->jnt_dofadr[id]];
      break;
    case mjCNSTR_FRICTION_TENDON:
      read_spring(&c, m->tendon_solref_fri, m->tendon_solimp_fri);
      c.invweight = m->tendon_invweight0[id];
      break;
    case mjCNSTR_LIMIT_TENDON:
      read_spring(&c, m->tendon_solref_lim, m->tendon_solimp_lim);
      c.invweight = m->tendon_invweight0[id];
      break;
    default: {
      const mjContact* contact = d->contact + id;
      int type;
      c.nrow = contact_rows(&type, m, contact);
      c.solref = contact->solref;
      c.solimp = contact->solimp;
      c.solreffriction = contact->solreffriction;
      break;
    }
  }
  return c;
}

// Sum of |weight| times inverse weight over the bodies of a row.
static mjtNum inverse_weight(const mjModel* m, const RowBodies* of, int rotational) {
  mjtNum sum = 0;
  for (int i = 0; i < of->n; i++) {
    sum += mju_abs(of->weight[i]) * m->body_invweight0[2 * of->body[i] + rotational];
  }
  return sum;
}

static void diagonal_equality(mjtNum* diagonal, const mjModel* m, const Constraint* c) {
  int object1 = m->eq_obj1id[c->id], object2 = m->eq_obj2id[c->id];
  RowBodies of;
  switch (m->eq_type[c->id]) {
    case mjEQ_CONNECT:
    case mjEQ_WELD:
      equality_bodies(&of, m, c->id);
      for (int r = 0; r < c->nrow; r++) {
        diagonal[r] = inverse_weight(m, &of, r >= 3);
      }
      break;
    case mjEQ_JOINT:
      diagonal[0] = m->dof_invweight0[m->jnt_dofadr[object1]];
      if (object2 >= 0) {
        diagonal[0] += m->dof_invweight0[m->jnt_dofadr[object2]];
      }
      break;
    case mjEQ_FLEXSTRAIN:
      diagonal[0] = strain_weight(m, c->id);
      break;
    default:
      diagonal[0] = m->tendon_invweight0[object1];
      if (object2 >= 0) {
        diagonal[0] += m->tendon_invweight0[object2];
      }
      break;
  }
}

static void diagonal_contact(mjtNum* diagonal, const mjModel* m, const mjData* d,
                             const mjContact* contact, const Constraint* c) {
  mjtNum weight[2];
  contact_weight(weight, m, d, contact);
  mjtNum tran = weight[0], rot = weight[1];
  if (c->type == mjCNSTR_CONTACT_PYRAMIDAL) {
    mjtNum mu = contact->friction[0];
    diagonal[0] = tran + mu * mu * tran;
    return;
  }
  for (int r = 0; r < c->nrow; r++) {
    diagonal[r] = r < 3 ? tran : rot;
  }
}

// Approximate diagonal of J M^-1 J' for the rows of one constraint; of a pyramid only the first
// edge, whose R the others share.
//                                             theory/contact/constraints.md, Diagonal approximation
// Also put_contact in lanes/setup/constants.c.
static void diagonal_approximate(mjtNum diagonal[MAXROW], const mjModel* m, const mjData* d,
                                 const Constraint* c) {
  if (c->type == mjCNSTR_EQUALITY) {
    diagonal_equality(diagonal, m, c);
  } else if (c->type >= mjCNSTR_CONTACT_FRICTIONLESS) {
    diagonal_contact(diagonal, m, d, d->contact + c->id, c);
  } else {
    diagonal[0] = c->invweight;
  }
}

// Ties the friction rows of a contact to its first row, so that the cone is round in the metric of
// R; returns the R of its second row:
//
//   R_1 = R_0 / impratio      mu = friction_0 sqrt(R_1 / R_0)
//   elliptic:   R_j = R_1 (friction_0 / friction_{j-1})^2
//   pyramidal:  R = 2 mu^2 R_0, all edges                theory/contact/constraints.md, Regularizer
// Also in lanes/setup/constants.c and derivative/constraint/constraint_gradient.c.
static mjtNum adjust_friction(mjContact* contact, mjtNum R, mjtNum impratio) {
  mjtNum second = impratio == 1 ? R : R / num_max(mjMINVAL, impratio);
  contact->mu = impratio == 1 ? contact->friction[0] : contact->friction[0] * mju_sqrt(second / R);
  return second;
}

static void adjust_elliptic(mjtNum* R, mjContact* contact, const Constraint* c, mjtNum impratio) {
  const mjtNum* friction = contact->friction;
  R[1] = adjust_friction(contact, R[0], impratio);
  for (int j = 1; j < c->nrow - 1; j++) {
    R[j + 1] = R[1] * friction[0] * friction[0] / (friction[j] * friction[j]);
  }
}

// R, D and diagonal of all edges of a pyramid, whose first edge has R[0].
static void put_pyramid(mjData* d, mjContact* contact, const Constraint* c, mjtNum impratio,
                        mjtNum hardness) {
  mjtNum *R = d->efc_R + c->row, *D = d->efc_D + c->row, *diagonal = d->efc_diagApprox + c->row;
  adjust_friction(contact, R[0], impratio);
  mjtNum edge = 2 * contact->mu * contact->mu * R[0], inverse = 1 / edge;
  if (c->nrow == 4) {
    SIMD_AT(Simd4, R) = (Simd4){edge, edge, edge, edge};
    SIMD_AT(Simd4, D) = (Simd4){inverse, inverse, inverse, inverse};
    SIMD_AT(Simd4, diagonal) = (Simd4){0} + edge * hardness;
    return;
  }
  for (int r = 0; r < c->nrow; r++) {
    R[r] = edge;
    D[r] = inverse;
    diagonal[r] = edge * hardness;
  }
}

// Stiffness and damping of the last solref and dmax, cached because most constraints share them.
typedef struct {
  mjtNum solref[mjNREF], dmax;
  mjtNum K, B;
} Spring;

static void spring_select(Spring* spring, const mjModel* m, mjData* d, int row,
                          const mjtNum* solref, const mjtNum* solimp) {
  if (spring->solref[0] == solref[0] && spring->solref[1] == solref[1] &&
      spring->dmax == solimp[1]) {
    return;
  }
  mjtNum ref[mjNREF];
  int mixed = reference_check(ref, m, solref, DEFAULT_REFERENCE);
  if (mixed) {
    mj_warning(d, cndWARN_SOLREF, row);
  }
  spring->K = reference_stiffness(ref, solimp);
  spring->B = reference_damping(ref, solimp);

  // a reference of mixed signs is never cached, so that each use of it is counted
  spring->solref[0] = mixed ? NAN : solref[0];
  spring->solref[1] = solref[1];
  spring->dmax = solimp[1];
}

// Damping of the friction rows of an elliptic contact: from solreffriction, if it is given.
static mjtNum sliding_damping(const mjModel* m, mjData* d, const Constraint* c, mjtNum B) {
  mjtNum sliding[mjNREF];
  if (c->solreffriction[0] == 0 && c->solreffriction[1] == 0) {
    return B;
  }
  if (reference_check(sliding, m, c->solreffriction, NO_REFERENCE)) {
    mj_warning(d, cndWARN_SOLREF, d->contact[c->id].efc_address);
  }
  return sliding[0] != 0 || sliding[1] != 0 ? reference_damping(sliding, c->solimp) : B;
}

// Stiffness, damping, impedance and its derivative. Rows without a position (friction loss,
// friction of an elliptic contact) have no stiffness.
static void fill_KBIP(mjtNum* KBIP, const mjModel* m, mjData* d, const Constraint* c,
                      const Spring* spring, mjtNum strength, mjtNum slope) {
  int frictionloss = c->type == mjCNSTR_FRICTION_DOF || c->type == mjCNSTR_FRICTION_TENDON;
  mjtNum K = frictionloss ? 0 : spring->K, B = spring->B;
  SIMD_AT(Simd4, KBIP) = (Simd4){K, B, strength, slope};
  if (c->type == mjCNSTR_CONTACT_ELLIPTIC) {
    K = 0;
    B = sliding_damping(m, d, c, B);
  }
  const Simd4 rest = {K, B, strength, slope};
  for (int r = 1; r < c->nrow; r++) {
    SIMD_AT(Simd4, KBIP + 4 * r) = rest;
  }
}

// D, R and diagonal, as in rows_parameters, of n rows with a diagonal; R holds their impedances on
// entry.
KERNEL static void fill_regularizers(mjtNum* restrict R, mjtNum* restrict D,
                                     mjtNum* restrict diagonal, int n) {
  for (int i = 0; i < n; i++) {
    mjtNum strength = R[i], r = num_max(mjMINVAL, (1 - strength) / strength * diagonal[i]);
    R[i] = r;
    D[i] = 1 / r;
    diagonal[i] = r * (strength / (1 - strength));
  }
}

// Computes the parameters of a flex equality's rows from a given row on. Returns the number of
// rows.
static int edges_parameters(const mjModel* m, mjData* d, const mjtNum* exact, int row,
                            Spring* spring) {
  int n = 0, equality = d->efc_id[row];
  mjtNum *strength = d->efc_R + row, *slope = d->efc_D + row;
  const mjtNum* solimp = m->eq_solimp + mjNIMP * equality;
  for (int e = m->flex_edgeadr[m->eq_obj1id[equality]];
       row + n < d->ne && d->efc_id[row + n] == equality; e++) {
    if (!m->flexedge_rigid[e]) {
      d->efc_diagApprox[row + n] = exact ? exact[row + n] : m->flexedge_invweight0[e];
      n++;
    }
  }
  impedances(strength, slope, solimp, d->efc_pos + row, n);
  for (int i = 0; i < n; i++) {
    spring_select(spring, m, d, row + i, m->eq_solref + mjNREF * equality, solimp);
    SIMD_AT(Simd4, d->efc_KBIP + 4 * (size_t)(row + i)) =
        (Simd4){spring->K, spring->B, strength[i], slope[i]};
  }
  fill_regularizers(d->efc_R + row, d->efc_D + row, d->efc_diagApprox + row, n);
  return n;
}

// R = (1 - d) / d A_ii, D = 1 / R
// Also lane_row_stiffness in lanes/laws/law.h and row_sigma in derivative/constraint/row_law.c.
void rows_parameters_of(const mjModel* m, mjData* d, const mjtNum* exact, int begin, int end) {
  Spring spring = {.dmax = NAN};
  for (int row = begin; row < end;) {
    if (d->efc_type[row] == mjCNSTR_EQUALITY && m->eq_type[d->efc_id[row]] == mjEQ_FLEX) {
      row += edges_parameters(m, d, exact, row, &spring);
      continue;
    }
    Constraint c = constraint_at(m, d, row);
    mjtNum strength, slope, *R = d->efc_R + row, *diagonal = d->efc_diagApprox + row;
    impedance(&strength, &slope, c.solimp, c.pos - d->efc_margin[row]);
    if (c.type >= mjCNSTR_CONTACT_FRICTIONLESS && restitution_is_soft(m, d->contact + c.id)) {
      strength = (mjtNum)mjMAXIMP;
      slope = 0;
    }
    spring_select(&spring, m, d, row, c.solref, c.solimp);
    fill_KBIP(d->efc_KBIP + 4 * row, m, d, &c, &spring, strength, slope);

    // R = (1-d)/d diagonal, efc_diagApprox such that this holds after all adjustments
    if (exact) {
      mju_copy(diagonal, exact + row, c.nrow);
    } else {
      diagonal_approximate(diagonal, m, d, &c);
    }
    mjtNum softness = (1 - strength) / strength, hardness = strength / (1 - strength);
    if (c.type == mjCNSTR_CONTACT_PYRAMIDAL) {
      R[0] = num_max(mjMINVAL, softness * diagonal[0]);
      put_pyramid(d, d->contact + c.id, &c, m->opt.impratio, hardness);
      row += c.nrow;
      continue;
    }
    for (int r = 0; r < c.nrow; r++) {
      R[r] = num_max(mjMINVAL, softness * diagonal[r]);
    }
    if (c.type == mjCNSTR_CONTACT_ELLIPTIC) {
      adjust_elliptic(R, d->contact + c.id, &c, m->opt.impratio);
    }
    for (int r = 0; r < c.nrow; r++) {
      d->efc_D[row + r] = 1 / R[r];
      diagonal[r] = R[r] * hardness;
    }
    row += c.nrow;
  }
  if (options_is_discrete(m)) {
    rows_resolve(m, d);
  }
}

void rows_parameters(const mjModel* m, mjData* d, const mjtNum* exact) {
  rows_parameters_of(m, d, exact, 0, d->nefc);
}
