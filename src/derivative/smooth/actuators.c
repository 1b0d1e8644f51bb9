// Derivatives of actuator forces by length, velocity, activation and control; clamps of the
// actuator, its tendon and its joint; and their kinks.
//
//   qfrc = sum moment' p,   p = gain(l, l') x + bias(l, l')       l' = moment . v
//   dp = p_l dl + p_l' (moment . dv + (D moment) . v) + p_w dw + p_u du
//                                                       theory/time/exact-derivatives.md, Actuators

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"
#include "base/muscle.h"
#include "base/transmission.h"
#include "derivative/smooth/forces.h"
#include "derivative/tree/kink.h"
#include "model/options.h"
#include "smooth/actuation.h"
#include "smooth/passive.h"

static inline int last_activation(const mjModel* m, int i) {
  return m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
}

// activations

// d(act_dot) / d(act, ctrl) of the last activation of an actuator that is no drive.
// Also activation_rate in smooth/actuation.c.
static void rate_derivative(mjtNum out[2], const mjModel* m, const mjData* d, int i) {
  const mjtNum* prm = m->actuator_dynprm + mjNDYN * i;
  int is_free, last = last_activation(m, i), c = m->actuator_ctrladr[i];
  mjtNum u = drive_control(&is_free, m, d, c), derivative[2];
  int is_at_upper_limit = m->actuator_ctrllimited[c] && u >= m->actuator_ctrlrange[2 * c + 1];
  out[0] = out[1] = 0;
  switch (m->actuator_dyntype[i]) {
    case mjDYN_INTEGRATOR:
      out[1] = 1;
      break;
    case mjDYN_FILTER:
    case mjDYN_FILTEREXACT:
      out[1] = 1 / num_max(mjMINVAL, prm[0]);
      out[0] = -out[1];
      break;
    case mjDYN_MUSCLE:
      muscle_dynamics_derivative(derivative, u, d->act[last], prm, is_at_upper_limit);
      out[0] = derivative[1];
      out[1] = derivative[0];
      break;
    default:
      break;
  }
  out[1] = is_free ? out[1] : 0;
}

mjtNum activation_time(const mjModel* m, int i, int j) {
  mjtNum h = m->opt.timestep;
  int type = m->actuator_dyntype[i];
  // the current is the last activation of a motor that has one
  int is_current = actuator_is_drive(m, i) && type == mjDYN_DCMOTOR && j == last_activation(m, i) &&
                   m->actuator_dynprm[mjNDYN * i + MOTOR_TIMECONST] > 0;
  if (type != mjDYN_FILTEREXACT && !is_current) {
    return h;
  }
  mjtNum tau = num_max(mjMINVAL, m->actuator_dynprm[mjNDYN * i]);
  return tau * (1 - num_exp(-h / tau));
}

int activation_is_clamped(const mjModel* m, int i, int j, mjtNum act) {
  const mjtNum* range = m->actuator_actrange + 2 * i;
  mjtNum bound[2] = {-1, 1};
  int is_limited = m->actuator_actlimited[i];
  if (m->actuator_gaintype[i] == mjGAIN_DCMOTOR) {
    mjtNum most = m->actuator_dynprm[mjNDYN * i + MOTOR_MOST_INTEGRAL];
    int has_slew = m->actuator_dynprm[mjNDYN * i + MOTOR_SLEW] > 0;
    is_limited = m->actuator_gainprm[mjNGAIN * i + MOTOR_KI] > 0 &&
                 j == m->actuator_actadr[i] + has_slew && most > 0;
    bound[0] *= most;
    bound[1] *= most;
    range = bound;
  }
  return is_limited && (act < range[0] || act > range[1]);
}

// d(next activation) / d(act, ctrl), for activation j of an actuator that is no drive.
static void next_derivative(mjtNum out[2], const mjModel* m, const mjData* d, int i, int j) {
  mjtNum h = activation_time(m, i, j), derivative[2] = {0, 0}, rate = d->act_dot[j];
  if (j == last_activation(m, i)) {
    rate_derivative(derivative, m, d, i);
  }
  if (actuator_is_disabled(m, i)) {
    derivative[0] = derivative[1] = rate = 0;
  }
  out[0] = 1 + h * derivative[0];
  out[1] = h * derivative[1];
  if (activation_is_clamped(m, i, j, d->act[j] + h * rate)) {
    out[0] = out[1] = 0;
  }
}

// row += scale times a number of the law of an actuator.
static void add_number(ForceTerms* row, const mjModel* m, mjData* d, int i, const Twists* W,
                       const DriveNumber* number, mjtNum scale) {
  mjtNum by_length = scale * number->by[DRIVE_BY_LENGTH],
         by_velocity = scale * number->by[DRIVE_BY_VELOCITY];
  if (by_length != 0) {
    transmission_length_derivative(row->q, m, d, i, by_length);
  }
  if (by_velocity != 0) {
    int adr = d->moment_rowadr[i];
    transmission_rate_derivative(row->q, m, d, i, W, by_velocity);
    for (int k = adr; k < adr + d->moment_rownnz[i]; k++) {
      row->v[d->moment_colind[k]] += by_velocity * d->actuator_moment[k];
    }
  }
  for (int k = 0; m->actuator_actadr[i] >= 0 && k < m->actuator_actnum[i]; k++) {
    row->act[m->actuator_actadr[i] + k] += scale * number->by[DRIVE_BY_ACTIVATION + k];
  }
  for (int k = 0; k < m->actuator_ctrlnum[i]; k++) {
    row->ctrl[m->actuator_ctrladr[i] + k] += scale * number->by[DRIVE_BY_CONTROL + k];
  }
}

void activation_rate_row(ForceTerms* row, const mjModel* m, mjData* d, int i, int j,
                         const Twists* W, mjtNum scale) {
  mjtNum derivative[2];
  if (actuator_is_drive(m, i)) {
    Drive drive;
    drive_make(&drive, m, d, i);
    add_number(row, m, d, i, W, drive.rate + (j - m->actuator_actadr[i]), scale);
  } else if (j == last_activation(m, i)) {
    rate_derivative(derivative, m, d, i);
    row->act[j] += scale * derivative[0];
    row->ctrl[m->actuator_ctrladr[i]] += scale * derivative[1];
  }
}

void activation_next_row(ForceTerms* row, const mjModel* m, mjData* d, int i, int j,
                         const Twists* W, mjtNum scale) {
  mjtNum derivative[2] = {1, 0};
  if (m->opt.disableflags & mjDSBL_ACTUATION) {
    row->act[j] += scale;
  } else if (actuator_is_drive(m, i)) {
    Drive drive;
    drive_make(&drive, m, d, i);
    add_number(row, m, d, i, W, drive.next + (j - m->actuator_actadr[i]), scale);
  } else {
    next_derivative(derivative, m, d, i, j);
    row->act[j] += scale * derivative[0];
    row->ctrl[m->actuator_ctrladr[i]] += scale * derivative[1];
  }
}

// forces

typedef struct {
  mjtNum value, by_length, by_velocity;
} Curve;

static mjtNum gain_of(const mjModel* m, const mjData* d, int i) {
  const mjtNum* prm = m->actuator_gainprm + mjNGAIN * i;
  mjtNum l = d->actuator_length[i], v = d->actuator_velocity[i];
  switch (m->actuator_gaintype[i]) {
    case mjGAIN_FIXED:
      return prm[0];
    case mjGAIN_AFFINE:
      return actuator_affine(prm, l, v);
    case mjGAIN_MUSCLE:
      return mju_muscleGain(l, v, m->actuator_lengthrange + 2 * i, m->actuator_acc0[i], prm);
    default:
      return 1;
  }
}

static mjtNum bias_of(const mjModel* m, const mjData* d, int i) {
  const mjtNum* prm = m->actuator_biasprm + mjNBIAS * i;
  mjtNum l = d->actuator_length[i];
  switch (m->actuator_biastype[i]) {
    case mjBIAS_AFFINE:
      return actuator_affine(prm, l, d->actuator_velocity[i]);
    case mjBIAS_MUSCLE:
      return mju_muscleBias(l, m->actuator_lengthrange + 2 * i, m->actuator_acc0[i], prm);
    default:
      return 0;
  }
}

static ActuatorDerivative of_number(const mjModel* m, int i, const DriveNumber* number) {
  ActuatorDerivative out = {.force = number->x,
                            .by_length = number->by[DRIVE_BY_LENGTH],
                            .by_velocity = number->by[DRIVE_BY_VELOCITY],
                            .act = m->actuator_actadr[i],
                            .nact = m->actuator_actadr[i] < 0 ? 0 : m->actuator_actnum[i],
                            .ctrl = m->actuator_ctrladr[i],
                            .nctrl = m->actuator_ctrlnum[i]};
  mju_copy(out.by_act, number->by + DRIVE_BY_ACTIVATION, DRIVE_ACTIVATIONS);
  mju_copy(out.by_ctrl, number->by + DRIVE_BY_CONTROL, DRIVE_CONTROLS);
  return out;
}

ActuatorDerivative actuator_friction(const mjModel* m, const mjData* d, int i) {
  Drive drive;
  if (m->actuator_gaintype[i] != mjGAIN_DCMOTOR) {
    return (ActuatorDerivative){.force = 0};
  }
  drive_make(&drive, m, d, i);
  return of_number(m, i, &drive.friction);
}

// p = gain x + bias:  p_l = gain_l x + bias_l, p_l' = gain_l' x + bias_l', p_w or p_u = gain times
// dx/dw, dx/du
// Also actuator_forces in smooth/actuation.c.
ActuatorDerivative actuator_derivative(const mjModel* m, const mjData* d, int i) {
  if (actuator_is_drive(m, i)) {
    Drive drive;
    drive_make(&drive, m, d, i);
    return of_number(m, i, &drive.force);
  }
  Curve gain = {gain_of(m, d, i), actuator_gain_by_length(m, d, i),
                actuator_gain_by_velocity(m, d, i)};
  Curve bias = {bias_of(m, d, i), actuator_bias_by_length(m, d, i),
                actuator_bias_by_velocity(m, i)};
  mjtNum input, next[2];
  ActuatorDerivative derivative = {.ctrl = m->actuator_ctrladr[i], .nctrl = 1};
  if (m->actuator_actadr[i] < 0) {
    int is_free;
    input = drive_control(&is_free, m, d, derivative.ctrl);
    derivative.input_by_ctrl = is_free;
  } else {
    int last = last_activation(m, i);
    derivative.act = last;
    derivative.nact = 1;
    input = d->act[last];
    derivative.input_by_act = 1;
    if (m->actuator_actearly[i]) {
      input = actuator_next_activation(m, d, i, last, d->act_dot[last]);
      next_derivative(next, m, d, i, last);
      derivative.input_by_act = next[0];
      derivative.input_by_ctrl = next[1];
    }
  }
  derivative.by_act[0] = gain.value * derivative.input_by_act;
  derivative.by_ctrl[0] = gain.value * derivative.input_by_ctrl;
  derivative.input = input;
  derivative.force = gain.value * input + bias.value;
  derivative.by_length = gain.by_length * input + bias.by_length;
  derivative.by_velocity = gain.by_velocity * input + bias.by_velocity;
  return derivative;
}

// clamps

// Whether the total force of the actuators of a tendon is out of its range; total: that force.
static int tendon_is_clamped(mjtNum* total, const mjModel* m, const mjData* d, int tendon) {
  *total = 0;
  if (!m->tendon_actfrclimited[tendon]) {
    return 0;
  }
  for (int i = 0; i < (int)m->nactuator; i++) {
    int is_here = actuator_tendon(m, i) == tendon;
    if (is_here && !actuator_is_disabled(m, i)) {
      *total += actuator_derivative(m, d, i).force;
    }
  }
  const mjtNum* range = m->tendon_actfrcrange + 2 * tendon;
  return *total != 0 && (*total < range[0] || *total > range[1]);
}

// The force of an actuator before its range, after that of its tendon.
static mjtNum force_before_range(const mjModel* m, const mjData* d, int i) {
  mjtNum total, force = actuator_derivative(m, d, i).force;
  int tendon = actuator_tendon(m, i);
  if (tendon >= 0 && tendon_is_clamped(&total, m, d, tendon)) {
    const mjtNum* limit = m->tendon_actfrcrange + 2 * tendon;
    force *= (total < limit[0] ? limit[0] : limit[1]) / total;
  }
  return force;
}

// The force after its range, or the one before where friction was added to the former.
static mjtNum ranged_force(const mjModel* m, const mjData* d, int i) {
  return m->actuator_gaintype[i] == mjGAIN_DCMOTOR ? force_before_range(m, d, i)
                                                   : d->actuator_force[i];
}

// Whether the force of an actuator is at or beyond an end of its range.
static int is_saturated(const mjModel* m, const mjData* d, int i) {
  const mjtNum* range = m->actuator_forcerange + 2 * i;
  mjtNum force = ranged_force(m, d, i);
  return m->actuator_forcelimited[i] && (force <= range[0] || force >= range[1]);
}

// kinks

// size of the terms that the force of an actuator is the sum of
static mjtNum force_scale(const ActuatorDerivative* derivative, const mjModel* m, const mjData* d,
                          int i) {
  const mjtNum* prm = m->actuator_biasprm + mjNBIAS * i;
  mjtNum scale = mju_abs(derivative->force);
  if (m->actuator_biastype[i] == mjBIAS_AFFINE) {
    scale += mju_abs(prm[0]) + mju_abs(prm[1] * d->actuator_length[i]) +
             mju_abs(prm[2] * d->actuator_velocity[i]);
  }
  return scale;
}

// Whether the force of an actuator depends on anything.
static int is_moved(const ActuatorDerivative* derivative) {
  int moved = derivative->by_length != 0 || derivative->by_velocity != 0;
  for (int k = 0; k < derivative->nact; k++) {
    moved |= derivative->by_act[k] != 0;
  }
  for (int k = 0; k < derivative->nctrl; k++) {
    moved |= derivative->by_ctrl[k] != 0;
  }
  return moved;
}

// c: one of its controls
static int control_kinks(const mjModel* m, const mjData* d, int i, int c) {
  static const mjtNum kUnit[2] = {0, 1};
  const mjtNum *range = m->actuator_ctrlrange + 2 * c, *prm = m->actuator_dynprm + mjNDYN * i;
  int is_limited = m->actuator_ctrllimited[c] && !(m->opt.disableflags & mjDSBL_CLAMPCTRL);
  int is_free, is_muscle = m->actuator_dyntype[i] == mjDYN_MUSCLE;
  mjtNum u = drive_control(&is_free, m, d, c), scale = mju_abs(d->ctrl[c]);
  int is_at_end = (is_limited && kink_is_at_end(d->ctrl[c], range, scale)) ||
                  (is_muscle && is_free && kink_is_at_end(u, kUnit, scale));
  int within =
      is_muscle ? muscle_dynamics_kinks(u, d->act[last_activation(m, i)], prm, KINK_ROUNDING) : 0;
  return is_at_end + within;
}

static int activation_kinks(const mjModel* m, const mjData* d, int i) {
  int kinks = 0, adr = m->actuator_actadr[i];
  if (actuator_is_drive(m, i)) {
    Drive drive;
    drive_make(&drive, m, d, i);
    return drive.kinks;
  }
  for (int j = adr; m->actuator_actlimited[i] && j < adr + m->actuator_actnum[i]; j++) {
    mjtNum step = activation_time(m, i, j) * d->act_dot[j], act = d->act[j];
    kinks += kink_is_at_end(act + step, m->actuator_actrange + 2 * i, mju_abs(act) + mju_abs(step));
  }
  return kinks;
}

static int gain_kinks(const mjModel* m, const mjData* d, int i) {
  int is_second = options_is_implicit(m) || options_is_discrete(m);
  return m->actuator_gaintype[i] == mjGAIN_MUSCLE &&
         muscle_gain_kinks(d->actuator_velocity[i], m->actuator_lengthrange + 2 * i,
                           m->actuator_gainprm + mjNGAIN * i, is_second, KINK_ROUNDING) &&
         actuator_derivative(m, d, i).input != 0;
}

// Kinks of the clamp of an actuator's force. The force before the clamp is computed again, since
// its tendon may have scaled actuator_force.
static int force_kinks(const mjModel* m, const mjData* d, int i) {
  const mjtNum* range = m->actuator_forcerange + 2 * i;
  mjtNum clamped = ranged_force(m, d, i);
  if (!m->actuator_forcelimited[i] || !kink_is_at_end(clamped, range, mju_abs(clamped))) {
    return 0;
  }
  ActuatorDerivative derivative = actuator_derivative(m, d, i);
  mjtNum force = force_before_range(m, d, i), scale = force_scale(&derivative, m, d, i);
  return is_moved(&derivative) && kink_is_at_end(force, range, scale);
}

// Kinks of the clamp of a tendon's total actuator force.
static int tendon_kinks(const mjModel* m, const mjData* d, int tendon) {
  mjtNum total = 0, scale = 0;
  int is_driven = 0;
  for (int i = 0; i < (int)m->nactuator && m->tendon_actfrclimited[tendon]; i++) {
    int is_here = actuator_tendon(m, i) == tendon;
    if (is_here && !actuator_is_disabled(m, i)) {
      ActuatorDerivative derivative = actuator_derivative(m, d, i);
      total += derivative.force;
      scale += force_scale(&derivative, m, d, i);
      is_driven |= is_moved(&derivative);
    }
  }
  return is_driven && kink_is_at_end(total, m->tendon_actfrcrange + 2 * tendon, scale);
}

// Kinks of the clamp of a joint's total actuator force.
static int joint_kinks(const mjModel* m, const mjData* d, int joint) {
  const mjtNum* range = m->jnt_actfrcrange + 2 * joint;
  int dof = m->jnt_dofadr[joint];
  mjtNum total = d->qfrc_actuator[dof];
  if (!m->jnt_actfrclimited[joint] || !kink_is_at_end(total, range, mju_abs(total))) {
    return 0;
  }
  mjtNum gravcomp = m->jnt_actgravcomp[joint] ? d->qfrc_gravcomp[dof] : 0;
  mjtNum scale = mju_abs(gravcomp);
  total = gravcomp;
  int is_driven = 0;
  for (int i = 0; i < (int)m->nactuator; i++) {
    for (int k = d->moment_rowadr[i]; k < d->moment_rowadr[i] + d->moment_rownnz[i]; k++) {
      if (d->moment_colind[k] == dof && !actuator_is_disabled(m, i)) {
        ActuatorDerivative derivative = actuator_derivative(m, d, i);
        total += d->actuator_moment[k] * d->actuator_force[i];
        scale += mju_abs(d->actuator_moment[k]) * force_scale(&derivative, m, d, i);
        is_driven |= is_moved(&derivative);
      }
    }
  }
  return (is_driven || gravcomp != 0) && kink_is_at_end(total, range, scale);
}

static int actuators_kinks(const mjModel* m, const mjData* d) {
  int kinks = 0;
  for (int i = 0; i < (int)m->nactuator; i++) {
    if (!actuator_is_disabled(m, i)) {
      kinks += activation_kinks(m, d, i) + gain_kinks(m, d, i) + force_kinks(m, d, i);
      for (int k = 0; k < m->actuator_ctrlnum[i]; k++) {
        kinks += control_kinks(m, d, i, m->actuator_ctrladr[i] + k);
      }
    }
  }
  for (int i = 0; i < m->ntendon; i++) {
    kinks += tendon_kinks(m, d, i);
  }
  for (int i = 0; i < m->njnt; i++) {
    kinks += joint_kinks(m, d, i);
  }
  return kinks;
}

// moments

typedef struct {
  ForceJacobian* F;
  const Twists* W;
  mjtNum* by_length;  // scratch, nv
} Terms;

// F += scale moment_i' dp, with the derivative of a force p of actuator k
static void add_derivative(const Terms* t, const mjModel* m, mjData* d, int i, int k, mjtNum scale,
                           ActuatorDerivative derivative) {
  int nv = m->nv, n = d->moment_rownnz[i];
  const mjtNum* moment = d->actuator_moment + d->moment_rowadr[i];
  const int* col = d->moment_colind + d->moment_rowadr[i];
  for (int a = 0; a < n; a++) {
    mjtNum* act = t->F->act + (size_t)col[a] * (size_t)m->na + derivative.act;
    mjtNum* ctrl = t->F->ctrl + (size_t)col[a] * (size_t)m->nu + derivative.ctrl;
    for (int b = 0; b < derivative.nact; b++) {
      act[b] += derivative.by_act[b] != 0 ? scale * moment[a] * derivative.by_act[b] : 0;
    }
    for (int b = 0; b < derivative.nctrl; b++) {
      ctrl[b] += derivative.by_ctrl[b] != 0 ? scale * moment[a] * derivative.by_ctrl[b] : 0;
    }
  }
  if (derivative.by_velocity != 0) {
    int adr = d->moment_rowadr[k];
    add_product(t->F->v, nv, moment, col, n, d->actuator_moment + adr, d->moment_colind + adr,
                d->moment_rownnz[k], scale * derivative.by_velocity);
  }

  // scalar joints: the moment is constant, and the gradient of the length
  if (actuator_joint(m, k) >= 0 && d->moment_rownnz[k] == 1) {
    int adr = d->moment_rowadr[k];
    add_product(t->F->q, nv, moment, col, n, d->actuator_moment + adr, d->moment_colind + adr, 1,
                scale * derivative.by_length);
    return;
  }
  if (derivative.by_length == 0 && derivative.by_velocity == 0) {
    return;
  }
  mju_zero(t->by_length, nv);
  if (derivative.by_length != 0) {
    transmission_length_derivative(t->by_length, m, d, k, derivative.by_length);
  }
  if (derivative.by_velocity != 0) {
    transmission_rate_derivative(t->by_length, m, d, k, t->W, derivative.by_velocity);
  }
  add_product(t->F->q, nv, moment, col, n, t->by_length, NULL, nv, scale);
}

static void add_terms(void* out, const mjModel* m, mjData* d, int i, int k, mjtNum scale) {
  add_derivative(out, m, d, i, k, scale, actuator_derivative(m, d, k));
}

typedef void Share(void* out, const mjModel* m, mjData* d, int i, int k, mjtNum scale);

// Calls `share` for each dp_k on which the force of actuator i depends after clamps, with its
// factor. A tendon beyond its range scales the forces of its actuators:
//
//   p_i = range p_i / sum p_k:   dp_i = s (dp_i - p_i / total sum dp_k),  s = range / total
static void share_force(Share* share, void* out, const mjModel* m, mjData* d, int i) {
  mjtNum total;
  if (actuator_is_disabled(m, i) || is_saturated(m, d, i)) {
    return;
  }
  int tendon = actuator_tendon(m, i);
  if (tendon < 0 || !tendon_is_clamped(&total, m, d, tendon)) {
    share(out, m, d, i, i, 1);
    return;
  }
  const mjtNum* range = m->tendon_actfrcrange + 2 * tendon;
  mjtNum s = (total < range[0] ? range[0] : range[1]) / total;
  mjtNum part = actuator_derivative(m, d, i).force / total;
  for (int k = 0; k < (int)m->nactuator; k++) {
    int is_here = actuator_tendon(m, k) == tendon;
    if (is_here && !actuator_is_disabled(m, k)) {
      share(out, m, d, i, k, s * ((i == k) - part));
    }
  }
}

typedef struct {
  ForceTerms* F;
  const Twists* W;
} ForceRow;

static void add_to_row(const ForceRow* row, const mjModel* m, mjData* d, int k, mjtNum scale,
                       ActuatorDerivative derivative) {
  int adr = d->moment_rowadr[k];
  for (int a = adr; a < adr + d->moment_rownnz[k]; a++) {
    row->F->v[d->moment_colind[a]] += scale * derivative.by_velocity * d->actuator_moment[a];
  }
  transmission_length_derivative(row->F->q, m, d, k, scale * derivative.by_length);
  transmission_rate_derivative(row->F->q, m, d, k, row->W, scale * derivative.by_velocity);
  for (int b = 0; b < derivative.nact; b++) {
    row->F->act[derivative.act + b] += scale * derivative.by_act[b];
  }
  for (int b = 0; b < derivative.nctrl; b++) {
    row->F->ctrl[derivative.ctrl + b] += scale * derivative.by_ctrl[b];
  }
}

static void add_force_row(void* out, const mjModel* m, mjData* d, int i, int k, mjtNum scale) {
  (void)i;
  add_to_row(out, m, d, k, scale, actuator_derivative(m, d, k));
}

// Does the actuator have a force that no range clamps?
static int has_friction(const mjModel* m, int i) {
  return m->actuator_gaintype[i] == mjGAIN_DCMOTOR && !actuator_is_disabled(m, i);
}

void actuator_force_derivative(ForceTerms* F, const mjModel* m, mjData* d, int i, const Twists* W) {
  ForceRow row = {F, W};
  if (!(m->opt.disableflags & mjDSBL_ACTUATION)) {
    share_force(add_force_row, &row, m, d, i);
    if (has_friction(m, i)) {
      add_to_row(&row, m, d, i, 1, actuator_friction(m, d, i));
    }
  }
}

int dof_is_clamped(const mjModel* m, const mjData* d, int dof) {
  int joint = m->dof_jntid[dof];
  const mjtNum* range = m->jnt_actfrcrange + 2 * joint;
  mjtNum force = d->qfrc_actuator[dof];
  return m->jnt_actfrclimited[joint] && dof == m->jnt_dofadr[joint] &&
         (force <= range[0] || force >= range[1]);
}

static void add_clamps(ForceJacobian* F, const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nv; i++) {
    if (dof_is_clamped(m, d, i)) {
      mju_zero(F->q + (size_t)i * m->nv, m->nv);
      mju_zero(F->v + (size_t)i * m->nv, m->nv);
      mju_zero(F->act + (size_t)i * m->na, m->na);
      mju_zero(F->ctrl + (size_t)i * m->nu, m->nu);
    }
  }
}

// F += sum of moment' dp + (D moment') p over all actuators, then the clamps of joints
// Also mj_fwdActuation in smooth/actuation.c.
void actuators_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const Twists* W) {
  if (!m->nactuator || (m->opt.disableflags & mjDSBL_ACTUATION)) {
    return;
  }
  F->kinks += actuators_kinks(m, d);
  mj_markStack(d);
  Terms t = {F, W, mj_stackAllocNum(d, m->nv)};
  Load* loads = loads_make(m, d);
  mjtNum* follower = mj_stackAllocNum(d, 6 * m->nbody);
  mju_zero(follower, 6 * m->nbody);
  int moving = 0;
  for (int i = 0; i < (int)m->nactuator; i++) {
    share_force(add_terms, &t, m, d, i);
    if (has_friction(m, i)) {
      add_derivative(&t, m, d, i, i, 1, actuator_friction(m, d, i));
    }
    int is_scalar = d->moment_rownnz[i] == 1 && m->actuator_trntype[i] == mjTRN_JOINT;
    if (d->actuator_force[i] != 0 && !is_scalar) {
      F->kinks += transmission_derivative(F->q, loads, follower, m, d, i, d->actuator_force[i]);
      moving = 1;
    }
  }
  if (moving) {
    loads_derivative(F->q, m, d, loads, 1);
    followers_derivative(F->q, m, d, follower);
  }
  int springs = mjDSBL_SPRING | mjDSBL_DAMPER;
  if (passive_has_gravcomp(m) && (m->opt.disableflags & springs) != springs) {
    gravcomp_add(F, m, d, 1);
  }
  add_clamps(F, m, d);
  mj_freeStack(d);
}
