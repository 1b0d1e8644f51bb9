// Contacts of a capsule, or of a segment of a flex, with a box (collision/primitive/capsule_box.c).
// Each is the contact of the box with a sphere on the capsule's axis, at c(t) = c_0 + t h, h the
// half-axis. The first sphere is at the closest points or, if the axis passes through the box,
// where it is nearest to an edge or a corner. The second follows from the first and from the sides
// of the box.
// Symbols: contact_geometry.h (turn, shift).

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"
#include "collision/collide.h"
#include "derivative/geometry/rules.h"

// distance, relative to the size, within which a center counts as meeting its condition
static const mjtNum NEAR = GEOMETRY_TOL;

// The condition that determines t.
enum {
  HOLD_SIDE,   // the center is level with the side `along` of the box
  HOLD_STEP,   // it is one width of the box from the first center, along an axis of the box
  HOLD_EDGE,   // it is nearest to an edge
  HOLD_CORNER  // it is nearest to a corner
};

typedef struct {
  const mjContact *con,
      *first;  // from the capsule to the box; first: the other contact if this is the second
  Solid capsule, box;
  int geom;                   // of the box
  mjtNum half[3];             // h
  mjtNum center[3], x[3], t;  // of the sphere, in the world and in the frame of the box
  int hold, along;            // one of HOLD_..., and an axis of the box
  int is_tied;                // two conditions hold at once: a kink
  mjtNum away[3];             // from the edge or corner to the center
  mjtNum first_t, t_rate[6];  // t of the first contact and its derivative by U
} Rider;

// Center of the sphere of a contact, and its t.
static void find_center(mjtNum center[3], mjtNum t[1], const Rider* r, const mjContact* con) {
  mjtNum arm[3];
  v3_addscl(center, con->pos, con->frame, -con->dist / 2 - r->capsule.size[0]);
  v3_sub(arm, center, r->capsule.pos);
  *t = v3_dot(arm, r->half) / v3_dot(r->half, r->half);
}

// Unit motion c of the box about the contact, as a twist about `point` along the axes of `frame`.
static void twist_elsewhere(mjtNum out[6], const mjContact* con, int c, const mjtNum point[3],
                            const mjtNum frame[9]) {
  mjtNum turn[3] = {0, 0, 0}, shift[3] = {0, 0, 0}, arm[3];
  v3_copy(c < 3 ? turn : shift, con->frame + 3 * (c % 3));
  v3_sub(arm, point, con->pos);
  v3_crossadd(shift, turn, arm, shift);
  m3_mulv(out, frame, turn);
  m3_mulv(out + 3, frame, shift);
}

// The first contact of a pair, if this is the second.
static const mjContact* first_of(const mjData* d, const mjContact* con) {
  if (con == d->contact) {
    return NULL;
  }
  const mjContact* last = con - 1;
  int is_same = last->geom[0] == con->geom[0] && last->geom[1] == con->geom[1] &&
                last->flex[1] == con->flex[1] && last->elem[1] == con->elem[1];
  return is_same && con->geom[0] >= 0 ? last : NULL;
}

static int is_small(mjtNum x, mjtNum scale) {
  return mju_abs(x) < NEAR * scale;
}

// Finds an edge or a corner of the box to which the center is the nearest point of the axis.
static int find_nearest(Rider* r, const mjtNum h[3]) {
  const mjtNum* s = r->box.size;
  mjtNum scale = v3_norm(h) * (s[0] + s[1] + s[2]);
  for (int i = 0; i < 8; i++) {
    mjtNum corner[3] = {i & 1 ? s[0] : -s[0], i & 2 ? s[1] : -s[1], i & 4 ? s[2] : -s[2]}, away[3];
    v3_sub(away, r->x, corner);
    r->hold = HOLD_CORNER;
    int found = is_small(v3_dot(away, h), scale);
    for (int k = 0; k < 3 && !found; k++) {
      mjtNum along = away[k];
      away[k] = 0;
      found = !(i >> k & 1) && is_small(v3_dot(away, h), scale);
      if (found) {
        r->hold = HOLD_EDGE;
        r->along = k;
      } else {
        away[k] = along;
      }
    }
    if (found) {
      m3_mulv(r->away, r->box.mat, away);
      return 1;
    }
  }
  return 0;
}

// Finds the condition that determines t; returns 0 at the closest points, or if no known condition
// holds. If a capsule lies level over two opposite edges of a face, the second center is level with
// one side and also one width from the other; any small motion makes it one width from the lower
// one.
static int find_hold(Rider* r) {
  const mjtNum* s = r->box.size;
  mjtNum h[3], scale = s[0] + s[1] + s[2];
  m3_tmulv(h, r->box.mat, r->half);
  if (mju_abs(r->t) > 1 - NEAR) {
    return 0;
  }
  int side = -1, step = -1;
  for (int k = 2; k >= 0 && r->first; k--) {
    if (is_small(mju_abs(r->x[k]) - s[k], scale) && !is_small(h[k], scale)) {
      side = k;
    }
    if (is_small(mju_abs((r->t - r->first_t) * h[k]) - 2 * s[k], scale)) {
      step = k;
    }
  }
  if (step >= 0 || side >= 0) {
    r->hold = step >= 0 ? HOLD_STEP : HOLD_SIDE;
    r->along = step >= 0 ? step : side;
    r->is_tied = step >= 0 && side >= 0;
    return 1;
  }
  // at the closest points the normal is perpendicular to the axis
  int is_closest = is_small(v3_dot(r->half, r->con->frame), v3_norm(r->half));
  return !is_closest && find_nearest(r, h);
}

// Sets up the contact of a capsule with a box; first: the first contact if con is the second, else
// NULL.
static void rider_make(Rider* r, const mjModel* m, const mjData* d, const Solid* capsule, int box,
                       const mjContact* con, const mjContact* first) {
  mjtNum axis[3];
  *r = (Rider){
      .con = con, .first = first, .capsule = *capsule, .box = solid_of(m, d, box), .geom = box};
  m3_column(axis, r->capsule.mat, 2);
  v3_scl(r->half, axis, r->capsule.size[1]);
  find_center(r->center, &r->t, r, con);
  v3_tolocal(r->x, r->center, r->box.pos, r->box.mat);
  if (first) {
    mjtNum center[3];
    find_center(center, &r->first_t, r, first);
  }
}

// dt/dU_c while the capsule is at rest and the box moves by U about the center, with velocity v
// there; e is the axis `along` of the box.
//
//   side:    e . (t' h - v) = 0
//   step:    t - t_1 = +-2 s / (h . e)    so    t' = t_1' - (t - t_1) (h . e') / (h . e)
//   edge:    a . h = 0 with the offset a from the edge, a _|_ e, so that a' . h = a . (turn x h)
//            t' = (v_a . h + a . (turn x h)) / (h_a . h_a),   x_a the part of x across the edge
//   corner:  the same with the offset from the corner and all of x
static mjtNum sphere_rate(const Rider* r, int c, const mjContact* con) {
  static const mjtNum world[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  mjtNum U[6], e[3], h[3], turned[3];
  twist_elsewhere(U, con, c, r->center, world);
  m3_column(e, r->box.mat, r->along);
  mjtNum along = v3_dot(r->half, e);
  if (r->hold == HOLD_SIDE) {
    return v3_dot(e, U + 3) / along;
  }
  if (r->hold == HOLD_STEP) {
    v3_cross(turned, U, e);
    return r->t_rate[c] - (r->t - r->first_t) * v3_dot(r->half, turned) / along;
  }
  v3_cross(turned, U, r->half);
  v3_copy(h, r->half);
  if (r->hold == HOLD_EDGE) {
    v3_addtoscl(h, e, -along);
  }
  return (v3_dot(U + 3, h) + v3_dot(r->away, turned)) / v3_dot(h, h);
}

// t' of the first contact as the box moves about the second; returns 0 if no condition determines
// t.
static int held_rates(Rider* r, const mjModel* m, const mjData* d) {
  Rider own;
  rider_make(&own, m, d, &r->capsule, r->geom, r->first, NULL);
  if (!find_hold(&own)) {
    return 0;
  }
  for (int c = 0; c < 6; c++) {
    r->t_rate[c] = sphere_rate(&own, c, r->con);
  }
  return 1;
}

// t' of a first contact at the closest points, h . c' / |h|^2, from the rates of its place, normal
// and distance.
static int free_rates(Rider* r, const mjModel* m, const mjData* d) {
  const mjContact* first = r->first;
  ContactGeometry geometry;
  int result = geometry_convex(&geometry, m, d, first);
  mjtNum h[3], back = -first->dist / 2 - r->capsule.size[0];
  m3_mulv(h, first->frame, r->half);
  for (int c = 0; c < 6 && result >= 0; c++) {
    mjtNum U[6], rate[3];
    twist_elsewhere(U, r->con, c, first->pos, first->frame);
    for (int i = 0; i < 3; i++) {
      rate[i] = sp_dot(geometry.pos[i], U);
    }
    rate[0] -= sp_dot(geometry.dist, U) / 2;
    rate[1] += back * sp_dot(geometry.normal[0], U);
    rate[2] += back * sp_dot(geometry.normal[1], U);
    r->t_rate[c] = v3_dot(h, rate) / v3_dot(h, h);
  }
  return result >= 0;
}

static int ride(ContactGeometry* out, const Rider* r, const mjModel* m, const mjData* d) {
  const mjContact* con = r->con;
  mjtNum p1[3], p2[3], back[3], h[3];
  SurfaceShape sphere = {.C = {r->capsule.size[0], 0, 0, r->capsule.size[0]}, .S = {1, 0, 0, 1}},
               box;
  ContactGeometry still;
  witness_points(p1, p2, con);
  v3_scl(back, con->frame, -1);
  if (!surface_of(&box, m, d, r->geom, p2, back, con->frame) ||
      !contact_geometry_closest(&still, &sphere, &box, con->dist)) {
    return GEOMETRY_UNKNOWN;
  }
  if (r->is_tied) {
    // one box width inwards, the sphere is over the interior of the face
    static const SurfaceShape face = {.C = {1, 0, 0, 1}};
    contact_geometry_closest(&still, &sphere, &face, con->dist);
  }
  // the sphere moves by t' h, so the box moves by that much less relative to it
  m3_mulv(h, con->frame, r->half);
  for (int c = 0; c < 6; c++) {
    mjtNum U[6] = {0}, rate = sphere_rate(r, c, con);
    U[c] = 1;
    v3_addtoscl(U + 3, h, -rate);
    out->dist[c] = sp_dot(still.dist, U);
    for (int i = 0; i < 3; i++) {
      out->pos[i][c] = sp_dot(still.pos[i], U) + rate * h[i];
    }
    out->normal[0][c] = sp_dot(still.normal[0], U);
    out->normal[1][c] = sp_dot(still.normal[1], U);
  }
  return 0;
}

int geometry_capsule_box(ContactGeometry* out, const mjModel* m, const mjData* d,
                         const mjContact* con) {
  Rider r;
  Solid capsule = solid_of(m, d, con->geom[0]);
  rider_make(&r, m, d, &capsule, con->geom[1], con, first_of(d, con));
  if (!find_hold(&r)) {
    return geometry_convex(out, m, d, con);
  }
  if (r.hold == HOLD_STEP && !held_rates(&r, m, d) && !free_rates(&r, m, d)) {
    return GEOMETRY_UNKNOWN;
  }
  int kinks = ride(out, &r, m, d);
  return kinks < 0 ? kinks : kinks + r.is_tied;
}

// segments

// The contact with its sides exchanged: n and t2 are negated.
static mjContact mirrored(const mjContact* con) {
  mjContact out = *con;
  v3_scl(out.frame, con->frame, -1);
  v3_scl(out.frame + 6, con->frame + 6, -1);
  return out;
}

static void mirror(mjtNum v[3]) {
  v[0] = -v[0];
  v[2] = -v[2];
}

// Converts derivatives with respect to the motion of the box relative to the capsule into those
// with respect to the motion U of the capsule relative to the box: everything moves by U, and the
// box by -U relative to it.
static void mirror_geometry(ContactGeometry* out, const ContactGeometry* in) {
  for (int c = 0; c < 6; c++) {
    mjtNum U[6] = {0}, pos[3], dn[2];
    U[c] = 1;
    mirror(U);
    mirror(U + 3);
    for (int i = 0; i < 3; i++) {
      pos[i] = U[3 + i] - sp_dot(in->pos[i], U);
    }
    mirror(pos);
    dn[0] = U[2] - sp_dot(in->normal[0], U);
    dn[1] = -U[1] - sp_dot(in->normal[1], U);
    out->dist[c] = -sp_dot(in->dist, U);
    out->normal[0][c] = -dn[0];
    out->normal[1][c] = dn[1];
    for (int i = 0; i < 3; i++) {
      out->pos[i][c] = pos[i];
    }
  }
}

int geometry_segment_box(ContactGeometry* out, const mjModel* m, const mjData* d,
                         const mjContact* con, const Solid* segment) {
  Rider r;
  ContactGeometry geometry = {.is_witness = 0};
  mjContact back = mirrored(con), back_first;
  const mjContact* first = first_of(d, con);
  if (first) {
    back_first = mirrored(first);
  }
  rider_make(&r, m, d, segment, con->geom[0], &back, first ? &back_first : NULL);
  if (!find_hold(&r)) {
    return GEOMETRY_NOT_CLOSEST;
  }
  if ((r.hold == HOLD_STEP && !held_rates(&r, m, d)) || ride(&geometry, &r, m, d) < 0) {
    return GEOMETRY_UNKNOWN;
  }
  mirror_geometry(out, &geometry);
  return r.is_tied;
}
