// Which part of each cell of a cage is filled: simplices are cut into cells, and integrals over the
// pieces added up; or, where a surface isn't closed, points are asked whether they are inside.
//                                                               theory/smooth/deformables.md, Cages

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/algebra/elementary.h"
#include "base/algebra/pose.h"
#include "base/memory/memory.h"
#include "compile/flex/cage.h"

enum {
  POINTS_MAX = 210,  // of a simplex, exact to degree 13
  PIECES_MAX = 6,    // into which a plane cuts a simplex
};

static const double PI = 3.14159265358979323846;

typedef double Tetrahedron[4][3];

// Points and weights of a tetrahedron in the coordinates of three of its sides.
typedef struct SimplexRule_ {
  int n;
  double point[POINTS_MAX][3], weight[POINTS_MAX];
} SimplexRule;

static double factorial(int n) {
  double product = 1;
  for (int i = 2; i <= n; i++) {
    product *= i;
  }
  return product;
}

// The rule of Grundmann and Moeller (1978), exact to degree d = 2 s + 1; its sums are over whole
// numbers b0 + b1 + b2 + b3 = s - i:
//
//   integral of f = sum_i (-1)^i 2^(-2s) (d + 3 - 2i)^d / (i! (d + 3 - i)!)
//                   sum_b f((2 b_k + 1) / (d + 3 - 2i)),   k = 1, 2, 3
static void simplex_rule(SimplexRule* rule, int s) {
  int d = 2 * s + 1;
  rule->n = 0;
  for (int i = 0; i <= s; i++) {
    double part = d + 3 - 2 * i,
           weight = (i % 2 ? -1 : 1) * portable_pow(part, d) * portable_pow(4, -s);
    weight /= factorial(i) * factorial(d + 3 - i);
    for (int b1 = 0; b1 <= s - i; b1++) {
      for (int b2 = 0; b2 <= s - i - b1; b2++) {
        for (int b3 = 0; b3 <= s - i - b1 - b2; b3++) {
          double* p = rule->point[rule->n];
          p[0] = (2 * b1 + 1) / part;
          p[1] = (2 * b2 + 1) / part;
          p[2] = (2 * b3 + 1) / part;
          rule->weight[rule->n++] = weight;
        }
      }
    }
  }
}

static double determinant(double side[3][3], const Tetrahedron t) {
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      side[i][k] = t[i + 1][k] - t[0][k];
    }
  }
  return side[0][0] * (side[1][1] * side[2][2] - side[1][2] * side[2][1]) -
         side[0][1] * (side[1][0] * side[2][2] - side[1][2] * side[2][0]) +
         side[0][2] * (side[1][0] * side[2][1] - side[1][1] * side[2][0]);
}

// Adds a point of a cell, from 0 to 1 along each axis.
static void add_point(double* to, const CageGrid* grid, const double x[3], double weight) {
  double along[3][CAGE_AXIS_MAX];
  for (int k = 0; k < 3; k++) {
    cage_lagrange(along[k], grid, x[k]);
  }
  for (int a = 0; a < grid->n; a++) {
    for (int b = 0; b < grid->n; b++) {
      double scale = weight * along[0][a] * along[1][b];
      for (int c = 0; c < grid->n; c++) {
        *to++ += scale * along[2][c];
      }
    }
  }
}

// Adds a piece that lies in one cell, times a sign.
static void add_piece(Cage* cage, const CageGrid* grid, const SimplexRule* rule,
                      const Tetrahedron t, double sign) {
  int at[3];
  double side[3][3], volume = fabs(determinant(side, t));
  for (int k = 0; k < 3; k++) {
    double middle = (t[0][k] + t[1][k] + t[2][k] + t[3][k]) / 4;
    at[k] = middle < 0 ? 0 : middle < cage->count[k] ? (int)middle : cage->count[k] - 1;
  }
  int cell = (at[0] * cage->count[1] + at[1]) * cage->count[2] + at[2];
  double* out = cage->weight + (size_t)cell * (size_t)cage_points(cage);
  for (int p = 0; p < rule->n; p++) {
    const double* u = rule->point[p];
    double x[3];
    for (int k = 0; k < 3; k++) {
      x[k] = t[0][k] - at[k] + u[0] * side[0][k] + u[1] * side[1][k] + u[2] * side[2][k];
    }
    add_point(out, grid, x, sign * rule->weight[p] * volume);
  }
}

static void put_corner(double out[3], const Tetrahedron t, const double s[4], int i, int j) {
  double part = i == j ? 0 : s[i] / (s[i] - s[j]);
  for (int k = 0; k < 3; k++) {
    out[k] = t[i][k] + part * (t[j][k] - t[i][k]);
  }
}

// A piece with the corners (a, b): the point of side a b in the cutting plane; (a, a) is corner a.
static void put_piece(Tetrahedron out, const Tetrahedron t, const double s[4],
                      const int corner[4][2]) {
  for (int i = 0; i < 4; i++) {
    put_corner(out[i], t, s, corner[i][0], corner[i][1]);
  }
}

// Cuts a tetrahedron by the plane x_axis = at, with corners on both sides of it. Returns the number
// of pieces: 4 if one corner is alone on its side, else 6.
static int cut(Tetrahedron* piece, const Tetrahedron t, int axis, double at) {
  double s[4];
  int below[4], above[4], nbelow = 0, nabove = 0;
  for (int i = 0; i < 4; i++) {
    s[i] = t[i][axis] - at;
    if (s[i] < 0) {
      below[nbelow++] = i;
    } else {
      above[nabove++] = i;
    }
  }
  if (nbelow == 2) {
    int a = below[0], b = below[1], c = above[0], d = above[1];
    const int corner[6][4][2] = {
        {{a, a}, {a, c}, {a, d}, {b, d}}, {{a, a}, {a, c}, {b, d}, {b, c}},
        {{a, a}, {b, b}, {b, c}, {b, d}}, {{c, c}, {a, c}, {b, c}, {b, d}},
        {{c, c}, {a, c}, {b, d}, {a, d}}, {{c, c}, {d, d}, {a, d}, {b, d}}};
    for (int i = 0; i < 6; i++) {
      put_piece(piece[i], t, s, corner[i]);
    }
    return 6;
  }
  const int *alone = nbelow == 1 ? below : above, *rest = nbelow == 1 ? above : below;
  int a = alone[0], b = rest[0], c = rest[1], d = rest[2];
  const int corner[4][4][2] = {{{a, a}, {a, b}, {a, c}, {a, d}},
                               {{a, b}, {a, c}, {a, d}, {d, d}},
                               {{a, b}, {a, c}, {d, d}, {c, c}},
                               {{a, b}, {b, b}, {c, c}, {d, d}}};
  for (int i = 0; i < 4; i++) {
    put_piece(piece[i], t, s, corner[i]);
  }
  return 4;
}

// The plane between cells that cuts a tetrahedron: its first axis with one, and the plane next to
// its lowest corner. Returns 0 if it lies in one cell but for rounding.
static int find_plane(int axis[1], double at[1], const Tetrahedron t) {
  for (int k = 0; k < 3; k++) {
    double low = fmin(fmin(t[0][k], t[1][k]), fmin(t[2][k], t[3][k]));
    double high = fmax(fmax(t[0][k], t[1][k]), fmax(t[2][k], t[3][k]));
    double plane = floor(low + CAGE_LEAST_VOLUME) + 1;
    if (high > plane + CAGE_LEAST_VOLUME) {
      *axis = k;
      *at = plane;
      return 1;
    }
  }
  return 0;
}

// Pieces that wait to be cut.
typedef struct Pieces_ {
  Tetrahedron* piece;
  size_t room;
} Pieces;

static void make_room(Pieces* wait, size_t n) {
  if (n + PIECES_MAX > wait->room) {
    Tetrahedron* larger = heap_take(2 * (n + PIECES_MAX) * sizeof(Tetrahedron));
    if (n) {
      memcpy(larger, wait->piece, n * sizeof(Tetrahedron));
    }
    heap_free(wait->piece);
    wait->piece = larger;
    wait->room = 2 * (n + PIECES_MAX);
  }
}

static void add_tetrahedron(Cage* cage, const CageGrid* grid, const SimplexRule* rule, Pieces* wait,
                            const Tetrahedron whole, double sign) {
  size_t n = 1;
  make_room(wait, 0);
  memcpy(wait->piece[0], whole, sizeof(Tetrahedron));
  while (n) {
    Tetrahedron t;
    int axis;
    double at;
    memcpy(t, wait->piece[--n], sizeof(t));
    if (find_plane(&axis, &at, t)) {
      make_room(wait, n);
      n += (size_t)cut(wait->piece + n, t, axis, at);
    } else {
      add_piece(cage, grid, rule, t, sign);
    }
  }
}

static void fill_all(Cage* cage, const CageGrid* grid) {
  int n = grid->n, all = cage_points(cage), ncell = cage_cells(cage->count);
  double* to = cage->weight;
  for (int cell = 0; cell < ncell; cell++) {
    for (int i = 0; i < all; i++) {
      *to++ = grid->w[i / (n * n)] * grid->w[i / n % n] * grid->w[i % n];
    }
  }
}

static int compare_sides(const void* a, const void* b) {
  const uint64_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

// Is a surface closed? Then each side of a triangle is one of another triangle the other way round,
// and none is twice in one direction.
static int is_closed(const int* elem, int nelem) {
  size_t n = 3 * (size_t)nelem;
  uint64_t *side = heap_take(2 * n * sizeof(uint64_t)), *back = side + n;
  for (size_t i = 0; i < n; i++) {
    uint64_t from = (uint64_t)elem[i], to = (uint64_t)elem[i - i % 3 + (i + 1) % 3];
    side[i] = from << 32 | to;
    back[i] = to << 32 | from;
  }
  qsort(side, n, sizeof(uint64_t), compare_sides);
  qsort(back, n, sizeof(uint64_t), compare_sides);
  int closed = memcmp(side, back, n * sizeof(uint64_t)) == 0;
  for (size_t i = 1; i < n; i++) {
    closed &= side[i] != side[i - 1];
  }
  heap_free(side);
  return closed;
}

// open surfaces

enum {
  SUBCELLS = 2,                                  // along each axis of a cell
  SAMPLES_MAX = SUBCELLS * (CAGE_ORDER_MAX + 1)  // points along an axis
};

// A point is inside of a surface that winds around it this often.
static const double INSIDE = 0.5 - 1e-9;

// How often triangles wind around a point: the sum of their solid angles W by 4 pi.
//
//   tan(W/2) = a . b x c / (|a||b||c| + a.b |c| + b.c |a| + c.a |b|),   a, b, c from the point
//
// (A. van Oosterom, J. Strackee, IEEE Trans. Biomed. Eng. 30(2), 1983; A. Jacobson, L. Kavan,
// O. Sorkine-Hornung, ACM Trans. Graph. 32(4), 2013)
static double winding_number(const double x[3], const double* point, const int* elem, int nelem) {
  double half = 0;
  for (int e = 0; e < nelem; e++) {
    double v[3][3], length[3], normal[3];
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++) {
        v[i][k] = point[3 * (size_t)elem[3 * (size_t)e + (size_t)i] + (size_t)k] - x[k];
      }
      length[i] = sqrt(pose_dot(v[i], v[i]));
    }
    pose_cross(normal, v[1], v[2]);
    double below = length[0] * length[1] * length[2] + pose_dot(v[0], v[1]) * length[2] +
                   pose_dot(v[1], v[2]) * length[0] + pose_dot(v[2], v[0]) * length[1];
    half += portable_atan2(pose_dot(v[0], normal), below);
  }
  return half / (2 * PI);
}

// Points and weights along an axis of a cell: those of Gauss in each part of it.
static int sample_axis(double x[SAMPLES_MAX], double w[SAMPLES_MAX], int order) {
  const double root[2] = {sqrt(1.0 / 3), sqrt(0.6)};
  const double weight[2][3] = {{0.5, 0.5, 0}, {5.0 / 18, 8.0 / 18, 5.0 / 18}};
  int n = 0;
  for (int part = 0; part < SUBCELLS; part++) {
    for (int i = 0; i <= order; i++) {
      double at = order == 1 ? 2 * i - 1 : i - 1;  // -1, 0 or 1
      x[n] = (part + (1 + at * root[order - 1]) / 2) / SUBCELLS;
      w[n++] = weight[order - 1][i] / SUBCELLS;
    }
  }
  return n;
}

// Adds the points of all cells that are inside. Returns their number.
static int64_t add_samples(Cage* cage, const CageGrid* grid, const double* point, const int* elem,
                           int nelem, const double lower[3]) {
  double u[SAMPLES_MAX], w[SAMPLES_MAX];
  int n = sample_axis(u, w, cage->order), ncell = cage_cells(cage->count);
  int64_t inside = 0;
  for (int cell = 0; cell < ncell; cell++) {
    const int at[3] = {cell / (cage->count[1] * cage->count[2]),
                       cell / cage->count[2] % cage->count[1], cell % cage->count[2]};
    for (int i = 0; i < n * n * n; i++) {
      const int p[3] = {i / (n * n), i / n % n, i % n};
      double x[3], local[3];
      for (int k = 0; k < 3; k++) {
        local[k] = u[p[k]];
        x[k] = lower[k] + (at[k] + local[k]) * cage->side[k];
      }
      if (fabs(winding_number(x, point, elem, nelem)) > INSIDE) {
        add_point(cage->weight + (size_t)cell * (size_t)cage_points(cage), grid, local,
                  w[p[0]] * w[p[1]] * w[p[2]]);
        inside++;
      }
    }
  }
  return inside;
}

// all

// Corners of a simplex, in cells.
static void place_simplex(double (*out)[3], const Cage* cage, const double* point, const int* vert,
                          int n, const double lower[3]) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++) {
      out[i][k] = (point[3 * (size_t)vert[i] + (size_t)k] - lower[k]) / cage->side[k];
    }
  }
}

// The middle of the vertices of all elements, in cells.
static void find_apex(double out[3], const Cage* cage, const double* point, const int* elem,
                      size_t n, const double lower[3]) {
  memset(out, 0, 3 * sizeof(double));
  for (size_t i = 0; i < n; i++) {
    double x[1][3];
    place_simplex(x, cage, point, elem + i, 1, lower);
    for (int k = 0; k < 3; k++) {
      out[k] += x[0][k] / (double)n;
    }
  }
}

void cage_measure(Cage* cage, const double* point, const int* elem, int nelem, int dim,
                  const double lower[3], const double upper[3]) {
  CageGrid grid;
  cage_grid(&grid, cage);
  cage->weight =
      heap_zero((size_t)cage_cells(cage->count) * (size_t)cage_points(cage), sizeof(double));
  for (int k = 0; k < 3; k++) {
    cage->side[k] = (upper[k] - lower[k]) / cage->count[k];
  }
  int is_open = dim == 2 && !is_closed(elem, nelem);
  if (dim < 2 || is_open) {
    if (!is_open || !add_samples(cage, &grid, point, elem, nelem, lower)) {
      fill_all(cage, &grid);
    }
    return;
  }
  SimplexRule* rule = heap_take(sizeof(SimplexRule));
  Pieces wait = {NULL, 0};
  simplex_rule(rule, cage->order == 1 ? 3 : 6);  // degrees 6 and 12

  // what a closed surface encloses is a sum of tetrahedra with one apex, some of them negative
  Tetrahedron t;
  double side[3][3], total = 0, sign = 1;
  if (dim == 2) {
    find_apex(t[3], cage, point, elem, 3 * (size_t)nelem, lower);
  }
  for (int e = 0; dim == 2 && e < nelem; e++) {
    place_simplex(t, cage, point, elem + 3 * (size_t)e, 3, lower);
    total += determinant(side, t);
  }
  for (int e = 0; e < nelem; e++) {
    place_simplex(t, cage, point, elem + (size_t)(dim + 1) * (size_t)e, dim + 1, lower);
    if (dim == 2) {
      sign = determinant(side, t) * total < 0 ? -1 : 1;
    }
    add_tetrahedron(cage, &grid, rule, &wait, t, sign);
  }
  heap_free(wait.piece);
  heap_free(rule);
}
