// Distance of two geoms, whether or not they may collide.  theory/contact/rays.md, Distance queries

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include <mujoco/api/collision.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "collision/collide.h"
#include "collision/convex/collider.h"
#include "model/behaviour.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"

// Distance by GJK and EPA, for general convex pairs and for boxes, whose own collider finds only
// boxes that touch.
static mjtNum iterative_distance(mjtNum fromto[6], const mjModel* m, const mjData* d, int g1,
                                 int g2, mjtNum distmax) {
  Gjk g;
  ConvexShape a, b;
  if (!convex_shape(&a, m, d, g1, 0) || !convex_shape(&b, m, d, g2, 0)) {
    return distmax;
  }
  mjtNum dist = convex_distance(&g, m, d, &a, &b, NULL, distmax);
  if (dist <= distmax && g.num) {
    v3_copy(fromto, g.x1);
    v3_copy(fromto + 3, g.x2);
  }
  return num_min(dist, distmax);
}

// Distance by the collider of the pair, with distmax as margin. The array of contacts is too large
// for the stack of a small thread, so it lies on the stack of d.
static mjtNum contact_distance(mjtNum fromto[6], const mjModel* m, mjData* d, mjfCollision collide,
                               int g1, int g2, mjtNum distmax) {
  size_t top = arena_top(d);
  mjContact* con = arena_push(d, mjMAXCONPAIR * sizeof(mjContact), _Alignof(mjContact));
  if (!con) {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
    return distmax;
  }
  int num = collide(m, d, con, g1, g2, distmax), best = -1;
  mjtNum dist = distmax;
  for (int i = 0; i < num; i++) {
    if (con[i].dist < dist) {
      dist = con[i].dist;
      best = i;
    }
  }
  if (best >= 0) {
    v3_addscl(fromto, con[best].pos, con[best].frame, -dist / 2);
    v3_addscl(fromto + 3, con[best].pos, con[best].frame, dist / 2);
  }
  arena_pop(d, top);
  return dist;
}

static void swap_ends(mjtNum fromto[6]) {
  mjtNum from[3];
  v3_copy(from, fromto);
  v3_copy(fromto, fromto + 3);
  v3_copy(fromto + 3, from);
}

static mjfCollision collider_of(const mjModel* m, int g1, int g2) {
  return mjCOLLISIONFUNC[m->geom_type[g1]][m->geom_type[g2]];
}

static int is_iterative(const mjModel* m, mjfCollision collide) {
  return !(m->opt.disableflags & mjDSBL_NATIVECCD) &&
         (collide == collide_convex || collide == collide_box_box);
}

int distance_is_turned(const mjModel* m, int geom1, int geom2) {
  return !behaves(m, cndBEHAVIOUR_gjkepa) && m->geom_type[geom1] > m->geom_type[geom2] &&
         is_iterative(m, collider_of(m, geom2, geom1));
}

mjtNum mj_geomDistance(const mjModel* m, const mjData* d, int geom1, int geom2, mjtNum distmax,
                       mjtNum fromto[6]) {
  check_pair(m, d);
  check_index(__func__, "geom", geom1, m->ngeom);
  check_index(__func__, "geom", geom2, m->ngeom);
  collide_take_changes();
  int swap = m->geom_type[geom1] > m->geom_type[geom2];
  int g1 = swap ? geom2 : geom1, g2 = swap ? geom1 : geom2;
  ColliderTable room;
  mjfCollision collide = colliders_of(room, m)[m->geom_type[g1]][m->geom_type[g2]];
  mjtNum segment[6] = {0}, dist = distmax;
  if (collide) {
    if (is_iterative(m, collider_of(m, g1, g2))) {
      dist = iterative_distance(segment, m, d, g1, g2, distmax);
    } else {
      dist = contact_distance(segment, m, (mjData*)d, collide, g1, g2, distmax);
    }
    if (swap && !distance_is_turned(m, geom1, geom2)) {
      swap_ends(segment);
    }
  }
  if (fromto) {
    sp_copy(fromto, segment);
  }
  return dist;
}
