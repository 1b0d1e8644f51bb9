// The collider of each pair of types of geoms.

#include <mujoco/api/collision.h>
#include <string.h>

#include "collision/collide.h"
#include "collision/unsupported.h"

// First index: the lower type. Programs may replace entries. NULL: geoms of these types don't
// collide.
// clang-format off
#define NONE collide_unsupported
#define CONVEX collide_convex
#define HFIELD collide_hfield
#define SDF collide_sdf
#define COLLIDERS \
{ \
  [mjGEOM_PLANE] = {NULL, NULL, collide_plane_sphere, collide_plane_capsule, \
                    collide_plane_ellipsoid, collide_plane_cylinder, collide_plane_box, \
                    collide_plane_mesh, collide_plane_mesh}, \
  [mjGEOM_HFIELD] = {NULL, NULL, HFIELD, HFIELD, HFIELD, HFIELD, HFIELD, HFIELD, NONE}, \
  [mjGEOM_SPHERE] = {NULL, NULL, collide_sphere_sphere, collide_sphere_capsule, CONVEX, \
                     collide_sphere_cylinder, collide_sphere_box, CONVEX, SDF}, \
  [mjGEOM_CAPSULE] = {NULL, NULL, NULL, collide_capsule_capsule, CONVEX, CONVEX, \
                      collide_capsule_box, CONVEX, SDF}, \
  [mjGEOM_ELLIPSOID] = {NULL, NULL, NULL, NULL, CONVEX, CONVEX, CONVEX, CONVEX, SDF}, \
  [mjGEOM_CYLINDER] = {NULL, NULL, NULL, NULL, NULL, CONVEX, CONVEX, CONVEX, SDF}, \
  [mjGEOM_BOX] = {NULL, NULL, NULL, NULL, NULL, NULL, collide_box_box, CONVEX, SDF}, \
  [mjGEOM_MESH] = {NULL, NULL, NULL, NULL, NULL, NULL, NULL, CONVEX, SDF}, \
  [mjGEOM_SDF] = {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, SDF}, \
}
mjfCollision mjCOLLISIONFUNC[mjNGEOMTYPES][mjNGEOMTYPES] = COLLIDERS;
static const mjfCollision standard[mjNGEOMTYPES][mjNGEOMTYPES] = COLLIDERS;
#undef COLLIDERS
#undef HFIELD
#undef CONVEX
#undef SDF
#undef NONE
// clang-format on

int collide_is_standard(void) {
  return memcmp(mjCOLLISIONFUNC, standard, sizeof(standard)) == 0;
}
