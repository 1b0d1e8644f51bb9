// behaviour_use.c: in which models a behaviour can change a result. One function for each row of
// the table; it may say 1 too often, never 0 where a number depends on the rule.

#include "base/actuator.h"
#include "base/algebra/any.h"
#include "base/joint.h"
#include "base/memory/check.h"
#include "base/transmission.h"
#include "base/turn.h"
#include "model/behaviour.h"

static int is_implicit(const mjModel* m) {
  return m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST;
}

static int any_byte(const mjtByte* x, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i]) {
      return 1;
    }
  }
  return 0;
}

// Can the model have rows of constraints at all?
static int may_constrain(const mjModel* m) {
  return m->nv > 0 &&
         (m->neq > 0 || m->npair > 0 || m->ngeom + m->nflex > 1 ||
          any_byte(m->jnt_limited, m->njnt) || any_byte(m->tendon_limited, m->ntendon) ||
          num_any(m->dof_frictionloss, (size_t)m->nv) ||
          num_any(m->tendon_frictionloss, (size_t)m->ntendon));
}

static int uses_actearly(const mjModel* m) {
  for (int i = 0; i < (int)m->nactuator && is_implicit(m); i++) {
    if (m->actuator_actearly[i] && m->actuator_dyntype[i] != mjDYN_NONE &&
        m->actuator_gaintype[i] != mjGAIN_FIXED) {
      return 1;
    }
  }
  return 0;
}

// Actuators with a law of their own have always had the later rule.
static int uses_actclamp(const mjModel* m) {
  for (int i = 0; i < (int)m->nactuator && is_implicit(m); i++) {
    int joint = actuator_joint(m, i), tendon = actuator_tendon(m, i);
    if (m->actuator_forcelimited[i] || (joint >= 0 && m->jnt_actfrclimited[joint]) ||
        (tendon >= 0 && m->tendon_actfrclimited[tendon])) {
      return 1;
    }
  }
  return 0;
}

// Once a model is compiled, no ratio is left.
static int uses_dampratio(const mjModel* m) {
  for (int i = 0; i < (int)m->nactuator; i++) {
    const mjtNum* bias = m->actuator_biasprm + mjNBIAS * i;
    if (!gain_has_law(m->actuator_gaintype[i]) && bias[2] > 0 &&
        m->actuator_gainprm[mjNGAIN * i] == -bias[1]) {
      return 1;
    }
  }
  return 0;
}

// Each part of a model is compiled by the rule of its own file, and nothing asks for it later.
static int uses_compile(const mjModel* m) {
  (void)m;
  return 0;
}

// Zeros change no result.
static int uses_pathdofs(const mjModel* m) {
  (void)m;
  return 0;
}

static int uses_servowrap(const mjModel* m) {
  for (int i = 0; i < (int)m->nactuator; i++) {
    if (servo_turn(m, i) > 0) {
      return 1;
    }
  }
  return 0;
}

// Where solvers end at the minimum, their way there is below their tolerance.
static int uses_solverexit(const mjModel* m) {
  const int few = 20;
  int ends_early = m->opt.solver == mjSOL_PGS || m->opt.noslip_iterations > 0 ||
                   m->opt.iterations < few || m->opt.ls_iterations < few;
  return ends_early && may_constrain(m);
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

// Pairs of the general search (two curved shapes or meshes, or one with anything convex), and those
// of signed distance fields.
static int uses_gjkepa(const mjModel* m) {
  int solids = count_geoms(m, mjGEOM_ELLIPSOID) + count_geoms(m, mjGEOM_CYLINDER) +
               count_geoms(m, mjGEOM_MESH);
  int others =
      count_geoms(m, mjGEOM_SPHERE) + count_geoms(m, mjGEOM_CAPSULE) + count_geoms(m, mjGEOM_BOX);
  int grounds = count_geoms(m, mjGEOM_HFIELD), fields = count_geoms(m, mjGEOM_SDF);
  int is_native = !(m->opt.disableflags & mjDSBL_NATIVECCD);
  return (fields && fields + solids + others > 1) ||
         (is_native &&
          ((solids && solids + others > 1) || (grounds && solids + others) || m->nflex));
}

static int uses_boxclip(const mjModel* m) {
  return count_geoms(m, mjGEOM_BOX) > 1;
}

static int uses_capsules(const mjModel* m) {
  return count_geoms(m, mjGEOM_CAPSULE) > 1;
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

static int uses_weldpose(const mjModel* m) {
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

static int has_sensor(const mjModel* m, mjtSensor type) {
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] == (int)type) {
      return 1;
    }
  }
  return 0;
}

static int uses_tactile(const mjModel* m) {
  return has_sensor(m, mjSENS_TACTILE);
}

static int uses_insidecom(const mjModel* m) {
  return has_sensor(m, mjSENS_INSIDESITE);
}

static int uses_gyrofast(const mjModel* m) {
  for (int j = 0; j < m->njnt && m->opt.integrator == mjINT_IMPLICITFAST; j++) {
    if (m->jnt_type[j] == mjJNT_FREE) {
      return 1;
    }
  }
  return 0;
}

static int is_turned(const mjModel* m, int site) {
  return m->site_quat[4 * site] != 1;
}

static int uses_siteturn(const mjModel* m) {
  for (int i = 0; i < (int)m->nactuator; i++) {
    const mjtNum* gear = m->actuator_gear + 6 * m->actuator_outadr[i];
    const int* site = m->actuator_trnid + 2 * i;
    int is_relative = m->actuator_trntype[i] == mjTRN_SITE && site[1] >= 0;
    if (is_relative && (gear[3] != 0 || gear[4] != 0 || gear[5] != 0) &&
        (is_turned(m, site[0]) || is_turned(m, site[1]))) {
      return 1;
    }
  }
  return 0;
}

static int uses_smalldrag(const mjModel* m) {
  for (int i = 0; i < m->ngeom; i++) {
    if (m->geom_fluid[mjNFLUID * i] > 0 && m->opt.density > 0) {
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

// It is over when the text has been read, and each part is read by its own rule.
static int uses_shortcuts(const mjModel* m) {
  (void)m;
  return 0;
}

static int uses_restacc(const mjModel* m) {
  return has_sensor(m, mjSENS_ACCELEROMETER) || has_sensor(m, mjSENS_FRAMELINACC);
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
