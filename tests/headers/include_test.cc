// The public headers in a C++ program: all of them together, and the field lists in use.

#include <condyle/batch.h>
#include <condyle/condyle.h>
#include <condyle/error.h>
#include <condyle/spec.h>
#include <mujoco/mjbatch.h>
#include <mujoco/mjrfilament.h>
#include <mujoco/mjxmacro.h>
#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstring>
#include <type_traits>

// the lists name every field with its declared type
#define X(type, name, nr, nc) \
  static_assert(std::is_same<decltype(mjModel::name), type*>::value, #name);
MJMODEL_POINTERS
#undef X
#define X(type, name, nr, nc) \
  static_assert(std::is_same<decltype(mjData::name), type*>::value, #name);
MJDATA_POINTERS
MJDATA_ARENA_POINTERS
#undef X
#define X(type, name) static_assert(std::is_same<decltype(mjOption::name), type>::value, #name);
MJOPTION_SCALARS
#undef X

// XNV may be told apart from X
#undef XNV
#define XNV(type, name, nr, nc)
#define X(type, name, nr, nc) +1
static_assert(0 MJDATA_POINTERS > 60, "most arrays of mjData are needed to draw a scene");
static_assert(0 MJDATA_POINTERS < 100, "some are not");
#undef X

// sizes in lists can be made members
#undef MJ_M
#define MJ_M(n) m->n
static long long ArrayBytes(const mjModel* m) {
  long long bytes = 0;
#undef XNV
#define XNV X
#define X(type, name, nr, nc) bytes += static_cast<long long>(sizeof(type)) * MJ_M(nr) * (nc);
  MJMODEL_POINTERS
#undef X
  return bytes;
}

int main() {
  mjModel sizes;
  std::memset(&sizes, 0, sizeof(sizes));
  sizes.nbody = 1;
  if (ArrayBytes(&sizes) <= 0 || mj_version() != mjVERSION_HEADER || !*cnd_version()) {
    std::puts("the headers and the library disagree");
    return 1;
  }
  return 0;
}
