// Rays against all geoms of a scene: first against bounding spheres, several per instruction, then
// against the geoms whose spheres are hit.
//                                                                      theory/contact/rays.md, Rays

#pragma STDC FP_CONTRACT OFF  // rounding decides whether a ray that grazes hits

#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>
#include <mujoco/api/model.h>
#include <mujoco/mjvisualize.h>

#include "base/algebra/elementary.h"
#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "collision/ray/ray.h"
#include "collision/sdf/ray.h"
#include "model/checks/pair.h"

mjtNum ray_geom(const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3],
                const mjtNum vec[3], mjtNum normal[3]) {
  switch (m->geom_type[geom]) {
    case mjGEOM_MESH:
      return cnd_rayMeshNormal(m, d, geom, pnt, vec, normal);
    case mjGEOM_HFIELD:
      return cnd_rayHfieldNormal(m, d, geom, pnt, vec, normal);
    case mjGEOM_SDF:
      return ray_sdf(m, d, geom, pnt, vec, normal);
    default:
      return ray_shape("mj_ray", d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom,
                       m->geom_size + 3 * geom, pnt, vec, m->geom_type[geom], normal);
  }
}

// Whether a ray ignores a geom: because it is on the excluded body or fully transparent, or, by the
// caller's flags, because it is static or in a hidden group.
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

// Squared radius of a sphere around all that rays can meet of a geom: (r + h)^2 <= 2 (r^2 + h^2)
// for capsules, the square of size for other shapes. Planes, height fields and SDFs (whose x is a
// length) have none. There are no branches, because types of geoms alternate.
static mjtNum reach(const mjModel* m, int geom) {
  static const mjtNum factor[mjNGEOMTYPES] = {
      [mjGEOM_SPHERE] = 1,   [mjGEOM_CAPSULE] = 2, [mjGEOM_ELLIPSOID] = 1,
      [mjGEOM_CYLINDER] = 1, [mjGEOM_BOX] = 1,     [mjGEOM_MESH] = 1,
  };
  static const mjtNum least[mjNGEOMTYPES] = {
      [mjGEOM_PLANE] = (mjtNum)1e30, [mjGEOM_HFIELD] = (mjtNum)1e30, [mjGEOM_SDF] = (mjtNum)1e30};
  const mjtNum* size = m->geom_size + 3 * geom;
  int type = m->geom_type[geom];
  return least[type] + factor[type] * v3_dot(size, size);
}

// A ray and the nearest geom that it has hit so far.
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

// A sphere relative to the point where rays begin: from = pnt - centre, c = |from|^2 - r^2.
typedef struct Sphere_ {
  mjtNum from[3];
  mjtNum c;
} Sphere;

static Sphere sphere_of(const mjtNum pnt[3], const mjtNum centre[3], mjtNum r2, mjtNum slack) {
  Sphere s;
  v3_sub(s.from, pnt, centre);
  mjtNum ww = v3_dot(s.from, s.from);
  s.c = ww - r2 - slack * (ww + r2);
  return s;
}

// Relative enlargement of spheres, so that rounding loses no hit.
#define SLACK (sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-10 : (mjtNum)1e-4)

// The sphere around a geom.
static Sphere sphere_around(const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3]) {
  return sphere_of(pnt, d->geom_xpos + 3 * geom, reach(m, geom), SLACK);
}

// Whether the ray misses a sphere, or meets it behind the nearest hit. It is in the sphere where
// |v|^2 x^2 + 2 v.w x + c <= 0.
static int passes_by(const Search* s, const Sphere* sphere) {
  mjtNum b = v3_dot(s->vec, sphere->from), c = sphere->c;
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
  mjtNum x = ray_geom(m, d, geom, s->pnt, s->vec, NULL);
  if (x >= 0 && (s->geom < 0 || x < s->nearest)) {
    s->nearest = x;
    s->geom = geom;
  }
}

enum {
  SPHERES = 64
};

// Spheres by component, for vectors of lanes. c is negative if the point isn't clearly outside.
typedef struct Spheres_ {
  mjtNum from[3][SPHERES];
  mjtNum c[SPHERES];
} Spheres;

// An integer as wide as mjtNum, for the bits of one.
#ifdef mjUSESINGLE
typedef uint32_t Lane;
#else
typedef uint64_t Lane;
#endif
typedef Lane Lanes SIMD_TYPE(32);

// Fills up the last vector behind the first num spheres with spheres that every ray misses.
INLINE void clear_behind(Spheres* all, int num) {
  for (int i = num; i < SIMD_PADDED(num); i++) {
    all->from[0][i] = all->from[1][i] = all->from[2][i] = 0;
    all->c[i] = 1;
  }
}

// The spheres among the first num that the ray meets, whatever its nearest hit, in order; returns
// how many. Signs are enough, because passes_by decides about boundaries:
//
//    c < 0  or  b < 0 and b b - |v|^2 c >= 0
INLINE int meet_spheres(int out[SPHERES], const Search* s, const Spheres* all, int num) {
  Lanes met = {0};
  const mjtNum x = s->vec[0], y = s->vec[1], z = s->vec[2], vv = s->vv;
  for (int i = 0; i < num; i += SIMD_N) {
    SimdN c = SIMD_READ(SimdN, all->c + i);
    SimdN b = x * SIMD_READ(SimdN, all->from[0] + i) + y * SIMD_READ(SimdN, all->from[1] + i) +
              z * SIMD_READ(SimdN, all->from[2] + i);
    SimdN square = b * b - vv * c;
    // one bit of the lane for each vector of spheres
    met |= (((Lanes)b & ~(Lanes)square) | (Lanes)c) >> (8 * sizeof(mjtNum) - 1) << (i / SIMD_N);
  }
  Lane any = 0;
  for (int k = 0; k < SIMD_N; k++) {
    any |= met[k];
  }
  int nmet = 0;
  for (; any; any &= any - 1) {
    int i = __builtin_ctzll(any);
    for (int k = 0; k < SIMD_N; k++) {
      out[nmet] = i * SIMD_N + k;
      nmet += (int)(met[k] >> i & 1);
    }
  }
  return nmet;
}

// The geoms, of num ones from `first` on, whose spheres the ray meets. These spheres enclose those
// of sphere_around: its factors would take a table look-up for each geom.
KERNEL static int meet_geoms(int out[SPHERES], const Search* s, const mjModel* m, const mjData* d,
                             int first, int num) {
  const mjtNum *pos = d->geom_xpos + 3 * first, *size = m->geom_size + 3 * first;
  const int* type = m->geom_type + first;
  const mjtNum px = s->pnt[0], py = s->pnt[1], pz = s->pnt[2];
  Spheres all;
  for (int i = 0; i < num; i++) {
    mjtNum x = px - pos[3 * i], y = py - pos[3 * i + 1], z = pz - pos[3 * i + 2];
    mjtNum sx = size[3 * i], sy = size[3 * i + 1], sz = size[3 * i + 2];
    int bounded = type[i] != mjGEOM_PLANE && type[i] != mjGEOM_HFIELD && type[i] != mjGEOM_SDF;
    mjtNum r2 = 2 * (sx * sx + sy * sy + sz * sz), ww = x * x + y * y + z * z;
    mjtNum c = ww - r2 - SLACK * (ww + r2);
    all.from[0][i] = x;
    all.from[1][i] = y;
    all.from[2][i] = z;
    all.c[i] = bounded && c > 0 ? c : -1;
  }
  clear_behind(&all, num);
  return meet_spheres(out, s, &all, num);
}

// The normal where the ray meets its nearest geom; zeros if there is none.
static void search_normal(mjtNum normal[3], const Search* s, const mjModel* m, const mjData* d) {
  v3_zero(normal);
  if (s->geom >= 0) {
    ray_geom(m, d, s->geom, s->pnt, s->vec, normal);
  }
}

static Search nearest_geom(const char* caller, const mjModel* m, const mjData* d,
                           const mjtNum pnt[3], const mjtNum vec[3], const mjtByte* geomgroup,
                           mjtByte flg_static, int bodyexclude) {
  Search s = search_begin(caller, pnt, vec);
  for (int first = 0; first < m->ngeom; first += SPHERES) {
    int met[SPHERES], num = meet_geoms(met, &s, m, d, first, int_min(m->ngeom - first, SPHERES));
    for (int i = 0; i < num; i++) {
      int geom = first + met[i];
      Sphere around = sphere_around(m, d, geom, pnt);
      if (!passes_by(&s, &around) && !is_invisible(m, geom, geomgroup, flg_static, bodyexclude)) {
        search_geom(&s, m, d, geom);
      }
    }
  }
  return s;
}

mjtNum mj_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3],
              const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude, int geomid[1]) {
  check_pair(m, d);
  check_given(pnt, vec);
  Search s = nearest_geom(__func__, m, d, pnt, vec, geomgroup, flg_static, bodyexclude);
  if (geomid) {
    *geomid = s.geom;
  }
  return s.nearest;
}

mjtNum cnd_rayNormal(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3],
                     const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude, int geomid[1],
                     mjtNum normal[3]) {
  check_pair(m, d);
  check_given(pnt, vec);
  Search s = nearest_geom("mj_ray", m, d, pnt, vec, geomgroup, flg_static, bodyexclude);
  if (geomid) {
    *geomid = s.geom;
  }
  if (normal) {
    search_normal(normal, &s, m, d);
  }
  return s.nearest;
}

// many rays from one point

// A geom for many rays from one point. A ray may hit it if it meets the sphere around its body's
// BVH, and if its azimuth (about z) and its angle from z are within the ranges of the corners of
// the geom's box.
typedef struct Target_ {
  Sphere around;
  int geom;
  int has_tree;
  int anywhere;     // no bounds
  mjtNum first[2];  // directions of the least and the greatest azimuth, at most half a turn apart
  mjtNum last[2];
  mjtNum cosine[2];  // of the greatest and of the least angle from z
  Sphere body;
} Target;

static void set_window(Target* out, const mjModel* m, const mjData* d, const mjtNum pnt[3]) {
  const mjtNum *aabb = m->geom_aabb + 6 * out->geom, *half = aabb + 3;
  const mjtNum *pos = d->geom_xpos + 3 * out->geom, *mat = d->geom_xmat + 9 * out->geom;
  mjtNum from[3], local[3], least = (mjtNum)mjPI, greatest = (mjtNum)-mjPI;
  v3_sub(from, pnt, pos);
  m3_tmulv(local, mat, from);
  v3_subfrom(local, aabb);
  out->cosine[0] = 1;
  out->cosine[1] = -1;
  for (int i = 0; i < 8; i++) {
    mjtNum corner[3];
    for (int k = 0; k < 3; k++) {
      corner[k] = aabb[k] + (i >> k & 1 ? half[k] : -half[k]);
    }
    m3_mulv(corner, mat, corner);
    v3_subfrom(corner, from);
    mjtNum azimuth = num_atan2(corner[1], corner[0]), cosine = corner[2] / v3_norm(corner);
    if (azimuth <= least) {
      least = azimuth;
      mju_copy(out->first, corner, 2);
    }
    if (azimuth >= greatest) {
      greatest = azimuth;
      mju_copy(out->last, corner, 2);
    }
    out->cosine[0] = num_min(out->cosine[0], cosine);
    out->cosine[1] = num_max(out->cosine[1], cosine);
  }
  int inside =
      mju_abs(local[0]) <= half[0] && mju_abs(local[1]) <= half[1] && mju_abs(local[2]) <= half[2];
  out->anywhere = inside || greatest - least > mjPI;
}

static int in_window(const Target* t, const mjtNum v[3], mjtNum length) {
  // vertical rays count as azimuth 0
  mjtNum x = v[0] == 0 && v[1] == 0 ? 1 : v[0], y = v[1];
  return t->anywhere || ((t->first[0] * y >= t->first[1] * x) & (x * t->last[1] >= y * t->last[0]) &
                         (v[2] >= t->cosine[0] * length) & (v[2] <= t->cosine[1] * length));
}

// The sphere around a body's BVH. Its centre is that of the box, but isn't turned with the body (as
// in MuJoCo).
static Sphere body_sphere(const mjModel* m, const mjData* d, int body, const mjtNum pnt[3]) {
  const mjtNum* aabb = m->bvh_aabb + 6 * m->body_bvhadr[body];
  mjtNum centre[3];
  v3_add(centre, d->xipos + 3 * body, aabb);
  return sphere_of(pnt, centre, v3_dot(aabb + 3, aabb + 3), 0);
}

// Whether the ray misses the sphere of a body, or only grazes it.
static int passes_body(const Search* s, const Sphere* body) {
  mjtNum b = v3_dot(s->vec, body->from);
  return b * b - s->vv * body->c < mjMINVAL || (b > 0 && body->c > 0);
}

// Is a geom of a body with a BVH farther than cutoff? A plane is where its centre is, but nowhere
// far by the later rule (spreads).
static int is_far(const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3], mjtNum cutoff,
                  int spreads) {
  if (spreads && m->geom_rbound[geom] == 0) {
    return 0;
  }
  return v3_dist(d->geom_xpos + 3 * geom, pnt) > cutoff + m->geom_rbound[geom];
}

// Lists the visible geoms, except those whose body's BVH is farther than cutoff.
static int find_targets(Target* out, const mjModel* m, const mjData* d, const mjtNum pnt[3],
                        const mjtByte* geomgroup, int flg_static, int bodyexclude, mjtNum cutoff,
                        int spreads) {
  int num = 0;
  for (int i = 0; i < m->ngeom; i++) {
    Target* t = out + num;
    int body = m->geom_bodyid[i];
    *t = (Target){.around = sphere_around(m, d, i, pnt), .geom = i, .anywhere = 1};
    if (is_invisible(m, i, geomgroup, flg_static, bodyexclude)) {
      continue;
    }
    t->has_tree = m->body_bvhnum[body] > 0;
    if (t->has_tree) {
      if (is_far(m, d, i, pnt, cutoff, spreads)) {
        continue;
      }
      t->body = body_sphere(m, d, body, pnt);
      set_window(t, m, d, pnt);
    }
    num++;
  }
  return num;
}

// Collects the spheres around targets.
static const Spheres* spheres_of(mjData* d, const Target* target, int num) {
  size_t groups = (size_t)(num + SPHERES - 1) / SPHERES;
  Spheres* all = mj_stackAllocByte(d, groups * sizeof(Spheres), _Alignof(Spheres));
  for (int i = 0; i < num; i++) {
    Spheres* group = all + i / SPHERES;
    const Sphere* sphere = &target[i].around;
    for (int k = 0; k < 3; k++) {
      group->from[k][i % SPHERES] = sphere->from[k];
    }
    group->c[i % SPHERES] = sphere->c > 0 ? sphere->c : -1;
  }
  if (num % SPHERES) {
    clear_behind(all + groups - 1, num % SPHERES);
  }
  return all;
}

KERNEL static int meet_targets(int met[SPHERES], const Search* s, const Spheres* all, int num) {
  return meet_spheres(met, s, all, num);
}

// Tries a ray on targets.
static void search_targets(Search* s, const mjModel* m, const mjData* d, const Target* target,
                           const int* id, int num) {
  mjtNum length = mju_sqrt(s->vv);
  for (int i = 0; i < num; i++) {
    const Target* t = target + id[i];
    if (!passes_by(s, &t->around) && in_window(t, s->vec, length) &&
        !(t->has_tree && passes_body(s, &t->body))) {
      search_geom(s, m, d, t->geom);
    }
  }
}

static void many_rays(const char* caller, const mjModel* m, mjData* d, const mjtNum pnt[3],
                      const mjtNum* vec, const mjtByte* geomgroup, mjtByte flg_static,
                      int bodyexclude, int* geomid, mjtNum* dist, mjtNum* normal, int nray,
                      mjtNum cutoff, int spreads) {
  mj_markStack(d);
  Target* target = mj_stackAllocByte(d, (size_t)(m->ngeom + 1) * sizeof(Target), _Alignof(Target));
  int num = find_targets(target, m, d, pnt, geomgroup, flg_static, bodyexclude, cutoff, spreads);
  const Spheres* all = spheres_of(d, target, num);
  for (int i = 0; i < nray; i++) {
    Search s = search_begin(caller, pnt, vec + 3 * i);
    for (int first = 0; first < num; first += SPHERES) {
      int met[SPHERES], group = int_min(num - first, SPHERES);
      int nmet = meet_targets(met, &s, all + first / SPHERES, group);
      search_targets(&s, m, d, target + first, met, nmet);
    }
    dist[i] = s.nearest;
    geomid[i] = s.geom;
    if (normal) {
      search_normal(normal + 3 * i, &s, m, d);
    }
  }
  mj_freeStack(d);
}

void mj_multiRay(const mjModel* m, mjData* d, const mjtNum pnt[3], const mjtNum* vec,
                 const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude, int* geomid,
                 mjtNum* dist, int nray, mjtNum cutoff) {
  check_pair(m, d);
  check_given(pnt);
  check_arrays(nray, vec, geomid, dist);
  many_rays(__func__, m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, dist, NULL, nray,
            cutoff, 0);
}

void cnd_multiRayNormal(const mjModel* m, mjData* d, const mjtNum pnt[3], const mjtNum* vec,
                        const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude, int* geomid,
                        mjtNum* dist, mjtNum* normal, int nray, mjtNum cutoff) {
  check_pair(m, d);
  check_given(pnt);
  check_arrays(nray, vec, geomid, dist);
  many_rays("mj_multiRay", m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, dist, normal,
            nray, cutoff, 1);
}
