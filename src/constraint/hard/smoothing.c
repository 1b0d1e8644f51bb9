// Solutions of smoothed laws: Newton's method with falling smoothing, then the path by its length.

#include "constraint/hard/smoothing.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/simd.h"
#include "base/vec.h"
#include "constraint/hard/linear.h"
#include "constraint/hard/newton.h"
#include "constraint/hard/smooth_law.h"
#include "model/arena.h"

// Newton's method on f = P(f - u / k) for all blocks, P smoothed by s (smooth_law.h), with w + s k
// xi instead of w, where xi is zero, or some small numbers: that is the same at s = 0, by another
// path. Unknowns are forces in units of `scale` and tau = log(s / scale).

// So many times the forces that single constraints would need are no solution.
#define BOUNDLESS ((mjtNum)1e6)

// A residual that is worth no long path.
#define ENOUGH ((mjtNum)1e-9)

// Part of K's diagonal that is added for equalities, which may depend on each other.
#define PROXIMAL ((mjtNum)1e-9)

typedef struct {
  HardProblem* p;
  const int* list;
  int nlist;
  int n, ld;
  int *place, *row;      // unknown of a row, -1: none (nrow); row of an unknown (n)
  mjtNum scale;          // N
  mjtNum need;           // what the residual is measured by
  const mjtNum* k;       // first diagonal of K in a listed block; of equalities the mean (nlist)
  mjtNum *K, *A;         // (n x ld), with k xi in column n; ((n + 1) x ld)
  const mjtNum* rest;    // w without the forces of the unknowns (n)
  mjtNum *w, *residual;  // at the last point (n), (n + 1)
  mjtNum* shifted;       // w + s k xi there (n)
  mjtNum *best, least;   // forces with the least residual so far (n), in units of scale, and that
} Smooth;

// equations

// Row of the equations between unknowns first to first + nt: f - P(x), in units of scale.
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

  // + 1 - dP/dx, and the column of tau, which has what xi does
  A[first] += 1 - law->a;
  A[n] = (A[n] + law->a * law->lift - law->ds[0]) * s / e->scale;
  for (int r = 0; r < nt; r++) {
    mjtNum* row = A + (size_t)(r + 1) * ld;
    A[first + r + 1] -= law->b * law->d[r];
    row[first] -= law->b * law->d[r];
    row[first + r + 1] += 1 - law->c;
    for (int j = 0; j < nt; j++) {
      row[first + j + 1] -= (law->a - law->c) * law->d[r] * law->d[j];
    }
    row[n] = (row[n] + law->b * law->d[r] * law->lift - law->ds[r + 1]) * s / e->scale;
  }
}

static void write_free(Smooth* e, int l, int row) {
  const mjtNum* K = e->K + (size_t)row * e->ld;
  mjtNum* A = e->A + (size_t)row * e->ld;
  for (int c = 0; c < e->n; c++) {
    A[c] = K[c] / e->k[l];
  }
  A[row] += PROXIMAL;
  A[e->n] = 0;
}

// w at forces x
static void find_velocities(Smooth* e, const mjtNum* x) {
  for (int i = 0; i < e->n; i++) {
    e->w[i] = e->rest[i] + e->scale * mju_dot(e->K + (size_t)i * e->ld, x, e->n);
  }
}

// What the equations miss at x (n + 1: forces and tau), its norm; their matrix too, if it is asked
// for.
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

// A step of Newton's method from where the matrix was made, such that border . step = along; 0 if
// there is none.
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

// The residual of the point that was evaluated last. Where constraints contradict each other forces
// grow without end, and any residual is small beside them: mjMAXVAL.
static mjtNum judge(Smooth* e, const mjtNum* x) {
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

// The unknowns: rows that their forces move, of blocks whose first row is such.
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
      k[l] += block->law == HARD_FREE ? diagonal / block->dim : r == 0 ? diagonal : 0;
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

// Is there room for what is allocated below? It is a service, not a reason to stop a simulation.
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

// Forces on the axes of their cones, as large as the smoothing: `size` for pushes and normals, else
// 0.
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

// xi: numbers up to 1/2 in size for every row but those of equalities, others for each seed; zero
// for 0.
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

// falling smoothing

// Newton's steps, each shortened until it helps; the smoothing is halved whenever they have come
// near the solution for it. `first`: stays at the first smoothing. Returns whether it got to where
// it was to go.
static int descend(Smooth* e, mjtNum* x, mjtNum tolerance, int first) {
  enum {
    STEPS = 80,
    HALVINGS = 12
  };
  const mjtNum enough = (mjtNum)1e-3, near = (mjtNum)0.3, solved = (mjtNum)1e-3;
  int n = e->n, done = 0;
  mj_markStack(e->p->d);
  mjtNum* step = mj_stackAllocNum(e->p->d, (size_t)n + 1);
  mjtNum* from = mj_stackAllocNum(e->p->d, (size_t)n + 1);
  mjtNum* fixed = mj_stackAllocNum(e->p->d, (size_t)n + 1);
  mju_zero(fixed, n + 1);
  fixed[n] = 1;
  for (int count = 0; count < STEPS; count++) {
    mjtNum miss = evaluate(e, x, 1), after = miss, part = 1;
    done = judge(e, x) <= tolerance || (first && miss < solved * mju_exp(x[n]));
    if (done || !find_step(e, step, fixed, 0)) {
      break;
    }
    mju_copy(from, x, n + 1);
    for (int k = 0; k < HALVINGS; k++, part /= 2) {
      mju_addScl(x, from, step, part, n);
      after = evaluate(e, x, 0);
      if (after <= (1 - enough * part) * miss) {
        break;
      }
    }
    if (!first && after < near * mju_exp(x[n]) * mju_sqrt((mjtNum)n)) {
      x[n] -= mju_log(2);
    }
  }
  mj_freeStack(e->p->d);
  return done;
}

// a path of any shape

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

// The tangent at x: in the null space of the equations' derivatives, with the direction of the last
// one.
static int find_tangent(Smooth* e, mjtNum* tangent, const mjtNum* last, const mjtNum* x) {
  evaluate(e, x, 1);
  mju_zero(e->residual, e->n);
  if (!find_step(e, tangent, last, 1)) {
    return 0;
  }
  mju_normalize(tangent, e->n + 1);
  return 1;
}

// From a point ahead along the tangent back to the path, at right angles to the tangent. Returns
// the number of steps that it took, -1 if it doesn't get there.
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

// Euler's predictor and Newton's corrector along the path, from a point on it (Allgower and Georg
// 1990). The length of steps follows the corrector's success. Returns whether it gets to a
// solution.
static int follow(Smooth* e, mjtNum* x, mjtNum tolerance) {
  enum {
    STEPS = 300
  };
  const mjtNum longest = 5, shortest = (mjtNum)1e-8, bend = (mjtNum)0.5, fine = (mjtNum)1e-3;
  const mjtNum grow[] = {2, 2, (mjtNum)1.3, (mjtNum)0.7, (mjtNum)0.7};
  int n = e->n;
  mj_markStack(e->p->d);
  Path path = path_make(e, x);
  int goes = find_tangent(e, path.turned, path.tangent, x), done = 0;
  mju_copy(path.tangent, path.turned, n + 1);
  for (int count = 0; goes && count < STEPS && path.length > shortest; count++) {
    mju_addScl(path.next, path.at, path.tangent, path.length, n + 1);
    int steps = correct(e, &path);
    if (steps < 0) {
      path.length /= 3;
      continue;
    }
    done = judge(e, path.next) <= tolerance;
    if (done) {
      break;
    }
    goes = find_tangent(e, path.turned, path.tangent, path.next);
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
  // where one path gets lost between steps another one may not: with few rows shifted ones, else
  // from elsewhere
  enum {
    ATTEMPTS = 7,
    STARTS = 3,
    FEW = 60
  };
  static const mjtNum kStart[STARTS] = {1, 10, (mjtNum)0.1};
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
    start_at_axes(&e, x, is_few ? 1 : kStart[i]);
    done = descend(&e, x, tolerance, 1) && follow(&e, x, tolerance);
  }
  find_velocities(&e, e.best);
  write_forces(&e, e.best);
  mj_freeStack(p->d);
  return e.least;
}
