// sensors.h: what sensors read, of the state before a step.              theory/sensors.md
//
// Which sensors have a formula here is told by why_sensors; a model with others gets all its
// readings from the scalar engine.

#pragma once

#include <mujoco/api/collision.h>

#include "lanes/body_forces.h"
#include "lanes/law.h"

INLINE void put3_reals(Real* out, Real3 v) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

// frames

INLINE Real3 frame_point(const Work* w, const FrameConstants* f) {
  return r33_muladd(w->xmat + f->body, r3_of(f->pos), w->xpos[f->body]);
}

// v in the axes of the frame
INLINE Real3 frame_local(const Work* w, const FrameConstants* f, Real3 v) {
  Real33 mat = r33_of(f->mat);
  return r33_tmul(&mat, r33_tmul(w->xmat + f->body, v));
}

// From the com of its tree to the origin of a frame.
INLINE Real3 frame_arm(const Work* w, const FrameConstants* f) {
  return r3_sub(frame_point(w, f), w->com[w->m->body_rootid[f->body]]);
}

// The twist of a body, moved to the origin of a frame.
INLINE Real6 frame_velocity(const Work* w, const FrameConstants* f) {
  Real6 V = w->cvel[f->body];
  return (Real6){V.w, r3_crossadd(V.w, frame_arm(w, f), V.u)};
}

// dw/dt, and a + w x v at the origin. What is fixed to the world doesn't even feel gravity.
INLINE Real6 frame_acceleration(const Work* w, const FrameConstants* f) {
  const Real3 none = {REAL_ZERO, REAL_ZERO, REAL_ZERO};
  if (!w->m->body_weldid[f->body]) {
    return (Real6){none, none};
  }
  Real6 V = frame_velocity(w, f), A = w->total[f->body];
  return (Real6){A.w, r3_crossadd(V.w, V.u, r3_crossadd(A.w, frame_arm(w, f), A.u))};
}

// Of a frame in the axes of another: R'(v - v_ref - w_ref x (x - x_ref)), R'(w - w_ref).
static Real6 relative_velocity(const Work* w, const FrameConstants* f, const FrameConstants* ref) {
  Real6 V = frame_velocity(w, f), base = frame_velocity(w, ref);
  Real3 arm = r3_sub(frame_point(w, f), frame_point(w, ref));
  Real3 carried = r3_crossadd(base.w, arm, base.u);
  return (Real6){frame_local(w, ref, r3_sub(V.w, base.w)),
                 frame_local(w, ref, r3_sub(V.u, carried))};
}

static Real4 frame_quat(const Work* w, const FrameConstants* f) {
  return r4_mul(w->xquat[f->body], r4_of(f->quat));
}

// Positions, axes and velocities of frames, in a reference frame if there is one.
static void sense_frame(Real* out, const Work* w, int type, const SensorConstants* c, int refers) {
  const FrameConstants *f = c->frame, *ref = c->frame + 1;
  if (type == mjSENS_FRAMEQUAT) {
    Real4 q = frame_quat(w, f), base = frame_quat(w, ref);
    if (refers) {
      q = r4_mul((Real4){base.w, -base.x, -base.y, -base.z}, q);
    }
    out[0] = q.w;
    put3_reals(out + 1, (Real3){q.x, q.y, q.z});
  } else if (type == mjSENS_FRAMEPOS) {
    Real3 x = frame_point(w, f);
    put3_reals(out, refers ? frame_local(w, ref, r3_sub(x, frame_point(w, ref))) : x);
  } else if (type == mjSENS_FRAMELINVEL || type == mjSENS_FRAMEANGVEL) {
    Real6 V = refers ? relative_velocity(w, f, ref) : frame_velocity(w, f);
    put3_reals(out, type == mjSENS_FRAMELINVEL ? V.u : V.w);
  } else {
    Real33 mat = r33_of(f->mat);
    Real3 axis = r33_mul(w->xmat + f->body, r33_column(&mat, type - mjSENS_FRAMEXAXIS));
    put3_reals(out, refers ? frame_local(w, ref, axis) : axis);
  }
}

// sites

// The sum of the normal forces of contacts of the site's body that the scalar engine's rule counts:
// the ray from the contact into the body meets the site.          theory/sensors.md, Touch
static Real sense_touch(const Work* w, const FrameConstants* f, int site) {
  const mjModel* m = w->m;
  Real3 centre = frame_point(w, f);
  const Real33* R = w->xmat + f->body;
  const Real33 own = r33_of(f->mat);
  Real3 column[3];
  for (int k = 0; k < 3; k++) {
    column[k] = r33_mul(R, r33_column(&own, k));
  }
  Real sum = REAL_ZERO;
  for (int n = 0; n < w->nmet; n++) {
    const LaneContact* contact = w->s->contact + w->met[n];
    const ContactSlot* slot = w->contact + w->met[n];
    int second = m->geom_bodyid[contact->geom2] == f->body;
    if (!second && m->geom_bodyid[contact->geom1] != f->body) {
      continue;
    }
    Real force[6];
    Real mu = real_constant(w->constants.contact[w->met[n]].mu);
    contact_force(force, slot, mu, contact->dim, w->constants.cone, w->constants.dual);
    Real3 point = r3_add(slot->r, w->com[m->body_rootid[contact_mover(contact)]]);
    Real3 ray = r3_scale(slot->n, real_of(second ? -1 : 1));
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

// In the axes of the site.                                        theory/sensors.md, Site sensors
static void sense_site(Real* out, const Work* w, int type, const FrameConstants* f) {
  Real6 wrench = w->internal[f->body];
  Real3 v = type == mjSENS_VELOCIMETER     ? frame_velocity(w, f).u
            : type == mjSENS_GYRO          ? frame_velocity(w, f).w
            : type == mjSENS_ACCELEROMETER ? frame_acceleration(w, f).u
            : type == mjSENS_FORCE         ? wrench.u
            : type == mjSENS_TORQUE        ? r3_sub(wrench.w, r3_cross(frame_arm(w, f), wrench.u))
                                           : r3_of(w->constants.magnetic);
  put3_reals(out, frame_local(w, f, v));
}

// subtrees

// Coms and momenta of all subtrees; the world's momentum is about its com, the others' about those
// of their trees.                                          theory/inertia.md, Subtree momentum
static void subtrees(Work* w) {
  const mjModel* m = w->m;
  const Real3 none = {REAL_ZERO, REAL_ZERO, REAL_ZERO};
  w->subtree_com[0] = none;
  w->momentum[0] = (Real6){none, none};
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

static void sense_subtree(Real* out, const Work* w, int type, int body) {
  Real6 p = w->momentum[body];
  Real3 com = w->subtree_com[body];
  if (type == mjSENS_SUBTREECOM) {
    put3_reals(out, com);
  } else if (type == mjSENS_SUBTREELINVEL) {
    put3_reals(out, r3_scale(p.u, real_constant(w->constants.body[body].inverse_subtree)));
  } else {
    Real3 arm = r3_sub(body ? w->com[w->m->body_rootid[body]] : com, com);
    put3_reals(out, r3_crossadd(arm, p.u, p.w));
  }
}

// joints, tendons, actuators

static int spring_of(const LaneStructure* s, int tendon) {
  int k = 0;
  while (s->spring[k].actuator != tendon) {
    k++;
  }
  return k;
}

static Real tendon_actuators(const Work* w, int tendon) {
  const mjModel* m = w->m;
  Real force = REAL_ZERO;
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_trntype[i] == mjTRN_TENDON && m->actuator_trnid[2 * i] == tendon) {
      force += w->force[i];
    }
  }
  return force;
}

static void sense_scalar(Real* out, const Work* w, int type, int object) {
  const mjModel* m = w->m;
  switch (type) {
    case mjSENS_JOINTPOS:
      *out = w->qpos[m->jnt_qposadr[object]];
      return;
    case mjSENS_JOINTVEL:
      *out = w->qvel[m->jnt_dofadr[object]];
      return;
    case mjSENS_BALLANGVEL:
      copy_reals(out, w->qvel + m->jnt_dofadr[object], 3);
      return;
    case mjSENS_JOINTACTFRC:
      *out = w->actuator[m->jnt_dofadr[object]];
      return;
    case mjSENS_TENDONPOS:
      *out = w->tendon_length[spring_of(w->s, object)];
      return;
    case mjSENS_TENDONVEL:
      *out = w->tendon_velocity[spring_of(w->s, object)];
      return;
    case mjSENS_ACTUATORPOS:
      *out = w->length[object];
      return;
    case mjSENS_ACTUATORVEL:
      *out = w->velocity[object];
      return;
    case mjSENS_ACTUATORFRC:
      *out = w->force[object];
      return;
    case mjSENS_TENDONACTFRC:
      *out = tendon_actuators(w, object);
      return;
    default:
      for (int l = 0; l < LANES; l++) {
        (*out)[l] = (Num)w->time[l];
      }
  }
}

static void sense_ball(Real* out, const Work* w, int joint) {
  const Real* q = w->qpos + w->m->jnt_qposadr[joint];
  Real4 unit = r4_normalize((Real4){q[0], q[1], q[2], q[3]});
  out[0] = unit.w;
  put3_reals(out + 1, (Real3){unit.x, unit.y, unit.z});
}

// all

// Clamps readings to the cutoff; axes and quaternions are not clamped.
//                                                                  theory/sensors.md, Cutoff
static void cut_off(Real* out, const mjModel* m, const SensorConstants* c, int sensor) {
  int kind = m->sensor_datatype[sensor];
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
  const SensorConstants* c = w->constants.sensor + i;
  int type = w->m->sensor_type[i], object = w->m->sensor_objid[i];
  switch (type) {
    case mjSENS_TOUCH:
      *out = sense_touch(w, c->frame, object);
      return;
    case mjSENS_ACCELEROMETER:
    case mjSENS_VELOCIMETER:
    case mjSENS_GYRO:
    case mjSENS_FORCE:
    case mjSENS_TORQUE:
    case mjSENS_MAGNETOMETER:
      sense_site(out, w, type, c->frame);
      return;
    case mjSENS_FRAMEPOS:
    case mjSENS_FRAMEQUAT:
    case mjSENS_FRAMEXAXIS:
    case mjSENS_FRAMEYAXIS:
    case mjSENS_FRAMEZAXIS:
    case mjSENS_FRAMELINVEL:
    case mjSENS_FRAMEANGVEL:
      sense_frame(out, w, type, c, w->m->sensor_refid[i] >= 0);
      return;
    case mjSENS_FRAMELINACC:
      put3_reals(out, frame_acceleration(w, c->frame).u);
      return;
    case mjSENS_FRAMEANGACC:
      put3_reals(out, frame_acceleration(w, c->frame).w);
      return;
    case mjSENS_SUBTREECOM:
    case mjSENS_SUBTREELINVEL:
    case mjSENS_SUBTREEANGMOM:
      sense_subtree(out, w, type, object);
      return;
    case mjSENS_BALLQUAT:
      sense_ball(out, w, object);
      return;
    default:
      sense_scalar(out, w, type, object);
  }
}

// Reads all sensors, between forward dynamics and the integration.
static void sense(Work* w) {
  const mjModel* m = w->m;
  if (w->s->senses_forces) {
    body_forces(w);
  }
  if (w->s->senses_subtrees) {
    subtrees(w);
  }
  for (int i = 0; i < m->nsensor; i++) {
    Real* out = w->sensordata + m->sensor_adr[i];
    sense_one(out, w, i);
    cut_off(out, m, w->constants.sensor + i, i);
  }
}
