// catenary.c: y(t) = a cosh((t - o) / a) + const, t along the horizontal. With b = a / h,
//
//   2 b sinh(1 / 2b) = sqrt(L^2 - v^2) / h      the length is L
//   o = (h - a ln((L + v) / (L - v))) / 2       the ends are at the right heights

#include "view/draw/catenary.h"

#include <math.h>
#include <mujoco/api/base.h>

#include "base/algebra/vec.h"

// sinh(y) / y - 1, without the loss of digits near 0
static double excess(double y) {
  double s = y * y;
  return y < 0.1 ? s / 6 * (1 + s / 20 * (1 + s / 42 * (1 + s / 72))) : sinh(y) / y - 1;
}

// Solves excess(1 / 2b) = e by Newton's method for 1 / sqrt(excess), which is nearly linear in b.
static double solve_width(double e) {
  double target = 1 / sqrt(e), b = target / sqrt(24);
  for (int i = 0; i < 50; i++) {
    double y = 1 / (2 * b), s = excess(y), residual = 1 / sqrt(s) - target;
    // d/db of excess(1 / 2b) = 2 sinh(y) - cosh(y) / b = 2 (excess(y) + 1 - cosh(y)) y
    double slope = -0.5 / (s * sqrt(s)) * 2 * y * (s + 1 - cosh(y));
    if (!(fabs(residual) > 1e-12 * target)) {
      break;
    }
    b -= residual / slope;
  }
  return b;
}

// out = x0 + across t + up z
static void place(mjtNum out[3], const mjtNum x0[3], const mjtNum across[3], mjtNum t,
                  const mjtNum up[3], mjtNum z) {
  v3_addscl(out, x0, across, t);
  v3_addtoscl(out, up, z);
}

int catenary(mjtNum point[CATENARY_POINTS][3], const mjtNum x0[3], const mjtNum x1[3],
             const mjtNum gravity[3], mjtNum length, int n) {
  mjtNum up[3], gap[3], across[3];
  v3_scl(up, gravity, -1);
  v3_normalize(up);
  v3_sub(gap, x1, x0);
  mjtNum v = v3_dot(gap, up);
  v3_addscl(across, gap, up, -v);
  mjtNum h = v3_normalize(across);
  if (h < mjMINVAL) {
    v3_zero(across);
    h = 0;
  }

  v3_copy(point[0], x0);
  if (v3_norm(gap) > length) {
    v3_copy(point[1], x1);
    return 2;
  }
  mjtNum flat = mju_sqrt(num_max(0, length * length - v * v));
  if (length > 100 * h) {
    // straight down to a bead and up again
    mjtNum down = -(mju_sqrt(length * length - h * h) - v) / 2;
    place(point[1], x0, across, h * down / (2 * down - v), up, down);
    v3_copy(point[2], x1);
    return 3;
  }
  if (!(flat > h * (1 + (mjtNum)1e-12))) {
    v3_copy(point[1], x1);
    return 2;
  }

  // as in the reference, intervals are h / n, so the last one is longer
  mjtNum a = h * (mjtNum)solve_width((double)(flat / h - 1));
  mjtNum o = (h - a * mju_log((length + v) / (length - v))) / 2;
  mjtNum start = (mjtNum)cosh((double)(o / a));
  for (int i = 1; i < n - 1; i++) {
    mjtNum t = (mjtNum)i * h / (mjtNum)n;
    place(point[i], x0, across, t, up, a * ((mjtNum)cosh((double)((t - o) / a)) - start));
  }
  v3_copy(point[n - 1], x1);
  return n;
}
