// follow.h: what follows from numbers of a compiled model that a program has changed.

#pragma once

#include <mujoco/mjmodel.h>

// Bounds of a primitive shape, and its coefficients in a fluid, from geom_size.
void follow_size(mjModel* m, int geom);

// Flags of frames that coincide.
void follow_bodyframes(mjModel* m);
void follow_geomframes(mjModel* m);
void follow_siteframes(mjModel* m);

// Largest margins of the geoms of bodies; number of bodies with compensated weight.
void follow_margins(mjModel* m);
void follow_gravcomp(mjModel* m);
