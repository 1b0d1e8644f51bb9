// shell.c: membranes and hinges of the outer faces of a cage.
//                                                            theory/smooth/deformables.md, Shells
#include <math.h>
#include <string.h>

#include "base/memory/memory.h"
#include "compile/flex/cage.h"
#include "model/cage.h"

// Plates: D = E t^3 / (12 (1 - nu^2)); membranes: plane stress, times t.
typedef struct Plate_ {
  double bend, la, mu;
} Plate;

static Plate plate_of(const mjsFlex* spec) {
  double E = spec->young, nu = spec->poisson, t = spec->thickness;
  return (Plate){E * t * t * t / (12 * (1 - nu * nu)), t * E * nu / (1 - nu * nu),
                 t * E / (2 * (1 + nu))};
}

// membranes

// Slopes of shape functions at t in [0, 1], and their values.
static void shape(double N[3], double dN[3], int order, double t) {
  const double value[2][3] = {{1 - t, t, 0},
                              {(1 - t) * (1 - 2 * t), 4 * t * (1 - t), t * (2 * t - 1)}};
  const double slope[2][3] = {{-1, 1, 0}, {4 * t - 3, 4 - 8 * t, 4 * t - 1}};
  memcpy(N, value[order - 1], 3 * sizeof(double));
  memcpy(dN, slope[order - 1], 3 * sizeof(double));
}

// K = - integral over the face of la (d_k N_i)(d_l N_j)
//     + mu (delta_kl grad N_i . grad N_j + d_l N_i d_k N_j), k, l along the face
static void add_point(double* K, int order, int axis, const double side[3], const double point[2],
                      double weight, const Plate* plate) {
  double N[2][3], dN[2][3], g[FLEX_FACE_NODES][2];
  int n = (order + 1) * (order + 1), size = 3 * n;
  const int along[2] = {(axis + 1) % 3, (axis + 2) % 3};
  shape(N[0], dN[0], order, point[0]);
  shape(N[1], dN[1], order, point[1]);
  for (int i = 0; i < n; i++) {
    int a = i / (order + 1), b = i % (order + 1);
    g[i][0] = dN[0][a] * N[1][b] / side[along[0]];
    g[i][1] = N[0][a] * dN[1][b] / side[along[1]];
  }
  for (int i = 0; i < 2 * n; i++) {
    for (int j = 0; j < 2 * n; j++) {
      const double *p = g[i / 2], *q = g[j / 2];
      int k = i % 2, l = j % 2;
      double both = k == l ? p[0] * q[0] + p[1] * q[1] : 0;
      K[(3 * (i / 2) + along[k]) * size + 3 * (j / 2) + along[l]] -=
          weight * (plate->la * p[k] * q[l] + plate->mu * (both + p[l] * q[k]));
    }
  }
}

static void stiffen_face(double* K, int order, int axis, const double side[3], const Plate* plate) {
  static const double x[2][3] = {{-0.57735026918962576451, 0.57735026918962576451, 0},
                                 {-0.77459666924148337704, 0, 0.77459666924148337704}};
  static const double w[2][3] = {{1, 1, 0}, {5.0 / 9, 8.0 / 9, 5.0 / 9}};
  double area = side[(axis + 1) % 3] * side[(axis + 2) % 3];
  for (int i = 0; i <= order; i++) {
    for (int j = 0; j <= order; j++) {
      const double point[2] = {(1 + x[order - 1][i]) / 2, (1 + x[order - 1][j]) / 2};
      add_point(K, order, axis, side, point, area * w[order - 1][i] * w[order - 1][j] / 4, plate);
    }
  }
}

// hinges

// The edges of a face: where they are, and which corner node they begin at. An edge of the whole
// shell has the number 3 begin + axis.
static int edge_number(const FlexFace* face, int order, int edge) {
  int along = edge < 2 ? (face->axis + 2) % 3 : (face->axis + 1) % 3;
  int n = order + 1, local = edge == 1 ? order * n : edge == 3 ? order : 0;
  return 3 * face->node[local] + along;
}

static void edge_middle(double out[2], int edge) {
  out[0] = edge < 2 ? edge : 0.5;
  out[1] = edge < 2 ? 0.5 : edge - 2;
}

// The hinge of edge e of face a with the edge of face b, L long:
// k = D L / distance of their middles.
static void add_hinge(double* out, const FlexFace* a, const FlexFace* b, const int face[2],
                      const int edge[2], const double side[3], const Plate* plate) {
  int along = edge[0] < 2 ? (a->axis + 2) % 3 : (a->axis + 1) % 3;
  int across[2] = {3 - along - a->axis, 3 - along - b->axis};
  out[0] = face[0];
  out[1] = face[1];
  edge_middle(out + 2, edge[0]);
  edge_middle(out + 4, edge[1]);
  out[6] = plate->bend * side[along] / ((side[across[0]] + side[across[1]]) / 2);
  for (int k = 0; k < 3; k++) {
    out[7 + k] = (k == a->axis) - (k == b->axis);
  }
}

static void add_hinges(double* out, int order, const int count[3], const double side[3],
                       const Plate* plate) {
  int faces = flex_face_count(count), nodes = cage_nodes(order, count);
  int* owner = heap_take(6 * (size_t)nodes * sizeof(int));
  memset(owner, -1, 6 * (size_t)nodes * sizeof(int));
  for (int f = 0; f < faces; f++) {
    FlexFace face;
    flex_face(&face, order, count, f);
    for (int e = 0; e < 4; e++) {
      int* at = owner + 2 * edge_number(&face, order, e);
      at[at[0] >= 0] = 4 * f + e;
    }
  }
  for (int f = 0; f < faces; f++) {
    FlexFace face, other;
    flex_face(&face, order, count, f);
    for (int e = 0; e < 4; e++) {
      const int* at = owner + 2 * edge_number(&face, order, e);
      if (at[0] == 4 * f + e && at[1] >= 0) {
        flex_face(&other, order, count, at[1] / 4);
        add_hinge(out + 1 + FLEX_HINGE * (size_t)out[0], &face, &other, (const int[]){f, at[1] / 4},
                  (const int[]){e, at[1] % 4}, side, plate);
        out[0]++;
      }
    }
  }
  heap_free(owner);
}

void flex_stiffen_shell(FlexWork* flex, const mjsFlex* spec) {
  Plate plate = plate_of(spec);
  const double *low = flex->box_node, *high = flex->box_node + 3 * 7;
  int order = flex->interp, faces = flex_face_count(flex->count);
  size_t size = 3 * (size_t)(order + 1) * (size_t)(order + 1);
  double side[3], *one = heap_zero(3 * size * size, sizeof(double));
  flex->cell = heap_zero((size_t)flex_shell_numbers(order, flex->count), sizeof(double));
  for (int k = 0; k < 3; k++) {
    side[k] = (high[k] - low[k]) / flex->count[k];
  }
  int stretches = spec->elastic2d >= 2, bends = spec->elastic2d == 1 || spec->elastic2d == 3;
  for (int axis = 0; axis < 3 && stretches; axis++) {
    stiffen_face(one + size * size * (size_t)axis, order, axis, side, &plate);
  }
  double* to = flex->cell;
  for (int f = 0; f < faces; f++, to += size * size) {
    FlexFace face;
    flex_face(&face, order, flex->count, f);
    memcpy(to, one + size * size * (size_t)face.axis, size * size * sizeof(double));
  }
  if (bends) {
    add_hinges(to, order, flex->count, side, &plate);
  }
  heap_free(one);
}

// masses

// Nodes of linear shells are alike, those of quadratic ones have the weights of Simpson's rule.
void shell_masses(double* mass, int order, const int count[3]) {
  int nodes = cage_nodes(order, count);
  double sum = 0;
  for (int i = 0; i < nodes; i++) {
    int node = i;
    mass[i] = 1;
    for (int k = 2; k >= 0 && order == 2; k--) {
      int last = 2 * count[k], at = node % (last + 1);
      node /= last + 1;
      mass[i] *= at % 2 ? 4 : at == 0 || at == last ? 1 : 2;
    }
    mass[i] = flex_node_is_inside(order, count, i) ? 0 : mass[i];
    sum += mass[i];
  }
  for (int i = 0; i < nodes; i++) {
    mass[i] /= sum;
  }
}
