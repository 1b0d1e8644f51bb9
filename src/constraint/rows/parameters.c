// Diagonal, regularizer, spring and impedance of each constraint's rows.
//                                                        theory/contact/constraints.md, Regularizer

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it would make SIMD and scalar results differ

#include "constraint/rows/parameters.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "constraint/rows/contact_parameters.h"
#include "constraint/rows/impedance.h"
#include "constraint/rows/makers.h"
#include "constraint/rows/resolve.h"
#include "constraint/rows/strain.h"
#include "model/options.h"

// One conceptual constraint but a contact: consecutive rows that share type, id and impedance.
typedef struct {
  int row, nrow;
  int type, id;
  const mjtNum *solref, *solimp;
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
    default:
      read_spring(&c, m->tendon_solref_lim, m->tendon_solimp_lim);
      c.invweight = m->tendon_invweight0[id];
      break;
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

// Approximate diagonal of J M^-1 J' for the rows of one constraint.
//                                             theory/contact/constraints.md, Diagonal approximation
// Also put_frames and put_polynomial in lanes/setup/constants.c.
static void diagonal_approximate(mjtNum diagonal[MAXROW], const mjModel* m, const Constraint* c) {
  if (c->type == mjCNSTR_EQUALITY) {
    diagonal_equality(diagonal, m, c);
  } else {
    diagonal[0] = c->invweight;
  }
}

// Stiffness, damping, impedance and its derivative. Friction loss has no position, so no stiffness.
static void fill_KBIP(mjtNum* KBIP, const Constraint* c, const SpringCache* spring, mjtNum strength,
                      mjtNum slope) {
  int frictionloss = c->type == mjCNSTR_FRICTION_DOF || c->type == mjCNSTR_FRICTION_TENDON;
  for (int r = 0; r < c->nrow; r++) {
    SIMD_AT(Simd4, KBIP + 4 * r) =
        (Simd4){frictionloss ? 0 : spring->K, spring->B, strength, slope};
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
                            SpringCache* spring) {
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

// Those of a constraint that is neither a contact nor of a flex. Returns the number of its rows.
static int constraint_parameters(const mjModel* m, mjData* d, const mjtNum* exact, int row,
                                 SpringCache* spring) {
  Constraint c = constraint_at(m, d, row);
  mjtNum strength, slope, *R = d->efc_R + row, *diagonal = d->efc_diagApprox + row;
  impedance(&strength, &slope, c.solimp, c.pos - d->efc_margin[row]);
  spring_select(spring, m, d, row, c.solref, c.solimp);
  fill_KBIP(d->efc_KBIP + 4 * row, &c, spring, strength, slope);

  // R = (1-d)/d diagonal, efc_diagApprox such that this holds after all adjustments
  if (exact) {
    mju_copy(diagonal, exact + row, c.nrow);
  } else {
    diagonal_approximate(diagonal, m, &c);
  }
  mjtNum softness = (1 - strength) / strength, hardness = strength / (1 - strength);
  for (int r = 0; r < c.nrow; r++) {
    R[r] = num_max(mjMINVAL, softness * diagonal[r]);
    d->efc_D[row + r] = 1 / R[r];
    diagonal[r] = R[r] * hardness;
  }
  return c.nrow;
}

static int row_parameters(const mjModel* m, mjData* d, const mjtNum* exact, int row,
                          SpringCache* spring) {
  int type = d->efc_type[row], id = d->efc_id[row];
  if (type >= mjCNSTR_CONTACT_FRICTIONLESS) {
    contact_parameters(m, d, d->contact + id, 1, row, exact, spring);
    return contact_rows(&type, m, d->contact + id);
  }
  if (type == mjCNSTR_EQUALITY && m->eq_type[id] == mjEQ_FLEX) {
    return edges_parameters(m, d, exact, row, spring);
  }
  return constraint_parameters(m, d, exact, row, spring);
}

// R = (1 - d) / d A_ii, D = 1 / R
// Also lane_row_stiffness in lanes/laws/law.h and row_sigma in derivative/constraint/row_law.c.
void rows_parameters_of(const mjModel* m, mjData* d, const mjtNum* exact, int begin, int end) {
  SpringCache spring = NO_SPRING;
  for (int row = begin; row < end;) {
    row += row_parameters(m, d, exact, row, &spring);
  }
  if (options_is_discrete(m)) {
    rows_resolve(m, d);
  }
}

void rows_parameters(const mjModel* m, mjData* d, const mjtNum* exact) {
  rows_parameters_of(m, d, exact, 0, d->nefc);
}
