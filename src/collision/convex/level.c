// Poses are compared as they are; vertices, boxes and options by a hash.

#include "collision/convex/level.h"

#include <string.h>

#include "base/algebra/simd.h"

enum {
  MOST_LEVEL_VERTS = 1024  // of a mesh; to read more takes about as long as a search
};

// Stands for a hash where meshes, boxes and options don't change between steps.
static const uint64_t UNCHANGED = 1;

typedef uint32_t Words __attribute__((vector_size(32), aligned(4), may_alias));

// Continues a hash by some bytes, eight words at a time: each lane is a polynomial modulo 2^32.
INLINE void stamp_bytes(Words* hash, const void* data, size_t bytes) {
  const char* p = data;
  for (; bytes >= sizeof(Words); p += sizeof(Words), bytes -= sizeof(Words)) {
    *hash = *hash * 0x9e3779b1U + *(const Words*)(const void*)p;
  }
  Words rest = {0};
  memcpy(&rest, p, bytes);
  *hash = *hash * 0x9e3779b1U + rest;
}

// Of all but the poses that the search for two meshes depends on; 0 if they are too large.
KERNEL static uint64_t hash_of(const mjModel* m, const int geom[2]) {
  Words hash = {1, 2, 3, 4, 5, 6, 7, 8};
  stamp_bytes(&hash, &m->opt, sizeof(m->opt));
  for (int i = 0; i < 2; i++) {
    const int mesh = m->geom_dataid[geom[i]], num = mesh >= 0 ? m->mesh_vertnum[mesh] : 0;
    if (num > MOST_LEVEL_VERTS) {
      return 0;
    }
    const float* vert = num ? m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh] : NULL;
    if (num) {
      stamp_bytes(&hash, vert, 3 * (size_t)num * sizeof(float));
    }
    stamp_bytes(&hash, m->geom_aabb + 6 * (size_t)geom[i], 6 * sizeof(mjtNum));
    stamp_bytes(&hash, m->geom_size + 3 * (size_t)geom[i], 3 * sizeof(mjtNum));
  }
  uint64_t all = 1, part[4];
  memcpy(part, &hash, sizeof(part));
  for (int i = 0; i < 4; i++) {
    all = (all ^ part[i]) * 0x9e3779b97f4a7c15U;
    all ^= all >> 32;
  }
  return all | 1;
}

static void read_poses(mjtNum pose[24], const mjData* d, const int geom[2]) {
  for (int i = 0; i < 2; i++) {
    memcpy(pose + 12 * i, d->geom_xpos + 3 * (size_t)geom[i], 3 * sizeof(mjtNum));
    memcpy(pose + 12 * i + 3, d->geom_xmat + 9 * (size_t)geom[i], 9 * sizeof(mjtNum));
  }
}

void level_keep(Touch* slot, const mjData* d, const ConvexShape* a, const ConvexShape* b,
                const int geom[2]) {
  slot->poses.rest = 0;
  if (a->margin == 0 && b->margin == 0) {
    read_poses(slot->poses.pose, d, geom);
    slot->poses.rest = slot->hold ? UNCHANGED : hash_of(a->model, geom);
  }
}

int level_is_kept(const Touch* slot, const mjModel* m, const mjData* d, const int geom[2]) {
  if (!slot || !slot->is_level || !slot->poses.rest || !touch_is_of(slot, geom)) {
    return 0;
  }
  const mjtNum* pose = slot->poses.pose;
  for (int i = 0; i < 2; i++) {
    if (memcmp(pose + 12 * i, d->geom_xpos + 3 * (size_t)geom[i], 3 * sizeof(mjtNum)) != 0 ||
        memcmp(pose + 12 * i + 3, d->geom_xmat + 9 * (size_t)geom[i], 9 * sizeof(mjtNum)) != 0) {
      return 0;
    }
  }
  return (slot->hold ? UNCHANGED : hash_of(m, geom)) == slot->poses.rest;
}
