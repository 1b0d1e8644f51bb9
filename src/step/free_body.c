// Free bodies under implicitfast: their six equations are solved apart, with all of their matrix,
// because the derivative of gyroscopic forces isn't symmetric.
//                                                     theory/time/integration.md, Free bodies

#include "step/free_body.h"

#include <mujoco/api/base.h>

#include "base/algebra/dense_solve.h"
#include "base/algebra/vec.h"
#include "constraint/hard/hard.h"
#include "model/behaviour.h"
#include "model/data/awake.h"

int free_body_is_on(const mjModel* m) {
  return behaves(m, cndBEHAVIOUR_gyrofast) && m->opt.integrator == mjINT_IMPLICITFAST &&
         !hard_is_on(m);
}

// A body with a free joint and no other, that carries no mass but its own.
static int is_alone(const mjModel* m, int joint) {
  int body = m->jnt_bodyid[joint], end = m->jnt_dofadr[joint] + 6;
  return m->jnt_type[joint] == mjJNT_FREE &&
         (end == m->nv || m->dof_treeid[end] != m->dof_treeid[end - 1]) &&
         m->body_subtreemass[body] == m->body_mass[body];
}

int free_body_is(const mjModel* m, int body) {
  return free_body_is_on(m) && m->body_jntnum[body] == 1 && is_alone(m, m->body_jntadr[body]);
}

// The first dof of the next free body after joint *j; -1 at the end.
static int next_dof(const mjModel* m, int* j) {
  while (++*j < m->njnt) {
    if (is_alone(m, *j)) {
      return m->jnt_dofadr[*j];
    }
  }
  return -1;
}

// I v, with the inertia about the center of mass in the world's axes.
static void inertia_times(mjtNum out[3], const mjModel* m, const mjData* d, int body,
                          const mjtNum v[3]) {
  const mjtNum *inertia = m->body_inertia + 3 * body, *axes = d->ximat + 9 * body;
  m3_tmulv(out, axes, v);
  v3_set(out, out[0] * inertia[0], out[1] * inertia[1], out[2] * inertia[2]);
  m3_mulv(out, axes, out);
}

// Adds h times the derivative of the bias force in the direction e of the angular velocity w,
// in the world's axes. With s from the origin to the center of mass, I the inertia about it:
//
//   f_lin = m w x (w x s)        f_rot = w x (I w) + s x f_lin
//
// Column k of A gets + h R' df for e = column k of R.
static void add_gyroscopic(mjtNum A[36], const mjModel* m, const mjData* d, int body, int dof) {
  const mjtNum* R = d->xmat + 9 * body;
  mjtNum h = m->opt.timestep, mass = m->body_mass[body], w[3], s[3], ws[3], force[3], Iw[3];
  m3_mulv(w, R, d->qvel + dof + 3);
  v3_sub(s, d->xipos + 3 * body, d->xpos + 3 * body);
  v3_cross(ws, w, s);
  inertia_times(Iw, m, d, body, w);
  for (int k = 0; k < 3; k++) {
    mjtNum e[3], es[3], Ie[3], torque[3], part[3];
    m3_column(e, R, k);
    v3_cross(es, e, s);
    v3_cross(force, e, ws);
    v3_cross(part, w, es);
    v3_addto(force, part);
    v3_scl(force, force, mass);
    inertia_times(Ie, m, d, body, e);
    v3_cross(torque, e, Iw);
    v3_crossadd(torque, w, Ie, torque);
    v3_crossadd(torque, s, force, torque);
    m3_tmulv(torque, R, torque);
    for (int i = 0; i < 3; i++) {
      A[6 * i + 3 + k] += h * force[i];
      A[6 * (3 + i) + 3 + k] += h * torque[i];
    }
  }
}

// A = M, 6 x 6
static void inertia_of(mjtNum A[36], const mjModel* m, const mjData* d, int dof) {
  mju_zero(A, 36);
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < m->M_rownnz[dof + i]; k++) {
      int j = m->M_colind[m->M_rowadr[dof + i] + k] - dof;
      A[6 * i + j] = A[6 * j + i] = d->M[m->M_rowadr[dof + i] + k];
    }
  }
}

// A = M - h D + h d bias / d velocity, 6 x 6
static void matrix_of(mjtNum A[36], const mjModel* m, const mjData* d, int dof) {
  inertia_of(A, m, d, dof);
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < m->D_rownnz[dof + i]; k++) {
      int at = m->D_rowadr[dof + i] + k;
      A[6 * i + m->D_colind[at] - dof] -= m->opt.timestep * d->qDeriv[at];
    }
  }
  add_gyroscopic(A, m, d, m->dof_bodyid[dof], dof);
}

void free_body_clear(const mjModel* m, mjData* d) {
  for (int joint = -1, dof; (dof = next_dof(m, &joint)) >= 0;) {
    if (tree_sleeps(d, m->dof_treeid[dof])) {
      continue;
    }
    int first = m->M_rowadr[dof], end = m->M_rowadr[dof + 5] + m->M_rownnz[dof + 5];
    mju_copy(d->qH + first, d->M + first, end - first);
  }
}

// Solves A x = b, given in x. Returns 0 after an error.
static int solve_body(mjtNum x[6], mjtNum A[36], const char* integrator, int joint) {
  int solved = pivoted_solve(x, A, 6, 1, 1, 6, mjMINVAL);
  if (!solved) {
    mju_error("%s: the matrix of the free body of joint %d is singular", integrator, joint);
  }
  return solved;
}

void free_body_solve(mjtNum* x, const mjModel* m, mjData* d) {
  for (int joint = -1, dof; (dof = next_dof(m, &joint)) >= 0;) {
    mjtNum A[36];
    if (tree_sleeps(d, m->dof_treeid[dof])) {
      continue;
    }
    matrix_of(A, m, d, dof);
    mju_add(x + dof, d->qfrc_smooth + dof, d->qfrc_constraint + dof, 6);
    if (!solve_body(x + dof, A, "implicitfast", joint)) {
      return;
    }
  }
}

void free_body_mul(mjtNum* y, const mjModel* m, const mjData* d, const mjtNum* x) {
  for (int joint = -1, dof; (dof = next_dof(m, &joint)) >= 0;) {
    mjtNum A[36];
    matrix_of(A, m, d, dof);
    mju_mulMatVec(y + dof, A, x + dof, 6, 6);
  }
}

// discrete steps

// A = Mhat + h d bias / d velocity, 6 x 6
static void metric_of(mjtNum A[36], const mjModel* m, const mjData* d, int dof) {
  inertia_of(A, m, d, dof);
  for (int i = 0; i < 6; i++) {
    int end = d->efm_K_rowadr[dof + i] + d->efm_K_rownnz[dof + i];
    for (int k = end - 1; k >= d->efm_K_rowadr[dof + i] && d->efm_K_colind[k] >= dof; k--) {
      int j = d->efm_K_colind[k] - dof;
      A[6 * i + j] += d->efm_K_val[k];
      A[6 * j + i] += i == j ? 0 : d->efm_K_val[k];
    }
  }
  add_gyroscopic(A, m, d, m->dof_bodyid[dof], dof);
}

int free_body_exists(const mjModel* m) {
  int joint = -1;
  return next_dof(m, &joint) >= 0;
}

static int is_left_out(const mjModel* m, const mjData* d, const mjtByte* held, int dof) {
  int tree = m->dof_treeid[dof];
  return held[tree] || tree_sleeps(d, tree);
}

void free_body_step(mjtNum* x, const mjModel* m, mjData* d, const mjtByte* held,
                    const mjtNum* frc) {
  for (int joint = -1, dof; (dof = next_dof(m, &joint)) >= 0;) {
    mjtNum A[36];
    if (is_left_out(m, d, held, dof)) {
      continue;
    }
    metric_of(A, m, d, dof);
    mju_copy(x + dof, frc + dof, 6);
    if (!solve_body(x + dof, A, "discrete", joint)) {
      return;
    }
  }
}

void free_body_force(mjtNum* y, const mjModel* m, const mjData* d, const mjtByte* held) {
  for (int joint = -1, dof; (dof = next_dof(m, &joint)) >= 0;) {
    mjtNum A[36];
    if (!is_left_out(m, d, held, dof)) {
      metric_of(A, m, d, dof);
      mju_mulMatVec(y + dof, A, d->qacc + dof, 6, 6);
    }
  }
}

int free_body_gyroscopic(mjtNum* A, mjtByte* is_free, const mjModel* m, mjData* d,
                         const mjtByte* held) {
  int n = 0;
  for (int joint = -1, dof; (dof = next_dof(m, &joint)) >= 0;) {
    mjtNum own[36] = {0};
    if (is_left_out(m, d, held, dof)) {
      continue;
    }
    add_gyroscopic(own, m, d, m->dof_bodyid[dof], dof);
    for (size_t i = 0; i < 6; i++) {
      mju_addTo(A + ((size_t)dof + i) * (size_t)m->nv + dof, own + 6 * i, 6);
      is_free[(size_t)dof + i] = 1;
    }
    n++;
  }
  return n;
}
