// pose.h: frames as the compiler uses them, and what it takes for nothing.

#ifndef CONDYLE_COMPILE_POSE_H_
#define CONDYLE_COMPILE_POSE_H_

#include "base/pose.h"

// "too small" in the compiler: masses, sizes, eigenvalues
#define COMPILE_EPS 1e-14

#endif  // CONDYLE_COMPILE_POSE_H_
