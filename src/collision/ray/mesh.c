// Rays against meshes: descent of the BVH, nearer box first, then triangles.
//                                                              theory/contact/rays.md, Ray and mesh

#pragma STDC FP_CONTRACT OFF  // rounding decides whether a ray through an edge hits

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "collision/ray/ray.h"
#include "model/checks/pair.h"
#include "model/model.h"

void ray_view(mjtNum view[2][3], const mjtNum v[3]) {
  mjtNum unit[3], axis[3] = {0, 0, 0};
  v3_copy(unit, v);
  v3_normalize(unit);
  axis[mju_abs(unit[0]) < (mjtNum)0.5 ? 0 : 1] = 1;
  v3_cross(view[0], unit, axis);
  v3_normalize(view[0]);
  v3_cross(view[1], unit, view[0]);
}

// The triangle is hit if its projection along the ray holds the projected o. Then, from its plane,
//   n = (a - c) x (b - c),  x = n.(c - o) / n.v
mjtNum ray_triangle(const mjtNum o[3], const mjtNum v[3], const mjtNum view[2][3],
                    const mjtNum corner[3][3]) {
  mjtNum from[3][3], seen[3][2];
  for (int i = 0; i < 3; i++) {
    v3_sub(from[i], corner[i], o);
    seen[i][0] = v3_dot(view[0], from[i]);
    seen[i][1] = v3_dot(view[1], from[i]);
  }

  // weights of a and b; the weight of c is the rest
  mjtNum a[2] = {seen[0][0] - seen[2][0], seen[0][1] - seen[2][1]};
  mjtNum b[2] = {seen[1][0] - seen[2][0], seen[1][1] - seen[2][1]};
  mjtNum det = a[0] * b[1] - a[1] * b[0];
  if (mju_abs(det) < mjMINVAL) {
    return -1;
  }
  mjtNum wa = (b[0] * seen[2][1] - b[1] * seen[2][0]) / det;
  mjtNum wb = (a[1] * seen[2][0] - a[0] * seen[2][1]) / det;
  if (!(wa >= 0 && wb >= 0 && wa + wb <= 1)) {
    return -1;
  }

  mjtNum ca[3], cb[3], normal[3];
  v3_sub(ca, corner[0], corner[2]);
  v3_sub(cb, corner[1], corner[2]);
  v3_cross(normal, ca, cb);
  mjtNum slope = v3_dot(v, normal);
  return mju_abs(slope) < mjMINVAL ? -1 : v3_dot(from[2], normal) / slope;
}

// A ray prepared for tests with axis-aligned boxes. The two sides normal to an axis are crossed at
//
//   x = (centre - from) / vec -+ size / |vec|
//
// Parallel to the sides this would be 0/0: the component is made tiny and the interval wide.
typedef struct Slabs_ {
  mjtNum from[3];
  mjtNum inverse[3];
  mjtNum length[3];  // |inverse|
  mjtNum wider[3];
} Slabs;

static void slabs_of(Slabs* out, const mjtNum o[3], const mjtNum v[3]) {
  const mjtNum tiny = (mjtNum)1e-27, wide = (mjtNum)1e15;
  v3_copy(out->from, o);
  for (int k = 0; k < 3; k++) {
    int parallel = mju_abs(v[k]) < tiny;
    out->inverse[k] = 1 / (parallel ? tiny : v[k]);
    out->length[k] = mju_abs(out->inverse[k]);
    out->wider[k] = parallel ? wide : 0;
  }
}

// Where the ray enters two boxes (centre, half sizes): 0 if it starts inside, HUGE_VAL if it
// doesn't meet the box before x. The boxes are lanes of the same arithmetic.
static inline void enter_boxes(mjtNum in[2], const Slabs* ray, const mjtNum a[6], const mjtNum b[6],
                               mjtNum x) {
  Simd2 begin = {0, 0}, end = {x, x};
  for (int k = 0; k < 3; k++) {
    Simd2 mid = (simd2(a[k], b[k]) - ray->from[k]) * ray->inverse[k];
    Simd2 half = simd2(a[3 + k], b[3 + k]) * ray->length[k] + ray->wider[k];
    Simd2 low = mid - half, high = mid + half;
    for (int i = 0; i < 2; i++) {
      begin[i] = num_max(low[i], begin[i]);
      end[i] = num_min(high[i], end[i]);
    }
  }
  for (int i = 0; i < 2; i++) {
    in[i] = begin[i] <= end[i] ? begin[i] : (mjtNum)HUGE_VAL;
  }
}

static mjtNum ray_face(const mjModel* m, int mesh, int id, const mjtNum o[3], const mjtNum v[3],
                       const mjtNum view[2][3]) {
  const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  const int* face = m->mesh_face + 3 * (m->mesh_faceadr[mesh] + id);
  mjtNum corner[3][3];
  for (int i = 0; i < 3; i++) {
    const float* p = vert + 3 * face[i];
    v3_set(corner[i], p[0], p[1], p[2]);
  }
  return ray_triangle(o, v, view, corner);
}

// The nearest face in the BVH of a mesh. The nearer of two boxes is opened first. A box that
// begins behind the nearest face so far is dropped.
static mjtNum nearest_face(int* face, const mjModel* m, int mesh, const mjtNum o[3],
                           const mjtNum v[3]) {
  const int root = m->mesh_bvhadr[mesh];
  struct {
    mjtNum in;
    int node;
  } later[MODEL_TREE_DEPTH];
  mjtNum view[2][3], nearest = (mjtNum)HUGE_VAL;
  Slabs ray;
  slabs_of(&ray, o, v);
  ray_view(view, v);

  int num = 0, node = m->mesh_bvhnum[mesh] ? root : -1;
  while (node >= 0) {
    int id = m->bvh_nodeid[node];
    if (id >= 0) {
      mjtNum x = ray_face(m, mesh, id, o, v, view);
      if (x >= 0 && x < nearest) {
        nearest = x;
        *face = id;
      }
    } else {
      int a = root + m->bvh_child[2 * node], b = root + m->bvh_child[2 * node + 1];
      // loads of the next step run while the boxes are computed
      __builtin_prefetch(m->bvh_child + 2 * a);
      __builtin_prefetch(m->bvh_child + 2 * b);
      __builtin_prefetch(m->bvh_nodeid + a);
      __builtin_prefetch(m->bvh_nodeid + b);
      mjtNum in[2];
      enter_boxes(in, &ray, m->bvh_aabb + 6 * a, m->bvh_aabb + 6 * b, nearest);
      int swap = in[1] < in[0];
      mjtNum first = in[swap], second = in[!swap];
      if (second < (mjtNum)HUGE_VAL) {
        later[num].in = second;
        later[num++].node = swap ? a : b;
      }
      if (first < (mjtNum)HUGE_VAL) {
        node = swap ? b : a;
        continue;
      }
    }
    while (num && later[num - 1].in > nearest) {
      num--;
    }
    node = num ? later[--num].node : -1;
  }
  return nearest < (mjtNum)HUGE_VAL ? nearest : -1;
}

mjtNum ray_meshat(int* face, const mjModel* m, int mesh, const mjtNum pos[3], const mjtNum mat[9],
                  const mjtNum pnt[3], const mjtNum vec[3]) {
  mjtNum o[3], v[3];
  *face = -1;
  ray_tolocal(o, v, pos, mat, pnt, vec);
  return nearest_face(face, m, mesh, o, v);
}

mjtNum ray_mesh(int* face, const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3],
                const mjtNum vec[3]) {
  mjtNum o[3], v[3];
  *face = -1;
  ray_tolocal(o, v, d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom, pnt, vec);
  if (ray_box(o, v, m->geom_size + 3 * geom) < 0) {
    return -1;
  }
  return nearest_face(face, m, m->geom_dataid[geom], o, v);
}

void ray_facenormal(mjtNum n[3], const mjModel* m, int mesh, int face) {
  const int* corner = m->mesh_face + 3 * (m->mesh_faceadr[mesh] + face);
  const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  mjtNum p[3][3], side[2][3];
  for (int i = 0; i < 3; i++) {
    const float* v = vert + 3 * corner[i];
    v3_set(p[i], v[0], v[1], v[2]);
  }
  v3_sub(side[0], p[1], p[0]);
  v3_sub(side[1], p[2], p[0]);
  v3_cross(n, side[0], side[1]);
}

static mjtNum ray_checkedmesh(const char* caller, const mjModel* m, const mjData* d, int geomid,
                              const mjtNum pnt[3], const mjtNum vec[3], mjtNum normal[3]) {
  check_index(caller, "geom", geomid, m->ngeom);
  if (m->geom_type[geomid] != mjGEOM_MESH) {
    mju_error("%s: geom %d is not a mesh", caller, geomid);
    return -1;
  }
  int face;
  mjtNum n[3] = {0, 0, 0}, x = ray_mesh(&face, m, d, geomid, pnt, vec);
  if (normal && x >= 0) {
    ray_facenormal(n, m, m->geom_dataid[geomid], face);
  }
  return ray_end(normal, x, d->geom_xmat + 9 * geomid, n);
}

mjtNum mj_rayMesh(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3],
                  const mjtNum vec[3]) {
  check_pair(m, d);
  check_given(pnt, vec);
  return ray_checkedmesh(__func__, m, d, geomid, pnt, vec, NULL);
}

mjtNum cnd_rayMeshNormal(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3],
                         const mjtNum vec[3], mjtNum normal[3]) {
  check_pair(m, d);
  check_given(pnt, vec);
  return ray_checkedmesh(__func__, m, d, geomid, pnt, vec, normal);
}
