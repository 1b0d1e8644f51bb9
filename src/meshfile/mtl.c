// mtl.c: reads MTL: "newmtl NAME", "Kd r g b", "d alpha" or "Tr 1-alpha", "map_Kd [options] PATH".

#include "meshfile/mtl.h"

#include <string.h>

#include "base/text/number.h"

enum {
  MOST_LIBRARIES = 20,
};

typedef struct MtlEntry_ {
  char* name;
  float rgba[4];
  int has_color;
  char* texture;
  int index;  // in the mesh file, -1 until it is used
} MtlEntry;

void mtl_start(Materials* materials, MeshBuild* build) {
  *materials = (Materials){.build = build};
}

static MtlEntry* add_entry(Materials* materials, const char* name, size_t length) {
  MtlEntry* entry = heap_zero(1, sizeof(MtlEntry));
  *entry = (MtlEntry){.name = build_text(name, length), .rgba = {1, 1, 1, 1}, .index = -1};
  hash_add(&materials->name, hash_text(entry->name), entry);
  return entry;
}

// The entry of a name; the first one, if a name is given twice.
static MtlEntry* find_entry(const Materials* materials, const char* name) {
  HashSlot* at = hash_find(&materials->name, hash_text(name));
  while (at && strcmp(((MtlEntry*)at->item)->name, name) != 0) {
    at = hash_next(at);
  }
  return at ? at->item : NULL;
}

// Up to `most` numbers of a line. Returns how many.
static int line_numbers(double* out, const char* at, const char* end, int most) {
  int n = 0;
  while (n < most) {
    while (at < end && (*at == ' ' || *at == '\t')) {
      at++;
    }
    const char* next = at < end ? number_read(&out[n], at) : NULL;
    if (!next || next > end || !isfinite(out[n])) {
      break;
    }
    at = next;
    n++;
  }
  return n;
}

// Skips options: words that begin with '-', and what belongs to them: numbers, "on" or "off".
static const char* skip_options(const char* at, const char* end) {
  for (;;) {
    while (at < end && (*at == ' ' || *at == '\t')) {
      at++;
    }
    const char* stop = at;
    while (stop < end && *stop != ' ' && *stop != '\t') {
      stop++;
    }
    double number;
    const char* read = number_read(&number, at);
    int is_option = *at == '-' || read == stop || (stop - at == 2 && memcmp(at, "on", 2) == 0) ||
                    (stop - at == 3 && memcmp(at, "off", 3) == 0);
    if (!is_option || stop == end) {
      return at;
    }
    at = stop;
  }
}

static int starts(const char* line, const char* end, const char* word) {
  size_t length = strlen(word);
  return (size_t)(end - line) > length && memcmp(line, word, length) == 0 &&
         (line[length] == ' ' || line[length] == '\t');
}

static void read_line(Materials* materials, MtlEntry** entry, const char* line, const char* end) {
  double number[3];
  if (starts(line, end, "newmtl")) {
    line += 6;
    while (line < end && (*line == ' ' || *line == '\t')) {
      line++;
    }
    *entry = add_entry(materials, line, (size_t)(end - line));
  } else if (!*entry) {
    return;
  } else if (starts(line, end, "Kd") && line_numbers(number, line + 2, end, 3) == 3) {
    for (int k = 0; k < 3; k++) {
      (*entry)->rgba[k] = (float)number[k];
    }
    (*entry)->has_color = 1;
  } else if (starts(line, end, "d") && line_numbers(number, line + 1, end, 1) == 1) {
    (*entry)->rgba[3] = (float)number[0];
  } else if (starts(line, end, "Tr") && line_numbers(number, line + 2, end, 1) == 1) {
    (*entry)->rgba[3] = (float)(1 - number[0]);
  } else if (starts(line, end, "map_Kd")) {
    line = skip_options(line + 6, end);
    (*entry)->texture = build_text(line, (size_t)(end - line));
  }
}

int mtl_read(Materials* materials, const char* path) {
  const char* bytes;
  size_t size;
  if (materials->nread == MOST_LIBRARIES || !build_other(materials->build, path, &bytes, &size)) {
    return 0;
  }
  materials->nread++;
  char* text = build_text(bytes, size);
  MtlEntry* entry = NULL;
  for (const char* line = text; *line;) {
    line = number_skip(line);
    size_t length = strcspn(line, "\r\n");
    const char *end = line + length, *next = end;
    while (end > line && (end[-1] == ' ' || end[-1] == '\t')) {
      end--;
    }
    read_line(materials, &entry, line, end);
    line = next;
  }
  heap_free(text);
  return 1;
}

int mtl_find(Materials* materials, const char* name) {
  MtlEntry* entry = find_entry(materials, name);
  entry = entry ? entry : add_entry(materials, name, strlen(name));
  if (entry->index < 0) {
    // a material without opacity isn't meant
    entry->rgba[3] = entry->rgba[3] > 0 ? entry->rgba[3] : 1;
    int has_color = entry->has_color || entry->rgba[3] < 1;
    entry->index = build_material(materials->build, entry->name, has_color ? entry->rgba : NULL,
                                  entry->texture);
  }
  return entry->index;
}
