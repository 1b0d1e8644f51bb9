// The table of rules: which rule gives the derivative of a contact, by the collider that found it.
// Errors name both sides and the reason.

#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>
#include <mujoco/api/model.h>
#include <stdio.h>

#include "base/algebra/vec.h"
#include "collision/collide.h"
#include "collision/complete.h"
#include "collision/contact_param.h"
#include "derivative/geometry/contact_geometry.h"
#include "derivative/geometry/flex_feature.h"
#include "derivative/geometry/rules.h"
#include "model/behaviour.h"

// Writes the name of one side of a contact, such as geom "box" (box) or flex "cloth".
static void side_name(char text[96], const mjModel* m, const mjContact* con, int side) {
  static const char* const type[mjNGEOMTYPES] = {
      "plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"};
  int is_flex = con->geom[side] < 0, id = is_flex ? con->flex[side] : con->geom[side];
  const char* kind = is_flex ? "flex" : type[m->geom_type[id]];
  const char* name = mj_id2name(m, is_flex ? mjOBJ_FLEX : mjOBJ_GEOM, id);
  if (name) {
    snprintf(text, 96, "\"%.64s\" (%s)", name, kind);
  } else {
    snprintf(text, 96, "%d (%s)", id, kind);
  }
}

static void refuse(const mjModel* m, const mjContact* con, const char* why) {
  char name[2][96];
  for (int side = 0; side < 2; side++) {
    side_name(name[side], m, con, side);
  }
  mju_error("no exact derivative of the contact of %s %s and %s: %s",
            contact_is_flex(con) ? "shapes" : "geoms", name[0], name[1], why);
}

// A plane and a shape with corners: each contact is a corner of the shape.
static int geometry_plane_corner(ContactGeometry* out, const mjModel* m, const mjData* d,
                                 const mjContact* con) {
  static const SurfaceShape plane = {.C = {1, 0, 0, 1}}, corner = {.S = {1, 0, 0, 1}};
  (void)m;
  (void)d;
  return contact_geometry_closest(out, &plane, &corner, con->dist) ? 0 : GEOMETRY_FLAT;
}

static mjtNum margin_of(const mjModel* m, const mjContact* con) {
  return contact_margin(m, con->geom[0], con->geom[1], contact_pair(m, con));
}

// Convex shapes of any kind: the iterative search ends at the closest points. Exceptions are the
// older pipeline, which ends elsewhere, and further contacts of complete faces.
static int geometry_general(ContactGeometry* out, const mjModel* m, const mjData* d,
                            const mjContact* con) {
  if (m->opt.disableflags & mjDSBL_NATIVECCD) {
    return GEOMETRY_LEGACY;
  }
  mjtNum margin = margin_of(m, con);
  int result = faces_are_complete(m) ? geometry_manifold(out, m, d, con, margin)
                                     : geometry_convex(out, m, d, con);
  return result == GEOMETRY_FLAT ? geometry_flat(out, m, d, con, margin) : result;
}

// Two boxes: differentiates the contacts of the box-box collider, or those of the general convex
// collider where that one was used because box-box found no contact as deep as the overlap
// (boxes_are_general).
static int geometry_two_boxes(ContactGeometry* out, const mjModel* m, const mjData* d,
                              const mjContact* con) {
  int general = boxes_are_general(m, d, con->geom[0], con->geom[1], margin_of(m, con));
  return general ? geometry_general(out, m, d, con) : geometry_boxes(out, m, d, con);
}

// A shape on a height field. A polytope has the contact at which the search with a prism has ended.
// For other shapes the field is raised by the margin and half of the margin is added around the
// shape, whose normals stay straight there: C += S margin / 2.
static int geometry_hfield(ContactGeometry* out, const mjModel* m, const mjData* d,
                           const mjContact* con) {
  mjtNum p1[3], p2[3], back[3], margin = margin_of(m, con);
  SurfaceShape s1, s2;
  if (m->opt.disableflags & mjDSBL_NATIVECCD) {
    return GEOMETRY_LEGACY;
  }
  int result = geometry_prism(out, m, d, con, margin);
  if (result != GEOMETRY_NOT_CLOSEST) {
    return result;
  }
  witness_points(p1, p2, con);
  v3_scl(back, con->frame, -1);
  v3_addtoscl(p2, con->frame, margin / 2);
  if (!surface_of(&s2, m, d, con->geom[1], p2, back, con->frame) ||
      !hfield_surface(&s1, m, d, con->geom[0], p1, con->frame, con->frame, margin,
                      mju_abs(con->dist))) {
    return GEOMETRY_NOT_CLOSEST;
  }
  surface_inflate(&s2, margin / 2);
  return contact_geometry_closest(out, &s1, &s2, con->dist) ? 0 : GEOMETRY_FLAT;
}

// Two capsules by the rule of later releases (behaviour capsules): if they aren't parallel, closest
// points.
// Also collide_capsules_beside in collision/primitive/sphere_capsule.c.
static int geometry_two_capsules(ContactGeometry* out, const mjModel* m, const mjData* d,
                                 const mjContact* con) {
  const mjtNum parallel = (mjtNum)1e-4;
  mjtNum axis[2][3], sine[3];
  for (int side = 0; side < 2; side++) {
    m3_column(axis[side], d->geom_xmat + 9 * con->geom[side], 2);
  }
  v3_cross(sine, axis[0], axis[1]);
  int is_parallel = v3_dot(sine, sine) < parallel * parallel;
  return is_parallel ? GEOMETRY_FLAT : geometry_convex(out, m, d, con);
}

// The rule of each collider; NULL for a collider that a program has installed, which may do
// anything.
static ContactGeometryRule* rule_of(const mjModel* m, const mjContact* con) {
  static const struct {
    mjfCollision collider;
    ContactGeometryRule* rule;
  } table[] = {
      {collide_plane_sphere, geometry_convex},    {collide_plane_capsule, geometry_convex},
      {collide_plane_ellipsoid, geometry_convex}, {collide_plane_cylinder, geometry_plane_cylinder},
      {collide_plane_box, geometry_plane_corner}, {collide_plane_mesh, geometry_plane_corner},
      {collide_sphere_sphere, geometry_convex},   {collide_sphere_capsule, geometry_convex},
      {collide_sphere_cylinder, geometry_convex}, {collide_sphere_box, geometry_convex},
      {collide_capsule_capsule, geometry_convex}, {collide_capsule_box, geometry_capsule_box},
      {collide_box_box, geometry_two_boxes},      {collide_convex, geometry_general},
      {collide_hfield, geometry_hfield},
  };
  mjfCollision collider = mjCOLLISIONFUNC[m->geom_type[con->geom[0]]][m->geom_type[con->geom[1]]];
  if (collider == collide_box_box && behaves(m, cndBEHAVIOUR_boxclip)) {
    return geometry_clipped_boxes;
  }
  if (collider == collide_capsule_capsule && behaves(m, cndBEHAVIOUR_capsules)) {
    return geometry_two_capsules;
  }
  for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
    if (table[i].collider == collider) {
      return table[i].rule;
    }
  }
  return NULL;
}

static void refuse_result(int result, const mjModel* m, const mjContact* con) {
  static const char* const why[] = {
      [-GEOMETRY_UNKNOWN] = "no rule is known for such a pair",
      [-GEOMETRY_FLAT] =
          "flat against each other or with one center, they don't tell where they geometry",
      [-GEOMETRY_LEGACY] = "with the flag nativeccd disabled contacts are not the closest points",
      [-GEOMETRY_ROLLED] = "with the flag multiccd this contact comes of shapes turned a little",
      [-GEOMETRY_NOT_CLOSEST] = "the search for the contact has ended away from the closest points",
  };
  if (result < 0) {
    refuse(m, con, why[-result]);
  }
}

int contact_geometry(ContactGeometry* out, const mjModel* m, const mjData* d,
                     const mjContact* con) {
  int result = GEOMETRY_UNKNOWN;
  out->is_witness = 0;
  if (con->geom[0] >= 0 && con->geom[1] >= 0) {
    ContactGeometryRule* rule = rule_of(m, con);
    result = rule ? rule(out, m, d, con) : GEOMETRY_UNKNOWN;
  } else {
    result = geometry_flex(out, m, d, con);
  }
  refuse_result(result, m, con);
  return result;
}

// If two shapes are flat against each other, any pair of opposite points is nearest: the derivative
// is that of a corner of the second on a face of the first.
int contact_geometry_nearest(ContactGeometry* out, const mjModel* m, const mjData* d,
                             const mjContact* con) {
  int result = geometry_convex(out, m, d, con);
  if (result == GEOMETRY_FLAT) {
    static const SurfaceShape face = {.C = {1, 0, 0, 1}}, corner = {.S = {1, 0, 0, 1}};
    contact_geometry_closest(out, &face, &corner, con->dist);
    return 1;
  }
  refuse_result(result, m, con);
  return result;
}
