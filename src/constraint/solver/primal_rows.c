// Newton's method for problems of few rows, by the numbers of the rows alone.
//
// Every point that primal.c can reach from a start a_w is of this form, with e = a_w - a0:
//
//   a = a0 + beta e + M^-1 J' g      x = J a - aref = b + beta J e + A g      A = J M^-1 J'
//
// where beta = 1 and g = 0 at first. A step of Newton's method leads to beta = 0 and g + h,
//
//   (1 + W A) h = f - g + beta W J e       W: curvatures of the rows, f: their forces at x
//
// With W = S S', a column of S for each active row, and r the right side,
//
//   h = r + S y                            (1 + S' A S) y = -S' A r
//
// So an iteration factors a matrix of the active rows and multiplies by A. Dofs come in only at the
// end, with M's factor, which exists anyway. If no row has changed its zone at the end of a step,
// then g are the forces.
//                                                     theory/contact/solvers.md, Newton on the rows

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/dense.h"
#include "base/algebra/sparse_row.h"
#include "base/algebra/vec.h"
#include "constraint/law/cache.h"
#include "constraint/law/dense_rows.h"
#include "constraint/law/law.h"
#include "constraint/law/problem.h"
#include "constraint/rows/half_rows.h"
#include "constraint/solver/hessian.h"
#include "constraint/solver/line_search.h"
#include "model/data/arena.h"
#include "model/data/jacobian.h"
#include "smooth/ldl.h"

// A column of S for a cone: numbers of the dim rows from `row` on.
typedef struct {
  int row, dim;
  mjtNum s[6];
} ConeColumn;

typedef struct {
  Problem* p;
  int n;            // rows
  ptrdiff_t ld;     // SIMD_PADDED(n), the length of vectors; they end with zeros
  const mjtNum* A;  // n x ld
  const mjtNum *b, *Je;
  mjtNum beta, ee;      // e' M e
  mjtNum *x, *g, *Ag;   // the point
  mjtNum *h, *Ah, *x1;  // Newton's step, and x at its end
  mjtNum cost, gauss;   // total, of the Gauss term
  int* before;          // states of the last iteration
  Line line;

  // S and the system of a step: columns of scalar rows, then those of cones
  int nscalar, ncone;
  int* row;      // of scalar rows
  mjtNum* root;  // of their curvatures
  ConeColumn* cone;
  mjtNum* mixed;  // scratch, ld: a combination of rows of A
  mjtNum* grad;   // of the total cost, by dofs
  mjtNum* moved;  // scratch, 2 dofs
  mjtNum *B, *DInv, *y;
  int* blocks;  // scratch of the factorization
} RowDescent;

// S

// The columns of a cone in its middle zone, whose curvature is (law.h, t = U / T)
//
//   W = Dm sigma sigma' o ((1, -mu t) (1, -mu t)' + mu (mu T - N) / T (0, 1 - t t'))
//
// 1 - t t' is the sum of o_k o_k' over a basis across t, columns of the reflection that takes t to
// the first axis: o_k = e_k - t_k / (1 + |t_0|) (t + sign(t_0) e_0), k > 0.
INLINE int cone_columns(ConeColumn* to, const mjContact* contact, const mjtNum* x, mjtNum D0,
                        int row) {
  ConePoint at = cone_point(contact, x);
  int dim = contact->dim;
  mjtNum mu = contact->mu, along = mju_sqrt(cone_stiffness(D0, mu)), t[5];
  mjtNum across = along * mju_sqrt(num_max(0, mu * (mu * at.T - at.N) / at.T));
  *to = (ConeColumn){row, dim, {along * mu}};
  for (int j = 0; j < dim - 1; j++) {
    t[j] = at.U[j + 1] / at.T;
    to->s[j + 1] = -along * mu * t[j] * contact->friction[j];
  }
  mjtNum sign = t[0] < 0 ? -1 : 1;
  for (int k = 1; k < dim - 1; k++) {
    mjtNum share = t[k] / (1 + sign * t[0]);
    to[k] = (ConeColumn){row, dim, {0}};
    for (int j = 0; j < dim - 1; j++) {
      mjtNum o = (j == k) - share * (j ? t[j] : t[0] + sign);
      to[k].s[j + 1] = across * contact->friction[j] * o;
    }
  }
  return dim - 1;
}

// S for the present states.
INLINE void find_columns(RowDescent* s) {
  const Rows* rows = &s->p->rows;
  const int* state = s->p->state;
  int nscalar = 0, ncone = 0;
  for (int i = 0, dim; i < s->n; i += dim) {
    dim = 1;
    if (state[i] == mjCNSTRSTATE_QUADRATIC) {
      s->row[nscalar] = i;
      s->root[nscalar++] = mju_sqrt(rows->D[i]);
    } else if (state[i] == mjCNSTRSTATE_CONE) {
      const mjContact* contact = rows->contact + rows->id[i];
      dim = contact->dim;
      ncone += cone_columns(s->cone + ncone, contact, s->x + i, rows->D[i], i);
    }
  }
  s->nscalar = nscalar;
  s->ncone = ncone;
}

INLINE mjtNum column_dot(const ConeColumn* column, const mjtNum* v) {
  mjtNum sum = 0;
  for (int j = 0; j < column->dim; j++) {
    sum += column->s[j] * v[column->row + j];
  }
  return sum;
}

// out = s' A
INLINE void mix_rows(mjtNum* out, const ConeColumn* column, const mjtNum* A, ptrdiff_t ld) {
  A += column->row * ld;
  for (int c = 0; c < ld; c += SIMD_N) {
    SimdN sum = {0};
    for (int j = 0; j < column->dim; j++) {
      sum += column->s[j] * SIMD_READ(SimdN, A + j * ld + c);
    }
    SIMD_AT(SimdN, out + c) = sum;
  }
}

// The lower triangle of B = 1 + S' A S, and y = -S' u. The last block is filled up with unknowns
// that are zero.
INLINE void make_system(RowDescent* s, const mjtNum* u) {
  int nscalar = s->nscalar, n = nscalar + s->ncone, end = SIMD_PADDED(n);
  mjtNum* B = s->B;
  for (int r = 0; r < end; r++, B += end) {
    for (int c = r / SIMD_N * SIMD_N; c <= r; c += SIMD_N) {
      SIMD_AT(SimdN, B + c) = (SimdN){0};
    }
    if (r < nscalar) {
      const mjtNum* A = s->A + s->row[r] * s->ld;
      mjtNum root = s->root[r];
      for (int c = 0; c <= r; c++) {
        B[c] = root * s->root[c] * A[s->row[c]];
      }
      s->y[r] = -root * u[s->row[r]];
    } else if (r < n) {
      const ConeColumn* column = s->cone + r - nscalar;
      mix_rows(s->mixed, column, s->A, s->ld);
      for (int c = 0; c < nscalar; c++) {
        B[c] = s->root[c] * s->mixed[s->row[c]];
      }
      for (int c = nscalar; c <= r; c++) {
        B[c] = column_dot(s->cone + c - nscalar, s->mixed);
      }
      s->y[r] = -column_dot(column, u);
    } else {
      for (int c = 0; c < r; c++) {
        B[c] = 0;
      }
      s->y[r] = 0;
    }
    B[r] += 1;
  }
}

// h += S y: adds the active rows' part to the Newton step (S, y: top of file).
INLINE void add_columns(RowDescent* s) {
  for (int r = 0; r < s->nscalar; r++) {
    s->h[s->row[r]] += s->root[r] * s->y[r];
  }
  const mjtNum* y = s->y + s->nscalar;
  for (const ConeColumn* column = s->cone; column < s->cone + s->ncone; column++, y++) {
    for (int j = 0; j < column->dim; j++) {
      s->h[column->row + j] += column->s[j] * *y;
    }
  }
}

// h = f - g + beta W J e
INLINE void right_side(RowDescent* s) {
  for (int i = 0; i < s->n; i++) {
    s->h[i] = s->p->force[i] - s->g[i];
  }
  if (s->beta == 0) {
    return;
  }
  for (int r = 0; r < s->nscalar; r++) {
    s->y[r] = s->beta * s->root[r] * s->Je[s->row[r]];
  }
  for (int r = 0; r < s->ncone; r++) {
    s->y[s->nscalar + r] = s->beta * column_dot(s->cone + r, s->Je);
  }
  add_columns(s);
}

// vectors

INLINE mjtNum dot(const mjtNum* a, const mjtNum* b, ptrdiff_t n) {
  SimdN sum = {0};
  for (int i = 0; i < n; i += SIMD_N) {
    sum += SIMD_READ(SimdN, a + i) * SIMD_READ(SimdN, b + i);
  }
  return simdn_sum(&sum);
}

// out = a + s b
INLINE void sum(mjtNum* out, const mjtNum* a, const mjtNum* b, mjtNum s, ptrdiff_t n) {
  for (int i = 0; i < n; i += SIMD_N) {
    SIMD_AT(SimdN, out + i) = SIMD_READ(SimdN, a + i) + s * SIMD_READ(SimdN, b + i);
  }
}

static void swap(mjtNum** a, mjtNum** b) {
  mjtNum* c = *a;
  *a = *b;
  *b = c;
}

// the descent

// Newton's step: h, A h, as a direction of x, and x at its end.
INLINE void find_step(RowDescent* s) {
  find_columns(s);
  right_side(s);
  dense_rows_sum(s->Ah, s->A, s->h, s->n, s->ld);
  make_system(s, s->Ah);
  dense_factor_solve(s->B, s->DInv, s->y, s->blocks, SIMD_PADDED(s->nscalar + s->ncone));
  add_columns(s);
  dense_rows_sum(s->Ah, s->A, s->h, s->n, s->ld);
  sum(s->line.Jv, s->Ah, s->Je, -s->beta, s->ld);
  sum(s->x1, s->x, s->line.Jv, 1, s->ld);
}

// The Gauss term 1/2 (a - a0)' M (a - a0).
INLINE mjtNum gauss_term(const RowDescent* s) {
  mjtNum from_start = s->beta * (s->beta * s->ee + 2 * dot(s->Je, s->g, s->ld));
  return (from_start + dot(s->g, s->Ag, s->ld)) / 2;
}

// The part of Newton's step where the cost is least:
//
//   gauss(alpha) = 1/2 |(1 - alpha) beta e + M^-1 J' (g + alpha h)|^2 in the metric of M
//
// gtol needs the step's length: it is taken in that metric, divided by the mean inertia.
INLINE LineMinimum line_search(RowDescent* s, const mjOption* opt) {
  const Problem* p = s->p;
  ptrdiff_t ld = s->ld;
  mjtNum h_Je = dot(s->h, s->Je, ld), g_Je = dot(s->g, s->Je, ld);
  mjtNum h_Ag = dot(s->h, s->Ag, ld), h_Ah = dot(s->h, s->Ah, ld);
  mjtNum beta = s->beta, square = beta * (beta * s->ee - 2 * h_Je) + h_Ah;
  const mjtNum gauss[3] = {s->gauss, h_Ag + beta * (h_Je - g_Je - beta * s->ee), square / 2};
  mjtNum size = mju_sqrt(num_max(0, square) * (mjtNum)p->n * p->scale);
  if (size < mjMINVAL) {
    return (LineMinimum){0, 0, 0};
  }
  mjtNum gtol = line_tolerance(opt, size, p->scale);
  LineMinimum found = line_minimum_inline(&s->line, gauss, gtol, opt->ls_iterations);
  found.slope *= p->scale / size;
  return found;
}

INLINE mjtNum evaluate(RowDescent* s, const mjtNum* x) {
  return law_cost_inline(s->p->force, s->p->state, &s->p->rows, x, 1);
}

// Has no row changed its zone, and is the cost quadratic there?
INLINE int is_exact(const RowDescent* s) {
  int changed = s->ncone;
  for (int i = 0; i < s->n; i++) {
    changed |= s->p->state[i] ^ s->before[i];
  }
  return !changed;
}

// res = J' v
static void mul_Jt(mjtNum* res, const Problem* p, const mjtNum* v) {
  if (p->J.rownnz) {
    matrix_tmulv(res, &p->J, v);
  } else {
    mju_mulMatTVec(res, p->J.value, v, p->J.nrow, p->J.ncolumn);
  }
}

// |beta M e + J' (g - f)|
static mjtNum gradient_norm(const RowDescent* s) {
  const Problem* p = s->p;
  mju_sub(s->mixed, s->g, p->force, s->n);
  mul_Jt(s->grad, p, s->mixed);
  for (int i = 0; s->beta != 0 && i < p->n; i++) {
    s->grad[i] += s->beta * (p->Ma[i] - p->frc_smooth[i]);
  }
  return mju_sqrt(dot_n(s->grad, s->grad, p->n));
}

INLINE void record(const RowDescent* s, int iter, const mjSolverStat* stat) {
  const Problem* p = s->p;
  if (p->island >= mjNISLAND || iter >= mjNSOLVER) {
    return;
  }
  mjSolverStat* to = p->d->solver + p->island * mjNSOLVER + iter;
  *to = *stat;
  to->nactive = to->nchange = 0;
  for (int i = 0; i < s->n; i++) {
    to->nactive += p->state[i] != mjCNSTRSTATE_SATISFIED;
    to->nchange += p->state[i] != s->before[i];
  }
  to->nupdate = to->nchange;
}

// Moves by the part alpha of Newton's step.
INLINE void step(RowDescent* s, mjtNum alpha) {
  s->beta *= 1 - alpha;
  sum(s->g, s->g, s->h, alpha, s->ld);
  sum(s->Ag, s->Ag, s->Ah, alpha, s->ld);
  if (alpha == 1) {
    swap(&s->x, &s->x1);
    s->line.jar = s->x;
  } else {
    sum(s->x, s->x, s->line.Jv, alpha, s->ld);
  }
}

// Is the start a solution? Also in primal.c.
static int starts_solved(RowDescent* s, const mjOption* opt) {
  Problem* p = s->p;
  if (!p->by_decrement || !(p->scale * gradient_norm(s) < opt->tolerance)) {
    return 0;
  }
  mjtNum* moved = s->moved;
  memcpy(moved, s->grad, (size_t)p->n * sizeof(mjtNum));
  problem_solve_M(moved, p, moved + p->n);
  return num_max(0, p->scale * dot_n(s->grad, moved, p->n) / 2) < opt->tolerance;
}

// Does Newton's step promise too little? Also in primal.c. With r = g - f, the step d of a gains
//
//   -grad'd / 2 = (beta (beta e'Me + (r - h)'Je) - r'A h) / 2
static int has_arrived(const RowDescent* s, const mjOption* opt) {
  const Problem* p = s->p;
  if (!p->by_decrement) {
    return 0;
  }
  mjtNum product = s->beta * s->beta * s->ee;
  for (int i = 0; i < s->n; i++) {
    mjtNum r = s->g[i] - p->force[i];
    product += s->beta * (r - s->h[i]) * s->Je[i] - r * s->Ah[i];
  }
  return num_max(0, p->scale * product / 2) < opt->tolerance;
}

// From the start until there is no improvement. Returns the number of iterations. *exact: g are the
// forces.
static KERNEL int descend(RowDescent* s, const mjOption* opt, int exact[1]) {
  Problem* p = s->p;
  int iter = 0, done = 0;
  mjtNum cost = p->has_cost ? p->cost : evaluate(s, s->x);
  *exact = 0;
  s->gauss = gauss_term(s);
  s->cost = cost + s->gauss;
  done = starts_solved(s, opt);

  // an infinite cost has no descent: its differences are rounding errors
  while (!done && iter < opt->iterations && !isinf(s->cost)) {
    LineMinimum found = {1, 0, 0};
    mjtNum old = s->cost;
    if (iter == 0) {
      find_step(s);
      if (has_arrived(s, opt) && p->scale * gradient_norm(s) < opt->tolerance) {
        break;
      }
    }
    for (int i = 0; i < s->n; i++) {
      s->before[i] = p->state[i];
    }
    cost = evaluate(s, s->x1);
    *exact = is_exact(s);
    if (!*exact) {
      found = line_search(s, opt);
    }
    step(s, found.alpha);
    if (found.alpha != 1) {
      cost = evaluate(s, s->x);
    }
    if (found.alpha == 0) {
      break;
    }
    s->gauss = gauss_term(s);
    s->cost = cost + s->gauss;
    mjSolverStat stat = {.improvement = p->scale * (old - s->cost),
                         .gradient = *exact ? 0 : p->scale * gradient_norm(s),
                         .lineslope = found.slope,
                         .neval = found.neval};
    done = *exact || stat.improvement <= 0 || stat.improvement < opt->tolerance ||
           stat.gradient < opt->tolerance;
    record(s, iter++, &stat);
    if (!done && iter < opt->iterations) {
      find_step(s);
      done = has_arrived(s, opt);
    }
  }
  return iter;
}

// A = J M^-1 J'

// The products of all pairs of panels. A is ld x ld; spread: scratch, n vectors of zeros.
static KERNEL void multiply_panels(mjtNum* A, ptrdiff_t ld, const HalfPanel* panel, int npanel,
                                   mjtNum* spread) {
  for (const HalfPanel *p = panel, *end = panel + npanel; p < end; p++) {
    half_spread(spread, p);
    for (const HalfPanel* q = p; q < end; q++) {
      SimdN tile[SIMD_N];
      half_product(tile, spread, p->ndof ? p->dof[0] : -1, q);
      mjtNum *at = A + p->row * ld + q->row, *mirror = A + q->row * ld + p->row;
      for (int r = 0; r < SIMD_N; r++) {
        SIMD_AT(SimdN, at + r * ld) = tile[r];
      }
      if (p != q) {
        half_transpose(tile);
        for (int r = 0; r < SIMD_N; r++) {
          SIMD_AT(SimdN, mirror + r * ld) = tile[r];
        }
      }
    }
    half_clear(spread, p);
  }
}

static void fill_A(mjtNum* A, mjData* d, const Problem* p) {
  size_t top = arena_top(d);
  const RowBlock all = {.n = p->rows.nefc};
  const RowBlocks blocks = {1, &all};
  const HalfSource source = {p->J, p->tree, p->LD, p->DInv};
  HalfRows half = half_rows(d, &source, &blocks);
  mjtNum* spread = arena_take(d, (size_t)p->n * sizeof(SimdN), 64);
  memset(spread, 0, (size_t)p->n * sizeof(SimdN));
  multiply_panels(A, SIMD_PADDED(p->rows.nefc), half.panel, half.first[1], spread);
  arena_pop(d, top);
}

// Takes A from efc_AR = A + diag(R), which exists because noslip will need it.
static void copy_A(mjtNum* A, const mjModel* m, const mjData* d) {
  int n = d->nefc, sparse = rows_are_sparse(m, d);
  size_t ld = SIMD_PADDED(n);
  memset(A, 0, ld * ld * sizeof(mjtNum));
  for (int i = 0; i < n; i++, A += ld) {
    if (sparse) {
      int adr = d->efc_AR_rowadr[i];
      row_add_to(A, d->efc_AR + adr, d->efc_AR_colind + adr, d->efc_AR_rownnz[i], 1);
    } else {
      memcpy(A, d->efc_AR + (size_t)i * n, n * sizeof(mjtNum));
    }
    A[i] -= d->efc_R[i];
  }
}

// Finds A: in the cache, which is filled first if it is empty, else by computing it.
static const mjtNum* find_A(const mjModel* m, mjData* d, const Problem* p) {
  SolverCache* cache = solver_cache_find(d, p->island, p->n, p->rows.nefc);
  size_t ld = SIMD_PADDED(p->rows.nefc);
  mjtNum* A = cache ? cache->A : arena_take(d, ld * ld * sizeof(mjtNum), 64);
  if (!cache || !cache->products) {
    if (p->has_AR) {
      copy_A(A, m, d);
    } else {
      fill_A(A, d, p);
    }
  }
  if (cache) {
    cache->products = 1;
  }
  return A;
}

// the problem

// Whether rows are so stiff that their products with A lose digits; primal_solve does not have
// them.
static int is_stiff(const mjtNum* A, const Problem* p) {
  const mjtNum most = sizeof(mjtNum) == 8 ? (mjtNum)1e6 : (mjtNum)1e4;
  ptrdiff_t ld = SIMD_PADDED(p->rows.nefc);
  int stiff = 0;
  for (int i = 0; i < p->rows.nefc; i++) {
    stiff |= !(p->rows.D[i] * A[i * (ld + 1)] < most);
  }
  return stiff;
}

// Room for a vector of n numbers, zeros from `from` on.
static mjtNum* vector_make(mjData* d, ptrdiff_t n, ptrdiff_t from) {
  mjtNum* v = arena_take(d, (size_t)n * sizeof(mjtNum), 64);
  memset(v + from, 0, (size_t)(n - from) * sizeof(mjtNum));
  return v;
}

static RowDescent descent_make(mjData* d, Problem* p, const mjtNum* A) {
  int n = p->rows.nefc;
  ptrdiff_t ld = SIMD_PADDED(n);
  RowDescent s = {.p = p, .n = n, .ld = ld, .A = A};
  s.x = vector_make(d, ld, n);
  s.g = vector_make(d, ld, 0);
  s.Ag = vector_make(d, ld, 0);
  s.h = vector_make(d, ld, n);
  s.Ah = vector_make(d, ld, n);
  s.x1 = vector_make(d, ld, n);
  s.mixed = vector_make(d, ld, n);
  s.y = vector_make(d, ld, n);
  s.DInv = vector_make(d, ld, n);
  s.B = vector_make(d, ld * ld, ld * ld);
  s.grad = vector_make(d, p->n, p->n);
  s.moved = vector_make(d, 2 * (ptrdiff_t)p->n, 2 * (ptrdiff_t)p->n);
  s.before = arena_int(d, (size_t)n);
  s.row = arena_int(d, (size_t)n);
  s.root = vector_make(d, n, n);
  s.blocks = arena_int(d, (size_t)ld / DOF_BLOCK);
  s.cone = p->rows.elliptic ? arena_take(d, (size_t)n * sizeof(ConeColumn), 64) : NULL;
  return s;
}

// Copies the start of the problem and derives b, e and x from it.
static void start_at(RowDescent* s, mjData* d) {
  Problem* p = s->p;
  int n = p->n, nefc = s->n;
  mjtNum *acc = vector_make(d, n, n), *b = vector_make(d, s->ld, nefc);
  mjtNum* Je = vector_make(d, s->ld, nefc);
  memcpy(acc, p->acc, (size_t)n * sizeof(mjtNum));
  p->acc = acc;
  if (p->start) {
    p->Ma = vector_make(d, n, n);
    p->jar = s->x;
    primal_start(p, 1);
  } else {
    memcpy(s->x, p->jar, (size_t)nefc * sizeof(mjtNum));
  }
  for (int i = 0; i < nefc; i++) {
    b[i] = p->start ? p->start->b[i] : p->b[p->b_row ? p->b_row[i] : i];
  }
  mju_sub(Je, s->x, b, nefc);
  s->b = b;
  s->Je = Je;
  s->ee = 0;
  for (int i = 0; i < n; i++) {
    s->ee += (p->Ma[i] - p->frc_smooth[i]) * (acc[i] - p->acc_smooth[i]);
  }
  s->beta = s->ee > 0;
  s->line = line_make(d, &p->rows, s->x, p->trouble);
}

// acc = a0 + beta e + M^-1 J' g, frc = J' f
static void finish(mjtNum* acc, mjtNum* frc, RowDescent* s, mjData* d, int exact) {
  Problem* p = s->p;
  int n = p->n;
  mjtNum *change = s->grad, *path = vector_make(d, n, n);
  if (exact) {
    memcpy(p->force, s->g, (size_t)s->n * sizeof(mjtNum));
  }
  mul_Jt(frc, p, p->force);
  if (exact) {
    memcpy(change, frc, (size_t)n * sizeof(mjtNum));
  } else {
    mul_Jt(change, p, s->g);
  }
  problem_solve_M(change, p, path);
  for (int i = 0; i < n; i++) {
    acc[i] = p->acc_smooth[i] + s->beta * (p->acc[i] - p->acc_smooth[i]) + change[i];
  }
}

int primal_rows(mjtNum* acc, mjtNum* frc, const mjModel* m, mjData* d, Problem* p) {
  size_t top = arena_top(d);
  const mjtNum* A = find_A(m, d, p);
  int iter = -1, exact = 0;
  if (!is_stiff(A, p)) {
    RowDescent s = descent_make(d, p, A);
    start_at(&s, d);
    iter = descend(&s, &m->opt, &exact);
    finish(acc, frc, &s, d, exact);
    if (iter == 0 && p->by_decrement) {
      memcpy(acc, p->acc, (size_t)p->n * sizeof(mjtNum));  // to the last bit
    }
  }
  arena_pop(d, top);
  return iter;
}
