// The general collider of later releases (behaviour multiccd): the shapes are compared without
// their margin, and flat parts that touch have several contacts.
//                                                                 theory/contact/convex.md, Patches

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include <mujoco/api/base.h>

#include "collision/broad/geom_box.h"
#include "collision/collide.h"
#include "collision/complete.h"
#include "collision/convex/collider.h"
#include "collision/convex/patch.h"
#include "collision/convex/separation.h"
#include "collision/unsupported.h"
#include "model/behaviour.h"

int convex_most_several(const mjModel* m, int type1, int type2) {
  const ConvexKind *a = convex_kind(type1), *b = convex_kind(type2);
  if (!a || !b) {
    return 0;
  }
  int line = a == &convex_capsule || b == &convex_capsule;
  return faces_are_complete(m) && has_patch(a, b) ? line ? 2 : 4 : 1;
}

// What the shapes are searched with all round, half of it each: the margin by the behaviour gjkepa,
// else nothing.
static mjtNum margin_around(const mjModel* m, mjtNum margin) {
  return behaves(m, cndBEHAVIOUR_gjkepa) ? num_max(0, margin) : 0;
}

// Half-way between the nearest or deepest points of shapes that are inflated by `around`.
static void single_contact(mjContact* con, const Gjk* g, mjtNum dist, mjtNum around) {
  mjtNum n[3], pos[3];
  v3_sub(n, g->x2, g->x1);
  v3_scl(n, n, dist < 0 ? -1 : 1);
  v3_normalize(n);
  v3_add(pos, g->x1, g->x2);
  v3_scl(pos, pos, (mjtNum)0.5);
  contact_set(con, around + dist, pos, n);
}

// Whether there is a contact within margin. A distance of 0 without different points has no normal;
// by the later rules shapes that just touch have none.
static int is_contact(const Gjk* g, mjtNum dist, mjtNum margin) {
  if (g->later) {
    return dist < margin;
  }
  return dist <= margin && !(dist == 0 && v3_dist(g->x1, g->x2) == 0);
}

int collide_bare(mjContact* con, const mjModel* m, const mjData* d, ConvexShape* a, ConvexShape* b,
                 mjtNum margin) {
  const mjtNum around = margin_around(m, margin), reach = num_max(0, margin) - around;
  a->margin = b->margin = around;
  Gjk g;
  mjtNum dist = convex_distance(&g, m, d, a, b, NULL, reach);
  a->margin = b->margin = 0;
  if (!is_contact(&g, dist, margin - around)) {
    return 0;
  }
  single_contact(con, &g, dist, around);
  return 1;
}

// The order of the contacts of a patch follows from that of the corners of the last simplex.
static int find_patch(mjContact* con, Gjk* g, const mjModel* m, mjData* d, ConvexShape* a,
                      ConvexShape* b, mjtNum dist, mjtNum margin) {
  int num = convex_patch(con, g, d, a, b, dist, margin);
  if (num && g->is_of_hull) {
    Gjk again = *g;
    mjtNum repeated = convex_distance_ordered(&again, m, d, a, b, num_max(0, margin) - a->margin);
    num =
        repeated <= margin - a->margin ? convex_patch(con, &again, d, a, b, repeated, margin) : num;
  }
  return num;
}

static int contacts_at(mjContact* con, Gjk* g, const mjModel* m, const mjData* d, ConvexShape* a,
                       ConvexShape* b, mjtNum dist, mjtNum margin) {
  int several = faces_are_complete(m) && has_patch(a->kind, b->kind);
  int num = several ? find_patch(con, g, m, (mjData*)d, a, b, dist, margin) : 0;
  if (num == 0) {
    single_contact(con, g, dist, a->margin);
    num = 1;
  }
  return num;
}

// The contacts of geoms that overlapped in an earlier step, if the polytope that is kept tells
// them; -1 if not.
static int collide_again(const mjModel* m, const mjData* d, mjContact* con, const int geom[2],
                         Touch* touch) {
  ConvexShape a, b;
  Gjk g;
  mjtNum dist;
  if (!has_polytope(touch, geom) || !convex_shape(&a, m, d, geom[0], 0) ||
      !convex_shape(&b, m, d, geom[1], 0) ||
      !convex_distance_again(&dist, &g, m, d, &a, &b, touch, geom)) {
    return -1;
  }
  return dist < 0 ? contacts_at(con, &g, m, d, &a, &b, dist, 0) : 0;
}

static int collide_geoms(const mjModel* m, const mjData* d, mjContact* con, const int geom[2],
                         mjtNum margin, Apart* slot, Touch* touch) {
  const int g1 = geom[0], g2 = geom[1];
  if (margin == 0) {
    int num = collide_again(m, d, con, geom, touch);
    if (num >= 0) {
      return num;
    }
  }
  if (slot && is_still_apart(slot, m, d, g1, g2, margin)) {
    return 0;
  }
  mjtNum axis[3];
  if (geom_boxes_apart(axis, m, d, g1, g2, margin)) {
    return 0;
  }
  ConvexShape a, b;
  const mjtNum around = margin_around(m, margin), reach = num_max(0, margin) - around;
  if (!convex_shape(&a, m, d, g1, around) || !convex_shape(&b, m, d, g2, around)) {
    return collide_unsupported(m, d, con, g1, g2, margin);
  }
  Gjk g;
  mjtNum dist = convex_distance_kept(&g, m, d, &a, &b, axis, reach, touch, geom);
  if (!is_contact(&g, dist, margin - around)) {
    if (slot) {
      apart_keep(slot, &a, &b, g1, g2, g.apart);
    }
    return 0;
  }
  return contacts_at(con, &g, m, d, &a, &b, dist, margin);
}

int collide_convex_several(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                           mjtNum margin) {
  const int geom[2] = {g1, g2};
  Apart* slot = apart_take(d, g1, g2);
  Touch* touch = touch_take(d, g1, g2);
  int num = collide_geoms(m, d, con, geom, margin, slot, touch);
  touch_give_back(d, touch);
  apart_give_back(d, slot);
  return num;
}
