// The derivative of one number that a contact adds to: what multiplies the motion of each of its
// bodies, from the end of the chain rule to its beginning.
//                                                   theory/constraint-derivatives.md, One number

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/vec.h"
#include "derivative/constraint/constraint_gradient.h"
#include "derivative/constraint/contact.h"
#include "derivative/constraint/contact_carrier.h"

// Factors of the motions of a contact: of its bodies, place, frame and distance; and of the rates
// of axes, for unit weight.
typedef struct {
  mjtNum E[MOST_CARRIERS][6], pos[3], turn[3], dist;
  mjtNum rate[NVJP][6];
} Weights;

// Motions at the three joint velocities; J lambda along the directions of the contact, the response
// -Hs J lambda of the rows, and the response times damping.
typedef struct {
  CarriedMotion z[NVJP];
  mjtNum along[6], response[6], damped[6];
} Responses;

static void find_responses(Responses* out, const ConstraintVjp* of, const CarriedContact* c) {
  for (int z = 0; z < NVJP; z++) {
    contact_measure(out->z + z, c, of->W + z);
  }
  contact_swap_parts(out->along, out->z[VJP_LAMBDA].rel);
  contact_responses(out->response, out->damped, &c->w, of->law, c->con, out->along);
}

// Adds the factors in h . D(J) z, with h along the directions of the contact, the twists A_i of z
// and their weighted sum (w, c):
//
//   h . (sum_i w_i E_i x A_i) + h_F . (w x dp - turn x c) - h_T . (turn x w)
static void weigh_rows(Weights* out, const CarriedContact* c, int z, const mjtNum h[6],
                       const CarriedMotion* of) {
  const mjtNum *force = h, *torque = h + 3, *rel = of->rel;
  mjtNum wrench[6], t[6];
  contact_swap_parts(wrench, h);
  for (int i = 0; i < c->n; i++) {
    sp_crossforce(t, of->A[i], wrench);
    sp_addtoscl(out->E[i], t, c->carrier[i].weight);
  }
  v3_cross(t, force, rel);
  v3_addto(out->pos, t);
  v3_cross(t, rel + 3, force);
  v3_subfrom(out->turn, t);
  v3_cross(t, rel, torque);
  v3_subfrom(out->turn, t);
  sp_copy(out->rate[z], wrench);
}

// Factor of the weight of a corner, which is in the weights of its carriers and in the diagonal.
static mjtNum weigh_corner(const Weights* weights, const Responses* a, const CarriedContact* c,
                           int side, int corner) {
  mjtNum sum = 0;
  if (c->is_free) {
    sum -= sp_dot(a->along, c->w.force) * c->side[side].inverse[corner] / c->diagonal;
  }
  for (int i = 0; i < c->n; i++) {
    mjtNum share = carrier_share(c->carrier + i, corner);
    for (int z = 0; c->carrier[i].side == side && share != 0 && z < NVJP; z++) {
      sum += contact_sign(side) * share * sp_dot(weights->rate[z], a->z[z].A[i]);
    }
  }
  return sum;
}

// v: what multiplies the motions of the corners of a side. With b_a of their weights,
// w_a = g_a / |g|, g_a = 1 / |x_a|, that of x_a's way to the contact is
//
//   (b_a - w_a sum_c w_c b_c) / |g| g_a^3 x_a
static void weigh_corners(mjtNum v[4][3], Weights* out, const Responses* a, const CarriedContact* c,
                          int side) {
  const CarrierSide* s = c->side + side;
  const FlexCorners* corners = &s->feature.corners;
  mjtNum b[4] = {0}, mean = 0;
  for (int i = 0; i < corners->n; i++) {
    b[i] = weigh_corner(out, a, c, side, i);
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

// Factors of the motions of the sides from those of the contact: the transpose of contact_move.
static void weigh_motions(mjtNum side[2][6], const Weights* out, const ContactWork* w) {
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

// Factors of the motions of the corners from those of the twist of their feature, which is linear
// in them.
static void weigh_feature(mjtNum v[4][3], const CarrierSide* s, const mjtNum by[6]) {
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

// Factors of the motions of the bodies from those of their side; v: factors of its corners.
static void weigh_carriers(Weights* out, const CarriedContact* c, int side, const mjtNum by[6],
                           mjtNum v[4][3]) {
  int is_geom = c->con->geom[side] >= 0;
  if (!is_geom) {
    weigh_feature(v, c->side + side, by);
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
    mjtNum hung[3] = {0}, turn[3];
    for (int i = 0; i < c->side[side].feature.corners.n; i++) {
      v3_addtoscl(hung, v[i], carrier->share[i]);
    }
    v3_cross(turn, carrier->arm, hung);
    v3_addto(out->E[k], turn);
    v3_addto(out->E[k] + 3, hung);
  }
}

// gradients by parameters: places of geoms on their bodies, friction
static void add_gradients(const ConstraintVjp* of, const CarriedContact* c, const Responses* a,
                          mjtNum geom[2][6]) {
  mjtNum motion[2][6] = {{0}}, measured[6];
  for (int side = 0; side < 2; side++) {
    if (c->con->geom[side] >= 0) {
      contact_to_world(motion[side], geom[side], c->con->frame, 1);
    }
  }
  // J (x + b v) of the rows
  for (int k = 0; k < 6; k++) {
    int from = (k + 3) % 6;
    measured[k] = a->z[VJP_X].rel[from] + c->w.damping[k] * a->z[VJP_V].rel[from];
  }
  constraint_gradient_motion(of, c->con, motion, c->w.geometry.is_witness);
  constraint_gradient_friction(of, c->con, a->along, measured);
}

static void add_weights(ConstraintVjp* of, const Weights* weights, const CarriedContact* c) {
  for (int k = 0; k < c->n; k++) {
    mjtNum motion[6], rate[NVJP][6];
    if (!carrier_moves(c, k)) {
      continue;
    }
    contact_to_world(motion, weights->E[k], c->con->frame, 1);
    for (int z = 0; z < NVJP; z++) {
      contact_to_world(rate[z], weights->rate[z], c->con->frame, c->carrier[k].weight);
    }
    vjp_add(of, c->carrier[k].body, c->con->pos, motion, rate);
  }
}

int contact_vjp(ConstraintVjp* of, const mjContact* con) {
  CarriedContact c;
  Weights weights;
  Responses a;
  mjtNum motion[2][6], v[2][4][3] = {{{0}}};
  c.w = (ContactWork){.push = 0};
  if (!contact_take_law(&c.w, of->law, con)) {
    return 0;
  }
  contact_carriers(&c, of->m, of->d, con);
  int kinks = contact_find_geometry(&c);
  find_responses(&a, of, &c);
  memset(weights.E, 0, (size_t)c.n * sizeof(weights.E[0]));
  v3_zero(weights.pos);
  v3_zero(weights.turn);
  weigh_rows(&weights, &c, VJP_LAMBDA, c.w.force, a.z + VJP_LAMBDA);
  weigh_rows(&weights, &c, VJP_X, a.response, a.z + VJP_X);
  weigh_rows(&weights, &c, VJP_V, a.damped, a.z + VJP_V);
  weights.dist = c.w.sigma * sp_dot(a.along, c.w.force) + c.w.spring * a.response[0];
  for (int side = 0; side < 2; side++) {
    if (c.side[side].feature.corners.n > 1) {
      weigh_corners(v[side], &weights, &a, &c, side);
    }
  }
  weigh_motions(motion, &weights, &c.w);
  if (of->gradient) {
    add_gradients(of, &c, &a, motion);
  }
  for (int side = 0; side < 2; side++) {
    weigh_carriers(&weights, &c, side, motion[side], v[side]);
  }
  add_weights(of, &weights, &c);
  return kinks;
}
