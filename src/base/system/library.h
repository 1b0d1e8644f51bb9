// library.h: libraries that are loaded while the program runs.

#pragma once

// Loads a library. NULL with the reason from library_reason.
void* library_open(const char* path);

// The address of a function or variable. NULL if there is none of this name.
void* library_find(void* library, const char* name);

// Why the last call of this thread failed; a text that lives until the next one.
const char* library_reason(void);

// What the names of such libraries end with: ".so", ".dylib" or ".dll".
extern const char library_ending[];
