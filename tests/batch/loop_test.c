// A loop gives each item to one thread, whatever the chunks, and deals out short chunks at the end.

#include "batch/loop.h"

#include "support/models.h"

enum {
  MOST = 1000
};

typedef struct Count_ {
  Loop* loop;
  atomic_int times[MOST];
  int64_t end[MOST];  // of the chunk that the item is in, if one thread does all the work
} Count;

static void count_item(void* argument, int i, int slot) {
  (void)slot;
  Count* c = argument;
  atomic_fetch_add(&c->times[i], 1);
  c->end[i] = atomic_load(&c->loop->next);
}

static void run(Count* c, int n, int nslot, int chunk, const cndPool* pool) {
  Loop loop;
  loop_open(&loop);
  LoopError room;
  loop.n = n;
  loop.nslot = nslot;
  loop.chunk = chunk;
  loop.item = count_item;
  loop.argument = c;
  loop.error = &room;
  loop.nroom = 1;
  memset(c, 0, sizeof(*c));
  c->loop = &loop;
  assert_int_equal(loop_run(&loop, pool), cndRUN_DONE);
  loop_close(&loop);
}

TEST(each_item_is_done_once) {
  static const int items[] = {0, 1, 2, 7, MOST}, chunks[] = {0, 1, 3, 2 * MOST};
  Count c;
  for (int threads = 0; threads < 6; threads += 5) {
    cndPool* pool = threads ? cnd_makePool(threads) : NULL;
    for (int k = 0; k < 20; k++) {
      run(&c, items[k % 5], 1 + threads, chunks[k / 5], pool);
      for (int i = 0; i < MOST; i++) {
        assert_int_equal(c.times[i], i < items[k % 5]);
      }
    }
    cnd_deletePool(pool);
  }
}

TEST(chunks_have_the_size_that_is_asked_for) {
  Count c;
  run(&c, 10, 2, 4, NULL);
  assert_int_equal(c.end[0], 4);
  assert_int_equal(c.end[7], 8);
  assert_int_equal(c.end[8], 10);
}

// No thread begins a long chunk when the others are about to run out of work.
TEST(chunks_get_shorter_towards_the_end) {
  Count c;
  run(&c, MOST, 2, 0, NULL);
  int64_t last = MOST;
  for (int64_t i = 0; i < MOST; i = c.end[i]) {
    int64_t size = c.end[i] - i;
    assert_that(size, <=, last);
    assert_true(size == 1 || size <= (MOST - i) / 4);
    last = size;
  }
  assert_int_equal(last, 1);
}

TEST(one_thread_takes_everything_at_once) {
  Count c;
  run(&c, MOST, 1, 0, NULL);
  assert_int_equal(c.end[0], MOST);
}
