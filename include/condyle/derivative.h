// derivative.h: exact derivatives of a step and of inverse dynamics.
//
// mjd_transitionFD and mjd_inverseFD perturb every input and evaluate again. The functions here
// solve one linear system with all inputs as right-hand sides, so they have no step width and cost
// less.
//
// A step is a piecewise smooth function. At a kink, where two pieces meet (exactly, up to
// rounding), the derivative is that of one piece, and the kink is counted:
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
// Derivatives at a huge state (velocities of 1e154, say, whose squares overflow) may be infinite or
// NaN. They are written as they are, with the warning cndWARN_DERIVATIVE.
//                                                           theory/time/exact-derivatives.md, Kinks

#ifndef CONDYLE_DERIVATIVE_H_
#define CONDYLE_DERIVATIVE_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

// Linearises the next state y and the present sensors s: dy = A dx + B du, ds = C dx + D du. The
// state x = (position in the tangent space, velocity, activation) has n = 2 nv + na numbers, u is
// the control.
//
//   A (n x n), B (n x nu), C (nsensordata x n), D (nsensordata x nu)    row-major; each may be NULL
//
// All integrators are supported. The derivative is that of the exact solution of the constraint
// problem, so it is inaccurate if the solver stops early. State and inputs of d are unchanged;
// everything else in d belongs to this state, or with Runge-Kutta to its last stage. The arena must
// have room for about 5 nv (2 nv + na + nu) numbers, with Runge-Kutta 15, in discrete steps 8 and
// for as many rows of 2 nv + na + nu as there are constraints. Returns the number of kinks. Ends in
// mju_error, with the name of the cause, if there is no exact derivative here: with callbacks,
// plugins, noslip, contacts that are hard, stick or bounce in this step, flexes in discrete steps,
// and some others.
//                                                                  theory/time/exact-derivatives.md
MJAPI int cnd_transitionExact(const mjModel* m, mjData* d, mjtNum* A, mjtNum* B, mjtNum* C,
                              mjtNum* D);

// Differentiates inverse dynamics: f is the force of mj_inverse for the acceleration d->qacc, or f
// = qfrc_inverse - qfrc_actuator if flg_actuation is not 0. s are the sensors, m the entries of qM.
// Each row is the derivative by one input: a position (in the tangent space), a velocity or an
// acceleration:
//
//   DfDq, DfDv, DfDa (nv x nv)    DsDq, DsDv, DsDa (nv x nsensordata)
//   DmDq (nv x nM, the entries of qM)
//
// Each may be NULL. With the flag invdiscrete qacc is the acceleration of discrete time. Returns
// the number of kinks. Errors are those of cnd_transitionExact, and Runge-Kutta in discrete time,
// which has no inverse.
//                                                                  theory/time/exact-derivatives.md
MJAPI int cnd_inverseExact(const mjModel* m, mjData* d, mjtByte flg_actuation, mjtNum* DfDq,
                           mjtNum* DfDv, mjtNum* DfDa, mjtNum* DsDq, mjtNum* DsDv, mjtNum* DsDa,
                           mjtNum* DmDq);

// Outputs of gradients by parameters. Each is an array of the shape of mjModel's field, to which
// the gradient is added, or NULL. All other fields count as constant, also those that the compiler
// derives from these parameters, except dof_M0, which gives simple bodies their part of M.
typedef struct cndParameterGradient_ {
  mjtNum* body_mass;         // nbody
  mjtNum* body_inertia;      // nbody x 3
  mjtNum* dof_damping;       // nv
  mjtNum* dof_armature;      // nv
  mjtNum* actuator_gainprm;  // nactuator x mjNGAIN; for fixed and affine gains
  mjtNum* actuator_biasprm;  // nactuator x mjNBIAS; for affine biases

  // parameters of contacts and dry friction
  mjtNum* geom_friction;        // ngeom x 3; two equal frictions get half each
  mjtNum* pair_friction;        // npair x 5
  mjtNum* geom_pos;             // ngeom x 3
  mjtNum* geom_turn;            // ngeom x 3: small turns of geom_quat about the axes of the geom
  mjtNum* geom_size;            // ngeom x 3; for boxes, capsules, cylinders, ellipsoids and spheres
  mjtNum* dof_frictionloss;     // nv
  mjtNum* tendon_frictionloss;  // ntendon
} cndParameterGradient;

// Gradient of a loss L by the inputs of a step (reverse mode). dnext is dL/d(next state), n = 2 nv
// + na numbers, with positions in the tangent space of the next state. dsensor is dL/d(present
// sensors), NULL for 0:
//
//   dstate (n) = A' dnext + C' dsensor        dctrl (nu) = B' dnext + D' dsensor
//
// dparam receives gradients by parameters. It takes the time of a few steps for any number of
// inputs. dstate, dctrl and dparam may be NULL. Returns the number of kinks. Errors are those of
// cnd_transitionExact, and parameters on which fluids, muscles, strings around geoms or requested
// sensors depend, because their part is not differentiated here.
//                                                         theory/time/exact-derivatives.md, Adjoint
MJAPI int cnd_transitionAdjoint(const mjModel* m, mjData* d, const mjtNum* dnext,
                                const mjtNum* dsensor, mjtNum* dstate, mjtNum* dctrl,
                                cndParameterGradient* dparam);

// cnd_transitionAdjoint for several losses of one state, whose equations are made once (but for
// Runge-Kutta): a further loss takes a fraction of a step. All arrays have count as an additional
// first dimension, those of dparam too. With the rows of the identity as losses dparam receives the
// Jacobian of the next state by parameters.
MJAPI int cnd_transitionAdjoints(const mjModel* m, mjData* d, int count, const mjtNum* dnext,
                                 const mjtNum* dsensor, mjtNum* dstate, mjtNum* dctrl,
                                 const cndParameterGradient* dparam);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_DERIVATIVE_H_
