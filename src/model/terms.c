// terms.c: springs and dampers as polynomials, and what actuators add to joints and tendons.
//                                                       theory/smooth/passive.md, Polynomial terms

#include "model/terms.h"

#include "base/algebra/any.h"
#include "base/transmission.h"

// What jnt_actuatorid and tendon_actuatorid say of several actuators.
enum {
  NO_ACTUATOR = -1,
  SEVERAL_ACTUATORS = -2
};

static Terms terms_of(mjtNum linear, const mjtNum poly[mjNPOLY]) {
  return (Terms){linear, poly[0], poly[1]};
}

Terms terms_joint_spring(const mjModel* m, int joint) {
  return terms_of(m->jnt_stiffness[joint], m->jnt_stiffnesspoly + mjNPOLY * joint);
}

Terms terms_tendon_spring(const mjModel* m, int tendon) {
  return terms_of(m->tendon_stiffness[tendon], m->tendon_stiffnesspoly + mjNPOLY * tendon);
}

// What an actuator adds, if it drives the joint or tendon.
typedef struct Drive_ {
  Terms damping;
  mjtNum armature;
} Drive;

static void add_actuator(Drive* sum, const mjModel* m, int i) {
  const mjtNum* poly = m->actuator_dampingpoly + mjNPOLY * i;
  mjtNum square = num_square(m->actuator_gear[6 * m->actuator_outadr[i]]);
  sum->damping.a += square * m->actuator_damping[i];
  sum->damping.b += square * poly[0];
  sum->damping.c += square * poly[1];
  sum->armature += square * m->actuator_armature[i];
}

// The sum over the actuators of an object, of which `only` says who they are.
static Drive drive_of(const mjModel* m, int only, int object,
                      int (*driven)(const mjModel* m, int actuator)) {
  Drive sum = {{0, 0, 0}, 0};
  if (only >= 0) {
    add_actuator(&sum, m, only);
  }
  for (int i = 0; only == SEVERAL_ACTUATORS && i < (int)m->nactuator; i++) {
    if (driven(m, i) == object) {
      add_actuator(&sum, m, i);
    }
  }
  return sum;
}

static Drive joint_drive(const mjModel* m, int joint) {
  return drive_of(m, m->jnt_actuatorid[joint], joint, actuator_joint);
}

static Drive tendon_drive(const mjModel* m, int tendon) {
  return drive_of(m, m->tendon_actuatorid[tendon], tendon, actuator_tendon);
}

static Terms terms_sum(Terms x, Terms y) {
  return (Terms){x.a + y.a, x.b + y.b, x.c + y.c};
}

Terms terms_dof_damper(const mjModel* m, int dof) {
  return terms_sum(terms_of(m->dof_damping[dof], m->dof_dampingpoly + mjNPOLY * dof),
                   joint_drive(m, m->dof_jntid[dof]).damping);
}

Terms terms_tendon_damper(const mjModel* m, int tendon) {
  return terms_sum(terms_of(m->tendon_damping[tendon], m->tendon_dampingpoly + mjNPOLY * tendon),
                   tendon_drive(m, tendon).damping);
}

mjtNum terms_joint_armature(const mjModel* m, int joint) {
  return m->cnd_has_terms ? joint_drive(m, joint).armature : 0;
}

mjtNum terms_tendon_armature(const mjModel* m, int tendon) {
  mjtNum armature = m->tendon_armature[tendon];
  return m->cnd_has_terms ? armature + tendon_drive(m, tendon).armature : armature;
}

void terms_slopes(mjtNum* out, const mjModel* m, const mjtNum* qvel) {
  for (int i = 0; i < m->nv; i++) {
    out[i] = terms_slope(terms_dof_damper(m, i), qvel[i]);
  }
}

static int actuator_adds(const mjModel* m, int i) {
  return m->actuator_armature[i] != 0 ||
         terms_any(terms_of(m->actuator_damping[i], m->actuator_dampingpoly + mjNPOLY * i));
}

void terms_mark(mjModel* m) {
  int found = m->nplastic || num_any(m->jnt_stiffnesspoly, mjNPOLY * (size_t)m->njnt) ||
              num_any(m->dof_dampingpoly, mjNPOLY * (size_t)m->nv) ||
              num_any(m->tendon_stiffnesspoly, mjNPOLY * (size_t)m->ntendon) ||
              num_any(m->tendon_dampingpoly, mjNPOLY * (size_t)m->ntendon);
  for (int i = 0; i < (int)m->nactuator && !found; i++) {
    found = actuator_adds(m, i);
  }
  m->cnd_has_terms = found;
}

void terms_index(mjModel* m) {
  for (int i = 0; i < m->njnt; i++) {
    m->jnt_actuatorid[i] = NO_ACTUATOR;
  }
  for (int i = 0; i < m->ntendon; i++) {
    m->tendon_actuatorid[i] = NO_ACTUATOR;
  }
  for (int i = 0; i < (int)m->nactuator; i++) {
    int joint = actuator_joint(m, i), tendon = actuator_tendon(m, i);
    int* place = joint >= 0    ? m->jnt_actuatorid + joint
                 : tendon >= 0 ? m->tendon_actuatorid + tendon
                               : NULL;
    if (place && actuator_adds(m, i)) {
      *place = *place == NO_ACTUATOR ? i : SEVERAL_ACTUATORS;
    }
  }
  terms_mark(m);
}
