// Bounding spheres of all pairs in vector lanes. They are inflated by margins and rounding, and the
// driver tests each pair that is left exactly.

#include "collision/broad/few_geoms.h"

#include <math.h>

#include "base/simd.h"
#include "base/vec.h"
#include "collision/broad/geom_box.h"
#include "model/meeting.h"

// An upper bound on rounding errors of distances, relative to distances and sizes.
#define SLACK ((mjtNum)1e-6)

typedef uint64_t Bits __attribute__((vector_size(4 * sizeof(uint64_t))));

// Centres and radii of all geoms, margins included; a geom without bounds has an infinite radius.
typedef struct Spheres {
  mjtNum x[3][MEETING_MOST], radius[MEETING_MOST], margin[MEETING_MOST];
} Spheres;

INLINE void spheres_make(Spheres* s, const mjModel* m, const mjData* d) {
  int n = m->ngeom, override = m->opt.enableflags & mjENBL_OVERRIDE;
  for (int i = 0; i < n; i++) {
    const mjtNum* pos = d->geom_xpos + 3 * i;
    mjtNum r = m->geom_rbound[i];
    s->x[0][i] = pos[0];
    s->x[1][i] = pos[1];
    s->x[2][i] = pos[2];
    s->margin[i] = num_max(0, override ? m->opt.o_margin : m->geom_margin[i]);
    s->radius[i] = r > 0 ? r + s->margin[i] : INFINITY;
  }
  // lanes behind the last geom are computed, but no set has them
  for (int i = n; i < (n + 3) / 4 * 4; i++) {
    s->x[0][i] = s->x[1][i] = s->x[2][i] = s->radius[i] = 0;
  }
}

// Clears from a set the geoms whose spheres are above a plane (n . x > n . p + reach) or away from
// a sphere. near is 0 in lanes that are dropped.
INLINE mjtSize near_geoms(const Spheres* s, const mjData* d, int geom, int is_plane, mjtSize set) {
  mjtNum p[3] = {s->x[0][geom], s->x[1][geom], s->x[2][geom]}, n[3];
  const mjtNum* mat = d->geom_xmat + 9 * geom;
  v3_set(n, mat[2], mat[5], mat[8]);
  mjtNum reach = is_plane ? s->margin[geom] : s->radius[geom];
  int begin = __builtin_ctzll(set) & ~3, end = 63 - __builtin_clzll(set);
  Bits near = {0}, bit = {1, 2, 4, 8};
  for (int j = begin; j <= end; j += 4) {
    Simd4 dx = SIMD_READ(Simd4, s->x[0] + j) - p[0], dy = SIMD_READ(Simd4, s->x[1] + j) - p[1];
    Simd4 dz = SIMD_READ(Simd4, s->x[2] + j) - p[2], square = dx * dx + dy * dy + dz * dz;
    Simd4 left = square, right = SIMD_READ(Simd4, s->radius + j) + reach;
    if (is_plane) {
      left = n[0] * dx + n[1] * dy + n[2] * dz;
    } else {
      right *= right;
    }
    near |= ~__builtin_convertvector(left > right + SLACK * (square + 2), Bits) & (bit << j);
  }
  return set & (mjtSize)(near[0] | near[1] | near[2] | near[3]);
}

KERNEL static void near_sets(mjtSize near[MEETING_MOST], const mjModel* m, const mjData* d) {
  Spheres s;
  spheres_make(&s, m, d);
  for (int i = 0; i < m->ngeom; i++) {
    near[i] = m->cnd_geom_meet[i];
    if (near[i]) {
      int is_plane = m->geom_type[i] == mjGEOM_PLANE && !(m->geom_rbound[i] > 0);
      near[i] = is_plane ? near_geoms(&s, d, i, 1, near[i]) : near_geoms(&s, d, i, 0, near[i]);
    }
  }
}

// Boxes of single geoms, made when they are needed.
typedef struct Boxes {
  mjtSize made;
  GeomBox box[MEETING_MOST];
} Boxes;

static const GeomBox* box_of(Boxes* boxes, const mjModel* m, const mjData* d, int geom) {
  if (!(boxes->made >> geom & 1)) {
    boxes->made |= (mjtSize)1 << geom;
    geom_box(boxes->box + geom, m, d, geom);
  }
  return boxes->box + geom;
}

// Whether the collider of a pair costs no more than two boxes.
static int is_cheap(int type1, int type2) {
  return (type1 <= mjGEOM_CAPSULE && type2 <= mjGEOM_CAPSULE) || type1 == mjGEOM_PLANE ||
         type2 == mjGEOM_PLANE;
}

// The order in which a pair collides: see collide_bodies in driver.c.
static uint64_t key_of(const mjModel* m, int g1, int g2) {
  int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2], first = g1, second = g2;
  if (b1 > b2) {
    int body = b1;
    b1 = b2;
    b2 = body;
    first = g2;
    second = g1;
  }
  int several = m->body_geomnum[b1] > 1 || m->body_geomnum[b2] > 1;
  int mid = several && m->body_bvhadr[b1] >= 0 && m->body_bvhadr[b2] >= 0 &&
            !(m->opt.disableflags & mjDSBL_MIDPHASE);
  if (mid && m->geom_type[first] > m->geom_type[second]) {
    int geom = first;
    first = second;
    second = geom;
  }
  return (uint64_t)b1 << 48 | (uint64_t)b2 << 32 | (uint64_t)first << 16 | (uint64_t)second;
}

void few_geoms_near(PairList* out, const mjModel* m, mjData* d) {
  mjtSize near[MEETING_MOST];
  Boxes boxes;  // too large to be cleared each time
  boxes.made = 0;
  near_sets(near, m, d);
  for (int i = 0; i < m->ngeom; i++) {
    for (mjtSize left = near[i]; left; left &= left - 1) {
      int j = __builtin_ctzll(left);
      if (is_cheap(m->geom_type[i], m->geom_type[j]) ||
          !box_apart(box_of(&boxes, m, d, i), box_of(&boxes, m, d, j))) {
        pair_list_put(out, key_of(m, i, j));
      }
    }
  }
  pair_sort(out->key, out->spare, out->num);
}
