// levers.h: lengths that are no sums of coordinates, and their gradients: paths of tendons in
// space.
//                                                       theory/smooth/tendons.md, Moment arms
//
// A unit force along the path pulls at the bodies of its sites and of the geoms that it wraps. Each
// end of a straight piece is a wrench about the com of the tree, summed inwards along the dofs of
// the lever:
//
//   J_i = S_i . W_i,   W_i = sum of (r x f, f) on what dof i carries,   f = -+ n / divisor

#pragma once

#include "lanes/dynamics/wrap.h"
#include "lanes/work.h"
#include "model/behaviour.h"

// Begins a lever: nothing pulls.
INLINE void lever_begin(Work* w, const LaneLever* lever) {
  const LaneLeverDof* dof = w->s->lever_dof + lever->dof;
  for (int k = 0; k < lever->ndof; k++) {
    if (dof[k].holds) {
      w->pull[k] = REAL6_ZERO;
    }
  }
}

// Adds a force at a point of a body, and a torque. entry: the place of its last dof in the lever.
INLINE void lever_pull(Work* w, int entry, int body, Real3 point, Real3 force, Real3 torque) {
  if (entry >= 0) {
    Real3 r = r3_sub(point, w->com[w->m->body_rootid[body]]);
    w->pull[entry] = r6_add(w->pull[entry], (Real6){r3_crossadd(r, force, torque), force});
  }
}

// Ends a lever: what the forces do along its dofs. Along a run of dofs, each the parent of the
// next, the sum is kept in registers.
INLINE void lever_end(Work* w, const LaneLever* lever) {
  const LaneLeverDof* dof = w->s->lever_dof + lever->dof;
  Real* out = w->lever + lever->dof;
  Real6 sum = REAL6_ZERO;
  for (int k = lever->ndof - 1; k >= 0; k--) {
    int parent = dof[k].parent;
    if (dof[k].holds) {
      sum = r6_add(sum, w->pull[k]);
    }
    out[k] = r6_dot(w->cdof[dof[k].dof], sum);
    if (parent != k - 1 || parent < 0) {
      if (parent >= 0) {
        w->pull[parent] = r6_add(w->pull[parent], sum);
      }
      sum = REAL6_ZERO;
    }
  }
}

// J v
INLINE Real lever_rate(const Work* w, int lever, const Real* v) {
  const LaneLever* l = w->s->lever + lever;
  const LaneLeverDof* dof = w->s->lever_dof + l->dof;
  const Real* J = w->lever + l->dof;
  Real even = REAL_ZERO, odd = REAL_ZERO;
  int k = 0;
  for (; k + 2 <= l->ndof; k += 2) {
    even = real_muladd(J[k], v[dof[k].dof], even);
    odd = real_muladd(J[k + 1], v[dof[k + 1].dof], odd);
  }
  return k < l->ndof ? real_muladd(J[k], v[dof[k].dof], even) + odd : even + odd;
}

// out += J' force
INLINE void lever_push(Real* out, const Work* w, int lever, Real force) {
  const LaneLever* l = w->s->lever + lever;
  const LaneLeverDof* dof = w->s->lever_dof + l->dof;
  const Real* J = w->lever + l->dof;
  for (int k = 0; k < l->ndof; k++) {
    out[dof[k].dof] = real_muladd(J[k], force, out[dof[k].dof]);
  }
}

// Adds scale J'J to a symmetric matrix at the entries that M has, or at those of all ancestors.
INLINE void lever_outer(Real* A, const Work* w, int lever, Real scale, int full) {
  const LaneLever* l = w->s->lever + lever;
  const LaneLeverDof* dof = w->s->lever_dof + l->dof;
  const Real* J = w->lever + l->dof;
  for (int k = 0; k < l->ndof; k++) {
    Real* row = A + lane_row_at(dof[k].dof);
    Real part = scale * J[k];
    row[dof[k].dof] = real_muladd(part, J[k], row[dof[k].dof]);
    int alone = !full && w->m->dof_simplenum[dof[k].dof];
    for (int b = dof[k].parent; b >= 0 && !alone; b = dof[b].parent) {
      row[dof[b].dof] = real_muladd(part, J[b], row[dof[b].dof]);
    }
  }
}

// paths

// A unit vector along a piece, times the length of which it is the direction.
INLINE Real3 piece_direction(Real* length, Real3 from, Real3 to) {
  Real3 along = r3_sub(to, from);
  Real norm = real_sqrt(r3_dot(along, along));
  Mask none = norm < lane_real_of((Num)mjMINVAL);
  Real inverse = 1 / real_select(none, lane_real_of(1), norm);
  *length = norm;
  return r3_select(none, (Real3){lane_real_of(1), REAL_ZERO, REAL_ZERO}, r3_scale(along, inverse));
}

// Adds the forces of a piece, and returns its length. Lanes in which the geom isn't in the way have
// a straight piece, and no force on the geom.
// Also add_piece and add_wrapped in smooth/tendon_path.c.
static Real lane_piece(Work* w, const LanePiece* piece, const PieceConstants* c) {
  const LaneStructure* s = w->s;
  const LanePoint *first = s->point + piece->point[0], *last = s->point + piece->point[1];
  Real3 a = w->point[piece->point[0]], b = w->point[piece->point[1]], none = REAL3_ZERO;
  Real scale = real_constant(c->scale), length, rest;
  WrapString string = {.touches = mask_of(0)};
  if (piece->wrapped >= 0) {
    string = lane_wrap(w->wrapped + piece->wrapped, real_constant(c->radius),
                       s->wrapped[piece->wrapped].is_sphere, a, b,
                       piece->side < 0 ? NULL : w->point + piece->side,
                       behaves(w->m, cndBEHAVIOUR_sidesite));
  }
  if (!mask_any(string.touches)) {
    Real3 n = r3_scale(piece_direction(&length, a, b), scale);
    if (piece->entry[0] != piece->entry[1]) {
      lever_pull(w, piece->entry[0], first->body, a, r3_sub(none, n), none);
      lever_pull(w, piece->entry[1], last->body, b, n, none);
    }
    return length * scale;
  }
  Mask touches = string.touches;
  Real3 n = piece_direction(&length, a, r3_select(touches, string.point[0], b));
  Real3 m = piece_direction(&rest, string.point[1], b);
  n = r3_scale(n, scale);
  m = r3_select(touches, r3_scale(m, scale), n);
  length += real_where(touches, string.arc + rest);
  lever_pull(w, piece->entry[0], first->body, a, r3_sub(none, n), none);
  lever_pull(w, piece->entry[1], last->body, b, m, none);
  if (piece->entry[2] >= 0) {
    const Real on = real_where(touches, lane_real_of(1));
    int body = s->wrapped[piece->wrapped].body;
    lever_pull(w, piece->entry[2], body, string.point[0], r3_scale(n, on), none);
    lever_pull(w, piece->entry[2], body, string.point[1], r3_scale(m, -on), none);
  }
  return length * scale;
}

static void place_paths(Work* w) {
  const LaneStructure* s = w->s;
  for (int k = 0; k < s->npoint; k++) {
    int body = s->point[k].body;
    w->point[k] = r33_muladd(w->xmat + body, r3_of(w->constants.point[k].pos), w->xpos[body]);
  }
  for (int k = 0; k < s->nwrapped; k++) {
    int body = s->wrapped[k].body;
    const Real33* R = w->xmat + body;
    Real33 own = r33_of(w->constants.wrapped[k].mat);
    WrapPose* pose = w->wrapped + k;
    pose->centre = r33_muladd(R, r3_of(w->constants.wrapped[k].pos), w->xpos[body]);
    pose->axes = (Real33){r33_tmul(&own, R->x), r33_tmul(&own, R->y), r33_tmul(&own, R->z)};
  }
}

// Lengths of tendons in space, and their gradients.
// Also mj_tendon and path_follow in smooth/tendon_path.c.
static void lane_tendons(Work* w) {
  const LaneStructure* s = w->s;
  if (!s->npiece) {
    return;
  }
  place_paths(w);
  for (int t = 0; t < w->m->ntendon; t++) {
    const LanePath* path = s->path + t;
    if (path->lever < 0) {
      continue;
    }
    const LaneLever* lever = s->lever + path->lever;
    Real length = REAL_ZERO;
    lever_begin(w, lever);
    for (int k = path->piece; k < path->piece + path->npiece; k++) {
      length += lane_piece(w, s->piece + k, w->constants.piece + k);
    }
    lever_end(w, lever);
    w->lever_length[path->lever] = length;
  }
}

// lengths of actuators and springs, by terms or by levers

// Length and its rate.                                      theory/smooth/tendons.md, Fixed tendons
// Also mj_transmission in smooth/transmission.c and mj_tendon in smooth/tendon.c.
INLINE void actuator_motion(Real* length, Real* velocity, const Work* w,
                            const LaneActuator* actuator) {
  if (actuator->lever >= 0) {
    *length = w->lever_length[actuator->lever];
    *velocity = lever_rate(w, actuator->lever, w->qvel);
    return;
  }
  Real sum = REAL_ZERO, rate = REAL_ZERO;
  for (int t = actuator->term; t < actuator->term + actuator->nterm; t++) {
    sum += w->constants.coefficient[t] * w->qpos[w->s->term[t].qpos];
    rate += w->constants.coefficient[t] * w->qvel[w->s->term[t].dof];
  }
  *length = sum;
  *velocity = rate;
}

// out += force times the gradient
INLINE void actuator_push(Real* out, const Work* w, const LaneActuator* actuator, Real force) {
  if (actuator->lever >= 0) {
    lever_push(out, w, actuator->lever, force);
    return;
  }
  for (int t = actuator->term; t < actuator->term + actuator->nterm; t++) {
    out[w->s->term[t].dof] += w->constants.coefficient[t] * force;
  }
}

// A += slope r r' for the gradient r, at the entries that M has, or at those of all ancestors.
static void actuator_outer(Real* A, const Work* w, const LaneActuator* actuator, Real slope,
                           int full) {
  if (actuator->lever >= 0) {
    lever_outer(A, w, actuator->lever, slope, full);
    return;
  }
  const LaneTerm* term = w->s->term + actuator->term;
  const Constant* r = w->constants.coefficient + actuator->term;
  for (int a = 0; a < actuator->nterm; a++) {
    for (int b = 0; b < actuator->nterm; b++) {
      int i = term[a].dof, j = term[b].dof;
      if (i == j || ((full || !w->m->dof_simplenum[i]) && set_has(w->s->ancestors + i, j))) {
        Real* entry = A + lane_row_at(i) + j;
        *entry = real_muladd(slope, real_constant(r[a]) * r[b], *entry);
      }
    }
  }
}

// the mass of tendons

// M += armature J'J
// Also tendon_armature in smooth/inertia.c.
static void lane_tendon_armature(Work* w) {
  for (int k = 0; k < w->s->nspring; k++) {
    if (w->m->tendon_armature[w->s->spring[k].id] != 0) {
      Real armature = real_constant(w->constants.tendon[k].armature);
      actuator_outer(w->M, w, w->s->spring + k, armature, 0);
    }
  }
}

// Velocity of a point of a body, and its acceleration without qacc; gravity is in both ends' alike.
// Also jac_point_acceleration in smooth/jacobian.c.
INLINE void point_motion(Real3* v, Real3* a, const Work* w, const LanePoint* of, Real3 point) {
  Real3 r = r3_sub(point, w->com[w->m->body_rootid[of->body]]);
  Real6 V = w->cvel[of->body], A = w->cacc[of->body];
  if (!w->m->body_rootid[of->body]) {
    r = REAL3_ZERO;
  }
  *v = r3_crossadd(V.w, r, V.u);
  *a = r3_crossadd(V.w, *v, r3_crossadd(A.w, r, A.u));
}

// l'' = n . a + n' . v,   n' = (v - n (n . v)) / l, of a piece whose ends move with v and a
// Also piece_acceleration in smooth/tendon_path.c.
static Real lane_piece_acceleration(const Work* w, const LanePiece* piece) {
  Real3 point[2], v[2], a[2];
  for (int i = 0; i < 2; i++) {
    point[i] = w->point[piece->point[i]];
    point_motion(v + i, a + i, w, w->s->point + piece->point[i], point[i]);
  }
  Real length;
  Real3 n = piece_direction(&length, point[0], point[1]);
  Real3 speed = r3_sub(v[1], v[0]);
  Real along = r3_dot(n, speed);
  Mask is_long = length > (Num)mjMINVAL;
  Real turning = (r3_dot(speed, speed) - along * along) / divisor(is_long, length);
  return r3_dot(n, r3_sub(a[1], a[0])) + real_where(is_long, turning);
}

// bias += J' armature (dJ/dt) qvel
// Also tendon_add_bias in smooth/tendon.c.
static void lane_tendon_bias(Work* w) {
  for (int k = 0; k < w->s->nspring; k++) {
    const LaneActuator* spring = w->s->spring + k;
    const LanePath* path = w->s->path + spring->id;
    if (w->m->tendon_armature[spring->id] == 0 || path->lever < 0) {
      continue;
    }
    Real sum = REAL_ZERO;
    for (int i = path->piece; i < path->piece + path->npiece; i++) {
      const LanePiece* piece = w->s->piece + i;
      if (w->s->point[piece->point[0]].body != w->s->point[piece->point[1]].body) {
        sum += lane_piece_acceleration(w, piece) * w->constants.piece[i].scale;
      }
    }
    lever_push(w->bias, w, path->lever, sum * w->constants.tendon[k].armature);
  }
}
