// behaviour_use.c: in which models a behaviour can change a result. One function for each row of
// the table; it may say 1 too often, never 0 where a number depends on the rule.

#include "base/joint.h"
#include "base/memory/check.h"
#include "model/behaviour.h"

static int uses_actearly(const mjModel* m) {
  int is_implicit = m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST;
  for (int i = 0; i < (int)m->nactuator && is_implicit; i++) {
    if (m->actuator_actearly[i] && m->actuator_dyntype[i] != mjDYN_NONE &&
        m->actuator_gaintype[i] != mjGAIN_FIXED) {
      return 1;
    }
  }
  return 0;
}

// How many of n numbers are not 0; 2 if one is negative, since 0 is then the larger of two.
static int count_margins(const mjtNum* x, int n) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    count += x[i] < 0 ? 2 : x[i] > 0;
  }
  return count;
}

static int uses_marginsum(const mjModel* m) {
  return count_margins(m->geom_margin, m->ngeom) + count_margins(m->flex_margin, m->nflex) > 1 ||
         count_margins(m->geom_gap, m->ngeom) + count_margins(m->flex_gap, m->nflex) > 1;
}

static int uses_marginband(const mjModel* m) {
  return count_margins(m->geom_gap, m->ngeom) || count_margins(m->flex_gap, m->nflex) ||
         count_margins(m->pair_gap, m->npair);
}

static int count_geoms(const mjModel* m, int type) {
  int count = 0;
  for (int i = 0; i < m->ngeom; i++) {
    count += m->geom_type[i] == type;
  }
  return count;
}

static int uses_meshsdf(const mjModel* m) {
  return count_geoms(m, mjGEOM_SDF) && count_geoms(m, mjGEOM_MESH);
}

static int uses_multiccd(const mjModel* m) {
  int meshes = count_geoms(m, mjGEOM_MESH), boxes = count_geoms(m, mjGEOM_BOX);
  int cylinders = count_geoms(m, mjGEOM_CYLINDER), capsules = count_geoms(m, mjGEOM_CAPSULE);
  int flat = meshes + cylinders;
  return flat && flat + boxes + capsules > 1;
}

static int uses_boxclip(const mjModel* m) {
  return count_geoms(m, mjGEOM_BOX) > 1;
}

static int uses_meshface(const mjModel* m) {
  return count_geoms(m, mjGEOM_PLANE) &&
         (count_geoms(m, mjGEOM_MESH) || count_geoms(m, mjGEOM_SDF));
}

static int uses_fieldmargin(const mjModel* m) {
  int others = m->ngeom + m->nflex - count_geoms(m, mjGEOM_HFIELD);
  return count_geoms(m, mjGEOM_HFIELD) && others &&
         (count_margins(m->geom_margin, m->ngeom) || count_margins(m->flex_margin, m->nflex) ||
          count_margins(m->geom_gap, m->ngeom) || count_margins(m->flex_gap, m->nflex) ||
          m->npair || m->opt.enableflags & mjENBL_OVERRIDE);
}

static int has_tie(const mjModel* m, int is_weld) {
  for (int i = 0; i < m->neq; i++) {
    if (m->eq_type[i] == mjEQ_WELD || (!is_weld && m->eq_type[i] == mjEQ_CONNECT)) {
      return 1;
    }
  }
  return 0;
}

static int uses_jdotv(const mjModel* m) {
  return has_tie(m, 0);
}

static int uses_mocap(const mjModel* m) {
  return m->nmocap > 0;
}

static int uses_weldtorque(const mjModel* m) {
  return has_tie(m, 1);
}

static int uses_tendonload(const mjModel* m) {
  for (int i = 0; i < m->ntendon; i++) {
    if (m->wrap_type[m->tendon_adr[i]] != mjWRAP_JOINT) {
      return 1;
    }
  }
  return 0;
}

static int uses_gyrofast(const mjModel* m) {
  for (int j = 0; j < m->njnt && m->opt.integrator == mjINT_IMPLICITFAST; j++) {
    if (m->jnt_type[j] == mjJNT_FREE) {
      return 1;
    }
  }
  return 0;
}

static int uses_sidesite(const mjModel* m) {
  for (int i = 0; i < m->nwrap; i++) {
    int is_geom = m->wrap_type[i] == mjWRAP_SPHERE || m->wrap_type[i] == mjWRAP_CYLINDER;
    if (is_geom && m->wrap_prm[i] >= 0) {
      return 1;
    }
  }
  return 0;
}

static int uses_restacc(const mjModel* m) {
  for (int i = 0; i < m->nsensor; i++) {
    int type = m->sensor_type[i];
    if (type == mjSENS_ACCELEROMETER || type == mjSENS_FRAMELINACC) {
      return 1;
    }
  }
  return 0;
}

static int uses_rkmk(const mjModel* m) {
  for (int j = 0; j < m->njnt && m->opt.integrator == mjINT_RK4; j++) {
    if (joint_has_quat(m->jnt_type[j])) {
      return 1;
    }
  }
  return 0;
}

int cnd_behaviourMatters(const mjModel* m, int behaviour) {
  static int (*const uses[])(const mjModel*) = {
#define USES(name, release, meaning) uses_##name,
      CND_BEHAVIOURS(USES)
#undef USES
  };
  check_given(m);
  return behaviour >= 0 && behaviour < cndNBEHAVIOUR && uses[behaviour](m);
}

const char* behaviour_unknown(const mjModel* m, int known) {
  for (int i = 0; i < cndNBEHAVIOUR; i++) {
    if (behaves(m, i) && !(known >> i & 1) && cnd_behaviourMatters(m, i)) {
      return cnd_behaviour(i)->name;
    }
  }
  return NULL;
}
