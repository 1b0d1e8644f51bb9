// starve.h: the heap of the whole program under a test's control.
//
// Every allocation is counted, whoever asks: the library, Expat, Qhull, the C library. Those that
// the test chooses are refused, and what is still there at the end was lost. A call that is tested
// so says whether it succeeded or, with a message, did not; anything else is a failure of the test:
//
//   static int load(void* path) {                       // nothing may stay behind in either case
//     char error[300] = "";
//     mjModel* m = mj_loadXML(path, NULL, error, sizeof(error));
//     mj_deleteModel(m);
//     return starve_outcome(m != NULL, error);
//   }
//   ...
//   starve_each(load, "model.xml");                     // refuses each allocation in turn
//
// It works with the GNU C library, where a program may replace malloc; elsewhere, and under the
// thread sanitizer, nothing is refused.

#pragma once

#include "support/test.h"

// 1 if allocations can be refused.
int starve_works(void);

// Skips the running test if they can't.
#define STARVE_OR_SKIP()                              \
  do {                                                \
    if (!starve_works()) {                            \
      test_skip("allocations can't be refused here"); \
    }                                                 \
  } while (0)

// From here on the first allocations succeed and the next ones, all or `refused` of them (if that
// is not 0), fail.
void starve_after(int allocations, int refused);

// No more refusals; blocks are still counted. Returns how many refusals there were.
int starve_pause(void);

// How many blocks made since then are still there.
int starve_blocks(void);

// The same, and no more counting.
int starve_end(void);

// Calls call(argument) again and again, refusing first one allocation in turn, then all from it on,
// until nothing is refused any more: then the call must succeed. In between, 0 says that it failed
// as it should. Losing memory, mju_error, or an outcome of -1 fails the running test.
void starve_each(int (*call)(void* argument), void* argument);

// The outcome of a call: 1 if it succeeded, 0 if it failed and the message, or a warning since the
// call began, speaks of memory; -1 if there is no such message.
int starve_outcome(int succeeded, const char* message);
