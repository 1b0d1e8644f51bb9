// Tests of bounding spheres and capsules for all pairs, four at a time. The bounds include margins
// and rounding, so no contact is lost; the driver then tests each remaining pair exactly.

#include "collision/broad/few_geoms.h"

#include <math.h>

#include "base/algebra/matrix_simd.h"
#include "base/algebra/vec.h"
#include "collision/broad/geom_box.h"
#include "model/data/awake.h"
#include "model/meeting.h"
#include "model/reach.h"

// An upper bound on rounding errors of distances, relative to distances and sizes.
#define SLACK ((mjtNum)1e-6)

typedef uint64_t Bits __attribute__((vector_size(4 * sizeof(uint64_t))));

// The bounds of each geom: all points within `radius`, margins included,
// of the segment centre +- arm. The segment is a point except for capsules and cylinders. A geom
// without bounds has an infinite radius.
typedef struct Bounds {
  mjtNum x[3][MEETING_MOST], arm[3][MEETING_MOST], radius[MEETING_MOST], margin[MEETING_MOST];
} Bounds;

INLINE void bounds_make(Bounds* s, const mjModel* m, const mjData* d) {
  int n = m->ngeom;
  for (int i = 0; i < n; i++) {
    const mjtNum *pos = d->geom_xpos + 3 * i, *mat = d->geom_xmat + 9 * i;
    const mjtNum* size = m->geom_size + 3 * i;
    int type = m->geom_type[i], is_long = type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER;
    mjtNum r = is_long ? size[0] : m->geom_rbound[i], half = is_long ? size[1] : 0;
    s->margin[i] = num_max(0, geom_reach(m, i));
    s->radius[i] = r > 0 ? r + s->margin[i] : INFINITY;
    for (int k = 0; k < 3; k++) {
      s->x[k][i] = pos[k];
      s->arm[k][i] = half * mat[3 * k + 2];
    }
  }
  // lanes behind the last geom are computed too, but no bit set contains them
  for (int i = n; i < (n + 3) / 4 * 4; i++) {
    for (int k = 0; k < 3; k++) {
      s->x[k][i] = s->arm[k][i] = 0;
    }
    s->radius[i] = 0;
  }
}

// Clears from a set the geoms that are apart from one along the line of centres g,
//
//   |g|^2 > |arm . g| + |arm_i . g| + (radius + radius_i) |g|
//
// or above a plane: n . g > |n . arm_i| + margin + radius_i.
// Also geoms_near in lanes/rows/near.h.
INLINE mjtSize near_geoms(const Bounds* s, const mjData* d, int geom, int is_plane, mjtSize set) {
  const mjtNum* mat = d->geom_xmat + 9 * geom;
  mjtNum p[3], v[3], reach = is_plane ? s->margin[geom] : s->radius[geom];
  for (int k = 0; k < 3; k++) {
    p[k] = s->x[k][geom];
    v[k] = is_plane ? mat[3 * k + 2] : s->arm[k][geom];
  }
  int begin = __builtin_ctzll(set) & ~3, end = 63 - __builtin_clzll(set);
  Bits near = {0}, bit = {1, 2, 4, 8};
  const Simd4 zero = {0};
  for (int j = begin; j <= end; j += 4) {
    Simd4 x = SIMD_READ(Simd4, s->x[0] + j) - p[0], y = SIMD_READ(Simd4, s->x[1] + j) - p[1];
    Simd4 z = SIMD_READ(Simd4, s->x[2] + j) - p[2], square = x * x + y * y + z * z;
    Simd4 ax = SIMD_READ(Simd4, s->arm[0] + j), ay = SIMD_READ(Simd4, s->arm[1] + j);
    Simd4 az = SIMD_READ(Simd4, s->arm[2] + j), along = v[0] * x + v[1] * y + v[2] * z;
    Simd4 arm = ax * x + ay * y + az * z, sum = SIMD_READ(Simd4, s->radius + j) + reach;
    if (is_plane) {
      arm = v[0] * ax + v[1] * ay + v[2] * az;
    } else {
      simd4_abs(&along, &along);
      along = square - along;
    }
    simd4_abs(&arm, &arm);
    // the gap that has to exceed the radii, scaled by |g| unless it is the height above a plane
    Simd4 gap = along - arm - SLACK * (square + 2), most = gap, least = sum;
    if (!is_plane) {
      most *= gap;
      least *= sum * square;
    }
    near |= ~__builtin_convertvector((gap > zero) & (most > least), Bits) & (bit << j);
  }
  return set & (mjtSize)(near[0] | near[1] | near[2] | near[3]);
}

KERNEL static void near_sets(mjtSize near[MEETING_MOST], const mjModel* m, const mjData* d) {
  Bounds s;
  bounds_make(&s, m, d);
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

uint64_t few_key(const mjModel* m, int g1, int g2) {
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

// The set of geoms of bodies that are awake; all if nothing sleeps.
static mjtSize awake_geoms(const mjModel* m, const mjData* d) {
  mjtSize set = 0;
  if (!awake_some_sleep(m, d)) {
    return ~set;
  }
  for (int i = 0; i < m->ngeom; i++) {
    set |= (mjtSize)(d->body_awake[m->geom_bodyid[i]] == mjS_AWAKE) << i;
  }
  return set;
}

void few_geoms_near(PairList* out, const mjModel* m, mjData* d) {
  mjtSize near[MEETING_MOST], awake = awake_geoms(m, d);
  Boxes boxes;  // too large to be cleared each time
  boxes.made = 0;
  near_sets(near, m, d);
  for (int i = 0; i < m->ngeom; i++) {
    mjtSize left = awake >> i & 1 ? near[i] : near[i] & awake;
    for (; left; left &= left - 1) {
      int j = __builtin_ctzll(left);
      if (is_cheap(m->geom_type[i], m->geom_type[j]) ||
          !box_apart(box_of(&boxes, m, d, i), box_of(&boxes, m, d, j))) {
        pair_list_put(out, few_key(m, i, j));
      }
    }
  }
  pair_sort(out->key, out->spare, out->num);
}
