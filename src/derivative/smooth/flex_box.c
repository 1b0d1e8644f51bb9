// Derivatives of the elastic and damping forces of a flex that follows the nodes of a box. The box
// deforms linearly in a frame R that turns with it: the rotation nearest to F = sum_i y_i s_i',
// with y_i = x_i - mean and rest directions s_i.
//
//   f = R (K a + damping K b),    a_i = R' y_i + center - R0' node0_i,   b_i = R' v_i
//
// R0 are the axes of the box at rest.
//
// As F = R S with a symmetric S, dR = R [w] with
//
//   (tr(S) E - S) w = sum_i s_i x R' dx_i
//                                                     theory/time/exact-derivatives.md, Deformables

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "derivative/smooth/flex_box.h"
#include "derivative/smooth/flex_points.h"

enum {
  SIZE = 3 * FLEX_NODES
};

// Places, deformations and velocities of the nodes in the frame of the box.
typedef struct {
  mjtNum R[9], back[9];  // R', row-major
  mjtNum place[SIZE], away[SIZE], rate[SIZE];
  mjtNum turn[FLEX_NODES][9];  // w = sum of turn_b dx_b
} Box;

static mjtNum derivative_of(int node, int k) {
  // at the center of the box the other two factors of a shape function are 1/2 each
  return node >> (2 - k) & 1 ? (mjtNum)0.25 : (mjtNum)-0.25;
}

// out = M^-1, symmetric 3 x 3; returns 0 if M is singular
static int invert(mjtNum out[9], const mjtNum M[9]) {
  mjtNum rows[3][3];
  v3_cross(rows[0], M + 3, M + 6);
  v3_cross(rows[1], M + 6, M);
  v3_cross(rows[2], M, M + 3);
  mjtNum det = v3_dot(M, rows[0]);
  if (mju_abs(det) < mjMINVAL) {
    return 0;
  }
  for (int i = 0; i < 9; i++) {
    out[i] = rows[i % 3][i / 3] / det;
  }
  return 1;
}

// Finds the turn w by each dx_i; returns 0 where the rotation has no derivative.
static int find_turns(Box* box, const mjtNum F[9]) {
  mjtNum S[9], M[9], inverse[9];
  mju_mulMatTMat(S, box->R, F, 3, 3, 3);
  mjtNum trace = S[0] + S[4] + S[8];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      M[3 * i + j] = (i == j ? trace : 0) - (S[3 * i + j] + S[3 * j + i]) / 2;
    }
  }
  if (!invert(inverse, M)) {
    return 0;
  }
  for (int b = 0; b < FLEX_NODES; b++) {
    mjtNum s[3] = {derivative_of(b, 0), derivative_of(b, 1), derivative_of(b, 2)};
    const mjtNum cross[9] = {0, -s[2], s[1], s[2], 0, -s[0], -s[1], s[0], 0};
    mjtNum local[9];
    mju_mulMatMat(local, cross, box->back, 3, 3, 3);
    mju_mulMatMat(box->turn[b], inverse, local, 3, 3, 3);
  }
  return 1;
}

// Returns 0 at a kink.
static int box_make(Box* box, const FlexPoints* p, const mjModel* m, int f) {
  mjtNum mean[3] = {0}, F[9] = {0}, quat[4], rest[4];
  const mjtNum* node0 = m->flex_node0 + 3 * (size_t)m->flex_nodeadr[f];
  for (int i = 0; i < FLEX_NODES; i++) {
    v3_addtoscl(mean, p->x[i], (mjtNum)1 / FLEX_NODES);
  }
  for (int i = 0; i < FLEX_NODES; i++) {
    for (int k = 0; k < 9; k++) {
      F[k] += (p->x[i][k / 3] - mean[k / 3]) * derivative_of(i, k % 3);
    }
  }
  flex_box_axes(rest, node0);
  q_copy(quat, rest);
  mju_mat2Rot(quat, F);
  mju_quat2Mat(box->R, quat);
  mju_transpose(box->back, box->R, 3, 3);
  for (int i = 0; i < FLEX_NODES; i++) {
    mjtNum y[3], start[3];
    v3_sub(y, p->x[i], mean);
    m3_mulv(box->place + 3 * i, box->back, y);
    m3_mulv(box->rate + 3 * i, box->back, p->v[i]);
    q_unrotate(start, node0 + 3 * i, rest);
    v3_sub(box->away + 3 * i, box->place + 3 * i, start);
    for (int k = 0; k < 3; k++) {
      box->away[3 * i + k] += (mjtNum)0.5;
    }
  }
  return find_turns(box, F);
}

// Rows 3 i .. 3 i + 2 of K times a vector, times scale.
static void rows_times(mjtNum out[3], const mjtNum* K, int i, const mjtNum* x, mjtNum scale) {
  for (int k = 0; k < 3; k++) {
    out[k] = scale * mju_dot(K + SIZE * (3 * i + k), x, SIZE);
  }
}

// Matrix that maps a turn w to the change of the local forces of node i, [w] f - K [w] z: f are the
// forces; z, places or velocities, turn back.
static void turn_response(mjtNum out[9], const mjtNum* K, int i, const mjtNum f[3], const mjtNum* z,
                          mjtNum scale) {
  for (int axis = 0; axis < 3; axis++) {
    mjtNum w[3] = {axis == 0, axis == 1, axis == 2}, turned[SIZE], own[3], response[3];
    for (int j = 0; j < FLEX_NODES; j++) {
      v3_cross(turned + 3 * j, w, z + 3 * j);
    }
    v3_cross(own, w, f);
    rows_times(response, K, i, turned, -scale);
    for (int k = 0; k < 3; k++) {
      out[3 * k + axis] += own[k] + response[k];
    }
  }
}

// Block of nodes i and b in the world: R K_ib R', less its mean over all b.
static void stiffness_block(mjtNum out[9], const Box* box, const mjtNum* K, int i, int b,
                            int centered) {
  mjtNum local[9], half[9];
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      const mjtNum* row = K + SIZE * (3 * i + r);
      mjtNum mean = 0;
      for (int j = 0; centered && j < FLEX_NODES; j++) {
        mean += row[3 * j + c] / FLEX_NODES;
      }
      local[3 * r + c] = row[3 * b + c] - mean;
    }
  }
  mju_mulMatMat(half, box->R, local, 3, 3, 3);
  mju_mulMatMat(out, half, box->back, 3, 3, 3);
}

// Also deform_box in smooth/flex/passive.c.
static void box_forces(FlexPoints* p, const Box* box, const mjtNum* K, int spring, mjtNum damping) {
  for (int i = 0; i < FLEX_NODES; i++) {
    mjtNum response[9] = {0}, f[3], g[3], world[9], block[9];
    rows_times(f, K, i, box->away, (mjtNum)spring);
    rows_times(g, K, i, box->rate, damping);
    if (spring) {
      turn_response(response, K, i, f, box->place, 1);
    }
    turn_response(response, K, i, g, box->rate, damping);
    mju_mulMatMat(world, box->R, response, 3, 3, 3);
    v3_addto(f, g);
    m3_mulv(p->force[i], box->R, f);
    for (int b = 0; b < FLEX_NODES; b++) {
      mju_mulMatMat(p->by_x[i][b], world, box->turn[b], 3, 3, 3);
      if (spring) {
        stiffness_block(block, box, K, i, b, 1);
        mju_addTo(p->by_x[i][b], block, 9);
      }
      stiffness_block(block, box, K, i, b, 0);
      mju_scl(p->by_v[i][b], block, damping, 9);
    }
  }
}

void flex_add_box(ForceJacobian* F, Load* loads, const mjModel* m, mjData* d, int f,
                  const Twists* W, int spring, int damper) {
  const mjtNum* K = m->flex_stiffness + 21 * (size_t)m->flex_elemadr[f];
  Box box;
  mj_markStack(d);
  FlexPoints* p = mj_stackAllocByte(d, sizeof(FlexPoints), _Alignof(FlexPoints));
  memset(p, 0, sizeof(*p));
  p->n = FLEX_NODES;
  for (int i = 0; i < FLEX_NODES; i++) {
    int body = m->flex_nodebodyid[m->flex_nodeadr[f] + i];
    p->body[i] = body;
    flex_node_position(p->x[i], m, d, f, i);
    velocity_at(p->v[i], m, d, body, W->body + 6 * body, p->x[i]);
  }
  F->kinks += !box_make(&box, p, m, f);
  box_forces(p, &box, K, spring, damper ? m->flex_damping[f] : 0);
  flex_points_add(F, loads, m, d, p, W);
  mj_freeStack(d);
}
