// marks.h: which nodes of the trees of boxes a search for contacts opens.
//
// Contacts are found by other means, which open few boxes. So the marks, which are only drawn, are
// computed when they are drawn, and no step pays for them. They are those of MuJoCo's search at the
// positions of the last collision stage.
//                                                            theory/contact/collision.md, Mid phase

#pragma once

#include <mujoco/mjdata.h>

// Writes bvh_active of bodies and flexes; nodes of meshes are never marked. On a full stack some
// marks are left out.
void collision_mark(const mjModel* m, mjData* d);
