// What is in the way of a ball that flies at a plane, and what is not: as in release 4.0.0, where
// nothing else is said.

#include "collision/speculative/sight.h"

#include <string.h>

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

#define PLATE "<geom name='w' type='box' size='.5 .5 .001' pos='0 0 .1'"
#define BALL "<body name='A' pos='0 0 .2'><freejoint/><geom name='s' size='.05'"

// The pairs of names of all contacts, of a ball that flies down at 30 m/s.
static const char* pairs_of(const char* world, const char* ball, const char* more) {
  static char text[500];
  char xml[3000];
  snprintf(xml, sizeof(xml),
           "<mujoco><option timestep='.01' gravity='0 0 0'><flag speculative='enable'/></option>"
           "<asset><hfield name='h' nrow='2' ncol='2' size='1 1 .01 .01'/>"
           "<mesh name='m' vertex='-.5 -.5 0 .5 -.5 0 .5 .5 0 -.5 .5 0 0 0 .01'/></asset>"
           "<worldbody>%s%s</body>%s</mujoco>",
           world, ball, more);
  const mjModel* m = test_model(xml);
  mjData* d = test_data(m);
  d->qvel[2] = -30;
  mj_forward(m, d);
  text[0] = 0;
  for (int i = 0; i < d->ncon; i++) {
    char pair[50];
    snprintf(pair, sizeof(pair), "%s%s ", mj_id2name(m, mjOBJ_GEOM, d->contact[i].geom[0]),
             mj_id2name(m, mjOBJ_GEOM, d->contact[i].geom[1]));
    if (!strstr(text, pair)) {
      strcat(text, pair);
    }
  }
  return text;
}

#define FLOOR "<geom name='p' type='plane' size='1 1 .1'/>"
#define END "</worldbody>"

TEST(a_plate_hides_the_floor) {
  assert_string_equal(pairs_of(FLOOR, BALL "/>", END), "ps ");
  assert_string_equal(pairs_of(FLOOR PLATE "/>", BALL "/>", END), "sw ");
  assert_string_equal(pairs_of(FLOOR PLATE " group='5' rgba='0 0 0 0'/>", BALL "/>", END), "sw ");
  assert_string_equal(
      pairs_of(FLOOR, BALL "/>",
               "<body pos='0 0 .1'><freejoint/><geom name='o' type='box' size='.5 .5 .001'/>"
               "</body>" END),
      "so ");
  assert_string_equal(
      pairs_of(FLOOR "<geom name='w' type='mesh' mesh='m' pos='0 0 .08'/>", BALL "/>", END), "sw ");
  assert_string_equal(
      pairs_of(FLOOR "<geom name='w' type='plane' size='.1 .1 .1' pos='.5 0 .1'/>", BALL "/>", END),
      "ws ");
}

TEST(only_what_the_ball_may_collide_with_hides) {
  assert_string_equal(pairs_of(FLOOR PLATE " contype='2' conaffinity='2'/>", BALL "/>", END),
                      "ps ");
  assert_string_equal(
      pairs_of(FLOOR PLATE " contype='2' conaffinity='0'/>", BALL " conaffinity='3'/>", END),
      "sw ");
  assert_string_equal(pairs_of(FLOOR, BALL "/>",
                               "<body name='B' pos='0 0 .1'><freejoint/><geom name='o' type='box' "
                               "size='.5 .5 .001'/></body>" END
                               "<contact><exclude body1='A' body2='B'/></contact>"),
                      "ps ");
  assert_string_equal(
      pairs_of(FLOOR "<geom name='w' type='hfield' hfield='h' pos='0 0 .08'/>", BALL "/>", END),
      "ps ");
}

TEST(what_belongs_to_one_of_the_two_does_not_hide_the_other) {
  // a shield of the ball collides itself
  assert_string_equal(pairs_of(FLOOR,
                               BALL "/><geom name='x' type='box' size='.5 .5 .001' pos='0 0 -.1' "
                                    "mass='1e-6'/>",
                               END),
                      "ps px ");
  assert_string_equal(
      pairs_of("", BALL "/>",
               "<body><freejoint/><geom name='b' size='.05'/><geom name='x' type='box' "
               "size='.2 .2 .001' pos='0 0 .1'/></body>" END),
      "sb sx ");
  // but what is fixed to the world is not one thing
  assert_string_equal(
      pairs_of("", BALL "/>",
               "<body><geom name='b' size='.05'/><geom name='x' type='box' size='.2 .2 .001' "
               "pos='0 0 .1'/></body>" END),
      "sx ");
}

TEST(what_the_ball_touches_does_not_hide) {
#define TILTED "<geom name='w' type='box' size='.5 .5 .001' euler='0 60 0' "
  assert_string_equal(pairs_of(FLOOR TILTED "pos='0 0 .12'/>", BALL "/>", END), "ps sw ");
  assert_string_equal(pairs_of(FLOOR TILTED "pos='0 0 .09'/>", BALL "/>", END), "sw ");
  assert_string_equal(pairs_of(FLOOR TILTED "pos='0 0 .09' margin='.02'/>", BALL "/>", END),
                      "ps sw ");
}

TEST(what_is_behind_does_not_hide) {
  assert_string_equal(pairs_of("", BALL "/>",
                               "<body><geom name='b' size='.05'/></body><geom name='x' type='box' "
                               "size='.2 .2 .001' pos='0 0 -.06'/>" END),
                      "sb ");
}

static int keep_apart(const mjModel* m, mjData* d, int g1, int g2) {
  (void)d;
  const char *a = mj_id2name(m, mjOBJ_GEOM, g1), *b = mj_id2name(m, mjOBJ_GEOM, g2);
  return !strcmp(a, "w") || !strcmp(b, "w");
}

TEST(the_filter_of_the_program_decides_what_may_hide) {
  mjcb_contactfilter = keep_apart;
  assert_string_equal(pairs_of(FLOOR PLATE "/>", BALL "/>", END), "ps ");
  mjcb_contactfilter = NULL;
  assert_string_equal(pairs_of(FLOOR PLATE "/>", BALL "/>", END), "sw ");
}
