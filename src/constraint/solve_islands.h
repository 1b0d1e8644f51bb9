// solve_islands.h: the islands of a system, each as a problem of its own.

#pragma once

#include <mujoco/mjmodel.h>

// Solves all islands of d.                                          theory/contact/islands.md
void solve_islands(const mjModel* m, mjData* d);
