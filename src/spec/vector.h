// vector.h: the growable arrays and strings that mjspec.h hands out as mjString*, mjDoubleVec*, ...
//
// All eight kinds have one layout (pointer, number of items, capacity), so one piece of code
// stores, copies and frees them by kind. A zeroed vector is a valid empty one. Vectors of strings
// and vectors of vectors own their items. Strings end in a 0 byte that is not counted. A
// vector that can't change because memory runs out stays as it is.

#pragma once

#include <mujoco/mjmacro.h>
#include <mujoco/mjspec.h>
#include <stdarg.h>
#include <stddef.h>

typedef enum VectorKind_ {
  VECTOR_STRING,
  VECTOR_STRINGS,
  VECTOR_INTS,
  VECTOR_INTLISTS,
  VECTOR_FLOATS,
  VECTOR_FLOATLISTS,
  VECTOR_DOUBLES,
  VECTOR_BYTES,
} VectorKind;

// A vector of any kind.
typedef union Vector_ {
  mjString string;
  mjStringVec strings;
  mjIntVec ints;
  mjIntVecVec intlists;
  mjFloatVec floats;
  mjFloatVecVec floatlists;
  mjDoubleVec doubles;
  mjByteVec bytes;
} Vector;

// Frees the items and empties the vector.
void vector_clear(Vector* vector, VectorKind kind);

// Makes dst a deep copy of src. Returns 0 if memory runs out.
int vector_copy(Vector* dst, const Vector* src, VectorKind kind);

// The text of a string, "" if it is empty or NULL.
const char* string_text(const mjString* string);

// Is the string empty or NULL?
int string_empty(const mjString* string);

// Sets or formats a string. Returns 0 if memory runs out. text may lie inside the string itself.
int string_set(mjString* string, const char* text);
int string_format(mjString* string, const char* format, ...) mjPRINTFLIKE(2, 3);
int string_vformat(mjString* string, const char* format, va_list args);

// Frees the characters.
void string_clear(mjString* string);

// Appends `count` zeroed items and returns the first. NULL if memory runs out.
int* ints_push(mjIntVec* vector, size_t count);
float* floats_push(mjFloatVec* vector, size_t count);
double* doubles_push(mjDoubleVec* vector, size_t count);

// Sets the number of items; new ones are zero. Returns 0 if memory runs out.
int ints_resize(mjIntVec* vector, size_t count);
int doubles_resize(mjDoubleVec* vector, size_t count);

// Appends a copy of text. Returns 0 if memory runs out.
int strings_append(mjStringVec* vector, const char* text);
