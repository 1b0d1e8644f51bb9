// The cache is one block on the stack of mjData, filled with one mesh after the other until it is
// full.

#include "collision/convex/support_cache.h"

#include "model/data/arena.h"

enum {
  ALIGN = 64,           // bytes of the widest vector
  SHARE = 8,            // at most an eighth of the stack's free part
  MOST_BYTES = 1 << 18  // and at most this
};

typedef struct SupportCache {
  const mjModel* m;
  size_t used, room;
  char* points;
  const SupportPoints* of[];  // copy of each mesh; NULL: not yet made
} SupportCache;

static SupportCache* copies_of(const mjData* d) {
  return arena_at(d, d->cnd_copies);
}

void support_cache_open(const mjModel* m, mjData* d) {
  d->cnd_copies = 0;
  if (!m->nmesh) {
    return;
  }
  size_t used = d->pstack + d->parena, left = used < d->narena ? d->narena - used : 0;
  size_t most = left / SHARE < MOST_BYTES ? left / SHARE : MOST_BYTES, room = 0;
  for (int i = 0; i < m->nmesh && room < most; i++) {
    room += points_bytes(int_min(m->mesh_vertnum[i], MOST_POINTS));
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

void support_cache_close(mjData* d) {
  d->cnd_copies = 0;
}

const SupportPoints* support_cache_copy(const mjData* d, const ConvexShape* shape) {
  SupportCache* copies = copies_of(d);
  int num = points_number(shape);
  if (!copies || copies->m != shape->model || num < 1 || num > MOST_POINTS) {
    return NULL;
  }
  const SupportPoints** points = copies->of + shape->mesh;
  size_t bytes = points_bytes(num);
  if (!*points && bytes <= copies->room - copies->used) {
    *points = points_fill((SupportPoints*)(void*)(copies->points + copies->used), shape);
    copies->used += bytes;
  }
  return *points;
}

const SupportPoints* support_cache_find(mjData* d, const ConvexShape* shape) {
  const SupportPoints* kept = support_cache_copy(d, shape);
  int num = kept ? 0 : points_number(shape);
  if (num < 1 || num > MOST_POINTS) {
    return kept;
  }
  SupportPoints* room = arena_push(d, points_bytes(num), ALIGN);
  return room ? points_fill(room, shape) : NULL;
}
