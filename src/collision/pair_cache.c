// Records of pairs, in the order of the first stage. A later stage has most pairs in the same
// order, so the search for a pair starts behind the last one found.

#include "collision/pair_cache.h"

#include <string.h>

#include "collision/collide.h"
#include "model/arena.h"

enum {
  ALIGN = 16,
  SHARE = 4,  // at most a quarter of the arena's never used part
  POSE = 12   // numbers of a position and a rotation matrix
};

// A pair; its contacts stand behind it.
typedef struct Record {
  int geom[2], ipair, num;
} Record;

// On the stack of mjData:
//
//   | PairCache | poses | has_moved | records, in the order of the first stage ... | room |
struct PairCache {
  int stages, is_filling;   // stages begun so far; the first fills the cache
  size_t used, room, next;  // bytes of records, bytes there are, where the next look-up begins
  mjtNum* pose;             // ngeom x POSE, as the records were made
  char* has_moved;          // ngeom
  char* record;
};

static PairCache* pairs_of(const mjData* d) {
  return arena_at(d, d->cnd_pairs);
}

static size_t aligned(size_t bytes) {
  return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static size_t record_bytes(int num) {
  return aligned(sizeof(Record)) + aligned((size_t)num * sizeof(mjContact));
}

static void read_pose(mjtNum pose[POSE], const mjData* d, int geom) {
  memcpy(pose, d->geom_xpos + 3 * (size_t)geom, 3 * sizeof(mjtNum));
  memcpy(pose + 3, d->geom_xmat + 9 * (size_t)geom, 9 * sizeof(mjtNum));
}

int pair_cache_open(const mjModel* m, mjData* d) {
  d->cnd_pairs = 0;
  if (m->nplugin || m->ngeom < 2 || !collide_is_standard()) {
    return 0;
  }
  // taken from the part of the arena that was never needed: contacts and rows keep their room
  size_t used = (size_t)d->maxuse_arena, left = used < d->narena ? d->narena - used : 0;
  size_t poses = aligned((size_t)m->ngeom * POSE * sizeof(mjtNum));
  size_t head = aligned(sizeof(PairCache)) + poses + aligned((size_t)m->ngeom);
  PairCache* pairs = head < left / SHARE ? arena_push(d, left / SHARE, ALIGN) : NULL;
  if (!pairs) {
    return 0;
  }
  char* place = (char*)pairs + aligned(sizeof(PairCache));
  *pairs = (PairCache){.room = left / SHARE - head,
                       .pose = (mjtNum*)(void*)place,
                       .has_moved = place + poses,
                       .record = (char*)pairs + head};
  d->cnd_pairs = d->pstack;
  for (int i = 0; i < m->ngeom; i++) {
    read_pose(pairs->pose + (size_t)i * POSE, d, i);
  }
  return 1;
}

void pair_cache_close(mjData* d) {
  d->cnd_pairs = 0;
}

PairCache* pair_cache_start(const mjModel* m, mjData* d) {
  PairCache* pairs = pairs_of(d);
  if (!pairs) {
    return NULL;
  }
  pairs->next = 0;
  pairs->is_filling = pairs->stages++ == 0;
  for (int i = 0; i < m->ngeom && !pairs->is_filling; i++) {
    mjtNum now[POSE];
    read_pose(now, d, i);
    pairs->has_moved[i] = memcmp(now, pairs->pose + (size_t)i * POSE, sizeof(now)) != 0;
  }
  return pairs;
}

int pair_cache_read(PairCache* pairs, mjContact* con, int g1, int g2, int ipair) {
  if (pairs->is_filling || pairs->has_moved[g1] || pairs->has_moved[g2]) {
    return -1;
  }
  while (pairs->next < pairs->used) {
    const Record* record = (const Record*)(const void*)(pairs->record + pairs->next);
    pairs->next += record_bytes(record->num);
    if (record->geom[0] == g1 && record->geom[1] == g2 && record->ipair == ipair) {
      memcpy(con, (const char*)record + aligned(sizeof(Record)),
             (size_t)record->num * sizeof(mjContact));
      return record->num;
    }
  }
  return -1;
}

void pair_cache_write(PairCache* pairs, const mjContact* con, int num, int g1, int g2, int ipair) {
  if (!pairs->is_filling) {
    return;
  }
  // records are found by their order: the first that doesn't fit closes the cache
  size_t bytes = record_bytes(num);
  if (bytes > pairs->room - pairs->used) {
    pairs->room = pairs->used;
    return;
  }
  Record* record = (Record*)(void*)(pairs->record + pairs->used);
  *record = (Record){{g1, g2}, ipair, num};
  memcpy((char*)record + aligned(sizeof(Record)), con, (size_t)num * sizeof(mjContact));
  pairs->used += bytes;
}
