// Box against box: the separating axis of least overlap, then the overlap of two rectangles.
//
// The axis (primitive/box_axis.h) tells the kind of contact. Face: the reference face's rectangle
// clips the nearest corner, edge or face of the other (incident) box. Two edges: the incident face
// is projected along the common normal onto the reference face, and both outlines are intersected.
//
//     W, c21, c12: as in primitive/box_axis.h
//     "aligned" frame: the frame of the reference box turned so that the reference face looks
//     along +z, origin in its plane; the face is then the rectangle |x| <= Lx, |y| <= Ly, z = 0
//
// Exactly aligned boxes, as in a stack, make ties that rounding decides: keep the order of
// operations. Two odd rules of MuJoCo are kept: a face contact reports half of its depth, and in
// the edge case an accepted corner replaces the denominator of the corners after it.
//                                                          theory/contact/collision.md, Box and box

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include <mujoco/api/base.h>
#include <mujoco/mjdata.h>

#include "collision/collide.h"
#include "collision/complete.h"
#include "collision/primitive/box_axis.h"

enum {
  MAX_POINTS = BOX_BOX_MOST
};

// The part of the overlap that the deepest contact has at least, allowing for rounding and the odd
// rules, and the overlap (m) below which rounding hides it.
static const mjtNum NEARLY = (mjtNum)0.9, LEAST_OVERLAP = (mjtNum)1e-9;

typedef struct Clip {
  mjtNum pos[3];
  mjtNum dist;
} Clip;

// The rotation that turns an outward face direction to +z: source axis and sign of each row.
typedef struct Turn {
  int from[3];
  mjtNum sign[3];
} Turn;

static Turn face_turn(int i, int neg) {
  static const Turn turn[6] = {
      {{2, 1, 0}, {-1, 1, 1}}, {{0, 2, 1}, {1, -1, 1}}, {{0, 1, 2}, {1, 1, 1}},
      {{2, 1, 0}, {1, 1, -1}}, {{0, 2, 1}, {1, 1, -1}}, {{0, 1, 2}, {-1, 1, -1}},
  };
  return turn[i + (neg ? 3 : 0)];
}

static void turn_vec(mjtNum out[3], Turn q, const mjtNum v[3]) {
  for (int r = 0; r < 3; r++) {
    out[r] = q.sign[r] * v[q.from[r]];
  }
}

// A = Q m
static void turn_mat(mjtNum out[9], Turn q, const mjtNum m[9]) {
  for (int r = 0; r < 3; r++) {
    v3_scl(out + 3 * r, m + 3 * q.from[r], q.sign[r]);
  }
}

// out = R Q', from the aligned frame to the world
static void turn_back(mjtNum out[9], const mjtNum mat[9], Turn q) {
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      out[3 * r + c] = mat[3 * r + q.from[c]] * q.sign[c];
    }
  }
}

typedef struct EdgeLine {
  mjtNum start[3], dir[3];
} EdgeLine;

// Parameters t, at most four, where the projection of a line P + t D, t in [0,1], to the
// rectangle's plane crosses the outline of the rectangle.
static int crossings(mjtNum t[4], const mjtNum P[3], const mjtNum D[3], const mjtNum L[2]) {
  int num = 0;
  for (int q = 0; q < 2; q++) {
    if (mju_abs(D[q]) <= mjMINVAL) {
      continue;
    }
    mjtNum inv = 1 / D[q];
    for (int side = -1; side <= 1; side += 2) {
      mjtNum x = ((mjtNum)side * L[q] - P[q]) * inv;
      mjtNum other = P[1 - q] + D[1 - q] * x;
      if (!(x < 0 || x > 1 || mju_abs(other) > L[1 - q])) {
        t[num++] = x;
      }
    }
  }
  return num;
}

static void points_to_world(mjContact* con, const Clip* clip, int num, const mjtNum origin[3],
                            const mjtNum mat[9], const mjtNum normal[3]) {
  for (int i = 0; i < num; i++) {
    mjtNum pos[3];
    v3_toworld(pos, clip[i].pos, origin, mat);
    contact_set(con + i, clip[i].dist, pos, normal);
  }
}

// The feature of the incident box nearest to the face, in the aligned frame: its lowest corner V,
// with those edges E at it that are nearly level: none, one, or two that span a face.
typedef struct Feature {
  mjtNum V[3], E[2][3];
  int nedge;
} Feature;

// c: centre of the incident box; columns of A: its axes; s: its half sizes.
static Feature lowest_feature(const mjtNum c[3], const mjtNum A[9], const mjtNum s[3]) {
  Feature f = {.nedge = 0};
  v3_copy(f.V, c);
  for (int k = 0; k < 3; k++) {
    mjtNum column[3];
    m3_column(column, A, k);
    mjtNum g = column[2] < 0 ? 1 : -1;
    v3_addtoscl(f.V, column, g * s[k]);
    // a rotation has at most two such axes; a matrix that a program wrote may have three
    if (f.nedge < 2 && mju_abs(column[2]) < (mjtNum)0.5) {
      v3_scl(f.E[f.nedge++], column, -2 * g * s[k]);
    }
  }
  return f;
}

// The sides of the parallelogram that two edges span from a corner.
static void parallelogram(EdgeLine side[4], const mjtNum corner[3], const mjtNum edge0[3],
                          const mjtNum edge1[3]) {
  for (int k = 0; k < 4; k++) {
    v3_copy(side[k].start, corner);
    v3_copy(side[k].dir, k == 0 || k == 3 ? edge0 : edge1);
  }
  v3_addto(side[2].start, edge0);
  v3_addto(side[3].start, edge1);
}

// Where the sides of a feature cross the outline of the rectangle; returns the new number of
// points.
static int clip_sides(Clip* clip, int num, const Feature* f, const mjtNum L[2]) {
  EdgeLine line[4];
  parallelogram(line, f->V, f->E[0], f->E[1]);
  for (int i = 0; i < (f->nedge == 2 ? 4 : f->nedge); i++) {
    mjtNum t[4];
    int nt = crossings(t, line[i].start, line[i].dir, L);
    for (int k = 0; k < nt; k++) {
      v3_addscl(clip[num++].pos, line[i].start, line[i].dir, t[k]);
    }
  }
  return num;
}

// Corners of the rectangle that lie inside an incident face, lifted into its plane: corner = V + u
// E0 + v E1 in the plane of the rectangle, 0 < u, v < 1.
static int clip_rectangle(Clip* clip, int num, const Feature* f, const mjtNum L[2]) {
  const mjtNum *V = f->V, *E0 = f->E[0], *E1 = f->E[1];
  mjtNum inv = 1 / (E0[0] * E1[1] - E1[0] * E0[1]);
  for (int i = 0; i < 4; i++) {
    mjtNum X = i & 2 ? L[0] : -L[0], Y = i & 1 ? L[1] : -L[1];
    mjtNum x = X - V[0], y = Y - V[1];
    mjtNum u = (x * E1[1] - y * E1[0]) * inv;
    mjtNum v = (y * E0[0] - x * E0[1]) * inv;
    if (u > 0 && u < 1 && v > 0 && v < 1) {
      v3_set(clip[num++].pos, X, Y, V[2] + u * E0[2] + v * E1[2]);
    }
  }
  return num;
}

// Corners of a feature that lie inside the rectangle; the lowest one always counts.
static int clip_corners(Clip* clip, int num, const Feature* f, const mjtNum L[2]) {
  for (int i = 0; i < 1 << f->nedge; i++) {
    mjtNum P[3];
    v3_copy(P, f->V);
    if (i & 1) {
      v3_addto(P, f->E[0]);
    }
    if (i & 2) {
      v3_addto(P, f->E[1]);
    }
    if (i == 0 || (P[0] > -L[0] && P[0] < L[0] && P[1] > -L[1] && P[1] < L[1])) {
      v3_copy(clip[num++].pos, P);
    }
  }
  return num;
}

// Clips the lowest feature of the incident box by the rectangle of the reference face.
static int face_contacts(mjContact* con, const BoxAxis* axis, const Solid* box1, const Solid* box2,
                         const mjtNum W[9], const mjtNum c21[3], const mjtNum c12[3],
                         mjtNum margin) {
  int first = axis->kind == AXIS_FACE1;
  const Solid* ref = first ? box1 : box2;
  Turn turn = face_turn(axis->i, axis->neg);

  // move the incident box to the aligned frame
  const mjtNum Wt[9] = {W[0], W[3], W[6], W[1], W[4], W[7], W[2], W[5], W[8]};
  mjtNum A[9], c[3], size[3];
  turn_mat(A, turn, first ? W : Wt);
  turn_vec(c, turn, first ? c21 : c12);
  turn_vec(size, turn, ref->size);
  mjtNum L[2] = {mju_abs(size[0]), mju_abs(size[1])}, hz = mju_abs(size[2]);
  c[2] -= hz;

  // both boxes are aligned: clip the lowest feature of the incident box by the rectangle
  Feature feature = lowest_feature(c, A, first ? box2->size : box1->size);
  Clip clip[MAX_POINTS];
  int num = clip_sides(clip, 0, &feature, L);
  if (feature.nedge == 2) {
    num = clip_rectangle(clip, num, &feature, L);
  }
  num = clip_corners(clip, num, &feature, L);

  // contacts within the margin, moved half-way to the face
  int keep = 0;
  for (int i = 0; i < num; i++) {
    if (clip[i].pos[2] > margin) {
      continue;
    }
    Clip p = clip[i];
    p.dist = p.pos[2] / 2;
    p.pos[2] = p.dist + hz;
    clip[keep++] = p;
  }

  mjtNum mat[9], normal[3];
  // the contacts are complete: turn them back to the world, with the normal from box 1 to box 2
  turn_back(mat, ref->mat, turn);
  m3_column(normal, mat, 2);
  if (!first) {
    v3_scl(normal, normal, -1);
  }
  points_to_world(con, clip, keep, ref->pos, mat, normal);
  return keep;
}

// The two axes other than i, the one of larger projection p on the other edge first.
static void other_axes(int* first, int* second, int i, mjtNum p0, mjtNum p1, mjtNum p2) {
  static const int other[3][2] = {{1, 2}, {0, 2}, {1, 0}};
  mjtNum p[3] = {mju_abs(p0), mju_abs(p1), mju_abs(p2)};
  *first = other[i][0];
  *second = other[i][1];
  if (p[*first] < p[*second]) {
    *first = other[i][1];
    *second = other[i][0];
  }
}

// The two outlines that meet when edges touch, aligned: the rectangle |x| <= Lx, |y| <= Ly of box
// 1, and the face of box 2 that holds its edge, projected along the normal onto the rectangle's
// plane, P = U - N U_z / N_z.
//
//     U2 ---- U3        X1 = U1 - U0, X2 = U2 - U0, likewise Y1, Y2 for the projections P
//     |        |
//     U0 ---- U1
typedef struct Outlines {
  mjtNum L[2];
  mjtNum U[4][3], P[4][3];
  mjtNum X1[3], X2[3], Y1[3], Y2[3];
  mjtNum K;  // distance along the normal of a point one above the plane
  mjtNum margin;
} Outlines;

// Fills U, P and their differences: c centre, columns of A axes of box 2, N the normal, aligned.
static void project_face(Outlines* o, const BoxAxis* axis, int a1, int a2, const mjtNum c[3],
                         const mjtNum A[9], const mjtNum N[3], const mjtNum s2[3]) {
  int j = axis->j;
  mjtNum col1[3], col2[3], colj[3];
  m3_column(col1, A, a1);
  m3_column(col2, A, a2);
  m3_column(colj, A, j);
  for (int k = 0; k < 4; k++) {
    v3_addscl(o->U[k], c, col1, (axis->h2[a1] ? s2[a1] : -s2[a1]) * (k < 2 ? 1 : -1));
    v3_addtoscl(o->U[k], col2, axis->h2[a2] ? s2[a2] : -s2[a2]);
    v3_addtoscl(o->U[k], colj, k % 2 ? -s2[j] : s2[j]);
    v3_addscl(o->P[k], o->U[k], N, -o->U[k][2] / N[2]);
  }
  v3_sub(o->X1, o->U[1], o->U[0]);
  v3_sub(o->X2, o->U[2], o->U[0]);
  v3_sub(o->Y1, o->P[1], o->P[0]);
  v3_sub(o->Y2, o->P[2], o->P[0]);
}

// A contact half-way between a point of the one and a point of the other outline.
static void clip_middle(Clip* clip, const mjtNum p[3], const mjtNum q[3], mjtNum dist) {
  v3_add(clip->pos, p, q);
  v3_scl(clip->pos, clip->pos, (mjtNum)0.5);
  clip->dist = dist;
}

// Where the sides of the projected face cross the rectangle; returns the number of points.
static int edge_sides(Clip* clip, const Outlines* o) {
  EdgeLine flat[4], space[4];
  parallelogram(flat, o->P[0], o->Y1, o->Y2);
  parallelogram(space, o->U[0], o->X1, o->X2);
  int num = 0;
  for (int k = 0; k < 4; k++) {
    mjtNum t[4];
    int nt = crossings(t, flat[k].start, flat[k].dir, o->L);
    for (int l = 0; l < nt; l++) {
      mjtNum w[3], p[3];
      v3_addscl(w, space[k].start, space[k].dir, t[l]);
      if (w[2] * o->K > o->margin) {
        continue;
      }
      v3_addscl(p, flat[k].start, flat[k].dir, t[l]);
      p[2] = 0;
      clip_middle(clip + num++, w, p, w[2] * o->K);
    }
  }
  return num;
}

// Corners of the rectangle under the projected face. If no sides crossed (nline 0), being inside in
// one of two directions is enough. An accepted corner replaces the denominator of the next corners
// by its squared distance.
static int edge_rectangle(Clip* clip, int num, const Outlines* o) {
  const mjtNum *Y1 = o->Y1, *Y2 = o->Y2;
  int nline = num;
  mjtNum D = Y1[0] * Y2[1] - Y2[0] * Y1[1];
  for (int k = 0; k < 4; k++) {
    mjtNum corner[3] = {k & 2 ? o->L[0] : -o->L[0], k & 1 ? o->L[1] : -o->L[1], 0};
    mjtNum x = corner[0] - o->P[0][0], y = corner[1] - o->P[0][1];
    mjtNum u = (x * Y2[1] - y * Y2[0]) * (1 / D);
    mjtNum v = (y * Y1[0] - x * Y1[1]) * (1 / D);
    int uout = u < 0 || u > 1, vout = v < 0 || v > 1;
    if (nline == 0 ? uout && vout : uout || vout) {
      continue;
    }
    u = num_clamp(u, 0, 1);
    v = num_clamp(v, 0, 1);
    mjtNum w[3], gap[3];
    v3_scl(w, o->U[0], 1 - u - v);
    v3_addtoscl(w, o->U[1], u);
    v3_addtoscl(w, o->U[2], v);
    v3_sub(gap, corner, w);
    mjtNum q = v3_dot(gap, gap);
    D = q;
    if (w[2] > 0 && q > o->margin * o->margin) {
      continue;
    }
    clip_middle(clip + num++, corner, w, mju_sqrt(q) * (w[2] < 0 ? -1 : 1));
  }
  return num;
}

// Corners of the incident face over the rectangle. If no sides crossed, being inside in one
// direction is enough; if no corner of the rectangle was found either, all count.
static int edge_corners(Clip* clip, int num, int nline, const Outlines* o) {
  int nface = num;
  const mjtNum* L = o->L;
  for (int k = 0; k < 4; k++) {
    const mjtNum* U = o->U[k];
    mjtNum x = o->P[k][0], y = o->P[k][1];
    int xout = x < -L[0] || x > L[0], yout = y < -L[1] || y > L[1];
    if (nline == 0 ? nface > 0 && xout && yout : xout || yout) {
      continue;
    }
    mjtNum g[3] = {num_clamp(x, -L[0], L[0]), num_clamp(y, -L[1], L[1]), 0};
    mjtNum dx = x - g[0], dy = y - g[1], dz = U[2] * o->K;
    mjtNum q = dx * dx + dy * dy + dz * dz;
    if (U[2] > 0 && q > o->margin * o->margin) {
      continue;
    }
    clip_middle(clip + num++, g, U, mju_sqrt(q) * (U[2] < 0 ? -1 : 1));
  }
  return num;
}

// Intersects the outlines of the two faces that hold the edges.
static int edge_contacts(mjContact* con, const BoxAxis* axis, const Solid* box1, const Solid* box2,
                         const mjtNum W[9], const mjtNum c21[3], mjtNum margin) {
  int i = axis->i, j = axis->j;
  int a1, a2, b1, b2;
  other_axes(&a1, &a2, j, W[3 * i], W[3 * i + 1], W[3 * i + 2]);
  other_axes(&b1, &b2, i, W[j], W[3 + j], W[6 + j]);

  // align: the face of box 1 that holds its edge becomes the rectangle z = 0
  Turn turn = face_turn(b2, !axis->h1[b2]);
  mjtNum A[9], c[3], N[3], size[3];
  turn_mat(A, turn, W);
  turn_vec(c, turn, c21);
  turn_vec(N, turn, axis->normal);
  turn_vec(size, turn, box1->size);
  mjtNum hz = mju_abs(size[2]);
  c[2] -= hz;
  if (mju_abs(N[2]) < mjMINVAL) {
    return 0;
  }

  // both boxes are aligned: project the face of box 2 and intersect it with the rectangle
  Outlines o = {.L = {mju_abs(size[0]), mju_abs(size[1])},
                .K = (1 / N[2]) * (axis->neg ? -1 : 1),
                .margin = margin};
  project_face(&o, axis, a1, a2, c, A, N, box2->size);
  Clip clip[MAX_POINTS];
  int nline = edge_sides(clip, &o);
  int num = edge_rectangle(clip, nline, &o);
  num = edge_corners(clip, num, nline, &o);

  mjtNum mat[9], normal[3];
  // the contacts are complete: turn them back to the world, with the normal from box 1 to box 2
  turn_back(mat, box1->mat, turn);
  m3_mulv(normal, mat, N);
  if (axis->neg) {
    v3_scl(normal, normal, -1);
  }
  for (int k = 0; k < num; k++) {
    clip[k].pos[2] += hz;
  }
  points_to_world(con, clip, num, box1->pos, mat, normal);
  return num;
}

// W, c21, c12 and the axis of least overlap; returns 0 if there is none.
static int find_axis(BoxAxis* axis, mjtNum W[9], mjtNum c21[3], mjtNum c12[3], const Solid* box1,
                     const Solid* box2, mjtNum margin) {
  v3_tolocal(c21, box2->pos, box1->pos, box1->mat);
  v3_tolocal(c12, box1->pos, box2->pos, box2->mat);
  m3_tmul(W, box1->mat, box2->mat);
  return box_axis(axis, W, c21, c12, box1->size, box2->size, margin);
}

// Two boxes, at most 24 contacts, before the clean-up.
int box_box(mjContact* con, const Solid* box1, const Solid* box2, mjtNum margin) {
  mjtNum c21[3], c12[3], W[9];
  BoxAxis axis;
  if (!find_axis(&axis, W, c21, c12, box1, box2, margin)) {
    return 0;
  }
  if (axis.kind != AXIS_EDGES) {
    return face_contacts(con, &axis, box1, box2, W, c21, c12, margin);
  }
  return edge_contacts(con, &axis, box1, box2, W, c21, margin);
}

// +1: outside the box grown by one percent; -1: inside the box shrunk by one percent; 0: near its
// surface
static int side_of_box(const mjtNum point[3], const Solid* box, mjtNum margin) {
  const mjtNum ratio = (mjtNum)1.01;
  mjtNum local[3];
  v3_tolocal(local, point, box->pos, box->mat);
  int inside = 1;
  for (int i = 0; i < 3; i++) {
    mjtNum size = box->size[i] + margin, x = mju_abs(local[i]);
    if (x > size * ratio) {
      return 1;
    }
    if (!(x < size / ratio)) {
      inside = 0;
    }
  }
  return inside ? -1 : 0;
}

int box_box_clean(mjContact* con, int num, const Solid* box1, const Solid* box2, mjtNum margin) {
  char drop[mjMAXCONPAIR] = {0};
  for (int i = 0; i < num; i++) {
    int side1 = side_of_box(con[i].pos, box1, margin);
    int side2 = side_of_box(con[i].pos, box2, margin);
    drop[i] = (side1 == 1 && side2 != -1) || (side2 == 1 && side1 != -1);
  }
  int keep = 0;
  for (int i = 0; i < num; i++) {
    for (int j = i + 1; j < num && !drop[i]; j++) {
      drop[i] = !drop[j] && con[i].pos[0] == con[j].pos[0] && con[i].pos[1] == con[j].pos[1] &&
                con[i].pos[2] == con[j].pos[2];
    }
    if (!drop[i]) {
      if (keep != i) {
        con[keep] = con[i];
      }
      keep++;
    }
  }
  return keep;
}

int box_box_credible(mjContact* con, int num, const Solid* box1, const Solid* box2, mjtNum margin) {
  int keep = 0;
  for (int i = 0; i < num; i++) {
    mjtNum p1[3], p2[3];
    v3_addscl(p1, con[i].pos, con[i].frame, -con[i].dist / 2);
    v3_addscl(p2, con[i].pos, con[i].frame, con[i].dist / 2);
    if (side_of_box(p1, box1, margin) != 1 && side_of_box(p2, box2, margin) != 1) {
      con[keep++] = con[i];
    }
  }
  return keep;
}

// A correct deepest contact has half of the overlap as its depth for faces, all of it for edges.
int box_box_misses(const mjContact* con, int num, const Solid* box1, const Solid* box2) {
  mjtNum c21[3], c12[3], W[9], deepest = 0;
  BoxAxis axis;
  if (!find_axis(&axis, W, c21, c12, box1, box2, 0) || !(axis.overlap > LEAST_OVERLAP)) {
    return 0;
  }
  for (int i = 0; i < num; i++) {
    deepest = num_min(deepest, con[i].dist);
  }
  return -deepest < NEARLY * axis.overlap * (axis.kind == AXIS_EDGES ? 1 : (mjtNum)0.5);
}

int collide_box_box(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                    mjtNum margin) {
  Solid box1 = solid_of(m, d, g1), box2 = solid_of(m, d, g2);
  return box_box(con, &box1, &box2, margin);
}

int boxes_are_general(const mjModel* m, const mjData* d, int g1, int g2, mjtNum margin) {
  if (!boxes_are_complete(m)) {
    return 0;
  }
  Solid box1 = solid_of(m, d, g1), box2 = solid_of(m, d, g2);
  mjContact con[BOX_BOX_MOST];
  int num = box_box(con, &box1, &box2, margin);
  num = box_box_clean(con, num, &box1, &box2, margin);
  num = box_box_credible(con, num, &box1, &box2, margin);
  return box_box_misses(con, num, &box1, &box2);
}
