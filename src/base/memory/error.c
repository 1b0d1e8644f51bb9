// error.c: catching mju_error by setjmp in the thread that runs the call.

#include "base/memory/error.h"

#include <condyle/error.h>
#include <mujoco/api/base.h>
#include <setjmp.h>
#include <stdio.h>

#include "base/memory/check.h"
#include "base/memory/log.h"

// One running error_catch. Catches nest; outer is the enclosing one.
typedef struct Catch_ {
  jmp_buf place;
  struct Catch_* outer;
  char* message;
  int size;
} Catch;

static _Thread_local Catch* catching = NULL;

static void jump_to_catch(const char* message) {
  if (catching->size > 0) {
    snprintf(catching->message, (size_t)catching->size, "%s", message);
  }
  longjmp(catching->place, 1);
}

int error_catchheld(Heap* held, char* message, int size, void (*call)(void* argument),
                    void* argument) {
  Catch own = {.outer = catching, .message = message, .size = message ? size : 0};
  ErrorHandler before = error_handle(jump_to_catch);
  catching = &own;
  heap_enter(held);

  int caught = setjmp(own.place);
  if (!caught) {
    call(argument);
  }

  if (caught) {
    heap_resume(held->outer);
  } else {
    heap_leave(held);
  }
  catching = own.outer;
  error_handle(before);
  return caught;
}

int error_catch(char* message, int size, void (*call)(void* argument), void* argument) {
  Heap held;
  int caught = error_catchheld(&held, message, size, call, argument);
  heap_drop(&held);
  return caught;
}

void error_pass(void (*call)(void* argument), void* argument) {
  char message[REPORT_BYTES];
  if (error_catch(message, sizeof(message), call, argument)) {
    mju_error("%s", message);
  }
}

typedef struct Tried_ {
  void (*call)(void* argument);
  void* argument;
} Tried;

// A program's call may make things that outlive its error, so no heap owns them.
static void run_tried(void* argument) {
  const Tried* tried = argument;
  Heap* heap = heap_pause();
  tried->call(tried->argument);
  heap_resume(heap);
}

int cnd_try(void (*call)(void* argument), void* argument, char* error, int size) {
  if (!call) {
    check_fail("cnd_try", "call", 0);
  }
  return error_catch(error, size, run_tried, &(Tried){call, argument});
}

void mju_clearHandlers(void) {
  mju_user_error = NULL;
  mju_user_warning = NULL;
  mju_user_malloc = NULL;
  mju_user_free = NULL;
  log_reset();
}
