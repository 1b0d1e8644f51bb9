// pair.c: the hash of the sizes that data and model share, and the error for a mismatch.

#include "model/checks/pair.h"

#include <mujoco/api/base.h>

void pair_sizes(int size[CND_NDATASIZE], const mjModel* m) {
  int i = 0;
#define TAKE(name) size[i++] = (int)m->name;
  CND_DATA_SIZES(TAKE)
#undef TAKE
}

// FNV-1a over the sizes; 0 stands for no model
uint64_t pair_shape(const int size[CND_NDATASIZE]) {
  uint64_t h = 0xcbf29ce484222325;
  for (int i = 0; i < CND_NDATASIZE; i++) {
    h = (h ^ (uint64_t)(unsigned)size[i]) * 0x100000001b3;
  }
  return h ? h : 1;
}

void pair_compare(const char* function, const char* name, const mjModel* m, const mjData* d) {
#define NAME(size) #size,
  static const char* const names[] = {CND_DATA_SIZES(NAME)};
#undef NAME
  int size[CND_NDATASIZE];
  pair_sizes(size, m);
  for (int i = 0; i < CND_NDATASIZE; i++) {
    if (size[i] != d->cnd_size[i]) {
      mju_error("%s: %s was made for another model: %s is %d, in m it is %d", function, name,
                names[i], d->cnd_size[i], size[i]);
      return;
    }
  }
}
