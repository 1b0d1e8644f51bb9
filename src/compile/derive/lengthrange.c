// lengthrange.c: finds the shortest and longest length of an actuator by a simulation. A
// generalized force along its moment, scaled to a given acceleration, pulls until the motion, whose
// speed decays, has ended. Side 0 shortens, side 1 lengthens.  theory/model/model.md, Length ranges

#include <mujoco/api/base.h>
#include <mujoco/api/derive.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <mujoco/api/step.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "base/transmission.h"
#include "compile/derive/derive.h"
#include "model/checks/pair.h"

// more steps than this to one side mean wrong settings
static const mjtNum max_steps = (mjtNum)1e7;

// lower bound of the time constant of the decay
static const mjtNum timeconst_min = (mjtNum)0.01;

static int fail(char* error, int error_sz, const char* format, ...) mjPRINTFLIKE(3, 4);

static int fail(char* error, int error_sz, const char* format, ...) {
  if (error && error_sz > 0) {
    va_list args;
    va_start(args, format);
    vsnprintf(error, (size_t)error_sz, format, args);
    va_end(args);
  }
  return 0;
}

static int wanted(const mjModel* m, int index, const mjLROpt* opt) {
  int gain = m->actuator_gaintype[index], bias = m->actuator_biastype[index];
  int muscle = gain == mjGAIN_MUSCLE || bias == mjBIAS_MUSCLE;
  int user = gain == mjGAIN_USER || bias == mjBIAS_USER;
  const mjtNum* range = m->actuator_lengthrange + 2 * m->actuator_outadr[index];
  if (opt->mode == mjLRMODE_NONE || gain == mjGAIN_SO3 ||
      (opt->mode == mjLRMODE_MUSCLE && !muscle) ||
      (opt->mode == mjLRMODE_MUSCLEUSER && !muscle && !user)) {
    return 0;
  }
  return !(opt->useexisting && range[0] < range[1]);
}

// The range of a limited joint or tendon that the actuator drives; NULL if there is none.
static const mjtNum* limit_of(const mjModel* m, int index) {
  int joint = actuator_joint(m, index), tendon = actuator_tendon(m, index);
  if (joint >= 0 && m->jnt_limited[joint]) {
    return m->jnt_range + 2 * joint;
  }
  return tendon >= 0 && m->tendon_limited[tendon] ? m->tendon_range + 2 * tendon : NULL;
}

// qfrc_applied = direction f g, where g is the moment row. f gives the acceleration M^-1 f g the
// wanted norm, with |f g| at most maxforce. qacc serves as work space, because the step overwrites
// it.
static void pull(const mjModel* m, mjData* d, int index, mjtNum direction, const mjLROpt* opt) {
  mjtNum *force = d->qfrc_applied, *acceleration = d->qacc;
  mju_zero(force, m->nv);
  int row = m->actuator_outadr[index];
  for (int k = d->moment_rowadr[row]; k < d->moment_rowadr[row] + d->moment_rownnz[row]; k++) {
    force[d->moment_colind[k]] = d->actuator_moment[k];
  }
  mj_solveM(m, d, acceleration, force, 1);
  mjtNum scale = opt->accel / num_max(mjMINVAL, mju_norm(acceleration, m->nv));
  mjtNum norm = scale * mju_norm(force, m->nv);
  if (opt->maxforce > 0 && norm > opt->maxforce) {
    scale *= opt->maxforce / norm;
  }
  mju_scl(force, force, direction * scale, m->nv);
}

// Smallest and largest length in the last interval of a pull to one side. Returns 0 if the
// simulation was reset.
static int range_of_side(mjtNum range[2], const mjModel* m, mjData* d, int index, int side,
                         const mjLROpt* opt) {
  mjtNum decay = num_exp(-m->opt.timestep / num_max(timeconst_min, opt->timeconst));
  int first = 1;
  range[0] = range[1] = 0;
  mj_resetData(m, d);
  while (d->time < opt->inttotal) {
    mjtNum before = d->time;
    mju_scl(d->qvel, d->qvel, decay, m->nv);
    mj_step1(m, d);
    pull(m, d, index, (mjtNum)(2 * side - 1), opt);
    mj_step2(m, d);
    // a reset in either half of the step sets the time back
    if (!(d->time > before)) {
      return 0;
    }
    if (d->time > opt->inttotal - opt->interval) {
      mjtNum length = d->actuator_length[m->actuator_outadr[index]];
      range[0] = first ? length : num_min(range[0], length);
      range[1] = first ? length : num_max(range[1], length);
      first = 0;
    }
  }
  return 1;
}

int mj_setLengthRange(mjModel* m, mjData* d, int index, const mjLROpt* opt, char* error,
                      int error_sz) {
  check_pair(m, d);
  check_given(opt);
  if (index < 0 || index >= (int)m->nactuator) {
    mju_error("mj_setLengthRange: there is no actuator %d", index);
  }
  if (!wanted(m, index, opt)) {
    return 1;
  }
  mjtNum* out = m->actuator_lengthrange + 2 * m->actuator_outadr[index];
  const mjtNum* limit = opt->uselimit ? limit_of(m, index) : NULL;
  if (limit) {
    out[0] = limit[0];
    out[1] = limit[1];
    return 1;
  }

  if (!(opt->inttotal <= max_steps * m->opt.timestep)) {
    return fail(error, error_sz,
                "Lengthrange simulation of actuator %d would take more than %g steps: inttotal %g, "
                "timestep %g",
                index, (double)max_steps, (double)opt->inttotal, (double)m->opt.timestep);
  }
  mjtNum side[2][2];
  if (!range_of_side(side[0], m, d, index, 0, opt) ||
      !range_of_side(side[1], m, d, index, 1, opt)) {
    return fail(error, error_sz, "Unstable lengthrange simulation in actuator %d", index);
  }
  mjtNum low = side[0][0], high = side[1][1];
  if (high <= low) {
    return fail(error, error_sz, "Invalid lengthrange (%g, %g) in actuator %d", (double)low,
                (double)high, index);
  }
  for (int s = 0; s < 2; s++) {
    if (side[s][1] - side[s][0] > opt->tolrange * (high - low)) {
      return fail(error, error_sz,
                  "Lengthrange computation did not converge in actuator %d:\n"
                  "  eval (%g, %g)\n  range (%g, %g)",
                  index, (double)side[s][0], (double)side[s][1], (double)low, (double)high);
    }
  }
  out[0] = low;
  out[1] = high;
  return 1;
}

int derive_lengthranges(mjModel* m, mjData* d, const mjLROpt* opt, char* error, int error_sz) {
  mjOption saved = m->opt;
  int i = 0;
  m->opt.disableflags = mjDSBL_FRICTIONLOSS | mjDSBL_CONTACT | mjDSBL_SPRING | mjDSBL_DAMPER |
                        mjDSBL_GRAVITY | mjDSBL_ACTUATION;
  if (opt->timestep > 0) {
    m->opt.timestep = opt->timestep;
  }
  while (i < (int)m->nactuator && mj_setLengthRange(m, d, i, opt, error, error_sz)) {
    i++;
  }
  m->opt = saved;
  return i < (int)m->nactuator ? i : -1;
}
