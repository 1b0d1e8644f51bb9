// ilqr.h: trajectory optimization by the iterative linear-quadratic regulator with limits on
// controls.
//
// Minimizes the cost of a trajectory x_0, u_0, x_1 .. x_N with x_t+1 = step(x_t, u_t), from a given
// x_0:
//
//   J = sum over t < N of (r_t' W r_t + w u_t' u_t)/2  +  r_N' Wf r_N / 2,      r_t = r(x_t)
//
// Each iteration linearizes step and r along the trajectory, solves the quadratic problem that this
// gives backwards in time, and follows its policy forwards as far as that helps. Costs are squares
// of residuals, so their Hessians are J' W J (Gauss-Newton) and never indefinite.
//
// Literature: Tassa, Mansard and Todorov, Control-limited differential dynamic programming, 2014.

#pragma once

#include <mujoco/mujoco.h>

enum {
  TASK_RESIDUALS = 128
};  // at most, in a task

typedef struct Task_ Task;

// Residuals of the state that d describes (kinematics and velocities are evaluated), and if slope
// is not NULL their derivative by positions in the tangent space and velocities (nresidual x n),
// which comes in as zeros.
typedef void (*TaskResidual)(mjtNum* residual, mjtNum* slope, const Task* task, const mjModel* m,
                             mjData* d);

struct Task_ {
  TaskResidual residual;
  int nresidual;
  mjtNum running[TASK_RESIDUALS];  // W
  mjtNum final[TASK_RESIDUALS];    // Wf
  mjtNum control;                  // w
  mjtNum start;                    // all controls of the first trajectory
  int horizon;                     // N
  int iterations;                  // at most, for a trajectory
  int windows, stride;  // of a horizon that recedes: how many, and steps from one to the next
  int parts[8];         // bodies, sites or geoms that the residuals are about
  mjtNum goals[8];      // and what they should reach
};

typedef enum Derivatives_ {
  DERIVATIVES_EXACT,    // cnd_transitionExact
  DERIVATIVES_FORWARD,  // mjd_transitionFD, one-sided
  DERIVATIVES_CENTRED,  // mjd_transitionFD, centred
} Derivatives;

typedef enum IlqrStatus_ {
  ILQR_IMPROVED,   // the iteration found a better trajectory
  ILQR_REJECTED,   // it did not, and the next one regularizes more
  ILQR_CONVERGED,  // what an iteration can still win is negligible
  ILQR_STUCK,      // no step helps, however small
} IlqrStatus;

typedef struct Ilqr_ Ilqr;

// A solver for a task at the state of d, starting from its first controls. NULL, with a message: no
// memory, or a model of a kind that cannot be stepped in two halves (Runge-Kutta) or has
// activations. Keeps pointers to all three arguments.
Ilqr* ilqr_make(const mjModel* m, mjData* d, const Task* task, char* error, int error_size);
void ilqr_free(Ilqr* solver);

// One iteration: derivatives, backward pass, line search.
IlqrStatus ilqr_iterate(Ilqr* solver, Derivatives derivatives);

// Moves the beginning of the horizon by so many steps; the last control is repeated at its end.
void ilqr_advance(Ilqr* solver, int steps);

mjtNum ilqr_cost(const Ilqr* solver);
mjtNum ilqr_regularization(const Ilqr* solver);

// Sets d to the state and control of step t of the trajectory, 0 <= t <= horizon, and evaluates
// what residuals need.
void ilqr_show(const Ilqr* solver, mjData* d, int t);
