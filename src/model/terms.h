// terms.h: springs and dampers as polynomials, and what actuators add to joints and tendons.
//
// Each spring has stiffnesses (a, b, c), each damper coefficients (a, b, c), of which most models
// give the first alone. With the displacement x and the velocity v
//
//   spring  force = -(a + b x + c x^2) x        energy = a x^2 / 2 + b x^3 / 3 + c x^4 / 4
//   damper  force = -(a + b |v| + c v^2) v      slope  = a + 2 b |v| + 3 c v^2
//
// An actuator of gear g adds g^2 times its damping and armature to each dof of its joint, or to its
// tendon. A model that has any of this is marked (cnd_has_terms), and stages ask nothing here in
// models without the mark.                              theory/smooth/passive.md, Polynomial terms

#pragma once

#include <mujoco/mjmodel.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"

// Coefficients of a spring or damper: linear, quadratic, cubic.
typedef struct Terms_ {
  mjtNum a, b, c;
} Terms;

// Also in smooth/passive.c and smooth/energy.c.
// The stiffness at displacement x; x is a length where there is no sign.
INLINE mjtNum terms_stiffness(Terms k, mjtNum x) {
  return k.a + (k.b + k.c * x) * x;
}

INLINE mjtNum terms_energy(Terms k, mjtNum x) {
  return x * x * (k.a / 2 + x * (k.b / 3 + x * k.c / 4));
}

// Also in smooth/passive.c and smooth/energy.c.
// Minus the force of a damper, and minus its derivative by velocity.
INLINE mjtNum terms_resistance(Terms b, mjtNum v) {
  return terms_stiffness(b, mju_abs(v)) * v;
}

INLINE mjtNum terms_slope(Terms b, mjtNum v) {
  return b.a + (2 * b.b + 3 * b.c * mju_abs(v)) * mju_abs(v);
}

// How the force of a spring grows at displacement x, (a + 2 b x + 3 c x^2), and the derivative of
// that; where there are three displacements, x is their length.
INLINE mjtNum terms_rigidity(Terms k, mjtNum x) {
  return k.a + (2 * k.b + 3 * k.c * x) * x;
}

INLINE mjtNum terms_rigidity_slope(Terms k, mjtNum x) {
  return 2 * k.b + 6 * k.c * x;
}

// The derivative of terms_slope by velocity. At rest, where |v| has none, the mean of both sides.
INLINE mjtNum terms_bend(Terms b, mjtNum v) {
  return (mjtNum)((v > 0) - (v < 0)) * 2 * b.b + 6 * b.c * v;
}

// Is there any spring, any damper?
INLINE int terms_any(Terms t) {
  return t.a != 0 || t.b != 0 || t.c != 0;
}

Terms terms_joint_spring(const mjModel* m, int joint);
Terms terms_tendon_spring(const mjModel* m, int tendon);

// The damping of a dof or tendon and that which actuators add to it.
Terms terms_dof_damper(const mjModel* m, int dof);
Terms terms_tendon_damper(const mjModel* m, int tendon);

// The armature that actuators add to each dof of a joint.
mjtNum terms_joint_armature(const mjModel* m, int joint);

// The armature of a tendon and that which actuators add to it.
mjtNum terms_tendon_armature(const mjModel* m, int tendon);

// Writes the slopes of all dofs' dampers at the velocities qvel.
void terms_slopes(mjtNum* out, const mjModel* m, const mjtNum* qvel);

// Writes cnd_has_terms.
void terms_mark(mjModel* m);

// Writes jnt_actuatorid, tendon_actuatorid and cnd_has_terms.
void terms_index(mjModel* m);
