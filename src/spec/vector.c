// vector.c: one implementation for all kinds of vectors. They start with the same three words but
// have different C types, so the three words are copied in and out, never written through a pointer
// of another type.

#include "spec/vector.h"

#include <mujoco/api/base.h>
#include <mujoco/api/spec.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/memory.h"

typedef struct Header_ {
  void* ptr;
  size_t num;
  size_t cap;
} Header;

static size_t item_size(VectorKind kind) {
  static const size_t size[] = {
      [VECTOR_STRING] = 1,
      [VECTOR_BYTES] = 1,
      [VECTOR_INTS] = sizeof(int),
      [VECTOR_FLOATS] = sizeof(float),
      [VECTOR_DOUBLES] = sizeof(double),
      [VECTOR_STRINGS] = sizeof(Header),
      [VECTOR_INTLISTS] = sizeof(Header),
      [VECTOR_FLOATLISTS] = sizeof(Header),
  };
  return size[kind];
}

// The kind of the items of a vector of vectors; `kind` itself if its items are plain.
static VectorKind item_kind(VectorKind kind) {
  return kind == VECTOR_STRINGS      ? VECTOR_STRING
         : kind == VECTOR_INTLISTS   ? VECTOR_INTS
         : kind == VECTOR_FLOATLISTS ? VECTOR_FLOATS
                                     : kind;
}

void* cnd_resizeBuffer(void* buffer, size_t bytes) {
  if (bytes == 0) {
    heap_free(buffer);
    return NULL;
  }
  return heap_resize(buffer, bytes);
}

// Makes room for at least `count` items. Capacity grows by half, so that appending is cheap.
// Returns 0 if memory runs out.
static int reserve(Header* header, size_t count, size_t size) {
  if (count <= header->cap) {
    return 1;
  }
  size_t cap = header->cap + header->cap / 2;
  cap = cap < count ? count : cap;
  void* ptr = cap <= SIZE_MAX / size ? heap_resize(header->ptr, cap * size) : NULL;
  if (!ptr) {
    return 0;
  }
  header->ptr = ptr;
  header->cap = cap;
  return 1;
}

// Sets the number of items, new ones zero.
static int resize(void* vector, size_t count, size_t size) {
  Header header;
  memcpy(&header, vector, sizeof(header));
  if (!reserve(&header, count, size)) {
    return 0;
  }
  if (count > header.num) {
    memset((char*)header.ptr + header.num * size, 0, (count - header.num) * size);
  }
  header.num = count;
  memcpy(vector, &header, sizeof(header));
  return 1;
}

// Appends zeroed items and returns the first.
static void* push(void* vector, size_t count, size_t size) {
  Header header;
  memcpy(&header, vector, sizeof(header));
  size_t first = header.num;
  if (!resize(vector, first + count, size)) {
    return NULL;
  }
  memcpy(&header, vector, sizeof(header));
  return header.ptr ? (char*)header.ptr + first * size : NULL;
}

void vector_clear(Vector* vector, VectorKind kind) {
  Header header;
  memcpy(&header, vector, sizeof(header));
  VectorKind inner = item_kind(kind);
  if (inner != kind) {
    for (size_t i = 0; i < header.num; i++) {
      vector_clear((Vector*)((char*)header.ptr + i * sizeof(Header)), inner);
    }
  }
  heap_free(header.ptr);
  memset(vector, 0, sizeof(Header));
}

int vector_copy(Vector* dst, const Vector* src, VectorKind kind) {
  if (dst == src) {
    return 1;
  }
  Header from, to = {NULL, 0, 0};
  memcpy(&from, src, sizeof(from));
  VectorKind inner = item_kind(kind);

  // strings take their terminating 0 along
  size_t extra = kind == VECTOR_STRING && from.ptr ? 1 : 0;
  if (!resize(&to, from.num + extra, item_size(kind))) {
    return 0;
  }
  if (inner == kind) {
    if (from.num + extra) {
      memcpy(to.ptr, from.ptr, (from.num + extra) * item_size(kind));
    }
  } else {
    for (size_t i = 0; i < from.num; i++) {
      size_t offset = i * sizeof(Header);
      if (!vector_copy((Vector*)((char*)to.ptr + offset), (const Vector*)((char*)from.ptr + offset),
                       inner)) {
        vector_clear((Vector*)&to, kind);
        return 0;
      }
    }
  }
  to.num = from.num;
  vector_clear(dst, kind);
  memcpy(dst, &to, sizeof(to));
  return 1;
}

const char* string_text(const mjString* string) {
  return string && string->ptr ? string->ptr : "";
}

int string_empty(const mjString* string) {
  return string_text(string)[0] == 0;
}

int string_set(mjString* string, const char* text) {
  size_t length = strlen(text);
  if (length + 1 > string->cap) {
    char* copy = heap_take(length + 1);
    if (!copy) {
      return 0;
    }
    memcpy(copy, text, length + 1);
    heap_free(string->ptr);
    string->ptr = copy;
    string->cap = length + 1;
  } else {
    memmove(string->ptr, text, length + 1);
  }
  string->num = length;
  return 1;
}

int string_format(mjString* string, const char* format, ...) {
  va_list args;
  va_start(args, format);
  int ok = string_vformat(string, format, args);
  va_end(args);
  return ok;
}

int string_vformat(mjString* string, const char* format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);

  char* text = length < 0 ? NULL : heap_take((size_t)length + 1);
  if (!text) {
    return 0;
  }
  vsnprintf(text, (size_t)length + 1, format, args);
  heap_free(string->ptr);
  string->ptr = text;
  string->num = (size_t)length;
  string->cap = (size_t)length + 1;
  return 1;
}

void string_clear(mjString* string) {
  heap_free(string->ptr);
  memset(string, 0, sizeof(*string));
}

// Appends an empty string.
static mjString* strings_push(mjStringVec* vector) {
  return push(vector, 1, sizeof(mjString));
}

int* ints_push(mjIntVec* vector, size_t count) {
  return push(vector, count, sizeof(int));
}

float* floats_push(mjFloatVec* vector, size_t count) {
  return push(vector, count, sizeof(float));
}

double* doubles_push(mjDoubleVec* vector, size_t count) {
  return push(vector, count, sizeof(double));
}

int ints_resize(mjIntVec* vector, size_t count) {
  return resize(vector, count, sizeof(int));
}

int doubles_resize(mjDoubleVec* vector, size_t count) {
  return resize(vector, count, sizeof(double));
}

int strings_append(mjStringVec* vector, const char* text) {
  mjString string = {NULL, 0, 0};
  if (!string_set(&string, text)) {
    return 0;
  }
  mjString* slot = strings_push(vector);
  if (!slot) {
    string_clear(&string);
    return 0;
  }
  *slot = string;
  return 1;
}

// public setters and getters

// Warns if a setter failed, since most setters return nothing.
static void warn_unless(int ok) {
  if (!ok) {
    mju_warning("out of memory: an element of the editable model keeps its old value");
  }
}

// Replaces the content of a vector of plain items by a copy of an array; 0 if memory runs out.
static int set_array(void* vector, const void* array, int count, size_t size) {
  size_t num = array && count > 0 ? (size_t)count : 0;
  if (!resize(vector, num, size)) {
    return 0;
  }
  Header header;
  memcpy(&header, vector, sizeof(header));
  if (num) {
    memmove(header.ptr, array, num * size);
  }
  return 1;
}

// Appends a copy of an array to a vector of vectors; 0 if memory runs out.
static int append_array(void* vector, const void* array, int count, size_t size) {
  Header list = {NULL, 0, 0};
  void* slot = set_array(&list, array, count, size) ? push(vector, 1, sizeof(Header)) : NULL;
  if (!slot) {
    heap_free(list.ptr);
    return 0;
  }
  memcpy(slot, &list, sizeof(list));
  return 1;
}

// Appends the words of a text; 0 if memory runs out.
static int append_words(mjStringVec* words, const char* text) {
  static const char* const blank = " \t\n\r\f\v";
  for (text += strspn(text, blank); *text; text += strspn(text, blank)) {
    size_t length = strcspn(text, blank);
    if (!strings_append(words, "") ||
        !string_format(words->ptr + words->num - 1, "%.*s", (int)length, text)) {
      return 0;
    }
    text += length;
  }
  return 1;
}

void mjs_setBuffer(mjByteVec* dest, const void* array, int size) {
  check_given(dest);
  warn_unless(set_array(dest, array, size, 1));
}

void mjs_setString(mjString* dest, const char* text) {
  check_given(dest);
  warn_unless(string_set(dest, text ? text : ""));
}

void mjs_setStringVec(mjStringVec* dest, const char* text) {
  check_given(dest);
  mjStringVec words = {NULL, 0, 0}, before = *dest;
  int ok = append_words(&words, text ? text : "");
  if (ok) {
    *dest = words;
  }
  vector_clear((Vector*)(ok ? &before : &words), VECTOR_STRINGS);
  warn_unless(ok);
}

mjtByte mjs_setInStringVec(mjStringVec* dest, int i, const char* text) {
  check_given(dest);
  if (i < 0 || (size_t)i >= dest->num) {
    mju_error("mjs_setInStringVec: index %d is outside of %zu strings", i, dest->num);
    return 0;
  }
  return (mjtByte)string_set(dest->ptr + i, text ? text : "");
}

void mjs_appendString(mjStringVec* dest, const char* text) {
  check_given(dest);
  warn_unless(strings_append(dest, text ? text : ""));
}

void mjs_setInt(mjIntVec* dest, const int* array, int size) {
  check_given(dest);
  warn_unless(set_array(dest, array, size, sizeof(int)));
}

void mjs_appendIntVec(mjIntVecVec* dest, const int* array, int size) {
  check_given(dest);
  warn_unless(append_array(dest, array, size, sizeof(int)));
}

void mjs_setFloat(mjFloatVec* dest, const float* array, int size) {
  check_given(dest);
  warn_unless(set_array(dest, array, size, sizeof(float)));
}

void mjs_appendFloatVec(mjFloatVecVec* dest, const float* array, int size) {
  check_given(dest);
  warn_unless(append_array(dest, array, size, sizeof(float)));
}

void mjs_setDouble(mjDoubleVec* dest, const double* array, int size) {
  check_given(dest);
  warn_unless(set_array(dest, array, size, sizeof(double)));
}

const char* mjs_getString(const mjString* source) {
  return string_text(source);
}

const double* mjs_getDouble(const mjDoubleVec* source, int* size) {
  if (size) {
    *size = source ? (int)source->num : 0;
  }
  return source ? source->ptr : NULL;
}
