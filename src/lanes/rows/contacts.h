// contacts.h: finding contacts, and their rows. Those of two bodies that move, and those with the
// fixed world on short chains, have a Jacobian, made once in a step, on the dofs that move one of
// the two bodies and not the other. For the others see grounded.h.
//                                                            theory/time/lanes.md, Rows of contacts
//
// H has the pattern of M where one body is fixed or carries the other, and else needs a pattern
// with room for rows of two branches.

#pragma once

#include "lanes/dynamics/panels.h"
#include "lanes/rows/coupling.h"
#include "lanes/rows/grounded.h"
#include "lanes/rows/jacobian.h"
#include "lanes/rows/pairs.h"
#include "lanes/work.h"

// Calls f(..., dim) with a constant number of directions.
#define WITH_DIM(contact, f, ...) \
  switch ((contact)->dim) {       \
    case 1:                       \
      f(__VA_ARGS__, 1);          \
      break;                      \
    case 3:                       \
      f(__VA_ARGS__, 3);          \
      break;                      \
    case 4:                       \
      f(__VA_ARGS__, 4);          \
      break;                      \
    default:                      \
      f(__VA_ARGS__, 6);          \
      break;                      \
  }

// finding contacts

// A plane as a body sees it: its normal in the axes of the body, the height of the body's origin.
typedef struct PlaneView {
  int body, plane;
  Real3 normal;
  Real height;
} PlaneView;

static void plane_view(PlaneView* view, const Work* w, const LaneContact* contact,
                       const ContactConstants* c) {
  int body = contact->body[1];
  if (view->body != body || view->plane != contact->geom1) {
    Real3 n = r3_of(c->normal);
    Real height = r3_dot(n, w->xpos[body]) - c->offset;
    *view = (PlaneView){body, contact->geom1, r33_tmul(w->xmat + body, n), height};
  }
}

// A sphere above a plane: normal, point and distance.      theory/contact/collision.md, Plane pairs
// Also plane_sphere in collision/primitive/plane.c.
INLINE Mask plane_contact(Work* w, const PlaneView* view, const LaneContact* contact,
                          const ContactConstants* c, ContactSlot* slot, Real* r) {
  Real3 centre = r3_of(c->point);
  Real dist = r3_dot(view->normal, centre) + view->height - c->radius;
  *r = dist - c->spring.margin;
  Mask on = *r < REAL_ZERO;
  if (mask_any(on)) {
    int body = view->body;
    Real3 n = r3_of(c->normal);
    slot->n = n;
    slot->dist = dist;
    slot->t = r3_of(c->tangent);
    if (contact->shape != SHAPE_SPHERE) {
      Real3 axis = r33_mul(w->xmat + body, r3_of(c->axis));
      slot->t = r3_normalize(r3_addscale(axis, n, -r3_dot(n, axis)));
    }
    slot->b = r3_cross(n, slot->t);
    Real down = real_muladd(dist, lane_real_of((Num)-0.5), -real_constant(c->radius));
    Real3 point = r3_addscale(r33_muladd(w->xmat + body, centre, w->xpos[body]), n, down);
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

INLINE Jacobian lane_contact_rows(const Work* w, const LaneContact* contact) {
  return jacobian_of(w, contact->coupling, w->contact_J + contact->J);
}

// J, of the second body against the first.
// Also wrenches_of in constraint/rows/contact_wrench.h.
INLINE void contact_jacobian(Work* w, const LaneContact* contact, const ContactSlot* slot,
                             const ContactConstants* c, int dim) {
  Jacobian j = lane_contact_rows(w, contact);
  Real row[6];
  for (int a = 0; a < j.n; a++) {
    int side = j.dof[a].side;
    lane_directions_motion(row, slot, c, dim, w->cdof[j.dof[a].dof], side ? slot->r : slot->r1);
    for (int i = 0; i < dim; i++) {
      *j.J++ = side ? row[i] : -row[i];
    }
  }
}

// D and x of a contact in the lanes that have it: x = -a_ref = B J v + K d (dist - margin), where
// sliding has no K.
// Also mj_referenceConstraint in constraint/reference.c.
static void contact_begin(Work* w, const LaneContact* contact, const ContactConstants* c,
                          ContactSlot* slot, Real r, Mask on) {
  Real d = row_impedance(&c->spring, r);
  slot->stiffness = lane_row_stiffness(&c->spring, d, real_constant(c->soft), on);
  if (contact->coupling < 0) {
    ground(w, contact_mover(contact));
    WITH_DIM(contact, grounded_motion, slot->x, slot, c, contact, w->cvel)
  } else {
    coupling_use(w, w->s->coupling + contact->coupling);
    WITH_DIM(contact, contact_jacobian, w, contact, slot, c)
    WITH_DIM(contact, jacobian_multiply, slot->x, lane_contact_rows(w, contact), w->qvel)
  }
  slot->x[0] = real_muladd(real_constant(c->spring.B), slot->x[0], c->spring.K * d * r);
  for (int i = 1; i < contact->dim; i++) {
    slot->x[i] = c->slide * slot->x[i];
  }
}

enum {
  ALIKE_MOST = 8  // slots that are packed together
};

// Moves the contacts of each lane to the first of n slots whose contacts differ in their place
// alone. on, r: of each slot. A lane's contacts stay in their order.
static void contacts_pack(ContactSlot* slot, int n, Mask* on, Real* r) {
  Real count = REAL_ZERO;
  for (int k = 0; k < n; k++) {
    const ContactSlot* from = slot + k;
    Mask left = on[k];
    count += real_where(left, lane_real_of(1));
    for (int i = 0; i < k && mask_any(left); i++) {
      Mask moves = left & (count == lane_real_of((Num)(i + 1)));
      if (!mask_any(moves)) {
        continue;
      }
      ContactSlot* to = slot + i;
      to->n = from->n;
      to->t = r3_select(moves, from->t, to->t);
      to->b = r3_select(moves, from->b, to->b);
      to->r = r3_select(moves, from->r, to->r);
      to->dist = real_select(moves, from->dist, to->dist);
      r[i] = real_select(moves, r[k], r[i]);
      on[i] |= moves;
      left &= ~moves;
    }
    on[k] = left;
  }
}

// Finds the contacts with fixed planes. Returns the lanes that have one.
static Mask plane_contacts_find(Work* w) {
  Mask some = mask_of(0), on[ALIKE_MOST];
  Real r[ALIKE_MOST];
  PlaneView view = {.body = -1};
  for (int k = 0, n; k < w->s->nplane; k += n) {
    const LaneContact* contact = w->s->contact + k;
    const ContactConstants* c = w->constants.contact + k;
    n = 0;
    do {
      plane_view(&view, w, contact + n, c + n);
      on[n] = plane_contact(w, &view, contact + n, c + n, w->contact + k + n, r + n);
      n++;
    } while (n < ALIKE_MOST && k + n < w->s->nplane && w->alike[k + n]);
    contacts_pack(w->contact + k, n, on, r);
    for (int i = 0; i < n; i++) {
      if (mask_any(on[i])) {
        contact_begin(w, contact + i, c + i, w->contact + k + i, r[i], on[i]);
        w->met[w->nmet++] = k + i;
        some |= on[i];
      }
    }
  }
  return some;
}

// Finds all contacts. Returns the lanes that have one.
static Mask contacts_find(Work* w) {
  Mask some = mask_of(0), on;
  Real r;
  w->nmet = 0;
  grounded_clear(w);
  if (!lane_is_on(w, mjDSBL_CONTACT | mjDSBL_CONSTRAINT)) {
    return some;
  }
  some |= plane_contacts_find(w);
  int first = w->nmet;
  pairs_find(w);
  for (int i = first; i < w->nmet; i++) {
    int k = w->met[i];
    const ContactConstants* c = w->constants.contact + k;
    on = found_contact(w, w->s->contact + k, c, w->contact + k, &r);
    contact_begin(w, w->s->contact + k, c, w->contact + k, r, on);
    some |= on;
  }
  w->count.slots += LANES * w->nmet;
  for (int i = 0; i < w->nmet; i++) {
    w->count.used += __builtin_popcount(mask_bits(w->contact[w->met[i]].stiffness > REAL_ZERO));
  }
  return some;
}

// Marks bodies anew for the contacts that are met.
static void contacts_ground(Work* w) {
  grounded_clear(w);
  for (int i = 0; i < w->nmet; i++) {
    const LaneContact* contact = w->s->contact + w->met[i];
    if (contact->coupling < 0) {
      ground(w, contact_mover(contact));
    }
  }
}

// 8-bit signature of a lane's active contacts, by which worlds are sorted so that similar ones
// share a SIMD vector. Bodies are split by id into seven groups: bit k = a body of group k touches
// a static one, bit 7 = two moving bodies touch.
static unsigned contacts_likeness(const Work* w, int lane) {
  unsigned bits = 0;
  for (int i = 0; i < w->nmet; i++) {
    const LaneContact* contact = w->s->contact + w->met[i];
    if (w->contact[w->met[i]].stiffness[lane] > 0) {
      int two = contact->body[0] && contact->body[1];
      bits |= 1u << (two ? 7 : contact_mover(contact) * 7 / w->m->nbody);
    }
  }
  return bits;
}

// v = J s
static void contacts_multiply(Work* w, const Real* s) {
  grounded_twists(w, s);
  for (int i = 0; i < w->nmet; i++) {
    int k = w->met[i];
    const LaneContact* contact = w->s->contact + k;
    ContactSlot* slot = w->contact + k;
    if (contact->coupling < 0) {
      const ContactConstants* c = w->constants.contact + k;
      WITH_DIM(contact, grounded_motion, slot->v, slot, c, contact, w->twist)
    } else {
      WITH_DIM(contact, jacobian_multiply, slot->v, lane_contact_rows(w, contact), s)
    }
  }
}

INLINE void contact_shift(ContactSlot* slot, Real step, int dim) {
  for (int i = 0; i < dim; i++) {
    slot->x[i] = real_muladd(step, slot->v[i], slot->x[i]);
  }
}

// Adds the change of the cost of a contact; x += step v unless it is a trial.
INLINE void contact_slot_move(TreeSums* sums, ContactSlot* slot, Real mu, int cone, Real step,
                              int trial, int dim) {
  tree_add_change(sums, contact_change(slot, mu, dim, cone, step));
  if (!trial) {
    contact_shift(slot, step, dim);
  }
}

// Moves all contacts by the steps of trees unless it is a trial; adds the change of the cost.
static void contacts_move(Work* w, int trial) {
  TreeSums sums = {.tree = -1};
  int cone = w->has_cones;
  for (int n = 0; n < w->nmet; n++) {
    int k = w->met[n], tree = contact_tree(w, w->s->contact + k);
    ContactSlot* slot = w->contact + k;
    Real mu = real_constant(w->constants.contact[k].mu), step = w->step[tree];
    tree_turn_change(&sums, w, tree);
    WITH_DIM(w->s->contact + k, contact_slot_move, &sums, slot, mu, cone, step, trial)
  }
  tree_turn_change(&sums, w, -1);
}

// x += step v
static void contacts_shift(Work* w) {
  for (int n = 0; n < w->nmet; n++) {
    const LaneContact* contact = w->s->contact + w->met[n];
    Real step = w->step[contact_tree(w, contact)];
    WITH_DIM(contact, contact_shift, w->contact + w->met[n], step)
  }
}

// Adds slope and curvature of the cost at x + step v along v.
INLINE void contacts_line(Work* w) {
  TreeSums sums = {.tree = -1};
  int cone = w->has_cones;
  for (int n = 0; n < w->nmet; n++) {
    const LaneContact* contact = w->s->contact + w->met[n];
    const ContactSlot* slot = w->contact + w->met[n];
    int tree = contact_tree(w, contact);
    Real mu = real_constant(w->constants.contact[w->met[n]].mu), step = w->step[tree];
    tree_turn_line(&sums, w, tree);
    WITH_DIM(contact, contact_line, &sums.first, &sums.second, slot, mu, cone, step)
  }
  tree_turn_line(&sums, w, -1);
}

// Adds J'f to forces of dofs, or the wrench of the force to those of the body.
INLINE void contact_push_at(Real* out, Work* w, const LaneContact* contact, const ContactSlot* slot,
                            const ContactConstants* c, int dim) {
  Real f[6];
  contact_force(f, slot, real_constant(c->mu), dim, w->has_cones, w->has_forces);
  if (!mask_any(f[0] > REAL_ZERO)) {
    return;  // it is open in all lanes: zeros would be added
  }
  if (contact->coupling < 0) {
    lane_contact_push(w, contact, slot, c, f, dim);
  } else {
    jacobian_push(out, lane_contact_rows(w, contact), f, dim);
  }
}

static void contacts_force(Work* w, Real* out) {
  if (w->has_grounded) {
    wrenches_clear(w);
  }
  for (int n = 0; n < w->nmet; n++) {
    int k = w->met[n];
    const LaneContact* contact = w->s->contact + k;
    WITH_DIM(contact, contact_push_at, out, w, contact, w->contact + k, w->constants.contact + k)
  }
  grounded_forces(w, out);
}

// Adds the part of a contact to the stiffness of its body, or to H.
INLINE void contact_hessian(Work* w, const LaneContact* contact, const ContactSlot* slot,
                            const ContactConstants* c, int dim) {
  Real h[6][6];
  contact_curvature(h, slot, real_constant(c->mu), dim, w->has_cones);
  if (!mask_any(h[0][0] > REAL_ZERO)) {
    return;
  }
  if (contact->coupling < 0) {
    lane_contact_stiffness(stiffness_to_add(w, contact_mover(contact)), slot, c, h, dim);
  } else {
    jacobian_hessian(w->H, lane_contact_rows(w, contact), h, dim);
  }
}

static void contacts_hessian_of(Work* w, int grounded) {
  for (int n = 0; n < w->nmet; n++) {
    int k = w->met[n];
    const LaneContact* contact = w->s->contact + k;
    if ((contact->coupling < 0) == grounded) {
      WITH_DIM(contact, contact_hessian, w, contact, w->contact + k, w->constants.contact + k)
    }
  }
}

// H = M and what contacts add
static void contacts_hessian(Work* w) {
  if (w->has_grounded) {
    stiffnesses_clear(w);
    contacts_hessian_of(w, 1);
    grounded_hessian(w);
  } else {
    pattern_copy(w->H, w->M, w->own);
  }
  contacts_hessian_of(w, 0);
}

#undef WITH_DIM
