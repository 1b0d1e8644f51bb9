#pragma STDC FP_CONTRACT OFF  // rounding decides which features tie

#include <math.h>
#include <mujoco/mjtnum.h>

#include "collision/convex/shape.h"

// Meshes of fewer vertices are searched one by one.
enum {
  MIN_CLIMB = 10
};

static void vertex_at(mjtNum v[3], const ConvexShape* shape, int id) {
  const float* x = shape->vert + 3 * (size_t)id;
  v3_set(v, x[0], x[1], x[2]);
}

static mjtNum height(const ConvexShape* shape, int id, const mjtNum l[3]) {
  mjtNum v[3];
  vertex_at(v, shape, id);
  return v3_dot(v, l);
}

// The highest of all vertices along l, at first `best` if it is one.
static int search(const ConvexShape* shape, const mjtNum l[3], int best) {
  mjtNum top = best >= 0 ? height(shape, best, l) : -INFINITY;
  best = best >= 0 ? best : 0;
  for (int i = 0; i < shape->nvert; i++) {
    mjtNum h = height(shape, i, l);
    if (h > top) {
      top = h;
      best = i;
    }
  }
  return best;
}

// From one vertex of the hull to the highest of its neighbours, until none is higher than top. The
// height of the vertex and the top grow with every move, so it ends.
static int climb(const ConvexShape* shape, const mjtNum l[3], int at, mjtNum top) {
  const int *edgeadr = shape->graph + 2, *id = edgeadr + shape->graph[0];
  const int* edges = id + shape->graph[0];
  for (int next = at; next >= 0;) {
    at = next;
    next = -1;
    for (const int* edge = edges + edgeadr[at]; *edge >= 0; edge++) {
      mjtNum h = height(shape, id[*edge], l);
      if (h > top) {
        top = h;
        next = *edge;
      }
    }
  }
  return at;
}

static int is_climbed(const ConvexShape* shape) {
  return shape->graph && shape->nvert >= MIN_CLIMB;
}

int mesh_vertex(const ConvexShape* shape, int id) {
  return is_climbed(shape) ? shape->graph[2 + shape->graph[0] + id] : id;
}

// The first step leads to a neighbour in any case; the vertex it leaves may win it back.
static int support(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  mjtNum l[3];
  shape_direction(l, shape, u);
  int start = shape->last >= 0 ? shape->last : shape->climbed;
  int id = is_climbed(shape) ? climb(shape, l, start, -INFINITY)
                             : search(shape, l, shape->last);
  vertex_at(l, shape, mesh_vertex(shape, id));
  shape_point(point, shape, l);
  return id;
}

int mesh_support_climbed(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3], int start) {
  mjtNum l[3];
  shape_direction(l, shape, u);
  int id = 0, vertex;
  if (shape->graph) {
    const int* ids = shape->graph + 2 + shape->graph[0];
    id = climb(shape, l, start, height(shape, ids[start], l));
    vertex = ids[id];
  } else {
    vertex = search(shape, l, -1);
  }
  vertex_at(l, shape, vertex);
  shape_point(point, shape, l);
  return id;
}

static int legacy(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  int id = mesh_support_climbed(point, shape, u, shape->climbed);
  v3_addtoscl(point, u, (mjtNum)0.5 * shape->margin);
  return id;
}

const ConvexKind convex_mesh = {.support = support, .legacy = legacy, .has_vertices = 1};
const ConvexKind convex_sdf = {.support = support, .legacy = legacy};
