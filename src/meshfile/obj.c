// obj.c: reads Wavefront OBJ: vertices "v", texture coordinates "vt", normals "vn", faces "f" in
// groups ("g", "o") of one material ("usemtl"), and its materials (mtl.c).
//
// A corner of a face is v, v/vt, v//vn or v/vt/vn, counted from 1, or from the end if negative. A
// group becomes a part for each of its materials. Some programs write the colour of a vertex behind
// its position. Of a mesh in MJCF compile/mesh/obj.c reads what
// the reference does, the first group.

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/text/number.h"
#include "meshfile/corners.h"
#include "meshfile/formats.h"
#include "meshfile/mtl.h"
#include "meshfile/paint.h"

typedef struct Values_ {
  float* item;
  size_t count, room;  // vectors
} Values;

typedef struct Obj_ {
  MeshBuild* build;
  Values values[NCORNER];
  Corners corners;
  int is_current;   // does `corners` know all values?
  uint32_t* color;  // of positions, PAINT_NONE where there is none
  size_t color_room;
  int has_colors;
  Materials materials;
  int material;
  char* name;  // of the group
} Obj;

static const size_t width_of[NCORNER] = {3, 3, 2};

// Skips blanks, and the ends of lines behind a backslash.
static const char* skip_blanks(const char* at) {
  for (;;) {
    if (*at == ' ' || *at == '\t') {
      at++;
    } else if (*at == '\\' && (at[1] == '\n' || (at[1] == '\r' && at[2] == '\n'))) {
      at += at[1] == '\r' ? 3 : 2;
    } else {
      return at;
    }
  }
}

static int is_end(char c) {
  return c == 0 || c == '\n' || c == '\r';
}

// Keeps the colour of the position that was read last, if its line goes on with three numbers.
static void read_color(Obj* obj, const char* at) {
  double value[3];
  uint32_t byte[3];
  size_t i = obj->values[CORNER_POSITION].count - 1, n = 0;
  for (at = skip_blanks(at); n < 3 && !is_end(*at); n++, at = skip_blanks(at)) {
    const char* next = number_read(&value[n], at);
    if (!next) {
      break;
    }
    at = next;
    byte[n] = value[n] > 0 ? (uint32_t)(value[n] < 1 ? 255 * value[n] + 0.5 : 255) : 0;
  }
  obj->color = build_grow(obj->color, &obj->color_room, i, sizeof(uint32_t));
  obj->color[i] = n == 3 ? paint_color(byte[0], byte[1], byte[2], 255) : PAINT_NONE;
  obj->has_colors |= n == 3;
}

// Reads the numbers of a vector. Returns their end.
static const char* read_vector(Obj* obj, int kind, const char* at) {
  Values* values = &obj->values[kind];
  const char* line = at;
  size_t width = width_of[kind];
  values->item = build_grow(values->item, &values->room, values->count, width * sizeof(float));
  float* out = values->item + width * values->count;
  for (size_t k = 0; k < width; k++) {
    double value = 0;
    at = skip_blanks(at);
    const char* next = is_end(*at) ? NULL : number_read(&value, at);
    // texture coordinates may have one number only
    if (!next && !(kind == CORNER_TEXCOORD && k > 0 && is_end(*at))) {
      build_fail(obj->build, line, "it needs %zu numbers", width);
    }
    out[k] = (float)value;
    at = next ? next : at;
  }
  values->count++;
  obj->is_current = 0;
  if (kind == CORNER_POSITION) {
    read_color(obj, at);
  }
  return at;
}

// Reads an index and makes it one from 0; -1 if there is none.
static const char* read_index(const Obj* obj, int* index, int kind, const char* at) {
  int value = 0;
  *index = -1;
  if (*at != '-' && (*at < '0' || *at > '9')) {
    return at;
  }
  const char* next = number_int(&value, at);
  size_t count = obj->values[kind].count;
  *index = value < 0 ? (int)((long)count + value) : value - 1;
  if (!next || *index < 0 || (size_t)*index >= count) {
    build_fail(obj->build, at, "index %d is out of range: there are %zu before it", value, count);
  }
  return next;
}

// Tells `corners` where the values are: their lists move when they grow.
static void update_corners(Obj* obj) {
  if (!obj->is_current) {
    CornerValues values[NCORNER];
    for (int k = 0; k < NCORNER; k++) {
      values[k] = (CornerValues){obj->values[k].item, obj->values[k].count, width_of[k]};
    }
    corners_values(&obj->corners, values);
    obj->is_current = 1;
  }
}

static const char* read_face(Obj* obj, const char* at) {
  const char* line = at;
  update_corners(obj);
  for (at = skip_blanks(at); !is_end(*at) && *at != '#'; at = skip_blanks(at)) {
    static const int kinds[] = {CORNER_POSITION, CORNER_TEXCOORD, CORNER_NORMAL};
    int index[NCORNER] = {-1, -1, -1};
    const char* start = at;
    for (int k = 0; k < 3 && (k == 0 || *at == '/'); k++) {
      at = read_index(obj, &index[kinds[k]], kinds[k], at + (k > 0));
    }
    if (index[CORNER_POSITION] < 0 || !(is_end(*at) || *at == ' ' || *at == '\t' || *at == '\\')) {
      build_fail(obj->build, start, "'%.*s' is no corner of a face", (int)strcspn(start, " \t\r\n"),
                 start);
    }
    corners_point(&obj->corners, corners_vertex(&obj->corners, index, line));
  }
  corners_close(&obj->corners);
  return at;
}

// The colours of the faces of the group, of their first vertices; NULL if it has none, or a
// material.
static uint32_t* face_colors(const Obj* obj) {
  const Corners* corners = &obj->corners;
  size_t n = corners->ncorner / 3;
  if (!obj->has_colors || obj->material >= 0) {
    return NULL;
  }
  uint32_t* color = heap_take((n + 1) * sizeof(uint32_t));
  for (size_t i = 0; i < n; i++) {
    color[i] = obj->color[corners->vertex[corners->face[3 * i]].at[CORNER_POSITION]];
  }
  return color;
}

// Ends the part of the present group and material.
static void end_part(Obj* obj) {
  if (obj->corners.ncorner) {
    MeshPart part = {.name = obj->name, .material = obj->material};
    update_corners(obj);
    uint32_t* color = face_colors(obj);
    corners_part(&part, &obj->corners);
    if (color) {
      paint_parts(obj->build, &part, color, NULL);
    } else {
      build_part(obj->build, &part, &mesh_noplace);
    }
    heap_free(color);
    heap_free(part.vert);
    heap_free(part.normal);
    heap_free(part.texcoord);
    heap_free(part.face);
  }
}

// Is the line a word and what belongs to it? Then `rest` is where that begins.
static int is_word(const char** rest, const char* line, const char* word) {
  size_t length = strlen(word);
  if (strncmp(line, word, length) != 0 ||
      (line[length] != ' ' && line[length] != '\t' && !is_end(line[length]))) {
    return 0;
  }
  *rest = skip_blanks(line + length);
  return 1;
}

// The text up to the end of a line, without blanks at its end.
static char* line_text(const char* at) {
  size_t length = strcspn(at, "\r\n");
  while (length && (at[length - 1] == ' ' || at[length - 1] == '\t')) {
    length--;
  }
  return build_text(at, length);
}

// A library whose name may have blanks, or several.
static void read_libraries(Obj* obj, const char* at) {
  char* names = line_text(at);
  if (!mtl_read(&obj->materials, names)) {
    for (char *name = names, *end; *name; name = end) {
      end = name + strcspn(name, " \t");
      end += *end ? (*end = 0, 1) : 0;
      mtl_read(&obj->materials, name);
    }
  }
  heap_free(names);
}

// Reads what a line says. Returns a place in it, or behind its continuation.
static const char* read_line(Obj* obj, const char* line) {
  const char* at = line;
  if (is_word(&at, line, "v")) {
    return read_vector(obj, CORNER_POSITION, at);
  }
  if (is_word(&at, line, "vn")) {
    return read_vector(obj, CORNER_NORMAL, at);
  }
  if (is_word(&at, line, "vt")) {
    return read_vector(obj, CORNER_TEXCOORD, at);
  }
  if (is_word(&at, line, "f")) {
    return read_face(obj, at);
  }
  if (is_word(&at, line, "g") || is_word(&at, line, "o")) {
    end_part(obj);
    heap_free(obj->name);
    obj->name = line_text(at);
  } else if (is_word(&at, line, "usemtl")) {
    end_part(obj);
    char* name = line_text(at);
    obj->material = mtl_find(&obj->materials, name);
    heap_free(name);
  } else if (is_word(&at, line, "mtllib")) {
    read_libraries(obj, at);
  }
  return at;
}

void obj_read(MeshBuild* build) {
  Obj* obj = heap_zero(1, sizeof(Obj));
  obj->build = build;
  obj->material = -1;
  corners_start(&obj->corners, build);
  mtl_start(&obj->materials, build);
  for (const char* at = build->bytes; *at;) {
    at = read_line(obj, skip_blanks(at));
    at += strcspn(at, "\r\n");
    at += *at != 0;
  }
  end_part(obj);
}
