// Every iteration is run once, on any number of threads, and an error in one reaches the caller.

#include "base/parallel.h"

#include <stdatomic.h>

#include "base/memory/error.h"
#include "support/test.h"

enum {
  NPIECE = 200,
};

static atomic_int done[NPIECE];
static void* kept[NPIECE];

static void count_piece(void* unused, int i) {
  (void)unused;
  atomic_fetch_add(&done[i], 1);
  kept[i] = heap_take(10);
}

static void fail_at_100(void* unused, int i) {
  (void)unused;
  atomic_fetch_add(&done[i], 1);
  if (i == 100) {
    mju_error("piece %d is broken", i);
  }
}

typedef struct Work_ {
  int nthread;
  void (*piece)(void* argument, int i);
} Work;

static void work(void* argument) {
  const Work* w = argument;
  parallel_for(NPIECE, w->nthread, w->piece, NULL);
}

TEST(every_piece_is_done_once_and_keeps_its_memory) {
  for (int nthread = 0; nthread < 5; nthread++) {
    memset(done, 0, sizeof(done));
    char message[100];
    assert_int_equal(error_catch(message, sizeof(message), work, &(Work){nthread, count_piece}), 0);
    for (int i = 0; i < NPIECE; i++) {
      assert_int_equal(done[i], 1);
      memset(kept[i], i, 10);
      heap_free(kept[i]);
    }
  }
}

TEST(an_error_of_a_piece_is_the_callers) {
  for (int nthread = 0; nthread < 5; nthread++) {
    memset(done, 0, sizeof(done));
    char message[100] = "";
    assert_int_equal(error_catch(message, sizeof(message), work, &(Work){nthread, fail_at_100}), 1);
    assert_string_equal(message, "piece 100 is broken");
    for (int i = 0; i < 100; i++) {
      assert_int_equal(done[i], 1);
    }
  }
}
