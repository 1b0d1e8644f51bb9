// Contacts of two boxes, by the features that make them (collision/primitive/box_box.c).
//
// Face contact: P is a point of the incident box over the face of the reference box, `depth` below
// it; the contact is half-way between P and the face. Its distance is half of the depth, or all of
// it by the rule of later releases (collision/primitive/box_clip.c). P is a corner of the incident
// box, a crossing of one of its edges with a side of the face, or a point of the incident face over
// a corner of the reference face.
//
// Edge contact: the normal n is across two edges. The contact is half-way between a point w of box
// 2 and the opposite point g of box 1, w - g = n dist. Both are on edges, or one is a corner and
// the other is on a face.                              theory/time/constraint-derivatives.md, Boxes

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"
#include "collision/collide.h"
#include "collision/primitive/box_axis.h"
#include "derivative/geometry/rules.h"

// distance, relative to the size of the box, at which a point counts as on a side
static const mjtNum NEAR = GEOMETRY_TOL;

// Axes of a box along which a point is at a side, and axes along which it is not.
typedef struct {
  int num;  // sides
  int side[3], open[3];
  mjtNum x[3];
} Place;

static Place place_on(const Solid* box, const mjtNum point[3]) {
  Place at = {.num = 0};
  int nopen = 0;
  mjtNum tolerance = NEAR * (box->size[0] + box->size[1] + box->size[2]);
  v3_tolocal(at.x, point, box->pos, box->mat);
  for (int k = 0; k < 3; k++) {
    if (mju_abs(mju_abs(at.x[k]) - box->size[k]) < tolerance) {
      at.side[at.num++] = k;
    } else {
      at.open[nopen++] = k;
    }
  }
  return at;
}

// Unit motion c of geom 2: turn and shift about the contact, along the axes of its frame.
typedef struct {
  mjtNum turn[3], shift[3];
} Motion;

static Motion motion_of(const mjContact* con, int c) {
  Motion U = {{0}, {0}};
  v3_copy(c < 3 ? U.turn : U.shift, con->frame + 3 * (c % 3));
  return U;
}

static void material_rate(mjtNum out[3], const Motion* U, const mjContact* con,
                          const mjtNum point[3]) {
  mjtNum arm[3];
  v3_sub(arm, point, con->pos);
  v3_crossadd(out, U->turn, arm, U->shift);
}

static void store(ContactGeometry* out, const mjContact* con, int c, mjtNum dist,
                  const mjtNum normal[3], const mjtNum pos[3]) {
  out->dist[c] = dist;
  for (int i = 0; i < 3; i++) {
    out->pos[i][c] = v3_dot(con->frame + 3 * i, pos);
    if (i) {
      out->normal[i - 1][c] = v3_dot(con->frame + 3 * i, normal);
    }
  }
}

// face

// Velocity of P while the reference box is at rest, from the velocity `rate` of the material point
// at P. Returns 1 at a kink, where P is on more features than determine its position, and -1 if P
// is none of these points.
//
//   corner:            rate
//   edge D, side q:    rate - D rate_q / D_q           P stays on the side
//   face N, corner:    n (N . rate) / (N . n)          P stays over the corner
static int incident_rate(mjtNum rate[3], const Place* incident, const Place* reference,
                         const Solid* box, const Solid* ref, const mjtNum n[3]) {
  // the sides of the reference face that P is on
  int sides = 0, q = 0;
  mjtNum axis[3], feature[3];
  for (int i = 0; i < reference->num; i++) {
    m3_column(axis, ref->mat, reference->side[i]);
    if (mju_abs(v3_dot(axis, n)) < (mjtNum)0.5) {
      sides++;
      q = reference->side[i];
    }
  }
  int is_kink = incident->num + sides > 3;
  if (incident->num == 3) {
    return is_kink;
  }
  if (incident->num == 2 && sides == 1) {
    m3_column(feature, box->mat, incident->open[0]);
    m3_column(axis, ref->mat, q);
    v3_addtoscl(rate, feature, -v3_dot(rate, axis) / v3_dot(feature, axis));
    return 0;
  }
  if (incident->num == 1 && sides == 2) {
    m3_column(feature, box->mat, incident->side[0]);
    v3_scl(rate, n, v3_dot(feature, rate) / v3_dot(feature, n));
    return 0;
  }
  return -1;
}

// part: of the depth that the contact has for its distance
static int face_contact(ContactGeometry* out, const mjContact* con, const Solid* ref,
                        const Solid* box, int is_first, mjtNum part) {
  mjtNum n[3], point[3];
  v3_scl(n, con->frame, is_first ? 1 : -1);
  v3_addscl(point, con->pos, n, con->dist / (2 * part));
  Place incident = place_on(box, point), reference = place_on(ref, point);
  int is_kink = 0;
  for (int c = 0; c < 6; c++) {
    Motion U = motion_of(con, c);
    mjtNum rate[3], normal[3] = {0, 0, 0};
    material_rate(rate, &U, con, point);
    if (!is_first) {
      v3_scl(rate, rate, -1);
    }
    is_kink = incident_rate(rate, &incident, &reference, box, ref, n);
    if (is_kink < 0) {
      return GEOMETRY_UNKNOWN;
    }
    mjtNum depth = v3_dot(n, rate);
    v3_addtoscl(rate, n, -depth / 2);
    if (!is_first) {
      // so far box 2, the reference, is at rest: add its motion
      v3_addto(rate, U.shift);
      v3_cross(normal, U.turn, con->frame);
    }
    store(out, con, c, part * depth, normal, rate);
  }
  return is_kink;
}

// faces on each other
//
// The reference face is that of the box along whose normal the boxes overlap least. Parallel faces
// overlap equally at the state, and rounding chooses one. If one face holds the other box, it is
// the reference in every small motion. If neither does, the reference depends on the axis of the
// turn: a kink.

// Axes of a box that are normal to n, along which its edges are level; returns their number.
static int level_axes(int axis[3], const Solid* box, const mjtNum n[3]) {
  int num = 0;
  for (int k = 0; k < 3; k++) {
    mjtNum column[3];
    m3_column(column, box->mat, k);
    if (mju_abs(v3_dot(column, n)) < NEAR) {
      axis[num++] = k;
    }
  }
  return num;
}

// Whether the lowest feature of a box along n, spanned by its level axes, is over the interior of
// the face of ref that is normal to n.
static int is_held(const Solid* box, const int* level, int nlevel, const Solid* ref,
                   const mjtNum n[3]) {
  mjtNum low[3], tolerance = NEAR * (ref->size[0] + ref->size[1] + ref->size[2]);
  v3_copy(low, box->pos);
  for (int k = 0; k < 3; k++) {
    mjtNum column[3];
    m3_column(column, box->mat, k);
    mjtNum rise = v3_dot(column, n);
    v3_addtoscl(low, column, rise > NEAR ? -box->size[k] : rise < -NEAR ? box->size[k] : 0);
  }
  for (int i = 0; i < 1 << nlevel; i++) {
    mjtNum corner[3], x[3], column[3];
    v3_copy(corner, low);
    for (int k = 0; k < nlevel; k++) {
      m3_column(column, box->mat, level[k]);
      v3_addtoscl(corner, column, i >> k & 1 ? box->size[level[k]] : -box->size[level[k]]);
    }
    v3_tolocal(x, corner, ref->pos, ref->mat);
    for (int k = 0; k < 3; k++) {
      m3_column(column, ref->mat, k);
      int is_across = mju_abs(v3_dot(column, n)) < (mjtNum)0.5;
      if (is_across && mju_abs(x[k]) > ref->size[k] - tolerance) {
        return 0;
      }
    }
  }
  return 1;
}

static mjtNum reach_rate(const Solid* box, const mjtNum direction[3]) {
  mjtNum along[3];
  m3_tmulv(along, box->mat, direction);
  return box->size[0] * mju_abs(along[0]) + box->size[1] * mju_abs(along[1]) +
         box->size[2] * mju_abs(along[2]);
}

// Rate of the overlap along the face of box 1 less that along the face of box 2, as box 2 turns by
// w out of parallel faces. With the common normal n, t = w x n and half-sizes s:
//
//   sum s2_k |b_k . t| - sum s1_k |a_k . t| + t . (c2 - c1)
static mjtNum overlap_rate(const Solid* box1, const Solid* box2, const mjtNum n[3],
                           const mjtNum turn[3]) {
  mjtNum t[3], between[3];
  v3_cross(t, turn, n);
  v3_sub(between, box2->pos, box1->pos);
  return reach_rate(box2, t) - reach_rate(box1, t) + v3_dot(t, between);
}

// Contact of parallel faces that don't hold each other. For each turn, the derivative is that of
// the face which becomes the reference. All other motions have the same derivative by both faces.
static int crossed_faces(ContactGeometry* out, const mjContact* con, const Solid* box1,
                         const Solid* box2, int is_first, mjtNum part) {
  ContactGeometry other;
  const Solid *ref = is_first ? box1 : box2, *box = is_first ? box2 : box1;
  int kinks = face_contact(out, con, ref, box, is_first, part);
  int known = face_contact(&other, con, box, ref, !is_first, part);
  for (int c = 1; c < 3 && kinks >= 0 && known >= 0; c++) {
    mjtNum rate = overlap_rate(box1, box2, con->frame, con->frame + 3 * c);
    mjtNum size = box1->size[0] + box1->size[1] + box1->size[2];
    if (is_first ? rate > NEAR * size : rate < -NEAR * size) {
      out->dist[c] = other.dist[c];
      for (int i = 0; i < 3; i++) {
        out->pos[i][c] = other.pos[i][c];
        out->normal[i % 2][c] = other.normal[i % 2][c];
      }
    }
  }
  return kinks < 0 ? kinks : 1;
}

static int faces_contact(ContactGeometry* out, const mjContact* con, const Solid* box1,
                         const Solid* box2, int is_first, mjtNum part) {
  const Solid *ref = is_first ? box1 : box2, *box = is_first ? box2 : box1;
  mjtNum n[3], back[3];
  int level[3], level_ref[3], num;
  v3_scl(n, con->frame, is_first ? 1 : -1);
  v3_scl(back, n, -1);
  num = level_axes(level, box, n);
  int held = !num || is_held(box, level, num, ref, n);
  if (held || num < 2) {
    int kinks = face_contact(out, con, ref, box, is_first, part);
    return kinks < 0 ? kinks : kinks || !held;
  }
  num = level_axes(level_ref, ref, back);
  if (num == 2 && is_held(ref, level_ref, num, box, back)) {
    return face_contact(out, con, box, ref, !is_first, part);
  }
  return crossed_faces(out, con, box1, box2, is_first, part);
}

// edges

// n' of the unit normal of edge a of box 1 and edge b of box 2, as b turns:  n = s a x b,
// s = +-1 / |a x b|
static void edge_normal_rate(mjtNum out[3], const mjtNum a[3], const mjtNum b[3], const mjtNum n[3],
                             const mjtNum turn[3]) {
  mjtNum across[3], t[3];
  v3_cross(across, a, b);
  v3_cross(t, turn, b);
  v3_cross(out, a, t);
  v3_scl(out, out, 1 / v3_dot(across, n));
  v3_addtoscl(out, n, -v3_dot(n, out));
}

// The feature that determines the normal n of two edges when n is also the normal of a face. A
// level edge overlaps as much as the face it lies on, and rounding prefers the edges while the
// boxes are apart. This is a kink: in turns that leave no edge level the face takes over, and its
// contacts are at half the distance.
typedef enum {
  NORMAL_EDGES,    // the edges: n is no normal of a face
  NORMAL_FIRST,    // a face of box 1, over which box 2 lies
  NORMAL_SECOND,   // a face of box 2, over which box 1 lies
  NORMAL_BETWEEN,  // parallel faces, neither of which holds the other
  NORMAL_BORDER    // the edges: they reach over the border of a face
} NormalOwner;

static NormalOwner find_owner(const Solid* box1, const Solid* box2, const mjtNum n[3]) {
  mjtNum back[3];
  int level1[3], level2[3];
  v3_scl(back, n, -1);
  int num1 = level_axes(level1, box1, n), num2 = level_axes(level2, box2, n);
  if (num1 == 2 && is_held(box2, level2, num2, box1, n)) {
    return NORMAL_FIRST;
  }
  if (num2 == 2 && is_held(box1, level1, num1, box2, back)) {
    return NORMAL_SECOND;
  }
  return num1 == 2 && num2 == 2   ? NORMAL_BETWEEN
         : num1 == 2 || num2 == 2 ? NORMAL_BORDER
                                  : NORMAL_EDGES;
}

// Replaces the rate n' of the edges by that of the owner of the normal.
static void owned_normal_rate(mjtNum out[3], NormalOwner owner, const Solid* box1,
                              const Solid* box2, const mjtNum n[3], const mjtNum turn[3]) {
  if (owner == NORMAL_EDGES || owner == NORMAL_BORDER) {
    return;
  }
  mjtNum rate = owner == NORMAL_BETWEEN ? overlap_rate(box1, box2, n, turn) : 0;
  if (owner == NORMAL_FIRST || (owner == NORMAL_BETWEEN && rate < 0)) {
    v3_zero(out);
  } else {
    v3_cross(out, turn, n);
  }
}

// Rates of dist and of g as the opposite points w and g move: w' - g' = n' dist + n dist', where
// `rate` is the velocity of the material point of box 2 at w. Each point may slip along the feature
// it is on; dist' follows from the direction in which neither slips:
//
//   both on edges D, E:      (D x E) . (rate - n' dist) = (D x E) . n dist'
//   w is a corner:           f . (rate - n' dist) = f . n dist',   g slips in face f of box 1
//   g is a corner:           the same with the face f of box 2, in which w slips
//
// Then g' = w' - (n' dist + n dist'), with w' = rate and the slip of w.
static int opposite_rates(mjtNum dist[1], mjtNum g_rate[3], const mjtNum rate[3],
                          const mjtNum between[3], const Place* w, const Place* g,
                          const Solid* box1, const Solid* box2, const mjtNum n[3]) {
  mjtNum feature[3], D[3] = {0}, E[3] = {0}, left[3];
  v3_sub(left, rate, between);  // rate - n' dist
  if (w->num == 3 && g->num >= 1) {
    m3_column(feature, box1->mat, g->side[0]);
  } else if (g->num == 3 && w->num >= 1) {
    m3_column(feature, box2->mat, w->side[0]);
  } else if (w->num == 2 && g->num == 2) {
    m3_column(D, box2->mat, w->open[0]);
    m3_column(E, box1->mat, g->open[0]);
    v3_cross(feature, D, E);
  } else {
    return 0;
  }
  *dist = v3_dot(feature, left) / v3_dot(feature, n);
  v3_addtoscl(left, n, -*dist);
  if (g->num == 3) {
    v3_zero(g_rate);
  } else if (w->num == 3) {
    v3_copy(g_rate, left);
  } else {
    // left = a E - b D; g moves by a E
    mjtNum t[3];
    v3_cross(t, D, feature);
    v3_scl(g_rate, E, v3_dot(left, t) / v3_dot(E, t));
  }
  return 1;
}

// i, j: the edges' axes
static int edge_contact(ContactGeometry* out, const mjContact* con, const Solid* box1,
                        const Solid* box2, int i, int j) {
  mjtNum g_point[3], w_point[3], a[3], b[3];
  const mjtNum* n = con->frame;
  witness_points(g_point, w_point, con);
  Place g = place_on(box1, g_point), w = place_on(box2, w_point);
  m3_column(a, box1->mat, i);
  m3_column(b, box2->mat, j);
  NormalOwner owner = find_owner(box1, box2, n);
  for (int c = 0; c < 6; c++) {
    Motion U = motion_of(con, c);
    mjtNum rate[3], normal[3], between[3], pos[3], dist;
    edge_normal_rate(normal, a, b, n, U.turn);
    owned_normal_rate(normal, owner, box1, box2, n, U.turn);
    material_rate(rate, &U, con, w_point);
    v3_scl(between, normal, con->dist);
    if (!opposite_rates(&dist, pos, rate, between, &w, &g, box1, box2, n)) {
      return GEOMETRY_UNKNOWN;
    }
    v3_addtoscl(between, n, dist);
    v3_addtoscl(pos, between, (mjtNum)0.5);
    store(out, con, c, dist, normal, pos);
  }
  return owner != NORMAL_EDGES;
}

int geometry_boxes(ContactGeometry* out, const mjModel* m, const mjData* d, const mjContact* con) {
  Solid box1 = solid_of(m, d, con->geom[0]), box2 = solid_of(m, d, con->geom[1]);
  mjtNum c21[3], c12[3], W[9], reach = 0;
  v3_tolocal(c21, box2.pos, box1.pos, box1.mat);
  v3_tolocal(c12, box1.pos, box2.pos, box2.mat);
  m3_tmul(W, box1.mat, box2.mat);
  for (int k = 0; k < 3; k++) {
    reach += box1.size[k] + box2.size[k] + mju_abs(c21[k]);
  }
  BoxAxis axis;
  if (!box_axis(&axis, W, c21, c12, box1.size, box2.size, reach)) {
    return GEOMETRY_UNKNOWN;
  }
  if (axis.kind == AXIS_EDGES) {
    return edge_contact(out, con, &box1, &box2, axis.i, axis.j);
  }
  return faces_contact(out, con, &box1, &box2, axis.kind == AXIS_FACE1, (mjtNum)0.5);
}

static int has_normal(const Solid* box, const mjtNum n[3]) {
  mjtNum along[3];
  m3_tmulv(along, box->mat, n);
  int is_level[3];
  for (int k = 0; k < 3; k++) {
    is_level[k] = mju_abs(along[k]) < NEAR;
  }
  return is_level[0] + is_level[1] + is_level[2] == 2;
}

int geometry_clipped_boxes(ContactGeometry* out, const mjModel* m, const mjData* d,
                           const mjContact* con) {
  Solid box1 = solid_of(m, d, con->geom[0]), box2 = solid_of(m, d, con->geom[1]);
  int is_first = has_normal(&box1, con->frame);
  if (is_first || has_normal(&box2, con->frame)) {
    return faces_contact(out, con, &box1, &box2, is_first, 1);
  }
  mjtNum point[2][3];
  witness_points(point[0], point[1], con);
  Place g = place_on(&box1, point[0]), w = place_on(&box2, point[1]);
  // of edges that cross beyond an end the contact has the ends, apart from its normal
  if (g.num != 2 || w.num != 2) {
    return GEOMETRY_UNKNOWN;
  }
  return edge_contact(out, con, &box1, &box2, g.open[0], w.open[0]);
}
