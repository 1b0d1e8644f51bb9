// starve.c: malloc and its relatives, replaced for the whole program.

#include "support/starve.h"

#include <errno.h>
#include <stdatomic.h>

#include "support/test.h"

enum {
  NSLOT = 1 << 16,  // of the table of blocks
  MAX_TRIES = 100000,
};

static atomic_int on, left, refusals, refused, blocks;
static void* slot[NSLOT];          // blocks made since starving began, by address; a hole is &slot
static int failed;                 // the test is to fail; said when memory is there again
static char heard[400];            // last warning
static _Thread_local int starves;  // this thread is the test's

#if defined(__GLIBC__) && !defined(__SANITIZE_THREAD__)

static atomic_flag lock = ATOMIC_FLAG_INIT;

int starve_works(void) {
  return 1;
}

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t align, size_t size);
void __libc_free(void* block);

// under the address sanitizer memory is the sanitizer's
#pragma weak __interceptor_malloc
void* __interceptor_malloc(size_t size);
#pragma weak __interceptor_calloc
void* __interceptor_calloc(size_t count, size_t size);
#pragma weak __interceptor_realloc
void* __interceptor_realloc(void* block, size_t size);
#pragma weak __interceptor_memalign
void* __interceptor_memalign(size_t align, size_t size);
#pragma weak __interceptor_free
void __interceptor_free(void* block);

#define REAL(name) (__interceptor_##name ? __interceptor_##name : __libc_##name)

// A size that no machine has would end a sanitizer, and so would a refusal where it begins a
// thread.
static int refuse(size_t size) {
  if (size >> 40) {
    errno = ENOMEM;
    return 1;
  }
#ifdef CONDYLE_SANITIZED
  if (!starves) {
    return 0;
  }
#endif
  if (!atomic_load(&on) || atomic_fetch_sub(&left, 1) > 0 ||
      (refusals && atomic_load(&refused) >= atomic_load(&refusals))) {
    return 0;
  }
  atomic_fetch_add(&refused, 1);
  errno = ENOMEM;
  return 1;
}

static size_t find(const void* block) {
  size_t i = ((uintptr_t)block >> 4) * 0x9E3779B97F4A7C15u >> 48;
  while (slot[i % NSLOT] && slot[i % NSLOT] != block) {
    i++;
  }
  return i % NSLOT;
}

static void* note(void* block) {
  if (block && atomic_load(&on)) {
    while (atomic_flag_test_and_set(&lock)) {
    }
    slot[find(block)] = block;
    blocks++;
    atomic_flag_clear(&lock);
  }
  return block;
}

static void forget(void* block) {
  if (block && atomic_load(&blocks)) {
    while (atomic_flag_test_and_set(&lock)) {
    }
    size_t i = find(block);
    if (slot[i]) {
      slot[i] = slot;
      blocks--;
    }
    atomic_flag_clear(&lock);
  }
}

// seen by shared libraries too
#pragma GCC visibility push(default)

void* malloc(size_t size) {
  return refuse(size) ? NULL : note(REAL(malloc)(size));
}

void* calloc(size_t count, size_t size) {
  return refuse(count > size ? count : size) ? NULL : note(REAL(calloc)(count, size));
}

void* realloc(void* block, size_t size) {
  if (refuse(size)) {
    return NULL;
  }
  forget(block);
  return note(REAL(realloc)(block, size));
}

void* aligned_alloc(size_t align, size_t size) {
  return refuse(size) ? NULL : note(REAL(memalign)(align, size));
}

void free(void* block) {
  forget(block);
  REAL(free)(block);
}

#pragma GCC visibility pop

#else

int starve_works(void) {
  return 0;
}

#endif  // the GNU C library

static void hear(const char* message) {
  snprintf(heard, sizeof(heard), "%s", message);
}

static void fail_later(const char* message) {
  failed = 1;
  hear(message);
}

void starve_after(int allocations, int few) {
  memset(slot, 0, sizeof(slot));
  left = allocations;
  refusals = few;
  refused = blocks = 0;
  heard[0] = 0;
  starves = 1;
  on = 1;
}

int starve_blocks(void) {
  return blocks;
}

int starve_pause(void) {
  refusals = -1;
  return refused;
}

int starve_end(void) {
  on = 0;
  blocks = 0;
  return refused;
}

int starve_outcome(int succeeded, const char* message) {
  int told = strstr(message, "memory") || strstr(heard, "memory");
  if (!succeeded && !told) {
    snprintf(heard, sizeof(heard), "%.300s", message);
  }
  return succeeded ? 1 : told ? 0 : -1;
}

static void try_each(int (*call)(void* argument), void* argument, int few) {
  // under a sanitizer every allocation would take minutes
#ifdef CONDYLE_SANITIZED
  const int step = 7;
#else
  const int step = 1;
#endif
  for (int n = 0; n < MAX_TRIES; n += step) {
    starve_after(n, few);
    int outcome = call(argument), lost = starve_blocks(), count = starve_end();
    if (failed || outcome < 0 || lost || (!count && !outcome)) {
      fail_msg("with allocation %d%s refused: %s%s, %d blocks lost", n,
               few ? "" : " and all after it",
               failed        ? "mju_error "
               : outcome < 0 ? "no message of it but "
                             : "",
               heard, lost);
    }
    if (!count) {
      return;
    }
  }
  fail_msg("more than %d allocations", MAX_TRIES);
}

void starve_each(int (*call)(void* argument), void* argument) {
  mju_user_warning = hear;
  mju_user_error = fail_later;
  failed = 0;

  // what the C library keeps from the first time is not lost
  assert_int_equal(call(argument), 1);
  try_each(call, argument, 1);
  try_each(call, argument, 0);
  mju_user_warning = mju_user_error = NULL;
}
