// flex_box.h: derivatives of the forces of a flex that follows the nodes of a box.

#pragma once

#include "derivative/smooth/forces.h"

// F += derivative of the elastic and damping forces; constant forces go into loads.
void flex_add_box(ForceJacobian* F, Load* loads, const mjModel* m, mjData* d, int flex,
                  const Twists* W, int spring, int damper);
