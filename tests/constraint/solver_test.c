// What a solution of the constraint problem promises, whatever the solver, the layout and the
// islands.

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

// bodies of every condim on a plane and on each other, limits, friction loss, a tendon, and one
// body that touches nothing
#define PLAYGROUND                                                                             \
  "<mujoco><default><geom density='700'/></default><worldbody>"                                \
  "<geom type='plane' size='5 5 .1' friction='.7 .02 .003'/>"                                  \
  "<body pos='0 0 .09'><freejoint/><geom type='sphere' size='.1' condim='1'/></body>"          \
  "<body pos='.5 0 .09'><freejoint/><geom type='capsule' size='.1 .1' euler='0 80 0'/></body>" \
  "<body pos='.55 0 .27'><freejoint/><geom type='sphere' size='.1' condim='4'/></body>"        \
  "<body pos='1 0 .08'><freejoint/><geom type='box' size='.1 .2 .1' condim='6'/></body>"       \
  "<body pos='1 0 .27'><freejoint/><geom type='sphere' size='.1' condim='6'/></body>"          \
  "<body pos='-1 0 .5'><joint type='ball' range='0 20' frictionloss='.02'/>"                   \
  "<geom type='capsule' size='.05' fromto='0 0 0 .3 0 0'/><body pos='.3 0 0'>"                 \
  "<joint name='bend' axis='0 1 0' range='-10 5' margin='.1'/>"                                \
  "<geom type='capsule' size='.05' fromto='0 0 0 .3 0 0'/></body></body>"                      \
  "<body pos='0 -1 .5'><joint name='turn' axis='0 1 0' frictionloss='.3'/>"                    \
  "<geom type='capsule' size='.05' fromto='0 0 0 .3 0 0'/></body>"                             \
  "<body pos='0 2 3'><freejoint/><geom type='box' size='.1 .2 .3'/></body></worldbody>"        \
  "<tendon><fixed range='-.05 .05' frictionloss='.1'><joint joint='bend' coef='1'/>"           \
  "<joint joint='turn' coef='.5'/></fixed></tendon></mujoco>"

static mjtNum uniform(mjtNum size) {
  return size * (2 * (mjtNum)rand() / (mjtNum)RAND_MAX - 1);
}

// a moved, moving state
static void randomize(const mjModel* m, mjData* d) {
  mjtNum* v = malloc(m->nv * sizeof *v);
  mj_resetData(m, d);
  for (int i = 0; i < m->nv; i++) {
    v[i] = uniform((mjtNum)0.02);
    d->qvel[i] = uniform((mjtNum)0.3);
    d->qacc_warmstart[i] = uniform(5);
  }
  mj_integratePos(m, d->qpos, v, 1);
  free(v);
}

// to the minimum, as far as numbers go
static void tighten(mjModel* m) {
  m->opt.tolerance = 0;
  m->opt.ls_tolerance = (mjtNum)1e-10;
  m->opt.iterations = 200;
  m->opt.ls_iterations = 100;
}

#define EXACT (sizeof(mjtNum) == 8 ? 1e-7 : 1e-2)

// every combination of cone and layout, several states
static void on_playgrounds(void (*check)(mjModel* m, mjData* d)) {
  mjModel* m = test_model(PLAYGROUND);
  mjData* d = test_data(m);
  tighten(m);
  for (int variant = 0; variant < 4; variant++) {
    m->opt.cone = variant & 1 ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
    m->opt.jacobian = variant & 2 ? mjJAC_SPARSE : mjJAC_DENSE;
    m->opt.impratio = variant == 1 ? 3 : 1;
    for (int i = 0; i < 5; i++) {
      randomize(m, d);
      check(m, d);
    }
  }
  test_release(m);
}

// M a - tau0 = J' f(J a - aref), f the force law
static void check_optimality(mjModel* m, mjData* d) {
  mj_forward(m, d);
  assert_that(d->nefc, >, 20);
  mjtNum* force = malloc(d->nefc * sizeof *force);
  mjtNum* residual = malloc(m->nv * sizeof *residual);
  memcpy(force, d->efc_force, d->nefc * sizeof *force);
  mj_mulM(m, d, residual, d->qacc);
  for (int i = 0; i < m->nv; i++) {
    residual[i] -= d->qfrc_smooth[i];
  }
  assert_numbers(residual, d->qfrc_constraint, m->nv, EXACT, 1e-12);
  mj_invConstraint(m, d);
  assert_numbers(force, d->efc_force, d->nefc, EXACT, 1e-12);
  free(force);
  free(residual);
}

TEST(solution_obeys_the_force_law) {
  on_playgrounds(check_optimality);
}

static int sliding;  // contacts whose friction is at work

static void check_cones(mjModel* m, mjData* d) {
  mj_forward(m, d);
  for (int i = 0; i < d->ncon; i++) {
    mjtNum f[6];
    mj_contactForce(m, d, i, f);
    double square = 0, sum = 0;
    for (int j = 1; j < d->contact[i].dim; j++) {
      double share = fabs((double)(f[j] / d->contact[i].friction[j - 1]));
      square += share * share;
      sum += share;
    }
    assert_that(f[0], >=, 0);
    sliding += sum > 0;
    assert_that((m->opt.cone == mjCONE_ELLIPTIC ? sqrt(square) : sum), <=,
                (double)f[0] * (1 + 1e-5));
  }
}

TEST(contact_forces_lie_in_their_cones) {
  sliding = 0;
  on_playgrounds(check_cones);
  assert_that(sliding, >, 100);
}

static void check_inverse(mjModel* m, mjData* d) {
  for (int i = 0; i < m->nv; i++) {
    d->qfrc_applied[i] = uniform(1);
  }
  mj_forward(m, d);
  mj_inverse(m, d);
  assert_numbers(d->qfrc_inverse, d->qfrc_applied, m->nv, 10 * EXACT, 1e-12);
}

TEST(inverse_of_forward_is_what_was_applied) {
  on_playgrounds(check_inverse);
}

static void check_other_ways(mjModel* m, mjData* d) {
  mjData* other = mj_copyData(NULL, m, d);
  mj_forward(m, d);
  assert_that(d->nisland, >, 1);

  m->opt.disableflags |= mjDSBL_ISLAND;
  mj_forward(m, other);
  assert_numbers(other->qacc, d->qacc, m->nv, EXACT, 1e-12);
  m->opt.disableflags &= ~mjDSBL_ISLAND;

  int layout = m->opt.jacobian;
  m->opt.jacobian = layout == mjJAC_SPARSE ? mjJAC_DENSE : mjJAC_SPARSE;
  mj_forward(m, other);
  assert_numbers(other->qacc, d->qacc, m->nv, EXACT, 1e-12);
  m->opt.jacobian = layout;

  m->opt.disableflags |= mjDSBL_WARMSTART;
  mj_forward(m, other);
  assert_numbers(other->qacc, d->qacc, m->nv, EXACT, 1e-12);
  m->opt.disableflags &= ~mjDSBL_WARMSTART;

  // the minimum is unique: each solver reaches it when it may go on until rounding stops it. A cost
  // tells its place to the root of rounding, and so far conjugate gradients and cones see it; PGS
  // on pyramids ends in the last digits.
  m->opt.iterations = 10000;
  m->opt.solver = mjSOL_CG;
  mj_forward(m, other);
  assert_numbers(other->qacc, d->qacc, m->nv, 5 * EXACT, 1e-12);
  assert_numbers(other->efc_force, d->efc_force, d->nefc, 5 * EXACT, 1e-12);
  m->opt.solver = mjSOL_PGS;
  mj_forward(m, other);
  assert_int_equal(other->nefc, d->nefc);
  assert_numbers(other->qacc, d->qacc, m->nv, EXACT, 1e-12);
  assert_numbers(other->efc_force, d->efc_force, d->nefc, EXACT, 1e-12);
  m->opt.solver = mjSOL_NEWTON;
  m->opt.iterations = 200;
  mj_deleteData(other);
}

TEST(all_ways_lead_to_one_solution) {
  on_playgrounds(check_other_ways);
}

static void check_repetition(mjModel* m, mjData* d) {
  mjData* other = mj_copyData(NULL, m, d);
  for (int i = 0; i < 20; i++) {
    mj_step(m, d);
    mj_step(m, other);
  }
  assert_memory_equal(d->qpos, other->qpos, m->nq * sizeof(mjtNum));
  assert_memory_equal(d->qvel, other->qvel, m->nv * sizeof(mjtNum));
  mj_deleteData(other);
}

TEST(same_state_gives_same_bits) {
  on_playgrounds(check_repetition);
}

TEST(free_body_is_left_alone) {
  mjModel* m = test_model(PLAYGROUND);
  mjData* d = test_data(m);
  mj_forward(m, d);
  for (int i = m->nv - 6; i < m->nv; i++) {
    assert_int_equal(d->dof_island[i], -1);
    assert_that(d->qacc[i], ==, d->qacc_smooth[i]);
    assert_that(d->qfrc_constraint[i], ==, 0);
  }
}

// f = max(0, (aref - J a0) / (A + R)) for a limit; clamped to the loss for dry friction
TEST(single_rows_have_their_closed_form) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><joint axis='0 1 0' range='-1 0' frictionloss='.05'/>"
      "<geom size='.1' pos='.2 0 0'/></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  tighten(m);
  for (int i = 0; i < 50; i++) {
    m->opt.disableflags = i & 1 ? mjDSBL_FRICTIONLOSS : mjDSBL_LIMIT;
    d->qpos[0] = (mjtNum)0.001;
    d->qvel[0] = uniform(1);
    d->qfrc_applied[0] = uniform(3);
    mj_forward(m, d);
    assert_int_equal(d->nefc, 1);
    mjtNum J = d->efc_J[0], A = J * J / d->qM[0];
    mjtNum f = (d->efc_aref[0] - J * d->qacc_smooth[0]) / (A + d->efc_R[0]);
    if (i & 1) {
      f = f > 0 ? f : 0;
    } else {
      f = f > m->dof_frictionloss[0] ? m->dof_frictionloss[0] : f;
      f = f < -m->dof_frictionloss[0] ? -m->dof_frictionloss[0] : f;
    }
    assert_that(fabs((double)(d->efc_force[0] - f)), <=, EXACT * (1 + fabs((double)f)));
  }
}

// a sphere on a slide: rest depth = g (1-d) timeconst^2 dampratio^2
TEST(resting_depth_follows_from_the_spring) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='plane' size='1 1 .1' solimp='.9 .9 .01'/>"
      "<body pos='0 0 .1'><joint type='slide' axis='0 0 1'/>"
      "<geom size='.1' solimp='.9 .9 .01'/></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  for (int i = 0; i < 2000; i++) {
    mj_step(m, d);
  }
  double depth = 9.81 * 0.1 * 0.02 * 0.02;
  assert_int_equal(d->ncon, 1);
  assert_that(fabs(-(double)d->contact[0].dist - depth), <, (sizeof(mjtNum) == 8 ? 1e-8 : 1e-5));
}

TEST(full_arena_drops_constraints_with_a_warning) {
  mjModel* m = test_model(PLAYGROUND);
  mjData* d = test_data(m);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_tendon(m, d);
  mj_makeM(m, d);
  mj_factorM(m, d);
  mj_collision(m, d);

  // leave room for the temporaries, but not for the rows
  mj_markStack(d);
  mj_stackAllocByte(d, (size_t)d->narena - d->parena - d->pstack - 8192, 8);
  mj_makeConstraint(m, d);
  mj_freeStack(d);
  assert_that(d->ncon, >, 0);
  assert_int_equal(d->nefc, 0);
  assert_null(d->efc_J);
  assert_int_equal(d->warning[mjWARN_CNSTRFULL].number, 1);
  for (int i = 0; i < d->ncon; i++) {
    assert_int_equal(d->contact[i].efc_address, -1);
  }
}

// One tree of 27 dofs: legs with limits and dry friction, feet of every condim on a plane.
#define LEG(angle, condim)                                                                  \
  "<body euler='0 0 " angle                                                                 \
  "' pos='0 0 .2'><joint axis='0 0 1' range='-1 1'/>"                                       \
  "<geom type='capsule' size='.02' fromto='.1 0 0 .25 0 .05' contype='0' conaffinity='0'/>" \
  "<body pos='.25 0 .05'><joint axis='0 1 0' range='-4 .5' frictionloss='.2'/>"             \
  "<joint axis='1 0 0' range='-30 30'/>"                                                    \
  "<geom type='capsule' size='.02' fromto='0 0 0 .1 0 -.2' contype='0' conaffinity='0'/>"   \
  "<geom size='.055' pos='.1 0 -.2' condim='" condim "'/></body></body>"
#define CRAWLER                                                                                \
  "<mujoco><default><geom density='700'/></default><worldbody>"                                \
  "<geom type='plane' size='5 5 .1' friction='.7 .02 .003'/>"                                  \
  "<body><freejoint/><geom size='.1' pos='0 0 .2' contype='0' conaffinity='0'/>" LEG("0", "3") \
      LEG("60", "1") LEG("120", "4") LEG("180", "3") LEG("240", "6") LEG("300", "3")           \
          LEG("330", "3") "</body></worldbody></mujoco>"

static int by_rows;  // problems with at most as many rows as dofs

static void check_crawler(mjModel* m, mjData* d) {
  mj_forward(m, d);
  by_rows += d->nefc > 6 && d->nefc <= m->nv;
  mjData* other = mj_copyData(NULL, m, d);
  m->opt.iterations = 10000;
  m->opt.solver = mjSOL_CG;
  mj_forward(m, other);
  m->opt.iterations = 200;
  m->opt.solver = mjSOL_NEWTON;
  assert_numbers(d->qacc, other->qacc, m->nv, 5 * EXACT, 1e-12);
  assert_numbers(d->efc_force, other->efc_force, d->nefc, 5 * EXACT, 1e-12);
  mj_deleteData(other);
  check_inverse(m, d);
}

TEST(rows_and_dofs_have_one_minimum) {
  mjModel* m = test_model(CRAWLER);
  mjData* d = test_data(m);
  tighten(m);
  by_rows = 0;
  for (int i = 0; i < 40; i++) {
    m->opt.cone = i & 1 ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
    m->opt.jacobian = i & 2 ? mjJAC_SPARSE : mjJAC_DENSE;
    m->opt.disableflags = (i & 4 ? mjDSBL_ISLAND : 0) | (i & 8 ? mjDSBL_WARMSTART : 0);
    randomize(m, d);
    check_crawler(m, d);
  }
  assert_in_range(by_rows, 10, 39);
}

// The matrix of forces that PGS and noslip need is made in the stage of positions, where they are
// chosen by then.
TEST(a_solver_of_forces_may_be_chosen_between_the_halves_of_a_step) {
  static const int solvers[2] = {mjSOL_PGS, mjSOL_NEWTON}, noslip[2] = {0, 3};
  for (int way = 0; way < 2; way++) {
    mjModel* m = test_model(PLAYGROUND);
    mjData *d = test_data(m), *before = mj_makeData(m);
    randomize(m, d);
    mj_copyData(before, m, d);

    m->opt.solver = mjSOL_NEWTON;
    mj_step1(m, d);
    m->opt.solver = solvers[way];
    m->opt.noslip_iterations = noslip[way];
    assert_that(d->nefc, >, 0);
    mj_step2(m, d);

    mj_step1(m, before);
    mj_step2(m, before);
    assert_memory_equal(d->qvel, before->qvel, m->nv * sizeof(mjtNum));
    mj_deleteData(before);
  }
}
