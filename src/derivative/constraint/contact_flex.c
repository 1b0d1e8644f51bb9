#include "derivative/constraint/contact_flex.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/vec.h"
#include "derivative/constraint/constraint_gradient.h"
#include "derivative/geometry/flex_feature.h"
#include "smooth/jacobian.h"

// As in contact_work.h, all is in the frame of the contact.

// the bodies of a contact

enum {
  MOST_CARRIERS = 2 * FLEX_NODES
};

// A body that carries one side, or some of its corners.
typedef struct {
  int body, side;
  mjtNum weight;    // in the rows, negative on the first side
  mjtNum arm[3];    // of a flex: where on the body its corners hang
  mjtNum share[4];  // of the body in the motion of each
} Carrier;

// A side of a contact; a geom has no corners.
typedef struct {
  FlexFeature feature;
  mjtNum at[4][3];    // the corners
  mjtNum inverse[4];  // what a corner's weight adds to the diagonal approximation, per weight
} Side;

// Twists of all carriers for some joint velocities, and what the rows measure of them, the sum with
// their weights.
typedef struct {
  mjtNum A[MOST_CARRIERS][6], rel[6];
} Measure;

typedef struct {
  const mjModel* m;
  mjData* d;
  const mjContact* con;
  ContactWork w;
  Side side[2];
  int n, is_free;  // whether the regularizer follows the diagonal approximation
  mjtNum diagonal;
  Carrier carrier[MOST_CARRIERS];
  Measure x, v;  // of accelerations and velocities
} FlexContact;

static mjtNum sign_of(int side) {
  return side ? 1 : -1;
}

static void to_contact(mjtNum out[3], const mjContact* con, const mjtNum point[3]) {
  mjtNum r[3];
  v3_sub(r, point, con->pos);
  m3_mulv(out, con->frame, r);
}

static Carrier* add_carrier(FlexContact* c, int body, int side) {
  Carrier* out = c->carrier + c->n++;
  *out = (Carrier){.body = body, .side = side};
  return out;
}

static mjtNum inverse_weight(const FlexContact* c, const Carrier* carrier) {
  return c->m->body_invweight0[2 * carrier->body];
}

// Corners that are points of bodies.
static void add_points(FlexContact* c, int side) {
  Side* s = c->side + side;
  const FlexCorners* corners = &s->feature.corners;
  int vert = c->m->flex_vertadr[c->con->flex[side]];
  for (int i = 0; i < corners->n; i++) {
    Carrier* carrier = add_carrier(c, c->m->flex_vertbodyid[vert + corners->vert[i]], side);
    carrier->weight = sign_of(side) * corners->weight[i];
    carrier->share[i] = 1;
    v3_copy(carrier->arm, s->at[i]);
    s->inverse[i] = corners->weight[i] != 0 ? inverse_weight(c, carrier) : 0;
  }
}

// What a node counts of the weight of a corner that follows it.
static mjtNum counted(const Carrier* carrier, int corner) {
  return carrier->share[corner] >= FLEX_SHARE_MIN ? carrier->share[corner] : 0;
}

// Corners that follow nodes. Of these the last one alone has a diagonal.
static void add_nodes(FlexContact* c, int side) {
  Side* s = c->side + side;
  const FlexCorners* corners = &s->feature.corners;
  int flex = c->con->flex[side];
  mjtNum share[4][FLEX_NODES], point[3];
  for (int i = 0; i < corners->n; i++) {
    int vert = c->m->flex_vertadr[flex] + corners->vert[i];
    flex_node_weights(share[i], c->m->flex_vert0 + 3 * vert);
  }
  for (int k = 0; k < FLEX_NODES; k++) {
    Carrier* carrier = add_carrier(c, c->m->flex_nodebodyid[c->m->flex_nodeadr[flex] + k], side);
    flex_node_position(point, c->m, c->d, flex, k);
    to_contact(carrier->arm, c->con, point);
    for (int i = 0; i < corners->n; i++) {
      carrier->share[i] = share[i][k];
      carrier->weight += sign_of(side) * corners->weight[i] * counted(carrier, i);
      if (flex_is_counted(corners, i, 1)) {
        s->inverse[i] += counted(carrier, i) * inverse_weight(c, carrier);
      }
    }
  }
}

// A side that is neither a geom nor on a flex has nothing.
static void add_flex(FlexContact* c, int side) {
  Side* s = c->side + side;
  const FlexCorners* corners = &s->feature.corners;
  int flex = c->con->flex[side];
  if (flex < 0) {
    return;
  }
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

// The bodies of both sides, and the forces in w; the rest is the caller's.
static void flex_contact(FlexContact* c, const mjModel* m, mjData* d, const mjContact* con,
                         const ContactWork* w) {
  int row = con->efc_address;
  memset(c, 0, sizeof(*c));
  c->w = *w;
  c->m = m;
  c->d = d;
  c->con = con;
  for (int side = 0; side < 2; side++) {
    if (con->geom[side] < 0) {
      add_flex(c, side);
      continue;
    }
    Carrier* carrier = add_carrier(c, contact_body(m, con, side), side);
    carrier->weight = sign_of(side);
    c->diagonal += inverse_weight(c, carrier);
  }
  c->is_free = row >= 0 && d->efc_R[row] > mjMINVAL && c->diagonal > 0;
}

// Where the contact goes; returns the number of kinks. The weights have one where the contact is at
// a corner.
static int find_touch(FlexContact* c) {
  int kinks =
      contact_geometry(&c->w.touch, c->m, c->d, c->con) + contact_spin(&c->w, c->m, c->d, c->con);
  for (int side = 0; side < 2; side++) {
    Side* s = c->side + side;
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

static void measure(Measure* out, const FlexContact* c, const Twists* W) {
  sp_zero(out->rel);
  for (int i = 0; i < c->n; i++) {
    contact_twist(out->A[i], c->m, c->d, c->carrier[i].body, W, c->con);
    sp_addtoscl(out->rel, out->A[i], c->carrier[i].weight);
  }
}

// motion

// What moves when one of the bodies does: the contact, the weights of all, and the logarithm of the
// diagonal approximation.
typedef struct {
  ContactMotion to;
  mjtNum weight[MOST_CARRIERS], log_diagonal;
} FlexMotion;

// The weights w_a = g_a / |g|, g_a = 1 / |x_a|, of the corners of a side, as these move by v_a and
// the contact by dp:
//
//   dg_a = g_a^3 x_a . (dp - v_a),    dw_a = (dg_a - w_a sum_b w_b dg_b) / |g|
static void move_weights(FlexMotion* out, const FlexContact* c, int side, const mjtNum v[4][3]) {
  const Side* s = c->side + side;
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
        out->weight[i] += sign_of(side) * dw * counted(c->carrier + i, a);
      }
    }
  }
}

// By the twist E of carrier k.
static void flex_move(FlexMotion* out, const FlexContact* c, int k, const mjtNum E[6]) {
  const Carrier* carrier = c->carrier + k;
  const Side* own = c->side + carrier->side;
  mjtNum v[2][4][3] = {{{0}}}, twist[2][6] = {{0}};
  memset(out, 0, sizeof(*out));
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

// What the rows measure, as carrier k moves by E (NULL: without turning its own twist):
// DA = w_k E x A_k + sum_i dw_i A_i.
static void flex_move_rows(mjtNum out[6], const FlexContact* c, const FlexMotion* motion, int k,
                           const mjtNum* E, const Measure* of) {
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

// How the forces change; with a larger diagonal they are smaller.
static void flex_move_forces(mjtNum answer[6], FlexMotion* motion, const FlexContact* c, int k,
                             const mjtNum E[6]) {
  mjtNum x[6], v[6];
  flex_move(motion, c, k, E);
  flex_move_rows(x, c, motion, k, E, &c->x);
  flex_move_rows(v, c, motion, k, E, &c->v);
  contact_move_forces(answer, &c->w, &motion->to, x, v);
  sp_addtoscl(answer, c->w.force, -motion->log_diagonal);
}

static int is_moving(const FlexContact* c, int k) {
  return c->m->body_weldid[c->carrier[k].body] != 0;
}

// partial derivatives

// Directions of the contact have forces first, wrenches and twists torques and turns.
static void swap_parts(mjtNum out[6], const mjtNum in[6]) {
  v3_copy(out, in + 3);
  v3_copy(out + 3, in);
}

// StateColumns of the wrench for a weight of one, and of the weights of all, as carrier k moves.
typedef struct {
  mjtNum column[6][6], weight[6][MOST_CARRIERS];
} StateColumns;

static void find_columns(StateColumns* out, const FlexContact* c, int k) {
  for (int i = 0; i < 6; i++) {
    mjtNum unit[6] = {0}, answer[6];
    FlexMotion motion;
    unit[i] = 1;
    flex_move_forces(answer, &motion, c, k, unit);
    contact_move_wrench(out->column[i], &c->w, &motion.to, answer);
    memcpy(out->weight[i], motion.weight, sizeof(motion.weight));
  }
}

// How the wrench on carrier i, w_i times that of a weight of one, answers to carrier k.
static void add_move(CouplingBlock* block, const FlexContact* c, const StateColumns* columns,
                     int i) {
  mjtNum own[36], wrench[6];
  swap_parts(wrench, c->w.force);
  for (int col = 0; col < 6; col++) {
    for (int r = 0; r < 6; r++) {
      own[6 * r + col] =
          c->carrier[i].weight * columns->column[col][r] + columns->weight[col][i] * wrench[r];
    }
  }
  contact_block_to_world(block->move, own, c->con->frame);
}

static void couple_all(Couplings* of, const FlexContact* c) {
  mjtNum stiff[36], damp[36], wrench[6], world[6];
  contact_stiffness(stiff, &c->w, c->con->frame);
  if (of->F_q) {
    contact_damping(damp, &c->w, c->con->frame);
  }
  swap_parts(wrench, c->w.force);
  for (int k = 0; k < c->n; k++) {
    StateColumns columns;
    if (!is_moving(c, k)) {
      continue;
    }
    if (of->F_q) {
      find_columns(&columns, c, k);
    }
    for (int i = 0; i < c->n; i++) {
      CouplingBlock block;
      if (!is_moving(c, i)) {
        continue;
      }
      mju_scl(block.stiff, stiff, c->carrier[i].weight * c->carrier[k].weight, 36);
      if (of->F_q) {
        mju_scl(block.damp, damp, c->carrier[i].weight * c->carrier[k].weight, 36);
        add_move(&block, c, &columns, i);
      }
      couplings_add_block(of, c->carrier[i].body, c->carrier[k].body, &block, c->con->pos);
    }
    if (of->F_q) {
      contact_to_world(world, wrench, c->con->frame, c->carrier[k].weight);
      couplings_add_wrench(of, c->carrier[k].body, world, c->con->pos);
    }
  }
}

int contact_flex_partials(Couplings* of, const RowLaw* law, const mjContact* con) {
  ContactWork w = {.push = 0};
  FlexContact c;
  int kinks = 0;
  if (!contact_take_law(&w, law, con)) {
    return 0;
  }
  flex_contact(&c, of->m, of->d, con, &w);
  if (of->F_q) {
    kinks = find_touch(&c);
    measure(&c.x, &c, &of->X);
    measure(&c.v, &c, &of->V);
  }
  couple_all(of, &c);
  return kinks;
}

int contact_flex_push(Couplings* of, const mjContact* con, mjtNum force, mjtNum slope) {
  ContactWork w = {.force = {force}, .push = slope};
  FlexContact c;
  flex_contact(&c, of->m, of->d, con, &w);
  int kinks = find_touch(&c);
  couple_all(of, &c);
  return kinks;
}

// one number

// What multiplies changes: h . D(J) z for the three joint velocities, and the distance.
typedef struct {
  Measure z[NVJP];
  mjtNum h[NVJP][6], along[6], dist;
} FlexWeights;

static void find_weights(FlexWeights* out, const FlexContact* c, const ConstraintVjp* of) {
  for (int z = 0; z < NVJP; z++) {
    measure(out->z + z, c, of->W + z);
  }
  swap_parts(out->along, out->z[VJP_LAMBDA].rel);
  contact_responses(out->h[VJP_X], out->h[VJP_V], &c->w, of->law, c->con, out->along);
  memcpy(out->h[VJP_LAMBDA], c->w.force, sizeof(c->w.force));
  out->dist = c->w.sigma * sp_dot(out->along, c->w.force) + c->w.spring * out->h[VJP_X][0];
}

// The number as carrier k moves by each unit twist; turns: whether its own twists turn with it.
static void move_number(mjtNum out[6], const FlexContact* c, const FlexWeights* weights, int k,
                        int turns) {
  for (int i = 0; i < 6; i++) {
    mjtNum unit[6] = {0}, rows[6];
    FlexMotion motion;
    unit[i] = 1;
    flex_move(&motion, c, k, unit);
    out[i] =
        weights->dist * motion.to.dist - motion.log_diagonal * sp_dot(weights->along, c->w.force);
    for (int z = 0; z < NVJP; z++) {
      flex_move_rows(rows, c, &motion, k, turns ? unit : NULL, weights->z + z);
      out[i] += sp_dot(weights->h[z], rows);
    }
  }
}

static void add_gradients(const ConstraintVjp* of, const FlexContact* c,
                          const FlexWeights* weights) {
  mjtNum motion[2][6] = {{0}}, own[6], measured[6];
  for (int k = 0; k < c->n; k++) {
    int side = c->carrier[k].side;
    if (c->con->geom[side] >= 0) {
      move_number(own, c, weights, k, 0);
      contact_to_world(motion[side], own, c->con->frame, 1);
    }
  }
  constraint_gradient_motion(of, c->con, motion, c->w.touch.is_witness);
  for (int k = 0; k < 6; k++) {
    int from = (k + 3) % 6;
    measured[k] = weights->z[VJP_X].rel[from] + c->w.damping[k] * weights->z[VJP_V].rel[from];
  }
  constraint_gradient_friction(of, c->con, weights->along, measured);
}

int contact_flex_vjp(ConstraintVjp* of, const mjContact* con) {
  ContactWork w = {.push = 0};
  FlexContact c;
  FlexWeights weights;
  if (!contact_take_law(&w, of->law, con)) {
    return 0;
  }
  flex_contact(&c, of->m, of->d, con, &w);
  int kinks = find_touch(&c);
  find_weights(&weights, &c, of);
  for (int k = 0; k < c.n; k++) {
    mjtNum own[6], motion[6], rate[NVJP][6], wrench[6];
    if (!is_moving(&c, k)) {
      continue;
    }
    move_number(own, &c, &weights, k, 1);
    contact_to_world(motion, own, con->frame, 1);
    for (int z = 0; z < NVJP; z++) {
      swap_parts(wrench, weights.h[z]);
      contact_to_world(rate[z], wrench, con->frame, c.carrier[k].weight);
    }
    vjp_add(of, c.carrier[k].body, con->pos, motion, rate);
  }
  if (of->gradient) {
    add_gradients(of, &c, &weights);
  }
  return kinks;
}

// measures

int contact_flex_measures(const ContactRows* rows, const Couplings* of, const RowLaw* law,
                          const mjContact* con) {
  ContactWork w = {.push = 0};
  FlexContact c;
  if (!contact_take_law(&w, law, con) && !rows->motion) {
    return 0;
  }
  flex_contact(&c, of->m, of->d, con, &w);
  int kinks = find_touch(&c);
  measure(&c.x, &c, &of->X);
  measure(&c.v, &c, &of->V);
  for (int k = 0; k < c.n; k++) {
    int n;
    const int* chain = jac_body_chain(&n, c.m, c.carrier[k].body);
    for (int i = 0; i < n; i++) {
      ContactMover by;
      FlexMotion motion;
      mjtNum answer[6];
      contact_mover_make(&by, of, con, c.carrier[k].body, chain[i], c.carrier[k].weight);
      flex_move_forces(answer, &motion, &c, k, by.S);
      contact_add_measures(rows, &c.w, &by, answer, &motion.to);
    }
  }
  return kinks;
}
