// Random scenes of hard contacts, a family a test: steps find their solution on any processor.
// Positions and masses differ in the last bits from scene to scene as they would by another
// compiler's rounding. With CONDYLE_LONG there are 10^5 steps; its value is their number if that is
// larger than 1. CONDYLE_SEED makes other scenes: those by which a solver was tuned don't judge it.
// CONDYLE_TELL prints which steps are unsolved or slow.

#include <time.h>

#include "support/models.h"
#include "support/precision.h"

enum {
  STEPS = 150,
  SCENES = 2,  // of a family: 300 steps
  MOST = 32000
};

// Text under construction.
typedef struct {
  char text[MOST];
  int n;
} Scene;

__attribute__((format(printf, 2, 3))) static void add(Scene* s, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  s->n += vsnprintf(s->text + s->n, sizeof s->text - (size_t)s->n, format, arguments);
  va_end(arguments);
  assert_that(s->n, <, MOST);
}

static double log_between(uint64_t* seed, double low, double high) {
  return exp(uniform_between(seed, log(low), log(high)));
}

static void begin(Scene* s, int condim, double friction) {
  s->n = 0;
  add(s,
      "<mujoco><option timestep='.002'/><size memory='100M'/><custom><text name='condyle.contact' "
      "data='hard'/></custom><default><geom condim='%d' friction='%.17g %.17g %.17g'/></default>"
      "<worldbody><geom type='plane' size='20 20 1'/>",
      condim, friction, condim == 6 ? friction / 10 : .01, condim == 6 ? friction / 50 : .002);
}

// A body of one geom; askew: turned at random.
static void add_body(Scene* s, uint64_t* seed, double x, double y, double z, int askew,
                     const char* geom, double mass) {
  double q[4] = {1};
  for (int k = 0; askew && k < 4; k++) {
    q[k] = uniform_random(seed);
  }
  add(s,
      "<body pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'><freejoint/><geom %s "
      "mass='%.17g'/></body>",
      x, y, z, q[0], q[1], q[2], q[3], geom, mass);
}

#define BOX "type='box' size='.1 .1 .1'"

static void stack(Scene* s, uint64_t* seed, int n, double ratio) {
  double noise = log_between(seed, 1e-13, 1e-6);
  begin(s, 3, 1);
  for (int i = 0; i < n; i++) {
    double mass = (i == n - 1 ? ratio : 1) * (1 + 1e-12 * uniform_random(seed));
    double x = noise * uniform_random(seed), y = noise * uniform_random(seed);
    add_body(s, seed, x, y, .1 + .2 * i + noise * uniform_random(seed), 0, BOX, mass);
  }
}

static void twelve_under_1000(Scene* s, uint64_t* seed) {
  stack(s, seed, 12, 1000);
}

static void eight_with_a_heavy_top(Scene* s, uint64_t* seed) {
  stack(s, seed, 8, log_between(seed, 100, 1e4));
}

static void stacks(Scene* s, uint64_t* seed) {
  int n = 2 + (int)uniform_between(seed, 0, 11);
  stack(s, seed, n, log_between(seed, 1, 1e4));
}

static void pile(Scene* s, uint64_t* seed, int condim, double friction, const char* geom) {
  begin(s, condim, friction);
  for (int i = 0; i < 12; i++) {
    double x = .2 * uniform_random(seed), y = .2 * uniform_random(seed);
    add_body(s, seed, x, y, .2 + .22 * i, 1, geom, log_between(seed, .01, 100));
  }
}

static void piles(Scene* s, uint64_t* seed) {
  pile(s, seed, 3, log_between(seed, .1, 3), BOX);
}

static void piles_with_torsion(Scene* s, uint64_t* seed) {
  pile(s, seed, 4, log_between(seed, .1, 1000), BOX);
}

static void piles_of_friction_10(Scene* s, uint64_t* seed) {
  pile(s, seed, 6, 10, BOX);
}

static void piles_of_much_friction(Scene* s, uint64_t* seed) {
  pile(s, seed, 6, log_between(seed, 10, 1000), BOX);
}

static void piles_of_capsules(Scene* s, uint64_t* seed) {
  pile(s, seed, 3, log_between(seed, .1, 3), "type='capsule' size='.06 .12'");
}

static void grippers(Scene* s, uint64_t* seed) {
  begin(s, 4, log_between(seed, .3, 100));
  add(s,
      "<body pos='0 0 .3'><joint type='slide' axis='0 0 1' damping='200' stiffness='3000'/>"
      "<geom size='.02' contype='0' conaffinity='0'/>");
  for (int side = -1; side <= 1; side += 2) {
    add(s,
        "<body pos='%g 0 0'><joint type='slide' axis='%d 0 0' springref='.1' stiffness='%.17g' "
        "damping='5'/><geom type='box' size='.01 .05 .05' mass='.2'/></body>",
        .07 * side, -side, log_between(seed, 100, 1e4));
  }
  add(s, "</body>");
  double x = 1e-3 * uniform_random(seed);
  add_body(s, seed, x, 0, .3, 0, "type='box' size='.05 .05 .05'", log_between(seed, .01, 100));
}

// Nine stones as in tests/models/hard_arch.xml, of masses apart.
static void arches(Scene* s, uint64_t* seed) {
  const double half = .0781, r = .525, wide = mjPI / 9;
  double friction = log_between(seed, .3, 30), ratio = log_between(seed, 1, 100);
  s->n = 0;
  add(s,
      "<mujoco><option timestep='.001'><flag multiccd='enable'/></option><size memory='100M'/>"
      "<custom><text name='condyle.contact' data='hard'/></custom><default><geom friction='%.17g'/>"
      "</default><asset><mesh name='stone' vertex='",
      friction);
  for (int k = 0; k < 8; k++) {
    double z = k & 4 ? .075 : -.075, x = (r + z) * tan(wide / 2) * (k & 1 ? 1 : -1);
    add(s, "%.17g %g %.17g ", x, k & 2 ? half : -half, z);
  }
  add(s,
      "'/></asset><worldbody><geom type='box' size='.3 .2 .1' pos='%.17g 0 -.1'/>"
      "<geom type='box' size='.3 .2 .1' pos='%.17g 0 -.1'/>",
      -r - .1, r + .1);
  for (int i = 0; i < 9; i++) {
    double angle = (i - 4) * wide;
    add(s,
        "<body pos='%.17g 0 %.17g' euler='0 %.17g 0'><freejoint/><geom type='mesh' mesh='stone' "
        "mass='%.17g'/></body>",
        r * sin(angle), r * cos(angle) + 1e-9 * uniform_random(seed), angle * 180 / mjPI,
        log_between(seed, 1, ratio));
  }
}

// What the steps of a family came to.
typedef struct {
  int steps, unsolved;
  double worst, slowest, slowest_seconds;  // residual; time of a step by the median of its scene
} Tally;

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void run(Tally* tally, const char* name, int scene, const Scene* s) {
  mjModel* m = test_model(s->text);
  mjData* d = test_data(m);
  double seconds[STEPS], slowest = 0;
  int at = 0;
  for (int step = 0; step < STEPS; step++) {
    double start = seconds_now();
    mj_forward(m, d);
    seconds[step] = seconds_now() - start;
    double residual = (double)cnd_solverResidual(m, d);
    tally->steps++;
    tally->unsolved += residual > 1e-10;
    tally->worst = fmax(tally->worst, residual);
    if (getenv("CONDYLE_TELL") && residual > 1e-10) {
      print_message("%s, scene %d, step %d: residual %g, %d sweeps, %d rows\n", name, scene, step,
                    residual, d->solver_niter[0], d->nefc);
    }
    if (seconds[step] > slowest) {
      slowest = seconds[step];
      at = step;
    }
    mj_step(m, d);
  }
  qsort(seconds, STEPS, sizeof seconds[0], by_size);
  double ratio = slowest / seconds[STEPS / 2];
  tally->slowest = fmax(tally->slowest, ratio);
  tally->slowest_seconds = fmax(tally->slowest_seconds, slowest);
  if (getenv("CONDYLE_TELL") && ratio > 20) {
    print_message("%s, scene %d: step %d takes %.3g s, %.0f times the median\n", name, scene, at,
                  slowest, ratio);
  }
  test_release(m);
}

// Scene i of a family.
static void make_scene(Scene* s, void (*make)(Scene*, uint64_t*), int other, int i) {
  uint64_t seed = 1000003u * (unsigned)i + 17 + 7919 * (uint64_t)other;
  for (int k = 0; k < 10; k++) {
    uniform_random(&seed);
  }
  make(s, &seed);
  add(s, "</worldbody></mujoco>");
}

static void family(const char* name, void (*make)(Scene*, uint64_t*)) {
  DOUBLE_ONLY();
  static Scene s;
  const char *wish = getenv("CONDYLE_LONG"), *other = getenv("CONDYLE_SEED");
  int total = wish ? (atoi(wish) > 1 ? atoi(wish) : 100000) : 0;
  int scenes = total ? total / STEPS / 10 : SCENES;
  Tally tally = {0};
  for (int i = 0; i < scenes; i++) {
    make_scene(&s, make, other ? atoi(other) : 0, i);
    run(&tally, name, i, &s);
  }
  print_message(
      "%s: %d steps, %d above 1e-10, worst residual %.2g; the slowest step takes %.0f times the "
      "median of its scene, %.3g s\n",
      name, tally.steps, tally.unsolved, tally.worst, tally.slowest, tally.slowest_seconds);
  // of all families one step in 5,000 isn't solved, often some in a row; which depends on rounding
  if (tally.unsolved > tally.steps / 1000) {
    fail_msg("%d of %d steps end above 1e-10, up to %g", tally.unsolved, tally.steps, tally.worst);
  }
}

#define FAMILY(name)        \
  TEST(name##_are_solved) { \
    family(#name, name);    \
  }

FAMILY(twelve_under_1000)
FAMILY(eight_with_a_heavy_top)
FAMILY(stacks)
FAMILY(piles)
FAMILY(piles_with_torsion)
FAMILY(piles_of_friction_10)
FAMILY(piles_of_much_friction)
FAMILY(piles_of_capsules)
FAMILY(grippers)
FAMILY(arches)

// Bodies that jam with much friction or torsion. Without interior points 54 of these steps stay
// unsolved.
TEST(jams_are_solved) {
  DOUBLE_ONLY();
  static const struct {
    void (*make)(Scene*, uint64_t*);
    int seed, scene;
  } kJams[] = {
      {piles_with_torsion, 2, 3}, {piles_of_friction_10, 3, 9}, {piles_of_friction_10, 2, 5}};
  static Scene s;
  Tally tally = {0};
  for (size_t i = 0; i < sizeof kJams / sizeof kJams[0]; i++) {
    make_scene(&s, kJams[i].make, kJams[i].seed, kJams[i].scene);
    run(&tally, "jams", kJams[i].scene, &s);
  }
  print_message("jams: %d steps, %d above 1e-10, worst residual %.2g\n", tally.steps,
                tally.unsolved, tally.worst);
  assert_that(tally.unsolved, <=, 3);
}

// Two feet of four contacts each, which rebound. Their points lie 3e-6 m apart in height, so a foot
// that turns as the rebounds of its normals ask for slips by 1e-8 of what it does otherwise, and
// that decides how the load is shared. Without centres that pull forces one run in two has a step
// that stays unsolved.
TEST(a_humanoid_that_rebounds_is_solved_whatever_its_last_bits) {
  DOUBLE_ONLY();
  enum {
    RUNS = 30,
    LENGTH = 40
  };
  mjModel* m = test_model(
      "<mujoco><custom><text name='condyle.contact' data='hard'/><numeric "
      "name='condyle.restitution' "
      "data='.3'/></custom><include file='" CONDYLE_SOURCE_DIR "/models/humanoid.xml'/></mujoco>");
  mjData* d = test_data(m);
  uint64_t seed = 5;
  int unsolved = 0;
  double worst = 0;
  for (int i = 0; i < RUNS; i++) {
    mj_resetData(m, d);
    for (int k = 0; k < m->nq; k++) {
      d->qpos[k] += 1e-6 * uniform_random(&seed);
    }
    for (int step = 0; step < LENGTH; step++) {
      mj_forward(m, d);
      double residual = (double)cnd_solverResidual(m, d);
      unsolved += residual > 1e-10;
      worst = fmax(worst, residual);
      mj_step(m, d);
    }
  }
  print_message("%d runs of %d steps: %d above 1e-10, worst residual %.2g\n", RUNS, LENGTH,
                unsolved, worst);
  assert_that(unsolved, ==, 0);
}
