// memory.h: heap memory that may be refused.
//
// There are two kinds. Models and data come from memory_take: their owner looks at the answer.
// Everything that is read, edited, compiled or written comes from heap_take: a call that needs
// thousands of blocks runs under error_catch (error.h), which knows them all. There heap_take
// always gives a block: if memory is out it ends the call with an error instead, and the catch
// frees what the call had taken. So such code needs no checks, and none can be forgotten. Outside
// of a catch, heap_take answers NULL: an edit of a model that exists takes all it needs before it
// changes anything.
//
//   error_catch --> Heap <--> block <--> block <--> Heap    the blocks of a call, in a ring
//
// A size made of numbers that come from a file is multiplied here too, where an overflow is
// noticed.

#ifndef CONDYLE_BASE_MEMORY_H_
#define CONDYLE_BASE_MEMORY_H_

#include <stddef.h>

// arrays of structs that the compiler may vectorise begin at multiples of this many bytes
#define MEMORY_ALIGN 64

// Like mju_malloc, but NULL if memory is out. Freed by mju_free.
void* memory_take(size_t size);

// The same, filled with zeros. Large blocks come from the system as zeros already, so nothing is
// touched; only the alignment of malloc is promised. A block that would fill a quarter of the
// machine is refused: its contents come in several copies while a model is compiled, and a system
// that has promised more than it has kills programs.
void* memory_take_zero(size_t size);

// The same where at most `used` bytes will ever be touched, so only they must fit the machine.
void* memory_take_sparse(size_t size, size_t used);

// What a call that ran out of memory ends with.
#define MEMORY_OUT "out of memory"

// The blocks of one call.
typedef struct HeapBlock_ {
  _Alignas(max_align_t) struct HeapBlock_* prev;
  struct HeapBlock_* next;
} HeapBlock;

typedef struct Heap_ {
  HeapBlock ring;
  struct Heap_* outer;  // of the call around, NULL if there is none
} Heap;

// A block, like malloc, calloc and realloc, of at least one byte; NULL if memory is out and nobody
// catches. Freed by heap_free, in any thread once the call is over.
void* heap_take(size_t bytes);
void* heap_zero(size_t count, size_t size);
void* heap_resize(void* item, size_t bytes);
void heap_free(void* item);

// heap_resize for those who hold more than memory (a file): NULL if memory is out, always.
void* heap_try(void* item, size_t bytes);

// From here to heap_leave the blocks of this thread belong to a heap. What is left of them then
// goes to the heap around, or is free of any if there is none; heap_drop frees it instead.
void heap_enter(Heap* heap);
void heap_leave(Heap* heap);
void heap_drop(Heap* heap);

// Between these two calls blocks belong to no heap, and NULL is an answer: for what outlives a call
// that may fail.
Heap* heap_pause(void);
void heap_resume(Heap* heap);

// A block goes to the heap that its owner belongs to, or is free of any if that is: what grows on
// something older than the call lives as long as that.
void heap_follow(void* item, void* owner);

// Copies to a block of zeros without touching what stays zero there.
void memory_copy(void* to, const void* from, size_t size);

// out = a * b or a + b. Returns 1 if it fits, else 0 and leaves out alone.
int size_multiply(size_t* out, size_t a, size_t b);
int size_add(size_t* out, size_t a, size_t b);

// out = size rounded up to a multiple of align (a power of two). Returns 1 if it fits, else 0.
int size_align(size_t* out, size_t size, size_t align);

#endif  // CONDYLE_BASE_MEMORY_H_
