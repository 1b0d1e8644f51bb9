// values.c: converts the text of attributes to numbers, keywords and names, and stores them by the
// rows of the schema.

#include "mjcf/read/values.h"

#include <math.h>
#include <mujoco/api/spec.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text/text.h"
#include "model/files/resource.h"
#include "spec/vector.h"

const char values_nanwarning[] = "XML contains a 'NaN'. Please check it carefully.";

enum {
  MESSAGE_BYTES = 400,
  WORD_SHOWN = 40,  // characters of a wrong word that a message shows
};

void values_error(const Reader* reader, const Node* node, const char* attribute, const char* hint,
                  const char* message, ...) {
  char text[MESSAGE_BYTES];
  va_list args;
  va_start(args, message);
  vsnprintf(text, sizeof(text), message, args);
  va_end(args);
  node_report(node, attribute ? node_attribute(node, attribute) : NULL, reader->problems,
              cndSEVERITY_ERROR, hint, "%s", text);
}

// An attribute that the schema knows, else NULL.
static const Attribute* usable(const Node* node, const char* name) {
  const Attribute* attribute = node_attribute(node, name);
  return attribute && attribute->row ? attribute : NULL;
}

const char* values_text(const Node* node, const char* name) {
  const Attribute* attribute = usable(node, name);
  return attribute ? attribute->value : NULL;
}

static int isblank_text(const char* text) {
  while (text_isspace(*text)) {
    text++;
  }
  return !*text;
}

static int is_vector(AttributeKind kind) {
  return kind == ATTR_REAL || kind == ATTR_QUAT || kind == ATTR_ALTERNATIVE || kind == ATTR_INTS ||
         kind == ATTR_REALS || kind == ATTR_SINGLES || kind == ATTR_INTEGERS;
}

int values_has(const Node* node, const char* name) {
  const Attribute* attribute = usable(node, name);
  return attribute && !(is_vector(attribute->row->kind) && isblank_text(attribute->value));
}

// The numbers of one attribute in the type of its destination.
typedef struct Numbers_ {
  AttributeStore type;  // STORE_DOUBLE, STORE_SINGLE or STORE_INT
  union {
    double* doubles;
    float* singles;
    int* ints;
    void* any;
  } as;
  int capacity;
} Numbers;

static TextStatus read_number(Numbers* numbers, int i, const char** cursor) {
  switch (numbers->type) {
    case STORE_SINGLE:
      return text_single(&numbers->as.singles[i], cursor);
    case STORE_INT:
      return text_int(&numbers->as.ints[i], cursor);
    default:
      return text_real(&numbers->as.doubles[i], cursor);
  }
}

static size_t number_size(AttributeStore type) {
  return type == STORE_DOUBLE ? sizeof(double) : type == STORE_SINGLE ? sizeof(float) : sizeof(int);
}

// Doubles the capacity of a list.
static void grow(Numbers* numbers) {
  int capacity = numbers->capacity ? 2 * numbers->capacity : VALUES_MAX;
  numbers->as.any = heap_resize(numbers->as.any, (size_t)capacity * number_size(numbers->type));
  numbers->capacity = capacity;
}

// Reads all numbers of an attribute. With max < 0 it reads into a growing list, which the caller
// frees. Returns their number, or -1 after an error, which has been reported.
static int read_numbers(Numbers* numbers, const Reader* reader, const Node* node,
                        const Attribute* attribute, int min, int max) {
  const char *name = attribute->name, *cursor = attribute->value;
  int count = 0, has_nan = 0, is_over = 0;
  for (; !is_over; count += !is_over) {
    double spare;  // receives a number beyond the maximum
    Numbers beyond = {STORE_DOUBLE, {&spare}, 1};
    int full = max >= 0 && count == max;
    if (max < 0 && count == numbers->capacity) {
      grow(numbers);
    }
    TextStatus status =
        full ? read_number(&beyond, 0, &cursor) : read_number(numbers, count, &cursor);
    if (status == TEXT_END) {
      break;
    }
    is_over = full;
    if (status != TEXT_OK && !is_over) {
      int length = text_tokenlength(cursor);
      values_error(reader, node, attribute->name, NULL,
                   status == TEXT_BAD ? "bad format in attribute '%s': '%.*s'"
                                      : "number is too large in attribute '%s': '%.*s'",
                   name, length < WORD_SHOWN ? length : WORD_SHOWN, cursor);
      return -1;
    }
    has_nan |= !is_over && isnan(schema_number(numbers->as.any, numbers->type, count));
  }
  if (has_nan) {
    node_report(node, attribute, reader->problems, cndSEVERITY_WARNING, NULL, "%s",
                values_nanwarning);
  }
  if (is_over) {
    values_error(reader, node, attribute->name, NULL,
                 "attribute '%s' has too much data (at most %d)", name, max);
    return -1;
  }
  if (count && count < min) {
    values_error(reader, node, attribute->name, NULL,
                 "attribute '%s' does not have enough data (%d of %d)", name, count, min);
    return -1;
  }
  return count;
}

// Reads an attribute of limited length into out, which is written only if all numbers are right.
static int read_fixed(void* out, AttributeStore type, const Reader* reader, const Node* node,
                      const Attribute* attribute) {
  double memory[32];
  Numbers numbers = {type, {memory}, (int)(sizeof(memory) / sizeof(double))};
  int count =
      read_numbers(&numbers, reader, node, attribute, attribute->row->min, attribute->row->max);
  if (count > 0) {
    memcpy(out, memory, (size_t)count * number_size(type));
  }
  return count > 0 ? count : 0;
}

int values_reals(double* out, const Reader* reader, const Node* node, const char* name) {
  const Attribute* attribute = usable(node, name);
  return attribute ? read_fixed(out, STORE_DOUBLE, reader, node, attribute) : 0;
}

int values_ints(int* out, const Reader* reader, const Node* node, const char* name) {
  const Attribute* attribute = usable(node, name);
  return attribute ? read_fixed(out, STORE_INT, reader, node, attribute) : 0;
}

static void* read_list(int* count, AttributeStore type, const Reader* reader, const Node* node,
                       const char* name) {
  const Attribute* attribute = usable(node, name);
  Numbers numbers = {type, {NULL}, 0};
  *count = attribute ? read_numbers(&numbers, reader, node, attribute, 0, -1) : 0;
  if (*count <= 0) {
    heap_free(numbers.as.any);
    *count = 0;
    return NULL;
  }
  return numbers.as.any;
}

double* values_list(int* count, const Reader* reader, const Node* node, const char* name) {
  return read_list(count, STORE_DOUBLE, reader, node, name);
}

int* values_intlist(int* count, const Reader* reader, const Node* node, const char* name) {
  return read_list(count, STORE_INT, reader, node, name);
}

// Reads a single integer: exactly one token. An empty text is wrong.
static int read_int(int* out, const Reader* reader, const Node* node, const Attribute* attribute) {
  const char* cursor = attribute->value;
  int value;
  if (text_int(&value, &cursor) != TEXT_OK) {
    values_error(reader, node, attribute->name, "an integer is expected",
                 "problem reading attribute '%s'", attribute->name);
    return 0;
  }
  if (!isblank_text(cursor)) {
    values_error(reader, node, attribute->name, NULL,
                 "attribute '%s' has too much data (at most 1)", attribute->name);
    return 0;
  }
  *out = value;
  return 1;
}

int values_int(int* out, const Reader* reader, const Node* node, const char* name) {
  const Attribute* attribute = usable(node, name);
  return attribute ? read_int(out, reader, node, attribute) : 0;
}

static int read_key(int* out, const Reader* reader, const Node* node, const Attribute* attribute) {
  const SchemaKey* keys = attribute->row->keys;
  const SchemaKey* key = schema_key(keys, attribute->value);
  if (!key) {
    char hint[HINT_BYTES];
    if (!diagnostic_hint(hint, schema_nearestkey(keys, attribute->value))) {
      int length = snprintf(hint, sizeof(hint), "one of");
      for (; keys->word && length < (int)sizeof(hint) - 1; keys++) {
        length += snprintf(hint + length, sizeof(hint) - (size_t)length, " %s", keys->word);
      }
    }
    values_error(reader, node, attribute->name, hint, "invalid keyword: '%.*s'", WORD_SHOWN,
                 attribute->value);
    return 0;
  }
  *out = key->value;
  return 1;
}

int values_key(int* out, const Reader* reader, const Node* node, const char* name) {
  const Attribute* attribute = usable(node, name);
  return attribute ? read_key(out, reader, node, attribute) : 0;
}

// Stores an integer in a field of any integer type.
static void store_int(void* field, AttributeStore store, int value) {
  switch (store) {
    case STORE_BYTE:
      *(unsigned char*)field = (unsigned char)value;
      break;
    case STORE_SIZE:
      *(mjtSize*)field = (mjtSize)value;
      break;
    case STORE_SINGLE:
      *(float*)field = (float)value;
      break;
    case STORE_DOUBLE:
      *(double*)field = value;
      break;
    default:
      *(int*)field = value;
  }
}

// Reads a list of any length into the growable array of a handle.
static void store_list(void* handle, AttributeStore type, const Reader* reader, const Node* node,
                       const Attribute* attribute) {
  Numbers numbers = {type, {NULL}, 0};
  int count = read_numbers(&numbers, reader, node, attribute, 0, -1);
  if (count > 0 && type == STORE_DOUBLE) {
    mjs_setDouble(handle, numbers.as.doubles, count);
  } else if (count > 0 && type == STORE_SINGLE) {
    mjs_setFloat(handle, numbers.as.singles, count);
  } else if (count > 0) {
    mjs_setInt(handle, numbers.as.ints, count);
  }
  heap_free(numbers.as.any);
}

// Stores a quaternion. One of zeros is an error.
static void store_quat(double* field, const Reader* reader, const Node* node,
                       const Attribute* attribute) {
  double quat[4];
  if (!read_fixed(quat, STORE_DOUBLE, reader, node, attribute)) {
    return;
  }
  if (quat[0] == 0 && quat[1] == 0 && quat[2] == 0 && quat[3] == 0) {
    values_error(reader, node, attribute->name, NULL, "zero quaternion is not allowed");
    return;
  }
  memcpy(field, quat, sizeof(quat));
}

static size_t alternative_offset(int type) {
  switch (type) {
    case mjORIENTATION_AXISANGLE:
      return offsetof(mjsOrientation, axisangle);
    case mjORIENTATION_XYAXES:
      return offsetof(mjsOrientation, xyaxes);
    case mjORIENTATION_ZAXIS:
      return offsetof(mjsOrientation, zaxis);
    default:
      return offsetof(mjsOrientation, euler);
  }
}

// Stores an alternative orientation and its type.
static void store_alternative(double* field, const Reader* reader, const Node* node,
                              const Attribute* attribute) {
  int type = attribute->row->value;
  if (read_fixed(field, STORE_DOUBLE, reader, node, attribute)) {
    mjsOrientation* orientation = (mjsOrientation*)((char*)field - alternative_offset(type));
    orientation->type = (mjtOrientation)type;
  }
}

// The directory in which the compiler looks for the files of an element.
static const char* asset_directory(const Reader* reader, const Node* node) {
  const mjsCompiler* compiler = &reader->spec->compiler;
  if (text_equal(node->name, "texture")) {
    return mjs_getString(compiler->texturedir);
  }
  return text_equal(node->name, "model") ? "" : mjs_getString(compiler->meshdir);
}

// The directory of a node's file, relative to the model's directory if it is inside that. A
// provider's directory may lack the final separator: "P:sub/" is not inside "P:".
static const char* relative_directory(const Reader* reader, const Node* node) {
  const char *directory = node->source->directory, *model = document_directory(reader->document);
  size_t length = strlen(model);
  int is_folder = path_dirlength(model) == (int)length;
  return is_folder && strncmp(directory, model, length) == 0 ? directory + length : directory;
}

static char* copy_text(const char* text) {
  size_t bytes = strlen(text) + 1;
  char* copy = heap_take(bytes);
  return memcpy(copy, text, bytes);
}

static int exists(const Reader* reader, const char* directory, const char* name) {
  char* path = resource_path(directory, name);
  int found = resource_exists(reader->vfs, document_directory(reader->document), path);
  heap_free(path);
  return found;
}

// The name under which the compiler will find a file. An included file may name a file that the
// asset directory does not have. That file is then meant relative to the include: by its full path
// if the include's path is absolute and an asset directory is set, else by the include's directory
// relative to the model's.
//                                                                     theory/model/format.md, Files
static char* resolve_file(const Reader* reader, const Node* node, const char* file) {
  const char* directory = asset_directory(reader, node);
  if (!node->source->includer || exists(reader, directory, file)) {
    return copy_text(file);
  }
  const char* beside = node->source->directory;
  int direct = directory[0] && path_isabsolute(beside) && exists(reader, beside, file);
  return resource_path(direct ? beside : relative_directory(reader, node), file);
}

char* values_file(const Reader* reader, const Node* node, const char* name) {
  const Attribute* attribute = usable(node, name);
  return attribute ? resolve_file(reader, node, attribute->value) : NULL;
}

static void store_file(void* handle, const Reader* reader, const Node* node,
                       const Attribute* attribute) {
  char* file = resolve_file(reader, node, attribute->value);
  mjs_setString(handle, file);
  heap_free(file);
}

static void store_attribute(char* target, const Reader* reader, const Node* node,
                            const Attribute* attribute) {
  const SchemaRow* row = attribute->row;
  void* field = target + row->offset;
  const SchemaKey* key;
  int value;
  switch (row->kind) {
    case ATTR_REAL:
      read_fixed(field, row->store, reader, node, attribute);
      break;
    case ATTR_QUAT:
      store_quat(field, reader, node, attribute);
      break;
    case ATTR_ALTERNATIVE:
      store_alternative(field, reader, node, attribute);
      break;
    case ATTR_INT:
      // some have words beside their numbers
      key = row->keys ? schema_key(row->keys, attribute->value) : NULL;
      value = key ? key->value : 0;
      if (key || read_int(&value, reader, node, attribute)) {
        store_int(field, row->store, value);
      }
      break;
    case ATTR_INTS:
      read_fixed(field, STORE_INT, reader, node, attribute);
      break;
    case ATTR_KEY:
      if (read_key(&value, reader, node, attribute)) {
        store_int(field, row->store, value);
      }
      break;
    case ATTR_BIT:
      if (read_key(&value, reader, node, attribute)) {
        *(int*)field = value ? *(int*)field | row->value : *(int*)field & ~row->value;
      }
      break;
    case ATTR_REALS:
      store_list(*(void**)field, STORE_DOUBLE, reader, node, attribute);
      break;
    case ATTR_SINGLES:
      store_list(*(void**)field, STORE_SINGLE, reader, node, attribute);
      break;
    case ATTR_INTEGERS:
      store_list(*(void**)field, STORE_INT, reader, node, attribute);
      break;
    case ATTR_FILE:
      store_file(*(void**)field, reader, node, attribute);
      break;
    case ATTR_TEXTS:
      mjs_setStringVec(*(void**)field, attribute->value);
      break;
    default:
      mjs_setString(*(void**)field, attribute->value);
  }
}

static int is_orientation(const SchemaRow* row) {
  return row->kind == ATTR_QUAT || row->kind == ATTR_ALTERNATIVE;
}

static void check_required(const Reader* reader, const Node* node) {
  const SchemaElement* element = node->schema;
  for (int g = 0; g < SCHEMA_NGROUP && element->groups[g]; g++) {
    for (const SchemaRow* row = element->groups[g]; row->name; row++) {
      if ((row->flags & ROW_REQUIRED) && !values_has(node, row->name)) {
        values_error(reader, node, NULL, NULL, "required attribute missing: '%s'", row->name);
      }
    }
  }
}

void values_read(const Reader* reader, const Node* node, void* target) {
  int orientations = 0;
  for (int i = 0; i < node->nattribute; i++) {
    const Attribute* attribute = &node->attributes[i];
    const SchemaRow* row = attribute->row;
    if (!row) {
      continue;
    }
    if (row->kind == ATTR_NAME && target) {
      mjs_setName(*(mjsElement**)target, attribute->value);
    } else if (row->kind != ATTR_NAME && row->store != STORE_CODE) {
      store_attribute(target, reader, node, attribute);
    }
    if (is_orientation(row) && !isblank_text(attribute->value) && ++orientations == 2) {
      values_error(reader, node, attribute->name, NULL,
                   "multiple orientation specifiers are not allowed");
    }
  }
  if (!(node->schema->flags & ELEMENT_CLASS)) {
    check_required(reader, node);
  }
}

// All words of a list, with a separator between them.
static const char* join_keys(char out[MESSAGE_BYTES], const SchemaKey* keys, const char* first,
                             const char* separator) {
  int n = snprintf(out, MESSAGE_BYTES, "%s", first);
  for (const SchemaKey* key = keys; key->word && n < MESSAGE_BYTES; key++) {
    n += snprintf(out + n, (size_t)(MESSAGE_BYTES - n), "%s%s", key == keys ? "" : separator,
                  key->word);
  }
  return out;
}

int values_mask(const Reader* reader, const Node* node, const char* name, const SchemaKey* keys) {
  mjStringVec words = {NULL, 0, 0};
  mjs_setStringVec(&words, values_text(node, name));
  char list[MESSAGE_BYTES];
  int bits = 0;
  for (size_t i = 0; i < words.num; i++) {
    const char* word = string_text(&words.ptr[i]);
    const SchemaKey* key = schema_key(keys, word);
    int bit = key ? 1 << key->value : 0;
    if (!key) {
      values_error(reader, node, name, join_keys(list, keys, "one of ", " "),
                   "invalid keyword: '%.*s'", WORD_SHOWN, word);
    } else if (bits & bit) {
      values_error(reader, node, name, NULL, "duplicate keyword: '%s'", word);
    } else if (bits > bit) {
      values_error(reader, node, name, NULL, "%s attributes must be in order: %s", name,
                   join_keys(list, keys, "", ", "));
    } else {
      bits |= bit;
    }
  }
  vector_clear((Vector*)&words, VECTOR_STRINGS);
  return bits;
}
