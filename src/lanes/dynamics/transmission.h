// transmission.h: lengths of actuators on ball and free joints, on sites and on bodies, and their
// gradients.
//                               theory/smooth/actuation.md, Site transmission, Slider-crank

#pragma once

#include "base/transmission.h"
#include "lanes/dynamics/levers.h"
#include "model/behaviour.h"
#include "model/derived/path.h"

// The gear on the joint's dofs: translations in axes of the world, rotations in those of the child,
// or the parent's turned into them. The length of a ball's is its rotation vector along the axis.
// Also turning_moment in smooth/transmission.c.
static Real lane_turning_moment(Work* w, const LaneTransmission* t,
                                const TransmissionConstants* c) {
  const mjModel* m = w->m;
  int joint = actuator_joint(m, t->actuator), n = joint_scalars(m->jnt_type[joint]);
  Real* out = w->lever + w->s->lever[t->lever].dof;
  for (int k = 0; k < n; k++) {
    out[k] = real_constant(c->gear[k]);
  }
  Real4 quat = r4_unit(w->qpos + m->jnt_qposadr[joint] + n);
  Real3 axis = r3_of(c->gear + n);
  if (m->actuator_trntype[t->actuator] == mjTRN_JOINTINPARENT) {
    axis = r4_turn(r4_conjugate(quat), axis);
  }
  out[n] = axis.x;
  out[n + 1] = axis.y;
  out[n + 2] = axis.z;
  return n ? REAL_ZERO : r3_dot(r4_turns(quat), axis);
}

// A site of a transmission, in the world.
typedef struct SitePose {
  int body;
  Real3 pos;
  Real33 mat;  // by rows
} SitePose;

static SitePose site_pose(const Work* w, int body, const FrameConstants* c) {
  const Real33* R = w->xmat + body;
  Real33 own = r33_of(c->mat);
  return (SitePose){body,
                    r33_muladd(R, r3_of(c->pos), w->xpos[body]),
                    {r33_tmul(&own, R->x), r33_tmul(&own, R->y), r33_tmul(&own, R->z)}};
}

// A rod of length r from the crank to a slider on the axis A of its site, vec = crank - slider:
//
//   length = A.vec - sqrt((A.vec)^2 + r^2 - |vec|^2), or A.vec if the rod doesn't reach the axis
//
// Its gradient by vec is a force on the crank, that by A a torque on the slider's body.
// Also crank_moment in smooth/transmission.c.
static Real lane_crank_moment(Work* w, const LaneTransmission* t, const TransmissionConstants* c) {
  SitePose crank = site_pose(w, t->body[0], c->frame),
           slider = site_pose(w, t->body[1], c->frame + 1);
  Real3 axis = r33_column(&slider.mat, 2), vec = r3_sub(crank.pos, slider.pos);
  Real along = r3_dot(axis, vec), rod = real_constant(c->rod), gear = real_constant(c->gear[0]);
  Real det = along * along + rod * rod - r3_dot(vec, vec);
  Mask reaches = det > REAL_ZERO;
  Real root = real_sqrt(real_select(reaches, det, lane_real_of(1))), inverse = 1 / root;
  Real s = real_select(reaches, 1 - along * inverse, lane_real_of(1));
  Real3 by_vec = r3_addscale(r3_scale(vec, real_where(reaches, inverse)), axis, s);
  Real3 force = r3_scale(by_vec, gear), against = r3_scale(by_vec, -gear);
  Real3 torque = r3_cross(axis, r3_scale(vec, s * gear));
  lever_pull(w, t->entry[0], crank.body, crank.pos, force, REAL3_ZERO);
  lever_pull(w, t->entry[1], slider.body, slider.pos, against, torque);
  return gear * (along - real_where(reaches, root));
}

// A wrench given in the frame of the site, at the site. It has no length.
// Also site_moment in smooth/transmission.c.
static Real lane_site_moment(Work* w, const LaneTransmission* t, const TransmissionConstants* c) {
  SitePose site = site_pose(w, t->body[0], c->frame);
  Real3 force = r33_mul(&site.mat, r3_of(c->gear));
  Real3 torque = r33_mul(&site.mat, r3_of(c->gear + 3));
  lever_pull(w, t->entry[0], site.body, site.pos, force, torque);
  return REAL_ZERO;
}

// Position and orientation of a site in the frame of another, each by the gear in that frame. The
// order of the quaternions is that of the scalar engine.
// Also refsite_moment in smooth/transmission.c.
static Real lane_refsite_moment(Work* w, const LaneTransmission* t,
                                const TransmissionConstants* c) {
  SitePose site = site_pose(w, t->body[0], c->frame), ref = site_pose(w, t->body[1], c->frame + 1);
  Real3 shift = r3_of(c->gear), turn = r3_of(c->gear + 3);
  Real4 quat[2];
  for (int side = 0; side < 2; side++) {
    Real4 own = r4_of(c->frame[side].quat), body = w->xquat[t->body[side]];
    quat[side] = behaves(w->m, cndBEHAVIOUR_siteturn) ? r4_mul(body, own) : r4_mul(own, body);
  }
  Real3 place = r33_tmul(&ref.mat, r3_sub(site.pos, ref.pos));
  Real3 turned = r4_turns(r4_mul(r4_conjugate(quat[1]), quat[0]));
  Real3 force = r33_mul(&ref.mat, shift), torque = r33_mul(&ref.mat, turn);
  lever_pull(w, t->entry[0], site.body, site.pos, force, torque);
  lever_pull(w, t->entry[1], ref.body, ref.pos, r3_scale(force, lane_real_of(-1)),
             r3_scale(torque, lane_real_of(-1)));
  return r3_dot(place, shift) + r3_dot(turned, turn);
}

static Real lane_sites_moment(Work* w, const LaneTransmission* t, const TransmissionConstants* c) {
  return w->m->actuator_trntype[t->actuator] == mjTRN_SLIDERCRANK ? lane_crank_moment(w, t, c)
         : w->m->actuator_trnid[2 * t->actuator + 1] < 0          ? lane_site_moment(w, t, c)
                                                                  : lane_refsite_moment(w, t, c);
}

// adhesion

// Where a listed contact of a body is, and the lanes that have it, be it in its gap.
INLINE Mask listed_contact(const Work* w, int k, Real3* n, Real3* point) {
  const LaneContact* contact = w->s->contact + k;
  const ContactConstants* c = w->constants.contact + k;
  if (k >= w->s->nplane) {
    const ContactSlot* slot = w->contact + k;
    *n = slot->n;
    *point = slot->point;
    return slot->dist < real_constant(c->reach);
  }
  int body = contact->body[1];
  Real3 centre = r33_muladd(w->xmat + body, r3_of(c->point), w->xpos[body]);
  *n = r3_of(c->normal);
  Real height = r3_dot(*n, centre) - c->offset, dist = height - c->radius;
  Real down = real_muladd(dist, lane_real_of((Num)-0.5), -real_constant(c->radius));
  *point = r3_addscale(centre, *n, down);
  return dist < real_constant(c->reach);
}

// Adds a contact of the body to its lever: a unit force that opens it.
INLINE void adhesion_pull(Work* w, const LaneLever* lever, int k, Real* count) {
  const mjModel* m = w->m;
  const LaneContact* contact = w->s->contact + k;
  Real3 n, point;
  Mask on = listed_contact(w, k, &n, &point);
  if (!mask_any(on)) {
    return;
  }
  Real one = real_where(on, lane_real_of(1));
  *count += one;
  for (int side = 0; side < 2; side++) {
    int body = contact->body[side], entry = lever_entry(w->s, lever, last_dof(m, body));
    Real3 force = {real_where(on, n.x), real_where(on, n.y), real_where(on, n.z)};
    force = side ? force : r3_scale(force, lane_real_of(-1));
    Real3 at = {real_where(on, point.x), real_where(on, point.y), real_where(on, point.z)};
    lever_pull(w, entry, body, at, force, REAL3_ZERO);
  }
}

// Minus the mean gradient of the distances of the body's contacts, so that a positive force pulls.
// Also adhesion_moment in smooth/transmission.c.
static void lane_adhesion_moment(Work* w, const LaneTransmission* t) {
  const LaneStructure* s = w->s;
  const LaneLever* lever = s->lever + t->lever;
  int body = w->m->actuator_trnid[2 * t->actuator];
  Real count = REAL_ZERO;
  lever_begin(w, lever);
  // those on planes are listed by their distance, others by their slots
  int nplane = lane_is_on(w, mjDSBL_CONTACT | mjDSBL_CONSTRAINT) ? s->nplane : 0;
  for (int n = 0; n < nplane + w->nmet; n++) {
    int k = n < nplane ? n : w->met[n - nplane];
    const LaneContact* c = s->contact + k;
    int touches = w->m->geom_bodyid[c->geom1] == body || w->m->geom_bodyid[c->geom2] == body;
    if (touches && (n < nplane || k >= s->nplane)) {
      adhesion_pull(w, lever, k, &count);
    }
  }
  lever_end(w, lever);
  Real share = -1 / real_select(count > REAL_ZERO, count, lane_real_of(1));
  for (int i = lever->dof; i < lever->dof + lever->ndof; i++) {
    w->lever[i] *= share;
  }
}

// Levers of actuators that have their own.
// Also mj_transmission in smooth/transmission.c.
static void lane_transmissions(Work* w) {
  for (int k = 0; k < w->s->ntransmission; k++) {
    const LaneTransmission* t = w->s->transmission + k;
    const TransmissionConstants* c = w->constants.transmission + k;
    const LaneLever* lever = w->s->lever + t->lever;
    int type = w->m->actuator_trntype[t->actuator];
    Real* length = w->lever_length + t->lever;
    *length = REAL_ZERO;
    if (type == mjTRN_BODY) {
      lane_adhesion_moment(w, t);
    } else if (transmission_on_joint(type)) {
      *length = lane_turning_moment(w, t, c);
    } else {
      lever_begin(w, lever);
      *length = lane_sites_moment(w, t, c);
      lever_end(w, lever);
    }
  }
}
