// Spatial tendons: length, gradient and drawn points, piece by piece along the path.

#pragma STDC FP_CONTRACT OFF  // rounding decides whether a string that grazes touches

#include "smooth/tendon_path.h"

#include <mujoco/api/base.h>

#include "base/algebra/simd.h"
#include "base/algebra/spatial.h"
#include "base/algebra/vec.h"
#include "model/behaviour.h"
#include "smooth/jacobian.h"
#include "smooth/wrap.h"

// points for drawing

static void put_point(TendonPath* path, mjData* d, const mjtNum pos[3], int obj) {
  v3_copy(d->wrap_xpos + 3 * path->npoint, pos);
  d->wrap_obj[path->npoint++] = obj;
}

// straight pieces

// A point of a body.
typedef struct {
  const mjtNum* pos;
  int body;
} Point;

static Point site_point(const mjModel* m, const mjData* d, int wrap) {
  int site = m->wrap_objid[wrap];
  return (Point){d->site_xpos + 3 * site, m->site_bodyid[site]};
}

// Column of a dof in the row, searched from *at on if the row is packed.
INLINE int next_column(const TendonPath* path, int* at, int dof) {
  if (!path->colind) {
    return dof;
  }
  while (path->colind[*at] != dof) {
    (*at)++;
  }
  return *at;
}

// J += scale n' J_end for the dofs of a chain from `first` on, which move only this end.
INLINE void add_own(TendonPath* path, const mjData* d, const int* chain, int first, int count,
                    const mjtNum r[3], const mjtNum n[3], mjtNum scale, int at) {
  for (int i = first; i < count; i++) {
    const mjtNum* cdof = d->cdof + 6 * chain[i];
    mjtNum column[3];
    v3_crossadd(column, cdof, r, cdof + 3);
    path->val[next_column(path, &at, chain[i])] += scale * v3_dot(column, n);
  }
}

// J += scale n' (J_b - J_a): the rate at which the dofs lengthen the piece from a to b with
// direction n.
//
// Dofs that move both bodies (both chains begin with them) turn the piece without lengthening it.
// Rounding leaves about 1e-18 there. It is stored rather than set to 0, because later matrices take
// their sparsity from which entries are exactly zero. Both ends are computed in one pair of SIMD
// lanes.
static KERNEL void add_gradient(TendonPath* path, const mjModel* m, const mjData* d, const Point* a,
                                const Point* b, const mjtNum n[3], mjtNum scale) {
  int na, nb, shared = 0, at = 0;
  const int* chain_a = jac_body_chain(&na, m, a->body);
  const int* chain_b = jac_body_chain(&nb, m, b->body);
  if (path->colind) {
    path->nnz = jac_merge_chain(path->val, path->colind, path->nnz, chain_a, na);
    path->nnz = jac_merge_chain(path->val, path->colind, path->nnz, chain_b, nb);
  }
  mjtNum ra[3], rb[3];
  v3_sub(ra, a->pos, d->subtree_com + 3 * m->body_rootid[a->body]);
  v3_sub(rb, b->pos, d->subtree_com + 3 * m->body_rootid[b->body]);

  const VecPair r = {simd2(ra[0], rb[0]), simd2(ra[1], rb[1]), simd2(ra[2], rb[2])};
  for (; shared < na && shared < nb && chain_a[shared] == chain_b[shared]; shared++) {
    const mjtNum* cdof = d->cdof + 6 * chain_a[shared];
    VecPair ends = vecpair_cross(cdof[0], cdof[1], cdof[2], r);
    ends.x += cdof[3];
    ends.y += cdof[4];
    ends.z += cdof[5];
    mjtNum column[3] = {ends.x[1] - ends.x[0], ends.y[1] - ends.y[0], ends.z[1] - ends.z[0]};
    path->val[next_column(path, &at, chain_a[shared])] += scale * v3_dot(column, n);
  }
  add_own(path, d, chain_a, shared, na, ra, n, -scale, at);
  add_own(path, d, chain_b, shared, nb, rb, n, scale, at);
}

static void add_piece(TendonPath* path, const mjModel* m, const mjData* d, Point a, Point b,
                      mjtNum scale) {
  mjtNum n[3];
  v3_sub(n, b.pos, a.pos);
  path->length += scale * v3_normalize(n);
  if (a.body != b.body) {
    add_gradient(path, m, d, &a, &b, n, scale);
  }
}

// pieces around geoms

// Adds a piece from site to site around the geom between them, or straight if the geom is not in
// the way.
// Also lane_piece in lanes/dynamics/levers.h.
static void add_wrapped(TendonPath* path, const mjModel* m, mjData* d, int wrap, mjtNum scale) {
  Point a = site_point(m, d, wrap), b = site_point(m, d, wrap + 2);
  int geom = m->wrap_objid[wrap + 1];
  int side = (int)mju_round(m->wrap_prm[wrap + 1]);
  if (side < -1 || side >= m->nsite) {
    mju_error("mj_tendon: a path names the side site %d, but there is none", side);
  }
  mjtNum touch[6];
  mjtNum arc =
      wrap_geom(touch, a.pos, b.pos, d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom,
                m->geom_size[3 * geom], (mjtWrap)m->wrap_type[wrap + 1],
                side < 0 ? NULL : d->site_xpos + 3 * side, behaves(m, cndBEHAVIOUR_sidesite));
  put_point(path, d, a.pos, PATH_SITE);
  if (arc < 0) {
    add_piece(path, m, d, a, b, scale);
    return;
  }
  put_point(path, d, touch, geom);
  put_point(path, d, touch + 3, geom);
  add_piece(path, m, d, a, (Point){touch, m->geom_bodyid[geom]}, scale);
  path->length += scale * arc;
  add_piece(path, m, d, (Point){touch + 3, m->geom_bodyid[geom]}, b, scale);
}

// length = sum of |x_b - x_a| and arcs, each times scale = 1 / divisor of its pulley
// Also lane_tendons in lanes/dynamics/levers.h and put_paths in lanes/setup/lever_constants.c.
void path_follow(TendonPath* path, const mjModel* m, mjData* d, int tendon) {
  const mjtNum origin[3] = {0, 0, 0};
  int wrap = m->tendon_adr[tendon], end = wrap + m->tendon_num[tendon];
  mjtNum scale = 1;
  while (wrap < end) {
    const int* type = m->wrap_type + wrap;
    if (type[0] == mjWRAP_PULLEY) {
      scale = 1 / m->wrap_prm[wrap];
      put_point(path, d, origin, PATH_PULLEY);
      wrap++;
    } else if (type[0] != mjWRAP_SITE) {
      mju_error("mj_tendon: the path of tendon %d has a geom that is not between sites", tendon);
    } else if (wrap + 1 == end || type[1] == mjWRAP_PULLEY) {
      put_point(path, d, site_point(m, d, wrap).pos, PATH_SITE);
      wrap++;
    } else if (type[1] == mjWRAP_SITE) {
      put_point(path, d, site_point(m, d, wrap).pos, PATH_SITE);
      add_piece(path, m, d, site_point(m, d, wrap), site_point(m, d, wrap + 1), scale);
      wrap++;
    } else if (wrap + 2 < end && type[2] == mjWRAP_SITE) {
      add_wrapped(path, m, d, wrap, scale);
      wrap += 2;
    } else {
      mju_error("mj_tendon: the path of tendon %d has a geom that is not between sites", tendon);
    }
  }
}

// accelerations

// For a piece with direction n and length l, whose ends move with relative
// velocity v and acceleration a:
//
//   l'' = n . a + n' . v,   n' = (v - n (n . v)) / l
// Also lane_piece_acceleration in lanes/dynamics/levers.h.
static mjtNum piece_acceleration(const mjModel* m, const mjData* d, Point a, Point b) {
  mjtNum n[3], velocity[2][3], acceleration[2][3], v[3];
  if (a.body == b.body) {
    return 0;
  }
  v3_sub(n, b.pos, a.pos);
  mjtNum length = v3_normalize(n);
  jac_point_velocity(velocity[0], m, d, a.pos, a.body);
  jac_point_velocity(velocity[1], m, d, b.pos, b.body);
  jac_point_acceleration(acceleration[0], NULL, m, d, a.pos, a.body);
  jac_point_acceleration(acceleration[1], NULL, m, d, b.pos, b.body);
  mjtNum sum = v3_dot(n, acceleration[1]) - v3_dot(n, acceleration[0]);
  if (length > mjMINVAL) {
    v3_sub(v, velocity[1], velocity[0]);
    mjtNum along = v3_dot(n, v);
    sum += (v3_dot(v, v) - along * along) / length;
  }
  return sum;
}

mjtNum path_acceleration(const mjModel* m, const mjData* d, int tendon) {
  int wrap = m->tendon_adr[tendon], end = wrap + m->tendon_num[tendon];
  mjtNum scale = 1, sum = 0;
  if (m->wrap_type[wrap] == mjWRAP_JOINT) {
    return 0;
  }
  for (; wrap < end; wrap++) {
    int type = m->wrap_type[wrap];
    if (type == mjWRAP_PULLEY) {
      scale = 1 / m->wrap_prm[wrap];
    } else if (type != mjWRAP_SITE) {
      mju_error("tendon %d has armature and wraps a geom: that is not supported", tendon);
    } else if (wrap + 1 < end && m->wrap_type[wrap + 1] == mjWRAP_SITE) {
      sum += scale * piece_acceleration(m, d, site_point(m, d, wrap), site_point(m, d, wrap + 1));
    }
  }
  return sum;
}
