// obj.c: reads Wavefront OBJ: vertices "v", texture coordinates "vt", normals "vn", faces "f" in
// groups ("g", "o") of one material ("usemtl"), and its materials (mtl.c).
//
// A corner of a face is v, v/vt, v//vn or v/vt/vn, counted from 1, or from the end if negative. A
// group becomes a part for each of its materials. Of a mesh in MJCF compile/mesh/obj.c reads what
// the reference does, the first group.

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/text/number.h"
#include "meshfile/corners.h"
#include "meshfile/formats.h"
#include "meshfile/mtl.h"

typedef struct Values_ {
  float* item;
  size_t count, room;  // vectors
} Values;

typedef struct Obj_ {
  MeshBuild* build;
  Values values[NCORNER];
  Corners corners;
  int is_current;  // does `corners` know all values?
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

// Ends the part of the present group and material.
static void end_part(Obj* obj) {
  if (obj->corners.ncorner) {
    MeshPart part = {.name = obj->name, .material = obj->material};
    update_corners(obj);
    corners_part(&part, &obj->corners);
    build_part(obj->build, &part, &mesh_noplace);
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
