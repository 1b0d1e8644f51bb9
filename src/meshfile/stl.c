// stl.c: reads STL, binary with colours, and text.
//
//   binary: 80 bytes, uint32 count, then per triangle 12 floats (normal, three vertices), 2 bytes
//   text:   solid NAME {facet normal x y z  outer loop {vertex x y z} endloop endfacet} endsolid
//
// Two programs keep colours of 5 bits in the last 2 bytes of a triangle. VisCAM: red in bits 10-14,
// blue in 0-4, if bit 15 is 1. Materialise Magics: the header holds "COLOR=" and 4 bytes, the
// colour of triangles whose bit 15 is 1; others have red in bits 0-4 and blue in 10-14.

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/text/number.h"
#include "meshfile/formats.h"
#include "meshfile/paint.h"
#include "meshfile/weld.h"

enum {
  HEADER_BYTES = 84,
  TRIANGLE_BYTES = 50,
};

static uint32_t little(const char* at, int count) {
  uint32_t value = 0;
  for (int i = 0; i < count; i++) {
    value |= (uint32_t)(unsigned char)at[i] << 8 * i;
  }
  return value;
}

// Adds triangles of three points each.
static void add_triangles(MeshBuild* build, float* point, size_t nface, const uint32_t* color,
                          const char* name) {
  if (!nface) {
    return;
  }
  if (nface > INT_MAX / 3) {
    build_fail(build, NULL, "too many triangles: %zu", nface);
  }
  MeshPart shape = {.vert = point, .nface = (int)nface, .material = -1, .name = (char*)name};
  shape.face = heap_take(3 * nface * sizeof(int));
  shape.nvert = weld_points(shape.face, point, 3 * nface);
  paint_parts(build, &shape, color, NULL);
}

// The colour of a triangle from its last two bytes. `common` is that of the header, NULL if
// there is none.
static uint32_t read_color(uint32_t bits, const unsigned char* common) {
  unsigned low = bits & 31, middle = bits >> 5 & 31, high = bits >> 10 & 31;
  int marked = bits >> 15 & 1;
  if (common) {
    return marked ? paint_color(common[0], common[1], common[2], common[3])
                  : paint_color(low * 255 / 31, middle * 255 / 31, high * 255 / 31, 255);
  }
  return marked ? paint_color(high * 255 / 31, middle * 255 / 31, low * 255 / 31, 255) : PAINT_NONE;
}

static void read_binary(MeshBuild* build, size_t nface) {
  const unsigned char* common = NULL;
  for (int i = 0; i + 10 <= HEADER_BYTES - 4 && !common; i++) {
    common = memcmp(build->bytes + i, "COLOR=", 6) == 0 ? (const unsigned char*)build->bytes + i + 6
                                                        : NULL;
  }
  float* point = heap_take(9 * nface * sizeof(float) + 1);
  uint32_t* color = heap_take(nface * sizeof(uint32_t) + 1);
  for (size_t i = 0; i < nface; i++) {
    const char* record = build->bytes + HEADER_BYTES + i * TRIANGLE_BYTES;
    for (size_t k = 0; k < 9; k++) {
      uint32_t bits = little(record + 12 + 4 * k, 4);
      memcpy(&point[9 * i + k], &bits, sizeof(bits));
      if (!isfinite(point[9 * i + k])) {
        build_fail(build, NULL, "triangle %zu has a vertex that is not finite", i);
      }
    }
    color[i] = read_color(little(record + 48, 2), common);
  }
  add_triangles(build, point, nface, color, NULL);
}

static void read_text(MeshBuild* build) {
  const char* at = number_skip(build->bytes) + 5;
  size_t length = strcspn(at, "\r\n"), npoint = 0, room = 0;
  const char* start = at + strspn(at, " \t");
  char* name = build_text(start, (size_t)(at + length > start ? at + length - start : 0));
  float* point = NULL;
  for (at += length; *(at = number_skip(at));) {
    size_t word = strcspn(at, " \t\r\n\v\f");
    if (word != 6 || strncasecmp(at, "vertex", 6) != 0) {
      at += word;
      continue;
    }
    const char* place = at;
    at += word;
    point = build_grow(point, &room, npoint, 3 * sizeof(float));
    for (size_t k = 0; k < 3; k++) {
      double value;
      at = number_read(&value, at);
      if (!at || !isfinite((float)value)) {
        build_fail(build, place, "vertex %zu has no three finite numbers", npoint);
      }
      point[3 * npoint + k] = (float)value;
    }
    npoint++;
  }
  if (npoint % 3) {
    build_fail(build, NULL, "the file ends within a triangle: it has %zu vertices", npoint);
  }
  add_triangles(build, point, npoint / 3, NULL, name);
}

// Is the second line one of a text? The first one may say "solid" in a binary file, too.
static int is_text(const MeshBuild* build) {
  const char* start = number_skip(build->bytes);
  const char* second = number_skip(start + strcspn(start, "\r\n"));
  return strncasecmp(second, "facet", 5) == 0 || strncasecmp(second, "endsolid", 8) == 0;
}

void stl_read(MeshBuild* build) {
  size_t size = build->size;
  size_t nface = size >= HEADER_BYTES ? little(build->bytes + HEADER_BYTES - 4, 4) : 0;
  size_t room = size >= HEADER_BYTES ? (size - HEADER_BYTES) / TRIANGLE_BYTES : 0;

  // a text hardly has exactly the size of a binary file
  int is_exact = size >= HEADER_BYTES && size == HEADER_BYTES + nface * TRIANGLE_BYTES;
  int is_possible = size >= HEADER_BYTES && nface && nface <= room;
  int is_solid = strncasecmp(number_skip(build->bytes), "solid", 5) == 0;
  if (!is_exact && is_solid && (is_text(build) || !is_possible)) {
    read_text(build);
  } else if (size < HEADER_BYTES) {
    build_fail(build, NULL, "it is no text and too short for a binary STL: %zu bytes", size);
  } else if (nface > room) {
    build_fail(build, NULL, "it should have %zu triangles, but ends after %zu", nface, room);
  } else {
    read_binary(build, nface);
  }
}
