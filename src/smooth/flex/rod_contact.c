// How a contact turns an edge of a rod.                   theory/smooth/deformables.md, Rods

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "smooth/flex/flex.h"
#include "smooth/flex/rod.h"

// Weights of the vertices in the point of an edge that is closest to p.
static void closest_weights(mjtNum weight[2], const mjtNum x0[3], const mjtNum x1[3],
                            const mjtNum p[3]) {
  mjtNum e[3], away[3];
  v3_sub(e, x1, x0);
  v3_sub(away, p, x0);
  weight[1] = num_clamp(v3_dot(e, away) / num_max(mjMINVAL, v3_dot(e, e)), 0, 1);
  weight[0] = 1 - weight[1];
}

// The edge of the chain that a contact is on. A contact of a vertex is on the edge that begins
// there, or the last one.
static int edge_of(const Rod* rod, const mjModel* m, const mjContact* con, int side) {
  return con->vert[side] < 0 ? rod_element(m, rod, con->flex[side], con->elem[side])
                             : rod_vertex(rod, con->vert[side]);
}

// A vertex has all the weight, the vertex on the other side of the contact has none.
static void find_weights(mjtNum weight[2], const mjtNum x[2][3], const int vert[2],
                         const mjContact* con, int side) {
  int own = con->vert[side], other = con->flex[0] == con->flex[1] ? con->vert[1 - side] : -1;
  int first = own == vert[0] || (own < 0 && other == vert[1]);
  int second = own == vert[1] || (own < 0 && other == vert[0]);
  closest_weights(weight, x[0], x[1], con->pos);
  if (first || second) {
    weight[0] = first;
    weight[1] = !first;
  }
}

int rod_grip(RodGrip* grip, const mjModel* m, const mjData* d, const mjContact* con, int side) {
  int flex = con->flex[side], vert[2];
  Rod rod;
  if (flex < 0 || !rod_twists(m, flex) || !rod_of(&rod, m, flex)) {
    return 0;
  }
  int edge = edge_of(&rod, m, con, side), joint = rod_joint(&rod, edge);
  if (joint < 0) {
    return 0;
  }
  mjtNum at[3] = {0, 0, 0};
  rod_edge(vert, &rod, edge);
  for (int i = 0; i < 2; i++) {
    int v = m->flex_vertadr[flex] + vert[i];
    grip->body[i] = m->flex_vertbodyid[v];
    v3_copy(grip->x[i], d->flexvert_xpos + 3 * (size_t)v);
  }
  find_weights(grip->weight, (const mjtNum(*)[3])grip->x, vert, con, side);
  for (int i = 0; i < 2; i++) {
    v3_addtoscl(at, grip->x[i], grip->weight[i]);
  }
  v3_sub(grip->t, grip->x[1], grip->x[0]);
  grip->length = num_max(mjMINVAL, v3_normalize(grip->t));
  v3_sub(grip->arm, con->pos, at);
  if (con->vert[side] >= 0) {
    v3_addtoscl(grip->arm, con->frame, (side ? con->dist : -con->dist) / 2);
  }
  grip->body[2] = m->jnt_bodyid[joint];
  v3_copy(grip->axis, d->xaxis + 3 * joint);
  rod_lag(grip->lag, m, d, flex, edge, grip->t);
  return 1;
}

void rod_grip_forces(mjtNum vertex[2][3], mjtNum torque[3], const RodGrip* grip, const mjtNum f[3],
                     const mjtNum s[3]) {
  mjtNum turn[3], pair[3];
  v3_crossadd(turn, grip->arm, f, s);
  v3_cross(pair, turn, grip->t);
  v3_addtoscl(pair, grip->lag, -v3_dot(turn, grip->t));
  for (int i = 0; i < 2; i++) {
    v3_scl(vertex[i], f, grip->weight[i]);
    v3_addtoscl(vertex[i], pair, (i ? 1 : -1) / grip->length);
  }
  v3_scl(torque, grip->axis, v3_dot(turn, grip->t));
}

// v = sum weight_i v_i + w x arm,  w = (t x (v1 - v0) - lag . (v1 - v0) t) / length + spin t
void rod_grip_velocity(mjtNum linear[3], mjtNum angular[3], const mjModel* m, const mjData* d,
                       const RodGrip* grip) {
  mjtNum v[2][3], apart[3];
  for (int i = 0; i < 2; i++) {
    flex_point_velocity(v[i], m, d, grip->x[i], grip->body[i]);
  }
  v3_sub(apart, v[1], v[0]);
  v3_cross(angular, grip->t, apart);
  v3_addtoscl(angular, grip->t, -v3_dot(grip->lag, apart));
  v3_scl(angular, angular, 1 / grip->length);
  v3_addtoscl(angular, grip->t, v3_dot(d->cvel + 6 * grip->body[2], grip->axis));
  v3_cross(linear, angular, grip->arm);
  for (int i = 0; i < 2; i++) {
    v3_addtoscl(linear, v[i], grip->weight[i]);
  }
}
