// trace.h: the paths of the searches that find contacts of signed distance fields, for drawing.

#pragma once

#include <mujoco/mjdata.h>

// Receives the points of one search, in the frame of geom 2: those where the gradient of its field
// was evaluated. Returns 0 to end the trace.
typedef int SdfVisit(void* context, const mjtNum (*point)[3], int n, int search);

// Repeats the searches for contacts of geoms g1 and g2, in order of type, and visits each. Uses the
// stack of d.
void sdf_trace(const mjModel* m, mjData* d, int g1, int g2, SdfVisit* visit, void* context);
