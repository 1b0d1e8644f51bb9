// obj.c: reads Wavefront OBJ: vertices "v", texture coordinates "vt", normals "vn", and the faces
// "f" of the first shape.
//
// A corner of a face is v, v/vt, v//vn or v/vt/vn, counted from 1, or from the end if negative. All
// vertices of the file are kept, in order. A shape ends at the first "o" or "g" after its faces.
// Polygons are cut into triangles by ear clipping: from the first corner on, a triangle of three
// consecutive corners is cut off if it is convex and contains no other corner, else the next three
// are tried; where none can be cut off, or the first one was the last to be tried, the rest is left
// out, and so are polygons of more than 100 corners. Numbers are floats, as in MuJoCo, so
// that the sides of small polygons far from the origin come out as there: their area is rounding.
#include <float.h>
#include <math.h>
#include <mujoco/api/base.h>
#include <stdint.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/text/text.h"
#include "compile/mesh/steps.h"

// A growing array of floats or ints.
typedef struct Growing_ {
  void* item;
  size_t count, room;
} Growing;

// One corner: indices of vertex, texture coordinate and normal, -1 for none.
typedef struct Corner_ {
  int v, vt, vn;
} Corner;

typedef struct Obj_ {
  Growing vert, texcoord, normal;  // floats
  Growing corner;                  // corners of triangles
  Growing polygon;                 // corners of the face being read
  Growing rest;                    // ints: indices of corners that are not cut off yet
  size_t budget;                   // point tests left for cutting polygons
  size_t nline;                    // faces since the last "o" or "g", with or without triangles
  int nlost;                       // polygons with too many corners
  int done;                        // 1 if the first shape is complete
} Obj;

// Two axes onto which a polygon is projected, and its area there.
typedef struct Plane_ {
  int axes[2];
  float area;
  int is_later;
} Plane;

enum {
  CUT_BUDGET = 20000000,  // beyond it polygons become fans, to bound the time
  MOST_CORNERS = 100,     // a polygon with more is no face, as in MuJoCo
};

static void* grow(Growing* array, size_t add, size_t size) {
  if (array->count + add > array->room) {
    size_t room = array->room ? 2 * array->room : 256;
    while (room < array->count + add) {
      room *= 2;
    }
    if (room > (size_t)1 << 28) {
      mju_error("mesh is too large");
    }
    array->item = heap_resize(array->item, room * size);
    array->room = room;
  }
  void* first = (char*)array->item + array->count * size;
  array->count += add;
  return first;
}

// numbers and words of one line

static int isblank_(char c) {
  return c == ' ' || c == '\t';
}

static int is_end(char c) {
  return c == 0 || c == '\n' || c == '\r';
}

static void skip_blanks(const char** cursor) {
  while (isblank_(**cursor)) {
    (*cursor)++;
  }
}

// The next number of the line, 0 if it is absent or no number.
static float next_float(const char** cursor, const char* end) {
  double value = 0;
  skip_blanks(cursor);
  if (!is_end(**cursor) && text_realbefore(&value, cursor, end) != TEXT_OK) {
    value = 0;
    *cursor += text_tokenlength(*cursor);
  }
  return (float)value;
}

// Reads numbers of a line. Returns their end.
static const char* read_floats(Growing* array, const char* cursor, size_t count, const char* end) {
  float* out = grow(array, count, sizeof(float));
  for (size_t i = 0; i < count; i++) {
    out[i] = next_float(&cursor, end);
  }
  return cursor;
}

// Reads an index and converts it to count from 0. Returns 0 if it is no number, or before the
// first.
static int read_index(int* index, const char** cursor, size_t count) {
  long value = 0;
  int negative = **cursor == '-';
  *cursor += negative || **cursor == '+';
  while (**cursor >= '0' && **cursor <= '9') {
    value = value < 1000000000 ? 10 * value + (**cursor - '0') : value;
    (*cursor)++;
  }
  long at = negative ? (long)count - value : value - 1;
  *index = (int)at;
  return value > 0 && at >= 0 && at <= 0x7FFFFFFF;
}

static int read_corner(const Obj* obj, Corner* corner, const char** cursor) {
  *corner = (Corner){-1, -1, -1};
  if (!read_index(&corner->v, cursor, obj->vert.count / 3)) {
    return 0;
  }
  if (**cursor == '/') {
    (*cursor)++;
    if (**cursor != '/' && !read_index(&corner->vt, cursor, obj->texcoord.count / 2)) {
      return 0;
    }
    if (**cursor == '/') {
      (*cursor)++;
      if (!read_index(&corner->vn, cursor, obj->normal.count / 3)) {
        return 0;
      }
    }
  }
  return isblank_(**cursor) || is_end(**cursor);
}

// cutting polygons

// 2D coordinates of a corner, on the two axes along which the polygon is widest.
static void project(float out[2], const Obj* obj, const Corner* corner, const int axes[2]) {
  const float* v = (const float*)obj->vert.item + 3 * (size_t)corner->v;
  out[0] = v[axes[0]];
  out[1] = v[axes[1]];
}

// Chooses the axes of the plane from the first corner that isn't straight.
static void choose_axes(int axes[2], const Obj* obj, const Corner* corner, size_t n) {
  axes[0] = 1;
  axes[1] = 2;
  for (size_t k = 0; k < n; k++) {
    const float* v = obj->vert.item;
    const float* a = v + 3 * (size_t)corner[k].v;
    const float* b = v + 3 * (size_t)corner[(k + 1) % n].v;
    const float* c = v + 3 * (size_t)corner[(k + 2) % n].v;
    float e0[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    float e1[3] = {c[0] - b[0], c[1] - b[1], c[2] - b[2]};
    float nx = fabsf(e0[1] * e1[2] - e0[2] * e1[1]);
    float ny = fabsf(e0[2] * e1[0] - e0[0] * e1[2]);
    float nz = fabsf(e0[0] * e1[1] - e0[1] * e1[0]);
    if (nx > FLT_EPSILON || ny > FLT_EPSILON || nz > FLT_EPSILON) {
      if (!(nx > ny && nx > nz)) {
        axes[0] = 0;
        axes[1] = nz > nx && nz > ny ? 1 : 2;
      }
      return;
    }
  }
}

static float turn(const float a[2], const float b[2], const float c[2]) {
  return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
}

// Does the triangle contain the point (even-odd rule)?
static int holds(float triangle[3][2], const float p[2]) {
  int inside = 0;
  for (int i = 0, j = 2; i < 3; j = i++) {
    const float *a = triangle[i], *b = triangle[j];
    if ((a[1] > p[1]) != (b[1] > p[1]) &&
        p[0] < (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]) + a[0]) {
      inside = !inside;
    }
  }
  return inside;
}

// The area of the triangle of the origin, a and b.
static float half_cross(const float a[2], const float b[2]) {
  return (a[0] * b[1] - a[1] * b[0]) * 0.5f;
}

// Is the triangle at index `first` of the remaining corners an ear? Which way is convex the area of
// the polygon says; by the later rule the triangle of the origin and the first two corners does,
// wherever the polygon is.
static int is_ear(Obj* obj, const Corner* corner, const int* rest, size_t n, size_t first,
                  const Plane* plane) {
  float triangle[3][2];
  for (size_t k = 0; k < 3; k++) {
    project(triangle[k], obj, corner + rest[(first + k) % n], plane->axes);
  }
  float area = plane->is_later ? half_cross(triangle[0], triangle[1]) : plane->area;
  if (turn(triangle[0], triangle[1], triangle[2]) * area < 0) {
    return 0;
  }
  obj->budget = obj->budget > n ? obj->budget - n : 0;
  for (size_t k = 3; k < n; k++) {
    float p[2];
    project(p, obj, corner + rest[(first + k) % n], plane->axes);
    if (holds(triangle, p)) {
      return 0;
    }
  }
  return 1;
}

static void add_triangle(Obj* obj, const Corner* a, const Corner* b, const Corner* c) {
  Corner* out = grow(&obj->corner, 3, sizeof(Corner));
  out[0] = *a;
  out[1] = *b;
  out[2] = *c;
}

static void add_fan(Obj* obj, const Corner* corner, const int* rest, size_t n) {
  for (size_t k = 2; k < n; k++) {
    add_triangle(obj, corner + rest[0], corner + rest[k - 1], corner + rest[k]);
  }
}

static void cut_polygon(Obj* obj, int is_later) {
  const Corner* corner = obj->polygon.item;
  size_t n = obj->polygon.count;
  obj->rest.count = 0;
  int* rest = grow(&obj->rest, n, sizeof(int));
  int known = 1;
  for (size_t i = 0; i < n; i++) {
    rest[i] = (int)i;
    known &= (size_t)corner[i].v < obj->vert.count / 3;
  }
  // a corner without a vertex has no place, so nothing can be cut off
  if (!known) {
    add_fan(obj, corner, rest, n);
    return;
  }

  // Project the polygon to two axes, where the sign of its area gives its orientation.
  Plane plane = {.is_later = is_later};
  choose_axes(plane.axes, obj, corner, n);
  for (size_t i = 0; i < n; i++) {
    float a[2], b[2];
    project(a, obj, corner + i, plane.axes);
    project(b, obj, corner + (i + 1) % n, plane.axes);
    plane.area += half_cross(a, b);
  }
  // Cut off ears until a triangle is left, none is an ear, or too many points were tested. The
  // first one must not be the last of all that can be tried: then nothing more is cut.
  size_t first = 0, tried = 0, last = n - 1;
  int ends = 0;
  while (n > 3 && tried < n && obj->budget && !ends) {
    if (!is_ear(obj, corner, rest, n, first, &plane)) {
      first = (first + 1) % n;
      tried++;
      continue;
    }
    size_t middle = (first + 1) % n;
    add_triangle(obj, corner + rest[first], corner + rest[middle], corner + rest[(first + 2) % n]);
    memmove(rest + middle, rest + middle + 1, (n - middle - 1) * sizeof(int));
    ends = tried == last;
    last = SIZE_MAX;
    n--;
    first = first % n;
    tried = 0;
  }
  if (n == 3 || !obj->budget) {
    add_fan(obj, corner, rest, n);
  }
}

// The square of a diagonal of the polygon.
static float diagonal(const Obj* obj, const Corner* a, const Corner* b) {
  const float *vert = obj->vert.item, *p = vert + 3 * (size_t)a->v, *q = vert + 3 * (size_t)b->v;
  float x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
  return x * x + y * y + z * z;
}

// By the later rule four corners are cut along the shorter diagonal. Returns 0 if there are others,
// or one without a vertex.
static int cut_quad(Obj* obj) {
  const Corner* corner = obj->polygon.item;
  int known = obj->polygon.count == 4;
  for (size_t i = 0; i < 4 && known; i++) {
    known &= (size_t)corner[i].v < obj->vert.count / 3;
  }
  if (!known) {
    return 0;
  }
  int even = diagonal(obj, corner, corner + 2) < diagonal(obj, corner + 1, corner + 3);
  add_triangle(obj, corner, corner + 1, corner + (even ? 2 : 3));
  add_triangle(obj, corner + (even ? 0 : 1), corner + 2, corner + 3);
  return 1;
}

// Reads the corners of a line. Returns its end.
static const char* read_face(Obj* obj, const MeshRequest* request, const char* cursor) {
  obj->polygon.count = 0;
  obj->nline++;
  skip_blanks(&cursor);
  while (!is_end(*cursor)) {
    if (!read_corner(obj, grow(&obj->polygon, 1, sizeof(Corner)), &cursor)) {
      mju_error("could not parse OBJ file '%s'", request->file->shown);
    }
    skip_blanks(&cursor);
  }

  // a line with fewer than three corners is no face
  const Corner* corner = obj->polygon.item;
  if (obj->polygon.count == 3) {
    add_triangle(obj, corner, corner + 1, corner + 2);
  } else if (obj->polygon.count > MOST_CORNERS) {
    obj->nlost++;
  } else if (obj->polygon.count > 3 && !(request->later && cut_quad(obj))) {
    cut_polygon(obj, request->later);
  }
  return cursor;
}

// Ends the first shape if it has triangles. Before the later rule "o" also ends one whose faces
// have none.
static void begin_group(Obj* obj, const MeshRequest* request, char word) {
  obj->done |= obj->corner.count > 0 || (word == 'o' && obj->nline > 0 && !request->later);
  obj->nline = 0;
}

// Reads the part of a line that has a meaning here. Returns the end of that part.
static const char* read_line(Obj* obj, const MeshRequest* request, const char* line) {
  const char* end = request->file->bytes + request->file->size;
  skip_blanks(&line);
  if (line[0] == 'v' && isblank_(line[1])) {
    return read_floats(&obj->vert, line + 2, 3, end);
  }
  if (line[0] == 'v' && line[1] == 'n' && isblank_(line[2])) {
    return read_floats(&obj->normal, line + 3, 3, end);
  }
  if (line[0] == 'v' && line[1] == 't' && isblank_(line[2])) {
    return read_floats(&obj->texcoord, line + 3, 2, end);
  }
  if (line[0] == 'f' && isblank_(line[1]) && !obj->done) {
    return read_face(obj, request, line + 2);
  }
  if ((line[0] == 'o' || line[0] == 'g') && (isblank_(line[1]) || is_end(line[1]))) {
    begin_group(obj, request, line[0]);
  }
  return line;
}

static void read_lines(Obj* obj, const MeshRequest* request) {
  const char *line = request->file->bytes, *end = request->file->bytes + request->file->size;

  // lines may end with a carriage return only
  while (line < end) {
    line = read_line(obj, request, line);
    while (line < end && *line != '\n' && *line != '\r') {
      line++;
    }
    line++;
  }
}

// Writes the indices of vertices, and of normals and texture coordinates if the file has any.
static void write_faces(Mesh* mesh, const Obj* obj) {
  size_t count = obj->corner.count;
  const Corner* corner = obj->corner.item;
  mesh->nface = (int)(count / 3);
  mesh->face = count ? mesh_take(count, sizeof(int)) : NULL;
  mesh->facenormal = count && mesh->nnormal ? mesh_take(count, sizeof(int)) : NULL;
  mesh->facetexcoord = count && mesh->ntexcoord ? mesh_take(count, sizeof(int)) : NULL;
  for (size_t i = 0; i < count; i++) {
    mesh->face[i] = corner[i].v;
    if (mesh->facenormal) {
      mesh->facenormal[i] = corner[i].vn;
    }
    if (mesh->facetexcoord) {
      mesh->facetexcoord[i] = corner[i].vt;
    }
  }
}

void mesh_readobj(Mesh* mesh, const MeshRequest* request) {
  Obj obj = {.budget = CUT_BUDGET};
  read_lines(&obj, request);

  // the mesh takes over the arrays
  mesh->vert = obj.vert.item;
  mesh->nvert = (int)(obj.vert.count / 3);
  mesh->normal = obj.normal.item;
  mesh->nnormal = (int)(obj.normal.count / 3);
  mesh->texcoord = obj.texcoord.item;
  mesh->ntexcoord = (int)(obj.texcoord.count / 2);
  mesh->nlost = obj.nlost;
  write_faces(mesh, &obj);
  heap_free(obj.corner.item);
  heap_free(obj.polygon.item);
  heap_free(obj.rest.item);

  // images are stored with the top row first
  for (int i = 0; i < mesh->ntexcoord; i++) {
    mesh->texcoord[2 * i + 1] = 1 - mesh->texcoord[2 * i + 1];
  }
}
