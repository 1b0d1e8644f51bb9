// Contacts on their way from threads to the list of all.

#include "collision/found.h"

#include <string.h>

#include "base/algebra/vec.h"

// Takes bytes of the page, and a new one from the room where it is full. NULL: no more room.
static void* take_bytes(FoundPage* page, size_t bytes) {
  const size_t least = 8192;
  if (page->bytes < bytes) {
    FoundRoom* room = page->room;
    size_t wanted = bytes < least ? least : bytes;
    size_t at = __atomic_fetch_add(&room->used, wanted, __ATOMIC_RELAXED);
    if (at > room->bytes || wanted > room->bytes - at) {
      return NULL;
    }
    page->free = room->block + at;
    page->bytes = wanted;
  }
  char* taken = page->free;
  page->free += bytes;
  page->bytes -= bytes;
  return taken;
}

int found_add(FoundPage* page, FoundList* list, const mjContact* con, int num, int g1, int g2,
              int ipair, mjtNum margin) {
  const size_t align = _Alignof(FoundPair);
  size_t bytes = sizeof(FoundPair) + (size_t)num * sizeof(mjtNum[FOUND_NUMBERS]);
  bytes = (bytes + align - 1) / align * align;
  FoundPair* pair = take_bytes(page, bytes);
  if (!pair) {
    return 0;
  }
  *pair = (FoundPair){.geom = {g1, g2}, .ipair = ipair, .num = num, .margin = margin};
  for (int i = 0; i < num; i++) {
    mjtNum* to = pair->contact[i];
    to[0] = con[i].dist;
    v3_copy(to + 1, con[i].pos);
    memcpy(to + 4, con[i].frame, 6 * sizeof(mjtNum));
  }
  if (list->last) {
    list->last->next = pair;
  } else {
    list->first = pair;
  }
  list->last = pair;
  return 1;
}

int found_place(FoundList* list, int place) {
  for (FoundPair* pair = list->first; pair; pair = pair->next) {
    pair->place = place;
    place += pair->num;
  }
  return place;
}

void found_write(const FoundList* list, ContactMemo* memo, const mjModel* m, mjContact* con) {
  for (const FoundPair* pair = list->first; pair; pair = pair->next) {
    mjContact* to = con + pair->place;
    for (int i = 0; i < pair->num; i++) {
      const mjtNum* from = pair->contact[i];
      to[i].dist = from[0];
      v3_copy(to[i].pos, from + 1);
      memcpy(to[i].frame, from + 4, 6 * sizeof(mjtNum));
    }
    contact_fill_next(memo, m, to, pair->num, pair->geom[0], pair->geom[1], pair->ipair,
                      pair->margin);
  }
}
