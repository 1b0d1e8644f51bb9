// unsupported.h: pairs of shapes that have no collider say so, once, instead of passing through
// each other in silence.

#ifndef CONDYLE_COLLISION_UNSUPPORTED_H_
#define CONDYLE_COLLISION_UNSUPPORTED_H_

#include <mujoco/mjdata.h>

// Entry of mjCOLLISIONFUNC: warns the first time it meets this pair of types; no contacts.
int collide_unsupported(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                        mjtNum margin);

#endif  // CONDYLE_COLLISION_UNSUPPORTED_H_
