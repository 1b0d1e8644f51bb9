// starve.c: an allocator that refuses.

#include "support/starve.h"

#include <mujoco/mujoco.h>
#include <stdlib.h>

static int allowed, blocks;

static void* take(size_t size) {
  if (allowed-- <= 0) {
    return NULL;
  }
  blocks++;
  return aligned_alloc(64, (size + 64) / 64 * 64);
}

static void give(void* block) {
  blocks--;
  free(block);
}

void starve_after(int allocations) {
  allowed = allocations;
  blocks = 0;
  mju_user_malloc = take;
  mju_user_free = give;
}

int starve_blocks(void) {
  return blocks;
}

void starve_end(void) {
  mju_user_malloc = NULL;
  mju_user_free = NULL;
}
