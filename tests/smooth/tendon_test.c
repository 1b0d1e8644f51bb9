// Tendons: the gradient of the length, its rate, what armature does; actuators that pull on
// anything.

#include "smooth/tendon.h"

#include "smooth/tendon_path.h"
#include "support/caught.h"
#include "support/models.h"
#include "support/precision.h"
#include "support/zoo.h"

#define kStep difference_step(1e-6)

enum {
  kStates = 4
};

// The position stage somewhere else.
static void place(const mjModel* m, mjData* moved, const mjData* d, const mjtNum* velocity,
                  mjtNum dt) {
  mju_copy(moved->qpos, d->qpos, m->nq);
  mju_copy(moved->qvel, d->qvel, m->nv);
  mj_integratePos(m, moved->qpos, velocity, dt);
  mj_kinematics(m, moved);
  mj_comPos(m, moved);
  mj_tendon(m, moved);
}

static int checked;  // rows

static void check_gradient(const char* path) {
  mjModel* m = test_model_file("%s", path);
  mjData *d = mj_makeData(m), *moved = mj_makeData(m);
  int nv = m->nv, nt = m->ntendon;
  mjtNum *step = calloc((size_t)nv, sizeof *step), *row = calloc((size_t)nv, sizeof *row);
  mjtNum *slope = calloc((size_t)(nv * nt), sizeof *slope), *low = calloc((size_t)nt, sizeof *low);
  for (uint64_t seed = 1; seed <= kStates; seed++) {
    zoo_randomize(m, d, seed);
    mj_fwdPosition(m, d);
    for (int j = 0; j < nv; j++) {
      mju_zero(step, nv);
      step[j] = 1;
      place(m, moved, d, step, -kStep);
      mju_copy(low, moved->ten_length, nt);
      place(m, moved, d, step, kStep);
      for (int t = 0; t < nt; t++) {
        slope[t * nv + j] = (moved->ten_length[t] - low[t]) / (2 * kStep);
      }
    }
    for (int t = 0; t < nt; t++) {
      tendon_row(row, m, d, t);
      checked += mju_norm(row, nv) > 0;
      size_t where;
      double error = relative_error(&where, row, slope + t * nv, nv, 1);
      if (!(error < slope_error(1e-6))) {
        fail_msg("%s: gradient of tendon %d in state %d is wrong by %g", path, t, (int)seed, error);
      }
    }
  }
  free(step);
  free(row);
  free(slope);
  free(low);
  mj_deleteData(d);
  mj_deleteData(moved);
  test_release(m);
}

// in the degenerate ones lengths jump or have corners, in fixed ones a dense row holds the last
// coefficient of a joint
static void check_gradient_of_regular(const char* path) {
  if (!strstr(path, "degenerate") && !strstr(path, "tendon_fixed")) {
    check_gradient(path);
  }
}

// A step that single precision can tell goes over the corners and jumps of some lengths.
TEST(row_is_the_gradient_of_the_length) {
  DOUBLE_ONLY();
  checked = 0;
  models_each("tendon_", check_gradient_of_regular);
  assert_that(checked, >, 100);
}

static void check_rate(const char* path) {
  mjModel* m = test_model_file("%s", path);
  mjData *d = mj_makeData(m), *moved = mj_makeData(m);
  for (uint64_t seed = 1; seed <= kStates; seed++) {
    zoo_randomize(m, d, seed);
    mj_fwdPosition(m, d);
    mj_fwdVelocity(m, d);
    for (int t = 0; t < m->ntendon; t++) {
      mjtNum velocity[2];
      for (int side = 0; side < 2; side++) {
        place(m, moved, d, d->qvel, side ? kStep : -kStep);
        TendonRow row = tendon_view(m, moved, t);
        velocity[side] = tendon_dot(&row, d->qvel);
      }
      mjtNum rate = (velocity[1] - velocity[0]) / (2 * kStep);
      checked += rate != 0;
      assert_near(path_acceleration(m, d, t), rate, slope_error(1e-6) * (1 + fabs((double)rate)));
    }
  }
  mj_deleteData(d);
  mj_deleteData(moved);
  test_release(m);
}

TEST(acceleration_is_the_rate_of_the_velocity) {
  checked = 0;
  models_each("tendon_armature", check_rate);
  models_each("tendon_sites", check_rate);
  assert_that(checked, >, 10);
}

// the inertia of a string in one tree is all in M, and then energy is conserved
TEST(armature_conserves_energy) {
  mjModel* m = test_model(
      "<mujoco><option timestep='.001' integrator='RK4'><flag energy='enable' "
      "contact='disable'/></option>"
      "<worldbody><site name='hook' pos='.3 .1 .2'/><body><joint axis='0 1 .2'/><geom "
      "type='capsule' size='.05 .2'/>"
      "<site name='a' pos='0 .1 .2'/><body pos='0 0 .4'><joint axis='1 0 0'/><joint type='slide' "
      "axis='0 1 1'/>"
      "<geom type='capsule' size='.05 .2'/><site name='b' pos='.1 0 "
      ".2'/></body></body></worldbody><tendon>"
      "<spatial armature='2'><site site='hook'/><site site='b'/><pulley divisor='2'/><site "
      "site='a'/>"
      "<site site='b'/></spatial></tendon></mujoco>");
  mjData* d = test_data(m);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = (mjtNum)(1 - 0.3 * i);
  }
  mj_forward(m, d);
  double start = (double)(d->energy[0] + d->energy[1]);
  for (int i = 0; i < 300; i++) {
    mj_step(m, d);
  }
  mj_forward(m, d);
  assert_near(d->energy[0] + d->energy[1], start, 1e-8);
}

// what moments are of lengths, for transmissions that have a length all along
static void check_moments(const char* path) {
  mjModel* m = test_model_file("%s", path);
  mjData *d = mj_makeData(m), *moved = mj_makeData(m);
  mjtNum *step = calloc((size_t)m->nv, sizeof *step), *row = calloc((size_t)m->nv, sizeof *row);
  for (uint64_t seed = 1; seed <= kStates; seed++) {
    zoo_randomize(m, d, seed);
    mj_fwdPosition(m, d);
    for (int u = 0; u < m->nu; u++) {
      mju_zero(row, m->nv);
      for (int k = 0; k < d->moment_rownnz[u]; k++) {
        row[d->moment_colind[d->moment_rowadr[u] + k]] =
            d->actuator_moment[d->moment_rowadr[u] + k];
      }
      for (int j = 0; j < m->nv; j++) {
        mjtNum length[2];
        mju_zero(step, m->nv);
        step[j] = 1;
        for (int side = 0; side < 2; side++) {
          place(m, moved, d, step, side ? kStep : -kStep);
          mj_transmission(m, moved);
          length[side] = moved->actuator_length[u];
        }
        mjtNum slope = (length[1] - length[0]) / (2 * kStep);
        checked += slope != 0;
        assert_near(row[j], slope, slope_error(1e-5) * (1 + fabs((double)slope)));
      }
    }
  }
  free(step);
  free(row);
  mj_deleteData(d);
  mj_deleteData(moved);
  test_release(m);
}

TEST(moment_is_the_gradient_of_the_length) {
  checked = 0;
  models_each("actuator_crank", check_moments);
  models_each("actuator_muscle", check_moments);
  models_each("tendon_pulley", check_moments);
  assert_that(checked, >, 50);
}

// an adhesive box resists being lifted up to its force, and no more
TEST(adhesion_holds_up_to_its_force) {
  for (int i = 0; i < 2; i++) {
    mjModel* m = test_model(
        "<mujoco><worldbody><geom type='plane' size='1 1 .1'/><body pos='0 0 .1'><freejoint/>"
        "<geom type='box' size='.1 .1 .1' mass='1'/></body></worldbody><actuator>"
        "<adhesion body='world' ctrlrange='0 1' gain='20'/></actuator></mujoco>");
    mjData* d = test_data(m);
    for (int k = 0; k < 500; k++) {
      d->ctrl[0] = 1;
      d->xfrc_applied[6 + 2] = k < 100 ? 0 : (i ? 33 : 25);
      mj_step(m, d);
    }
    assert_int_equal(d->qpos[2] > (mjtNum)0.2, i);
    test_release(m);
  }
}

// Models that were changed after they had been compiled.
TEST(broken_paths_are_errors) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom name='g' size='.1'/><site name='a' pos='1 0 0'/><site name='b' "
      "pos='-1 0 0'/>"
      "<body><joint/><geom size='.1'/><site name='c' pos='0 2 0'/></body></worldbody><tendon>"
      "<spatial><site site='a'/><geom geom='g' sidesite='c'/><site site='b'/><site "
      "site='c'/></spatial>"
      "</tendon></mujoco>");
  mjData* d = test_data(m);
  mj_fwdPosition(m, d);
  m->wrap_prm[1] = (mjtNum)m->nsite;
  assert_error(mj_tendon(m, d), "side site 3");
  m->wrap_prm[1] = -2;
  assert_error(mj_tendon(m, d), "side site -2");
  m->wrap_prm[1] = -1;
  m->wrap_type[2] = mjWRAP_PULLEY;
  assert_error(mj_tendon(m, d), "not between sites");
  m->wrap_type[2] = mjWRAP_SITE;
  m->wrap_type[0] = mjWRAP_SPHERE;
  assert_error(mj_tendon(m, d), "not between sites");
  m->wrap_type[0] = mjWRAP_SITE;
  m->tendon_armature[0] = 1;
  assert_error(mj_fwdVelocity(m, d), "wraps a geom");
}
