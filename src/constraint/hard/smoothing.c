// Smoothing (homotopy) method for forces of hard constraints. Newton's method solves the smoothed
// laws while the smoothing s is halved. If that fails, arc-length continuation follows the path of
// solutions to s = 0.
//
// The equations are f = P(f - u / k) for each block, with the projection P to allowed forces
// smoothed by s (smooth_law.h). The unknowns are the forces, in units of `scale`, and tau = log(s /
// scale). A shift xi replaces w by w + s k xi. It is zero, or a small random number per row: the
// solution at s = 0 is the same, but the path to it is another.

#include "constraint/hard/smoothing.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "constraint/hard/newton.h"
#include "constraint/hard/smooth_law.h"
#include "model/data/arena.h"

// Forces of this many units of `scale` count as divergence: no constraint needs so much.
#define BOUNDLESS ((mjtNum)1e6)

// With a residual below this, further attempts cost more than they gain.
#define ENOUGH ((mjtNum)1e-9)

// Regularization of equalities, relative to the diagonal of K: equalities may be redundant.
#define PROXIMAL ((mjtNum)1e-9)

// Regularization of the other laws, relative to the 1 of f in f - P(x): the derivative of a contact
// that presses is K / k + s^2 / f^2, and where contacts are redundant K is singular. Without it
// rounding decides about forces that the motion does not determine, long before s is small enough.
#define REGULAR (sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-12 : (mjtNum)1e-4)

typedef struct {
  HardProblem* p;
  const int* list;
  int nlist;
  int n, ld;
  int* place;            // unknown of each row, -1: none (nrow)
  int* row;              // row of each unknown (n)
  mjtNum scale;          // N
  mjtNum need;           // unit of the residual (hard_need)
  const mjtNum* k;       // diagonal of K at the normal of a block; mean for an equality (nlist)
  mjtNum* K;             // K of the unknowns, and k xi in column n (n x ld)
  mjtNum* A;             // matrix of the Newton step, one row per equation ((n + 1) x ld)
  const mjtNum* rest;    // w at zero forces of the unknowns (n)
  mjtNum *w, *residual;  // velocities (n) and residual (n + 1) at the last point evaluated
  mjtNum* shifted;       // w + s k xi at that point (n)
  mjtNum* best;          // forces with the least residual so far, in units of scale (n)
  mjtNum least;          // the residual of `best`
} Smooth;

// equations

// Writes the rows of A for the block with unknowns first .. first + nt: the derivatives of f -
// P(x), x = f - u / k.
static void write_rows(Smooth* e, int l, int first, const SmoothLaw* law, mjtNum s) {
  int n = e->n, nt = law->nt, ld = e->ld;
  const mjtNum* K = e->K + (size_t)first * ld;
  mjtNum *A = e->A + (size_t)first * ld, k = e->k[l];
  for (int c = 0; c <= n; c++) {
    mjtNum y = K[c], dot = 0;
    for (int r = 0; r < nt; r++) {
      mjtNum value = K[(size_t)(r + 1) * ld + c];
      y += law->along[r] * value;
      dot += law->d[r] * value;
    }
    A[c] = (law->a * y + law->b * dot) / k;
    mjtNum common = law->b * y + (law->a - law->c) * dot;
    for (int r = 0; r < nt; r++) {
      A[(size_t)(r + 1) * ld + c] = (common * law->d[r] + law->c * K[(size_t)(r + 1) * ld + c]) / k;
    }
  }

  // add 1 - dP/dx on the block's own columns, and the derivative by tau, which includes that by xi
  A[first] += 1 - law->a + REGULAR;
  A[n] = (A[n] + law->a * law->lift - law->ds[0]) * s / e->scale;
  for (int r = 0; r < nt; r++) {
    mjtNum* row = A + (size_t)(r + 1) * ld;
    A[first + r + 1] -= law->b * law->d[r];
    row[first] -= law->b * law->d[r];
    row[first + r + 1] += 1 - law->c + REGULAR;
    for (int j = 0; j < nt; j++) {
      row[first + j + 1] -= (law->a - law->c) * law->d[r] * law->d[j];
    }
    row[n] = (row[n] + law->b * law->d[r] * law->lift - law->ds[r + 1]) * s / e->scale;
  }
}

// Writes a row of A for an equality: the derivative of w / k.
static void write_free(Smooth* e, int l, int row) {
  const mjtNum* K = e->K + (size_t)row * e->ld;
  mjtNum* A = e->A + (size_t)row * e->ld;
  for (int c = 0; c < e->n; c++) {
    A[c] = K[c] / e->k[l];
  }
  A[row] += PROXIMAL;
  A[e->n] = 0;
}

// Computes w at forces x.
static void find_velocities(Smooth* e, const mjtNum* x) {
  for (int i = 0; i < e->n; i++) {
    e->w[i] = e->rest[i] + e->scale * mju_dot(e->K + (size_t)i * e->ld, x, e->n);
  }
}

// Evaluates the residual of the equations at x (n + 1: forces and tau), and A if `matrix`. Returns
// the norm of the residual.
static mjtNum evaluate(Smooth* e, const mjtNum* x, int matrix) {
  mjtNum s = e->scale * mju_exp(x[e->n]);
  find_velocities(e, x);
  for (int i = 0; i < e->n; i++) {
    e->shifted[i] = e->w[i] + s * e->K[(size_t)i * e->ld + e->n];
  }
  for (int l = 0, first = 0; l < e->nlist; l++) {
    const HardBlock* block = e->p->block + e->list[l];
    int dim = 0;
    for (int r = 0; r < block->dim; r++) {
      dim += e->place[block->first + r] >= 0;
    }
    if (block->law == HARD_FREE) {
      for (int i = first; i < first + dim; i++) {
        e->residual[i] = e->w[i] / (e->k[l] * e->scale);
        if (matrix) {
          write_free(e, l, i);
        }
      }
    } else if (dim) {
      SmoothLaw law = {.nt = dim - 1};
      mjtNum f[1 + SMOOTH_TANGENTS];
      mju_scl(f, x + first, e->scale, dim);
      smooth_law(&law, block, e->k[l], f, e->shifted + first, s);
      for (int r = 0; r < dim; r++) {
        e->residual[first + r] = (f[r] - law.p[r]) / e->scale;
      }
      if (matrix) {
        write_rows(e, l, first, &law, s);
      }
    }
    first += dim;
  }
  return mju_norm(e->residual, e->n);
}

// Newton's step from the point where A was evaluated, with the last equation border . step = along.
// Returns 0 if the matrix is singular.
static int find_step(Smooth* e, mjtNum* step, const mjtNum* border, mjtNum along) {
  memcpy(e->A + (size_t)e->n * e->ld, border, ((size_t)e->n + 1) * sizeof(mjtNum));
  mju_scl(step, e->residual, -1, e->n);
  step[e->n] = along;
  return linear_solve(e->A, e->ld, step, e->n + 1);
}

static void write_forces(Smooth* e, const mjtNum* x) {
  for (int i = 0; i < e->n; i++) {
    e->p->f[e->row[i]] = e->scale * x[i];
    e->p->w[e->row[i]] = e->w[i];
  }
}

// Returns the residual of the exact laws at the point x evaluated last, and updates `best`. If
// constraints contradict each other, forces diverge, and every residual relative to them is small.
// So the residual of diverging forces is mjMAXVAL.
static mjtNum exact_residual(Smooth* e, const mjtNum* x) {
  for (int i = 0; i < e->n; i++) {
    if (!(mju_abs(x[i]) < BOUNDLESS)) {
      return mjMAXVAL;
    }
  }
  write_forces(e, x);
  mjtNum residual = hard_residual(e->p, e->list, e->nlist, e->need);
  if (residual < e->least) {
    e->least = residual;
    mju_copy(e->best, x, e->n);
  }
  return residual;
}

// set up

// Chooses the unknowns: forces of rows with K_rr > 0. A contact or limit takes part only if K_rr >
// 0 for its first row.
static void choose_unknowns(Smooth* e) {
  HardProblem* p = e->p;
  mjtNum* k = mj_stackAllocNum(p->d, e->nlist);
  e->place = mj_stackAllocInt(p->d, p->nrow);
  e->row = mj_stackAllocInt(p->d, NEWTON_MOST_ROWS);
  for (int i = 0; i < p->nrow; i++) {
    e->place[i] = -1;
  }
  e->n = 0;
  for (int l = 0; l < e->nlist; l++) {
    int i = e->list[l];
    const HardBlock* block = p->block + i;
    k[l] = 0;
    for (int r = 0; r < block->dim; r++) {
      mjtNum diagonal = matrix_diagonal(p->K, i, r, r);
      int first = r == 0 || block->law == HARD_FREE || e->place[block->first] >= 0;
      k[l] += block->law == HARD_FREE ? diagonal / (mjtNum)block->dim : r == 0 ? diagonal : 0;
      if (p->weight[block->first + r] > 0 && first && e->n < NEWTON_MOST_ROWS) {
        e->row[e->n] = block->first + r;
        e->place[block->first + r] = e->n++;
      }
    }
  }
  e->k = k;
}

static int count_rows(const HardProblem* p, const int* list, int nlist) {
  int n = 0;
  for (int l = 0; l < nlist; l++) {
    n += p->block[list[l]].dim;
  }
  return n;
}

// Whether the stack has room for all arrays below. Without room there is no smoothing, and no
// error.
static int has_room(const HardProblem* p, int nlist, int n) {
  enum {
    VECTORS = 17
  };
  size_t matrix = (size_t)(n + 1) * SIMD_PADDED(n + 1), vector = n + SIMD_PADDED(2);
  size_t top = p->d->pstack, count = 2 * matrix + VECTORS * vector + nlist + p->nrow;
  int has = arena_push(p->d, count * sizeof(mjtNum), 64) != NULL;
  arena_pop(p->d, top);
  return has;
}

static void make_equations(Smooth* e) {
  HardProblem* p = e->p;
  mjData* d = p->d;
  choose_unknowns(e);
  int n = e->n;
  e->ld = SIMD_PADDED(n + 1);
  size_t bytes = (size_t)(n + 1) * e->ld * sizeof(mjtNum);
  e->K = mj_stackAllocByte(d, bytes, 64);
  e->A = mj_stackAllocByte(d, bytes, 64);
  memset(e->K, 0, bytes);
  memset(e->A, 0, bytes);
  linear_gather(e->K, e->ld, e->place, p, e->list, e->nlist);

  mjtNum* rest = mj_stackAllocNum(d, n);
  e->w = mj_stackAllocNum(d, n);
  e->shifted = mj_stackAllocNum(d, n);
  e->residual = mj_stackAllocNum(d, (size_t)n + 1);
  e->best = mj_stackAllocNum(d, n);
  e->scale = mjMINVAL;
  for (int i = 0; i < n; i++) {
    rest[i] = p->w[e->row[i]];
    for (int c = 0; c < n; c++) {
      rest[i] -= e->K[(size_t)i * e->ld + c] * p->f[e->row[c]];
    }
  }
  e->rest = rest;
  for (int l = 0, i = 0; l < e->nlist; l++) {
    const HardBlock* block = p->block + e->list[l];
    for (int r = 0; r < block->dim; r++) {
      if (e->place[block->first + r] >= 0) {
        mjtNum weight = p->weight[block->first + r];
        e->scale = num_max(e->scale, mju_abs(rest[i++]) / (weight * weight));
      }
    }
  }
}

// Starts at s = size (in units of scale), with normal forces and forces of limits equal to `size`
// and all other forces 0.
static void start_at_axes(const Smooth* e, mjtNum* x, mjtNum size) {
  mju_zero(x, e->n);
  x[e->n] = mju_log(size);
  for (int l = 0; l < e->nlist; l++) {
    const HardBlock* block = e->p->block + e->list[l];
    int place = e->place[block->first];
    if (place >= 0 && (block->law == HARD_PUSH || block->law == HARD_CONE)) {
      x[place] = size;
    }
  }
}

// Chooses xi for each row: random numbers in [-1/2, 1/2) from a seed, zero for seed 0 and for
// equalities.
static void choose_shift(Smooth* e, unsigned seed) {
  unsigned x = seed;
  for (int l = 0; l < e->nlist; l++) {
    const HardBlock* block = e->p->block + e->list[l];
    for (int r = 0; r < block->dim && block->law != HARD_FREE; r++) {
      int place = e->place[block->first + r];
      x = x * 1664525u + 1013904223u;
      if (place >= 0) {
        mjtNum xi = seed ? (mjtNum)(x >> 8) / (1 << 24) - (mjtNum)0.5 : 0;
        e->K[(size_t)place * e->ld + e->n] = e->k[l] * xi;
      }
    }
  }
}

// Newton's method while s falls

// Newton's steps with a backtracking line search. s is halved whenever the residual of the
// equations is small beside s. If `keep_s`, s is constant and the goal is a solution of the
// smoothed laws, else the goal is the tolerance. Returns whether the goal is reached.
static int descend(Smooth* e, mjtNum* x, mjtNum tolerance, int keep_s) {
  enum {
    STEPS = 80,
    HALVINGS = 12
  };
  const mjtNum least_decrease = (mjtNum)1e-3, near = (mjtNum)0.3, solved = (mjtNum)1e-3;
  int n = e->n, done = 0;
  mj_markStack(e->p->d);
  mjtNum* step = mj_stackAllocNum(e->p->d, (size_t)n + 1);
  mjtNum* from = mj_stackAllocNum(e->p->d, (size_t)n + 1);
  mjtNum* fixed = mj_stackAllocNum(e->p->d, (size_t)n + 1);
  mju_zero(fixed, n + 1);
  fixed[n] = 1;
  for (int count = 0; count < STEPS; count++) {
    mjtNum norm = evaluate(e, x, 1), new_norm = norm, part = 1;
    done = exact_residual(e, x) <= tolerance || (keep_s && norm < solved * mju_exp(x[n]));
    if (done || !find_step(e, step, fixed, 0)) {
      break;
    }
    mju_copy(from, x, n + 1);
    for (int k = 0; k < HALVINGS; k++, part /= 2) {
      mju_addScl(x, from, step, part, n);
      new_norm = evaluate(e, x, 0);
      if (new_norm <= (1 - least_decrease * part) * norm) {
        break;
      }
    }
    if (!keep_s && new_norm < near * mju_exp(x[n]) * mju_sqrt((mjtNum)n)) {
      x[n] -= mju_log(2);
    }
  }
  mj_freeStack(e->p->d);
  return done;
}

// arc-length continuation: follows a path that may turn back in s

typedef struct {
  mjtNum *at, *tangent;  // point (n + 1) and the unit vector along the path there
  mjtNum *next, *turned, *step;
  mjtNum length;  // of the next step
} Path;

static Path path_make(const Smooth* e, const mjtNum* start) {
  size_t n = (size_t)e->n + 1;
  mjtNum* at[5];
  for (int i = 0; i < 5; i++) {
    at[i] = mj_stackAllocNum(e->p->d, n);
  }
  mju_copy(at[0], start, (int)n);
  mju_zero(at[1], (int)n);
  at[1][n - 1] = -1;
  return (Path){at[0], at[1], at[2], at[3], at[4], 1};
}

// The unit tangent at x: in the null space of the derivatives of the equations, at an acute angle
// to the last tangent. Returns 0 if there is none.
static int find_tangent(Smooth* e, mjtNum* tangent, const mjtNum* last, const mjtNum* x) {
  evaluate(e, x, 1);
  mju_zero(e->residual, e->n);
  if (!find_step(e, tangent, last, 1)) {
    return 0;
  }
  mju_normalize(tangent, e->n + 1);
  return 1;
}

// The corrector: Newton's steps, orthogonal to the tangent, from the predicted point `next` to the
// path. Returns the number of steps, or -1 without convergence.
static int correct(Smooth* e, Path* path) {
  enum {
    STEPS = 5
  };
  const mjtNum near = (mjtNum)0.02;
  int n = e->n;
  for (int count = 0; count < STEPS; count++) {
    evaluate(e, path->next, 1);
    mjtNum worst = 0;
    for (int i = 0; i < n; i++) {
      worst = num_max(worst, mju_abs(e->residual[i]));
    }
    if (worst < near * num_min(1, mju_exp(path->next[n]))) {
      return count;
    }
    if (!find_step(e, path->step, path->tangent, 0) ||
        !(mju_norm(path->step, n + 1) <= 2 * path->length)) {
      return -1;
    }
    mju_addTo(path->next, path->step, n + 1);
  }
  return -1;
}

// Follows the path from x by Euler's predictor and Newton's corrector (Allgower and Georg 1990).
// The step length adapts to the number of the corrector's steps. Returns whether the tolerance is
// reached.
static int follow(Smooth* e, mjtNum* x, mjtNum tolerance) {
  enum {
    STEPS = 300
  };
  const mjtNum longest = 5, shortest = (mjtNum)1e-8, bend = (mjtNum)0.5, fine = (mjtNum)1e-3;
  const mjtNum grow[] = {2, 2, (mjtNum)1.3, (mjtNum)0.7, (mjtNum)0.7};
  int n = e->n;
  mj_markStack(e->p->d);
  Path path = path_make(e, x);
  int has_tangent = find_tangent(e, path.turned, path.tangent, x), done = 0;
  mju_copy(path.tangent, path.turned, n + 1);
  for (int count = 0; has_tangent && count < STEPS && path.length > shortest; count++) {
    mju_addScl(path.next, path.at, path.tangent, path.length, n + 1);
    int steps = correct(e, &path);
    if (steps < 0) {
      path.length /= 3;
      continue;
    }
    done = exact_residual(e, path.next) <= tolerance;
    if (done) {
      break;
    }
    has_tangent = find_tangent(e, path.turned, path.tangent, path.next);
    if (mju_dot(path.turned, path.tangent, n + 1) < bend && path.length > fine) {
      path.length /= 2;
      continue;
    }
    mju_copy(path.at, path.next, n + 1);
    mju_copy(path.tangent, path.turned, n + 1);
    path.length = num_min(longest, path.length * grow[steps]);
  }
  mj_freeStack(e->p->d);
  return done;
}

int smoothing_applies(const HardProblem* p, const int* list, int nlist) {
  int n = count_rows(p, list, nlist);
  return n <= NEWTON_MOST_ROWS && has_room(p, nlist, n);
}

mjtNum smoothing_solve(HardProblem* p, const int* list, int nlist, mjtNum residual,
                       mjtNum tolerance) {
  // continuation may lose one path but not another: problems with few rows try several shifts xi,
  // larger ones try several starting values of s
  enum {
    ATTEMPTS = 7,
    STARTS = 3,
    FEW = 60
  };
  static const mjtNum start_s[STARTS] = {1, 10, (mjtNum)0.1};
  mj_markStack(p->d);
  Smooth e = {
      .p = p, .list = list, .nlist = nlist, .least = residual, .need = hard_need(p, list, nlist)};
  make_equations(&e);
  mjtNum* x = mj_stackAllocNum(p->d, (size_t)e.n + 1);
  for (int i = 0; i < e.n; i++) {
    e.best[i] = p->f[e.row[i]] / e.scale;
  }
  start_at_axes(&e, x, 1);
  int done = descend(&e, x, tolerance, 0);
  int is_few = e.n <= FEW, attempts = is_few ? ATTEMPTS : STARTS;
  for (int i = 0; !done && e.least > ENOUGH && i < attempts; i++) {
    choose_shift(&e, is_few ? (unsigned)i : 0);
    start_at_axes(&e, x, is_few ? 1 : start_s[i]);
    done = descend(&e, x, tolerance, 1) && follow(&e, x, tolerance);
  }
  find_velocities(&e, e.best);
  write_forces(&e, e.best);
  mj_freeStack(p->d);
  return e.least;
}
