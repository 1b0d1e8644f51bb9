// sensors.h: what sensors read, of the state before a step. Which reading takes which of these
// functions stands in sensor_table.h.                                       theory/time/sensors.md

#pragma once

#include <mujoco/api/collision.h>

#include "lanes/dynamics/forces.h"
#include "lanes/laws/law.h"
#include "lanes/results/body_forces.h"
#include "lanes/results/scalar_sensors.h"
#include "lanes/setup/sensor_table.h"

INLINE void put3_reals(Real* out, Real3 v) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

INLINE void put4_reals(Real* out, Real4 q) {
  out[0] = q.w;
  put3_reals(out + 1, (Real3){q.x, q.y, q.z});
}

// frames

// What a sensor is attached to, or its reference: constants is NULL if it has none.
typedef struct Frame {
  int body;
  const FrameConstants* constants;
} Frame;

INLINE Real3 frame_point(const Work* w, Frame f) {
  return r33_muladd(w->xmat + f.body, r3_of(f.constants->pos), w->xpos[f.body]);
}

// v in the axes of the frame
INLINE Real3 frame_local(const Work* w, Frame f, Real3 v) {
  Real33 mat = r33_of(f.constants->mat);
  return r33_tmul(&mat, r33_tmul(w->xmat + f.body, v));
}

// From the com of its tree to the origin of a frame.
INLINE Real3 frame_arm(const Work* w, Frame f) {
  return r3_sub(frame_point(w, f), w->com[w->m->body_rootid[f.body]]);
}

// The twist of a body, moved to the origin of a frame.
// Also mj_objectVelocity in smooth/support.c.
INLINE Real6 frame_velocity(const Work* w, Frame f) {
  Real6 V = w->cvel[f.body];
  return (Real6){V.w, r3_crossadd(V.w, frame_arm(w, f), V.u)};
}

// dw/dt, and a + w x v at the origin. What is fixed to the world doesn't even feel gravity.
// Also mj_objectAcceleration in smooth/support.c.
INLINE Real6 frame_acceleration(const Work* w, Frame f) {
  if (!w->m->body_weldid[f.body]) {
    return REAL6_ZERO;
  }
  Real6 V = frame_velocity(w, f), A = w->total[f.body];
  return (Real6){A.w, r3_crossadd(V.w, V.u, r3_crossadd(A.w, frame_arm(w, f), A.u))};
}

// of a frame, in a reference frame if there is one

// Also sensor_framepos in sensor/frame.c.
INLINE Real3 relative_position(const Work* w, Frame f, Frame ref) {
  Real3 x = frame_point(w, f);
  return ref.constants ? frame_local(w, ref, r3_sub(x, frame_point(w, ref))) : x;
}

INLINE Real3 relative_axis(const Work* w, Frame f, Frame ref, int k) {
  Real33 mat = r33_of(f.constants->mat);
  Real3 axis = r33_mul(w->xmat + f.body, r33_column(&mat, k));
  return ref.constants ? frame_local(w, ref, axis) : axis;
}

INLINE Real4 frame_quat(const Work* w, Frame f) {
  return r4_mul(w->xquat[f.body], r4_of(f.constants->quat));
}

// Also sensor_framequat in sensor/frame.c.
INLINE Real4 relative_quat(const Work* w, Frame f, Frame ref) {
  Real4 q = frame_quat(w, f);
  return ref.constants ? r4_mul(r4_conjugate(frame_quat(w, ref)), q) : q;
}

// R'(v - v_ref - w_ref x (x - x_ref)), R'(w - w_ref)
// Also relative_velocity in sensor/frame.c.
static Real6 lane_relative_velocity(const Work* w, Frame f, Frame ref) {
  Real6 V = frame_velocity(w, f);
  if (!ref.constants) {
    return V;
  }
  Real6 base = frame_velocity(w, ref);
  Real3 arm = r3_sub(frame_point(w, f), frame_point(w, ref));
  Real3 carried = r3_crossadd(base.w, arm, base.u);
  return (Real6){frame_local(w, ref, r3_sub(V.w, base.w)),
                 frame_local(w, ref, r3_sub(V.u, carried))};
}

// sites

// The sum of the normal forces of contacts of the site's body that the scalar engine's rule counts:
// the ray from the contact into the body meets the site.          theory/time/sensors.md, Touch
// Also sensor_touch in sensor/touch.c.
static Real frame_touch(const Work* w, Frame f, int site) {
  const mjModel* m = w->m;
  Real3 centre = frame_point(w, f);
  const Real33* R = w->xmat + f.body;
  const Real33 own = r33_of(f.constants->mat);
  Real3 column[3];
  for (int k = 0; k < 3; k++) {
    column[k] = r33_mul(R, r33_column(&own, k));
  }
  Real sum = REAL_ZERO;
  for (int n = 0; n < w->nmet; n++) {
    const LaneContact* contact = w->s->contact + w->met[n];
    const ContactSlot* slot = w->contact + w->met[n];
    int second = m->geom_bodyid[contact->geom2] == f.body;
    if (!second && m->geom_bodyid[contact->geom1] != f.body) {
      continue;
    }
    Real force[6];
    Real mu = real_constant(w->constants.contact[w->met[n]].mu);
    contact_force(force, slot, mu, contact->dim, w->has_cones, w->has_forces);
    Real3 point = contact_point(w, contact, slot);
    Real3 ray = r3_scale(slot->n, lane_real_of(second ? -1 : 1));
    for (unsigned on = mask_bits(force[0] > REAL_ZERO); on; on &= on - 1) {
      int l = __builtin_ctz(on);
      mjtNum pos[3], mat[9], from[3], along[3];
      lane3(pos, &centre, l);
      lane3(from, &point, l);
      lane3(along, &ray, l);
      for (int k = 0; k < 3; k++) {
        mat[k] = (mjtNum)column[k].x[l];
        mat[3 + k] = (mjtNum)column[k].y[l];
        mat[6 + k] = (mjtNum)column[k].z[l];
      }
      if (mju_rayGeom(pos, mat, m->site_size + 3 * site, from, along, m->site_type[site]) >= 0) {
        sum[l] += force[0][l];
      }
    }
  }
  return sum;
}

// In the axes of the site.                                     theory/time/sensors.md, Site sensors
INLINE void put_local(Real* out, const Work* w, Frame f, Real3 v) {
  put3_reals(out, frame_local(w, f, v));
}

// Also sensor_torque in sensor/site.c.
INLINE Real3 frame_torque(const Work* w, Frame f) {
  Real6 wrench = w->internal[f.body];
  return r3_sub(wrench.w, r3_cross(frame_arm(w, f), wrench.u));
}

// subtrees

// Coms and momenta of all subtrees; the world's momentum is about its com, the others' about those
// of their trees.                                        theory/smooth/inertia.md, Subtree momentum
// Also subtree_momenta in smooth/velocity.c.
static void subtrees(Work* w) {
  const mjModel* m = w->m;
  w->subtree_com[0] = REAL3_ZERO;
  w->momentum[0] = REAL6_ZERO;
  for (int b = 1; b < m->nbody; b++) {
    w->subtree_com[b] = r3_scale(w->xipos[b], real_constant(w->constants.body[b].mass));
    w->momentum[b] = inertia10_mul(w->cinert + b, w->cvel[b]);
  }
  for (int b = m->nbody - 1; b > 0; b--) {
    int parent = m->body_parentid[b];
    w->subtree_com[parent] = r3_add(w->subtree_com[parent], w->subtree_com[b]);
    if (parent) {
      w->momentum[parent] = r6_add(w->momentum[parent], w->momentum[b]);
    }
  }
  for (int b = 0; b < m->nbody; b++) {
    w->subtree_com[b] =
        m->body_subtreemass[b] < mjMINVAL
            ? w->xipos[b]
            : r3_scale(w->subtree_com[b], real_constant(w->constants.body[b].inverse_subtree));
  }
  for (int b = 1; b < m->nbody; b++) {
    if (!m->body_parentid[b]) {
      Real6 own = w->momentum[b];
      own.w = r3_crossadd(r3_sub(w->com[b], w->subtree_com[0]), own.u, own.w);
      w->momentum[0] = r6_add(w->momentum[0], own);
    }
  }
}

INLINE Real3 subtree_velocity(const Work* w, int body) {
  Real inverse_mass = real_constant(w->constants.body[body].inverse_subtree);
  return r3_scale(w->momentum[body].u, inverse_mass);
}

// Angular momentum about the com of the subtree.
INLINE Real3 subtree_spin(const Work* w, int body) {
  Real6 p = w->momentum[body];
  Real3 com = w->subtree_com[body];
  Real3 arm = r3_sub(body ? w->com[w->m->body_rootid[body]] : com, com);
  return r3_crossadd(arm, p.u, p.w);
}

// others

static Real clock(const Work* w) {
  Real time = REAL_ZERO;
  for (int l = 0; l < LANES; l++) {
    time[l] = (Num)w->time[l];
  }
  return time;
}

// all

// Clamps readings to the cutoff; axes and quaternions are not clamped.
//                                                                  theory/time/sensors.md, Cutoff
// Also cut_off in sensor/sensor.c.
static void lane_cut_off(Real* out, const mjModel* m, const SensorConstants* c, int sensor) {
  int kind =
      m->sensor_type[sensor] == mjSENS_GEOMFROMTO ? mjDATATYPE_AXIS : m->sensor_datatype[sensor];
  Real most = real_constant(c->cutoff);
  for (int i = 0; i < m->sensor_dim[sensor]; i++) {
    if (kind == mjDATATYPE_REAL) {
      out[i] = real_clamp(out[i], -most, most);
    } else if (kind == mjDATATYPE_POSITIVE) {
      out[i] = real_min(out[i], most);
    }
  }
}

static void sense_one(Real* out, const Work* w, int i) {
  const mjModel* m = w->m;
  const FrameConstants* frame = w->constants.sensor[i].frame;
  const int *body = w->s->sensor[i].body, id = m->sensor_objid[i];
  Frame f = {body[0], frame}, ref = {body[1], m->sensor_refid[i] < 0 ? NULL : frame + 1};
  switch (m->sensor_type[i]) {
#define READ(kind, need, reading) \
  case mjSENS_##kind:             \
    reading;                      \
    break;
    LANE_SENSORS(READ)
#undef READ
  }
}

// Reads all sensors, between forward dynamics and the integration.
static void lane_sense(Work* w) {
  const mjModel* m = w->m;
  if (w->s->senses[NEEDS_FORCES]) {
    lane_body_forces(w);
  }
  if (w->s->senses[NEEDS_SUBTREES]) {
    subtrees(w);
  }
  scalar_sense(w);
  for (int i = 0; i < m->nsensor; i++) {
    Real* out = w->sensordata + m->sensor_adr[i];
    LaneNeed need = sensor_need(m, i);
    if (need != NEEDS_POSES && need != NEEDS_CONTACTS) {
      sense_one(out, w, i);
    }
    lane_cut_off(out, m, w->constants.sensor + i, i);
  }
}
