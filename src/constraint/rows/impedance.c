// The impedance curve, one number or many at once.
//                                                          theory/contact/constraints.md, Impedance

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it would make SIMD and scalar results differ

#include "constraint/rows/impedance.h"

#include <mujoco/api/base.h>

#include "base/algebra/elementary.h"
#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "model/options.h"

// x^p, without the general power for the default p = 2 and its slope
static inline mjtNum power(mjtNum x, mjtNum p) {
  return p == 2 ? x * x : p == 1 ? x : num_pow(x, p);
}

// y(x) = x^p / m^(p-1)              for x <= m      (x = |r| / width, m midpoint, p power)
//      = 1 - (1-x)^p / (1-m)^(p-1)  for x >  m
// d    = dmin + y (dmax - dmin)
//
// y(0) = 0, y(m) = m, y(1) = 1; both branches have slope p at m. p = 1 is the straight line for
// every m.
// Also row_impedance in lanes/laws/law.h and put_spring in lanes/setup/constants.c.
void impedance(mjtNum out_d[1], mjtNum out_derivative[1], const mjtNum solimp[mjNIMP], mjtNum r) {
  mjtNum dmin = num_clamp(solimp[0], (mjtNum)mjMINIMP, (mjtNum)mjMAXIMP);
  mjtNum dmax = num_clamp(solimp[1], (mjtNum)mjMINIMP, (mjtNum)mjMAXIMP);
  mjtNum width = num_max(solimp[2], 0);

  // a flat curve has no slope
  if (dmin == dmax || width <= mjMINVAL) {
    *out_d = (dmin + dmax) / 2;
    *out_derivative = 0;
    return;
  }

  // neither has the curve beyond its ends
  mjtNum x = mju_abs(r) / width;
  if (x >= 1 || x <= 0) {
    *out_d = x >= 1 ? dmax : dmin;
    *out_derivative = 0;
    return;
  }

  mjtNum middle = num_clamp(solimp[3], (mjtNum)mjMINIMP, (mjtNum)mjMAXIMP);
  mjtNum p = num_max(solimp[4], 1);
  mjtNum y = x, slope = 1;
  if (p != 1) {
    // the upper branch is the lower one seen from the other end
    int upper = x > middle;
    mjtNum side = upper ? 1 - x : x, reach = upper ? 1 - middle : middle;
    mjtNum scale = 1 / power(reach, p - 1);
    mjtNum part = power(side, p) * scale;
    y = upper ? 1 - part : part;
    slope = p * power(side, p - 1) * scale;
  }
  *out_d = dmin + y * (dmax - dmin);
  *out_derivative = slope * (r < 0 ? -1 : 1) * (dmax - dmin) / width;
}

// The curve for p = 2 and middle < 1, without a branch.
KERNEL static void parabolas(mjtNum* restrict out_d, mjtNum* restrict out_derivative,
                             const mjtNum limit[2], mjtNum width, mjtNum middle,
                             const mjtNum* restrict r, int n) {
  mjtNum dmin = limit[0], dmax = limit[1], range = dmax - dmin;
  mjtNum scale_low = 1 / middle, scale_high = 1 / (1 - middle);
  for (int i = 0; i < n; i++) {
    mjtNum x = mju_abs(r[i]) / width;
    mjtNum side = x > middle ? 1 - x : x, scale = x > middle ? scale_high : scale_low;
    mjtNum part = side * side * scale, slope = 2 * side * scale;
    mjtNum y = x > middle ? 1 - part : part, d = dmin + y * range;
    mjtNum signed_derivative = r[i] < 0 ? -slope : slope;
    d = x >= 1 ? dmax : d;
    d = x <= 0 ? dmin : d;
    signed_derivative = signed_derivative * range / width;
    signed_derivative = x >= 1 ? 0 : signed_derivative;
    out_derivative[i] = x <= 0 ? 0 : signed_derivative;
    out_d[i] = d;
  }
}

void impedances(mjtNum* out_d, mjtNum* out_derivative, const mjtNum solimp[mjNIMP], const mjtNum* r,
                int n) {
  const mjtNum limit[2] = {num_clamp(solimp[0], (mjtNum)mjMINIMP, (mjtNum)mjMAXIMP),
                           num_clamp(solimp[1], (mjtNum)mjMINIMP, (mjtNum)mjMAXIMP)};
  if (limit[0] != limit[1] && solimp[2] > mjMINVAL && solimp[4] == 2) {
    mjtNum middle = num_clamp(solimp[3], (mjtNum)mjMINIMP, (mjtNum)mjMAXIMP);
    parabolas(out_d, out_derivative, limit, solimp[2], middle, r, n);
    return;
  }
  for (int i = 0; i < n; i++) {
    impedance(out_d + i, out_derivative + i, solimp, r[i]);
  }
}
