#pragma STDC FP_CONTRACT OFF  // the frame follows from a normal, bit by bit

#include "collision/contact_param.h"

#include <mujoco/api/base.h>
#include <mujoco/mjdata.h>

#include "base/vec.h"

typedef struct Param {
  int dim;
  mjtNum gap;
  mjtNum friction[5];
  mjtNum solref[mjNREF];
  mjtNum solreffriction[mjNREF];
  mjtNum solimp[mjNIMP];
} Param;

mjtNum contact_margin(const mjModel* m, int g1, int g2, int ipair) {
  if (m->opt.enableflags & mjENBL_OVERRIDE) {
    return m->opt.o_margin;
  }
  return ipair >= 0 ? m->pair_margin[ipair] : num_max(m->geom_margin[g1], m->geom_margin[g2]);
}

// Weight of geom 1 in a mean of both, by solmix.
static mjtNum mix_weight(mjtNum mix1, mjtNum mix2) {
  if (mix1 >= mjMINVAL && mix2 >= mjMINVAL) {
    return mix1 / (mix1 + mix2);
  }
  if (mix1 < mjMINVAL && mix2 < mjMINVAL) {
    return (mjtNum)0.5;
  }
  return mix1 < mjMINVAL ? 0 : (mjtNum)1;
}

// (sliding, torsion, rolling) -> (tangent 1, tangent 2, spin, roll 1, roll 2)
static void friction_expand(mjtNum out[5], const mjtNum f[3]) {
  out[0] = out[1] = f[0];
  out[2] = f[1];
  out[3] = out[4] = f[2];
}

// Unequal priority: the higher one decides alone. Equal: weighted means, except that friction and
// dimension are the larger ones and that solref in the direct form (stiffness, damping: not
// positive) can't be averaged and is the smaller one.
static void param_of_geoms(Param* out, const mjModel* m, int g1, int g2) {
  const mjtNum *ref1 = m->geom_solref + mjNREF * g1, *ref2 = m->geom_solref + mjNREF * g2;
  const mjtNum *imp1 = m->geom_solimp + mjNIMP * g1, *imp2 = m->geom_solimp + mjNIMP * g2;
  const mjtNum *fri1 = m->geom_friction + 3 * g1, *fri2 = m->geom_friction + 3 * g2;

  out->gap = num_max(m->geom_gap[g1], m->geom_gap[g2]);
  memset(out->solreffriction, 0, sizeof(out->solreffriction));

  if (m->geom_priority[g1] != m->geom_priority[g2]) {
    int first = m->geom_priority[g1] > m->geom_priority[g2];
    out->dim = m->geom_condim[first ? g1 : g2];
    memcpy(out->solref, first ? ref1 : ref2, sizeof(out->solref));
    memcpy(out->solimp, first ? imp1 : imp2, sizeof(out->solimp));
    friction_expand(out->friction, first ? fri1 : fri2);
    return;
  }

  out->dim = int_max(m->geom_condim[g1], m->geom_condim[g2]);
  mjtNum mix = mix_weight(m->geom_solmix[g1], m->geom_solmix[g2]);
  int mean = ref1[0] > 0 && ref2[0] > 0;
  for (int i = 0; i < mjNREF; i++) {
    out->solref[i] = mean ? mix * ref1[i] + (1 - mix) * ref2[i] : num_min(ref1[i], ref2[i]);
  }
  for (int i = 0; i < mjNIMP; i++) {
    out->solimp[i] = mix * imp1[i] + (1 - mix) * imp2[i];
  }
  mjtNum friction[3];
  for (int i = 0; i < 3; i++) {
    friction[i] = num_max(fri1[i], fri2[i]);
  }
  friction_expand(out->friction, friction);
}

static void param_of_pair(Param* out, const mjModel* m, int ipair) {
  out->dim = m->pair_dim[ipair];
  out->gap = m->pair_gap[ipair];
  memcpy(out->solref, m->pair_solref + mjNREF * ipair, sizeof(out->solref));
  memcpy(out->solreffriction, m->pair_solreffriction + mjNREF * ipair, sizeof(out->solreffriction));
  memcpy(out->solimp, m->pair_solimp + mjNIMP * ipair, sizeof(out->solimp));
  memcpy(out->friction, m->pair_friction + 5 * ipair, sizeof(out->friction));
}

void contact_frame(mjtNum frame[9]) {
  mjtNum *x = frame, *y = frame + 3, *z = frame + 6;
  if (v3_normalize(x) < (mjtNum)0.5) {
    mju_error("contact_frame: a contact has no normal (are the positions of its geoms computed?)");
  }
  if (v3_dot(y, y) < (mjtNum)0.25) {
    int level = x[1] < (mjtNum)0.5 && x[1] > (mjtNum)-0.5;
    v3_set(y, 0, level ? 1 : 0, level ? 0 : 1);
  }
  v3_addtoscl(y, x, -v3_dot(x, y));
  v3_normalize(y);
  v3_cross(z, x, y);
}

void contact_fill(const mjModel* m, mjContact* con, int num, int g1, int g2, int ipair,
                  mjtNum margin) {
  Param param;
  if (ipair >= 0) {
    param_of_pair(&param, m, ipair);
  } else {
    param_of_geoms(&param, m, g1, g2);
  }
  if (param.dim < 1 || param.dim > 6) {
    mju_error("mj_collision: condim of the contact between geoms %d and %d is %d, not 1, 3, 4 or 6",
              g1, g2, param.dim);
  }
  if (m->opt.enableflags & mjENBL_OVERRIDE) {
    memcpy(param.solref, m->opt.o_solref, sizeof(param.solref));
    memcpy(param.solreffriction, m->opt.o_solref, sizeof(param.solreffriction));
    memcpy(param.solimp, m->opt.o_solimp, sizeof(param.solimp));
    memcpy(param.friction, m->opt.o_friction, sizeof(param.friction));
  }
  for (int i = 0; i < 5; i++) {
    param.friction[i] = num_max((mjtNum)mjMINMU, param.friction[i]);
  }

  // contacts of one pair often share their normal and hint, the first six numbers of the frame
  mjtNum given[6];
  for (int i = 0; i < num; i++, con++) {
    if (i && !memcmp(given, con->frame, sizeof(given))) {
      m3_copy(con->frame, con[-1].frame);
    } else {
      memcpy(given, con->frame, sizeof(given));
      contact_frame(con->frame);
    }
    con->includemargin = margin - param.gap;
    memcpy(con->friction, param.friction, sizeof(con->friction));
    memcpy(con->solref, param.solref, sizeof(con->solref));
    memcpy(con->solreffriction, param.solreffriction, sizeof(con->solreffriction));
    memcpy(con->solimp, param.solimp, sizeof(con->solimp));
    con->mu = 0;
    memset(con->H, 0, sizeof(con->H));
    con->dim = param.dim;
    con->geom1 = con->geom[0] = g1;
    con->geom2 = con->geom[1] = g2;
    for (int k = 0; k < 2; k++) {
      con->flex[k] = con->elem[k] = con->vert[k] = -1;
    }
    con->exclude = con->dist >= con->includemargin;
    con->efc_address = -1;
  }
}
