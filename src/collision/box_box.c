// Box against box: the separating axis of least overlap, then the overlap of two rectangles.
//
// Fifteen axes can separate two boxes: three faces of each, nine products of edges. The one with
// the least overlap says what kind of contact it is. A face: the nearest corner, edge or face of
// the other (incident) box is clipped by the face's rectangle. Two edges: the incident face is
// projected along the common normal onto the reference face and both outlines are intersected.
//
//     W[i][j] = axis i of box 1 . axis j of box 2
//     c21, c12: centre of each box seen from the other one, in its frame
//     "aligned" frame: the frame of the reference box turned so that the reference face looks
//     along +z, origin in its plane; the face is then the rectangle |x| <= Lx, |y| <= Ly, z = 0
//
// Exactly aligned boxes, the usual case of a stack, make ties that rounding decides: expressions
// keep the order in which they stand in spec 05, section 3.11. Two odd rules are part of the
// behaviour: a face contact reports half of its depth, and in the edge case a corner that was
// accepted spoils the denominator of the next ones.

#include "collision/collide.h"

enum {
  MAX_POINTS = 24
};

static const mjtNum OBLIQUE =
    (mjtNum)1e-6;  // sine squared of an angle well above rounding, and a tolerance to match

typedef struct Axis {
  int none;          // no axis at all: infinite or NaN sizes
  int box;           // 1, 2: a face of that box; 0: edges
  int i, j;          // face: axis i; edges: axis i of box 1, axis j of box 2
  int neg;           // face: looks along -axis; edges: normal has to be turned round
  mjtNum normal[3];  // edges: unit normal in the frame of box 1
  int h1[3], h2[3];  // edges: which of the parallel edges, by the sign of the remaining coordinates
} Axis;

typedef struct Clip {
  mjtNum pos[3];
  mjtNum dist;
} Clip;

// e_i x v
static void unit_cross(mjtNum out[3], int i, const mjtNum v[3]) {
  int k = (i + 1) % 3, l = (i + 2) % 3;
  out[i] = 0;
  out[k] = -v[l];
  out[l] = v[k];
}

// Whether the overlap along the normal n of two edges is clearly more than `best`, without the root
// and the divisions that its exact value takes: overlap |n| > best |n|, squared. Most edges end
// here. Nearly parallel edges (small |n|) don't come here and boxes that just touch (small overlap)
// aren't decided here, because rounding would be large against either.
static int edge_is_worse(const mjtNum n[3], mjtNum sn2, int i, int j, const mjtNum W[9],
                         const mjtNum c21[3], const mjtNum s1[3], const mjtNum s2[3], mjtNum best) {
  int k = (i + 1) % 3, l = (i + 2) % 3, p = (j + 1) % 3, q = (j + 2) % 3;
  mjtNum reach = s1[k] * mju_abs(n[k]) + s1[l] * mju_abs(n[l]) + s2[p] * mju_abs(W[3 * i + q]) +
                 s2[q] * mju_abs(W[3 * i + p]);
  mjtNum e = reach - mju_abs(v3_dot(c21, n));
  return e > OBLIQUE * reach && e * e > best * best * sn2 * (1 + OBLIQUE);
}

// Least overlap over the fifteen axes; returns 0 if the boxes are further apart than margin along
// one of them.
static int least_axis(Axis* axis, const mjtNum W[9], const mjtNum c21[3], const mjtNum c12[3],
                      const mjtNum s1[3], const mjtNum s2[3], mjtNum margin) {
  mjtNum best = margin + 3 * (s1[0] + s1[1] + s1[2] + s2[0] + s2[1] + s2[2]);
  axis->none = 1;

  for (int i = 0; i < 3; i++) {
    mjtNum reach1 = 0, reach2 = 0;
    for (int k = 0; k < 3; k++) {
      reach1 += mju_abs(W[3 * k + i]) * s1[k];
      reach2 += mju_abs(W[3 * i + k]) * s2[k];
    }
    mjtNum e1 = -mju_abs(c21[i]) + s1[i] + reach2;
    mjtNum e2 = -mju_abs(c12[i]) + s2[i] + reach1;
    if (e1 < -margin || e2 < -margin) {
      return 0;
    }
    if (e1 < best) {
      best = e1;
      axis->none = 0;
      axis->box = 1;
      axis->i = i;
      axis->neg = c21[i] < 0;
    }
    if (e2 < best) {
      best = e2;
      axis->none = 0;
      axis->box = 2;
      axis->i = i;
      axis->neg = c12[i] < 0;
    }
  }

  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      mjtNum column[3], n[3];
      m3_column(column, W, j);
      unit_cross(n, i, column);
      mjtNum sn2 = v3_dot(n, n);
      if (sn2 > OBLIQUE && best > 0 && edge_is_worse(n, sn2, i, j, W, c21, s1, s2, best)) {
        continue;
      }
      mjtNum sn = mju_sqrt(sn2);
      if (sn < mjMINVAL) {
        continue;
      }
      v3_scl(n, n, 1 / sn);
      mjtNum o = v3_dot(c21, n);
      mjtNum e = 0;
      for (int k = 0; k < 3; k++) {
        e += k == i ? 0 : s1[k] * mju_abs(n[k]);
      }
      for (int k = 0; k < 3; k++) {
        e += k == j ? 0 : s2[k] * mju_abs(W[3 * i + 3 - j - k]) / sn;
      }
      e -= mju_abs(o);
      if (e < -margin) {
        return 0;
      }
      if (e < best * (1 - (mjtNum)1e-12)) {
        best = e;
        axis->none = 0;
        axis->box = 0;
        axis->i = i;
        axis->j = j;
        axis->neg = o < 0;
        v3_copy(axis->normal, n);
        for (int k = 0; k < 3; k++) {
          axis->h1[k] = k == i ? 0 : (n[k] > 0) ^ axis->neg;
          axis->h2[k] =
              k == j ? 0 : (W[3 * i + 3 - j - k] > 0) ^ axis->neg ^ ((k - j + 3) % 3 == 1);
        }
      }
    }
  }
  return !axis->none;
}

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

typedef struct Line {
  mjtNum start[3], dir[3];
} Line;

// Where the shadow of a line P + t D, t in [0,1], crosses the outline of the rectangle: parameters
// t, at most four.
static int crossings(mjtNum t[4], const mjtNum P[3], const mjtNum D[3], const mjtNum L[2]) {
  int num = 0;
  for (int q = 0; q < 2; q++) {
    if (mju_abs(D[q]) <= mjMINVAL) {
      continue;
    }
    mjtNum inv = 1 / D[q];
    for (int side = -1; side <= 1; side += 2) {
      mjtNum x = ((mjtNum)side * L[q] - P[q]) * inv;
      if (x < 0 || x > 1) {
        continue;
      }
      mjtNum o = P[1 - q] + D[1 - q] * x;
      if (mju_abs(o) > L[1 - q]) {
        continue;
      }
      t[num++] = x;
    }
  }
  return num;
}

static void points_to_world(mjContact* con, const Clip* clip, int num, const mjtNum origin[3],
                            const mjtNum mat[9], const mjtNum normal[3]) {
  for (int i = 0; i < num; i++) {
    mjtNum pos[3];
    m3_mulv(pos, mat, clip[i].pos);
    v3_addto(pos, origin);
    contact_set(con + i, clip[i].dist, pos, normal);
  }
}

// The incident box touches the face with its lowest corner V, its lowest edge (V, E1) or a whole
// face (V, E1, E2): clip that by the rectangle.
static int face_contacts(mjContact* con, const Axis* axis, const Solid* box1, const Solid* box2,
                         const mjtNum W[9], const mjtNum c21[3], const mjtNum c12[3],
                         mjtNum margin) {
  int first = axis->box == 1;
  const Solid* ref = first ? box1 : box2;
  const mjtNum* s = first ? box2->size : box1->size;
  Turn turn = face_turn(axis->i, axis->neg);

  mjtNum A[9], c[3], size[3];
  if (first) {
    turn_mat(A, turn, W);
    turn_vec(c, turn, c21);
  } else {
    mjtNum Wt[9] = {W[0], W[3], W[6], W[1], W[4], W[7], W[2], W[5], W[8]};
    turn_mat(A, turn, Wt);
    turn_vec(c, turn, c12);
  }
  turn_vec(size, turn, ref->size);
  mjtNum L[2] = {mju_abs(size[0]), mju_abs(size[1])}, hz = mju_abs(size[2]);
  c[2] -= hz;

  // lowest corner, and the edges at it that are nearly level
  mjtNum V[3], E[2][3];
  int nedge = 0;
  v3_copy(V, c);
  for (int k = 0; k < 3; k++) {
    mjtNum column[3];
    m3_column(column, A, k);
    mjtNum g = column[2] < 0 ? 1 : -1;
    v3_addtoscl(V, column, g * s[k]);
    if (mju_abs(column[2]) < (mjtNum)0.5) {
      v3_scl(E[nedge++], column, -2 * g * s[k]);
    }
  }

  Clip clip[MAX_POINTS];
  int num = 0;

  // sides of the incident feature across the outline
  Line line[4];
  int nline = 0;
  if (nedge >= 1) {
    v3_copy(line[0].start, V);
    v3_copy(line[0].dir, E[0]);
    nline = 1;
  }
  if (nedge == 2) {
    v3_copy(line[1].start, V);
    v3_copy(line[1].dir, E[1]);
    v3_add(line[2].start, V, E[0]);
    v3_copy(line[2].dir, E[1]);
    v3_add(line[3].start, V, E[1]);
    v3_copy(line[3].dir, E[0]);
    nline = 4;
  }
  for (int i = 0; i < nline; i++) {
    mjtNum t[4];
    int nt = crossings(t, line[i].start, line[i].dir, L);
    for (int k = 0; k < nt; k++) {
      v3_addscl(clip[num++].pos, line[i].start, line[i].dir, t[k]);
    }
  }

  // corners of the rectangle inside the incident face
  if (nedge == 2) {
    mjtNum inv = 1 / (E[0][0] * E[1][1] - E[1][0] * E[0][1]);
    for (int i = 0; i < 4; i++) {
      mjtNum X = i & 2 ? L[0] : -L[0], Y = i & 1 ? L[1] : -L[1];
      mjtNum x = X - V[0], y = Y - V[1];
      mjtNum u = (x * E[1][1] - y * E[1][0]) * inv;
      mjtNum v = (y * E[0][0] - x * E[0][1]) * inv;
      if (u > 0 && u < 1 && v > 0 && v < 1) {
        v3_set(clip[num++].pos, X, Y, V[2] + u * E[0][2] + v * E[1][2]);
      }
    }
  }

  // incident corners inside the rectangle; the lowest one always
  for (int i = 0; i < 1 << nedge; i++) {
    mjtNum P[3];
    v3_copy(P, V);
    if (i & 1) {
      v3_addto(P, E[0]);
    }
    if (i & 2) {
      v3_addto(P, E[1]);
    }
    if (i == 0 || (P[0] > -L[0] && P[0] < L[0] && P[1] > -L[1] && P[1] < L[1])) {
      v3_copy(clip[num++].pos, P);
    }
  }

  // near enough ones, half-way to the face
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
  turn_back(mat, ref->mat, turn);
  m3_column(normal, mat, 2);
  if (!first) {
    v3_scl(normal, normal, -1);
  }
  points_to_world(con, clip, keep, ref->pos, mat, normal);
  return keep;
}

// The two axes other than i, the one more across the other edge (by the projections p) first.
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

// The face of box 2 that holds its edge, with corners U, is projected along the normal onto the
// face of box 1 that holds the other edge. Each contact is the middle between a point of the one
// and a point of the other outline.
static int edge_contacts(mjContact* con, const Axis* axis, const Solid* box1, const Solid* box2,
                         const mjtNum W[9], const mjtNum c21[3], mjtNum margin) {
  int i = axis->i, j = axis->j;
  const mjtNum* s2 = box2->size;
  int a1, a2, b1, b2;
  other_axes(&a1, &a2, j, W[3 * i], W[3 * i + 1], W[3 * i + 2]);
  other_axes(&b1, &b2, i, W[j], W[3 + j], W[6 + j]);

  Turn turn = face_turn(b2, !axis->h1[b2]);
  mjtNum A[9], c[3], N[3], size[3];
  turn_mat(A, turn, W);
  turn_vec(c, turn, c21);
  turn_vec(N, turn, axis->normal);
  turn_vec(size, turn, box1->size);
  mjtNum L[2] = {mju_abs(size[0]), mju_abs(size[1])}, hz = mju_abs(size[2]);
  c[2] -= hz;
  if (mju_abs(N[2]) < mjMINVAL) {
    return 0;
  }
  mjtNum K = (1 / N[2]) * (axis->neg ? -1 : 1);

  // corners U of the incident face, their projections P
  mjtNum U[4][3], P[4][3], col1[3], col2[3], colj[3];
  m3_column(col1, A, a1);
  m3_column(col2, A, a2);
  m3_column(colj, A, j);
  for (int k = 0; k < 4; k++) {
    v3_addscl(U[k], c, col1, (axis->h2[a1] ? s2[a1] : -s2[a1]) * (k < 2 ? 1 : -1));
    v3_addtoscl(U[k], col2, axis->h2[a2] ? s2[a2] : -s2[a2]);
    v3_addtoscl(U[k], colj, k % 2 ? -s2[j] : s2[j]);
    v3_addscl(P[k], U[k], N, -U[k][2] / N[2]);
  }
  mjtNum X1[3], X2[3], Y1[3], Y2[3];
  v3_sub(X1, U[1], U[0]);
  v3_sub(X2, U[2], U[0]);
  v3_sub(Y1, P[1], P[0]);
  v3_sub(Y2, P[2], P[0]);

  Clip clip[MAX_POINTS];
  int num = 0;

  // sides of the incident face across the outline
  Line flat[4], space[4];
  for (int k = 0; k < 4; k++) {
    v3_copy(flat[k].start, P[0]);
    v3_copy(space[k].start, U[0]);
    v3_copy(flat[k].dir, k == 0 || k == 3 ? Y1 : Y2);
    v3_copy(space[k].dir, k == 0 || k == 3 ? X1 : X2);
  }
  v3_addto(flat[2].start, Y1);
  v3_addto(space[2].start, X1);
  v3_addto(flat[3].start, Y2);
  v3_addto(space[3].start, X2);
  for (int k = 0; k < 4; k++) {
    mjtNum t[4];
    int nt = crossings(t, flat[k].start, flat[k].dir, L);
    for (int l = 0; l < nt; l++) {
      mjtNum w[3], p[3];
      v3_addscl(w, space[k].start, space[k].dir, t[l]);
      if (w[2] * K > margin) {
        continue;
      }
      v3_addscl(p, flat[k].start, flat[k].dir, t[l]);
      p[2] = 0;
      v3_add(clip[num].pos, w, p);
      v3_scl(clip[num].pos, clip[num].pos, (mjtNum)0.5);
      clip[num].dist = w[2] * K;
      num++;
    }
  }
  int nline = num;

  // corners of the rectangle under the incident face; one that is accepted leaves its squared
  // distance as denominator
  mjtNum D = Y1[0] * Y2[1] - Y2[0] * Y1[1];
  for (int k = 0; k < 4; k++) {
    mjtNum corner[3] = {k & 2 ? L[0] : -L[0], k & 1 ? L[1] : -L[1], 0};
    mjtNum x = corner[0] - P[0][0], y = corner[1] - P[0][1];
    mjtNum u = (x * Y2[1] - y * Y2[0]) * (1 / D);
    mjtNum v = (y * Y1[0] - x * Y1[1]) * (1 / D);
    int uout = u < 0 || u > 1, vout = v < 0 || v > 1;
    if (nline == 0 ? uout && vout : uout || vout) {
      continue;
    }
    u = num_clamp(u, 0, 1);
    v = num_clamp(v, 0, 1);
    mjtNum w[3], gap[3];
    v3_scl(w, U[0], 1 - u - v);
    v3_addtoscl(w, U[1], u);
    v3_addtoscl(w, U[2], v);
    v3_sub(gap, corner, w);
    mjtNum q = v3_dot(gap, gap);
    D = q;
    if (w[2] > 0 && q > margin * margin) {
      continue;
    }
    v3_add(clip[num].pos, corner, w);
    v3_scl(clip[num].pos, clip[num].pos, (mjtNum)0.5);
    clip[num].dist = mju_sqrt(q) * (w[2] < 0 ? -1 : 1);
    num++;
  }
  int nface = num;

  // corners of the incident face
  for (int k = 0; k < 4; k++) {
    mjtNum x = P[k][0], y = P[k][1];
    int xout = x < -L[0] || x > L[0], yout = y < -L[1] || y > L[1];
    if (nline == 0 ? nface > 0 && xout && yout : xout || yout) {
      continue;
    }
    mjtNum g[3] = {num_clamp(x, -L[0], L[0]), num_clamp(y, -L[1], L[1]), 0};
    mjtNum dx = x - g[0], dy = y - g[1], dz = U[k][2] * K;
    mjtNum q = dx * dx + dy * dy + dz * dz;
    if (U[k][2] > 0 && q > margin * margin) {
      continue;
    }
    v3_add(clip[num].pos, g, U[k]);
    v3_scl(clip[num].pos, clip[num].pos, (mjtNum)0.5);
    clip[num].dist = mju_sqrt(q) * (U[k][2] < 0 ? -1 : 1);
    num++;
  }

  mjtNum mat[9], normal[3];
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

int box_box(mjContact* con, const Solid* box1, const Solid* box2, mjtNum margin) {
  mjtNum gap[3], c21[3], c12[3], W[9];
  v3_sub(gap, box2->pos, box1->pos);
  m3_tmulv(c21, box1->mat, gap);
  v3_sub(gap, box1->pos, box2->pos);
  m3_tmulv(c12, box2->mat, gap);
  m3_tmul(W, box1->mat, box2->mat);

  Axis axis;
  if (!least_axis(&axis, W, c21, c12, box1->size, box2->size, margin)) {
    return 0;
  }
  if (axis.box) {
    return face_contacts(con, &axis, box1, box2, W, c21, c12, margin);
  }
  return edge_contacts(con, &axis, box1, box2, W, c21, margin);
}

// +1: outside the box grown by one percent; -1: inside the box shrunk by one percent; 0: near its
// surface
static int side_of_box(const mjtNum point[3], const Solid* box, mjtNum margin) {
  const mjtNum ratio = (mjtNum)1.01;
  mjtNum gap[3], local[3];
  v3_sub(gap, point, box->pos);
  m3_tmulv(local, box->mat, gap);
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

int collide_box_box(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                    mjtNum margin) {
  Solid box1 = solid_of(m, d, g1), box2 = solid_of(m, d, g2);
  return box_box(con, &box1, &box2, margin);
}
