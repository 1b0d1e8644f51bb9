// The largest number of contacts that two geoms can have, for programs that set memory aside. It
// follows from the collider of their types.

#include <mujoco/api/collision.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "collision/collide.h"
#include "collision/contact_param.h"
#include "collision/convex/collider.h"
#include "collision/unsupported.h"

// Colliders whose largest number of contacts is a constant, whatever the options and shapes.
static const struct {
  mjfCollision collider;
  int most;
} fixed_bounds[] = {
    {collide_plane_sphere, 1},       {collide_plane_capsule, 2},     {collide_plane_ellipsoid, 1},
    {collide_plane_cylinder, 4},     {collide_plane_box, 4},         {collide_plane_mesh, 3},
    {collide_sphere_sphere, 1},      {collide_sphere_capsule, 1},    {collide_sphere_cylinder, 1},
    {collide_sphere_box, 1},         {collide_capsule_capsule, 2},   {collide_capsules_beside, 2},
    {collide_box_box, BOX_BOX_MOST}, {collide_plane_face, 4},        {collide_box_clip, 8},
    {collide_unsupported, 0},        {collide_hfield, mjMAXCONPAIR},
};

// The bound of two geoms in order of type.
// Also lane_most_contacts in lanes/setup/structure.c.
static int most_contacts(const mjModel* m, int type1, int type2, int has_margin) {
  ColliderTable room;
  mjfCollision collider = colliders_of(room, m)[type1][type2];
  if (!collider) {
    return 0;
  }
  for (size_t i = 0; i < sizeof(fixed_bounds) / sizeof(fixed_bounds[0]); i++) {
    if (collider == fixed_bounds[i].collider) {
      return fixed_bounds[i].most;
    }
  }
  if (collider == collide_convex) {
    return convex_most(m, type1, type2, has_margin);
  }
  if (collider == collide_convex_several) {
    return convex_most_several(m, type1, type2);
  }
  // a box around the middle of a capsule is left to the general collider
  if (collider == collide_capsule_box) {
    return int_max(2, convex_most(m, type1, type2, has_margin));
  }
  if (collider == collide_mesh_sdf) {
    return mjMAXCONPAIR;
  }
  if (collider == collide_sdf) {
    return int_min(mjMAXCONPAIR, int_max(0, m->opt.sdf_initpoints));
  }
  return mjMAXCONPAIR;  // the program's own
}

int mj_maxContact(const mjModel* m, int g1, int g2, int has_margin) {
  check_given(m);
  check_index("mj_maxContact", "geom", g1, m->ngeom);
  check_index("mj_maxContact", "geom", g2, m->ngeom);
  int is_turned = m->geom_type[g1] > m->geom_type[g2];
  int a = is_turned ? g2 : g1, b = is_turned ? g1 : g2;
  int type1 = m->geom_type[a], type2 = m->geom_type[b];
  if (has_margin != -1) {
    return most_contacts(m, type1, type2, has_margin > 0);
  }

  // the geoms' own margin, or that of an explicit pair
  int most = most_contacts(m, type1, type2, contact_margin(m, a, b, -1) > 0);
  for (int i = 0; i < m->npair; i++) {
    int x = m->pair_geom1[i], y = m->pair_geom2[i];
    if ((x == a && y == b) || (x == b && y == a)) {
      most = int_max(most, most_contacts(m, type1, type2, contact_margin(m, a, b, i) > 0));
    }
  }
  return most;
}
