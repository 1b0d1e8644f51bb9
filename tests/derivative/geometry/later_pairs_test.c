// Contacts by the rules of later releases, of two boxes (behaviour boxclip) and of two capsules
// (capsules): exact derivatives of steps against differences.

#include "derivative/geometry/rules.h"

#include "derivative/ladder.h"

#define PAIR(first, second)                                                                    \
  "<mujoco><option timestep='.004' cone='elliptic' tolerance='0' iterations='200'><behaviour " \
  "boxclip='enable' capsules='enable'/></option><default><geom solref='.03 1' solimp='.5 .9 "  \
  ".02' friction='.6'/></default><worldbody><body><freejoint/>" first                          \
  "</body><body pos='%g %g %g' euler='%g %g %g'><freejoint/>" second                           \
  "</body></worldbody></mujoco>"

static double random_in(unsigned* seed, double low, double high) {
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * (double)(*seed >> 8) / (1 << 24);
}

// The pair at a place and turn, scattered a little; returns the number of contacts.
static int check_pair(const char* xml, const double at[3], const double turn[3], unsigned seed) {
  char text[3000];
  snprintf(text, sizeof text, xml, at[0], at[1], at[2], turn[0], turn[1], turn[2]);
  Steps s = steps_make(test_model(text));
  steps_scatter(&s, &seed, (mjtNum)1e-3);
  mj_forward(s.m, s.d);
  int found = s.d->ncon;
  if (ladder_wrong(&s, 1e-6)) {
    fail_msg("at %g %g %g, turned by %g %g %g", at[0], at[1], at[2], turn[0], turn[1], turn[2]);
  }
  steps_free(&s);
  return found;
}

// Corners over a face, edges that cross its walls, and corners of the face below.
TEST(clipped_faces_agree_with_differences) {
  DOUBLE_ONLY();
  static const char kFlat[] = PAIR("<geom type='box' size='.2 .2 .1'/>",
                                   "<geom type='box' size='.1 .15 .1' margin='.002'/>");
  unsigned seed = 4;
  int found = 0;
  for (int i = 0; i < 12; i++) {
    const double at[3] = {random_in(&seed, -.25, .25), random_in(&seed, -.25, .25), .198};
    const double turn[3] = {random_in(&seed, -2, 2), random_in(&seed, -2, 2),
                            random_in(&seed, -90, 90)};
    found += check_pair(kFlat, at, turn, seed);
  }
  assert_that(found, >=, 25);
}

TEST(crossing_edges_agree_with_differences) {
  DOUBLE_ONLY();
  static const char kEdges[] = PAIR("<geom type='box' size='.3 .1 .1' euler='45 0 0'/>",
                                    "<geom type='box' size='.3 .1 .1' euler='0 0 0'/>");
  unsigned seed = 7;
  int found = 0;
  for (int i = 0; i < 6; i++) {
    const double at[3] = {random_in(&seed, -.05, .05), random_in(&seed, -.05, .05),
                          .1 * sqrt(2) * 2 - .003};
    const double turn[3] = {random_in(&seed, 40, 50), random_in(&seed, -6, 6),
                            random_in(&seed, 60, 120)};
    found += check_pair(kEdges, at, turn, seed);
  }
  assert_that(found, >=, 4);
}

// Parallel ones have the ends of their overlap, and no derivative.
TEST(capsules_agree_with_differences_unless_parallel) {
  DOUBLE_ONLY();
  static const char kRods[] = PAIR("<geom type='capsule' size='.05 .2'/>",
                                   "<geom type='capsule' size='.05 .2' margin='.002'/>");
  unsigned seed = 3;
  int found = 0;
  for (int i = 0; i < 6; i++) {
    const double at[3] = {.098, random_in(&seed, -.05, .05), random_in(&seed, -.2, .2)};
    const double turn[3] = {random_in(&seed, 5, 80), random_in(&seed, -1, 1), 0};
    found += check_pair(kRods, at, turn, seed);
  }
  assert_that(found, >=, 4);
  char text[2000];
  snprintf(text, sizeof text, kRods, .098, 0., .05, 0., 0., 0.);
  mjModel* m = test_model(text);
  mjData* d = test_data(m);
  assert_error(cnd_transitionExact(m, d, NULL, NULL, NULL, NULL), "flat against each other");
}
