// Contacts of a signed distance field: descents from many points to where two shapes overlap
// deepest, or touch.
//
//    +-----.--.-----+   .  starting points, spread over the common part of both bounding boxes
//    |  .   A   .   |   descent of A + B + |max(A, B)|, which leads into both shapes, then a step
//    |.   .--.--.---|   of max(A, B), whose value at the end, if not positive, is the depth
//    |---/  .  . \  |
//    +--.----.----\-+   Each end is a contact, unless another search has ended there.
//
//                                                                   theory/contact/sdf.md, Contacts

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it ends the descent elsewhere

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/mjdata.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "collision/collide.h"
#include "collision/sdf/field.h"
#include "collision/sdf/relative.h"
#include "collision/sdf/trace.h"
#include "model/behaviour.h"

// A search: its point in the frame of the first field, and both distances there.
typedef struct Search {
  const FieldPair* pair;
  int stays;  // where f only grows
  mjtNum x[3];
  mjtNum dist[2];
  mjtNum (
      *trace)[3];  // points where the gradient of the first field was evaluated; NULL: not recorded
  int traced;
} Search;

static void search_at(Search* s, const mjtNum x[3]) {
  v3_copy(s->x, x);
  pair_distance(s->dist, s->pair, x);
}

// The trial points x0 - a g for a = 1, 1/2, 1/4, ... in blocks: of FIELD_LANES if both fields take
// points in lanes, else of one.
typedef struct Trials {
  mjtNum a[FIELD_LANES], x[3][FIELD_LANES], dist[2][FIELD_LANES];
} Trials;

KERNEL static void trial_points(Trials* trials, const mjtNum x0[3], const mjtNum g[3], mjtNum a) {
  static const mjtNum half[FIELD_LANES] = {1,       1. / 2,  1. / 4,  1. / 8,
                                           1. / 16, 1. / 32, 1. / 64, 1. / 128};
  for (int k = 0; k < FIELD_LANES; k++) {
    trials->a[k] = a * half[k];
    trials->x[0][k] = x0[0] - trials->a[k] * g[0];
    trials->x[1][k] = x0[1] - trials->a[k] * g[1];
    trials->x[2][k] = x0[2] - trials->a[k] * g[2];
  }
}

static void search_trials(Trials* trials, const FieldPair* pair, const mjtNum x0[3],
                          const mjtNum g[3], mjtNum a, int n) {
  if (n > 1) {
    trial_points(trials, x0, g, a);
    pair_distances(trials->dist, pair, (const mjtNum(*)[FIELD_LANES])trials->x);
    return;
  }
  mjtNum dist[2], x[3];
  v3_addscl(x, x0, g, -a);
  pair_distance(dist, pair, x);
  trials->a[0] = a;
  for (int i = 0; i < 3; i++) {
    trials->x[i][0] = x[i];
  }
  trials->dist[0][0] = dist[0];
  trials->dist[1][0] = dist[1];
}

// Moves to the first trial with f(x) - f(x0) <= -0.1 a |g|^2 (Armijo, 1966); if there is none to
// the last one or, by the behaviour gjkepa, nowhere if f grows there. Returns f at the end.
static mjtNum search_line(Search* s, mjtSDFType type, const mjtNum g[3]) {
  const mjtNum slope = (mjtNum)-0.1, least = (mjtNum)1e-4;
  int n = pair_has_lanes(s->pair) ? FIELD_LANES : 1;
  mjtNum x0[3], before = pair_value(type, s->dist), square = v3_dot(g, g);
  Trials trials;
  v3_copy(x0, s->x);
  for (mjtNum a = 1;; a = trials.a[n - 1] / 2) {
    search_trials(&trials, s->pair, x0, g, a, n);
    for (int k = 0; k < n; k++) {
      const mjtNum dist[2] = {trials.dist[0][k], trials.dist[1][k]};
      mjtNum value = pair_value(type, dist);
      if (trials.a[k] <= least || value - before <= slope * trials.a[k] * square) {
        if (before < value && s->stays) {
          return before;
        }
        v3_set(s->x, trials.x[0][k], trials.x[1][k], trials.x[2][k]);
        s->dist[0] = dist[0];
        s->dist[1] = dist[1];
        return value;
      }
    }
  }
}

// Steepest descent of f. It ends if f grows, or if x stays, as all further steps would be the same.
// Returns the last f; mjMAXVAL if there is no usable gradient.
static mjtNum descend(Search* s, mjtSDFType type, int steps) {
  mjtNum value = mjMAXVAL;
  for (int i = 0; i < steps; i++) {
    mjtNum g[3], x0[3], before = pair_value(type, s->dist);
    pair_gradient(g, s->pair, type, s->dist, s->x);
    if (s->trace && (type != mjSDFTYPE_INTERSECTION || s->dist[0] > s->dist[1])) {
      v3_copy(s->trace[s->traced++], s->x);
    }
    if (!is_usable(g)) {
      return mjMAXVAL;
    }
    v3_copy(x0, s->x);
    value = search_line(s, type, g);
    if (before < value || v3_dist(s->x, x0) == 0) {
      return value;
    }
  }
  return value;
}

// The intersection of both geoms' bounding boxes, in the frame of the first. The second box is the
// axis-aligned one around its eight corners. Returns 0 if they don't intersect.
static int common_box(mjtNum lower[3], mjtNum upper[3], const mjtNum box1[6], const mjtNum box2[6],
                      const Relative* second) {
  mjtNum lo[3] = {mjMAXVAL, mjMAXVAL, mjMAXVAL}, hi[3] = {-mjMAXVAL, -mjMAXVAL, -mjMAXVAL};
  for (int j = 0; j < 8; j++) {
    mjtNum corner[3];
    for (int k = 0; k < 3; k++) {
      corner[k] = box2[k] + (j >> k & 1 ? box2[3 + k] : -box2[3 + k]);
    }
    relative_point(corner, second, corner);
    for (int k = 0; k < 3; k++) {
      lo[k] = num_min(lo[k], corner[k]);
      hi[k] = num_max(hi[k], corner[k]);
    }
  }
  for (int k = 0; k < 3; k++) {
    lower[k] = num_max(lo[k], box1[k] - box1[3 + k]);
    upper[k] = num_min(hi[k], box1[k] + box1[3 + k]);
    if (!(lower[k] <= upper[k])) {
      return 0;
    }
  }
  return 1;
}

// Makes a contact where a search has ended. The normal n is the negative gradient of the
// mid-surface A - B in the frame of geom 2. Returns 0 if there is no usable gradient.
//
//   pos = x - n dist/2        x on the surface of geom 1, as in 3.3.7: further inside of geom 2
//   pos = x + n dist/2        x inside of geom 2, by the behaviour gjkepa: half-way to its surface
static int set_contact(mjContact* con, const Search* s, mjtNum dist, const mjtNum pos2[3],
                       const mjtNum quat2[4], mjtNum side) {
  mjtNum g[3], normal[3], pos[3];
  pair_gradient(g, s->pair, mjSDFTYPE_MIDSURFACE, s->dist, s->x);
  if (!is_usable(g)) {
    return 0;
  }
  v3_scl(g, g, -1);
  turn(normal, g, quat2);
  v3_normalize(normal);
  turn(pos, s->x, quat2);
  v3_addto(pos, pos2);
  v3_addtoscl(pos, normal, side * dist / 2);
  contact_set(con, dist, pos, normal);
  return 1;
}

// Two geoms whose bounding boxes intersect, and their fields; geom 2 is the first field.
typedef struct Meeting {
  FieldPair pair;
  Relative own, first;  // geom 1 in itself and in geom 2
  mjtNum lower[3], upper[3];
  mjtNum quat2[4];
} Meeting;

// Looks up both fields. Returns 0 if the geoms can not touch.
static int meet(Meeting* meeting, const mjModel* m, const mjData* d, int g1, int g2) {
  const mjtNum *pos1 = d->geom_xpos + 3 * g1, *pos2 = d->geom_xpos + 3 * g2;
  mjtNum quat1[4], *quat2 = meeting->quat2;
  QuatOrder order = turns_of(quat1, quat2, m, d, g1, g2);
  FieldPair* pair = &meeting->pair;
  Relative second;  // geom 2 in geom 1
  relative(&second, pos1, quat1, pos2, quat2, order);
  if (!common_box(meeting->lower, meeting->upper, m->geom_aabb + 6 * g1, m->geom_aabb + 6 * g2,
                  &second)) {
    return 0;
  }
  relative(&meeting->first, pos2, quat2, pos1, quat1, order);
  relative(&meeting->own, pos1, quat1, pos1, quat1, order);
  int has2 = field_of(pair->field, m, d, g2), has1 = field_of(pair->field + 1, m, d, g1);
  if (!has1 || !has2) {
    field_missing(m, has2 ? g1 : g2);
    return 0;
  }
  v3_copy(pair->pos, second.pos);
  m3_copy(pair->mat, second.mat);
  field_begin(pair->field);
  field_meet(pair->field, g1, g2);
  return 1;
}

// The j-th search; returns the distance at its end.
static mjtNum search(Search* s, const Meeting* meeting, const mjModel* m, int j) {
  s->stays = behaves(m, cndBEHAVIOUR_gjkepa);
  mjtNum x[3] = {mju_Halton(j, 2), mju_Halton(j, 3), mju_Halton(j, 5)};
  for (int k = 0; k < 3; k++) {
    x[k] = meeting->lower[k] + (meeting->upper[k] - meeting->lower[k]) * x[k];
  }
  // `own` is the identity up to rounding; MuJoCo has that rounding, too
  relative_point(x, &meeting->own, x);
  relative_point(x, &meeting->first, x);
  field_search(meeting->pair.field);
  search_at(s, x);
  descend(s, mjSDFTYPE_COLLISION, m->opt.sdf_iterations);
  return descend(s, mjSDFTYPE_INTERSECTION, 1);
}

int collide_sdf(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  (void)margin;
  Meeting meeting;
  mjtNum end[mjMAXCONPAIR][3];
  if (!meet(&meeting, m, d, g1, g2)) {
    return 0;
  }
  mjtNum side = behaves(m, cndBEHAVIOUR_gjkepa) ? 1 : -1;
  int num = 0;
  for (int j = 0; j < m->opt.sdf_initpoints; j++) {
    Search s = {.pair = &meeting.pair};
    mjtNum dist = search(&s, &meeting, m, j);
    if (!(dist <= 0) || !is_new(end, num, s.x)) {
      continue;
    }
    if (num == mjMAXCONPAIR) {
      mj_warning((mjData*)d, mjWARN_CONTACTFULL, d->ncon + num);
      break;
    }
    if (set_contact(con + num, &s, dist, d->geom_xpos + 3 * g2, meeting.quat2, side)) {
      v3_copy(end[num++], s.x);
    }
  }
  return num;
}

// A contact evaluates the gradient at its end once more, which is part of the trace.
void sdf_trace(const mjModel* m, mjData* d, int g1, int g2, SdfVisit* visit, void* context) {
  Meeting meeting;
  if (!meet(&meeting, m, d, g1, g2)) {
    return;
  }
  mj_markStack(d);
  int room = int_max(0, m->opt.sdf_iterations) + 2, going = 1;
  mjtNum(*point)[3] = (mjtNum(*)[3])mj_stackAllocNum(d, 3 * (size_t)room);
  for (int j = 0; going && point && j < m->opt.sdf_initpoints; j++) {
    Search s = {.pair = &meeting.pair, .trace = point};
    mjtNum dist = search(&s, &meeting, m, j);
    if (dist <= 0) {
      v3_copy(point[s.traced++], s.x);
    }
    going = visit(context, (const mjtNum(*)[3])point, s.traced, j);
  }
  mj_freeStack(d);
}
