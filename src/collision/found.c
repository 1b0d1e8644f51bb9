// Contacts on their way from threads to the list of all.

#include "collision/found.h"

#include <string.h>

#include "base/algebra/vec.h"
#include "collision/contact_param.h"

int found_add(FoundRoom* room, FoundList* list, const mjContact* con, int num, int g1, int g2,
              int ipair, mjtNum margin) {
  const size_t align = _Alignof(FoundPair);
  size_t bytes = sizeof(FoundPair) + (size_t)num * sizeof(mjtNum[FOUND_NUMBERS]);
  bytes = (bytes + align - 1) / align * align;
  size_t at = __atomic_fetch_add(&room->used, bytes, __ATOMIC_RELAXED);
  if (at > room->bytes || bytes > room->bytes - at) {
    return 0;
  }
  FoundPair* pair = (FoundPair*)(void*)(room->block + at);
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

void found_write(const FoundList* list, const mjModel* m, mjContact* con) {
  for (const FoundPair* pair = list->first; pair; pair = pair->next) {
    mjContact* to = con + pair->place;
    for (int i = 0; i < pair->num; i++) {
      const mjtNum* from = pair->contact[i];
      to[i].dist = from[0];
      v3_copy(to[i].pos, from + 1);
      memcpy(to[i].frame, from + 4, 6 * sizeof(mjtNum));
    }
    contact_fill(m, to, pair->num, pair->geom[0], pair->geom[1], pair->ipair, pair->margin);
  }
}
