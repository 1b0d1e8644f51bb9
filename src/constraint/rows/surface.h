// surface.h: what moving and adhesive surfaces add to velocities and reference accelerations.
//
// The surface of a geom may move although the geom does not (a conveyor belt, a turntable), and it
// may attract what it touches with a constant force. Both are numbers of each contact (surfacevel,
// adhesion); a model without any says so by its flags, and nothing here is called. The attraction
// itself is a passive force, in smooth/adhesion.c.
//                                       theory/contact/constraints.md, Moving and adhesive surfaces

#pragma once

#include <mujoco/mjdata.h>

// Adds the motion of the surfaces to velocities of rows: slip is measured against them.
void surface_add_velocity(mjtNum* vel, const mjModel* m, const mjData* d);

// Adds what carries the attraction to efc_aref, so that it doesn't change how deep contacts rest.
void surface_add_reference(const mjModel* m, mjData* d);
