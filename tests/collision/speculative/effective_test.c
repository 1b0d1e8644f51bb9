// The distance at which a contact keeps just as much of a velocity as is asked for.

#include "collision/speculative/effective.h"

#include "support/draw.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/test.h"

static EffectiveLaw law_of(double timeconst, double h, double strength, int is_discrete) {
  double K = 1 / (strength * strength * timeconst * timeconst), B = 2 / (strength * timeconst);
  return (EffectiveLaw){(mjtNum)h,        (mjtNum)K,     (mjtNum)B,
                        (mjtNum)strength, (mjtNum)0.001, is_discrete};
}

// A sphere .1 above a plane, at 20 m/s: the numbers of release 4.0.0.
TEST(distances_are_those_of_the_release_that_brought_them) {
  EffectiveLaw law = law_of(0.02, 0.01, 0.95, 0);
  assert_near(effective_distance(&law, 0, 0.2, 0.49), 0.392, 1e-12);
  law.is_discrete = 1;
  assert_near(effective_distance(&law, 0, 0.2, 0.49), 0.082, 1e-12);
  law = law_of(0.02, 0.01, 0.95, 0);
  assert_near(effective_distance(&law, (mjtNum)0.06, 0.2, 0.196), 0.2168, 1e-12);
  law = law_of(0.1, 0.01, 0.95, 0);
  assert_near(effective_distance(&law, 0, 0.2, 0.49), -6.2, 1e-12);
  law.is_discrete = 1;
  assert_near(effective_distance(&law, 0, 0.2, 0.49), -8.142, 1e-12);
  law = (EffectiveLaw){0.01, 100 / 0.81, 50 / 0.9, 0.9, 0.001, 0};
  assert_near(effective_distance(&law, 0, 0.2, 0.49), -0.2, 1e-12);
  law.is_discrete = 1;
  assert_near(effective_distance(&law, 0, 0.2, 0.49), -5.202, 1e-12);
}

// Without stiffness no distance brings the law there: it acts with full strength.
TEST(without_a_spring_the_distance_is_the_width) {
  for (int is_discrete = 0; is_discrete < 2; is_discrete++) {
    EffectiveLaw law = {0.01, 0, 199, 0.95, 0.001, is_discrete};
    assert_near(effective_distance(&law, (mjtNum)0.02, 0.2, 0.5), 0.019, 1e-12);
  }
}

// The law asks for a = -B v - K dm r; a contact alone gets dm of it. An integrator that evaluates
// it at the end of the step divides by s and has the strength de.
TEST(the_law_keeps_the_part_t_of_the_velocity) {
  draw_scene(1);
  for (int i = 0; i < 200; i++) {
    EffectiveLaw law = law_of(real(0.02, 0.3), 0.01, real(0.5, 0.99), i % 2);
    double t = real(0.01, 0.99), closing = real(0.01, 2), margin = real(-0.1, 0.1);
    double r =
        (double)effective_distance(&law, (mjtNum)margin, (mjtNum)closing, (mjtNum)t) - margin;
    double h = (double)law.h, v = -closing / h, dm = (double)law.strength;
    double K = (double)law.K, B = (double)law.B, s = 1 + h * B + h * h * K * dm;
    double after = law.is_discrete
                       ? v + h / (1 + (1 - dm) / (dm * s)) * -(B * v + K * dm * (r + h * v)) / s
                       : v + h * dm * -(B * v + K * dm * r);
    assert_near(after / v, t, 1e-9);
  }
}
