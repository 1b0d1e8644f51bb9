// lever_constants.c: the numbers of actuators, muscles, tendons and their paths.

#include <mujoco/api/base.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"
#include "base/transmission.h"
#include "lanes/setup/put.h"

// actuators and tendons

// Also activation_rate in smooth/actuation.c.
static void put_actuator(ActuatorConstants* c, const mjModel* m, int i) {
  const mjtNum *gain = m->actuator_gainprm + mjNGAIN * i, *bias = m->actuator_biasprm + mjNBIAS * i;
  int group = m->actuator_group[i], dynamics = m->actuator_dyntype[i];
  int off = group >= 0 && group <= 30 && (m->opt.disableactuator & (1 << group));
  int affine = m->actuator_gaintype[i] == mjGAIN_AFFINE;
  int pulls = m->actuator_biastype[i] == mjBIAS_AFFINE;
  mjtNum h = m->opt.timestep, tau = num_max(mjMINVAL, m->actuator_dynprm[mjNDYN * i]);
  int clamps = !(m->opt.disableflags & mjDSBL_CLAMPCTRL);
  put_range(c->control, clamps && m->actuator_ctrllimited[i], m->actuator_ctrlrange + 2 * i);
  put_range(c->force, m->actuator_forcelimited[i], m->actuator_forcerange + 2 * i);
  put_range(c->activation, m->actuator_actlimited[i], m->actuator_actrange + 2 * i);
  for (int k = 0; k < 3; k++) {
    c->gain[k] = off || (k && !affine) ? 0 : gain[k];
    c->bias[k] = off || !pulls ? 0 : bias[k];
  }
  c->rate = dynamics == mjDYN_INTEGRATOR ? 1 : 1 / tau;
  mjtNum advance = dynamics == mjDYN_FILTEREXACT ? tau * (1 - num_exp(-h / tau)) : h;
  c->advance = off ? 0 : advance;
}

// Also in base/muscle.c.
static void put_curve(MuscleCurve* c, const mjModel* m, int i, const mjtNum* prm) {
  int group = m->actuator_group[i];
  int off = group >= 0 && group <= 30 && (m->opt.disableactuator & (1 << group));
  const mjtNum* range = m->actuator_lengthrange + 2 * i;
  mjtNum unit = (range[1] - range[0]) / num_max(mjMINVAL, prm[1] - prm[0]);
  mjtNum peak = prm[2] < 0 ? prm[3] / num_max(mjMINVAL, m->actuator_acc0[i]) : prm[2];
  *c = (MuscleCurve){
      .peak = off ? 0 : peak,
      .passive = off ? 0 : peak * prm[7],
      .first = prm[0],
      .shortest = range[0],
      .per_length = 1 / num_max(mjMINVAL, unit),
      .least = prm[4],
      .most = prm[5],
      .per_rise = 1 / num_max(mjMINVAL, mju_abs(1 - prm[4]) / 2),
      .per_fall = 1 / num_max(mjMINVAL, mju_abs(prm[5] - 1) / 2),
      .per_velocity = 1 / num_max(mjMINVAL, unit * prm[6]),
      .fvmax = prm[8],
      .per_excess = 1 / num_max(mjMINVAL, prm[8] - 1),
      .per_passive = 1 / num_max(mjMINVAL, (prm[5] - 1) / 2),
  };
}

static void put_muscle(MuscleConstants* c, const mjModel* m, int i) {
  const mjtNum* prm = m->actuator_dynprm + mjNDYN * i;
  put_curve(&c->gain, m, i, m->actuator_gainprm + mjNGAIN * i);
  put_curve(&c->bias, m, i, m->actuator_biasprm + mjNBIAS * i);
  c->dynamics = (MuscleDynamics){prm[0], prm[1], 1 / num_max(mjMINVAL, prm[2])};
}

static void put_site(FrameConstants* c, const mjModel* m, int site) {
  LaneFrame frame = lane_frame(m, mjOBJ_SITE, site);
  put_frame(c, m, &frame);
}

static void put_gear(TransmissionConstants* c, const mjModel* m, int i) {
  const int* at = m->actuator_trnid + 2 * i;
  mju_copy(c->gear, m->actuator_gear + 6 * i, 6);
  c->rod = m->actuator_cranklength[i];
  for (int side = 0; side < 2 && transmission_on_site(m->actuator_trntype[i]); side++) {
    if (at[side] >= 0) {
      put_site(c->frame + side, m, at[side]);
    }
  }
}

static void put_tendon(TendonConstants* c, const mjModel* m, int id) {
  *c = (TendonConstants){m->tendon_stiffness[id],
                         m->tendon_damping[id],
                         {m->tendon_lengthspring[2 * id], m->tendon_lengthspring[2 * id + 1]},
                         m->tendon_armature[id]};
}

// Coefficients of the terms of an actuator or, with gear 1, of a tendon.
static void put_terms(mjtNum* out, const LaneStructure* s, const mjModel* m,
                      const LaneActuator* actuator, mjtNum gear) {
  for (int t = actuator->term; t < actuator->term + actuator->nterm; t++) {
    int wrap = s->term[t].wrap;
    out[t] = wrap < 0 ? gear : gear * m->wrap_prm[wrap];
  }
}

// Also path_follow in smooth/tendon_path.c.
static void put_paths(Constants* c, const LaneStructure* s, const mjModel* m) {
  for (int k = 0; k < s->npoint; k++) {
    put_site(c->point + k, m, s->point[k].site);
  }
  for (int k = 0; k < s->nwrapped; k++) {
    LaneFrame frame = lane_frame(m, mjOBJ_GEOM, s->wrapped[k].geom);
    put_frame(c->wrapped + k, m, &frame);
  }
  for (int k = 0; k < s->npiece; k++) {
    const LanePiece* piece = s->piece + k;
    c->piece[k].scale = piece->pulley < 0 ? 1 : 1 / m->wrap_prm[piece->pulley];
    c->piece[k].radius = piece->wrapped < 0 ? 0 : m->geom_size[3 * s->wrapped[piece->wrapped].geom];
  }
}

void put_levers(Constants* c, const LaneStructure* s, const mjModel* m) {
  for (int k = 0; k < s->nactuator; k++) {
    int i = s->actuator[k].id, muscle = s->actuator[k].muscle;
    int on_path = s->actuator[k].lever >= 0 && m->actuator_trntype[i] == mjTRN_TENDON;
    put_actuator(c->actuator + k, m, i);
    c->actuator[k].gear = on_path ? m->actuator_gear[6 * i] : 1;
    put_terms(c->coefficient, s, m, s->actuator + k, m->actuator_gear[6 * i]);
    if (muscle >= 0) {
      put_muscle(c->muscle + muscle, m, i);
    }
  }
  for (int k = 0; k < s->ntransmission; k++) {
    put_gear(c->transmission + k, m, s->transmission[k].actuator);
  }
  for (int k = 0; k < s->nspring; k++) {
    put_tendon(c->tendon + k, m, s->spring[k].id);
    put_terms(c->coefficient, s, m, s->spring + k, 1);
  }
  for (int k = 0; k < s->npulled; k++) {
    mju_copy(c->pull + 2 * k, m->tendon_actfrcrange + 2 * s->pulled[k], 2);
  }
  put_paths(c, s, m);
}
