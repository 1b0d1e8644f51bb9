// ray.h: where a ray meets a signed distance field, by sphere tracing.
//
// A step as long as the distance to the surface can't pass through the surface:
//
//    o----f----o---f---o-f-o-oo|        until f is nearly 0
//
// theory/contact/sdf.md, Rays

#pragma once

#include <mujoco/mjdata.h>

// Distance in m along the ray pnt + x vec from pnt to the surface of an SDF geom, -1 if it misses.
// Other rays count in units of vec. normal, which may be NULL, becomes the direction of the gradient
// in the world, zeros on a miss.
mjtNum ray_sdf(const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3],
               const mjtNum vec[3], mjtNum normal[3]);
