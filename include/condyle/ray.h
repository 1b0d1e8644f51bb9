// ray.h: the surface that a ray has hit.

#ifndef CONDYLE_RAY_H_
#define CONDYLE_RAY_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

// Outward unit normal, in the world, of a geom's surface where mj_ray hits it: geomid and dist are
// what mj_ray gives for the ray pnt + x vec, x >= 0. The side from which the ray comes doesn't
// matter. Zero if there is no hit (geomid or dist is negative).
//                                                                theory/contact/rays.md, Normals
MJAPI void cnd_rayNormal(mjtNum normal[3], const mjModel* m, const mjData* d, int geomid,
                         const mjtNum pnt[3], const mjtNum vec[3], mjtNum dist);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_RAY_H_
