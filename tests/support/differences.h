// differences.h: derivatives as what they are defined to be, for tests of formulas.
//
//   J[i nx + j] = dy_i / dx_j = (4 D(h/2) - D(h)) / 3,    D(h) = (y(x_j + h) - y(x_j - h)) / 2h
//
// whose error is of the fourth order in h (Richardson).

#pragma once

#include <mujoco/mujoco.h>

// A function of numbers; `of` is what the test hands on.
typedef void VectorFunction(mjtNum* y, const mjtNum* x, void* of);

// J (ny x nx by rows) at x.
void differences(mjtNum* J, VectorFunction* f, void* of, const mjtNum* x, int ny, int nx, mjtNum h);

// New data in the state and with the accelerations of d, whose stack may be in use.
mjData* data_like(const mjModel* m, const mjData* d);

// A function of the positions in d, of which it computes what it needs.
typedef void PositionFunction(mjtNum* y, const mjModel* m, mjData* d, void* of);

// J (ny x nv by rows) as the positions of d move along the axes of the dofs; d stays as it is.
void differences_by_dofs(mjtNum* J, PositionFunction* f, void* of, const mjModel* m,
                         const mjData* d, int ny, mjtNum h);
