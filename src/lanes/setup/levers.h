// levers.h: what actuators and tendons move: terms on scalar joints, and levers on the dofs of
// paths, sites, balls and contacts.

#pragma once

#include "lanes/setup/structure.h"

// Fills in actuators, springs, paths and levers. Contacts must be known, for those that pull at
// them.
void levers_make(LaneStructure* s);

// Why the path of a tendon in space can't be followed in lanes; NULL if it can.
const char* path_why(const mjModel* m, int tendon);

// The site that a path passes by at a geom, -1 if there is none.
int lane_side_site(const mjModel* m, int wrap);
