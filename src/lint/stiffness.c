// stiffness.c: checks of springs, dampers, actuators and constraints that are too stiff for the
// timestep.
//
// Let a spring k act on an effective inertia M, with damping b_i that is integrated implicitly and
// b_e that is integrated explicitly. A step h is
//   v+ (1 + B_i) = v (1 - B_e) - K x / h,   x+ = x + h v+,   K = h^2 k/M,  B = h b/M
// whose poles lie inside the unit circle if  K + 2 B_e < 4 + 2 B_i  (Jury's criterion). So
//   s = (K + 2 B_e) / (4 + 2 B_i)
// is 1 where the motion blows up. It is 1/4 for an undamped spring that advances by one radian a
// step; beyond that its motion is inaccurate.

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/smooth.h>
#include <stdio.h>

#include "base/memory/memory.h"
#include "base/transmission.h"
#include "lint/checks.h"
#include "lint/stiffness.h"
#include "model/behaviour.h"
#include "model/options.h"
#include "model/terms.h"
#include "smooth/actuation.h"

typedef struct Feedback_ {
  mjtNum stiffness;
  mjtNum implicit;  // implicit damping b_i
  mjtNum explicit;
  mjtNum inverse;  // 1/M
} Feedback;

static Feedback feedback(mjtNum stiffness, mjtNum damping, int implicit, mjtNum inverse) {
  return (Feedback){stiffness, implicit ? damping : 0, implicit ? 0 : damping, inverse};
}

// (h^2 k/M + 2 h b_explicit/M) / (4 + 2 h b_implicit/M), stable below 1
static mjtNum stability(const Feedback* f, mjtNum h) {
  mjtNum K = h * h * f->stiffness * f->inverse;
  return (K + 2 * h * f->explicit * f->inverse) / (4 + 2 * h * f->implicit * f->inverse);
}

// Largest timestep with s <= LINT_FOLLOWED, by bisection, since s grows with h.
static mjtNum timestep_for(const Feedback* f) {
  mjtNum low = 0, high = 1;
  for (int i = 0; i < 60; i++) {
    mjtNum middle = (low + high) / 2;
    if (stability(f, middle) > LINT_FOLLOWED) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return low;
}

mjtNum lint_stability(mjtNum limit[1], mjtNum h, mjtNum stiffness, mjtNum damping) {
  Feedback f = feedback(stiffness, damping, 0, 1);
  *limit = timestep_for(&f);
  return stability(&f, h);
}

// Are velocity terms of other things than joints integrated implicitly?
static int takes_implicit(const mjModel* m) {
  return m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST;
}

static int takes_joints_implicit(const mjModel* m) {
  return takes_implicit(m) ||
         (m->opt.integrator == mjINT_EULER && !(m->opt.disableflags & mjDSBL_EULERDAMP));
}

// Does a discrete step follow springs of joints, or of tendons and actuators, however stiff?
static int follows_springs(const mjModel* m, int joint) {
  return options_is_discrete(m) && (joint || options_metric_couples(m));
}

// Reports feedback that the timestep can't follow.
static void consider_feedback(Lint* l, LintSubject subject, const char* what, const char* unit,
                              const Feedback* f) {
  mjtNum h = l->m->opt.timestep, s = stability(f, h);
  if (!(s > LINT_FOLLOWED)) {
    return;
  }
  double frequency = sqrt(f->stiffness * f->inverse), limit = timestep_for(f);
  const char* fate = s >= 1 ? "the simulation will blow up" : "its motion can't be trusted";
  if (h * h * f->stiffness * f->inverse >= 2 * h * f->explicit * f->inverse) {
    lint_warn(l, subject,
              lint_hint(l, "timestep=\"%.2g\", %s below %.2g, or more armature", limit, what,
                        f->stiffness * LINT_FOLLOWED / s),
              "%s %.4g on an effective inertia of %.3g %s oscillates at %.3g rad/s, %.2g rad in "
              "each timestep of %.3g s: %s",
              what, f->stiffness, 1 / (double)f->inverse, unit, frequency, h * frequency, h, fate);
  } else {
    lint_warn(l, subject, lint_hint(l, "integrator=\"implicitfast\", or timestep=\"%.2g\"", limit),
              "damping %.4g on an effective inertia of %.3g %s has a time constant of %.2g s, too "
              "short for an explicit timestep of %.3g s: %s",
              f->explicit, 1 / (double)f->inverse, unit, 1 / (double)(f->explicit * f->inverse), h,
              fate);
  }
}

void check_stiff_spring(Lint* l) {
  const mjModel* m = l->m;
  int springs = !(m->opt.disableflags & mjDSBL_SPRING);
  int dampers = !(m->opt.disableflags & mjDSBL_DAMPER);
  for (int i = 0; !follows_springs(m, 1) && i < m->njnt; i++) {
    int dof = m->jnt_dofadr[i], turns = m->jnt_type[i] != mjJNT_SLIDE;
    mjtNum damping = dampers ? terms_dof_damper(m, dof).a : 0;
    Feedback f = feedback(springs ? m->jnt_stiffness[i] : 0, damping, takes_joints_implicit(m),
                          m->dof_invweight0[dof]);
    consider_feedback(l, lint_id(l, mjOBJ_JOINT, i), "stiffness", turns ? "kg m2" : "kg", &f);
  }
  for (int i = 0; !follows_springs(m, 0) && i < m->ntendon; i++) {
    mjtNum damping = dampers ? terms_tendon_damper(m, i).a : 0;
    Feedback f = feedback(springs ? m->tendon_stiffness[i] : 0, damping, takes_implicit(m),
                          m->tendon_invweight0[i]);
    consider_feedback(l, lint_id(l, mjOBJ_TENDON, i), "stiffness", "kg", &f);
  }
}

// Spring, damping and inertia of an actuator with affine bias at qpos0. With moment arms r its
// length accelerates by r' x per unit force. Joint dampers D act on it like one damper b.
//   x = M^-1 r,   b = x' D x / (r' x)^2
// Returns 0 if it gives no feedback or moves nothing.
// Also actuator_forces in smooth/actuation.c.
static int actuator_feedback(Feedback* f, const Lint* l, int i, mjtNum* r, mjtNum* x) {
  const mjModel* m = l->m;
  const mjData* d = l->d;
  if (m->actuator_biastype[i] != mjBIAS_AFFINE || m->nv == 0 ||
      (m->opt.disableflags & mjDSBL_ACTUATION)) {
    return 0;
  }
  mju_zero(r, m->nv);
  int row = m->actuator_outadr[i];
  for (int k = 0; k < d->moment_rownnz[row]; k++) {
    int entry = d->moment_rowadr[row] + k;
    r[d->moment_colind[entry]] = d->actuator_moment[entry];
  }
  mj_solveM(m, l->d, x, r, 1);
  mjtNum inverse = mju_dot(r, x, m->nv);
  if (inverse < mjMINVAL) {
    return 0;
  }
  mjtNum loss = 0;
  for (int k = 0; k < m->nv; k++) {
    loss += x[k] * x[k] * terms_dof_damper(m, k).a;
  }
  loss = m->opt.disableflags & mjDSBL_DAMPER ? 0 : loss / (inverse * inverse);
  *f = feedback(num_max(-actuator_bias_by_length(m, d, i), 0),
                num_max(-actuator_bias_by_velocity(m, i), 0), takes_implicit(m), inverse);
  *(takes_joints_implicit(m) ? &f->implicit : &f->explicit) += loss;
  return 1;
}

void check_stiff_actuator(Lint* l) {
  const mjModel* m = l->m;
  mjtNum* work = heap_take((2 * (size_t)m->nv + 1) * sizeof(mjtNum));
  for (int i = 0; !follows_springs(m, 0) && i < (int)m->nactuator; i++) {
    Feedback f;
    if (actuator_feedback(&f, l, i, work, work + m->nv)) {
      consider_feedback(l, lint_id(l, mjOBJ_ACTUATOR, i), "kp", "(as the actuator feels it)", &f);
    }
  }
  heap_free(work);
}

// Do dry friction, a damped tendon, dampers that grow with velocity or a fluid damp the motion of
// the actuator?
static int has_other_loss(const mjModel* m, int actuator, const mjtNum* arms) {
  int tendon = actuator_tendon(m, actuator);
  if (m->opt.density > 0 || m->opt.viscosity > 0 ||
      (tendon >= 0 &&
       (terms_any(terms_tendon_damper(m, tendon)) || m->tendon_frictionloss[tendon] > 0))) {
    return 1;
  }
  for (int k = 0; k < m->nv; k++) {
    Terms b = terms_dof_damper(m, k);
    if (arms[k] != 0 && (m->dof_frictionloss[k] > 0 || b.b != 0 || b.c != 0)) {
      return 1;
    }
  }
  return 0;
}

void check_undamped_gain(Lint* l) {
  const double slow = 2 * mjPI;  // rad/s; slower oscillation is not reported
  const mjModel* m = l->m;
  mjtNum* work = heap_take((2 * (size_t)m->nv + 1) * sizeof(mjtNum));
  for (int i = 0; i < (int)m->nactuator; i++) {
    Feedback f;
    if (!actuator_feedback(&f, l, i, work, work + m->nv) || f.implicit > 0 || f.explicit > 0 ||
        has_other_loss(m, i, work)) {
      continue;
    }
    double frequency = sqrt(f.stiffness * f.inverse);
    if (frequency > slow) {
      lint_warn(l, lint_id(l, mjOBJ_ACTUATOR, i),
                lint_hint(l, "dampratio=\"1\", kv=\"%.3g\", or damping at the joint",
                          2 * sqrt((double)(f.stiffness / f.inverse))),
                "kp %.4g on an effective inertia of %.3g has no damping at all: it oscillates at "
                "%.3g rad/s for ever",
                f.stiffness, 1 / (double)f.inverse, frequency);
    }
  }
  heap_free(work);
}

// Can the actuator ask for more force than its range, or that of its joint or tendon, lets through?
// gear: force on the joint or tendon per unit of the actuator's force.
static int can_saturate(const mjModel* m, int i) {
  int target = m->actuator_trnid[2 * i];
  mjtNum gear = num_max(mju_abs(m->actuator_gear[6 * m->actuator_outadr[i]]), mjMINVAL),
         most = mjMAXVAL;
  const mjtNum* range = NULL;
  if (m->actuator_forcelimited[i]) {
    range = m->actuator_forcerange + 2 * i;
    most = num_max(-range[0], range[1]);
  }
  int on_joint =
      m->actuator_trntype[i] == mjTRN_JOINT || m->actuator_trntype[i] == mjTRN_JOINTINPARENT;
  if (on_joint && m->jnt_actfrclimited[target]) {
    range = m->jnt_actfrcrange + 2 * target;
    most = num_min(most, num_max(-range[0], range[1]) / gear);
  } else if (actuator_tendon(m, i) >= 0 && m->tendon_actfrclimited[target]) {
    range = m->tendon_actfrcrange + 2 * target;
    most = num_min(most, num_max(-range[0], range[1]) / gear);
  }
  int control = m->actuator_ctrladr[i];
  if (!m->actuator_ctrlnum[i]) {
    return 0;
  }
  const mjtNum* ctrl = m->actuator_ctrlrange + 2 * control;
  return range && (!m->actuator_ctrllimited[control] ||
                   mju_abs(m->actuator_gainprm[mjNGAIN * i]) * (ctrl[1] - ctrl[0]) > most);
}

// Factor by which an actuator at its force limit accelerates its joint too little. Its damping b
// stays in the implicit matrix, although a clamped force doesn't depend on velocity. c is the
// damping of joints, which does:
//   (1 + h (b + c)/M) / (1 + h c/M)
// The timestep at which 10% are lost goes to `limit`.
static mjtNum slowdown(mjtNum limit[1], const mjModel* m, int i, const Feedback* f) {
  mjtNum own = num_max(-actuator_bias_by_velocity(m, i), 0), others = f->implicit - own;
  mjtNum h = m->opt.timestep, tenth = (mjtNum)0.1;
  *limit = tenth / num_max((own - tenth * others) * f->inverse, mjMINVAL);
  return (1 + h * f->implicit * f->inverse) / (1 + h * others * f->inverse);
}

// One finding about the actuator that loses most.
void check_saturated_damping(Lint* l) {
  const mjtNum grave = 2;
  const mjModel* m = l->m;
  mjtNum *work = heap_take((2 * (size_t)m->nv + 1) * sizeof(mjtNum)), worst = grave, step = 0;
  int which = -1, count = 0;
  for (int i = 0; i < (int)m->nactuator; i++) {
    Feedback f;
    mjtNum limit;
    if (!behaves(m, cndBEHAVIOUR_actclamp) && takes_implicit(m) &&
        actuator_feedback(&f, l, i, work, work + m->nv) && can_saturate(m, i)) {
      mjtNum loss = slowdown(&limit, m, i, &f);
      count += loss > grave;
      if (loss > worst) {
        worst = loss;
        which = i;
        step = limit;
      }
    }
  }
  heap_free(work);
  if (which >= 0) {
    lint_warn(l, lint_id(l, mjOBJ_ACTUATOR, which),
              lint_hint(l,
                        "<option><behaviour actclamp=\"enable\"/></option>, timestep=\"%.2g\", or "
                        "put its damping %.4g into the joint",
                        step, -actuator_bias_by_velocity(m, which)),
              "at the limit of its force it accelerates %.3g times too slowly, because implicit "
              "integration keeps its damping there, although the force no longer depends on "
              "velocity%s",
              worst, lint_more(", and of %d more actuators by less", count - 1).text);
  }
}

// constraints

enum {
  MAX_SOLREF = 64
};

// A finding about all constraints with the same numbers, which mostly come from one class.
typedef struct Short_ {
  LintSubject first;
  const char* what;
  mjtNum solref[2];
  int count;
} Short;

typedef struct ShortList_ {
  Lint* l;
  Short entry[MAX_SOLREF];
  int count;
} ShortList;

// In the direct form solref = (-k, -b). Whatever its impedance, the violation of a constraint moves
// at most like a spring k with damping b, for which K + 2 B must stay below 4.
static int direct_unstable(const mjtNum solref[2], mjtNum h) {
  return -h * h * solref[0] - 2 * h * solref[1] > 4;
}

static void consider(ShortList* list, LintSubject subject, const char* what,
                     const mjtNum solref[mjNREF]) {
  mjtNum h = list->l->m->opt.timestep;
  int standard = solref[0] > 0;
  if (standard ? solref[0] >= 2 * h * (mjtNum)(1 - 1e-6) : !direct_unstable(solref, h)) {
    return;
  }
  for (int i = 0; i < list->count; i++) {
    Short* entry = &list->entry[i];
    if (entry->what == what && entry->solref[0] == solref[0] && entry->solref[1] == solref[1]) {
      entry->count++;
      return;
    }
  }
  if (list->count < MAX_SOLREF) {
    list->entry[list->count++] = (Short){subject, what, {solref[0], solref[1]}, 1};
  }
}

static void consider_all(ShortList* list) {
  Lint* l = list->l;
  const mjModel* m = l->m;
  int override = (m->opt.enableflags & mjENBL_OVERRIDE) != 0;
  if (override) {
    consider(list, lint_whole(l), "o_solref", m->opt.o_solref);
  }
  for (int i = 0; !override && i < m->ngeom; i++) {
    if (m->geom_contype[i] || m->geom_conaffinity[i]) {
      consider(list, lint_id(l, mjOBJ_GEOM, i), "solref", m->geom_solref + mjNREF * i);
    }
  }
  for (int i = 0; !override && i < m->npair; i++) {
    consider(list, lint_id(l, mjOBJ_PAIR, i), "solref", m->pair_solref + mjNREF * i);
  }
  for (int i = 0; i < m->njnt; i++) {
    int dof = m->jnt_dofadr[i];
    if (m->jnt_limited[i]) {
      consider(list, lint_id(l, mjOBJ_JOINT, i), "solreflimit", m->jnt_solref + mjNREF * i);
    }
    if (m->dof_frictionloss[dof] > 0) {
      consider(list, lint_id(l, mjOBJ_JOINT, i), "solreffriction", m->dof_solref + mjNREF * dof);
    }
  }
  for (int i = 0; i < m->ntendon; i++) {
    if (m->tendon_limited[i]) {
      consider(list, lint_id(l, mjOBJ_TENDON, i), "solreflimit", m->tendon_solref_lim + mjNREF * i);
    }
    if (m->tendon_frictionloss[i] > 0) {
      consider(list, lint_id(l, mjOBJ_TENDON, i), "solreffriction",
               m->tendon_solref_fri + mjNREF * i);
    }
  }
  for (int i = 0; i < m->neq; i++) {
    consider(list, lint_id(l, mjOBJ_EQUALITY, i), "solref", m->eq_solref + mjNREF * i);
  }
}

void check_short_solref(Lint* l) {
  const mjModel* m = l->m;
  double h = (double)m->opt.timestep;
  int safe = !(m->opt.disableflags & mjDSBL_REFSAFE);
  ShortList list = {.l = l};
  consider_all(&list);
  for (int i = 0; i < list.count; i++) {
    const Short* s = &list.entry[i];
    char alike[60] = "";
    if (s->count > 1) {
      snprintf(alike, sizeof(alike), " (and %d more elements with the same)", s->count - 1);
    }
    double first = (double)s->solref[0], second = (double)s->solref[1];
    if (first > 0) {
      lint_warn(
          l, s->first,
          lint_hint(l, "%s=\"%.3g %.3g\", or timestep=\"%.3g\"", s->what, 2 * h, second, first / 2),
          "the time constant %.3g s of %s is below two timesteps, %.3g s: %s%s", first, s->what,
          2 * h, safe ? "it is raised to that" : "the constraint is unstable", alike);
    } else {
      lint_warn(l, s->first, "a shorter timestep, or less stiffness and damping",
                "%s %.4g %.4g is too stiff for the timestep %.3g s: the constraint is unstable%s",
                s->what, first, second, h, alike);
    }
  }
}
