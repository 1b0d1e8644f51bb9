// Wrenches of connects and welds. The rows are J z = J_1 W_1 - J_2 W_2 with the twists W of both
// bodies. Each helper differentiates one factor (twists, points, rotations) along a pair of twists
// E; unit twists E give the columns of the blocks.

#include "derivative/constraint/connect_weld.h"

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "constraint/rows/makers.h"
#include "derivative/constraint/row_reference.h"

// One connect (3 rows) or weld (6 rows). Twists and wrenches are about the point of object 1, in
// axes of the world.
typedef struct {
  int nrow, body[2];
  mjtNum arm[2][3];               // from that point to the connected points
  mjtNum q1[4], q2[4], scale;     // weld: orientations, torquescale
  mjtNum J[2][6][6];              // Jacobian by the twist of each side, without SIGN
  mjtNum lever[2][6][6];          // wrenches of unit forces: J, or what is read of them; no SIGN
  int is_read;                    // whether they are those that sensors read
  mjtNum W[2][6];                 // twists of the bodies for z = x + b v
  mjtNum force[6], D[6], pos[6];  // of the rows
  TieReference reference;         // of all
  mjtNum damping, strength, pull, sigma;  // b, d, d'/|pos|, sigma/|pos|
} Tie;

// Sign of a side in the rows and in the wrench on it.
static const mjtNum SIGN[2] = {1, -1};

// The rotational rows (s/2) vec(conj(left) (0, w) right) of an angular velocity w. A weld has
// left = q2 and right = q1.
static void weld_rows(mjtNum out[3], const Tie* tie, const mjtNum left[4], const mjtNum w[3],
                      const mjtNum right[4]) {
  mjtNum t[4], turned[4];
  q_mulaxis(t, left, w);
  q_mul(turned, t, right);
  v3_scl(out, turned + 1, tie->scale / 2);
}

// Also add_tie in constraint/rows/equality.c.
static void fill_jacobian(Tie* tie) {
  memset(tie->J, 0, sizeof(tie->J));
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < 3; k++) {
      mjtNum axis[3] = {0, 0, 0}, rows[3];
      axis[k] = 1;
      v3_cross(tie->J[side][k], tie->arm[side], axis);
      tie->J[side][k][3 + k] = 1;
      if (tie->nrow == 6) {
        weld_rows(rows, tie, tie->q2, axis, tie->q1);
        for (int r = 0; r < 3; r++) {
          tie->J[side][3 + r][k] = rows[r];
        }
      }
    }
  }
}

// Wrenches as force and torque sensors read them: the rotational forces of a weld are a torque in
// axes of the world, whatever the rows are.                      quirks.md, Jacobians and inertia
static void read_torques(Tie* tie) {
  tie->is_read = 1;
  for (int side = 0; side < 2; side++) {
    for (int i = 3; i < tie->nrow; i++) {
      sp_zero(tie->lever[side][i]);
      tie->lever[side][i][i - 3] = 1;
    }
  }
}

static void fill_law(Tie* tie, const RowLaw* law, int row) {
  const mjData* d = law->d;
  const mjtNum* KBIP = d->efc_KBIP + 4 * row;
  mjtNum norm = 0;
  for (int i = 0; i < tie->nrow; i++) {
    tie->force[i] = law->force[row + i];
    tie->D[i] = row_stiffness(law, row + i);
    tie->pos[i] = d->efc_pos[row + i];
    norm += tie->pos[i] * tie->pos[i];
  }
  norm = mju_sqrt(norm);
  tie->reference = tie_reference(law->m, d, row, tie->nrow);
  tie->damping = row_damping(law, row);
  tie->strength = KBIP[2];
  tie->pull = norm > mjMINVAL ? KBIP[3] / norm : 0;
  tie->sigma = norm > mjMINVAL ? row_sigma(law, row) / norm : 0;
}

// Velocity of the connected point of a side whose body moves by E.
static void point_rate(mjtNum out[3], const Tie* tie, int side, const mjtNum E[6]) {
  v3_crossadd(out, E, tie->arm[side], E + 3);
}

// Change of the rotational rows of w as the bodies turn by e_1 and e_2: q_b' = (0, e_b) q_b / 2,
// conj(q2)' = -conj(q2) (0, e_2) / 2.
static void turn_rows(mjtNum out[3], const Tie* tie, const mjtNum w[3], const mjtNum e1[3],
                      const mjtNum e2[3]) {
  mjtNum half[3], left[4], right[4], t[3];
  v3_scl(half, e2, (mjtNum)-0.5);
  q_mulaxis(left, tie->q2, half);
  weld_rows(out, tie, left, w, tie->q1);
  mjtNum turn[4] = {0, e1[0] / 2, e1[1] / 2, e1[2] / 2};
  q_mul(right, turn, tie->q1);
  weld_rows(t, tie, tie->q2, w, right);
  v3_addto(out, t);
}

// Change of J z as the sides move by E: through the twists (E x W), the connected points and the
// rotations.
static void move_rows(mjtNum out[6], const Tie* tie, mjtNum E[2][6]) {
  memset(out, 0, 6 * sizeof(mjtNum));
  for (int side = 0; side < 2; side++) {
    const mjtNum* W = tie->W[side];
    mjtNum change[6], rate[3];
    sp_crossmotion(change, E[side], W);
    for (int i = 0; i < tie->nrow; i++) {
      out[i] += SIGN[side] * sp_dot(tie->J[side][i], change);
    }
    point_rate(rate, tie, side, E[side]);
    v3_cross(rate, W, rate);
    v3_addtoscl(out, rate, SIGN[side]);
  }
  if (tie->nrow == 6) {
    mjtNum w[3], turned[3];
    v3_sub(w, tie->W[0], tie->W[1]);
    turn_rows(turned, tie, w, E[0], E[1]);
    v3_addto(out + 3, turned);
  }
}

// Change of the forces: y' = (J z)' + K (d pos' + moved d' |pos|'),  f' = -D y' + f sigma |pos|',
// with the K and moved of tie_reference.
static void move_forces(mjtNum out[6], const Tie* tie, mjtNum E[2][6]) {
  mjtNum y[6], pos[6], along = 0;
  move_rows(y, tie, E);
  for (int i = 0; i < tie->nrow; i++) {
    pos[i] = sp_dot(tie->J[0][i], E[0]) - sp_dot(tie->J[1][i], E[1]);
    along += pos[i] * tie->pos[i];
  }
  for (int i = 0; i < tie->nrow; i++) {
    y[i] += tie->reference.stiffness *
            (tie->strength * pos[i] + tie->reference.moved[i] * tie->pull * along);
    out[i] = tie->force[i] * tie->sigma * along - tie->D[i] * y[i];
  }
}

// Change of the wrench J' f on a side: by the change of the forces, the motion of the connected
// point, and the turned rotational rows; as sensors read it these don't turn it.
static void move_wrench(mjtNum out[6], const Tie* tie, int side, mjtNum E[2][6],
                        const mjtNum change[6]) {
  mjtNum rate[3], t[3];
  sp_zero(out);
  for (int i = 0; i < tie->nrow; i++) {
    sp_addtoscl(out, tie->lever[side][i], SIGN[side] * change[i]);
  }
  point_rate(rate, tie, side, E[side]);
  v3_cross(t, rate, tie->force);
  v3_addtoscl(out, t, SIGN[side]);
  if (tie->nrow == 6 && !tie->is_read) {
    for (int k = 0; k < 3; k++) {
      mjtNum axis[3] = {0, 0, 0}, turned[3];
      axis[k] = 1;
      turn_rows(turned, tie, axis, E[0], E[1]);
      out[k] += SIGN[side] * v3_dot(turned, tie->force + 3);
    }
  }
}

static void fill_stiffness(Coupling* c, const Tie* tie) {
  memset(c, 0, sizeof(*c));
  for (int a = 0; a < 2; a++) {
    c->body[a] = tie->body[a];
    for (int b = 0; b < 2; b++) {
      for (int i = 0; i < tie->nrow; i++) {
        for (int r = 0; r < 6; r++) {
          sp_addtoscl(c->block[b][a].stiff + 6 * r, tie->J[a][i],
                      SIGN[a] * SIGN[b] * tie->D[i] * tie->lever[b][i][r]);
        }
      }
    }
  }
}

static void fill_coupling(Coupling* c, const Tie* tie) {
  fill_stiffness(c, tie);
  for (int a = 0; a < 2; a++) {
    for (int i = 0; i < tie->nrow; i++) {
      sp_addtoscl(c->wrench[a], tie->lever[a][i], SIGN[a] * tie->force[i]);
    }
    for (int k = 0; k < 6; k++) {
      mjtNum E[2][6] = {{0}}, change[6], column[6];
      E[a][k] = 1;
      move_forces(change, tie, E);
      for (int b = 0; b < 2; b++) {
        CouplingBlock* block = &c->block[b][a];
        move_wrench(column, tie, b, E, change);
        for (int r = 0; r < 6; r++) {
          block->move[6 * r + k] = column[r];
          block->damp[6 * r + k] = tie->damping * block->stiff[6 * r + k];
        }
      }
    }
  }
}

// The geometry and the law of the rows from `row` on; the caller sets the twists W.
static Tie tie_make(const mjModel* m, const mjData* d, const RowLaw* law, int row,
                    mjtNum point[3]) {
  int equality = d->efc_id[row];
  RowBodies bodies;
  equality_bodies(&bodies, m, equality);
  Tie tie = {.nrow = m->eq_type[equality] == mjEQ_WELD ? 6 : 3,
             .body = {bodies.body[0], bodies.body[1]}};
  mjtNum tied[2][3];
  equality_points(tied, m, d, equality);
  v3_sub(tie.arm[1], tied[1], tied[0]);
  v3_copy(point, tied[0]);
  if (tie.nrow == 6) {
    tie.scale = m->eq_data[mjNEQDATA * equality + 10];
    weld_quats(tie.q1, tie.q2, m, d, equality);
    q_conj(tie.q2, tie.q2);
  }
  fill_jacobian(&tie);
  memcpy(tie.lever, tie.J, sizeof(tie.J));
  fill_law(&tie, law, row);
  return tie;
}

int connect_weld_partials(Couplings* of, const RowLaw* law, int row) {
  const mjModel* m = of->m;
  const mjData* d = of->d;
  mjtNum point[3];
  Tie tie = tie_make(m, d, law, row, point);
  Coupling c;
  if (of->wrench) {
    read_torques(&tie);
  }
  if (!of->F_q) {
    fill_stiffness(&c, &tie);
    couplings_add(of, &c, point);
    return tie.nrow;
  }
  for (int side = 0; side < 2; side++) {
    int body = tie.body[side];
    mjtNum v[6];
    twist_at(tie.W[side], m, d, body, of->X.body + 6 * body, point);
    twist_at(v, m, d, body, of->V.body + 6 * body, point);
    sp_addtoscl(tie.W[side], v, tie.damping);
  }
  fill_coupling(&c, &tie);
  couplings_add(of, &c, point);
  return tie.nrow;
}

void connect_weld_add_wrench(mjtNum wrench[6], const mjModel* m, const mjData* d, const RowLaw* law,
                             int first, int row, const char* inside) {
  mjtNum point[3];
  Tie tie = tie_make(m, d, law, first, point);
  read_torques(&tie);
  for (int side = 0; side < 2; side++) {
    mjtNum own[6], r[3];
    if (!inside[tie.body[side]]) {
      continue;
    }
    sp_zero(own);
    sp_addtoscl(own, tie.lever[side][row - first], SIGN[side] * tie.force[row - first]);
    v3_sub(r, point, tree_point(m, d, tie.body[side]));
    v3_crossadd(own, r, own + 3, own);
    sp_addto(wrench, own);
  }
}

// gradient of a scalar

// Adds the adjoints of h . (J z), with the twists W of z, to those of the motions E and of the
// rates of axes. See move_rows.
static void adjoint_of_rows(mjtNum E[2][6], mjtNum rate[2][6], const Tie* tie, const mjtNum h[6],
                            mjtNum W[2][6]) {
  mjtNum w[3], zero[3] = {0, 0, 0};
  v3_sub(w, W[0], W[1]);
  for (int side = 0; side < 2; side++) {
    mjtNum wrench[6] = {0}, t[6], push[3];
    for (int i = 0; i < tie->nrow; i++) {
      sp_addtoscl(wrench, tie->J[side][i], SIGN[side] * h[i]);
    }
    sp_copy(rate[side], wrench);
    sp_crossforce(t, W[side], wrench);
    sp_addto(E[side], t);
    v3_cross(push, h, W[side]);
    v3_addtoscl(E[side] + 3, push, SIGN[side]);
    v3_cross(t, tie->arm[side], push);
    v3_addtoscl(E[side], t, SIGN[side]);
    for (int k = 0; k < 3 && tie->nrow == 6; k++) {
      mjtNum axis[3] = {0, 0, 0}, turned[3];
      axis[k] = 1;
      turn_rows(turned, tie, w, side ? zero : axis, side ? axis : zero);
      E[side][k] += v3_dot(h + 3, turned);
    }
  }
}

int connect_weld_vjp(ConstraintVjp* of, int row) {
  mjtNum point[3], E[2][6] = {{0}}, rate[2][NVJP][6], h[NVJP][6], pos[6];
  Tie tie = tie_make(of->m, of->d, of->law, row, point);
  mjtNum power = 0, stretch = 0;
  const mjtNum* along = of->along + row;
  for (int i = 0; i < tie.nrow; i++) {
    h[VJP_LAMBDA][i] = tie.force[i];
    h[VJP_X][i] = row_response(of->law, row + i, along[i]);
    h[VJP_V][i] = tie.damping * h[VJP_X][i];
    power += tie.force[i] * along[i];
    stretch += h[VJP_X][i] * tie.reference.moved[i];
  }
  for (int z = 0; z < NVJP; z++) {
    mjtNum W[2][6], now[2][6];
    for (int side = 0; side < 2; side++) {
      int body = tie.body[side];
      twist_at(W[side], of->m, of->d, body, of->W[z].body + 6 * body, point);
    }
    adjoint_of_rows(E, now, &tie, h[z], W);
    sp_copy(rate[0][z], now[0]);
    sp_copy(rate[1][z], now[1]);
  }
  for (int i = 0; i < tie.nrow; i++) {
    mjtNum stiffness = tie.reference.stiffness;
    pos[i] = stiffness * tie.strength * h[VJP_X][i] +
             tie.pos[i] * (stiffness * tie.pull * stretch + tie.sigma * power);
  }
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < tie.nrow; i++) {
      sp_addtoscl(E[side], tie.J[side][i], SIGN[side] * pos[i]);
    }
    vjp_add(of, tie.body[side], point, E[side], rate[side]);
  }
  return tie.nrow;
}
