// Derivatives of the wrenches of a contact as its bodies move. Unit twists of each carrier give the
// columns of the blocks. All is in the frame of the contact.
// Symbols: contact_work.h, row_law.h.

#include "derivative/constraint/contact.h"

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "derivative/constraint/contact_carrier.h"
#include "smooth/jacobian.h"

// motion

// Changes as a carrier moves: of the contact, of the weights of all carriers, and of the logarithm
// of the diagonal approximation.
typedef struct {
  ContactMotion to;
  mjtNum weight[MOST_CARRIERS], log_diagonal;
} ContactChange;

// Change of the weights w_a = g_a / |g|, g_a = 1 / |x_a|, of the corners of a side, as corner a
// moves by v_a and the contact by dp:
//
//   dg_a = g_a^3 x_a . (dp - v_a),    dw_a = (dg_a - w_a sum_b w_b dg_b) / |g|
// Also flex_contact_corners in smooth/flex/contact.c.
static void move_weights(ContactChange* out, const CarriedContact* c, int side,
                         const mjtNum v[4][3]) {
  const CarrierSide* s = c->side + side;
  const FlexCorners* corners = &s->feature.corners;
  mjtNum change[4] = {0}, along = 0, norm = 1;
  for (int a = 0; a < corners->n; a++) {
    mjtNum away[3], length = v3_norm(s->at[a]);
    if (corners->weight[a] != 0 && length > mjMINVAL) {
      norm = 1 / (length * corners->weight[a]);
      v3_sub(away, out->to.pos, v[a]);
      change[a] = v3_dot(s->at[a], away) / (length * length * length);
      along += corners->weight[a] * change[a];
    }
  }
  for (int a = 0; a < corners->n; a++) {
    mjtNum dw = (change[a] - corners->weight[a] * along) / norm;
    out->log_diagonal += c->is_free ? dw * s->inverse[a] / c->diagonal : 0;
    for (int i = 0; i < c->n; i++) {
      if (c->carrier[i].side == side) {
        out->weight[i] += contact_sign(side) * dw * carrier_share(c->carrier + i, a);
      }
    }
  }
}

// Changes as carrier k moves by the twist E.
static void move_contact(ContactChange* out, const CarriedContact* c, int k, const mjtNum E[6]) {
  const ContactCarrier* carrier = c->carrier + k;
  const CarrierSide* own = c->side + carrier->side;
  mjtNum v[2][4][3] = {{{0}}}, twist[2][6] = {{0}};
  memset(out->weight, 0, (size_t)c->n * sizeof(mjtNum));
  out->log_diagonal = 0;
  if (c->con->geom[carrier->side] >= 0) {
    memcpy(twist[carrier->side], E, 6 * sizeof(mjtNum));
  } else {
    mjtNum hung[3];
    v3_crossadd(hung, E, carrier->arm, E + 3);
    for (int a = 0; a < own->feature.corners.n; a++) {
      v3_scl(v[carrier->side][a], hung, carrier->share[a]);
    }
    flex_feature_twist(twist[carrier->side], &own->feature, own->at, v[carrier->side]);
  }
  contact_move(&out->to, &c->w, twist[0], twist[1]);
  for (int side = 0; side < 2; side++) {
    if (c->side[side].feature.corners.n > 1) {
      move_weights(out, c, side, v[side]);
    }
  }
}

// Change of what the rows measure as carrier k moves by E: DA = w_k E x A_k + sum_i dw_i A_i. E
// NULL: without the first term.
static void move_rows(mjtNum out[6], const CarriedContact* c, const ContactChange* motion, int k,
                      const mjtNum* E, const CarriedMotion* of) {
  mjtNum DA[6], t[6];
  sp_zero(DA);
  if (E) {
    sp_crossmotion(t, E, of->A[k]);
    sp_addtoscl(DA, t, c->carrier[k].weight);
  }
  for (int i = 0; i < c->n; i++) {
    sp_addtoscl(DA, of->A[i], motion->weight[i]);
  }
  contact_move_rows(out, &motion->to, of->rel, DA);
}

// Change of the forces as carrier k moves; they are inverse to the diagonal.
static void move_forces(mjtNum response[6], ContactChange* motion, const CarriedContact* c, int k,
                        const mjtNum E[6]) {
  mjtNum x[6], v[6];
  move_contact(motion, c, k, E);
  move_rows(x, c, motion, k, E, &c->x);
  move_rows(v, c, motion, k, E, &c->v);
  if (c->slides) {
    mjtNum surface[6];
    move_rows(surface, c, motion, k, E, &c->surface);
    contact_sliding(surface, surface);
    sp_addto(v, surface);
  }
  contact_move_forces(response, &c->w, &motion->to, x, v);
  sp_addtoscl(response, c->w.weighed, -motion->log_diagonal);
}

// partial derivatives

// Changes of the wrench at unit weight, in the world, and of the weights of all carriers, for each
// unit twist of carrier k.
typedef struct {
  mjtNum move[36], weight[6][MOST_CARRIERS];
} WrenchColumns;

static void find_columns(WrenchColumns* out, const CarriedContact* c, int k) {
  mjtNum own[36], column[6], response[6];
  for (int i = 0; i < 6; i++) {
    mjtNum unit[6] = {0};
    ContactChange motion;
    unit[i] = 1;
    move_forces(response, &motion, c, k, unit);
    contact_move_wrench(column, &c->w, &motion.to, response);
    for (int r = 0; r < 6; r++) {
      own[6 * r + i] = column[r];
    }
    memcpy(out->weight[i], motion.weight, (size_t)c->n * sizeof(mjtNum));
  }
  contact_block_to_world(out->move, own, c->con->frame);
}

// Block `move` of the wrench on carrier i, which is w_i times that at unit weight.
static void find_move(mjtNum move[36], const CarriedContact* c, const WrenchColumns* columns,
                      const mjtNum wrench[6], int i) {
  const ContactCarrier* carrier = c->carrier + i;
  mju_scl(move, columns->move, carrier->weight, 36);
  if (c->side[carrier->side].feature.corners.n > 1) {
    mjtNum by[6];
    for (int k = 0; k < 6; k++) {
      by[k] = columns->weight[k][i];
    }
    contact_to_world(by, by, c->con->frame, 1);
    for (int r = 0; r < 6; r++) {
      sp_addtoscl(move + 6 * r, by, wrench[r]);
    }
  }
}

static void couple_all(Couplings* of, const CarriedContact* c) {
  mjtNum stiff[36], damp[36], wrench[6], world[6];
  contact_stiffness(stiff, &c->w, c->con->frame);
  if (of->F_q) {
    contact_damping(damp, &c->w, c->con->frame);
    contact_swap_parts(wrench, c->w.force);
    contact_to_world(wrench, wrench, c->con->frame, 1);
  }
  for (int k = 0; k < c->n; k++) {
    WrenchColumns columns;
    if (!carrier_moves(c, k)) {
      continue;
    }
    if (of->F_q) {
      find_columns(&columns, c, k);
    }
    for (int i = 0; i < c->n; i++) {
      CouplingBlock block;
      if (!carrier_moves(c, i) && !of->wrench) {
        continue;
      }
      mju_scl(block.stiff, stiff, c->carrier[i].weight * c->carrier[k].weight, 36);
      if (of->F_q) {
        mju_scl(block.damp, damp, c->carrier[i].weight * c->carrier[k].weight, 36);
        find_move(block.move, c, &columns, wrench, i);
      }
      couplings_add_block(of, c->carrier[i].body, c->carrier[k].body, &block, c->con->pos);
    }
    if (of->F_q) {
      mju_scl(world, wrench, c->carrier[k].weight, 6);
      couplings_add_wrench(of, c->carrier[k].body, world, c->con->pos);
    }
  }
}

int contact_partials(Couplings* of, const RowLaw* law, const mjContact* con) {
  CarriedContact c;
  c.w = (ContactWork){.push = 0};
  int kinks = 0;
  if (!contact_take_law(&c.w, law, con)) {
    return 0;
  }
  contact_carriers(&c, of->m, of->d, con);
  if (of->F_q) {
    kinks = contact_find_geometry(&c);
    contact_measure(&c.x, &c, &of->X);
    contact_measure(&c.v, &c, &of->V);
    contact_find_surfaces(&c);
  }
  couple_all(of, &c);
  return kinks;
}

void contact_add_wrench(mjtNum wrench[6], const mjModel* m, mjData* d, const RowLaw* law,
                        const mjContact* con, const char* inside) {
  CarriedContact c;
  mjtNum world[6];
  c.w = (ContactWork){.push = 0};
  if (!contact_take_law(&c.w, law, con)) {
    return;
  }
  contact_carriers(&c, m, d, con);
  contact_swap_parts(world, c.w.force);
  contact_to_world(world, world, con->frame, 1);
  for (int k = 0; k < c.n; k++) {
    int body = c.carrier[k].body;
    mjtNum own[6], r[3];
    if (!inside[body]) {
      continue;
    }
    mju_scl(own, world, c.carrier[k].weight, 6);
    v3_sub(r, con->pos, tree_point(m, d, body));
    v3_crossadd(own, r, own + 3, own);
    sp_addto(wrench, own);
  }
}

int contact_push(Couplings* of, const mjContact* con, mjtNum force, mjtNum derivative) {
  CarriedContact c;
  if (force == 0 && derivative == 0) {
    return 0;
  }
  c.w = (ContactWork){.force = {force}, .push = derivative};
  // the rows respond to nothing, but 0 times an undefined number could be NaN
  memset(&c.x, 0, sizeof(c.x));
  memset(&c.v, 0, sizeof(c.v));
  c.slides = 0;
  contact_carriers(&c, of->m, of->d, con);
  int kinks = contact_find_geometry(&c);
  couple_all(of, &c);
  return kinks;
}

// measures

// Adds the derivatives of the relative velocity of the sides by the dof of `by`, which moves
// carrier k.
static void add_speed(const ContactRows* rows, const CarriedContact* c, const ContactChange* motion,
                      int k, const ContactMover* by) {
  mjtNum moved[6];
  move_rows(moved, c, motion, k, by->S, &c->v);
  for (int i = 0; i < 6; i++) {
    rows->speed_q[i][by->dof] += moved[i] + by->weight * by->rate[1][(i + 3) % 6];
    rows->speed_v[i][by->dof] += by->weight * by->S[(i + 3) % 6];
  }
}

int contact_measures(const ContactRows* rows, const Couplings* of, const RowLaw* law,
                     const mjContact* con) {
  CarriedContact c;
  c.w = (ContactWork){.push = 0};
  if (!contact_take_law(&c.w, law, con) && !rows->motion) {
    return 0;
  }
  contact_carriers(&c, of->m, of->d, con);
  int kinks = contact_find_geometry(&c);
  contact_measure(&c.x, &c, &of->X);
  contact_measure(&c.v, &c, &of->V);
  contact_find_surfaces(&c);
  for (int k = 0; k < c.n; k++) {
    int n;
    const int* chain = jac_body_chain(&n, c.m, c.carrier[k].body);
    for (int i = 0; i < n; i++) {
      ContactMover by;
      ContactChange motion;
      mjtNum response[6];
      contact_mover_make(&by, of, con, c.carrier[k].body, chain[i], c.carrier[k].weight);
      move_forces(response, &motion, &c, k, by.S);
      contact_add_measures(rows, &c.w, &by, response, &motion.to);
      if (rows->speed_q[0]) {
        add_speed(rows, &c, &motion, k, &by);
      }
    }
  }
  return kinks;
}
