// json_read.h: reading JSON.
//
// The whole text becomes a tree of values. Depth, number of values and members of an object are
// bounded, so that a broken text can't exhaust the stack, the memory or the reader's patience.

#pragma once

#include <stddef.h>

typedef enum JsonKind_ {
  JSON_NULL,
  JSON_FALSE,
  JSON_TRUE,
  JSON_NUMBER,
  JSON_TEXT,
  JSON_ARRAY,
  JSON_OBJECT,
} JsonKind;

typedef struct JsonValue_ {
  JsonKind kind;
  const char* at;           // where it stands in what was parsed
  char* key;                // its name, if it is in an object
  double number;            // of a number
  char* text;               // of a text: UTF-8, without escapes
  struct JsonValue_* item;  // of an array or object
  size_t count;
} JsonValue;

// Parses a text, which ends with a 0. Returns NULL with what is wrong and where in the text, or
// NULL and "out of memory". The caller frees the result with json_free.
JsonValue* json_parse(const char* text, const char** problem, const char** at);
void json_free(JsonValue* value);

// A member of an object; NULL if `object` is NULL or none, or has no such member.
const JsonValue* json_member(const JsonValue* object, const char* key);

// An element of an array; NULL if `array` is NULL or none, or the index is out of range.
const JsonValue* json_element(const JsonValue* array, size_t index);

// Number of elements of an array, 0 if it is none.
size_t json_count(const JsonValue* array);

// The number or text of a member, or else `otherwise`.
double json_member_number(const JsonValue* object, const char* key, double otherwise);
const char* json_member_text(const JsonValue* object, const char* key, const char* otherwise);
