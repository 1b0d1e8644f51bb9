// Containment of convex shapes. With the support heights h(n) = max over x of n.x,
//
//   reach = max over unit n of h_object(n) - h_room(n)  =  max over x in the object of dist(x)
//
// where dist is the signed distance from the room. dist is convex, so its maximum is at an extreme
// point of the object: for polytopes and segments at one of finitely many. A radius around either
// shape just adds. For an object within a polytope the maximum over n is at a normal of a facet.
// What is left, objects with curved surfaces, is an ascent: from the highest point along n to the
// direction of its distance, and so on, which never descends.
//                                                     theory/time/sensors.md, Enclosed objects

#include "collision/query/enclosed.h"

#include <math.h>
#include <mujoco/api/base.h>

#include "collision/convex/gjk.h"

enum {
  ELLIPSOID_STEPS = 100,
  FIRST_STEPS = 4,  // of each ascent, before the highest ones go on
  LAST_STEPS = 500,
  FINALISTS = 3,
};

// Relative progress that is rounding.
#define STALLED ((mjtNum)(sizeof(mjtNum) == sizeof(double) ? 1e-15 : 1e-7))

// distances from the room: each writes the direction of the distance, a unit vector, in the frame
// of the room. x is in that frame.

// From a point or a segment along z.
static mjtNum from_segment(mjtNum n[3], const mjtNum x[3], mjtNum half) {
  v3_set(n, x[0], x[1], x[2] - num_clamp(x[2], -half, half));
  mjtNum dist = v3_norm(n);
  if (dist < mjMINVAL) {
    v3_set(n, 1, 0, 0);
  } else {
    v3_scl(n, n, 1 / dist);
  }
  return dist;
}

static mjtNum from_box(mjtNum n[3], const mjtNum x[3], const mjtNum size[3]) {
  mjtNum out[3], beyond[3];
  int nearest = 0;
  for (int k = 0; k < 3; k++) {
    out[k] = mju_abs(x[k]) - size[k];
    nearest = out[k] > out[nearest] ? k : nearest;
    beyond[k] = out[k] > 0 ? (x[k] < 0 ? -out[k] : out[k]) : 0;
  }
  mjtNum dist = v3_norm(beyond);
  if (dist < mjMINVAL) {
    v3_zero(n);
    n[nearest] = x[nearest] < 0 ? -1 : 1;
    return out[nearest];
  }
  v3_scl(n, beyond, 1 / dist);
  return dist;
}

// size: radius, half length. In the plane of the axis and x it is the distance from a rectangle.
static mjtNum from_cylinder(mjtNum n[3], const mjtNum x[3], const mjtNum size[2]) {
  mjtNum away = mju_sqrt(x[0] * x[0] + x[1] * x[1]);
  const mjtNum flat[3] = {away, x[2], 0}, sides[3] = {size[0], size[1], (mjtNum)mjMAXVAL};
  mjtNum m[3], dist = from_box(m, flat, sides);
  if (away > mjMINVAL) {
    v3_set(n, m[0] * x[0] / away, m[0] * x[1] / away, m[1]);
  } else {
    v3_set(n, m[0], 0, m[1]);
  }
  return dist;
}

// The point of the surface nearest to x is y = a^2 x / (a^2 + t), t > -min a^2, with
//
//     g(t) = sum (a x / (a^2 + t))^2 - 1 = 0
//
// g falls and is convex, so Newton's steps from below never pass the root. s = t + min a^2 is
// counted, because both may nearly cancel. If x has no component along the least half axis, and g
// is negative at s = 0 already, the nearest points are there, on both sides of the other axes.
static mjtNum from_ellipsoid(mjtNum n[3], const mjtNum x[3], const mjtNum a[3]) {
  int least = 0;
  for (int k = 1; k < 3; k++) {
    int shorter = a[k] < a[least] || (a[k] == a[least] && mju_abs(x[k]) > mju_abs(x[least]));
    least = shorter ? k : least;
  }
  mjtNum more[3], y[3], shortest = a[least] * a[least], s = a[least] * mju_abs(x[least]);
  for (int k = 0; k < 3; k++) {
    more[k] = (a[k] - a[least]) * (a[k] + a[least]);
  }
  for (int step = 0; step < ELLIPSOID_STEPS; step++) {
    mjtNum g = -1, slope = 0;
    for (int k = 0; k < 3; k++) {
      mjtNum sum = more[k] + s, term = x[k] == 0 ? 0 : num_square(a[k] * x[k] / sum);
      g += term;
      slope -= x[k] == 0 ? 0 : 2 * term / sum;
    }
    mjtNum next = s - g / slope;
    if (!(g > 0) || !(next > s)) {
      break;
    }
    s = next;
  }
  mjtNum rest = 1;
  for (int k = 0; k < 3; k++) {
    y[k] = x[k] == 0 ? 0 : a[k] * a[k] * x[k] / (more[k] + s);
    rest -= num_square(y[k] / a[k]);
  }
  if (x[least] == 0 && rest > 0) {
    y[least] = a[least] * mju_sqrt(rest);
  }
  for (int k = 0; k < 3; k++) {
    n[k] = y[k] / (a[k] * a[k]) * shortest;
  }
  v3_normalize(n);
  return v3_dot(n, x) - v3_dot(n, y);
}

// From the hull of a mesh; 0 within it. Both are in the world.
static mjtNum from_hull(mjtNum n[3], const mjtNum x[3], const ConvexShape* hull) {
  ConvexShape mesh = *hull, point = {.kind = &convex_sphere, .mat = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  Gjk g = {.tolerance = (mjtNum)1e-12, .iterations = 200, .cutoff = GJK_FAR, .discrete = 1};
  v3_copy(point.pos, x);
  mesh.last = point.last = -1;
  mjtNum dist = gjk_distance(&g, &point, &mesh);
  v3_sub(n, g.x1, g.x2);
  if (!(dist > mjMINVAL)) {
    v3_set(n, 1, 0, 0);
    return 0;
  }
  v3_scl(n, n, 1 / dist);
  return dist;
}

// The distance of a world point from the room without the radius of its core, and its direction.
static mjtNum from_room(mjtNum n[3], const mjtNum x[3], const ConvexShape* room) {
  if (room->kind == &convex_mesh) {
    return from_hull(n, x, room);
  }
  mjtNum local[3], dist, way[3];
  v3_tolocal(local, x, room->pos, room->mat);
  if (room->kind == &convex_box) {
    dist = from_box(way, local, room->size);
  } else if (room->kind == &convex_ellipsoid) {
    dist = from_ellipsoid(way, local, room->size);
  } else if (room->kind == &convex_cylinder) {
    dist = from_cylinder(way, local, room->size);
  } else {
    dist = from_segment(way, local, room->kind == &convex_capsule ? room->size[1] : 0);
  }
  m3_mulv(n, room->mat, way);
  return dist;
}

// facets

// Triangles of a mesh's hull, of the mesh itself if it has none, whose outer side is away from
// `inner`.
typedef struct Hull_ {
  const float* vert;
  const int* face;
  int nface;
  mjtNum inner[3];
} Hull;

static void hull_of(Hull* hull, const mjModel* m, int mesh) {
  int at = m->mesh_graphadr[mesh], n = m->mesh_vertnum[mesh];
  const int* graph = at < 0 ? NULL : m->mesh_graph + at;
  hull->vert = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh];
  hull->face =
      graph ? graph + 2 + 3 * (graph[0] + graph[1]) : m->mesh_face + 3 * m->mesh_faceadr[mesh];
  hull->nface = graph ? graph[1] : m->mesh_facenum[mesh];
  v3_zero(hull->inner);
  for (int i = 0; i < n; i++) {
    const float* v = hull->vert + 3 * i;
    const mjtNum p[3] = {v[0], v[1], v[2]};
    v3_addtoscl(hull->inner, p, 1 / (mjtNum)n);
  }
}

// The plane n.x = height of a face. Returns 0 if it has no area to tell.
static int hull_plane(mjtNum n[3], mjtNum* height, const Hull* hull, int face) {
  mjtNum p[3][3], side[2][3];
  for (int i = 0; i < 3; i++) {
    const float* v = hull->vert + 3 * hull->face[3 * face + i];
    v3_set(p[i], v[0], v[1], v[2]);
  }
  v3_sub(side[0], p[1], p[0]);
  v3_sub(side[1], p[2], p[0]);
  v3_cross(n, side[0], side[1]);
  mjtNum area = v3_norm(n), most = v3_norm(side[0]) * v3_norm(side[1]);
  if (!(area > (mjtNum)1e-7 * most)) {
    return 0;
  }
  v3_scl(n, n, (v3_dot(n, p[0]) < v3_dot(n, hull->inner) ? -1 : 1) / area);
  *height = v3_dot(n, p[0]);
  return 1;
}

int enclosed_point(const mjModel* m, int mesh, const mjtNum x[3]) {
  Hull hull;
  hull_of(&hull, m, mesh);
  for (int i = 0; i < hull.nface; i++) {
    mjtNum n[3], height;
    if (hull_plane(n, &height, &hull, i) && !(v3_dot(n, x) < height)) {
      return 0;
    }
  }
  return hull.nface > 0;
}

// How far the object is above a plane of the room: n.x = height in the room's frame.
static mjtNum above(const ConvexShape* object, const ConvexShape* room, const mjtNum n[3],
                    mjtNum height) {
  mjtNum u[3], top[3];
  m3_mulv(u, room->mat, n);
  object->kind->support(top, object, u);
  v3_subfrom(top, room->pos);
  return v3_dot(u, top) - height;
}

// How far it is above the plane of any facet of a polytope.
static mjtNum above_facets(const ConvexShape* object, const ConvexShape* room) {
  mjtNum most = -INFINITY, n[3], height;
  if (room->kind == &convex_box) {
    for (int i = 0; i < 6; i++) {
      v3_zero(n);
      n[i / 2] = i % 2 ? -1 : 1;
      most = num_max(most, above(object, room, n, room->size[i / 2]));
    }
    return most;
  }
  Hull hull;
  hull_of(&hull, room->model, room->mesh);
  for (int i = 0; i < hull.nface; i++) {
    if (hull_plane(n, &height, &hull, i)) {
      most = num_max(most, above(object, room, n, height));
    }
  }
  return most;
}

// objects with corners

static mjtNum farthest_corner(const ConvexShape* object, const ConvexShape* room) {
  int is_mesh = object->kind == &convex_mesh, is_box = object->kind == &convex_box;
  const int* graph = is_mesh ? object->graph : NULL;
  int num = is_mesh ? (graph ? graph[0] : object->nvert) : is_box ? 8 : 2;
  mjtNum most = -INFINITY, corner[3], n[3];
  for (int i = 0; i < num; i++) {
    if (is_mesh) {
      mesh_point(corner, object, graph ? hull_vertex(object, i) : i);
    } else if (is_box) {
      const mjtNum* s = object->size;
      v3_set(corner, i & 1 ? s[0] : -s[0], i & 2 ? s[1] : -s[1], i & 4 ? s[2] : -s[2]);
    } else {
      mjtNum half = object->kind == &convex_capsule ? object->size[1] : 0;
      v3_set(corner, 0, 0, i ? half : -half);
    }
    shape_point(corner, object, corner);
    mjtNum dist = from_room(n, corner, room);
    // within a hull the distance is not known, and some facet decides
    if (dist > 0 || room->kind != &convex_mesh) {
      most = num_max(most, dist);
    }
  }
  return most;
}

// objects with curved surfaces

// A point of the object, its distance from the room, and the direction of that.
typedef struct Climb_ {
  mjtNum n[3], dist;
} Climb;

static Climb climb_to(const ConvexShape* object, const ConvexShape* room, const mjtNum n[3]) {
  Climb at;
  mjtNum top[3];
  object->kind->support(top, object, n);
  at.dist = from_room(at.n, top, room);
  return at;
}

// Steps that go on beyond where the plain ones end, by more and more as long as that is higher.
static Climb climb_on(const ConvexShape* object, const ConvexShape* room, Climb at, int steps) {
  mjtNum over = 1;
  int stalled = 0;
  for (int i = 0; i < steps && stalled < 3; i++) {
    Climb plain = climb_to(object, room, at.n), far;
    mjtNum way[3];
    v3_sub(way, plain.n, at.n);
    v3_addscl(way, plain.n, way, over);
    if (v3_normalize(way) > mjMINVAL && (far = climb_to(object, room, way)).dist > plain.dist) {
      plain = far;
      over *= 2;
    } else {
      over = 1;
    }
    stalled = plain.dist - at.dist <= STALLED * mju_abs(at.dist) ? stalled + 1 : 0;
    at = plain.dist > at.dist ? plain : at;
  }
  return at;
}

// Ascents begin along the axes, edges and corners of cubes in the frames of both shapes.
static mjtNum farthest_curve(const ConvexShape* object, const ConvexShape* room) {
  Climb best[FINALISTS];
  int num = 0;
  for (int i = 0; i < 2 * 27; i++) {
    int k = i % 27;
    int x = k / 9 - 1, y = k / 3 % 3 - 1, z = k % 3 - 1;
    mjtNum n[3] = {(mjtNum)x, (mjtNum)y, (mjtNum)z}, u[3];
    if (k == 13) {
      continue;
    }
    v3_normalize(n);
    m3_mulv(u, i < 27 ? object->mat : room->mat, n);
    Climb at = climb_on(object, room, climb_to(object, room, u), FIRST_STEPS);
    int place = num;
    for (; place > 0 && at.dist > best[place - 1].dist; place--) {
      if (place < FINALISTS) {
        best[place] = best[place - 1];
      }
    }
    if (place < FINALISTS) {
      best[place] = at;
      num += num < FINALISTS;
    }
  }
  mjtNum most = -INFINITY;
  for (int i = 0; i < num; i++) {
    most = num_max(most, climb_on(object, room, best[i], LAST_STEPS).dist);
  }
  return most;
}

mjtNum enclosed_reach(const ConvexShape* object, const ConvexShape* room) {
  mjtNum facets = -INFINITY;
  if (room->kind == &convex_box || room->kind == &convex_mesh) {
    facets = above_facets(object, room);
    if (facets <= 0) {
      return facets;
    }
  }
  int is_curved = object->kind == &convex_ellipsoid || object->kind == &convex_cylinder;
  mjtNum reach = is_curved ? farthest_curve(object, room) : farthest_corner(object, room);
  reach += object->kind->has_core ? object->radius : 0;
  reach -= room->kind->has_core ? room->radius : 0;
  return num_max(reach, facets);
}
