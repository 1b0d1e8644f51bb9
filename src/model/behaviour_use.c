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

static int uses_flex(const mjModel* m) {
  return m->nflex > 0;
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
