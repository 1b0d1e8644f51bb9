// Conservative advancement, directed along the line between the nearest points.
//                                                   theory/contact/speculative.md, Time of impact

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/speculative/impact.h"

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"
#include "collision/convex/collider.h"

// Of the distance at the beginning: what each advance leaves if it is no shorter than it has to be,
// and what counts as near.
static const mjtNum TARGET = (mjtNum)0.02, NEAR = (mjtNum)0.03;

enum {
  MOST_ADVANCES = 16  // then the rest of the way is taken to be straight
};

// x(t) = x + t dx,  R(t) = exp(t [dw]) R
static void place(Traveller* side, mjtNum t) {
  const GeomTravel* way = side->travel;
  v3_addscl(side->shape.pos, side->pos, way->move, t);
  if (way->angle > 0) {
    mjtNum axis[3], q[4], turn[9];
    v3_scl(axis, way->turn, 1 / way->angle);
    q_axisangle(q, axis, t * way->angle);
    q_tomat(turn, q);
    m3_mul(side->shape.mat, turn, side->mat);
  }
}

void impact_origin(mjtNum out[3], const Impact* impact, int side, const mjtNum point[3]) {
  const Traveller* s = impact->side + side;
  mjtNum arm[3], local[3];
  v3_sub(arm, point, s->shape.pos);
  m3_tmulv(local, s->shape.mat, arm);
  m3_mulv(out, s->mat, local);
  v3_addto(out, s->pos);
}

// The distance from a plane is that of the lowest point of the other shape.
static mjtNum plane_distance(Impact* impact) {
  const ConvexShape* plane = &impact->side[0].shape;
  const ConvexShape* shape = &impact->side[1].shape;
  Gjk* g = &impact->nearest;
  mjtNum down[3], arm[3];
  m3_column(impact->n, plane->mat, 2);
  v3_scl(down, impact->n, -1);
  impact->id = shape->kind->support(g->x2, shape, down);
  v3_sub(arm, g->x2, plane->pos);
  mjtNum dist = v3_dot(arm, impact->n);
  v3_addscl(g->x1, g->x2, impact->n, -dist);
  return dist;
}

// The signed distance at the poses of the shapes, with the nearest points and the normal.
static mjtNum distance(Impact* impact, const mjModel* m, mjData* d) {
  if (impact->is_plane) {
    return plane_distance(impact);
  }
  Gjk* g = &impact->nearest;
  mjtNum dist =
      convex_distance(g, m, d, &impact->side[0].shape, &impact->side[1].shape, NULL, GJK_FAR);
  v3_sub(impact->n, g->x2, g->x1);
  v3_scl(impact->n, impact->n, dist < 0 ? -1 : 1);
  v3_normalize(impact->n);
  return dist;
}

// n . (dx1 - dx2) + |dw1| rbound1 + |dw2| rbound2
static mjtNum fastest_approach(const Impact* impact, const mjModel* m) {
  const Traveller* side = impact->side;
  mjtNum move[3];
  v3_sub(move, side[0].travel->move, side[1].travel->move);
  mjtNum sum = v3_dot(impact->n, move);
  for (int i = 0; i < 2; i++) {
    sum += side[i].travel->angle * m->geom_rbound[side[i].geom];
  }
  return sum;
}

// n . (u1 - u2), u = dx + dw x (p - x) of the nearest points p, as points of their geoms
static mjtNum point_approach(const Impact* impact) {
  mjtNum rate = 0;
  for (int i = 0; i < 2; i++) {
    const Traveller* side = impact->side + i;
    mjtNum arm[3], u[3];
    v3_sub(arm, i ? impact->nearest.x2 : impact->nearest.x1, side->shape.pos);
    v3_cross(u, side->travel->turn, arm);
    v3_addto(u, side->travel->move);
    rate += (i ? -1 : 1) * v3_dot(impact->n, u);
  }
  return rate;
}

// Advances to where the geoms are near; returns 0 if they aren't within the step.
//
// Points that turn may close much slower than the bound, so that advances become short. After some
// of them the points themselves are asked, and their way to the target is taken to be straight.
static int advance(Impact* impact, const mjModel* m, mjData* d) {
  mjtNum margin = impact->margin, begin = distance(impact, m, d), dist = begin, t = 0;
  if (!(begin > margin)) {
    return 0;
  }
  mjtNum target = margin + TARGET * (begin - margin), near = margin + NEAR * (begin - margin);
  mjtNum rate = fastest_approach(impact, m);
  for (int i = 0; i < MOST_ADVANCES && dist > near; i++) {
    t += (dist - target) / rate;
    if (!(rate > 0) || !(t < 1)) {
      return 0;
    }
    place(impact->side, t);
    place(impact->side + 1, t);
    dist = distance(impact, m, d);
    rate = fastest_approach(impact, m);
  }
  mjtNum mean = (begin - dist) / t, last = point_approach(impact);
  impact->closing = num_max(mean, last);
  if (dist <= near) {
    // near is not yet there: what is left has to be closed in what is left of the step
    if (dist - margin > rate * (1 - t)) {
      return 0;
    }
  } else {
    if (!(last > 0)) {
      return 0;
    }
    t += (dist - target) / last;
  }
  impact->t = t;
  impact->dist = dist;
  impact->target = target;
  return t > 0 && t < 1;
}

static void begin_travel(Traveller* side, const GeomTravel* way, const mjModel* m, const mjData* d,
                         int geom) {
  side->travel = way;
  side->geom = geom;
  v3_copy(side->pos, d->geom_xpos + 3 * geom);
  m3_copy(side->mat, d->geom_xmat + 9 * geom);
  convex_shape(&side->shape, m, d, geom, 0);
}

int impact_find(Impact* out, const Travel* travel, const mjModel* m, mjData* d, int g1, int g2,
                mjtNum margin) {
  begin_travel(out->side, travel->geom + g1, m, d, g1);
  begin_travel(out->side + 1, travel->geom + g2, m, d, g2);
  out->is_plane = m->geom_type[g1] == mjGEOM_PLANE;
  out->margin = margin;
  out->id = -1;
  return advance(out, m, d);
}

mjtNum impact_distance(const mjModel* m, mjData* d, int geom1, int geom2) {
  int is_turned = m->geom_type[geom1] > m->geom_type[geom2];
  Impact still;
  begin_travel(still.side, NULL, m, d, is_turned ? geom2 : geom1);
  begin_travel(still.side + 1, NULL, m, d, is_turned ? geom1 : geom2);
  still.is_plane = m->geom_type[still.side[0].geom] == mjGEOM_PLANE;
  return distance(&still, m, d);
}
