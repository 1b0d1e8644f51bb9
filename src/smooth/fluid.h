// fluid.h: drag, lift and added mass of bodies moving through a medium, without meshing the medium.
//
// There are two models. A body with a geom of fluidshape "ellipsoid" feels each such geom as an
// ellipsoid with five coefficients. Any other body feels its equivalent inertia box, the box of
// uniform density with the body's mass and inertia. Both give a wrench in the local frame as a
// function of the local velocity relative to the wind. Its derivative is for the matrix of the
// implicit integrators.                                      theory/smooth/passive.md, Fluid pieces

#pragma once

#include <mujoco/mjdata.h>

#include "model/behaviour.h"

// One piece of a body in the fluid.
typedef struct {
  int body;
  int geom;            // the ellipsoid; -1: the body's inertia box
  const mjtNum* pos;   // where the wrench acts, world
  const mjtNum* mat;   // its frame, world
  const mjtNum* box;   // full sizes of the body's inertia box, if that is the piece
  mjtNum velocity[6];  // (angular, linear) in that frame, linear relative to the wind
} FluidPart;

// Whether the medium has density or viscosity.
int fluid_is_active(const mjModel* m);

// The smallest divisor of the formulas of ellipsoids, which small and slow ones reach. The later
// one is so small that it only keeps 0 from 0.
static inline mjtNum fluid_floor(const mjModel* m) {
  const mjtNum least = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-100 : (mjtNum)1e-30f;
  return behaves(m, cndBEHAVIOUR_smalldrag) ? least : mjMINVAL;
}

// Semi-axes of the ellipsoid that stands for a geom.
void fluid_semi_axes(mjtNum s[3], const mjModel* m, int geom);

// Calls visit for every piece of every body that can move; arg is passed on.
typedef void FluidVisitor(const mjModel* m, mjData* d, const FluidPart* part, void* arg);
void fluid_visit(const mjModel* m, mjData* d, FluidVisitor* visit, void* arg);

// Full sizes of the box with the mass and inertia of a body.
void fluid_inertia_box(mjtNum box[3], const mjModel* m, int body);

// Resistance of a box to each component x of its velocity: - (viscous + drag |x|) x.
typedef struct FluidBox {
  mjtNum viscous[6], drag[6];
} FluidBox;

FluidBox fluid_box(const mjModel* m, const mjtNum box[3]);

// Wrench (torque, force) on a piece, in its own frame.
void fluid_wrench(mjtNum wrench[6], const mjModel* m, const FluidPart* part);

// Derivative of the wrench (torque, force) on a piece, in its own frame, with respect to the
// velocity, 6 x 6 row-major. Where the force clamps a denominator, this is the derivative of the
// formula with its clamped value, not of the clamped force.
void fluid_derivative(mjtNum B[36], const mjModel* m, const FluidPart* part);

// Second derivative of each component of an inertia box's wrench by the same component of velocity.
void fluid_box_bend(mjtNum bend[6], const mjModel* m, const FluidPart* part);

// The coefficients of an ellipsoid's law, in the notation of ellipsoid_wrench (fluid.c). mass,
// inertia, magnus and kutta include the density.
typedef struct {
  mjtNum density, blunt, slender, kutta, magnus, area_max;
  mjtNum turning, moving;  // viscous torque and force per velocity
  mjtNum mass[3], inertia[3], abc[3], drag[3];
} FluidEllipsoid;

FluidEllipsoid fluid_ellipsoid(const mjModel* m, const FluidPart* part);

// Adds all forces to d->qfrc_fluid.
void fluid_forces(const mjModel* m, mjData* d);

// The same of what resists alone: all of an inertia box, viscosity and drag of an ellipsoid,
// without its lift and added mass.
void fluid_drag_derivative(mjtNum B[36], const mjModel* m, const FluidPart* part);
