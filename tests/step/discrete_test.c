// The discrete integrator: numbers of release 4.0.0, one metric for all that a step solves, and
// steps that stay stable where others don't.                     theory/time/integration.md,
// Discrete

#include <condyle/derivative.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/caught.h"
#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/test.h"

#define OPTION "<option integrator='discrete' timestep='0.02' gravity='0 0 -1'/>"
#define SLIDE(joint)                                                  \
  "<worldbody><body><joint name='j' type='slide' axis='0 0 1' " joint \
  "/><geom size='.1' "                                                \
  "mass='2'/></body></worldbody>"
#define ALONE(joint) "<mujoco>" OPTION SLIDE(joint) "</mujoco>"
#define DRIVEN(actuator) "<mujoco>" OPTION SLIDE("") "<actuator>" actuator "</actuator></mujoco>"

// a slide at .3 that moves with .7
static mjData* slide_data(const mjModel* m, double ctrl) {
  mjData* d = test_data(m);
  d->qpos[0] = (mjtNum)0.3;
  d->qvel[0] = (mjtNum)0.7;
  if (m->nu) {
    d->ctrl[0] = (mjtNum)ctrl;
  }
  if (m->na) {
    d->act[0] = 0;
  }
  mj_forward(m, d);
  return d;
}

static void assert_slide(const char* xml, double ctrl, double qacc) {
  mjModel* m = test_model(xml);
  mjData* d = slide_data(m, ctrl);
  assert_near((double)d->qacc[0], qacc, rounding(1e-12));
  mj_step(m, d);
  assert_near((double)d->qvel[0], 0.7 + 0.02 * qacc, rounding(1e-12));
  assert_near((double)d->qpos[0], 0.3 + 0.02 * (0.7 + 0.02 * qacc), rounding(1e-12));
}

TEST(joint_terms_are_those_of_the_newest_release) {
  assert_slide(ALONE(""), 0, -1);
  assert_slide(ALONE("stiffness='500' damping='3' springref='.1' armature='.5'"), 0,
               -40.2536231884058);
  assert_slide(ALONE("stiffness='50 30 20' damping='3 2 1' springref='.1'"), 0, -8.1452311206912);
  assert_slide(ALONE("stiffness='50 -300 20' damping='3 -20 1' springref='.1'"), 0, 3.5985);
}

TEST(servo_terms_are_those_of_the_newest_release) {
  assert_slide(DRIVEN("<position joint='j' kp='300' kv='5' gear='2'/>"), 0.8, 30.2777777777778);
  assert_slide(DRIVEN("<general joint='j' biastype='affine' gainprm='10' biasprm='0 40 6'/>"), 0.8,
               11.1);
  assert_slide(DRIVEN("<general joint='j' gaintype='affine' biastype='affine' gainprm='10 -20 -3' "
                      "biasprm='0 -40 -6'/>"),
               0.8, -7.972972972973);
  assert_slide(DRIVEN("<general joint='j' gaintype='affine' biastype='affine' gainprm='10 20 3' "
                      "biasprm='0 -40 -6'/>"),
               4, 27.1);
  assert_slide(DRIVEN("<position joint='j' kp='300' kv='5' forcerange='-10 10'/>"), 0.8, 4);
  // controls are clamped before they are multiplied with a gain
  assert_slide(DRIVEN("<general joint='j' gaintype='affine' biastype='affine' gainprm='10 -20 -3' "
                      "biasprm='0 -40 -6' ctrllimited='true' ctrlrange='-.5 .5'/>"),
               0.8, -8.27188940092166);
}

TEST(a_ball_is_stiff_about_all_axes) {
  mjModel* m = test_model(
      "<mujoco><option integrator='discrete' timestep='.02' gravity='0 0 "
      "0'/><worldbody><body><joint "
      "type='ball' stiffness='20' damping='1'/><geom type='box' size='.1 .2 .3' mass='2'/></body>"
      "</worldbody></mujoco>");
  mjData* d = test_data(m);
  const mjtNum turn[4] = {(mjtNum)0.8, (mjtNum)0.3, (mjtNum)-0.4, (mjtNum)0.2};
  const mjtNum velocity[3] = {1, 2, -3};
  const double expected[3] = {-129.0904615619, 158.0615905038, -74.3736187584};
  mju_copy(d->qpos, turn, 4);
  mju_normalize4(d->qpos);
  mju_copy(d->qvel, velocity, 3);
  mj_forward(m, d);
  assert_numbers(d->qacc, expected, 3, rounding(1e-12), 1);
}

// rows

#define LIMIT(attributes)                                                                       \
  "<mujoco>" OPTION "<worldbody><body><joint type='slide' axis='0 0 1' range='0 1' " attributes \
  "/><geom size='.1' mass='2'/></body></worldbody></mujoco>"

// R and aref of a limit that is violated by .0004, ever more at .3
static void assert_limit(const char* xml, int flags, double R, double aref) {
  mjModel* m = test_model(xml);
  mjData* d = test_data(m);
  m->opt.gravity[2] = 0;
  m->opt.disableflags |= flags;
  d->qpos[0] = (mjtNum)-0.0004;
  d->qvel[0] = (mjtNum)-0.3;
  mj_forward(m, d);
  assert_that(d->nefc, ==, 1);
  if (R > 0) {
    assert_near((double)d->efc_R[0], R, rounding(1e-10));
  }
  assert_near((double)d->efc_aref[0], aref, rounding(1e-9));
}

TEST(limits_hold_at_the_end_of_the_step) {
  DOUBLE_ONLY();
  assert_limit(LIMIT("solreflimit='.1 .5'"), 0, 0.0289567998312, 5.62954669503);
  assert_limit(LIMIT("solreflimit='.02 1'"), 0, 0.0112114872054, 11.57675924);
  assert_limit(LIMIT("solreflimit='.005 .5'"), 0, 0, 10.4020662341);
  assert_limit(LIMIT("solreflimit='.01 1'"), mjDSBL_REFSAFE, 0.00494603530351, 13.81987689);
  assert_limit(LIMIT("solreflimit='-30000 -20'"), 0, 0.00337129857565, 14.7926188439);
}

// one metric

// three links with a spring, two trees, tendons, servos, contacts, limits, friction loss
static const char kMachine[] =
    "<mujoco><option integrator='discrete' timestep='.01' tolerance='0' iterations='200' "
    "ls_iterations='100'/><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .3'><joint name='a' axis='0 1 0' damping='.3' stiffness='5'/><geom "
    "type='capsule' "
    "fromto='0 0 0 .3 0 0' size='.04'/><site name='s'/><body pos='.3 0 0'><joint name='b' "
    "axis='0 1 0' frictionloss='.2'/><geom type='capsule' fromto='0 0 0 .3 0 0' size='.05'/>"
    "<site name='t' pos='.2 0 .1'/></body></body>"
    "<body pos='0 1 .3'><joint name='c' axis='0 1 0' range='-10 10' limited='true'/><geom "
    "type='capsule' fromto='0 0 0 .3 0 0' size='.04'/><site name='u' pos='.2 0 0'/></body>"
    "<body pos='0 2 .3'><joint axis='0 1 0' range='-10 10' limited='true'/><geom size='.1' "
    "pos='.3 0 0'/></body></worldbody>"
    "<tendon><spatial name='x' stiffness='300' damping='3' springlength='.2'><site site='t'/><site "
    "site='u'/></spatial><fixed name='y'><joint joint='a' coef='1'/><joint joint='c' coef='.4'/>"
    "</fixed></tendon><actuator><position joint='b' kp='100' kv='4'/><position tendon='y' kp='50'/>"
    "</actuator></mujoco>";

static mjData* machine_data(const mjModel* m) {
  mjData* d = test_data(m);
  for (int i = 0; i < m->nv; i++) {
    d->qpos[i] = (mjtNum)(0.3 + 0.1 * i);
    d->qvel[i] = mju_cos((mjtNum)(2 * i));
  }
  for (int i = 0; i < m->nu; i++) {
    d->ctrl[i] = (mjtNum)0.2;
  }
  mj_forward(m, d);
  return d;
}

// Mhat qacc = f - h K v + J' f_c with the sums of all terms, made by hand here.
static void add_term(mjtNum* A, mjtNum* shift, const mjtNum* g, const mjtNum* v, int n, mjtNum k,
                     mjtNum b, mjtNum h) {
  mjtNum rate = mju_dot(g, v, n);
  for (int i = 0; i < n; i++) {
    shift[i] -= h * k * g[i] * rate;
    for (int j = 0; j < n; j++) {
      A[n * i + j] += (h * h * k + h * b) * g[i] * g[j];
    }
  }
}

static void assert_metric(const mjModel* m, const mjData* d, int couples) {
  mjtNum A[16], shift[4] = {0}, left[4], right[4], g[4], h = m->opt.timestep;
  mj_fullM(m, A, d->qM);
  const mjtNum first[4] = {1, 0, 0, 0}, second[4] = {0, 1, 0, 0};
  add_term(A, shift, first, d->qvel, 4, 5, (mjtNum)0.3, h);
  if (couples) {
    const mjtNum third[4] = {1, 0, (mjtNum)0.4, 0};
    add_term(A, shift, second, d->qvel, 4, 100, 4, h);
    add_term(A, shift, third, d->qvel, 4, 50, 0, h);
    mju_zero(g, 4);
    for (int i = 0; i < 4; i++) {
      g[i] = d->ten_J[i];
    }
    add_term(A, shift, g, d->qvel, 4, 300, 3, h);
  }
  mju_mulMatVec(left, A, d->qacc, 4, 4);
  for (int i = 0; i < 4; i++) {
    right[i] = d->qfrc_smooth[i] + shift[i] + d->qfrc_constraint[i];
  }
  assert_numbers(left, right, 4, rounding(1e-9), 1);
}

TEST(every_solver_ends_in_the_metric) {
  DOUBLE_ONLY();
  mjModel* m = test_model(kMachine);
  m->opt.jacobian = mjJAC_DENSE;
  for (int solver = mjSOL_PGS; solver <= mjSOL_NEWTON; solver++) {
    for (int cone = 0; cone < 2; cone++) {
      for (int islands = 0; islands < 2; islands++) {
        for (int noslip = 0; noslip < 20; noslip += 10) {
          m->opt.solver = solver;
          m->opt.cone = cone;
          m->opt.disableflags = islands ? 0 : mjDSBL_ISLAND;
          m->opt.noslip_iterations = noslip;
          mjData* d = machine_data(m);
          assert_that(d->nefc, >, 4);
          assert_metric(m, d, solver != mjSOL_PGS);
          test_release(d);
        }
      }
    }
  }
}

TEST(layouts_and_islands_have_one_solution) {
  DOUBLE_ONLY();
  mjModel* m = test_model(kMachine);
  mjData* d = machine_data(m);
  mjtNum expected[4];
  assert_that(d->nisland, ==, 2);  // what tendons and servos couple, and the last tree
  mju_copy(expected, d->qacc, 4);
  for (int solver = mjSOL_CG; solver <= mjSOL_NEWTON; solver++) {
    for (int k = 0; k < 4; k++) {
      m->opt.solver = solver;
      m->opt.jacobian = k & 1 ? mjJAC_SPARSE : mjJAC_DENSE;
      m->opt.disableflags = k & 2 ? mjDSBL_ISLAND : 0;
      mjData* other = machine_data(m);
      assert_numbers(other->qacc, expected, 4, 1e-9, 1);
      test_release(other);
    }
  }
}

TEST(the_inverse_finds_the_applied_force) {
  DOUBLE_ONLY();
  mjModel* m = test_model(kMachine);
  mjData* d = machine_data(m);
  mjtNum force[4];
  for (int i = 0; i < 4; i++) {
    d->qfrc_applied[i] = (mjtNum)(1 - 0.5 * i);
  }
  mj_forward(m, d);
  mju_add(force, d->qfrc_applied, d->qfrc_actuator, 4);
  mj_inverse(m, d);
  assert_numbers(d->qfrc_inverse, force, 4, 1e-9, 1);
  m->opt.enableflags |= mjENBL_INVDISCRETE;
  mj_inverse(m, d);
  assert_numbers(d->qfrc_inverse, force, 4, 1e-9, 1);
}

// free bodies

#define BOX "<geom type='box' size='.1 .2 .4' pos='.1 .05 0' mass='1'/>"

TEST(free_bodies_feel_their_gyroscopic_forces_unless_they_are_held) {
  DOUBLE_ONLY();
  static const double expected[6] = {2.933642551,   4.8821448447,   -1.7174249831,
                                     -7.1322478755, -12.5080845303, -12.2040685869};
  static const double smooth[6] = {2.9, 4.9, -1.8635294118, -7.2, -13.2352941176, -12};
  mjModel* m = test_model(
      "<mujoco><option integrator='discrete' timestep='.01' gravity='0 0 0'/><worldbody><body "
      "pos='0 0 1'><freejoint/>" BOX
      "<site name='s'/></body><site name='w'/></worldbody>"
      "<tendon><spatial name='t'><site site='s'/><site site='w'/></spatial></tendon></mujoco>");
  const mjtNum velocity[6] = {1, 2, 3, 5, -4, 3};
  mjData* d = test_data(m);
  mju_copy(d->qvel, velocity, 6);
  mj_forward(m, d);
  assert_numbers(d->qacc, expected, 6, 1e-10, 1);
  assert_numbers(d->qacc_smooth, smooth, 6, 1e-10, 1);
  mjtNum residual[6];
  mj_inverse(m, d);
  mju_copy(residual, d->qfrc_inverse, 6);
  assert_that(mju_norm(residual, 6), <, 1e-9);
  m->tendon_damping[0] = 2;
  mj_forward(m, d);
  assert_close(d->qacc, d->qacc_smooth, 6, 1e-12);
}

// physics

// The largest height of a mass on a spring, or of a servo, that is let go at 1.
static double largest(const mjModel* m, int steps) {
  mjData* d = test_data(m);
  double most = 0;
  d->qpos[0] = 1;
  for (int i = 0; i < steps; i++) {
    mj_step(m, d);
    most = fmax(most, fabs((double)d->qpos[0]));
  }
  double end = fabs((double)d->qpos[0]);
  assert_that(end, <, 0.1);
  test_release(d);
  return most;
}

#define STIFF(joint, rest)                                                                         \
  "<mujoco><option timestep='.02' gravity='0 0 0'/><worldbody><body><joint name='j' type='slide' " \
  "axis='0 0 1' " joint "/><geom size='.1' mass='1'/></body></worldbody>" rest "</mujoco>"

// k = 1e5 N/m at 1 kg: explicit steps must be shorter than 6 ms.
TEST(stiff_springs_and_servos_are_stable_at_ten_times_the_step) {
  static const char* const models[] = {
      STIFF("stiffness='100000' damping='20'", ""),
      STIFF("", "<actuator><position joint='j' kp='100000' kv='20'/></actuator>"),
      STIFF("",
            "<tendon><fixed stiffness='100000' damping='20' springlength='0'><joint joint='j' "
            "coef='1'/></fixed></tendon>")};
  for (size_t k = 0; k < sizeof(models) / sizeof(models[0]); k++) {
    mjModel* m = test_model(models[k]);
    m->opt.integrator = mjINT_DISCRETE;
    assert_that(largest(m, 200), <=, 1);
    m->opt.timestep = (mjtNum)0.06;
    assert_that(largest(m, 200), <=, 1);
    m->opt.integrator = mjINT_IMPLICIT;
    m->opt.timestep = (mjtNum)0.02;
    mjData* d = test_data(m);
    d->qpos[0] = 1;
    double most = 0;
    for (int i = 0; i < 10; i++) {
      mj_step(m, d);
      most = fmax(most, fabs((double)d->qpos[0]));
    }
    assert_that(most, >, 1000);
  }
}

// Energy of an undamped spring only falls, and the less the shorter the step is.
TEST(steps_never_gain_energy) {
  DOUBLE_ONLY();
  double lost[2];
  for (int k = 0; k < 2; k++) {
    mjModel* m = test_model(STIFF("stiffness='100'", ""));
    m->opt.integrator = mjINT_DISCRETE;
    m->opt.timestep = (mjtNum)(k ? 1e-4 : 2e-4);
    mjData* d = test_data(m);
    d->qpos[0] = 1;
    double before = 50, energy = 0;
    for (int i = 0; i < (k ? 2000 : 1000); i++) {
      mj_step(m, d);
      energy = 0.5 * (double)(d->qvel[0] * d->qvel[0]) + 50 * (double)(d->qpos[0] * d->qpos[0]);
      assert_that(energy, <=, before * (1 + 1e-6));
      before = energy;
    }
    lost[k] = 1 - energy / 50;
  }
  assert_near(lost[0] / lost[1], 2, 0.05);
}

// A stiff servo presses a foot on the ground: hard contacts let nothing through, at any step, and
// the foot's velocity at the end of a step is what the contact allows.
TEST(hard_contacts_are_solved_in_the_metric) {
  DOUBLE_ONLY();
  mjModel* m = test_model(
      "<mujoco><option integrator='discrete' timestep='.02'/><custom><text name='condyle.contact' "
      "data='hard'/></custom><worldbody><geom type='plane' size='5 5 .1'/><body pos='0 0 "
      ".5'><joint "
      "name='j' type='slide' axis='0 0 1' stiffness='1000' springref='.1'/><geom size='.1' "
      "mass='1' "
      "pos='0 0 0'/></body><body pos='1 0 .3'><joint name='a' axis='0 1 0'/><geom type='capsule' "
      "fromto='0 0 0 .3 0 0' size='.03'/><body pos='.3 0 0'><joint name='b' axis='0 1 0'/><geom "
      "type='capsule' fromto='0 0 0 .3 0 0' size='.03'/></body></body></worldbody>"
      "<tendon><fixed name='t' stiffness='500'><joint joint='a' coef='1'/><joint joint='b' "
      "coef='-1'/>"
      "</fixed></tendon><actuator><position joint='j' kp='50000' kv='10'/><position joint='a' "
      "kp='2000'/></actuator></mujoco>");
  mjData* d = test_data(m);
  d->ctrl[0] = (mjtNum)-0.6;
  d->ctrl[1] = (mjtNum)0.9;
  for (int i = 0; i < 200; i++) {
    mj_step(m, d);
    for (int k = 0; k < m->nv; k++) {
      assert_that(fabs((double)d->qvel[k]), <, 200);
    }
  }
  mj_forward(m, d);
  assert_that(d->ncon, >=, 2);
  assert_that(d->nefmT, ==, 1);
  assert_that(d->nefmA, ==, 2);
  for (int i = 0; i < d->ncon; i++) {
    assert_that(d->contact[i].dist, >, -1e-3);
  }
  // M qacc = forces + h (its metric): what the step ends with is what the contacts were solved for
  mjtNum after[3], speed[20];
  mju_addScl(after, d->qvel, d->qacc, m->opt.timestep, m->nv);
  mj_mulJacVec(m, d, speed, after);
  for (int i = 0; i < d->ncon; i++) {
    assert_that(speed[d->contact[i].efc_address], >, -1e-6);
  }
  mj_step(m, d);
  assert_close(d->qvel, after, 3, 1e-10);
}

// differences, data, errors

TEST(differences_are_those_of_the_step_map) {
  DOUBLE_ONLY();
  mjModel* m = test_model(kMachine);
  mjData* d = machine_data(m);
  mjtNum A[64], by_hand[8], eps = (mjtNum)1e-6;
  mjd_transitionFD(m, d, eps, 1, A, NULL, NULL, NULL);
  for (int i = 0; i < 8; i++) {
    mjtNum at[2][8];
    for (int side = 0; side < 2; side++) {
      mjData* moved = test_own_data(mj_copyData(NULL, m, d), m);
      mjtNum* x = i < 4 ? moved->qpos + i : moved->qvel + i - 4;
      *x += side ? eps : -eps;
      mj_step(m, moved);
      mju_copy(at[side], moved->qpos, 4);
      mju_copy(at[side] + 4, moved->qvel, 4);
      test_release(moved);
    }
    mju_sub(by_hand, at[1], at[0], 8);
    mju_scl(by_hand, by_hand, 1 / (2 * eps), 8);
    for (int k = 0; k < 8; k++) {
      assert_near((double)A[8 * k + i], (double)by_hand[k], 1e-5);
    }
  }
}

TEST(its_arrays_are_those_of_discrete_steps_alone) {
  mjModel* m = test_model(kMachine);
  mjData* d = machine_data(m);
  assert_that(d->efm_active, ==, 1);
  assert_that(d->nefmT, ==, 1);
  assert_that(d->nefmA, ==, 2);
  assert_near((double)d->efm_ck[0], 0.05, rounding(1e-15));
  mjData* copy = test_own_data(mj_copyData(NULL, m, d), m);
  assert_that(copy->cnd_efm_L, !=, d->cnd_efm_L);
  assert_memory_equal(copy->cnd_efm_L, d->cnd_efm_L, (size_t)d->cnd_nefmL * sizeof(mjtNum));
  mj_step(m, copy);
  mj_step(m, d);
  assert_memory_equal(copy->qvel, d->qvel, (size_t)m->nv * sizeof(mjtNum));
  m->opt.integrator = mjINT_EULER;
  mj_forward(m, d);
  assert_that(d->efm_active, ==, 0);
  assert_null(d->efm_diag);
  m->opt.solver = mjSOL_PGS;
  m->opt.integrator = mjINT_DISCRETE;
  mj_forward(m, d);
  assert_that(d->nefmT, ==, 0);
  assert_that(d->nefmA, ==, 0);
}

// Solving again from the velocity or the acceleration stage on takes no more of the arena.
TEST(stages_that_are_run_again_change_nothing) {
  mjModel* m = test_model(kMachine);
  for (int solver = mjSOL_PGS; solver <= mjSOL_NEWTON; solver++) {
    m->opt.solver = solver;
    m->opt.noslip_iterations = 3;
    mjData* d = machine_data(m);
    mjtNum before[4];
    mju_copy(d->qacc_warmstart, d->qacc, 4);
    mj_forward(m, d);
    size_t used = d->parena;
    mju_copy(before, d->qacc, 4);
    mj_forwardSkip(m, d, mjSTAGE_POS, 0);
    assert_memory_equal(d->qacc, before, sizeof(before));
    mj_forwardSkip(m, d, mjSTAGE_VEL, 0);
    assert_memory_equal(d->qacc, before, sizeof(before));
    assert_that(d->parena, ==, used);
    test_release(d);
  }
}

TEST(what_it_has_no_part_for_is_named) {
  mjModel* m = test_model(kMachine);
  mjData* d = test_data(m);
  m->opt.enableflags |= mjENBL_SLEEP;
  m->opt.disableflags |= mjDSBL_ISLAND;
  assert_error(mj_forward(m, d), "which needs islands");
  mjSpec* spec = test_spec(
      "<mujoco><option integrator='discrete'><flag sleep='enable' island='disable'/></option>"
      "</mujoco>");
  assert_null(mj_compile(spec, NULL));
  assert_non_null(strstr(mjs_getError(spec), "the integrator discrete can't be used: trees may"));
}

// numbers of the newest release

static void assert_as_recorded(const char* name, const mjtNum* x, int n, double tolerance) {
  mjtNum* expected = recorded(name, (size_t)n);
  if (numbers_differ(name, x, expected, n, tolerance, 1)) {
    free(expected);
    fail();
  }
  free(expected);
}

static mjtNum* join(const mjtNum* a, int na, const mjtNum* b, int nb, const mjtNum* c, int nc) {
  mjtNum* out = malloc(sizeof(mjtNum) * (size_t)(na + nb + nc + 1));
  mju_copy(out, a, na);
  mju_copy(out + na, b, nb);
  mju_copy(out + na + nb, c, nc);
  return out;
}

static void assert_state(const char* name, const mjModel* m, const mjData* d, double tolerance) {
  mjtNum* all = join(d->qpos, m->nq, d->qvel, m->nv, d->act, m->na);
  assert_as_recorded(name, all, m->nq + m->nv + m->na, tolerance);
  free(all);
}

// Also discrete_state in tests/reference/since/record.py.
static mjData* waving(const mjModel* m, double way, double speed) {
  mjData* d = test_data(m);
  mjtNum wave[300];
  for (int i = 0; i < m->nv; i++) {
    wave[i] = (mjtNum)way * mju_sin((mjtNum)(1 + i));
    d->qvel[i] = (mjtNum)speed * mju_cos((mjtNum)(2 * i));
  }
  mj_integratePos(m, d->qpos, wave, 1);
  for (int i = 0; i < m->nu; i++) {
    d->ctrl[i] = (mjtNum)0.3 * mju_sin((mjtNum)(3 + i));
  }
  for (int i = 0; i < m->na; i++) {
    d->act[i] = (mjtNum)0.2;
  }
  return d;
}

static void steps(const mjModel* m, mjData* d, int n) {
  for (int i = 0; i < n; i++) {
    mj_step(m, d);
  }
}

TEST(solvers_and_cones_are_those_of_the_newest_release) {
  DOUBLE_ONLY();
  char name[60];
  mjModel* m = test_model_file("tests/models/since/discrete.xml");
  m->opt.tolerance = 0;
  m->opt.iterations = 300;
  for (int solver = mjSOL_PGS; solver <= mjSOL_NEWTON; solver++) {
    for (int cone = 0; cone < 2; cone++) {
      m->opt.solver = solver;
      m->opt.cone = cone;
      mjData* d = waving(m, 0.02, 0.3);
      mj_forward(m, d);
      mjtNum* rows = join(d->efc_R, d->nefc, d->efc_aref, d->nefc, NULL, 0);
      snprintf(name, sizeof(name), "discrete_rows_%d_%d", solver, cone);
      assert_as_recorded(name, rows, 2 * d->nefc, 1e-9);
      free(rows);
      snprintf(name, sizeof(name), "discrete_smooth_%d_%d", solver, cone);
      assert_as_recorded(name, d->qacc_smooth, m->nv, 1e-9);
      if (solver != mjSOL_PGS || !cone) {
        snprintf(name, sizeof(name), "discrete_qacc_%d_%d", solver, cone);
        assert_as_recorded(name, d->qacc, m->nv, 1e-6);
      }
      if (solver == mjSOL_NEWTON) {
        steps(m, d, 20);
        snprintf(name, sizeof(name), "discrete_steps_%d", cone);
        assert_state(name, m, d, 1e-6);
      }
      test_release(d);
    }
  }
}

TEST(flexes_are_those_of_the_newest_release) {
  DOUBLE_ONLY();
  mjModel* m = test_model_file("tests/models/since/discrete_flexes.xml");
  m->opt.tolerance = 0;
  m->opt.iterations = 300;
  mjData* d = waving(m, 0.004, 0.1);
  mj_forward(m, d);
  assert_as_recorded("discrete_flexes_qacc", d->qacc, m->nv, 1e-6);
  steps(m, d, 20);
  assert_state("discrete_flexes_steps", m, d, 1e-6);
}

// A sheet of 1 kg and 1e7 Pa vibrates 30 times faster than a step of .02 s.
TEST(stiff_flexes_are_stable_at_any_step) {
  mjModel* m = test_model_file("tests/models/since/discrete_flexes.xml");
  for (int i = 0; i < 21 * (int)m->nflexelem; i++) {
    m->flex_stiffness[i] *= 1000;
  }
  m->opt.timestep = (mjtNum)0.02;
  mjData* d = waving(m, 0.004, 0.1);
  steps(m, d, 100);
  for (int i = 0; i < m->nv; i++) {
    assert_that(fabs((double)d->qvel[i]), <, 20);
  }
  assert_that(d->warning[mjWARN_BADQACC].number, ==, 0);
  m->opt.solver = mjSOL_PGS;
  assert_error(mj_forward(m, d), "which PGS and NoSlip don't know");
}

// The public blocks of a solid's stiffness are what the metric has of it: (h^2 + h damping) S.
TEST(hessians_of_flexes_are_in_the_metric) {
  mjModel* m = test_model(
      "<mujoco><compiler dialect='4.0'/><option integrator='discrete' timestep='.01'/><worldbody>"
      "<flexcomp name='f' type='grid' dim='3' count='3 2 2' spacing='.1 .1 .1' mass='1'><contact "
      "selfcollide='none'/><elasticity young='1e4' poisson='.2' damping='.01'/></flexcomp>"
      "</worldbody></mujoco>");
  mjData* d = test_data(m);
  for (int i = 0; i < m->nv; i++) {
    d->qpos[i] += .01 * sin(1 + i);
  }
  mj_forward(m, d);
  mjtNum h = m->opt.timestep, scale = h * (h + m->flex_damping[0]);
  assert_int_equal(d->nefmdof, m->nflexvert);
  assert_int_equal(d->flex_hessian_valid[0], 1);
  for (int v = 0; v < m->nflexvert; v++) {
    static const int diagonal[3] = {0, 3, 5};
    assert_int_equal(d->efm_dofid[v], 3 * v);
    for (int k = 0; k < 3; k++) {
      int last = d->efm_K_rowadr[3 * v + k] + d->efm_K_rownnz[3 * v + k] - 1;
      assert_near(d->efm_K_val[last], scale * d->flexvert_hessian[6 * v + diagonal[k]], 1e-12);
    }
  }
  // a translation of all has no force: each vertex's own block and those of its edges cancel
  for (int k = 0; k < 9; k++) {
    int r = k / 3 < k % 3 ? k / 3 : k % 3, c = k / 3 < k % 3 ? k % 3 : k / 3;
    mjtNum sum = d->flexvert_hessian[r == 0 ? c : r == 1 ? 2 + c : 5];
    for (int e = 0; e < m->nflexedge; e++) {
      const int* end = m->flex_edge + 2 * e;
      sum += end[0] == 0 ? d->flexedge_hessian[9 * e + k] : 0;
      sum += end[1] == 0 ? d->flexedge_hessian[9 * e + 3 * (k % 3) + k / 3] : 0;
    }
    assert_near(sum, 0, 1e-8);
  }
}
