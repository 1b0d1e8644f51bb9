// shape.h: the primitive shapes of geoms and sites: their sizes, possibly given by two end points.
//                                                                     theory/model/shapes.md, Sizes

#pragma once

#include <mujoco/mjspec.h>

#include "compile/context.h"

// Pose (in the innermost frame) and sizes from the attributes pos, quat, alternative orientation,
// fromto and size. Returns 0, with an error, if they are invalid.
int shape_resolve(Compile* c, const SpecObject* object, mjtGeom type, const double pos[3],
                  const double quat[4], const mjsOrientation* alt, const double fromto[6],
                  Pose* out_pose, double out_size[3]);

// 0 and an error if a size that the type uses is not positive, or one is NaN.
int shape_check(Compile* c, const SpecObject* object, mjtGeom type, const double size[3]);
