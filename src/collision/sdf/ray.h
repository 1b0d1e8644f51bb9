// ray.h: where a ray meets a signed distance field, by marching.
//
// The distance from where one is to the surface is a step that can't go through it:
//
//     o----f----o---f---o-f-o-oo|        until f is nothing
//
// theory/sdf.md, Rays

#ifndef CONDYLE_COLLISION_SDF_RAY_H_
#define CONDYLE_COLLISION_SDF_RAY_H_

#include <mujoco/mjdata.h>

// Length along the ray pnt + x vec from pnt to the surface of an SDF geom, -1 if it misses. Unlike
// other rays it counts in m, not in units of vec.
mjtNum ray_sdf(const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3],
               const mjtNum vec[3]);

#endif  // CONDYLE_COLLISION_SDF_RAY_H_
