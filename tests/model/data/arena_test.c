// arena.c: contacts and rows from below, temporaries from above.

#include "model/data/arena.h"

#include "support/caught.h"
#include "support/small_data.h"
#include "support/test.h"

TEST(stack_comes_from_the_end) {
  mj_markStack(d);
  mjtNum* numbers = mj_stackAllocNum(d, 10);
  int* integers = mj_stackAllocInt(d, 3);
  char* end = (char*)d->arena + (size_t)d->cnd_arena;
  assert_that((char*)(numbers + 10), <=, end);
  assert_that((char*)(integers + 3), <=, (char*)numbers);
  assert_int_equal((uintptr_t)mj_stackAllocByte(d, 1, 256) % 256, 0);
  mj_freeStack(d);
  assert_int_equal(d->pstack, 0);
  assert_int_equal(d->pbase, 0);
}

TEST(frames_nest) {
  mj_markStack(d);
  mj_stackAllocNum(d, 5);
  size_t top = d->pstack;
  for (int i = 0; i < 20; i++) {
    mj_markStack(d);
    mj_stackAllocInt(d, (size_t)i);
  }
  for (int i = 0; i < 20; i++) {
    mj_freeStack(d);
  }
  assert_int_equal(d->pstack, top);
  mj_freeStack(d);
  assert_int_equal(d->pstack, 0);

  // without a frame there is nothing to give back
  mj_freeStack(d);
  assert_int_equal(d->pstack, 0);
}

TEST(nothing_takes_no_place) {
  assert_null(mj_stackAllocNum(d, 0));
  assert_null(mj_stackAllocByte(d, 0, 8));
  assert_int_equal(d->pstack, 0);
}

TEST(full_stack_is_an_error) {
  mj_markStack(d);
  size_t top = d->pstack;
  assert_error(mj_stackAllocByte(d, (size_t)d->cnd_arena, 8), "mj_stackAlloc: out of memory");
  assert_error(mj_stackAllocNum(d, SIZE_MAX / 2), "more than memory can hold");
  assert_error(mj_stackAllocInt(d, SIZE_MAX / 2), "more than memory can hold");
  assert_int_equal(d->pstack, top);
  mj_freeStack(d);
}

TEST(both_sides_meet) {
  char* low = arena_alloc(d, 1000, 64);
  assert_ptr_equal(low, d->arena);
  assert_int_equal((uintptr_t)arena_alloc(d, 8, 64) % 64, 0);
  size_t room = (size_t)d->narena - d->parena;

  // exactly what is left fits, one byte more does not
  assert_null(arena_alloc(d, room + 1, 1));
  assert_null(arena_push(d, room + 1, 1));
  mj_markStack(d);
  assert_non_null(arena_push(d, 100, 1));
  assert_non_null(arena_alloc(d, (size_t)d->narena - d->pstack - d->parena, 1));
  assert_null(arena_alloc(d, 1, 1));
  assert_null(arena_push(d, 1, 1));
  assert_int_equal(d->parena + d->pstack, d->narena);
  assert_int_equal(d->maxuse_arena, d->narena);

  // only the reserve is left
  assert_non_null(mj_stackAllocByte(d, (size_t)(d->cnd_arena - d->narena), 1));
  assert_error(mj_stackAllocByte(d, 1, 1), "stack overflow");
  assert_null(arena_alloc(d, 1, 1));
  assert_int_equal(d->maxuse_arena, d->narena);
  mj_freeStack(d);
}

static void hungry(const mjModel* model, mjData* data) {
  (void)model;
  mj_markStack(data);
  mj_stackAllocByte(data, (size_t)d->cnd_arena / 2, 8);
  mj_stackAllocByte(data, (size_t)d->cnd_arena / 2, 8);
}

static void modest(const mjModel* model, mjData* data) {
  (void)model;
  mj_markStack(data);
  mj_stackAllocByte(data, 100, 8);
  mj_freeStack(data);
}

static void wrong(const mjModel* model, mjData* data) {
  (void)model;
  mj_markStack(data);
  mju_error("something else");
}

TEST(attempts_end_when_the_stack_is_full) {
  mj_markStack(d);
  mj_stackAllocByte(d, 50, 8);
  size_t pstack = d->pstack, pbase = d->pbase;
  assert_int_equal(arena_attempt(modest, m, d), 1);
  assert_int_equal(arena_attempt(hungry, m, d), 0);
  assert_that(d->pstack, ==, pstack);
  assert_that(d->pbase, ==, pbase);

  // any other error is the caller's to see
  assert_error(arena_attempt(wrong, m, d), "something else");
  assert_that(d->pstack, ==, pstack);
  assert_that(d->pbase, ==, pbase);
  mj_freeStack(d);
}

TEST(pushing_and_popping) {
  size_t top = d->pstack;
  assert_non_null(arena_push(d, 100, 64));
  assert_int_equal((uintptr_t)arena_push(d, 1, 64) % 64, 0);
  assert_that(d->pstack, >, top);
  arena_pop(d, top);
  assert_int_equal(d->pstack, top);
}

TEST(rewinding_gives_back_the_rest) {
  arena_alloc(d, 100, 8);
  size_t before = d->parena;
  char* first = arena_alloc(d, 200, 8);
  arena_rewind(d, before);
  assert_ptr_equal(arena_alloc(d, 200, 8), first);
}

TEST(clearing_leaves_no_rows) {
  d->contact = arena_alloc(d, sizeof(mjContact), 8);
  d->efc_J = arena_alloc(d, 80, 8);
  d->ncon = 1;
  d->nefc = d->nJ = d->nisland = 2;
  arena_clear(d);
  assert_int_equal(d->parena, 0);
  assert_int_equal(d->ncon + d->nefc + d->nJ + d->nisland, 0);
  assert_null(d->efc_J);
  assert_ptr_equal(d->contact, d->arena);
}

TEST(most_use_is_kept) {
  mj_markStack(d);
  mj_stackAllocByte(d, 5000, 8);
  size_t most = d->pstack;
  mj_freeStack(d);
  assert_that(d->maxuse_stack, ==, most);
  assert_that(most, >=, 5000u);
}
