// Gradients of a step with respect to parameters of the model: the derivatives of kappa . r and
// beta . (M z + h Q a) with respect to masses, inertias, damping, armature, actuator gains and
// biases and, in constraint/constraint_gradient.c, friction and geoms.
// Symbols: kappa and beta in adjoint.c, r in system.h, z, Q and a in discrete.c.
//                                                         theory/time/exact-derivatives.md, Adjoint

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "base/transmission.h"
#include "derivative/constraint/constraint.h"
#include "derivative/parameter_gradient.h"
#include "derivative/smooth/forces.h"
#include "model/options.h"
#include "smooth/actuation.h"
#include "smooth/fluid.h"
#include "smooth/passive.h"

// Groups of parameters for which a gradient is asked.
typedef struct {
  int body, geom, friction, actuator;
} Asked;

static Asked asked_of(const cndParameterGradient* out) {
  return (Asked){.body = out->body_mass || out->body_inertia,
                 .geom = out->geom_pos || out->geom_turn || out->geom_size,
                 .friction = out->geom_friction || out->pair_friction,
                 .actuator = out->actuator_gainprm || out->actuator_biasprm};
}

static int measures(const mjModel* m, int sensor, const Asked* by) {
  int on_geom = m->sensor_objtype[sensor] == mjOBJ_GEOM || m->sensor_reftype[sensor] == mjOBJ_GEOM;
  switch (m->sensor_type[sensor]) {
    case mjSENS_FORCE:
    case mjSENS_TORQUE:
      return by->body || by->geom || by->friction;
    case mjSENS_SUBTREECOM:
    case mjSENS_SUBTREELINVEL:
    case mjSENS_SUBTREEANGMOM:
    case mjSENS_E_POTENTIAL:
    case mjSENS_E_KINETIC:
      return by->body;
    case mjSENS_ACTUATORFRC:
    case mjSENS_JOINTACTFRC:
    case mjSENS_TENDONACTFRC:
      return by->actuator || by->body;
    case mjSENS_TOUCH:
      return by->geom || by->friction;
    case mjSENS_RANGEFINDER:
      return by->geom;
    default:
      return on_geom && by->geom;
  }
}

static void check_geoms(const mjModel* m) {
  for (int i = 0; i < m->nwrap; i++) {
    if (m->wrap_type[i] == mjWRAP_SPHERE || m->wrap_type[i] == mjWRAP_CYLINDER) {
      mju_error(
          "cnd_transitionAdjoint: a tendon wraps geom %d: no gradient by places and sizes of "
          "geoms",
          m->wrap_objid[i]);
    }
  }
  for (int i = 0; i < (int)m->nactuator; i++) {
    if (m->actuator_trntype[i] == mjTRN_BODY) {
      mju_error(
          "cnd_transitionAdjoint: actuator %d pulls along contact normals: no gradient by "
          "places and sizes of geoms",
          i);
    }
  }
  if (m->flg_adhesion) {
    mju_error(
        "cnd_transitionAdjoint: surfaces of the model adhere: no gradient by places and sizes of "
        "geoms");
  }
  if (fluid_is_active(m)) {
    mju_error(
        "cnd_transitionAdjoint: the fluid's forces depend on geoms: no gradient by their places "
        "and sizes");
  }
}

void parameters_check(const cndParameterGradient* out, const mjModel* m, const mjtNum* dsensor) {
  Asked by = asked_of(out);
  if (options_is_discrete(m)) {
    mju_error(
        "cnd_transitionAdjoint: the metric of the integrator discrete depends on parameters: no "
        "gradient by them");
  }
  for (int i = 0; dsensor && i < m->nsensor; i++) {
    int asked = 0;
    for (int k = m->sensor_adr[i]; k < m->sensor_adr[i] + m->sensor_dim[i]; k++) {
      asked |= dsensor[k] != 0;
    }
    if (asked && measures(m, i, &by)) {
      mju_error(
          "cnd_transitionAdjoint: sensor %d measures parameters themselves: no gradient by "
          "them goes through it",
          i);
    }
  }
  if (by.geom) {
    check_geoms(m);
  }
  if ((out->body_mass || out->body_inertia) && fluid_is_active(m)) {
    mju_error(
        "cnd_transitionAdjoint: the fluid's forces depend on masses and inertias: no gradient "
        "by them");
  }
  for (int i = 0; i < (int)m->nactuator; i++) {
    if ((out->actuator_gainprm && m->actuator_gaintype[i] == mjGAIN_MUSCLE) ||
        (out->actuator_biasprm && m->actuator_biastype[i] == mjBIAS_MUSCLE)) {
      mju_error("cnd_transitionAdjoint: actuator %d is a muscle: no gradient by its parameters", i);
    }
    if (by.actuator && actuator_is_drive(m, i)) {
      mju_error(
          "cnd_transitionAdjoint: actuator %d is a controller or motor: no gradient by its "
          "parameters",
          i);
    }
    if ((out->actuator_gainprm || out->actuator_biasprm) && actuator_tendon(m, i) >= 0 &&
        m->tendon_actfrclimited[actuator_tendon(m, i)]) {
      mju_error(
          "cnd_transitionAdjoint: the force of actuator %d is shared in the range of a tendon: "
          "no gradient by its parameters",
          i);
    }
  }
}

// Row `row` of an array of rows of that size; NULL stays NULL.
static mjtNum* row_of(mjtNum* array, size_t row, int size) {
  return array ? array + row * (size_t)size : NULL;
}

// by the lines of cndParameterGradient
cndParameterGradient parameters_row(const cndParameterGradient* all, const mjModel* m, size_t row) {
  return (cndParameterGradient){
      .body_mass = row_of(all->body_mass, row, m->nbody),
      .body_inertia = row_of(all->body_inertia, row, 3 * m->nbody),
      .dof_damping = row_of(all->dof_damping, row, m->nv),
      .dof_armature = row_of(all->dof_armature, row, m->nv),
      .actuator_gainprm = row_of(all->actuator_gainprm, row, mjNGAIN * (int)m->nactuator),
      .actuator_biasprm = row_of(all->actuator_biasprm, row, mjNBIAS * (int)m->nactuator),
      .geom_friction = row_of(all->geom_friction, row, 3 * m->ngeom),
      .pair_friction = row_of(all->pair_friction, row, 5 * m->npair),
      .geom_pos = row_of(all->geom_pos, row, 3 * m->ngeom),
      .geom_turn = row_of(all->geom_turn, row, 3 * m->ngeom),
      .geom_size = row_of(all->geom_size, row, 3 * m->ngeom),
      .dof_frictionloss = row_of(all->dof_frictionloss, row, m->nv),
      .tendon_frictionloss = row_of(all->tendon_frictionloss, row, m->ntendon),
  };
}

// bodies

// Derivatives, with respect to the mass and the principal moments of inertia of a body, of its
// generalized force (accelerations a, velocities V) times the joint velocities with twists K. p is
// the com and r_k are the principal axes of the body:
//
//   K(p) . a(p)         (r_k . K_w) (r_k . a_w) + K_w . (V_w x r_k) (r_k . V_w)
static void body_terms(mjtNum out[4], const System* s, const Twists* K, const BodyMotion* motion,
                       int b) {
  const mjtNum *mat = s->d->ximat + 9 * b, *p = s->d->xipos + 3 * b, *Kb = K->body + 6 * b;
  const mjtNum *V = motion->V + 6 * b, *a = motion->a + 6 * b;
  mjtNum along[3];
  PointMotion at = motion_point(s->m, s->d, motion, b, p);
  velocity_at(along, s->m, s->d, b, Kb, p);
  out[0] = v3_dot(along, at.a);
  for (int k = 0; k < 3; k++) {
    mjtNum axis[3], gyro[3];
    m3_column(axis, mat, k);
    v3_cross(gyro, V, axis);
    out[1 + k] = v3_dot(axis, Kb) * v3_dot(axis, a) + v3_dot(Kb, gyro) * v3_dot(axis, V);
  }
}

static void add_bodies(cndParameterGradient* out, const System* s, const Twists* K,
                       const BodyMotion* motion, mjtNum scale) {
  for (int b = 1; b < s->m->nbody; b++) {
    mjtNum term[4];
    if (!s->m->body_weldid[b]) {
      continue;
    }
    body_terms(term, s, K, motion, b);
    if (out->body_mass) {
      out->body_mass[b] += scale * term[0];
    }
    for (int k = 0; out->body_inertia && k < 3; k++) {
      out->body_inertia[3 * b + k] += scale * term[1 + k];
    }
  }
}

// Gravity compensation is proportional to mass; it acts through qfrc_passive or through the
// actuators of the joint.
static void add_gravcomp(cndParameterGradient* out, const System* s, const mjtNum* kappa) {
  const mjModel* m = s->m;
  int springs = mjDSBL_SPRING | mjDSBL_DAMPER;
  if (!out->body_mass || !passive_has_gravcomp(m) || (m->opt.disableflags & springs) == springs) {
    return;
  }
  int no_actuators = !m->nactuator || (m->opt.disableflags & mjDSBL_ACTUATION);
  mj_markStack(s->d);
  mjtNum* lifted = mj_stackAllocNum(s->d, (size_t)m->nv);
  for (int i = 0; i < m->nv; i++) {
    int actuated = m->jnt_actgravcomp[m->dof_jntid[i]];
    lifted[i] = actuated && (no_actuators || dof_is_clamped(s->m, s->d, i)) ? 0 : kappa[i];
  }
  Twists K = twists_make(m, s->d, lifted);
  for (int b = 1; b < m->nbody; b++) {
    mjtNum along[3];
    velocity_at(along, m, s->d, b, K.body + 6 * b, s->d->xipos + 3 * b);
    out->body_mass[b] -= m->body_gravcomp[b] * v3_dot(along, m->opt.gravity);
  }
  mj_freeStack(s->d);
}

// - h beta . (dc/dv a) of the integrator implicit, as a difference of biases: see add_bias in
// second_order.c
static void add_bias_derivative(cndParameterGradient* out, const System* s, const Twists* B,
                                const mjtNum* a) {
  const mjModel* m = s->m;
  mjtNum* v = mj_stackAllocNum(s->d, (size_t)m->nv);
  mjtNum size_a = mju_norm(a, m->nv), size_v = mju_norm(s->d->qvel, m->nv);
  mjtNum scale = size_a > 0 && size_v > 0 ? size_v / size_a : 1;
  for (int side = -1; side <= 1; side += 2) {
    mju_addScl(v, s->d->qvel, a, (mjtNum)side * scale, m->nv);
    BodyMotion motion = motion_make(m, s->d, &(JointMotion){v, NULL, 0});
    add_bodies(out, s, B, &motion, -(mjtNum)side * m->opt.timestep / (2 * scale));
  }
}

static void bodies_gradient(cndParameterGradient* out, const System* s, const ParameterWeights* w) {
  mj_markStack(s->d);
  Twists K = twists_make(s->m, s->d, w->kappa);
  add_bodies(out, s, &K, &s->motion, -1);
  add_gravcomp(out, s, w->kappa);
  if (w->beta) {
    Twists B = twists_make(s->m, s->d, w->beta);
    BodyMotion rest = motion_make(s->m, s->d, &(JointMotion){NULL, w->z, 0});
    add_bodies(out, s, &B, &rest, 1);
    if (s->m->opt.integrator == mjINT_IMPLICIT) {
      add_bias_derivative(out, s, &B, w->a);
    }
  }
  mj_freeStack(s->d);
}

// dofs

static void dofs_gradient(cndParameterGradient* out, const System* s, const ParameterWeights* w) {
  mjtNum h = s->m->opt.timestep;
  int is_damped = !(s->m->opt.disableflags & mjDSBL_DAMPER);
  for (int i = 0; i < s->m->nv; i++) {
    if (out->dof_armature) {
      out->dof_armature[i] += (w->beta ? w->beta[i] * w->z[i] : 0) - w->kappa[i] * s->x[i];
    }
    if (out->dof_damping && is_damped) {
      out->dof_damping[i] -= w->kappa[i] * s->d->qvel[i] + (w->beta ? h * w->beta[i] * w->a[i] : 0);
    }
  }
}

// actuators

// moment . weight over the dofs whose total actuator force is not clamped
static mjtNum moment_of(const System* s, int i, const mjtNum* weight) {
  mjtNum sum = 0;
  int adr = s->d->moment_rowadr[i];
  for (int k = adr; k < adr + s->d->moment_rownnz[i]; k++) {
    int dof = s->d->moment_colind[k];
    sum += dof_is_clamped(s->m, s->d, dof) ? 0 : s->d->actuator_moment[k] * weight[dof];
  }
  return sum;
}

// beta' (moment moment') a on the pattern of the integrator's matrix
static mjtNum moment_product(const System* s, int i, const mjtNum* beta, const mjtNum* a) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  int adr = d->moment_rowadr[i], end = adr + d->moment_rownnz[i];
  int only_M = m->opt.integrator == mjINT_IMPLICITFAST;
  mjtNum sum = 0;
  for (int k = adr; k < end; k++) {
    int row = d->moment_colind[k];
    for (int l = m->D_rowadr[row]; l < m->D_rowadr[row] + m->D_rownnz[row]; l++) {
      for (int n = adr; n < end; n++) {
        if (d->moment_colind[n] == m->D_colind[l] && (!only_M || m->mapM2D[l] >= 0)) {
          sum += beta[row] * d->actuator_moment[k] * d->actuator_moment[n] * a[m->D_colind[l]];
        }
      }
    }
  }
  return sum;
}

// p = (g0 + g1 l + g2 l') w + b0 + b1 l + b2 l'. The Q of an implicit integrator has (g2 w' + b2)
// moment moment', where w' is the unclamped control or the activation.
static void actuators_gradient(cndParameterGradient* out, const System* s,
                               const ParameterWeights* w) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  int is_implicit = w->beta && m->opt.integrator != mjINT_EULER;
  for (int i = 0; i < (int)m->nactuator && !(m->opt.disableflags & mjDSBL_ACTUATION); i++) {
    if (actuator_is_disabled(m, i)) {
      continue;
    }
    const mjtNum* range = m->actuator_forcerange + 2 * i;
    mjtNum force = d->actuator_force[i], l = d->actuator_length[i], v = d->actuator_velocity[i];
    int is_free = !m->actuator_forcelimited[i] || (force > range[0] && force < range[1]);
    mjtNum along = is_free ? moment_of(s, i, w->kappa) : 0;
    mjtNum bend = is_implicit ? m->opt.timestep * moment_product(s, i, w->beta, w->a) : 0;
    mjtNum raw = m->actuator_dyntype[i] == mjDYN_NONE
                     ? d->ctrl[m->actuator_ctrladr[i]]
                     : d->act[m->actuator_actadr[i] + m->actuator_actnum[i] - 1];
    mjtNum input = actuator_derivative(m, d, i).input;
    int has_gain = m->actuator_gaintype[i] == mjGAIN_FIXED;
    int affine_gain = m->actuator_gaintype[i] == mjGAIN_AFFINE;
    if (out->actuator_gainprm && (has_gain || affine_gain)) {
      mjtNum* g = out->actuator_gainprm + mjNGAIN * i;
      g[0] += along * input;
      g[1] += affine_gain ? along * input * l : 0;
      g[2] += affine_gain ? along * input * v + bend * raw : 0;
    }
    if (out->actuator_biasprm && m->actuator_biastype[i] == mjBIAS_AFFINE) {
      mjtNum* b = out->actuator_biasprm + mjNBIAS * i;
      b[0] += along;
      b[1] += along * l;
      b[2] += along * v + bend;
    }
  }
}

// constraints

// Gradient of kappa . (J' f).
static void constraints_gradient(cndParameterGradient* out, const System* s, const mjtNum* kappa) {
  const ConstraintGradient to = {out->geom_friction,      out->pair_friction, out->geom_pos,
                                 out->geom_turn,          out->geom_size,     out->dof_frictionloss,
                                 out->tendon_frictionloss};
  size_t nv = (size_t)s->m->nv;
  mj_markStack(s->d);
  mjtNum* unused = mj_stackAllocNum(s->d, 3 * nv);
  mju_zero(unused, 3 * s->m->nv);
  constraint_vjp(s->m, s->d, s->x, s->bordered, kappa, unused, unused + nv, unused + 2 * nv, &to);
  mj_freeStack(s->d);
}

void parameters_gradient(cndParameterGradient* out, const System* s, const ParameterWeights* w) {
  if (s->d->nefc && (out->geom_friction || out->pair_friction || out->geom_pos || out->geom_turn ||
                     out->geom_size || out->dof_frictionloss || out->tendon_frictionloss)) {
    constraints_gradient(out, s, w->kappa);
  }
  if (out->body_mass || out->body_inertia) {
    bodies_gradient(out, s, w);
  }
  dofs_gradient(out, s, w);
  if (out->actuator_gainprm || out->actuator_biasprm) {
    actuators_gradient(out, s, w);
  }
}
