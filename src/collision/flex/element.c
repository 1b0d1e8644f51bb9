// Contacts of one element or vertex of a flex with a geom, an element or a vertex: shapes, filters,
// and the collider of each pair.                   theory/smooth/deformables.md, Contacts of flexes

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "collision/collide.h"
#include "collision/convex/collider.h"
#include "collision/convex/normal.h"
#include "collision/flex/flex.h"
#include "collision/hfield/hfield.h"
#include "model/behaviour.h"
#include "model/data/arena.h"
#include "model/reach.h"

// shapes

// An element: the convex hull of up to four points, inflated.
typedef struct FlexSimplex {
  ConvexShape shape;  // passed to the general collider: must be first
  mjtNum vertex[4][3];
  int num;
} FlexSimplex;

// Support point: the first of the vertices that are furthest along u, plus the radius.
static int support(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  const FlexSimplex* s = (const FlexSimplex*)shape;
  int best = 0;
  mjtNum most = v3_dot(s->vertex[0], u);
  for (int i = 1; i < s->num; i++) {
    mjtNum reach = v3_dot(s->vertex[i], u);
    if (reach > most) {
      most = reach;
      best = i;
    }
  }
  v3_addscl(point, s->vertex[best], u, shape->radius);
  return -1;
}

static int legacy(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]) {
  support(point, shape, u);
  v3_addtoscl(point, u, (mjtNum)0.5 * shape->margin);
  return -1;
}

static const ConvexKind kind = {
    .support = support, .legacy = legacy, .is_part = 1, .is_inflated = 1};

static const int* element_of(const mjModel* m, int flex, int elem) {
  return m->flex_elem + m->flex_elemdataadr[flex] + elem * (m->flex_dim[flex] + 1);
}

static const mjtNum* vertex_of(const mjModel* m, const mjData* d, int flex, int vert) {
  return d->flexvert_xpos + 3 * (m->flex_vertadr[flex] + vert);
}

static const mjtNum* box_of(const mjModel* m, const mjData* d, int flex, int elem) {
  return d->flexelem_aabb + 6 * (size_t)(m->flex_elemadr[flex] + elem);
}

static void simplex(FlexSimplex* out, const mjModel* m, const mjData* d, int flex, int elem,
                    mjtNum margin) {
  const int* v = element_of(m, flex, elem);
  *out = (FlexSimplex){.shape = {.kind = &kind, .last = -1}, .num = m->flex_dim[flex] + 1};
  out->shape.radius = m->flex_radius[flex];
  out->shape.margin = margin;
  v3_copy(out->shape.pos, box_of(m, d, flex, elem));
  m3_identity(out->shape.mat);
  for (int i = 0; i < out->num; i++) {
    v3_copy(out->vertex[i], vertex_of(m, d, flex, v[i]));
  }
}

// A segment as a capsule, with the arrays that its Solid points to.
typedef struct Segment {
  Solid solid;
  mjtNum pos[3], mat[9], size[3];
} Segment;

static void segment(Segment* out, const mjModel* m, const mjData* d, int flex, int elem) {
  const int* v = element_of(m, flex, elem);
  const mjtNum *x0 = vertex_of(m, d, flex, v[0]), *x1 = vertex_of(m, d, flex, v[1]);
  mjtNum along[3], quat[4];
  v3_sub(along, x0, x1);
  v3_add(out->pos, x0, x1);
  v3_scl(out->pos, out->pos, (mjtNum)0.5);
  mju_quatZ2Vec(quat, along);
  q_tomat(out->mat, quat);
  v3_set(out->size, m->flex_radius[flex], (mjtNum)0.5 * v3_norm(along), 0);
  out->solid = (Solid){out->pos, out->mat, out->size};
}

// sphere and triangle

static mjtNum sign_of_area(const mjtNum p[2], const mjtNum a[2], const mjtNum b[2]) {
  return num_sign((p[0] - b[0]) * (a[1] - b[1]) - (a[0] - b[0]) * (p[1] - b[1]));
}

// The point of the segment from a to b that is nearest to p, in a plane; returns its squared
// distance.
static mjtNum nearest_on_edge(mjtNum out[2], const mjtNum p[2], const mjtNum a[2],
                              const mjtNum b[2]) {
  mjtNum e[2] = {b[0] - a[0], b[1] - a[1]};
  mjtNum square = e[0] * e[0] + e[1] * e[1];
  mjtNum t = ((p[0] - a[0]) * e[0] + (p[1] - a[1]) * e[1]) / num_max(mjMINVAL, square);
  t = num_clamp(t, 0, 1);
  for (int k = 0; k < 2; k++) {
    out[k] = a[k] + t * e[k];
  }
  return num_square(out[0] - p[0]) + num_square(out[1] - p[1]);
}

// X is the point of the triangle nearest to the sphere's center S:
//
//   n = (X - S)/|X - S|,   dist = |X - S| - rs - rt,   pos = S + n (rs + dist/2)
static int sphere_triangle(mjContact* con, const mjtNum S[3], mjtNum rs, const mjtNum* const t[3],
                           mjtNum rt, mjtNum margin) {
  mjtNum e1[3], e2[3], N[3], side[3], away[3], V2[3];
  v3_sub(e1, t[1], t[0]);
  v3_sub(e2, t[2], t[0]);
  v3_cross(N, e1, e2);
  v3_normalize(N);
  v3_sub(away, S, t[0]);
  mjtNum height = v3_dot(N, away), reach = margin + rs + rt;
  if (mju_abs(height) > reach) {
    return 0;
  }

  // plane coordinates: along the first edge and normal to it
  v3_copy(side, e1);
  v3_normalize(side);
  v3_cross(V2, N, side);
  mjtNum p[2] = {v3_dot(side, away), v3_dot(V2, away)}, a[2] = {0, 0};
  mjtNum b[2] = {v3_dot(side, e1), v3_dot(V2, e1)}, c[2] = {v3_dot(side, e2), v3_dot(V2, e2)};
  mjtNum x[2] = {p[0], p[1]};
  mjtNum s1 = sign_of_area(p, a, b), s2 = sign_of_area(p, b, c), s3 = sign_of_area(p, c, a);
  if (s1 != s2 || s2 != s3) {
    mjtNum near[3][2];
    mjtNum d1 = nearest_on_edge(near[0], p, a, b), d2 = nearest_on_edge(near[1], p, b, c);
    mjtNum d3 = nearest_on_edge(near[2], p, c, a);
    int best = d1 < d2 && d1 < d3 ? 0 : d2 < d3 ? 1 : 2;
    x[0] = near[best][0];
    x[1] = near[best][1];
  }

  mjtNum X[3], n[3], pos[3];
  v3_addscl(X, t[0], side, x[0]);
  v3_addtoscl(X, V2, x[1]);
  v3_sub(n, X, S);
  mjtNum D = v3_normalize(n);
  if (D > reach) {
    return 0;
  }
  mjtNum dist = D - rs - rt;
  v3_addscl(pos, S, n, rs + dist / 2);
  contact_set(con, dist, pos, n);
  return 1;
}

// A capsule and a triangle of radius rt by the later rule: the spheres at both ends of the capsule,
// then the corners beside its segment. At most five contacts.
static int capsule_triangle(mjContact* con, const Solid* capsule, const mjtNum* const t[3],
                            mjtNum rt, mjtNum margin) {
  const mjtNum radius = capsule->size[0], half = capsule->size[1], size[3] = {rt, 0, 0};
  mjtNum axis[3], end[3], arm[3];
  int num = 0;
  m3_column(axis, capsule->mat, 2);
  for (int side = -1; side <= 1; side += 2) {
    v3_addscl(end, capsule->pos, axis, (mjtNum)side * half);
    num += sphere_triangle(con + num, end, radius, t, rt, margin);
  }
  for (int i = 0; i < 3; i++) {
    const Solid corner = {t[i], capsule->mat, size};
    v3_sub(arm, t[i], capsule->pos);
    if (mju_abs(v3_dot(arm, axis)) < half && sphere_capsule(con + num, &corner, capsule, margin)) {
      v3_scl(con[num].frame, con[num].frame, -1);
      num++;
    }
  }
  return num;
}

// A point with a radius and a box by the later rule: the face that is furthest along its own normal
// decides, with the first axis of several, also beside edges and corners. With x the point from the
// center, in the axes of the box:
//
//   D = max_k (|x_k| - size_k),   dist = D - radius
static int point_box(mjContact* con, const mjtNum point[3], mjtNum radius, const Solid* box,
                     mjtNum margin) {
  mjtNum x[3], n[3], pos[3], most = -mjMAXVAL;
  int axis = 0;
  v3_tolocal(x, point, box->pos, box->mat);
  for (int k = 0; k < 3; k++) {
    mjtNum beyond = mju_abs(x[k]) - box->size[k];
    if (beyond > most) {
      most = beyond;
      axis = k;
    }
  }
  mjtNum dist = most - radius;
  if (dist > margin) {
    return 0;
  }
  m3_column(n, box->mat, axis);
  v3_scl(n, n, x[axis] > 0 ? 1 : -1);
  v3_addscl(pos, point, n, -(radius + dist / 2));
  contact_set(con, dist, pos, n);
  return 1;
}

// A box and a triangle of radius rt by the later rule: the corners of the triangle in the box, then
// those of the box in the triangle. Edges that cross have no contact. At most eleven contacts.
static int box_triangle(mjContact* con, const Solid* box, const mjtNum* const t[3], mjtNum rt,
                        mjtNum margin) {
  int num = 0;
  for (int i = 0; i < 3; i++) {
    num += point_box(con + num, t[i], rt, box, margin);
  }
  for (int i = 0; i < 8; i++) {
    mjtNum corner[3];
    for (int k = 0; k < 3; k++) {
      corner[k] = i >> k & 1 ? box->size[k] : -box->size[k];
    }
    v3_toworld(corner, corner, box->pos, box->mat);
    num += sphere_triangle(con + num, corner, 0, t, rt, margin);
  }
  return num;
}

// filters and room

static mjtNum margin_with(const mjModel* m, int flex, mjtNum margin, mjtNum gap) {
  mjtNum both = m->opt.enableflags & mjENBL_OVERRIDE
                    ? m->opt.o_margin
                    : margins_together(m, m->flex_margin[flex], margin);
  return margin_reach(m, both, margins_together(m, m->flex_gap[flex], gap));
}

mjtNum flex_geom_margin(const mjModel* m, int flex, int geom) {
  return margin_with(m, flex, m->geom_margin[geom], m->geom_gap[geom]);
}

mjtNum flex_margin(const mjModel* m, int flex1, int flex2) {
  int is_self = flex1 == flex2;
  return margin_with(m, flex1, is_self ? 0 : m->flex_margin[flex2],
                     is_self ? 0 : m->flex_gap[flex2]);
}

int flex_boxes_apart(const mjtNum a[6], const mjtNum b[6], mjtNum margin) {
  for (int k = 0; k < 3; k++) {
    if (mju_abs(a[k] - b[k]) > a[3 + k] + b[3 + k] + margin) {
      return 1;
    }
  }
  return 0;
}

// Whether a vertex of the element is fixed to the body. Vertices that are interpolated from nodes
// are fixed to no body.
static int touches_body(const mjModel* m, int flex, int elem, int body) {
  const int *v = element_of(m, flex, elem), *vertbody = m->flex_vertbodyid + m->flex_vertadr[flex];
  int touches = 0;
  for (int i = 0; i <= m->flex_dim[flex]; i++) {
    touches |= vertbody[v[i]] == body;
  }
  return touches;
}

static int share_body(const mjModel* m, int f1, int e1, int f2, int e2) {
  const int *v1 = element_of(m, f1, e1), *vertbody1 = m->flex_vertbodyid + m->flex_vertadr[f1];
  const int *v2 = element_of(m, f2, e2), *vertbody2 = m->flex_vertbodyid + m->flex_vertadr[f2];
  int n1 = m->flex_dim[f1] + 1, n2 = m->flex_dim[f2] + 1, body2[4], shared = 0;
  for (int i = 0; i < n2; i++) {
    body2[i] = vertbody2[v2[i]];
  }
  for (int i = 0; i < n1; i++) {
    int body = vertbody1[v1[i]];
    for (int k = 0; k < n2; k++) {
      shared |= (body == body2[k]) & (body >= 0);
    }
  }
  return shared;
}

// The vertex of an element furthest along sign * u, the first of equals.
static const mjtNum* furthest(const mjModel* m, const mjData* d, int flex, int elem,
                              const mjtNum u[3], mjtNum sign) {
  const int* v = element_of(m, flex, elem);
  const mjtNum* best = vertex_of(m, d, flex, v[0]);
  mjtNum most = sign * v3_dot(u, best);
  for (int i = 1; i <= m->flex_dim[flex]; i++) {
    const mjtNum* x = vertex_of(m, d, flex, v[i]);
    mjtNum along = sign * v3_dot(u, x);
    best = along > most ? x : best;
    most = num_max(most, along);
  }
  return best;
}

mjtNum flex_reach(const mjModel* m, int f1, int f2, mjtNum margin) {
  if (m->opt.disableflags & mjDSBL_NATIVECCD) {
    return -1;
  }
  return flex_girth(m, f1) + flex_girth(m, f2) + margin + 2 * m->opt.ccd_tolerance;
}

// Whether a separating direction u is found along which the elements are further apart than their
// radii and margin:
//
//   u.x2 - u.x1 > (r1 + r2 + margin) |u|,   x1: vertex of the first element furthest along u,
//                                           x2: vertex of the second furthest along -u
//
// u starts between the centers of the boxes.
// The next u is the shortest vector between u and x2 - x1 (Frank and Wolfe, 1956). This is much
// cheaper than a search for the distance and decides most pairs whose boxes touch. Distances within
// the search's tolerance are left to the search.
static int are_apart(const mjModel* m, const mjData* d, int f1, int e1, int f2, int e2,
                     mjtNum margin) {
  mjtNum reach = flex_reach(m, f1, f2, margin);
  mjtNum u[3], between[3], turn[3];
  v3_sub(u, box_of(m, d, f2, e2), box_of(m, d, f1, e1));
  for (int i = 0; i < FLEX_APART_TRIES; i++) {
    v3_sub(between, furthest(m, d, f2, e2, u, -1), furthest(m, d, f1, e1, u, 1));
    mjtNum gap = v3_dot(u, between);
    if (gap > 0 && gap * gap > reach * reach * v3_dot(u, u)) {
      return 1;
    }
    v3_sub(turn, between, u);
    mjtNum share = -v3_dot(u, turn) / num_max(v3_dot(turn, turn), mjMINVAL);
    v3_addtoscl(u, turn, num_clamp(share, 0, 1));
  }
  return 0;
}

// Room for all contacts of a pair at the end of the arena's list; NULL, with a warning, if there is
// none.
static mjContact* begin_contacts(mjData* d, size_t start[1]) {
  *start = d->parena;
  mjContact* con = arena_alloc(d, mjMAXCONPAIR * sizeof(mjContact), _Alignof(mjContact));
  if (!con) {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
  }
  return con;
}

// Fills in num contacts and gives back the room that they don't need.
static void end_contacts(const mjModel* m, mjData* d, mjContact* con, int num, size_t start,
                         const ContactSide side[2], mjtNum margin) {
  if (num) {
    contact_fill_sides(m, con, num, side, -1, margin);
    d->ncon += num;
  }
  d->parena = start + (size_t)num * sizeof(mjContact);
}

int flex_add_contact(const mjModel* m, mjData* d, const ContactSide side[2], mjtNum dist,
                     const mjtNum pos[3], const mjtNum normal[3], mjtNum margin, int dim) {
  mjContact* con = arena_alloc(d, sizeof(mjContact), _Alignof(mjContact));
  if (!con) {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
    return 0;
  }
  contact_set(con, dist, pos, normal);
  contact_fill_sides(m, con, 1, side, -1, margin);
  con->dim = dim ? dim : con->dim;
  d->ncon++;
  return 1;
}

// pairs

// Contacts of an element with a height field, searched in the frame of the field. The box holds the
// vertices without their radius.
static int hfield_element(mjContact* con, const mjModel* m, const mjData* d, int geom,
                          FlexSimplex* s, mjtNum margin) {
  mjtNum lo[3], hi[3];
  const mjtNum *pos = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  if (m->geom_dataid[geom] < 0) {
    return 0;
  }
  v3_tolocal(s->shape.pos, s->shape.pos, pos, mat);
  for (int i = 0; i < s->num; i++) {
    mjtNum* v = s->vertex[i];
    v3_tolocal(v, v, pos, mat);
    for (int k = 0; k < 3; k++) {
      lo[k] = i ? num_min(lo[k], v[k]) : v[k];
      hi[k] = i ? num_max(hi[k], v[k]) : v[k];
    }
  }
  return hfield_shape(con, m, d, geom, &s->shape, lo, hi, margin, 0);
}

int flex_has_formula(int dim, int type) {
  int is_sphere = type == mjGEOM_SPHERE;
  return dim == 1 ? is_sphere || type == mjGEOM_CAPSULE || type == mjGEOM_BOX
                  : dim == 2 && is_sphere;
}

// Turns the normals around.
static int turned(mjContact* con, int num) {
  for (int i = 0; i < num; i++) {
    v3_scl(con[i].frame, con[i].frame, -1);
  }
  return num;
}

// Two elements of dim 1: segments, or boxes if their flex has a box section.
static int collide_edges(mjContact* con, const mjModel* m, const mjData* d, int f1, int e1, int f2,
                         int e2, mjtNum margin) {
  Segment a, b;
  RodBox box1, box2;
  int boxed1 = flex_section_box(&box1, m, d, f1, e1);
  int boxed2 = flex_section_box(&box2, m, d, f2, e2);
  segment(&a, m, d, f1, e1);
  segment(&b, m, d, f2, e2);
  if (boxed1 && boxed2) {
    const Solid first = {box1.pos, box1.mat, box1.size};
    return flex_section_solid(con, m, mjGEOM_BOX, &first, &box2, margin);
  }
  if (boxed1) {
    return turned(con, flex_section_solid(con, m, mjGEOM_CAPSULE, &b.solid, &box1, margin));
  }
  return boxed2 ? flex_section_solid(con, m, mjGEOM_CAPSULE, &a.solid, &box2, margin)
                : capsule_capsule(con, &a.solid, &b.solid, margin);
}

// Whether contacts of round geoms with triangles get the normals of the geoms' surfaces.
static int normals_are_corrected(const mjModel* m) {
  return behaves(m, cndBEHAVIOUR_gjkepa) && !(m->opt.disableflags & mjDSBL_NATIVECCD);
}

static int collide_geom(mjContact* con, const mjModel* m, const mjData* d, int geom, int flex,
                        int elem, mjtNum margin) {
  int type = m->geom_type[geom], dim = m->flex_dim[flex];
  Solid solid = solid_of(m, d, geom);
  RodBox box;
  if (dim == 1 && flex_has_formula(dim, type)) {
    Segment s;
    if (flex_section_box(&box, m, d, flex, elem)) {
      return flex_section_solid(con, m, type, &solid, &box, margin);
    }
    segment(&s, m, d, flex, elem);
    if (type != mjGEOM_BOX) {
      return (type == mjGEOM_SPHERE ? sphere_capsule : capsule_capsule)(con, &solid, &s.solid,
                                                                        margin);
    }
    return turned(con, capsule_box(con, &s.solid, &solid, margin));
  }
  const int by_corners =
      (type == mjGEOM_CAPSULE || type == mjGEOM_BOX) && behaves(m, cndBEHAVIOUR_flex);
  if (dim == 2 && (flex_has_formula(dim, type) || by_corners)) {
    const int* v = element_of(m, flex, elem);
    const mjtNum* const t[3] = {vertex_of(m, d, flex, v[0]), vertex_of(m, d, flex, v[1]),
                                vertex_of(m, d, flex, v[2])};
    const mjtNum radius = m->flex_radius[flex];
    return type == mjGEOM_BOX ? box_triangle(con, &solid, t, radius, margin)
           : type == mjGEOM_CAPSULE
               ? capsule_triangle(con, &solid, t, radius, margin)
               : sphere_triangle(con, solid.pos, solid.size[0], t, radius, margin);
  }
  FlexSimplex s;
  ConvexShape other;
  simplex(&s, m, d, flex, elem, margin);
  if (type == mjGEOM_HFIELD) {
    return hfield_element(con, m, d, geom, &s, margin);
  }
  if (!convex_shape(&other, m, d, geom, margin)) {
    return 0;
  }
  int num = collide_shapes(con, m, d, &other, &s.shape, NULL, margin, 1, NULL);
  if (num && dim == 2 && normals_are_corrected(m)) {
    correct_normal(con, &other, &s.shape);
  }
  return num;
}

void flex_geom_element(const mjModel* m, mjData* d, int geom, int flex, int elem) {
  if (touches_body(m, flex, elem, m->geom_bodyid[geom])) {
    return;
  }
  size_t start;
  mjContact* con = begin_contacts(d, &start);
  if (con) {
    const ContactSide side[2] = {{geom, -1, -1, -1}, {-1, flex, elem, -1}};
    mjtNum margin = flex_geom_margin(m, flex, geom);
    int num = collide_geom(con, m, d, geom, flex, elem, margin);
    end_contacts(m, d, con, num, start, side, margin);
  }
}

void flex_elements(const mjModel* m, mjData* d, int f1, int e1, int f2, int e2) {
  mjtNum margin = f1 == f2 ? 0 : flex_margin(m, f1, f2);
  if (flex_boxes_apart(box_of(m, d, f1, e1), box_of(m, d, f2, e2), margin) ||
      share_body(m, f1, e1, f2, e2)) {
    return;
  }

  if (flex_reach(m, f1, f2, margin) >= 0 && are_apart(m, d, f1, e1, f2, e2, margin)) {
    return;
  }
  size_t start;
  mjContact* con = begin_contacts(d, &start);
  if (!con) {
    return;
  }
  const ContactSide side[2] = {{-1, f1, e1, -1}, {-1, f2, e2, -1}};
  int num;
  if (m->flex_dim[f1] == 1 && m->flex_dim[f2] == 1) {
    num = collide_edges(con, m, d, f1, e1, f2, e2, margin);
  } else {
    FlexSimplex a, b;
    simplex(&a, m, d, f1, e1, margin);
    simplex(&b, m, d, f2, e2, margin);
    num = collide_shapes(con, m, d, &a.shape, &b.shape, NULL, margin, 1, NULL);
  }
  end_contacts(m, d, con, num, start, side, margin);
}

// Adds the contact of a point of a vertex, `height` over a plane. Returns 0 if there is no room.
static int touch_plane(const mjModel* m, mjData* d, int geom, int flex, int vert,
                       const mjtNum point[3], mjtNum height, const mjtNum n[3], mjtNum margin) {
  const ContactSide side[2] = {{geom, -1, -1, -1}, {-1, flex, -1, vert}};
  mjtNum pos[3];
  v3_addscl(pos, point, n, -height / 2);
  return flex_add_contact(m, d, side, height, pos, n, margin, 0);
}

// The vertices of a rod with a box section against a plane. Returns 0 if it is none.
static int plane_sections(const mjModel* m, mjData* d, int geom, int flex, const mjtNum n[3],
                          mjtNum margin) {
  const mjtNum* origin = d->geom_xpos + 3 * geom;
  mjtNum half[2], corner[2][3], height[2], away[3], reach = margin + flex_girth(m, flex);
  if (!rod_section(half, m, flex)) {
    return 0;
  }
  for (int i = 0; i < m->flex_vertnum[flex]; i++) {
    v3_sub(away, vertex_of(m, d, flex, i), origin);
    if (v3_dot(away, n) > reach) {
      continue;
    }
    flex_section_corners(corner, height, m, d, flex, i, origin, n);
    for (int k = 0; k < 2 && height[k] <= margin; k++) {
      if (!touch_plane(m, d, geom, flex, i, corner[k], height[k], n, margin)) {
        return 1;
      }
    }
  }
  return 1;
}

void flex_plane(const mjModel* m, mjData* d, int geom, int flex) {
  const mjtNum* origin = d->geom_xpos + 3 * geom;
  mjtNum n[3], radius = m->flex_radius[flex];
  mjtNum margin = flex_geom_margin(m, flex, geom);
  m3_column(n, d->geom_xmat + 9 * geom, 2);
  if (plane_sections(m, d, geom, flex, n, margin)) {
    return;
  }
  for (int i = 0; i < m->flex_vertnum[flex]; i++) {
    const mjtNum* x = vertex_of(m, d, flex, i);
    mjtNum away[3], pos[3];
    v3_sub(away, x, origin);
    mjtNum height = v3_dot(away, n);
    if (height > margin + radius) {
      continue;
    }
    mjtNum dist = height - radius;
    const ContactSide side[2] = {{geom, -1, -1, -1}, {-1, flex, -1, i}};
    v3_addscl(pos, x, n, -(dist / 2 + radius));
    if (!flex_add_contact(m, d, side, dist, pos, n, margin, 0)) {
      return;
    }
  }
}

void flex_vertex_element(const mjModel* m, mjData* d, int flex, int vert, int elem) {
  const mjtNum* x = vertex_of(m, d, flex, vert);
  mjtNum radius = m->flex_radius[flex], reach = flex_margin(m, flex, flex) + radius;
  mjtNum around[6] = {x[0], x[1], x[2], reach, reach, reach};
  if (flex_boxes_apart(around, box_of(m, d, flex, elem), 0)) {
    return;
  }
  size_t start;
  mjContact* con = begin_contacts(d, &start);
  if (!con) {
    return;
  }
  const ContactSide side[2] = {{-1, flex, -1, vert}, {-1, flex, elem, -1}};
  int num;
  if (m->flex_dim[flex] == 1) {
    mjtNum identity[9], size[3] = {radius, 0, 0};
    m3_identity(identity);
    Solid sphere = {x, identity, size};
    Segment s;
    segment(&s, m, d, flex, elem);
    num = sphere_capsule(con, &sphere, &s.solid, 0);
  } else {
    const int* v = element_of(m, flex, elem);
    const mjtNum* const t[3] = {vertex_of(m, d, flex, v[0]), vertex_of(m, d, flex, v[1]),
                                vertex_of(m, d, flex, v[2])};
    num = sphere_triangle(con, x, radius, t, radius, 0);
  }
  end_contacts(m, d, con, num, start, side, 0);
}
