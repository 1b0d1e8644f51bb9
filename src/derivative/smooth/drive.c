// Laws of smooth/drive/pid.c and smooth/drive/motor.c in numbers that carry derivatives.

#include "derivative/smooth/drive.h"

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"
#include "base/turn.h"
#include "derivative/tree/kink.h"
#include "smooth/actuation.h"
#include "smooth/slopes.h"

static const mjtNum RATE_MIN = (mjtNum)1e-15;

// numbers

static DriveNumber constant(mjtNum x) {
  return (DriveNumber){.x = x};
}

static DriveNumber variable(mjtNum x, int place, mjtNum slope) {
  DriveNumber out = {.x = x};
  out.by[place] = slope;
  return out;
}

// a f + b g
static DriveNumber sum(mjtNum a, DriveNumber f, mjtNum b, DriveNumber g) {
  DriveNumber out = {.x = a * f.x + b * g.x};
  for (int k = 0; k < DRIVE_INPUTS; k++) {
    out.by[k] = a * f.by[k] + b * g.by[k];
  }
  return out;
}

static DriveNumber plus(DriveNumber f, DriveNumber g) {
  return sum(1, f, 1, g);
}

static DriveNumber minus(DriveNumber f, DriveNumber g) {
  return sum(1, f, -1, g);
}

static DriveNumber scale(DriveNumber f, mjtNum s) {
  return sum(s, f, 0, constant(0));
}

// h(f) from h and its slope at f
static DriveNumber function(DriveNumber f, mjtNum value, mjtNum slope) {
  DriveNumber out = scale(f, slope);
  out.x = value;
  return out;
}

static DriveNumber times(DriveNumber f, DriveNumber g) {
  DriveNumber out = sum(g.x, f, f.x, g);
  out.x = f.x * g.x;
  return out;
}

static DriveNumber over(DriveNumber f, DriveNumber g) {
  return times(f, function(g, 1 / g.x, -1 / (g.x * g.x)));
}

// f between two bounds, and whether it is at one.
static DriveNumber between(int* kinks, DriveNumber f, DriveNumber low, DriveNumber high) {
  mjtNum scale_of = mju_abs(f.x) + mju_abs(low.x) + mju_abs(high.x);
  *kinks += kink_is_zero(f.x - low.x, scale_of) || kink_is_zero(f.x - high.x, scale_of);
  return f.x < low.x ? low : f.x > high.x ? high : f;
}

// parts of both laws

mjtNum drive_control(int* is_free, const mjModel* m, const mjData* d, int c) {
  mjtNum u = d->ctrl[c];
  const mjtNum* range = m->actuator_ctrlrange + 2 * c;
  *is_free = 1;
  if (!m->actuator_ctrllimited[c] || (m->opt.disableflags & mjDSBL_CLAMPCTRL)) {
    return u;
  }
  *is_free = u >= range[0] && u <= range[1];
  return num_clamp(u, range[0], range[1]);
}

typedef struct {
  const mjModel* m;
  const mjData* d;
  int i, spec;
  DriveNumber length, velocity, act[DRIVE_ACTIVATIONS], u[DRIVE_CONTROLS];
  int slot[SLOTS_DCMOTOR];  // index of each activation among those of the actuator, -1: none
} Law;

static Law law_now(Drive* out, const mjModel* m, const mjData* d, int i) {
  Law law = {.m = m, .d = d, .i = i, .spec = m->actuator_ctrlspec[i]};
  int row = m->actuator_outadr[i];
  law.length = variable(d->actuator_length[row], DRIVE_BY_LENGTH, 1);
  law.velocity = variable(d->actuator_velocity[row], DRIVE_BY_VELOCITY, 1);
  out->nact = m->actuator_actadr[i] < 0 ? 0 : m->actuator_actnum[i];
  out->nctrl = m->actuator_ctrlnum[i];
  for (int k = 0; k < out->nact; k++) {
    law.act[k] = variable(d->act[m->actuator_actadr[i] + k], DRIVE_BY_ACTIVATION + k, 1);
  }
  for (int k = 0; k < out->nctrl; k++) {
    int is_free;
    mjtNum u = drive_control(&is_free, m, d, m->actuator_ctrladr[i] + k);
    law.u[k] = variable(u, DRIVE_BY_CONTROL + k, is_free);
  }
  return law;
}

// Also input_value in base/actuator.h.
static DriveNumber input_of(const Law* law, const DriveNumber* u, int bit) {
  return law->spec & bit ? u[bit_count(law->spec & (bit - 1))] : constant(0);
}

static DriveNumber nearest(const Law* law, DriveNumber error) {
  return function(error, turn_nearest(error.x, actuator_turn(law->m, law->i)), 1);
}

// Also integral_rate in smooth/drive/laws.h.
static DriveNumber integral_rate_of(int* kinks, DriveNumber error, DriveNumber z, mjtNum bound) {
  if (!(bound > 0)) {
    return error;
  }
  int is_full = z.x >= bound && error.x > 0, is_empty = z.x <= -bound && error.x < 0;
  *kinks += (z.x >= bound || z.x <= -bound) && error.x == 0;
  return is_full || is_empty ? constant(0) : error;
}

// controllers

// Also target in smooth/drive/pid.c.
static DriveNumber pid_target(Drive* out, const Law* law) {
  DriveNumber pos = input_of(law, law->u, mjINPUT_POS);
  if (law->slot[SLOT_SLEW] < 0) {
    return pos;
  }
  DriveNumber a = law->act[law->slot[SLOT_SLEW]];
  mjtNum step = law->m->actuator_dynprm[mjNDYN * law->i + PID_SLEW] * law->m->opt.timestep;
  return between(&out->kinks, plus(a, nearest(law, minus(pos, a))), minus(a, constant(step)),
                 plus(a, constant(step)));
}

static void pid_slots(Law* law, int nact) {
  const mjModel* m = law->m;
  const mjtNum *gain = m->actuator_gainprm + mjNGAIN * law->i,
               *dyn = m->actuator_dynprm + mjNDYN * law->i;
  int has_slew = dyn[PID_SLEW] > 0 && nact > 0;
  int has_integral =
      gain[PID_INTEGRAL_GAIN] > 0 && has_slew < nact && m->actuator_dyntype[law->i] == mjDYN_PID;
  law->slot[SLOT_SLEW] = has_slew ? 0 : -1;
  law->slot[SLOT_INTEGRAL] = has_integral ? has_slew : -1;
}

// Also pid_rates and pid_force in smooth/drive/pid.c.
static void pid_make(Drive* out, Law* law) {
  const mjModel* m = law->m;
  const mjtNum *gain = m->actuator_gainprm + mjNGAIN * law->i,
               *bias = m->actuator_biasprm + mjNBIAS * law->i;
  mjtNum h = m->opt.timestep;
  pid_slots(law, out->nact);
  int slew = law->slot[SLOT_SLEW], integral = law->slot[SLOT_INTEGRAL];
  DriveNumber pos = pid_target(out, law), error = nearest(law, minus(pos, law->length));
  if (slew >= 0) {
    out->rate[slew] = scale(minus(pos, law->act[slew]), 1 / h);
  }
  out->force = plus(constant(bias[0]), input_of(law, law->u, mjINPUT_FF));
  out->force = sum(1, out->force, -bias[1], error);
  out->force =
      sum(1, out->force, -bias[2], minus(input_of(law, law->u, mjINPUT_VEL), law->velocity));
  if (integral >= 0) {
    DriveNumber z = law->act[integral];
    mjtNum bound = m->actuator_dynprm[mjNDYN * law->i + PID_MOST_INTEGRAL];
    out->rate[integral] = integral_rate_of(&out->kinks, error, z, bound);
    z = m->actuator_actearly[law->i] ? sum(1, z, h, out->rate[integral]) : z;
    out->force = sum(1, out->force, gain[PID_INTEGRAL_GAIN], z);
  }
  for (int k = 0; k < out->nact; k++) {
    out->next[k] = sum(1, law->act[k], h, out->rate[k]);
    if (m->actuator_actlimited[law->i]) {
      const mjtNum* range = m->actuator_actrange + 2 * law->i;
      out->next[k] = between(&out->kinks, out->next[k], constant(range[0]), constant(range[1]));
    }
  }
}

// motors

typedef struct {
  const mjtNum *gain, *dyn, *bias;
  DriveNumber resistance, slope[2];  // slopes of the controller's voltage by length, velocity
} Motor;

static DriveNumber activation_of(const Law* law, int slot) {
  return law->slot[slot] >= 0 ? law->act[law->slot[slot]] : constant(0);
}

// Also motor_now in smooth/drive/motor.c.
static Motor motor_make(Law* law, int nact) {
  const mjModel* m = law->m;
  Motor motor = {.gain = m->actuator_gainprm + mjNGAIN * law->i,
                 .dyn = m->actuator_dynprm + mjNDYN * law->i,
                 .bias = m->actuator_biasprm + mjNBIAS * law->i};
  const mjtNum parameter[SLOTS_DCMOTOR] = {[SLOT_SLEW] = motor.dyn[MOTOR_SLEW],
                                           [SLOT_INTEGRAL] = motor.gain[MOTOR_KI],
                                           [SLOT_TEMPERATURE] = motor.dyn[MOTOR_THERMAL_RESISTANCE],
                                           [SLOT_BRISTLE] = motor.dyn[MOTOR_BRISTLE_STIFFNESS],
                                           [SLOT_CURRENT] = motor.dyn[MOTOR_TIMECONST]};
  for (int k = 0, used = 0; k < SLOTS_DCMOTOR; k++) {
    law->slot[k] = parameter[k] > 0 && used < nact ? used++ : -1;
  }
  mjtNum R = motor.gain[MOTOR_RESISTANCE];
  motor.resistance = constant(R);
  if (law->slot[SLOT_TEMPERATURE] >= 0) {
    mjtNum base =
        1 + motor.gain[MOTOR_TEMPCOEF] * (motor.dyn[MOTOR_AMBIENT] - motor.gain[MOTOR_REFTEMP]);
    motor.resistance = sum(R, constant(base), R * motor.gain[MOTOR_TEMPCOEF],
                           activation_of(law, SLOT_TEMPERATURE));
  }
  return motor;
}

// Also controller in smooth/drive/motor.c.
static DriveNumber controller_voltage(Drive* out, Motor* motor, const Law* law,
                                      const DriveNumber* u) {
  const mjtNum* gain = motor->gain;
  mjtNum K = gain[MOTOR_CONSTANT], most = gain[MOTOR_MOST_VOLTAGE];
  motor->slope[0] = motor->slope[1] = constant(0);
  if (!(law->spec & CONTROLLER_INPUTS)) {
    return constant(0);
  }
  mjtNum ratio = gain[MOTOR_RESISTANCE] / K;
  DriveNumber torque = sum(gain[MOTOR_KP], minus(input_of(law, u, mjINPUT_POS), law->length),
                           gain[MOTOR_KD], minus(input_of(law, u, mjINPUT_VEL), law->velocity));
  torque = sum(1, torque, gain[MOTOR_KI], activation_of(law, SLOT_INTEGRAL));
  torque = plus(torque, input_of(law, u, mjINPUT_FF));
  DriveNumber voltage = sum(ratio, torque, K, law->velocity);
  if (most > 0 && mju_abs(voltage.x) > most) {
    return constant(num_clamp(voltage.x, -most, most));
  }
  out->kinks += most > 0 && mju_abs(voltage.x) == most;
  motor->slope[0] = constant(-gain[MOTOR_KP] * ratio);
  motor->slope[1] = constant(K - gain[MOTOR_KD] * ratio);
  return voltage;
}

// (V - K v) / R
static DriveNumber steady_current_of(const Motor* motor, const Law* law, DriveNumber voltage) {
  return over(sum(1, voltage, -motor->gain[MOTOR_CONSTANT], law->velocity), motor->resistance);
}

// Also bristle_decay in smooth/drive/motor.c.
static DriveNumber decay_of(const Motor* motor, const Law* law) {
  const mjtNum* bias = motor->bias;
  DriveNumber v = law->velocity;
  mjtNum share = bias[MOTOR_STRIBECK] != 0 ? 1 / bias[MOTOR_STRIBECK] : 0;
  mjtNum more = (bias[MOTOR_STATIC] - bias[MOTOR_COULOMB]) * num_exp(-share * share * v.x * v.x);
  DriveNumber g = function(v, bias[MOTOR_COULOMB] + more, -2 * share * share * v.x * more);
  g = g.x > RATE_MIN ? g : constant(RATE_MIN);
  DriveNumber size = function(v, mju_abs(v.x), (mjtNum)((v.x > 0) - (v.x < 0)));
  return over(scale(size, -motor->dyn[MOTOR_BRISTLE_STIFFNESS]), g);
}

// Also next_bristle in smooth/drive/motor.c.
static DriveNumber next_bristle_of(const Motor* motor, const Law* law) {
  mjtNum h = law->m->opt.timestep;
  DriveNumber z = activation_of(law, SLOT_BRISTLE), a = decay_of(motor, law);
  mjtNum e = num_exp(a.x * h);
  DriveNumber decay = function(a, e, h * e);
  // (exp(a h) - 1) / a, with slope (h exp(a h) - itself) / a; h^2 / 2 at 0
  DriveNumber reach = mju_abs(a.x) > RATE_MIN
                          ? function(a, (e - 1) / a.x, (h * e - (e - 1) / a.x) / a.x)
                          : function(a, h, h * h / 2);
  return plus(times(decay, z), times(reach, law->velocity));
}

// Also motor_rates in smooth/drive/motor.c.
static void motor_rates_of(Drive* out, const Motor* motor, const Law* law, DriveNumber first,
                           DriveNumber steady) {
  const int* slot = law->slot;
  DriveNumber current = slot[SLOT_CURRENT] >= 0 ? activation_of(law, SLOT_CURRENT) : steady;
  if (slot[SLOT_SLEW] >= 0) {
    out->rate[slot[SLOT_SLEW]] =
        scale(minus(first, activation_of(law, SLOT_SLEW)), 1 / law->m->opt.timestep);
  }
  if (slot[SLOT_INTEGRAL] >= 0) {
    out->rate[slot[SLOT_INTEGRAL]] =
        integral_rate_of(&out->kinks, minus(first, law->length), activation_of(law, SLOT_INTEGRAL),
                         motor->dyn[MOTOR_MOST_INTEGRAL]);
  }
  if (slot[SLOT_TEMPERATURE] >= 0) {
    DriveNumber heat = times(motor->resistance, times(current, current));
    out->rate[slot[SLOT_TEMPERATURE]] =
        scale(sum(1, heat, -1 / motor->dyn[MOTOR_THERMAL_RESISTANCE],
                  activation_of(law, SLOT_TEMPERATURE)),
              1 / motor->dyn[MOTOR_THERMAL_CAPACITANCE]);
  }
  if (slot[SLOT_BRISTLE] >= 0) {
    DriveNumber z = activation_of(law, SLOT_BRISTLE);
    out->rate[slot[SLOT_BRISTLE]] = plus(times(decay_of(motor, law), z), law->velocity);
    out->kinks += law->velocity.x == 0 && z.x != 0;
  }
  if (slot[SLOT_CURRENT] >= 0) {
    mjtNum most = motor->dyn[MOTOR_CURRENT_RATE];
    DriveNumber rate = scale(minus(steady, current), 1 / motor->dyn[MOTOR_TIMECONST]);
    out->rate[slot[SLOT_CURRENT]] =
        most > 0 ? between(&out->kinks, rate, constant(-most), constant(most)) : rate;
  }
}

// Also motor_next_activation in smooth/drive/motor.c.
static void motor_next(Drive* out, const Motor* motor, const Law* law) {
  mjtNum h = law->m->opt.timestep, most = motor->dyn[MOTOR_MOST_INTEGRAL];
  for (int k = 0; k < out->nact; k++) {
    mjtNum tau = motor->dyn[MOTOR_TIMECONST];
    mjtNum time = k == law->slot[SLOT_CURRENT] ? tau * (1 - num_exp(-h / tau)) : h;
    out->next[k] = sum(1, law->act[k], time, out->rate[k]);
    if (k == law->slot[SLOT_INTEGRAL] && most > 0) {
      out->next[k] = between(&out->kinks, out->next[k], constant(-most), constant(most));
    } else if (k == law->slot[SLOT_BRISTLE]) {
      out->next[k] = next_bristle_of(motor, law);
    }
  }
}

// Also motor_friction in smooth/drive/motor.c.
static DriveNumber friction_of(const Drive* out, const Motor* motor, const Law* law) {
  const mjtNum* bias = motor->bias;
  int slot = law->slot[SLOT_BRISTLE];
  if (law->m->actuator_biastype[law->i] != mjBIAS_DCMOTOR) {
    return constant(0);
  }
  mjtNum angle = bias[MOTOR_POLES] * law->length.x + bias[MOTOR_PHASE];
  DriveNumber force = function(law->length, bias[MOTOR_COGGING] * num_sin(angle),
                               bias[MOTOR_COGGING] * bias[MOTOR_POLES] * num_cos(angle));
  if (slot >= 0) {
    force = sum(1, force, -motor->dyn[MOTOR_BRISTLE_STIFFNESS], law->act[slot]);
    force = sum(1, force, -motor->dyn[MOTOR_BRISTLE_DAMPING], out->rate[slot]);
  }
  return force;
}

// Also current_share in smooth/drive/motor.c.
static mjtNum share_of_current(const Drive* out, const Motor* motor, const Law* law) {
  int current = law->slot[SLOT_CURRENT];
  mjtNum most = motor->dyn[MOTOR_CURRENT_RATE];
  if (current < 0) {
    return 1;
  }
  return most > 0 && mju_abs(out->rate[current].x) >= most
             ? 0
             : 1 - num_exp(-law->m->opt.timestep / motor->dyn[MOTOR_TIMECONST]);
}

// Also motor_by_length and motor_by_velocity in smooth/drive/motor.c.
static void motor_slopes(Drive* out, const Motor* motor, const Law* law, int is_saturated) {
  mjtNum K = motor->gain[MOTOR_CONSTANT], share = share_of_current(out, motor, law);
  out->by_length = out->by_velocity = constant(0);
  if (!is_saturated) {
    out->by_length = over(scale(motor->slope[0], K * share), motor->resistance);
    out->by_velocity =
        over(scale(minus(motor->slope[1], constant(K)), K * share), motor->resistance);
  }
  if (law->slot[SLOT_BRISTLE] >= 0 && law->m->actuator_biastype[law->i] == mjBIAS_DCMOTOR) {
    out->by_velocity = minus(out->by_velocity, constant(motor->dyn[MOTOR_BRISTLE_DAMPING]));
  }
}

// Also motor_force in smooth/drive/motor.c.
static Motor dcmotor_make(Drive* out, Law* law) {
  Motor motor = motor_make(law, out->nact);
  mjtNum K = motor.gain[MOTOR_CONSTANT];
  DriveNumber u[DRIVE_CONTROLS];
  memcpy(u, law->u, sizeof u);
  if (law->slot[SLOT_SLEW] >= 0 && out->nctrl) {
    DriveNumber step = constant(motor.dyn[MOTOR_SLEW] * law->m->opt.timestep);
    DriveNumber before = activation_of(law, SLOT_SLEW);
    u[0] = between(&out->kinks, u[0], minus(before, step), plus(before, step));
  }
  DriveNumber voltage =
      plus(input_of(law, u, mjINPUT_VOLTAGE), controller_voltage(out, &motor, law, u));
  DriveNumber steady = steady_current_of(&motor, law, voltage);
  motor_rates_of(out, &motor, law, out->nctrl ? u[0] : constant(0), steady);
  motor_next(out, &motor, law);
  int current = law->slot[SLOT_CURRENT];
  out->force = scale(current >= 0 ? out->next[current] : steady, K);
  out->friction = friction_of(out, &motor, law);
  return motor;
}

void drive_make(Drive* out, const mjModel* m, const mjData* d, int i) {
  memset(out, 0, sizeof *out);
  Law law = law_now(out, m, d, i);
  if (m->actuator_gaintype[i] == mjGAIN_DCMOTOR) {
    Motor motor = dcmotor_make(out, &law);
    motor_slopes(out, &motor, &law, actuator_is_saturated(m, d, i, &out->force.x));
  } else {
    const mjtNum* bias = m->actuator_biasprm + mjNBIAS * i;
    pid_make(out, &law);
    int is_free = !actuator_is_saturated(m, d, i, &out->force.x);
    out->by_length = constant(is_free ? bias[1] : 0);
    out->by_velocity = constant(is_free ? bias[2] : 0);
  }
  if (actuator_is_disabled(m, i)) {  // activations stay
    for (int k = 0; k < out->nact; k++) {
      int is_limited = m->actuator_gaintype[i] == mjGAIN_PID && m->actuator_actlimited[i];
      const mjtNum* range = m->actuator_actrange + 2 * i;
      out->rate[k] = constant(0);
      out->next[k] = is_limited
                         ? between(&out->kinks, law.act[k], constant(range[0]), constant(range[1]))
                         : law.act[k];
    }
  }
}
