// Forces of spatial tendons on the bodies along their paths.
//                                                   theory/smooth/inertia.md, Forces between bodies

#include "constraint/tendon_load.h"

#include <string.h>

#include "base/algebra/vec.h"
#include "constraint/rows/makers.h"
#include "model/data/arena.h"
#include "model/terms.h"
#include "smooth/passive.h"
#include "smooth/tendon.h"
#include "smooth/tendon_path.h"

// the force along each tendon, positive where it lengthens: qfrc = J' force

// -armature (J qacc + (d/dt J) qvel)
static mjtNum inertial_force(const mjModel* m, mjData* d, int tendon) {
  mjtNum armature = terms_tendon_armature(m, tendon);
  if (armature == 0) {
    return 0;
  }
  TendonRow row = tendon_view(m, d, tendon);
  mjtNum acceleration = path_acceleration(m, d, tendon);
  for (int i = 0; i < row.n; i++) {
    acceleration += row.val[i] * d->qacc[row.colind ? row.colind[i] : i];
  }
  return -armature * acceleration;
}

// A limit's row is the gradient of length - lower or of upper - length.
static mjtNum limit_sign(const mjModel* m, const mjData* d, int tendon, int row) {
  const mjtNum* range = m->tendon_range + 2 * tendon;
  mjtNum length = d->ten_length[tendon], pos = d->efc_pos[row];
  return mju_abs(pos - (length - range[0])) <= mju_abs(pos - (range[1] - length)) ? 1 : -1;
}

// y = D0 + D1 x + ... + D4 x^4: the row is the gradient of y less the slope times that of x.
static void add_coupling(mjtNum* force, const mjModel* m, const mjData* d, int row) {
  int equality = d->efc_id[row], x = m->eq_obj2id[equality];
  const mjtNum* data = m->eq_data + mjNEQDATA * equality;
  force[m->eq_obj1id[equality]] += d->efc_force[row];
  if (x >= 0) {
    mjtNum u = d->ten_length[x] - m->tendon_length0[x];
    mjtNum slope = coupling_slope(data, u);
    force[x] -= slope * d->efc_force[row];
  }
}

static void add_rows(mjtNum* force, const mjModel* m, const mjData* d) {
  for (int i = 0; i < d->nefc; i++) {
    int id = d->efc_id[i];
    if (d->efc_type[i] == mjCNSTR_FRICTION_TENDON) {
      force[id] += d->efc_force[i];
    } else if (d->efc_type[i] == mjCNSTR_LIMIT_TENDON) {
      force[id] += limit_sign(m, d, id, i) * d->efc_force[i];
    } else if (d->efc_type[i] == mjCNSTR_EQUALITY && m->eq_type[id] == mjEQ_TENDON) {
      add_coupling(force, m, d, i);
    }
  }
}

static void add_actuators(mjtNum* force, const mjModel* m, const mjData* d) {
  for (int i = 0; i < (int)m->nactuator; i++) {
    if (m->actuator_trntype[i] == mjTRN_TENDON) {
      int out = m->actuator_outadr[i];
      force[m->actuator_trnid[2 * i]] += m->actuator_gear[6 * out] * d->actuator_force[out];
    }
  }
}

// the forces along the straight pieces of a path

// The body of a point of the path: of its site, or of the geom that it touches. wrap: the element
// of the path to which the point before belongs; becomes that of this point.
static int point_body(const mjModel* m, int object, int* wrap) {
  if (object >= 0) {
    return m->geom_bodyid[object];
  }
  do {
    (*wrap)++;
  } while (m->wrap_type[*wrap] != mjWRAP_SITE);
  return m->site_bodyid[m->wrap_objid[*wrap]];
}

static void load_path(const mjModel* m, const mjData* d, int tendon, mjtNum force, LoadBody* load,
                      mjData* loaded) {
  int wrap = m->tendon_adr[tendon] - 1, first = d->ten_wrapadr[tendon], before = -1;
  mjtNum scale = 1;
  for (int i = first; i < first + d->ten_wrapnum[tendon]; i++) {
    if (d->wrap_obj[i] == PATH_PULLEY) {
      do {
        wrap++;
      } while (m->wrap_type[wrap] != mjWRAP_PULLEY);
      scale = 1 / m->wrap_prm[wrap];
      before = -1;
      continue;
    }
    int body = point_body(m, d->wrap_obj[i], &wrap);
    if (before >= 0 && body != before) {
      const mjtNum *a = d->wrap_xpos + 3 * (i - 1), *b = d->wrap_xpos + 3 * i, none[3] = {0};
      mjtNum along[3];
      v3_sub(along, b, a);
      v3_normalize(along);
      v3_scl(along, along, force * scale);
      load(m, loaded, before, along, none, a, -1);
      load(m, loaded, body, along, none, b, 1);
    }
    before = body;
  }
}

void tendon_load(const mjModel* m, mjData* d, LoadBody* load) {
  size_t top = arena_top(d);
  mjtNum* force = arena_num(d, m->ntendon);
  for (int t = 0; t < m->ntendon; t++) {
    force[t] = passive_tendon_force(m, d, t) + inertial_force(m, d, t);
  }
  add_actuators(force, m, d);
  add_rows(force, m, d);
  for (int t = 0; t < m->ntendon; t++) {
    if (force[t] != 0 && m->wrap_type[m->tendon_adr[t]] != mjWRAP_JOINT) {
      load_path(m, d, t, force[t], load, d);
    }
  }
  arena_pop(d, top);
}
