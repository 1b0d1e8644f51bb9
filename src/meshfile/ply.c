// ply.c: reads the body of PLY: vertices with normals, colours and texture coordinates, faces of
// any number of corners, and strips.
//
// Elements and properties come in any order, which the header tells. Each property has a role here
// or is passed over.

#include "meshfile/ply_header.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "base/text/number.h"
#include "meshfile/corners.h"
#include "meshfile/formats.h"
#include "meshfile/paint.h"

// What a property means: components of vectors, colours, lists.
typedef enum Role_ {
  ROLE_X,
  ROLE_Y,
  ROLE_Z,
  ROLE_NX,
  ROLE_NY,
  ROLE_NZ,
  ROLE_U,
  ROLE_V,
  ROLE_RED,
  ROLE_GREEN,
  ROLE_BLUE,
  ROLE_ALPHA,
  NROLE,
  ROLE_CORNERS = NROLE,  // a list
  ROLE_NONE,
} Role;

typedef struct Ply_ {
  MeshBuild* build;
  PlyHeader header;
  const char *at, *end;
  float *vert, *normal, *texcoord;
  uint32_t *vertex_color, *face_color;
  size_t nvert, nface_color, face_color_room;
  double* list;  // values of the list that was read last
  size_t list_room;
  Corners corners;
} Ply;

// The values of an element: of its roles, and the last lists.
typedef struct Record_ {
  double value[NROLE];
  int has[NROLE];
} Record;

static Role role_of(const PlyProperty* property) {
  static const struct {
    const char* name;
    Role role;
  } roles[] = {{"x", ROLE_X},
               {"y", ROLE_Y},
               {"z", ROLE_Z},
               {"nx", ROLE_NX},
               {"ny", ROLE_NY},
               {"nz", ROLE_NZ},
               {"u", ROLE_U},
               {"v", ROLE_V},
               {"s", ROLE_U},
               {"t", ROLE_V},
               {"texture_u", ROLE_U},
               {"texture_v", ROLE_V},
               {"red", ROLE_RED},
               {"green", ROLE_GREEN},
               {"blue", ROLE_BLUE},
               {"alpha", ROLE_ALPHA},
               {"diffuse_red", ROLE_RED},
               {"diffuse_green", ROLE_GREEN},
               {"diffuse_blue", ROLE_BLUE},
               {"vertex_indices", ROLE_CORNERS},
               {"vertex_index", ROLE_CORNERS}};
  for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
    int is_list = roles[i].role >= NROLE;
    if (is_list == (property->count != PLY_NOTYPE) && strcmp(property->name, roles[i].name) == 0) {
      return roles[i].role;
    }
  }
  return ROLE_NONE;
}

// values

static double binary_value(const unsigned char* at, PlyType type, int is_big) {
  uint64_t bits = 0;
  size_t n = ply_bytes(type);
  for (size_t i = 0; i < n; i++) {
    bits |= (uint64_t)at[is_big ? n - 1 - i : i] << 8 * i;
  }
  uint32_t low = (uint32_t)bits;
  float single;
  double real;
  memcpy(&single, &low, sizeof(single));
  memcpy(&real, &bits, sizeof(real));
  return type == PLY_INT8      ? (double)(int8_t)low
         : type == PLY_UINT8   ? (double)(uint8_t)low
         : type == PLY_INT16   ? (double)(int16_t)low
         : type == PLY_UINT16  ? (double)(uint16_t)low
         : type == PLY_INT32   ? (double)(int32_t)low
         : type == PLY_UINT32  ? (double)low
         : type == PLY_FLOAT32 ? (double)single
                               : real;
}

// The next value of the body.
static double next_value(Ply* ply, PlyType type) {
  double value;
  if (ply->header.format == PLY_ASCII) {
    const char *start = ply->at, *next = number_read(&value, start);
    if (!next) {
      const char* word = number_skip(start);
      build_fail(ply->build, word, *word ? "'%.*s' is not a number" : "the file ends too early",
                 (int)strcspn(word, " \t\r\n"), word);
    }
    ply->at = next;
    return value;
  }
  size_t n = ply_bytes(type);
  if ((size_t)(ply->end - ply->at) < n) {
    build_fail(ply->build, NULL, "the file ends too early");
  }
  value = binary_value((const unsigned char*)ply->at, type, ply->header.format == PLY_BIG);
  ply->at += n;
  return value;
}

// Reads a list. Returns its length.
static size_t next_list(Ply* ply, const PlyProperty* property) {
  double length = next_value(ply, property->count);
  // each value takes at least a byte
  if (!(length >= 0 && length <= (double)(ply->end - ply->at))) {
    build_fail(ply->build, ply->header.format == PLY_ASCII ? ply->at : NULL,
               "a list has %g values, which the file can't hold", length);
  }
  size_t n = (size_t)length;
  if (n > ply->list_room) {
    ply->list_room = 2 * n;
    ply->list = heap_resize(ply->list, ply->list_room * sizeof(double));
  }
  for (size_t i = 0; i < n; i++) {
    ply->list[i] = next_value(ply, property->type);
  }
  return n;
}

// colours

// The colour of a record: bytes, or reals between 0 and 1; PAINT_NONE if it has none.
static uint32_t record_color(const Record* record, const PlyElement* element, const Role* role) {
  if (!record->has[ROLE_RED] || !record->has[ROLE_GREEN] || !record->has[ROLE_BLUE]) {
    return PAINT_NONE;
  }
  unsigned byte[4] = {0, 0, 0, 255};
  for (int i = 0; i < element->nproperty; i++) {
    if (role[i] >= ROLE_RED && role[i] <= ROLE_ALPHA) {
      PlyType type = element->property[i].type;
      double value = record->value[role[i]] * (type >= PLY_FLOAT32  ? 255
                                               : type == PLY_UINT16 ? 255.0 / 65535
                                                                    : 1);
      byte[role[i] - ROLE_RED] = value > 0 ? (unsigned)(value < 255 ? value + 0.5 : 255) : 0;
    }
  }
  return paint_color(byte[0], byte[1], byte[2], byte[3]);
}

// elements

static void store_vertex(Ply* ply, const Record* record, size_t i) {
  for (size_t k = 0; k < 3; k++) {
    ply->vert[3 * i + k] = (float)record->value[ROLE_X + k];
    ply->normal[3 * i + k] = (float)record->value[ROLE_NX + k];
  }
  ply->texcoord[2 * i] = (float)record->value[ROLE_U];
  ply->texcoord[2 * i + 1] = (float)record->value[ROLE_V];
}

// Reads one element. The indices of its corners become the polygon of `corners`.
static void read_record(Ply* ply, Record* record, const PlyElement* element, const Role* role) {
  ply->corners.npolygon = 0;
  memset(record, 0, sizeof(*record));
  for (int i = 0; i < element->nproperty; i++) {
    const PlyProperty* property = &element->property[i];
    if (!property->count) {
      double value = next_value(ply, property->type);
      if (role[i] < NROLE) {
        record->value[role[i]] = value;
        record->has[role[i]] = 1;
      }
      continue;
    }
    size_t n = next_list(ply, property);
    for (size_t k = 0; role[i] == ROLE_CORNERS && k < n; k++) {
      double v = ply->list[k];
      corners_point(&ply->corners, v >= -1 && v < INT_MAX ? (int)v : INT_MAX);
    }
  }
}

static void read_vertices(Ply* ply, const PlyElement* element, const Role* role) {
  size_t n = ply->nvert = element->count;
  Record record = {.value = {0}};
  ply->vert = heap_take(3 * n * sizeof(float) + 1);
  ply->normal = heap_take(3 * n * sizeof(float) + 1);
  ply->texcoord = heap_take(2 * n * sizeof(float) + 1);
  ply->vertex_color = heap_take(n * sizeof(uint32_t) + 1);
  for (size_t i = 0; i < n; i++) {
    read_record(ply, &record, element, role);
    store_vertex(ply, &record, i);
    ply->vertex_color[i] = record_color(&record, element, role);
  }
  const Record* last = &record;
  const CornerValues values[NCORNER] = {
      {ply->vert, n, 3},
      {ply->normal, last->has[ROLE_NX] && last->has[ROLE_NY] && last->has[ROLE_NZ] ? n : 0, 3},
      {ply->texcoord, last->has[ROLE_U] && last->has[ROLE_V] ? n : 0, 2}};
  corners_values(&ply->corners, values);
}

// The vertex of index v of the file.
static int vertex_of(Ply* ply, int v) {
  int at[NCORNER];
  for (int k = 0; k < NCORNER; k++) {
    at[k] = ply->corners.values[k].count ? v : -1;
  }
  return corners_vertex(&ply->corners, at, ply->header.format == PLY_ASCII ? ply->at : NULL);
}

// Gives the triangles since the last call a colour: their own, or that of their first corner.
static void color_faces(Ply* ply, uint32_t color) {
  for (size_t i = ply->nface_color; i < ply->corners.ncorner / 3; i++) {
    ply->face_color = build_grow(ply->face_color, &ply->face_color_room, i, sizeof(uint32_t));
    int vertex = ply->corners.vertex[ply->corners.face[3 * i]].at[CORNER_POSITION];
    ply->face_color[i] = color != PAINT_NONE ? color : ply->vertex_color[vertex];
  }
  ply->nface_color = ply->corners.ncorner / 3;
}

static void read_faces(Ply* ply, const PlyElement* element, const Role* role) {
  Record record;
  for (size_t i = 0; i < element->count; i++) {
    read_record(ply, &record, element, role);
    for (size_t k = 0; k < ply->corners.npolygon; k++) {
      ply->corners.polygon[k] = vertex_of(ply, ply->corners.polygon[k]);
    }
    corners_close(&ply->corners);
    color_faces(ply, record_color(&record, element, role));
  }
}

// Strips: an index of -1 begins a new one.
static void read_strips(Ply* ply, const PlyElement* element, const Role* role) {
  Record record;
  for (size_t i = 0; i < element->count; i++) {
    read_record(ply, &record, element, role);
    const int* v = ply->corners.polygon;
    size_t n = ply->corners.npolygon, start = 0;
    ply->corners.npolygon = 0;
    for (size_t k = 0; k < n; k++) {
      start = v[k] == -1 ? k + 1 : start;
      if (v[k] != -1 && k >= start + 2) {
        size_t odd = (k - start) % 2;
        int a = vertex_of(ply, v[k - 2 + odd]), b = vertex_of(ply, v[k - 1 - odd]);
        corners_triangle(&ply->corners, a, b, vertex_of(ply, v[k]));
      }
    }
    color_faces(ply, PAINT_NONE);
  }
}

static void read_element(Ply* ply, const PlyElement* element) {
  Role role[PLY_MOST_PROPERTIES];
  Record record;
  for (int i = 0; i < element->nproperty; i++) {
    role[i] = role_of(&element->property[i]);
  }
  int is_face = strcmp(element->name, "face") == 0;
  if (strcmp(element->name, "vertex") == 0 && !ply->vert) {
    read_vertices(ply, element, role);
  } else if (is_face || strcmp(element->name, "tristrips") == 0) {
    if (!ply->vert) {
      build_fail(ply->build, NULL, "the faces stand before the vertices");
    }
    (is_face ? read_faces : read_strips)(ply, element, role);
  } else {
    for (size_t i = 0; element->nproperty && i < element->count; i++) {
      read_record(ply, &record, element, role);
    }
  }
}

void ply_read(MeshBuild* build) {
  Ply* ply = heap_zero(1, sizeof(Ply));
  ply->build = build;
  ply_header(&ply->header, build);
  ply->at = ply->header.body;
  ply->end = build->bytes + build->size;
  corners_start(&ply->corners, build);
  for (int i = 0; i < ply->header.nelement; i++) {
    read_element(ply, &ply->header.element[i]);
  }
  MeshPart shape = {.material = -1};
  corners_part(&shape, &ply->corners);
  paint_parts(build, &shape, ply->face_color, ply->header.texture);
}
