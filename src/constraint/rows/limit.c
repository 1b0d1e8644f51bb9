// Rows on a single joint or tendon: friction loss, then limits.
//                                                             theory/contact/constraints.md, Limits

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"
#include "base/joint.h"
#include "constraint/rows/makers.h"
#include "model/behaviour.h"
#include "model/data/arena.h"
#include "model/data/awake.h"
#include "smooth/tendon.h"

RowJacobian tendon_jacobian(const mjModel* m, const mjData* d, int tendon) {
  TendonRow row = tendon_view(m, d, tendon);
  return (RowJacobian){row.n, row.colind, row.val, 1, 1};
}

// Notes the first row of a tendon in tendon_efcadr.
static void note_tendon(RowSink* sink, int tendon, int row) {
  if (sink->measuring) {
    sink->noted++;
  } else if (sink->d->tendon_efcadr[tendon] == -1) {
    sink->d->tendon_efcadr[tendon] = row;
  }
}

// Puts a row of a tendon. As in MuJoCo, 3.3.7 notes it even if the tendon moves no dof, so that no
// row follows.
static void add_tendon_row(RowSink* sink, int type, int tendon, const RowJacobian* row,
                           const mjtNum* pos, const mjtNum* margin, mjtNum frictionloss) {
  int at = sink->row, later = behaves(sink->m, cndBEHAVIOUR_pathdofs);
  if (!later) {
    note_tendon(sink, tendon, at);
  }
  if (sink_wants(sink, 1, row->ncolumn) &&
      sink_put(sink, type, tendon, 1, row, pos, margin, frictionloss) && later) {
    note_tendon(sink, tendon, at);
  }
}

// r = 0; J = e_i of the dof, or the Jacobian of the tendon
// Also dof_rows_find in lanes/rows/dof_rows.h and coupled_tendon in lanes/rows/coupled_rows.h.
void rows_friction(RowSink* sink) {
  const mjModel* m = sink->m;
  const mjtNum zero = 0, one = 1;
  if (m->opt.disableflags & mjDSBL_FRICTIONLOSS) {
    return;
  }
  for (int k = 0; k < sink->d->cnd_nrun; k++) {
    const AwakeRun* run = awake_run(sink->d, k);
    for (int i = run->dof; i < run->dof_end; i++) {
      if (m->dof_frictionloss[i] > 0 && sink_wants(sink, 1, 1)) {
        RowJacobian row = {1, &i, &one, 1, 1};
        sink_put(sink, mjCNSTR_FRICTION_DOF, i, 1, &row, &zero, NULL, m->dof_frictionloss[i]);
      }
    }
  }
  int asleep = awake_some_sleep(m, sink->d);
  for (int i = 0; i < m->ntendon; i++) {
    if (m->tendon_frictionloss[i] > 0 && !(asleep && tendon_sleeps(m, sink->d, i))) {
      RowJacobian row = tendon_jacobian(m, sink->d, i);
      add_tendon_row(sink, mjCNSTR_FRICTION_TENDON, i, &row, &zero, NULL,
                     m->tendon_frictionloss[i]);
    }
  }
}

// Distance to one end of a range (side 0: lower, 1: upper), positive inside. Its gradient is the
// gradient of the value times +1 or -1.
static mjtNum side_distance(mjtNum value, const mjtNum range[2], int side) {
  return side ? range[1] - value : value - range[0];
}

// r = q - lower, J = 1, and r = upper - q, J = -1
// Also dof_rows_find in lanes/rows/dof_rows.h and put_limit in lanes/setup/constants.c.
static void limit_scalar(RowSink* sink, int joint) {
  const mjModel* m = sink->m;
  mjtNum value = sink->d->qpos[m->jnt_qposadr[joint]];
  for (int side = 0; side < 2; side++) {
    mjtNum dist = side_distance(value, m->jnt_range + 2 * joint, side);
    if (dist < m->jnt_margin[joint] && sink_wants(sink, 1, 1)) {
      mjtNum sign = side ? -1 : 1;
      RowJacobian row = {1, m->jnt_dofadr + joint, &sign, 1, 1};
      sink_put(sink, mjCNSTR_LIMIT_JOINT, joint, 1, &row, &dist, m->jnt_margin + joint, 0);
    }
  }
}

// The limit of a ball joint. The angle of its rotation is at most the larger number of the range.
// It is wrapped to (-pi, pi]; a negative angle flips the axis.
// Also in lanes/rows/coupled_rows.h, lanes/setup/constants.c and
// derivative/constraint/scalar_row.c.
static void limit_ball(RowSink* sink, int joint) {
  const mjModel* m = sink->m;
  mjtNum quat[4], axis[3];
  q_unit(quat, sink->d->qpos + m->jnt_qposadr[joint]);
  v3_copy(axis, quat + 1);
  mjtNum angle = 2 * num_atan2(v3_normalize(axis), quat[0]);
  if (angle > mjPI) {
    angle -= (mjtNum)(2 * mjPI);
  }
  v3_scl(axis, axis, angle);
  mjtNum value = v3_normalize(axis);

  const mjtNum* range = m->jnt_range + 2 * joint;
  mjtNum dist = num_max(range[0], range[1]) - value;
  if (dist < m->jnt_margin[joint] && sink_wants(sink, 1, 3)) {
    int first = m->jnt_dofadr[joint];
    const int dof[3] = {first, first + 1, first + 2};
    v3_scl(axis, axis, -1);
    RowJacobian row = {3, dof, axis, 3, 1};
    sink_put(sink, mjCNSTR_LIMIT_JOINT, joint, 1, &row, &dist, m->jnt_margin + joint, 0);
  }
}

// r = l - lower, J = dl/dq, and r = upper - l, J = -dl/dq
// Also in lanes/rows/coupled_rows.h and derivative/constraint/scalar_row.c.
static void limit_tendon(RowSink* sink, int tendon) {
  const mjModel* m = sink->m;
  mjData* d = sink->d;
  for (int side = 0; side < 2; side++) {
    mjtNum dist = side_distance(d->ten_length[tendon], m->tendon_range + 2 * tendon, side);
    if (!(dist < m->tendon_margin[tendon])) {
      continue;
    }
    RowJacobian row = tendon_jacobian(m, d, tendon);
    size_t top = arena_top(d);
    if (side && !sink->measuring) {
      mjtNum* negative = arena_num(d, row.ncolumn);
      for (int k = 0; k < row.ncolumn; k++) {
        negative[k] = -row.value[k];
      }
      row.value = negative;
    }
    add_tendon_row(sink, mjCNSTR_LIMIT_TENDON, tendon, &row, &dist, m->tendon_margin + tendon, 0);
    arena_pop(d, top);
  }
}

void rows_limit(RowSink* sink) {
  const mjModel* m = sink->m;
  if (m->opt.disableflags & mjDSBL_LIMIT) {
    return;
  }
  for (int k = 0; k < sink->d->cnd_nrun; k++) {
    const AwakeRun* run = awake_run(sink->d, k);
    for (int i = run->joint; i < run->joint_end; i++) {
      // a free joint has no limit
      if (m->jnt_limited[i] && m->jnt_type[i] == mjJNT_BALL) {
        limit_ball(sink, i);
      } else if (m->jnt_limited[i] && !joint_has_quat(m->jnt_type[i])) {
        limit_scalar(sink, i);
      }
    }
  }
  int asleep = awake_some_sleep(m, sink->d);
  for (int i = 0; i < m->ntendon; i++) {
    if (m->tendon_limited[i] && !(asleep && tendon_sleeps(m, sink->d, i))) {
      limit_tendon(sink, i);
    }
  }
}
