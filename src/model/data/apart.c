// apart.c: the table of directions and polytopes. It is one block of memory, at first with all
// slots empty.

#include "model/data/apart.h"

#include <mujoco/api/base.h>
#include <string.h>

#include "base/memory/memory.h"

enum {
  MOST_SLOTS = 4096,  // 128 kB; a step reads only the slots of pairs that are near each other
  MOST_TOUCHES = 256  // 96 kB
};

_Static_assert(MEMORY_ALIGN % sizeof(Apart) == 0,
               "no slot crosses a line of the processor's cache");

// The number of slots for the pairs of n geoms, a power of two.
static size_t number_of_slots(size_t n, size_t most) {
  size_t slots = 1;
  while (slots < n * (n - 1) / 2 && slots < most) {
    slots *= 2;
  }
  return slots;
}

// Whether two meshes may meet, or a mesh and a box.
static int has_hulls(const mjModel* m) {
  int meshes = 0, boxes = 0;
  for (int i = 0; i < m->ngeom; i++) {
    meshes += m->geom_type[i] == mjGEOM_MESH;
    boxes += m->geom_type[i] == mjGEOM_BOX;
  }
  return meshes > 1 || (meshes && boxes);
}

// Does any geom have a type that meets most other types only in the general convex collider?
static int has_general(const mjModel* m) {
  for (int i = 0; m->buffer && m->ngeom > 1 && i < m->ngeom; i++) {
    int type = m->geom_type[i];
    if (type == mjGEOM_ELLIPSOID || type == mjGEOM_CYLINDER || type == mjGEOM_MESH) {
      return 1;
    }
  }
  return 0;
}

void apart_make(const mjModel* m, mjData* d) {
  if (!has_general(m)) {
    return;
  }
  size_t slots = number_of_slots((size_t)m->ngeom, MOST_SLOTS);
  size_t touches = has_hulls(m) ? number_of_slots((size_t)m->ngeom, MOST_TOUCHES) : 0;
  ApartTable* table = memory_take_zero(sizeof(ApartTable) + MEMORY_ALIGN + slots * sizeof(Apart) +
                                       touches * sizeof(Touch));
  if (table) {
    uintptr_t first = (uintptr_t)(table + 1) + MEMORY_ALIGN - 1;
    table->mask = slots - 1;
    table->slot = (Apart*)(first / MEMORY_ALIGN * MEMORY_ALIGN);
    table->touch_mask = touches - 1;
    table->touch = touches ? (Touch*)(void*)(table->slot + slots) : NULL;
    d->cnd_apart = (uintptr_t)table;
  }
}

void apart_free(mjData* d) {
  mju_free((void*)d->cnd_apart);
  d->cnd_apart = 0;
}

void apart_clear(mjData* d) {
  const ApartTable* table = (const ApartTable*)d->cnd_apart;
  if (table) {
    memset(table->slot, 0, (table->mask + 1) * sizeof(Apart));
    if (table->touch) {
      memset(table->touch, 0, (table->touch_mask + 1) * sizeof(Touch));
    }
  }
}
