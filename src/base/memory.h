// memory.h: heap memory that may be refused.
//
// Public allocation (mju_malloc) ends in an error when memory is out. Inside, a caller has to free
// what it already holds first, so it asks here and looks at the answer. A size made of numbers that
// come from a file is multiplied here too, where an overflow is noticed.       spec 07, section 6.1

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

// Copies to a block of zeros without touching what stays zero there.
void memory_copy(void* to, const void* from, size_t size);

// out = a * b or a + b. Returns 1 if it fits, else 0 and leaves out alone.
int size_multiply(size_t* out, size_t a, size_t b);
int size_add(size_t* out, size_t a, size_t b);

// out = size rounded up to a multiple of align (a power of two). Returns 1 if it fits, else 0.
int size_align(size_t* out, size_t size, size_t align);

#endif  // CONDYLE_BASE_MEMORY_H_
