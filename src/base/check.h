// check.h: wrong arguments of public functions, found at their heads.
//
//   check_given(m, d);                              mj_step: d is NULL
//   check_arrays(m->nv, res, vec);                  the same, unless the arrays are empty
//   check_index("mj_jac", "body", body, m->nbody);  mj_jac: body 7 does not exist: there are 3
//
// All of them end in mju_error, which names the function as it was called. One test of a register
// per pointer: cheap enough for every stage.

#ifndef CONDYLE_BASE_CHECK_H_
#define CONDYLE_BASE_CHECK_H_

// Ends in mju_error: argument i of those that are named, with commas between them, is NULL.
__attribute__((cold)) void check_fail(const char* function, const char* names, int i);

static inline void check_pointers(const char* function, const char* names,
                                  const void* const* pointer, int n) {
  for (int i = 0; i < n; i++) {
    if (!pointer[i]) {
      check_fail(function, names, i);
    }
  }
}

// Pointers of the running function must not be NULL.
#define check_given(...)                                                     \
  check_pointers(__func__, #__VA_ARGS__, (const void* const[]){__VA_ARGS__}, \
                 (int)(sizeof((const void* const[]){__VA_ARGS__}) / sizeof(void*)))

// Nor pointers to so many things, if there are any.
#define check_arrays(count, ...) \
  do {                           \
    if ((count) > 0) {           \
      check_given(__VA_ARGS__);  \
    }                            \
  } while (0)

// Ends in mju_error unless 0 <= id < count: function, what (e.g. "body"), id and count are named.
void check_index(const char* function, const char* what, int id, int count);

#endif  // CONDYLE_BASE_CHECK_H_
