// Reference acceleration of each row: that of its spring and damper, of sticking or of bouncing.
//                                             theory/contact/constraints.md, Reference acceleration

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>

#include "constraint/kept/stick.h"
#include "constraint/law/problem.h"
#include "constraint/rows/makers.h"
#include "constraint/rows/restitution.h"
#include "constraint/rows/surface.h"
#include "model/behaviour.h"
#include "model/checks/pair.h"
#include "model/data/share.h"
#include "model/data/tree_runs.h"
#include "model/options.h"

// By how much the force of a row at the end of a discrete step is less than it would be now:
//
//   s = 1 + h B + h^2 K I
static mjtNum step_scale(const mjModel* m, const mjData* d, int row) {
  const mjtNum* KBIP = d->efc_KBIP + 4 * row;
  mjtNum h = m->opt.timestep;
  return 1 + h * KBIP[1] + h * h * KBIP[0] * KBIP[2];
}

// aref = -B vel - K I (pos - margin)
static void references(void* argument, int begin, int end) {
  const mjData* d = ((const RunData*)argument)->d;
  mjtNum* restrict aref = d->efc_aref;
  const mjtNum *vel = d->efc_vel, *pos = d->efc_pos, *margin = d->efc_margin, *KBIP = d->efc_KBIP;
  for (int i = begin; i < end; i++) {
    const mjtNum* k = KBIP + 4 * i;
    aref[i] = -k[1] * vel[i] - k[0] * k[2] * (pos[i] - margin[i]);
  }
}

// aref = -(B vel + K I (pos - margin + h vel)) / s
static void step_references(void* argument, int begin, int end) {
  const mjModel* m = ((const RunData*)argument)->m;
  const mjData* d = ((const RunData*)argument)->d;
  mjtNum h = m->opt.timestep;
  for (int i = begin; i < end; i++) {
    const mjtNum* KBIP = d->efc_KBIP + 4 * i;
    mjtNum pos = d->efc_pos[i] - d->efc_margin[i] + h * d->efc_vel[i];
    d->efc_aref[i] = -(KBIP[1] * d->efc_vel[i] + KBIP[0] * KBIP[2] * pos) / step_scale(m, d, i);
  }
}

// Later releases let connects and welds follow the curvature of their paths:
//
//   aref = -B vel - K I (pos - margin) - (d/dt J) qvel
static void subtract_rates(const mjModel* m, mjData* d) {
  int discrete = options_is_discrete(m);
  for (int row = 0; row < d->ne;) {
    int equality = d->efc_id[row], first = row, type = m->eq_type[equality];
    while (row < d->ne && d->efc_id[row] == equality) {
      row++;
    }
    if (type == mjEQ_CONNECT || type == mjEQ_WELD) {
      mjtNum rate[6];
      equality_rate(rate, m, d, equality);
      for (int i = first; discrete && i < row; i++) {
        rate[i - first] /= step_scale(m, d, i);
      }
      mju_subFrom(d->efc_aref + first, rate, row - first);
    }
  }
}

// aref = -B vel - K I (pos - margin); contacts that stick or bounce change theirs.
// Also in lanes/rows/contacts.h, lanes/rows/dof_rows.h, lanes/rows/coupled_rows.h and
// derivative/constraint/row_law.c.
void mj_referenceConstraint(const mjModel* m, mjData* d) {
  check_pair(m, d);
  if (!d->nefc) {
    return;
  }
  const int least = 4096, piece = 1024;  // rows
  Matrix J = matrix_whole_J(m, d);
  matrix_mulv_shared(d->efc_vel, d, &J, d->qvel, NULL);
  if (m->flg_surfacevel) {
    surface_add_velocity(d->efc_vel, m, d);
  }
  RunData all = {m, d};
  SharedCall call = options_is_discrete(m) ? step_references : references;
  if (share_pays(d, d->nefc, least)) {
    share_for(d, d->nefc, piece, call, &all);
  } else {
    call(&all, 0, d->nefc);
  }
  if (m->flg_adhesion) {
    surface_add_reference(m, d);
  }
  if (behaves(m, cndBEHAVIOUR_jdotv)) {
    subtract_rates(m, d);
  }
  if (stick_is_on(m)) {
    stick_reference(m, d);
  }
  restitution_reference(m, d);
}
