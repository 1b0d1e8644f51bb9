// Muscles: gain, passive force and activation follow their curves, and slopes are those of the
// curves.

#include "base/muscle.h"
#include "base/trials.h"

// range, force, scale, lmin, lmax, vmax, fpmax, fvmax
static const mjtNum prm[9] = {(mjtNum)0.75, (mjtNum)1.05, -1,          200,        (mjtNum)0.5,
                              (mjtNum)1.6,  (mjtNum)1.5,  (mjtNum)1.3, (mjtNum)1.2};
static const mjtNum range[2] = {(mjtNum)0.2, (mjtNum)0.5};
static const mjtNum acc0 = 50;

// meters of a normalized length
static mjtNum meters(mjtNum L) {
  mjtNum unit = (range[1] - range[0]) / (prm[1] - prm[0]);
  return range[0] + (L - prm[0]) * unit;
}

TEST(the_gain_peaks_at_optimal_length_and_rest) {
  mjtNum peak = mju_muscleGain(meters(1), 0, range, acc0, prm);
  check_number(peak, -prm[3] / acc0, 20);
  for (mjtNum L = (mjtNum)0.4; L < 2; L += (mjtNum)0.01) {
    mjtNum gain = mju_muscleGain(meters(L), 0, range, acc0, prm);
    assert_that(gain, <=, 0);
    assert_that(gain, >=, peak - (mjtNum)1e-5);
    if (L < prm[4] - (mjtNum)0.001 || L > prm[5] + (mjtNum)0.001) {
      assert_that(gain, ==, 0);
    }
  }
  // a given force is taken as it is
  mjtNum given[9];
  mju_copy(given, prm, 9);
  given[2] = 7;
  check_number(mju_muscleGain(meters(1), 0, range, acc0, given), -7, 20);
}

TEST(a_faster_shortening_muscle_is_weaker) {
  mjtNum before = 0;
  for (mjtNum v = -1; v < 1; v += (mjtNum)0.01) {
    mjtNum gain = -mju_muscleGain(meters(1), v * 2, range, acc0, prm);
    assert_that(gain, >=, before - (mjtNum)1e-5);
    before = gain;
  }
  check_number(before, prm[8] * prm[3] / acc0, 20);
}

TEST(the_slope_is_that_of_the_gain) {
  const mjtNum step = sizeof(mjtNum) == 8 ? (mjtNum)1e-6 : (mjtNum)1e-3;
  for (mjtNum L = (mjtNum)0.6; L < (mjtNum)1.5; L += (mjtNum)0.1) {
    for (mjtNum v = (mjtNum)-2.015; v < 1; v += (mjtNum)0.05) {
      mjtNum fast = mju_muscleGain(meters(L), v + step, range, acc0, prm);
      mjtNum slow = mju_muscleGain(meters(L), v - step, range, acc0, prm);
      mjtNum slope = muscle_gain_by_velocity(meters(L), v, range, acc0, prm);
      mjtNum want = (fast - slow) / (2 * step);
      if (mju_abs(slope - want) > (mjtNum)1e-2) {
        fail_msg("slope at length %g, velocity %g: %g, not %g", (double)L, (double)v, (double)slope,
                 (double)want);
      }
    }
  }
}

TEST(the_passive_force_starts_beyond_optimal_length) {
  assert_that(mju_muscleBias(meters((mjtNum)0.99), range, acc0, prm), ==, 0);
  mjtNum b = (1 + prm[5]) / 2;
  check_number(mju_muscleBias(meters(b), range, acc0, prm), -prm[7] * prm[3] / acc0 / 2, 100);
  // straight from there on
  mjtNum f1 = mju_muscleBias(meters((mjtNum)1.5), range, acc0, prm);
  mjtNum f2 = mju_muscleBias(meters((mjtNum)1.6), range, acc0, prm);
  mjtNum f3 = mju_muscleBias(meters((mjtNum)1.7), range, acc0, prm);
  check_number(f3 - f2, f2 - f1, 200);
}

TEST(activation_follows_control_slower_downwards) {
  const mjtNum hard[3] = {(mjtNum)0.01, (mjtNum)0.04, 0};
  check_number(mju_muscleDynamics(1, 0, hard), 1 / ((mjtNum)0.01 * (mjtNum)0.5), 10);
  check_number(mju_muscleDynamics(0, 1, hard), -1 / ((mjtNum)0.04 / 2), 10);
  check_number(mju_muscleDynamics(7, 0, hard), mju_muscleDynamics(1, 0, hard), 0);

  // with a width the two time constants meet smoothly
  const mjtNum soft[3] = {(mjtNum)0.01, (mjtNum)0.04, (mjtNum)0.2};
  mjtNum act = (mjtNum)0.5, step = (mjtNum)1e-4, before = mju_muscleDynamics(act - 1, act, soft);
  for (mjtNum u = 0; u <= 1; u += step) {
    mjtNum rate = mju_muscleDynamics(u, act, soft);
    assert_that(rate - before, >, -(mjtNum)1e-4);
    assert_that(rate - before, <, (mjtNum)0.1);
    before = rate;
  }
}

// The curves in long double over every piece of them, for parameters that make pieces vanish too.

typedef struct Muscle_ {
  mjtNum prm[9], range[2], acc0, length, velocity;
  Exact peak, unit, L, V;
} Muscle;

static Exact at_least(Exact x) {
  return fmaxl(x, mjMINVAL);
}

static Muscle draw_muscle(void) {
  Muscle m;
  m.range[0] = draw_unit();
  m.range[1] = m.range[0] + draw_scale(-4, 2);
  m.acc0 = draw_int(8) ? draw_scale(-4, 10) : 0;
  mjtNum low = (mjtNum)0.2 + mju_abs(draw_unit()) / 2, lmin = mju_abs(draw_unit());
  m.prm[0] = low;
  m.prm[1] = low + draw_scale(-3, 1);
  m.prm[2] = draw_int(2) ? draw_scale(-6, 10) : -1;
  m.prm[3] = draw_scale(0, 10);
  m.prm[4] = draw_int(8) ? lmin : 1;
  m.prm[5] = draw_int(8) ? 1 + draw_scale(-3, 1) : 1;
  m.prm[6] = draw_scale(-3, 4);
  m.prm[7] = draw_scale(-3, 2);
  m.prm[8] = draw_int(8) ? 1 + draw_scale(-3, 1) : 1;

  // lengths and velocities that fall on every piece
  m.unit = ((Exact)m.range[1] - m.range[0]) / at_least((Exact)m.prm[1] - m.prm[0]);
  m.length = (mjtNum)(m.range[0] + (draw_unit() + 1 - m.prm[0]) * m.unit);
  m.velocity = (mjtNum)(2 * draw_unit() * m.unit * m.prm[6]);
  m.peak = m.prm[2] >= 0 ? m.prm[2] : m.prm[3] / at_least(m.acc0);
  m.L = m.prm[0] + ((Exact)m.length - m.range[0]) / at_least(m.unit);
  m.V = m.velocity / at_least(m.unit * m.prm[6]);
  return m;
}

// x / width, squared; 0 / 0 is 0
static Exact square(Exact x, Exact width) {
  return x * x / (at_least(width) * at_least(width));
}

static Exact force_length(Exact L, Exact lmin, Exact lmax) {
  Exact a = (lmin + 1) / 2, b = (1 + lmax) / 2;
  if (L < lmin || L > lmax) {
    return 0;
  }
  if (L <= 1) {
    return L <= a ? square(L - lmin, a - lmin) / 2 : 1 - square(1 - L, 1 - a) / 2;
  }
  return L <= b ? 1 - square(L - 1, b - 1) / 2 : square(lmax - L, lmax - b) / 2;
}

static Exact force_velocity(Exact V, Exact fvmax) {
  Exact y = fvmax - 1;
  if (V <= 0) {
    return V <= -1 ? 0 : (V + 1) * (V + 1);
  }
  return V <= y ? fvmax - (y - V) * (y - V) / at_least(y) : fvmax;
}

// Roundings of L, and the steepest slope that they meet.
static Exact curve_error(const Muscle* m) {
  Exact widths = fminl(at_least(1 - (Exact)m->prm[4]), at_least((Exact)m->prm[5] - 1));
  Exact arguments = 4 + fabsl(m->L) + (fabsl(m->length) + fabsl(m->range[0])) / at_least(m->unit) +
                    fabsl(m->L) * m->prm[1] / (m->prm[1] - m->prm[0]);
  return 20 * arguments * (1 + 8 / widths) * m->prm[8];
}

// Where a curve jumps (no width at one side of 1) its value there is a matter of rounding.
static int at_a_jump(const Muscle* m) {
  const Exact near = 1e4L * ROUNDING;
  return fabsl(m->L - m->prm[4]) < near || fabsl(m->L - m->prm[5]) < near || fabsl(m->L - 1) < near;
}

TEST(muscles_follow_their_curves) {
  TRIALS(mju_muscleGain) {
    Muscle m = draw_muscle();
    if (!at_a_jump(&m)) {
      Exact expected = force_length(m.L, m.prm[4], m.prm[5]) * force_velocity(m.V, m.prm[8]);
      check_exact1(f(m.length, m.velocity, m.range, m.acc0, m.prm), -m.peak * expected,
                   m.peak * curve_error(&m));
    }
  }
  TRIALS(mju_muscleBias) {
    Muscle m = draw_muscle();
    if (!at_a_jump(&m)) {
      Exact b = (1 + (Exact)m.prm[5]) / 2, expected = 0;
      if (m.L > 1) {
        expected = m.L <= b ? square(m.L - 1, b - 1) / 2 : 0.5L + (m.L - b) / at_least(b - 1);
      }
      Exact size = m.peak * m.prm[7] * (1 + expected);
      check_exact1(f(m.length, m.range, m.acc0, m.prm), -m.peak * m.prm[7] * expected,
                   size * curve_error(&m));
    }
  }
}

TEST(activation_goes_to_control_by_the_time_constants) {
  TRIALS(mju_muscleDynamics) {
    mjtNum time[3] = {draw_scale(-8, 0), draw_scale(-8, 0), draw_int(2) ? draw_scale(-8, 2) : 0};
    mjtNum ctrl = 2 * draw_unit(), act = draw_int(8) ? (draw_unit() + 1) / 2 : 2 * draw_unit();
    Exact slow = 0.5L + 1.5L * fminl(fmaxl(act, 0), 1);
    Exact up = time[0] * slow, down = time[1] / slow, excess = fminl(fmaxl(ctrl, 0), 1) - act;
    Exact t = time[2] > 0 ? fminl(fmaxl(excess / time[2] + 0.5L, 0), 1) : excess > 0;
    Exact blend = t * t * t * (6 * t * t - 15 * t + 10);
    Exact expected = excess / (down + (up - down) * blend);
    Exact slope = time[2] > 0 ? 2 * (up + down) / (down + (up - down) * blend) / time[2] : 0;
    check_exact1(
        f(ctrl, act, time), expected,
        (40 + 8 * slope * (1 + time[2])) * (fabsl(expected) + fabsl(act / fminl(up, down))));
  }
}
