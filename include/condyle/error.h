// error.h: calls whose errors come back to the caller.
//
// An error of the interface (mju_error) does not return: the program's handler ends the process or
// jumps away. Here it ends one call, in one thread, and its text is handed back. Bindings to other
// languages make exceptions of it:
//
//   static void step(void* d) {
//     mj_step(m, d);
//   }
//   char text[1024];
//   if (cnd_try(step, d, text, sizeof(text))) {
//     throw_exception(text);
//   }

#ifndef CONDYLE_ERROR_H_
#define CONDYLE_ERROR_H_

#include <mujoco/mjexport.h>

#ifdef __cplusplus
extern "C" {
#endif

// Runs call(argument). Returns 1 if it ended in mju_error in this thread, else 0. The text of the
// error goes to error, cut to size bytes; error may be NULL. mju_user_error is not called. Calls
// nest: an error ends the innermost one, also if it arises in a callback (mjcb_control).
//
// The call ends where the error is: what it holds itself (memory, locks, destructors of C++) is not
// released. An mjData that it works on may be half written; mj_resetData makes it sound again.
MJAPI int cnd_try(void (*call)(void* argument), void* argument, char* error, int size);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_ERROR_H_
