// The general collider: any two convex shapes, one contact, by distance of cores or by depth.
//
// Balls and capsules are first reduced to their cores: as long as only the rounding overlaps, the
// answer is a distance, exact and quick. What overlaps deeper goes through the penetration search.
//                                                                  spec 05, sections 4.2, 4.4, 4.11

#include "collision/convex/collider.h"

#include "collision/collide.h"
#include "collision/contact_param.h"

static int is_polytope(const Shape* s) {
  return s->type == mjGEOM_BOX && s->margin == 0;
}

// Radius that a shape loses when it is reduced to its core, 0 if it has none.
static mjtNum reduce_to_core(Shape* s) {
  if (s->type != mjGEOM_SPHERE && s->type != mjGEOM_CAPSULE) {
    return 0;
  }
  mjtNum lost = s->size[0] + (mjtNum)0.5 * s->margin;
  s->core = 1;
  s->margin = 0;
  return lost;
}

mjtNum convex_distance(Gjk* g, const mjModel* m, const mjData* d, const Shape* a, const Shape* b,
                       mjtNum cutoff) {
  *g = (Gjk){.tolerance = m->opt.ccd_tolerance, .iterations = m->opt.ccd_iterations};

  Shape core1 = *a, core2 = *b;
  mjtNum lost1 = reduce_to_core(&core1), lost2 = reduce_to_core(&core2);
  if (core1.core || core2.core) {
    g->cutoff = cutoff + lost1 + lost2;
    mjtNum dist = gjk_distance(g, &core1, &core2);
    if (dist > g->tolerance) {
      mjtNum n[3];
      v3_sub(n, g->x2, g->x1);
      v3_normalize(n);
      v3_addtoscl(g->x1, n, lost1);
      v3_addtoscl(g->x2, n, -lost2);
      return dist - (lost1 + lost2);
    }
  }

  g->cutoff = cutoff;
  g->discrete = is_polytope(a) && is_polytope(b);
  mjtNum dist = gjk_distance(g, a, b);
  if (dist <= g->tolerance && g->num > 1) {
    return -epa_depth(g, (mjData*)d, a, b);  // nothing but scratch memory is written
  }
  return dist;
}

static int collide_shapes(mjContact* con, const mjModel* m, const mjData* d, const Shape* a,
                          const Shape* b, mjtNum margin) {
  Gjk g;
  mjtNum dist = convex_distance(&g, m, d, a, b, 0);
  if (!(dist < 0)) {
    return 0;
  }
  mjtNum n[3], pos[3];
  v3_sub(n, g.x1, g.x2);
  v3_normalize(n);
  v3_add(pos, g.x1, g.x2);
  v3_scl(pos, pos, (mjtNum)0.5);
  contact_set(con, margin + dist, pos, n);
  return 1;
}

// Turns a shape by a small rotation vector (axis times angle) about a point.
static void turn_about(Shape* s, const mjtNum point[3], const mjtNum axis[3], mjtNum angle) {
  mjtNum q[4], turn[9], mat[9], arm[3];
  q_axisangle(q, axis, angle);
  q_tomat(turn, q);
  m3_mul(mat, turn, s->mat);
  m3_copy(s->mat, mat);
  v3_sub(arm, s->pos, point);
  m3_mulv(s->pos, turn, arm);
  v3_addto(s->pos, point);
}

// More contacts of a flat touch, from slightly rolled copies of the shapes: a new place counts if
// it is away from all others. They get the depth of the first contact.
static int roll_shapes(mjContact* con, const mjModel* m, const mjData* d, const Shape* a,
                       const Shape* b, mjtNum margin, mjtNum apart) {
  const mjtNum angle = (mjtNum)1e-3;
  mjtNum frame[9];
  memcpy(frame, con->frame, sizeof(frame));
  contact_frame(frame);
  int num = 1;
  for (int axis = 1; axis <= 2; axis++) {
    for (mjtNum way = -1; way <= 1; way += 2) {
      Shape a2 = *a, b2 = *b;
      turn_about(&a2, con->pos, frame + 3 * axis, way * angle);
      turn_about(&b2, con->pos, frame + 3 * axis, -way * angle);
      if (!collide_shapes(con + num, m, d, &a2, &b2, margin)) {
        continue;
      }
      int isnew = 1;
      for (int i = 0; i < num; i++) {
        isnew = isnew && v3_dist(con[i].pos, con[num].pos) > apart;
      }
      if (isnew) {
        con[num++].dist = con->dist;
      }
    }
  }
  return num;
}

int collide_convex(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                   mjtNum margin) {
  Shape a = shape_of(m, d, g1, margin), b = shape_of(m, d, g2, margin);
  int num = collide_shapes(con, m, d, &a, &b, margin);
  int round = a.type == mjGEOM_SPHERE || a.type == mjGEOM_ELLIPSOID || b.type == mjGEOM_SPHERE ||
              b.type == mjGEOM_ELLIPSOID;
  if (num == 1 && (m->opt.enableflags & mjENBL_MULTICCD) && !round) {
    mjtNum apart = (mjtNum)1e-3 * num_min(m->geom_rbound[g1], m->geom_rbound[g2]);
    num = roll_shapes(con, m, d, &a, &b, margin, apart);
  }
  return num;
}
