// rod_frame.h: how the edges of a rod are turned in the world.
//
// An edge has its tangent t, a reference axis u normal to it, and the material axes m1, m2 of its
// section, which the angle a of its hinge turns away from u:
//
//   m1 = cos(a) u + sin(a) t x u,   m2 = t x m1
//
//        m2
//         |  half[1]
//     ----+----
//    |    o----|-- m1      a section seen along t; a box section has these half sizes
//     ---------
//       half[0]
//                                                            theory/smooth/deformables.md, Rods

#pragma once

#include <mujoco/mjdata.h>

#include "model/flex/rod.h"

// out = u, turned as the unit vector a is on its shortest way to b.
void rod_transport(mjtNum out[3], const mjtNum u[3], const mjtNum a[3], const mjtNum b[3]);

// The frames of a rod in mjData.plastic, and whether they have a past. After a reset they are zero.
const mjtNum* rod_frames(const mjModel* m, const mjData* d, int flex);
int rod_is_started(const mjtNum* frames);

// The body that holds an edge of the chain, -1 if none does.
int rod_holder(const Rod* rod, int edge);

// The angle of the hinge of an edge; 0 if a body holds it.
mjtNum rod_angle(const mjModel* m, const mjData* d, const Rod* rod, int edge);

// The reference axis of an edge with tangent t. Frames move with their edges from where they were,
// without spin. Without a past, that of the first edge comes from where it is at rest, and the next
// ones from edge to edge: t0 and u0 are those of the edge before. Those of held edges are fixed to
// their bodies.
void rod_axis(mjtNum u[3], const mjModel* m, const mjData* d, const Rod* rod, int flex, int edge,
              const mjtNum t[3], const mjtNum t0[3], const mjtNum u0[3]);

// The material axes at an angle of the hinge.
void rod_material(mjtNum m1[3], mjtNum m2[3], const mjtNum t[3], const mjtNum u[3], mjtNum angle);

// An edge as the box that its section draws: axes m1, m2, t as columns, half sizes.
typedef struct RodBox_ {
  mjtNum pos[3], mat[9], size[3];
} RodBox;

// The boxes of the n edges of the chain from `first` on, from d->flexvert_xpos; half:
// rod_section's.
void rod_boxes(RodBox* box, const mjModel* m, const mjData* d, const Rod* rod, int flex, int first,
               int n, const mjtNum half[2]);
