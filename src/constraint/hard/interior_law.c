// The laws inside of their bounds, and their linearization.

#include "constraint/hard/interior_law.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/dense_solve.h"
#include "base/algebra/vec.h"

// What is added to A, by k: forces that no motion determines would otherwise be those of rounding.
#define REGULAR (sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-14 : (mjtNum)1e-6)

// The same for equalities, which have no A of their own.
#define PROXIMAL (sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-10 : (mjtNum)1e-4)

// Friction at its forces.
typedef struct {
  int from, dim;  // rows from .. dim
  mjtNum R, square, gap;
} Disc;

static int has_normal(const HardBlock* block) {
  return block->law == HARD_PUSH || block->law == HARD_CONE;
}

static int can_move(const HardBlock* block, const mjtNum* weight) {
  return block->law == HARD_FREE || weight[0] > 0;
}

// Whether a block has friction, and that.
static int find_disc(Disc* disc, const HardBlock* block, const mjtNum* f) {
  int cone = block->law == HARD_CONE && block->dim > 1;
  if (!cone && !(block->law == HARD_BOUND && block->bound > 0)) {
    return 0;
  }
  *disc = (Disc){.from = cone, .dim = block->dim, .R = cone ? f[0] : block->bound};
  for (int r = disc->from; r < disc->dim; r++) {
    disc->square += f[r] * f[r];
  }
  mjtNum length = mju_sqrt(disc->square);
  disc->gap = (disc->R - length) * (disc->R + length) / 2;
  return 1;
}

void interior_start(mjtNum* f, InteriorDual* dual, const HardBlock* block, const mjtNum* weight,
                    mjtNum force) {
  memset(f, 0, block->dim * sizeof(mjtNum));
  *dual = (InteriorDual){0};
  if (!can_move(block, weight)) {
    return;
  }
  if (has_normal(block)) {
    f[0] = force / weight[0];
    dual->slack = force * weight[0];
  }
  Disc disc;
  if (find_disc(&disc, block, f)) {
    dual->pull = num_square(force) / disc.gap;
  }
}

int interior_products(mjtNum product[2], const InteriorBlock* at, const InteriorDual* dual) {
  Disc disc;
  int n = 0;
  if (!can_move(at->block, at->weight)) {
    return 0;
  }
  if (has_normal(at->block)) {
    product[n++] = at->f[0] * dual->slack;
  }
  if (find_disc(&disc, at->block, at->f)) {
    product[n++] = dual->pull * disc.gap;
  }
  return n;
}

// m (1 + f_t f_t' / G) df_t - f_t (m R / G) dR + dw_t = -w_t - tau f_t / G, and the inverse of
// that.
static void friction_law(InteriorLaw* law, const InteriorBlock* at, mjtNum pull, const Disc* disc) {
  const mjtNum *f = at->f, *weight = at->weight;
  int dim = disc->dim, from = disc->from;
  mjtNum all = disc->gap + disc->square;
  for (int r = from; r < dim; r++) {
    if (!(weight[r] > 0)) {
      continue;
    }
    mjtNum stiff = pull + REGULAR * num_square(weight[r]);
    for (int c = from; c < dim; c++) {
      mjtNum product = weight[c] > 0 ? f[r] * f[c] : 0;
      law->A[r * dim + c] = (r == c ? stiff : 0) + pull * product / disc->gap;
      law->B[r * dim + c] = ((r == c) - product / all) / stiff;
    }
    if (from > 0) {
      law->A[r * dim] = -pull * f[r] * disc->R / disc->gap;
      law->B[r * dim] = pull / stiff * f[r] * disc->R / all * law->B[0];
    }
    law->rest[0][r] = -at->w[r];
    law->rest[1][r] = -f[r] / disc->gap;
  }
}

// A += proximal k, rest -= proximal k (f - c). B is then inverted by the numbers: with rows of
// different k the formulas above don't hold.
static void add_proximal(InteriorLaw* law, const InteriorBlock* at) {
  int dim = at->block->dim;
  mjtNum A[TANGENT_DIM * TANGENT_DIM];
  for (int r = 0; r < dim; r++) {
    mjtNum by = at->proximal * num_square(at->weight[r]);
    law->A[r * dim + r] += by;
    law->rest[0][r] -= by * (at->f[r] - at->centre[r]);
  }
  memcpy(A, law->A, sizeof A);
  memset(law->B, 0, sizeof law->B);
  for (int r = 0; r < dim; r++) {
    law->B[r * dim + r] = at->weight[r] > 0;
  }
  pivoted_solve(law->B, A, dim, dim, dim, dim, 0);
}

void interior_law(InteriorLaw* law, const InteriorBlock* at, const InteriorDual* dual) {
  const HardBlock* block = at->block;
  const mjtNum *f = at->f, *weight = at->weight;
  int dim = block->dim;
  Disc disc;
  *law = (InteriorLaw){0};
  for (int r = 0; r < dim; r++) {
    law->A[r * dim + r] = 1;
  }
  if (!can_move(block, weight)) {
    return;
  }
  for (int r = 0; block->law == HARD_FREE && r < dim; r++) {
    if (weight[r] > 0) {
      law->A[r * dim + r] = PROXIMAL * num_square(weight[r]);
      law->B[r * dim + r] = 1 / law->A[r * dim + r];
      law->rest[0][r] = -at->w[r];
    }
  }
  if (has_normal(block)) {
    // s / f df + dw = tau / f - w
    law->A[0] = dual->slack / f[0] + REGULAR * num_square(weight[0]);
    law->B[0] = 1 / law->A[0];
    law->rest[0][0] = -at->w[0];
    law->rest[1][0] = 1 / f[0];
  }
  if (find_disc(&disc, block, f)) {
    friction_law(law, at, dual->pull, &disc);
  }
  if (at->centre) {
    add_proximal(law, at);
  }
}

// f ds + s df = tau - f s,   G dm + m (R dR - f_t . df_t) = tau - m G
InteriorDual interior_change(const InteriorBlock* at, const InteriorDual* dual, const mjtNum* df,
                             mjtNum tau) {
  InteriorDual change = {0};
  Disc disc;
  if (!can_move(at->block, at->weight)) {
    return change;
  }
  if (has_normal(at->block)) {
    change.slack = (tau - dual->slack * df[0]) / at->f[0] - dual->slack;
  }
  if (find_disc(&disc, at->block, at->f)) {
    mjtNum opens = disc.from > 0 ? disc.R * df[0] : 0;
    for (int r = disc.from; r < disc.dim; r++) {
      opens -= at->f[r] * df[r];
    }
    change.pull = (tau - dual->pull * opens) / disc.gap - dual->pull;
  }
  return change;
}

// The part at which value + part * change = 0.
static mjtNum room_of(mjtNum value, mjtNum change) {
  return change < 0 ? -value / change : INFINITY;
}

// The smallest positive root of a x^2 + 2 b x + c, c > 0.
static mjtNum first_root(mjtNum a, mjtNum b, mjtNum c) {
  mjtNum square = b * b - a * c;
  if (!(square >= 0)) {
    return INFINITY;
  }
  mjtNum q = b < 0 ? mju_sqrt(square) - b : -mju_sqrt(square) - b;
  mjtNum one = a != 0 ? q / a : INFINITY, other = q != 0 ? c / q : INFINITY;
  one = one > 0 ? one : INFINITY;
  other = other > 0 ? other : INFINITY;
  return num_min(one, other);
}

mjtNum interior_room(const InteriorBlock* at, const InteriorDual* dual, const mjtNum* df,
                     InteriorDual change) {
  mjtNum room = INFINITY;
  Disc disc;
  if (!can_move(at->block, at->weight)) {
    return room;
  }
  if (has_normal(at->block)) {
    room = num_min(room_of(at->f[0], df[0]), room_of(dual->slack, change.slack));
  }
  if (find_disc(&disc, at->block, at->f)) {
    // (R + x dR)^2 - |f_t + x df_t|^2 = 0
    mjtNum dR = disc.from > 0 ? df[0] : 0, a = dR * dR, b = disc.R * dR;
    for (int r = disc.from; r < disc.dim; r++) {
      a -= df[r] * df[r];
      b -= at->f[r] * df[r];
    }
    room = num_min(room, num_min(first_root(a, b, 2 * disc.gap), room_of(dual->pull, change.pull)));
  }
  return room;
}

mjtNum interior_block_dot(const InteriorBlock* at, const InteriorDual* dual, const mjtNum* f,
                          const InteriorDual* change, const mjtNum* other_f,
                          const InteriorDual* other) {
  mjtNum sum = 0;
  Disc disc;
  if (!can_move(at->block, at->weight)) {
    return 0;
  }
  if (has_normal(at->block)) {
    sum += f[0] * other_f[0] / num_square(at->f[0]);
    sum += change->slack * other->slack / num_square(dual->slack);
  }
  if (find_disc(&disc, at->block, at->f)) {
    for (int r = disc.from; r < disc.dim; r++) {
      sum += f[r] * other_f[r] / num_square(disc.R);
    }
    sum += change->pull * other->pull / num_square(dual->pull);
  }
  return sum;
}
