// Stores past controls, advances activations, velocities and positions, then rests of springs and
// the memory of constraints.
//                                                               theory/time/integration.md, Advance

#include "step/advance.h"

#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/turn.h"
#include "constraint/hard/hard.h"
#include "constraint/kept/memory.h"
#include "constraint/kept/stick.h"
#include "model/behaviour.h"
#include "model/data/awake.h"
#include "model/data/history.h"
#include "model/plugin.h"
#include "smooth/actuation.h"
#include "smooth/drive/drive.h"
#include "smooth/drive/laws.h"
#include "smooth/support.h"

// Of the targets of a servo that are whole turns apart, the nearest to where it is.
static void advance_target(const mjModel* m, mjData* d, int i) {
  mjtNum turn = servo_turn(m, i), length = d->actuator_length[m->actuator_outadr[i]];
  mjtNum* act = d->act + m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
  *act = turn > 0 ? length + turn_nearest(*act - length, turn) : *act;
}

// Activations of disabled actuators stay, though clamped to their range.
static void advance_activations(const mjModel* m, mjData* d, const mjtNum* act_dot) {
  int turns = behaves(m, cndBEHAVIOUR_servowrap);
  for (int i = 0; i < (int)m->nactuator; i++) {
    int adr = m->actuator_actadr[i];
    if (adr < 0) {
      continue;
    }
    int disabled = actuator_is_disabled(m, i);
    for (int j = adr; j < adr + m->actuator_actnum[i]; j++) {
      d->act[j] = actuator_next_activation(m, d, i, j, disabled ? 0 : act_dot[j]);
    }
    if (m->actuator_gaintype[i] == mjGAIN_SO3) {
      orientation_wrap(d->act + adr);
    } else if (turns) {
      advance_target(m, d, i);
    }
  }
}

// w += h dw/dt, v += h a, then q += h v with the new v
// Also in lanes/integrate.h, derivative/transition.c and derivative/adjoint.c.
void advance(const mjModel* m, mjData* d, const mjtNum* act_dot, const mjtNum* qacc,
             const mjtNum* qvel, const PlasticPaths* begin) {
  mjtNum h = m->opt.timestep;
  history_store_controls(m, d);
  if (m->na && !(m->opt.disableflags & mjDSBL_ACTUATION)) {
    advance_activations(m, d, act_dot);
  }
  for (int k = 0; k < d->cnd_nrun; k++) {
    const AwakeRun* run = awake_run(d, k);
    for (int i = run->dof; i < run->dof_end; i++) {
      d->qvel[i] += h * qacc[i];
    }
  }
  integrate_awake(m, d, qvel ? qvel : d->qvel, h);
  if (hard_is_on(m)) {
    mj_integratePos(m, d->qpos, d->cnd_correction, h);
    memory_store(m, d, d->efc_force);
  } else if (stick_is_on(m)) {
    stick_advance(m, d);
  }
  if (m->nplastic) {
    plastic_yield(m, d, qvel ? qvel : d->qvel, begin);
  }
  d->time += h;
  if (m->nplugin) {
    plugin_advance(m, d);
  }
  awake_copy(d, d->qacc_warmstart, d->qacc);
}
