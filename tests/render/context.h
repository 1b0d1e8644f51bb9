// context.h: a context for tests of the renderer; they are skipped where there is none.

#pragma once

#include <condyle/render.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <math.h>

#include "support/compare.h"

// A current context, or the test is skipped.
static inline cndGL* context_or_skip(const char* backend) {
  char error[300] = "";
  cndGL* gl = cnd_makeGL(backend, 0, 0, error, sizeof(error));
  if (!gl) {
    print_message("[  REASON  ] %s\n", error);
    skip();
  }
  assert_int_equal(cnd_currentGL(gl, error, sizeof(error)), 0);
  return gl;
}
