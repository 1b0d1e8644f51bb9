// derivative.h: exact derivatives of a step and of inverse dynamics.
//
// mjd_transitionFD and mjd_inverseFD nudge every input and evaluate again; these solve one linear
// system with all inputs as right sides, so they have no step width and cost less.
//
// A step is a piecewise smooth function. Where two pieces meet, exactly up to rounding, the
// derivative is that of one of them, and the place is counted as a kink:
//
//   a control or the next activation at an end of its range       inside
//   a force (of an actuator, on a joint) at an end of its range    outside: constant
//   the force on a tendon at an end of its range                   inside
//   a muscle whose control is its activation, or one is 0 or 1     growing inputs; of a control at
//                                                                  its upper end a falling one
//   a limit or a listed contact exactly at its margin              without it
//   a row between zones of its law; friction loss at its bound     satisfied; sliding
//   a tendon's spring at an end of its slack range                 slack
//   a contact, string or distance between features of shapes       one of them
//
// Sensors at their cutoff have a derivative of 0 and are not counted.
//
// A state that is huge (velocities of 1e154, say, whose squares no number holds) has derivatives
// that are infinite or not a number: they are written as they are, with the warning
// cndWARN_DERIVATIVE.
//                                                                theory/exact-derivatives.md, Kinks

#ifndef CONDYLE_DERIVATIVE_H_
#define CONDYLE_DERIVATIVE_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

// Next state and present sensors, linear in state and control: dy = A dx + B du, ds = C dx + D du,
// with x = (position in the tangent space, velocity, activation) of n = 2 nv + na numbers.
//
//   A (n x n), B (n x nu), C (nsensordata x n), D (nsensordata x nu)    row-major; each may be NULL
//
// Integrators: all. The derivative is that of the solution of the constraint problem: a solver that
// stops before it finds that is somewhere else. State and inputs of d stay; everything else
// describes the state, or with Runge-Kutta its last stage. What is needed comes from the arena:
// some 5 nv (2 nv + na + nu) numbers, with Runge-Kutta 15. Returns the number of kinks. Errors
// (mju_error): callbacks that are set, plugins, contacts that are hard, stick or bounce in this
// step, noslip, and whatever else has no exact derivative here, with its name.
//                                                                       theory/exact-derivatives.md
MJAPI int cnd_transitionExact(const mjModel* m, mjData* d, mjtNum* A, mjtNum* B, mjtNum* C,
                              mjtNum* D);

// The force that explains the acceleration d->qacc, as mj_inverse finds it, less that of the
// actuators if flg_actuation is not 0: f = qfrc_inverse - qfrc_actuator. Each row is the derivative
// by one input, of positions (in the tangent space), velocities or accelerations:
//
//   DfDq, DfDv, DfDa (nv x nv)    DsDq, DsDv, DsDa (nv x nsensordata)
//   DmDq (nv x nM, the entries of qM)
//
// each may be NULL. With the flag invdiscrete qacc is that of discrete time. Returns the number of
// kinks. Errors as above, and Runge-Kutta in discrete time, which has no inverse.
//                                                                  theory/exact-derivatives.md
MJAPI int cnd_inverseExact(const mjModel* m, mjData* d, mjtByte flg_actuation, mjtNum* DfDq,
                           mjtNum* DfDv, mjtNum* DfDa, mjtNum* DsDq, mjtNum* DsDv, mjtNum* DsDa,
                           mjtNum* DmDq);

// Where gradients by parameters go, each an array of the shape of the field of mjModel, to which is
// added; NULL:
// not asked for. All other fields are taken as constant, those that the compiler derives from these
// too, except dof_M0, from which simple bodies have their part of M.
typedef struct cndParameterGradient_ {
  mjtNum* body_mass;         // nbody
  mjtNum* body_inertia;      // nbody x 3
  mjtNum* dof_damping;       // nv
  mjtNum* dof_armature;      // nv
  mjtNum* actuator_gainprm;  // nu x mjNGAIN; of fixed and affine gains
  mjtNum* actuator_biasprm;  // nu x mjNBIAS; of affine biases

  // what contacts and dry friction are made of
  mjtNum* geom_friction;        // ngeom x 3; of equal ones of which the larger counts, half each
  mjtNum* pair_friction;        // npair x 5
  mjtNum* geom_pos;             // ngeom x 3
  mjtNum* geom_turn;            // ngeom x 3: small turns of geom_quat about the axes of the geom
  mjtNum* geom_size;            // ngeom x 3; of boxes, capsules, cylinders, ellipsoids and spheres
  mjtNum* dof_frictionloss;     // nv
  mjtNum* tendon_frictionloss;  // ntendon
} cndParameterGradient;

// The product of vectors with the derivative of a step: with a loss L of the next state and the
// present sensors, from dL/d(next state) (n = 2 nv + na numbers, positions in the tangent space
// there) and dL/d(sensors) (NULL: 0)
//
//   dstate (n) = A' dnext + C' dsensor        dctrl (nu) = B' dnext + D' dsensor
//
// and dparam (NULL: none) by parameters, in the time of a few steps whatever the number of inputs.
// dstate and dctrl may be NULL. Returns the number of kinks. Errors as of cnd_transitionExact; and
// parameters on which something else depends that nobody here differentiates by them: fluids,
// muscles, strings around geoms, sensors that are asked for.
//                                                         theory/exact-derivatives.md, Adjoint
MJAPI int cnd_transitionAdjoint(const mjModel* m, mjData* d, const mjtNum* dnext,
                                const mjtNum* dsensor, mjtNum* dstate, mjtNum* dctrl,
                                cndParameterGradient* dparam);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_DERIVATIVE_H_
