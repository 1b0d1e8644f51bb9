// muscle.h: activation, gain and bias of muscles, over normalized length L (1 at the optimum) and
// velocity V (-1 at the fastest shortening).           theory/smooth/actuation.md, Muscle gain
//
// The curves are those of base/muscle.c, where they are drawn; both sides of each knot are computed
// and one is taken.

#pragma once

#include "lanes/work.h"

INLINE Real muscle_length(const MuscleCurve* c, Real length) {
  return real_muladd(length - c->shortest, real_constant(c->per_length), real_constant(c->first));
}

// F_L: quadratic splines through (lmin, 0), halfway (1/2), (1, 1), halfway (1/2), (lmax, 0)
// Also force_length in base/muscle.c.
INLINE Real muscle_force_length(const MuscleCurve* c, Real L) {
  Mask rising = L <= 1;
  Real end = real_select(rising, real_constant(c->least), real_constant(c->most));
  Real scale = real_select(rising, real_constant(c->per_rise), real_constant(c->per_fall));
  Real middle = (end + 1) * (Num)0.5;
  Mask outer = (rising & (L <= middle)) | (~rising & (L > middle));
  Real t = (L - real_select(outer, end, lane_real_of(1))) * scale, half = t * t * (Num)0.5;
  Mask within = (L >= real_constant(c->least)) & (L <= real_constant(c->most));
  return real_where(within, real_select(outer, half, 1 - half));
}

// F_V: 0 for V <= -1, (V+1)^2 up to 1 at V = 0, then up to fvmax at V = fvmax - 1
// Also force_velocity in base/muscle.c.
INLINE Real muscle_force_velocity(const MuscleCurve* c, Real V) {
  Real top = real_constant(c->fvmax), y = top - 1, short_of = y - V, rise = V + 1;
  Real beyond = real_select(V <= y, top - short_of * short_of * c->per_excess, top);
  Real value = real_select(V <= REAL_ZERO, rise * rise, beyond);
  return real_where(~(V <= -1), value);
}

// dF_V / dV
// Also velocity_derivative in base/muscle.c.
INLINE Real muscle_velocity_slope(const MuscleCurve* c, Real V) {
  Real y = real_constant(c->fvmax) - 1;
  Real low = real_where(V > -1, V * 2 + 2);
  Real high = real_where(V <= y, (y - V) * 2 * c->per_excess);
  return real_select(V <= REAL_ZERO, low, high);
}

// gain = - F0 F_L(L) F_V(V)
// Also mju_muscleGain in base/muscle.c.
INLINE Real lane_muscle_gain(const MuscleCurve* c, Real length, Real velocity) {
  return -c->peak * muscle_force_length(c, muscle_length(c, length)) *
         muscle_force_velocity(c, velocity * c->per_velocity);
}

// d(gain) / d(velocity)
// Also muscle_gain_by_velocity in base/muscle.c.
INLINE Real lane_muscle_gain_by_velocity(const MuscleCurve* c, Real length, Real velocity) {
  return -c->peak * muscle_force_length(c, muscle_length(c, length)) *
         muscle_velocity_slope(c, velocity * c->per_velocity) * c->per_velocity;
}

// bias = - F0 F_P(L): 0 for L <= 1, quadratic up to fpmax/2 halfway to lmax, then linear
// Also mju_muscleBias in base/muscle.c.
INLINE Real lane_muscle_bias(const MuscleCurve* c, Real length) {
  Real L = muscle_length(c, length), middle = (real_constant(c->most) + 1) * (Num)0.5;
  Real t = (L - 1) * c->per_passive, linear = (L - middle) * c->per_passive + (Num)0.5;
  Real value = real_select(L <= middle, t * t * (Num)0.5, linear);
  return real_where(~(L <= 1), -c->passive * value);
}

// (ctrl - act) / tau, where tau blends from deactivation to activation.
//                                               theory/smooth/actuation.md, Activation dynamics
// Also mju_muscleDynamics in base/muscle.c.
INLINE Real lane_muscle_rate(const MuscleDynamics* c, Real u, Real act) {
  const Real zero = REAL_ZERO, one = lane_real_of(1);
  Real scale = real_clamp(act, zero, one) * (Num)1.5 + (Num)0.5;
  Real activation = c->activation * scale, deactivation = c->deactivation / scale;
  Real excess = real_clamp(u, zero, one) - act;
  Real x = real_clamp(excess * c->per_width + (Num)0.5, zero, one);
  Real blend = x * x * x * (x * 3 * (x * 2 - 5) + 10);
  Real tau = real_muladd(activation - deactivation, blend, deactivation);
  return excess / real_max(tau, lane_real_of((Num)mjMINVAL));
}
