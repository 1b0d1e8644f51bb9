// layout.h: placing many arrays in one block.
//
// mjModel and mjData both keep their arrays in one block, each at the next multiple of 64 bytes
// from the first. The table of fields is walked twice: without a block to learn the size, then with
// it to set the pointers.

#pragma once

#include <stddef.h>
#include <stdint.h>

// The state of a walk, which starts from {base} or {NULL}.
typedef struct Layout_ {
  char* base;    // place of the first array, NULL to measure only
  size_t size;   // bytes so far
  int overflow;  // 1 if a count was negative or more than an int, or the sum too large: size is
                 // then meaningless
} Layout;

// Adds an array of rows * columns elements. Their number must fit an int, so that an int can index
// any of them. Returns the array's place, NULL if there is no block.
void* layout_add(Layout* layout, int64_t rows, int64_t columns, size_t element);

// The first multiple of 64 in a block, which must have LAYOUT_SLACK extra bytes.
char* layout_base(void* block);
enum {
  LAYOUT_SLACK = 63
};
