// Which trees share vectors: those of one shape, if there are enough of them.

#include "model/tree/alike.h"

#include "base/algebra/registers.h"
#include "base/algebra/simd.h"
#include "model/data/tree_runs.h"
#include "support/load.h"
#include "support/test.h"

#define LEGS "<joint axis='1 0 0'/><geom size='.1' pos='.1 0 0'/>"
#define ROBOT "<body><freejoint/><geom size='.1'/><body>" LEGS "</body></body>"
#define CART "<body><joint type='slide'/><joint axis='1 0 0'/><geom size='.1' pos='.1 0 0'/></body>"
#define BOX "<body><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
#define SOME(count, thing) "<replicate count='" count "'>" thing "</replicate>"
#define WORLD(things) "<mujoco><worldbody>" things "</worldbody></mujoco>"

enum {
  N = SIMD_N
};

// A model with groups, also where they don't pay.
static mjModel* grouped(const char* xml) {
  mjModel* m = test_model(xml);
  alike_find(m);
  return m;
}

// Robots and carts that take turns, n of each.
static mjModel* mixed(int n) {
  char xml[20000] = "<mujoco><worldbody>";
  for (int i = 0; i < n; i++) {
    strcat(xml, ROBOT BOX CART);
  }
  strcat(xml, "</worldbody></mujoco>");
  return grouped(xml);
}

TEST(shapes_that_take_turns_have_groups_of_their_own) {
  mjModel* m = mixed(N + 1);
  assert_that(m->cnd_ngroup, ==, 4);
  const int size[] = {N, 1, N, 1}, first[] = {0, 3 * N, 2, 3 * N + 2};
  for (int k = 0; k < 4; k++) {
    assert_that(m->cnd_group[2 * k + 1], ==, size[k]);
    assert_that(m->cnd_group_tree[m->cnd_group[2 * k]], ==, first[k]);
    for (int i = 0; i < size[k]; i++) {
      int tree = m->cnd_group_tree[m->cnd_group[2 * k] + i];
      assert_that(tree, ==, first[k] + 3 * i);
      assert_that(m->cnd_alike[tree], ==, k < 2 ? 0 : 2);
    }
  }
}

// Runs of plain bodies and trees of groups are all bodies.
TEST(plain_runs_hold_what_is_in_no_group) {
  mjModel* m = mixed(N + 1);
  const AwakeRun* run = (const AwakeRun*)(const void*)m->cnd_plain;
  int bodies = 0, dofs = 0, joints = 0, geoms = 0;
  for (int i = 0; i < m->cnd_nplain; i++) {
    bodies += run[i].body_end - run[i].body;
    dofs += run[i].dof_end - run[i].dof;
    joints += run[i].joint_end - run[i].joint;
    geoms += run[i].geom_end - run[i].geom;
    for (int b = run[i].body; b < run[i].body_end; b++) {
      if (b) {
        assert_that(m->cnd_alike[m->body_treeid[b]], <, 0);
      }
    }
  }
  assert_that(bodies, ==, 1 + N + 1);
  assert_that(dofs, ==, 6 * (N + 1));
  assert_that(joints, ==, N + 1);
  assert_that(geoms, ==, N + 1);
}

static int groups_of(const char* xml) {
  return grouped(xml)->cnd_ngroup;
}

TEST(fewer_trees_than_lanes_share_nothing) {
  assert_that(mixed(N - 1)->cnd_ngroup, ==, 0);
  assert_that(mixed(N)->cnd_ngroup, ==, 2);
}

TEST(free_bodies_with_a_diagonal_inertia_stay_plain) {
  assert_that(groups_of(WORLD(SOME("30", BOX))), ==, 0);
}

TEST(another_joint_geom_or_parent_is_another_shape) {
  static const char* const other[] = {
      "<body><freejoint/><geom size='.1'/><body><joint type='slide'/><geom "
      "size='.1'/></body></body>",
      "<body><freejoint/><geom size='.1'/><body>" LEGS "<geom size='.2'/></body></body>",
      "<body><freejoint/><geom size='.1'/><body><body>" LEGS "</body></body></body>",
  };
  for (int i = 0; i < 3; i++) {
    char xml[2000];
    snprintf(xml, sizeof xml, WORLD("<replicate count='%d'>" ROBOT "</replicate>%s"), N - 1,
             other[i]);
    assert_that(groups_of(xml), ==, 0);
  }
}

TEST(masses_and_offsets_make_no_shape) {
  char xml[4000] = "<mujoco><worldbody>";
  for (int i = 0; i < N; i++) {
    snprintf(
        xml + strlen(xml), 300,
        "<body pos='%d 0 0'><freejoint/><geom size='.%d' pos='0 .%d 0'/><body euler='%d 0 0'>"
        "<joint axis='%d 1 1' pos='.%d 0 0'/><geom type='box' size='.1 .2 .%d'/></body></body>",
        i, 1 + i, i, i, i, i, 1 + i);
  }
  strcat(xml, "</worldbody></mujoco>");
  assert_that(groups_of(xml), ==, 1);
}

TEST(trees_on_other_bodies_stay_plain) {
  assert_that(groups_of("<mujoco><compiler fusestatic='false'/><worldbody><body mocap='true'>"
                        "<geom size='.1'/>" SOME("9", CART) "</body></worldbody></mujoco>"),
              ==, 0);
}

TEST(large_trees_stay_plain) {
  char chain[8000] = "", xml[40000] = "<mujoco><worldbody>";
  for (int i = 0; i <= ALIKE_BODIES; i++) {
    strcat(chain, "<body>" LEGS);
  }
  for (int i = 0; i <= ALIKE_BODIES; i++) {
    strcat(chain, "</body>");
  }
  for (int i = 0; i < N && N <= 4; i++) {
    strcat(xml, chain);
  }
  strcat(xml, "</worldbody></mujoco>");
  assert_that(groups_of(xml), ==, 0);
}

TEST(groups_are_where_vectors_are_registers) {
  int pays = sizeof(mjtNum) == sizeof(double) && simd_is_register();
  mjModel* m = test_model(WORLD(SOME("30", ROBOT)));
  assert_that(m->cnd_ngroup, ==, pays ? (30 + N - 1) / N : 0);
  alike_write(m);
  assert_that(m->cnd_ngroup, ==, pays ? (30 + N - 1) / N : 0);
  for (int t = 0; t < m->ntree && !pays; t++) {
    assert_that(m->cnd_alike[t], ==, -1);
  }
}

// Models from files and copies have the groups of the compiled one.
TEST(copies_and_binary_models_have_the_same_groups) {
  mjModel* m = mixed(N + 1);
  int size = (int)mj_sizeModel(m);
  char* bytes = malloc((size_t)size);
  mj_saveModel(m, NULL, bytes, size);
  mjModel* others[] = {test_own_model(mj_copyModel(NULL, m)),
                       test_own_model(mj_loadModelBuffer(bytes, size))};
  free(bytes);
  alike_find(others[1]);
  for (int i = 0; i < 2; i++) {
    assert_that(others[i]->cnd_ngroup, ==, m->cnd_ngroup);
    assert_that(others[i]->cnd_nplain, ==, m->cnd_nplain);
    assert_memory_equal(others[i]->cnd_group_tree, m->cnd_group_tree,
                        (size_t)m->ntree * sizeof(int));
    assert_memory_equal(others[i]->cnd_group, m->cnd_group,
                        2 * (size_t)m->cnd_ngroup * sizeof(int));
    assert_memory_equal(others[i]->cnd_plain, m->cnd_plain,
                        (size_t)m->cnd_nplain * sizeof(AwakeRun));
  }
}
