// The cache is one block on the stack of mjData, filled with one mesh after the other until it is
// full.

#include "collision/convex/support_cache.h"

#include "base/parallel.h"
#include "model/data/arena.h"

enum {
  ALIGN = 64,           // bytes of the widest vector
  SHARE = 8,            // at most an eighth of the stack's free part
  MOST_BYTES = 1 << 18  // and at most this
};

typedef struct SupportCache {
  const mjModel* m;
  int is_lent;  // copies are the caller's, no others are made
  size_t used, room;
  char* points;
  const SupportPoints* of[];  // copy of each mesh; NULL: not yet made
} SupportCache;

// A copy that a thread is making.
static const char making;
#define MAKING ((const SupportPoints*)(const void*)&making)

// While a worker helps, the cache that its stage has opened stays where it is.
static SupportCache* copies_of(const mjData* d) {
  if (d->threadpool && pool_worker((const mjThreadPool*)d->threadpool)) {
    char* end = (char*)d->arena + (size_t)d->cnd_arena;
    return d->cnd_copies ? (SupportCache*)(void*)(end - d->cnd_copies) : NULL;
  }
  return arena_at(d, d->cnd_copies);
}

// Takes bytes of the room that threads share; NULL if there are no more so many.
static void* take_room(SupportCache* copies, size_t bytes) {
  size_t used = __atomic_load_n(&copies->used, __ATOMIC_RELAXED);
  do {
    if (bytes > copies->room - used) {
      return NULL;
    }
  } while (!__atomic_compare_exchange_n(&copies->used, &used, used + bytes, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
  return copies->points + used;
}

void support_cache_open(const mjModel* m, mjData* d) {
  d->cnd_copies = 0;
  if (!m->nmesh) {
    return;
  }
  size_t used = d->pstack + d->parena, left = used < d->narena ? d->narena - used : 0;
  size_t most = left / SHARE < MOST_BYTES ? left / SHARE : MOST_BYTES, room = 0;
  for (int i = 0; i < m->nmesh && room < most; i++) {
    room += points_bytes(int_min(m->mesh_vertnum[i], HULL_POINTS));
  }
  room = room < most ? room : most;
  size_t head = sizeof(SupportCache) + (size_t)m->nmesh * sizeof(SupportPoints*);
  head = (head + ALIGN - 1) / ALIGN * ALIGN;
  SupportCache* copies = head < most ? arena_push(d, head + room, ALIGN) : NULL;
  if (!copies) {
    return;
  }
  memset(copies, 0, head);
  copies->m = m;
  copies->room = room;
  copies->points = (char*)copies + head;
  d->cnd_copies = d->pstack;
}

void support_cache_lend(const mjModel* m, mjData* d, const SupportPoints* const* points) {
  d->cnd_copies = 0;
  if (!m->nmesh || !points) {
    return;
  }
  size_t pointers = (size_t)m->nmesh * sizeof(SupportPoints*);
  SupportCache* copies = arena_push(d, sizeof(SupportCache) + pointers, ALIGN);
  if (copies) {
    *copies = (SupportCache){.m = m, .is_lent = 1};
    memcpy(copies->of, points, pointers);
    d->cnd_copies = d->pstack;
  }
}

int support_cache_is_lent(const mjData* d) {
  const SupportCache* copies = copies_of(d);
  return copies && copies->is_lent;
}

void support_cache_close(mjData* d) {
  d->cnd_copies = 0;
}

const SupportPoints* support_cache_copy(const mjData* d, const ConvexShape* shape, int most) {
  SupportCache* copies = copies_of(d);
  int num = points_number(shape);
  if (!copies || num < 1 || copies->m != shape->model) {
    return NULL;
  }
  if (copies->is_lent) {
    return copies->of[shape->mesh];
  }
  if (num > most) {
    return NULL;
  }
  const SupportPoints **place = copies->of + shape->mesh,
                      *points = __atomic_load_n(place, __ATOMIC_ACQUIRE);
  // one thread makes it; others meanwhile use copies of their own
  if (!points &&
      __atomic_compare_exchange_n(place, &points, MAKING, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
    SupportPoints* room = take_room(copies, points_bytes(num));
    points = room ? points_fill(room, shape) : NULL;
    __atomic_store_n(place, points, __ATOMIC_RELEASE);
  }
  return points == MAKING ? NULL : points;
}

const SupportPoints* support_cache_find(mjData* d, const ConvexShape* shape, int most) {
  const SupportPoints* kept = support_cache_copy(d, shape, most);
  int num = kept ? 0 : points_number(shape);
  if (num < 1 || num > most) {
    return kept;
  }
  SupportPoints* room = arena_push(d, points_bytes(num), ALIGN);
  return room ? points_fill(room, shape) : NULL;
}
