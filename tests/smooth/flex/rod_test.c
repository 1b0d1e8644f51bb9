// Flexes of dim 1 that bend and twist: numbers of release 4.0.0, balance of forces, twisting and
// rolling by theory, and what is refused.

#include <mujoco/api/mjcf.h>
#include <mujoco/mujoco.h>
#include <string.h>

#include "model/flex/rod.h"
#include "model/model.h"
#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/test.h"

static mjModel* rods(void) {
  return test_model_file("tests/models/since/rods.xml");
}

// The state that tests/reference/since/record.py starts from.
static mjData* in_motion(const mjModel* m) {
  mjData* d = test_data(m);
  mjtNum* move = malloc((size_t)m->nv * sizeof(mjtNum));
  for (int i = 0; i < m->nv; i++) {
    move[i] = (mjtNum)0.01 * mju_sin((mjtNum)(1 + i));
    d->qvel[i] = (mjtNum)0.5 * mju_cos((mjtNum)(2 * i));
  }
  mj_integratePos(m, d->qpos, move, 1);
  free(move);
  return d;
}

TEST(bends_are_compiled_as_recorded) {
  DOUBLE_ONLY();
  mjModel* m = rods();
  mjtNum all[1000];
  size_t n = 0;
  for (int f = 0; f < m->nflex; f++) {
    const mjtNum* at = m->flex_bending + m->flex_bendingadr[f];
    size_t numbers = 1 + ROD_RECORD * (size_t)at[0];
    memcpy(all + n, at, numbers * sizeof(mjtNum));
    n += numbers;
  }
  assert_recorded_near("rods_records", all, n, 1e-12);
}

TEST(rods_bend_twist_and_drag_as_recorded) {
  DOUBLE_ONLY();
  mjModel* m = rods();
  mjData* d = in_motion(m);
  mj_forward(m, d);
  assert_recorded_near("rods_spring", d->qfrc_spring, (size_t)m->nv, 1e-11);
  assert_recorded_near("rods_damper", d->qfrc_damper, (size_t)m->nv, 1e-11);
}

TEST(rods_move_as_recorded) {
  DOUBLE_ONLY();
  mjModel* m = rods();
  mjData* d = in_motion(m);
  for (int i = 0; i < 20; i++) {
    mj_step(m, d);
  }
  size_t n = (size_t)(m->nq + m->nv) + (size_t)m->nplastic;
  mjtNum* state = malloc(n * sizeof(mjtNum));
  mju_copy(state, d->qpos, m->nq);
  mju_copy(state + m->nq, d->qvel, m->nv);
  mju_copy(state + m->nq + m->nv, d->plastic, (int)m->nplastic);
  assert_recorded_near("rods_steps", state, n, 1e-8);
  free(state);
}

TEST(rods_rest_in_their_shape) {
  mjModel* m = rods();
  mjData* d = test_data(m);
  mj_forward(m, d);
  for (int i = 0; i < m->nv; i++) {
    assert_near(d->qfrc_spring[i], 0, sizeof(mjtNum) == 8 ? 1e-12 : 1e-3);
  }
}

// Sums of forces on vertices, and of their torques and those of hinges, about the origin.
static void balance(mjtNum force[3], mjtNum torque[3], const mjModel* m, const mjData* d, int flex,
                    const mjtNum* qfrc) {
  Rod rod;
  mju_zero3(force);
  mju_zero3(torque);
  for (int v = m->flex_vertadr[flex]; v < m->flex_vertadr[flex] + m->flex_vertnum[flex]; v++) {
    const mjtNum* f = qfrc + m->body_dofadr[m->flex_vertbodyid[v]];
    mjtNum turn[3];
    mju_addTo3(force, f);
    mju_cross(turn, d->flexvert_xpos + 3 * v, f);
    mju_addTo3(torque, turn);
  }
  assert_that(rod_of(&rod, m, flex), ==, 1);
  for (int e = 0; rod.twists && e < rod.nedge; e++) {
    int vert[2];
    mjtNum t[3];
    rod_edge(vert, &rod, e);
    const mjtNum* x = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
    mju_sub3(t, x + 3 * vert[1], x + 3 * vert[0]);
    mju_normalize3(t);
    mju_addToScl3(torque, t, qfrc[m->jnt_dofadr[rod_joint(&rod, e)]]);
  }
}

TEST(forces_of_a_free_rod_are_in_balance) {
  mjModel* m = rods();
  mjData* d = in_motion(m);
  for (int i = 0; i < 3; i++) {
    mj_step(m, d);  // frames have a past
  }
  mj_forward(m, d);
  const char* const free_rods[] = {"arc", "ring", "lying"};
  for (int i = 0; i < 3; i++) {
    mjtNum force[3], torque[3];
    int flex = mj_name2id(m, mjOBJ_FLEX, free_rods[i]);
    for (int k = 0; k < 2; k++) {
      balance(force, torque, m, d, flex, k ? d->qfrc_damper : d->qfrc_spring);
      for (int j = 0; j < 3; j++) {
        assert_near(force[j], 0, sizeof(mjtNum) == 8 ? 1e-11 : 1e-2);
        // frames that lag behind their edges carry no torque of springs to the second order
        assert_near(torque[j], 0, k && sizeof(mjtNum) == 8 ? 1e-11 : 2e-3);
      }
    }
  }
}

static mjModel* straight(int n, const char* option, const char* words, const char* inside) {
  char xml[2000];
  snprintf(xml, sizeof(xml),
           "<mujoco><compiler dialect='4.0'/><option %s/><worldbody><flexcomp name='r' dim='1' "
           "type='grid' count='%d 1 1' spacing='%.17g 1 1' radius='.01' mass='1'>"
           "<contact selfcollide='none'/>"
           "<elasticity young='1e6' %s/>%s</flexcomp>"
           "<geom type='plane' size='9 9 1' pos='0 0 -.0101'/>"
           "</worldbody></mujoco>",
           option, n, 1.0 / (n - 1), words, inside);
  return test_model(xml);
}

// G J phi / L: both ends of a straight rod turned by phi against each other
TEST(a_twisted_rod_pulls_back_as_in_theory) {
  mjModel* m = straight(11, "", "shear='3e5'", "");
  mjData* d = test_data(m);
  mjtNum phi = 5, length = 1, J = mjPI * mju_pow((mjtNum)0.01, 4) / 2;
  int first = mj_name2id(m, mjOBJ_JOINT, "r_twist_0"), last = mj_name2id(m, mjOBJ_JOINT, "r_twist");
  assert_that(last - first, ==, 9);
  for (int i = 0; i < 10; i++) {
    d->qpos[m->jnt_qposadr[first + i]] = phi * i / 9;
  }
  mj_forward(m, d);
  // the outer half edges don't twist
  mjtNum torque = (mjtNum)3e5 * J * phi / (length * (mjtNum)0.9);
  assert_near(d->qfrc_spring[m->jnt_dofadr[first]], torque, 1e-4 * torque);
  assert_near(d->qfrc_spring[m->jnt_dofadr[last]], -torque, 1e-4 * torque);
  for (int i = 1; i < 9; i++) {
    assert_near(d->qfrc_spring[m->jnt_dofadr[first + i]], 0, 1e-4 * torque);
  }
}

// E I w'' = F (L - s): a clamped rod in the shape of a beam with a load F at its end carries just
// that load, since the shape is a cubic, whose second differences are exact.
TEST(a_rod_in_the_shape_of_a_beam_carries_its_load) {
  DOUBLE_ONLY();
  enum {
    N = 11
  };
  mjModel* m = straight(N, "", "", "<pin id='0 1'/>");
  mjData* d = test_data(m);
  mjtNum l = 1.0 / (N - 1), L = (N - 2) * l, F = 1e-6, EI = 1e6 * mjPI * mju_pow(0.01, 4) / 4;
  for (int i = 2; i < N; i++) {
    mjtNum s = (i - 1) * l;
    int body = m->flex_vertbodyid[i];
    d->qpos[m->jnt_qposadr[m->body_jntadr[body]] + 2] = F * s * s * (3 * L - s) / (6 * EI);
  }
  mj_forward(m, d);
  for (int i = 3; i < N; i++) {
    int dof = m->body_dofadr[m->flex_vertbodyid[i]];
    assert_near(d->qfrc_spring[dof + 2], i == N - 1 ? -F : 0, 1e-4 * F);
  }
}

// A cylinder that slides begins to roll: its points of mass m keep 2/3 of their velocity, since the
// hinges have the inertia m r^2 / 2.
TEST(a_rod_that_slides_begins_to_roll) {
  mjModel* m = straight(5, "timestep='.001' cone='elliptic' impratio='10'", "damping='.01'",
                        "<edge equality='true'/>");
  mjData* d = test_data(m);
  for (int i = 0; i < m->flex_vertnum[0]; i++) {
    d->qvel[m->body_dofadr[m->flex_vertbodyid[i]] + 1] = (mjtNum)0.1;
  }
  for (int i = 0; i < 400; i++) {
    mj_step(m, d);
  }
  int hinge = m->jnt_dofadr[mj_name2id(m, mjOBJ_JOINT, "r_twist_1")];
  mjtNum speed = d->qvel[m->body_dofadr[m->flex_vertbodyid[2]] + 1];
  assert_near(-d->qvel[hinge] * (mjtNum)0.01, speed, 0.1 * speed);
  assert_that(speed, <, (mjtNum)0.08);
  assert_that(speed, >, (mjtNum)0.05);
}

TEST(frames_are_state) {
  mjModel* m = rods();
  mjData *a = in_motion(m), *b = test_data(m);
  for (int i = 0; i < 10; i++) {
    mj_step(m, a);
  }
  int size = mj_stateSize(m, mjSTATE_INTEGRATION | 1 << 14);
  mjtNum* state = malloc((size_t)size * sizeof(mjtNum));
  mj_getState(m, a, state, mjSTATE_INTEGRATION | 1 << 14);
  mj_setState(m, b, state, mjSTATE_INTEGRATION | 1 << 14);
  free(state);
  for (int i = 0; i < 5; i++) {
    mj_step(m, a);
    mj_step(m, b);
  }
  assert_memory_equal(a->qpos, b->qpos, (size_t)m->nq * sizeof(mjtNum));
  assert_memory_equal(a->plastic, b->plastic, (size_t)m->nplastic * sizeof(mjtNum));
}

TEST(saved_rods_are_the_same_again) {
  enum {
    ROOM = 1 << 20
  };
  char error[500] = "", *text = malloc(ROOM);
  mjSpec* spec = test_own_spec(
      mj_parseXML(CONDYLE_SOURCE_DIR "/tests/models/since/rods.xml", NULL, error, sizeof(error)));
  mjModel* m = test_compile(spec);
  assert_that(mj_saveXMLString(spec, text, ROOM, error, sizeof(error)), ==, 0);
  mjModel* back = test_model(text);
  free(text);
  assert_that((int)back->nplastic, ==, (int)m->nplastic);
  assert_that(back->nflexedge, ==, m->nflexedge);
  for (int i = 0; i < ROD_EDGE * m->nflexedge; i++) {
    assert_near(back->flex_bending[i], m->flex_bending[i],
                1e-4 * (1 + mju_abs(m->flex_bending[i])));
  }
}

TEST(models_with_wrong_rods_are_invalid) {
  mjModel* m = rods();
  int arc = mj_name2id(m, mjOBJ_FLEX, "arc"), ring = mj_name2id(m, mjOBJ_FLEX, "ring");
  mjtNum* twisting = m->flex_bending + ROD_EDGE * m->flex_edgeadr[arc];
  mjtNum* plain = m->flex_bending + ROD_EDGE * m->flex_edgeadr[ring];
  const struct {
    mjtNum *place, value;
  } wrong[] = {{twisting, -1},        {twisting, 2},      {twisting, 1e9},   {twisting + 1, 5},
               {twisting + 2, -1},    {twisting + 3, 4},  {twisting + 4, 2}, {twisting + 8, 1e9},
               {twisting + 8, 0.5},   {twisting + 8, -1}, {twisting + 8, 0}, {plain, 99},
               {plain + 1, mjMAXVAL}, {plain + 4, 8},     {plain + 2, 0.5},  {twisting, 0}};
  assert_null(model_validate(m));
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    mjtNum before = *wrong[i].place;
    *wrong[i].place = wrong[i].value;
    if (!model_validate(m)) {
      fail_msg("case %zu is valid", i);
    }
    *wrong[i].place = before;
  }
  assert_null(model_validate(m));
}

TEST(what_rods_cannot_do_is_told) {
#define ROD(attributes, words, children)                                                       \
  "<mujoco><compiler dialect='4.0'/>%s<worldbody><flexcomp name='r' dim='1' spacing='.1 .1 "   \
  ".1' " attributes "><contact selfcollide='none'/><elasticity young='1' " words "/>" children \
  "</flexcomp></worldbody></mujoco>"
#define FOUR "type='grid' count='4 1 1' "
  static const struct {
    const char *xml, *option, *message;
  } wrong[] = {
      {ROD(FOUR, "", ""), "<option integrator='implicit'/>", "flex elasticity is not integrated"},
      {ROD(FOUR "radius='0'", "", ""), "", "needs a positive radius"},
      {ROD(FOUR, "section='box'", ""), "", "a box section needs a positive sectionsize"},
      {ROD(FOUR, "section='box' sectionsize='.01 -1'", ""), "", "positive sectionsize"},
      {ROD(FOUR "radius='.02'", "section='box' sectionsize='.01 .02'", ""), "",
       "minor half-size, 0.01"},
      {ROD(FOUR, "shear='-1'", ""), "", "shear must not be negative"},
      {ROD(FOUR, "yield='1'", ""), "", "flex plasticity requires"},
      {ROD("type='circle' count='8 1 1'", "section='box' sectionsize='.01 .02'", ""), "",
       "one open chain"},
      {ROD("type='direct' point='0 0 0 1 0 0 0 0 0' element='0 1 1 2'", "", ""), "", "at vertex 1"},
      {ROD("type='direct' point='0 0 0 1 0 0 1 0 0 2 0 0' element='0 1 1 2 2 3'", "", ""), "",
       "at vertex 1"},
      {"<mujoco><compiler dialect='4.0'/>%s<worldbody><body name='a'><joint type='slide'/><geom "
       "size='1'/></body><body name='b' pos='1 0 0'><joint name='f_twist_0'/><geom "
       "size='1'/></body>"
       "<body name='c' pos='2 0 0'><geom size='1'/></body></worldbody><deformable><flex name='f' "
       "dim='1' body='a b c' element='0 1 1 2'><elasticity "
       "young='1'/></flex></deformable></mujoco>",
       "", "needs the hinge 'f_twist'"},
  };
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    char xml[2000];
    snprintf(xml, sizeof(xml), wrong[i].xml, wrong[i].option);
    test_refused(xml, wrong[i].message);
  }
}

TEST(cables_of_old_models_ignore_their_modulus) {
  mjModel* m = test_model(
      "<mujoco><worldbody><flexcomp name='r' dim='1' type='grid' count='4 1 1' spacing='.1 .1 .1'>"
      "<elasticity young='1e6'/></flexcomp></worldbody></mujoco>");
  assert_that(m->nbody, ==, 5);
  assert_that((int)m->nplastic, ==, 0);
  assert_that(m->flex_bending[0] != 0, ==, 0);
}
