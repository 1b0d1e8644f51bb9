// Flexes by the rules and words of later releases: their numbers, and what is kept of them.

#include <condyle/behaviour.h>
#include <mujoco/api/mjcf.h>
#include <mujoco/mujoco.h>

#include "model/model.h"
#include "smooth/flex/flex.h"
#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/test.h"

static mjModel* flexes(void) {
  return test_model_file("tests/models/since/flexes.xml");
}

static int flex_named(const mjModel* m, const char* name) {
  int id = mj_name2id(m, mjOBJ_FLEX, name);
  assert_that(id, >=, 0);
  return id;
}

TEST(nodes_have_the_mass_of_what_fills_their_cells) {
  DOUBLE_ONLY();
  mjModel* m = flexes();
  assert_recorded("flexes_mass", m->body_mass, (size_t)m->nbody);
}

TEST(flexes_of_all_kinds_move_as_recorded) {
  DOUBLE_ONLY();
  mjModel* m = flexes();
  mjData* d = test_data(m);
  mjtNum* move = malloc((size_t)m->nv * sizeof(mjtNum));
  for (int i = 0; i < m->nv; i++) {
    move[i] = (mjtNum)0.004 * mju_sin((mjtNum)(1 + i));
    d->qvel[i] = (mjtNum)0.1 * mju_cos((mjtNum)(2 * i));
  }
  mj_integratePos(m, d->qpos, move, 1);
  for (int i = 0; i < 20; i++) {
    mj_step(m, d);
  }
  size_t n = (size_t)(m->nq + m->nv) + (size_t)m->nplastic;
  mjtNum* state = malloc(n * sizeof(mjtNum));
  mju_copy(state, d->qpos, m->nq);
  mju_copy(state + m->nq, d->qvel, m->nv);
  mju_copy(state + m->nq + m->nv, d->plastic, (int)m->nplastic);
  mjtNum* expected = recorded("flexes_steps", n);
  for (size_t i = 0; i < n; i++) {
    // cells turn by an iteration that ends at 1e-9
    if (!(mju_abs(state[i] - expected[i]) <= 1e-7 * (1 + mju_abs(expected[i])))) {
      fail_msg("number %zu is %.12g, recorded %.12g", i, state[i], expected[i]);
    }
  }
  free(expected);
  free(state);
  free(move);
}

TEST(hinges_yield_as_recorded) {
  DOUBLE_ONLY();
  static const mjtNum angle[] = {0.1, 0.2, 0.5, 1.0, -0.3, 2.5};
  mjModel* m = test_model_file("tests/models/since/bent.xml");
  mjData* d = test_data(m);
  mjtNum bent[6];
  int hinge = 0;
  while (m->flex_edgeflap[2 * hinge + 1] < 0) {
    hinge++;
  }
  for (int i = 0; i < 6; i++) {
    mju_zero(d->qvel, m->nv);
    mju_zero(d->qpos, m->nq);
    d->qpos[7] = (mjtNum)0.8 * (mju_cos(angle[i]) - 1);
    d->qpos[8] = (mjtNum)0.8 * mju_sin(angle[i]);
    mj_step(m, d);
    bent[i] = d->plastic[hinge];
  }
  mjtNum* expected = recorded("flexes_bent", 6);
  for (int i = 0; i < 6; i++) {
    assert_near(bent[i], expected[i], 1e-6);
  }
  free(expected);
}

// Moves all vertices by the same turn and shift.
static void turn_all(const mjModel* m, mjData* d, int flex, const mjtNum quat[4]) {
  for (int i = 0; i < m->flex_nodenum[flex]; i++) {
    int node = m->flex_nodeadr[flex] + i, body = m->flex_nodebodyid[node];
    mjtNum x[3];
    mju_rotVecQuat(x, m->flex_node0 + 3 * node, quat);
    for (int k = 0; k < 3 && m->body_jntnum[body]; k++) {
      d->qpos[m->jnt_qposadr[m->body_jntadr[body]] + k] = x[k] - m->flex_node0[3 * node + k] + 1;
    }
  }
}

TEST(cells_resist_no_turn) {
  mjModel* m = flexes();
  mjData* d = test_data(m);
  static const mjtNum quat[4] = {0.5, 0.5, 0.5, 0.5};
  turn_all(m, d, flex_named(m, "quadratic"), quat);
  mj_forward(m, d);
  int first = m->flex_nodeadr[flex_named(m, "quadratic")];
  for (int i = 0; i < 3 * 27; i++) {
    int dof = m->body_dofadr[m->flex_nodebodyid[first + i / 3]] + i % 3;
    assert_near(d->qfrc_spring[dof], 0, sizeof(mjtNum) == 8 ? 1e-6 : 10);
  }
}

TEST(weights_of_a_cell_sum_to_one_and_make_the_place) {
  mjModel* m = flexes();
  for (int f = 0; f < m->nflex; f++) {
    for (int v = 0; m->flex_interp[f] && v < m->flex_vertnum[f]; v++) {
      FlexShare of;
      mjtNum sum = 0;
      flex_share(&of, m, f, m->flex_vert0 + 3 * (size_t)(m->flex_vertadr[f] + v));
      for (int i = 0; i < of.n; i++) {
        assert_that(of.node[i], <, m->flex_nodenum[f]);
        sum += of.weight[i];
      }
      assert_near(sum, 1, last_digits());
    }
  }
}

TEST(saved_flexes_are_the_same_again) {
  enum {
    ROOM = 1 << 20
  };
  char error[500] = "", *text = malloc(ROOM);
  mjSpec* spec = test_own_spec(
      mj_parseXML(CONDYLE_SOURCE_DIR "/tests/models/since/flexes.xml", NULL, error, sizeof(error)));
  mjModel* m = test_compile(spec);
  assert_that(mj_saveXMLString(spec, text, ROOM, error, sizeof(error)), ==, 0);
  mjModel* back = test_model(text);
  free(text);
  assert_that((int)back->cnd_nflexcell, ==, (int)m->cnd_nflexcell);
  assert_that((int)back->nplastic, ==, (int)m->nplastic);
  assert_memory_equal(back->flex_cellnum, m->flex_cellnum, 3 * (size_t)m->nflex * sizeof(int));
  assert_memory_equal(back->flex_interp, m->flex_interp, (size_t)m->nflex * sizeof(int));
  assert_memory_equal(back->eq_type, m->eq_type, (size_t)m->neq * sizeof(int));
  for (int f = 0; f < m->nflex; f++) {
    assert_near(back->flex_yield[2 * f], m->flex_yield[2 * f], 1e-9);
    if (m->cnd_flex_celladr[f] >= 0 && m->flex_edgeequality[f] != FLEX_STRAIN) {
      mjtNum first = m->cnd_flex_cell[m->cnd_flex_celladr[f]];
      assert_near(back->cnd_flex_cell[back->cnd_flex_celladr[f]], first, 1e-3 * mju_abs(first));
    }
  }
}

TEST(binary_models_keep_cells) {
  mjModel* m = flexes();
  int size = mj_sizeModel(m);
  char* bytes = malloc((size_t)size);
  mj_saveModel(m, NULL, bytes, size);
  mjModel* back = mj_loadModelBuffer(bytes, size);
  free(bytes);
  assert_non_null(back);
  assert_memory_equal(back->cnd_flex_cell, m->cnd_flex_cell,
                      (size_t)m->cnd_nflexcell * sizeof(mjtNum));
  mj_deleteModel(back);
}

TEST(models_with_wrong_cells_are_invalid) {
  mjModel* m = flexes();
  int linear = flex_named(m, "linear"), solid = flex_named(m, "solid");
  const struct {
    int *place, value;
  } wrong[] = {{m->flex_cellnum + 3 * linear, 1000000},
               {m->flex_cellnum + 3 * linear + 1, 0},
               {m->flex_interp + linear, 7},
               {m->flex_interp + linear, -1},
               {m->cnd_flex_celladr + linear, (int)m->cnd_nflexcell},
               {m->cnd_flex_celladr + solid, 0},
               {m->flex_plasticmode + solid, 9},
               {m->flex_plasticmode + solid, 3},
               {m->flex_plasticadr + solid, (int)m->nplastic},
               {m->cnd_flex_elemmatid, 5}};
  assert_null(model_validate(m));
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    int before = *wrong[i].place;
    *wrong[i].place = wrong[i].value;
    assert_non_null(model_validate(m));
    *wrong[i].place = before;
  }
  assert_null(model_validate(m));
}

TEST(what_later_flexes_cannot_do_is_told) {
#define FLEXCOMP(dialect, attributes, children)        \
  "<mujoco><compiler dialect='" dialect                \
  "'/>%s<worldbody><body name='b'><flexcomp name='f' " \
  "spacing='.1 .1 .1' " attributes ">" children "</flexcomp></body></worldbody></mujoco>"
#define APART "<contact selfcollide='none'/>"
  static const struct {
    const char *xml, *option, *message;
  } wrong[] = {
      {FLEXCOMP("4.0", "dim='3' count='3 3 3'", "<elasticity young='1'/>"),
       "<option integrator='implicitfast'/>", "flex elasticity is not integrated implicitly"},
      {FLEXCOMP("4.0", "dim='2' count='3 3 1'", "<contact passive='true'/>"), "",
       "passive contacts of flexes need"},
      {FLEXCOMP("4.0", "dim='3' count='3 3 3' dof='quadratic' cellcount='0 1 1'", APART), "",
       "cellcount must be at least 1"},
      {FLEXCOMP("4.0", "dim='3' count='3 3 3' dof='quadratic' cellcount='900 900 900'", APART), "",
       "too many cells"},
      {FLEXCOMP("4.0", "dim='3' count='3 3 3'", "<edge equality='strain'/>"), "",
       "equality=\"strain\" is for dim 3 and dof"},
      {FLEXCOMP("4.0", "dim='3' count='3 3 3' dof='trilinear'",
                APART "<edge equality='strain'/><elasticity young='1'/>"),
       "", "flex constraints and elasticity (young) cannot both be present"},
      {FLEXCOMP("4.0", "dim='3' count='3 3 3'", "<elasticity young='1' yield='-1'/>"), "",
       "yield cannot be negative"},
      {FLEXCOMP("4.0", "dim='3' count='3 3 3'", "<elasticity young='1' yield='1 1'/>"), "",
       "bending yield requires a non-interpolated 2d flex"},
      {FLEXCOMP("4.0", "dim='3' count='3 3 3' dof='trilinear'",
                APART "<elasticity young='1' elastic2d='bend'/>"),
       "", "thickness must be positive"},
      {FLEXCOMP("4.0", "dim='3' count='3 3 3' dof='trilinear'",
                APART "<elasticity young='1' elastic2d='stretch' thickness='.1' yield='.1'/>"),
       "", "shells of cells don't yield"},
      {FLEXCOMP("4.0", "dim='3' count='3 3 3' dof='trilinear' cellcount='2 1 1'",
                APART "<pin id='12'/>"),
       "", "there are 12 nodes"},
      {FLEXCOMP("4.0", "dim='2' count='2 2 1' material='a b c'", ""),
       "<asset><material name='a'/><material name='b'/><material name='c'/></asset>",
       "flex has 3 materials and 2 elements"},
      {FLEXCOMP("3.3", "dim='3' count='3 3 3' dof='trilinear' cellcount='2 1 1'", APART),
       "<equality><flexstrain flex='f' cell='2 0 0'/></equality>", "the flex has 2 x 1 x 1 cells"},
  };
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    char xml[2000];
    snprintf(xml, sizeof(xml), wrong[i].xml, wrong[i].option);
    test_refused(xml, wrong[i].message);
  }
}

TEST(words_leave_old_flexes_as_they_were) {
  static const char xml[] =
      "<mujoco>%s<worldbody><flexcomp name='f' dim='3' count='3 3 3' spacing='.1 .1 .1'>"
      "<elasticity young='1e4' poisson='.2'/></flexcomp></worldbody></mujoco>";
  char text[2][1000];
  snprintf(text[0], sizeof(text[0]), xml, "");
  snprintf(text[1], sizeof(text[1]), xml, "<option><behaviour flex='enable'/></option>");
  mjModel* old = test_model(text[0]);
  mjModel* later = test_model(text[1]);
  assert_that(old->flex_stiffness[0] != later->flex_stiffness[0], ==, 1);
  assert_that(cnd_behaviourMatters(old, cndBEHAVIOUR_flex), ==, 1);
  assert_that((int)old->nplastic, ==, 0);
  assert_that(old->cnd_flex_celladr[0], ==, -1);
}
