// unsupported.h: a warning for pairs of shapes that have no collider and pass through each other.

#pragma once

#include <mujoco/mjdata.h>

// Entry of mjCOLLISIONFUNC: no contacts, and a warning the first time it meets this pair of types.
int collide_unsupported(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                        mjtNum margin);
