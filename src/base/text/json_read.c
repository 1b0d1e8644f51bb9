// json_read.c: a recursive reader of JSON (RFC 8259). Values of an open array or object wait on a
// stack; when it is closed they move to a block of their own.

#include "base/text/json_read.h"

#include <stdint.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/text/number.h"

enum {
  MOST_DEPTH = 128,
  MOST_VALUES = 1 << 23,
  MOST_MEMBERS = 1000,  // of an object: they are sought one by one
};

typedef struct JsonReader_ {
  const char* at;
  const char* problem;  // NULL while all is well
  JsonValue* waiting;
  size_t nwaiting, room;
  size_t count;  // of all values
} JsonReader;

static int fail(JsonReader* reader, const char* problem) {
  reader->problem = reader->problem ? reader->problem : problem;
  return 0;
}

static void skip_space(JsonReader* reader) {
  while (*reader->at == ' ' || (*reader->at >= '\t' && *reader->at <= '\r')) {
    reader->at++;
  }
}

// texts

// Four hexadecimal digits, -1 if they are none.
static int read_hex(const char* at) {
  int value = 0;
  for (int i = 0; i < 4; i++) {
    char c = at[i];
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0) {
      return -1;
    }
    value = 16 * value + digit;
  }
  return value;
}

// Writes a character as UTF-8. Returns the end.
static char* write_utf8(char* to, int c) {
  if (c < 0x80) {
    *to++ = (char)c;
  } else if (c < 0x800) {
    *to++ = (char)(0xC0 | c >> 6);
    *to++ = (char)(0x80 | (c & 63));
  } else if (c < 0x10000) {
    *to++ = (char)(0xE0 | c >> 12);
    *to++ = (char)(0x80 | (c >> 6 & 63));
    *to++ = (char)(0x80 | (c & 63));
  } else {
    *to++ = (char)(0xF0 | c >> 18);
    *to++ = (char)(0x80 | (c >> 12 & 63));
    *to++ = (char)(0x80 | (c >> 6 & 63));
    *to++ = (char)(0x80 | (c & 63));
  }
  return to;
}

// Reads "u" and what follows in an escape, two of them where they are one character. A half of such
// a pair, and the character 0, become U+FFFD. Returns the character, -1 if it is none.
static int read_unicode(const char** at) {
  int c = read_hex(*at + 1);
  if (c < 0) {
    return -1;
  }
  *at += 5;
  if (c >= 0xD800 && c < 0xDC00 && (*at)[0] == '\\' && (*at)[1] == 'u') {
    int low = read_hex(*at + 2);
    if (low >= 0xDC00 && low < 0xE000) {
      *at += 6;
      return 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
    }
  }
  return c == 0 || (c >= 0xD800 && c < 0xE000) ? 0xFFFD : c;
}

// Decodes an escape at `from`, behind its backslash. Returns the end of what it writes, NULL if it
// is none.
static char* read_escape(char* to, const char** from) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  const char* letter = **from ? strchr(letters, **from) : NULL;
  if (letter) {
    *to++ = meanings[letter - letters];
    (*from)++;
    return to;
  }
  int c = **from == 'u' ? read_unicode(from) : -1;
  return c < 0 ? NULL : write_utf8(to, c);
}

// Reads a text in quotes. Escapes are never shorter than what they mean.
static int read_text(char** out, JsonReader* reader) {
  const char *from = reader->at + 1, *end = from;
  while (*end && *end != '"') {
    end += *end == '\\' && end[1] ? 2 : 1;
  }
  if (*end != '"') {
    return fail(reader, "a text without an end");
  }
  char* to = *out = heap_take((size_t)(end - from) + 1);
  if (!to) {
    return fail(reader, MEMORY_OUT);
  }
  while (from < end) {
    if (*from != '\\') {
      *to++ = *from++;
      continue;
    }
    from++;
    char* next = read_escape(to, &from);
    if (!next || from > end) {
      heap_free(*out);
      *out = NULL;
      return fail(reader, "an unknown escape in a text");
    }
    to = next;
  }
  *to = 0;
  reader->at = end + 1;
  return 1;
}

// values

static void clear(JsonValue* value) {
  for (size_t i = 0; i < value->count; i++) {
    clear(&value->item[i]);
  }
  heap_free(value->item);
  heap_free(value->text);
  heap_free(value->key);
}

static int push(JsonReader* reader, const JsonValue* value) {
  if (reader->nwaiting == reader->room) {
    size_t room = reader->room ? 2 * reader->room : 64;
    JsonValue* grown = heap_resize(reader->waiting, room * sizeof(JsonValue));
    if (!grown) {
      return fail(reader, MEMORY_OUT);
    }
    reader->waiting = grown;
    reader->room = room;
  }
  reader->waiting[reader->nwaiting++] = *value;
  return 1;
}

static int read_value(JsonValue* out, JsonReader* reader, int depth);

// Reads an element or a member and puts it on the stack.
static int read_item(JsonReader* reader, int is_object, int depth) {
  JsonValue value = {.kind = JSON_NULL};
  skip_space(reader);
  if (is_object) {
    if (*reader->at != '"') {
      return fail(reader, "a member has no name in quotes");
    }
    if (!read_text(&value.key, reader)) {
      return 0;
    }
    skip_space(reader);
    if (*reader->at != ':') {
      heap_free(value.key);
      return fail(reader, "':' is missing behind the name of a member");
    }
    reader->at++;
  }
  if (!read_value(&value, reader, depth) || !push(reader, &value)) {
    clear(&value);
    return 0;
  }
  return 1;
}

// Reads the items up to the bracket that closes.
static int read_items(JsonReader* reader, int is_object, int depth) {
  char close = is_object ? '}' : ']';
  reader->at++;
  skip_space(reader);
  if (*reader->at == close) {
    reader->at++;
    return 1;
  }
  for (;;) {
    if (!read_item(reader, is_object, depth + 1)) {
      return 0;
    }
    skip_space(reader);
    char c = *reader->at;
    if (c != ',' && c != close) {
      return fail(reader, is_object ? "',' or '}' is missing" : "',' or ']' is missing");
    }
    reader->at++;
    if (c == close) {
      return 1;
    }
  }
}

static int read_list(JsonValue* out, JsonReader* reader, int depth) {
  size_t first = reader->nwaiting;
  int is_object = *reader->at == '{';
  out->kind = is_object ? JSON_OBJECT : JSON_ARRAY;
  int is_read = read_items(reader, is_object, depth);
  size_t count = reader->nwaiting - first;
  if (is_read && is_object && count > MOST_MEMBERS) {
    is_read = fail(reader, "an object has too many members");
  }
  JsonValue* item = is_read && count ? heap_take(count * sizeof(JsonValue)) : NULL;
  if (is_read && count && !item) {
    is_read = fail(reader, MEMORY_OUT);
  }
  if (!is_read) {
    while (reader->nwaiting > first) {
      clear(&reader->waiting[--reader->nwaiting]);
    }
    return 0;
  }
  if (count) {
    memcpy(item, reader->waiting + first, count * sizeof(JsonValue));
  }
  reader->nwaiting = first;
  out->item = item;
  out->count = count;
  return 1;
}

static int read_word(JsonValue* out, JsonReader* reader) {
  static const struct {
    const char* word;
    JsonKind kind;
  } words[] = {{"null", JSON_NULL}, {"false", JSON_FALSE}, {"true", JSON_TRUE}};
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
    size_t length = strlen(words[i].word);
    if (strncmp(reader->at, words[i].word, length) == 0) {
      out->kind = words[i].kind;
      reader->at += length;
      return 1;
    }
  }
  return fail(reader, *reader->at ? "not a value" : "the text ends too early");
}

static int read_value(JsonValue* out, JsonReader* reader, int depth) {
  skip_space(reader);
  out->at = reader->at;
  if (depth > MOST_DEPTH || ++reader->count > MOST_VALUES) {
    return fail(reader, "too many values, or values nested too deeply");
  }
  char c = *reader->at;
  if (c == '{' || c == '[') {
    return read_list(out, reader, depth);
  }
  if (c == '"') {
    out->kind = JSON_TEXT;
    return read_text(&out->text, reader);
  }
  if (c == '-' || (c >= '0' && c <= '9')) {
    const char* end = number_read(&out->number, reader->at);
    if (!end || out->number - out->number != 0) {
      return fail(reader, "not a number");
    }
    out->kind = JSON_NUMBER;
    reader->at = end;
    return 1;
  }
  return read_word(out, reader);
}

JsonValue* json_parse(const char* text, const char** problem, const char** at) {
  JsonReader reader = {.at = text};
  JsonValue* root = heap_zero(1, sizeof(JsonValue));
  int is_read = root ? read_value(root, &reader, 0) : fail(&reader, MEMORY_OUT);
  skip_space(&reader);
  if (is_read && *reader.at) {
    is_read = fail(&reader, "something stands behind the end");
  }
  heap_free(reader.waiting);
  if (!is_read) {
    json_free(root);
    root = NULL;
  }
  *problem = reader.problem;
  *at = reader.at;
  return root;
}

void json_free(JsonValue* value) {
  if (value) {
    clear(value);
    heap_free(value);
  }
}

const JsonValue* json_member(const JsonValue* object, const char* key) {
  for (size_t i = 0; object && object->kind == JSON_OBJECT && i < object->count; i++) {
    if (strcmp(object->item[i].key, key) == 0) {
      return &object->item[i];
    }
  }
  return NULL;
}

const JsonValue* json_element(const JsonValue* array, size_t index) {
  return index < json_count(array) ? &array->item[index] : NULL;
}

size_t json_count(const JsonValue* array) {
  return array && array->kind == JSON_ARRAY ? array->count : 0;
}

double json_member_number(const JsonValue* object, const char* key, double otherwise) {
  const JsonValue* value = json_member(object, key);
  return value && value->kind == JSON_NUMBER ? value->number : otherwise;
}

const char* json_member_text(const JsonValue* object, const char* key, const char* otherwise) {
  const JsonValue* value = json_member(object, key);
  return value && value->kind == JSON_TEXT ? value->text : otherwise;
}
