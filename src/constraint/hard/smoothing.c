// Newton's method for the smoothed laws while tau falls to zero.

#include "constraint/hard/smoothing.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"
#include "constraint/hard/smooth_law.h"

// Forces of this many times what a constraint alone needs count as divergence.
#define BOUNDLESS ((mjtNum)1e6)

// How tau falls.
typedef struct {
  mjtNum start;         // root of the first tau, by what a constraint alone needs
  mjtNum near;          // how well the laws are to be solved before tau falls, by the root of tau
  mjtNum fast;          // factor of tau after a whole step,
  mjtNum slow;          // and after a part of one
  mjtNum frictionless;  // how much tau lessens friction
} Descent;

static const Descent kDescent[] = {{1, (mjtNum)0.3, (mjtNum)0.04, (mjtNum)0.25, 10},
                                   {1, (mjtNum)0.3, (mjtNum)0.04, (mjtNum)0.25, 0},
                                   {(mjtNum)0.1, (mjtNum)0.1, (mjtNum)0.04, (mjtNum)0.5, 10},
                                   {30, (mjtNum)0.1, (mjtNum)0.04, (mjtNum)0.5, 1}};

enum {
  DESCENTS = sizeof kDescent / sizeof kDescent[0]
};

typedef struct {
  HardDofs* e;
  HardProblem* p;
  mjtNum need;
  mjtNum frictionless;      // of the descent
  mjtNum *f, *w;            // trial of the line search (nrow)
  mjtNum *change, *motion;  // Newton's step: of forces, of velocities (nrow)
  mjtNum *best_f, *best_w;  // with the least residual so far (nrow)
  // the path: its tangent, the change of forces and velocities by log tau, and the last point
  mjtNum unit;                                  // of forces on it, by weight
  mjtNum *along_f, *along_w, *last_f, *last_w;  // (nrow)
  mjtNum least;
} Smooth;

// The length of what is missing, sum (weight (f - P))^2, at f and w. With tangents: those are
// written too.
static mjtNum missing_length(const Smooth* s, const mjtNum* f, const mjtNum* w, mjtNum tau,
                             int tangents) {
  Smoothing by = {tau, 1 / (1 + s->frictionless * tau / num_square(s->need))};
  mjtNum sum = 0;
  for (int l = 0; l < s->e->nlist; l++) {
    const HardBlock* block = s->p->block + s->e->list[l];
    const mjtNum* weight = s->p->weight + block->first;
    mjtNum missing[TANGENT_DIM];
    smooth_law(missing, tangents ? s->e->tangent + l : NULL, block, weight, f + block->first,
               w + block->first, by);
    for (int r = 0; r < block->dim; r++) {
      sum += num_square(weight[r] * missing[r]);
    }
  }
  return mju_sqrt(sum);
}

// to = from + part * along, of the rows of the blocks
static void add_part(const Smooth* s, mjtNum* to, const mjtNum* from, const mjtNum* along,
                     mjtNum part) {
  for (int l = 0; l < s->e->nlist; l++) {
    const HardBlock* block = s->p->block + s->e->list[l];
    for (int i = block->first; i < block->first + block->dim; i++) {
      to[i] = from[i] + part * along[i];
    }
  }
}

// Goes the part of the step at which least is missing, of those that are tried until one helps.
// Returns what is missing then.
static mjtNum search(Smooth* s, mjtNum tau, mjtNum before, mjtNum* part) {
  enum {
    HALVINGS = 10
  };
  const mjtNum least_decrease = (mjtNum)1e-3;
  HardProblem* p = s->p;
  mjtNum least = INFINITY, now = 1;
  *part = 1;
  for (int k = 0; k < HALVINGS; k++, now /= 2) {
    add_part(s, s->f, p->f, s->change, now);
    add_part(s, s->w, p->w, s->motion, now);
    mjtNum length = missing_length(s, s->f, s->w, tau, 0);
    if (length < least) {
      least = length;
      *part = now;
    }
    if (length <= (1 - least_decrease * now) * before) {
      break;
    }
  }
  add_part(s, p->f, p->f, s->change, *part);
  add_part(s, p->w, p->w, s->motion, *part);
  return least;
}

// The residual of the laws themselves, at the nearest allowed forces to the first order; forces
// without bounds have none.
static mjtNum judge(Smooth* s) {
  HardProblem* p = s->p;
  const int *list = s->e->list, nlist = s->e->nlist;
  if (!(hard_largest(p, list, nlist) <= BOUNDLESS * s->need)) {
    return mjMAXVAL;
  }
  mjtNum residual = hard_residual(p, list, nlist, s->need);
  if (residual < s->least) {
    s->least = residual;
    add_part(s, s->best_f, p->f, p->f, 0);
    add_part(s, s->best_w, p->w, p->w, 0);
  }
  return residual;
}

// Normal forces and those of limits have the power tau alone, all others are zero.
static void start_at(Smooth* s, mjtNum tau) {
  HardProblem* p = s->p;
  for (int l = 0; l < s->e->nlist; l++) {
    int i = s->e->list[l];
    const HardBlock* block = p->block + i;
    mjtNum change[TANGENT_DIM], weight = p->weight[block->first];
    int pushes = (block->law == HARD_PUSH || block->law == HARD_CONE) && weight > 0;
    for (int r = 0; r < block->dim; r++) {
      mjtNum* f = p->f + block->first + r;
      mjtNum before = *f;
      *f = r == 0 && pushes ? mju_sqrt(tau) / weight : 0;
      change[r] = *f - before;
    }
    matrix_add(p->w, p->K, i, change, block->dim);
  }
}

static void descend(Smooth* s, const Descent* by, mjtNum tolerance) {
  enum {
    STEPS = 60,
    PATIENCE = 25  // steps without a better residual
  };
  const mjtNum lowest = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-28 : (mjtNum)1e-12;
  const mjtNum better = (mjtNum)0.9;
  HardProblem* p = s->p;
  mjtNum tau = num_square(by->start * s->need), end = lowest * num_square(s->need);
  mjtNum least = INFINITY;
  start_at(s, tau);
  for (int step = 0, since = 0; step < STEPS && since < PATIENCE; step++, since++) {
    mjtNum residual = judge(s), part;
    if (residual <= tolerance) {
      break;
    }
    if (residual < better * least) {
      least = residual;
      since = 0;
    }
    mjtNum before = missing_length(s, p->f, p->w, tau, 1);
    if (!dofs_factor(s->e) || !dofs_solve(s->e, s->change, s->motion)) {
      break;
    }
    mjtNum after = search(s, tau, before, &part);
    if (after < by->near * mju_sqrt(tau)) {
      tau = num_max(end, tau * (part < 1 ? by->slow : by->fast));
    }
  }
}

// continuation

// A point of the path besides p->f and p->w, and its direction.
typedef struct {
  mjtNum log_tau;
  mjtNum along;  // of the unit tangent: the part of log tau; along_f has that of forces
} Path;

static mjtNum dot(const Smooth* s, const mjtNum* a, const mjtNum* b) {
  mjtNum sum = 0;
  for (int l = 0; l < s->e->nlist; l++) {
    const HardBlock* block = s->p->block + s->e->list[l];
    for (int i = block->first; i < block->first + block->dim; i++) {
      sum += num_square(s->p->weight[i] / s->unit) * a[i] * b[i];
    }
  }
  return sum;
}

// At the present point: Newton's step at this tau in s->change and s->motion, and how the solution
// changes with log tau in s->f and s->w, both by one factor. Returns what is missing, or -1.
static mjtNum linearize(Smooth* s, mjtNum log_tau) {
  const mjtNum little = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-5 : (mjtNum)1e-2;
  HardProblem* p = s->p;
  int nlist = s->e->nlist;
  mj_markStack(p->d);
  mjtNum* rest = mj_stackAllocNum(p->d, (size_t)nlist * TANGENT_DIM);
  missing_length(s, p->f, p->w, num_exp(log_tau + little), 1);
  for (int l = 0; l < nlist; l++) {
    memcpy(rest + (ptrdiff_t)l * TANGENT_DIM, s->e->tangent[l].r, sizeof s->e->tangent[l].r);
  }
  mjtNum missing = missing_length(s, p->f, p->w, num_exp(log_tau), 1);
  int fine = dofs_factor(s->e) && dofs_solve(s->e, s->change, s->motion);
  for (int l = 0; l < nlist; l++) {
    mjtNum* r = s->e->tangent[l].r;
    for (int k = 0; k < TANGENT_DIM; k++) {
      r[k] = (rest[l * TANGENT_DIM + k] - r[k]) / little;
    }
  }
  fine = fine && dofs_solve(s->e, s->f, s->w);
  mj_freeStack(p->d);
  return fine ? missing : -1;
}

// Goes on along the tangent by a length.
static void predict(Smooth* s, Path* path, mjtNum length) {
  add_part(s, s->p->f, s->last_f, s->along_f, length);
  add_part(s, s->p->w, s->last_w, s->along_w, length);
  path->log_tau += length * path->along;
}

// Newton's steps across the tangent. Returns their number, or -1 if they don't reach the path.
static int correct(Smooth* s, Path* path, mjtNum length) {
  enum {
    STEPS = 5
  };
  const mjtNum near = (mjtNum)0.05, slack = (mjtNum)0.05;
  for (int step = 0; step < STEPS; step++) {
    mjtNum missing = linearize(s, path->log_tau);
    if (missing < 0) {
      return -1;
    }
    if (missing < near * num_min(s->need, num_exp(path->log_tau / 2))) {
      return step;
    }
    mjtNum change = -dot(s, s->along_f, s->change) / (dot(s, s->along_f, s->f) + path->along);
    add_part(s, s->change, s->change, s->f, change);
    add_part(s, s->motion, s->motion, s->w, change);
    if (!(dot(s, s->change, s->change) + num_square(change) <= num_square(2 * length + slack))) {
      return -1;
    }
    add_part(s, s->p->f, s->p->f, s->change, 1);
    add_part(s, s->p->w, s->p->w, s->motion, 1);
    path->log_tau += change;
  }
  return -1;
}

// How far the path has turned since the last tangent, as a cosine.
static mjtNum turn(const Smooth* s, const Path* path) {
  mjtNum forwards = dot(s, s->along_f, s->f) + path->along;
  return mju_abs(forwards) / mju_sqrt(dot(s, s->f, s->f) + 1);
}

// The unit tangent where linearize was called last, forwards as before. Its unit is that of the
// forces there: they may be large where contacts squeeze a body.
static void find_tangent(Smooth* s, Path* path) {
  mjtNum forwards = dot(s, s->along_f, s->f) + path->along;
  s->unit = num_max(s->need, hard_largest(s->p, s->e->list, s->e->nlist));
  mjtNum length = mju_sqrt(dot(s, s->f, s->f) + 1);
  mjtNum part = (forwards < 0 ? -1 : 1) / length;
  add_part(s, s->along_f, s->f, s->f, part - 1);
  add_part(s, s->along_w, s->w, s->w, part - 1);
  path->along = part;
}

// From the axes to the path at this tau. The larger it is, the nearer they are.
static int reach_path(Smooth* s, mjtNum tau) {
  enum {
    STEPS = 10
  };
  const mjtNum near = (mjtNum)0.01;
  start_at(s, tau);
  for (int step = 0; step < STEPS; step++) {
    mjtNum part, before = missing_length(s, s->p->f, s->p->w, tau, 1);
    if (!dofs_factor(s->e) || !dofs_solve(s->e, s->change, s->motion)) {
      return 0;
    }
    if (search(s, tau, before, &part) < near * mju_sqrt(tau)) {
      return 1;
    }
  }
  return 0;
}

// Follows the path by its arc length, on which tau may grow for a while.
static void follow(Smooth* s, mjtNum tolerance) {
  enum {
    STEPS = 60
  };
  const mjtNum longest = 5, shortest = (mjtNum)1e-6, bend = (mjtNum)0.7, fine = (mjtNum)1e-3;
  const mjtNum grow[] = {2, 2, (mjtNum)1.3, (mjtNum)0.7, (mjtNum)0.7};
  HardProblem* p = s->p;
  Path path = {.log_tau = 2 * num_log(s->need), .along = -1};
  mjtNum length = 1;
  s->unit = s->need;
  for (int k = 0; k < 4 && !reach_path(s, num_exp(path.log_tau)); k++) {
    path.log_tau += 2 * num_log(30);
  }
  for (int l = 0; l < s->e->nlist; l++) {
    const HardBlock* block = p->block + s->e->list[l];
    mju_zero(s->along_f + block->first, block->dim);
    mju_zero(s->along_w + block->first, block->dim);
  }
  if (linearize(s, path.log_tau) < 0) {
    return;
  }
  find_tangent(s, &path);
  for (int step = 0; step < STEPS && length > shortest; step++) {
    mjtNum before = path.log_tau;
    add_part(s, s->last_f, p->f, p->f, 0);
    add_part(s, s->last_w, p->w, p->w, 0);
    predict(s, &path, length);
    int steps = correct(s, &path, length);
    if (steps < 0 || (turn(s, &path) < bend && length > fine)) {
      add_part(s, p->f, s->last_f, s->last_f, 0);
      add_part(s, p->w, s->last_w, s->last_w, 0);
      path.log_tau = before;
      length /= 3;
      continue;
    }
    if (judge(s) <= tolerance) {
      return;
    }
    find_tangent(s, &path);
    length = num_min(longest, length * grow[steps]);
  }
}

mjtNum smoothing_solve(HardDofs* e, int attempt, mjtNum residual, mjtNum tolerance) {
  HardProblem* p = e->p;
  mjData* d = p->d;
  mj_markStack(d);
  Smooth s = {.e = e,
              .p = p,
              .need = hard_need(p, e->list, e->nlist),
              .f = mj_stackAllocNum(d, p->nrow),
              .w = mj_stackAllocNum(d, p->nrow),
              .change = mj_stackAllocNum(d, p->nrow),
              .motion = mj_stackAllocNum(d, p->nrow),
              .best_f = mj_stackAllocNum(d, p->nrow),
              .best_w = mj_stackAllocNum(d, p->nrow),
              .along_f = mj_stackAllocNum(d, p->nrow),
              .along_w = mj_stackAllocNum(d, p->nrow),
              .last_f = mj_stackAllocNum(d, p->nrow),
              .last_w = mj_stackAllocNum(d, p->nrow),
              .least = residual};
  add_part(&s, s.best_f, p->f, p->f, 0);
  add_part(&s, s.best_w, p->w, p->w, 0);
  s.frictionless = kDescent[attempt < DESCENTS ? attempt : 0].frictionless;
  if (attempt < DESCENTS) {
    descend(&s, kDescent + attempt, tolerance);
  } else {
    follow(&s, tolerance);
  }
  add_part(&s, p->f, s.best_f, s.best_f, 0);
  add_part(&s, p->w, s.best_w, s.best_w, 0);
  mj_freeStack(d);
  return s.least;
}
