// Newton's step: the laws that apply at the moment give linear equations for the changes of forces,
// and a line search tells how much of the changes helps.

#include "constraint/hard/newton.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/dense_solve.h"
#include "base/algebra/simd.h"
#include "base/algebra/vec.h"

void linear_gather(mjtNum* A, int ld, const int* place, const HardProblem* p, const int* list,
                   int nlist) {
  const HardMatrix* K = p->K;
  for (int l = 0; l < nlist; l++) {
    int i = list[l];
    const HardBlock* block = p->block + i;
    for (int c = 0; c < block->dim; c++) {
      int to = place[block->first + c];
      const mjtNum* column = K->value + K->adr[i] + (int64_t)c * K->length[i];
      for (int k = K->runadr[i]; to >= 0 && k < K->runadr[i + 1]; k++) {
        // K is symmetric, so its column is row `to` of A
        for (int r = 0; r < K->run[k].n; r++) {
          int from = place[K->run[k].first + r];
          if (from >= 0) {
            A[(size_t)to * ld + from] = column[r];
          }
        }
        column += K->run[k].n;
      }
    }
  }
}

int linear_solve(mjtNum* A, int ld, mjtNum* x, int n) {
  int is_solved = pivoted_solve(x, A, n, 1, 1, ld, mjMINVAL);
  for (int i = 0; i < n; i++) {
    is_solved &= isfinite(x[i]) != 0;
  }
  return is_solved;
}

// Contact state of a block. FIXED (open or at its bound) has no rows in the system.
typedef enum {
  FIXED = 0,
  STICKS,
  SLIDES
} Motion;

enum {
  MAX_DIM = 6
};

// A block at its present forces.
typedef struct {
  Motion motion;
  mjtNum along[MAX_DIM];  // x_t / |x_t| of a slide
  mjtNum part;            // f_n / |x_t|, at most 1
  mjtNum k;               // mean diagonal of the tangents
} Contact;

// The equations: n unknowns, the changes of forces at rows row[i] of the problem.
typedef struct {
  HardProblem* p;
  const int* list;
  int nlist;
  const mjtNum* centre;
  mjtNum proximal;
  int n;
  int* place;        // unknown of each row of the problem, -1 if it has none
  Contact* contact;  // (nlist)
  mjtNum* change;    // of all forces (nrow)
  mjtNum* after;     // change of w, in the beginning by FIXED rows alone (nrow)
  mjtNum* A;         // n x ld
  int ld;
  mjtNum* x;  // right-hand side, then solution
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
static void find_motion(Contact* c, Equations* e, const HardBlock* block) {
  int first = block->first;
  const mjtNum *f = e->p->f + first, *weight = e->p->weight + first;
  mjtNum* change = e->change + first;
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

// after = K change of the listed blocks
static void find_after(Equations* e) {
  mju_zero(e->after, e->p->nrow);
  for (int l = 0; l < e->nlist; l++) {
    const HardBlock* block = e->p->block + e->list[l];
    matrix_add(e->after, e->p->K, e->list[l], e->change + block->first, block->dim);
  }
}

// Which rows take part. Returns 0 if there are too many.
static int choose_rows(Equations* e) {
  const HardProblem* p = e->p;
  e->n = 0;
  for (int i = 0; i < p->nrow; i++) {
    e->place[i] = -1;
  }
  for (int l = 0; l < e->nlist; l++) {
    const HardBlock* block = p->block + e->list[l];
    find_motion(e->contact + l, e, block);
    for (int r = 0; r < block->dim && e->contact[l].motion != FIXED; r++) {
      if (p->weight[block->first + r] > 0) {
        e->place[block->first + r] = e->n++;
      }
    }
  }
  return e->n <= NEWTON_MOST_ROWS;
}

// Row of v = 0, in units of force.
static void stick_row(Equations* e, int row) {
  mjtNum k = num_square(e->p->weight[row]);
  mjtNum* a = e->A + (size_t)e->place[row] * e->ld;
  for (int c = 0; c < e->n; c++) {
    a[c] /= k;
  }
  a[e->place[row]] += e->proximal;
  e->x[e->place[row]] = -(pulled(e, row) + e->after[row]) / k;
}

// Replaces the tangent rows of a sliding contact, which hold K so far, by those of f_t = f_n d with
// d = x_t / |x_t|:  df_t - d df_n - part (1 - d d') dx_t = -(f_t - f_n d)
static void slide_rows(Equations* e, const HardBlock* block, const Contact* contact) {
  const mjtNum *f = e->p->f + block->first, *weight = e->p->weight + block->first;
  const mjtNum *along = contact->along, *after = e->after + block->first;
  const int* place = e->place + block->first;
  int n = e->n, dim = block->dim;
  mjtNum part = contact->part, drift = 0;

  // column by column: what the velocities do to the direction
  for (int c = 0; c < n; c++) {
    mjtNum sum = 0;
    for (int r = 1; r < dim; r++) {
      sum += place[r] >= 0 ? along[r] * e->A[(size_t)place[r] * e->ld + c] : 0;
    }
    for (int r = 1; r < dim; r++) {
      if (place[r] >= 0) {
        mjtNum* a = e->A + (size_t)place[r] * e->ld + c;
        *a = part / contact->k * (*a - along[r] * sum);
      }
    }
  }
  for (int r = 1; r < dim; r++) {
    drift += place[r] >= 0 ? along[r] * after[r] : 0;
  }
  for (int r = 1; r < dim; r++) {
    if (place[r] < 0) {
      continue;
    }
    mjtNum* row = e->A + (size_t)place[r] * e->ld;
    for (int c = 1; c < dim; c++) {
      if (place[c] >= 0) {
        mjtNum pull = 1 - e->proximal * num_square(weight[c]) / contact->k;
        row[place[c]] += (c == r) - part * pull * ((c == r) - along[r] * along[c]);
      }
    }
    row[place[0]] -= along[r];
    e->x[place[r]] = f[0] * along[r] - f[r] - part / contact->k * (after[r] - along[r] * drift);
  }
}

static int solve_equations(Equations* e) {
  HardProblem* p = e->p;
  e->ld = SIMD_PADDED(e->n);
  size_t bytes = (size_t)e->n * e->ld * sizeof(mjtNum);
  e->A = mj_stackAllocByte(p->d, bytes, 64);
  e->x = mj_stackAllocNum(p->d, e->n);
  memset(e->A, 0, bytes);
  linear_gather(e->A, e->ld, e->place, p, e->list, e->nlist);
  for (int l = 0; l < e->nlist; l++) {
    const HardBlock* block = p->block + e->list[l];
    int slides = e->contact[l].motion == SLIDES;
    if (slides) {
      slide_rows(e, block, e->contact + l);
    }
    for (int r = 0; r < (slides ? 1 : block->dim); r++) {
      if (e->place[block->first + r] >= 0) {
        stick_row(e, block->first + r);
      }
    }
  }
  if (!linear_solve(e->A, e->ld, e->x, e->n)) {
    return 0;
  }
  for (int i = 0; i < p->nrow; i++) {
    if (e->place[i] >= 0) {
      e->change[i] = e->x[e->place[i]];
    }
  }
  return 1;
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

mjtNum newton_step(HardProblem* p, const int* list, int nlist, const mjtNum* centre,
                   mjtNum proximal) {
  mjData* d = p->d;
  mjtNum left = -1;
  mj_markStack(d);
  Equations e = {
      .p = p,
      .list = list,
      .nlist = nlist,
      .centre = centre,
      .proximal = proximal,
      .place = mj_stackAllocInt(d, p->nrow),
      .contact = mj_stackAllocByte(d, (size_t)nlist * sizeof(Contact), _Alignof(Contact)),
      .change = mj_stackAllocNum(d, p->nrow),
      .after = mj_stackAllocNum(d, p->nrow)};
  if (choose_rows(&e)) {
    find_after(&e);
    if (solve_equations(&e)) {
      find_after(&e);
      left = take_step(&e);
    }
  }
  mj_freeStack(d);
  return left;
}
