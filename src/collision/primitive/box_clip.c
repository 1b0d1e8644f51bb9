// Box against box by the rule of later releases (behaviour boxclip): the separating axis of largest
// separation, then one point of two edges, or one face clipped by another.
//
//     s1, s2   half sizes,  C = R1' R2,  t1 = R1'(p2 - p1),  t2 = R2'(p2 - p1)
//
//       axis      .                     reference face, its outward normal up
//     --box 1--|  .  |--box 2--       o=====o-------+
//               sep                   |incident     |     o: contacts, where the outline of the
//                                   --+-------------+--      incident face is inside of the walls
//
// Exactly aligned boxes make ties that rounding decides: keep the order of operations.
//                                                     theory/contact/collision.md, Clipped boxes

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include <mujoco/api/base.h>
#include <mujoco/mjdata.h>

#include "base/algebra/vec.h"
#include "collision/collide.h"

enum {
  MAX_CORNERS = 8  // of a rectangle clipped by four walls
};

// Part of a box's size that counts as touching, and the squared sine below which edges are
// parallel.
static const mjtNum ROUNDING = (mjtNum)1e-13, PARALLEL_EDGES = (mjtNum)1e-16;

// What edges must be better by than faces: relative to their separation; and, where their axis is
// within this cosine of the face's, relative to the face's separation.
static const mjtNum EDGE_TIE = (mjtNum)1e-6, NEAR_FACE = (mjtNum)0.99, NEAR_TIE = (mjtNum)0.05;

// A component of an axis below which both edges on its two sides are as near.
static const mjtNum EITHER_SIDE = (mjtNum)1e-9;

// Squared distance of equal corners, relative to the size of the face.
static const mjtNum SAME_CORNER = (mjtNum)1e-14;

typedef struct Boxes {
  const Solid* box[2];
  mjtNum C[9], t[2][3], most;  // most: the largest separation with contacts
} Boxes;

// The axis of largest separation: of face i of `owner`, or (owner 2) of edges i and j, with the
// unit normal in the frame of box 1.
typedef struct Axis {
  mjtNum separation;
  int owner, i, j;
  mjtNum normal[3];
} Axis;

// |e_i . c| - s1_i - sum_k s2_k |e_i . b_k|, and likewise for box 2
static mjtNum face_separation(const Boxes* b, int owner, int i) {
  const mjtNum *size = b->box[!owner]->size, *C = b->C;
  mjtNum reach = 0;
  for (int k = 0; k < 3; k++) {
    reach += mju_abs(owner ? C[3 * k + i] : C[3 * i + k]) * size[k];
  }
  return mju_abs(b->t[owner][i]) - b->box[owner]->size[i] - reach;
}

// The separation along n = e_i x b_j / |e_i x b_j|. Returns 0 if the edges are parallel.
static int edge_separation(Axis* axis, const Boxes* b, int i, int j) {
  const mjtNum *s1 = b->box[0]->size, *s2 = b->box[1]->size;
  mjtNum column[3], unit[3] = {0, 0, 0}, *n = axis->normal, reach = 0;
  unit[i] = 1;
  m3_column(column, b->C, j);
  v3_cross(n, unit, column);
  mjtNum square = v3_dot(n, n);
  if (square < PARALLEL_EDGES) {
    return 0;
  }
  v3_scl(n, n, 1 / mju_sqrt(square));
  for (int k = 0; k < 3; k++) {
    m3_column(column, b->C, k);
    reach += s1[k] * mju_abs(n[k]) + s2[k] * mju_abs(v3_dot(n, column));
  }
  axis->separation = mju_abs(v3_dot(n, b->t[0])) - reach;
  axis->owner = 2;
  axis->i = i;
  axis->j = j;
  return 1;
}

// Finds the axis. Returns 0 if the boxes are apart along one of them.
static int largest_separation(Axis* best, const Boxes* b) {
  Axis face = {.separation = -INFINITY};
  for (int owner = 0; owner < 2; owner++) {
    for (int i = 0; i < 3; i++) {
      mjtNum separation = face_separation(b, owner, i);
      if (separation > b->most) {
        return 0;
      }
      if (separation > face.separation) {
        face = (Axis){.separation = separation, .owner = owner, .i = i};
      }
    }
  }
  *best = face;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      Axis edge;
      if (!edge_separation(&edge, b, i, j)) {
        continue;
      }
      if (edge.separation > b->most) {
        return 0;
      }
      if (edge.separation - EDGE_TIE * mju_abs(edge.separation) > best->separation &&
          edge.separation > face.separation) {
        *best = edge;
      }
    }
  }
  if (best->owner < 2) {
    return 1;
  }

  // of nearly the same direction the face is better: it has more than one contact
  mjtNum column[3];
  m3_column(column, b->C, face.i);
  mjtNum along = face.owner ? v3_dot(column, best->normal) : best->normal[face.i];
  if (mju_abs(along) > NEAR_FACE &&
      best->separation < face.separation + NEAR_TIE * mju_abs(face.separation) + (mjtNum)mjMINVAL) {
    *best = face;
  }
  return 1;
}

// edges

// Middles of the edges along axis i of a box that are furthest along n (in its frame): two if the
// box has two sides as far. Returns how many.
static int far_edges(mjtNum middle[2][3], const mjtNum size[3], int i, const mjtNum n[3]) {
  int either = -1;
  for (int k = 0; k < 3; k++) {
    middle[0][k] = k == i ? 0 : n[k] >= 0 ? size[k] : -size[k];
    if (k != i && mju_abs(n[k]) < EITHER_SIDE && either < 0) {
      either = k;
    }
  }
  if (either < 0) {
    return 1;
  }
  v3_copy(middle[1], middle[0]);
  middle[1][either] = -middle[1][either];
  return 2;
}

// Nearest points of two segments that are not parallel: p1 + x u1, |x| <= h1, and p2 + y u2.
// Returns their squared distance.
static mjtNum segments(mjtNum w1[3], mjtNum w2[3], const mjtNum p1[3], const mjtNum u1[3],
                       mjtNum h1, const mjtNum p2[3], const mjtNum u2[3], mjtNum h2) {
  mjtNum e[3], apart[3], b = v3_dot(u1, u2);
  v3_sub(e, p2, p1);
  mjtNum a1 = v3_dot(u1, e), a2 = v3_dot(u2, e);
  mjtNum x = num_clamp((a1 - b * a2) / (1 - b * b), -h1, h1);
  mjtNum y = num_clamp(b * x - a2, -h2, h2);
  x = num_clamp(a1 + b * y, -h1, h1);
  v3_addscl(w1, p1, u1, x);
  v3_addscl(w2, p2, u2, y);
  v3_sub(apart, w2, w1);
  return v3_dot(apart, apart);
}

static int edge_contact(mjContact* con, const Boxes* b, const Axis* axis) {
  const Solid *box1 = b->box[0], *box2 = b->box[1];
  int i = axis->i, j = axis->j;
  mjtNum n[3], away[3], middle[2][2][3], u1[3] = {0, 0, 0}, u2[3];
  v3_scl(n, axis->normal, v3_dot(axis->normal, b->t[0]) < 0 ? -1 : 1);
  m3_tmulv(away, b->C, n);
  v3_scl(away, away, -1);
  int num1 = far_edges(middle[0], box1->size, i, n);
  int num2 = far_edges(middle[1], box2->size, j, away);
  u1[i] = 1;
  m3_column(u2, b->C, j);

  // all in the frame of box 1: the nearest of up to four pairs of edges
  mjtNum nearest = INFINITY, w1[3] = {0}, w2[3] = {0};
  for (int k = 0; k < num1 * num2; k++) {
    mjtNum p2[3], x1[3], x2[3];
    m3_mulv(p2, b->C, middle[1][k % num2]);
    v3_addto(p2, b->t[0]);
    mjtNum square = segments(x1, x2, middle[0][k / num2], u1, box1->size[i], p2, u2, box2->size[j]);
    if (square < nearest) {
      nearest = square;
      v3_copy(w1, x1);
      v3_copy(w2, x2);
    }
  }
  mjtNum gap[3], pos[3], normal[3];
  v3_sub(gap, w2, w1);
  mjtNum dist = v3_dot(gap, n);
  if (!(dist <= b->most)) {
    return 0;
  }
  v3_add(pos, w1, w2);
  v3_scl(pos, pos, (mjtNum)0.5);
  v3_toworld(pos, pos, box1->pos, box1->mat);
  m3_mulv(normal, box1->mat, n);
  contact_set(con, dist, pos, normal);
  return 1;
}

// faces

// Clips a polygon by the wall side * x_k <= limit; corners on it stay. Returns how many stay.
static int cut(mjtNum out[MAX_CORNERS][3], const mjtNum in[MAX_CORNERS][3], int num, int k,
               mjtNum side, mjtNum limit) {
  int count = 0;
  for (int i = 0; i < num; i++) {
    const mjtNum *p = in[i], *q = in[(i + 1) % num];
    mjtNum p_out = side * p[k] - limit, q_out = side * q[k] - limit;
    if (p_out <= 0 && count < MAX_CORNERS) {
      v3_copy(out[count++], p);
    }
    if (((p_out < 0 && q_out > 0) || (p_out > 0 && q_out < 0)) && count < MAX_CORNERS) {
      mjtNum way[3];
      v3_sub(way, q, p);
      v3_addscl(out[count++], p, way, p_out / (p_out - q_out));
    }
  }
  return count;
}

// The corners of the face of the other box that looks most against direction i of the reference
// box, in coordinates (x, y, height) of the reference face.
static void incident_face(mjtNum corner[4][3], const Boxes* b, int owner, int i, mjtNum sign) {
  static const mjtNum around[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  const mjtNum* size = b->box[!owner]->size;
  mjtNum R[9];  // axes of the other box, as columns, in the frame of the reference box
  for (int r = 0; r < 3; r++) {
    for (int k = 0; k < 3; k++) {
      R[3 * r + k] = owner ? b->C[3 * k + r] : b->C[3 * r + k];
    }
  }
  int face = 0;
  for (int k = 1; k < 3; k++) {
    face = mju_abs(R[3 * i + k]) > mju_abs(R[3 * i + face]) ? k : face;
  }
  mjtNum c[3], end[3], side = sign * R[3 * i + face] > 0 ? -1 : 1;
  v3_scl(c, b->t[owner], owner ? -1 : 1);
  m3_column(end, R, face);
  v3_addtoscl(c, end, side * size[face]);
  int k1 = (face + 1) % 3, k2 = (face + 2) % 3, x = (i + 1) % 3, y = (i + 2) % 3;
  for (int k = 0; k < 4; k++) {
    mjtNum p[3];
    v3_copy(p, c);
    m3_column(end, R, k1);
    v3_addtoscl(p, end, around[k][0] * size[k1]);
    m3_column(end, R, k2);
    v3_addtoscl(p, end, around[k][1] * size[k2]);
    v3_set(corner[k], p[x], p[y], sign * p[i] - b->box[owner]->size[i]);
  }
}

static int is_repeated(const mjtNum p[3], const mjtNum (*accepted)[3], int num, mjtNum square) {
  for (int i = 0; i < num; i++) {
    mjtNum dx = p[0] - accepted[i][0], dy = p[1] - accepted[i][1];
    if (dx * dx + dy * dy < square) {
      return 1;
    }
  }
  return 0;
}

static int face_contacts(mjContact* con, const Boxes* b, const Axis* axis) {
  int owner = axis->owner, i = axis->i, x = (i + 1) % 3, y = (i + 2) % 3;
  const Solid* reference = b->box[owner];
  mjtNum sx = reference->size[x], sy = reference->size[y];
  mjtNum toward = owner ? -b->t[1][i] : b->t[0][i], sign = toward >= 0 ? 1 : -1;
  mjtNum polygon[2][MAX_CORNERS][3], normal[3];
  incident_face(polygon[0], b, owner, i, sign);
  int num = cut(polygon[1], (const mjtNum(*)[3])polygon[0], 4, 0, 1, sx);
  num = cut(polygon[0], (const mjtNum(*)[3])polygon[1], num, 0, -1, sx);
  num = cut(polygon[1], (const mjtNum(*)[3])polygon[0], num, 1, 1, sy);
  num = cut(polygon[0], (const mjtNum(*)[3])polygon[1], num, 1, -1, sy);

  // polygon[0] is the part of the incident face over the reference face
  m3_column(normal, reference->mat, i);
  v3_scl(normal, normal, owner ? -sign : sign);
  int count = 0;
  const mjtNum square = SAME_CORNER * (sx * sx + sy * sy);
  for (int k = 0; k < num; k++) {
    mjtNum p[3], local[3], pos[3];
    v3_copy(p, polygon[0][k]);
    if (!(p[2] <= b->most) || is_repeated(p, (const mjtNum(*)[3])polygon[1], count, square)) {
      continue;
    }
    local[x] = p[0];
    local[y] = p[1];
    local[i] = sign * (reference->size[i] + p[2] / 2);
    v3_toworld(pos, local, reference->pos, reference->mat);
    contact_set(con + count, p[2], pos, normal);
    v3_copy(polygon[1][count++], p);  // of the polygon before, no longer needed
  }
  return count;
}

int box_clip(mjContact* con, const Solid* box1, const Solid* box2, mjtNum margin) {
  Boxes b = {.box = {box1, box2}, .most = margin};
  mjtNum apart[3];
  v3_sub(apart, box2->pos, box1->pos);
  m3_tmul(b.C, box1->mat, box2->mat);
  m3_tmulv(b.t[0], box1->mat, apart);
  m3_tmulv(b.t[1], box2->mat, apart);
  for (int k = 0; k < 3; k++) {
    b.most += ROUNDING * (box1->size[k] + box2->size[k]);
  }
  Axis axis;
  if (!largest_separation(&axis, &b)) {
    return 0;
  }
  return axis.owner == 2 ? edge_contact(con, &b, &axis) : face_contacts(con, &b, &axis);
}

int collide_box_clip(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                     mjtNum margin) {
  Solid box1 = solid_of(m, d, g1), box2 = solid_of(m, d, g2);
  return box_clip(con, &box1, &box2, margin);
}
