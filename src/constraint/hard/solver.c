// The order of a solve: plain sweeps, sweeps of whole blocks with extrapolation, Newton's steps
// after twenty sweeps, interior points and smoothing where these don't help. The residual of the
// final forces is computed anew and reported.

#include "constraint/hard/solver.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "constraint/hard/contradiction.h"
#include "constraint/hard/extrapolation.h"
#include "constraint/hard/interior.h"
#include "constraint/hard/interior_step.h"
#include "constraint/hard/newton.h"
#include "constraint/hard/smoothing.h"
#include "constraint/hard/sweep.h"

// the loop

static int count_active(const HardProblem* p, const int* list, int nlist) {
  int active = 0;
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    for (int r = block->first; r < block->first + block->dim; r++) {
      active += p->f[r] != 0;
    }
  }
  return active;
}

// The nearest allowed forces, in all blocks.
static void project_all(HardProblem* p, const int* list, int nlist) {
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    mjtNum *f = p->f + block->first, change[SWEEP_DIM];
    for (int r = 0; r < block->dim; r++) {
      change[r] = -f[r];
    }
    hard_project(f, block);
    for (int r = 0; r < block->dim; r++) {
      change[r] += f[r];
    }
    matrix_add(p->w, p->K, list[l], change, block->dim);
  }
}

// A solve under way.
typedef struct {
  HardProblem* p;
  const int* list;
  int nlist, iterations;
  mjtNum tolerance;
  mjtNum need, bound;  // hard_need of the blocks; forces above the bound count as diverged
  SweepLocal* local;   // NULL while sweeps are plain
  HardDofs dofs;       // Newton's equations,
  int has_dofs;        // 1: made; -1: there is no room for them
  HardEnd end;         // so far
  mjSolverStat* stat;  // of each sweep (nstat)
  int nstat;
} Solve;

// Forces above this multiple of the largest one that a constraint alone needs are taken for
// divergence, as where constraints contradict each other: any residual would be small beside them.
#define BOUNDLESS ((mjtNum)1e6)

// The residual, or mjMAXVAL if forces exceed the bound.
static mjtNum judge(const Solve* s) {
  return hard_largest(s->p, s->list, s->nlist) <= s->bound
             ? hard_residual(s->p, s->list, s->nlist, s->need)
             : (mjtNum)mjMAXVAL;
}

// Writes down the state after the last sweep. nchange: 1 if there is no solution.
static void note(const Solve* s, mjtNum residual, mjtNum before) {
  int number = s->end.sweeps - 1;
  if (number >= 0 && number < s->nstat) {
    s->stat[number] = (mjSolverStat){.improvement = before - residual,
                                     .gradient = residual,
                                     .nactive = count_active(s->p, s->list, s->nlist),
                                     .nchange = s->end.contradicts};
  }
}

static int goes_on(const Solve* s) {
  return s->end.residual > s->tolerance && s->end.sweeps < s->iterations;
}

// Forces and velocities set aside.
typedef struct {
  mjtNum *f, *w;
} Kept;

static Kept kept_make(const HardProblem* p) {
  return (Kept){mj_stackAllocNum(p->d, p->nrow), mj_stackAllocNum(p->d, p->nrow)};
}

static void keep(const Kept* kept, const HardProblem* p) {
  memcpy(kept->f, p->f, p->nrow * sizeof(mjtNum));
  memcpy(kept->w, p->w, p->nrow * sizeof(mjtNum));
}

static void take(const Kept* kept, HardProblem* p) {
  memcpy(p->f, kept->f, p->nrow * sizeof(mjtNum));
  memcpy(p->w, kept->w, p->nrow * sizeof(mjtNum));
}

// Newton's steps around one centre, until its laws are solved. Judged are the nearest allowed
// forces of each step; the best are kept. Returns whether the laws were solved.
static int approach(Solve* s, const mjtNum* centre, mjtNum proximal, const Kept* best,
                    const Kept* raw) {
  enum {
    STEPS = 10
  };
  const mjtNum solved = (mjtNum)0.1;
  HardProblem* p = s->p;
  for (int step = 0; goes_on(s) && step < STEPS; step++) {
    mjtNum left = newton_step(&s->dofs, centre, proximal), before = s->end.residual;
    if (left < 0) {
      return 0;
    }
    keep(raw, p);
    project_all(p, s->list, s->nlist);
    mjtNum residual = judge(s);
    s->end.sweeps++;
    note(s, residual, before);
    if (residual < s->end.residual) {
      s->end.residual = residual;
      keep(best, p);
    }
    if (left <= solved) {
      return 1;
    }
    take(raw, p);
  }
  return 0;
}

static int need_dofs(Solve* s) {
  if (!s->has_dofs) {
    s->has_dofs = dofs_make(&s->dofs, s->p, s->list, s->nlist) ? 1 : -1;
  }
  return s->has_dofs > 0;
}

// Newton's steps, pulled towards one centre after the other; ends with the best of them. The first
// is often enough; those after it are reached from farther away.
static void finish(Solve* s) {
  static const mjtNum kProximal[] = {(mjtNum)1e-9, (mjtNum)1e-8, (mjtNum)1e-8, (mjtNum)1e-8,
                                     (mjtNum)1e-8, (mjtNum)1e-9, (mjtNum)1e-9};
  enum {
    CENTRES = sizeof kProximal / sizeof kProximal[0]
  };
  const mjtNum least = sizeof(mjtNum) == sizeof(double) ? 0 : (mjtNum)1e-5;
  HardProblem* p = s->p;
  mj_markStack(p->d);
  Kept best = kept_make(p), raw = kept_make(p);
  mjtNum* centre = mj_stackAllocNum(p->d, p->nrow);
  keep(&best, p);
  int helps = 1;
  for (int i = 0; helps && goes_on(s) && i < CENTRES; i++) {
    memcpy(centre, p->f, p->nrow * sizeof(mjtNum));
    helps = approach(s, centre, num_max(least, kProximal[i]), &best, &raw);
  }
  take(&best, p);
  mj_freeStack(p->d);
}

// w anew: large forces that cancelled leave their rounding in it.
static void refresh(Solve* s) {
  HardProblem* p = s->p;
  for (int l = 0; l < s->nlist; l++) {
    const HardBlock* block = p->block + s->list[l];
    memcpy(p->w + block->first, p->b + block->first, block->dim * sizeof(mjtNum));
  }
  for (int l = 0; l < s->nlist; l++) {
    const HardBlock* block = p->block + s->list[l];
    matrix_add(p->w, p->K, s->list[l], p->f + block->first, block->dim);
  }
  s->end.residual = judge(s);
}

// What the sweep of a number is like. Those forwards are extrapolated, those backwards are not:
// where the one goes in circles, the other most often doesn't.
enum {
  PLAIN = 2,          // the first ones are plain,
  STRETCH = 30,       // then so many go forwards, as many backwards, and so on
  NEWTON_FROM = 20,   // Newton's steps are tried from here on
  NEWTON_EVERY = 10,  //
  REFRESH_FROM = 50,  // w is made anew before these
  SMOOTH_FROM = 30,   // now sweeps alone won't do it
};

static int goes_backwards(int number) {
  return number >= PLAIN && (number - PLAIN) / STRETCH % 2;
}

// Residual that counts as solved: below it smoothing isn't tried and no warning is raised.
static mjtNum fair(const Solve* s) {
  return num_max(s->tolerance, sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-10 : (mjtNum)1e-3);
}

static void make_locals(Solve* s) {
  s->local =
      mj_stackAllocByte(s->p->d, (size_t)s->nlist * sizeof(SweepLocal), _Alignof(SweepLocal));
  for (int l = 0; l < s->nlist; l++) {
    sweep_local(s->local + l, s->p, s->list[l]);
  }
}

// The residual without the forces that it is divided by: where these are large it may be small, and
// bodies fly apart all the same.
static mjtNum error_of(const Solve* s) {
  return s->end.residual * num_max(s->need, hard_largest(s->p, s->list, s->nlist));
}

static void forget_forces(Solve* s) {
  for (int l = 0; l < s->nlist; l++) {
    const HardBlock* block = s->p->block + s->list[l];
    memset(s->p->f + block->first, 0, block->dim * sizeof(mjtNum));
  }
  refresh(s);
}

// Forces with the least error so far.
typedef struct {
  mjtNum* f;
  mjtNum error;
} Best;

static void best_keep(Best* best, const Solve* s) {
  mjtNum error = error_of(s);
  if (error < best->error) {
    best->f = best->f ? best->f : mj_stackAllocNum(s->p->d, s->p->nrow);
    memcpy(best->f, s->p->f, s->p->nrow * sizeof(mjtNum));
    best->error = error;
  }
}

static void best_take(const Best* best, Solve* s) {
  const mjtNum much = (mjtNum)0.01;
  for (int l = 0; best->error < much * error_of(s) && l < s->nlist; l++) {
    const HardBlock* block = s->p->block + s->list[l];
    memcpy(s->p->f + block->first, best->f + block->first, block->dim * sizeof(mjtNum));
  }
}

// Forces that nothing determines, or that contradict each other, may grow from sweep to sweep, the
// faster, the cleverer the sweeps are. A few plain ones leave what is reasonable.
static void start_anew(Solve* s) {
  forget_forces(s);
  for (int k = 0; k < PLAIN; k++) {
    sweep(s->p, s->list, s->nlist, NULL, 0);
  }
  s->end.residual = judge(s);
}

// The work of the forces, f . (b + w) / 2. Where all laws are obeyed it is -f . K f / 2 and what
// friction takes: never positive.
static mjtNum work_of(const Solve* s) {
  const HardProblem* p = s->p;
  mjtNum work = 0;
  for (int l = 0; l < s->nlist; l++) {
    const HardBlock* block = p->block + s->list[l];
    for (int r = block->first; r < block->first + block->dim; r++) {
      work += p->weight[r] > 0 ? p->f[r] * (p->b[r] + p->w[r]) / 2 : 0;
    }
  }
  return work;
}

// Gives each block the impulse that it asks for alone, on top of those before. Returns the largest,
// by weight.
static mjtNum add_impulses(Solve* s) {
  HardProblem* p = s->p;
  mjtNum largest = 0;
  for (int l = 0; l < s->nlist; l++) {
    int i = s->list[l];
    const HardBlock* block = p->block + i;
    mjtNum *f = p->f + block->first, before[SWEEP_DIM] = {0}, change[SWEEP_DIM];
    if (!(p->weight[block->first] > 0) && block->law != HARD_FREE) {
      continue;
    }
    // friction loss bounds the sum of its impulses, so each is found beside those before; cones are
    // convex, so impulses that each lie in a cone have their sum in it
    before[0] = block->law == HARD_BOUND ? f[0] : 0;
    memcpy(change, before, block->dim * sizeof(mjtNum));
    sweep_block(change, p, i, s->local + l);
    for (int r = 0; r < block->dim; r++) {
      change[r] -= before[r];
      f[r] += change[r];
      largest = num_max(largest, p->weight[block->first + r] * mju_abs(change[r]));
    }
    matrix_add(p->w, p->K, i, change, block->dim);
  }
  return largest;
}

// Constraints that do more work than this part of need^2 add energy: that is more than rounding.
#define ADDED ((mjtNum)1e-6)

// Replaces forces that add energy by impulses given one after the other, none of them taken back.
// No impulse adds energy, so their sum doesn't. In the end nothing approaches any more, but bodies
// that a solution would press together may part.
static void take_impulses(Solve* s) {
  enum {
    PASSES = 100
  };
  const mjtNum enough = (mjtNum)1e-6;
  if (!s->local) {
    make_locals(s);
  }
  forget_forces(s);
  for (int pass = 0; pass < PASSES && add_impulses(s) > enough * s->need; pass++) {
  }
  refresh(s);
}

// An attempt at what sweeps don't solve.
typedef struct {
  mjtNum from, far;  // interior points (interior.h),
  int smoothing;     // or from = 0: a way of smoothing, or PULLED
} Attempt;

enum {
  PULLED = -1,  // interior points pulled to centres
  ATTEMPTS = 8,
  FACTORS = 1000  // of Newton's equations, after which only the last attempt is made
};

// Interior points are the surest way to bodies that jam; smoothing is faster where rows are many,
// most of them redundant.
static const Attempt kFewRows[ATTEMPTS] = {
    {1000, (mjtNum)1e-6, 0}, {0, 0, 0}, {100, 0, 0}, {0, 0, 2},
    {10000, 0, 0},           {0, 0, 1}, {0, 0, 4},   {0, 0, PULLED}};
static const Attempt kManyRows[ATTEMPTS] = {{0, 0, 0}, {0, 0, 1},     {1000, (mjtNum)1e-6, 0},
                                            {0, 0, 2}, {0, 0, 3},     {100, 0, 0},
                                            {0, 0, 4}, {0, 0, PULLED}};

static int has_friction(const Solve* s) {
  for (int l = 0; l < s->nlist; l++) {
    if (s->p->block[s->list[l]].law == HARD_CONE) {
      return 1;
    }
  }
  return 0;
}

// Newton's steps begin at the best that the attempt itself finds, if its residual is less than
// given: the best of all may lead nowhere.
static void attempt_solve(Solve* s, const Attempt* attempt, mjtNum than) {
  HardDofs* e = &s->dofs;
  s->end.residual = attempt->smoothing == PULLED ? interior_solve_pulled(e, than, s->tolerance)
                    : attempt->from > 0
                        ? interior_solve(e, attempt->from, attempt->far, than, s->tolerance)
                        : smoothing_solve(e, attempt->smoothing, than, s->tolerance);
  project_all(s->p, s->list, s->nlist);
  refresh(s);
  finish(s);
}

// What sweeps don't solve: easier laws from far away, and Newton's steps for the laws themselves
// from where that ends. Where it helps little, the forces of the sweeps are kept: those of a path
// that goes astray may be large.
static void smooth(Solve* s) {
  if (!need_dofs(s)) {
    return;
  }
  HardProblem* p = s->p;
  mjtNum error = error_of(s), least = s->end.residual;
  mj_markStack(p->d);
  Kept before = kept_make(p), best = kept_make(p);
  keep(&before, p);
  keep(&best, p);
  int few = has_friction(s) && interior_rows_are_few(&s->dofs);
  const Attempt* attempt = few ? kFewRows : kManyRows;
  int most = s->dofs.factors + FACTORS;
  for (int i = 0; i < ATTEMPTS && least > fair(s); i++) {
    i = s->dofs.factors < most ? i : ATTEMPTS - 1;
    // where there is no solution, no more attempts are made than it takes to suspect that
    if (i == 2 && contradiction_proved(p, s->list, s->nlist, s->need)) {
      s->end.contradicts = 1;
      break;
    }
    attempt_solve(s, attempt + i, i ? mjMAXVAL : least);
    if (s->end.residual < least) {
      least = s->end.residual;
      keep(&best, p);
    }
  }
  take(&best, p);
  project_all(p, s->list, s->nlist);
  refresh(s);
  if (s->end.residual > fair(s) && error_of(s) > error / 2) {
    take(&before, p);
    refresh(s);
  }
  mj_freeStack(p->d);
}

// A sweep, and Newton's steps from time to time.
static void advance(Solve* s, int number) {
  mjtNum before = s->end.residual;
  sweep(s->p, s->list, s->nlist, s->local, goes_backwards(number));
  s->end.residual = judge(s);
  s->end.sweeps++;
  note(s, s->end.residual, before);
  if (s->local && s->end.sweeps >= NEWTON_FROM && s->end.sweeps % NEWTON_EVERY == 0) {
    if (s->end.sweeps >= REFRESH_FROM) {
      refresh(s);
    }
    if (need_dofs(s)) {
      finish(s);
    }
  }
  if (s->local && s->end.residual <= s->tolerance) {
    refresh(s);
  }
}

HardEnd hard_solve(HardProblem* p, const int* list, int nlist, int iterations, mjtNum tolerance,
                   mjSolverStat* stat, int nstat) {
  Solve s = {.p = p,
             .list = list,
             .nlist = nlist,
             .iterations = iterations,
             .tolerance = tolerance,
             .need = hard_need(p, list, nlist),
             .stat = stat,
             .nstat = nstat};
  s.bound = BOUNDLESS * s.need;
  Iterates iterates = {0};
  mj_markStack(p->d);
  s.end.residual = judge(&s);
  if (error_of(&s) > 100 * s.need) {
    forget_forces(&s);
  }
  Best best = {.error = INFINITY};
  while (goes_on(&s)) {
    int number = s.end.sweeps;
    mjtNum before = s.end.residual;
    if (number >= PLAIN && !s.local) {
      // plain sweeps are over: from here on blocks are solved whole
      iterates = iterates_make(p);
      make_locals(&s);
    }
    if (s.local) {
      memcpy(iterates.f, p->f, p->nrow * sizeof(mjtNum));
    }
    advance(&s, number);

    int late = s.end.sweeps >= SMOOTH_FROM && s.end.residual > fair(&s) && need_dofs(&s);
    int diverges = s.local && s.end.residual >= mjMAXVAL;
    if (diverges) {
      start_anew(&s);
    }
    if (late || (diverges && need_dofs(&s))) {
      // sweeps have had their chance, and go in circles
      best_keep(&best, &s);
      smooth(&s);
      break;
    } else if (goes_backwards(number) || s.end.residual > 2 * before) {
      iterates_forget(&iterates);
    }
    if (s.end.sweeps >= NEWTON_FROM && goes_on(&s)) {
      best_keep(&best, &s);
    }
    if (s.local && !goes_backwards(number) && goes_on(&s)) {
      iterates_add(&iterates, p, list, nlist);
      iterates_extrapolate(&iterates, p, list, nlist);
    }
  }
  // the reported residual is that of the best forces
  if (s.local && s.end.residual > tolerance) {
    best_take(&best, &s);
    refresh(&s);
  }
  // nothing solved it: is there a proof that nothing can, and do the forces at least add no energy?
  s.end.failed = s.end.residual > fair(&s);
  s.end.contradicts =
      s.end.failed && (s.end.contradicts || contradiction_proved(p, list, nlist, s.need));
  if (s.end.contradicts) {
    start_anew(&s);
  }
  if (work_of(&s) > ADDED * num_square(s.need)) {
    take_impulses(&s);
  }
  s.end.failed = s.end.residual > fair(&s);
  note(&s, s.end.residual, s.end.residual);
  mj_freeStack(p->d);
  return s.end;
}
