// Piles of a hundred things fall, come to rest and stay: the energy only falls, and nothing sinks
// into the ground, through a wall or out of the container. CONDYLE_LONG gives them 10,000 steps,
// which take minutes, until they are at rest; without it they only fall. (Marbles on a height
// field: collision/hfield/marbles_test.c.)

#include "support/test.h"

enum {
  STEPS = 10000,
#ifdef CONDYLE_SANITIZED
  FEW = 300,
#else
  FEW = 700,
#endif
  WINDOW = 100  // steps between looks
};

// A pit 2 m wide with walls as planes, and things above it.
#define PIT                                                                                       \
  "<mujoco><option timestep='0.002'/><size memory='100M'/>"                                       \
  "<worldbody><geom type='plane' size='1 1 .1'/>"                                                 \
  "<replicate count='4' euler='0 0 90'><geom type='plane' size='1 1 .1' zaxis='1 0 0' pos='-1 0 " \
  "0'/></replicate></worldbody>"

// So many by so many by so many of a body, 0.3 m apart, each a little askew.
#define CROWD(x, y, z, body)                                                          \
  "<replicate count='" #z "' offset='.02 .01 .3' euler='0 0 7'><replicate count='" #y \
  "' offset="                                                                         \
  "'0 .3 .02' euler='3 0 0'><replicate count='" #x                                    \
  "' offset='.3 0 .01' euler='0 5 0'><body pos="                                      \
  "'-.6 -.6 .3'><freejoint/>" body "</body></replicate></replicate></replicate>"

#define ROCKS                                                                                      \
  "<asset><mesh name='a' scale='.1 .1 .1' vertex='1.2 .1 -.6  .9 -.9 -.5  -.2 -1.1 -.7  -1.1 -.4 " \
  "-.6  -1 .8 -.5  .3 1.1 -.6  .8 .2 .7  .3 -.6 .9  -.6 -.3 .8  -.5 .5 .6  .2 .7 .8'/>"            \
  "<mesh name='b' builtin='supersphere' params='6 .7 .5' scale='.1 .08 .12'/>"                     \
  "<mesh name='c' scale='.09 .09 .09' vertex='1 .3 0  1 -.3 0  1 0 .3  1 0 -.3  -1 .3 0  -1 -.3 "  \
  "0  -1 0 .3  -1 0 -.3  .3 1 0  -.3 1 0  0 1 .3  0 1 -.3  .3 -1 0  -.3 -1 0  0 -1 .3  0 -1 -.3 "  \
  ".3 0 1  -.3 0 1  0 .3 1  0 -.3 1  .3 0 -1  -.3 0 -1  0 .3 -1  0 -.3 -1'/>"                      \
  "<mesh name='d' builtin='cone' params='7 .5' scale='.1 .1 .08'/></asset>"

// A rabbit of five hulls.
#define BUNNY                                                                       \
  "<geom type='mesh' mesh='trunk'/><geom type='mesh' mesh='head' pos='.07 0 .05'/>" \
  "<geom type='mesh' mesh='ear' pos='.065 .02 .095' euler='-15 -20 0'/>"            \
  "<geom type='mesh' mesh='ear' pos='.065 -.02 .095' euler='15 -20 0'/>"            \
  "<geom type='mesh' mesh='tail' pos='-.085 0 .01'/>"
#define BUNNY_ASSETS                                                                         \
  "<asset><mesh name='trunk' builtin='supersphere' params='10 .9 .9' scale='.08 .055 .06'/>" \
  "<mesh name='head' builtin='sphere' params='1' scale='.04 .035 .035'/>"                    \
  "<mesh name='ear' builtin='supersphere' params='5 .8 .8' scale='.008 .012 .04'/>"          \
  "<mesh name='tail' builtin='sphere' params='1' scale='.018 .018 .018'/></asset>"

// A cup of eight staves and a floor, its handle four bars; it hangs on a rod.
#define MUG                                                                                      \
  "<replicate count='8' euler='0 0 45'><geom type='box' size='.005 .021 .05' pos='.05 0 .05'/>"  \
  "</replicate><geom type='cylinder' size='.05 .004'/>"                                          \
  "<geom type='mesh' mesh='bar' pos='.07 0 .08'/><geom type='mesh' mesh='bar' pos='.07 0 .02'/>" \
  "<geom type='mesh' mesh='grip' pos='.09 0 .05'/>"
#define MUG_ASSETS                                                                         \
  "<asset><mesh name='bar' builtin='supersphere' params='6 .5 .5' scale='.02 .008 .008'/>" \
  "<mesh name='grip' builtin='supersphere' params='8 .5 .5' scale='.008 .008 .038'/></asset>"

typedef struct Pile {
  const char* xml;
  double lowest, highest;  // of the centres at the end, m
  double speed;            // most at the end, m/s or rad/s
} Pile;

// The largest speed of anything.
static double fastest(const mjModel* m, const mjData* d) {
  double most = 0;
  for (int i = 0; i < m->nv; i++) {
    assert_finite_number((double)d->qvel[i]);
    most = fmax(most, fabs((double)d->qvel[i]));
  }
  return most;
}

static void check_places(const mjModel* m, const mjData* d, const Pile* pile) {
  for (int i = 1; i < m->nbody; i++) {
    const mjtNum* p = d->xipos + 3 * i;
    if (!(fabs((double)p[0]) < 1.02 && fabs((double)p[1]) < 1.02 && p[2] > pile->lowest &&
          p[2] < pile->highest)) {
      fail_msg("body %d is at (%g %g %g)", i, (double)p[0], (double)p[1], (double)p[2]);
    }
  }
}

static void comes_to_rest(const Pile* pile) {
  const int steps = getenv("CONDYLE_LONG") ? STEPS : FEW;
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(pile->xml, NULL, error, sizeof error);
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  if (!m) {
    fail_msg("%s", spec ? mjs_getError(spec) : error);
  }
  mj_deleteSpec(spec);
  m->opt.enableflags |= mjENBL_ENERGY;
  mjData* d = mj_makeData(m);
  mj_forward(m, d);

  // a contact is a stiff spring: what it holds may come back, but no more
  double first = (double)(d->energy[0] + d->energy[1]), least = first;
  double weight = 9.81 * (double)m->body_subtreemass[0], slack = 0.002 * weight;
  double deepest = 0;
  for (int step = 0; step < steps; step++) {
    mj_step(m, d);
    if (step % WINDOW == WINDOW - 1) {
      double energy = (double)(d->energy[0] + d->energy[1]);
      if (!(energy <= least + slack)) {
        fail_msg("after %d steps the energy is %g J, it was %g J", step + 1, energy, least);
      }
      least = fmin(least, energy);
      deepest = 0;
      for (int i = 0; i < d->ncon; i++) {
        deepest = fmin(deepest, (double)d->contact[i].dist);
      }
    }
  }
  for (int i = 0; i < mjNWARNING; i++) {
    assert_int_equal(d->warning[i].number, 0);
  }
  double speed = fastest(m, d);
  if (steps == STEPS && !(speed < pile->speed && deepest > -0.02)) {
    fail_msg("at the end something moves at %g, the deepest contact is %g", speed, deepest);
  }
  check_places(m, d, pile);
  print_message("%d steps: energy %.6g -> %.6g J, %d contacts, the deepest %.3g m, speed %.3g\n",
                steps, first, (double)(d->energy[0] + d->energy[1]), d->ncon, deepest, speed);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(hundred_boxes) {
  const Pile pile = {PIT "<worldbody>" CROWD(
                         5, 5, 4, "<geom type='box' size='.1 .08 .06'/>") "</worldbody></mujoco>",
                     0.05, 1.5, 0.1};
  comes_to_rest(&pile);
}

TEST(hundred_cylinders) {
  const Pile pile = {PIT "<worldbody>" CROWD(
                         5, 5, 4, "<geom type='cylinder' size='.08 .1'/>") "</worldbody></mujoco>",
                     0.06, 1.5, 2};
  comes_to_rest(&pile);
}

TEST(hundred_bunnies) {
  const Pile pile = {PIT BUNNY_ASSETS "<worldbody>" CROWD(5, 5, 4, BUNNY) "</worldbody></mujoco>",
                     0.02, 1.5, 1};
  comes_to_rest(&pile);
}

TEST(two_hundred_rocks) {
  const Pile pile = {
      PIT ROCKS "<worldbody>" CROWD(5, 5, 2, "<geom type='mesh' mesh='a'/>") 
      "<frame pos='0 0 .7'>" CROWD(5, 5, 2, "<geom type='mesh' mesh='b'/>") "</frame>"
      "<frame pos='0 0 1.4'>" CROWD(5, 5, 2, "<geom type='mesh' mesh='c'/>") "</frame>"
      "<frame pos='0 0 2.1'>" CROWD(5, 5, 2, "<geom type='mesh' mesh='d'/>") "</frame>"
      "</worldbody></mujoco>", 0.02, 2, 0.5};
  comes_to_rest(&pile);
}

TEST(mugs_on_their_hooks) {
  const Pile pile = {
      "<mujoco><option timestep='0.002'/>" MUG_ASSETS
      "<worldbody><replicate count='4' offset='.3 0 0'><geom type='capsule' size='.006' "
      "fromto='-.5 -.05 .5 -.5 .1 .5'/><geom type='capsule' size='.006' fromto='-.5 .1 .5 -.5 .1 "
      ".53'/>"
      "<body pos='-.5 .02 .5' euler='0 -90 0'><freejoint/><frame pos='-.069 0 -.05'>" MUG
      "</frame></body></replicate></worldbody></mujoco>",
      0.41, 0.44, 0.01};
  comes_to_rest(&pile);
}
