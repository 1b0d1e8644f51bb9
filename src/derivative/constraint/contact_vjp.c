// Gradient of the scalar lambda . F with respect to the motions of a contact's bodies, in reverse
// mode: the chain rule is applied from the scalar back to the bodies. The adjoint of a quantity is
// the derivative of the scalar with respect to it.
// Symbols: contact_work.h, contact_carrier.h; F and lambda: tree/vjp.h.
//                                       theory/time/constraint-derivatives.md, Gradient of a scalar

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "derivative/constraint/constraint_gradient.h"
#include "derivative/constraint/contact.h"
#include "derivative/constraint/contact_carrier.h"

// Adjoints of the motions of a contact's bodies (E), of its position, frame (turn) and distance,
// and of the rates of joint axes (rate), for unit weight.
typedef struct {
  mjtNum E[MOST_CARRIERS][6], pos[3], turn[3], dist;
  mjtNum rate[NVJP][6];
} Adjoints;

// Motions z at the three joint velocities of ConstraintVjp. along: J lambda in the directions of
// the contact. response: -Hs J lambda. damped: the response times damping.
typedef struct {
  CarriedMotion z[NVJP];
  mjtNum along[6], response[6], damped[6];
} Responses;

static void find_responses(Responses* out, const ConstraintVjp* vjp, const CarriedContact* c) {
  for (int z = 0; z < NVJP; z++) {
    contact_measure(out->z + z, c, vjp->W + z);
  }
  contact_swap_parts(out->along, out->z[VJP_LAMBDA].rel);
  contact_responses(out->response, out->damped, &c->w, vjp->law, c->con, out->along);
}

// Adds the adjoints of h . D(J) z, with h in the directions of the contact, the twists A_i of z and
// their weighted sum (w, c):
//
//   h . (sum_i w_i E_i x A_i) + h_F . (w x dp - turn x c) - h_T . (turn x w)
static void adjoint_of_twists(mjtNum E[][6], Adjoints* out, const CarriedContact* c,
                              const mjtNum h[6], const CarriedMotion* motion) {
  const mjtNum *force = h, *torque = h + 3, *rel = motion->rel;
  mjtNum wrench[6], t[6];
  contact_swap_parts(wrench, h);
  for (int i = 0; i < c->n; i++) {
    sp_crossforce(t, motion->A[i], wrench);
    sp_addtoscl(E[i], t, c->carrier[i].weight);
  }
  v3_cross(t, force, rel);
  v3_addto(out->pos, t);
  v3_cross(t, rel + 3, force);
  v3_subfrom(out->turn, t);
  v3_cross(t, rel, torque);
  v3_subfrom(out->turn, t);
}

// The same for the motions of bodies z, and how these change with the axes of joints.
static void adjoint_of_rows(Adjoints* out, const CarriedContact* c, int z, const mjtNum h[6],
                            const CarriedMotion* motion) {
  adjoint_of_twists(out->E, out, c, h, motion);
  contact_swap_parts(out->rate[z], h);
}

// The same for surfaces that move. Their twists turn with the geoms, of whose motions the adjoints
// are added to those of the sides.
static void adjoint_of_surfaces(mjtNum side[2][6], Adjoints* out, const CarriedContact* c,
                                const mjtNum damped[6]) {
  mjtNum h[6], E[MOST_CARRIERS][6] = {{0}};
  contact_sliding(h, damped);
  adjoint_of_twists(E, out, c, h, &c->surface);
  for (int i = 0; i < c->n; i++) {
    sp_addto(side[c->carrier[i].side], E[i]);
  }
}

// Adjoint of the weight of a corner. The weights of its carriers and the diagonal depend on it.
static mjtNum adjoint_of_corner_weight(const Adjoints* adjoints, const Responses* responses,
                                       const CarriedContact* c, int side, int corner) {
  mjtNum sum = 0;
  if (c->is_free) {
    sum -= sp_dot(responses->along, c->w.weighed) * c->side[side].inverse[corner] / c->diagonal;
  }
  for (int i = 0; i < c->n; i++) {
    mjtNum share = carrier_share(c->carrier + i, corner);
    for (int z = 0; c->carrier[i].side == side && share != 0 && z < NVJP; z++) {
      sum += contact_sign(side) * share * sp_dot(adjoints->rate[z], responses->z[z].A[i]);
    }
  }
  return sum;
}

// Adds the adjoints v of the motions of a side's corners x_a, which come from their weights w_a.
// With x_a relative to the contact, w_a = g_a / |g| and g_a = 1 / |x_a|, and with the adjoint b_a
// of w_a, the adjoint of -x_a is
//
//   (b_a - w_a sum_c w_c b_c) / |g| g_a^3 x_a
static void adjoint_of_corners(mjtNum v[4][3], Adjoints* out, const Responses* responses,
                               const CarriedContact* c, int side) {
  const CarrierSide* s = c->side + side;
  const FlexCorners* corners = &s->feature.corners;
  mjtNum b[4] = {0}, mean = 0;
  for (int i = 0; i < corners->n; i++) {
    b[i] = adjoint_of_corner_weight(out, responses, c, side, i);
    mean += corners->weight[i] * b[i];
  }
  for (int i = 0; i < corners->n; i++) {
    mjtNum length = v3_norm(s->at[i]), weight = corners->weight[i];
    if (weight != 0 && length > mjMINVAL) {
      mjtNum by = (b[i] - weight * mean) * weight / (length * length);
      v3_addtoscl(out->pos, s->at[i], by);
      v3_addtoscl(v[i], s->at[i], -by);
    }
  }
}

// Adjoints of the twists of the sides from those of the contact: the transpose of contact_move.
static void adjoint_of_sides(mjtNum side[2][6], const Adjoints* out, const ContactWork* w) {
  const mjtNum dn[2] = {out->turn[2] + out->turn[0] * w->spin[1],
                        -out->turn[1] + out->turn[0] * w->spin[2]};
  mjtNum U[6];
  for (int i = 0; i < 6; i++) {
    U[i] = out->dist * w->geometry.dist[i] + dn[0] * w->geometry.normal[0][i] +
           dn[1] * w->geometry.normal[1][i] + out->pos[0] * w->geometry.pos[0][i] +
           out->pos[1] * w->geometry.pos[1][i] + out->pos[2] * w->geometry.pos[2][i];
  }
  for (int i = 0; i < 6; i++) {
    side[1][i] = U[i];
    side[0][i] = -U[i];
  }
  v3_addtoscl(side[1], w->about, out->turn[0]);
  v3_addto(side[0] + 3, out->pos);
  side[0][2] += dn[0];
  side[0][1] -= dn[1];
}

// Adds the adjoints v of the motions of a feature's corners, from the adjoint `by` of the twist of
// the feature, a linear function of these motions.
static void adjoint_of_feature(mjtNum v[4][3], const CarrierSide* s, const mjtNum by[6]) {
  for (int i = 0; i < s->feature.n; i++) {
    int corner = s->feature.corner[i];
    for (int k = 0; k < 3; k++) {
      mjtNum unit[4][3] = {{0}}, twist[6];
      unit[corner][k] = 1;
      flex_feature_twist(twist, &s->feature, s->at, unit);
      v[corner][k] += sp_dot(twist, by);
    }
  }
}

// Adjoints of the twists of the bodies from the adjoint `by` of the twist of their side. v:
// adjoints of the corners.
static void adjoint_of_carriers(Adjoints* out, const CarriedContact* c, int side,
                                const mjtNum by[6], mjtNum v[4][3]) {
  int is_geom = c->con->geom[side] >= 0;
  if (!is_geom) {
    adjoint_of_feature(v, c->side + side, by);
  }
  for (int k = 0; k < c->n; k++) {
    const ContactCarrier* carrier = c->carrier + k;
    if (carrier->side != side) {
      continue;
    }
    if (is_geom) {
      sp_addto(out->E[k], by);
      continue;
    }
    mjtNum pull[3] = {0}, turn[3];
    for (int i = 0; i < c->side[side].feature.corners.n; i++) {
      v3_addtoscl(pull, v[i], carrier->share[i]);
    }
    v3_cross(turn, carrier->arm, pull);
    v3_addto(out->E[k], turn);
    v3_addto(out->E[k] + 3, pull);
  }
}

// Adds gradients by parameters: poses of geoms on their bodies, friction.
static void add_gradients(const ConstraintVjp* vjp, const CarriedContact* c,
                          const Responses* responses, mjtNum geom[2][6]) {
  mjtNum motion[2][6] = {{0}}, measured[6];
  for (int side = 0; side < 2; side++) {
    if (c->con->geom[side] >= 0) {
      contact_to_world(motion[side], geom[side], c->con->frame, 1);
    }
  }
  // J (x + b v) of the rows
  for (int k = 0; k < 6; k++) {
    int from = (k + 3) % 6;
    measured[k] = responses->z[VJP_X].rel[from] + c->w.damping[k] * responses->z[VJP_V].rel[from];
    if (c->slides && k >= 1 && k <= 3) {
      measured[k] += c->w.damping[k] * c->surface.rel[from];
    }
  }
  constraint_gradient_motion(vjp, c->con, motion, c->w.geometry.is_witness);
  constraint_gradient_friction(vjp, c->con, responses->along, measured);
}

static void add_adjoints(ConstraintVjp* vjp, const Adjoints* adjoints, const CarriedContact* c) {
  for (int k = 0; k < c->n; k++) {
    mjtNum motion[6], rate[NVJP][6];
    if (!carrier_moves(c, k)) {
      continue;
    }
    contact_to_world(motion, adjoints->E[k], c->con->frame, 1);
    for (int z = 0; z < NVJP; z++) {
      contact_to_world(rate[z], adjoints->rate[z], c->con->frame, c->carrier[k].weight);
    }
    vjp_add(vjp, c->carrier[k].body, c->con->pos, motion, rate);
  }
}

int contact_vjp(ConstraintVjp* vjp, const mjContact* con) {
  CarriedContact c;
  Adjoints adjoints;
  Responses responses;
  mjtNum motion[2][6], surface[2][6] = {{0}}, v[2][4][3] = {{{0}}};
  c.w = (ContactWork){.push = 0};
  if (!contact_take_law(&c.w, vjp->law, con)) {
    return 0;
  }
  contact_carriers(&c, vjp->m, vjp->d, con);
  int kinks = contact_find_geometry(&c);
  find_responses(&responses, vjp, &c);
  memset(adjoints.E, 0, (size_t)c.n * sizeof(adjoints.E[0]));
  v3_zero(adjoints.pos);
  v3_zero(adjoints.turn);
  adjoint_of_rows(&adjoints, &c, VJP_LAMBDA, c.w.force, responses.z + VJP_LAMBDA);
  adjoint_of_rows(&adjoints, &c, VJP_X, responses.response, responses.z + VJP_X);
  adjoint_of_rows(&adjoints, &c, VJP_V, responses.damped, responses.z + VJP_V);
  contact_find_surfaces(&c);
  if (c.slides) {
    adjoint_of_surfaces(surface, &adjoints, &c, responses.damped);
  }
  adjoints.dist =
      c.w.sigma * sp_dot(responses.along, c.w.weighed) + sp_dot(c.w.spring, responses.response);
  for (int side = 0; side < 2; side++) {
    if (c.side[side].feature.corners.n > 1) {
      adjoint_of_corners(v[side], &adjoints, &responses, &c, side);
    }
  }
  adjoint_of_sides(motion, &adjoints, &c.w);
  for (int side = 0; c.slides && side < 2; side++) {
    sp_addto(motion[side], surface[side]);
  }
  if (vjp->gradient) {
    add_gradients(vjp, &c, &responses, motion);
  }
  for (int side = 0; side < 2; side++) {
    adjoint_of_carriers(&adjoints, &c, side, motion[side], v[side]);
  }
  add_adjoints(vjp, &adjoints, &c);
  return kinks;
}
