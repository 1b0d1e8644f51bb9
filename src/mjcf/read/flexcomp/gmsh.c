// gmsh.c: reads nodes and elements from Gmsh files, versions 2.2 and 4.1, text and binary.
//
//   $MeshFormat  version  0 text, 1 binary  8   [binary: int 1]   $EndMeshFormat
//   $Nodes ... $EndNodes  $Elements ... $EndElements       anything else is passed over
//
//   2.2  nodes     count, then tag x y z
//        elements  count, then (text) tag type ntags tags nodes, or (binary) blocks of
//                  type, number of elements, ntags, and per element tag tags nodes
//   4.1  nodes     blocks nodes least greatest, then one block: dim tag parametric nodes,
//                  its tags, its coordinates
//        elements  the same head, then one block: dim tag type elements, each tag nodes
//
// Files are not trusted: every count is compared with the bytes that are left before memory is
// allocated for it.                                  theory/smooth/deformables.md, Generated flexes
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text/text.h"
#include "mjcf/read/flexcomp/flexcomp.h"
#include "spec/vector.h"

typedef struct Gmsh_ {
  const char* at;
  const char* end;
  int binary;
  int version;    // version times 100
  int64_t nodes;  // number of nodes, set when they are read
  char* error;
  size_t error_size;
} Gmsh;

// Gmsh's element types by dimension
static const int element_type[4] = {0, 1, 2, 4};

static int fail(Gmsh* file, const char* format, ...) mjPRINTFLIKE(2, 3);

static int fail(Gmsh* file, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(file->error, file->error_size, format, args);
  va_end(args);
  return 0;
}

// reading numbers

static int take_bytes(Gmsh* file, void* out, size_t n) {
  if ((size_t)(file->end - file->at) < n) {
    return fail(file, "file ends early");
  }
  memcpy(out, file->at, n);
  file->at += n;
  return 1;
}

// Reads an integer: four or eight bytes in binary files, a word in text files.
static int take_integer(Gmsh* file, int64_t* out, int bytes) {
  if (file->binary) {
    int32_t small = 0;
    if (!take_bytes(file, bytes == 4 ? (void*)&small : (void*)out, (size_t)bytes)) {
      return 0;
    }
    *out = bytes == 4 ? small : *out;
    return 1;
  }
  double value;
  if (text_real(&value, &file->at) != TEXT_OK || !(fabs(value) < 1e15) || value != floor(value)) {
    return fail(file, "a whole number is expected");
  }
  *out = (int64_t)value;
  return 1;
}

static int take_real(Gmsh* file, double* out) {
  if (file->binary) {
    if (!take_bytes(file, out, sizeof(*out))) {
      return 0;
    }
  } else if (text_real(out, &file->at) != TEXT_OK) {
    return fail(file, "a coordinate is expected");
  }
  return isfinite(*out) || fail(file, "a coordinate is not finite");
}

// Reads a count of items of at least `least` bytes each, including the space between words.
static int take_count(Gmsh* file, int64_t* out, int bytes, size_t least) {
  if (!take_integer(file, out, bytes)) {
    return 0;
  }
  int64_t room = (int64_t)((size_t)(file->end - file->at) / least) + 1;
  return (*out > 0 && *out <= room && *out <= FLEXCOMP_MAX) ||
         fail(file, "a count is %lld, the file has no room for as many", (long long)*out);
}

// Moves behind the next mark with this name, skipping everything before it.
static int find_mark(Gmsh* file, const char* name) {
  size_t length = strlen(name);
  for (const char* at = file->at; (at = memchr(at, '$', (size_t)(file->end - at))); at++) {
    if ((size_t)(file->end - at) >= length && !memcmp(at, name, length)) {
      file->at = at + length;
      return 1;
    }
  }
  return 0;
}

// Moves to the content of a section. Binary numbers begin on the next line.
static int find_section(Gmsh* file, const char* name) {
  if (!find_mark(file, name)) {
    return fail(file, "section %s is missing", name);
  }
  while (file->binary && file->version == 410 && file->at < file->end && *file->at++ != '\n') {
  }
  return 1;
}

static int end_section(Gmsh* file, const char* name) {
  return find_mark(file, name) || fail(file, "%s is missing: the file ends early", name);
}

// Reads the count at the head of a section of version 2.2, a word that ends its line, also in
// binary files.
static int take_headcount(Gmsh* file, int64_t* out, size_t least) {
  int binary = file->binary;
  file->binary = 0;
  int good = take_count(file, out, 4, least);
  file->binary = binary;
  while (file->at < file->end && *file->at != '\n' && text_isspace(*file->at)) {
    file->at++;
  }
  if (good && file->at < file->end && *file->at++ != '\n') {
    return fail(file, "a section must begin with a line that counts what is in it");
  }
  return good;
}

// version 4.1

// Reads the head of a section (number of blocks, range of tags), then the head of its only block.
static int take_head(Gmsh* file, int64_t least[1], int64_t greatest[1], int64_t entity[3],
                     int64_t count[1], size_t bytes) {
  int64_t blocks = 0, total;
  if (!take_integer(file, &blocks, 8) || !take_integer(file, &total, 8) ||
      !take_integer(file, least, 8) || !take_integer(file, greatest, 8)) {
    return 0;
  }
  if (blocks != 1) {
    return fail(file, "nodes and elements must be one block each, the file has %lld",
                (long long)blocks);
  }
  for (int k = 0; k < 3; k++) {
    if (!take_integer(file, entity + k, 4)) {
      return 0;
    }
  }
  return take_count(file, count, 8, bytes) &&
         (*count == total || fail(file, "a block counts %lld, the head of its section %lld",
                                  (long long)*count, (long long)total));
}

static int read_nodes41(Gmsh* file, Flexcomp* comp, int64_t first[1]) {
  int64_t greatest, entity[3], count, tag;
  if (!take_head(file, first, &greatest, entity, &count, file->binary ? 32 : 7)) {
    return 0;
  }
  if (entity[0] < 1 || entity[0] > 3) {
    return fail(file, "dimension of nodes is %lld, not 1, 2 or 3", (long long)entity[0]);
  }
  if (greatest != count) {
    return fail(file, "the greatest tag of a node is %lld, but there are %lld nodes",
                (long long)greatest, (long long)count);
  }
  comp->dim = (int)entity[0];
  for (int64_t i = 0; i < count; i++) {
    if (!take_integer(file, &tag, 8)) {
      return 0;
    }
    if (tag != *first + i) {
      return fail(file, "tags of nodes must follow each other, %lld comes after %lld",
                  (long long)tag, (long long)(*first + i - 1));
    }
  }
  for (int64_t i = 0; i < count; i++) {
    double x[3];
    if (!take_real(file, x) || !take_real(file, x + 1) || !take_real(file, x + 2)) {
      return 0;
    }
    flexcomp_addpoint(comp, x[0], x[1], x[2]);
  }
  file->nodes = count;
  return 1;
}

// Reads the nodes of one element, as indices relative to the first tag.
static int take_element(Gmsh* file, Flexcomp* comp, int64_t first, int bytes) {
  int vertex[4];
  int64_t node;
  for (int k = 0; k <= comp->dim; k++) {
    if (!take_integer(file, &node, bytes)) {
      return 0;
    }
    if (node < first || node - first >= file->nodes) {
      return fail(file, "an element has node %lld, there are %lld from %lld on", (long long)node,
                  (long long)file->nodes, (long long)first);
    }
    vertex[k] = (int)(node - first);
  }
  flexcomp_addelement(comp, vertex, comp->dim + 1);
  return 1;
}

static int read_elements41(Gmsh* file, Flexcomp* comp, int64_t first) {
  int64_t least, greatest, entity[3], count, tag;
  if (!take_head(file, &least, &greatest, entity, &count, file->binary ? 24 : 6)) {
    return 0;
  }
  if (entity[0] != comp->dim || entity[2] != element_type[comp->dim]) {
    return fail(file, "elements of nodes of dimension %d must be of type %d, they are of type %lld",
                comp->dim, element_type[comp->dim], (long long)entity[2]);
  }
  for (int64_t i = 0; i < count; i++) {
    if (!take_integer(file, &tag, 8) || !take_element(file, comp, first, 8)) {
      return 0;
    }
  }
  return 1;
}

// version 2.2

static int read_nodes22(Gmsh* file, Flexcomp* comp) {
  int64_t count, tag;
  if (!take_headcount(file, &count, file->binary ? 28 : 8)) {
    return 0;
  }
  for (int64_t i = 0; i < count; i++) {
    double x[3];
    if (!take_integer(file, &tag, 4) || !take_real(file, x) || !take_real(file, x + 1) ||
        !take_real(file, x + 2)) {
      return 0;
    }
    flexcomp_addpoint(comp, x[0], x[1], x[2]);
  }
  file->nodes = count;
  return 1;
}

// Checks an element's type. The type of the first element sets the dimension of the flex.
static int check_type(Gmsh* file, Flexcomp* comp, int64_t type, int is_first) {
  if (is_first) {
    comp->dim = type == element_type[2] ? 2 : 3;
  }
  return type == element_type[comp->dim] ||
         fail(file, "element is of type %lld: all must be triangles (2) or tetrahedra (4)",
              (long long)type);
}

static int skip_tags(Gmsh* file, int64_t count) {
  int64_t tag;
  if (count < 0 || count > 100) {
    return fail(file, "element has %lld tags", (long long)count);
  }
  for (int64_t i = 0; i < count; i++) {
    if (!take_integer(file, &tag, 4)) {
      return 0;
    }
  }
  return 1;
}

static int read_elements22(Gmsh* file, Flexcomp* comp) {
  int64_t count, tag, type = 0, tags = 0, block = 0;
  if (!take_headcount(file, &count, file->binary ? 16 : 10)) {
    return 0;
  }
  for (int64_t i = 0; i < count; i++) {
    // text: tag type ntags ... per element. binary: type, count and ntags head a block of elements.
    int heads = file->binary && block == 0;
    if ((heads && (!take_integer(file, &type, 4) || !take_count(file, &block, 4, 4) ||
                   !take_integer(file, &tags, 4))) ||
        !take_integer(file, &tag, 4) ||
        (!file->binary && (!take_integer(file, &type, 4) || !take_integer(file, &tags, 4))) ||
        !check_type(file, comp, type, i == 0) || !skip_tags(file, tags) ||
        !take_element(file, comp, 1, 4)) {
      return 0;
    }
    block -= block > 0;
  }
  return 1;
}

// whole files

// Reads the version, text or binary, and the byte order.
static int read_format(Gmsh* file) {
  static const char head[] = "$MeshFormat";
  double version;
  int64_t binary, bytes, one = 1;
  if ((size_t)(file->end - file->at) < sizeof(head) || memcmp(file->at, head, sizeof(head) - 1)) {
    return fail(file, "Gmsh file must begin with $MeshFormat");
  }
  file->at += sizeof(head) - 1;
  if (!take_real(file, &version) || !take_integer(file, &binary, 4) ||
      !take_integer(file, &bytes, 4)) {
    return 0;
  }
  file->version = fabs(version) < 100 ? (int)round(100 * version) : 0;
  if (file->version != 410 && file->version != 220) {
    return fail(file, "version must be 4.1 or 2.2, it is %g", version);
  }
  if (binary && bytes != 8) {
    return fail(file, "numbers must have 8 bytes, they have %lld", (long long)bytes);
  }
  file->binary = binary != 0;
  while (file->binary && file->at < file->end && *file->at++ != '\n') {
  }
  if (file->binary && !take_integer(file, &one, 4)) {
    return 0;
  }
  return one == 1 || fail(file, "bytes are in the order of another machine");
}

int flexcomp_gmsh(Flexcomp* comp, const char* bytes, size_t size, char* error, size_t error_size) {
  Gmsh file = {.at = bytes, .end = bytes + size, .error = error, .error_size = error_size};
  int64_t first = 1;
  if (!read_format(&file) || !find_section(&file, "$Nodes") ||
      !(file.version == 410 ? read_nodes41(&file, comp, &first) : read_nodes22(&file, comp)) ||
      !end_section(&file, "$EndNodes") || !find_section(&file, "$Elements") ||
      !(file.version == 410 ? read_elements41(&file, comp, first) : read_elements22(&file, comp))) {
    return 0;
  }
  return end_section(&file, "$EndElements");
}
