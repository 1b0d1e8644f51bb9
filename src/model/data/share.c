// Loops in pieces on the threads of a pool.

#include "model/data/share.h"

#include <mujoco/api/base.h>
#include <stdatomic.h>
#include <stdint.h>

#include "base/algebra/vec.h"
#include "base/memory/error.h"
#include "model/data/arena.h"
#include "model/data/hold.h"

// Consecutive pieces that one thread begins with, so that it finds in its caches what it wrote in
// earlier stages and steps. Who has none left takes those of the others.
typedef struct Section_ {
  _Alignas(64) atomic_int next;
  int end;
} Section;

typedef struct Loop_ {
  mjData* d;
  SharedCall call;
  void* argument;
  int n, piece;
  void (*run)(void* argument, int i);
  Section section[1 + mjMAXTHREAD];
  int sections;
  atomic_int incomplete;  // a piece warned or lacked room
  atomic_size_t peak;     // most bytes that a piece pushed on a worker's stack
} Loop;

typedef struct Piece_ {
  Loop* loop;
  int begin, end;
} Piece;

static Piece piece_of(Loop* loop, int i) {
  int begin = i * loop->piece;
  return (Piece){loop, begin, int_min(loop->n, begin + loop->piece)};
}

static void run_piece(void* argument, int i) {
  Piece piece = piece_of(argument, i);
  piece.loop->call(piece.loop->argument, piece.begin, piece.end);
}

static void call_piece(void* argument) {
  const Piece* piece = argument;
  piece->loop->call(piece->loop->argument, piece->begin, piece->end);
}

static void try_piece(void* argument) {
  const Piece* piece = argument;
  if (!arena_try(call_piece, argument, piece->loop->d)) {
    atomic_store(&piece->loop->incomplete, 1);
  }
}

static void note_peak(Loop* loop, size_t peak) {
  size_t most = atomic_load(&loop->peak);
  while (peak > most && !atomic_compare_exchange_weak(&loop->peak, &most, peak)) {
  }
}

// A piece whose warnings are held, also when it ends in an error.
static void run_held_piece(void* argument, int i) {
  Piece piece = piece_of(argument, i);
  char message[1000];
  int held = 0;
  int* outer = warning_hold(&held);
  arena_peak(piece.loop->d);
  int failed = error_catch(message, sizeof(message), try_piece, &piece);
  warning_hold(outer);
  if (failed) {
    mju_error("%s", message);
  }
  note_peak(piece.loop, arena_peak(piece.loop->d));
  if (held) {
    atomic_store(&piece.loop->incomplete, 1);
  }
}

// The pieces of a thread's own section, then of the others.
static void run_sections(void* argument, int iteration) {
  Loop* loop = argument;
  int own = pool_worker((const mjThreadPool*)loop->d->threadpool);
  (void)iteration;
  for (int k = 0; k < loop->sections; k++) {
    Section* section = loop->section + (own + k) % loop->sections;
    int i = atomic_fetch_add(&section->next, 1);
    for (; i < section->end; i = atomic_fetch_add(&section->next, 1)) {
      loop->run(loop, i);
    }
  }
}

static void run_loop(Loop* loop, void (*run)(void* argument, int i)) {
  int64_t pieces = loop->n / loop->piece + (loop->n % loop->piece != 0);
  loop->run = run;
  loop->sections = share_threads(loop->d);
  for (int64_t k = 0; k < loop->sections; k++) {
    atomic_init(&loop->section[k].next, (int)(pieces * k / loop->sections));
    loop->section[k].end = (int)(pieces * (k + 1) / loop->sections);
  }
  atomic_init(&loop->incomplete, 0);
  atomic_init(&loop->peak, 0);
  pool_for((mjThreadPool*)loop->d->threadpool, loop->sections, run_sections, loop);
}

static void loop_make(Loop* loop, mjData* d, int n, int piece, SharedCall call, void* argument) {
  loop->d = d;
  loop->call = call;
  loop->argument = argument;
  loop->n = n;
  loop->piece = piece;
}

void share_for(mjData* d, int n, int piece, SharedCall call, void* argument) {
  if (share_threads(d) == 1) {
    call(argument, 0, n);
    return;
  }
  Loop loop;  // too large to be cleared each time
  loop_make(&loop, d, n, piece, call, argument);
  run_loop(&loop, run_piece);
}

size_t share_attempt(mjData* d, int n, int piece, SharedCall call, void* argument) {
  Loop loop;  // too large to be cleared each time
  loop_make(&loop, d, n, piece, call, argument);
  // this thread's own use is told by the largest use of its stack
  mjtSize most = d->maxuse_stack, before = d->pstack;
  d->maxuse_stack = d->pstack;
  run_loop(&loop, run_held_piece);
  size_t own = (size_t)(d->maxuse_stack - before), peak = atomic_load(&loop.peak);
  d->maxuse_stack = d->maxuse_stack > most ? d->maxuse_stack : most;
  return atomic_load(&loop.incomplete) ? SIZE_MAX : own > peak ? own : peak;
}
