// contacts.h: contacts, without a Jacobian where one side is fixed: a row is a number y + J a of
// the twist of the body, a force is a wrench on it, and its stiffness is one of the body.
//
//   J s    T = sum of S_j s_j outwards        c_0 = n . p, c_k = phi_k t_k . p,  p = T.u + T.w x r
//   J' f   wrench (r x f, f), summed inwards, S_j . W
//   H      K = stiffness of the contact about the com, summed inwards; H_ij += S_j . K S_i
//
// So their cost hardly grows with their number, and H keeps the pattern of M. Contacts between two
// moving bodies have the same J s and J' f with both twists, but their part of H is J' h J on the
// dofs that move one body alone, and needs a pattern with room for it.
//                                                           theory/lanes.md, Rows without Jacobians

#pragma once

#include "lanes/cone.h"
#include "lanes/coupling.h"
#include "lanes/edges.h"
#include "lanes/pairs.h"
#include "lanes/work.h"

// finding contacts

// The second body, but the first if that is fixed.
INLINE int contact_mover(const LaneContact* contact) {
  return contact->body[1] ? contact->body[1] : contact->body[0];
}

// A sphere above a plane: normal, point and distance.       theory/collision.md, Plane pairs
INLINE Mask plane_contact(Work* w, const LaneContact* contact, const ContactConstants* c,
                          ContactSlot* slot, Real* r) {
  int body = contact->body[1];
  const Real33* R = w->xmat + body;
  Real3 n = r3_of(c->normal), centre = r33_muladd(R, r3_of(c->point), w->xpos[body]);
  Real dist = r3_dot(n, centre) - c->offset - c->radius;
  *r = dist - c->spring.margin;
  Mask on = *r < REAL_ZERO;
  if (mask_any(on)) {
    slot->n = n;
    slot->t = r3_of(c->tangent);
    if (contact->shape != SHAPE_SPHERE) {
      Real3 axis = r33_mul(R, r3_of(c->axis));
      slot->t = r3_normalize(r3_addscale(axis, n, -r3_dot(n, axis)));
    }
    slot->b = r3_cross(n, slot->t);
    Real down = real_muladd(dist, real_of((Num)-0.5), -real_constant(c->radius));
    Real3 point = r3_addscale(centre, n, down);
    slot->r = r3_sub(point, w->com[w->m->body_rootid[body]]);
  }
  return on;
}

// A contact that the collider of its pair has found.
INLINE Mask found_contact(const Work* w, const LaneContact* contact, const ContactConstants* c,
                          ContactSlot* slot, Real* r) {
  const int* root = w->m->body_rootid;
  *r = slot->dist - c->spring.margin;
  Mask on = *r < REAL_ZERO;
  slot->r = r3_sub(slot->point, w->com[root[contact_mover(contact)]]);
  slot->r1 = r3_sub(slot->point, w->com[root[contact->body[0]]]);
  return on;
}

// Motions along the directions of a contact, of a body with twist T whose point is at r.
INLINE void directions_motion(Real out[6], const ContactSlot* slot, const ContactConstants* c,
                              int dim, Real6 T, Real3 r) {
  Real3 p = r3_crossadd(T.w, r, T.u);
  out[0] = r3_dot(slot->n, p);
  if (dim > 1) {
    out[1] = c->friction[0] * r3_dot(slot->t, p);
    out[2] = c->friction[1] * r3_dot(slot->b, p);
  }
  if (dim > 3) {
    out[3] = c->friction[2] * r3_dot(slot->n, T.w);
  }
  if (dim > 4) {
    out[4] = c->friction[3] * r3_dot(slot->t, T.w);
    out[5] = c->friction[4] * r3_dot(slot->b, T.w);
  }
}

// Of the second body against the first.
INLINE void contact_motion(Real out[6], const ContactSlot* slot, const ContactConstants* c,
                           const LaneContact* contact, const Real6* twist) {
  int dim = contact->dim;
  directions_motion(out, slot, c, dim, twist[contact->body[1]], slot->r);
  if (contact->body[0]) {
    Real first[6];
    directions_motion(first, slot, c, dim, twist[contact->body[0]], slot->r1);
    for (int i = 0; i < dim; i++) {
      out[i] -= first[i];
    }
  }
}

// Marks a body and all that carry it.
static void mark_path(int* marks, const mjModel* m, int body) {
  for (; body && !marks[body]; body = m->body_parentid[body]) {
    marks[body] = 1;
  }
}

static void touch(Work* w, const LaneContact* contact) {
  mark_path(w->touched, w->m, contact->body[0]);
  mark_path(w->touched, w->m, contact->body[1]);
  if (contact->coupling < 0) {
    mark_path(w->grounded, w->m, contact_mover(contact));
  } else {
    coupling_use(w, w->s->coupling + contact->coupling);
  }
}

// D and x of a contact in the lanes that have it: x = -a_ref = B J v + K d (dist - margin), where
// sliding has no K.
static void contact_begin(Work* w, const LaneContact* contact, const ContactConstants* c,
                          ContactSlot* slot, Real r, Mask on) {
  Real d = row_impedance(&c->spring, r);
  slot->stiffness = row_stiffness(&c->spring, d, c->soft, on);
  contact_motion(slot->x, slot, c, contact, w->cvel);
  slot->x[0] = real_muladd(real_constant(c->spring.B), slot->x[0], c->spring.K * d * r);
  for (int i = 1; i < contact->dim; i++) {
    slot->x[i] = c->slide * slot->x[i];
  }
  touch(w, contact);
}

// Finds all contacts. Returns the lanes that have one.
static Mask contacts_find(Work* w) {
  Mask some = mask_of(0), on;
  Real r;
  for (int b = 0; b < w->m->nbody; b++) {
    w->touched[b] = w->grounded[b] = 0;
  }
  w->nmet = 0;
  if (!w->constants.contacts) {
    return some;
  }
  for (int k = 0; k < w->s->nplane; k++) {
    const ContactConstants* c = w->constants.contact + k;
    on = plane_contact(w, w->s->contact + k, c, w->contact + k, &r);
    if (mask_any(on)) {
      contact_begin(w, w->s->contact + k, c, w->contact + k, r, on);
      w->met[w->nmet++] = k;
      some |= on;
    }
  }
  int first = w->nmet;
  pairs_find(w);
  for (int i = first; i < w->nmet; i++) {
    int k = w->met[i];
    const ContactConstants* c = w->constants.contact + k;
    on = found_contact(w, w->s->contact + k, c, w->contact + k, &r);
    contact_begin(w, w->s->contact + k, c, w->contact + k, r, on);
    some |= on;
  }
  return some;
}

// v = J s: twists of touched bodies outwards.
static void contacts_multiply(Work* w, const Real* s) {
  const mjModel* m = w->m;
  const Real3 none = {REAL_ZERO, REAL_ZERO, REAL_ZERO};
  w->twist[0] = (Real6){none, none};
  for (int b = 1; b < m->nbody; b++) {
    if (w->touched[b]) {
      Real6 T = w->twist[m->body_parentid[b]];
      for (int i = m->body_dofadr[b]; i < m->body_dofadr[b] + m->body_dofnum[b]; i++) {
        T = r6_addscale(T, w->cdof[i], s[i]);
      }
      w->twist[b] = T;
    }
  }
  for (int i = 0; i < w->nmet; i++) {
    int k = w->met[i];
    contact_motion(w->contact[k].v, w->contact + k, w->constants.contact + k, w->s->contact + k,
                   w->twist);
  }
}

// the law of a contact: of a cone, if `cone` is set and it has friction, else of edges

INLINE Real contact_change(const ContactSlot* slot, Real mu, int dim, int cone, Real step) {
  return cone && dim > 1 ? cone_change(slot, mu, dim, step) : edges_change(slot, dim, step);
}

INLINE void contact_line(Real* slope, Real* curvature, const ContactSlot* slot, Real mu, int dim,
                         int cone, Real step) {
  if (cone && dim > 1) {
    cone_line(slope, curvature, slot, mu, dim, step);
  } else {
    edges_line(slope, curvature, slot, dim, step);
  }
}

// Forces at x, or with `given` those that PGS has found.
INLINE void contact_force(Real f[6], const ContactSlot* slot, Real mu, int dim, int cone,
                          int given) {
  if (given) {
    f[0] = slot->v[0];
    copy_reals(f + 1, slot->v + 1, dim - 1);
  } else if (cone && dim > 1) {
    cone_force(f, slot, mu, dim);
  } else {
    edges_force(f, slot, dim);
  }
}

INLINE void contact_curvature(Real h[6][6], const ContactSlot* slot, Real mu, int dim, int cone) {
  if (cone && dim > 1) {
    cone_curvature(h, slot, mu, dim);
  } else {
    edges_curvature(h, slot, dim);
  }
}

// Calls f(..., dim, cone) with constants for the kinds that most models have.
#define WITH_KIND(contact, is_cone, f, ...) \
  if (is_cone) {                            \
    f(__VA_ARGS__, (contact)->dim, 1);      \
  } else if ((contact)->dim == 3) {         \
    f(__VA_ARGS__, 3, 0);                   \
  } else if ((contact)->dim == 1) {         \
    f(__VA_ARGS__, 1, 0);                   \
  } else {                                  \
    f(__VA_ARGS__, (contact)->dim, 0);      \
  }

// x += step v unless it is a trial; returns the change of the cost.
static Real contacts_move(Work* w, Real step, int trial) {
  Real change = REAL_ZERO;
  for (int n = 0; n < w->nmet; n++) {
    int k = w->met[n], dim = w->s->contact[k].dim;
    ContactSlot* slot = w->contact + k;
    Real mu = real_constant(w->constants.contact[k].mu);
    change += contact_change(slot, mu, dim, w->constants.cone, step);
    for (int i = 0; !trial && i < dim; i++) {
      slot->x[i] = real_muladd(step, slot->v[i], slot->x[i]);
    }
  }
  return change;
}

INLINE void contacts_line(Real* slope, Real* curvature, const Work* w, Real step) {
  int cone = w->constants.cone;
  for (int n = 0; n < w->nmet; n++) {
    int k = w->met[n], dim = w->s->contact[k].dim;
    const ContactSlot* slot = w->contact + k;
    if (!cone && dim == 3) {
      edges_line(slope, curvature, slot, 3, step);
    } else if (!cone && dim == 1) {
      edges_line(slope, curvature, slot, 1, step);
    } else {
      contact_line(slope, curvature, slot, real_constant(w->constants.contact[k].mu), dim, cone,
                   step);
    }
  }
}

// forces

// The wrench of a contact's force f on the second body, and minus that on the first, each about the
// com of its tree.
INLINE Real6 contact_wrench(Real6* first, const ContactSlot* slot, const ContactConstants* c,
                            const Real f[6], int dim) {
  const Real3 none = {REAL_ZERO, REAL_ZERO, REAL_ZERO};
  Real3 force = r3_scale(slot->n, f[0]), torque = none;
  if (dim > 1) {
    force = r3_addscale(force, slot->t, c->friction[0] * f[1]);
    force = r3_addscale(force, slot->b, c->friction[1] * f[2]);
  }
  if (dim > 3) {
    torque = r3_scale(slot->n, c->friction[2] * f[3]);
  }
  if (dim > 4) {
    torque = r3_addscale(torque, slot->t, c->friction[3] * f[4]);
    torque = r3_addscale(torque, slot->b, c->friction[4] * f[5]);
  }
  *first = (Real6){r3_crossadd(slot->r1, force, torque), force};
  return (Real6){r3_crossadd(slot->r, force, torque), force};
}

// Adds the force of a contact to the wrenches on its bodies.
INLINE void contact_push(Work* w, const LaneContact* contact, const ContactSlot* slot,
                         const ContactConstants* c, int dim, int cone) {
  Real f[6];
  contact_force(f, slot, real_constant(c->mu), dim, cone, w->constants.dual);
  if (!mask_any(f[0] > REAL_ZERO)) {
    return;
  }
  Real6 first, second = contact_wrench(&first, slot, c, f, dim);
  Real6 *one = w->wrench + contact->body[0], *two = w->wrench + contact->body[1];
  if (contact->body[1]) {
    *two = r6_add(*two, second);
  }
  if (contact->body[0]) {
    *one = r6_addscale(*one, first, real_of(-1));
  }
}

// Adds J'f to forces of dofs.
static void contacts_force(Work* w, Real* out) {
  const mjModel* m = w->m;
  const Real3 none = {REAL_ZERO, REAL_ZERO, REAL_ZERO};
  for (int b = 1; b < m->nbody; b++) {
    if (w->touched[b]) {
      w->wrench[b] = (Real6){none, none};
    }
  }
  for (int n = 0; n < w->nmet; n++) {
    int k = w->met[n];
    const LaneContact* contact = w->s->contact + k;
    WITH_KIND(contact, w->constants.cone, contact_push, w, contact, w->contact + k,
              w->constants.contact + k)
  }
  for (int b = m->nbody - 1; b > 0; b--) {
    int parent = m->body_parentid[b];
    if (w->touched[b]) {
      for (int i = m->body_dofadr[b]; i < m->body_dofadr[b] + m->body_dofnum[b]; i++) {
        out[i] += r6_dot(w->cdof[i], w->wrench[b]);
      }
      if (parent) {
        w->wrench[parent] = r6_add(w->wrench[parent], w->wrench[b]);
      }
    }
  }
}

// stiffness

// a b' added to a symmetric matrix xx yy zz xy xz yz
INLINE void add_outer(Real out[6], Real3 a, Real3 b) {
  out[0] = real_muladd(a.x, b.x, out[0]);
  out[1] = real_muladd(a.y, b.y, out[1]);
  out[2] = real_muladd(a.z, b.z, out[2]);
  out[3] = real_muladd(a.x, b.y, out[3]);
  out[4] = real_muladd(a.x, b.z, out[4]);
  out[5] = real_muladd(a.y, b.z, out[5]);
}

INLINE void add_product(Real out[9], Real3 a, Real3 b) {
  out[0] = real_muladd(a.x, b.x, out[0]);
  out[1] = real_muladd(a.x, b.y, out[1]);
  out[2] = real_muladd(a.x, b.z, out[2]);
  out[3] = real_muladd(a.y, b.x, out[3]);
  out[4] = real_muladd(a.y, b.y, out[4]);
  out[5] = real_muladd(a.y, b.z, out[5]);
  out[6] = real_muladd(a.z, b.x, out[6]);
  out[7] = real_muladd(a.z, b.y, out[7]);
  out[8] = real_muladd(a.z, b.z, out[8]);
}

INLINE Real3 r3_combine(Real a, Real3 x, Real b, Real3 y, Real c, Real3 z) {
  return r3_addscale(r3_addscale(r3_scale(x, a), y, b), z, c);
}

// Of normal and tangents: K += the stiffness C = frame h frame' of the point, moved to the com:
//
//   | [r] C [r]'   [r] C |
//   | ([r] C)'     C     |
INLINE void point_stiffness(Stiffness21* K, const ContactSlot* slot, const ContactConstants* c,
                            const Real h[6][6], int dim) {
  Real3 n = slot->n, t = r3_scale(slot->t, real_constant(c->friction[0]));
  Real3 b = r3_scale(slot->b, real_constant(c->friction[1])), column[3];
  if (dim == 1) {
    column[0] = r3_scale(n, h[0][0] * n.x);
    column[1] = r3_scale(n, h[0][0] * n.y);
    column[2] = r3_scale(n, h[0][0] * n.z);
  } else {
    Real3 gn = r3_combine(h[0][0], n, h[1][0], t, h[2][0], b);
    Real3 gt = r3_combine(h[1][0], n, h[1][1], t, h[2][1], b);
    Real3 gb = r3_combine(h[2][0], n, h[2][1], t, h[2][2], b);
    column[0] = r3_combine(gn.x, n, gt.x, t, gb.x, b);
    column[1] = r3_combine(gn.y, n, gt.y, t, gb.y, b);
    column[2] = r3_combine(gn.z, n, gt.z, t, gb.z, b);
    column[1].x = column[0].y;
    column[2].x = column[0].z;
    column[2].y = column[1].z;
  }
  Real3 x = r3_cross(slot->r, column[0]), y = r3_cross(slot->r, column[1]);
  Real3 z = r3_cross(slot->r, column[2]), r = slot->r;
  // rows of [r] C, whose columns are x, y, z; those of [r] C [r]' are r x row
  const Real3 row[3] = {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
  Real3 turned[3];
  for (int i = 0; i < 3; i++) {
    turned[i] = r3_cross(r, row[i]);
    K->wu[3 * i] += row[i].x;
    K->wu[3 * i + 1] += row[i].y;
    K->wu[3 * i + 2] += row[i].z;
  }
  const Real ww[6] = {turned[0].x, turned[1].y, turned[2].z, turned[0].y, turned[0].z, turned[1].z};
  const Real uu[6] = {column[0].x, column[1].y, column[2].z, column[0].y, column[0].z, column[1].z};
  for (int i = 0; i < 6; i++) {
    K->ww[i] += ww[i];
    K->uu[i] += uu[i];
  }
}

// Of spin and rolling: torques, and what couples them to the forces at the point. With the wrenches
// w_i of unit forces along the directions K += w_i h_ij w_j' for i >= 3 or j >= 3.
INLINE void spin_stiffness(Stiffness21* K, const ContactSlot* slot, const ContactConstants* c,
                           const Real h[6][6], int dim) {
  const Real3 axis[3] = {slot->n, slot->t, slot->b};
  Real3 a[6], torque[6];
  for (int i = 0; i < dim; i++) {
    a[i] = i ? r3_scale(axis[i % 3], real_constant(c->friction[i - 1])) : axis[0];
    torque[i] = i < 3 ? r3_cross(slot->r, a[i]) : a[i];
  }
  for (int i = 3; i < dim; i++) {
    for (int j = 0; j <= i; j++) {
      Real3 scaled = r3_scale(torque[i], h[i][j]);
      add_outer(K->ww, scaled, torque[j]);
      if (j < i) {
        add_outer(K->ww, torque[j], scaled);
      }
      if (j < 3) {
        add_product(K->wu, scaled, a[j]);
      }
    }
  }
}

INLINE void contact_stiffness(Stiffness21* K, const ContactSlot* slot, const ContactConstants* c,
                              int dim, int cone) {
  Real h[6][6];
  contact_curvature(h, slot, real_constant(c->mu), dim, cone);
  if (!mask_any(h[0][0] > REAL_ZERO)) {
    return;  // it is open in all lanes: zeros would be added
  }
  point_stiffness(K, slot, c, h, dim);
  spin_stiffness(K, slot, c, h, dim);
}

INLINE void stiffness_clear(Stiffness21* K) {
  for (int i = 0; i < 6; i++) {
    K->ww[i] = K->uu[i] = REAL_ZERO;
  }
  for (int i = 0; i < 9; i++) {
    K->wu[i] = REAL_ZERO;
  }
}

INLINE void stiffness_addto(Stiffness21* sum, const Stiffness21* K) {
  for (int i = 0; i < 6; i++) {
    sum->ww[i] += K->ww[i];
    sum->uu[i] += K->uu[i];
  }
  for (int i = 0; i < 9; i++) {
    sum->wu[i] += K->wu[i];
  }
}

INLINE Real3 symmetric_mul(const Real K[6], Real3 a) {
  return (Real3){real_muladd(K[4], a.z, real_muladd(K[3], a.y, K[0] * a.x)),
                 real_muladd(K[5], a.z, real_muladd(K[1], a.y, K[3] * a.x)),
                 real_muladd(K[2], a.z, real_muladd(K[5], a.y, K[4] * a.x))};
}

// K S
INLINE Real6 stiffness_mul(const Stiffness21* K, Real6 S) {
  const Real33 wu = {{K->wu[0], K->wu[1], K->wu[2]},
                     {K->wu[3], K->wu[4], K->wu[5]},
                     {K->wu[6], K->wu[7], K->wu[8]}};
  return (Real6){r33_muladd(&wu, S.u, symmetric_mul(K->ww, S.w)),
                 r3_add(r33_tmul(&wu, S.w), symmetric_mul(K->uu, S.u))};
}

// Stiffness of all bodies with contacts with the fixed world, inwards.
static void body_stiffness(Work* w) {
  const mjModel* m = w->m;
  for (int b = 1; b < m->nbody; b++) {
    if (w->grounded[b]) {
      stiffness_clear(w->stiffness + b);
    }
  }
  for (int n = 0; n < w->nmet; n++) {
    int k = w->met[n];
    const LaneContact* contact = w->s->contact + k;
    if (contact->coupling < 0) {
      const ContactConstants* c = w->constants.contact + k;
      Stiffness21* K = w->stiffness + contact_mover(contact);
      WITH_KIND(contact, w->constants.cone, contact_stiffness, K, w->contact + k, c)
    }
  }
  for (int b = m->nbody - 1; b > 0; b--) {
    if (w->grounded[b] && m->body_parentid[b]) {
      stiffness_addto(w->stiffness + m->body_parentid[b], w->stiffness + b);
    }
  }
}

// H_ij = M_ij + S_j . K S_i; rows below which nothing touches the fixed world are copies of M's.
static void contacts_hessian(Work* w) {
  const LanePattern* p = &w->s->M;
  body_stiffness(w);
  for (int k = 0; k < p->npanel; k++) {
    const LanePanel* panel = p->panel + k;
    const int* column = p->column + panel->column;
    for (int i = panel->first; i < panel->first + panel->count; i++) {
      const Real* from = w->M + row_at(i);
      Real* row = w->H + row_at(i);
      int body = w->m->dof_bodyid[i], n = panel->n;
      if (!w->grounded[body]) {
        for (int a = 0; a < n; a++) {
          row[column[a]] = from[column[a]];
        }
        for (int j = panel->first; j <= i; j++) {
          row[j] = from[j];
        }
        continue;
      }
      Real6 F = stiffness_mul(w->stiffness + body, w->cdof[i]);
      for (int a = 0; a < n; a++) {
        row[column[a]] = from[column[a]] + r6_dot(F, w->cdof[column[a]]);
      }
      for (int j = panel->first; j <= i; j++) {
        row[j] = from[j] + r6_dot(F, w->cdof[j]);
      }
    }
  }
}

// J of the dofs of a coupling in the directions of a contact.
static void coupling_jacobian(Work* w, const LaneCoupling* coupling, const LaneContact* contact,
                              const ContactSlot* slot, const ContactConstants* c) {
  for (int a = 0; a < coupling->ndof; a++) {
    const LaneCoupledDof* dof = w->s->coupled + coupling->dof + a;
    Real* J = w->coupled_J[a];
    directions_motion(J, slot, c, contact->dim, w->cdof[dof->dof], dof->side ? slot->r : slot->r1);
    for (int i = 0; !dof->side && i < contact->dim; i++) {
      J[i] = -J[i];
    }
  }
}

// H_ij += J_i' h J_j of a contact between bodies that both move.
INLINE void coupling_hessian(Work* w, const LaneContact* contact, const ContactSlot* slot,
                             const ContactConstants* c, int dim, int cone) {
  const LaneCoupling* coupling = w->s->coupling + contact->coupling;
  const LaneCoupledDof* dof = w->s->coupled + coupling->dof;
  Real h[6][6];
  contact_curvature(h, slot, real_constant(c->mu), dim, cone);
  if (!mask_any(h[0][0] > REAL_ZERO)) {
    return;
  }
  coupling_jacobian(w, coupling, contact, slot, c);
  for (int a = 0; a < coupling->ndof; a++) {
    Real g[6], *row = w->H + row_at(dof[a].dof);
    for (int i = 0; i < dim; i++) {
      g[i] = h[i][0] * w->coupled_J[a][0];
      for (int j = 1; j < dim; j++) {
        g[i] = real_muladd(h[i > j ? i : j][i > j ? j : i], w->coupled_J[a][j], g[i]);
      }
    }
    for (int b = 0; b <= a; b++) {
      Real sum = row[dof[b].dof];
      for (int i = 0; i < dim; i++) {
        sum = real_muladd(g[i], w->coupled_J[b][i], sum);
      }
      row[dof[b].dof] = sum;
    }
  }
}

static void couplings_hessian(Work* w) {
  for (int n = 0; n < w->nmet; n++) {
    int k = w->met[n];
    const LaneContact* contact = w->s->contact + k;
    const ContactSlot* slot = w->contact + k;
    if (contact->coupling >= 0) {
      const ContactConstants* c = w->constants.contact + k;
      WITH_KIND(contact, w->constants.cone, coupling_hessian, w, contact, slot, c)
    }
  }
}

#undef WITH_KIND
