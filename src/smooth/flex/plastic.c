// Return mapping of flexes.                          theory/smooth/deformables.md, Plastic flexes

#include "smooth/flex/plastic.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"
#include "model/plastic.h"
#include "smooth/flex/flex.h"
#include "smooth/flex/rod.h"
#include "smooth/jacobian.h"

// A hinge doesn't yield beyond this angle, so that the tangent stays finite.
static const mjtNum ANGLE_MAX = (mjtNum)1.3;

// The most plastic strain of a cell (Frobenius norm), which would fold over with more.
static const mjtNum CELL_STRAIN_MAX = (mjtNum)0.35;

static int cells_of(const mjModel* m, int flex) {
  const int* count = m->flex_cellnum + 3 * (size_t)flex;
  return count[0] * count[1] * count[2];
}

// strains, as symmetric matrices

static mjtNum trace(const mjtNum E[9]) {
  return E[0] + E[4] + E[8];
}

static mjtNum determinant(const mjtNum A[9]) {
  return A[0] * (A[4] * A[8] - A[5] * A[7]) - A[1] * (A[3] * A[8] - A[5] * A[6]) +
         A[2] * (A[3] * A[7] - A[4] * A[6]);
}

static void add_identity(mjtNum A[9], mjtNum s) {
  for (int k = 0; k < 3; k++) {
    A[4 * k] += s;
  }
}

// The deviator of E, and its von Mises norm sqrt(2/3 dev : dev).
static mjtNum deviator(mjtNum dev[9], const mjtNum E[9]) {
  mjtNum square = 0;
  mju_copy(dev, E, 9);
  add_identity(dev, -trace(E) / 3);
  for (int i = 0; i < 9; i++) {
    square += dev[i] * dev[i];
  }
  return mju_sqrt(square * 2 / 3);
}

// Moves the trace of a plastic strain P so that it keeps the volume: det C = 1, C = 1 + 2 P, by
// Newton's method. Where C is positive definite the determinant of C + s is a growing and convex
// function of s, so the search ends at the one root there, from any start.
static void keep_volume(mjtNum P[9]) {
  mjtNum C[9];
  mju_scl(C, P, 2, 9);
  add_identity(C, 1);
  if (!(C[0] > 0 && C[0] * C[4] > C[1] * C[3] && determinant(C) > 0)) {
    add_identity(C, 1 + mju_norm(C, 9));
  }
  for (int step = 0; step < 100; step++) {
    mjtNum slope =
        C[4] * C[8] - C[5] * C[7] + C[0] * C[8] - C[2] * C[6] + C[0] * C[4] - C[1] * C[3];
    mjtNum excess = determinant(C) - 1;
    if (!(slope > mjMINVAL) || mju_abs(excess) < 4 * mjMINVAL) {
      break;
    }
    add_identity(C, -excess / slope);
  }
  for (int i = 0; i < 9; i++) {
    P[i] = (C[i] - (i % 4 == 0)) / 2;
  }
}

// Elastic strain E, plastic strain P: what E has beyond the yield goes to P. Returns whether
// something does. In a solid that is the deviator, without change of volume.
static int yield_solid(mjtNum P[9], const mjtNum E[9], mjtNum yield) {
  mjtNum dev[9], norm = deviator(dev, E);
  if (!(norm > yield)) {
    return 0;
  }
  mju_addToScl(P, dev, 1 - yield / norm, 9);
  keep_volume(P);
  return 1;
}

// A sheet (the third row and column are 0) that is drawn gets thinner, with E_33 = - trace E: then
// E is its own deviator. One that is pressed together keeps its trace.
static int yield_sheet(mjtNum P[9], const mjtNum E[9], mjtNum yield) {
  mjtNum dev[9], part[9], sum = E[0] + E[4];
  mju_copy(part, E, 9);
  if (sum < 0) {
    part[0] -= sum / 2;
    part[4] -= sum / 2;
    sum = 0;
  }
  mju_copy(dev, part, 9);
  dev[8] = -sum;
  mjtNum square = 0;
  for (int i = 0; i < 9; i++) {
    square += dev[i] * dev[i];
  }
  mjtNum norm = mju_sqrt(square * 2 / 3);
  if (!(norm > yield)) {
    return 0;
  }
  mju_addToScl(P, part, 1 - yield / norm, 9);
  return 1;
}

// elements

// An element at rest in an orthonormal frame of its own, from the squares of its edges: Y = L, the
// Cholesky factor of the products y_i . y_j of the sides from corner 0, has the sides as rows.
typedef struct ElementFrame_ {
  int dim, first, edge[3][3];  // edge[i][j]: between corners i + 1 and j + 1, edge[i][i]: from 0
  mjtNum L[9];
} ElementFrame;

static void find_edges(ElementFrame* f) {
  const int(*end)[2] = flex_edge_ends(f->dim);
  for (int e = 0; e < flex_element_edges(f->dim); e++) {
    int a = int_min(end[e][0], end[e][1]), b = int_max(end[e][0], end[e][1]);
    if (a == 0) {
      f->edge[b - 1][b - 1] = e;
    } else {
      f->edge[a - 1][b - 1] = f->edge[b - 1][a - 1] = e;
    }
  }
}

// Products of sides from squares of edges, S_ii = q_0i, S_ij = (q_0i + q_0j - q_ij) / 2, or back.
// It is linear, so it serves elongations, too.
static void products(mjtNum S[9], const ElementFrame* f, const mjtNum q[6]) {
  memset(S, 0, 9 * sizeof(mjtNum));
  for (int i = 0; i < f->dim; i++) {
    for (int j = 0; j < f->dim; j++) {
      mjtNum own = q[f->edge[i][i]], other = q[f->edge[j][j]];
      S[3 * i + j] = i == j ? own : (own + other - q[f->edge[i][j]]) / 2;
    }
  }
}

static void squares(mjtNum q[6], const ElementFrame* f, const mjtNum S[9]) {
  for (int i = 0; i < f->dim; i++) {
    q[f->edge[i][i]] = S[4 * i];
    for (int j = 0; j < i; j++) {
      q[f->edge[i][j]] = S[4 * i] + S[4 * j] - 2 * S[3 * i + j];
    }
  }
}

// Returns 0 if the element is flat.
static int frame_of(ElementFrame* f, const mjtNum square[6]) {
  mjtNum S[9];
  products(S, f, square);
  memset(f->L, 0, sizeof(f->L));
  for (int i = 0; i < f->dim; i++) {
    for (int j = 0; j <= i; j++) {
      mjtNum sum = S[3 * i + j];
      for (int k = 0; k < j; k++) {
        sum -= f->L[3 * i + k] * f->L[3 * j + k];
      }
      if (i == j && !(sum > 0)) {
        return 0;
      }
      f->L[3 * i + j] = i == j ? mju_sqrt(sum) : sum / f->L[4 * j];
    }
  }
  return 1;
}

// S = 2 L E L', so E = L^-1 S L^-T / 2, and back.
static void to_frame(mjtNum E[9], const ElementFrame* f, const mjtNum S[9]) {
  mjtNum half[9] = {0};
  memset(E, 0, 9 * sizeof(mjtNum));
  for (int c = 0; c < f->dim; c++) {
    for (int i = 0; i < f->dim; i++) {
      mjtNum sum = S[3 * i + c] / 2;
      for (int k = 0; k < i; k++) {
        sum -= f->L[3 * i + k] * half[3 * k + c];
      }
      half[3 * i + c] = sum / f->L[4 * i];
    }
  }
  for (int r = 0; r < f->dim; r++) {
    for (int i = 0; i < f->dim; i++) {
      mjtNum sum = half[3 * r + i];
      for (int k = 0; k < i; k++) {
        sum -= f->L[3 * i + k] * E[3 * r + k];
      }
      E[3 * r + i] = sum / f->L[4 * i];
    }
  }
}

static void from_frame(mjtNum S[9], const ElementFrame* f, const mjtNum E[9]) {
  mjtNum half[9];
  mju_mulMatMat(half, f->L, E, 3, 3, 3);
  mju_mulMatMatT(S, half, f->L, 3, 3, 3);
  mju_scl(S, S, 2, 9);
}

// x: positions of the vertices of the flex at the end of the step.
static void yield_elements(mjtNum* plastic, const mjModel* m, int f, const mjtNum* x) {
  ElementFrame frame = {.dim = m->flex_dim[f]};
  int per = flex_element_edges(frame.dim), first = m->flex_edgeadr[f];
  const int* edge = m->flex_elemedge + m->flex_elemedgeadr[f];
  find_edges(&frame);
  for (int e = 0; e < m->flex_elemnum[f]; e++, edge += per, plastic += per) {
    mjtNum rest[6], elastic[6], S[9], E[9], P[9];
    for (int k = 0; k < per; k++) {
      const int* end = m->flex_edge + 2 * (first + edge[k]);
      mjtNum side[3], length = m->flexedge_length0[first + edge[k]];
      v3_sub(side, x + 3 * (size_t)end[1], x + 3 * (size_t)end[0]);
      rest[k] = length * length;
      elastic[k] = v3_dot(side, side) - rest[k] - plastic[k];
    }
    if (!frame_of(&frame, rest)) {
      continue;
    }
    products(S, &frame, elastic);
    to_frame(E, &frame, S);
    products(S, &frame, plastic);
    to_frame(P, &frame, S);
    if ((frame.dim == 2 ? yield_sheet : yield_solid)(P, E, m->flex_yield[2 * f])) {
      from_frame(S, &frame, P);
      squares(plastic, &frame, S);
    }
  }
}

// hinges

// A hinge as it is: its angle, 0 if flat, the length of its edge and the areas of its triangles.
typedef struct Hinge_ {
  mjtNum angle, length, area;
} Hinge;

static Hinge hinge_at(const mjtNum* const x[4]) {
  mjtNum e0[3], e1[3], e2[3], n1[3], n2[3], across[3];
  v3_sub(e0, x[1], x[0]);
  v3_sub(e1, x[2], x[0]);
  v3_sub(e2, x[3], x[0]);
  v3_cross(n1, e0, e1);
  v3_cross(n2, e0, e2);
  v3_cross(across, n1, n2);
  mjtNum length = v3_norm(e0);
  return (Hinge){num_atan2(v3_dot(across, e0), length * -v3_dot(n1, n2)), length,
                 (v3_norm(n1) + v3_norm(n2)) / 2};
}

// The coefficient - B_23 tan(a) / l0 of a hinge has no forces at the angle whose tangent is
// tan(a) l / l0, l0 and l being the length of its edge at rest and now. So a hinge at the angle A
// has the angle atan(tan(A) l0 / l). What of it is beyond 2 yield / thickness times the width of
// the hinge, the areas of its triangles by l0, stays.
static void yield_hinges(mjtNum* plastic, const mjModel* m, int f, const mjtNum* x) {
  int first = m->flex_edgeadr[f];
  mjtNum thickness = m->cnd_flex_thickness[f];
  for (int i = 0; i < m->flex_edgenum[f]; i++) {
    int e = first + i;
    const int *end = m->flex_edge + 2 * e, *flap = m->flex_edgeflap + 2 * e;
    mjtNum B = flap[1] < 0 ? 0 : m->flex_bending[17 * (size_t)e + 11];
    if (B == 0 || !(thickness > 0)) {
      continue;
    }
    const mjtNum* const corner[4] = {x + 3 * (size_t)end[0], x + 3 * (size_t)end[1],
                                     x + 3 * (size_t)flap[0], x + 3 * (size_t)flap[1]};
    Hinge at = hinge_at(corner);
    if (!(at.length > mjMINVAL)) {
      continue;
    }
    mjtNum rest = num_max(mjMINVAL, m->flexedge_length0[e]);
    mjtNum angle =
        portable_atan2(rest * portable_sin(at.angle), at.length * portable_cos(at.angle));
    mjtNum most = 2 * m->flex_yield[2 * f + 1] / thickness * at.area / rest;
    mjtNum bent = angle - portable_atan(-plastic[i] * rest / B);
    if (mju_abs(bent) > most) {
      mjtNum stays = angle - (bent > 0 ? most : -most);
      plastic[i] = -B * portable_tan(num_max(-ANGLE_MAX, num_min(ANGLE_MAX, stays))) / rest;
    }
  }
}

// cells

// The strain of a cell is U - 1, F = R U at its center. U = sqrt(F'F) is R'F.
static void yield_cells(mjtNum* plastic, const mjModel* m, int f, const mjtNum* x) {
  static const int place[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  int ncell = cells_of(m, f);
  for (int c = 0; c < ncell; c++, plastic += 6) {
    mjtNum F[9], E[9], P[9], dev[9];
    flex_cell_strain(F, m, f, c, x);
    for (int k = 0; k < 6; k++) {
      int i = place[k][0], j = place[k][1];
      P[3 * i + j] = P[3 * j + i] = plastic[k] / (i == j ? 1 : 2);
    }
    for (int i = 0; i < 9; i++) {
      E[i] = (F[i] + F[3 * (i % 3) + i / 3]) / 2 - P[i];
    }
    mjtNum norm = deviator(dev, E), yield = m->flex_yield[2 * f];
    if (!(norm > yield)) {
      continue;
    }
    mju_addToScl(P, dev, 1 - yield / norm, 9);
    mjtNum scale = num_min(1, CELL_STRAIN_MAX / num_max(mjMINVAL, mju_norm(P, 9)));
    for (int k = 0; k < 6; k++) {
      int i = place[k][0], j = place[k][1];
      plastic[k] = scale * P[3 * i + j] * (i == j ? 1 : 2);
    }
  }
}

// all

// Moves a point of a body by h J qvel.
static void move_point(mjtNum x[3], const mjModel* m, const mjData* d, int body,
                       const mjtNum* qvel) {
  int n;
  const int* dof = jac_body_chain(&n, m, body);
  mjtNum arm[3], v[3] = {0};
  v3_sub(arm, x, d->subtree_com + 3 * m->body_rootid[body]);
  for (int i = 0; i < n; i++) {
    const mjtNum* axis = d->cdof + 6 * dof[i];
    mjtNum turn[3];
    v3_cross(turn, axis, arm);
    v3_addto(turn, axis + 3);
    v3_addtoscl(v, turn, qvel[dof[i]]);
  }
  v3_addtoscl(x, v, m->opt.timestep);
}

void flex_all_nodes(mjtNum* node, const mjModel* m, const mjData* d) {
  for (int f = 0; f < m->nflex; f++) {
    for (int i = 0; i < m->flex_nodenum[f]; i++) {
      flex_node_position(node + 3 * (size_t)(m->flex_nodeadr[f] + i), m, d, f, i);
    }
  }
}

// Positions at the end of the step of n points on bodies.
static mjtNum* moved(const mjModel* m, mjData* d, const mjtNum* from, const int* body, int n,
                     const mjtNum* qvel) {
  mjtNum* x = mj_stackAllocNum(d, 3 * (size_t)n);
  mju_copy(x, from, 3 * n);
  for (int i = 0; i < n; i++) {
    move_point(x + 3 * (size_t)i, m, d, body[i], qvel);
  }
  return x;
}

static void yield_flex(const mjModel* m, mjData* d, int f, const mjtNum* qvel, const mjtNum* vertex,
                       const mjtNum* node) {
  mjtNum* stretch = (mjtNum*)(uintptr_t)plastic_stretch_of(m, d, f);
  mjtNum* bend = (mjtNum*)(uintptr_t)plastic_bend_of(m, d, f);
  if (m->flex_interp[f]) {
    const mjtNum* x = moved(m, d, node + 3 * (size_t)m->flex_nodeadr[f],
                            m->flex_nodebodyid + m->flex_nodeadr[f], m->flex_nodenum[f], qvel);
    if (stretch) {
      yield_cells(stretch, m, f, x);
    }
    return;
  }
  const mjtNum* x = moved(m, d, vertex + 3 * (size_t)m->flex_vertadr[f],
                          m->flex_vertbodyid + m->flex_vertadr[f], m->flex_vertnum[f], qvel);
  if (stretch) {
    yield_elements(stretch, m, f, x);
  }
  if (bend) {
    yield_hinges(bend, m, f, x);
  }
}

void flex_yield(const mjModel* m, mjData* d, const mjtNum* qvel, const mjtNum* vertex,
                const mjtNum* node) {
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_plasticadr[f] < 0) {
      continue;
    }
    if (rod_twists(m, f)) {
      continue;
    }
    mj_markStack(d);
    const mjtNum* from = node;
    if (!node && m->flex_interp[f]) {
      mjtNum* own = mj_stackAllocNum(d, 3 * (size_t)m->nflexnode);
      flex_all_nodes(own, m, d);
      from = own;
    }
    yield_flex(m, d, f, qvel, vertex ? vertex : d->flexvert_xpos, from);
    mj_freeStack(d);
  }
}

void flex_move_frames(mjtNum* plastic, const mjModel* m, mjData* d) {
  for (int f = 0; f < m->nflex; f++) {
    if (rod_twists(m, f)) {
      rod_state_now(plastic + m->flex_plasticadr[f], m, d, f,
                    d->flexvert_xpos + 3 * (size_t)m->flex_vertadr[f]);
    }
  }
}

void flex_copy_frames(mjtNum* plastic, const mjModel* m, const mjtNum* from) {
  for (int f = 0; f < m->nflex; f++) {
    if (rod_twists(m, f)) {
      int adr = m->flex_plasticadr[f];
      mju_copy(plastic + adr, from + adr, (int)plastic_flex_numbers(m, f));
    }
  }
}
