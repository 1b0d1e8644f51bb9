// Velocities of geoms from qvel, and bounds of what they sweep.
//                                                       theory/contact/speculative.md, Fast pairs

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: equal lengths decide who is fast

#include "collision/broad/travel.h"

#include <math.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/any.h"
#include "base/algebra/vec.h"
#include "model/data/arena.h"

// V_i = V_parent + sum cdof qvel, about the com of the tree. cvel is of no use: it is computed from
// positions, after the contacts.
static void body_velocities(mjtNum (*V)[6], const mjModel* m, const mjData* d) {
  sp_zero(V[0]);
  for (int i = 1; i < m->nbody; i++) {
    sp_copy(V[i], V[m->body_parentid[i]]);
    int end = m->body_dofadr[i] + m->body_dofnum[i];
    for (int j = m->body_dofadr[i]; j < end; j++) {
      sp_addtoscl(V[i], d->cdof + 6 * j, d->qvel[j]);
    }
  }
}

// dx = h (v + w x (x - com)), dw = h w
static void travel_of(GeomTravel* out, const mjModel* m, const mjData* d, const mjtNum V[6],
                      int geom) {
  const mjtNum* com = d->subtree_com + 3 * m->body_rootid[m->geom_bodyid[geom]];
  mjtNum arm[3], h = m->opt.timestep;
  v3_sub(arm, d->geom_xpos + 3 * geom, com);
  v3_cross(out->move, V, arm);
  v3_addto(out->move, V + 3);
  v3_scl(out->move, out->move, h);
  v3_scl(out->turn, V, m->geom_type[geom] == mjGEOM_SPHERE ? 0 : h);
  out->angle = v3_norm(out->turn);
  out->length = v3_norm(out->move) + out->angle * m->geom_rbound[geom];
}

// The smallest half size of a geom's box. Only convex shapes that may collide take part. A plane is
// not thin: the half-space below it is solid.
static mjtNum thickness(const mjModel* m, int geom) {
  int type = m->geom_type[geom];
  int takes_part = type >= mjGEOM_SPHERE && type <= mjGEOM_MESH &&
                   (m->geom_contype[geom] || m->geom_conaffinity[geom] || m->npair);
  const mjtNum* half = m->geom_aabb + 6 * geom + 3;
  return takes_part ? num_min(half[0], num_min(half[1], half[2])) : INFINITY;
}

// Fills in both arrays; returns the longest way and the smallest thickness of all. Planes and what
// has no velocity don't travel. A way that is not a number is none: it can't be followed.
static BodyTravel find_travel(GeomTravel* geom, BodyTravel* body, const mjModel* m, const mjData* d,
                              mjtNum (*V)[6]) {
  BodyTravel all = {0, INFINITY};
  for (int i = 0; i < m->nbody; i++) {
    body[i] = (BodyTravel){0, INFINITY};
    int first = m->body_geomadr[i], moves = num_any(V[i], 6);
    for (int g = first; g < first + m->body_geomnum[i]; g++) {
      memset(geom + g, 0, sizeof(GeomTravel));
      geom[g].thin = thickness(m, g);
      if (moves && m->geom_type[g] != mjGEOM_PLANE) {
        travel_of(geom + g, m, d, V[i], g);
      }
      body[i].length = num_max(body[i].length, geom[g].length);
      body[i].thin = num_min(body[i].thin, geom[g].thin);
    }
    all.length = num_max(all.length, body[i].length);
    all.thin = num_min(all.thin, body[i].thin);
  }
  return all;
}

int travel_open(Travel* out, const mjModel* m, mjData* d) {
  if (!(m->opt.enableflags & mjENBL_SPECULATIVE) || m->opt.disableflags & mjDSBL_NATIVECCD) {
    return 0;
  }
  size_t top = d->pstack, geoms = (size_t)m->ngeom, bodies = (size_t)m->nbody;
  size_t bytes = geoms * sizeof(GeomTravel) + bodies * sizeof(BodyTravel);
  GeomTravel* geom = arena_push(d, bytes, _Alignof(GeomTravel));
  size_t kept = d->pstack;
  mjtNum(*V)[6] = geom ? arena_push(d, bodies * sizeof(*V), _Alignof(mjtNum)) : NULL;
  if (!V) {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
    arena_pop(d, top);
    return 0;
  }
  BodyTravel* body = (BodyTravel*)(void*)(geom + geoms);
  body_velocities(V, m, d);
  BodyTravel all = find_travel(geom, body, m, d, V);
  int any = all.length > 0 && all.length >= all.thin;
  *out = (Travel){geom, body};
  arena_pop(d, any ? kept : top);
  return any;
}

// A turning geom stays in its sphere, and no point of it comes further than |dw| rbound.
void travel_extend(GeomBox* box, const Travel* travel, const mjModel* m, int geom) {
  const GeomTravel* way = travel->geom + geom;
  if (!(way->length > 0)) {
    return;
  }
  const mjtNum rounding = 1 + (mjtNum)1e-6;
  mjtNum turned = num_min(way->angle, 1) * m->geom_rbound[geom];
  // what comes near on its way counts as hit before it touches: see NEAR in impact.c
  mjtNum around = (turned + way->length * (mjtNum)0.04) * rounding;
  for (int k = 0; k < 3; k++) {
    mjtNum along = way->move[k] * rounding;
    box->lo[k] = (float)((mjtNum)box->lo[k] + num_min(0, along) - around);
    box->hi[k] = (float)((mjtNum)box->hi[k] + num_max(0, along) + around);
  }
}

// min over t in [0, 1] of |p + t v|
static mjtNum least_distance(const mjtNum p[3], const mjtNum v[3]) {
  mjtNum vv = v3_dot(v, v), nearest[3];
  mjtNum t = vv > 0 ? num_clamp(-v3_dot(p, v) / vv, 0, 1) : 0;
  v3_addscl(nearest, p, v, t);
  return v3_norm(nearest);
}

int travel_spheres_apart(const Travel* travel, const mjModel* m, const mjData* d, int g1, int g2,
                         mjtNum margin) {
  const GeomTravel *travel1 = travel->geom + g1, *travel2 = travel->geom + g2;
  mjtNum r1 = m->geom_rbound[g1], r2 = m->geom_rbound[g2], gap[3], move[3], n[3];
  v3_sub(gap, d->geom_xpos + 3 * g2, d->geom_xpos + 3 * g1);
  v3_sub(move, travel2->move, travel1->move);
  if (r1 > 0 && r2 > 0) {
    return least_distance(gap, move) > r1 + r2 + margin;
  }
  int plane = m->geom_type[g1] == mjGEOM_PLANE ? g1 : m->geom_type[g2] == mjGEOM_PLANE ? g2 : -1;
  mjtNum r = plane == g1 ? r2 : r1, side = plane == g1 ? 1 : -1;
  if (plane < 0 || !(r > 0)) {
    return 0;
  }
  m3_column(n, d->geom_xmat + 9 * plane, 2);
  return side * v3_dot(gap, n) + num_min(0, side * v3_dot(move, n)) > r + margin;
}
