// realtime.c: how long steps take in a real-time thread, as a histogram.
//
//   cc -O2 examples/realtime.c $(pkg-config --cflags --libs condyle) -lpthread -o realtime
//   realtime MODEL.xml [STEPS]
//
// The thread has a fixed priority above all others (SCHED_FIFO) and memory that stays in place
// (mlockall), where the system permits: as root, or with limits for rtprio and memlock. Prints what
// was permitted, the time that most steps keep to, and the worst one. A step takes no memory from
// the heap, so what is left are the work of the model, interrupts, and other programs if the
// priority was refused.

#define _GNU_SOURCE

#include <mujoco/mujoco.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

// Bins of a histogram of nanoseconds: eight for each power of two.
enum {
  PER_DOUBLING = 8,
  NBIN = 40 * PER_DOUBLING
};

typedef struct Loop_ {
  const mjModel* m;
  mjData* d;
  long steps;
  long bin[NBIN];
  int64_t worst, sum;
  long worst_step;
} Loop;

static int64_t nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// The bin of a time: its power of two, and the next three bits.
static int bin_of(int64_t t) {
  int power = 0;
  while (t >> (power + 1)) {
    power++;
  }
  int eighth = power < 3 ? 0 : (int)(t >> (power - 3) & 7);
  int bin = PER_DOUBLING * power + eighth;
  return bin < NBIN ? bin : NBIN - 1;
}

// The end of a bin.
static int64_t bin_end(int bin) {
  int power = bin / PER_DOUBLING;
  return ((int64_t)(PER_DOUBLING + bin % PER_DOUBLING + 1) << power) / PER_DOUBLING;
}

// Small random controls, which keep the model moving; a resting one would be too easy.
static void draw_controls(const mjModel* m, mjData* d, uint64_t* seed) {
  for (int i = 0; i < m->nu; i++) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    d->ctrl[i] = (mjtNum)((double)(*seed >> 11) / 9007199254740992.0 - 0.5);
  }
}

static void* run_loop(void* argument) {
  Loop* loop = argument;
  uint64_t seed = 1;
  for (long i = 0; i < loop->steps; i++) {
    draw_controls(loop->m, loop->d, &seed);
    int64_t before = nanoseconds();
    mj_step(loop->m, loop->d);
    int64_t taken = nanoseconds() - before;
    loop->bin[bin_of(taken)]++;
    loop->sum += taken;
    if (taken > loop->worst) {
      loop->worst = taken;
      loop->worst_step = i;
    }
  }
  return NULL;
}

// The time within which a share of all steps ends.
static double share(const Loop* loop, double part) {
  long count = 0;
  for (int k = 0; k < NBIN; k++) {
    count += loop->bin[k];
    if ((double)count >= part * (double)loop->steps) {
      return (double)(bin_end(k) < loop->worst ? bin_end(k) : loop->worst) / 1000;
    }
  }
  return (double)loop->worst / 1000;
}

static void print_histogram(const Loop* loop) {
  for (int power = 0; power < NBIN / PER_DOUBLING; power++) {
    long count = 0;
    for (int k = 0; k < PER_DOUBLING; k++) {
      count += loop->bin[PER_DOUBLING * power + k];
    }
    if (count) {
      printf("%12.3f us and more %12ld\n", (double)((int64_t)1 << power) / 1000, count);
    }
  }
  printf("mean %.2f us, median %.2f, 99%% %.2f, 99.99%% %.2f, worst %.2f (step %ld)\n",
         (double)loop->sum / (double)loop->steps / 1000, share(loop, 0.5), share(loop, 0.99),
         share(loop, 0.9999), (double)loop->worst / 1000, loop->worst_step);
}

// Runs the loop in a thread of the highest priority, or of the usual one if that is refused.
static int run_thread(Loop* loop) {
  pthread_attr_t attributes;
  pthread_t thread;
  const struct sched_param priority = {.sched_priority = sched_get_priority_max(SCHED_FIFO)};
  pthread_attr_init(&attributes);
  pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
  pthread_attr_setschedparam(&attributes, &priority);
  int refused = pthread_create(&thread, &attributes, run_loop, loop);
  printf("priority: %s\n", refused ? strerror(refused) : "SCHED_FIFO");
  if (refused && pthread_create(&thread, NULL, run_loop, loop)) {
    return 0;
  }
  pthread_attr_destroy(&attributes);
  return !pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
  char error[1000] = "";
  if (argc < 2) {
    fprintf(stderr, "usage: realtime MODEL.xml [STEPS]\n");
    return 2;
  }
  mjModel* m = mj_loadXML(argv[1], NULL, error, sizeof(error));
  if (!m) {
    fprintf(stderr, "%s\n", error);
    return 2;
  }
  static Loop loop;
  loop.m = m;
  loop.d = mj_makeData(m);
  loop.steps = argc > 2 ? atol(argv[2]) : 1000000;
  if (!loop.d || loop.steps < 1) {
    return 1;
  }
  printf("memory: %s\n",
         mlockall(MCL_CURRENT | MCL_FUTURE) ? "not locked, which is refused here" : "locked");
  // the first steps touch what the data has not touched yet
  for (int i = 0; i < 100; i++) {
    mj_step(m, loop.d);
  }
  if (run_thread(&loop)) {
    print_histogram(&loop);
  }
  mj_deleteData(loop.d);
  mj_deleteModel(m);
  return 0;
}
