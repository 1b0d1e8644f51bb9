// Bristles of sticking contacts and of friction loss: their springs in the reference acceleration,
// and their deformation at the end of a step.                  theory/contact/sticking.md, Bristles

#include "constraint/kept/stick.h"

#include <math.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"
#include "constraint/kept/memory.h"
#include "constraint/rows/directions.h"
#include "constraint/rows/impedance.h"
#include "constraint/rows/surface.h"
#include "model/data/arena.h"
#include "model/options.h"

// Relative distance within which a friction force is on the surface of its cone.
#define ON_SURFACE ((mjtNum)1e-9)

// A contact is calm if its normal force will surely stay constant (calmness, below). Change of that
// force, relative to it, up to which a contact counts as fully calm.
#define CALM ((mjtNum)1)

// The bristles of a contact along its friction directions 1 .. dim - 1; element 0 is not used.
typedef struct {
  const mjContact* contact;
  int dim, row, pyramidal;
  mjtNum k, b;     // stiffness 1/s^2, damping 1/s
  mjtNum drag, s;  // damping and scale of the reference (end_of_step)
  mjtNum z[6];     // deformation, m or rad
} Bristles;

static int has_bristles(const mjContact* contact) {
  return contact->efc_address >= 0 && contact->dim > 1;
}

// Projects the stored deformation to the tangents of the contact's present normal, keeping its
// length.
static void recall_deformation(mjtNum z[6], const mjContact* contact, const mjtNum* value) {
  memset(z, 0, 6 * sizeof(mjtNum));
  memcpy(z, value, contact->dim * sizeof(mjtNum));
  mjtNum now = z[1] * z[1] + z[2] * z[2], before = now + z[0] * z[0];
  if (now > 0) {
    mjtNum scale = mju_sqrt(before / now);
    z[1] *= scale;
    z[2] *= scale;
  }
  z[0] = 0;
}

// Spring and damper of a bristle act at the end of a discrete step, so that with v+ = v + h a and
// z+ = z + h v+ the reference is
//
//   aref = -((b + h k) v + k z) / s      s = 1 + h b + h^2 k
//
// and -b v - k z in others: drag = b, s = 1.
static void end_of_step(mjtNum* drag, mjtNum* s, const mjModel* m, mjtNum k, mjtNum b) {
  mjtNum h = options_is_discrete(m) ? m->opt.timestep : 0;
  *drag = b + h * k;
  *s = 1 + h * *drag;
}

// k and b of the friction rows. Rows of a pyramid have the contact's reference; those of an
// elliptic cone may have their own.
static void read_spring(Bristles* s, const mjModel* m, const mjData* d) {
  const mjtNum* KBIP = d->efc_KBIP + 4 * s->row;
  const mjtNum *own = s->contact->solreffriction, none[mjNREF] = {0, 0};
  mjtNum ref[mjNREF];
  s->k = KBIP[0] * KBIP[2];
  s->b = s->pyramidal ? KBIP[1] : KBIP[5];
  if (!s->pyramidal && (own[0] != 0 || own[1] != 0) && !reference_check(ref, m, own, none)) {
    s->k = reference_stiffness(ref, s->contact->solimp) * KBIP[2];
  }
  end_of_step(&s->drag, &s->s, m, s->k, s->b);
}

// k and b of a row of friction loss, from the solref of its dof or tendon.
static void loss_spring(mjtNum* k, mjtNum* b, const mjModel* m, const mjData* d, int row) {
  int id = d->efc_id[row], is_dof = d->efc_type[row] == mjCNSTR_FRICTION_DOF;
  const mjtNum* given = is_dof ? m->dof_solref + mjNREF * id : m->tendon_solref_fri + mjNREF * id;
  const mjtNum* solimp = is_dof ? m->dof_solimp + mjNIMP * id : m->tendon_solimp_fri + mjNIMP * id;
  const mjtNum* KBIP = d->efc_KBIP + 4 * row;
  mjtNum ref[mjNREF];
  reference_check(ref, m, given, DEFAULT_REFERENCE);
  *k = reference_stiffness(ref, solimp) * KBIP[2];
  *b = KBIP[1];
}

static Bristles bristles_of(const mjModel* m, const mjData* d, const mjContact* contact,
                            const mjtNum* value) {
  Bristles s = {.contact = contact,
                .dim = contact->dim,
                .row = contact->efc_address,
                .pyramidal = mj_isPyramidal(m)};
  recall_deformation(s.z, contact, value + s.row);
  read_spring(&s, m, d);
  return s;
}

// Adds the springs of the bristles to the reference acceleration of the friction directions:
//
//   aref = -b v - k z
//
// v is the slip velocity, z the deformation, k and b stiffness and damping (read_spring). In
// discrete steps (end_of_step) edges of a pyramid have the stiffness for h v already, as that of
// the normal is theirs; other rows know a damper alone, which is replaced.
void stick_reference(const mjModel* m, mjData* d) {
  size_t top = d->pstack;
  mjtNum* value = arena_push(d, d->nefc * sizeof(mjtNum), _Alignof(mjtNum));
  int discrete = options_is_discrete(m);
  if (!value || !d->nefc || !m->cnd_nmemory) {
    arena_pop(d, top);
    return;
  }
  memory_recall(value, m, d);
  for (int row = d->ne; row < d->ne + d->nf; row++) {
    mjtNum k, b;
    loss_spring(&k, &b, m, d, row);
    if (discrete) {
      mjtNum drag, s;
      end_of_step(&drag, &s, m, k, b);
      d->efc_aref[row] = -(drag * d->efc_vel[row] + k * value[row]) / s;
    } else {
      d->efc_aref[row] -= k * value[row];
    }
  }
  for (int i = 0; i < d->ncon; i++) {
    if (has_bristles(d->contact + i)) {
      Bristles s = bristles_of(m, d, d->contact + i, value);
      for (int k = 1; k < s.dim; k++) {
        s.z[k] *= -s.k / s.s;
      }
      for (int row = s.row + 1; discrete && !s.pyramidal && row < s.row + s.dim; row++) {
        d->efc_aref[row] = -s.drag * d->efc_vel[row] / s.s;
      }
      directions_add_motion(d->efc_aref + s.row, s.contact, s.pyramidal, s.z);
    }
  }
  arena_pop(d, top);
}

// Force, acceleration and new velocity of a contact along its directions.
typedef struct {
  mjtNum force[6], acc[6], vel[6];
} BristleMotion;

// Whether friction is at its limit. With mu_k = friction[k - 1] and the normal force f_0, the limit
// of an elliptic cone is sqrt(sum (f_k / mu_k)^2) = f_0, that of a pyramid sum |f_k| / mu_k = f_0.
static int is_sliding(const Bristles* s, const mjtNum* force) {
  mjtNum sum = 0;
  for (int k = 1; k < s->dim; k++) {
    mjtNum part = mju_abs(force[k]) / s->contact->friction[k - 1];
    sum += s->pyramidal ? part : part * part;
  }
  return (s->pyramidal ? sum : mju_sqrt(sum)) >= force[0] * (1 - ON_SURFACE);
}

// The yield aref - a of each direction where sliding begins.
//
// Elliptic cone: R f on its surface. A margin keeps the force on the surface when the normal force
// grows; (1 + margin) R f lifts the contact by margin mu^2 of its depth.
//
// Pyramid: edges yield x_0 +- mu_k x_k = -R f_edge, or nothing where that is positive. When
// sliding, the smaller edge of each pair has no force, and p_k = |f_k| / mu_k is the larger one's.
// x_0 has its least value when the smaller edge of the weakest pair is about to act: x_0 = -R p_min
// / 2.
static void surface_yield(mjtNum yield[6], const Bristles* s, const mjData* d,
                          const mjtNum* force) {
  const mjtNum *R = d->efc_R + s->row, *mu = s->contact->friction - 1;
  if (!s->pyramidal) {
    mjtNum margin = 1 / (2 * num_square(s->contact->mu));
    for (int k = 1; k < s->dim; k++) {
      yield[k] = (1 + margin) * R[k] * force[k];
    }
    return;
  }
  mjtNum weakest = HUGE_VAL;
  for (int k = 1; k < s->dim; k++) {
    weakest = num_min(weakest, mju_abs(force[k]) / mu[k]);
  }
  for (int k = 1; k < s->dim; k++) {
    mjtNum size = R[0] * (mju_abs(force[k]) / mu[k] - weakest / 2) / mu[k];
    yield[k] = force[k] < 0 ? -size : size;
  }
}

// Limits the deformation so that the spring's force stays on the surface of the cone, at the
// present acceleration and velocity:
//
//   k z = -(yield + a + b v)          if that is less, both measured along -f
//   k z = -(s (yield + a) + drag v)   in discrete steps, whose reference that is
//
// At high speed this z is negative: it cancels the part of the damping that exceeds the cone and
// would only lift the contact. A negative z is scaled by the contact's calmness.
static void limit(Bristles* s, int first, int end, const mjtNum* yield, const BristleMotion* motion,
                  mjtNum calm) {
  mjtNum most[6], excess = 0;
  for (int k = first; k < end; k++) {
    most[k] = -(s->s * (yield[k] + motion->acc[k]) + s->drag * motion->vel[k]) / s->k;
    if (most[k] * motion->force[k] > 0) {
      most[k] *= calm;
    }
    excess += -motion->force[k] * (s->z[k] - most[k]);
  }
  for (int k = first; k < end && excess > 0; k++) {
    s->z[k] = most[k];
  }
}

// How surely the normal force will stay constant, from 1 (surely) to 0. The change of the reference
// acceleration that the approach causes is compared with the row's present yield R f. A sliding
// pyramid has forces on single edges only and is never calm.
static mjtNum calmness(const Bristles* s, const mjData* d, const BristleMotion* motion) {
  mjtNum change = mju_abs(motion->acc[0]) + d->efc_KBIP[4 * s->row + 1] * mju_abs(motion->vel[0]);
  mjtNum now = CALM * d->efc_R[s->row] * motion->force[0];
  return s->pyramidal || !(now > 0) ? 0 : num_clamp(2 - change / now, 0, 1);
}

// Deformation after a step: it grows with the slip, is limited where the contact slides, and is
// zero without normal force. The directions of an elliptic cone share their friction.
//                                                               theory/contact/sticking.md, Sliding
static void bend(Bristles* s, const mjData* d, const BristleMotion* motion, mjtNum h) {
  mjtNum yield[6];
  for (int k = 1; k < s->dim; k++) {
    mjtNum z = s->z[k] + h * motion->vel[k];
    s->z[k] = isfinite(z) && motion->force[0] > 0 ? z : 0;
  }
  if (!(motion->force[0] > 0) || !(s->k > 0) || !is_sliding(s, motion->force)) {
    return;
  }
  surface_yield(yield, s, d, motion->force);
  mjtNum calm = calmness(s, d, motion);
  if (!s->pyramidal) {
    limit(s, 1, s->dim, yield, motion, calm);
    return;
  }
  for (int k = 1; k < s->dim; k++) {
    limit(s, k, k + 1, yield, motion, calm);
  }
}

// Turns the deformations by the mean spin of both bodies about the normal, over one step.
static void turn(Bristles* s, const mjModel* m, const mjData* d) {
  mjtNum spin = 0;
  for (int side = 0; side < 2; side++) {
    int geom = s->contact->geom[side];
    if (geom >= 0) {
      spin += v3_dot(d->cvel + 6 * m->geom_bodyid[geom], s->contact->frame) / 2;
    }
  }
  mjtNum angle = m->opt.timestep * spin;
  if (angle == 0 || !isfinite(angle)) {
    return;
  }
  mjtNum c = num_cos(angle), n = num_sin(angle);
  for (int k = 1; k < 6; k += 3) {
    mjtNum x = s->z[k], y = s->z[k + 1];
    s->z[k] = c * x - n * y;
    s->z[k + 1] = n * x + c * y;
  }
}

// z: tangents at 1 and 2, spin at 3, rolling at 4 and 5.
static void advance_contact(mjtNum* value, const mjModel* m, const mjData* d,
                            const mjContact* contact, const mjtNum* acc, const mjtNum* vel) {
  Bristles s = bristles_of(m, d, contact, value);
  BristleMotion motion = {0};
  directions_force(motion.force, contact, s.pyramidal, d->efc_force + s.row);
  directions_motion(motion.acc, contact, s.pyramidal, acc + s.row);
  directions_motion(motion.vel, contact, s.pyramidal, vel + s.row);
  bend(&s, d, &motion, m->opt.timestep);
  turn(&s, m, d);
  memcpy(value + s.row, s.z, s.dim * sizeof(mjtNum));
}

// Deformation of a row of friction loss after a step. Its force has a constant bound, while that of
// a contact follows a normal force that may grow. So at high speed damping alone reaches the bound,
// and z is zero.
//
//   k z = -(R f + a + b v)     while it slides, never against the slip
static void advance_loss(mjtNum* value, const mjModel* m, const mjData* d, int row,
                         const mjtNum* acc, const mjtNum* vel) {
  mjtNum k, b, drag, s, force = d->efc_force[row], z = value[row] + m->opt.timestep * vel[row];
  loss_spring(&k, &b, m, d, row);
  end_of_step(&drag, &s, m, k, b);
  if (k > 0 && mju_abs(force) >= d->efc_frictionloss[row] * (1 - ON_SURFACE)) {
    mjtNum most = -(s * (d->efc_R[row] * force + acc[row]) + drag * vel[row]) / k;
    most = most * force > 0 ? 0 : most;
    z = -force * (z - most) > 0 ? most : z;
  }
  value[row] = isfinite(z) && k > 0 ? z : 0;
}

static void forget_others(mjtNum* value, const mjData* d) {
  memset(value, 0, d->ne * sizeof(mjtNum));
  memset(value + d->ne + d->nf, 0, d->nl * sizeof(mjtNum));
}

// Advances the deformation z of all bristles by a step h, with the new velocity v, acceleration a,
// friction force f and regularizer R of each friction direction:
//
//   sticking   z+ = z + h v
//   sliding    z+ = -(R f + a + b v) / k     if that is less, along -f (bend, limit)
void stick_advance(const mjModel* m, mjData* d) {
  size_t top = d->pstack, n = d->nefc;
  mjtNum* value = arena_push(d, 3 * n * sizeof(mjtNum), _Alignof(mjtNum));
  if (!value || !n || !m->cnd_nmemory) {
    arena_pop(d, top);
    if (n && !m->cnd_nmemory) {
      mj_warning(d, cndWARN_MEMORY, 0);
    }
    memset(d->cnd_memory, 0, (size_t)m->cnd_nmemory * CND_NMEMORY * sizeof(mjtNum));
    return;
  }
  mjtNum *acc = value + n, *vel = acc + n;
  memory_recall(value, m, d);
  mj_mulJacVec(m, d, acc, d->qacc);
  mj_mulJacVec(m, d, vel, d->qvel);
  if (m->flg_surfacevel) {
    surface_add_velocity(vel, m, d);
  }
  forget_others(value, d);
  for (int row = d->ne; row < d->ne + d->nf; row++) {
    advance_loss(value, m, d, row, acc, vel);
  }
  for (int i = 0; i < d->ncon; i++) {
    if (has_bristles(d->contact + i)) {
      advance_contact(value, m, d, d->contact + i, acc, vel);
    }
  }
  memory_store(m, d, value);
  arena_pop(d, top);
}
