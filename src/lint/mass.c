// mass.c: checks of masses, centers and inertias that no real body has, or with which a solver
// fails.
//
// Bodies without joints move with their parents. The checks use the mass of such a group, whose
// root is its first body (body_weldid).

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/mjspec.h>
#include <string.h>

#include "base/joint.h"
#include "base/memory/memory.h"
#include "compile/derive/inertia.h"
#include "lint/checks.h"
#include "model/terms.h"

static const mjtNum LIGHT_MASS = (mjtNum)1e-6;      // kg: a sphere of water, 1.2 mm
static const mjtNum LIGHT_INERTIA = (mjtNum)1e-10;  // kg m2: a sphere of water, 5 mm
static const mjtNum HEAVY_RATIO = 1000;             // ratio of the carried to the carrying mass

// Does every dof of a body have armature?
static int has_armature(const mjModel* m, int body) {
  for (int i = 0; i < m->body_dofnum[body]; i++) {
    int dof = m->body_dofadr[body] + i;
    if (m->dof_armature[dof] + terms_joint_armature(m, m->dof_jntid[dof]) <= 0) {
      return 0;
    }
  }
  return 1;
}

// The root of the group that carries the group of root i; 0 if body i is no root.
static int carrier_of(const mjModel* m, int i) {
  return m->body_weldid[i] == i ? m->body_weldid[m->body_parentid[i]] : 0;
}

// Masses of the groups, indexed by their roots; 0 for other bodies. The caller frees the array.
static mjtNum* group_masses(const mjModel* m) {
  mjtNum* mass = heap_zero((size_t)m->nbody, sizeof(mjtNum));
  for (int i = 0; i < m->nbody; i++) {
    mass[m->body_weldid[i]] += m->body_mass[i];
  }
  return mass;
}

// A rotational dof of body i that moves almost no inertia, -1 if there is none.
static int lightest_dof(const mjModel* m, int i) {
  for (int k = 0; k < m->body_dofnum[i]; k++) {
    int dof = m->body_dofadr[i] + k;
    int turns = m->jnt_type[m->dof_jntid[dof]] == mjJNT_HINGE || dof_in_quat(m, dof);
    if (turns && m->dof_M0[dof] < LIGHT_INERTIA) {
      return dof;
    }
  }
  return -1;
}

void check_light_body(Lint* l) {
  const mjModel* m = l->m;
  mjtNum* mass = group_masses(m);
  char* carries = heap_zero((size_t)m->nbody, 1);
  for (int i = 1; i < m->nbody; i++) {
    carries[carrier_of(m, i)] = 1;
  }
  for (int i = 1; i < m->nbody; i++) {
    if (m->body_weldid[i] != i || carries[i] || has_armature(m, i)) {
      continue;
    }
    int dof = lightest_dof(m, i);
    if (mass[i] < LIGHT_MASS) {
      lint_warn(l, lint_id(l, mjOBJ_BODY, i), "give its geoms a mass, or its joint an armature",
                "it moves, but weighs only %.3g kg: the least force gives it a huge acceleration",
                mass[i]);
    } else if (dof >= 0) {
      lint_warn(l, lint_id(l, mjOBJ_BODY, i), "give it a larger inertia, or its joint an armature",
                "it turns about %s with an inertia of only %.3g kg m2: the least torque gives it a "
                "huge acceleration",
                lint_name(l, mjOBJ_JOINT, m->dof_jntid[dof]).text, m->dof_M0[dof]);
    }
  }
  heap_free(mass);
  heap_free(carries);
}

void check_mass_ratio(Lint* l) {
  const mjModel* m = l->m;
  mjtNum* mass = group_masses(m);
  for (int i = 1; i < m->nbody; i++) {
    int carrier = carrier_of(m, i);
    if (carrier == 0 || has_armature(m, carrier)) {
      continue;
    }
    mjtNum carried = m->body_subtreemass[i];
    if (carried > HEAVY_RATIO * mass[carrier]) {
      lint_warn(l, lint_id(l, mjOBJ_BODY, carrier),
                "put the joints of both into one body, or give the light one's joints an armature",
                "it weighs %.3g kg and carries %.3g kg from %s on, %.0f times as much: the "
                "equations of motion are badly conditioned",
                mass[carrier], carried, lint_name(l, mjOBJ_BODY, i).text,
                carried / num_max(mass[carrier], mjMINVAL));
    }
  }
  heap_free(mass);
}

// The principal inertias given for a body, ascending. Returns 0 if they come from geoms.
static int given_inertia(double out[3], const SpecObject* object) {
  const mjsBody* body = &object->as.body;
  if (isnan(body->ipos[0]) || lint_options(object)->inertiafromgeom == mjINERTIAFROMGEOM_TRUE) {
    return 0;
  }
  if (isnan(body->fullinertia[0])) {
    memcpy(out, body->inertia, sizeof(body->inertia));
  } else {
    double quat[4];
    inertia_eigen3(out, quat, body->fullinertia, INERTIA_EARLY);
  }
  for (int pass = 0; pass < 3; pass++) {
    int k = pass % 2;
    if (out[k] > out[k + 1]) {
      double swap = out[k];
      out[k] = out[k + 1];
      out[k + 1] = swap;
    }
  }
  return 1;
}

void check_balanced_inertia(Lint* l) {
  const double rounding = 1e-6;  // inertias are often written with few digits
  for (SPEC_EACH(body, l->tree, mjOBJ_BODY)) {
    double a[3];
    if (!lint_options(body)->balanceinertia || !given_inertia(a, body) ||
        a[0] + a[1] >= a[2] * (1 - rounding)) {
      continue;
    }
    lint_warn(l, lint_object(body), "correct the inertia; A + B >= C holds for every real body",
              "its principal inertias %.4g, %.4g, %.4g break the triangle inequality, so "
              "balanceinertia makes all three %.4g",
              a[0], a[1], a[2], (a[0] + a[1] + a[2]) / 3);
  }
}

// The center and half diagonal of the box around all geoms of a body. Returns 0 if there are no
// geoms or one has no bounds.
static int geom_bounds(const mjModel* m, int body, mjtNum center[3], mjtNum* radius) {
  mjtNum low[3] = {mjMAXVAL, mjMAXVAL, mjMAXVAL}, high[3] = {-mjMAXVAL, -mjMAXVAL, -mjMAXVAL};
  for (int i = 0; i < m->body_geomnum[body]; i++) {
    int g = m->body_geomadr[body] + i;
    if (m->geom_rbound[g] <= 0) {
      return 0;
    }
    for (int k = 0; k < 3; k++) {
      low[k] = num_min(low[k], m->geom_pos[3 * g + k] - m->geom_rbound[g]);
      high[k] = num_max(high[k], m->geom_pos[3 * g + k] + m->geom_rbound[g]);
    }
  }
  for (int k = 0; k < 3; k++) {
    center[k] = (low[k] + high[k]) / 2;
  }
  *radius = v3_dist(low, high) / 2;
  return m->body_geomnum[body] > 0;
}

// The radius of gyration k = sqrt(I/m) must be less than the body's size, but not tiny. Even a
// needle has more than half of its half-length.
void check_inertia_size(Lint* l) {
  const mjtNum too_large = 3, too_small = (mjtNum)0.003;
  const mjModel* m = l->m;
  for (int i = 1; i < m->nbody; i++) {
    mjtNum center[3], radius;
    if (m->body_weldid[i] == 0 || m->body_mass[i] < mjMINVAL ||
        !geom_bounds(m, i, center, &radius)) {
      continue;
    }
    const mjtNum* inertia = m->body_inertia + 3 * i;
    mjtNum largest = num_max(inertia[0], num_max(inertia[1], inertia[2]));
    mjtNum reach = radius + v3_dist(center, m->body_ipos + 3 * i);
    mjtNum gyration = mju_sqrt(largest / m->body_mass[i]);
    if (gyration <= too_large * reach && gyration >= too_small * reach) {
      continue;
    }
    lint_warn(l, lint_id(l, mjOBJ_BODY, i),
              lint_hint(l, "a body of this mass and size has about %.2g kg m2",
                        m->body_mass[i] * reach * reach / 10),
              "its largest inertia, %.3g kg m2 at %.3g kg, puts the mass %.3g m from its center, "
              "but its geoms reach %.3g m",
              largest, m->body_mass[i], gyration, reach);
  }
}

void check_com_outside(Lint* l) {
  const mjtNum far = 3;  // in radii of the body
  const mjModel* m = l->m;
  for (int i = 1; i < m->nbody; i++) {
    mjtNum center[3], radius;
    if (m->body_weldid[i] == 0 || !geom_bounds(m, i, center, &radius)) {
      continue;
    }
    const mjtNum* com = m->body_ipos + 3 * i;
    mjtNum distance = v3_dist(center, com);
    if (distance > far * radius) {
      lint_warn(l, lint_id(l, mjOBJ_BODY, i), "check the pos of its inertial, and its unit",
                "its center of mass (%.3g %.3g %.3g) is %.3g m from the middle of its geoms, which "
                "reach %.3g m",
                com[0], com[1], com[2], distance, radius);
    }
  }
}

// Can neither the body nor anything below it move?
static int is_still(const SpecObject* body) {
  for (const SpecObject* it = body; it; it = it->parent) {
    if (it->as.body.mocap || spec_firstchild(it, mjOBJ_JOINT)) {
      return 0;
    }
  }
  for (const SpecObject* it = body->parent ? spec_nextbody(body, body) : NULL; it;
       it = spec_nextbody(it, body)) {
    if (spec_firstchild(it, mjOBJ_JOINT)) {
      return 0;
    }
  }
  return 1;
}

void check_static_mass(Lint* l) {
  for (SPEC_EACH(geom, l->tree, mjOBJ_GEOM)) {
    double mass = geom->as.geom.mass;
    const SpecObject* values = lint_inherited(geom);
    int inherited = values && values->as.geom.mass == mass;
    if (isnan(mass) || mass <= 0 || inherited || !geom->parent || !is_still(geom->parent)) {
      continue;
    }
    lint_warn(l, lint_object(geom),
              geom->parent->parent ? "give its body a <freejoint/>, or take the mass away"
                                   : "put it into a <body> with a <freejoint/>, or take the mass "
                                     "away",
              "a mass of %.4g kg has no effect: it can't move", mass);
  }
}
