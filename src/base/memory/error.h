// error.h: catching calls that end in mju_error.
//
// Misuse of the interface ends in mju_error, which never returns: it calls the program's handler,
// or else logs, prints and exits. The library's own callers can do better than exit (the compiler
// turns an error into a diagnostic). They catch the error in their own thread without touching the
// program's handlers.                                            theory/data.md, Memory of the data

#pragma once

#include "base/memory/memory.h"
#include "base/memory/report.h"

// Runs call(argument). Returns 1 if it ended in mju_error, else 0. The error's text goes to
// message, cut to size. After an error the blocks that the call took from the heap (memory.h) are
// freed.
int error_catch(char* message, int size, void (*call)(void* argument), void* argument);

// Like error_catch, but after an error the call's blocks stay alive in `held` until heap_drop. It
// serves callers who must first release other things that the blocks point to.
int error_catchheld(Heap* held, char* message, int size, void (*call)(void* argument),
                    void* argument);

// Runs call(argument), which need not check what heap_take returns. After an error it frees the
// call's blocks and ends in mju_error with the same text.
void error_pass(void (*call)(void* argument), void* argument);
