// xml.c: the tree of elements, built by Expat's handlers.

#include "meshfile/xml.h"

#include <expat.h>
#include <limits.h>
#include <mujoco/api/base.h>
#include <string.h>

#include "base/text/number.h"

enum {
  MOST_DEPTH = 256,
  MOST_NODES = 4000000,
  MOST_ATTRIBUTES = 100,
  BLOCK_BYTES = 1 << 18,
};

#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
#define EXPAT_BYTE(parser) XML_GetCurrentByteIndex64(parser)
#define EXPAT_COUNT(parser) XML_GetCurrentByteCount64(parser)
#else
#define EXPAT_BYTE(parser) XML_GetCurrentByteIndex(parser)
#define EXPAT_COUNT(parser) XML_GetCurrentByteCount(parser)
#endif

typedef struct Reader_ {
  XmlTree* tree;
  XML_Parser expat;
  XmlNode* open[MOST_DEPTH];  // the elements around the current place
  int depth;
  size_t count;  // of elements
  char* block;   // small pieces of memory are cut from it
  size_t left;
  char* plain;  // decoded text of the innermost element
  size_t length, room;
} Reader;

static void* take(Reader* reader, size_t bytes) {
  bytes = (bytes + 15) / 16 * 16;
  if (bytes > BLOCK_BYTES / 4) {
    return heap_take(bytes);
  }
  if (bytes > reader->left) {
    reader->block = heap_take(BLOCK_BYTES);
    reader->left = BLOCK_BYTES;
  }
  void* out = reader->block;
  reader->block += bytes;
  reader->left -= bytes;
  return out;
}

static char* take_text(Reader* reader, const char* text) {
  size_t size = strlen(text) + 1;
  return memcpy(take(reader, size), text, size);
}

static const char* place(const Reader* reader) {
  long long at = (long long)EXPAT_BYTE(reader->expat);
  return reader->tree->build->bytes + (at < 0 ? 0 : at);
}

// Elements whose text is a path or a name.
static int has_text(const char* name) {
  static const char* const names[] = {"init_from", "ref", "source", "up_axis"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (strcmp(name, names[i]) == 0) {
      return 1;
    }
  }
  return 0;
}

static void on_text(void* user, const char* text, int length) {
  Reader* reader = user;
  if (reader->length + (size_t)length + 1 > reader->room) {
    reader->room = 2 * (reader->length + (size_t)length + 1);
    reader->plain = heap_resize(reader->plain, reader->room);
  }
  memcpy(reader->plain + reader->length, text, (size_t)length);
  reader->length += (size_t)length;
}

static const char** copy_attributes(Reader* reader, const char** attributes) {
  size_t n = 0;
  while (attributes[n]) {
    n++;
  }
  if (n > 2 * MOST_ATTRIBUTES) {
    build_fail(reader->tree->build, place(reader), "the element has too many attributes");
  }
  const char** copy = take(reader, (n + 1) * sizeof(char*));
  for (size_t i = 0; i < n; i++) {
    copy[i] = take_text(reader, attributes[i]);
  }
  copy[n] = NULL;
  return copy;
}

static void on_start(void* user, const char* name, const char** attributes) {
  Reader* reader = user;
  const MeshBuild* build = reader->tree->build;
  if (reader->depth >= MOST_DEPTH || ++reader->count > MOST_NODES) {
    build_fail(build, place(reader), "too many elements, or elements nested too deeply");
  }
  const char* colon = strchr(name, ':');
  XmlNode* node = take(reader, sizeof(XmlNode));
  *node = (XmlNode){.name = take_text(reader, colon ? colon + 1 : name)};
  node->attribute = copy_attributes(reader, attributes);
  node->content = node->end = place(reader) + EXPAT_COUNT(reader->expat);

  XmlNode* parent = reader->depth ? reader->open[reader->depth - 1] : NULL;
  if (parent) {
    *(parent->last ? &parent->last->next : &parent->child) = node;
    parent->last = node;
  } else {
    reader->tree->root = node;
  }
  reader->open[reader->depth++] = node;
  const char* id = xml_attribute(node, "id");
  if (id) {
    hash_add(&reader->tree->id, hash_text(id), node);
  }
  reader->length = 0;
  XML_SetCharacterDataHandler(reader->expat, has_text(node->name) ? on_text : NULL);
}

static void on_end(void* user, const char* name) {
  (void)name;
  Reader* reader = user;
  XmlNode* node = reader->open[--reader->depth];
  if (EXPAT_COUNT(reader->expat) > 0 && place(reader) > node->content) {
    node->end = place(reader);
  }
  if (!node->child && has_text(node->name)) {
    // without white space around it
    const char *from = reader->plain, *to = reader->plain + reader->length;
    while (from < to && number_isspace(*from)) {
      from++;
    }
    while (to > from && number_isspace(to[-1])) {
      to--;
    }
    node->plain = build_text(from ? from : "", (size_t)(to - from));
  }
  reader->length = 0;
  XML_SetCharacterDataHandler(reader->expat, NULL);
}

// Encodings that Expat doesn't know are one byte a character mostly, and nearly all of it ASCII.
static int on_encoding(void* user, const char* name, XML_Encoding* encoding) {
  (void)user;
  (void)name;
  for (int i = 0; i < 256; i++) {
    encoding->map[i] = i;
  }
  encoding->data = NULL;
  encoding->convert = NULL;
  encoding->release = NULL;
  return XML_STATUS_OK;
}

void xml_parse(XmlTree* tree, const MeshBuild* build) {
  static const XML_Memory_Handling_Suite memory = {heap_take, heap_resize, heap_free};
  *tree = (XmlTree){.build = build};
  Reader* reader = heap_zero(1, sizeof(Reader));
  reader->tree = tree;
  if (build->size > INT_MAX) {
    build_fail(build, NULL, "the file is too large");
  }
  reader->expat = XML_ParserCreate_MM(NULL, &memory, NULL);
  XML_SetUserData(reader->expat, reader);
  XML_SetElementHandler(reader->expat, on_start, on_end);
  XML_SetUnknownEncodingHandler(reader->expat, on_encoding, NULL);
  XML_SetParamEntityParsing(reader->expat, XML_PARAM_ENTITY_PARSING_NEVER);
  if (XML_Parse(reader->expat, build->bytes, (int)build->size, 1) != XML_STATUS_OK) {
    const char* at = place(reader);
    build_fail(build, at, "XML parse error: %s", XML_ErrorString(XML_GetErrorCode(reader->expat)));
  }
  XML_ParserFree(reader->expat);
  heap_free(reader->plain);
  heap_free(reader);
}

const char* xml_attribute(const XmlNode* node, const char* name) {
  for (const char** a = node->attribute; *a; a += 2) {
    if (strcmp(*a, name) == 0) {
      return a[1];
    }
  }
  return NULL;
}

int xml_is(const XmlNode* node, const char* name) {
  return strcmp(node->name, name) == 0;
}

static XmlNode* first_of(XmlNode* node, const char* name) {
  while (node && !xml_is(node, name)) {
    node = node->next;
  }
  return node;
}

XmlNode* xml_child(const XmlNode* node, const char* name) {
  return node ? first_of(node->child, name) : NULL;
}

XmlNode* xml_again(const XmlNode* node) {
  return first_of(node->next, node->name);
}

XmlNode* xml_find(const XmlTree* tree, const char* link) {
  enum {
    MOST_TRIED = 1000,
  };
  link = link && *link == '#' ? link + 1 : link;
  const XmlNode* inside = tree->inside;
  XmlNode* first = NULL;
  HashSlot* at = link ? hash_find(&tree->id, hash_text(link)) : NULL;
  for (int tried = 0; at && tried < MOST_TRIED; at = hash_next(at), tried++) {
    XmlNode* node = at->item;
    if (strcmp(xml_attribute(node, "id"), link) != 0) {
      continue;
    }
    if (!inside || (node->content >= inside->content && node->content <= inside->end)) {
      return node;
    }
    first = first ? first : node;
  }
  return first;
}

XmlNode* xml_linked(const XmlTree* tree, const XmlNode* node, const char* attribute,
                    const char* kind) {
  const char* link = xml_attribute(node, attribute);
  XmlNode* found = xml_find(tree, link);
  if (!found || (kind && !xml_is(found, kind))) {
    build_fail(tree->build, node->content, "<%s>: %s='%s' refers to no <%s> of this file",
               node->name, attribute, link ? link : "", kind ? kind : "element");
  }
  return found;
}

const char* xml_skip(const char* at, const char* end) {
  at = number_skip(at);
  while (at + 4 <= end && memcmp(at, "<!--", 4) == 0) {
    const char* close = strstr(at, "-->");
    at = number_skip(close ? close + 3 : end);
  }
  return at;
}

size_t xml_numbers(const XmlTree* tree, double* out, const XmlNode* node, size_t most) {
  const char* at = xml_skip(node->content, node->end);
  size_t n = 0;
  while (n < most && at < node->end) {
    const char* next = number_read(out + n, at);
    if (!next || next > node->end) {
      build_fail(tree->build, at, "<%s>: '%.*s' is not a number", node->name,
                 (int)(node->end - at < 20 ? node->end - at : 20), at);
    }
    n++;
    at = xml_skip(next, node->end);
  }
  return n;
}
