// ply_header.c: reads the header of a PLY file.
//
//   ply / format binary_little_endian 1.0 / comment ... / element vertex 8 / property float x /
//   property list uchar int vertex_indices / end_header

#include <string.h>

#include "base/text/number.h"
#include "meshfile/ply_header.h"

enum {
  MOST_WORDS = 6,
  WORD_BYTES = 40,
};

// The words of a line; longer ones are cut.
typedef struct Line_ {
  char word[MOST_WORDS][WORD_BYTES];
  int nword;
  const char* at;
} Line;

size_t ply_bytes(PlyType type) {
  static const size_t bytes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
  return bytes[type];
}

static PlyType type_of(const char* name) {
  static const struct {
    const char *name, *other;
    PlyType type;
  } types[] = {
      {"char", "int8", PLY_INT8},        {"uchar", "uint8", PLY_UINT8},
      {"short", "int16", PLY_INT16},     {"ushort", "uint16", PLY_UINT16},
      {"int", "int32", PLY_INT32},       {"uint", "uint32", PLY_UINT32},
      {"float", "float32", PLY_FLOAT32}, {"double", "float64", PLY_FLOAT64},
  };
  for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
    if (strcmp(name, types[i].name) == 0 || strcmp(name, types[i].other) == 0) {
      return types[i].type;
    }
  }
  return PLY_NOTYPE;
}

// Reads the words of a line. Returns where the next one begins.
static const char* read_words(Line* line, const char* at) {
  *line = (Line){.at = at};
  while (*at && *at != '\n' && *at != '\r') {
    size_t length = strcspn(at, " \t\r\n");
    if (length && line->nword < MOST_WORDS) {
      size_t kept = length < WORD_BYTES ? length : WORD_BYTES - 1;
      memcpy(line->word[line->nword++], at, kept);
    }
    at += length;
    at += *at == ' ' || *at == '\t';
  }
  // a binary body may begin with any byte: just one end of a line is skipped
  at += *at == '\r';
  at += *at == '\n';
  return at;
}

static int is_word(const Line* line, int i, const char* word) {
  return strcmp(line->word[i], word) == 0;
}

static void add_element(PlyHeader* header, const MeshBuild* build, const Line* line) {
  int count = -1;
  if (header->nelement == PLY_MOST_ELEMENTS || !number_int(&count, line->word[2]) || count < 0 ||
      (size_t)count > build->size) {
    build_fail(build, line->at, "element '%s' has %s '%s'", line->word[1],
               "a count that the file can't hold:", line->word[2]);
  }
  PlyElement* element = &header->element[header->nelement++];
  memcpy(element->name, line->word[1], sizeof(element->name));
  element->count = (size_t)count;
}

static void add_property(PlyHeader* header, const MeshBuild* build, const Line* line) {
  PlyElement* element = header->nelement ? &header->element[header->nelement - 1] : NULL;
  if (!element || element->nproperty == PLY_MOST_PROPERTIES) {
    build_fail(build, line->at, "a property without an element, or too many of them");
  }
  PlyProperty* property = &element->property[element->nproperty++];
  int is_list = is_word(line, 1, "list");
  property->count = is_list ? type_of(line->word[2]) : PLY_NOTYPE;
  property->type = type_of(line->word[is_list ? 3 : 1]);
  memcpy(property->name, line->word[is_list ? 4 : 2], sizeof(property->name));
  if (!property->type || (is_list && !property->count) || property->count >= PLY_FLOAT32) {
    build_fail(build, line->at, "property '%s' has an unknown type", property->name);
  }
}

static void read_format(PlyHeader* header, const MeshBuild* build, const Line* line) {
  static const char* const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
  for (int i = 0; i < 3; i++) {
    if (is_word(line, 1, names[i])) {
      header->format = (PlyFormat)i;
      return;
    }
  }
  build_fail(build, line->at, "the format '%s' is unknown", line->word[1]);
}

void ply_header(PlyHeader* header, const MeshBuild* build) {
  Line line;
  const char* at = read_words(&line, build->bytes);
  *header = (PlyHeader){.nelement = 0};
  if (!is_word(&line, 0, "ply")) {
    build_fail(build, NULL, "it doesn't begin with 'ply'");
  }
  do {
    if (!*at) {
      build_fail(build, at, "the header has no end");
    }
    at = read_words(&line, at);
    if (is_word(&line, 0, "format")) {
      read_format(header, build, &line);
    } else if (is_word(&line, 0, "element")) {
      add_element(header, build, &line);
    } else if (is_word(&line, 0, "property")) {
      add_property(header, build, &line);
    } else if (is_word(&line, 0, "comment") && is_word(&line, 1, "TextureFile")) {
      const char* name = strstr(line.at, "TextureFile") + 11;
      name += strspn(name, " \t");
      header->texture = build_text(name, strcspn(name, "\r\n"));
    }
  } while (!is_word(&line, 0, "end_header"));
  header->body = at;
}
