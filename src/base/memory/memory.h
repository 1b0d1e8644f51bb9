// memory.h: heap memory, and what happens when there is none.
//
// Models and data come from memory_take; their owner checks for NULL. Everything that is read,
// edited, compiled or written comes from heap_take. A call that needs thousands of blocks runs
// under error_catch (error.h), which keeps a list of them. Under a catch heap_take never returns
// NULL: if memory runs out it ends the call with an error, and the catch frees the blocks of the
// call. So such code needs no checks. Outside of a catch heap_take may return NULL: an edit of an
// existing model therefore takes all it needs before it changes anything.
//
//   error_catch --> Heap <--> block <--> block <--> Heap    the blocks of a call, in a ring
//
// Sizes that come from a file are multiplied and added here too, with a check for overflow.

#pragma once

#include <stddef.h>

// Alignment in bytes of blocks from memory_take, for arrays of structs that are vectorised.
#define MEMORY_ALIGN 64

// Like mju_malloc, but NULL if memory runs out. Freed by mju_free.
void* memory_take(size_t size);

// Like memory_take, but filled with zeros and aligned only as by malloc. Large blocks come as zeros
// from the system, so nothing is touched. A block of a quarter of the machine's memory is refused:
// compiling a model makes several copies of its contents, and a system that has promised more
// memory than it has kills programs.
void* memory_take_zero(size_t size);

// Asks the system for large pages under a block from memory_take, which large steps touch all over:
// looking up small pages would take a fifth of their time.
void memory_enlarge_pages(void* block, size_t size);

// Like memory_take_zero, where at most `used` bytes will ever be touched. Only they must fit the
// machine.
void* memory_take_sparse(size_t size, size_t used);

// Message of the error that ends a call when memory runs out.
#define MEMORY_OUT "out of memory"

// Header of a block, which links it into the ring of its call.
typedef struct HeapBlock_ {
  _Alignas(max_align_t) struct HeapBlock_* prev;
  struct HeapBlock_* next;
} HeapBlock;

typedef struct Heap_ {
  HeapBlock ring;
  struct Heap_* outer;  // heap of the enclosing catch, or NULL
} Heap;

// Like malloc, calloc, realloc and free, but size 0 gives a block too. Outside of a catch NULL
// means that memory has run out. Any thread may free a block once the call is over.
void* heap_take(size_t bytes);
void* heap_zero(size_t count, size_t size);
void* heap_resize(void* item, size_t bytes);
void heap_free(void* item);

// Like heap_resize, but always returns NULL if memory runs out. It serves callers who must release
// something else (a file) before they give up.
void* heap_try(void* item, size_t bytes);

// Between heap_enter and heap_leave new blocks of this thread belong to `heap`. At heap_leave its
// blocks pass to the enclosing heap, or to no heap if there is none. heap_drop frees them instead.
void heap_enter(Heap* heap);
void heap_leave(Heap* heap);
void heap_drop(Heap* heap);

// Between these two calls new blocks belong to no heap and heap_take may return NULL. They are for
// things that outlive a call that may fail.
Heap* heap_pause(void);
void heap_resume(Heap* heap);

// Moves a block to the heap of its owner, or out of any heap if the owner is in none. A block that
// a call adds to an older object then lives as long as that object.
void heap_follow(void* item, void* owner);

// Copies to a block of zeros. Pages that would get only zeros are not touched.
void memory_copy(void* to, const void* from, size_t size);

// out = a * b, out = a + b. Returns 1 if it fits, else 0 and leaves out unchanged.
int size_multiply(size_t* out, size_t a, size_t b);
int size_add(size_t* out, size_t a, size_t b);

// out = size rounded up to a multiple of align (a power of two). Returns 1 if it fits, else 0.
int size_align(size_t* out, size_t size, size_t align);
