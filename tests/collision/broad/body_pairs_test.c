// The broad phase finds all pairs of bodies whose boxes meet. It looks at geoms of a large fixed
// body only through the body's tree, so bodies that don't move cost a step nothing there.

#include "collision/broad/body_pairs.h"

#include <stdio.h>
#include <string.h>

#include "collision/same_contacts.h"
#include "support/bridge.h"
#include "support/load.h"
#include "support/random.h"
#include "support/test.h"

// A square of n x n fixed boxes in the world, and four balls above it.
static mjModel* field_of_boxes(int n, double height) {
  char xml[2000];
  snprintf(xml, sizeof xml,
           "<mujoco><size memory='30M'/><worldbody><geom type='plane' size='9 9 1' pos='0 0 -1'/>"
           "<replicate count='%d' offset='.5 0 0'><replicate count='%d' offset='0 .5 0'>"
           "<geom type='box' size='.2 .2 .1'/></replicate></replicate>"
           "<replicate count='4' offset='.5 0 0'><body pos='0 .1 %g'><freejoint/>"
           "<geom size='.1'/></body></replicate></worldbody></mujoco>",
           n, n, height);
  return test_model(xml);
}

// How many boxes of the world's geoms the broad phase writes.
static int boxes_made(int n, double height) {
  mjModel* m = field_of_boxes(n, height);
  mjData* d = test_data(m);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_markStack(d);
  size_t left = (size_t)d->cnd_arena - d->parena - d->pstack;
  memset((char*)d->arena + d->parena, 0x5a, left);
  PairList pairs = {.d = d};
  const GeomBox* box = broad_phase(&pairs, m, d, NULL, NULL);
  assert_non_null(box);
  GeomBox untouched;
  memset(&untouched, 0x5a, sizeof untouched);
  int made = 0;
  for (int g = 0; g < m->body_geomnum[0]; g++) {
    made += memcmp(box + g, &untouched, sizeof untouched) != 0;
  }
  mj_freeStack(d);
  return made;
}

TEST(the_boxes_of_a_large_world_are_not_made) {
  assert_int_equal(boxes_made(3, 50), 10);  // few are compared one by one
  assert_int_equal(boxes_made(10, 50), 0);
  assert_int_equal(boxes_made(70, 50), 0);
  assert_int_equal(boxes_made(70, .15), 0);
}

TEST(balls_on_a_large_world_touch_what_is_below_them) {
  for (int n = 3; n < 90; n += 43) {
    mjModel* m = field_of_boxes(n, .15);
    mjData* d = test_data(m);
    mj_forward(m, d);
    assert_int_equal(d->ncon, n < 4 ? n : 4);
    for (int i = 0; i < d->ncon; i++) {
      assert_int_equal(d->contact[i].geom[1], 1 + n * i);
    }
  }
}

// Fixed and mocap bodies of all kinds of geoms, world geoms, pairs and excludes.
static const char scene[] =
    "<mujoco><size memory='20M'/><asset><mesh name='t' inertia='convex'"
    " vertex='0 0 0 .3 0 0 0 .3 0 0 0 .3 .2 .2 .2'/>"
    "<hfield name='h' nrow='4' ncol='4' size='4 4 .2 .1'/></asset><worldbody>"
    "<geom type='plane' size='9 9 1' pos='0 0 -.3'/><geom type='hfield' hfield='h' pos='1 1 -.3'/>"
    "<replicate count='9' offset='.5 0 0'><replicate count='9' offset='0 .5 0'>"
    "<geom name='w' type='box' size='.1 .2 .1'/></replicate></replicate>"
    "<replicate count='7' offset='.5 0 0'><replicate count='4' offset='0 1 0'>"
    "<body name='f' pos='.1 .2 .2'><geom type='mesh' mesh='t'/><geom size='.1' pos='.2 0 0'/>"
    "</body></replicate></replicate>"
    "<body name='many' pos='.3 .3 .3'><replicate count='70' offset='.05 .05 0'>"
    "<geom type='capsule' size='.02 .1'/></replicate></body>"
    "<body name='flat' pos='0 0 -.2'><geom type='plane' size='1 1 1'/></body>"
    "<body name='mo' mocap='true' pos='1 1 .4'><geom type='cylinder' size='.2 .1'/></body>"
    "<replicate count='6' offset='.6 0 0'><replicate count='6' offset='0 .6 0'>"
    "<body name='b' pos='0 0 .3'><freejoint/><geom name='g' type='box' size='.1 .15 .1'/>"
    "<body pos='.2 0 0'><joint/><geom type='capsule' size='.05 .1'/></body></body>"
    "</replicate></replicate></worldbody><contact>"
    "<pair geom1='w00' geom2='g55' margin='9'/><exclude body1='world' body2='b11'/>"
    "<exclude body1='many' body2='b22'/></contact></mujoco>";

TEST(contacts_with_what_is_fixed_are_the_references) {
  BRIDGE_OR_SKIP();
  Bridge* b = bridge_load_text(scene);
  Allowed allowed[mjNGEOMTYPES];
  allow_all(allowed, 1e-9);
  uint64_t seed = 7;
  int contacts = 0;
  for (int pose = 0; pose < 6; pose++) {
    for (int i = 0; i < b->m->nq; i++) {
      b->d->qpos[i] = b->m->qpos0[i] + (mjtNum)(.15 * uniform_random(&seed));
    }
    mj_kinematics(b->m, b->d);
    mj_comPos(b->m, b->d);
    bridge_push(b, "xipos ximat xpos xmat");
    int num = same_contacts(b, allowed);
    assert_that(num, >, 0);
    contacts += num;
  }
  assert_that(contacts, >, 200);
  bridge_free(b);
}
