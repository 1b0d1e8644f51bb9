// MuJoCo's search for contacts, without the contacts: bodies whose boxes of bounding spheres
// overlap along the principal axes of all centres, then descents of their trees of boxes against
// each other.

#include "collision/marks.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/joint.h"
#include "collision/broad/body_pairs.h"
#include "collision/broad/candidates.h"
#include "collision/broad/near_geoms.h"
#include "collision/broad/node.h"
#include "collision/broad/overlaps.h"
#include "collision/contact_param.h"
#include "collision/flex/flex.h"
#include "model/data/arena.h"
#include "model/meeting.h"
#include "model/reach.h"

// Objects are bodies and, after them, flexes. A tree of boxes lies in the frame of its object.
typedef struct Tree {
  int id, first, num;  // body or flex; nodes
  const mjtNum *pos, *mat, *box;
} Tree;

static const mjtNum origin[3] = {0, 0, 0}, world[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static Tree tree_of(const mjModel* m, const mjData* d, int object) {
  if (object < m->nbody) {
    int first = m->body_bvhadr[object];
    return (Tree){.id = object,
                  .first = first,
                  .num = m->body_bvhnum[object],
                  .pos = d->xipos + 3 * object,
                  .mat = d->ximat + 9 * object,
                  .box = m->bvh_aabb + 6 * (size_t)(first < 0 ? 0 : first)};
  }
  int flex = object - m->nbody, first = m->flex_bvhadr[flex];
  return (Tree){.id = flex,
                .first = first,
                .num = m->flex_bvhnum[flex],
                .pos = origin,
                .mat = world,
                .box = first < 0 ? NULL : d->bvh_aabb_dyn + 6 * (size_t)(first - m->nbvhstatic)};
}

// descents

// Whether two leaves (geom or flex element each) are marked as opened.
typedef int Meets(const mjModel* m, const mjData* d, const Tree* a, int leaf1, const Tree* b,
                  int leaf2);

static int geoms_meet(const mjModel* m, const mjData* d, const Tree* a, int g1, const Tree* b,
                      int g2) {
  (void)a;
  (void)b;
  mjtNum margin = contact_margin(m, g1, g2, -1);
  return !bounding_spheres_apart(m, d, g1, g2, margin) &&
         !oriented_geoms_apart(m, d, g1, g2, margin);
}

// Whether a geom and an element meet. A plane counts where its origin is; its contacts are found
// otherwise.
static int geom_meets_element(const mjModel* m, const mjData* d, const Tree* a, int geom,
                              const Tree* b, int element) {
  (void)a;
  int flex = b->id;
  if (!flex_bits(m->geom_contype[geom], m->geom_conaffinity[geom], m->flex_contype[flex],
                 m->flex_conaffinity[flex])) {
    return 0;
  }
  mjtNum margin = flex_geom_margin(m, flex, geom);
  const mjtNum* x = d->geom_xpos + 3 * geom;
  mjtNum r = m->geom_rbound[geom], around[6] = {x[0], x[1], x[2], r, r, r};
  OrientedBox box = oriented_geom(m, d, geom);
  OrientedBox other = {origin, world,
                       d->flexelem_aabb + 6 * (size_t)(m->flex_elemadr[flex] + element)};
  return !flex_boxes_apart(around, other.box, margin) &&
         !oriented_boxes_apart(&box, &other, margin);
}

static int elements_meet(const mjModel* m, const mjData* d, const Tree* a, int e1, const Tree* b,
                         int e2) {
  (void)m, (void)d, (void)a, (void)e1, (void)b, (void)e2;
  return 1;
}

// Marks the nodes that are opened. A tree may be descended against itself: of the two orders of
// a pair one counts.
static void descend(const mjModel* m, mjData* d, const Tree* a, const Tree* b, mjtNum margin,
                    Meets* meets) {
  if (a->first < 0 || b->first < 0) {
    return;
  }
  size_t top = arena_top(d), room = 2 * ((size_t)a->num + (size_t)b->num) + 4;
  uint64_t* todo = arena_push(d, room * sizeof(uint64_t), _Alignof(uint64_t));
  int num = 0;
  if (todo) {
    todo[num++] = pair_key(0, 0);
  }
  while (num) {
    uint64_t key = todo[--num];
    int n1 = pair_first(key), n2 = pair_second(key), i1 = a->first + n1, i2 = b->first + n2;
    if (a->first == b->first && n1 > n2) {
      continue;
    }
    int leaf1 = m->bvh_nodeid[i1], leaf2 = m->bvh_nodeid[i2];
    OrientedBox box1 = {a->pos, a->mat, a->box + 6 * n1}, box2 = {b->pos, b->mat, b->box + 6 * n2};
    int both = leaf1 >= 0 && leaf2 >= 0;
    if (both ? !meets(m, d, a, leaf1, b, leaf2) : oriented_boxes_apart(&box1, &box2, margin)) {
      continue;
    }
    d->bvh_active[i1] = d->bvh_active[i2] = 1;
    int open1 = opens_first(box1.box, leaf1, box2.box, leaf2);
    for (int i = 0; i < 2 && !both; i++) {
      todo[num++] =
          open1 ? pair_key(m->bvh_child[2 * i1 + i], n2) : pair_key(n1, m->bvh_child[2 * i2 + i]);
    }
  }
  arena_pop(d, top);
}

// which objects

typedef struct Bits {
  int contype, conaffinity;
} Bits;

static Bits bits_of(const mjModel* m, int object) {
  int flex = object - m->nbody;
  return flex < 0 ? (Bits){m->body_contype[object], m->body_conaffinity[object]}
                  : (Bits){m->flex_contype[flex], m->flex_conaffinity[flex]};
}

static mjtNum reach_of(const mjModel* m, int object) {
  int flex = object - m->nbody;
  return flex < 0 ? body_reach(m, object) : reach_given(m, m->flex_margin[flex], m->flex_gap[flex]);
}

static void mark_pair(const mjModel* m, mjData* d, int object1, int object2) {
  int first = object1 < object2 ? object1 : object2, second = object1 + object2 - first;
  Bits one = bits_of(m, first), other = bits_of(m, second);
  if (!flex_bits(one.contype, one.conaffinity, other.contype, other.conaffinity) ||
      bodies_excluded(m, first, second) ||
      (second < m->nbody && m->body_geomnum[first] == 1 && m->body_geomnum[second] == 1)) {
    return;
  }
  Tree a = tree_of(m, d, first), b = tree_of(m, d, second);
  mjtNum margin = reaches_together(m, reach_of(m, first), reach_of(m, second));
  descend(m, d, &a, &b, margin,
          second < m->nbody  ? geoms_meet
          : first < m->nbody ? geom_meets_element
                             : elements_meet);
}

// The next position that counts for the principal axes: of a geom or flex vertex that isn't fixed
// to the world body.
static int next_center(const mjModel* m, const mjData* d, int i, const mjtNum** x) {
  for (; i < m->ngeom + m->nflexvert; i++) {
    int vert = i - m->ngeom;
    if (vert < 0 ? m->geom_bodyid[i] : m->flex_vertbodyid[vert]) {
      *x = vert < 0 ? d->geom_xpos + 3 * i : d->flexvert_xpos + 3 * vert;
      return i + 1;
    }
  }
  return 0;
}

// Eigenvectors of the covariance of all centres; 0 if there are none.
static int principal_axes(mjtNum axes[9], const mjModel* m, const mjData* d) {
  mjtNum mean[3] = {0}, spread[9] = {0}, value[3], quat[4];
  const mjtNum* x;
  int num = 0;
  for (int i = 0; (i = next_center(m, d, i, &x)) > 0; num++) {
    v3_add(mean, mean, x);
  }
  if (!num) {
    return 0;
  }
  v3_scl(mean, mean, 1 / (mjtNum)num);
  for (int i = 0; (i = next_center(m, d, i, &x)) > 0;) {
    mjtNum from[3];
    v3_sub(from, x, mean);
    for (int k = 0; k < 9; k++) {
      spread[k] += from[k / 3] * from[k % 3] / (mjtNum)num;
    }
  }
  mju_eig3(value, axes, quat, spread);
  return 1;
}

static void include_sphere(GeomBox* box, const mjtNum axes[9], const mjtNum center[3], mjtNum r) {
  mjtNum x[3];
  m3_mulv(x, axes, center);
  GeomBox one = {{0}, {0}};
  for (int k = 0; k < 3; k++) {
    one.lo[k] = (float)(x[k] - r);
    one.hi[k] = (float)(x[k] + r);
  }
  box_include(box, &one);
}

// The box around the spheres of a body's geoms, or of a flex's vertices.
static GeomBox object_box(const mjModel* m, const mjData* d, int object, const mjtNum axes[9]) {
  GeomBox box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  int override = m->opt.enableflags & mjENBL_OVERRIDE, flex = object - m->nbody;
  mjtNum common = m->opt.o_margin / 2;
  if (flex < 0) {
    int begin = m->body_geomadr[object], end = begin + m->body_geomnum[object];
    for (int g = begin; g < end; g++) {
      mjtNum margin = override ? common : geom_reach(m, g);
      include_sphere(&box, axes, d->geom_xpos + 3 * g, m->geom_rbound[g] + margin);
    }
    return box;
  }
  mjtNum r = flex_girth(m, flex) +
             (override ? common : reach_given(m, m->flex_margin[flex], m->flex_gap[flex]));
  int begin = m->flex_vertadr[flex], end = begin + m->flex_vertnum[flex];
  for (int v = begin; v < end; v++) {
    include_sphere(&box, axes, d->flexvert_xpos + 3 * (size_t)v, r);
  }
  return box;
}

static int collides(const mjModel* m, int object) {
  Bits bits = bits_of(m, object);
  return (bits.contype || bits.conaffinity) && (object >= m->nbody || m->body_geomnum[object]);
}

// A body without bounds meets every moving one and every flex.
static void mark_unbounded(const mjModel* m, mjData* d, int body) {
  for (int k = 1; k < m->nbody + m->nflex; k++) {
    if (collides(m, k) && (k >= m->nbody || body_moves(m, k))) {
      mark_pair(m, d, body, k);
    }
  }
}

static void mark_bounded(const mjModel* m, mjData* d) {
  int *id = arena_int(d, (size_t)m->nbody + (size_t)m->nflex), num = 0;
  GeomBox* box = arena_push(d, (size_t)(m->nbody + m->nflex) * sizeof(GeomBox), _Alignof(GeomBox));
  mjtNum axes[9];
  if (!box || !principal_axes(axes, m, d)) {
    return;
  }
  for (int i = 1; i < m->nbody + m->nflex; i++) {
    if (collides(m, i)) {
      box[num] = object_box(m, d, i, axes);
      id[num++] = i;
    }
  }
  PairList near = {.d = d};
  box_overlaps(&near, d, box, num);
  for (int64_t k = 0; k < near.num; k++) {
    int i = id[pair_first(near.key[k])], j = id[pair_second(near.key[k])];
    if (i >= m->nbody || j >= m->nbody || bodies_may_meet(m, i, j, NULL)) {
      mark_pair(m, d, i, j);
    }
  }
}

void collision_mark(const mjModel* m, mjData* d) {
  memset(d->bvh_active, 0, (size_t)m->nbvh);
  if (m->opt.disableflags & (mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_MIDPHASE)) {
    return;
  }
  mj_markStack(d);
  for (int b = 0; b < m->nbody; b++) {
    if (collides(m, b) && body_is_unbounded(m, b)) {
      mark_unbounded(m, d, b);
    }
  }
  mark_bounded(m, d);
  for (int f = 0; f < m->nflex; f++) {
    if (flex_descends_itself(m, f)) {
      Tree tree = tree_of(m, d, m->nbody + f);
      descend(m, d, &tree, &tree, flex_margin(m, f, f), elements_meet);
    }
  }
  mj_freeStack(d);
}
