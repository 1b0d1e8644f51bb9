// kinks.h: kinks that positions decide, whatever the forces are.
//                                                                theory/exact-derivatives.md, Kinks

#ifndef CONDYLE_DERIVATIVE_KINKS_H_
#define CONDYLE_DERIVATIVE_KINKS_H_

#include <mujoco/mjdata.h>

// How many limits, contacts, impedances and springs of tendons are where a row or a force begins or
// ends. d is that of mj_forward.
int position_kinks(const mjModel* m, const mjData* d);

#endif  // CONDYLE_DERIVATIVE_KINKS_H_
