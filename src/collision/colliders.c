// The collider of each pair of types of geoms, in two tables: functions of mjCOLLISIONFUNC write
// contacts, those of cnd_COLLISIONFUNC what 4.0.0 wants of them. The driver knows the first only;
// where a program has changed the second, it has an adapter.

#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>
#include <stdint.h>
#include <string.h>

#include "collision/collide.h"
#include "collision/unsupported.h"
#include "model/behaviour.h"

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

// The colliders that a behaviour replaces, of all pairs or of those with a lower type.
static const struct {
  int behaviour, type1;
  mjfCollision before, later;
} replaced[] = {
    {cndBEHAVIOUR_boxclip, -1, collide_box_box, collide_box_clip},
    {cndBEHAVIOUR_capsules, -1, collide_capsule_capsule, collide_capsules_beside},
    {cndBEHAVIOUR_meshface, -1, collide_plane_mesh, collide_plane_face},
    {cndBEHAVIOUR_multiccd, -1, collide_convex, collide_convex_several},
    {cndBEHAVIOUR_meshsdf, mjGEOM_MESH, collide_sdf, collide_mesh_sdf},
};

mjfCollision (*colliders_of(ColliderTable room, const mjModel* m))[mjNGEOMTYPES] {
  int later = m->opt.behaviour;
  if (m->opt.disableflags & mjDSBL_NATIVECCD) {
    later &= ~(1 << cndBEHAVIOUR_multiccd);  // the legacy search has contacts of its own
  }
  if (!later) {
    return mjCOLLISIONFUNC;
  }
  memcpy(room, mjCOLLISIONFUNC, sizeof(ColliderTable));
  for (size_t k = 0; k < sizeof(replaced) / sizeof(replaced[0]); k++) {
    for (int i = 0; i < mjNGEOMTYPES && later >> replaced[k].behaviour & 1; i++) {
      for (int j = i; j < mjNGEOMTYPES && (replaced[k].type1 < 0 || replaced[k].type1 == i); j++) {
        room[i][j] = room[i][j] == replaced[k].before ? replaced[k].later : room[i][j];
      }
    }
  }
  return room;
}

static int call_standard(const mjModel* m, mjData* d, mjPreContact* con, int g1, int g2,
                         mjtNum margin) {
  mjContact found[mjMAXCONPAIR];
  int n = standard[m->geom_type[g1]][m->geom_type[g2]](m, d, found, g1, g2, margin);
  for (int i = 0; i < n; i++) {
    con[i].dist = found[i].dist;
    mju_copy3(con[i].pos, found[i].pos);
    mju_copy3(con[i].normal, found[i].frame);
    mju_copy3(con[i].tangent, found[i].frame + 3);
  }
  return n;
}

// clang-format off
#define OURS call_standard
#define TABLE \
{ \
  [mjGEOM_PLANE] = {NULL, NULL, OURS, OURS, OURS, OURS, OURS, OURS, OURS}, \
  [mjGEOM_HFIELD] = {NULL, NULL, OURS, OURS, OURS, OURS, OURS, OURS, OURS}, \
  [mjGEOM_SPHERE] = {NULL, NULL, OURS, OURS, OURS, OURS, OURS, OURS, OURS}, \
  [mjGEOM_CAPSULE] = {NULL, NULL, NULL, OURS, OURS, OURS, OURS, OURS, OURS}, \
  [mjGEOM_ELLIPSOID] = {NULL, NULL, NULL, NULL, OURS, OURS, OURS, OURS, OURS}, \
  [mjGEOM_CYLINDER] = {NULL, NULL, NULL, NULL, NULL, OURS, OURS, OURS, OURS}, \
  [mjGEOM_BOX] = {NULL, NULL, NULL, NULL, NULL, NULL, OURS, OURS, OURS}, \
  [mjGEOM_MESH] = {NULL, NULL, NULL, NULL, NULL, NULL, NULL, OURS, OURS}, \
  [mjGEOM_SDF] = {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, OURS}, \
}
cndfCollision cnd_COLLISIONFUNC[mjNGEOMTYPES][mjNGEOMTYPES] = TABLE;
static cndfCollision taken[mjNGEOMTYPES][mjNGEOMTYPES] = TABLE;
#undef TABLE
#undef OURS
// clang-format on

// Entry of mjCOLLISIONFUNC for a function in cnd_COLLISIONFUNC.
static int call_changed(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                        mjtNum margin) {
  mjPreContact found[mjMAXCONPAIR] = {0};
  mjData* data = (mjData*)(uintptr_t)d;
  int n = taken[m->geom_type[g1]][m->geom_type[g2]](m, data, found, g1, g2, margin);
  for (int i = 0; i < n && i < mjMAXCONPAIR; i++) {
    con[i].dist = found[i].dist;
    mju_copy3(con[i].pos, found[i].pos);
    mju_copy3(con[i].frame, found[i].normal);
    mju_copy3(con[i].frame + 3, found[i].tangent);
  }
  return n;
}

void collide_take_changes(void) {
  if (memcmp(cnd_COLLISIONFUNC, taken, sizeof(taken)) == 0) {
    return;
  }
  for (int i = 0; i < mjNGEOMTYPES; i++) {
    for (int j = i; j < mjNGEOMTYPES; j++) {
      cndfCollision function = cnd_COLLISIONFUNC[i][j];
      if (function != taken[i][j]) {
        taken[i][j] = function;
        mjCOLLISIONFUNC[i][j] = !function                   ? NULL
                                : function == call_standard ? standard[i][j]
                                                            : call_changed;
      }
    }
  }
}

int collide_is_standard(void) {
  return memcmp(mjCOLLISIONFUNC, standard, sizeof(standard)) == 0;
}
