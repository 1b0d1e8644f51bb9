// element.c: reads the links, joints and geoms of a URDF robot into the spec.

#include "mjcf/urdf/element.h"

#include <math.h>
#include <mujoco/api/spec.h>
#include <stdio.h>
#include <string.h>

#include "base/algebra/pose.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text/text.h"
#include "mjcf/read/context.h"
#include "mjcf/urdf/sdf_element.h"
#include "model/files/package.h"
#include "model/files/resource.h"
#include "spec/spec.h"

// access to elements and attributes

void urdf_report(const Robot* robot, const Node* node, const Attribute* attribute,
                 const char* message, const char* detail) {
  node_report(node, attribute, robot->reader->problems, cndSEVERITY_ERROR, NULL, message, detail);
}

const Node* urdf_child(const Robot* robot, const Node* node, const char* name, int required) {
  const Node* found = NULL;
  for (const Node* child = node->first; child; child = child->next) {
    if (!text_equal(child->name, name)) {
      continue;
    }
    if (found) {
      urdf_report(robot, child, NULL, "repeated element: '%s'", name);
      return found;
    }
    found = child;
  }
  if (!found && required) {
    urdf_report(robot, node, NULL, "missing element: '%s'", name);
  }
  return found;
}

const char* urdf_text(const Robot* robot, const Node* node, const char* name, int required) {
  const char* text = node_text(node, name);
  if (!text && required) {
    urdf_report(robot, node, NULL, "required attribute missing: '%s'", name);
  }
  return text;
}

void urdf_mend(const Robot* robot, const Node* node, const char* attribute, const char* message,
               const char* detail) {
  spec_tree(robot->reader->spec)->beyond = 1;
  node_report(node, attribute ? node_attribute(node, attribute) : NULL, robot->reader->problems,
              cndSEVERITY_WARNING, NULL, message, detail);
}

// The text of an attribute, with spaces for the commas between its numbers.
static const char* without_commas(char copy[200], const Robot* robot, const Node* node,
                                  const char* name, const char* text) {
  if (!strchr(text, ',') || strlen(text) >= 200) {
    return text;
  }
  urdf_mend(robot, node, name, "numbers are separated by spaces, not commas: '%s'", text);
  strcpy(copy, text);
  for (char* c = copy; *c; c++) {
    *c = *c == ',' ? ' ' : *c;
  }
  return copy;
}

// Reads n numbers. Returns 0, with `out` unchanged, if they are absent or wrong.
static int reals_of(double* out, const Robot* robot, const Node* node, const char* name, int n,
                    int required) {
  enum {
    MOST = 8
  };
  double value[MOST], spare;
  int has_nan = 0;
  if (!urdf_text(robot, node, name, required)) {
    return 0;
  }
  const Attribute* attribute = node_attribute(node, name);
  char copy[200];
  const char* cursor = without_commas(copy, robot, node, name, attribute->value);
  for (int i = 0; i < n; i++) {
    TextStatus status = text_real(&value[i], &cursor);
    if (status != TEXT_OK) {
      urdf_report(robot, node, attribute,
                  status == TEXT_END     ? "attribute '%s' does not have enough data"
                  : status == TEXT_RANGE ? "number is too large in attribute '%s'"
                                         : "bad format in attribute '%s'",
                  name);
      return 0;
    }
    has_nan |= isnan(value[i]);
  }
  if (has_nan) {
    node_report(node, attribute, robot->reader->problems, cndSEVERITY_WARNING, NULL, "%s",
                values_nanwarning);
  }
  if (text_real(&spare, &cursor) != TEXT_END) {
    urdf_report(robot, node, attribute, "attribute '%s' has too much data", name);
    return 0;
  }
  memcpy(out, value, (size_t)n * sizeof(double));
  return 1;
}

static double real_of(const Robot* robot, const Node* node, const char* name) {
  double value = 0;
  reals_of(&value, robot, node, name, 1, 1);
  return value;
}

// The pose of the <origin> element of a node, or the identity if it has none.
static void origin_of(double pos[3], double quat[4], const Robot* robot, const Node* node) {
  double rpy[3] = {0, 0, 0};
  pos[0] = pos[1] = pos[2] = 0;
  const Node* origin = urdf_child(robot, node, "origin", 0);
  if (origin) {
    reals_of(pos, robot, origin, "xyz", 3, 0);
    reals_of(rpy, robot, origin, "rpy", 3, 0);
  }
  pose_from_rpy(quat, rpy);
}

const char* urdf_name(const Node* node) {
  const char* name = node_text(node, "name");
  return name ? name : "";
}

// The first node with a name that was added by urdf_add, NULL if there is none.
static const Node* urdf_find(const Hash* nodes, const char* name) {
  for (HashSlot* at = hash_find(nodes, hash_text(name)); at; at = hash_next(at)) {
    if (text_equal(urdf_name(at->item), name)) {
      return at->item;
    }
  }
  return NULL;
}

void urdf_add(Hash* nodes, const Node* node) {
  hash_add(nodes, hash_text(urdf_name(node)), (void*)(uintptr_t)node);
}

// joints

static mjsJoint* add_joint(const Robot* robot, mjsBody* body, const Node* node, mjtJoint type,
                           const char* suffix) {
  mjsJoint* joint = mjs_addJoint(body, NULL);
  char full[300];
  snprintf(full, sizeof(full), "%s%s", urdf_name(node), suffix);
  read_place(robot->reader, node, joint->element);
  joint->type = type;
  mjs_setName(joint->element, full);
  return joint;
}

// Columns x and y of the smallest rotation that takes z to the unit vector v.
static void plane_axes(double x[3], double y[3], const double v[3]) {
  double w = 1 + v[2];
  if (w < 1e-10) {
    memcpy(x, (double[3]){1, 0, 0}, 3 * sizeof(double));
    memcpy(y, (double[3]){0, -1, 0}, 3 * sizeof(double));
    return;
  }
  memcpy(x, (double[3]){1 - v[0] * v[0] / w, -v[0] * v[1] / w, -v[0]}, 3 * sizeof(double));
  memcpy(y, (double[3]){-v[0] * v[1] / w, 1 - v[1] * v[1] / w, -v[1]}, 3 * sizeof(double));
}

// Reads the limits of a joint. The range is ignored if only one of its bounds is given or lower >
// upper. `effort` limits the actuator force to [-|effort|, |effort|]; 0 is no limit.
static void read_limit(const Robot* robot, const Node* node, mjsJoint* joint) {
  const Node* limit = urdf_child(robot, node, "limit", 0);
  if (!limit) {
    return;
  }
  int lower = reals_of(&joint->range[0], robot, limit, "lower", 1, 0);
  int upper = reals_of(&joint->range[1], robot, limit, "upper", 1, 0);
  joint->limited =
      lower != upper || joint->range[0] > joint->range[1] ? mjLIMITED_FALSE : mjLIMITED_AUTO;
  double effort = 0;
  if (reals_of(&effort, robot, limit, "effort", 1, 0) && effort != 0) {
    joint->actfrcrange[0] = -fabs(effort);
    joint->actfrcrange[1] = fabs(effort);
  }
}

// Adds the joints that allow the motion of a joint type. Returns their number, 0 if the type is
// fixed or unknown.
static int add_joints(mjsJoint* joints[3], const Robot* robot, const Node* node, mjsBody* body,
                      const char* type, const double axis[3]) {
  static const struct {
    const char* name;
    mjtJoint type;
    int has_axis;
  } single[] = {
      {"revolute", mjJNT_HINGE, 1}, {"continuous", mjJNT_HINGE, 1}, {"prismatic", mjJNT_SLIDE, 1},
      {"floating", mjJNT_FREE, 0},  {"spherical", mjJNT_BALL, 0},
  };
  if (text_equal(type, "fixed")) {
    return 0;
  }
  for (size_t i = 0; i < sizeof(single) / sizeof(single[0]); i++) {
    if (text_equal(type, single[i].name)) {
      joints[0] = add_joint(robot, body, node, single[i].type, "");
      if (single[i].has_axis) {
        memcpy(joints[0]->axis, axis, 3 * sizeof(double));
      }
      return 1;
    }
  }
  if (!text_equal(type, "planar")) {
    urdf_report(robot, node, node_attribute(node, "type"),
                "invalid joint type in URDF joint definition: '%s'", type);
    return 0;
  }
  double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  double unit[3] = {0, 0, 1};
  for (int i = 0; i < 3 && length > 0; i++) {
    unit[i] = axis[i] / length;
  }
  joints[0] = add_joint(robot, body, node, mjJNT_SLIDE, "_TX");
  joints[1] = add_joint(robot, body, node, mjJNT_SLIDE, "_TY");
  joints[2] = add_joint(robot, body, node, mjJNT_HINGE, "_RZ");
  plane_axes(joints[0]->axis, joints[1]->axis, unit);
  memcpy(joints[2]->axis, axis, 3 * sizeof(double));
  return 3;
}

// Kinds of joints by the coordinate that another joint can follow.
typedef enum Coordinate_ {
  COORDINATE_NONE,   // the joint does not move
  COORDINATE_ONE,    // the joint has one position
  COORDINATE_OTHER,  // the joint has several coordinates, or an unknown type
} Coordinate;

static Coordinate coordinate_of(const Node* joint) {
  static const char* const one[] = {"revolute", "continuous", "prismatic"};
  const char* type = node_text(joint, "type");
  for (size_t i = 0; type && i < sizeof(one) / sizeof(one[0]); i++) {
    if (text_equal(type, one[i])) {
      return COORDINATE_ONE;
    }
  }
  return type && text_equal(type, "fixed") ? COORDINATE_NONE : COORDINATE_OTHER;
}

// The joint that a <mimic> names, NULL with an error if there is none to follow.
static const Node* find_leader(const Robot* robot, const Node* mimic) {
  const char* name = urdf_text(robot, mimic, "joint", 1);
  if (!name) {
    return NULL;
  }
  const Node* leader = urdf_find(&robot->joints, name);
  const char* problem = !leader                   ? "mimic of an unknown joint: '%s'"
                        : leader == mimic->parent ? "a joint can't mimic itself: '%s'"
                        : coordinate_of(leader) == COORDINATE_OTHER
                            ? "mimic of a joint that has no single position: '%s'"
                            : NULL;
  if (problem) {
    urdf_report(robot, mimic, node_attribute(mimic, "joint"), problem, name);
    return NULL;
  }
  return leader;
}

// Makes the equality that lets a joint follow another: q = offset + multiplier q_leader. A leader
// that is fixed is at 0.
static void read_mimic(const Robot* robot, const Node* node) {
  const Node* mimic = urdf_child(robot, node, "mimic", 0);
  const Node* leader = mimic ? find_leader(robot, mimic) : NULL;
  if (!leader) {
    return;
  }
  if (coordinate_of(node) == COORDINATE_OTHER) {
    urdf_report(robot, mimic, NULL, "a joint without a single position can't mimic: '%s'",
                urdf_name(node));
    return;
  }
  if (coordinate_of(node) == COORDINATE_NONE || coordinate_of(leader) == COORDINATE_NONE) {
    node_report(mimic, NULL, robot->reader->problems, cndSEVERITY_WARNING, NULL,
                coordinate_of(node) == COORDINATE_NONE ? "joint '%s' is fixed and mimics nothing"
                                                       : "joint '%s' mimics a fixed joint",
                urdf_name(node));
  }
  if (coordinate_of(node) == COORDINATE_NONE) {
    return;
  }
  double multiplier = 1, offset = 0;
  reals_of(&multiplier, robot, mimic, "multiplier", 1, 0);
  reals_of(&offset, robot, mimic, "offset", 1, 0);
  mjsEquality* equality = mjs_addEquality(robot->reader->spec, NULL);
  read_place(robot->reader, mimic, equality->element);
  equality->type = mjEQ_JOINT;
  equality->objtype = mjOBJ_JOINT;
  mjs_setString(equality->name1, urdf_name(node));
  if (coordinate_of(leader) == COORDINATE_ONE) {
    mjs_setString(equality->name2, urdf_name(leader));
  }
  memset(equality->data, 0, sizeof(equality->data));
  equality->data[0] = offset;
  equality->data[1] = multiplier;
}

// What a joint of SDF has besides.
static void read_sdf(const Robot* robot, const Node* node, mjsJoint* joint) {
  const Node *anchor = node_child(node, SDF_ANCHOR), *spring = node_child(node, SDF_SPRING);
  if (anchor && joint->type != mjJNT_FREE) {
    reals_of(joint->pos, robot, anchor, "xyz", 3, 1);
  }
  if (spring) {
    reals_of(&joint->stiffness, robot, spring, "stiffness", 1, 1);
    reals_of(&joint->springref, robot, spring, "reference", 1, 1);
  }
}

void urdf_readjoint(const Robot* robot, const Node* node, mjsBody* body) {
  origin_of(body->pos, body->quat, robot, node);
  const char* type = urdf_text(robot, node, "type", 1);
  urdf_text(robot, node, "name", 1);
  double axis[3] = {1, 0, 0};
  const Node* axis_node = urdf_child(robot, node, "axis", 0);
  if (axis_node) {
    reals_of(axis, robot, axis_node, "xyz", 3, 1);
  }

  mjsJoint* joints[3] = {NULL};
  int count = type ? add_joints(joints, robot, node, body, type, axis) : 0;
  read_mimic(robot, node);
  if (!count) {
    return;
  }
  const Node* dynamics = urdf_child(robot, node, "dynamics", 0);
  for (int i = 0; i < count && dynamics; i++) {
    reals_of(&joints[i]->damping, robot, dynamics, "damping", 1, 0);
    reals_of(&joints[i]->frictionloss, robot, dynamics, "friction", 1, 0);
  }
  read_sdf(robot, node, joints[0]);
  read_limit(robot, node, joints[0]);
}

// links

// Name and color of the visual and collision elements of a link. An element without its own takes
// those of the last element of the link that had some.
typedef struct Look_ {
  const char* name;
  int colored;
  float rgba[4];
} Look;

static void read_color(const Robot* robot, const Node* visual, Look* look) {
  const Node* material = urdf_child(robot, visual, "material", 0);
  if (!material) {
    return;
  }
  const char* name = urdf_text(robot, material, "name", 0);
  const Node* color = urdf_child(robot, material, "color", 0);
  if (!color && name) {
    const Node* colored = urdf_find(&robot->colors, name);
    color = colored ? urdf_child(robot, colored, "color", 0) : NULL;
  }
  double rgba[4];
  if (color && reals_of(rgba, robot, color, "rgba", 4, 1)) {
    look->colored = 1;
    for (int i = 0; i < 4; i++) {
      look->rgba[i] = (float)rgba[i];
    }
  }
}

// The path of a mesh that isn't where the reference looks for it, which is the mesh directory
// without the directories of its name. NULL if it is there, or nowhere; that is an error that tells
// where it was looked for. The caller frees it.
static char* find_mesh(const Robot* robot, const Node* node, const char* file) {
  const Reader* reader = robot->reader;
  mjSpec* spec = reader->spec;
  const char* directory = string_text(spec->modelfiledir);
  const char* stripped = spec->strippath ? file + path_dirlength(file) : file;
  char* name = resource_path(string_text(spec->compiler.meshdir), stripped);
  int is_there = resource_exists(reader->vfs, directory, name);
  heap_free(name);
  if (is_there) {
    return NULL;
  }
  char looked[1000];
  PackagePlaces places = {.directory = directory, .vfs = reader->vfs};
  char* path = package_find(looked, sizeof(looked), &places, file);
  if (!path && package_isnamed(file)) {
    char detail[1200];
    snprintf(detail, sizeof(detail), "%s': it was looked for in %s", file, looked);
    urdf_report(robot, node, node_attribute(node, "filename"), "no file '%s", detail);
  }
  if (path) {
    // all names are full from here on, so that files of one name in two folders stay two
    spec->strippath = 0;
    spec_tree(spec)->beyond = 1;
  }
  return path;
}

// Sets the mesh of a geom from a file and a scale. A mesh asset is named after the file; another
// file of that name, or another scale, makes another asset, whose name ends with a number.
//                                                                      theory/model/format.md, URDF
static void use_mesh(const Robot* robot, const Node* node, mjsGeom* geom) {
  const char* file = urdf_text(robot, node, "filename", 1);
  double scale[3] = {1, 1, 1};
  reals_of(scale, robot, node, "scale", 3, 0);
  if (!file) {
    return;
  }
  mjSpec* spec = robot->reader->spec;
  char* found = find_mesh(robot, node, file);
  if (found) {
    file = found;
  } else if (spec->strippath) {
    file += path_dirlength(file);
  }
  mjString base = {0}, name = {0};
  spec_filename(&base, file);
  string_set(&name, string_text(&base));
  SpecObject* mesh;
  int known = 0;
  for (int k = 1; (mesh = spec_find(spec_tree(spec), mjOBJ_MESH, string_text(&name))); k++) {
    if (!memcmp(mesh->as.mesh.scale, scale, sizeof(scale)) &&
        text_equal(string_text(mesh->as.mesh.file), file)) {
      known = 1;
      break;
    }
    string_format(&name, "%s%d", string_text(&base), k);
  }
  if (!known) {
    mjsMesh* made = mjs_addMesh(spec, NULL);
    read_place(robot->reader, node, made->element);
    mjs_setName(made->element, string_text(&name));
    mjs_setString(made->file, file);
    memcpy(made->scale, scale, sizeof(scale));
  }
  mjs_setString(geom->meshname, string_text(&name));
  heap_free(found);
  string_clear(&base);
  string_clear(&name);
}

static void read_shape(const Robot* robot, const Node* geometry, mjsGeom* geom) {
  const Node* shape;
  if ((shape = urdf_child(robot, geometry, "box", 0))) {
    geom->type = mjGEOM_BOX;
    reals_of(geom->size, robot, shape, "size", 3, 1);
    for (int i = 0; i < 3; i++) {
      geom->size[i] /= 2;
    }
  } else if ((shape = urdf_child(robot, geometry, "cylinder", 0)) ||
             (shape = urdf_child(robot, geometry, "capsule", 0))) {
    geom->type = text_equal(shape->name, "cylinder") ? mjGEOM_CYLINDER : mjGEOM_CAPSULE;
    geom->size[0] = real_of(robot, shape, "radius");
    geom->size[1] = real_of(robot, shape, "length") / 2;
  } else if ((shape = urdf_child(robot, geometry, "sphere", 0))) {
    geom->type = mjGEOM_SPHERE;
    geom->size[0] = real_of(robot, shape, "radius");
  } else if ((shape = urdf_child(robot, geometry, "ellipsoid", 0))) {
    geom->type = mjGEOM_ELLIPSOID;
    reals_of(geom->size, robot, shape, "radii", 3, 1);
  } else if (urdf_child(robot, geometry, "plane", 0)) {
    geom->type = mjGEOM_PLANE;
    geom->size[2] = 1;  // without end, its grid 1 m wide
  } else if ((shape = urdf_child(robot, geometry, "mesh", 0))) {
    geom->type = mjGEOM_MESH;
    use_mesh(robot, shape, geom);
  } else {
    urdf_report(robot, geometry, NULL, "visual geometry specification not found%s", "");
  }
}

// Are all sizes of a shape positive?
static int has_size(const mjsGeom* geom) {
  int count = geom->type == mjGEOM_MESH || geom->type == mjGEOM_PLANE      ? 0
              : geom->type == mjGEOM_SPHERE                                ? 1
              : geom->type == mjGEOM_BOX || geom->type == mjGEOM_ELLIPSOID ? 3
                                                                           : 2;
  for (int i = 0; i < count; i++) {
    if (geom->size[i] == 0) {
      return 0;
    }
  }
  return 1;
}

// Reads a visual or collision element as one geom, or none if visuals are discarded.
static void read_geom(Robot* robot, const Node* node, mjsBody* body, Look* look) {
  mjSpec* spec = robot->reader->spec;
  int visual = text_equal(node->name, "visual");
  if (node_text(node, "name")) {
    look->name = node_text(node, "name");
  }
  int taken = look->name && urdf_find(&robot->geoms, look->name);
  if (look->name && !taken) {
    urdf_add(&robot->geoms, node);
  }
  if (visual) {
    read_color(robot, node, look);
  }
  const Node* geometry = urdf_child(robot, node, "geometry", 1);
  if (!geometry || (visual && spec->compiler.discardvisual)) {
    return;
  }

  mjsGeom* geom = mjs_addGeom(body, NULL);
  read_place(robot->reader, node, geom->element);
  if (taken) {
    node_report(node, NULL, robot->reader->problems, cndSEVERITY_WARNING, NULL,
                "Geom with duplicate name '%s' encountered in URDF, creating an unnamed geom.",
                look->name);
  } else if (look->name) {
    mjs_setName(geom->element, look->name);
  }
  origin_of(geom->pos, geom->quat, robot, node);
  if (visual) {
    geom->contype = geom->conaffinity = 0;
    geom->group = 1;
    geom->density = 0;
  }
  if (look->colored) {
    memcpy(geom->rgba, look->rgba, sizeof(geom->rgba));
  }
  read_shape(robot, geometry, geom);
  if (!has_size(geom)) {
    urdf_mend(robot, geometry, NULL, "a shape of size 0 is left out%s", "");
    mjs_delete(spec, geom->element);
  }
}

static void read_inertial(const Robot* robot, const Node* link, mjsBody* body) {
  const Node* inertial = urdf_child(robot, link, "inertial", 0);
  if (!inertial) {
    return;
  }
  body->explicitinertial = 1;
  origin_of(body->ipos, body->iquat, robot, inertial);
  const Node* mass = urdf_child(robot, inertial, "mass", 1);
  const Node* inertia = urdf_child(robot, inertial, "inertia", 0);
  if (mass) {
    body->mass = real_of(robot, mass, "value");
  }
  if (!inertia) {
    urdf_mend(robot, inertial, NULL, "missing element: '%s': the mass is at one point", "inertia");
    return;
  }
  static const char* const entry[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  double full[6];
  int given = 0;
  for (int i = 0; i < 6; i++) {
    full[i] = real_of(robot, inertia, entry[i]);
    given |= full[i] != 0;
  }
  if (given) {
    memcpy(body->fullinertia, full, sizeof(full));
  }
}

void urdf_readlink(Robot* robot, const Node* link, mjsBody* body) {
  read_inertial(robot, link, body);
  Look look = {.name = NULL};
  for (const Node* node = link->first; node; node = node->next) {
    if (text_equal(node->name, "visual") || text_equal(node->name, "collision")) {
      read_geom(robot, node, body, &look);
    }
  }
}
