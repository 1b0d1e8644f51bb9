// build.c: adding parts and materials to a mesh file, within limits.

#include "meshfile/build.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_PARTS = 200000,
  MOST_DEPTH = 200,  // of nodes in nodes
};

const MeshPlace mesh_noplace = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};

// transformations

MeshPlace place_join(const MeshPlace* a, const MeshPlace* b) {
  MeshPlace out;
  for (int i = 0; i < 3; i++) {
    const double* row = a->m + 4 * i;
    for (int j = 0; j < 4; j++) {
      out.m[4 * i + j] = row[0] * b->m[j] + row[1] * b->m[4 + j] + row[2] * b->m[8 + j];
    }
    out.m[4 * i + 3] += row[3];
  }
  return out;
}

MeshPlace place_make(const double move[3], const double quat[4], const double scale[3]) {
  double w = quat[0], x = quat[1], y = quat[2], z = quat[3];
  const double turn[9] = {
      1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
      2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
      2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  MeshPlace out;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      out.m[4 * i + j] = turn[3 * i + j] * scale[j];
    }
    out.m[4 * i + 3] = move[i];
  }
  return out;
}

// The matrix of cofactors of the linear part, which turns normals: det(A) A^-T. It is written here
// by rows; returns det(A).
static double cofactors(double out[9], const MeshPlace* place) {
  const double* m = place->m;
  for (int i = 0; i < 3; i++) {
    const double *a = m + 4 * ((i + 1) % 3), *b = m + 4 * ((i + 2) % 3);
    out[3 * i] = a[1] * b[2] - a[2] * b[1];
    out[3 * i + 1] = a[2] * b[0] - a[0] * b[2];
    out[3 * i + 2] = a[0] * b[1] - a[1] * b[0];
  }
  return m[0] * out[0] + m[1] * out[1] + m[2] * out[2];
}

// errors and memory

void build_fail(const MeshBuild* build, const char* at, const char* format, ...) {
  char text[300];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof(text), format, list);
  va_end(list);
  if (at && at >= build->bytes && at <= build->bytes + build->size) {
    int line = 1;
    for (const char* c = build->bytes; c < at; c++) {
      line += *c == '\n';
    }
    mju_error("%s:%d: %s", build->name, line, text);
  } else {
    mju_error("%s: %s", build->name, text);
  }
  abort();  // mju_error doesn't return
}

void* build_grow(void* items, size_t* room, size_t count, size_t size) {
  if (count < *room) {
    return items;
  }
  *room = *room ? 2 * *room : 16;
  return heap_resize(items, *room * size);
}

char* build_text(const char* text, size_t length) {
  char* copy = heap_take(length + 1);
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

static int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

char* build_path(const char* text, size_t length) {
  char *copy = build_text(text, length), *to = copy;
  for (size_t i = 0; i < length; i++) {
    int high = copy[i] == '%' && i + 2 < length ? hex_digit(copy[i + 1]) : -1;
    int low = high > 0 || (high == 0 && copy[i + 2] != '0') ? hex_digit(copy[i + 2]) : -1;
    *to++ = low >= 0 ? (char)(16 * high + low) : copy[i];
    i += low >= 0 ? 2 : 0;
  }
  *to = 0;
  return copy;
}

int build_other(const MeshBuild* build, const char* name, const char** bytes, size_t* size) {
  const void* content = NULL;
  *size = 0;
  int found = build->others && build->others->read &&
              build->others->read(build->others->user, name, &content, size);
  *bytes = content;
  return found && content;
}

// materials and parts

int build_material(MeshBuild* build, const char* name, const float* rgba, const char* texture) {
  MeshFile* file = build->file;
  file->material = build_grow(file->material, &build->material_room, (size_t)file->nmaterial,
                              sizeof(MeshMaterial));
  MeshMaterial material = {.rgba = {1, 1, 1, 1}, .has_color = rgba != NULL};
  name = name ? name : "";
  material.name = build_text(name, strlen(name));
  material.texture = texture ? build_text(texture, strlen(texture)) : NULL;
  for (int k = 0; rgba && k < 4; k++) {
    // colours lie in 0..1; what is no number becomes 1
    material.rgba[k] = rgba[k] <= 0 ? 0 : rgba[k] < 1 ? rgba[k] : 1;
  }
  file->material[file->nmaterial] = material;
  return file->nmaterial++;
}

// Takes the triangles of a part from the budget.
static void spend(MeshBuild* build, const MeshPart* shape) {
  size_t n = (size_t)shape->nface;
  if (n > build->triangles || build->file->npart >= MOST_PARTS) {
    build_fail(build, NULL, "too many triangles or parts for a file of %zu bytes", build->size);
  }
  build->triangles -= n;
}

static void place_vertices(MeshBuild* build, MeshPart* part, const MeshPlace* place) {
  const double* m = place->m;
  for (size_t i = 0; i < (size_t)part->nvert; i++) {
    float* v = part->vert + 3 * i;
    double x = v[0], y = v[1], z = v[2];
    for (int k = 0; k < 3; k++) {
      v[k] = (float)(m[4 * k] * x + m[4 * k + 1] * y + m[4 * k + 2] * z + m[4 * k + 3]);
    }
    if (!isfinite(v[0] + v[1] + v[2])) {
      build_fail(build, NULL, "vertex %zu of '%s' is not finite", i, part->name);
    }
  }
}

static void place_normals(MeshPart* part, const double turn[9], double side) {
  for (size_t i = 0; part->normal && i < (size_t)part->nvert; i++) {
    float* v = part->normal + 3 * i;
    double x = v[0], y = v[1], z = v[2];
    for (int k = 0; k < 3; k++) {
      v[k] = (float)(side * (turn[3 * k] * x + turn[3 * k + 1] * y + turn[3 * k + 2] * z));
    }
  }
}

static void* copy_items(const void* items, size_t count, size_t size) {
  return items ? memcpy(heap_take(count * size), items, count * size) : NULL;
}

void build_part(MeshBuild* build, const MeshPart* shape, const MeshPlace* place) {
  MeshFile* file = build->file;
  size_t nvert = (size_t)shape->nvert, nface = (size_t)shape->nface;
  if (!nface) {
    return;
  }
  spend(build, shape);
  file->part = build_grow(file->part, &build->part_room, (size_t)file->npart, sizeof(MeshPart));
  MeshPart* part = &file->part[file->npart++];
  *part = *shape;
  part->name = build_text(shape->name ? shape->name : "", shape->name ? strlen(shape->name) : 0);
  part->vert = copy_items(shape->vert, 3 * nvert, sizeof(float));
  part->normal = copy_items(shape->normal, 3 * nvert, sizeof(float));
  part->texcoord = copy_items(shape->texcoord, 2 * nvert, sizeof(float));
  part->face = copy_items(shape->face, 3 * nface, sizeof(int));

  // a mirrored part shows its inside, unless its triangles are reversed
  double turn[9], size = cofactors(turn, place), side = size < 0 ? -1 : 1;
  for (size_t i = 0; size < 0 && i < nface; i++) {
    int last = part->face[3 * i + 2];
    part->face[3 * i + 2] = part->face[3 * i + 1];
    part->face[3 * i + 1] = last;
  }
  place_vertices(build, part, place);
  place_normals(part, turn, side);
  build_normals(part);
}

void build_visit(MeshBuild* build, const char* at, int depth) {
  if (depth > MOST_DEPTH) {
    build_fail(build, at, "nodes are nested too deeply, or contain themselves");
  }
  if (!build->nodes--) {
    build_fail(build, at, "too many nodes");
  }
}

// normals

// n += (b - a) x (c - a) at the corners of a triangle that need it.
static void add_facing(MeshPart* part, const char* is_missing, const int face[3]) {
  const float *a = part->vert + 3 * (size_t)face[0], *b = part->vert + 3 * (size_t)face[1],
              *c = part->vert + 3 * (size_t)face[2];
  double u[3], v[3];
  for (int k = 0; k < 3; k++) {
    u[k] = (double)b[k] - a[k];
    v[k] = (double)c[k] - a[k];
  }
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    for (int corner = 0; corner < 3; corner++) {
      if (is_missing[face[corner]]) {
        part->normal[3 * (size_t)face[corner] + (size_t)k] += (float)(u[i] * v[j] - u[j] * v[i]);
      }
    }
  }
}

// Makes a vector one of length 1. Returns 0 if it has none.
static int make_unit(float v[3]) {
  double most = fmax(fabs((double)v[0]), fmax(fabs((double)v[1]), fabs((double)v[2])));
  if (!(most > 0) || !isfinite(v[0] + v[1] + v[2])) {
    return 0;
  }
  double x = v[0] / most, y = v[1] / most, z = v[2] / most, length = sqrt(x * x + y * y + z * z);
  v[0] = (float)(x / length);
  v[1] = (float)(y / length);
  v[2] = (float)(z / length);
  return 1;
}

void build_normals(MeshPart* part) {
  size_t n = (size_t)part->nvert, nmissing = 0;
  if (!part->normal) {
    return;
  }
  char* is_missing = heap_zero(n + 1, 1);
  for (size_t i = 0; i < n; i++) {
    float* v = part->normal + 3 * i;
    if (!make_unit(v)) {
      v[0] = v[1] = v[2] = 0;
      is_missing[i] = 1;
      nmissing++;
    }
  }
  for (size_t i = 0; nmissing && i < (size_t)part->nface; i++) {
    add_facing(part, is_missing, part->face + 3 * i);
  }
  for (size_t i = 0; nmissing && i < n; i++) {
    if (is_missing[i] && !make_unit(part->normal + 3 * i)) {
      memcpy(part->normal + 3 * i, (float[3]){0, 0, 1}, 3 * sizeof(float));
    }
  }
  heap_free(is_missing);
}
