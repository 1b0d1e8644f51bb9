// Newton and conjugate gradients: one descent with two search directions.
//
//   grad = M a - tau0 - J' f(J a - aref)
//   Newton:  s = -H^-1 grad          CG:  s = -M^-1 grad + beta s_old
//
// a, M a and J a move by alpha times the images of s, so each iteration needs one product with M
// and one with J.                                                 theory/solvers.md, Primal descent

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec.h"
#include "constraint/law.h"
#include "constraint/solver/edges.h"
#include "constraint/solver/hessian.h"
#include "constraint/solver/line_search.h"
#include "constraint/solver/problem.h"
#include "model/arena.h"

typedef struct {
  Problem* p;
  int newton;
  mjtNum cost, gauss;                           // total, of the Gauss term
  mjtNum* residual;                             // M a - tau0, SIMD_PADDED(n), zeros at the end
  mjtNum *grad, *search, *Mv;                   // SIMD_PADDED(n), zeros at the end
  mjtNum *Mgrad, *grad_old, *Mgrad_old, *path;  // CG only
  mjtNum square_old;                            // grad_old' Mgrad_old, CG only
  int* before;                                  // states of the last iteration
  Line line;
  DenseHessian dense;
  SparseHessian sparse;
  EdgeRows edges;  // CG only, packed when the descent goes on
} Descent;

static mjtNum* vector_make(mjData* d, int n) {
  mjtNum* v = arena_take(d, sizeof(mjtNum) * int_max(1, SIMD_PADDED(n)), 64);
  memset(v, 0, sizeof(mjtNum) * SIMD_PADDED(n));
  return v;
}

// Gauss term, its gradient and that of the total cost, with SIMD_PADDED(n) numbers each.
KERNEL
static mjtNum gradients(mjtNum* grad, mjtNum* residual, const Problem* p) {
  SimdN gauss = {0};
  for (int i = 0; i < p->n; i += SIMD_N) {
    SimdN r = SIMD_READ(SimdN, p->Ma + i) - SIMD_READ(SimdN, p->frc_smooth + i);
    gauss += r * (SIMD_READ(SimdN, p->acc + i) - SIMD_READ(SimdN, p->acc_smooth + i));
    SIMD_AT(SimdN, residual + i) = r;
    SIMD_AT(SimdN, grad + i) = r - SIMD_READ(SimdN, p->frc_constraint + i);
  }
  return simdn_sum(&gauss) / 2;
}

static void swap(mjtNum** a, mjtNum** b) {
  mjtNum* c = *a;
  *a = *b;
  *b = c;
}

// Forces, states, total cost and its gradient at the current acceleration; CG keeps the last
// gradient.
static void evaluate(Descent* s) {
  Problem* p = s->p;
  if (!s->newton) {
    swap(&s->grad, &s->grad_old);
  }
  mjtNum cost = p->has_cost ? p->cost : law_cost(p->force, p->state, &p->rows, p->jar, s->newton);
  p->has_cost = 0;
  if (s->edges.n) {
    edges_tmulv(p->frc_constraint, &s->edges, &p->J, p->force);
  } else {
    matrix_tmulv(p->frc_constraint, &p->J, p->force);
  }
  s->gauss = gradients(s->grad, s->residual, p);
  s->cost = cost + s->gauss;
}

// search = -H^-1 grad, with H updated from the states `before` (NULL: none) to the present ones.
static void newton_direction(Descent* s, const int* before) {
  Problem* p = s->p;
  for (int i = 0; i < p->n; i++) {
    s->search[i] = -s->grad[i];
  }
  if (small_is(p)) {
    small_solve(p, s->search);
  } else if (p->M_dense) {
    dense_solve(&s->dense, p, before, s->search);
  } else {
    sparse_update(&s->sparse, p, before);
    sparse_solve(&s->sparse, s->search);
  }
}

// beta = max(0, grad'(Mgrad - Mgrad_old) / grad_old' Mgrad_old) Polak-Ribiere
static void gradient_direction(Descent* s, int first) {
  int n = s->p->n;
  swap(&s->Mgrad, &s->Mgrad_old);
  memcpy(s->Mgrad, s->grad, n * sizeof(mjtNum));
  problem_solve_M(s->Mgrad, s->p, s->path);
  const mjtNum* const images[2] = {s->Mgrad, s->Mgrad_old};
  mjtNum beta = 0, products[2];
  dot2_n(products, images, s->grad, n);
  if (!first) {
    beta = num_max(0, (products[0] - products[1]) / num_max(mjMINVAL, s->square_old));
  }
  s->square_old = products[0];
  for (int i = 0; i < n; i++) {
    s->search[i] = beta * s->search[i] - s->Mgrad[i];
  }
}

// Direction after the states `before`, NULL at the start.
static void find_direction(Descent* s, const int* before) {
  if (s->newton) {
    newton_direction(s, before);
  } else {
    gradient_direction(s, !before);
  }
}

// Minimizes along `search`; leaves Mv and Jv.
static LineMinimum line_search(Descent* s, const mjOption* opt) {
  Problem* p = s->p;
  int n = p->n;
  problem_mul_M(s->Mv, p, s->search);
  const mjtNum* const factors[3] = {s->search, s->residual, s->Mv};
  mjtNum products[3];
  dot3_n(products, factors, s->search, n);
  mjtNum norm = mju_sqrt(products[0]);
  if (norm < mjMINVAL) {
    return (LineMinimum){0, 0, 0};
  }
  if (s->edges.n) {
    edges_mulv(s->line.Jv, &s->edges, &p->J, s->search);
  } else {
    matrix_mulv(s->line.Jv, &p->J, s->search);
  }
  const mjtNum gauss[3] = {s->gauss, products[1], products[2] / 2};
  mjtNum gtol = opt->tolerance * opt->ls_tolerance * norm / p->scale;
  LineMinimum found = line_minimum(&s->line, gauss, gtol, opt->ls_iterations);
  found.slope *= p->scale / norm;
  return found;
}

static void step(Descent* s, mjtNum alpha) {
  Problem* p = s->p;
  axpy_n(p->acc, s->search, alpha, p->n);
  axpy_n(p->Ma, s->Mv, alpha, p->n);
  axpy_n(p->jar, s->line.Jv, alpha, p->rows.nefc);
}

static void record(mjData* d, const Descent* s, int iter, const mjSolverStat* stat) {
  const Problem* p = s->p;
  if (p->island >= mjNISLAND || iter >= mjNSOLVER) {
    return;
  }
  mjSolverStat* to = d->solver + p->island * mjNSOLVER + iter;
  *to = *stat;
  int nactive = 0, nchange = 0, nupdate = 0;
  for (int i = 0; i < p->rows.nefc; i++) {
    int now = p->state[i], before = s->before[i];
    nactive += now != mjCNSTRSTATE_SATISFIED;
    nchange += now != before;

    // rank-one changes of H: rows that enter or leave the quadratic zone, and all rows of cone
    // blocks
    nupdate += (now == mjCNSTRSTATE_QUADRATIC) != (before == mjCNSTRSTATE_QUADRATIC);
    nupdate += now == mjCNSTRSTATE_CONE;
  }
  to->nactive = nactive;
  to->nchange = nchange;
  to->nupdate = s->newton ? nupdate : 0;
}

// Sets every member that the method uses: clearing and copying all of them takes as long as a small
// solve.
static void descent_make(Descent* s, mjData* d, Problem* p, int newton) {
  int n = p->n;
  s->p = p;
  s->newton = newton;
  s->grad = vector_make(d, n);
  s->residual = vector_make(d, n);
  s->search = vector_make(d, n + 1);  // for edges_mulv
  s->Mv = vector_make(d, n);
  s->edges.n = 0;
  s->before = arena_int(d, p->rows.nefc);
  s->line = line_make(d, &p->rows, p->jar, p->trouble);
  if (!newton) {
    s->Mgrad = vector_make(d, n);
    s->grad_old = vector_make(d, n);
    s->Mgrad_old = vector_make(d, n);
    s->path = vector_make(d, n);
  } else if (p->M_dense) {
    if (!small_is(p)) {
      dense_make(&s->dense, d, p);
    }
  } else {
    sparse_make(&s->sparse, d, p);
  }
}

// min over a of 1/2 (a - a0)' M (a - a0) + s(J a - aref)
int primal_solve(const mjModel* m, mjData* d, Problem* p, int newton) {
  const mjOption* opt = &m->opt;
  size_t top = arena_top(d);
  Descent s;
  descent_make(&s, d, p, newton);
  evaluate(&s);
  int iter = 0;

  // an infinite cost has no descent: its differences are rounding errors
  while (iter < opt->iterations && !isinf(s.cost)) {
    mjSolverStat stat;
    if (iter == 0) {
      find_direction(&s, NULL);
    } else if (iter == 2 && !newton && p->J.rownnz) {
      edges_make(&s.edges, d, &p->J);
    }
    LineMinimum found = line_search(&s, opt);
    if (found.alpha == 0) {
      break;
    }
    step(&s, found.alpha);

    mjtNum old = s.cost;
    memcpy(s.before, p->state, p->rows.nefc * sizeof(int));
    evaluate(&s);
    stat.improvement = p->scale * (old - s.cost);
    stat.gradient = p->scale * mju_sqrt(dot_n(s.grad, s.grad, p->n));
    stat.lineslope = found.slope;
    stat.neval = found.neval;
    int done = stat.improvement < opt->tolerance || stat.gradient < opt->tolerance;
    if (!done && iter + 1 < opt->iterations) {
      find_direction(&s, s.before);
    }
    record(d, &s, iter++, &stat);
    if (done) {
      break;
    }
  }
  arena_pop(d, top);
  return iter;
}
