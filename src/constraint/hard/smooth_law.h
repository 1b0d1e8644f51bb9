// smooth_law.h: the laws of contact, limits and friction, made smooth.
//
// With x = f - u / k, the laws are f = P(x), where P projects to the allowed forces. Smoothed by s:
//
//   q(x)  = (x + sqrt(x^2 + 4 s^2)) / 2             for max(x, 0):  f = q(x) is f u / k = s^2
//   HARD_PUSH    f = q(x)
//   HARD_BOUND   f = q(x + bound) - q(x - bound) - bound
//   HARD_CONE    f = q(x_0 - |x_t|) (1, -d) / 2 + q(x_0 + |x_t|) (1, d) / 2,   d = x_t / |x_t|
//                u_0 = w_0 + sqrt(|w_t|^2 + (k s)^2) - k s
//   HARD_FREE    w = 0
//
// (Chen and Mangasarian 1995; Fukushima, Luo, Tseng 2002)
//                                                        theory/contact/hard-contacts.md, Smoothing

#pragma once

#include "constraint/hard/matrix.h"

enum {
  SMOOTH_TANGENTS = 5
};

// The smoothed law p = P_s(x) of a block with nt tangents, and its derivatives. With d = x_t /
// |x_t| and the identity 1:
//
//   dp/dx = [a, b d'; b d, c 1 + (a - c) d d']
typedef struct SmoothLaw_ {
  int nt;
  mjtNum p[1 + SMOOTH_TANGENTS], ds[1 + SMOOTH_TANGENTS], d[SMOOTH_TANGENTS],
      along[SMOOTH_TANGENTS];
  mjtNum a, b, c, lift;  // along: d u_0 / d w_t;  lift: d u_0 / d (k s)
} SmoothLaw;

// The law of a block with nt tangents (law->nt) and diagonal k of K, at forces f and
// velocities w.
void smooth_law(SmoothLaw* law, const HardBlock* block, mjtNum k, const mjtNum* f, const mjtNum* w,
                mjtNum s);
