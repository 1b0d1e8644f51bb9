// unsupported.h: a warning for pairs of shapes that have no collider and pass through each other.

#ifndef CONDYLE_COLLISION_UNSUPPORTED_H_
#define CONDYLE_COLLISION_UNSUPPORTED_H_

#include <mujoco/mjdata.h>

// Entry of mjCOLLISIONFUNC: no contacts, and a warning the first time it meets this pair of types.
int collide_unsupported(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                        mjtNum margin);

#endif  // CONDYLE_COLLISION_UNSUPPORTED_H_
