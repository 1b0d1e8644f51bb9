// machine.h: what a program asks of the machine it runs on.

#pragma once

#include <stddef.h>
#include <stdint.h>

// Processors that may run threads, at least 1.
int system_processors(void);

// Bytes of the machine's memory; 0 if that isn't known.
uint64_t system_memory(void);

// A number that no other running program has.
long system_process(void);

// Fills bytes that nobody can guess. Returns 0 if the system has none.
int system_random(void* out, size_t size);

// A block whose address is a multiple of align (a power of two, as size is a multiple of it), and
// what gives it back. NULL if memory runs out.
void* system_takealigned(size_t align, size_t size);
void system_freealigned(void* block);
