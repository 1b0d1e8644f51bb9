// check.h: checks of the arguments of public functions.
//
//   check_given(m, d);                              mj_step: d is NULL
//   check_arrays(m->nv, res, vec);                  mju_f: vec is NULL, if m->nv > 0
//   check_index("mj_jac", "body", body, m->nbody);  mj_jac: body 7 does not exist: there are 3
//
// A failed check ends in mju_error, whose message names the called function. A check costs one
// comparison per pointer, so every stage can afford it.

#pragma once

// Ends in mju_error: the i-th of the comma-separated names is NULL.
__attribute__((cold)) void check_fail(const char* function, const char* names, int i);

static inline void check_pointers(const char* function, const char* names,
                                  const void* const* pointer, int n) {
  for (int i = 0; i < n; i++) {
    if (!pointer[i]) {
      check_fail(function, names, i);
    }
  }
}

// Ends in mju_error if one of the pointers is NULL.
#define check_given(...)                                                     \
  check_pointers(__func__, #__VA_ARGS__, (const void* const[]){__VA_ARGS__}, \
                 (int)(sizeof((const void* const[]){__VA_ARGS__}) / sizeof(void*)))

// The same check for arrays of count elements, which may be NULL if count is 0.
#define check_arrays(count, ...) \
  do {                           \
    if ((count) > 0) {           \
      check_given(__VA_ARGS__);  \
    }                            \
  } while (0)

// Ends in mju_error unless 0 <= id < count. what names the kind of thing, e.g. "body".
void check_index(const char* function, const char* what, int id, int count);
