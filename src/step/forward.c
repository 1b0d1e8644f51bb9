// Forward dynamics: the stages of a step.              theory/time/integration.md, Stages of a step
//
//   position      poses, contacts, constraints, M and its factor
//   velocity      velocities, passive and bias forces, reference accelerations of the constraints
//   actuation     from controls to forces
//   acceleration  M qacc_smooth = all forces but the constraints'
//   constraint    constraint forces, and qacc
//   integration   the next state

#include "step/forward.h"

#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <mujoco/api/sensor.h>
#include <mujoco/api/smooth.h>
#include <mujoco/api/step.h>
#include <string.h>

#include "base/algebra/sparse_row.h"
#include "constraint/diagonal.h"
#include "constraint/hard/hard.h"
#include "constraint/metric/metric.h"
#include "model/behaviour.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "model/data/awake.h"
#include "model/options.h"
#include "model/timer.h"
#include "sensor/sensor.h"
#include "smooth/bias.h"
#include "smooth/flex/flex.h"
#include "smooth/inertia.h"
#include "smooth/kinematics.h"
#include "smooth/support.h"
#include "smooth/tendon.h"
#include "smooth/wake.h"
#include "step/discrete.h"
#include "step/implicit.h"

// stages

// What an evaluation of a Runge-Kutta step may leave out: frames on which nothing in the step
// depends. Only the last evaluation computes them, and its poses stay. Nothing is left out if
// callbacks or plugins of a program might read them.
static int left_out(const mjModel* m, const mjData* d) {
  if (!d->cnd_stage || m->nplugin || mjcb_control || mjcb_passive || mjcb_contactfilter ||
      mjcb_act_dyn || mjcb_act_gain || mjcb_act_bias) {
    return 0;
  }
  return (d->cnd_stage == FIRST_STAGE ? 0 : FRAMES_FIXED) |
         (d->cnd_stage == LAST_STAGE ? 0 : FRAMES_IDLE);
}

static int is_unseen(const mjModel* m, const mjData* d) {
  return left_out(m, d) & FRAMES_IDLE;
}

static void forward_kinematics(const mjModel* m, mjData* d, int without) {
  kinematics(m, d, without);
  mj_comPos(m, d);
  if (m->ncam + m->nlight && !(without & FRAMES_IDLE)) {
    mj_camlight(m, d);
  }
  if (m->nflex) {
    mj_flex(m, d);
  }
  if (m->ntendon) {
    mj_tendon(m, d);
  }
}

// Poses, inertia and contacts. What wakes by them is computed as if it had been awake from the
// beginning: contacts are found again until nothing wakes.       theory/time/sleep.md, Waking
static void place_and_collide(const mjModel* m, mjData* d) {
  int awake;
  do {
    mjtNum start = timer_start();
    forward_kinematics(m, d, left_out(m, d));
    while (awake_some_sleep(m, d) && (wake_tendons(m, d) | wake_equalities(m, d))) {
      forward_kinematics(m, d, left_out(m, d));
    }
    timer_stop(d, mjTIMER_POS_KINEMATICS, start);
    mj_makeM(m, d);
    mj_factorM(m, d);
    awake = d->ntree_awake;
    mj_collision(m, d);
  } while (d->ntree_awake > awake);
}

void mj_fwdKinematics(const mjModel* m, mjData* d) {
  check_pair(m, d);
  forward_kinematics(m, d, 0);
}

void position_stage(const mjModel* m, mjData* d, int solve) {
  mjtNum start = timer_start();
  d->flg_energypos = 0;
  place_and_collide(m, d);

  mjtNum part = timer_start();
  mj_makeConstraint(m, d);
  if (options_is_discrete(m)) {
    // islands depend on what actuators couple
    mj_transmission(m, d);
    metric_make(m, d);
  }
  if (solve) {
    mj_island(m, d);
  }
  timer_stop(d, mjTIMER_POS_MAKE, part);
  if (d->efm_active) {
    timer_stop(d, mjTIMER_POSITION, start);
    return;
  }

  // after the constraints, because adhesion acts along the rows of contacts
  part = timer_start();
  mj_transmission(m, d);
  timer_add(d, mjTIMER_POS_KINEMATICS, part);

  if (solve) {
    part = timer_start();
    if (d->nefc) {
      mj_projectConstraint(m, d);
    }
    timer_stop(d, mjTIMER_POS_PROJECT, part);
  } else if (diagonal_is_exact(m)) {
    diagonal_exact(m, d);
  }
  timer_stop(d, mjTIMER_POSITION, start);
}

void mj_fwdPosition(const mjModel* m, mjData* d) {
  check_pair(m, d);
  d->cnd_stage = 0;
  position_stage(m, d, 1);
}

static void actuator_velocities(const mjModel* m, mjData* d) {
  if (m->opt.disableflags & mjDSBL_ACTUATION) {
    memset(d->actuator_velocity, 0, m->nout * sizeof(mjtNum));
    return;
  }
  for (int i = 0; i < (int)m->nout; i++) {
    int adr = d->moment_rowadr[i], n = d->moment_rownnz[i];
    if (n == 1) {
      d->actuator_velocity[i] = 0 + d->actuator_moment[adr] * d->qvel[d->moment_colind[adr]];
    } else {
      d->actuator_velocity[i] =
          row_dot(d->actuator_moment + adr, d->moment_colind + adr, n, d->qvel);
    }
  }
}

void mj_fwdVelocity(const mjModel* m, mjData* d) {
  check_pair(m, d);
  mjtNum start = timer_start();
  d->flg_energyvel = d->flg_subtreevel = 0;
  for (int i = 0; i < m->ntendon; i++) {
    TendonRow row = tendon_view(m, d, i);
    d->ten_velocity[i] = tendon_dot(&row, d->qvel);
  }
  if (m->nflex) {
    flex_velocity(m, d);
  }
  actuator_velocities(m, d);
  // programs may look at qfrc_bias, or change velocities
  int at_once = m->cnd_ngroup && !mjcb_passive && !m->nplugin;
  if (at_once) {
    bias_velocities(m, d);
  } else {
    mj_comVel(m, d);
  }
  mj_passive(m, d);
  if (d->efm_active) {
    discrete_velocity(m, d);
  }
  mj_referenceConstraint(m, d);
  if (at_once) {
    bias_rest(m, d);
  } else {
    mj_rne(m, d, 0, d->qfrc_bias);
  }
  if (m->ntendon) {
    tendon_add_bias(d->qfrc_bias, m, d);
  }
  timer_stop(d, mjTIMER_VELOCITY, start);
}

// qacc_smooth = Mhat^-1 (tau - c - h K v)
static void solve_discrete(const mjModel* m, mjData* d) {
  size_t top = arena_top(d);
  mjtNum *frc = arena_num(d, m->nv), *x = arena_zeros(d, m->nv);
  metric_shifted(frc, m, d);
  awake_copy(d, x, frc);
  metric_solve(x, m, d);
  awake_copy(d, d->qacc_smooth, x);
  arena_pop(d, top);
}

// qacc_smooth = M^-1 (tau - c), the acceleration without constraints
// Also smooth_acceleration in lanes/dynamics/forces.h.
void mj_fwdAcceleration(const mjModel* m, mjData* d) {
  check_pair(m, d);
  if (!m->nv) {
    return;
  }
  for (int k = 0; k < d->cnd_nrun; k++) {
    const AwakeRun* run = awake_run(d, k);
    for (int i = run->dof; i < run->dof_end; i++) {
      d->qfrc_smooth[i] =
          d->qfrc_passive[i] - d->qfrc_bias[i] + d->qfrc_applied[i] + d->qfrc_actuator[i];
    }
  }
  xfrc_accumulate(d->qfrc_smooth, m, d);
  if (d->efm_active) {
    discrete_forces(m, d);
  }
  if (d->efm_active) {  // unless rows didn't fit into the arena
    solve_discrete(m, d);
    return;
  }
  awake_copy(d, d->qacc_smooth, d->qfrc_smooth);
  inertia_solve(d->qacc_smooth, m, d);
}

// Hard contacts constrain velocities at the end of the step, so they need the integrator's matrix
// here.
void constraint_stage(const mjModel* m, mjData* d) {
  d->flg_rnepost = 0;
  if (hard_is_on(m) && options_is_implicit(m)) {
    implicit_factor_fast(m, d);
  }
  mj_fwdConstraint(m, d);
  if (d->efm_active) {
    discrete_free_bodies(m, d);
  }
}

// Whether a sensor has just computed the energy.
static int is_measured(const mjModel* m, mjtSensor energy, int skipsensor) {
  return !skipsensor && !(m->opt.disableflags & mjDSBL_SENSOR) && sensor_exists(m, energy);
}

int has_sensors(const mjModel* m) {
  return m->nsensor || m->nplugin;
}

// forward dynamics

// The position stage with its sensors and the potential energy. Energies are zeroed unless they are
// enabled, even if a sensor has computed them.
static void evaluate_position(const mjModel* m, mjData* d, int skipsensor) {
  position_stage(m, d, 1);
  if (!skipsensor) {
    mj_sensorPos(m, d);
  }
  int measured = is_measured(m, mjSENS_E_POTENTIAL, skipsensor);
  if (!measured && m->opt.enableflags & mjENBL_ENERGY && !is_unseen(m, d)) {
    mj_energyPos(m, d);
  } else if (!measured) {
    d->energy[0] = d->energy[1] = 0;
  }
}

static void evaluate_velocity(const mjModel* m, mjData* d, int skipsensor) {
  mj_fwdVelocity(m, d);
  if (!skipsensor) {
    mj_sensorVel(m, d);
  }
  int late = behaves(m, cndBEHAVIOUR_restacc);  // what the sensor has measured was of before
  if (m->opt.enableflags & mjENBL_ENERGY && !is_unseen(m, d) &&
      (late || !is_measured(m, mjSENS_E_KINETIC, skipsensor))) {
    mj_energyVel(m, d);
  }
}

void evaluate_state(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  skipsensor |= !has_sensors(m);
  if (skipstage < mjSTAGE_POS) {
    evaluate_position(m, d, skipsensor);
  }
  if (skipstage < mjSTAGE_VEL) {
    evaluate_velocity(m, d, skipsensor);
  }
}

void forward_to(const mjModel* m, mjData* d, int stage) {
  int skipsensor = !has_sensors(m);
  d->cnd_stage = 0;
  if (stage == mjSTAGE_ACC) {
    forward_dynamics(m, d, mjSTAGE_NONE, 0);
    return;
  }
  if (stage >= mjSTAGE_POS) {
    evaluate_position(m, d, skipsensor);
  }
  if (stage >= mjSTAGE_VEL) {
    evaluate_velocity(m, d, skipsensor);
  }
}

void complete_frames(const mjModel* m, mjData* d) {
  d->cnd_stage = 0;
  mj_kinematics(m, d);
  mj_camlight(m, d);
  if (m->opt.enableflags & mjENBL_ENERGY) {
    mj_energyPos(m, d);
    mj_energyVel(m, d);
  }
}

void forward_dynamics(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  mjtNum start = timer_start();
  evaluate_state(m, d, skipstage, skipsensor);
  if (mjcb_control && !(m->opt.disableflags & mjDSBL_ACTUATION)) {
    mjcb_control(m, d);
  }
  mj_fwdActuation(m, d);
  mj_fwdAcceleration(m, d);
  constraint_stage(m, d);
  if (!skipsensor && has_sensors(m)) {
    mj_sensorAcc(m, d);
  }
  timer_stop(d, mjTIMER_FORWARD, start);
}

void mj_forwardSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  check_pair(m, d);
  d->cnd_stage = 0;
  forward_dynamics(m, d, skipstage, skipsensor);
}

void mj_forward(const mjModel* m, mjData* d) {
  check_pair(m, d);
  mj_forwardSkip(m, d, mjSTAGE_NONE, 0);
}
