// inertia.h: inertias of bodies, the joint-space inertia M and its sparse L'DL factor.
//                                                         theory/smooth/inertia.md, Spatial inertia

#pragma once

#include <mujoco/mjdata.h>

#include "model/data/awake.h"
#include "smooth/ldl.h"

// Computes cinert: the inertia of every body of a run but the world about the com of its tree,
// world axes. Reads subtree_com.
void inertia_bodies(const mjModel* m, mjData* d, const AwakeRun* run);

// x = M^-1 x, by the factor in d.
void inertia_solve(mjtNum* x, const mjModel* m, mjData* d);

// out = M v, with M in compressed rows of the pattern `tree`.
void inertia_mul(mjtNum* out, TreePattern tree, const mjtNum* M, const mjtNum* v);

// v'M v: twice the kinetic energy, if v is the velocity.
mjtNum inertia_square(const mjModel* m, const mjtNum* M, const mjtNum* v);
