// plastic.h: flexes that yield. What is beyond the yield strain stays, as state in mjData.plastic:
//
//   flex_plasticadr -> 3 (triangles) or 6 (tetrahedra) offsets of squared lengths per element
//                      | one coefficient of a hinge per edge        or, for a cage,
//                      6 strains per cell: xx yy zz 2xy 2xz 2yz
//                                                    theory/smooth/deformables.md, Plastic flexes

#pragma once

#include <mujoco/mjdata.h>

// Return mapping of all flexes at the end of a step that has moved vertices and nodes by h J qvel
// from where they are in `vertex` and `node` (NULL: those of d).
void flex_yield(const mjModel* m, mjData* d, const mjtNum* qvel, const mjtNum* vertex,
                const mjtNum* node);

// Writes the frames of all rods as they are now, or copies them from such numbers. They are state,
// although they don't yield.
void flex_move_frames(mjtNum* plastic, const mjModel* m, mjData* d);
void flex_copy_frames(mjtNum* plastic, const mjModel* m, const mjtNum* from);

// World positions of all nodes of all flexes.
void flex_all_nodes(mjtNum* node, const mjModel* m, const mjData* d);
