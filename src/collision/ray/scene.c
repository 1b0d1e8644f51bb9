// Rays against all geoms of a scene.                                           theory/rays.md, Rays

#pragma STDC FP_CONTRACT OFF  // rounding decides whether a ray that grazes hits

#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>
#include <mujoco/api/model.h>
#include <mujoco/mjvisualize.h>

#include "base/check.h"
#include "base/vec.h"
#include "collision/ray/ray.h"
#include "collision/sdf/ray.h"

mjtNum ray_geom(const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3],
                const mjtNum vec[3]) {
  switch (m->geom_type[geom]) {
    case mjGEOM_MESH:
      return mj_rayMesh(m, d, geom, pnt, vec);
    case mjGEOM_HFIELD:
      return mj_rayHfield(m, d, geom, pnt, vec);
    case mjGEOM_SDF:
      return ray_sdf(m, d, geom, pnt, vec);
    default:
      return mju_rayGeom(d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom, m->geom_size + 3 * geom,
                         pnt, vec, m->geom_type[geom]);
  }
}

// What a ray doesn't see: the excluded body, what is drawn fully transparent, and by the caller's
// choice what can't move and groups of geoms.
static int is_invisible(const mjModel* m, int geom, const mjtByte* geomgroup, int flg_static,
                        int bodyexclude) {
  int body = m->geom_bodyid[geom], material = m->geom_matid[geom];
  const float* rgba = material < 0 ? m->geom_rgba + 4 * geom : m->mat_rgba + 4 * material;
  if (body == bodyexclude || rgba[3] == 0 || (!flg_static && m->body_weldid[body] == 0)) {
    return 1;
  }
  int group = int_max(0, int_min(mjNGROUP - 1, m->geom_group[geom]));
  return geomgroup && !geomgroup[group];
}

// Squared radius of a sphere around what a ray can meet of a geom; -1 if there is none.
static mjtNum reach(const mjModel* m, int geom) {
  const mjtNum* size = m->geom_size + 3 * geom;
  switch (m->geom_type[geom]) {
    case mjGEOM_SPHERE:
      return size[0] * size[0];
    case mjGEOM_CAPSULE:
      return (size[0] + size[1]) * (size[0] + size[1]);
    case mjGEOM_CYLINDER:
      return size[0] * size[0] + size[1] * size[1];
    case mjGEOM_ELLIPSOID:
    case mjGEOM_BOX:
    case mjGEOM_MESH:
      return v3_dot(size, size);
    default:
      return -1;
  }
}

// A ray while it looks for the nearest geom.
typedef struct Search_ {
  const mjtNum* pnt;
  const mjtNum* vec;
  mjtNum vv;       // vec.vec
  mjtNum nearest;  // -1 if there is no hit yet
  int geom;
} Search;

static Search search_begin(const char* caller, const mjtNum pnt[3], const mjtNum vec[3]) {
  if (v3_norm(vec) < mjMINVAL) {
    mju_error("%s: vector length is too small", caller);
  }
  return (Search){pnt, vec, v3_dot(vec, vec), -1, -1};
}

// Does the ray pass by the sphere around a geom, or come to it behind the nearest hit? With w = pnt -
// centre the ray is in the sphere where  |v|^2 x^2 + 2 v.w x + |w|^2 - r^2 <= 0. Never yes for what
// only rounding decides.
static int passes_by(const Search* s, const mjModel* m, const mjData* d, int geom) {
  const mjtNum slack = sizeof(mjtNum) == 8 ? (mjtNum)1e-10 : (mjtNum)1e-4;
  mjtNum r2 = reach(m, geom), w[3];
  if (r2 < 0) {
    return 0;
  }
  v3_sub(w, s->pnt, d->geom_xpos + 3 * geom);
  mjtNum ww = v3_dot(w, w), b = v3_dot(s->vec, w);
  mjtNum c = ww - r2 - slack * (ww + r2);
  if (c <= 0) {
    return 0;
  }
  if (b >= 0 || b * b < s->vv * c) {
    return 1;
  }
  mjtNum x = s->nearest, reached = s->vv * x;
  return x >= 0 && reached < -b && (reached + 2 * b) * x + c > 0;
}

static void search_geom(Search* s, const mjModel* m, const mjData* d, int geom) {
  mjtNum x = ray_geom(m, d, geom, s->pnt, s->vec);
  if (x >= 0 && (s->geom < 0 || x < s->nearest)) {
    s->nearest = x;
    s->geom = geom;
  }
}

mjtNum mj_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3],
              const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude, int geomid[1]) {
  check_given(m, d, pnt, vec);
  Search s = search_begin(__func__, pnt, vec);
  for (int i = 0; i < m->ngeom; i++) {
    if (!passes_by(&s, m, d, i) && !is_invisible(m, i, geomgroup, flg_static, bodyexclude)) {
      search_geom(&s, m, d, i);
    }
  }
  if (geomid) {
    *geomid = s.geom;
  }
  return s.nearest;
}

// many rays from one point

// A geom that rays are tried on: azimuths and polar angles under which corners of its box are seen.
typedef struct Target_ {
  int geom;
  int anywhere;  // no bounds
  mjtNum lower[2];
  mjtNum upper[2];
} Target;

// azimuth about z and angle from z
static void angles_of(mjtNum out[2], const mjtNum v[3]) {
  out[0] = mju_atan2(v[1], v[0]);
  out[1] = mju_atan2(mju_sqrt(v[0] * v[0] + v[1] * v[1]), v[2]);
}

static void set_window(Target* out, const mjModel* m, const mjData* d, const mjtNum pnt[3]) {
  const mjtNum *aabb = m->geom_aabb + 6 * out->geom, *half = aabb + 3;
  const mjtNum *pos = d->geom_xpos + 3 * out->geom, *mat = d->geom_xmat + 9 * out->geom;
  mjtNum from[3], local[3];
  v3_sub(from, pnt, pos);
  m3_tmulv(local, mat, from);
  v3_subfrom(local, aabb);
  out->anywhere =
      mju_abs(local[0]) <= half[0] && mju_abs(local[1]) <= half[1] && mju_abs(local[2]) <= half[2];
  for (int i = 0; i < 8; i++) {
    mjtNum corner[3], angle[2];
    for (int k = 0; k < 3; k++) {
      corner[k] = aabb[k] + (i >> k & 1 ? half[k] : -half[k]);
    }
    m3_mulv(corner, mat, corner);
    v3_subfrom(corner, from);
    angles_of(angle, corner);
    for (int k = 0; k < 2; k++) {
      out->lower[k] = i ? num_min(out->lower[k], angle[k]) : angle[k];
      out->upper[k] = i ? num_max(out->upper[k], angle[k]) : angle[k];
    }
  }
  out->anywhere |= out->upper[0] - out->lower[0] > mjPI;
}

static int in_window(const Target* t, const mjtNum angle[2]) {
  return t->anywhere || (angle[0] >= t->lower[0] && angle[0] <= t->upper[0] &&
                         angle[1] >= t->lower[1] && angle[1] <= t->upper[1]);
}

// Does the ray miss the sphere around a body's box tree? Its centre is the box's, not turned with the
// body.
static int passes_body(const mjModel* m, const mjData* d, int body, const mjtNum pnt[3],
                       const mjtNum vec[3]) {
  const mjtNum* aabb = m->bvh_aabb + 6 * m->body_bvhadr[body];
  mjtNum centre[3];
  v3_add(centre, d->xipos + 3 * body, aabb);
  return m->body_bvhnum[body] && ray_ball(pnt, vec, centre, v3_dot(aabb + 3, aabb + 3)) < 0;
}

// The geoms that are visible and, if their body has a box tree, not farther than cutoff.
static int find_targets(Target* out, const mjModel* m, const mjData* d, const mjtNum pnt[3],
                        const mjtByte* geomgroup, int flg_static, int bodyexclude, mjtNum cutoff) {
  int num = 0;
  for (int i = 0; i < m->ngeom; i++) {
    Target* t = out + num;
    *t = (Target){.geom = i, .anywhere = 1};
    if (is_invisible(m, i, geomgroup, flg_static, bodyexclude)) {
      continue;
    }
    if (m->body_bvhnum[m->geom_bodyid[i]]) {
      if (v3_dist(d->geom_xpos + 3 * i, pnt) > cutoff + m->geom_rbound[i]) {
        continue;
      }
      set_window(t, m, d, pnt);
    }
    num++;
  }
  return num;
}

void mj_multiRay(const mjModel* m, mjData* d, const mjtNum pnt[3], const mjtNum* vec,
                 const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude, int* geomid,
                 mjtNum* dist, int nray, mjtNum cutoff) {
  check_given(m, d, pnt);
  check_arrays(nray, vec, geomid, dist);
  mj_markStack(d);
  Target* target = mj_stackAllocByte(d, (size_t)(m->ngeom + 1) * sizeof(Target), _Alignof(Target));
  int num = find_targets(target, m, d, pnt, geomgroup, flg_static, bodyexclude, cutoff);
  for (int i = 0; i < nray; i++) {
    Search s = search_begin(__func__, pnt, vec + 3 * i);
    mjtNum angle[2];
    angles_of(angle, s.vec);
    int body = -1, passed = 0;
    for (const Target* t = target; t < target + num; t++) {
      if (m->geom_bodyid[t->geom] != body) {
        body = m->geom_bodyid[t->geom];
        passed = passes_body(m, d, body, pnt, s.vec);
      }
      if (!passed && in_window(t, angle) && !passes_by(&s, m, d, t->geom)) {
        search_geom(&s, m, d, t->geom);
      }
    }
    dist[i] = s.nearest;
    geomid[i] = s.geom;
  }
  mj_freeStack(d);
}
