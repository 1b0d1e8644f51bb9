// context.c: the checks with which every function of a batch begins.

#include "batch/context.h"

#include <mujoco/api/base.h>
#include <string.h>

#include "base/memory/check.h"

void batch_check(const char* function, const cndBatch* batch) {
  check_pointers(function, "batch", (const void* const[]){batch}, 1);
  if (batch->busy) {
    mju_error("%s: a step is under way: call cnd_batchWait first", function);
  }
}

int batch_listed(const char* list, const char* name) {
  size_t length = strlen(name);
  for (const char* at = strstr(list, name); length && at; at = strstr(at + 1, name)) {
    if (at[-1] == ' ' && at[length] == ' ') {
      return 1;
    }
  }
  return 0;
}
