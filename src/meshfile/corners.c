// corners.c: vertices from corners, by lists of the vertices of each position.

#include "meshfile/corners.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
  MOST_TRIED = 64,        // vertices of one position that are compared with a corner
  CUT_BUDGET = 20000000,  // beyond it polygons become fans, to bound the time
};

static const int width_of[NCORNER] = {3, 3, 2};

void corners_start(Corners* corners, const MeshBuild* build) {
  *corners = (Corners){.build = build, .budget = CUT_BUDGET};
}

void corners_values(Corners* corners, const CornerValues values[NCORNER]) {
  memcpy(corners->values, values, sizeof(corners->values));
  size_t count = values[CORNER_POSITION].count;
  if (count > corners->nnewest) {
    size_t room = count < 2 * corners->nnewest ? 2 * corners->nnewest : count;
    corners->newest = heap_resize(corners->newest, room * sizeof(int));
    memset(corners->newest + corners->nnewest, -1, (room - corners->nnewest) * sizeof(int));
    corners->nnewest = room;
  }
}

static void check_corner(const Corners* corners, const int at[NCORNER], const char* text) {
  static const char* const names[NCORNER] = {"position", "normal", "texture coordinate"};
  for (int k = 0; k < NCORNER; k++) {
    if (at[k] < (k == CORNER_POSITION ? 0 : -1) || at[k] >= (long)corners->values[k].count) {
      build_fail(corners->build, text, "index %d of a %s is out of range: there are %zu", at[k],
                 names[k], corners->values[k].count);
    }
  }
}

int corners_vertex(Corners* corners, const int at[NCORNER], const char* text) {
  check_corner(corners, at, text);
  int *newest = &corners->newest[at[CORNER_POSITION]], tried = 0;
  for (int i = *newest; i >= 0 && tried < MOST_TRIED; i = corners->vertex[i].next, tried++) {
    const CornerVertex* other = &corners->vertex[i];
    if (other->at[CORNER_NORMAL] == at[CORNER_NORMAL] &&
        other->at[CORNER_TEXCOORD] == at[CORNER_TEXCOORD]) {
      return i;
    }
  }
  const float* place = corners->values[CORNER_POSITION].item +
                       (size_t)at[CORNER_POSITION] * corners->values[CORNER_POSITION].stride;
  if (!isfinite(place[0]) || !isfinite(place[1]) || !isfinite(place[2])) {
    build_fail(corners->build, text, "position %d is not finite: %g %g %g", at[CORNER_POSITION],
               (double)place[0], (double)place[1], (double)place[2]);
  }
  corners->vertex =
      build_grow(corners->vertex, &corners->vertex_room, corners->nvertex, sizeof(CornerVertex));
  CornerVertex* vertex = &corners->vertex[corners->nvertex];
  memcpy(vertex->at, at, sizeof(vertex->at));
  vertex->next = *newest;
  *newest = (int)corners->nvertex;
  return (int)corners->nvertex++;
}

void corners_triangle(Corners* corners, int a, int b, int c) {
  if (corners->ncorner + 3 > corners->face_room) {
    corners->face_room = corners->face_room ? 2 * corners->face_room : 96;
    corners->face = heap_resize(corners->face, corners->face_room * sizeof(int));
  }
  if (corners->ncorner > INT_MAX - 3) {
    build_fail(corners->build, NULL, "too many triangles");
  }
  int* face = corners->face + corners->ncorner;
  face[0] = a;
  face[1] = b;
  face[2] = c;
  corners->ncorner += 3;
}

// polygons

void corners_point(Corners* corners, int vertex) {
  corners->polygon =
      build_grow(corners->polygon, &corners->polygon_room, corners->npolygon, sizeof(int));
  corners->polygon[corners->npolygon++] = vertex;
}

static const float* place_of(const Corners* corners, int vertex) {
  return corners->values[CORNER_POSITION].item +
         (size_t)corners->vertex[vertex].at[CORNER_POSITION] *
             corners->values[CORNER_POSITION].stride;
}

// out = (b - a) x (c - b)
static void bend(double out[3], const float a[3], const float b[3], const float c[3]) {
  double u[3], v[3];
  for (int k = 0; k < 3; k++) {
    u[k] = (double)b[k] - a[k];
    v[k] = (double)c[k] - b[k];
  }
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    out[k] = u[i] * v[j] - u[j] * v[i];
  }
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Twice the area of a polygon as a vector: the sum of the areas of a fan.
static void polygon_normal(double out[3], const Corners* corners, const int* v, size_t n) {
  memset(out, 0, 3 * sizeof(double));
  for (size_t i = 2; i < n; i++) {
    double part[3];
    bend(part, place_of(corners, v[0]), place_of(corners, v[i - 1]), place_of(corners, v[i]));
    for (int k = 0; k < 3; k++) {
      out[k] += part[k];
    }
  }
}

static int turns_left(const Corners* corners, const double normal[3], int a, int b, int c) {
  double part[3];
  bend(part, place_of(corners, a), place_of(corners, b), place_of(corners, c));
  return dot(part, normal) >= 0;
}

static int is_convex(const Corners* corners, const double normal[3], const int* v, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (!turns_left(corners, normal, v[i], v[(i + 1) % n], v[(i + 2) % n])) {
      return 0;
    }
  }
  return 1;
}

// Is the triangle at corner i of the remaining ones convex, with no other corner inside?
static int is_ear(Corners* corners, const double normal[3], const int* v, size_t n, size_t i) {
  int a = v[i], b = v[(i + 1) % n], c = v[(i + 2) % n];
  if (!turns_left(corners, normal, a, b, c)) {
    return 0;
  }
  corners->budget -= corners->budget < n ? corners->budget : n;
  for (size_t k = 3; k < n; k++) {
    int p = v[(i + k) % n];
    const float* place = place_of(corners, p);
    int is_corner = p == a || p == b || p == c;
    if (!is_corner && memcmp(place, place_of(corners, a), 3 * sizeof(float)) &&
        memcmp(place, place_of(corners, c), 3 * sizeof(float)) &&
        turns_left(corners, normal, a, b, p) && turns_left(corners, normal, b, c, p) &&
        turns_left(corners, normal, c, a, p)) {
      return 0;
    }
  }
  return 1;
}

static void add_fan(Corners* corners, const int* v, size_t n) {
  for (size_t i = 2; i < n; i++) {
    corners_triangle(corners, v[0], v[i - 1], v[i]);
  }
}

// Cuts off ears until a triangle is left, or none is an ear, or it takes too long.
static void cut_ears(Corners* corners, const double normal[3], int* v, size_t n) {
  size_t i = 0, tried = 0;
  while (n > 3 && tried < n && corners->budget) {
    if (!is_ear(corners, normal, v, n, i)) {
      i = (i + 1) % n;
      tried++;
      continue;
    }
    size_t middle = (i + 1) % n;
    corners_triangle(corners, v[i], v[middle], v[(i + 2) % n]);
    memmove(v + middle, v + middle + 1, (n - middle - 1) * sizeof(int));
    n--;
    i = middle < i ? i - 1 : i % n;
    tried = 0;
  }
  add_fan(corners, v, n);
}

void corners_close(Corners* corners) {
  int* v = corners->polygon;
  size_t n = corners->npolygon;
  double normal[3];
  corners->npolygon = 0;
  if (n < 4) {
    add_fan(corners, v, n);
    return;
  }
  polygon_normal(normal, corners, v, n);
  if (is_convex(corners, normal, v, n)) {
    add_fan(corners, v, n);
  } else {
    cut_ears(corners, normal, v, n);
  }
}

// results

static float* gather(const Corners* corners, int kind) {
  const CornerValues* values = &corners->values[kind];
  size_t n = corners->nvertex, width = (size_t)width_of[kind];
  int is_used = 0;
  for (size_t i = 0; i < n && !is_used; i++) {
    is_used = corners->vertex[i].at[kind] >= 0;
  }
  if (!is_used && kind != CORNER_POSITION) {
    return NULL;
  }
  float* out = heap_zero(width * n + 1, sizeof(float));
  for (size_t i = 0; i < n; i++) {
    int at = corners->vertex[i].at[kind];
    if (at >= 0) {
      memcpy(out + width * i, values->item + (size_t)at * values->stride, width * sizeof(float));
    }
  }
  return out;
}

void corners_part(MeshPart* part, Corners* corners) {
  part->nvert = (int)corners->nvertex;
  part->nface = (int)(corners->ncorner / 3);
  part->vert = gather(corners, CORNER_POSITION);
  part->normal = gather(corners, CORNER_NORMAL);
  part->texcoord = gather(corners, CORNER_TEXCOORD);
  part->face = heap_take(corners->ncorner * sizeof(int));
  if (corners->ncorner) {
    memcpy(part->face, corners->face, corners->ncorner * sizeof(int));
  }
  for (size_t i = 0; i < corners->nvertex; i++) {
    corners->newest[corners->vertex[i].at[CORNER_POSITION]] = -1;
  }
  corners->total += corners->ncorner / 3;
  if (corners->total > corners->build->triangles_most) {
    build_fail(corners->build, NULL, "too many triangles for a file of %zu bytes",
               corners->build->size);
  }
  corners->nvertex = corners->ncorner = 0;
}
