// The contact of two polytopes as a smooth function of the triangle at which the search has ended.
// The triangle is a face of the difference A - B; its corners are w_i = a_i - b_i with vertices a_i
// and b_i that stay with their shapes. This holds even if the triangle is not the closest feature:
// for faces that lie flat on each other, and on height fields, where the search may end early.
//                                                  theory/time/constraint-derivatives.md, Triangles

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"
#include "collision/convex/collider.h"
#include "collision/hfield/prism.h"
#include "derivative/geometry/rules.h"

// tolerance, relative to the size, for a repeated search to give the same contact
static const mjtNum SAME = GEOMETRY_TOL;

typedef struct {
  const mjContact* con;
  mjtNum middle[3][3], b[3][3], w[3][3];  // (a_i + b_i) / 2, b_i and w_i relative to the contact
  mjtNum share[3];                        // of the corners in the nearest point
  mjtNum side[2][3], area[3],
      sign;  // w_1 - w_0, w_2 - w_0, their product, n = sign * that / |that|
} Triangle;

// Projects x to the plane normal to the unit vector n.
static void across(mjtNum x[3], const mjtNum n[3]) {
  v3_addtoscl(x, n, -v3_dot(n, x));
}

// u, v with x = u side_0 + v side_1, x in the plane of the triangle
static void coordinates(mjtNum out[2], const Triangle* t, const mjtNum x[3]) {
  mjtNum c[3], square = v3_dot(t->area, t->area);
  v3_cross(c, x, t->side[1]);
  out[0] = v3_dot(c, t->area) / square;
  v3_cross(c, t->side[0], x);
  out[1] = v3_dot(c, t->area) / square;
}

// Makes the triangle from the result g of a search in a frame (pos, mat) of the world. Points
// become relative to the contact.
static int triangle_make(Triangle* t, const Gjk* g, const mjContact* con, const mjtNum pos[3],
                         const mjtNum mat[9]) {
  *t = (Triangle){.con = con};
  if (g->num != 3) {
    return 0;
  }
  for (int i = 0; i < 3; i++) {
    mjtNum a[3];
    v3_toworld(a, g->vert[i].a, pos, mat);
    v3_toworld(t->b[i], g->vert[i].b, pos, mat);
    v3_sub(t->w[i], a, t->b[i]);
    v3_subfrom(t->b[i], con->pos);
    v3_addscl(t->middle[i], t->b[i], t->w[i], (mjtNum)0.5);
  }
  v3_sub(t->side[0], t->w[1], t->w[0]);
  v3_sub(t->side[1], t->w[2], t->w[0]);
  v3_cross(t->area, t->side[0], t->side[1]);
  if (v3_norm(t->area) < mjMINVAL) {
    return 0;
  }
  t->sign = v3_dot(t->area, con->frame) > 0 ? 1 : -1;

  mjtNum out[3];
  v3_scl(out, t->w[0], -1);
  across(out, con->frame);
  coordinates(t->share + 1, t, out);
  t->share[0] = 1 - t->share[1] - t->share[2];
  return 1;
}

// Whether the triangle gives the contact.
static int is_same_contact(const Triangle* t, mjtNum size) {
  const mjtNum* n = t->con->frame;
  mjtNum middle[3] = {0, 0, 0}, out[3];
  for (int i = 0; i < 3; i++) {
    v3_addtoscl(middle, t->middle[i], t->share[i]);
  }
  v3_cross(out, t->area, n);
  return v3_norm(middle) < SAME * size && v3_norm(out) < SAME * v3_norm(t->area) &&
         mju_abs(v3_dot(n, t->w[0]) + t->con->dist) < SAME * size;
}

// While A is at rest w_i' = -b_i', and
//
//   n' = the part across n of sign (side_0 x side_1)' / |side_0 x side_1|
//   dist = -n . w_0,     sum of share_i w_i = -n dist,     pos = sum of share_i (a_i + b_i) / 2
static void move_triangle(ContactGeometry* out, const Triangle* t, int c) {
  const mjContact* con = t->con;
  const mjtNum* n = con->frame;
  mjtNum turn[3] = {0}, shift[3] = {0}, b[3][3], side[2][3], normal[3], x[3], share[2], pos[3];
  v3_copy(c < 3 ? turn : shift, con->frame + 3 * (c % 3));
  for (int i = 0; i < 3; i++) {
    v3_crossadd(b[i], turn, t->b[i], shift);
  }
  v3_sub(side[0], b[0], b[1]);
  v3_sub(side[1], b[0], b[2]);
  v3_cross(normal, side[0], t->side[1]);
  v3_cross(x, t->side[0], side[1]);
  v3_addto(normal, x);
  v3_scl(normal, normal, t->sign / v3_norm(t->area));
  across(normal, n);
  out->dist[c] = v3_dot(n, b[0]) - v3_dot(normal, t->w[0]);

  // share_1' side_0 + share_2' side_1 = (-n dist)' - sum of share_i w_i'
  v3_scl(x, normal, -con->dist);
  for (int i = 0; i < 3; i++) {
    v3_addtoscl(x, b[i], t->share[i]);
  }
  across(x, n);
  coordinates(share, t, x);
  v3_zero(pos);
  for (int i = 0; i < 3; i++) {
    mjtNum change = i ? share[i - 1] : -share[0] - share[1];
    v3_addtoscl(pos, b[i], t->share[i] / 2);
    v3_addtoscl(pos, t->middle[i], change);
  }
  for (int i = 0; i < 3; i++) {
    out->pos[i][c] = v3_dot(con->frame + 3 * i, pos);
    if (i) {
      out->normal[i - 1][c] = v3_dot(con->frame + 3 * i, normal);
    }
  }
}

// Derivative for the triangle at which a search has ended, if that gives the contact.
static int geometry_triangle(ContactGeometry* out, const Gjk* g, const mjModel* m,
                             const mjContact* con, const mjtNum pos[3], const mjtNum mat[9]) {
  Triangle t;
  mjtNum size = m->geom_rbound[con->geom[1]];
  if (!triangle_make(&t, g, con, pos, mat) || !is_same_contact(&t, size)) {
    return 0;
  }
  for (int c = 0; c < 6; c++) {
    move_triangle(out, &t, c);
  }
  return 1;
}

static int has_corners(const ConvexShape* s) {
  return s->kind->has_vertices && !(s->margin > 0);
}

int geometry_flat(ContactGeometry* out, const mjModel* m, const mjData* d, const mjContact* con,
                  mjtNum margin) {
  static const mjtNum origin[3] = {0, 0, 0}, world[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  ConvexShape a, b;
  Gjk g;
  if (!convex_shape(&a, m, d, con->geom[0], margin) ||
      !convex_shape(&b, m, d, con->geom[1], margin) || !has_corners(&a) || !has_corners(&b)) {
    return GEOMETRY_FLAT;
  }
  convex_distance(&g, m, d, &a, &b, NULL, 0);
  return geometry_triangle(out, &g, m, con, origin, world) ? 1 : GEOMETRY_FLAT;
}

// The contact of a height field with a shape, in the frame of the field.
typedef struct {
  ContactGeometry* out;
  const mjModel* m;
  const mjData* d;
  const mjContact* con;
  const ConvexShape* shape;
} PrismSearch;

static int search_prism(void* context, Prism* prism) {
  const PrismSearch* s = context;
  ConvexShape copy = *s->shape;
  int field = s->con->geom[0];
  Gjk g;
  prism_center(prism);
  return convex_distance(&g, s->m, s->d, &prism->shape, &copy, NULL, 0) < 0 &&
         geometry_triangle(s->out, &g, s->m, s->con, s->d->geom_xpos + 3 * field,
                           s->d->geom_xmat + 9 * field);
}

int geometry_prism(ContactGeometry* out, const mjModel* m, const mjData* d, const mjContact* con,
                   mjtNum margin) {
  int field = con->geom[0];
  const mjtNum *pos = d->geom_xpos + 3 * field, *mat = d->geom_xmat + 9 * field;
  ConvexShape b;
  if (!convex_shape(&b, m, d, con->geom[1], margin) || !has_corners(&b)) {
    return GEOMETRY_NOT_CLOSEST;
  }
  mjtNum p1[3], p2[3], relative[9];
  witness_points(p1, p2, con);
  v3_tolocal(p1, p1, pos, mat);
  v3_tolocal(b.pos, b.pos, pos, mat);
  m3_tmul(relative, mat, b.mat);
  m3_copy(b.mat, relative);
  HfieldGrid grid = hfield_grid(m, field);
  PrismSearch search = {out, m, d, con, &b};
  return prism_find(&grid, p1, 0, search_prism, &search) ? 0 : GEOMETRY_NOT_CLOSEST;
}
