// inertia.h: inertias of bodies, the joint-space inertia M and its sparse L'DL factor.
//                                                         theory/smooth/inertia.md, Spatial inertia

#pragma once

#include <mujoco/mjdata.h>

#include "model/data/awake.h"
#include "smooth/ldl.h"

// Computes cinert: the inertia of every body of a run but the world about the com of its tree,
// world axes. Reads subtree_com.
void inertia_bodies(const mjModel* m, mjData* d, const AwakeRun* run);

// Factors M + scale diag(shift) of all trees that are awake, as ldl_factor, and solves L'DL x = b
// in place, if x is not NULL.
void inertia_factor_shifted(mjtNum* x, mjtNum* LD, mjtNum* diaginv, const mjModel* m, mjData* d,
                            const mjtNum* M, const mjtNum* shift, mjtNum scale);

// Solves L'DL x = b in place by such a factor, for all trees that are awake.
void inertia_solve_by(mjtNum* x, const mjModel* m, mjData* d, const mjtNum* LD,
                      const mjtNum* diaginv);

// x = M^-1 x, by the factor in d.
void inertia_solve(mjtNum* x, const mjModel* m, mjData* d);

// out = M v, with M in compressed rows of the pattern `tree`.
void inertia_mul(mjtNum* out, TreePattern tree, const mjtNum* M, const mjtNum* v);

// v'M v: twice the kinetic energy, if v is the velocity.
mjtNum inertia_square(const mjModel* m, const mjtNum* M, const mjtNum* v);
