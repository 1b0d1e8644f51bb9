// Which rule gives the derivative of a contact, by the types of the geoms and how their collider finds it.

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "derivative/touch.h"
#include "derivative/touch_rules.h"

static const char* geom_name(char text[64], const mjModel* m, int geom) {
  const char* name = mj_id2name(m, mjOBJ_GEOM, geom);
  if (name) {
    snprintf(text, 64, "\"%s\"", name);
  } else {
    snprintf(text, 64, "%d", geom);
  }
  return text;
}

static void refuse(const mjModel* m, const mjContact* con, const char* why) {
  static const char* const type[mjNGEOMTYPES] = {"plane",     "hfield",   "sphere", "capsule",
                                                 "ellipsoid", "cylinder", "box",    "mesh", "sdf"};
  char name[2][64];
  if (con->geom[0] < 0 || con->geom[1] < 0) {
    mju_error("no exact derivative of a contact with a flex");
  }
  mju_error("no exact derivative of the contact of geoms %s (%s) and %s (%s): %s",
            geom_name(name[0], m, con->geom[0]), type[m->geom_type[con->geom[0]]],
            geom_name(name[1], m, con->geom[1]), type[m->geom_type[con->geom[1]]], why);
}

void witness_points(mjtNum p1[3], mjtNum p2[3], const mjContact* con) {
  v3_addscl(p1, con->pos, con->frame, -con->dist / 2);
  v3_addscl(p2, con->pos, con->frame, con->dist / 2);
}

int touch_convex(Touch* out, const mjModel* m, const mjData* d, const mjContact* con) {
  mjtNum p1[3], p2[3], back[3];
  Surface s1, s2;
  witness_points(p1, p2, con);
  v3_scl(back, con->frame, -1);
  if (!surface_of(&s1, m, d, con->geom[0], p1, con->frame, con->frame) ||
      !surface_of(&s2, m, d, con->geom[1], p2, back, con->frame)) {
    return TOUCH_UNKNOWN;
  }
  return touch_closest(out, &s1, &s2, con->dist) ? 0 : TOUCH_FLAT;
}

// Corners alone touch a plane; a cylinder has points of its own there.
static int touch_plane(Touch* out, const mjModel* m, const mjData* d, const mjContact* con) {
  static const Surface plane = {.C = {1, 0, 0, 1}}, corner = {.S = {1, 0, 0, 1}};
  switch (m->geom_type[con->geom[1]]) {
    case mjGEOM_BOX:
    case mjGEOM_MESH:
    case mjGEOM_SDF:
      return touch_closest(out, &plane, &corner, con->dist) ? 0 : TOUCH_FLAT;
    case mjGEOM_CYLINDER:
      return touch_plane_cylinder(out, m, d, con);
    default:
      return touch_convex(out, m, d, con);
  }
}

static int by_types(Touch* out, const mjModel* m, const mjData* d, const mjContact* con) {
  int type1 = m->geom_type[con->geom[0]], type2 = m->geom_type[con->geom[1]];
  if (type1 == mjGEOM_PLANE) {
    return touch_plane(out, m, d, con);
  }
  if (type1 == mjGEOM_BOX && type2 == mjGEOM_BOX) {
    return touch_boxes(out, m, d, con);
  }
  if (type1 == mjGEOM_CAPSULE && type2 == mjGEOM_BOX) {
    return touch_capsule_box(out, m, d, con);
  }
  return touch_convex(out, m, d, con);
}

int touch_make(Touch* out, const mjModel* m, const mjData* d, const mjContact* con) {
  int result = con->geom[0] < 0 || con->geom[1] < 0 ? TOUCH_UNKNOWN : by_types(out, m, d, con);
  if (result == TOUCH_UNKNOWN) {
    refuse(m, con, "no rule is known for such a pair");
  } else if (result == TOUCH_FLAT) {
    refuse(m, con, "they lie flat against each other, so where they touch is not determined");
  }
  return result;
}
