// The smoothed laws, and the changes of forces that would satisfy them.

#include "constraint/hard/smooth_law.h"

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"

enum {
  MAX_DIM = TANGENT_DIM
};

// What is added to the derivatives of f - P, relative to the 1 of f. Forces that no motion
// determines, of which redundant contacts have many, would otherwise be those of rounding.
#define REGULAR (sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-11 : (mjtNum)1e-4)

// The same for equalities.
#define PROXIMAL (sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-9 : (mjtNum)1e-4)

// A smooth function of x: its value, its slope, and 1 - slope, which may be far below rounding.
typedef struct {
  mjtNum value, slope, rest;
} Soft;

// The root p > 0 of p (p - x) = square, which is max(0, x) for square = 0.
static Soft soft_positive(mjtNum x, mjtNum square) {
  mjtNum root = mju_sqrt(x * x + 4 * square);
  // no difference of nearly equal numbers
  mjtNum p = x > 0 ? (x + root) / 2 : 2 * square / (root - x);
  mjtNum other = x > 0 ? 2 * square / (root + x) : (root - x) / 2;
  return (Soft){p, p / root, other / root};
}

// Friction |f_t| = p < R along y for |y| = t:  t = p + 2 sigma p / (R^2 - p^2). With the gap
// g = R - p that is the root of the following in (0, R), negative at low and positive at R:
//
//   F(g) = (t - R + g) g (2 R - g) - 2 sigma (R - g)
//
static mjtNum friction_gap(mjtNum t, mjtNum R, mjtNum sigma) {
  enum {
    STEPS = 80
  };
  const mjtNum enough = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-14 : (mjtNum)1e-6;
  mjtNum low = num_max(0, R - t), high = R;
  mjtNum g = t > R ? sigma * R / (R * (t - R) + sigma) : low + sigma * t / (R * R - t * t + sigma);
  g = g > low && g < high ? g : (low + high) / 2;
  for (int step = 0; step < STEPS && high > low * (1 + enough); step++) {
    mjtNum F = (t - R + g) * g * (2 * R - g) - 2 * sigma * (R - g);
    mjtNum slope = g * (2 * R - g) + (t - R + g) * 2 * (R - g) + 2 * sigma;
    if (F > 0) {
      high = g;
    } else {
      low = g;
    }
    mjtNum next = g - F / slope;
    if (mju_abs(next - g) <= enough * g) {
      return g;
    }
    g = next > low && next < high ? next : (low + high) / 2;
  }
  return g;
}

// The disc |f_t| < R: how far friction goes, and its derivatives.
typedef struct {
  Soft along;       // of p by t
  mjtNum across;    // p / t,
  mjtNum rest;      // and 1 - p / t
  mjtNum by_bound;  // dp / dR
} Disc;

static Disc soft_disc(mjtNum t, mjtNum R, mjtNum sigma) {
  Disc d;
  mjtNum g = friction_gap(t, R, sigma), p = R - g, gap = g * (2 * R - g);
  mjtNum pull = 2 * sigma * (R * R + p * p), all = gap * gap + pull;
  d.along = (Soft){p, gap * gap / all, pull / all};
  d.across = gap / (gap + 2 * sigma);
  d.rest = 2 * sigma / (gap + 2 * sigma);
  d.by_bound = 4 * sigma * R * p / all;
  return d;
}

// The tangents of a contact whose normal force is to be `normal`; those of the normal row are
// there.
static void friction_law(mjtNum* missing, HardTangent* tangent, int dim, const mjtNum* weight,
                         const mjtNum* f, const mjtNum* w, Smoothing by, const Soft* normal) {
  mjtNum y[MAX_DIM] = {0}, k = 0, t = 0, miss = 0;
  for (int r = 1; r < dim; r++) {
    k = num_max(k, num_square(weight[r]));
  }
  if (!(k > 0)) {
    return;
  }
  for (int r = 1; r < dim; r++) {
    y[r] = weight[r] > 0 ? f[r] - w[r] / k : 0;
    t += y[r] * y[r];
  }
  t = mju_sqrt(t);
  Disc disc = soft_disc(t, by.friction * normal->value, by.tau / k);
  mjtNum d[MAX_DIM] = {0};
  for (int r = 1; r < dim; r++) {
    d[r] = t > 0 ? y[r] / t : 0;
    missing[r] = weight[r] > 0 ? f[r] - disc.across * y[r] : 0;
    miss += d[r] * missing[r];
  }
  if (!tangent) {
    return;
  }

  // (1 - slope) df_t = -missing + by_bound d dx_n - slope dw_t / k, along d and across it apart
  mjtNum a = 1 / (disc.along.rest + REGULAR), b = 1 / (disc.rest + REGULAR);
  mjtNum lift = a * disc.by_bound * by.friction * normal->slope;
  for (int r = 1; r < dim; r++) {
    if (!(weight[r] > 0)) {
      continue;
    }
    mjtNum* B = tangent->B + (ptrdiff_t)r * dim;
    tangent->r[r] = -b * missing[r] - (a - b) * d[r] * miss + lift * d[r] * tangent->r[0];
    B[0] = lift * d[r] * (tangent->B[0] + 1 / num_square(weight[0]));
    for (int c = 1; c < dim; c++) {
      mjtNum part = b * disc.across * ((c == r) - d[r] * d[c]);
      B[c] = weight[c] > 0 ? (part + a * disc.along.slope * d[r] * d[c]) / k : 0;
    }
  }
}

static void free_law(mjtNum* missing, HardTangent* tangent, int dim, const mjtNum* weight,
                     const mjtNum* w) {
  for (int r = 0; r < dim; r++) {
    mjtNum k = num_square(weight[r]);
    missing[r] = k > 0 ? w[r] / k : 0;
    if (tangent && k > 0) {
      tangent->B[r * dim + r] = 1 / (PROXIMAL * k);
      tangent->r[r] = -w[r] / (PROXIMAL * k);
    }
  }
}

void smooth_law(mjtNum* missing, HardTangent* tangent, const HardBlock* block, const mjtNum* weight,
                const mjtNum* f, const mjtNum* w, Smoothing by) {
  int dim = block->dim;
  memset(missing, 0, dim * sizeof(mjtNum));
  if (tangent) {
    *tangent = (HardTangent){0};
  }
  if (block->law == HARD_FREE) {
    free_law(missing, tangent, dim, weight, w);
    return;
  }
  if (!(weight[0] > 0)) {
    return;
  }
  mjtNum k = num_square(weight[0]), x = f[0] - w[0] / k;
  Soft p;
  if (block->law == HARD_BOUND) {
    Soft low = soft_positive(x + block->bound, by.tau / k);
    Soft high = soft_positive(x - block->bound, by.tau / k);
    p = (Soft){low.value - high.value - block->bound, low.slope - high.slope,
               low.rest + high.slope};
  } else {
    p = soft_positive(x, by.tau / k);
  }
  missing[0] = f[0] - p.value;
  if (tangent) {
    tangent->B[0] = p.slope / (k * (p.rest + REGULAR));
    tangent->r[0] = -missing[0] / (p.rest + REGULAR);
  }
  if (block->law == HARD_CONE) {
    friction_law(missing, tangent, dim, weight, f, w, by, &p);
  }
}
