// spring_cache.h: stiffness and damping of rows, kept while rows that follow have the same spring.

#pragma once

#include <math.h>
#include <mujoco/mjdata.h>

// Stiffness and damping of the last solref and dmax: most constraints share them.
typedef struct {
  mjtNum solref[mjNREF], dmax;
  mjtNum K, B;
} SpringCache;

// Of no row yet.
static const SpringCache NO_SPRING = {.dmax = NAN};

// Finds K and B of a row's solref and solimp. Warns of a reference of mixed signs.
void spring_select(SpringCache* spring, const mjModel* m, mjData* d, int row, const mjtNum* solref,
                   const mjtNum* solimp);
