// A mesh against a signed distance field, triangle by triangle (behaviour meshsdf).
//
// Boxes of the mesh's tree, then spheres around its triangles tell which may reach into the field.
// On each of these the least value of the field is searched from several points: a step leads from
// x towards the corner that the field falls to most (Frank and Wolfe, 1956), so x never leaves the
// triangle.
//
//           C
//          / \        x  <-  x + 2/(k+2) (corner - x)
//         / x-\->B
//        A-----B                                               theory/contact/sdf.md, Triangles

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it ends the descent elsewhere

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/mjdata.h>

#include "collision/collide.h"
#include "collision/sdf/field.h"
#include "collision/sdf/relative.h"
#include "model/data/arena.h"

// Part of a triangle's height above the field by which its sphere is moved, and below which it
// isn't, m.
static const mjtNum LEAN = (mjtNum)0.1;

// Squared gradients below this have no direction.
static const mjtNum FLAT = (mjtNum)(mjMINVAL * mjMINVAL);

// Places where triangles are inside of the field.
typedef struct Places {
  mjtNum x[mjMAXCONPAIR][3], dist[mjMAXCONPAIR];
  int num;
} Places;

// Twice the area of a triangle's sides as a vector; returns its length.
static mjtNum triangle_normal(mjtNum n[3], const mjtNum v[3][3]) {
  mjtNum ab[3], ac[3];
  v3_sub(ab, v[1], v[0]);
  v3_sub(ac, v[2], v[0]);
  v3_cross(n, ab, ac);
  return v3_norm(n);
}

// Centre and radius of the sphere through the corners of a triangle and another point p:
//   2 (q - v0) . (c - v0) = |q - v0|^2    for q = v1, v2, p
static mjtNum sphere_through(mjtNum c[3], const mjtNum v[3][3], const mjtNum p[3]) {
  mjtNum a[3], b[3], e[3], ab[3], be[3], ea[3];
  v3_sub(a, v[1], v[0]);
  v3_sub(b, v[2], v[0]);
  v3_sub(e, p, v[0]);
  v3_cross(ab, a, b);
  v3_cross(be, b, e);
  v3_cross(ea, e, a);
  mjtNum scale = 1 / (2 * v3_dot(a, be));
  v3_scl(c, be, v3_dot(a, a) * scale);
  v3_addtoscl(c, ea, v3_dot(b, b) * scale);
  v3_addtoscl(c, ab, v3_dot(e, e) * scale);
  mjtNum radius = v3_norm(c);
  v3_addto(c, v[0]);
  return radius;
}

// Whether a triangle may reach into the field.
static int may_touch(const Field* field, const mjtNum v[3][3]) {
  mjtNum middle[3], n[3], c[3];
  for (int k = 0; k < 3; k++) {
    middle[k] = (v[0][k] + v[1][k] + v[2][k]) / 3;
  }
  mjtNum height = field->kind->distance(field, middle), lean = -LEAN * height;
  mjtNum twice = triangle_normal(n, v);
  if (mju_abs(lean) < LEAN) {
    return height < v3_dist(v[0], v[1]) * v3_dist(v[1], v[2]) * v3_dist(v[2], v[0]) / (2 * twice);
  }
  v3_addtoscl(middle, n, -lean / twice);
  mjtNum radius = sphere_through(c, v, middle);
  return field->kind->distance(field, c) < radius;
}

// Searches one triangle from several points and adds where they end inside of the field.
static void search_triangle(Places* places, const Field* field, const mjModel* m,
                            const mjtNum v[3][3]) {
  for (int s = 0; s < int_max(1, m->opt.sdf_initpoints) && places->num < mjMAXCONPAIR; s++) {
    mjtNum u = mju_Halton(s + 1, 2), w = mju_Halton(s + 1, 3), x[3];
    if (u + w > 1) {
      u = 1 - u;
      w = 1 - w;
    }
    v3_scl(x, v[0], 1 - u - w);
    v3_addtoscl(x, v[1], u);
    v3_addtoscl(x, v[2], w);
    field_search(field);
    for (int k = 0; k < m->opt.sdf_iterations; k++) {
      mjtNum g[3], way[3];
      field->kind->gradient(g, field, x);
      int corner = v3_dot(g, v[1]) < v3_dot(g, v[0]);
      corner = v3_dot(g, v[2]) < v3_dot(g, v[corner]) ? 2 : corner;
      v3_sub(way, v[corner], x);
      v3_addtoscl(x, way, 2 / (mjtNum)(k + 2));
    }
    mjtNum dist = field->kind->distance(field, x);
    if (dist < 0) {
      places->dist[places->num] = dist;
      v3_copy(places->x[places->num++], x);
    }
  }
}

// Whether the box of a node of the mesh's tree may reach into the field.
static int box_reaches(const Field* field, const mjtNum box[6], const Relative* mesh) {
  mjtNum center[3];
  relative_point(center, mesh, box);
  return field->kind->distance(field, center) < v3_norm(box + 3);
}

// Descends the tree of the mesh, the second child first.
static void search_mesh(Places* places, const Field* field, const mjModel* m, mjData* d, int mesh,
                        const Relative* pose) {
  int root = m->mesh_bvhadr[mesh], num = 0;
  // opening a node replaces it by two, so the stack is no longer than the tree
  int* todo = root < 0
                  ? NULL
                  : arena_push(d, ((size_t)m->mesh_bvhnum[mesh] + 1) * sizeof(int), _Alignof(int));
  if (!todo) {
    if (root >= 0) {
      mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
    }
    return;
  }
  todo[num++] = root;
  while (num && places->num < mjMAXCONPAIR) {
    int node = todo[--num], id = m->bvh_nodeid[node];
    if (!box_reaches(field, m->bvh_aabb + 6 * (size_t)node, pose)) {
      continue;
    }
    if (id < 0) {
      todo[num++] = root + m->bvh_child[2 * node];
      todo[num++] = root + m->bvh_child[2 * node + 1];
      continue;
    }
    const int* face = m->mesh_face + 3 * (size_t)(m->mesh_faceadr[mesh] + id);
    mjtNum v[3][3];
    for (int k = 0; k < 3; k++) {
      const float* x = m->mesh_vert + 3 * (size_t)(m->mesh_vertadr[mesh] + face[k]);
      v3_set(v[k], x[0], x[1], x[2]);
      relative_point(v[k], pose, v[k]);
    }
    if (may_touch(field, (const mjtNum(*)[3])v)) {
      search_triangle(places, field, m, (const mjtNum(*)[3])v);
    }
  }
}

// Makes a contact half-way between a place, in the frame of the field's geom, and the field's
// surface. Returns 0 if there is no direction.
static int set_contact(mjContact* con, const Field* field, const mjtNum x[3], mjtNum dist,
                       const mjtNum pos2[3], const mjtNum quat2[4]) {
  mjtNum g[3], normal[3], pos[3];
  field->kind->gradient(g, field, x);
  if (!is_usable(g) || !(v3_dot(g, g) > FLAT)) {
    return 0;
  }
  v3_scl(g, g, -1);
  turn(normal, g, quat2);
  v3_normalize(normal);
  turn(pos, x, quat2);
  v3_addto(pos, pos2);
  v3_addtoscl(pos, normal, dist / 2);
  contact_set(con, dist, pos, normal);
  return 1;
}

int collide_mesh_sdf(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                     mjtNum margin) {
  (void)margin;
  Field field;
  if (!field_of(&field, m, d, g2)) {
    field_missing(m, g2);
    return 0;
  }
  const mjtNum *pos1 = d->geom_xpos + 3 * g1, *pos2 = d->geom_xpos + 3 * g2;
  mjtNum quat1[4], quat2[4], found[mjMAXCONPAIR][3];
  Relative mesh;
  QuatOrder order = turns_of(quat1, quat2, m, d, g1, g2);
  relative(&mesh, pos2, quat2, pos1, quat1, order);
  field_begin(&field);
  field_meet(&field, g1, g2);

  mjData* data = (mjData*)d;  // nothing but scratch memory and a warning is written
  size_t top = arena_top(d);
  Places places = {.num = 0};
  search_mesh(&places, &field, m, data, m->geom_dataid[g1], &mesh);
  arena_pop(data, top);
  int num = 0;
  for (int i = 0; i < places.num; i++) {
    if (is_new(found, num, places.x[i]) &&
        set_contact(con + num, &field, places.x[i], places.dist[i], pos2, quat2)) {
      v3_copy(found[num++], places.x[i]);
    }
  }
  return num;
}
