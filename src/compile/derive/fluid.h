// fluid.h: coefficients of the ellipsoid model of fluid forces.
//
// A geom with fluidshape "ellipsoid" has the drag, lift and added mass of an ellipsoid with its
// half sizes. The user gives coefficients of drag and lift. Added mass follows from potential flow
// around the ellipsoid and is computed here.
//                                                        theory/model/shapes.md, Fluid coefficients

#pragma once

#include <mujoco/mjmodel.h>

// geom_fluid of one geom: (interaction, 5 coefficients, 3 virtual masses, 3 virtual inertias), per
// unit density; all zero unless interaction > 0.
void fluid_coefficients(double fluid[mjNFLUID], double interaction, const mjtNum coefs[5],
                        mjtGeom type, const double size[3]);
