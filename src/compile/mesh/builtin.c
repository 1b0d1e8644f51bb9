// builtin.c: generated meshes (mjs_makeMesh). Vertices are computed in double and stored as float,
// unless noted. Makers run under error_catch; if memory runs out, the mesh is unchanged.
//                                                          theory/model/meshes.md, Generated meshes
#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/compile.h>
#include <string.h>

#include "base/algebra/elementary.h"
#include "base/algebra/pose.h"
#include "base/memory/check.h"
#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "compile/mesh/lattice.h"
#include "spec/spec.h"

static int vertex_count(const mjsMesh* mesh) {
  return (int)(mesh->uservert->num / 3);
}

static void push3(mjFloatVec* list, double x, double y, double z) {
  float* v = floats_push(list, 3);
  v[0] = (float)x;
  v[1] = (float)y;
  v[2] = (float)z;
}

static void add_vertex(mjsMesh* mesh, double x, double y, double z) {
  push3(mesh->uservert, x, y, z);
}

static void add_face(mjsMesh* mesh, int v0, int v1, int v2) {
  int* v = ints_push(mesh->userface, 3);
  v[0] = v0;
  v[1] = v1;
  v[2] = v2;
}

// sphere: an icosahedron whose triangles are cut into four

static void normalize_float(float v[3]) {
  float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int k = 0; k < 3; k++) {
    v[k] /= length;
  }
}

// The vertex in the middle of an edge, made on first use. Known midpoints are in a table by (lower,
// higher) vertex; every vertex has at most six.
static int midpoint(mjsMesh* mesh, int* table, int v0, int v1) {
  int low = v0 < v1 ? v0 : v1, high = v0 < v1 ? v1 : v0;
  int* slot = table + 12 * low;
  for (int i = 0; i < 6; i++) {
    if (slot[2 * i] == high) {
      return slot[2 * i + 1];
    }
    if (slot[2 * i] < 0) {
      const float *p = mesh->uservert->ptr + 3 * low, *q = mesh->uservert->ptr + 3 * high;
      float v[3] = {(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2};
      normalize_float(v);
      slot[2 * i] = high;
      slot[2 * i + 1] = vertex_count(mesh);
      add_vertex(mesh, v[0], v[1], v[2]);
      return slot[2 * i + 1];
    }
  }
  return low;
}

static void subdivide(mjsMesh* mesh) {
  mjIntVec* face = mesh->userface;
  size_t n = face->num;
  int* old = heap_take(n * sizeof(int));
  size_t nslot = 12 * (size_t)vertex_count(mesh);
  int* table = heap_take(nslot * sizeof(int));
  memcpy(old, face->ptr, n * sizeof(int));
  memset(table, -1, nslot * sizeof(int));
  ints_resize(face, 0);
  for (size_t i = 0; i < n; i += 3) {
    int v1 = old[i], v2 = old[i + 1], v3 = old[i + 2];
    int m12 = midpoint(mesh, table, v1, v2);
    int m23 = midpoint(mesh, table, v2, v3);
    int m31 = midpoint(mesh, table, v3, v1);
    add_face(mesh, v1, m12, m31);
    add_face(mesh, v2, m23, m12);
    add_face(mesh, v3, m31, m23);
    add_face(mesh, m12, m23, m31);
  }
  heap_free(old);
  heap_free(table);
}

static void make_sphere(mjsMesh* mesh, const double* p) {
  static const signed char corner[12][3] = {{-1, 2, 0}, {1, 2, 0}, {-1, -2, 0}, {1, -2, 0},
                                            {0, -1, 2}, {0, 1, 2}, {0, -1, -2}, {0, 1, -2},
                                            {2, 0, -1}, {2, 0, 1}, {-2, 0, -1}, {-2, 0, 1}};
  static const signed char face[20][3] = {
      {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  float phi = (float)((1 + sqrt(5.0)) / 2);
  for (int i = 0; i < 12; i++) {
    float v[3];
    for (int k = 0; k < 3; k++) {
      signed char s = corner[i][k];
      v[k] = s == 2 ? phi : s == -2 ? -phi : (float)s;
    }
    normalize_float(v);
    add_vertex(mesh, v[0], v[1], v[2]);
  }
  for (int i = 0; i < 20; i++) {
    add_face(mesh, face[i][0], face[i][1], face[i][2]);
  }
  for (int i = 0; i < (int)p[0]; i++) {
    subdivide(mesh);
  }
}

// hemisphere: rows of an octahedron's upper half, and a cap

static void hemisphere_row(mjsMesh* mesh, int row, int rows) {
  static const double side[5][3] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {1, 0, 0}};
  double f = (double)(row + 1) / rows;
  for (int s = 0; s < 4; s++) {
    double from[3], to[3];
    for (int k = 0; k < 3; k++) {
      double pole = k == 2;
      from[k] = pole + f * (side[s][k] - pole);
      to[k] = pole + f * (side[s + 1][k] - pole);
    }
    for (int i = 0; i <= row; i++) {
      double v[3], t = (double)i / (row + 1), sum = 0;
      for (int k = 0; k < 3; k++) {
        v[k] = from[k] + t * (to[k] - from[k]);
        sum += v[k] * v[k];
      }
      double length = sqrt(sum);
      add_vertex(mesh, v[0] / length, v[1] / length, v[2] / length);
    }
  }
}

static void make_hemisphere(mjsMesh* mesh, const double* p) {
  int res = (int)p[0];
  add_vertex(mesh, 0, 0, 1);
  for (int row = 0; row <= res; row++) {
    hemisphere_row(mesh, row, res + 1);
  }
  int last = vertex_count(mesh);
  add_vertex(mesh, 0, 0, 0);
  for (int i = 0; i < 4; i++) {
    add_face(mesh, 0, 1 + i, 1 + (i + 1) % 4);
  }
  for (int row = 0; row < res; row++) {
    int start = 2 * row * (row + 1) + 1, n = 4 * (row + 1), below = start + n, m = 4 * (row + 2);
    for (int s = 0; s < 4; s++) {
      for (int i = 0; i <= row + 1; i++) {
        int a = i + (row + 1) * s, c = i + (row + 2) * s;
        add_face(mesh, start + a % n, below + c % m, below + (c + 1) % m);
        if (i < row + 1) {
          add_face(mesh, start + a % n, below + (c + 1) % m, start + (a + 1) % n);
        }
      }
    }
  }
  int start = 2 * res * (res + 1) + 1, n = 4 * (res + 1);
  for (int i = 0; i < n; i++) {
    add_face(mesh, start + i, last, start + (i + 1) % n);
  }
}

// cone: a polygon below, a smaller one or a point above; faces are those of the hull

static void make_cone(mjsMesh* mesh, const double* p) {
  int n = (int)p[0];
  double radius = p[1];
  for (int i = 0; i < n; i++) {
    add_vertex(mesh, portable_cos(2 * mjPI * i / n), portable_sin(2 * mjPI * i / n), -1);
  }
  if (radius > 0) {
    for (int i = n; i < 2 * n; i++) {
      add_vertex(mesh, radius * portable_cos(2 * mjPI * i / n),
                 radius * portable_sin(2 * mjPI * i / n), 1);
    }
  } else {
    add_vertex(mesh, 0, 0, 1);
  }
}

// superquadrics: powers of cosine and sine that keep their sign

static double signed_power(double x, double power) {
  return (x > 0) - (x < 0) == 0 ? 0 : copysign(portable_pow(fabs(x), power), x);
}

static void make_supersphere(mjsMesh* mesh, const double* p) {
  int res = (int)p[0];
  double e = p[1], n = p[2];
  add_vertex(mesh, 0, 0, -1);
  for (int i = 1; i < res; i++) {
    double v = -mjPI / 2 + i * mjPI / res;
    for (int j = 0; j < res; j++) {
      double u = -mjPI + 2 * mjPI * j / res;
      add_vertex(mesh, signed_power(portable_cos(v), n) * signed_power(portable_cos(u), e),
                 signed_power(portable_cos(v), n) * signed_power(portable_sin(u), e),
                 signed_power(portable_sin(v), n));
    }
  }
  int north = vertex_count(mesh);
  add_vertex(mesh, 0, 0, 1);
  for (int j = 0; j < res; j++) {
    add_face(mesh, 0, 1 + (j + 1) % res, 1 + j);
  }
  for (int i = 0; i < res - 2; i++) {
    for (int j = 0; j < res; j++) {
      int v1 = 1 + i * res + j, v2 = 1 + i * res + (j + 1) % res, v3 = v2 + res, v4 = v1 + res;
      add_face(mesh, v1, v2, v4);
      add_face(mesh, v2, v3, v4);
    }
  }
  int top = 1 + (res - 2) * res;
  for (int j = 0; j < res; j++) {
    add_face(mesh, top + j, top + (j + 1) % res, north);
  }
}

static void make_supertorus(mjsMesh* mesh, const double* p) {
  int res = (int)p[0];
  double radius = p[1], s = p[2], t = p[3];
  for (int i = 0; i < res; i++) {
    double u = 2 * mjPI * i / res;
    for (int j = 0; j < res; j++) {
      double v = 2 * mjPI * j / res, ring = 1 + radius * signed_power(portable_cos(v), s);
      add_vertex(mesh, ring * signed_power(portable_cos(u), t),
                 ring * signed_power(portable_sin(u), t),
                 radius * signed_power(portable_sin(v), s));
    }
  }
  for (int i = 0; i < res; i++) {
    for (int j = 0; j < res; j++) {
      int next = (i + 1) % res, right = (j + 1) % res;
      add_face(mesh, i * res + j, next * res + j, i * res + right);
      add_face(mesh, next * res + j, next * res + right, i * res + right);
    }
  }
}

// wedge and plate: a vertex per cell of a touch sensor, with three normals

// Center of cell i of n between -1 and 1. gamma makes cells denser in the middle.
static double cell_center(int i, int n, double gamma, double scale) {
  double edge[2];
  for (int k = 0; k < 2; k++) {
    double x = -1 + 2.0 * (i + k) / n;
    edge[k] = (gamma * portable_pow(x, 5) + (1 - gamma) * x) * scale;
  }
  return (edge[0] + edge[1]) / 2;
}

static void normalize3(double v[3]) {
  double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int k = 0; k < 3 && length > 0; k++) {
    v[k] /= length;
  }
}

static void make_wedge(mjsMesh* mesh, const double* p) {
  int n0 = (int)p[0], n1 = (int)p[1];
  mjFloatVec* normal = mesh->usernormal;
  for (int i = 0; i < n0; i++) {
    for (int j = 0; j < n1; j++) {
      double a = cell_center(i, n0, p[4], p[2] * mjPI / 180);
      double e = cell_center(j, n1, p[4], p[3] * mjPI / 180);
      double ta[3] = {portable_cos(e) * portable_cos(a), 0, portable_cos(e) * portable_sin(a)};
      double n[3], te[3] = {-portable_sin(e) * portable_sin(a), portable_cos(e),
                            portable_sin(e) * portable_cos(a)};
      add_vertex(mesh, portable_cos(e) * portable_sin(a), portable_sin(e),
                 -portable_cos(e) * portable_cos(a));
      normalize3(ta);
      normalize3(te);
      pose_cross(n, te, ta);
      push3(normal, n[0], n[1], n[2]);
      push3(normal, ta[0], ta[1], ta[2]);
      push3(normal, te[0], te[1], te[2]);
    }
  }
}

static void make_plate(mjsMesh* mesh, const double* p) {
  int n0 = (int)p[0], n1 = (int)p[1];
  mjFloatVec* normal = mesh->usernormal;
  mesh->inertia = mjMESH_INERTIA_SHELL;
  for (int i = 0; i < n0; i++) {
    for (int j = 0; j < n1; j++) {
      add_vertex(mesh, -1 + (i + 0.5) * 2 / n0, -1 + (j + 0.5) * 2 / n1, -1);
      push3(normal, 1, 0, 0);
      push3(normal, 0, 1, 0);
      push3(normal, 0, 0, 1);
      if (i > 0 && j > 0) {
        add_face(mesh, (i - 1) * n1 + j - 1, i * n1 + j - 1, (i - 1) * n1 + j);
        add_face(mesh, i * n1 + j, (i - 1) * n1 + j, i * n1 + j - 1);
      }
    }
  }
}

// lattices, as <flexcomp> has them: count (3), spacing (3), and dim if there is a choice

static int is_sheet(mjtMeshBuiltin shape) {
  return shape == mjMESH_BUILTIN_SQUARE || shape == mjMESH_BUILTIN_DISC;
}

static int is_lattice(mjtMeshBuiltin shape) {
  return shape >= mjMESH_BUILTIN_GRID && shape <= mjMESH_BUILTIN_DISC;
}

static int lattice_dim(mjtMeshBuiltin shape, const double* p, int n) {
  return is_sheet(shape) ? 2 : n > 6 ? (int)p[6] : 3;
}

// Makes nodes and tetrahedra, or nodes and triangles. What has no volume can only be weighed as a
// shell.
static void make_lattice(mjsMesh* mesh, mjtMeshBuiltin shape, const double* p, int n) {
  Lattice lattice = {.type = (LatticeType)(shape - mjMESH_BUILTIN_GRID),
                     .dim = lattice_dim(shape, p, n)};
  for (int k = 0; k < 3; k++) {
    lattice.count[k] = (int)p[k];
    lattice.spacing[k] = p[3 + k];
  }
  char error[200];
  if (!lattice_make(&lattice, error, sizeof(error))) {
    mju_error("%s", error);
  }
  *mesh->usernode = lattice.point;
  *(lattice.dim == 3 ? mesh->usertet : mesh->userface) = lattice.element;
  for (size_t i = 0; i < lattice.point.num; i += 3) {
    const double* v = lattice.point.ptr + i;
    add_vertex(mesh, v[0], v[1], v[2]);
  }
  if (lattice.dim == 2 && mesh->inertia == mjMESH_INERTIA_LEGACY) {
    mesh->inertia = mjMESH_INERTIA_SHELL;
  }
}

// The message about parameters of a lattice that make no sense, NULL if they do.
static const char* lattice_problem(mjtMeshBuiltin shape, const double* p, int n) {
  int sheet = is_sheet(shape), grid = shape == mjMESH_BUILTIN_GRID;
  if (n != 6 && (sheet || n != 7)) {
    return sheet  ? "Square/disc mesh type requires 6 parameters (count[3], spacing[3])"
           : grid ? "Grid mesh type requires 6 or 7 parameters (count[3], spacing[3], [dim])"
                  : "Box/cylinder/ellipsoid mesh type requires 6 or 7 parameters (count[3], "
                    "spacing[3], [dim])";
  }
  for (int i = 0; i < n; i++) {
    if (!isfinite(p[i]) || (i < 3 && fabs(p[i]) > LATTICE_MAX)) {
      return "parameters of a builtin mesh must be finite, and counts at most 2^24";
    }
  }
  int dim = lattice_dim(shape, p, n);
  if (dim != 2 && dim != 3) {
    return grid ? "Grid dim must be 2 or 3" : "Mesh dim must be 2 or 3 for box/cylinder/ellipsoid";
  }
  for (int k = 0; k < 3; k++) {
    int count = (int)p[k];
    if (grid && count < 1) {
      return "Grid count must be positive";
    }
    if (sheet && count < 1) {
      return "Square/disc count must be positive";
    }
    if (!grid && !sheet && count < 2) {
      return "Box/cylinder/ellipsoid count must be at least 2";
    }
  }
  if (dim == 2 && p[2] >= 2 && (grid || sheet)) {
    return grid ? "Grid count must be 1 along dimensions beyond dim"
                : "Square/disc count[2] must be 1";
  }
  return 8 * floor(p[0]) * floor(p[1]) * floor(p[2]) > LATTICE_MAX
             ? "counts of a builtin mesh cannot have a product greater than 2097152"
             : NULL;
}

static const char few_cells[] = "Horizontal and vertical resolutions must be positive";
static const char many_cells[] =
    "Horizontal and vertical resolutions cannot have a product greater than 160000";
static const double most_cells = 160000;

#define ANY INFINITY
#define POSITIVE 0x1p-1074  // the smallest positive number

// Conditions on parameters and their messages; the first violated one counts. Resolutions are
// bounded where making the hull and the BVH would take some seconds.
static const struct {
  mjtMeshBuiltin shape;
  int param;
  double least, most;
  const char* problem;
} rules[] = {
    {mjMESH_BUILTIN_SPHERE, 0, 0, ANY, "Sphere subdivision cannot be negative"},
    {mjMESH_BUILTIN_SPHERE, 0, -ANY, 4, "Sphere subdivision cannot be greater than 4"},
    {mjMESH_BUILTIN_HEMISPHERE, 0, 0, ANY, "Hemisphere resolution cannot be negative"},
    {mjMESH_BUILTIN_HEMISPHERE, 0, -ANY, 10, "Hemisphere resolution cannot be greater than 10"},
    {mjMESH_BUILTIN_CONE, 0, -ANY, 5e3, "Cone cannot have more than 5000 edges"},
    {mjMESH_BUILTIN_SUPERSPHERE, 0, 3, ANY, "Supersphere resolution must be greater than 2"},
    {mjMESH_BUILTIN_SUPERSPHERE, 0, -ANY, 500, "Supersphere resolution cannot be greater than 500"},
    {mjMESH_BUILTIN_SUPERSPHERE, 1, 0, ANY, "Supersphere 'e' cannot be negative"},
    {mjMESH_BUILTIN_SUPERSPHERE, 2, 0, ANY, "Supersphere 'n' cannot be negative"},
    {mjMESH_BUILTIN_SUPERTORUS, 0, 3, ANY, "Supertorus resolution must be greater than 3"},
    {mjMESH_BUILTIN_SUPERTORUS, 0, -ANY, 500, "Supertorus resolution cannot be greater than 500"},
    {mjMESH_BUILTIN_SUPERTORUS, 1, POSITIVE, 1, "Supertorus radius must be in (0, 1]"},
    {mjMESH_BUILTIN_SUPERTORUS, 2, POSITIVE, ANY, "Supertorus 's' must be greater than 0"},
    {mjMESH_BUILTIN_SUPERTORUS, 3, POSITIVE, ANY, "Supertorus 't' must be greater than 0"},
    {mjMESH_BUILTIN_WEDGE, 2, POSITIVE, 180, "fov[0] must be a float between (0, 180] degrees"},
    {mjMESH_BUILTIN_WEDGE, 3, POSITIVE, 90, "`fov[1]` must be a float between (0, 90] degrees"},
    {mjMESH_BUILTIN_WEDGE, 0, 1, ANY, few_cells},
    {mjMESH_BUILTIN_WEDGE, 1, 1, ANY, few_cells},
    {mjMESH_BUILTIN_WEDGE, 4, 0, 1, "`gamma` must be a nonnegative float between [0, 1]"},
    {mjMESH_BUILTIN_PLATE, 0, 1, ANY, few_cells},
    {mjMESH_BUILTIN_PLATE, 1, 1, ANY, few_cells},
};

static const struct {
  int nparam;
  const char* count;  // message for a wrong number of parameters
  void (*make)(mjsMesh* mesh, const double* p);
} shapes[] = {
    [mjMESH_BUILTIN_SPHERE] = {1, "Sphere mesh type requires 1 parameter", make_sphere},
    [mjMESH_BUILTIN_HEMISPHERE] = {1, "Hemisphere mesh type requires 1 parameter", make_hemisphere},
    [mjMESH_BUILTIN_CONE] = {2, "Cone mesh type requires 2 parameters", make_cone},
    [mjMESH_BUILTIN_SUPERSPHERE] = {3, "Supersphere mesh type requires 3 parameters",
                                    make_supersphere},
    [mjMESH_BUILTIN_SUPERTORUS] = {4, "Supertorus mesh type requires 4 parameters",
                                   make_supertorus},
    [mjMESH_BUILTIN_WEDGE] = {5, "Wedge builtin mesh types require 5 parameters", make_wedge},
    [mjMESH_BUILTIN_PLATE] = {2, "Plate builtin mesh type requires 2 parameters", make_plate},
};

// The message about invalid parameters, NULL if they are valid.
static const char* find_problem(mjtMeshBuiltin shape, const double* p, int n) {
  if (is_lattice(shape)) {
    return lattice_problem(shape, p, n);
  }
  if (n != shapes[shape].nparam) {
    return shapes[shape].count;
  }
  for (int i = 0; i < n; i++) {
    if (!isfinite(p[i])) {
      return "parameters of a builtin mesh must be finite";
    }
  }
  for (size_t k = 0; k < sizeof(rules) / sizeof(rules[0]); k++) {
    double x = rules[k].shape == shape ? p[rules[k].param] : NAN;
    if (x < rules[k].least || x > rules[k].most) {
      return rules[k].problem;
    }
  }
  int is_grid = shape == mjMESH_BUILTIN_WEDGE || shape == mjMESH_BUILTIN_PLATE;
  return is_grid && p[0] * p[1] > most_cells ? many_cells : NULL;
}

typedef struct Order_ {
  mjsMesh* mesh;
  mjtMeshBuiltin shape;
  const double* param;
  int nparam;
} Order;

static void make(void* argument) {
  const Order* order = argument;
  if (is_lattice(order->shape)) {
    make_lattice(order->mesh, order->shape, order->param, order->nparam);
  } else {
    shapes[order->shape].make(order->mesh, order->param);
  }
}

int mjs_makeMesh(mjsMesh* mesh, mjtMeshBuiltin builtin, double* params, int nparams) {
  check_given(mesh);
  SpecTree* tree = spec_object(mesh->element)->tree;
  if (builtin <= mjMESH_BUILTIN_NONE || builtin > mjMESH_BUILTIN_DISC) {
    spec_error(tree, "Unsupported mesh type");
    return 1;
  }
  check_arrays(nparams, params);
  const char* problem = find_problem(builtin, params, nparams);
  if (problem) {
    spec_error(tree, "%s", problem);
    return -1;
  }

  // keep the old arrays, to restore them if memory runs out
  mjFloatVec vert = *mesh->uservert, normal = *mesh->usernormal;
  mjIntVec face = *mesh->userface, tet = *mesh->usertet;
  mjDoubleVec node = *mesh->usernode;
  *mesh->uservert = *mesh->usernormal = (mjFloatVec){NULL, 0, 0};
  *mesh->userface = *mesh->usertet = (mjIntVec){NULL, 0, 0};
  *mesh->usernode = (mjDoubleVec){NULL, 0, 0};
  char message[64];
  Order order = {mesh, builtin, params, nparams};
  if (error_catch(message, sizeof(message), make, &order)) {
    *mesh->uservert = vert;
    *mesh->usernormal = normal;
    *mesh->userface = face;
    *mesh->usertet = tet;
    *mesh->usernode = node;
    spec_error(tree, "%s", message);
    return -1;
  }
  heap_free(vert.ptr);
  heap_free(normal.ptr);
  heap_free(face.ptr);
  heap_free(tet.ptr);
  heap_free(node.ptr);
  return 0;
}
