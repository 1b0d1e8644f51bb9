// near_geoms.c: spheres first, then boxes where the collider costs more than they do.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it rounds boxes that just touch differently

#include "collision/broad/near_geoms.h"

#include "base/algebra/vec.h"
#include "collision/contact_param.h"

int bounding_spheres_apart(const mjModel* m, const mjData* d, int g1, int g2, mjtNum margin) {
  const mjtNum *p1 = d->geom_xpos + 3 * g1, *p2 = d->geom_xpos + 3 * g2;
  mjtNum r1 = m->geom_rbound[g1], r2 = m->geom_rbound[g2];
  mjtNum gap[3];
  v3_sub(gap, p2, p1);
  if (r1 > 0 && r2 > 0) {
    mjtNum reach = r1 + r2 + margin;
    return v3_dot(gap, gap) > reach * reach;
  }

  // the height above the plane decides: a geom below the plane is never apart
  mjtNum n[3];
  if (m->geom_type[g1] == mjGEOM_PLANE && r2 > 0) {
    m3_column(n, d->geom_xmat + 9 * g1, 2);
    return v3_dot(gap, n) > margin + r2;
  }
  if (m->geom_type[g2] == mjGEOM_PLANE && r1 > 0) {
    m3_column(n, d->geom_xmat + 9 * g2, 2);
    return -v3_dot(gap, n) > margin + r1;
  }
  return 0;
}

int oriented_geoms_apart(const mjModel* m, const mjData* d, int g1, int g2, mjtNum margin) {
  OrientedBox a = oriented_geom(m, d, g1), b = oriented_geom(m, d, g2);
  return oriented_boxes_apart(&a, &b, margin);
}

void pair_add_near(PairList* out, const mjModel* m, const mjData* d, int g1, int g2) {
  mjtNum margin = contact_margin(m, g1, g2, -1);
  if (bounding_spheres_apart(m, d, g1, g2, margin)) {
    return;
  }
  int type1 = m->geom_type[g1], type2 = m->geom_type[g2];
  int cheap = (type1 <= mjGEOM_CAPSULE && type2 <= mjGEOM_CAPSULE) || type1 == mjGEOM_PLANE ||
              type2 == mjGEOM_PLANE;
  if (!cheap && oriented_geoms_apart(m, d, g1, g2, margin)) {
    return;
  }
  pair_list_add(out, type1 > type2 ? g2 : g1, type1 > type2 ? g1 : g2);
}
