// Walks over the rows of d and passes each constraint to its kind: connect_weld, scalar_row or
// contact. There is one walk each for Jacobians, scalars, watched wrenches and the sum of normal
// forces.

#include "derivative/constraint/constraint.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "derivative/constraint/connect_weld.h"
#include "derivative/constraint/contact.h"
#include "derivative/constraint/row_law.h"
#include "derivative/constraint/scalar_row.h"
#include "derivative/tree/coupling.h"
#include "model/data/arena.h"
#include "smooth/flex/flex.h"

static int is_tie(const mjModel* m, const mjData* d, int row) {
  int equality = d->efc_id[row];
  return d->efc_type[row] == mjCNSTR_EQUALITY &&
         (m->eq_type[equality] == mjEQ_CONNECT || m->eq_type[equality] == mjEQ_WELD);
}

// Equalities, friction loss and limits; returns the number of kinks.
static int add_rows(Couplings* of, Load* loads, const RowLaw* law) {
  int kinks = 0, end = of->d->ne + of->d->nf + of->d->nl;
  for (int row = 0; row < end;) {
    if (is_tie(of->m, of->d, row)) {
      row += connect_weld_partials(of, law, row);
    } else {
      kinks += scalar_partials(of, loads, law, row);
      row++;
    }
  }
  return kinks;
}

// Adds all contacts. If the wrench on a body is differentiated (of->wrench, for force and torque
// sensors), contacts of flexes are left out, as cfrc_ext doesn't contain them
// (constraint/body_forces.c).
static int add_contacts(Couplings* of, const RowLaw* law) {
  int kinks = 0;
  for (int i = 0; i < of->d->ncon; i++) {
    int counts = !of->wrench || !contact_is_flex(of->d->contact + i);
    if (of->d->contact[i].efc_address >= 0 && counts) {
      kinks += contact_partials(of, law, of->d->contact + i);
    }
  }
  return kinks;
}

static int add_all(const mjModel* m, mjData* d, const mjtNum* x, const BorderedRows* bordered,
                   mjtNum* F_q, mjtNum* F_v, mjtNum* H_c, WrenchRows* wrench) {
  if (!d->nefc) {
    return 0;
  }
  mj_markStack(d);
  RowLaw law = row_law_make(m, d, x);
  law.bordered = bordered;
  Couplings of = couplings_make(m, d, x, F_q, F_v, H_c);
  of.wrench = wrench;
  Load* loads = loads_make(m, d);
  int kinks = row_kinks(&law) + add_rows(&of, loads, &law) + add_contacts(&of, &law);
  couplings_finish(&of);
  loads_derivative(F_q, m, d, loads, 1);
  mj_freeStack(d);
  return kinks;
}

void constraint_stiffness(const mjModel* m, mjData* d, const mjtNum* x,
                          const BorderedRows* bordered, mjtNum* H_c) {
  if (!d->nefc) {
    return;
  }
  mj_markStack(d);
  RowLaw law = row_law_make(m, d, x);
  law.bordered = bordered;
  Couplings of = couplings_make(m, d, x, NULL, NULL, H_c);
  add_rows(&of, NULL, &law);
  add_contacts(&of, &law);
  couplings_finish(&of);
  mj_freeStack(d);
}

int normal_forces_derivative(mjtNum* G, const mjModel* m, mjData* d, const mjtNum* force) {
  int kinks = 0;
  mj_markStack(d);
  // constant forces depend on neither velocity nor acceleration, so the other outputs get zeros
  Couplings of = couplings_make(m, d, d->qvel, G, G, G);
  for (int i = 0; i < d->ncon; i++) {
    kinks += contact_push(&of, d->contact + i, force[i], 0);
  }
  couplings_finish(&of);
  mj_freeStack(d);
  return kinks;
}

static int any_passive(const mjModel* m) {
  int any = 0;
  for (int i = 0; i < m->nflex; i++) {
    any |= m->flex_passive[i];
  }
  return any;
}

int flex_pushes_derivative(mjtNum* G, const mjModel* m, mjData* d) {
  int kinks = 0;
  if (!any_passive(m)) {
    return 0;
  }
  mj_markStack(d);
  // springs depend on positions only, so the other outputs get zeros
  Couplings of = couplings_make(m, d, d->qvel, G, G, G);
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    if (flex_is_passive(m, con)) {
      kinks += contact_push(&of, con, -FLEX_PASSIVE_STIFFNESS * con->dist, -FLEX_PASSIVE_STIFFNESS);
    }
  }
  couplings_finish(&of);
  mj_freeStack(d);
  return kinks;
}

// F_q = d(J' f)/dq, F_v = - J' Hs diag(b) J, H_c = J' Hs J
int constraint_partials(const mjModel* m, mjData* d, const mjtNum* x, const BorderedRows* bordered,
                        mjtNum* F_q, mjtNum* F_v, mjtNum* H_c) {
  return add_all(m, d, x, bordered, F_q, F_v, H_c, NULL);
}

void constraint_wrench_partials(const mjModel* m, mjData* d, const mjtNum* x, const char* inside,
                                mjtNum* by_q, mjtNum* by_v, mjtNum* by_x) {
  size_t size = (size_t)m->nv * (size_t)m->nv;
  WrenchRows rows = {inside, by_q, by_v, by_x};
  mj_markStack(d);
  mjtNum* unused = mj_stackAllocNum(d, 3 * size);
  mju_zero(unused, 3 * m->nv * m->nv);
  add_all(m, d, x, NULL, unused, unused + size, unused + 2 * size, &rows);
  mj_freeStack(d);
}

// D (lambda . J' f) = f . D(J) lambda - g . (D(J) x + b D(J) v) + ..., g = Hs J lambda: see vjp.h
int constraint_vjp(const mjModel* m, mjData* d, const mjtNum* x, const BorderedRows* bordered,
                   const mjtNum* lambda, mjtNum* rate_q, mjtNum* rate_v, mjtNum* rate_x,
                   const ConstraintGradient* gradient) {
  if (!d->nefc) {
    return 0;
  }
  mj_markStack(d);
  RowLaw law = row_law_make(m, d, x);
  law.bordered = bordered;
  ConstraintVjp of = vjp_make(m, d, &law, x, lambda, rate_q, rate_v, rate_x);
  of.gradient = gradient;
  if (gradient) {
    constraint_gradient_frictionloss(&of);
  }
  int kinks = row_kinks(&law), end = d->ne + d->nf + d->nl;
  for (int row = 0; row < end;) {
    row += is_tie(m, d, row) ? connect_weld_vjp(&of, row) : scalar_vjp(&of, row);
  }
  for (int i = 0; i < d->ncon; i++) {
    if (d->contact[i].efc_address >= 0) {
      kinks += contact_vjp(&of, d->contact + i);
    }
  }
  vjp_finish(&of);
  mj_freeStack(d);
  return kinks;
}

int constraint_normal_partials(const mjModel* m, mjData* d, const mjtNum* x, const char* chosen,
                               mjtNum* by_q, mjtNum* by_v, mjtNum* by_x) {
  int kinks = 0;
  mj_markStack(d);
  RowLaw law = row_law_make(m, d, x);
  Couplings of = couplings_make(m, d, x, NULL, NULL, NULL);
  ContactRows rows = {.forces = 1, .q = {by_q}, .v = {by_v}, .x = {by_x}};
  for (int i = 0; i < d->ncon; i++) {
    if (chosen[i] && d->contact[i].efc_address >= 0) {
      kinks += contact_measures(&rows, &of, &law, d->contact + i);
    }
  }
  mj_freeStack(d);
  return kinks;
}

// The first row of the connect or weld that a row belongs to.
static int first_of_tie(const mjData* d, int row) {
  while (row && d->efc_type[row - 1] == mjCNSTR_EQUALITY && d->efc_id[row - 1] == d->efc_id[row]) {
    row--;
  }
  return row;
}

// The gradient of e_i . J z: a constant force of 1 on the row, that responds to nothing.
void constraint_row_derivative(mjtNum* rate, const RowLaw* law, mjData* d, int row,
                               const mjtNum* z) {
  const mjModel* m = law->m;
  mj_markStack(d);
  mjtNum *nothing = arena_zeros(d, (size_t)m->nv), *unused = arena_zeros(d, (size_t)m->nv);
  RowLaw unit = {.m = m,
                 .d = d,
                 .y = law->y,
                 .force = arena_zeros(d, (size_t)d->nefc),
                 .zone = mj_stackAllocInt(d, (size_t)d->nefc)};
  unit.weighed = unit.force;
  unit.force[row] = 1;
  for (int i = 0; i < d->nefc; i++) {
    unit.zone[i] = mjCNSTRSTATE_LINEARNEG;
  }
  ConstraintVjp of = vjp_make(m, d, &unit, nothing, z, rate, unused, unused);
  if (d->efc_type[row] >= mjCNSTR_CONTACT_FRICTIONLESS) {
    contact_vjp(&of, d->contact + d->efc_id[row]);
  } else if (is_tie(m, d, row)) {
    connect_weld_vjp(&of, first_of_tie(d, row));
  } else {
    scalar_vjp(&of, row);
  }
  vjp_finish(&of);
  mj_freeStack(d);
}

void constraint_add_wrench(mjtNum wrench[6], const RowLaw* law, mjData* d, int row,
                           const char* inside) {
  const mjModel* m = law->m;
  if (d->efc_type[row] >= mjCNSTR_CONTACT_FRICTIONLESS) {
    const mjContact* con = d->contact + d->efc_id[row];
    if (con->efc_address == row) {
      contact_add_wrench(wrench, m, d, law, con, inside);
    }
  } else if (is_tie(m, d, row)) {
    connect_weld_add_wrench(wrench, m, d, law, first_of_tie(d, row), row, inside);
  }
}
