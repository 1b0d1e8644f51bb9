#pragma STDC FP_CONTRACT OFF  // rounding decides which features tie

#include <math.h>
#include <mujoco/mjtnum.h>

#include "collision/convex/shape.h"

// Meshes of fewer vertices are searched one by one.
enum {
  MIN_CLIMB = 10
};

static mjtNum height(const ConvexShape* shape, int id, const mjtNum l[3]) {
  mjtNum v[3];
  mesh_point(v, shape, id);
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

// From one vertex of the hull to the highest of its neighbours, as long as that is higher than the
// top so far, which grows with every move: so it ends.
static int climb(const ConvexShape* shape, const mjtNum l[3], int at, mjtNum top) {
  for (int next = at; next >= 0;) {
    at = next;
    next = -1;
    for (const int* near = hull_neighbours(shape, at); *near >= 0; near++) {
      mjtNum h = height(shape, hull_vertex(shape, *near), l);
      if (h > top) {
        top = h;
        next = *near;
      }
    }
  }
  return at;
}

static int is_climbed(const ConvexShape* shape) {
  return shape->graph && shape->nvert >= MIN_CLIMB;
}

// The first step leads to a neighbour in any case; the vertex it leaves may win it back.
static int support(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  mjtNum l[3];
  shape_direction(l, shape, u);
  int climbs = is_climbed(shape), start = shape->last >= 0 ? shape->last : shape->climbed;
  int id = climbs ? climb(shape, l, start, -INFINITY) : search(shape, l, shape->last);
  mesh_point(l, shape, climbs ? hull_vertex(shape, id) : id);
  shape_point(point, shape, l);
  return id;
}

int mesh_support_plain(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3], int start) {
  mjtNum l[3];
  shape_direction(l, shape, u);
  int id = shape->graph ? climb(shape, l, start, height(shape, hull_vertex(shape, start), l))
                        : search(shape, l, -1);
  mesh_point(point, shape, shape->graph ? hull_vertex(shape, id) : id);
  legacy_point(point, shape, point, l);
  return id;
}

static int legacy(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  return mesh_support_plain(point, shape, u, shape->climbed);
}

const ConvexKind convex_mesh = {
    .support = support, .legacy = legacy, .has_vertices = 1, .has_memory = 1};
const ConvexKind convex_sdf = {.support = support, .legacy = legacy, .has_memory = 1};
