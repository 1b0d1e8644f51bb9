// pair_case.h: placed pairs of shapes that anyone can make again from a seed.
//
// tests/reference/collision/record_pairs.py makes the same numbers, bit by bit, for the reference:
// only sums, products, quotients and square roots are used. Three kinds of placement take turns:
// anywhere; aligned on a grid, where ties are decided by rounding; stacked, touching or nearly so.

#pragma once

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdint.h>
#include <string.h>

#include "support/depth.h"
#include "support/random.h"

typedef struct PairCase {
  mjtNum size[6], pos[6], mat[18];
  mjtNum margin;
} PairCase;

static inline uint64_t case_next(uint64_t* seed) {
  return xorshift_bits(seed) >> 11;
}

static inline double case_real(uint64_t* seed, double lo, double hi) {
  double u = (double)case_next(seed) / 9007199254740992.0;
  return lo + (hi - lo) * u;
}

static inline int case_int(uint64_t* seed, int n) {
  return (int)(case_next(seed) % (uint64_t)n);
}

static inline void case_rotation(mjtNum mat[9], uint64_t* seed) {
  double q[4], n = 0;
  for (int i = 0; i < 4; i++) {
    q[i] = case_real(seed, -1, 1);
    n += q[i] * q[i];
  }
  n = sqrt(n);
  double w = q[0] / n, x = q[1] / n, y = q[2] / n, z = q[3] / n;
  const double m[9] = {
      w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
      2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
      2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
  for (int i = 0; i < 9; i++) {
    mat[i] = (mjtNum)m[i];
  }
}

// One of the rotations that permute the axes cyclically, or none.
static inline void case_quarter(mjtNum mat[9], uint64_t* seed) {
  int shift = case_int(seed, 3);
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      mat[3 * r + c] = c == (r + shift) % 3;
    }
  }
}

static inline PairCase pair_case(uint64_t* seed, int kind) {
  PairCase p;
  p.margin = (mjtNum)(case_int(seed, 2) ? 0 : 0.0625);
  for (int i = 0; i < 6; i++) {
    p.size[i] = (mjtNum)(kind == 0 ? case_real(seed, 0.05, 0.5) : 0.125 * (1 + case_int(seed, 3)));
    p.pos[i] = (mjtNum)(kind == 0 ? case_real(seed, -0.35, 0.35) : 0.125 * (case_int(seed, 7) - 3));
  }
  for (int i = 0; i < 2; i++) {
    if (kind == 0) {
      case_rotation(p.mat + 9 * i, seed);
    } else {
      case_quarter(p.mat + 9 * i, seed);
    }
  }
  if (kind == 2) {
    // same axes, on top of each other along the third one
    case_rotation(p.mat, seed);
    double lift = p.size[2] + p.size[5] + (case_int(seed, 2) ? 0 : case_real(seed, -0.01, 0.01));
    for (int i = 0; i < 9; i++) {
      p.mat[9 + i] = p.mat[i];
    }
    for (int i = 0; i < 3; i++) {
      p.pos[3 + i] = (mjtNum)(p.pos[i] + lift * p.mat[3 * i + 2]);
    }
  }
  return p;
}

// The pair with the types of both for the search of its depth, without its margin; it stays where p
// is.
static inline Overlap case_overlap(const PairCase* p, const int type[2]) {
  Overlap o = {.margin = 0};
  for (int k = 0; k < 2; k++) {
    o.shape[k] = (DepthShape){type[k], p->size + 3 * k, p->pos + 3 * k, p->mat + 9 * k, NULL, 0};
  }
  return o;
}

// Contacts that a collider finds between geoms 0 and 1 of a model that is nothing but them.
static inline int case_collide(mjContact con[mjMAXCONPAIR], const PairCase* p, int type1, int type2,
                               mjfCollision collider, mjtNum tolerance, int iterations) {
  int type[2] = {type1, type2}, mesh[2] = {-1, -1};
  PairCase copy = *p;
  static mjtNum arena[20000];
  mjModel m;
  mjData d;
  memset(&m, 0, sizeof(m));
  memset(&d, 0, sizeof(d));
  memset(con, 0, mjMAXCONPAIR * sizeof(mjContact));
  m.ngeom = 2;
  m.opt.ccd_tolerance = tolerance;
  m.opt.ccd_iterations = iterations;
  m.geom_type = type;
  m.geom_dataid = mesh;
  m.geom_size = copy.size;
  d.geom_xpos = copy.pos;
  d.geom_xmat = copy.mat;
  d.arena = arena;
  d.narena = d.cnd_arena = sizeof(arena);
  return collider(&m, &d, con, 0, 1, p->margin);
}
