#include "constraint/stick.h"

#include <math.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>

#include "base/vec.h"
#include "constraint/memory.h"
#include "constraint/restitution.h"
#include "constraint/rows/directions.h"
#include "constraint/rows/impedance.h"
#include "model/arena.h"

// A friction force this near to the surface of its cone, relatively, is on it.
#define ON_SURFACE ((mjtNum)1e-9)

// A contact whose normal force is about to change by less than this part of it is calm.
#define CALM ((mjtNum)1)

// Friction of a contact along its directions 1 .. dim - 1 (element 0 is not used), and its
// bristles.
typedef struct {
  const mjContact* contact;
  int dim, row, pyramidal;
  mjtNum k, b;  // stiffness 1/s^2, damping 1/s
  mjtNum z[6];  // deformation, m or rad
} Bristles;

static int has_bristles(const mjContact* contact) {
  return contact->efc_address >= 0 && contact->dim > 1;
}

// Tangents of a contact turn with its normal; what was tangential stays so, and as long.
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

// k and b of the friction rows. Those of a pyramid have the reference of the contact; those of an
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

void stick_reference(const mjModel* m, mjData* d) {
  size_t top = d->pstack;
  mjtNum* value = arena_push(d, d->nefc * sizeof(mjtNum), _Alignof(mjtNum));
  if (!value || !d->nefc || !m->cnd_nmemory) {
    arena_pop(d, top);
    return;
  }
  memory_recall(value, m, d);
  for (int i = 0; i < d->ncon; i++) {
    if (has_bristles(d->contact + i)) {
      Bristles s = bristles_of(m, d, d->contact + i, value);
      for (int k = 1; k < s.dim; k++) {
        s.z[k] *= -s.k;
      }
      directions_add_motion(d->efc_aref + s.row, s.contact, s.pyramidal, s.z);
    }
  }
  arena_pop(d, top);
}

// What the step has found of a contact: force, acceleration and new velocity along its directions.
typedef struct {
  mjtNum force[6], acc[6], vel[6];
} Motion;

// Is friction as large as it may be? An elliptic cone is |f_k / mu_k| = f_0, a pyramid sum
// |f_k| / mu_k = f_0.
static int is_sliding(const Bristles* s, const mjtNum* force) {
  mjtNum sum = 0;
  for (int k = 1; k < s->dim; k++) {
    mjtNum part = mju_abs(force[k]) / s->contact->friction[k - 1];
    sum += s->pyramidal ? part : part * part;
  }
  return (s->pyramidal ? sum : mju_sqrt(sum)) >= force[0] * (1 - ON_SURFACE);
}

// What rows yield where sliding begins, aref - a for each direction. On the surface of an elliptic
// cone it is R f. A little more leaves the force on the surface when the normal force grows;
// (1 + margin) R f lifts the contact by margin mu^2 of its depth. Edges of a pyramid yield
// x_0 +- mu_k x_k = -R f_edge, or nothing where that is positive; sliding, the smaller edge of each
// pair has no force, p_k = |f_k| / mu_k is that of the larger one, and x_0 is as small as it may be
// when the smaller edge of the weakest pair is about to act: x_0 = -R p_min / 2.
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

// Bends the bristles no further than to where the force, on the surface of its cone, is still there
// with acceleration and velocity as they are:
//
//   k z = -(yield + a + b v)          if that is less, both measured along -f
//
// At speed z is negative then: it takes back what damping asks for beyond that force, which would
// only lift the contact; as far as the contact is calm.
static void limit(Bristles* s, int first, int end, const mjtNum* yield, const Motion* motion,
                  mjtNum calm) {
  mjtNum most[6], excess = 0;
  for (int k = first; k < end; k++) {
    most[k] = -(yield[k] + motion->acc[k] + s->b * motion->vel[k]) / s->k;
    if (most[k] * motion->force[k] > 0) {
      most[k] *= calm;
    }
    excess += -motion->force[k] * (s->z[k] - most[k]);
  }
  for (int k = first; k < end && excess > 0; k++) {
    s->z[k] = most[k];
  }
}

// Is the normal force going to stay what it is (1), or not (0)? By what the approach adds to the
// reference acceleration, beside what the row yields now. A sliding pyramid stands on single edges
// and is never calm.
static mjtNum calmness(const Bristles* s, const mjData* d, const Motion* motion) {
  mjtNum change = mju_abs(motion->acc[0]) + d->efc_KBIP[4 * s->row + 1] * mju_abs(motion->vel[0]);
  mjtNum now = CALM * d->efc_R[s->row] * motion->force[0];
  return s->pyramidal || !(now > 0) ? 0 : num_clamp(2 - change / now, 0, 1);
}

// Bristles go with the contact; where it slides, as far as they can, where it has no force, not at
// all. The directions of an elliptic cone share their friction.         theory/sticking.md, Sliding
static void bend(Bristles* s, const mjData* d, const Motion* motion, mjtNum h) {
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

// The mean spin of both bodies about the normal carries the bristles with it.
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
  mjtNum c = mju_cos(angle), n = mju_sin(angle);
  for (int k = 1; k < 6; k += 3) {
    mjtNum x = s->z[k], y = s->z[k + 1];
    s->z[k] = c * x - n * y;
    s->z[k + 1] = n * x + c * y;
  }
}

// z has the tangents at 1, 2, the spin at 3 and rolling at 4, 5
static void advance_contact(mjtNum* value, const mjModel* m, const mjData* d,
                            const mjContact* contact, const mjtNum* acc, const mjtNum* vel) {
  Bristles s = bristles_of(m, d, contact, value);
  Motion motion;
  directions_force(motion.force, contact, s.pyramidal, d->efc_force + s.row);
  directions_motion(motion.acc, contact, s.pyramidal, acc + s.row);
  directions_motion(motion.vel, contact, s.pyramidal, vel + s.row);
  bend(&s, d, &motion, m->opt.timestep);
  turn(&s, m, d);
  memcpy(value + s.row, s.z, s.dim * sizeof(mjtNum));
}

static void forget_others(mjtNum* value, const mjData* d) {
  memset(value, 0, (d->ne + d->nf + d->nl) * sizeof(mjtNum));
}

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
  forget_others(value, d);
  for (int i = 0; i < d->ncon; i++) {
    if (has_bristles(d->contact + i)) {
      advance_contact(value, m, d, d->contact + i, acc, vel);
    }
  }
  memory_store(m, d, value);
  arena_pop(d, top);
}
