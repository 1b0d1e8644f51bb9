// layout.h: placing many arrays in one block.
//
// Both mjModel and mjData keep their arrays in one block, each at the next multiple of 64 bytes
// from the first. The same walk over the table of fields is made twice: without a block to learn
// the size, with it to set the pointers.                                                     spec
// 07, section 2.4

#ifndef CONDYLE_MODEL_LAYOUT_H_
#define CONDYLE_MODEL_LAYOUT_H_

#include <stddef.h>
#include <stdint.h>

// A walk. Start with {base} or {NULL}.
typedef struct Layout_ {
  char* base;    // place of the first array, NULL to measure only
  size_t size;   // bytes so far
  int overflow;  // 1 if a count was negative or more than an int, or the sum too large: size is
                 // then meaningless
} Layout;

// Adds an array of rows * columns elements, which an int can count: an index of any of them is
// never too large. Returns its place, NULL if there is no block.
void* layout_add(Layout* layout, int64_t rows, int64_t columns, size_t element);

// The first multiple of 64 in a block; LAYOUT_SLACK more bytes must be asked for.
char* layout_base(void* block);
enum {
  LAYOUT_SLACK = 63
};

#endif  // CONDYLE_MODEL_LAYOUT_H_
