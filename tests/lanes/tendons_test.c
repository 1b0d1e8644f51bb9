// Tendons in space, muscles and actuators of all transmissions: lanes beside mj_step over many
// steps.

#include <condyle/behaviour.h>

#include "lanes/beside.h"
#include "lanes/muscle_models.h"
#include "support/near.h"

enum {
  STEPS = 25,
  ROUNDS = 8
};

// The first array of a lane that differs from the scalar engine's, in the step just made.
static int stages_differ(const Beside* b, const mjModel* m, int lane, double tolerance) {
  const mjData* d = b->d[lane];
  static mjtNum got[10000];
  const struct {
    LaneField field;
    const char* name;
    const mjtNum* want;
    int n;
  } fields[] = {
      {LANE_QM, "qM", d->qM, (int)m->nM},
      {LANE_BIAS, "qfrc_bias", d->qfrc_bias, m->nv},
      {LANE_PASSIVE, "qfrc_passive", d->qfrc_passive, m->nv},
      {LANE_LENGTH, "actuator_length", d->actuator_length, m->nu},
      {LANE_VELOCITY, "actuator_velocity", d->actuator_velocity, m->nu},
      {LANE_FORCE, "actuator_force", d->actuator_force, m->nu},
      {LANE_ACTUATOR, "qfrc_actuator", d->qfrc_actuator, m->nv},
      {LANE_SENSORS, "sensordata", d->sensordata, m->nsensordata},
      {LANE_CONSTRAINT, "qfrc_constraint", d->qfrc_constraint, m->nv},
      {LANE_ACC, "qacc", d->qacc, m->nv},
  };
  for (size_t k = 0; k < sizeof(fields) / sizeof(fields[0]); k++) {
    b->variant->read(b->work, lane, fields[k].field, got);
    if (numbers_differ(fields[k].name, got, fields[k].want, fields[k].n, tolerance, 1.0)) {
      return 1;
    }
  }
  return 0;
}

static int states_differ(const Beside* b, const mjModel* m, int lane, double tolerance) {
  mjtNum time, got[300];
  LaneRow row = {.time = &time, .qpos = got, .qvel = got + m->nq};
  row.act = row.qvel + m->nv;
  row.warm = row.act + m->na;
  b->variant->store(b->work, lane, &row);
  const mjData* d = b->d[lane];
  return numbers_differ("next qpos", row.qpos, d->qpos, m->nq, tolerance, 1.0) ||
         numbers_differ("next qvel", row.qvel, d->qvel, m->nv, tolerance, 1.0) ||
         numbers_differ("next act", row.act, d->act, m->na, tolerance, 1.0);
}

// Of steps in lanes and one by one. Where rounding hides what the solver of lanes could gain, which
// is rare, a lane leaves the step to the scalar engine, and goes on from there.
static void compare(const mjModel* m, int single) {
  DOUBLE_ONLY();
  double tolerance = single ? 5e-3 : 1e-9;
  const LaneVariant* variant;
  for (int varied = 0; varied < 2; varied++) {
    for (int k = 0; (variant = lanes_variant(k, single, varied)); k++) {
      Beside b = make_beside(m, variant);
      uint64_t seed = 11;
      int steps = 0, left = 0;
      for (int round = 0; round < ROUNDS; round++) {
        for (int l = 0; l < variant->lanes; l++) {
          lane_state(b.d[l], m, &seed, 0.1 * (round % 4), 0.3 * (round % 3));
          LaneRow row = row_of(b.d[l]);
          variant->load(b.work, l, &row);
        }
        for (int step = 0; step < (single ? 1 : STEPS); step++) {
          variant->step(b.work, 1);
          unsigned unsolved = variant->unsolved(b.work), failed = variant->failed(b.work);
          for (int l = 0; l < variant->lanes; l++) {
            mj_step(m, b.d[l]);
            steps++;
            if (unsolved >> l & 1) {
              LaneRow row = row_of(b.d[l]);
              variant->load(b.work, l, &row);
              left++;
              continue;
            }
            if (failed >> l & 1 || stages_differ(&b, m, l, tolerance) ||
                states_differ(&b, m, l, tolerance)) {
              fail_msg("%s, %d lanes: round %d, step %d, lane %d%s", variant->name, variant->lanes,
                       round, step, l, failed >> l & 1 ? " is left" : "");
            }
          }
        }
      }
      assert_that(500 * left, <=, steps);
      free_beside(&b);
    }
  }
}

// The states that are compared are such that strings touch each geom, and pass it.
TEST(strings_of_the_arm_touch_all_geoms) {
  static const char* const geoms[] = {"shoulder", "elbow", "ring", "bead"};
  mjModel* m = test_model(LANE_ARM(""));
  mjData* d = test_data(m);
  uint64_t seed = 11;
  int touched[4] = {0}, n = 60;
  for (int k = 0; k < n; k++) {
    lane_state(d, m, &seed, 0.1 * (k % 4), 0.3);
    mj_fwdPosition(m, d);
    for (int g = 0; g < 4; g++) {
      int id = mj_name2id(m, mjOBJ_GEOM, geoms[g]), found = 0;
      for (int i = 0; i < 2 * m->nwrap; i++) {
        found |= i < d->ten_wrapadr[m->ntendon - 2] && d->wrap_obj[i] == id;
      }
      touched[g] += found;
    }
  }
  for (int g = 0; g < 4; g++) {
    print_message("%s: %d of %d\n", geoms[g], touched[g], n);
    assert_that(touched[g], >, 3);
  }
}

TEST(arm) {
  compare(test_model(LANE_ARM("")), 0);
}

TEST(arm_with_other_integrators) {
  compare(test_model(LANE_ARM("integrator='implicitfast'")), 0);
  compare(test_model(LANE_ARM("integrator='implicit'")), 0);
  compare(test_model(LANE_ARM("integrator='RK4' timestep='.001'")), 0);
}

// The rules of later releases.
TEST(arm_with_behaviours) {
  static const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  for (int k = 0; k < 3; k++) {
    mjModel* m = test_model(LANE_ARM(""));
    m->opt.integrator = integrators[k];
    m->opt.behaviour = 1 << cndBEHAVIOUR_sidesite | 1 << cndBEHAVIOUR_siteturn |
                       1 << cndBEHAVIOUR_tendonload | 1 << cndBEHAVIOUR_actclamp |
                       1 << cndBEHAVIOUR_actearly;
    compare(m, 0);
  }
}

TEST(arm_by_sweeps) {
  compare(test_model(LANE_ARM("solver='PGS' iterations='30'")), 0);
}

TEST(arm_in_single_precision) {
  compare(test_model(LANE_ARM("")), 1);
}

TEST(climber) {
  compare(test_model(LANE_CLIMBER("")), 0);
  mjModel* m = test_model(LANE_CLIMBER("cone='elliptic' integrator='implicitfast'"));
  compare(m, 0);
  m->opt.behaviour = 1 << cndBEHAVIOUR_actclamp;
  compare(m, 0);
  m->opt.disableflags |= mjDSBL_CONTACT;
  compare(m, 0);
}

static void scale_all(mjtNum* x, int n, double scale) {
  mju_scl(x, x, (mjtNum)scale, n);
}

// A model whose numbers of tendons and actuators are others.
static mjModel* another_arm(const mjModel* m, int k) {
  mjModel* out = mj_copyModel(NULL, m);
  double scale = 1 + 0.05 * k;
  scale_all(out->site_pos, 3 * m->nsite, 1 + 0.01 * k);
  scale_all(out->tendon_stiffness, m->ntendon, scale);
  scale_all(out->tendon_damping, m->ntendon, scale);
  scale_all(out->tendon_armature, m->ntendon, scale);
  scale_all(out->tendon_lengthspring, 2 * m->ntendon, scale);
  scale_all(out->actuator_gear, 6 * m->nu, scale);
  scale_all(out->actuator_lengthrange, 2 * m->nu, scale);
  scale_all(out->actuator_cranklength, m->nu, scale);
  scale_all(out->actuator_acc0, m->nu, scale);
  scale_all(out->actuator_dynprm, mjNDYN * m->nu, scale);
  return out;
}

// Worlds with parameters of their own.
TEST(arms_that_differ) {
  DOUBLE_ONLY();
  const LaneVariant* variant;
  mjModel *m = test_model(LANE_ARM("integrator='implicitfast'")), *own[LANES_MOST];
  for (int k = 0; (variant = lanes_variant(k, 0, 1)); k++) {
    Beside b = make_beside(m, variant);
    uint64_t seed = 5;
    for (int l = 0; l < variant->lanes; l++) {
      own[l] = another_arm(m, l);
      lane_state(b.d[l], m, &seed, 0.1, 0.3);
      LaneRow row = row_of(b.d[l]);
      variant->constants(b.work, l, own[l]);
      variant->load(b.work, l, &row);
    }
    for (int step = 0; step < STEPS; step++) {
      variant->step(b.work, 1);
      assert_int_equal(variant->failed(b.work), 0);
      for (int l = 0; l < variant->lanes; l++) {
        mj_step(own[l], b.d[l]);
        if (stages_differ(&b, own[l], l, 1e-9) || states_differ(&b, own[l], l, 1e-9)) {
          fail_msg("%s: step %d, lane %d", variant->name, step, l);
        }
      }
    }
    for (int l = 0; l < variant->lanes; l++) {
      mj_deleteModel(own[l]);
    }
    free_beside(&b);
  }
}
