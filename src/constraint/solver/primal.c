// Newton and conjugate gradients: one descent with two search directions.
//
//   grad = M a - tau0 - J' f(J a - aref)
//   Newton:  s = -H^-1 grad          CG:  s = -M^-1 grad + beta s_old
//
// a, M a and J a move by alpha times the images of s, so each iteration needs one product with M
// and one with J.                                         theory/contact/solvers.md, Primal descent

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/dense.h"
#include "base/algebra/vec.h"
#include "constraint/law/cache.h"
#include "constraint/law/dense_rows.h"
#include "constraint/law/law.h"
#include "constraint/law/problem.h"
#include "constraint/solver/edges.h"
#include "constraint/solver/hessian.h"
#include "constraint/solver/hessian_small.h"
#include "constraint/solver/line_bracket.h"
#include "model/data/arena.h"
#include "model/data/share.h"

// Each function is inlined twice: for any problem, where kernels compute the products, and into a
// single kernel for small problems. `small` is a constant that tells which.

typedef struct {
  Problem* p;
  int newton;
  int by_bracket;                               // which line search
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

// products and vectors

INLINE void mul_J(mjtNum* res, const Problem* p, const mjtNum* x, int small) {
  if (small) {
    dense_rows_dot(res, p->J.value, x, p->rows.nefc, p->J.ld);
  } else if (p->shared) {
    matrix_mulv_shared(res, p->d, &p->J, x, NULL);
  } else {
    matrix_mulv(res, &p->J, x);
  }
}

INLINE void mul_M(mjtNum* res, const Problem* p, const mjtNum* x, int small) {
  if (small) {
    dense_rows_sum(res, p->M_dense, x, p->n, p->J.ld);
  } else {
    problem_mul_M(res, p, x);
  }
}

INLINE mjtNum cost_at(const Problem* p, int* state, const mjtNum* jar, int hessian, int small) {
  return small ? law_cost_inline(p->force, state, &p->rows, jar, hessian)
               : law_cost(p->force, state, &p->rows, jar, hessian);
}

INLINE void copy(mjtNum* to, const mjtNum* from, int n) {
  for (int i = 0; i < n; i++) {
    to[i] = from[i];
  }
}

// y += s x, up to the end of the last vector
INLINE void add_scaled(mjtNum* y, const mjtNum* x, mjtNum s, int n, int small) {
  if (!small) {
    axpy_n(y, x, s, n);
    return;
  }
  for (int i = 0; i < n; i += SIMD_N) {
    SIMD_AT(SimdN, y + i) = SIMD_READ(SimdN, y + i) + s * SIMD_READ(SimdN, x + i);
  }
}

INLINE mjtNum dot(const mjtNum* a, const mjtNum* b, int n, int small) {
  if (!small) {
    return dot_n(a, b, n);
  }
  SimdN sum = {0};
  for (int i = 0; i < n; i += SIMD_N) {
    sum += SIMD_READ(SimdN, a + i) * SIMD_READ(SimdN, b + i);
  }
  return simdn_sum(&sum);
}

// start

// out = J acc - aref
INLINE void residual_at(mjtNum* out, const Problem* p, const mjtNum* acc, int small) {
  const mjtNum* aref = p->start->aref;
  if (!small) {
    matrix_mulv_shared(out, p->d, &p->J, acc, aref);
    return;
  }
  mul_J(out, p, acc, small);
  for (int i = 0; i < p->rows.nefc; i++) {
    out[i] -= aref[i];
  }
}

// Those of both points where a problem may start.
INLINE void both_residuals(Problem* p, int small) {
  if (small) {
    residual_at(p->start->b, p, p->acc_smooth, small);
    residual_at(p->jar, p, p->acc, small);
    return;
  }
  mjtNum* const out[2] = {p->start->b, p->jar};
  const mjtNum* const acc[2] = {p->acc_smooth, p->acc};
  matrix_mulv_two(out, p->d, &p->J, acc, p->start->aref);
}

INLINE void start_cold(Problem* p) {
  copy(p->acc, p->acc_smooth, p->n);
  copy(p->Ma, p->frc_smooth, p->n);
  copy(p->jar, p->start->b, p->rows.nefc);
  p->has_cost = 0;
}

// jar and M acc, as finite differences have cached them.
static void cached_point(SolverCacheStart* cache, Problem* p) {
  size_t bytes = p->n * sizeof(mjtNum);
  if (!cache->filled || memcmp(cache->x, p->acc, bytes) != 0) {
    memcpy(cache->x, p->acc, bytes);
    matrix_mulv(cache->Jx, &p->J, p->acc);
    problem_mul_M(p->Ma, p, p->acc);
    memcpy(cache->Mx, p->Ma, bytes);
    cache->filled = 1;
  }
  mju_sub(p->jar, cache->Jx, p->start->aref, p->rows.nefc);
  memcpy(p->Ma, cache->Mx, bytes);
}

// Starts at the unconstrained solution of dofs without rows, which move freely.
INLINE void start_free(Problem* p) {
  const mjData* d = p->d;
  for (int i = d->nidof; d->nisland && i < p->n; i++) {
    int dof = d->map_idof2dof[i];
    p->acc[dof] = p->acc_smooth[dof];
    p->Ma[dof] = p->frc_smooth[dof];
  }
}

// The costs of both points where a problem may start, one by each of two threads.
typedef struct Costs {
  Problem* p;
  mjtNum* force;  // scratch of the cold start
  mjtNum cold;
  int newton;
} Costs;

static void cost_piece(void* argument, int begin, int end) {
  Costs* costs = argument;
  Problem* p = costs->p;
  const ProblemStart* start = p->start;
  for (int i = begin; i < end; i++) {
    if (i) {
      costs->cold = law_cost(costs->force, start->cold_state, &p->rows, start->b, 0);
    } else {
      p->cost = law_cost(p->force, p->state, &p->rows, p->jar, costs->newton);
    }
  }
}

static int costs_shared(mjtNum* cold, Problem* p, int newton) {
  const int least = 4096;  // rows
  int n = p->rows.nefc;
  if (!share_pays(p->d, n, least)) {
    return 0;
  }
  size_t top = arena_top(p->d);
  Costs costs = {.p = p, .newton = newton};
  costs.force = arena_push(p->d, (size_t)n * sizeof(mjtNum), _Alignof(mjtNum));
  if (costs.force) {
    share_for(p->d, 2, 1, cost_piece, &costs);
    *cold = costs.cold;
  }
  arena_pop(p->d, top);
  return costs.force != NULL;
}

// The last step's solution, which acc holds, or the unconstrained one, whichever costs less.
INLINE void start(Problem* p, int newton, int small) {
  const ProblemStart* start = p->start;
  SolverCacheStart* cache = start->whole && !small ? solver_cache_start(p->d) : NULL;
  if (!start->warm) {
    residual_at(start->b, p, p->acc_smooth, small);
    start_cold(p);
    return;
  }
  if (cache) {
    residual_at(start->b, p, p->acc_smooth, small);
    cached_point(cache, p);
  } else {
    both_residuals(p, small);
    mul_M(p->Ma, p, p->acc, small);
  }
  mjtNum gauss = 0;
  for (int i = 0; i < p->n; i++) {
    gauss += (p->Ma[i] - p->frc_smooth[i]) * (p->acc[i] - p->acc_smooth[i]);
  }
  mjtNum cold = 0;
  if (small || !costs_shared(&cold, p, newton)) {
    cold = cost_at(p, start->cold_state, start->b, 0, small);
    p->cost = cost_at(p, p->state, p->jar, newton, small);
  }
  p->has_cost = 1;
  if (p->cost + gauss / 2 > cold) {
    start_cold(p);
  } else {
    start_free(p);
  }
}

void primal_start(Problem* p, int newton) {
  start(p, newton, 0);
}

// descent

static mjtNum* vector_make(mjData* d, int n) {
  mjtNum* v = arena_take(d, sizeof(mjtNum) * int_max(1, SIMD_PADDED(n)), 64);
  memset(v, 0, sizeof(mjtNum) * SIMD_PADDED(n));
  return v;
}

// The Gauss term, its gradient (residual), and the gradient of the total cost, with SIMD_PADDED(n)
// numbers each.
INLINE mjtNum gradients_inline(mjtNum* grad, mjtNum* residual, const Problem* p) {
  SimdN gauss = {0};
  for (int i = 0; i < p->n; i += SIMD_N) {
    SimdN r = SIMD_READ(SimdN, p->Ma + i) - SIMD_READ(SimdN, p->frc_smooth + i);
    gauss += r * (SIMD_READ(SimdN, p->acc + i) - SIMD_READ(SimdN, p->acc_smooth + i));
    SIMD_AT(SimdN, residual + i) = r;
    SIMD_AT(SimdN, grad + i) = r - SIMD_READ(SimdN, p->frc_constraint + i);
  }
  return simdn_sum(&gauss) / 2;
}

KERNEL
static mjtNum gradients(mjtNum* grad, mjtNum* residual, const Problem* p) {
  return gradients_inline(grad, residual, p);
}

static void swap(mjtNum** a, mjtNum** b) {
  mjtNum* c = *a;
  *a = *b;
  *b = c;
}

// Forces, states, total cost and its gradient at the current acceleration; CG keeps the last
// gradient.
INLINE void evaluate(Descent* s, int small) {
  Problem* p = s->p;
  if (!s->newton) {
    swap(&s->grad, &s->grad_old);
  }
  mjtNum cost = p->has_cost ? p->cost : cost_at(p, p->state, p->jar, s->newton, small);
  p->has_cost = 0;
  if (small) {
    dense_rows_sum(p->frc_constraint, p->J.value, p->force, p->rows.nefc, p->J.ld);
    s->gauss = gradients_inline(s->grad, s->residual, p);
  } else {
    if (s->edges.n) {
      edges_tmulv(p->frc_constraint, &s->edges, &p->J, p->force);
    } else {
      matrix_tmulv(p->frc_constraint, &p->J, p->force);
    }
    s->gauss = gradients(s->grad, s->residual, p);
  }
  s->cost = cost + s->gauss;
}

// search = -H^-1 grad, with H updated from the states `before` (NULL: none) to the present ones.
INLINE void newton_direction(Descent* s, const int* before, int small) {
  Problem* p = s->p;
  for (int i = 0; i < p->n; i++) {
    s->search[i] = -s->grad[i];
  }
  if (small) {
    small_newton(p, s->search);
  } else if (p->M_dense) {
    dense_solve(&s->dense, p, before, s->search);
  } else {
    sparse_update(&s->sparse, p, before);
    sparse_solve(&s->sparse, s->search);
  }
}

// Of Hager and Zhang, with y = grad - grad_old, p = M^-1 grad, d the last direction:
//
//   beta = max((y'p - 2 (y' M^-1 y / d'y) d'grad) / d'y,  -1 / (|d| min(0.01, |grad|)))
//
// products: grad'p, grad'p_old
static mjtNum conjugate_factor(const Descent* s, const mjtNum products[2]) {
  mjtNum dg = 0, dy = 0, dd = 0, gg = 0, old_p = 0;
  for (int i = 0; i < s->p->n; i++) {
    mjtNum d = s->search[i], g = s->grad[i];
    dg += d * g;
    dy += d * (g - s->grad_old[i]);
    dd += d * d;
    gg += g * g;
    old_p += s->grad_old[i] * s->Mgrad[i];
  }
  if (dy < mjMINVAL) {
    return 0;
  }
  mjtNum yp = products[0] - old_p, square = yp - (products[1] - s->square_old);
  mjtNum least = -1 / num_max(mjMINVAL, mju_sqrt(dd) * num_min((mjtNum)0.01, mju_sqrt(gg)));
  return num_max((yp - 2 * (square / dy) * dg) / dy, least);
}

// beta = max(0, grad'(Mgrad - Mgrad_old) / grad_old' Mgrad_old) Polak-Ribiere, or as above
static void gradient_direction(Descent* s, int first) {
  int n = s->p->n;
  swap(&s->Mgrad, &s->Mgrad_old);
  memcpy(s->Mgrad, s->grad, n * sizeof(mjtNum));
  problem_solve_M(s->Mgrad, s->p, s->path);
  const mjtNum* const images[2] = {s->Mgrad, s->Mgrad_old};
  mjtNum beta = 0, products[2];
  dot2_n(products, images, s->grad, n);
  if (!first && s->p->by_decrement) {
    beta = conjugate_factor(s, products);
  } else if (!first) {
    beta = num_max(0, (products[0] - products[1]) / num_max(mjMINVAL, s->square_old));
  }
  s->square_old = products[0];
  for (int i = 0; i < n; i++) {
    s->search[i] = beta * s->search[i] - s->Mgrad[i];
  }
}

// Direction after the states `before`, NULL at the start.
INLINE void find_direction(Descent* s, const int* before, int small) {
  if (small || s->newton) {
    newton_direction(s, before, small);
  } else {
    gradient_direction(s, !before);
  }
}

// Minimizes along `search`; leaves Mv and Jv.
INLINE LineMinimum line_search(Descent* s, const mjOption* opt, int small) {
  Problem* p = s->p;
  int n = p->n;
  mul_M(s->Mv, p, s->search, small);
  mjtNum products[3];
  if (small) {
    products[0] = dot(s->search, s->search, n, 1);
    products[1] = dot(s->residual, s->search, n, 1);
    products[2] = dot(s->Mv, s->search, n, 1);
  } else {
    const mjtNum* const factors[3] = {s->search, s->residual, s->Mv};
    dot3_n(products, factors, s->search, n);
  }
  mjtNum norm = mju_sqrt(products[0]);
  if (norm < mjMINVAL) {
    return (LineMinimum){0, 0, 0};
  }
  if (!small && s->edges.n) {
    edges_mulv(s->line.Jv, &s->edges, &p->J, s->search);
  } else {
    mul_J(s->line.Jv, p, s->search, small);
  }
  const mjtNum gauss[3] = {s->gauss, products[1], products[2] / 2};
  mjtNum gtol = line_tolerance(opt, norm, p->scale);
  int limit = opt->ls_iterations;
  LineMinimum found = s->by_bracket ? line_bracket(&s->line, gauss, gtol, limit, p->by_decrement)
                      : small       ? line_minimum_inline(&s->line, gauss, gtol, limit)
                                    : line_minimum(&s->line, gauss, gtol, limit);
  found.slope *= p->scale / norm;
  return found;
}

INLINE void step(Descent* s, mjtNum alpha, int small) {
  Problem* p = s->p;
  add_scaled(p->acc, s->search, alpha, p->n, small);
  add_scaled(p->Ma, s->Mv, alpha, p->n, small);
  add_scaled(p->jar, s->line.Jv, alpha, p->rows.nefc, small);
}

INLINE void record(const Descent* s, int iter, const mjSolverStat* stat) {
  const Problem* p = s->p;
  if (p->island >= mjNISLAND || iter >= mjNSOLVER) {
    return;
  }
  mjSolverStat* to = p->d->solver + p->island * mjNSOLVER + iter;
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

// The decrease of the cost that a step -x would gain, for x = H^-1 grad.
INLINE mjtNum decrement(const Descent* s, const mjtNum* x) {
  mjtNum product = 0;
  for (int i = 0; i < s->p->n; i++) {
    product += s->grad[i] * x[i];
  }
  return s->p->scale * product / 2;
}

INLINE mjtNum gradient_size(const Descent* s, int small) {
  return s->p->scale * mju_sqrt(dot(s->grad, s->grad, s->p->n, small));
}

// Is the start a solution, by H = M? Newton asks for a small gradient, too.
INLINE int starts_solved(Descent* s, const mjOption* opt, int small) {
  Problem* p = s->p;
  if (!p->by_decrement || (s->newton && !(gradient_size(s, small) < opt->tolerance))) {
    return 0;
  }
  copy(s->Mv, s->grad, p->n);
  problem_solve_M(s->Mv, p, s->search);
  return num_max(0, decrement(s, s->Mv)) < opt->tolerance;
}

// Does Newton's direction promise too little?
INLINE int has_arrived(const Descent* s, const mjOption* opt) {
  return s->p->by_decrement && s->newton && num_max(0, -decrement(s, s->search)) < opt->tolerance;
}

// From the start of the problem until there is no improvement; returns the number of iterations.
INLINE int descend(Descent* s, const mjOption* opt, int small) {
  Problem* p = s->p;
  evaluate(s, small);
  int iter = 0;
  if (starts_solved(s, opt, small)) {
    return 0;
  }

  // an infinite cost has no descent: its differences are rounding errors
  while (iter < opt->iterations && !isinf(s->cost)) {
    mjSolverStat stat;
    if (iter == 0) {
      find_direction(s, NULL, small);
      if (has_arrived(s, opt) && gradient_size(s, small) < opt->tolerance) {
        break;
      }
    } else if (!small && iter == 2 && !s->newton && p->J.rownnz) {
      edges_make(&s->edges, p->d, &p->J);
    }
    LineMinimum found = line_search(s, opt, small);
    if (found.alpha == 0) {
      break;
    }
    step(s, found.alpha, small);

    mjtNum old = s->cost;
    for (int i = 0; i < p->rows.nefc; i++) {
      s->before[i] = p->state[i];
    }
    evaluate(s, small);
    stat.improvement = p->scale * (old - s->cost);
    stat.gradient = gradient_size(s, small);
    stat.lineslope = found.slope;
    stat.neval = found.neval;
    int stays = stat.improvement < opt->tolerance &&
                !(p->by_decrement && s->by_bracket && stat.improvement <= 0);
    int done = stays || stat.gradient < opt->tolerance || (!s->by_bracket && stat.improvement <= 0);
    if (!done && iter + 1 < opt->iterations) {
      find_direction(s, s->before, small);
      done = has_arrived(s, opt);
    }
    record(s, iter++, &stat);
    if (done) {
      break;
    }
  }
  return iter;
}

// any problem

// Sets only the members that the method uses: clearing and copying all of them would take as long
// as a small solve.
static void descent_make(Descent* s, const mjOption* opt, mjData* d, Problem* p, int newton) {
  int n = p->n;
  s->p = p;
  s->newton = newton;
  s->by_bracket = !newton || problem_is_cut_short(opt);
  s->grad = vector_make(d, n);
  s->residual = vector_make(d, n);
  s->search = vector_make(d, n + 1);  // edges_mulv reads one number more
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
    dense_make(&s->dense, d, p);
  } else {
    sparse_make(&s->sparse, d, p);
  }
}

// min over a of 1/2 (a - a0)' M (a - a0) + s(J a - aref)
// Also newton in lanes/solvers/newton.h and lane_descend in lanes/solvers/descent.h.
int primal_solve(const mjModel* m, mjData* d, Problem* p, int newton) {
  size_t top = arena_top(d);
  Descent s;
  descent_make(&s, &m->opt, d, p, newton);
  int iter = descend(&s, &m->opt, 0);
  arena_pop(d, top);
  return iter;
}

// small problems

// All vectors and matrices of a small problem, in the order of Problem and Descent.
typedef struct {
  mjtNum acc[SMALL_DOFS], acc_smooth[SMALL_DOFS], frc_smooth[SMALL_DOFS], Ma[SMALL_DOFS];
  mjtNum frc_constraint[SMALL_DOFS], residual[SMALL_DOFS], grad[SMALL_DOFS], search[SMALL_DOFS];
  mjtNum Mv[SMALL_DOFS];
  mjtNum jar[SMALL_ROWS], Jv[SMALL_ROWS], D_onesided[SMALL_ROWS];
  int before[SMALL_ROWS];
  ConeRows cone[SMALL_ROWS / LEAST_CONE_ROWS];
  ConeLines cones[SMALL_ROWS / LEAST_CONE_ROWS / SIMD_N + 1];
  mjtNum J[SMALL_ROWS * SMALL_DOFS], M[SMALL_DOFS * SMALL_DOFS];
} SmallRoom;

// Copies rows of J, packed or compressed, to padded ones. A compressed row of n numbers has all
// columns, and those of free bodies mostly do.
INLINE void small_rows(mjtNum* to, const Matrix* J, int n) {
  ptrdiff_t ld = SIMD_PADDED(n);
  for (int i = 0; i < J->nrow; i++, to += ld) {
    int nnz = J->rownnz ? J->rownnz[i] : n;
    const mjtNum* value = J->value + (J->rownnz ? J->rowadr[i] : i * J->ld);
    if (nnz == n) {
      dense_pad(to, value, n);
      continue;
    }
    const int* column = J->column + J->rowadr[i];
    for (int b = 0; b < ld; b += SIMD_N) {
      SIMD_AT(SimdN, to + b) = (SimdN){0};
    }
    for (int k = 0; k < nnz; k++) {
      to[column[k]] = value[k];
    }
  }
}

// Copies J and M to padded rows, M with both triangles.
INLINE void small_matrices(SmallRoom* room, Problem* p) {
  int n = p->n, nefc = p->rows.nefc;
  ptrdiff_t ld = SIMD_PADDED(n);
  small_rows(room->J, &p->J, n);
  for (int i = 0; i < n * ld; i += SIMD_N) {
    SIMD_AT(SimdN, room->M + i) = (SimdN){0};
  }
  for (int i = 0; i < n; i++) {
    const mjtNum* value = p->M + p->tree.rowadr[i];
    const int* column = p->tree.colind + p->tree.rowadr[i];
    for (int k = 0, nnz = p->tree.rownnz[i]; k < nnz; k++) {
      room->M[i * ld + column[k]] = room->M[column[k] * ld + i] = value[k];
    }
  }
  p->J = (Matrix){.nrow = nefc, .ncolumn = n, .ld = ld, .value = room->J};
  p->M_dense = room->M;
}

// Copies the vectors that a problem has, with zeros behind their n numbers; the others are zero.
INLINE void small_vectors(SmallRoom* room, Problem* p) {
  int n = p->n, nefc = p->rows.nefc;
  dense_pad(room->acc, p->acc, n);
  dense_pad(room->acc_smooth, p->acc_smooth, n);
  dense_pad(room->frc_smooth, p->frc_smooth, n);
  if (p->start) {
    for (int i = n; i < SIMD_PADDED(n); i++) {
      room->Ma[i] = 0;
    }
    for (int i = nefc; i < SIMD_PADDED(nefc); i++) {
      room->jar[i] = 0;
    }
  } else {
    dense_pad(room->Ma, p->Ma, n);
    dense_pad(room->jar, p->jar, nefc);
  }
  for (int i = n; i < SIMD_PADDED(n); i++) {
    room->search[i] = 0;
  }
  p->acc = room->acc;
  p->acc_smooth = room->acc_smooth;
  p->frc_smooth = room->frc_smooth;
  p->Ma = room->Ma;
  p->jar = room->jar;
  p->frc_constraint = room->frc_constraint;
}

// A solve of a robot of nine dofs and eight rows takes half the instructions of primal_solve.
KERNEL int primal_small(mjtNum* acc, mjtNum* frc, const mjModel* m, Problem* p) {
  SmallRoom room;  // too large to be cleared each time
  Descent s;
  small_matrices(&room, p);
  small_vectors(&room, p);
  if (p->start) {
    start(p, 1, 1);
  }
  s.p = p;
  s.newton = 1;
  s.by_bracket = problem_is_cut_short(&m->opt);
  s.residual = room.residual;
  s.grad = room.grad;
  s.search = room.search;
  s.Mv = room.Mv;
  s.before = room.before;
  line_fill(&s.line, &p->rows, p->jar, p->trouble, room.Jv, room.D_onesided, room.cone, room.cones);
  int iter = descend(&s, &m->opt, 1);
  copy(acc, p->acc, p->n);
  copy(frc, p->frc_constraint, p->n);
  return iter;
}
