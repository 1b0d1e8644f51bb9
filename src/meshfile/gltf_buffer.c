// gltf_buffer.c: bytes of buffers, and accessors as numbers.
//
// An accessor sees elements of one type in a part of a buffer: count elements of `width`
// components, `stride` bytes from one to the next. A sparse one replaces some elements of
// these, or of zeros.

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "meshfile/gltf_context.h"

enum {
  BYTE = 5120,
  UNSIGNED_BYTE,
  SHORT,
  UNSIGNED_SHORT,
  UNSIGNED_INT = 5125,
  FLOAT,
};

// Bytes that hold elements.
typedef struct Elements_ {
  const unsigned char* bytes;
  size_t stride;
} Elements;

const JsonValue* gltf_refer(const Gltf* gltf, size_t* index, const JsonValue* object,
                            const char* key, const char* list) {
  const JsonValue* link = json_member(object, key);
  if (!link) {
    return NULL;
  }
  double number = link->kind == JSON_NUMBER ? link->number : -1;
  *index = number >= 0 && number < INT_MAX ? (size_t)number : SIZE_MAX;
  const JsonValue* found = json_element(json_member(gltf->root, list), *index);
  if (!found || found->kind != JSON_OBJECT) {
    build_fail(gltf->build, link->at, "'%s' refers to no element of '%s'", key, list);
  }
  return found;
}

size_t gltf_size(const Gltf* gltf, const JsonValue* object, const char* key) {
  const JsonValue* value = json_member(object, key);
  if (!value) {
    return 0;
  }
  if (value->kind != JSON_NUMBER || value->number < 0 || value->number > 1e15 ||
      value->number != floor(value->number)) {
    build_fail(gltf->build, value->at, "'%s' is not a whole number", key);
  }
  return (size_t)value->number;
}

// buffers

// Decodes base64 up to its end. Returns the number of bytes, SIZE_MAX if it is no base64.
static size_t decode_base64(unsigned char* out, const char* text) {
  uint32_t bits = 0;
  int nbits = 0;
  size_t n = 0;
  for (; *text && *text != '='; text++) {
    char c = *text;
    int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                : c >= 'a' && c <= 'z' ? c - 'a' + 26
                : c >= '0' && c <= '9' ? c - '0' + 52
                : c == '+' || c == '-' ? 62
                : c == '/' || c == '_' ? 63
                                       : -1;
    if (digit < 0) {
      return SIZE_MAX;
    }
    bits = bits << 6 | (uint32_t)digit;
    nbits += 6;
    if (nbits >= 8) {
      nbits -= 8;
      out[n++] = (unsigned char)(bits >> nbits);
    }
  }
  return n;
}

// The bytes of a "data:" link.
static unsigned char* data_bytes(const Gltf* gltf, const JsonValue* node, const char* uri,
                                 size_t* size) {
  const char* comma = strchr(uri, ',');
  unsigned char* bytes = comma ? heap_take(strlen(comma) + 1) : NULL;
  int is_base64 = comma && comma - uri >= 7 && strncmp(comma - 7, ";base64", 7) == 0;
  *size = is_base64 ? decode_base64(bytes, comma + 1) : SIZE_MAX;
  if (*size == SIZE_MAX) {
    build_fail(gltf->build, node->at, "the data isn't base64");
  }
  return bytes;
}

static void load_buffer(Gltf* gltf, GltfBuffer* buffer, const JsonValue* node) {
  const char* uri = json_member_text(node, "uri", NULL);
  if (!uri) {
    buffer->bytes = gltf->chunk;
    buffer->size = gltf->chunk_size;
    if (!gltf->chunk || buffer != gltf->buffer) {
      build_fail(gltf->build, node->at, "a buffer has no 'uri'");
    }
  } else if (strncmp(uri, "data:", 5) == 0) {
    buffer->bytes = data_bytes(gltf, node, uri, &buffer->size);
  } else {
    const char *path = build_path(uri, strlen(uri)), *bytes;
    if (!build_other(gltf->build, path, &bytes, &buffer->size)) {
      build_fail(gltf->build, node->at, "the buffer '%s' can't be read", path);
    }
    buffer->bytes = (const unsigned char*)bytes;
  }
}

// `count` elements of `size` bytes in a buffer view, `offset` bytes from its start.
static Elements view_elements(Gltf* gltf, const JsonValue* owner, size_t count, size_t size) {
  size_t view_index, index;
  const JsonValue* view = gltf_refer(gltf, &view_index, owner, "bufferView", "bufferViews");
  const JsonValue* node = view ? gltf_refer(gltf, &index, view, "buffer", "buffers") : NULL;
  if (!node) {
    build_fail(gltf->build, owner->at, "the accessor has no buffer");
  }
  GltfBuffer* buffer = &gltf->buffer[index];
  if (!buffer->bytes) {
    load_buffer(gltf, buffer, node);
  }
  size_t start = gltf_size(gltf, view, "byteOffset"), length = gltf_size(gltf, view, "byteLength");
  size_t offset = gltf_size(gltf, owner, "byteOffset");
  size_t stride = gltf_size(gltf, view, "byteStride");
  stride = stride ? stride : size;
  if (start > buffer->size || length > buffer->size - start) {
    build_fail(gltf->build, view->at, "the view ends behind its buffer of %zu bytes", buffer->size);
  }
  // the last element needs no stride behind it; one alone may be empty
  if (count && (offset > length || size > length - offset ||
                (count > 1 && count - 1 > (length - offset - size) / stride))) {
    build_fail(gltf->build, owner->at, "the accessor ends behind its view of %zu bytes", length);
  }
  return (Elements){buffer->bytes + start + offset, stride};
}

void* gltf_image(Gltf* gltf, const JsonValue* image, size_t* size) {
  const char* uri = json_member_text(image, "uri", NULL);
  void* bytes = NULL;
  size_t index;
  if (uri && strncmp(uri, "data:", 5) == 0) {
    bytes = data_bytes(gltf, image, uri, size);
  } else if (!uri && image && json_member(image, "bufferView")) {
    const JsonValue* view = gltf_refer(gltf, &index, image, "bufferView", "bufferViews");
    *size = gltf_size(gltf, view, "byteLength");
    Elements from = view_elements(gltf, image, 1, *size);
    bytes = build_text((const char*)from.bytes, *size);
  }
  // many materials with one large image would take more than the file
  gltf->image_bytes += bytes ? *size : 0;
  if (gltf->image_bytes > 2 * gltf->build->size) {
    heap_free(bytes);
    bytes = NULL;
  }
  return bytes;
}

// accessors

static size_t component_size(int type) {
  return type == BYTE || type == UNSIGNED_BYTE     ? 1
         : type == SHORT || type == UNSIGNED_SHORT ? 2
         : type == UNSIGNED_INT || type == FLOAT   ? 4
                                                   : 0;
}

static size_t width_of(const char* type) {
  static const struct {
    const char* name;
    size_t width;
  } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}};
  for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
    if (strcmp(type, types[i].name) == 0) {
      return types[i].width;
    }
  }
  return 0;
}

static double component(const unsigned char* at, int type) {
  uint16_t two = 0;
  uint32_t four = 0;
  size_t size = component_size(type);
  for (size_t i = 0; size > 1 && i < size; i++) {
    four |= (uint32_t)at[i] << 8 * i;
  }
  two = (uint16_t)four;
  float real;
  memcpy(&real, &four, sizeof(real));
  return type == BYTE             ? (double)(int8_t)*at
         : type == UNSIGNED_BYTE  ? (double)*at
         : type == SHORT          ? (double)(int16_t)two
         : type == UNSIGNED_SHORT ? (double)two
         : type == UNSIGNED_INT   ? (double)four
                                  : (double)real;
}

// What a normalized integer of a type is divided by.
static double largest(int type) {
  return type == BYTE             ? 127
         : type == UNSIGNED_BYTE  ? 255
         : type == SHORT          ? 32767
         : type == UNSIGNED_SHORT ? 65535
         : type == UNSIGNED_INT   ? 4294967295.0
                                  : 1;
}

// What an accessor says of itself.
typedef struct Layout_ {
  int type;
  size_t count, width;
  double divisor;
} Layout;

static void store(GltfAccessor* out, size_t i, const unsigned char* at, const Layout* layout) {
  size_t size = component_size(layout->type);
  for (size_t k = 0; k < layout->width; k++) {
    double value = component(at + k * size, layout->type);
    if (out->index) {
      // an index that is no int is out of range wherever it is used
      out->index[i * layout->width + k] = value >= 0 && value < INT_MAX ? (int)value : INT_MAX;
    } else {
      value /= layout->divisor;
      out->real[i * layout->width + k] = (float)(layout->divisor > 1 && value < -1 ? -1 : value);
    }
  }
}

static Layout read_layout(Gltf* gltf, const JsonValue* node) {
  Layout layout = {.type = (int)gltf_size(gltf, node, "componentType"),
                   .count = gltf_size(gltf, node, "count"),
                   .width = width_of(json_member_text(node, "type", "")),
                   .divisor = 1};
  if (!component_size(layout.type) || !layout.width) {
    build_fail(gltf->build, node->at, "the accessor has no known type");
  }
  // only zeros can be more than the bytes of a buffer; they may be as many as the file's
  size_t most = json_member(node, "bufferView") ? INT_MAX / 4 : gltf->build->size;
  if (layout.count > most) {
    build_fail(gltf->build, node->at, "the accessor has %zu elements, which is too much",
               layout.count);
  }
  const JsonValue* normalized = json_member(node, "normalized");
  if (normalized && normalized->kind == JSON_TRUE) {
    layout.divisor = largest(layout.type);
  }
  return layout;
}

static void read_sparse(Gltf* gltf, GltfAccessor* out, const JsonValue* sparse,
                        const Layout* layout) {
  const JsonValue *indices = json_member(sparse, "indices"),
                  *values = json_member(sparse, "values");
  size_t count = gltf_size(gltf, sparse, "count");
  int type = indices ? (int)gltf_size(gltf, indices, "componentType") : 0;
  if (!values || !component_size(type) || count > layout->count) {
    build_fail(gltf->build, sparse->at, "the sparse accessor lacks its indices or values");
  }
  Elements at = view_elements(gltf, indices, count, component_size(type));
  Elements with = view_elements(gltf, values, count, layout->width * component_size(layout->type));
  for (size_t i = 0; i < count; i++) {
    double index = component(at.bytes + i * at.stride, type);
    if (!(index >= 0 && index < (double)layout->count)) {
      build_fail(gltf->build, sparse->at, "index %g of the sparse accessor is out of range: %zu",
                 index, layout->count);
    }
    store(out, (size_t)index, with.bytes + i * with.stride, layout);
  }
}

static const GltfAccessor* read_accessor(Gltf* gltf, const JsonValue* object, const char* key,
                                         int as_index) {
  size_t index;
  const JsonValue* node = gltf_refer(gltf, &index, object, key, "accessors");
  if (!node) {
    return NULL;
  }
  GltfAccessor* out = &gltf->accessor[index];
  if (as_index ? out->index != NULL : out->real != NULL) {
    return out;
  }
  if (out->index || out->real) {
    build_fail(gltf->build, node->at, "the accessor gives indices and other numbers at once");
  }
  Layout layout = read_layout(gltf, node);
  Elements from = {NULL, 0};
  if (json_member(node, "bufferView")) {
    from = view_elements(gltf, node, layout.count, layout.width * component_size(layout.type));
  }
  out->count = layout.count;
  out->width = layout.width;
  if (as_index) {
    out->index = heap_zero(layout.count * layout.width + 1, sizeof(int));
  } else {
    out->real = heap_zero(layout.count * layout.width + 1, sizeof(float));
  }
  for (size_t i = 0; from.bytes && i < layout.count; i++) {
    store(out, i, from.bytes + i * from.stride, &layout);
  }
  const JsonValue* sparse = json_member(node, "sparse");
  if (sparse) {
    read_sparse(gltf, out, sparse, &layout);
  }
  return out;
}

const GltfAccessor* gltf_reals(Gltf* gltf, const JsonValue* object, const char* key) {
  return read_accessor(gltf, object, key, 0);
}

const GltfAccessor* gltf_indices(Gltf* gltf, const JsonValue* object, const char* key) {
  return read_accessor(gltf, object, key, 1);
}
