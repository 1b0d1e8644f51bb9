// profile.c: times of stages from mjData.timer, and times of pairs of geoms in a hash table. If
// there is no memory for a larger table, the run goes on and the report says that pairs are
// missing.

#include "run/profile.h"

#include <condyle/profile.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static mjtNum microseconds(void) {
  return (mjtNum)(1e6 * now());
}

typedef struct Pair_ {
  int geom1, geom2;
  long calls, contacts;  // calls is 0 in an empty slot
  double time;
} Pair;

static struct {
  Pair* slot;
  size_t capacity, count;  // capacity is a power of 2 and at least twice the count
  int is_full;             // 1 if pairs were left out
} pairs;

static Pair* place_of(Pair* slot, size_t capacity, int geom1, int geom2) {
  uint64_t key = (uint64_t)(uint32_t)geom1 << 32 | (uint32_t)geom2;
  size_t i = (size_t)(key * 0x9E3779B97F4A7C15u >> 20) & (capacity - 1);
  while (slot[i].calls && (slot[i].geom1 != geom1 || slot[i].geom2 != geom2)) {
    i = (i + 1) & (capacity - 1);
  }
  return slot + i;
}

// Doubles the table. Returns 0 if memory is out.
static int grow(void) {
  size_t capacity = pairs.capacity ? 2 * pairs.capacity : 256;
  Pair* larger = calloc(capacity, sizeof *larger);
  if (!larger) {
    return 0;
  }
  for (size_t i = 0; i < pairs.capacity; i++) {
    const Pair* p = pairs.slot + i;
    if (p->calls) {
      *place_of(larger, capacity, p->geom1, p->geom2) = *p;
    }
  }
  free(pairs.slot);
  pairs.slot = larger;
  pairs.capacity = capacity;
  return 1;
}

static void count_pair(const mjModel* m, const mjData* d, int geom1, int geom2, int ncon,
                       mjtNum duration) {
  (void)m, (void)d;
  if (2 * (pairs.count + 1) > pairs.capacity && !grow()) {
    pairs.is_full = 1;
    return;
  }
  Pair* p = place_of(pairs.slot, pairs.capacity, geom1, geom2);
  pairs.count += p->calls == 0;
  p->geom1 = geom1;
  p->geom2 = geom2;
  p->calls++;
  p->contacts += ncon;
  p->time += duration;
}

void profile_start(mjData* d) {
  mjcb_time = microseconds;
  cnd_observePair = count_pair;
  memset(d->timer, 0, sizeof d->timer);
}

void profile_stop(void) {
  mjcb_time = NULL;
  cnd_observePair = NULL;
}

typedef struct Stage_ {
  int timer, depth;  // depth: number of stages around it
  const char* name;
} Stage;

static const Stage stages[] = {
    {mjTIMER_STEP, 0, "step"},
    {mjTIMER_POSITION, 1, "position"},
    {mjTIMER_POS_KINEMATICS, 2, "kinematics"},
    {mjTIMER_POS_INERTIA, 2, "inertia"},
    {mjTIMER_POS_COLLISION, 2, "collision"},
    {mjTIMER_COL_BROAD, 3, "broad phase"},
    {mjTIMER_COL_NARROW, 3, "narrow phase"},
    {mjTIMER_POS_MAKE, 2, "constraint rows"},
    {mjTIMER_POS_PROJECT, 2, "their projection"},
    {mjTIMER_VELOCITY, 1, "velocity"},
    {mjTIMER_ACTUATION, 1, "actuation"},
    {mjTIMER_CONSTRAINT, 1, "constraint solver"},
    {mjTIMER_ADVANCE, 1, "integration"},
};

enum {
  STAGE_COUNT = sizeof stages / sizeof *stages,
  COSTLIEST = 10
};

static void print_row(const char* name, int depth, double time, double steps, double whole) {
  printf("%*s%-*s %12.3f %7.1f %%\n", 2 * depth, "", 26 - 2 * depth, name, time / steps,
         whole > 0 ? 100 * time / whole : 0);
}

static void print_stages(const mjData* d, double steps) {
  double whole = d->timer[mjTIMER_STEP].duration, rest = whole;
  printf("\n%-26s %12s %9s\n", "stage", "us/step", "share");
  for (int i = 0; i < STAGE_COUNT; i++) {
    double time = d->timer[stages[i].timer].duration;
    print_row(stages[i].name, stages[i].depth, time, steps, whole);
    rest -= stages[i].depth == 1 ? time : 0;
  }
  print_row("other", 1, rest, steps, whole);
}

static void geom_name(char* text, size_t size, const mjModel* m, int geom) {
  static const char* const types[mjNGEOMTYPES] = {
      "plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"};
  const char* name = mj_id2name(m, mjOBJ_GEOM, geom);
  const char* body = mj_id2name(m, mjOBJ_BODY, m->geom_bodyid[geom]);
  if (name && *name) {
    snprintf(text, size, "%s '%s'", types[m->geom_type[geom]], name);
  } else if (body && *body) {
    snprintf(text, size, "%s %d of '%s'", types[m->geom_type[geom]], geom, body);
  } else {
    snprintf(text, size, "%s %d", types[m->geom_type[geom]], geom);
  }
}

static int by_time(const void* a, const void* b) {
  const Pair *p = a, *q = b;
  return p->time != q->time     ? (p->time < q->time ? 1 : -1)
         : p->geom1 != q->geom1 ? (p->geom1 < q->geom1 ? -1 : 1)
                                : (p->geom2 > q->geom2) - (p->geom2 < q->geom2);
}

static void print_pairs(const mjModel* m, double steps, double whole) {
  size_t count = 0;
  for (size_t i = 0; i < pairs.capacity; i++) {
    if (pairs.slot[i].calls) {
      pairs.slot[count++] = pairs.slot[i];
    }
  }
  if (count) {
    qsort(pairs.slot, count, sizeof *pairs.slot, by_time);
    printf("\n%10s %9s %11s %9s   %s\n", "us/step", "share", "calls/step", "contacts",
           "costliest pairs of geoms");
  }
  for (size_t i = 0; i < count && i < COSTLIEST; i++) {
    const Pair* p = pairs.slot + i;
    char name1[100], name2[100];
    geom_name(name1, sizeof name1, m, p->geom1);
    geom_name(name2, sizeof name2, m, p->geom2);
    printf("%10.3f %7.1f %% %11.2f %9.2f   %s, %s\n", p->time / steps,
           whole > 0 ? 100 * p->time / whole : 0, (double)p->calls / steps,
           (double)p->contacts / steps, name1, name2);
  }
  if (count > COSTLIEST) {
    printf("%zu more pairs\n", count - COSTLIEST);
  }
  if (pairs.is_full) {
    printf("some pairs were not counted: out of memory\n");
  }
}

void profile_print(const mjModel* m, const mjData* d) {
  double steps = d->timer[mjTIMER_STEP].number ? d->timer[mjTIMER_STEP].number : 1;
  print_stages(d, steps);
  print_pairs(m, steps, d->timer[mjTIMER_STEP].duration);
  free(pairs.slot);
  memset(&pairs, 0, sizeof pairs);
}
