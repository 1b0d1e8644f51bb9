// error.h: catching what mju_error ends.
//
// Misuse of the interface ends in mju_error, which never comes back: a program may have hooked its
// own reaction, else we log, print and exit. Inside the library there are callers who can do better
// than exit (the compiler turns an error into a diagnostic); they catch it in their own thread
// without touching the program's hooks.                          theory/data.md, Memory of the data

#ifndef CONDYLE_BASE_ERROR_H_
#define CONDYLE_BASE_ERROR_H_

#include "base/memory.h"
#include "base/report.h"

// Runs call(argument). Returns 1 if it ended in mju_error, whose text goes to message (cut to
// size), else 0. What the call had taken from the heap (memory.h) by then is freed.
int error_catch(char* message, int size, void (*call)(void* argument), void* argument);

// The same, but after an error what the call had taken is still there, for those who have other
// things to give back that it leads to; end with heap_drop.
int error_catchheld(Heap* held, char* message, int size, void (*call)(void* argument),
                    void* argument);

// Runs call(argument), which may take from the heap without looking: an error passes on, with all
// that freed before.
void error_pass(void (*call)(void* argument), void* argument);

#endif  // CONDYLE_BASE_ERROR_H_
