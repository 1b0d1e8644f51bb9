// Copies the vertices of a mesh, or of its hull, in blocks of POINT_LANES: first x, then y, then z.

#include "collision/convex/shape/support_points.h"

#include <math.h>

enum {
  GROUP = 4,
  INFINITE = 0x7f800000  // bits of infinity; those of NaN are larger
};

typedef float Floats __attribute__((vector_size(16), aligned(sizeof(float)), may_alias));
#if defined(__clang__) || __GNUC__ >= 12
#define FLOATS_ZIP(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define FLOATS_PICK(a, b, i) ((i) < 4 ? (a)[(i) % 4] : (b)[(i) % 4])
#define FLOATS_ZIP(a, b, i, j, k, l) \
  ((Floats){FLOATS_PICK(a, b, i), FLOATS_PICK(a, b, j), FLOATS_PICK(a, b, k), FLOATS_PICK(a, b, l)})
#endif

typedef int32_t Bits __attribute__((vector_size(16), aligned(sizeof(float)), may_alias));

static int is_of_hull(const ConvexShape* shape) {
  return shape->kind->has_memory && mesh_is_climbed(shape);
}

int points_number(const ConvexShape* shape) {
  int num = shape->kind->has_memory ? shape->nvert : 0;
  return is_of_hull(shape) ? shape->graph[0] : num;
}

// Places of the vertices of a mesh or its hull.
typedef struct Rows {
  const float* vert;
  const int* hull;  // ids; NULL: all vertices
  int end;          // the last vertex
  float last[4];    // its copy with a number behind it, which is read with it
} Rows;

INLINE const float* row_at(const Rows* rows, int i) {
  int id = rows->hull ? rows->hull[i] : i;
  return id < rows->end ? rows->vert + 3 * (size_t)id : rows->last;
}

// Writes the coordinates of four vertices, and raises `most` to the bits of their magnitudes.
INLINE void transpose(float block[3][POINT_LANES], Bits* most, const float* const row[GROUP]) {
  const Bits unsign = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
  Floats r[GROUP], x[3];
  for (int j = 0; j < GROUP; j++) {
    r[j] = SIMD_READ(Floats, row[j]);
  }
  Floats xy0 = FLOATS_ZIP(r[0], r[1], 0, 4, 1, 5), xy2 = FLOATS_ZIP(r[2], r[3], 0, 4, 1, 5);
  Floats z0 = FLOATS_ZIP(r[0], r[1], 2, 6, 3, 7), z2 = FLOATS_ZIP(r[2], r[3], 2, 6, 3, 7);
  x[0] = FLOATS_ZIP(xy0, xy2, 0, 1, 4, 5);
  x[1] = FLOATS_ZIP(xy0, xy2, 2, 3, 6, 7);
  x[2] = FLOATS_ZIP(z0, z2, 0, 1, 4, 5);
  for (int k = 0; k < 3; k++) {
    SIMD_AT(Floats, block[k]) = x[k];
    Bits magnitude = (Bits)x[k] & unsign, larger = magnitude > *most;
    *most = (magnitude & larger) | (*most & ~larger);
  }
}

// A block of vertices from i on, of which `num` are left.
INLINE void fill_block(float block[3][POINT_LANES], Bits* most, const Rows* rows, int i, int num) {
  static const float origin[4] = {0, 0, 0, 0};
  for (int k = 0; k < POINT_LANES; k += GROUP) {
    const float* row[GROUP];
    for (int j = 0; j < GROUP; j++) {
      row[j] = k + j < num ? row_at(rows, i + k + j) : origin;
    }
    transpose((float(*)[POINT_LANES])(block[0] + k), most, row);
  }
}

INLINE Bits fill(SupportPoints* p, const Rows* rows, int num) {
  Bits most = {0};
  int i = 0;
  for (; i + POINT_LANES <= num; i += POINT_LANES) {
    fill_block(p->block[i / POINT_LANES], &most, rows, i, POINT_LANES);
  }
  if (i < num) {
    fill_block(p->block[i / POINT_LANES], &most, rows, i, num - i);
  }
  return most;
}

// Vertices go in four at a time, because vector loads wait long for single stores.
KERNEL const SupportPoints* points_fill(SupportPoints* p, const ConvexShape* shape) {
  const int num = points_number(shape), end = shape->nvert - 1;
  const float* v = shape->vert + 3 * (size_t)end;
  Rows rows = {shape->vert, NULL, end, {v[0], v[1], v[2], 0}};
  Bits most;
  if (is_of_hull(shape)) {
    rows.hull = shape->graph + 2 + num;
    most = fill(p, &rows, num);
  } else {
    most = fill(p, &rows, num);
  }
  int bits = int_max(int_max(most[0], most[1]), int_max(most[2], most[3]));
  float size;
  memcpy(&size, &bits, sizeof(size));
  p->num = num;
  p->table = NULL;
  p->scale = (float)POINT_UNIT / size;
  p->mask = POINT_LANES - 1;
  while (p->mask < num - 1) {
    p->mask = 2 * p->mask + 1;
  }
  return bits < INFINITE && p->scale < INFINITY ? p : NULL;
}
