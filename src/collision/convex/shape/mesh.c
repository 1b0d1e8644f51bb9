// Meshes: support points by climbing over the convex hull or searching all vertices; polygons of
// the hull for manifolds.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include <math.h>
#include <mujoco/mjtnum.h>

#include "collision/convex/shape/summit.h"
#include "collision/convex/shape/support_points.h"

enum {
  BOX_CORNERS = 8,
  MOST_LEDGE = 24  // vertices of about the greatest height
};

// The id of the vertex that is clearly the highest along l, in the frame of the mesh. -1 if none
// is, or if the vertices aren't copied.
static KERNEL int clear_support(const ConvexShape* mesh, const mjtNum l[3]) {
  return mesh->points ? points_top(mesh->points, l) : -1;
}

static mjtNum height(const ConvexShape* shape, int id, const mjtNum l[3]) {
  mjtNum v[3];
  mesh_point(v, shape, id);
  return v3_dot(v, l);
}

// The highest of all vertices along l. best: vertex to start from, -1 if none; it wins ties.
static int search(const ConvexShape* shape, const mjtNum l[3], int best) {
  const mjtNum dir[3] = {l[0], l[1], l[2]};
  mjtNum top = best >= 0 ? height(shape, best, dir) : -INFINITY;
  best = best >= 0 ? best : 0;
  for (int i = 0; i < shape->nvert; i++) {
    mjtNum h = height(shape, i, dir);
    best = h > top ? i : best;
    top = h > top ? h : top;
  }
  return best;
}

// Climbs from a hull vertex to the highest of its neighbours as long as this is higher than `top`.
// top grows with every move, so the climb ends. A move back to the vertex just left ends it too:
// the neighbours of that vertex have been compared already.
KERNEL static int climb(const ConvexShape* shape, const mjtNum l[3], int at, mjtNum top) {
  const mjtNum dir[3] = {l[0], l[1], l[2]};
  const int* ids = shape->graph + 2 + shape->graph[0];
  int left = -1;
  for (;;) {
    int next = -1;
    for (const int* near = hull_neighbours(shape, at); *near >= 0; near++) {
      mjtNum h = height(shape, ids[*near], dir);
      // no branches: they would be mispredicted
      next = h > top ? *near : next;
      top = h > top ? h : top;
    }
    if (next < 0 || next == left) {
      return next < 0 ? at : next;
    }
    left = at;
    at = next;
  }
}

static int is_among(int x, const int* list, int num) {
  for (int i = 0; i < num; i++) {
    if (list[i] == x) {
      return 1;
    }
  }
  return 0;
}

// Heights in single precision for bounds on all vertices, which have room for rounding.
typedef struct Ascent {
  const ConvexShape* mesh;
  const int* ids;
  float l[3];
} Ascent;

INLINE float ascent_height(const Ascent* a, int at) {
  const float* v = a->mesh->vert + 3 * (size_t)a->ids[at];
  return a->l[0] * v[0] + a->l[1] * v[1] + a->l[2] * v[2];
}

// Whether all vertices that are connected to hull vertex `at` by others no lower than `level` are
// few and none is above `top`. *higher: one that is above, -1 if there is none.
static int is_ledge(int* higher, const Ascent* a, int at, float top, float level) {
  int ledge[MOST_LEDGE] = {at}, num = 1;
  *higher = -1;
  for (int i = 0; i < num; i++) {
    for (const int* near = hull_neighbours(a->mesh, ledge[i]); *near >= 0; near++) {
      float h = ascent_height(a, *near);
      if (h > top) {
        *higher = *near;
        return 0;
      }
      if (h >= level && !is_among(*near, ledge, num)) {
        if (num == MOST_LEDGE) {
          return 0;
        }
        ledge[num++] = *near;
      }
    }
  }
  return 1;
}

// Climbs until a vertex is above all its neighbours by more than rounding. Where some are as high,
// these and their neighbours must be few and no higher.
static int ascend(float* top, const Ascent* a, int at, float rounding) {
  float highest = ascent_height(a, at);
  for (;;) {
    int next = at;
    float second = -INFINITY;
    for (const int* near = hull_neighbours(a->mesh, at); *near >= 0; near++) {
      float h = ascent_height(a, *near);
      next = h > second ? *near : next;
      second = h > second ? h : second;
    }
    if (!(second > highest)) {
      *top = highest;
      if (second < highest - rounding || is_ledge(&next, a, at, highest, highest - rounding)) {
        return at;
      }
      if (next < 0) {
        return -1;
      }
      second = ascent_height(a, next);
    }
    at = next;
    highest = second;
  }
}

int mesh_bound(mjtNum* top, const ConvexShape* shape, const mjtNum l[3], int start,
               mjtNum rounding) {
  if (!mesh_is_climbed(shape)) {
    int id = search(shape, l, -1);
    *top = height(shape, id, l);
    return id;
  }
  const Ascent ascent = {
      shape, shape->graph + 2 + shape->graph[0], {(float)l[0], (float)l[1], (float)l[2]}};
  float highest;
  int id =
      ascend(&highest, &ascent, start >= 0 && start < shape->graph[0] ? start : 0, (float)rounding);
  *top = highest;
  return id;
}

// The vertex of the mesh with an id that support returned.
static int vertex_of(const ConvexShape* shape, int id) {
  return mesh_is_climbed(shape) ? hull_vertex(shape, id) : id;
}

int shape_corners(const ConvexShape* shape) {
  return shape_is_box(shape) ? BOX_CORNERS : points_number(shape);
}

void mesh_vertex(mjtNum v[3], const ConvexShape* shape, int id) {
  if (shape_is_box(shape)) {
    shape->kind->facets->corner(v, shape, id);
    return;
  }
  mesh_point(v, shape, vertex_of(shape, id));
}

// mesh_level of a box.
static int box_level(int* level, int most, const ConvexShape* shape, const mjtNum l[3], int id,
                     mjtNum tie) {
  mjtNum v[3];
  mesh_vertex(v, shape, id);
  const mjtNum top = v3_dot(v, l);
  int num = 0;
  for (int k = 0; k < BOX_CORNERS; k++) {
    mesh_vertex(v, shape, k);
    const mjtNum above = v3_dot(v, l) - top;
    if (above > LEVEL_WRONG * tie || (above >= -tie && num == most)) {
      return 0;
    }
    if (above >= -tie) {
      level[num++] = k;
    }
  }
  return num;
}

// mesh_level of a copy with a table, whose cell has all vertices within a band of the highest.
static int table_level(int* level, int most, const SupportTable* t, const mjtNum l[3], mjtNum top,
                       mjtNum tie) {
  const int cell = support_table_cell(t, l);
  int num = 0;
  for (int i = t->first[cell]; i < t->first[cell + 1]; i++) {
    const float* v = t->point + 4 * (size_t)t->vertex[i];
    const mjtNum above = v[0] * l[0] + v[1] * l[1] + v[2] * l[2] - top;
    if (above > LEVEL_WRONG * tie || (above >= -tie && num == most)) {
      return 0;
    }
    if (above >= -tie) {
      level[num++] = t->vertex[i];
    }
  }
  return num;
}

// Heights in single precision tell which vertices are far below.
KERNEL int mesh_level(int* level, int most, const ConvexShape* shape, const mjtNum u[3], int id,
                      mjtNum tie) {
  const SupportPoints* p = shape->points;
  const mjtNum wrong = LEVEL_WRONG * tie;
  mjtNum l[3], v[3];
  shape_direction(l, shape, u);
  if (shape_is_box(shape)) {
    return box_level(level, most, shape, l, id, tie);
  }
  if (!p) {
    return summit_level(level, most, shape, l, id, tie);
  }
  points_read(v, p, id);
  const mjtNum top = v3_dot(v, l);
  if (p->table && 4 * wrong * p->scale < (mjtNum)POINT_BAND && mju_abs(top) < INFINITY) {
    return table_level(level, most, p->table, l, top, tie);
  }
  const PointLevel near = points_level(p, l, top, tie);
  int num = 0;
  for (int i = 0; i < p->num; i += POINT_LANES) {
    unsigned left = points_above(p->block[i / POINT_LANES], &near);
    for (; left; left &= left - 1) {
      const int k = i + __builtin_ctz(left);
      if (k >= p->num) {
        break;
      }
      points_read(v, p, k);
      const mjtNum above = v3_dot(v, l) - top;
      if (above > wrong || (above >= -tie && num == most)) {
        return 0;
      }
      if (above >= -tie) {
        level[num++] = k;
      }
    }
  }
  return num;
}

// The first move of a climb goes to the highest neighbour even if it is lower than the start, and
// the second may go back to the start. Ties between vertices depend on that.
static int support(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  mjtNum l[3];
  shape_direction(l, shape, u);
  int climbs = mesh_is_climbed(shape), start = shape->last >= 0 ? shape->last : shape->climbed;
  int id = climbs ? climb(shape, l, start, -INFINITY) : search(shape, l, shape->last);
  mesh_point(l, shape, vertex_of(shape, id));
  shape_point(point, shape, l);
  return id;
}

int mesh_support_plain(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3], int start) {
  mjtNum l[3];
  shape_direction(l, shape, u);
  // a mesh too small for climbs copies all vertices, whose numbers are not those of its hull
  int id = !shape->graph || mesh_is_climbed(shape) ? clear_support(shape, l) : -1;
  if (id < 0) {
    id = shape->graph ? climb(shape, l, start, height(shape, hull_vertex(shape, start), l))
                      : search(shape, l, -1);
  }
  mesh_point(point, shape, shape->graph ? hull_vertex(shape, id) : id);
  legacy_point(point, shape, point, l);
  return id;
}

static int legacy(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  return mesh_support_plain(point, shape, u, shape->climbed);
}

// Faces around a vertex, numbered within the mesh.
static const int* faces_around(int* num, const ConvexShape* shape, int id) {
  const mjModel* m = shape->model;
  int vertex = m->mesh_vertadr[shape->mesh] + vertex_of(shape, id);
  *num = int_min(m->mesh_polymapnum[vertex], MAX_FACETS);
  return m->mesh_polymap + m->mesh_polymapadr[vertex];
}

const int* mesh_face(int* num, const ConvexShape* shape, int face) {
  const mjModel* m = shape->model;
  int poly = m->mesh_polyadr[shape->mesh] + face;
  *num = m->mesh_polyvertnum[poly];
  return m->mesh_polyvert + m->mesh_polyvertadr[poly];
}

// The faces that all vertices share: two vertices share at most two, three at most one.
static int faces(int face[MAX_FACETS], const ConvexShape* shape, const int* id, int num,
                 const mjtNum u[3]) {
  (void)u;
  int count;
  const int* around = faces_around(&count, shape, id[0]);
  memcpy(face, around, (size_t)count * sizeof(int));
  for (int k = 1; k < num; k++) {
    int kept = 0, other;
    const int* list = faces_around(&other, shape, id[k]);
    for (int i = 0; i < count && kept < 3 - k; i++) {
      if (is_among(face[i], list, other)) {
        face[kept++] = face[i];
      }
    }
    count = kept;
  }
  return count;
}

static void normal(mjtNum n[3], const ConvexShape* shape, int face) {
  const mjModel* m = shape->model;
  v3_copy(n, m->mesh_polynormal + 3 * (size_t)(m->mesh_polyadr[shape->mesh] + face));
}

int mesh_face_along(const ConvexShape* shape, int vertex, const mjtNum l[3]) {
  const mjModel* m = shape->model;
  int at = m->mesh_vertadr[shape->mesh] + vertex, best = -1;
  const int* around = m->mesh_polymap + m->mesh_polymapadr[at];
  mjtNum most = -INFINITY;
  for (int i = 0; i < m->mesh_polymapnum[at]; i++) {
    mjtNum n[3];
    normal(n, shape, around[i]);
    mjtNum along = v3_dot(n, l);
    if (along > most) {
      most = along;
      best = around[i];
    }
  }
  return best;
}

static int polygon(mjtNum vertex[MAX_FACETS][3], const ConvexShape* shape, int face) {
  int num;
  const int* ids = mesh_face(&num, shape, face);
  num = int_min(num, MAX_FACETS);
  for (int i = 0; i < num; i++) {
    mesh_point(vertex[i], shape, ids[num - 1 - i]);
  }
  return num;
}

// The far end of each edge: in each face around the vertex, the vertex before it.
static int ends(mjtNum end[MAX_FACETS][3], const ConvexShape* shape, int id) {
  int num, count = 0, vertex = vertex_of(shape, id);
  const int* around = faces_around(&num, shape, id);
  for (int i = 0; i < num; i++) {
    int corners;
    const int* ids = mesh_face(&corners, shape, around[i]);
    for (int k = 0; k < corners; k++) {
      if (ids[k] == vertex) {
        mesh_point(end[count++], shape, ids[k ? k - 1 : corners - 1]);
        break;
      }
    }
  }
  return count;
}

static void corner(mjtNum corner[3], const ConvexShape* shape, int id) {
  mesh_point(corner, shape, vertex_of(shape, id));
}

static int number(const ConvexShape* shape) {
  return shape->model->mesh_polynum[shape->mesh];
}

static const Facets facets = {number, corner, faces, normal, polygon, ends, 4};
const ConvexKind convex_mesh = {
    .support = support, .legacy = legacy, .facets = &facets, .has_vertices = 1, .has_memory = 1};
const ConvexKind convex_sdf = {.support = support, .legacy = legacy, .has_memory = 1};
