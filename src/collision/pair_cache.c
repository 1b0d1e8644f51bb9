// A hash table of pairs of geoms; the hash is the sum of the two geom ids. Most pairs have a sum of
// their own, and so do the pairs of one plane with all other geoms.

#include "collision/pair_cache.h"

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "collision/collide.h"
#include "model/data/arena.h"

enum {
  SHARE = 4  // at most a quarter of the part of the arena that was never used
};

// A pair and its contacts.
typedef struct Record_ {
  struct Record_* next;  // with the same hash
  int geom[2], ipair, num;
  mjContact con[];
} PairRecord;

// The pose of a body for which the contacts are cached. The poses of its geoms follow from it.
typedef struct Body_ {
  mjtNum pos[3], quat[4];
  int has_moved;
} PairBody;

// On the stack of mjData:
//
//   | PairCache | bodies | lists | records ... | room |
struct PairCache {
  const mjModel* m;
  char *room, *end;
  PairRecord** list;  // ngeom
  PairBody body[];    // nbody
};

static int stands_still(const PairCache* pairs, int g1, int g2) {
  const int* body = pairs->m->geom_bodyid;
  return !pairs->body[body[g1]].has_moved && !pairs->body[body[g2]].has_moved;
}

static PairRecord** list_of(const PairCache* pairs, int g1, int g2) {
  return pairs->list + ((size_t)g1 + (size_t)g2) % (size_t)pairs->m->ngeom;
}

void pair_cache_open(const mjModel* m, mjData* d) {
  d->cnd_pairs = 0;
  if (m->nplugin || m->ngeom < 2 || !collide_is_standard()) {
    return;
  }
  // only the part of the arena that was never used: contacts and constraint rows keep their room
  size_t used = (size_t)d->maxuse_arena;
  size_t room = used < d->narena ? (d->narena - used) / SHARE : 0;
  size_t bodies = sizeof(PairCache) + (size_t)m->nbody * sizeof(PairBody);
  size_t lists = (size_t)m->ngeom * sizeof(PairRecord*);
  char* place = bodies + lists < room ? arena_push(d, room, _Alignof(PairCache)) : NULL;
  if (!place) {
    return;
  }
  PairCache* pairs = (PairCache*)(void*)place;
  pairs->m = m;
  pairs->room = place + bodies + lists;
  pairs->end = place + room;
  pairs->list = memset(place + bodies, 0, lists);
  for (int i = 0; i < m->nbody; i++) {
    v3_copy(pairs->body[i].pos, d->xpos + 3 * i);
    mju_copy4(pairs->body[i].quat, d->xquat + 4 * i);
  }
  d->cnd_pairs = d->pstack;
}

void pair_cache_close(mjData* d) {
  d->cnd_pairs = 0;
}

PairCache* pair_cache_start(const mjModel* m, mjData* d) {
  PairCache* pairs = arena_at(d, d->cnd_pairs);
  for (int i = 0; pairs && i < m->nbody; i++) {
    PairBody* body = pairs->body + i;
    body->has_moved = memcmp(body->pos, d->xpos + 3 * i, sizeof(body->pos)) ||
                      memcmp(body->quat, d->xquat + 4 * i, sizeof(body->quat));
  }
  return pairs;
}

int pair_cache_read(const PairCache* pairs, mjContact* con, int g1, int g2, int ipair) {
  const PairRecord* r = stands_still(pairs, g1, g2) ? *list_of(pairs, g1, g2) : NULL;
  while (r && (r->geom[0] != g1 || r->geom[1] != g2 || r->ipair != ipair)) {
    r = r->next;
  }
  if (!r) {
    return -1;
  }
  memcpy(con, r->con, (size_t)r->num * sizeof(mjContact));
  return r->num;
}

void pair_cache_write(PairCache* pairs, const mjContact* con, int num, int g1, int g2, int ipair) {
  const size_t align = _Alignof(PairRecord), contacts = (size_t)num * sizeof(mjContact);
  size_t bytes = (sizeof(PairRecord) + contacts + align - 1) / align * align;
  if (!stands_still(pairs, g1, g2) || bytes > (size_t)(pairs->end - pairs->room)) {
    return;
  }
  PairRecord *record = (PairRecord*)(void*)pairs->room, **list = list_of(pairs, g1, g2);
  *record = (PairRecord){*list, {g1, g2}, ipair, num};
  memcpy(record->con, con, contacts);
  *list = record;
  pairs->room += bytes;
}
