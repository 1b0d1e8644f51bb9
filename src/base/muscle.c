// muscle.c: muscle curves over normalized length L (1 at the optimum) and velocity V (-1 at the
// fastest shortening), with their derivatives. prm = (range0, range1, force, scale, lmin, lmax,
// vmax, fpmax, fvmax).                                      theory/smooth/actuation.md, Muscle gain
//
//   F_L    1    __            force-length: quadratic splines through
//              /  \           (lmin, 0), (a, 1/2), (1, 1), (b, 1/2), (lmax, 0)
//          ___/    \___       with a, b halfway between 1 and lmin, lmax
//       lmin   1   lmax
//
//   F_V  0 for V <= -1, then (V+1)^2 up to 1 at V = 0, then to fvmax at V = fvmax - 1
//
//   F_P  0 for L <= 1, then quadratic up to fpmax/2 at b = (1 + lmax)/2, then linear: passive force

#include "base/muscle.h"

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"

// Peak active force: `force`, or scale / acc0 if force is negative.
static mjtNum peak_force(mjtNum acc0, const mjtNum prm[9]) {
  return prm[2] < 0 ? prm[3] / num_max(mjMINVAL, acc0) : prm[2];
}

// Length of one unit of L: the operating range in meters over the range in L.
static mjtNum unit_length(const mjtNum lengthrange[2], const mjtNum prm[9]) {
  return (lengthrange[1] - lengthrange[0]) / num_max(mjMINVAL, prm[1] - prm[0]);
}

static mjtNum normalized_length(mjtNum len, const mjtNum lengthrange[2], const mjtNum prm[9]) {
  mjtNum unit = unit_length(lengthrange, prm);
  return prm[0] + (len - lengthrange[0]) / num_max(mjMINVAL, unit);
}

// Also muscle_force_length in lanes/dynamics/muscle.h.
static mjtNum force_length(mjtNum L, mjtNum lmin, mjtNum lmax) {
  if (!(L >= lmin && L <= lmax)) {
    return 0;
  }
  // t is the distance from the knot of value 0 or 1, divided by the distance between knots
  mjtNum end = L <= 1 ? lmin : lmax, middle = (end + 1) / 2;
  int outer = L <= 1 ? L <= middle : L > middle;
  mjtNum from = outer ? end : 1;
  mjtNum t = mju_abs(L - from) / num_max(mjMINVAL, mju_abs(middle - from));
  return outer ? t * t / 2 : 1 - t * t / 2;
}

// dF_L / dL
static mjtNum length_derivative(mjtNum L, mjtNum lmin, mjtNum lmax) {
  if (!(L >= lmin && L <= lmax)) {
    return 0;
  }
  mjtNum end = L <= 1 ? lmin : lmax, middle = (end + 1) / 2;
  int outer = L <= 1 ? L <= middle : L > middle;
  mjtNum from = outer ? end : 1, unit = num_max(mjMINVAL, mju_abs(middle - from));
  mjtNum slope = (L - from) / (unit * unit);
  return outer ? slope : -slope;
}

// d2F_L / dL^2, constant between the knots
static mjtNum length_curvature(mjtNum L, mjtNum lmin, mjtNum lmax) {
  if (!(L >= lmin && L <= lmax)) {
    return 0;
  }
  mjtNum end = L <= 1 ? lmin : lmax, middle = (end + 1) / 2;
  int outer = L <= 1 ? L <= middle : L > middle;
  mjtNum unit = num_max(mjMINVAL, mju_abs(middle - (outer ? end : 1)));
  return (outer ? 1 : -1) / (unit * unit);
}

// Also muscle_force_velocity in lanes/dynamics/muscle.h.
static mjtNum force_velocity(mjtNum V, mjtNum fvmax) {
  mjtNum y = fvmax - 1;
  if (V <= -1) {
    return 0;
  }
  if (V <= 0) {
    return (V + 1) * (V + 1);
  }
  if (V <= y) {
    return fvmax - (y - V) * (y - V) / num_max(mjMINVAL, y);
  }
  return fvmax;
}

// dF_V / dV
// Also muscle_velocity_slope in lanes/dynamics/muscle.h.
static mjtNum velocity_derivative(mjtNum V, mjtNum fvmax) {
  mjtNum y = fvmax - 1;
  if (V > -1 && V <= 0) {
    return 2 * V + 2;
  }
  return V > 0 && V <= y ? 2 * (y - V) / num_max(mjMINVAL, y) : 0;
}

// gain = - F0 F_L(L) F_V(V)
// Also lane_muscle_gain in lanes/dynamics/muscle.h and put_curve in lanes/setup/lever_constants.c.
mjtNum mju_muscleGain(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0,
                      const mjtNum prm[9]) {
  mjtNum L = normalized_length(len, lengthrange, prm);
  mjtNum V = vel / num_max(mjMINVAL, unit_length(lengthrange, prm) * prm[6]);
  return -peak_force(acc0, prm) * force_length(L, prm[4], prm[5]) * force_velocity(V, prm[8]);
}

// Also lane_muscle_gain_by_velocity in lanes/dynamics/muscle.h.
mjtNum muscle_gain_by_velocity(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0,
                               const mjtNum prm[9]) {
  mjtNum vmax = num_max(mjMINVAL, unit_length(lengthrange, prm) * prm[6]);
  mjtNum rate = velocity_derivative(vel / vmax, prm[8]);
  // F_V(0) = 1, so the gain at velocity 0 is -F0 F_L
  return mju_muscleGain(len, 0, lengthrange, acc0, prm) * rate / vmax;
}

// bias = - F0 F_P(L)
// Also lane_muscle_bias in lanes/dynamics/muscle.h.
mjtNum mju_muscleBias(mjtNum len, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9]) {
  mjtNum L = normalized_length(len, lengthrange, prm);
  mjtNum b = (1 + prm[5]) / 2;
  mjtNum peak = -peak_force(acc0, prm) * prm[7];
  if (L <= 1) {
    return 0;
  }
  if (L <= b) {
    mjtNum t = (L - 1) / num_max(mjMINVAL, b - 1);
    return peak * t * t / 2;
  }
  return peak * ((mjtNum)0.5 + (L - b) / num_max(mjMINVAL, b - 1));
}

// d(act)/dt = (ctrl - act) / tau. prm = (activation time, deactivation time, width of the
// transition between them).
// Also lane_muscle_rate in lanes/dynamics/muscle.h.
mjtNum mju_muscleDynamics(mjtNum ctrl, mjtNum act, const mjtNum prm[3]) {
  mjtNum scale = (mjtNum)0.5 + (mjtNum)1.5 * num_clamp(act, 0, 1);
  mjtNum activation = prm[0] * scale, deactivation = prm[1] / scale, width = prm[2];
  mjtNum excess = num_clamp(ctrl, 0, 1) - act;
  mjtNum tau;
  if (width < mjMINVAL) {
    tau = excess > 0 ? activation : deactivation;
  } else {
    mjtNum blend = mju_sigmoid(excess / width + (mjtNum)0.5);
    tau = deactivation + (activation - deactivation) * blend;
  }
  return excess / num_max(mjMINVAL, tau);
}

mjtNum muscle_gain_by_length(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0,
                             const mjtNum prm[9]) {
  mjtNum unit = unit_length(lengthrange, prm), L = normalized_length(len, lengthrange, prm);
  mjtNum V = vel / num_max(mjMINVAL, unit * prm[6]);
  return -peak_force(acc0, prm) * length_derivative(L, prm[4], prm[5]) * force_velocity(V, prm[8]) /
         num_max(mjMINVAL, unit);
}

mjtNum muscle_bias_by_length(mjtNum len, const mjtNum lengthrange[2], mjtNum acc0,
                             const mjtNum prm[9]) {
  mjtNum unit = num_max(mjMINVAL, unit_length(lengthrange, prm));
  mjtNum L = normalized_length(len, lengthrange, prm);
  mjtNum width = num_max(mjMINVAL, (1 + prm[5]) / 2 - 1);
  mjtNum peak = -peak_force(acc0, prm) * prm[7];
  return L <= 1 ? 0 : peak * num_min(1, (L - 1) / width) / (width * unit);
}

mjtNum muscle_gain_by_length_twice(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0,
                                   const mjtNum prm[9]) {
  mjtNum unit = num_max(mjMINVAL, unit_length(lengthrange, prm));
  mjtNum L = normalized_length(len, lengthrange, prm);
  mjtNum V = vel / num_max(mjMINVAL, unit * prm[6]);
  return -peak_force(acc0, prm) * length_curvature(L, prm[4], prm[5]) * force_velocity(V, prm[8]) /
         (unit * unit);
}

mjtNum muscle_bias_by_length_twice(mjtNum len, const mjtNum lengthrange[2], mjtNum acc0,
                                   const mjtNum prm[9]) {
  mjtNum unit = num_max(mjMINVAL, unit_length(lengthrange, prm));
  mjtNum L = normalized_length(len, lengthrange, prm);
  mjtNum width = num_max(mjMINVAL, (1 + prm[5]) / 2 - 1) * unit;
  int is_curved = L > 1 && (L - 1) * unit < width;
  return is_curved ? -peak_force(acc0, prm) * prm[7] / (width * width) : 0;
}

mjtNum muscle_gain_by_velocity_and_length(mjtNum len, mjtNum vel, const mjtNum lengthrange[2],
                                          mjtNum acc0, const mjtNum prm[9]) {
  mjtNum vmax = num_max(mjMINVAL, unit_length(lengthrange, prm) * prm[6]);
  return muscle_gain_by_length(len, 0, lengthrange, acc0, prm) *
         velocity_derivative(vel / vmax, prm[8]) / vmax;
}

mjtNum muscle_gain_by_velocity_twice(mjtNum len, mjtNum vel, const mjtNum lengthrange[2],
                                     mjtNum acc0, const mjtNum prm[9]) {
  mjtNum vmax = num_max(mjMINVAL, unit_length(lengthrange, prm) * prm[6]);
  mjtNum V = vel / vmax, y = prm[8] - 1;
  mjtNum curvature = V > -1 && V <= 0 ? 2 : V > 0 && V <= y ? -2 / num_max(mjMINVAL, y) : 0;
  return mju_muscleGain(len, 0, lengthrange, acc0, prm) * curvature / (vmax * vmax);
}

// With the excess e = ctrl - act and the sigmoid s(x):
//
//   act_dot = e / tau            tau = deactivation + (activation - deactivation) s(x)
//                                  x = e / width + 1/2          s' = 30 x^2 (x - 1)^2
//
//   d(act_dot) = de / tau - e dtau / tau^2
void muscle_dynamics_derivative(mjtNum out[2], mjtNum ctrl, mjtNum act, const mjtNum prm[3],
                                int is_at_upper_limit) {
  int is_inside = act >= 0 && act < 1, is_free = ctrl >= 0 && ctrl <= 1;
  mjtNum scale = (mjtNum)0.5 + (mjtNum)1.5 * num_clamp(act, 0, 1);
  mjtNum activation = prm[0] * scale, deactivation = prm[1] / scale, width = prm[2];
  mjtNum excess = num_clamp(ctrl, 0, 1) - act, blend, by_excess = 0;
  if (width < mjMINVAL) {
    blend = excess > 0 ? 1 : 0;
  } else {
    mjtNum x = num_clamp(excess / width + (mjtNum)0.5, 0, 1);
    blend = mju_sigmoid(excess / width + (mjtNum)0.5);
    by_excess = (activation - deactivation) * 30 * x * x * (x - 1) * (x - 1) / width;
  }
  mjtNum tau = deactivation + (activation - deactivation) * blend;
  mjtNum by_scale = prm[0] * blend - deactivation / scale * (1 - blend);
  mjtNum by_act = is_inside ? (mjtNum)1.5 * by_scale : 0;
  if (tau < mjMINVAL) {
    tau = mjMINVAL;
    by_excess = by_act = 0;
  }
  mjtNum slope = 1 / tau - excess * by_excess / (tau * tau);
  out[0] = is_free ? slope : 0;
  out[1] = -slope - excess * by_act / (tau * tau);
  if (width < mjMINVAL && excess == 0 && is_free && !is_at_upper_limit && ctrl < 1) {
    // at ctrl = act, the derivative towards a larger control is that of activation
    out[0] = 1 / num_max(mjMINVAL, activation);
  }
}

int muscle_dynamics_kinks(mjtNum ctrl, mjtNum act, const mjtNum prm[3], mjtNum near) {
  mjtNum scale = (mjtNum)0.5 + (mjtNum)1.5 * num_clamp(act, 0, 1);
  mjtNum excess = num_clamp(ctrl, 0, 1) - act;
  int is_equal = mju_abs(excess) <= near;
  int jumps = is_equal && prm[2] < mjMINVAL && prm[0] * scale != prm[1] / scale;
  int is_end = mju_abs(act) <= near || mju_abs(act - 1) <= near;
  return jumps + (is_end && !is_equal);
}

int muscle_gain_kinks(mjtNum vel, const mjtNum lengthrange[2], const mjtNum prm[9], int is_second,
                      mjtNum near) {
  mjtNum vmax = num_max(mjMINVAL, unit_length(lengthrange, prm) * prm[6]);
  mjtNum V = vel / vmax, y = prm[8] - 1;
  int is_still = mju_abs(V) <= near, is_flat = y <= mjMINVAL;
  int is_bent = is_second && (mju_abs(V + 1) <= near || is_still || mju_abs(V - y) <= near);
  return is_bent || (is_still && is_flat);
}
