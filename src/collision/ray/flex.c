// Rays against flexes: segments, vertices and triangles of the drawn surface.
//                                                              theory/contact/rays.md, Ray and flex

#pragma STDC FP_CONTRACT OFF  // rounding decides whether a ray that grazes hits

#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "collision/ray/ray.h"
#include "model/checks/pair.h"

// A ray, and the nearest hit so far.
typedef struct FlexRay_ {
  const mjtNum *pnt, *vec;
  const mjtNum* vertex;  // positions of the flex's vertices
  mjtNum radius;
  mjtNum nearest;  // -1: none
  int vertid;      // vertex nearest to that hit
  mjtNum normal[3];
} FlexRay;

// Records a hit at x if it is the nearest so far, and which of n vertices is nearest to the hit.
// later: of equally near vertices the last one counts. Returns whether it is.
static int take_hit(FlexRay* ray, mjtNum x, const int* vert, int n, int later) {
  if (x < 0 || (ray->nearest >= 0 && ray->nearest <= x)) {
    return 0;
  }
  mjtNum hit[3], least = 0;
  v3_addscl(hit, ray->pnt, ray->vec, x);
  ray->nearest = x;
  for (int i = 0; i < n; i++) {
    mjtNum dist = v3_dist(hit, ray->vertex + 3 * vert[i]);
    if (i == 0 || dist < least || (later && dist == least)) {
      least = dist;
      ray->vertid = vert[i];
    }
  }
  return 1;
}

// Whether the ray meets the box around all vertices.
static int meets_box(const FlexRay* ray, int nvert) {
  mjtNum lo[3], hi[3], half[3], from[3];
  v3_copy(lo, ray->vertex);
  v3_copy(hi, lo);
  for (int i = 1; i < nvert; i++) {
    for (int k = 0; k < 3; k++) {
      lo[k] = num_min(lo[k], ray->vertex[3 * i + k]);
      hi[k] = num_max(hi[k], ray->vertex[3 * i + k]);
    }
  }
  for (int k = 0; k < 3; k++) {
    half[k] = (hi[k] - lo[k]) / 2 + ray->radius;
    from[k] = ray->pnt[k] - (lo[k] + hi[k]) / 2;
  }
  return ray_box(from, ray->vec, half) >= 0;
}

static void meet_edges(FlexRay* ray, const mjModel* m, int flex) {
  const int* edge = m->flex_edge + 2 * (size_t)m->flex_edgeadr[flex];
  for (int e = 0; e < m->flex_edgenum[flex]; e++, edge += 2) {
    const mjtNum *a = ray->vertex + 3 * edge[0], *b = ray->vertex + 3 * edge[1];
    mjtNum along[3], center[3], quat[4], mat[9];
    v3_sub(along, b, a);
    v3_add(center, a, b);
    v3_scl(center, center, (mjtNum)0.5);
    mjtNum size[3] = {ray->radius, v3_norm(along) / 2, 0};
    mju_quatZ2Vec(quat, along);
    q_tomat(mat, quat);
    mjtNum n[3], x;
    x = ray_shape(__func__, center, mat, size, ray->pnt, ray->vec, mjGEOM_CAPSULE, n);
    if (take_hit(ray, x, edge, 2, 1)) {
      v3_copy(ray->normal, n);
    }
  }
}

static void meet_vertices(FlexRay* ray, int nvert) {
  mjtNum size[3] = {ray->radius, 0, 0}, identity[9];
  m3_identity(identity);
  for (int i = 0; i < nvert; i++) {
    const mjtNum* centre = ray->vertex + 3 * i;
    mjtNum n[3], x;
    x = ray_shape(__func__, centre, identity, size, ray->pnt, ray->vec, mjGEOM_SPHERE, n);
    if (take_hit(ray, x, &i, 1, 0)) {
      v3_copy(ray->normal, n);
    }
  }
}

static void meet_triangles(FlexRay* ray, const mjModel* m, int flex, int layer) {
  static const int side[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
  int dim = m->flex_dim[flex];
  const int* elem = m->flex_elem + m->flex_elemdataadr[flex];
  mjtNum view[2][3];
  ray_view(view, ray->vec);
  for (int e = 0; e < m->flex_elemnum[flex]; e++, elem += dim + 1) {
    if (dim == 3 && m->flex_elemlayer[m->flex_elemadr[flex] + e] != layer) {
      continue;
    }
    for (int s = 0; s < (dim == 3 ? 4 : 1); s++) {
      int vert[3];
      mjtNum corner[3][3];
      for (int i = 0; i < 3; i++) {
        vert[i] = elem[side[s][i]];
        v3_copy(corner[i], ray->vertex + 3 * vert[i]);
      }
      if (take_hit(ray, ray_triangle(ray->pnt, ray->vec, view, corner), vert, 3, 0)) {
        mjtNum ab[3], ac[3];
        v3_sub(ab, corner[1], corner[0]);
        v3_sub(ac, corner[2], corner[0]);
        v3_cross(ray->normal, ab, ac);
        v3_normalize(ray->normal);
      }
    }
  }
}

static mjtNum ray_flex(const char* caller, const mjModel* m, const mjData* d, int flex_layer,
                       mjtByte flg_vert, mjtByte flg_edge, mjtByte flg_face, mjtByte flg_skin,
                       int flexid, const mjtNum pnt[3], const mjtNum vec[3], int* vertid,
                       mjtNum* normal) {
  check_index(caller, "flex", flexid, m->nflex);
  FlexRay ray = {
      pnt, vec,      d->flexvert_xpos + 3 * m->flex_vertadr[flexid], m->flex_radius[flexid], -1,
      -1,  {0, 0, 0}};
  int nvert = m->flex_vertnum[flexid], solid = m->flex_dim[flexid] > 1;
  if (meets_box(&ray, nvert)) {
    if (flg_edge || (solid && flg_skin)) {
      meet_edges(&ray, m, flexid);
    } else if (flg_vert && !(solid && flg_skin)) {
      meet_vertices(&ray, nvert);
    }
    if (solid && (flg_face || flg_skin)) {
      meet_triangles(&ray, m, flexid, flg_skin ? 0 : flex_layer);
    }
  }
  if (vertid && ray.nearest >= 0) {
    *vertid = ray.vertid;
  }
  if (normal) {
    v3_copy(normal, ray.normal);
  }
  return ray.nearest;
}

mjtNum mj_rayFlex(const mjModel* m, const mjData* d, int flex_layer, mjtByte flg_vert,
                  mjtByte flg_edge, mjtByte flg_face, mjtByte flg_skin, int flexid,
                  const mjtNum pnt[3], const mjtNum vec[3], int vertid[1], mjtNum normal[3]) {
  check_pair(m, d);
  check_given(pnt, vec);
  return ray_flex(__func__, m, d, flex_layer, flg_vert, flg_edge, flg_face, flg_skin, flexid, pnt,
                  vec, vertid, normal);
}

mjtNum mju_rayFlex(const mjModel* m, const mjData* d, int flex_layer, mjtByte flg_vert,
                   mjtByte flg_edge, mjtByte flg_face, mjtByte flg_skin, int flexid,
                   const mjtNum* pnt, const mjtNum* vec, int vertid[1]) {
  check_pair(m, d);
  check_given(pnt, vec);
  return ray_flex(__func__, m, d, flex_layer, flg_vert, flg_edge, flg_face, flg_skin, flexid, pnt,
                  vec, vertid, NULL);
}
