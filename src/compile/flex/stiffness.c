// stiffness.c: elastic constants of the elements and edges of a flex, or of the box of its nodes.
//                                                theory/smooth/deformables.md, Membranes and solids
#include <math.h>
#include <string.h>

#include "base/algebra/pose.h"
#include "base/memory/memory.h"
#include "compile/flex/cage.h"
#include "compile/flex/work.h"
#include "smooth/flex/flex.h"

// out = b - a
static void between(double out[3], const double a[3], const double b[3]) {
  for (int k = 0; k < 3; k++) {
    out[k] = b[k] - a[k];
  }
}

// out = (b - a) x (c - a)
static void area_vector(double out[3], const double a[3], const double b[3], const double c[3]) {
  double ab[3], ac[3];
  between(ab, a, b);
  between(ac, a, c);
  pose_cross(out, ab, ac);
}

static Material material_of(const mjsFlex* spec) {
  double E = spec->young, nu = spec->poisson;
  return (Material){E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))};
}

// What multiplies tr(T_a T_b), tr T_a tr T_b and the cotangents of a hinge. Rules of 3.3.7 weigh
// the second Lamé constant twice, a sheet by a quarter, and its bending by 3/4 (1 - nu).
typedef struct FlexLaw_ {
  Material element;
  double sheet;    // weight of a triangle, per area and thickness
  double bend[2];  // rigidity of a plate: the quotient of both
  double (*curve)(const double* const x[4], const double angle[4], double kappa);
} FlexLaw;

// Coefficient of the term of a curved hinge: see bend_edge.
static double curve_before(const double* const x[4], const double angle[4], double kappa);
static double curve_later(const double* const x[4], const double angle[4], double kappa);

static FlexLaw law_of(const FlexWork* flex, const mjsFlex* spec) {
  double E = spec->young, nu = spec->poisson, t = spec->thickness;
  Material material = material_of(spec);
  if (!flex->later) {
    return (FlexLaw){material, 0.25, {3 * material.mu * t * t * t, 24}, curve_before};
  }
  material.la = (flex->dim == 2 ? E * nu / (1 - nu * nu) : material.la) / 2;
  return (FlexLaw){material, 1, {E * t * t * t, 12 * (1 - nu * nu)}, curve_later};
}

// elements

// Strain of an element per squared elongation of an edge: G = -1/2 sum over edges of D_e T_e. The
// energy needs only traces of T_a T_b.
typedef double EdgeTensor[9];

// T = (a b' + b a') scale
static void symmetric_product(EdgeTensor T, const double a[3], const double b[3], double scale) {
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      T[3 * i + k] = (a[i] * b[k] + b[i] * a[k]) * scale;
    }
  }
}

// Tensors of a triangle's edges. l and r are the in-plane normals of the other two (directed)
// edges: T_e = (l r' + r l') / (8 A^2). Returns the area A.
static double triangle_tensors(EdgeTensor T[3], const double* const x[3]) {
  double normal[3];
  area_vector(normal, x[0], x[1], x[2]);
  double area = sqrt(pose_dot(normal, normal)) / 2;
  const int(*edge)[2] = flex_edge_ends(2);
  for (int e = 0; e < 3; e++) {
    const int *p = edge[(e + 1) % 3], *q = edge[(e + 2) % 3];
    double left[3], right[3], up[3], l[3], r[3];
    between(left, x[p[1]], x[p[0]]);
    between(right, x[q[0]], x[q[1]]);
    pose_cross(up, right, left);
    pose_normalize(up, 3);
    pose_cross(l, up, left);
    pose_cross(r, right, up);
    symmetric_product(T[e], l, r, 1 / (8 * area * area));
  }
  return area;
}

// Tensors of a tetrahedron's edges. l and r are the area vectors of the two faces without edge e:
// T_e = (l r' + r l') / (72 V^2). Returns the volume V.
static double tetrahedron_tensors(EdgeTensor T[6], const double* const x[4]) {
  static const int face[4][3] = {{2, 1, 0}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  static const int faces_of_edge[6][2] = {{2, 3}, {1, 3}, {2, 1}, {1, 0}, {0, 2}, {0, 3}};
  double normal[4][3], side[3];
  for (int f = 0; f < 4; f++) {
    area_vector(normal[f], x[face[f][0]], x[face[f][1]], x[face[f][2]]);
  }
  between(side, x[0], x[3]);
  double volume = pose_dot(normal[0], side) / 6;
  for (int e = 0; e < 6; e++) {
    symmetric_product(T[e], normal[faces_of_edge[e][0]], normal[faces_of_edge[e][1]],
                      1 / (72 * volume * volume));
  }
  return fabs(volume);
}

// K_ab = weight (mu tr(T_a T_b) + la tr T_a tr T_b) for the edges a, b of an element, with the Lame
// parameters mu and la; upper triangle row by row
static void element_matrix(double* K, EdgeTensor* T, int nedge, Material material, double weight) {
  for (int a = 0; a < nedge; a++) {
    double tra = T[a][0] + T[a][4] + T[a][8];
    for (int b = a; b < nedge; b++) {
      double trb = T[b][0] + T[b][4] + T[b][8], trab = 0;
      for (int i = 0; i < 9; i++) {
        trab += T[a][i] * T[b][i];
      }
      *K++ = weight * (material.mu * trab + material.la * tra * trb);
    }
  }
}

// Saint-Venant-Kirchhoff (StVK) stiffness K of every element. Its energy W is quadratic in the
// squared elongations D_e = l_e^2 - L_e^2 of its edges, with lengths l and rest lengths L:
//
//   W = 1/4 D' K D      K_ab = w (mu tr(T_a T_b) + la tr T_a tr T_b)
//
// w is the volume of a tetrahedron, area thickness / 4 of a triangle; mu and la are those of
// law_of.
//                                                theory/smooth/deformables.md, Membranes and solids
static void stiffen_elements(FlexWork* flex, const mjsFlex* spec) {
  FlexLaw law = law_of(flex, spec);
  for (int e = 0; e < flex->nelem; e++) {
    const int* v = flex->elem + (size_t)e * (size_t)(flex->dim + 1);
    const double* x[4];
    EdgeTensor T[6];
    for (int i = 0; i <= flex->dim; i++) {
      x[i] = flex->position + 3 * (size_t)v[i];
    }
    double weight = flex->dim == 2 ? triangle_tensors(T, x) * spec->thickness * law.sheet
                                   : tetrahedron_tensors(T, x);
    element_matrix(flex->stiffness + FLEX_STIFFNESS * (size_t)e, T, flex_element_edges(flex->dim),
                   law.element, weight);
  }
}

// bending

// cotangent of the angle at p between q and r
static double cotangent(const double p[3], const double q[3], const double r[3]) {
  double a[3], b[3], n[3];
  between(a, p, q);
  between(b, p, r);
  pose_cross(n, a, b);
  return pose_dot(a, b) / sqrt(pose_dot(n, n));
}

// The sides of a hinge from x0, and the normals of its triangles.
typedef struct HingeSides_ {
  double e0[3], e2[3], n1[3], n2[3];
} HingeSides;

static void hinge_sides(HingeSides* at, const double* const x[4]) {
  double e1[3];
  between(at->e0, x[0], x[1]);
  between(e1, x[0], x[2]);
  between(at->e2, x[0], x[3]);
  pose_cross(at->n1, at->e0, e1);
  pose_cross(at->n2, at->e0, at->e2);
}

// beta = (n1 . e2) (a01 - a03) (a04 - a02) kappa / |e0|^3
static double curve_before(const double* const x[4], const double angle[4], double kappa) {
  HingeSides at;
  hinge_sides(&at, x);
  double square = pose_dot(at.e0, at.e0);
  return pose_dot(at.n1, at.e2) * (angle[0] - angle[2]) * (angle[3] - angle[1]) * kappa /
         (square * sqrt(square));
}

// beta = - (n1 . e2) (a01 + a03) (a02 + a04) kappa / (|n1| |n2|): forces across the triangles
// vanish in the reference shape
static double curve_later(const double* const x[4], const double angle[4], double kappa) {
  HingeSides at;
  hinge_sides(&at, x);
  double size = sqrt(pose_dot(at.n1, at.n1) * pose_dot(at.n2, at.n2));
  return -pose_dot(at.n1, at.e2) * (angle[0] + angle[2]) * (angle[1] + angle[3]) * kappa / size;
}

// Bending of two triangles (v0, v1, v2), (v1, v0, v3) with the reference angle theta between them.
// The energy is 1/2 sum B_ab x_a . x_b, plus a term for a curved reference shape:
//
//   B_ab = c_a c_b cos(theta) kappa, kappa = D / area        theory/smooth/deformables.md, Bending
static void bend_edge(double* out, const double* const x[4], const FlexLaw* law) {
  double a01 = cotangent(x[0], x[1], x[2]), a02 = cotangent(x[0], x[3], x[1]);
  double a03 = cotangent(x[1], x[2], x[0]), a04 = cotangent(x[1], x[0], x[3]);
  double c[4] = {a03 + a04, a01 + a02, -(a01 + a03), -(a02 + a04)};
  double e0[3], e1[3], e2[3], e3[3], e4[3], n1[3], n2[3], t0[3], t1[3];
  between(e0, x[0], x[1]);
  between(e1, x[0], x[2]);
  between(e2, x[0], x[3]);
  between(e3, x[1], x[2]);
  between(e4, x[1], x[3]);
  pose_cross(n1, e0, e1);
  pose_cross(n2, e0, e2);
  double area = (sqrt(pose_dot(n1, n1)) + sqrt(pose_dot(n2, n2))) / 2;
  double kappa = law->bend[0] / (law->bend[1] * area);
  for (int k = 0; k < 3; k++) {
    t0[k] = -(a03 * e1[k] + a01 * e3[k]);
    t1[k] = -(a04 * e2[k] + a02 * e4[k]);
  }
  double cosine = -pose_dot(t0, t1) / pose_dot(e0, e0);
  for (int a = 0; a < 4; a++) {
    for (int b = 0; b < 4; b++) {
      out[4 * a + b] = c[a] * c[b] * cosine * kappa;
    }
  }
  out[16] = law->curve(x, (const double[]){a01, a02, a03, a04}, kappa);
}

static void bend_edges(FlexWork* flex, const mjsFlex* spec) {
  FlexLaw law = law_of(flex, spec);
  for (int e = 0; e < flex->nedge; e++) {
    const int* v = flex->stencil + 4 * (size_t)e;
    if (v[3] >= 0) {
      // the engine uses the vertices of the edge in ascending order
      int turns = flex->later && v[0] > v[1];
      const double* x[4];
      for (int i = 0; i < 4; i++) {
        x[i] = flex->position + 3 * (size_t)v[turns && i < 2 ? 1 - i : i];
      }
      bend_edge(flex->bending + FLEX_BENDING * (size_t)e, x, &law);
    }
  }
}

// the box of an interpolated flex

// Gradient of the shape function of node i of the unit cube at p, divided by the sides of the box.
static void shape_gradient(double out[3], int node, const double p[3], const double side[3]) {
  for (int k = 0; k < 3; k++) {
    out[k] = 1 / side[k];
    for (int j = 0; j < 3; j++) {
      int upper = node >> (2 - j) & 1;
      out[k] *= j == k ? (upper ? 1 : -1) : (upper ? p[j] : 1 - p[j]);
    }
  }
}

// K = - integral of la (d_k N_i)(d_l N_j) + mu/2 (delta_kl grad N_i . grad N_j + d_l N_i d_k N_j)
// over the box, at row 3 i + k and column 3 j + l. Two Gauss points per axis make it exact.
static void stiffen_box(FlexWork* flex, const mjsFlex* spec) {
  Material material = material_of(spec);
  const int size = 3 * FLEX_NODES;
  const double* node = flex->box_node;
  double side[3] = {node[12] - node[0], node[7] - node[1], node[5] - node[2]};
  double weight = side[0] * side[1] * side[2] / 8;
  for (int point = 0; point < 8; point++) {
    double p[3], g[FLEX_NODES][3];
    for (int k = 0; k < 3; k++) {
      p[k] = 0.5 + (point >> k & 1 ? 0.5 : -0.5) / sqrt(3);
    }
    for (int i = 0; i < FLEX_NODES; i++) {
      shape_gradient(g[i], i, p, side);
    }
    for (int row = 0; row < size; row++) {
      for (int column = 0; column < size; column++) {
        int i = row / 3, k = row % 3, j = column / 3, l = column % 3;
        double shear = g[i][l] * g[j][k] + (k == l ? pose_dot(g[i], g[j]) : 0);
        flex->stiffness[size * row + column] -=
            weight * (material.la * g[i][k] * g[j][l] + material.mu / 2 * shear);
      }
    }
  }
}

// The cells of a cage; the body of a solid fills some only in part.
static void stiffen_cells(FlexWork* flex, const mjsFlex* spec) {
  Cage cage = {.order = flex->interp};
  memcpy(cage.count, flex->count, sizeof(cage.count));
  Material material = material_of(spec);
  size_t size = 3 * (size_t)cage_cell_nodes(flex->interp);
  cage_measure(&cage, flex->position, flex->elem, flex->nelem, flex->dim, flex->box_node,
               flex->box_node + 3 * (FLEX_NODES - 1));
  flex->ncell = cage_cells(flex->count);
  flex->cell = heap_zero((size_t)flex->ncell * size * size, sizeof(double));
  for (int cell = 0; cell < flex->ncell; cell++) {
    double* out = flex->cell + (size_t)cell * size * size;
    if (cage_is_empty(&cage, cell)) {
      continue;
    }
    if (cage_is_same(&cage, cell)) {
      memcpy(out, out - size * size, size * size * sizeof(double));
    } else if (flex->strained) {
      cage_find_modes(out, &cage, cell);
    } else {
      cage_stiffen(out, &cage, cell, material);
    }
  }
  cage_free(&cage);
}

void flex_stiffen(FlexWork* flex, const mjsFlex* spec) {
  flex->stiffness = heap_zero((size_t)flex->nelem * FLEX_STIFFNESS, sizeof(double));
  flex->bending = heap_zero((size_t)flex->nedge * FLEX_BENDING, sizeof(double));
  if (flex->strained) {
    stiffen_cells(flex, spec);
  }
  if (!(spec->young > 0)) {
    return;
  }
  int bends = flex->dim == 2 && (spec->elastic2d == 1 || spec->elastic2d == 3);
  int stretches = flex->dim == 2 && spec->elastic2d >= 2 && spec->thickness > 0;
  if (flex->hollow) {
    flex_stiffen_shell(flex, spec);
  } else if (flex->interp && flex->later) {
    stiffen_cells(flex, spec);
  } else if (flex->interp) {
    stiffen_box(flex, spec);
  } else if (flex->dim == 3 || stretches) {
    stiffen_elements(flex, spec);
  }
  if (bends && !flex->hollow) {
    bend_edges(flex, spec);
  }
}
