// The search in the tree of a large fixed body finds the pairs that the joint descent of both trees
// finds, but for some that don't touch.

#include "collision/broad/geom_pairs.h"

#include <stdio.h>
#include <string.h>

#include "collision/broad/body_pairs.h"
#include "collision/collide.h"
#include "collision/contact_param.h"
#include "support/load.h"
#include "support/random.h"
#include "support/test.h"

// Two large fixed bodies, one turned: plates, rods and tiles with a plane below, and floating
// bodies of many parts, some of which don't collide.
static const char scene[] =
    "<mujoco><size memory='20M'/><asset>"
    "<mesh name='t' inertia='convex' vertex='0 0 0 .3 0 0 0 .3 0 0 0 .3 .2 .2 "
    ".2'/></asset><worldbody>"
    "<geom type='plane' size='9 9 1' pos='0 0 -.3'/>"
    "<replicate count='9' offset='.5 0 0'><replicate count='9' offset='0 .5 0'>"
    "<geom type='box' size='.1 .2 .1'/></replicate></replicate><geom type='box' size='4 .1 4'/>"
    "<body pos='.3 .3 .3' euler='20 30 40'><replicate count='70' offset='.05 .05 0'>"
    "<geom type='capsule' size='.02 .1' margin='.02'/><geom type='mesh' "
    "mesh='t'/></replicate></body>"
    "<replicate count='5' offset='.8 0 0'><replicate count='5' offset='0 .8 0'>"
    "<body name='b' pos='0 0 .3'><freejoint/><replicate count='4' offset='.1 0 0'>"
    "<geom type='box' size='.03 .15 .1'/><geom size='.1'/><geom size='.3' contype='0' "
    "conaffinity='0'/>"
    "<geom type='cylinder' size='.1 .05'/></replicate></body></replicate></replicate>"
    "</worldbody></mujoco>";

static int touches(const mjModel* m, mjData* d, uint64_t pair) {
  mjContact con[mjMAXCONPAIR];
  int g1 = pair_first(pair), g2 = pair_second(pair);
  return collide_two(m, d, con, g1, g2, contact_margin(m, g1, g2, -1));
}

// How many pairs of a fixed body and all others the search finds.
static int64_t pairs_found(const mjModel* m, mjData* d, int fixed, mjfConFilt filter) {
  mj_markStack(d);
  GeomBox* box = mj_stackAllocByte(d, (size_t)m->ngeom * sizeof(GeomBox), _Alignof(GeomBox));
  GeomBox around;
  geom_boxes(&around, box, m, d, 0, m->ngeom, filter != NULL);
  int64_t all = 0;
  for (int b = 2; b < m->nbody; b++) {
    PairList fast = {.d = d}, slow = {.d = d};
    mid_phase(&fast, m, d, box, fixed, b, filter);
    mid_phase(&slow, m, d, NULL, fixed, b, filter);
    int64_t next = 0;
    for (int64_t i = 0; i < slow.num; i++) {
      if (next < fast.num && fast.key[next] == slow.key[i]) {
        next++;
      } else {
        assert_int_equal(touches(m, d, slow.key[i]), 0);
      }
    }
    assert_int_equal(next, fast.num);  // it finds no others
    all += fast.num;
  }
  mj_freeStack(d);
  return all;
}

static int keep_all(const mjModel* m, mjData* d, int g1, int g2) {
  (void)m, (void)d, (void)g1, (void)g2;
  return 0;
}

TEST(pairs_of_a_large_fixed_body_are_those_of_the_joint_descent) {
  mjModel* m = test_model(scene);
  mjData* d = test_data(m);
  assert_true(body_has_tree(m, 0) && body_has_tree(m, 1));
  uint64_t seed = 3;
  int64_t world = 0, turned = 0;
  for (int pose = 0; pose < 20; pose++) {
    for (int i = 0; i < m->nq && pose; i++) {
      d->qpos[i] = m->qpos0[i] + (mjtNum)(.4 * uniform_random(&seed));
    }
    mj_kinematics(m, d);
    mj_comPos(m, d);
    for (int asks = 0; asks < 2; asks++) {
      world += pairs_found(m, d, 0, asks ? keep_all : NULL);
      turned += pairs_found(m, d, 1, asks ? keep_all : NULL);
    }
  }
  assert_that(world, >, 1000);
  assert_that(turned, >, 1000);
}
