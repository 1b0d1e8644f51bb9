// Newton's step: the laws that apply at the moment are linear equations of the changes of forces
// and velocities, and a line search tells how much of the changes helps.

#include "constraint/hard/newton.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/dense_solve.h"
#include "base/algebra/vec.h"

// Contact state of a block. FIXED: open, or at its bound.
typedef enum {
  FIXED = 0,
  STICKS,
  SLIDES
} Motion;

// A block at its present forces.
typedef struct {
  Motion motion;
  mjtNum along[TANGENT_DIM];  // x_t / |x_t| of a slide
  mjtNum part;                // f_n / |x_t|, at most 1
  mjtNum k;                   // mean diagonal of the tangents
} Contact;

// The equations of a step.
typedef struct {
  HardProblem* p;
  HardDofs* dofs;
  const int* list;
  int nlist;
  const mjtNum* centre;
  mjtNum proximal;
  mjtNum* change;  // of all forces (nrow)
  mjtNum* after;   // change of w (nrow)
} Equations;

// w + proximal k (f - centre)
static mjtNum pulled(const Equations* e, int row) {
  const HardProblem* p = e->p;
  mjtNum k = num_square(p->weight[row]);
  return p->w[row] + e->proximal * k * (p->f[row] - e->centre[row]);
}

// Whether a contact with normal force n sticks, and where it slides otherwise.
static void find_slide(Contact* c, const Equations* e, const HardBlock* block, mjtNum n) {
  const mjtNum *f = e->p->f + block->first, *weight = e->p->weight + block->first;
  mjtNum square = 0, alone = 0;
  int moving = 0;
  c->k = 0;
  for (int r = 1; r < block->dim; r++) {
    mjtNum k = num_square(weight[r]), v = pulled(e, block->first + r);
    alone += num_square(k > 0 ? f[r] - v / k : f[r]);
    c->k += k;
    moving += k > 0;
  }
  c->motion = alone <= n * n ? STICKS : SLIDES;
  c->k = moving ? c->k / (mjtNum)moving : 0;
  for (int r = 1; r < block->dim; r++) {
    c->along[r] = weight[r] > 0 ? f[r] - pulled(e, block->first + r) / c->k : f[r];
    square += num_square(c->along[r]);
  }
  mjtNum length = mju_sqrt(square);
  if (!(length > 0)) {
    c->motion = STICKS;
    return;
  }
  for (int r = 1; r < block->dim; r++) {
    c->along[r] /= length;
  }
  c->part = num_min(1, n / length);
}

// Tells the motion of a block, and the changes of its forces if it is FIXED.
static void find_motion(Contact* c, mjtNum* change, const Equations* e, const HardBlock* block) {
  int first = block->first;
  const mjtNum *f = e->p->f + first, *weight = e->p->weight + first;
  memset(change, 0, block->dim * sizeof(mjtNum));
  c->motion = block->law == HARD_FREE ? STICKS : FIXED;
  if (block->law == HARD_FREE || !(weight[0] > 0)) {
    return;
  }
  mjtNum x = f[0] - pulled(e, first) / num_square(weight[0]);
  if (block->law == HARD_BOUND) {
    c->motion = mju_abs(x) < block->bound ? STICKS : FIXED;
    change[0] = c->motion == FIXED ? num_clamp(x, -block->bound, block->bound) - f[0] : 0;
  } else if (!(x > 0)) {
    for (int r = 0; r < block->dim; r++) {
      change[r] = -f[r];
    }
  } else if (block->law == HARD_PUSH) {
    c->motion = STICKS;
  } else {
    find_slide(c, e, block, x);
  }
}

// v = 0, in units of force:  proximal df + dw / k = -v / k
static void stick_row(HardTangent* t, const Equations* e, const HardBlock* block, int r) {
  int row = block->first + r;
  mjtNum k = num_square(e->p->weight[row]);
  if (k > 0) {
    t->B[r * block->dim + r] = 1 / (e->proximal * k);
    t->r[r] = -pulled(e, row) / (e->proximal * k);
  }
}

// A slide with d = x_t / |x_t|:  v_n = 0,  df_t - d df_n - part (1 - d d') dx_t = -(f_t - f_n d)
// with dx_t = df_t - (dw_t + proximal k df_t) / k_mean, solved for df.
static int slide_rows(HardTangent* t, const Equations* e, const HardBlock* block,
                      const Contact* contact) {
  const mjtNum *f = e->p->f + block->first, *weight = e->p->weight + block->first;
  const mjtNum* along = contact->along;
  int dim = block->dim, wide = dim + 1;
  mjtNum E[TANGENT_DIM * TANGENT_DIM] = {0}, X[TANGENT_DIM * (TANGENT_DIM + 1)] = {0};
  stick_row(t, e, block, 0);
  E[0] = 1;
  X[0] = t->B[0];
  X[dim] = t->r[0];
  for (int r = 1; r < dim; r++) {
    E[r * dim + r] = 1;
    if (!(weight[r] > 0)) {
      continue;
    }
    E[r * dim] = -along[r];
    X[r * wide + dim] = f[0] * along[r] - f[r];
    for (int c = 1; c < dim; c++) {
      mjtNum turn = weight[c] > 0 ? contact->part * ((c == r) - along[r] * along[c]) : 0;
      E[r * dim + c] -= turn * (1 - e->proximal * num_square(weight[c]) / contact->k);
      X[r * wide + c] = turn / contact->k;
    }
  }
  if (!pivoted_solve(X, E, dim, wide, wide, dim, mjMINVAL)) {
    return 0;
  }
  for (int r = 0; r < dim; r++) {
    memcpy(t->B + (ptrdiff_t)r * dim, X + (ptrdiff_t)r * wide, dim * sizeof(mjtNum));
    t->r[r] = X[r * wide + dim];
  }
  return 1;
}

static int solve_equations(Equations* e) {
  for (int l = 0; l < e->nlist; l++) {
    const HardBlock* block = e->p->block + e->list[l];
    HardTangent* t = e->dofs->tangent + l;
    Contact contact;
    *t = (HardTangent){0};
    find_motion(&contact, t->r, e, block);
    if (contact.motion == SLIDES && !slide_rows(t, e, block, &contact)) {
      return 0;
    }
    for (int r = 0; contact.motion == STICKS && r < block->dim; r++) {
      stick_row(t, e, block, r);
    }
  }
  return dofs_factor(e->dofs) && dofs_solve(e->dofs, e->change, e->after);
}

// How far from a solution the forces are that a part of the step leads to. f, w: room for them.
static mjtNum distance_at(const Equations* e, mjtNum* f, mjtNum* w, mjtNum part, mjtNum proximal) {
  HardProblem at = *e->p;
  for (int l = 0; l < e->nlist; l++) {
    const HardBlock* block = at.block + e->list[l];
    for (int i = block->first; i < block->first + block->dim; i++) {
      f[i] = e->p->f[i] + part * e->change[i];
      w[i] = e->p->w[i] + part * e->after[i] +
             proximal * num_square(at.weight[i]) * (f[i] - e->centre[i]);
    }
  }
  at.f = f;
  at.w = w;
  return hard_distance(&at, e->list, e->nlist);
}

// Takes the part of the step that helps, or the one that harms least: what can't be lessened along
// the step has another active set next to it.
static mjtNum take_step(Equations* e) {
  enum {
    HALVINGS = 7
  };
  const mjtNum least_decrease = (mjtNum)1e-3;
  HardProblem* p = e->p;
  mjtNum* f = mj_stackAllocNum(p->d, p->nrow);
  mjtNum* w = mj_stackAllocNum(p->d, p->nrow);
  mjtNum before = distance_at(e, f, w, 0, e->proximal), least = INFINITY, best = 1, part = 1;
  for (int k = 0; k <= HALVINGS; k++, part /= 2) {
    mjtNum distance = distance_at(e, f, w, part, e->proximal);
    if (distance < least) {
      least = distance;
      best = part;
    }
    if (distance <= (1 - least_decrease * part) * before) {
      break;
    }
  }
  mjtNum exact = distance_at(e, f, w, best, 0);
  for (int l = 0; l < e->nlist; l++) {
    const HardBlock* block = p->block + e->list[l];
    for (int i = block->first; i < block->first + block->dim; i++) {
      p->f[i] += best * e->change[i];
      p->w[i] += best * e->after[i];
    }
  }
  return exact > 0 ? least / exact : 0;
}

mjtNum newton_step(HardDofs* dofs, const mjtNum* centre, mjtNum proximal) {
  HardProblem* p = dofs->p;
  mj_markStack(p->d);
  Equations e = {.p = p,
                 .dofs = dofs,
                 .list = dofs->list,
                 .nlist = dofs->nlist,
                 .centre = centre,
                 .proximal = proximal,
                 .change = mj_stackAllocNum(p->d, p->nrow),
                 .after = mj_stackAllocNum(p->d, p->nrow)};
  mjtNum left = solve_equations(&e) ? take_step(&e) : -1;
  mj_freeStack(p->d);
  return left;
}
