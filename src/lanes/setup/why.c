// why.c: what keeps a model out of lanes. Types, flags and choices that lanes have stand in lists;
// whatever is not in them is refused, so that nothing new passes as something old. Combinations
// that they don't have are asked about one by one.

#include "lanes/setup/why.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stdio.h>

#include "base/actuator.h"
#include "base/algebra/vec.h"
#include "constraint/law/problem.h"
#include "lanes/setup/paths.h"
#include "model/behaviour.h"
#include "model/field.h"
#include "model/options.h"
#include "sensor/functions.h"

typedef struct Complaint {
  char* text;
  size_t size;
  const mjModel* m;
} Complaint;

// "the joint 'hip': reason"
static int complain(const Complaint* c, int type, int id, const char* kind, const char* reason) {
  const char* name = mj_id2name(c->m, type, id);
  if (name) {
    snprintf(c->text, c->size, "%s '%s' %s", kind, name, reason);
  } else {
    snprintf(c->text, c->size, "%s %d %s", kind, id, reason);
  }
  return 1;
}

static int complain_of(const Complaint* c, const char* text) {
  snprintf(c->text, c->size, "%s", text);
  return 1;
}

// What lanes have. Bits of a flag, or of 1 << type.

#define BIT(type) (1u << (type))

enum {
  JOINTS = BIT(mjJNT_FREE) | BIT(mjJNT_BALL) | BIT(mjJNT_SLIDE) | BIT(mjJNT_HINGE),
  GEOMS = BIT(mjGEOM_PLANE) | BIT(mjGEOM_HFIELD) | BIT(mjGEOM_SPHERE) | BIT(mjGEOM_CAPSULE) |
          BIT(mjGEOM_ELLIPSOID) | BIT(mjGEOM_CYLINDER) | BIT(mjGEOM_BOX) | BIT(mjGEOM_MESH),
  CONDIMS = BIT(1) | BIT(3) | BIT(4) | BIT(6),
  EQUALITIES = BIT(mjEQ_CONNECT) | BIT(mjEQ_WELD) | BIT(mjEQ_JOINT) | BIT(mjEQ_TENDON),
  TRANSMISSIONS = BIT(mjTRN_JOINT) | BIT(mjTRN_JOINTINPARENT) | BIT(mjTRN_SLIDERCRANK) |
                  BIT(mjTRN_TENDON) | BIT(mjTRN_SITE) | BIT(mjTRN_BODY),
  DYNAMICS = BIT(mjDYN_NONE) | BIT(mjDYN_INTEGRATOR) | BIT(mjDYN_FILTER) | BIT(mjDYN_FILTEREXACT) |
             BIT(mjDYN_MUSCLE),
  GAINS = BIT(mjGAIN_FIXED) | BIT(mjGAIN_AFFINE) | BIT(mjGAIN_MUSCLE),
  BIASES = BIT(mjBIAS_NONE) | BIT(mjBIAS_AFFINE) | BIT(mjBIAS_MUSCLE),
  INTEGRATORS = BIT(mjINT_EULER) | BIT(mjINT_RK4) | BIT(mjINT_IMPLICIT) | BIT(mjINT_IMPLICITFAST),
  SOLVERS = BIT(mjSOL_PGS) | BIT(mjSOL_CG) | BIT(mjSOL_NEWTON),
  CONES = BIT(mjCONE_PYRAMIDAL) | BIT(mjCONE_ELLIPTIC),
  JACOBIANS = BIT(mjJAC_DENSE) | BIT(mjJAC_SPARSE) | BIT(mjJAC_AUTO),
  DISABLING = mjDSBL_CONSTRAINT | mjDSBL_EQUALITY | mjDSBL_FRICTIONLOSS | mjDSBL_LIMIT |
              mjDSBL_CONTACT | mjDSBL_SPRING | mjDSBL_DAMPER | mjDSBL_GRAVITY | mjDSBL_CLAMPCTRL |
              mjDSBL_WARMSTART | mjDSBL_FILTERPARENT | mjDSBL_ACTUATION | mjDSBL_REFSAFE |
              mjDSBL_SENSOR | mjDSBL_MIDPHASE | mjDSBL_EULERDAMP | mjDSBL_AUTORESET |
              mjDSBL_NATIVECCD | mjDSBL_ISLAND,
  ENABLING = mjENBL_OVERRIDE | mjENBL_ENERGY | mjENBL_FWDINV | mjENBL_INVDISCRETE | mjENBL_MULTICCD
};

static int lane_has(unsigned known, int type) {
  return type >= 0 && type < 32 && known >> type & 1;
}

// The first of n types that is not known; -1 if all are.
static int unknown(unsigned known, const int* type, int n) {
  for (int i = 0; i < n; i++) {
    if (!lane_has(known, type[i])) {
      return i;
    }
  }
  return -1;
}

static int why_types(const Complaint* c) {
  static const char kind_is[] = "is of a type that lanes don't have";
  static const char dim_is[] = "has a condim that lanes don't have";
  const mjModel* m = c->m;
  const struct {
    unsigned known;
    const int* type;
    int n, object;
    const char *kind, *reason;
  } lists[] = {
      {JOINTS, m->jnt_type, m->njnt, mjOBJ_JOINT, "the joint", kind_is},
      {GEOMS, m->geom_type, m->ngeom, mjOBJ_GEOM, "the geom", kind_is},
      {CONDIMS, m->geom_condim, m->ngeom, mjOBJ_GEOM, "the geom", dim_is},
      {CONDIMS, m->pair_dim, m->npair, mjOBJ_PAIR, "the pair", dim_is},
      {EQUALITIES, m->eq_type, m->neq, mjOBJ_EQUALITY, "the equality", kind_is},
  };
  for (size_t k = 0; k < sizeof(lists) / sizeof(lists[0]); k++) {
    int i = unknown(lists[k].known, lists[k].type, lists[k].n);
    if (i >= 0) {
      return complain(c, lists[k].object, i, lists[k].kind, lists[k].reason);
    }
  }
  return 0;
}

static int why_sizes(const Complaint* c) {
  const mjModel* m = c->m;
  const char* reason = m->nv > MOST_DOFS
                           ? "the model has too many degrees of freedom to gain from lanes"
                       : !m->nv     ? "the model has no degrees of freedom"
                       : m->nflex   ? "the model has flexes"
                       : m->nplugin ? "the model has plugins"
                                    : NULL;
  return reason && complain_of(c, reason);
}

// Arrays of later releases, of which lanes know none, and behaviours, of which they know those of
// constants, tendons and actuators.
static int why_later(const Complaint* c) {
  const char* field = field_later(c->m);
  const int known = 1 << cndBEHAVIOUR_marginsum | 1 << cndBEHAVIOUR_marginband |
                    1 << cndBEHAVIOUR_weldpose | 1 << cndBEHAVIOUR_siteturn |
                    1 << cndBEHAVIOUR_sidesite | 1 << cndBEHAVIOUR_tendonload |
                    1 << cndBEHAVIOUR_actclamp | 1 << cndBEHAVIOUR_actearly;
  const char* behaviour = behaviour_unknown(c->m, known);
  if (field || behaviour) {
    snprintf(c->text, c->size, "the model %s %s, which lanes don't know",
             field ? "uses" : "has the behaviour", field ? field : behaviour);
  }
  return field || behaviour;
}

static int why_bodies(const Complaint* c) {
  const mjModel* m = c->m;
  for (int b = 1; b < m->nbody; b++) {
    if (m->body_rootid[b] == b && m->body_weldid[b] && m->body_subtreemass[b] < mjMINVAL) {
      return complain(c, mjOBJ_BODY, b, "the tree of body", "has no mass");
    }
  }
  for (int g = 0; g < m->ngeom; g++) {
    if (m->cnd_geom_restitution[g] > 0 || m->cnd_contact.restitution > 0) {
      return complain(c, mjOBJ_GEOM, g, "the geom", "bounces");
    }
  }
  return 0;
}

// Whether a fixed tendon has something else than joints, or names one twice.
static const char* fixed_why(const mjModel* m, int tendon) {
  int first = m->tendon_adr[tendon], end = first + m->tendon_num[tendon];
  for (int a = first; a < end; a++) {
    if (m->wrap_type[a] != mjWRAP_JOINT) {
      return "has a path of a kind that lanes don't have";
    }
  }
  for (int a = first; a < end; a++) {
    for (int b = first; b < a; b++) {
      if (m->wrap_objid[a] == m->wrap_objid[b]) {
        return "names a joint twice";
      }
    }
  }
  return NULL;
}

static int why_tendons(const Complaint* c) {
  const mjModel* m = c->m;
  for (int t = 0; t < m->ntendon; t++) {
    int is_fixed = m->wrap_type[m->tendon_adr[t]] == mjWRAP_JOINT;
    const char* reason = is_fixed ? fixed_why(m, t) : path_why(m, t);
    if (reason) {
      return complain(c, mjOBJ_TENDON, t, "the tendon", reason);
    }
  }
  return 0;
}

// Whether a spring's reference is one number of each of its two forms, of which the engine warns.
static int is_mixed(const mjtNum* solref, int n) {
  for (int i = 0; i < n; i++) {
    if ((solref[mjNREF * i] > 0) != (solref[mjNREF * i + 1] > 0)) {
      return 1;
    }
  }
  return 0;
}

static int why_references(const Complaint* c) {
  const mjModel* m = c->m;
  int mixed = is_mixed(m->jnt_solref, m->njnt) || is_mixed(m->dof_solref, m->nv) ||
              is_mixed(m->geom_solref, m->ngeom) || is_mixed(m->pair_solref, m->npair) ||
              is_mixed(m->pair_solreffriction, m->npair) || is_mixed(m->eq_solref, m->neq) ||
              is_mixed(m->tendon_solref_lim, m->ntendon) ||
              is_mixed(m->tendon_solref_fri, m->ntendon);
  return mixed && complain_of(c, "a solref mixes its two forms, which warns in every step");
}

static int why_actuators(const Complaint* c) {
  const mjModel* m = c->m;
  for (int i = 0; i < (int)m->nactuator; i++) {
    int type = m->actuator_trntype[i];
    int dynamics = m->actuator_dyntype[i], gain = m->actuator_gaintype[i];
    int bias = m->actuator_biastype[i];
    const char* reason =
        gain_has_law(gain)               ? "is a controller, orientation or motor"
        : !lane_has(TRANSMISSIONS, type) ? "drives something that lanes don't have"
        : dynamics == mjDYN_USER || gain == mjGAIN_USER || bias == mjBIAS_USER
            ? "is computed by the program"
        : !lane_has(DYNAMICS, dynamics) || !lane_has(GAINS, gain) || !lane_has(BIASES, bias)
            ? "has dynamics, a gain or a bias that lanes don't have"
            : NULL;
    if (reason) {
      return complain(c, mjOBJ_ACTUATOR, i, "the actuator", reason);
    }
  }
  return 0;
}

int why_model(char* text, size_t size, const mjModel* m) {
  const Complaint c = {text, size, m};
  return why_sizes(&c) || why_later(&c) || why_types(&c) || why_bodies(&c) || why_references(&c) ||
         why_tendons(&c) || why_actuators(&c);
}

int coupled_bodies(const mjModel* m) {
  for (int i = 0; i < m->neq; i++) {
    if (m->eq_type[i] == mjEQ_CONNECT || m->eq_type[i] == mjEQ_WELD) {
      return 1;
    }
  }
  for (int t = 0; t < m->ntendon && behaves(m, cndBEHAVIOUR_tendonload); t++) {
    if (m->wrap_type[m->tendon_adr[t]] != mjWRAP_JOINT) {
      return 1;
    }
  }
  return 0;
}

static int is_tracking(const mjModel* m, int type, int id) {
  return type == mjOBJ_CAMERA && id >= 0 && m->cam_mode[id] != mjCAMLIGHT_FIXED;
}

static LaneNeed need_of_type(int type) {
  switch (type) {
#define NEED(kind, need, reading) \
  case mjSENS_##kind:             \
    return need;
    LANE_SENSORS(NEED)
#undef NEED
    default:
      return NEEDS_LANES;
  }
}

// Whether a sensor looks at a camera whose place follows from more than its body's.
static int looks_at_follower(const mjModel* m, int i) {
  return is_tracking(m, m->sensor_objtype[i], m->sensor_objid[i]) ||
         is_tracking(m, m->sensor_reftype[i], m->sensor_refid[i]);
}

// Places and axes of cameras that follow something are read by the scalar engine.
LaneNeed sensor_need(const mjModel* m, int i) {
  int type = m->sensor_type[i];
  int is_pose = type == mjSENS_FRAMEPOS || type == mjSENS_FRAMEQUAT || type == mjSENS_FRAMEXAXIS ||
                type == mjSENS_FRAMEYAXIS || type == mjSENS_FRAMEZAXIS;
  return is_pose && looks_at_follower(m, i) ? NEEDS_POSES : need_of_type(type);
}

// Whether contacts may be told of that push nobody yet.
static int has_gaps(const mjModel* m) {
  for (int g = 0; g < m->ngeom; g++) {
    if (m->geom_gap[g] != 0) {
      return 1;
    }
  }
  for (int k = 0; k < m->npair; k++) {
    if (m->pair_gap[k] != 0) {
      return 1;
    }
  }
  return 0;
}

static const char* why_sensor(const mjModel* m, int i) {
  int type = m->sensor_type[i], object = m->sensor_objid[i];
  int between = type == mjSENS_FORCE || type == mjSENS_TORQUE;
  LaneNeed need = sensor_need(m, i);
  return need == NEEDS_LANES                     ? "is of a kind that lanes don't compute"
         : type == mjSENS_CONTACT && has_gaps(m) ? "counts contacts in a gap, which lanes leave out"
         : type == mjSENS_CONTACT && sensor_hasvelocities(m->sensor_intprm[mjNSENS * i])
             ? "tells velocities of contacts"
         : between && m->site_bodyid[object] == 0 ? "feels forces on the world"
         : between && coupled_bodies(m)
             ? "feels forces between bodies, to which equalities or tendons add"
         : need != NEEDS_POSES && looks_at_follower(m, i)
             ? "tells how a camera moves that follows something"
             : NULL;
}

int why_sensors(char* text, size_t size, const mjModel* m) {
  const Complaint c = {text, size, m};
  for (int i = 0; i < m->nsensor; i++) {
    const char* reason = why_sensor(m, i);
    if (reason) {
      return complain(&c, mjOBJ_SENSOR, i, "the sensor", reason);
    }
  }
  return 0;
}

// Whether an explicit pair couples no dofs. Its rows move nothing, but they count in the costs by
// which PGS chooses its start and finds its end, and lanes don't have them.
static int has_still_pair(const mjModel* m) {
  for (int k = 0; k < m->npair; k++) {
    int body1 = m->geom_bodyid[m->pair_geom1[k]], body2 = m->geom_bodyid[m->pair_geom2[k]];
    if (!m->body_weldid[body1] && !m->body_weldid[body2]) {
      return 1;
    }
  }
  return 0;
}

int lanes_end_early(const mjModel* m, int minimum) {
  return !minimum && m->opt.solver != mjSOL_PGS && problem_is_cut_short(&m->opt);
}

const char* why_options(const mjModel* m, int minimum) {
  const mjOption* o = &m->opt;
  int calls = mjcb_control || mjcb_passive || mjcb_contactfilter || mjcb_sensor || mjcb_act_dyn ||
              mjcb_act_gain || mjcb_act_bias;
  int mixes = o->enableflags & mjENBL_OVERRIDE && is_mixed(o->o_solref, 1);
  // the minimum doesn't depend on who looks for it, but NoSlip leaves it
  return calls                                    ? "the program has set callbacks"
         : m->cnd_contact.mode != cndCONTACT_SOFT ? "contacts are hard or stick"
         : mixes ? "o_solref mixes its two forms, which warns in every step"
         : !lane_has(INTEGRATORS, o->integrator)         ? "lanes don't have the integrator"
         : !lane_has(SOLVERS, o->solver)                 ? "lanes don't have the solver"
         : !lane_has(CONES, o->cone)                     ? "lanes don't have the cone"
         : !lane_has(JACOBIANS, o->jacobian)             ? "lanes don't know the kind of Jacobian"
         : o->disableflags & ~DISABLING                  ? "lanes don't know a flag that disables"
         : o->enableflags & mjENBL_SLEEP                 ? "trees may sleep"
         : o->enableflags & mjENBL_SPECULATIVE           ? "contacts are speculative"
         : o->enableflags & ~ENABLING                    ? "lanes don't know a flag that enables"
         : o->solver == mjSOL_PGS && has_still_pair(m)   ? "PGS visits a pair of fixed geoms"
         : o->noslip_iterations > 0 && has_still_pair(m) ? "NoSlip visits a pair of fixed geoms"
         : o->noslip_iterations > 0 && lanes_end_early(m, minimum) && m->ntree > 1
             ? "NoSlip follows fewer than 20 iterations: allow more, or ask for the minimum"
         : lanes_end_early(m, minimum) && m->ntree > MOST_TREES &&
                 !(o->disableflags & mjDSBL_ISLAND)
             ? "fewer than 20 iterations end before the minimum, which islands of many trees do "
               "each in its own way: allow more, or ask for the minimum"
             : NULL;
}
