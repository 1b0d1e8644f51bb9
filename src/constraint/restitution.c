// Reference accelerations of bouncing contacts, along the directions of their rows.
//                                                                theory/constraints.md, Restitution

#include "constraint/restitution.h"

#include <mujoco/api/model.h>

#include "base/vec.h"
#include "constraint/rows/directions.h"

static mjtNum side_restitution(const mjModel* m, int geom) {
  mjtNum own = geom >= 0 ? m->cnd_geom_restitution[geom] : -1;
  return own >= 0 ? own : m->cnd_contact.restitution;
}

mjtNum restitution_of(const mjModel* m, const mjContact* contact) {
  mjtNum e = num_max(side_restitution(m, contact->geom[0]), side_restitution(m, contact->geom[1]));
  return num_min(e, 1);
}

int restitution_is_soft(const mjModel* m, const mjContact* contact) {
  return m->cnd_contact.mode != cndCONTACT_HARD && restitution_of(m, contact) > 0;
}

// Whether a contact bounces; v: its velocity along its directions.
static int bounces(mjtNum v[6], const mjModel* m, const mjData* d, const mjContact* contact) {
  if (contact->efc_address < 0 || !restitution_is_soft(m, contact)) {
    return 0;
  }
  directions_motion(v, contact, mj_isPyramidal(m), d->efc_vel + contact->efc_address);
  return v[0] < -m->cnd_contact.restitution_threshold;
}

// -(1 + e) v / h is the mean acceleration of an impact from v to -e v. Along the normal it is at
// least the spring-damper's.
static void bounce(mjtNum* aref, const mjModel* m, const mjContact* contact, const mjtNum v[6]) {
  int pyramidal = mj_isPyramidal(m);
  mjtNum rate = (1 + restitution_of(m, contact)) / m->opt.timestep, change[6];
  directions_motion(change, contact, pyramidal, aref);
  change[0] = num_max(0, -rate * v[0] - change[0]);
  for (int k = 1; k < contact->dim; k++) {
    change[k] = -rate * v[k] - change[k];
  }
  directions_add_motion(aref, contact, pyramidal, change);
}

// A reference so low that the row has no force.
static void wait(mjtNum* aref, const mjModel* m, const mjContact* contact) {
  int rows = contact->dim > 1 && mj_isPyramidal(m) ? 2 * (contact->dim - 1) : 1;
  for (int r = 0; r < rows; r++) {
    aref[r] = -mjMAXVAL;
  }
}

// aref = -(1 + e) J v / h for normals of contacts that bounce
void restitution_reference(const mjModel* m, mjData* d) {
  for (int i = 0; i < d->ncon; i++) {
    mjtNum v[6];
    if (!bounces(v, m, d, d->contact + i)) {
      continue;
    }
    mjtNum* aref = d->efc_aref + d->contact[i].efc_address;
    if (d->cnd_stage) {
      wait(aref, m, d->contact + i);
    } else {
      bounce(aref, m, d->contact + i, v);
    }
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
