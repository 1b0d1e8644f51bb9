// follow.c: what follows from numbers of a compiled model that a program has changed, and
// cnd_setConst, which computes all of it.                  theory/model/model.md, After an edit

#include "compile/derive/follow.h"

#include <condyle/condyle.h>
#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "compile/derive/derive.h"
#include "compile/derive/fluid.h"
#include "compile/derive/primitive.h"
#include "model/checks/pair.h"
#include "model/reach.h"

void follow_size(mjModel* m, int geom) {
  mjtGeom type = (mjtGeom)m->geom_type[geom];
  double size[3], aabb[6], fluid[mjNFLUID];
  mjtNum* has = m->geom_fluid + mjNFLUID * geom;
  if (type < mjGEOM_SPHERE || type > mjGEOM_BOX) {
    return;
  }
  for (int k = 0; k < 3; k++) {
    size[k] = (double)m->geom_size[3 * geom + k];
  }
  primitive_aabb(aabb, type, size);
  m->geom_rbound[geom] = (mjtNum)primitive(type)->radius(aabb + 3);
  for (int k = 0; k < 6; k++) {
    m->geom_aabb[6 * geom + k] = (mjtNum)aabb[k];
  }
  if (has[0] > 0) {
    fluid_coefficients(fluid, (double)has[0], has + 1, type, size);
    for (int k = 0; k < mjNFLUID; k++) {
      has[k] = (mjtNum)fluid[k];
    }
  }
}

// Bounds of a height field, from hfield_size (x, y, height, depth).
static void follow_hfield(mjModel* m, int geom) {
  const mjtNum* size = m->hfield_size + 4 * m->geom_dataid[geom];
  mjtNum* aabb = m->geom_aabb + 6 * geom;
  mjtNum deepest = num_max(size[2], size[3]);
  const mjtNum box[6] = {0, 0, (size[2] - size[3]) / 2, size[0], size[1], (size[2] + size[3]) / 2};
  memcpy(aabb, box, sizeof(box));
  m->geom_rbound[geom] =
      (mjtNum)sqrt((double)(size[0] * size[0] + size[1] * size[1] + deepest * deepest));
  m->geom_size[3 * geom] = size[0];
  m->geom_size[3 * geom + 1] = size[1];
  m->geom_size[3 * geom + 2] = size[2] / 4 + size[3] / 2;
}

void follow_bodyframes(mjModel* m) {
  for (int i = 0; i < m->nbody; i++) {
    m->body_sameframe[i] = (mjtByte)derive_bodyframe(m->body_ipos + 3 * i, m->body_iquat + 4 * i);
  }
}

void follow_geomframes(mjModel* m) {
  for (int i = 0; i < m->ngeom; i++) {
    int body = m->geom_bodyid[i];
    m->geom_sameframe[i] =
        (mjtByte)derive_sameframe(m->geom_pos + 3 * i, m->geom_quat + 4 * i,
                                  m->body_ipos + 3 * body, m->body_iquat + 4 * body);
  }
}

void follow_siteframes(mjModel* m) {
  for (int i = 0; i < m->nsite; i++) {
    int body = m->site_bodyid[i];
    m->site_sameframe[i] =
        (mjtByte)derive_sameframe(m->site_pos + 3 * i, m->site_quat + 4 * i,
                                  m->body_ipos + 3 * body, m->body_iquat + 4 * body);
  }
}

void follow_margins(mjModel* m) {
  reach_of_bodies(m->body_margin, m);
}

void follow_gravcomp(mjModel* m) {
  m->ngravcomp = 0;
  for (int i = 0; i < m->nbody; i++) {
    m->ngravcomp += m->body_gravcomp[i] > 0;
  }
}

// cnd_setConst

// Ends in an error if the rows of M of a body have become dense, because M has no place for that.
static void check_simple(const mjModel* m) {
  mjtByte* now = heap_take((size_t)m->nbody);
  derive_simple(now, m);
  for (int i = 0; i < m->nbody; i++) {
    if (now[i] < m->body_simple[i]) {
      const char* name = m->names + m->name_bodyadr[i];
      mju_error(
          "cnd_setConst: body %d '%s' was compiled as one with a diagonal inertia, which it "
          "has no more: compile it with <body simple=\"false\">",
          i, name);
    }
  }
  heap_free(now);
}

// Ends in an error if a geom of a body without boxes may collide now.
static void follow_bits(mjModel* m) {
  for (int i = 0; i < m->nbody; i++) {
    int contype = 0, conaffinity = 0, count = 0;
    for (int g = m->body_geomadr[i]; g >= 0 && g < m->body_geomadr[i] + m->body_geomnum[i]; g++) {
      contype |= m->geom_contype[g];
      conaffinity |= m->geom_conaffinity[g];
      count += m->geom_contype[g] || m->geom_conaffinity[g];
    }
    if (2 * count - 1 > m->body_bvhnum[i]) {
      mju_error(
          "cnd_setConst: body %d '%s' has %d geoms that collide, but was compiled with boxes "
          "for %d: compile it again",
          i, m->names + m->name_bodyadr[i], count, (m->body_bvhnum[i] + 1) / 2);
    }
    m->body_contype[i] = contype;
    m->body_conaffinity[i] = conaffinity;
  }
}

static void follow_all(mjModel* m) {
  follow_bodyframes(m);
  check_simple(m);
  follow_geomframes(m);
  follow_siteframes(m);
  for (int i = 0; i < m->ngeom; i++) {
    if (m->geom_type[i] == mjGEOM_HFIELD) {
      follow_hfield(m, i);
    } else {
      follow_size(m, i);
    }
  }
  follow_bits(m);
  follow_margins(m);
  follow_gravcomp(m);
  derive_refit(m);
}

typedef struct Setting_ {
  mjModel* m;
  mjData* d;
} Setting;

// Poses of cameras and lights in d stay as they were.
static void set_all(void* argument) {
  mjModel* m = ((Setting*)argument)->m;
  mjData* d = ((Setting*)argument)->d;
  mjtNum* const parts[] = {d->cam_xpos, d->cam_xmat, d->light_xpos, d->light_xdir};
  const size_t counts[] = {3 * (size_t)m->ncam, 9 * (size_t)m->ncam, 3 * (size_t)m->nlight,
                           3 * (size_t)m->nlight};
  follow_all(m);
  mjtNum* seen = heap_take((12 * (size_t)m->ncam + 6 * (size_t)m->nlight + 1) * sizeof(mjtNum));
  mjtNum* at = seen;
  for (int k = 0; k < 4; at += counts[k++]) {
    memory_copy(at, parts[k], counts[k] * sizeof(mjtNum));
  }
  derive_following(m, d);
  at = seen;
  for (int k = 0; k < 4; at += counts[k++]) {
    memory_copy(parts[k], at, counts[k] * sizeof(mjtNum));
  }
  heap_free(seen);
}

void cnd_setConst(mjModel* m, mjData* d) {
  check_pair(m, d);
  error_pass(set_all, &(Setting){m, d});
}
