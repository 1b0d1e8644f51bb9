// scalar_sensors.h: sensors that the scalar engine reads, world by world, from the poses and
// contacts of a lane: rays, distances, projections, what is inside of a site, contacts. Beside the
// step they cost little, and it isn't made anew for them.
//                                                             theory/time/lanes.md, Gather, scatter

#pragma once

#include <mujoco/api/smooth.h>

#include "lanes/rows/contacts.h"
#include "sensor/table.h"

// Poses of a lane in d.
static void tell_poses(Work* w, int lane) {
  const mjModel* m = w->m;
  mjData* d = w->d;
  for (int i = 0; i < m->nq; i++) {
    d->qpos[i] = (mjtNum)w->qpos[i][lane];
  }
  for (int i = 0; i < 3 * m->nmocap; i++) {
    d->mocap_pos[i] = (mjtNum)w->mocap_pos[i][lane];
  }
  for (int i = 0; i < 4 * m->nmocap; i++) {
    d->mocap_quat[i] = (mjtNum)w->mocap_quat[i][lane];
  }
  mj_kinematics(m, d);
  if (m->ncam) {
    mj_comPos(m, d);
    mj_camlight(m, d);
  }
}

// The places in w->met by the order of the scalar engine.
static void order_told(Work* w) {
  const LaneContact* contact = w->s->contact;
  for (int n = 0; n < w->nmet; n++) {
    int k = w->met[n], to = n;
    for (; to && contact[w->told_order[to - 1]].rank > contact[k].rank; to--) {
      w->told_order[to] = w->told_order[to - 1];
    }
    w->told_order[to] = k;
  }
}

// Forces along the directions as the rows of an elliptic contact, or as edges with their sum and
// differences.
static void tell_forces(mjtNum* out, const Real* f, const ContactConstants* c, int dim, int cone,
                        int lane) {
  mjtNum normal = (mjtNum)f[0][lane];
  if (cone || dim == 1) {
    out[0] = normal;
    for (int i = 1; i < dim; i++) {
      out[i] = (mjtNum)(f[i] * c->friction[i - 1])[lane];
    }
    return;
  }
  mjtNum share = normal / (mjtNum)(dim - 1);
  for (int i = 1; i < dim; i++) {
    mjtNum along = (mjtNum)f[i][lane];
    out[2 * i - 2] = (share + along) / 2;
    out[2 * i - 1] = (share - along) / 2;
  }
}

// The contacts of a lane in d.
static void tell_contacts(Work* w, int lane) {
  mjData* d = w->d;
  int n = 0, row = 0;
  for (int i = 0; i < w->nmet; i++) {
    int k = w->told_order[i];
    const LaneContact* contact = w->s->contact + k;
    const ContactConstants* c = w->constants.contact + k;
    ContactSlot* slot = w->contact + k;
    if (!(slot->stiffness[lane] > 0)) {
      continue;
    }
    Real3 point = contact->shape == SHAPE_FOUND ? slot->point : contact_point(w, contact, slot);
    Real force[6];
    mjContact* to = w->told + n++;
    *to = (mjContact){.dist = (mjtNum)slot->dist[lane],
                      .dim = contact->dim,
                      .geom1 = contact->geom1,
                      .geom2 = contact->geom2,
                      .geom = {contact->geom1, contact->geom2},
                      .flex = {-1, -1},
                      .elem = {-1, -1},
                      .vert = {-1, -1},
                      .efc_address = row};
    lane3(to->pos, &point, lane);
    lane3(to->frame, &slot->n, lane);
    lane3(to->frame + 3, &slot->t, lane);
    lane3(to->frame + 6, &slot->b, lane);
    for (int a = 0; a < 5; a++) {
      to->friction[a] = (mjtNum)real_constant(c->friction[a])[lane];
    }
    contact_force(force, slot, real_constant(c->mu), contact->dim, w->has_cones, w->has_forces);
    tell_forces(w->told_force + row, force, c, contact->dim, w->has_cones, lane);
    row += 2 * contact->dim;
  }
  d->contact = w->told;
  d->efc_force = w->told_force;
  d->ncon = n;
  d->nefc = row;
}

// Reads the sensors of one lane that need the scalar engine.
static void scalar_sense_lane(Work* w, int lane) {
  const mjModel* m = w->m;
  mjData* d = w->d;
  mjContact* contact = d->contact;
  mjtNum* force = d->efc_force;
  tell_poses(w, lane);
  if (w->s->senses[NEEDS_CONTACTS]) {
    tell_contacts(w, lane);
  }
  for (int i = 0; i < m->nsensor; i++) {
    LaneNeed need = sensor_need(m, i);
    if (need != NEEDS_POSES && need != NEEDS_CONTACTS) {
      continue;
    }
    // distances take the reading of another sensor with the same question, if it is there
    sensor_type(m->sensor_type[i])->compute(d->sensordata + m->sensor_adr[i], m, d, i);
    for (int a = 0; a < m->sensor_dim[i]; a++) {
      w->sensordata[m->sensor_adr[i] + a][lane] = (Num)d->sensordata[m->sensor_adr[i] + a];
    }
  }
  d->contact = contact;
  d->efc_force = force;
  d->ncon = d->nefc = 0;
}

static void scalar_sense(Work* w) {
  if (!w->s->senses[NEEDS_POSES] && !w->s->senses[NEEDS_CONTACTS]) {
    return;
  }
  if (w->s->senses[NEEDS_CONTACTS]) {
    order_told(w);
  }
  for (int l = 0; l < LANES; l++) {
    if (!(w->failed >> l & 1)) {
      scalar_sense_lane(w, l);
    }
  }
}
