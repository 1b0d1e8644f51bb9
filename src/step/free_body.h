// free_body.h: implicit steps of free bodies that nothing hangs on, with gyroscopic forces.
//                                                     theory/time/integration.md, Free bodies

#pragma once

#include <mujoco/mjdata.h>

// Does implicitfast take the gyroscopic forces of free bodies into its matrix (gyrofast)?
int free_body_is_on(const mjModel* m);

// Is a body one of them?
int free_body_is(const mjModel* m, int body);

// Sets the rows of free bodies in qH back to those of M.
void free_body_clear(const mjModel* m, mjData* d);

// Solves A x = qfrc_smooth + qfrc_constraint for each free body, in x (nv). qDeriv is known.
void free_body_solve(mjtNum* x, const mjModel* m, mjData* d);

// Sets y = A x for each free body.
void free_body_mul(mjtNum* y, const mjModel* m, const mjData* d, const mjtNum* x);

// Discrete steps do the same with free bodies of trees that are not held. Is there any free body?
int free_body_exists(const mjModel* m);

// Solves (Mhat + h d bias / d velocity) x = frc for each of them.
void free_body_step(mjtNum* x, const mjModel* m, mjData* d, const mjtByte* held, const mjtNum* frc);

// Sets y = (Mhat + h d bias / d velocity) qacc for each of them.
void free_body_force(mjtNum* y, const mjModel* m, const mjData* d, const mjtByte* held);

// Adds h d bias / d velocity of each of them to A (nv x nv, row-major) and sets its dofs in is_free
// (nv) to 1. Returns how many there are.
int free_body_gyroscopic(mjtNum* A, mjtByte* is_free, const mjModel* m, mjData* d,
                         const mjtByte* held);
