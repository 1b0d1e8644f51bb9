// What lanes compute, term by term beside the arrays of the scalar engine: the first stage that
// differs is named.

#include "lanes/beside.h"
#include "support/near.h"

static int fields_differ(const Beside* b, const mjModel* m, int lane, double tolerance) {
  const mjData* d = b->d[lane];
  const struct {
    LaneField field;
    const char* name;
    const mjtNum* want;
    int n;
  } fields[] = {
      {LANE_XPOS, "xpos", d->xpos + 3, 3 * m->nbody - 3},
      {LANE_XQUAT, "xquat", d->xquat, 4 * m->nbody},
      {LANE_XMAT, "xmat", d->xmat, 9 * m->nbody},
      {LANE_XIPOS, "xipos", d->xipos, 3 * m->nbody},
      {LANE_CDOF, "cdof", d->cdof, 6 * m->nv},
      {LANE_CINERT, "cinert", d->cinert, 10 * m->nbody},
      {LANE_CRB, "crb", d->crb, 10 * m->nbody},
      {LANE_CVEL, "cvel", d->cvel, 6 * m->nbody},
      {LANE_QM, "qM", d->qM, (int)m->nM},
      {LANE_BIAS, "qfrc_bias", d->qfrc_bias, m->nv},
      {LANE_PASSIVE, "qfrc_passive", d->qfrc_passive, m->nv},
      {LANE_FORCE, "actuator_force", d->actuator_force, m->nu},
      {LANE_ACTUATOR, "qfrc_actuator", d->qfrc_actuator, m->nv},
      {LANE_SMOOTH, "qfrc_smooth", d->qfrc_smooth, m->nv},
      {LANE_ACC_SMOOTH, "qacc_smooth", d->qacc_smooth, m->nv},
      {LANE_CONSTRAINT, "qfrc_constraint", d->qfrc_constraint, m->nv},
      {LANE_ACC, "qacc", d->qacc, m->nv},
      {LANE_LENGTH, "actuator_length", d->actuator_length, m->nu},
      {LANE_VELOCITY, "actuator_velocity", d->actuator_velocity, m->nu},
      {LANE_SENSORS, "sensordata", d->sensordata, m->nsensordata},
      {LANE_CACC, "cacc", d->cacc, 6 * m->nbody},
      {LANE_CFRC_EXT, "cfrc_ext", d->cfrc_ext, 6 * m->nbody},
      {LANE_CFRC_INT, "cfrc_int", d->cfrc_int, 6 * m->nbody},
  };
  static mjtNum got[10000];
  for (size_t k = 0; k < sizeof(fields) / sizeof(fields[0]); k++) {
    b->variant->read(b->work, lane, fields[k].field, got);
    int skipped = fields[k].field == LANE_XPOS ? 3 : 0;
    int is_solved = fields[k].field >= LANE_CONSTRAINT && fields[k].field != LANE_FORCE;
    if (fields[k].field >= LANE_CACC && coupled_bodies(m)) {
      continue;
    }
    double most = is_solved ? 1e3 * tolerance : tolerance;
    if (numbers_differ(fields[k].name, got + skipped, fields[k].want, fields[k].n, most, 1.0)) {
      return 1;
    }
  }
  return 0;
}

static int states_differ(const Beside* b, const mjModel* m, int lane, double tolerance) {
  mjtNum time, *got = memory_take(sizeof(mjtNum) * (size_t)(m->nq + 2 * m->nv + m->na));
  LaneRow row = {.time = &time, .qpos = got, .qvel = got + m->nq};
  row.act = row.qvel + m->nv;
  row.warm = row.act + m->na;
  b->variant->store(b->work, lane, &row);
  const mjData* d = b->d[lane];
  int differ = numbers_differ("time", &time, &d->time, 1, tolerance, 1.0) ||
               numbers_differ("next qpos", row.qpos, d->qpos, m->nq, 1e3 * tolerance, 1.0) ||
               numbers_differ("next qvel", row.qvel, d->qvel, m->nv, 1e3 * tolerance, 1.0) ||
               numbers_differ("next act", row.act, d->act, m->na, tolerance, 1.0);
  mju_free(got);
  return differ;
}

static void compare(const mjModel* m, int single) {
  DOUBLE_ONLY();
  double tolerance = single ? 1e-3 : 1e-12;
  const LaneVariant* variant;
  for (int varied = 0; varied < 2; varied++) {
    for (int k = 0; (variant = lanes_variant(k, single, varied)); k++) {
      Beside b = make_beside(m, variant);
      uint64_t seed = 7;
      for (int round = 0; round < 20; round++) {
        for (int l = 0; l < variant->lanes; l++) {
          lane_state(b.d[l], m, &seed, 0.2 * (round % 5), 0.5 * (round % 3));
          LaneRow row = row_of(b.d[l]);
          variant->load(b.work, l, &row);
          mj_step(m, b.d[l]);
          mj_rnePostConstraint(m, b.d[l]);
        }
        variant->step(b.work, 1);
        variant->body_forces(b.work);
        assert_int_equal(variant->failed(b.work), 0);
        for (int l = 0; l < variant->lanes; l++) {
          if (fields_differ(&b, m, l, tolerance) || states_differ(&b, m, l, tolerance)) {
            fail_msg("%s, %d lanes, %s: round %d, lane %d", variant->name, variant->lanes,
                     varied ? "varied" : "shared", round, l);
          }
        }
      }
      free_beside(&b);
    }
  }
}

TEST(single_precision) {
  compare(test_model(LANE_TREE), 1);
  compare(test_model(LANE_WALKER("", "contype='1' conaffinity='1'")), 1);
}

// Computes the forces at positions that differ in their last digits.
static void nudge(mjData* near, const mjModel* m, const mjData* d, uint64_t* noise) {
  mj_copyData(near, m, d);
  for (int i = 0; i < m->nq; i++) {
    near->qpos[i] += (mjtNum)(1e-14 * uniform_random(noise));
  }
  mj_forward(m, near);
}

// Where faces are parallel rounding decides which contacts the colliders find, so states are left
// out in which the scalar engine itself comes to something else from nearly the same positions.
static void compare_where_steady(const mjModel* m) {
  DOUBLE_ONLY();
  mjData* near = test_data(m);
  const LaneVariant* variant = lanes_variant(0, 0, 0);
  Beside b = make_beside(m, variant);
  uint64_t seed = 7, noise = 99;
  int compared = 0;
  mjtNum got[100];
  size_t where;
  for (int round = 0; round < 100; round++) {
    for (int l = 0; l < variant->lanes; l++) {
      lane_state(b.d[l], m, &seed, 0.05 * (round % 7), 0.5);
      LaneRow row = row_of(b.d[l]);
      variant->load(b.work, l, &row);
    }
    variant->step(b.work, 0);
    unsigned failed = variant->failed(b.work);
    for (int l = 0; l < variant->lanes; l++) {
      mj_forward(m, b.d[l]);
      const mjtNum* want = b.d[l]->qfrc_constraint;
      int steady = 1;
      for (int k = 0; steady && k < 16; k++) {
        nudge(near, m, b.d[l], &noise);
        steady = relative_error(&where, near->qfrc_constraint, want, m->nv, 1.0) < 1e-9;
      }
      variant->read(b.work, l, LANE_CONSTRAINT, got);
      if (steady && !(failed >> l & 1)) {
        assert_numbers(got, want, m->nv, 1e-6, 1.0);
        compared += b.d[l]->ncon > 0;
      }
    }
  }
  assert_that(compared, >, 2 * variant->lanes);
  free_beside(&b);
}

TEST(contacts_of_all_shapes) {
  compare_where_steady(test_model(LANE_SHAPES));
}

TEST(contacts_with_height_fields) {
  compare_where_steady(test_model(LANE_TERRAIN));
  // alone it has as many slots as are made
  compare_where_steady(test_model(LANE_BOX_ON_TERRAIN));
}

// The solver knows what is rounding: it doesn't use up its iterations where nothing is to be won.
TEST(single_precision_ends_by_itself) {
  mjModel* m = test_model(LANE_WALKER("", "contype='1' conaffinity='1'"));
  const LaneVariant* variant = lanes_variant(0, 1, 0);
  Beside b = make_beside(m, variant);
  mjtNum few[100], many[100];
  uint64_t seed = 13;
  for (int round = 0; round < 30; round++) {
    for (int l = 0; l < variant->lanes; l++) {
      lane_state(b.d[l], m, &seed, 0.05 * (round % 7), 0.5);
    }
    for (int iterations = 20; iterations <= 100; iterations += 80) {
      m->opt.iterations = iterations;
      for (int l = 0; l < variant->lanes; l++) {
        LaneRow row = row_of(b.d[l]);
        variant->constants(b.work, l, m);
        variant->load(b.work, l, &row);
      }
      variant->step(b.work, 0);
      variant->read(b.work, round % variant->lanes, LANE_ACC, iterations == 20 ? few : many);
    }
    assert_memory_equal(few, many, sizeof(mjtNum) * (size_t)m->nv);
  }
  free_beside(&b);
}

TEST(tree_of_all_joints) {
  compare(test_model(LANE_TREE), 0);
}

TEST(sensors) {
  mjModel* m = test_model(LANE_SENSES(""));
  compare(m, 0);
  m->opt.integrator = mjINT_RK4;
  compare(m, 0);
  compare(test_model(LANE_SENSES("cone='elliptic'")), 0);
  compare(test_model(LANE_SENSES("")), 1);
  compare(test_model(LANE_SENSES("solver='PGS' iterations='15'")), 0);
  compare(test_model(LANE_SENSES("solver='PGS' iterations='5' integrator='RK4'")), 0);
}

TEST(mocap_bodies) {
  compare(test_model(LANE_MOCAP), 0);
}

// A plane of a fixed body, whose tree may have no mass, bears what lies on it.
TEST(forces_on_what_can_not_move) {
  compare(test_model(LANE_RESTS("")), 0);
  compare(test_model(LANE_RESTS("cone='elliptic'")), 0);
  compare(test_model(LANE_RESTS("solver='PGS' iterations='15'")), 0);
  compare(test_model(LANE_RESTS("integrator='RK4'")), 0);
}

TEST(forces_of_actuators_that_are_switched_off) {
  mjModel* m = test_model(LANE_SENSES(""));
  m->opt.disableflags |= mjDSBL_ACTUATION;
  compare(m, 0);
}

TEST(ties_and_lifts) {
  mjModel* m = test_model(LANE_TIES);
  compare(m, 0);
  m->opt.integrator = mjINT_IMPLICITFAST;
  compare(m, 0);
  m->opt.integrator = mjINT_IMPLICIT;
  compare(m, 0);
}

TEST(limits_and_friction) {
  mjModel* m = test_model(LANE_WALKER("tolerance='0'", LANE_FLOOR));
  m->opt.disableflags |= mjDSBL_CONTACT;
  compare(m, 0);
}

TEST(contacts_with_a_plane) {
  compare(test_model(LANE_WALKER("tolerance='0'", LANE_FLOOR)), 0);
}

#define FLOOR_AND_SELF "conaffinity='1' contype='1'"

TEST(contacts_of_moving_bodies) {
  compare(test_model(LANE_WALKER("tolerance='0'", FLOOR_AND_SELF)), 0);
  compare(test_model(LANE_WALKER("tolerance='0'", FLOOR_AND_SELF " condim='1'")), 0);
  compare(test_model(LANE_WALKER("tolerance='0'", FLOOR_AND_SELF " condim='4'")), 0);
  compare(test_model(LANE_WALKER("tolerance='0'", FLOOR_AND_SELF " condim='6'")), 0);
}

TEST(contacts_of_bodies_that_are_tied) {
  compare(test_model(LANE_TIED_LEGS), 0);
}

TEST(elliptic_cones) {
  static const char* const dims[] = {"1", "3", "4", "6"};
  for (int k = 0; k < 4; k++) {
    char xml[6000];
    snprintf(xml, sizeof(xml), LANE_WALKER("tolerance='0' cone='elliptic' impratio='3'", "%s"),
             "conaffinity='1' contype='1' friction='.8 .1 .05' condim='");
    char* at = strstr(xml, "condim='") + strlen("condim='");
    memmove(at + 2, at, strlen(at) + 1);
    at[0] = dims[k][0];
    at[1] = '\'';
    compare(test_model(xml), 0);
  }
}

static void snake(const char* xml) {
  mjModel* m = test_model(xml);
  LaneStructure* s = structure_make(m);
  assert_that(s->nplane, >, 20);
  assert_that(s->contact[0].coupling, <, 0);
  structure_free(s);
  compare(m, 0);
}

TEST(contacts_without_jacobians) {
  snake(LANE_SNAKE("tolerance='0'", ""));
  snake(LANE_SNAKE("tolerance='0'", "condim='1'"));
  snake(LANE_SNAKE("tolerance='0'", "condim='6'"));
  snake(LANE_SNAKE("tolerance='0' cone='elliptic' impratio='3'", "condim='4'"));
  snake(LANE_SNAKE("tolerance='0' cone='elliptic'", "condim='6' friction='.8 .1 .05'"));
}

static void with_integrator(int integrator) {
  mjModel* m = test_model(LANE_TREE);
  m->opt.integrator = integrator;
  compare(m, 0);
  m = test_model(LANE_WALKER("tolerance='0'", LANE_FLOOR));
  m->opt.integrator = integrator;
  compare(m, 0);
}

TEST(runge_kutta) {
  with_integrator(mjINT_RK4);
}

TEST(implicitfast) {
  with_integrator(mjINT_IMPLICITFAST);
}

// Bodies turn fast in compare's states, and the matrix is far from symmetric.
TEST(implicit) {
  with_integrator(mjINT_IMPLICIT);
}

// An equality that moves nothing has no rows, and doesn't change how PGS begins.
TEST(equalities_of_what_can_not_move) {
  static const char xml[] =
      "<mujoco><option solver='%s' iterations='20' tolerance='0'/><worldbody>"
      "<geom type='plane' size='5 5 1'/><body name='a' pos='1 0 0'><geom name='a' "
      "size='.1'/></body>"
      "<body name='b' mocap='true' pos='1.1 0 0'><geom name='b' size='.1'/></body>"
      "<body pos='0 0 .09'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody>"
      "<equality>"
      "<connect body1='a' body2='b' anchor='.1 0 .2'/></equality></mujoco>";
  static const char* const solvers[] = {"PGS", "Newton"};
  for (int k = 0; k < 2; k++) {
    char text[2000];
    snprintf(text, sizeof(text), xml, solvers[k]);
    compare(test_model(text), 0);
  }
}

TEST(pairs_of_the_same_geoms) {
  compare(test_model("<mujoco><option tolerance='0'/><worldbody><body><freejoint/>"
                     "<geom name='a' type='capsule' size='.1 .2'/></body><body pos='.15 0 .1'>"
                     "<freejoint/><geom name='b' size='.1'/></body></worldbody><contact>"
                     "<pair geom1='a' geom2='b' solref='.05 1' friction='.2'/>"
                     "<pair geom1='a' geom2='b' solref='.01 .5' margin='.05' condim='1'/></contact>"
                     "</mujoco>"),
          0);
}
