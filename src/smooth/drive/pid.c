// pid.c: a controller of position and velocity with an integral.
//
//   force = kp (u_pos - l) + kv (u_vel - v) + u_ff + ki z        dz/dt = u_pos - l
//
// u_pos may follow its control at a bounded rate; z may be bounded: beyond imax it grows no more.
// Where l is an angle, errors are taken modulo a turn.   theory/smooth/actuation.md, Controllers
// Also pid_make in derivative/smooth/drive.c.

#include <mujoco/api/base.h>

#include "base/actuator.h"
#include "base/algebra/vec.h"
#include "base/turn.h"
#include "smooth/drive/laws.h"

// Index of an activation in act, -1 if the actuator doesn't have it.
static int slew_of(const mjModel* m, int i) {
  int has = m->actuator_dynprm[mjNDYN * i + PID_SLEW] > 0 && m->actuator_actnum[i] > 0;
  return has ? m->actuator_actadr[i] : -1;
}

static int integral_of(const mjModel* m, int i) {
  int place = slew_of(m, i) >= 0, n = m->actuator_actnum[i];
  int has = m->actuator_gainprm[mjNGAIN * i + PID_INTEGRAL_GAIN] > 0 && place < n;
  return has && m->actuator_dyntype[i] == mjDYN_PID ? m->actuator_actadr[i] + place : -1;
}

// The target position: its control, or as near to that as the bound on its rate allows.
static mjtNum target(const mjModel* m, const mjData* d, int i, const mjtNum* u) {
  mjtNum pos = input_value(u, m->actuator_ctrlspec[i], mjINPUT_POS);
  int slew = slew_of(m, i);
  if (slew < 0) {
    return pos;
  }
  mjtNum step = m->actuator_dynprm[mjNDYN * i + PID_SLEW] * m->opt.timestep, a = d->act[slew];
  return num_clamp(a + turn_nearest(pos - a, actuator_turn(m, i)), a - step, a + step);
}

void pid_rates(const mjModel* m, mjData* d, int i, const mjtNum* u) {
  int slew = slew_of(m, i), integral = integral_of(m, i);
  mjtNum pos = target(m, d, i, u), length = d->actuator_length[m->actuator_outadr[i]];
  if (slew >= 0) {
    d->act_dot[slew] = (pos - d->act[slew]) / m->opt.timestep;
  }
  if (integral >= 0) {
    mjtNum error = turn_nearest(pos - length, actuator_turn(m, i)), z = d->act[integral];
    d->act_dot[integral] =
        integral_rate(error, z, m->actuator_dynprm[mjNDYN * i + PID_MOST_INTEGRAL]);
  }
}

mjtNum pid_force(const mjModel* m, const mjData* d, int i, const mjtNum* u) {
  const mjtNum* bias = m->actuator_biasprm + mjNBIAS * i;
  int out = m->actuator_outadr[i], spec = m->actuator_ctrlspec[i], integral = integral_of(m, i);
  mjtNum error = turn_nearest(target(m, d, i, u) - d->actuator_length[out], actuator_turn(m, i));
  mjtNum force = bias[0] - bias[1] * error + input_value(u, spec, mjINPUT_FF) -
                 bias[2] * (input_value(u, spec, mjINPUT_VEL) - d->actuator_velocity[out]);
  if (integral >= 0) {
    mjtNum z = d->act[integral];
    z += m->actuator_actearly[i] ? m->opt.timestep * d->act_dot[integral] : 0;
    force += m->actuator_gainprm[mjNGAIN * i + PID_INTEGRAL_GAIN] * z;
  }
  return force;
}
