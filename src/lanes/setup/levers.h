// levers.h: what actuators and tendons move: terms on scalar joints, and levers on the dofs of
// paths, sites, balls and contacts.

#pragma once

#include "lanes/setup/structure.h"

// Fills in actuators, springs, paths and levers. Contacts must be known, for those that pull at
// them.
void levers_make(LaneStructure* s);
