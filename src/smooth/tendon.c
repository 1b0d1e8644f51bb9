// Length of each tendon and its gradient with respect to the dofs.
//                                                           theory/smooth/tendons.md, Fixed tendons
//
// A fixed tendon is a linear combination of scalar joint coordinates; a spatial one is
// a string (tendon_path.h):
//
//   length = sum prm_j qpos_j        J_j = prm_j

#pragma STDC FP_CONTRACT OFF  // what cancels must be exactly zero, or sparse rows get more entries

#include "smooth/tendon.h"

#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/algebra/dense.h"
#include "base/algebra/sparse_row.h"
#include "base/algebra/vec.h"
#include "model/behaviour.h"
#include "model/checks/pair.h"
#include "model/terms.h"
#include "smooth/jacobian.h"
#include "smooth/tendon_path.h"

// views

void tendon_row(mjtNum* out, const mjModel* m, const mjData* d, int tendon) {
  mju_zero(out, m->nv);
  TendonRow row = tendon_view(m, d, tendon);
  tendon_add_to(out, &row, 1);
}

mjtNum tendon_dot(const TendonRow* row, const mjtNum* vec) {
  return row->colind ? row_dot(row->val, row->colind, row->n, vec) : dot_n(row->val, vec, row->n);
}

void tendon_add_to(mjtNum* out, const TendonRow* row, mjtNum scale) {
  if (row->colind) {
    row_add_to(out, row->val, row->colind, row->n, scale);
  } else {
    axpy_n(out, row->val, scale, row->n);
  }
}

mjtNum tendon_excess(const mjtNum rest[2], mjtNum length) {
  if (length > rest[1]) {
    return rest[1] - length;
  }
  return length < rest[0] ? rest[0] - length : 0;
}

mjtNum tendon_displacement(const mjModel* m, int tendon, mjtNum length) {
  return tendon_excess(m->tendon_lengthspring + 2 * tendon, length);
}

// fixed tendons

// A joint named twice counts twice in the length. In J the entries add up in sparse rows, and the
// last one overwrites the others in dense rows.
static void fixed_tendon(const mjModel* m, mjData* d, int tendon, int sparse) {
  int adr = m->tendon_adr[tendon], end = adr + m->tendon_num[tendon];
  mjtNum length = 0;
  int nnz = 0;
  for (int k = adr; k < end; k++) {
    int joint = m->wrap_objid[k], dof = m->jnt_dofadr[joint];
    length += m->wrap_prm[k] * d->qpos[m->jnt_qposadr[joint]];
    if (sparse) {
      mjtNum* val = d->ten_J + d->ten_J_rowadr[tendon];
      int* col = d->ten_J_colind + d->ten_J_rowadr[tendon];
      nnz = jac_merge_chain(val, col, nnz, &dof, 1);
      while (*col != dof) {
        col++, val++;
      }
      *val += m->wrap_prm[k];
    } else {
      d->ten_J[(size_t)tendon * m->nv + dof] = m->wrap_prm[k];
    }
  }
  d->ten_length[tendon] = length;
  if (sparse) {
    d->ten_J_rownnz[tendon] = nnz;
  }
}

static void spatial_tendon(TendonPath* path, const mjModel* m, mjData* d, int tendon, int sparse) {
  int rowadr = sparse ? d->ten_J_rowadr[tendon] : tendon * m->nv;
  path->val = d->ten_J + rowadr;
  path->colind = sparse ? d->ten_J_colind + rowadr : NULL;
  path->length = 0;
  path->nnz = 0;
  path_follow(path, m, d, tendon);
  d->ten_length[tendon] = path->length;
  if (sparse) {
    d->ten_J_rownnz[tendon] = path->nnz;
  }
}

// Gives a packed row the pattern of the model: all dofs of the path (behaviour pathdofs).
static void complete_row(const mjModel* m, mjData* d, int tendon) {
  int from = m->ten_J_rowadr[tendon], n = m->ten_J_rownnz[tendon], to = d->ten_J_rowadr[tendon];
  memcpy(d->ten_J + to, d->cnd_ten_J + from, (size_t)n * sizeof(mjtNum));
  memcpy(d->ten_J_colind + to, m->ten_J_colind + from, (size_t)n * sizeof(int));
  d->ten_J_rownnz[tendon] = n;
}

// ten_length = sum of pieces / pulley divisors; ten_J = d(ten_length)/dq
// Also in lanes/dynamics/levers.h and derivative/tree/tendon_length.c.
void mj_tendon(const mjModel* m, mjData* d) {
  check_pair(m, d);
  if (!m->ntendon) {
    return;
  }
  int sparse = mj_isSparse(m), whole = sparse && behaves(m, cndBEHAVIOUR_pathdofs);
  if (!sparse) {
    memset(d->ten_J, 0, (size_t)m->ntendon * m->nv * sizeof(mjtNum));
  }

  TendonPath path = {0};
  for (int i = 0; i < m->ntendon; i++) {
    if (sparse) {
      d->ten_J_rowadr[i] = i ? d->ten_J_rowadr[i - 1] + d->ten_J_rownnz[i - 1] : 0;
    }
    d->ten_wrapadr[i] = path.npoint;
    if (m->wrap_type[m->tendon_adr[i]] == mjWRAP_JOINT) {
      fixed_tendon(m, d, i, sparse);
    } else {
      spatial_tendon(&path, m, d, i, sparse);
    }
    d->ten_wrapnum[i] = path.npoint - d->ten_wrapadr[i];
    TendonRow row = {d->ten_J + (size_t)i * m->nv, NULL, m->nv};
    if (sparse) {
      int first = d->ten_J_rowadr[i];
      row = (TendonRow){d->ten_J + first, d->ten_J_colind + first, d->ten_J_rownnz[i]};
    }
    row_fit(d->cnd_ten_J + m->ten_J_rowadr[i], m->ten_J_colind + m->ten_J_rowadr[i],
            m->ten_J_rownnz[i], &row);
    if (whole && m->tendon_type[i]) {
      complete_row(m, d, i);
    }
  }
}

// The mass m of a tendon resists its acceleration l'' = J qacc + (dJ/dt) qvel with the generalized
// force J' m l'', of which the first part is in M:
//
//   qfrc += J' m (dJ/dt) qvel
// Also lane_tendon_bias in lanes/dynamics/levers.h and tendon_inertia_derivative in
// derivative/smooth/passive.c.
void tendon_add_bias(mjtNum* qfrc, const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->ntendon; i++) {
    mjtNum force = terms_tendon_armature(m, i);
    if (force != 0) {
      force *= path_acceleration(m, d, i);
    }
    if (force != 0) {
      TendonRow row = tendon_view(m, d, i);
      tendon_add_to(qfrc, &row, force);
    }
  }
}
