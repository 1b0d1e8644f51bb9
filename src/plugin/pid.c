// pid.c: mujoco.pid, actuators that drive their length to a set point.
//
//   e     = u - length
//   I'    = clip(I + e h, I_max)                              I_max = imax / ki
//   force = kp e + ki I' + kd (du/dt - velocity)
//
// The set point u is the control or, if the actuator has dynamics, its activation. slewmax limits
// the rate of u. The integral (if there is ki) and the last set point (if there is slewmax) are
// activations of the actuator, [I] [u], before the activation of its dynamics.
//                                                                    theory/plugins/plugins.md, PID

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"
#include "base/memory/memory.h"
#include "plugin/config.h"
#include "plugin/list.h"
#include "smooth/actuation.h"

typedef struct Pid_ {
  mjtNum kp, ki, kd;
  mjtNum imax;     // bound of the integral, if there is one
  mjtNum slewmax;  // bound of du/dt, if there is one
  int bounded, slewed;
} Pid;

// Does the actuator have dynamics whose activation is the set point?
static int has_dynamics(const mjModel* m, int actuator) {
  int type = m->actuator_dyntype[actuator];
  return type == mjDYN_INTEGRATOR || type == mjDYN_FILTER || type == mjDYN_FILTEREXACT;
}

// Number of activations that an actuator must have.
static int needed_activations(const Pid* pid, const mjModel* m, int actuator) {
  return (pid->ki != 0) + pid->slewed + has_dynamics(m, actuator);
}

static int read_config(Pid* pid, const mjModel* m, int instance) {
  mjtNum imax = 0;
  ConfigStatus bound = config_numbers(&imax, 1, m, instance, "imax");
  ConfigStatus slew = config_numbers(&pid->slewmax, 1, m, instance, "slewmax");
  if (config_numbers(&pid->kp, 1, m, instance, "kp") == CONFIG_WRONG ||
      config_numbers(&pid->ki, 1, m, instance, "ki") == CONFIG_WRONG ||
      config_numbers(&pid->kd, 1, m, instance, "kd") == CONFIG_WRONG || bound == CONFIG_WRONG ||
      slew == CONFIG_WRONG) {
    return 0;
  }
  pid->slewed = slew == CONFIG_GIVEN;
  pid->bounded = bound == CONFIG_GIVEN && pid->ki != 0;
  pid->imax = pid->bounded ? imax / pid->ki : 0;
  if (pid->imax < 0) {
    mju_warning("plugin '%s', instance %d: negative imax: it must have the sign of ki",
                plugin_pid.name, instance);
    return 0;
  }
  if (pid->slewed && pid->slewmax < 0) {
    mju_warning("plugin '%s', instance %d: slewmax must be non-negative", plugin_pid.name,
                instance);
    return 0;
  }
  return 1;
}

static int check_actuators(const Pid* pid, const mjModel* m, int instance) {
  int found = 0;
  for (int i = 0; i < (int)m->nactuator; i++) {
    if (m->actuator_plugin[i] != instance) {
      continue;
    }
    found = 1;
    int need = needed_activations(pid, m, i);
    if (m->actuator_actnum[i] != need) {
      mju_warning(
          "actuator %d has actdim %d, expected %d. Add actdim=\"%d\" to the actuator "
          "plugin element.",
          i, m->actuator_actnum[i], need, need);
      return 0;
    }
  }
  if (!found) {
    mju_warning("actuator not found for plugin instance %d", instance);
  }
  return found;
}

static int init(const mjModel* m, mjData* d, int instance) {
  Pid pid = {0};
  if (!read_config(&pid, m, instance) || !check_actuators(&pid, m, instance)) {
    return -1;
  }
  Pid* own = memory_take(sizeof(Pid));
  if (!own) {
    mju_error(MEMORY_OUT);
    return -1;
  }
  *own = pid;
  d->plugin_data[instance] = (uintptr_t)own;
  return 0;
}

// Indices of the actuator's activations in act, -1 for those that it doesn't have.
typedef struct Place_ {
  int integral, setpoint, last;
} Place;

static Place activations(const Pid* pid, const mjModel* m, int actuator) {
  int adr = m->actuator_actadr[actuator];
  Place place = {-1, -1, -1};
  if (pid->ki != 0) {
    place.integral = adr++;
  }
  if (pid->slewed) {
    place.setpoint = adr++;
  }
  if (has_dynamics(m, actuator)) {
    place.last = adr;
  }
  return place;
}

// The set point u. early: at the end of the step, if the actuator has actearly.
static mjtNum set_point(const Pid* pid, const mjModel* m, const mjData* d, int actuator,
                        Place place, int early) {
  mjtNum u;
  int control = m->actuator_ctrladr[actuator];
  if (place.last < 0) {
    const mjtNum* range = m->actuator_ctrlrange + 2 * control;
    u = d->ctrl[control];
    u = m->actuator_ctrllimited[control] ? num_clamp(u, range[0], range[1]) : u;
  } else if (early && m->actuator_actearly[actuator]) {
    u = actuator_next_activation(m, d, actuator, place.last, d->act_dot[place.last]);
  } else {
    u = d->act[place.last];
  }
  if (place.setpoint >= 0 && d->time > 0) {
    mjtNum step = pid->slewmax * m->opt.timestep, before = d->act[place.setpoint];
    u = num_clamp(u, before - step, before + step);
  }
  return u;
}

// The next integral I' for an error e.
static mjtNum next_integral(const Pid* pid, const mjModel* m, const mjData* d, Place place,
                            mjtNum error) {
  mjtNum integral = d->act[place.integral] + error * m->opt.timestep;
  return pid->bounded ? num_clamp(integral, -pid->imax, pid->imax) : integral;
}

static void actuator_act_dot(const mjModel* m, mjData* d, int instance) {
  const Pid* pid = (const Pid*)d->plugin_data[instance];
  mjtNum h = m->opt.timestep;
  for (int i = 0; i < (int)m->nactuator; i++) {
    if (m->actuator_plugin[i] != instance) {
      continue;
    }
    Place place = activations(pid, m, i);
    mjtNum u = set_point(pid, m, d, i, place, 0);
    if (place.integral >= 0) {
      mjtNum integral =
          next_integral(pid, m, d, place, u - d->actuator_length[m->actuator_outadr[i]]);
      d->act_dot[place.integral] = (integral - d->act[place.integral]) / h;
    }
    if (place.setpoint >= 0) {
      d->act_dot[place.setpoint] = (u - d->act[place.setpoint]) / h;
    }
  }
}

static void compute(const mjModel* m, mjData* d, int instance, int capability) {
  const Pid* pid = (const Pid*)d->plugin_data[instance];
  (void)capability;
  for (int i = 0; i < (int)m->nactuator; i++) {
    if (m->actuator_plugin[i] != instance) {
      continue;
    }
    Place place = activations(pid, m, i);
    int out = m->actuator_outadr[i];
    mjtNum error = set_point(pid, m, d, i, place, 1) - d->actuator_length[out];
    mjtNum rate = place.last >= 0 ? d->act_dot[place.last] : 0;
    mjtNum integral = place.integral >= 0 ? next_integral(pid, m, d, place, error) : 0;
    d->actuator_force[out] =
        pid->kp * error + pid->ki * integral + pid->kd * (rate - d->actuator_velocity[out]);
  }
}

static const char* const attributes[] = {"kp", "ki", "kd", "imax", "slewmax"};

const mjpPlugin plugin_pid = {
    .name = "mujoco.pid",
    .nattribute = 5,
    .attributes = attributes,
    .capabilityflags = mjPLUGIN_ACTUATOR,
    .nstate = config_nstate,
    .init = init,
    .destroy = config_destroy,
    .compute = compute,
    .actuator_act_dot = actuator_act_dot,
};
