// Reference accelerations of bouncing contacts, along the directions of their rows.
//                                                        theory/contact/constraints.md, Restitution

#include "constraint/rows/restitution.h"

#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "constraint/rows/directions.h"
#include "model/data/share.h"

// The coefficient of a geom, or the model's default: a negative value means that none is given.
static mjtNum geom_restitution(const mjModel* m, int geom) {
  mjtNum e = geom >= 0 ? m->cnd_geom_restitution[geom] : -1;
  return e >= 0 ? e : m->cnd_contact.restitution;
}

mjtNum restitution_of(const mjModel* m, const mjContact* contact) {
  mjtNum e = num_max(geom_restitution(m, contact->geom[0]), geom_restitution(m, contact->geom[1]));
  return num_min(e, 1);
}

int restitution_is_soft(const mjModel* m, const mjContact* contact) {
  return m->cnd_contact.mode != cndCONTACT_HARD && restitution_of(m, contact) > 0;
}

// Whether a contact bounces. Writes its velocity v along its directions, if it is a soft contact
// with restitution.
static int bounces(mjtNum v[6], const mjModel* m, const mjData* d, const mjContact* contact) {
  if (contact->efc_address < 0 || !restitution_is_soft(m, contact)) {
    return 0;
  }
  directions_motion(v, contact, mj_isPyramidal(m), d->efc_vel + contact->efc_address);
  return v[0] < -m->cnd_contact.restitution_threshold;
}

// The reference acceleration -(1 + e) v / h takes the velocity from v to -e v within the step.
// Along the normal, the reference of the spring-damper is kept if it is larger.
static void bounce(mjtNum* aref, const mjModel* m, const mjContact* contact, const mjtNum v[6]) {
  int pyramidal = mj_isPyramidal(m);
  mjtNum rate = (1 + restitution_of(m, contact)) / m->opt.timestep;
  mjtNum old[6], change[6];
  directions_motion(old, contact, pyramidal, aref);
  change[0] = num_max(0, -rate * v[0] - old[0]);
  for (int k = 1; k < contact->dim; k++) {
    change[k] = -rate * v[k] - old[k];
  }
  directions_add_motion(aref, contact, pyramidal, change);
}

// Gives the rows a reference acceleration so low that they have no force.
static void switch_off(mjtNum* aref, const mjModel* m, const mjContact* contact) {
  int rows = contact->dim > 1 && mj_isPyramidal(m) ? 2 * (contact->dim - 1) : 1;
  for (int r = 0; r < rows; r++) {
    aref[r] = -mjMAXVAL;
  }
}

// aref = -(1 + e) v / h on contacts that bounce. In later stages of Runge-Kutta they have no force.
static void reference_of(const mjModel* m, mjData* d, int begin, int end) {
  for (int i = begin; i < end; i++) {
    mjtNum v[6];
    if (!bounces(v, m, d, d->contact + i)) {
      continue;
    }
    mjtNum* aref = d->efc_aref + d->contact[i].efc_address;
    if (d->cnd_stage > 0) {
      switch_off(aref, m, d->contact + i);
    } else {
      bounce(aref, m, d->contact + i, v);
    }
  }
}

typedef struct Contacts {
  const mjModel* m;
  mjData* d;
} Contacts;

static void reference_piece(void* argument, int begin, int end) {
  const Contacts* contacts = argument;
  reference_of(contacts->m, contacts->d, begin, end);
}

// Whether no geom bounces. Not asked where geoms are so many that reading the contacts is faster.
static int bounces_nowhere(const mjModel* m, const mjData* d) {
  if (m->cnd_contact.restitution > 0 || m->ngeom > 8 * d->ncon) {
    return 0;
  }
  int any = 0;
  for (int i = 0; i < m->ngeom; i++) {
    any |= m->cnd_geom_restitution[i] > 0;
  }
  return !any;
}

void restitution_reference(const mjModel* m, mjData* d) {
  const int least = 1024, piece = 256;
  Contacts contacts = {m, d};
  if (bounces_nowhere(m, d)) {
    return;
  }
  if (share_pays(d, d->ncon, least)) {
    share_for(d, d->ncon, piece, reference_piece, &contacts);
  } else {
    reference_of(m, d, 0, d->ncon);
  }
}

int restitution_bounces(const mjModel* m, const mjData* d) {
  for (int i = 0; i < d->ncon; i++) {
    mjtNum v[6];
    if (bounces(v, m, d, d->contact + i)) {
      return 1;
    }
  }
  return 0;
}
