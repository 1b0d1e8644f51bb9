// marks.h: which nodes of the trees of boxes a search for contacts opens.
//
// Contacts are found in other ways, most of which open no box, so marks are made where they are
// drawn and no step pays for them. They are those of the reference's search, from the
// positions that the last collision saw.                     theory/contact/collision.md, Mid phase

#pragma once

#include <mujoco/mjdata.h>

// Writes bvh_active of bodies and flexes; nodes of meshes are never marked. On a full stack some
// marks are left out.
void collision_mark(const mjModel* m, mjData* d);
