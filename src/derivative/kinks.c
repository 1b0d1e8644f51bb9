// Kinks that depend on the state alone: where limits, contacts and tendon springs become active,
// and where impedances and slopes of dampers bend. Row forces and actuators count their own kinks
// (constraint/row_law.c, smooth/actuators.c).
//                                                           theory/time/exact-derivatives.md, Kinks

#include "derivative/kinks.h"

#include <mujoco/api/base.h>

#include "base/algebra/elementary.h"
#include "base/joint.h"
#include "derivative/smooth/springs.h"
#include "derivative/tree/kink.h"
#include "smooth/flex/flex.h"

// limits

// A limit has a row if the value is less than the margin away from an end of the range.
static int is_at_limit(mjtNum value, const mjtNum range[2], mjtNum margin) {
  mjtNum scale = mju_abs(value) + margin;
  return kink_is_zero(value - range[0] - margin, scale + mju_abs(range[0])) ||
         kink_is_zero(range[1] - value - margin, scale + mju_abs(range[1]));
}

// The angle of a ball, in [0, pi].
static mjtNum ball_angle(const mjModel* m, const mjData* d, int joint) {
  mjtNum quat[4];
  q_unit(quat, d->qpos + m->jnt_qposadr[joint]);
  return 2 * num_atan2(v3_norm(quat + 1), mju_abs(quat[0]));
}

static int joint_is_at_limit(const mjModel* m, const mjData* d, int joint) {
  const mjtNum* range = m->jnt_range + 2 * joint;
  mjtNum margin = m->jnt_margin[joint];
  if (m->jnt_type[joint] == mjJNT_BALL) {
    mjtNum most = num_max(range[0], range[1]);
    return kink_is_zero(most - ball_angle(m, d, joint) - margin, (mjtNum)mjPI);
  }
  return !joint_has_quat(m->jnt_type[joint]) &&
         is_at_limit(d->qpos[m->jnt_qposadr[joint]], range, margin);
}

static int limit_kinks(const mjModel* m, const mjData* d) {
  int kinks = 0;
  if (m->opt.disableflags & (mjDSBL_LIMIT | mjDSBL_CONSTRAINT)) {
    return 0;
  }
  for (int i = 0; i < m->njnt; i++) {
    kinks += m->jnt_limited[i] && joint_is_at_limit(m, d, i);
  }
  for (int i = 0; i < m->ntendon; i++) {
    kinks += m->tendon_limited[i] &&
             is_at_limit(d->ten_length[i], m->tendon_range + 2 * i, m->tendon_margin[i]);
  }
  return kinks;
}

// contacts

static mjtNum contact_scale(const mjModel* m, const mjContact* con) {
  mjtNum scale = v3_norm(con->pos) + mju_abs(con->includemargin);
  for (int k = 0; k < 2; k++) {
    scale += con->geom[k] < 0 ? 0 : m->geom_rbound[con->geom[k]];
  }
  return scale;
}

// A contact has rows if its distance is less than its margin.
static int contact_kinks(const mjModel* m, const mjData* d) {
  int kinks = 0;
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    int is_listed = con->exclude <= 1 || (m->nflex && flex_is_passive(m, con));
    kinks += is_listed && kink_is_zero(con->dist - con->includemargin, contact_scale(m, con));
  }
  return kinks;
}

// impedances

static const mjtNum* solimp_of(const mjModel* m, const mjData* d, int row) {
  int id = d->efc_id[row];
  switch (d->efc_type[row]) {
    case mjCNSTR_EQUALITY:
      return m->eq_solimp + mjNIMP * id;
    case mjCNSTR_LIMIT_JOINT:
      return m->jnt_solimp + mjNIMP * id;
    case mjCNSTR_LIMIT_TENDON:
      return m->tendon_solimp_lim + mjNIMP * id;
    default:
      return NULL;  // friction loss
  }
}

static int is_straight(const mjtNum solimp[mjNIMP]) {
  return solimp[4] <= 1 && solimp[0] != solimp[1] && solimp[2] > mjMINVAL;
}

// Residual of which the impedance of a row is a function; for connects and welds the norm over all
// rows.
static mjtNum violation(const mjModel* m, const mjData* d, int row) {
  mjtNum r = d->efc_pos[row] - d->efc_margin[row], square = 0;
  int id = d->efc_id[row], is_equality = d->efc_type[row] == mjCNSTR_EQUALITY;
  if (!is_equality || (m->eq_type[id] != mjEQ_CONNECT && m->eq_type[id] != mjEQ_WELD)) {
    return mju_abs(r);
  }
  int first = row;
  while (first > 0 && d->efc_id[first - 1] == id) {
    first--;
  }
  for (int i = first; i < d->ne && d->efc_id[i] == id; i++) {
    square += d->efc_pos[i] * d->efc_pos[i];
  }
  return mju_sqrt(square);
}

// An impedance of power 1 is a straight line that bends at its width, and for equalities, whose
// residual has both signs, at zero.
static int impedance_kinks(const mjModel* m, const mjData* d) {
  int kinks = 0;
  for (int i = 0; i < d->ne + d->nf + d->nl; i++) {
    const mjtNum* solimp = solimp_of(m, d, i);
    if (solimp && is_straight(solimp)) {
      mjtNum r = violation(m, d, i), width = solimp[2];
      int is_back = r == 0 && d->efc_type[i] == mjCNSTR_EQUALITY;
      kinks += is_back || kink_is_zero(r - width, r + width);
    }
  }
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    if (con->efc_address >= 0 && is_straight(con->solimp)) {
      mjtNum r = mju_abs(con->dist - con->includemargin), width = con->solimp[2];
      kinks += kink_is_zero(r - width, r + width);
    }
  }
  return kinks;
}

// all

int position_kinks(const mjModel* m, const mjData* d) {
  return limit_kinks(m, d) + contact_kinks(m, d) + impedance_kinks(m, d) + springs_kinks(m, d);
}
