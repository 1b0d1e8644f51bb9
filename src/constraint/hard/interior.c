// Newton's steps with tau ahead of them; where tau can't fall any more, the path of solutions is
// followed by its length, on which tau may grow for a while.

#include "constraint/hard/interior.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"
#include "constraint/hard/interior_step.h"

// Forces of this many times what a constraint alone needs count as divergence.
#define BOUNDLESS ((mjtNum)1e6)

// A step takes this part of the room to the nearest bound.
#define NEAREST ((mjtNum)0.99)

typedef struct {
  Interior s;
  InteriorPoint step, tangent, last;
  InteriorPoint good;       // the last one from which a large part of a step was taken, as
  mjtNum good_mean;         // that is near the path; 0: none
  mjtNum *best_f, *best_w;  // with the least residual so far (nrow)
  mjtNum need, least, tolerance;
  int count;    // of products
  int factors;  // of the equations after which it gives up
} Descent;

static int may_go_on(const Descent* t) {
  return t->least > t->tolerance && t->s.e->factors < t->factors;
}

static mjtNum judge(Descent* t) {
  HardProblem* p = t->s.p;
  const HardDofs* e = t->s.e;
  mjtNum residual = hard_residual(p, e->list, e->nlist, t->need);
  if (residual < t->least && hard_largest(p, e->list, e->nlist) <= BOUNDLESS * t->need) {
    t->least = residual;
    for (int l = 0; l < e->nlist; l++) {
      const HardBlock* block = p->block + e->list[l];
      mju_copy(t->best_f + block->first, p->f + block->first, block->dim);
      mju_copy(t->best_w + block->first, p->w + block->first, block->dim);
    }
  }
  return residual;
}

static void copy(Descent* t, InteriorPoint* to, const InteriorPoint* from) {
  interior_add(to, &t->s, from, from, 0);
}

// tau falls

// A step that brings all products to a tau between 0.1 and 1 of their mean: the nearer to 0.1, the
// farther a step towards tau = 0 would go (Mehrotra 1992). Returns the part that was taken, 0 if
// there is no step.
static mjtNum take_step(Descent* t, mjtNum mean) {
  const mjtNum least = (mjtNum)0.1;
  Interior* s = &t->s;
  if (!interior_solve_step(s)) {
    return 0;
  }
  interior_step_to(&t->step, s, 0);
  mjtNum rest = 1 - num_min(1, NEAREST * interior_step_room(s, &t->step));
  interior_step_to(&t->step, s, num_max(least, rest * rest * rest) * mean);
  mjtNum part = num_min(1, NEAREST * interior_step_room(s, &t->step));
  if (!(part > 0)) {
    return 0;
  }
  interior_add(&s->at, s, &s->at, &t->step, part);
  return part;
}

// Lets tau fall until it gets stuck. Returns the mean product at the end.
static mjtNum descend(Descent* t) {
  enum {
    WINDOW = 6  // steps in which the mean has to be halved
  };
  const mjtNum large = (mjtNum)0.7;
  mjtNum before[WINDOW], part = 0, mean = 0;
  t->good_mean = 0;
  for (int k = 0;; k++) {
    mean = interior_mean(&t->s, &t->count);
    judge(t);
    int stuck = k >= 2 * WINDOW && mean > before[k % WINDOW] / 2;
    if (stuck || !may_go_on(t) || !(mean > 0)) {
      return mean;
    }
    if (part >= large && k > 3) {
      copy(t, &t->good, &t->s.at);
      t->good_mean = mean;
    }
    part = take_step(t, mean);
    if (!(part > 0)) {
      return mean;
    }
    before[k % WINDOW] = mean;
  }
}

// the path

// To the point of the path at a tau. Returns 0 if it isn't reached.
static int reach_path(Descent* t, mjtNum tau) {
  enum {
    STEPS = 12
  };
  const mjtNum most = (mjtNum)0.9, near = (mjtNum)0.1;
  Interior* s = &t->s;
  for (int k = 0; k < STEPS && interior_solve_step(s); k++) {
    interior_step_to(&t->step, s, tau);
    mjtNum square = interior_dot(s, &t->step, &t->step);
    mjtNum part = num_min(1, most * interior_step_room(s, &t->step));
    if (!(part > 0)) {
      return 0;
    }
    interior_add(&s->at, s, &s->at, &t->step, part);
    if (square < num_square(near)) {
      s->at.log_tau = num_log(tau);
      return 1;
    }
  }
  return 0;
}

// The unit tangent at the present point, forwards as before; its length counts the mean of the
// squares of all changes, each by its value. Returns 0 if there is none.
static int find_tangent(Descent* t, mjtNum forwards) {
  Interior* s = &t->s;
  if (!interior_solve_step(s)) {
    return 0;
  }
  interior_step_along(&t->step, s, num_exp(s->at.log_tau));
  if (forwards == 0) {
    forwards = interior_dot(s, &t->step, &t->tangent) / t->count + t->tangent.log_tau;
  }
  mjtNum square = interior_dot(s, &t->step, &t->step) / t->count + 1;
  interior_add(&t->tangent, s, &t->step, &t->step, (forwards < 0 ? -1 : 1) / mju_sqrt(square) - 1);
  return square < mjMAXVAL;
}

// Newton's steps across the tangent to the path. Returns their number, or -1 if they don't reach
// it.
static int correct(Descent* t) {
  enum {
    STEPS = 6
  };
  const mjtNum most = (mjtNum)0.9, near = (mjtNum)0.3, far = 3;
  Interior* s = &t->s;
  for (int k = 0; k < STEPS && interior_solve_step(s); k++) {
    // the step at this tau, and how much along the path keeps it across the tangent
    mjtNum tau = num_exp(s->at.log_tau), fixed, moving;
    interior_step_to(&t->step, s, tau);
    fixed = interior_dot(s, &t->tangent, &t->step) / t->count;
    interior_step_along(&t->step, s, tau);
    moving = interior_dot(s, &t->tangent, &t->step) / t->count + t->tangent.log_tau;
    mjtNum by = -fixed / moving;
    interior_step_to(&t->step, s, tau * (1 + by));
    t->step.log_tau = by;
    mjtNum square = interior_dot(s, &t->step, &t->step);
    mjtNum part = num_min(1, most * interior_step_room(s, &t->step));
    if (!(square < mjMAXVAL) || !(mju_abs(by) < far) || !(part > 0)) {
      return -1;
    }
    interior_add(&s->at, s, &s->at, &t->step, part);
    if (square < num_square(near)) {
      return k;
    }
  }
  return -1;
}

// Follows the path by its length until tau is below an end. Returns 0 if it doesn't get there.
static int follow(Descent* t, mjtNum end) {
  enum {
    STEPS = 60
  };
  const mjtNum grow[] = {2, (mjtNum)1.7, (mjtNum)1.2, (mjtNum)0.9, (mjtNum)0.7, (mjtNum)0.5};
  const mjtNum longest = 4, shortest = (mjtNum)1e-6, most = (mjtNum)0.9;
  Interior* s = &t->s;
  mjtNum length = (mjtNum)0.5;
  int fine = find_tangent(t, -1);
  for (int k = 0; k < STEPS && fine && may_go_on(t) && length > shortest; k++) {
    if (s->at.log_tau < end) {
      return 1;
    }
    copy(t, &t->last, &s->at);
    mjtNum part = num_min(length, most * interior_step_room(s, &t->tangent));
    interior_add(&s->at, s, &s->at, &t->tangent, part);
    int steps = correct(t);
    if (steps < 0) {
      copy(t, &s->at, &t->last);
      length /= 3;
      continue;
    }
    judge(t);
    fine = find_tangent(t, 0);
    length = num_min(longest, length * grow[steps]);
  }
  return 0;
}

// From where tau got stuck to the path, and along that until tau is lower. Returns 0 if that fails.
static int pass(Descent* t, mjtNum mean) {
  enum {
    TRIES = 3
  };
  const mjtNum lower = 2;
  int there = 0;
  if (t->good_mean > 0) {
    copy(t, &t->s.at, &t->good);
    there = reach_path(t, t->good_mean);
  }
  for (int k = 0; k < TRIES && !there; k++) {
    there = reach_path(t, mean * num_exp(lower * k));
  }
  return there && follow(t, num_log(mean) - lower);
}

// pulled to a centre

// The residual of the laws that are solved for with a centre. w: room for velocities (nrow).
static mjtNum pulled_residual(const Descent* t, mjtNum* w) {
  const Interior* s = &t->s;
  HardProblem pulled = *s->p;
  for (int l = 0; l < s->e->nlist; l++) {
    const HardBlock* block = pulled.block + s->e->list[l];
    for (int i = block->first; i < block->first + block->dim; i++) {
      w[i] =
          pulled.w[i] + s->proximal * num_square(pulled.weight[i]) * (pulled.f[i] - s->centre[i]);
    }
  }
  pulled.w = w;
  return hard_residual(&pulled, s->e->list, s->e->nlist, t->need);
}

// Lets tau fall until the laws with the centre are solved, or the mean product is below an end.
// Returns 0 if it gets stuck before. w: room (nrow).
static int descend_pulled(Descent* t, mjtNum end, mjtNum* w) {
  enum {
    STEPS = 40,
    WINDOW = 6
  };
  const mjtNum solved = (mjtNum)0.05;
  Interior* s = &t->s;
  mjtNum before[WINDOW];
  for (int k = 0; k < STEPS && may_go_on(t); k++) {
    mjtNum mean = interior_mean(s, &t->count), residual = judge(t);
    if (mean <= end || (s->centre && pulled_residual(t, w) <= solved * residual)) {
      return 1;
    }
    if ((k >= 2 * WINDOW && mean > before[k % WINDOW] / 2) || !(take_step(t, mean) > 0)) {
      return 0;
    }
    before[k % WINDOW] = mean;
  }
  return 0;
}

// A descent from normal forces `from`, by what a constraint alone needs. On the stack.
static void descent_make(Descent* t, HardDofs* e, mjtNum from, mjtNum residual, mjtNum tolerance) {
  enum {
    FACTORS = 300
  };
  HardProblem* p = e->p;
  *t = (Descent){.step = interior_point(e),
                 .tangent = interior_point(e),
                 .last = interior_point(e),
                 .good = interior_point(e),
                 .best_f = mj_stackAllocNum(p->d, p->nrow),
                 .best_w = mj_stackAllocNum(p->d, p->nrow),
                 .need = hard_need(p, e->list, e->nlist),
                 .least = residual,
                 .tolerance = tolerance,
                 .factors = e->factors + FACTORS};
  mju_copy(t->best_f, p->f, p->nrow);
  mju_copy(t->best_w, p->w, p->nrow);
  interior_make(&t->s, e);
  interior_begin(&t->s, from * t->need);
}

// Forces and velocities of the blocks become the best ones. Returns their residual.
static mjtNum descent_take(const Descent* t) {
  const HardDofs* e = t->s.e;
  HardProblem* p = e->p;
  for (int l = 0; l < e->nlist; l++) {
    const HardBlock* block = p->block + e->list[l];
    mju_copy(p->f + block->first, t->best_f + block->first, block->dim);
    mju_copy(p->w + block->first, t->best_w + block->first, block->dim);
  }
  return t->least;
}

mjtNum interior_solve(HardDofs* e, mjtNum from, mjtNum far, mjtNum residual, mjtNum tolerance) {
  enum {
    PASSES = 4
  };
  Descent t;
  mj_markStack(e->p->d);
  descent_make(&t, e, from, residual, tolerance);
  mjtNum mean = descend(&t), enough = far * num_square(t.need);
  for (int k = 0; k < PASSES && mean > enough && may_go_on(&t) && pass(&t, mean); k++) {
    mean = descend(&t);
  }
  mjtNum least = descent_take(&t);
  mj_freeStack(e->p->d);
  return least;
}

mjtNum interior_solve_pulled(HardDofs* e, mjtNum residual, mjtNum tolerance) {
  static const mjtNum kProximal[] = {(mjtNum)1e-5, (mjtNum)1e-6, (mjtNum)1e-7, (mjtNum)1e-7,
                                     (mjtNum)1e-8, (mjtNum)1e-9, (mjtNum)1e-9, (mjtNum)1e-10};
  enum {
    CENTRES = sizeof kProximal / sizeof kProximal[0]
  };
  const mjtNum from = 1000, first = (mjtNum)1e-4, last = (mjtNum)1e-22;
  HardProblem* p = e->p;
  Descent t;
  mj_markStack(p->d);
  descent_make(&t, e, from, residual, tolerance);
  mjtNum* w = mj_stackAllocNum(p->d, p->nrow);
  mjtNum* centre = mj_stackAllocNum(p->d, p->nrow);
  descend_pulled(&t, first * num_square(t.need), w);
  copy(&t, &t.good, &t.s.at);
  mju_copy(centre, p->f, p->nrow);
  for (int k = 0; k < CENTRES && may_go_on(&t); k++) {
    copy(&t, &t.s.at, &t.good);
    t.s.centre = centre;
    t.s.proximal = kProximal[k];
    int solved = descend_pulled(&t, last * num_square(t.need), w);
    mju_copy(centre, solved ? p->f : t.best_f, p->nrow);
  }
  mjtNum least = descent_take(&t);
  mj_freeStack(p->d);
  return least;
}
