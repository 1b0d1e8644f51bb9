// Fills in the bodies of both sides of a contact and their weights, for geoms, flexes of vertices
// and flexes of nodes.

#include "derivative/constraint/contact_carrier.h"

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"

static void to_contact(mjtNum out[3], const mjContact* con, const mjtNum point[3]) {
  mjtNum r[3];
  v3_sub(r, point, con->pos);
  m3_mulv(out, con->frame, r);
}

static ContactCarrier* add_carrier(CarriedContact* c, int body, int side) {
  ContactCarrier* out = c->carrier + c->n++;
  *out = (ContactCarrier){.body = body, .side = side};
  return out;
}

static mjtNum inverse_weight(const CarriedContact* c, const ContactCarrier* carrier) {
  return c->m->body_invweight0[2 * carrier->body];
}

// Adds the carriers of a side whose corners are points of bodies.
static void add_points(CarriedContact* c, int side) {
  CarrierSide* s = c->side + side;
  const FlexCorners* corners = &s->feature.corners;
  int vert = c->m->flex_vertadr[c->con->flex[side]];
  for (int i = 0; i < corners->n; i++) {
    ContactCarrier* carrier = add_carrier(c, c->m->flex_vertbodyid[vert + corners->vert[i]], side);
    carrier->weight = contact_sign(side) * corners->weight[i];
    carrier->share[i] = 1;
    v3_copy(carrier->arm, s->at[i]);
    s->inverse[i] = corners->weight[i] != 0 ? inverse_weight(c, carrier) : 0;
  }
}

// Adds the carriers of a side whose corners are interpolated from nodes. In the diagonal
// approximation only the last corner counts.
static void add_nodes(CarriedContact* c, int side) {
  CarrierSide* s = c->side + side;
  const FlexCorners* corners = &s->feature.corners;
  int flex = c->con->flex[side];
  mjtNum share[4][FLEX_NODES], point[3];
  for (int i = 0; i < corners->n; i++) {
    int vert = c->m->flex_vertadr[flex] + corners->vert[i];
    flex_node_weights(share[i], c->m->flex_vert0 + 3 * vert);
  }
  for (int k = 0; k < FLEX_NODES; k++) {
    ContactCarrier* carrier =
        add_carrier(c, c->m->flex_nodebodyid[c->m->flex_nodeadr[flex] + k], side);
    flex_node_position(point, c->m, c->d, flex, k);
    to_contact(carrier->arm, c->con, point);
    for (int i = 0; i < corners->n; i++) {
      carrier->share[i] = share[i][k];
      carrier->weight += contact_sign(side) * corners->weight[i] * carrier_share(carrier, i);
      if (flex_is_counted(corners, i, 1)) {
        s->inverse[i] += carrier_share(carrier, i) * inverse_weight(c, carrier);
      }
    }
  }
}

// Adds the carriers of a side on a flex. A side that is neither geom nor flex has none.
static void add_flex(CarriedContact* c, int side) {
  CarrierSide* s = c->side + side;
  const FlexCorners* corners = &s->feature.corners;
  int flex = c->con->flex[side];
  if (flex < 0) {
    return;
  }
  memset(s, 0, sizeof(*s));
  flex_contact_corners(&s->feature.corners, c->m, c->d, c->con, side);
  for (int i = 0; i < corners->n; i++) {
    int vert = c->m->flex_vertadr[flex] + corners->vert[i];
    to_contact(s->at[i], c->con, c->d->flexvert_xpos + 3 * vert);
  }
  (c->m->flex_interp[flex] ? add_nodes : add_points)(c, side);
  for (int i = 0; i < corners->n; i++) {
    c->diagonal += corners->weight[i] * s->inverse[i];
  }
}

void contact_carriers(CarriedContact* c, const mjModel* m, mjData* d, const mjContact* con) {
  int row = con->efc_address;
  c->m = m;
  c->d = d;
  c->con = con;
  c->n = 0;
  c->diagonal = 0;
  for (int side = 0; side < 2; side++) {
    c->side[side].feature.corners.n = 0;
    if (con->geom[side] < 0) {
      add_flex(c, side);
      continue;
    }
    ContactCarrier* carrier = add_carrier(c, contact_body(m, con, side), side);
    carrier->weight = contact_sign(side);
    c->diagonal += inverse_weight(c, carrier);
  }
  c->is_free = row >= 0 && d->efc_R[row] > mjMINVAL && c->diagonal > 0;
}

int contact_find_geometry(CarriedContact* c) {
  int kinks = contact_geometry(&c->w.geometry, c->m, c->d, c->con) +
              contact_spin(&c->w, c->m, c->d, c->con);
  for (int side = 0; side < 2; side++) {
    CarrierSide* s = c->side + side;
    if (c->con->geom[side] >= 0) {
      continue;
    }
    flex_feature(&s->feature, c->m, c->d, c->con, side);
    for (int i = 0; i < s->feature.corners.n && s->feature.corners.n > 1; i++) {
      kinks += s->feature.corners.weight[i] != 0 && v3_norm(s->at[i]) <= mjMINVAL;
    }
  }
  return kinks;
}

void contact_measure(CarriedMotion* out, const CarriedContact* c, const Twists* W) {
  sp_zero(out->rel);
  for (int i = 0; i < c->n; i++) {
    contact_twist(out->A[i], c->m, c->d, c->carrier[i].body, W, c->con);
    sp_addtoscl(out->rel, out->A[i], c->carrier[i].weight);
  }
}

// Also contact_surfaces in collision/contact_param.c.
void contact_find_surfaces(CarriedContact* c) {
  c->slides = 0;
  if (!c->m->flg_surfacevel) {
    return;
  }
  sp_zero(c->surface.rel);
  for (int i = 0; i < c->n; i++) {
    mjtNum *A = c->surface.A[i], v[3], w[3], arm[3];
    int geom = c->con->geom[c->carrier[i].side];
    sp_zero(A);
    if (geom < 0) {
      continue;
    }
    const mjtNum *local = c->m->geom_surfacevel + 6 * geom, *R = c->d->geom_xmat + 9 * geom;
    m3_mulv(v, R, local);
    m3_mulv(w, R, local + 3);
    v3_sub(arm, c->con->pos, c->d->geom_xpos + 3 * geom);
    v3_crossadd(v, w, arm, v);
    m3_mulv(A, c->con->frame, w);
    m3_mulv(A + 3, c->con->frame, v);
    sp_addtoscl(c->surface.rel, A, c->carrier[i].weight);
    for (int k = 0; k < 6; k++) {
      c->slides |= local[k] != 0;
    }
  }
}

void contact_sliding(mjtNum out[6], const mjtNum h[6]) {
  for (int k = 0; k < 6; k++) {
    out[k] = k >= 1 && k <= 3 ? h[k] : 0;
  }
}

int carrier_moves(const CarriedContact* c, int k) {
  return c->m->body_weldid[c->carrier[k].body] != 0;
}

void contact_swap_parts(mjtNum out[6], const mjtNum in[6]) {
  v3_copy(out, in + 3);
  v3_copy(out + 3, in);
}
