// Projected Gauss-Seidel (PGS) and noslip: sweeps that update the forces of one constraint at a
// time.
//                                                                            theory/solvers.md, PGS

#include "constraint/solver/dual.h"

#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec.h"
#include "constraint/law.h"
#include "constraint/solver/qcqp.h"

enum {
  MAXBLOCK = 6
};
#define MAXINCREASE ((mjtNum)1e-10)  // a block update that raises the cost by more is undone
#define MINDIAGONAL ((mjtNum)1e-10)  // lower bound of the diagonal of AR - R

// The matrix AR. In each row, the columns of one contact are stored next to each other, so the
// diagonal entry locates them.
typedef struct {
  const mjModel* m;
  mjData* d;
  Rows rows;
  int sparse;
  int* diagonal;      // address of the diagonal entry of each row in efc_AR
  int unregularized;  // uses AR - R instead of AR
} Dual;

static Dual dual_make(const mjModel* m, mjData* d, int unregularized) {
  Dual s = {.m = m, .d = d, .rows = rows_whole(m, d), .sparse = mj_isSparse(m)};
  s.unregularized = unregularized;
  s.diagonal = mj_stackAllocInt(d, d->nefc);
  for (int i = 0; i < d->nefc; i++) {
    int at = d->efc_AR_rowadr[i];
    while (s.sparse && d->efc_AR_colind[at] != i) {
      at++;
    }
    s.diagonal[i] = s.sparse ? at : at + i;
  }
  return s;
}

// Row i of AR times f.
static mjtNum AR_row_dot(const mjModel* m, const mjData* d, int i, const mjtNum* f) {
  if (!mj_isSparse(m)) {
    return dot_n(d->efc_AR + (size_t)i * d->nefc, f, d->nefc);
  }
  mjtNum sum = 0;
  for (int k = d->efc_AR_rowadr[i]; k < d->efc_AR_rowadr[i] + d->efc_AR_rownnz[i]; k++) {
    sum += d->efc_AR[k] * f[d->efc_AR_colind[k]];
  }
  return sum;
}

mjtNum dual_cost(const mjModel* m, const mjData* d) {
  mjtNum cost = 0;
  for (int i = 0; i < d->nefc; i++) {
    cost += d->efc_force[i] * (AR_row_dot(m, d, i, d->efc_force) / 2 + d->efc_b[i]);
  }
  return cost;
}

// Gradient of the dual cost on rows [i, i + n).
static void residual(mjtNum* res, const Dual* s, int i, int n) {
  const mjData* d = s->d;
  for (int r = 0; r < n; r++) {
    res[r] = d->efc_b[i + r] + AR_row_dot(s->m, d, i + r, d->efc_force);
    if (s->unregularized) {
      res[r] -= d->efc_R[i + r] * d->efc_force[i + r];
    }
  }
}

// Copies the diagonal block of rows [i, i + n) of AR.
static void copy_block(mjtNum* A, const Dual* s, int i, int n) {
  for (int r = 0; r < n; r++) {
    const mjtNum* row = s->d->efc_AR + s->diagonal[i + r] - r;
    for (int c = 0; c < n; c++) {
      A[r * n + c] = row[c];
    }
    if (s->unregularized) {
      A[r * n + r] = num_max(MINDIAGONAL, A[r * n + r] - s->d->efc_R[i + r]);
    }
  }
}

// Returns the change of the cost from the forces `old` to the new ones. If the cost has risen,
// restores `old` and returns 0.
static mjtNum accept(mjtNum* force, const mjtNum* old, const mjtNum* A, const mjtNum* res, int n) {
  mjtNum change = 0, df[MAXBLOCK];
  for (int r = 0; r < n; r++) {
    df[r] = force[r] - old[r];
  }
  for (int r = 0; r < n; r++) {
    mjtNum Adf = 0;
    for (int c = 0; c < n; c++) {
      Adf += A[r * n + c] * df[c];
    }
    change += df[r] * (Adf / 2 + res[r]);
  }
  if (change > MAXINCREASE) {
    memcpy(force, old, n * sizeof(mjtNum));
    return 0;
  }
  return change;
}

// Friction forces y (n) that minimise 1/2 y'Ay + y'b in the section of the cone at the given
// normal force.
static void solve_friction(mjtNum* y, const mjtNum* A, const mjtNum* b, const mjtNum* friction,
                           mjtNum normal, int n) {
  if (normal < mjMINVAL) {
    memset(y, 0, n * sizeof(mjtNum));
    return;
  }
  if (qcqp_solve(y, A, b, friction, normal, n)) {
    cone_to_surface(y, friction, normal, n);
  }
}

// A and b of the friction rows f of a contact's block, after a change of the normal force (row 0):
// b = res - A_ff f_old + A_f0 normal_change.
static void friction_problem(mjtNum* Ac, mjtNum* bc, const mjtNum* A, const mjtNum* res,
                             const mjtNum* old, mjtNum normal_change, int dim) {
  int n = dim - 1;
  for (int r = 0; r < n; r++) {
    bc[r] = res[r + 1] + A[(r + 1) * dim] * normal_change;
    for (int c = 0; c < n; c++) {
      Ac[r * n + c] = A[(r + 1) * dim + c + 1];
      bc[r] -= Ac[r * n + c] * old[c + 1];
    }
  }
}

// Updates the force of an elliptic contact in two steps. The first step scales the force, or
// changes the normal force alone where it is zero. The second solves for friction at that normal
// force.
static mjtNum sweep_cone(const Dual* s, int i) {
  mjData* d = s->d;
  const mjContact* contact = d->contact + d->efc_id[i];
  int dim = contact->dim;
  mjtNum A[MAXBLOCK * MAXBLOCK], Ac[25], bc[5], res[MAXBLOCK], old[MAXBLOCK];
  mjtNum* f = d->efc_force + i;
  residual(res, s, i, dim);
  copy_block(A, s, i, dim);
  memcpy(old, f, dim * sizeof(mjtNum));

  if (f[0] < mjMINVAL) {
    f[0] = num_max(0, f[0] - res[0] / A[0]);
    memset(f + 1, 0, (dim - 1) * sizeof(mjtNum));
  } else {
    mjtNum den = 0, slope = 0;
    for (int r = 0; r < dim; r++) {
      slope += old[r] * res[r];
      for (int c = 0; c < dim; c++) {
        den += old[r] * A[r * dim + c] * old[c];
      }
    }
    if (den >= mjMINVAL) {
      mjtNum x = -slope / den;
      if (f[0] + x * old[0] < 0) {
        x = -1;
      }
      for (int r = 0; r < dim; r++) {
        f[r] += x * old[r];
      }
    }
  }
  friction_problem(Ac, bc, A, res, old, f[0] - old[0], dim);
  solve_friction(f + 1, Ac, bc, contact->friction, f[0], dim - 1);
  return accept(f, old, A, res, dim);
}

static mjtNum sweep_scalar(const Dual* s, int i) {
  mjData* d = s->d;
  mjtNum res, A = d->efc_AR[s->diagonal[i]], old = d->efc_force[i];
  residual(&res, s, i, 1);
  d->efc_force[i] = law_admissible(law_kind(&s->rows, i), d->efc_frictionloss[i], old - res / A);
  return accept(d->efc_force + i, &old, &A, &res, 1);
}

// Updates efc_state; counts the active rows and those that changed.
static void update_states(const Dual* s, mjSolverStat* stat) {
  mjData* d = s->d;
  stat->nactive = stat->nchange = 0;
  for (int i = 0; i < d->nefc;) {
    int n = law_rows(&s->rows, i);
    LawKind kind = law_kind(&s->rows, i);
    int state = kind == LAW_CONE ? cone_force_zone(d->contact + d->efc_id[i], d->efc_force + i)
                                 : law_force_zone(kind, d->efc_frictionloss[i], d->efc_force[i]);
    stat->nactive += state != mjCNSTRSTATE_SATISFIED ? n : 0;
    for (int end = i + n; i < end; i++) {
      stat->nchange += d->efc_state[i] != state;
      d->efc_state[i] = state;
    }
  }
}

// Updates states and statistics after a sweep. Returns the scaled improvement.
static mjtNum finish_sweep(const Dual* s, mjtNum improvement, int iter) {
  mjData* d = s->d;
  mjSolverStat stat = {0};
  stat.improvement = improvement / (s->m->stat.meaninertia * (mjtNum)int_max(1, s->m->nv));
  update_states(s, &stat);
  if (iter < mjNSOLVER) {
    d->solver[iter] = stat;
  }
  return stat.improvement;
}

// qfrc_constraint = J' f, qacc = a0 + M^-1 J' f
static void finish(const Dual* s) {
  mjData* d = s->d;
  mj_mulJacTVec(s->m, d, d->qfrc_constraint, d->efc_force);
  mj_solveM(s->m, d, d->qacc, d->qfrc_constraint, 1);
  axpy_n(d->qacc, d->qacc_smooth, 1, s->m->nv);
}

// min over allowed f of 1/2 f' (A + R) f + f' (J a0 - aref), row by row
void dual_pgs(const mjModel* m, mjData* d) {
  mj_markStack(d);
  Dual s = dual_make(m, d, 0);
  int iter = 0;
  while (iter < m->opt.iterations) {
    mjtNum decrease = 0;
    for (int i = 0; i < d->nefc; i += law_rows(&s.rows, i)) {
      decrease -= law_rows(&s.rows, i) > 1 ? sweep_cone(&s, i) : sweep_scalar(&s, i);
    }
    if (finish_sweep(&s, decrease, iter++) < m->opt.tolerance) {
      break;
    }
  }
  d->solver_niter[0] = iter;
  d->solver_nnz[0] = 0;
  for (int i = 0; i < d->nefc; i++) {
    d->solver_nnz[0] += s.sparse ? d->efc_AR_rownnz[i] : d->nefc;
  }
  finish(&s);
  mj_freeStack(d);
}

// Updates the forces of two opposing edges of a pyramid and keeps their sum 2m: f_a = m + y, f_b =
// m - y.
static mjtNum noslip_edges(const Dual* s, int i) {
  mjtNum *f = s->d->efc_force + i, A[4], res[2], old[2] = {f[0], f[1]};
  residual(res, s, i, 2);
  copy_block(A, s, i, 2);
  mjtNum middle = (old[0] + old[1]) / 2;
  mjtNum b0 = res[0] - A[0] * old[0] - A[1] * old[1], b1 = res[1] - A[2] * old[0] - A[3] * old[1];
  mjtNum K1 = A[0] + A[3] - A[1] - A[2], K0 = middle * (A[0] - A[3]) + b0 - b1;
  mjtNum y = K1 < mjMINVAL ? 0 : num_clamp(-K0 / K1, -middle, middle);
  f[0] = middle + y;
  f[1] = middle - y;
  return accept(f, old, A, res, 2);
}

static mjtNum noslip_cone(const Dual* s, int i) {
  mjData* d = s->d;
  const mjContact* contact = d->contact + d->efc_id[i];
  int n = contact->dim - 1;
  mjtNum *f = d->efc_force + i + 1, A[25], res[5], old[5], bc[5];
  residual(res, s, i + 1, n);
  copy_block(A, s, i + 1, n);
  memcpy(old, f, n * sizeof(mjtNum));
  for (int r = 0; r < n; r++) {
    bc[r] = res[r];
    for (int c = 0; c < n; c++) {
      bc[r] -= A[r * n + c] * old[c];
    }
  }
  solve_friction(f, A, bc, contact->friction, f[-1], n);
  return accept(f, old, A, res, n);
}

static mjtNum noslip_frictionloss(const Dual* s, int i) {
  mjData* d = s->d;
  mjtNum res, eta = d->efc_frictionloss[i], old = d->efc_force[i];
  residual(&res, s, i, 1);
  mjtNum A = d->efc_AR[s->diagonal[i]] - d->efc_R[i];
  mjtNum f = law_admissible(LAW_FRICTIONLOSS, eta, old - res / num_max(mjMINVAL, A));
  mjtNum df = f - old;
  d->efc_force[i] = f;
  return df * (df * A / 2 + res);
}

static mjtNum noslip_sweep(const Dual* s) {
  mjData* d = s->d;
  mjtNum change = 0;
  for (int i = d->ne; i < d->ne + d->nf; i++) {
    change += noslip_frictionloss(s, i);
  }
  for (int i = d->ne + d->nf; i < d->nefc;) {
    if (d->efc_type[i] == mjCNSTR_CONTACT_PYRAMIDAL) {
      change += noslip_edges(s, i);
      i += 2;
    } else if (d->efc_type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
      change += noslip_cone(s, i);
      i += law_rows(&s->rows, i);
    } else {
      i++;
    }
  }
  return change;
}

// min over allowed friction of 1/2 f' A f + f' (J a0 - aref), normal forces fixed
void dual_noslip(const mjModel* m, mjData* d) {
  mj_markStack(d);
  Dual s = dual_make(m, d, 1);

  // the first improvement includes the regularization cost, which noslip drops
  mjtNum decrease = 0;
  for (int i = 0; i < d->nefc; i++) {
    decrease += d->efc_R[i] * d->efc_force[i] * d->efc_force[i] / 2;
  }
  int iter = 0, before = d->solver_niter[0];
  while (iter < m->opt.noslip_iterations) {
    decrease -= noslip_sweep(&s);
    mjtNum improvement = finish_sweep(&s, decrease, before + iter++);
    if (improvement < m->opt.noslip_tolerance) {
      break;
    }
    decrease = 0;
  }
  d->solver_niter[0] += iter;
  finish(&s);
  mj_freeStack(d);
}
