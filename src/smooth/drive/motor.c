// motor.c: a direct-current motor with its controller.
//
//   i = (V - K v) / R                   or  di/dt = ((V - K v) / R - i) / tau
//   torque = K i + cogging + friction       V = u_voltage + controller
//
// Its resistance may grow with temperature, its friction is that of LuGre. Each part is there if
// its parameters are positive.                           theory/smooth/actuation.md, Motors
// Also dcmotor_make in derivative/smooth/drive.c.

#include <mujoco/api/base.h>

#include "base/actuator.h"
#include "base/algebra/elementary.h"
#include "base/algebra/sparse_row.h"
#include "base/algebra/vec.h"
#include "smooth/drive/laws.h"

static const mjtNum RATE_MIN = (mjtNum)1e-15;

typedef struct Motor_ {
  const mjtNum *gain, *dyn, *bias;
  int slot[SLOTS_DCMOTOR];      // of each activation in act, -1: none
  mjtNum value[SLOTS_DCMOTOR];  // of each, 0 if there is none
  mjtNum length, velocity;
  mjtNum resistance;  // at the present temperature
} Motor;

// Also slot_parameter in base/actuator.h.
static Motor motor_now(const mjModel* m, const mjData* d, int i) {
  Motor motor = {.gain = m->actuator_gainprm + mjNGAIN * i,
                 .dyn = m->actuator_dynprm + mjNDYN * i,
                 .bias = m->actuator_biasprm + mjNBIAS * i,
                 .length = d->actuator_length[m->actuator_outadr[i]],
                 .velocity = d->actuator_velocity[m->actuator_outadr[i]]};
  const mjtNum parameter[SLOTS_DCMOTOR] = {[SLOT_SLEW] = motor.dyn[MOTOR_SLEW],
                                           [SLOT_INTEGRAL] = motor.gain[MOTOR_KI],
                                           [SLOT_TEMPERATURE] = motor.dyn[MOTOR_THERMAL_RESISTANCE],
                                           [SLOT_BRISTLE] = motor.dyn[MOTOR_BRISTLE_STIFFNESS],
                                           [SLOT_CURRENT] = motor.dyn[MOTOR_TIMECONST]};
  int used = 0;
  for (int k = 0; k < SLOTS_DCMOTOR; k++) {
    int has = parameter[k] > 0 && used < m->actuator_actnum[i];
    motor.slot[k] = has ? m->actuator_actadr[i] + used++ : -1;
    motor.value[k] = has ? d->act[motor.slot[k]] : 0;
  }
  motor.resistance = motor.gain[MOTOR_RESISTANCE];
  if (motor.slot[SLOT_TEMPERATURE] >= 0) {
    mjtNum over =
        motor.value[SLOT_TEMPERATURE] + motor.dyn[MOTOR_AMBIENT] - motor.gain[MOTOR_REFTEMP];
    motor.resistance *= 1 + motor.gain[MOTOR_TEMPCOEF] * over;
  }
  return motor;
}

// The controls, the first of them as its bound on the rate allows.
static void slewed_controls(mjtNum out[4], const Motor* motor, const mjModel* m, int i,
                            const mjtNum* u) {
  mju_copy(out, u, m->actuator_ctrlnum[i]);
  if (motor->slot[SLOT_SLEW] >= 0 && m->actuator_ctrlnum[i]) {
    mjtNum step = motor->dyn[MOTOR_SLEW] * m->opt.timestep, before = motor->value[SLOT_SLEW];
    out[0] = num_clamp(out[0], before - step, before + step);
  }
}

// Voltage of the controller, with which a motor at rest and cold has the torque of a PID:
//
//   (R / K) (kp (u_pos - l) + kd (u_vel - v) + ki x + u_ff) + K v
//
// slope: by length and by velocity, 0 beyond the bound.
static mjtNum controller(mjtNum slope[2], const Motor* motor, int spec, const mjtNum* u) {
  const mjtNum* gain = motor->gain;
  mjtNum K = gain[MOTOR_CONSTANT], most = gain[MOTOR_MOST_VOLTAGE];
  slope[0] = slope[1] = 0;
  if (!(spec & CONTROLLER_INPUTS)) {
    return 0;
  }
  mjtNum ratio = gain[MOTOR_RESISTANCE] / K;
  mjtNum torque = gain[MOTOR_KP] * (input_value(u, spec, mjINPUT_POS) - motor->length) +
                  gain[MOTOR_KD] * (input_value(u, spec, mjINPUT_VEL) - motor->velocity) +
                  gain[MOTOR_KI] * motor->value[SLOT_INTEGRAL] + input_value(u, spec, mjINPUT_FF);
  mjtNum voltage = ratio * torque + K * motor->velocity;
  if (most > 0 && mju_abs(voltage) > most) {
    return num_clamp(voltage, -most, most);
  }
  slope[0] = -gain[MOTOR_KP] * ratio;
  slope[1] = K - gain[MOTOR_KD] * ratio;
  return voltage;
}

static mjtNum voltage_of(mjtNum slope[2], const Motor* motor, int spec, const mjtNum* u) {
  return input_value(u, spec, mjINPUT_VOLTAGE) + controller(slope, motor, spec, u);
}

// The current that the resistance alone would let flow.
static mjtNum steady_current(const Motor* motor, mjtNum voltage) {
  mjtNum K = motor->gain[MOTOR_CONSTANT];
  return voltage / motor->resistance - K / motor->resistance * motor->velocity;
}

// friction

// dz/dt = a z + v,  a = - s0 |v| / g(v),  g = Fc + (Fs - Fc) exp(-(v / vs)^2)
static mjtNum bristle_decay(const Motor* motor) {
  const mjtNum* bias = motor->bias;
  mjtNum share = bias[MOTOR_STRIBECK] != 0 ? motor->velocity / bias[MOTOR_STRIBECK] : 0;
  mjtNum g =
      bias[MOTOR_COULOMB] + (bias[MOTOR_STATIC] - bias[MOTOR_COULOMB]) * num_exp(-share * share);
  return -motor->dyn[MOTOR_BRISTLE_STIFFNESS] * mju_abs(motor->velocity) / num_max(RATE_MIN, g);
}

// amplitude sin(poles l + phase) - (s0 z + s1 dz/dt)
mjtNum motor_friction(const mjModel* m, const mjData* d, int i) {
  Motor motor = motor_now(m, d, i);
  const mjtNum* bias = motor.bias;
  int slot = motor.slot[SLOT_BRISTLE];
  if (m->actuator_biastype[i] != mjBIAS_DCMOTOR) {
    return 0;
  }
  mjtNum force =
      bias[MOTOR_COGGING] * num_sin(bias[MOTOR_POLES] * motor.length + bias[MOTOR_PHASE]);
  if (slot >= 0) {
    force -= motor.dyn[MOTOR_BRISTLE_STIFFNESS] * motor.value[SLOT_BRISTLE] +
             motor.dyn[MOTOR_BRISTLE_DAMPING] * d->act_dot[slot];
  }
  return force;
}

// activations

static mjtNum current_rate(const Motor* motor, mjtNum steady) {
  mjtNum most = motor->dyn[MOTOR_CURRENT_RATE];
  mjtNum rate = (steady - motor->value[SLOT_CURRENT]) / motor->dyn[MOTOR_TIMECONST];
  return most > 0 ? num_clamp(rate, -most, most) : rate;
}

// C dT/dt = R i^2 - T / R_th
static mjtNum temperature_rate(const Motor* motor, mjtNum current) {
  mjtNum heat = motor->resistance * current * current;
  mjtNum cooling = motor->value[SLOT_TEMPERATURE] / motor->dyn[MOTOR_THERMAL_RESISTANCE];
  return (heat - cooling) / motor->dyn[MOTOR_THERMAL_CAPACITANCE];
}

void motor_rates(const mjModel* m, mjData* d, int i, const mjtNum* u) {
  Motor motor = motor_now(m, d, i);
  const int* slot = motor.slot;
  int spec = m->actuator_ctrlspec[i];
  mjtNum slewed[4] = {0}, slope[2];
  slewed_controls(slewed, &motor, m, i, u);
  mjtNum steady = steady_current(&motor, voltage_of(slope, &motor, spec, slewed));
  if (slot[SLOT_SLEW] >= 0) {
    d->act_dot[slot[SLOT_SLEW]] = (slewed[0] - motor.value[SLOT_SLEW]) / m->opt.timestep;
  }
  if (slot[SLOT_INTEGRAL] >= 0) {
    d->act_dot[slot[SLOT_INTEGRAL]] = integral_rate(
        slewed[0] - motor.length, motor.value[SLOT_INTEGRAL], motor.dyn[MOTOR_MOST_INTEGRAL]);
  }
  if (slot[SLOT_TEMPERATURE] >= 0) {
    mjtNum current = slot[SLOT_CURRENT] >= 0 ? motor.value[SLOT_CURRENT] : steady;
    d->act_dot[slot[SLOT_TEMPERATURE]] = temperature_rate(&motor, current);
  }
  if (slot[SLOT_BRISTLE] >= 0) {
    d->act_dot[slot[SLOT_BRISTLE]] =
        bristle_decay(&motor) * motor.value[SLOT_BRISTLE] + motor.velocity;
  }
  if (slot[SLOT_CURRENT] >= 0) {
    d->act_dot[slot[SLOT_CURRENT]] = current_rate(&motor, steady);
  }
}

// The velocity of the bristle's end now: qvel may be that of another stage than the last one.
static mjtNum velocity_now(const mjModel* m, const mjData* d, int i) {
  int row = m->actuator_outadr[i], adr = d->moment_rowadr[row];
  return row_dot(d->actuator_moment + adr, d->moment_colind + adr, d->moment_rownnz[row], d->qvel);
}

// z exp(a h) + v (exp(a h) - 1) / a; a bristle at rest stays
static mjtNum next_bristle(Motor* motor, const mjModel* m, const mjData* d, int i, mjtNum rate) {
  mjtNum h = m->opt.timestep, z = motor->value[SLOT_BRISTLE];
  if (rate == 0) {
    return z;
  }
  motor->velocity = velocity_now(m, d, i);
  mjtNum a = bristle_decay(motor), decay = num_exp(a * h);
  return decay * z + (mju_abs(a) > RATE_MIN ? (decay - 1) / a : h) * motor->velocity;
}

// Current and bristle are integrated for constant velocity and voltage.
mjtNum motor_next_activation(const mjModel* m, const mjData* d, int i, int j, mjtNum act_dot) {
  Motor motor = motor_now(m, d, i);
  mjtNum h = m->opt.timestep, most = motor.dyn[MOTOR_MOST_INTEGRAL];
  if (j == motor.slot[SLOT_CURRENT]) {
    mjtNum tau = motor.dyn[MOTOR_TIMECONST];
    return d->act[j] + act_dot * tau * (1 - num_exp(-h / tau));
  }
  if (j == motor.slot[SLOT_BRISTLE]) {
    return next_bristle(&motor, m, d, i, act_dot);
  }
  mjtNum next = d->act[j] + act_dot * h;
  return j == motor.slot[SLOT_INTEGRAL] && most > 0 ? num_clamp(next, -most, most) : next;
}

// forces

mjtNum motor_force(const mjModel* m, const mjData* d, int i, const mjtNum* u) {
  Motor motor = motor_now(m, d, i);
  int current = motor.slot[SLOT_CURRENT];
  mjtNum K = motor.gain[MOTOR_CONSTANT], slewed[4] = {0}, slope[2];
  if (current >= 0) {
    return K * motor_next_activation(m, d, i, current, d->act_dot[current]);
  }
  slewed_controls(slewed, &motor, m, i, u);
  return K * steady_current(&motor, voltage_of(slope, &motor, m->actuator_ctrlspec[i], slewed));
}

// How much of a change of the voltage's current comes within a step.
static mjtNum current_share(const Motor* motor, const mjModel* m, const mjData* d) {
  int current = motor->slot[SLOT_CURRENT];
  if (current < 0) {
    return 1;
  }
  mjtNum most = motor->dyn[MOTOR_CURRENT_RATE];
  int is_clipped = most > 0 && mju_abs(d->act_dot[current]) >= most;
  return is_clipped ? 0 : 1 - num_exp(-m->opt.timestep / motor->dyn[MOTOR_TIMECONST]);
}

mjtNum motor_by_length(const mjModel* m, const mjData* d, int i, const mjtNum* u,
                       int is_saturated) {
  Motor motor = motor_now(m, d, i);
  mjtNum K = motor.gain[MOTOR_CONSTANT], slewed[4] = {0}, slope[2];
  slewed_controls(slewed, &motor, m, i, u);
  voltage_of(slope, &motor, m->actuator_ctrlspec[i], slewed);
  return is_saturated ? 0 : K * slope[0] / motor.resistance * current_share(&motor, m, d);
}

// The electrical part, if no clamp stops it, and the damping of the bristle.
mjtNum motor_by_velocity(const mjModel* m, const mjData* d, int i, const mjtNum* u,
                         int is_saturated) {
  Motor motor = motor_now(m, d, i);
  mjtNum K = motor.gain[MOTOR_CONSTANT], slewed[4] = {0}, slope[2], out = 0;
  slewed_controls(slewed, &motor, m, i, u);
  voltage_of(slope, &motor, m->actuator_ctrlspec[i], slewed);
  if (!is_saturated) {
    out = K * (slope[1] - K) / motor.resistance * current_share(&motor, m, d);
  }
  int has_friction = motor.slot[SLOT_BRISTLE] >= 0 && m->actuator_biastype[i] == mjBIAS_DCMOTOR;
  return has_friction ? out - motor.dyn[MOTOR_BRISTLE_DAMPING] : out;
}
