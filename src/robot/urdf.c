// urdf.c: reads the links and joints of a URDF.
//
// Files are as people's tools have written them, so a reader that stops at the first oddity reads
// few of them. What is missing gets the value that the format's own reader gives it, with a warning
// where that changes the motion; an error is what leaves no robot: no tree, or numbers that are
// none.

#include <math.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/text/text.h"
#include "mjcf/urdf/sdf_element.h"
#include "robot/read.h"

// materials

static void read_color(RobotMaterial* out, const RobotDescription* robot, const Node* node) {
  const Node *color = node_child(node, "color"), *texture = node_child(node, "texture");
  double rgba[4];
  if (color && robot_reals(rgba, robot, color, "rgba", 4)) {
    for (int i = 0; i < 4; i++) {
      out->rgba[i] = (float)fmin(fmax(rgba[i], 0), 1);
    }
    out->has_color = 1;
  }
  if (texture && robot_text(texture, "filename")[0]) {
    out->texture = robot_text(texture, "filename");
  }
}

// The first material with a color or texture of each name counts, wherever it stands.
static void collect_colors(RobotDescription* robot, const Node* root) {
  for (const Node* node = root; node;) {
    if (text_equal(node->name, "material") &&
        (node_child(node, "color") || node_child(node, "texture"))) {
      hash_add(&robot->colors, hash_text(robot_text(node, "name")), (void*)(uintptr_t)node);
    }
    const Node* next = node->first;
    while (!next && node != root) {
      next = node->next;
      node = next ? node : node->parent;
    }
    node = next;
  }
}

static void read_material(RobotMaterial* out, const RobotDescription* robot, const Node* visual) {
  const Node* node = node_child(visual, "material");
  *out = (RobotMaterial){.name = "", .rgba = {0.7F, 0.7F, 0.7F, 1}};
  if (!node) {
    return;
  }
  out->name = robot_text(node, "name");
  read_color(out, robot, node);
  HashSlot* at = hash_find(&robot->colors, hash_text(out->name));
  while (at && !text_equal(robot_text(at->item, "name"), out->name)) {
    at = hash_next(at);
  }
  if (!out->has_color && !out->texture && out->name[0] && at) {
    read_color(out, robot, at->item);
  }
}

// shapes

// A size of a shape. Sizes that aren't positive leave no shape.
static int read_size(double* out, const RobotDescription* robot, const Node* shape,
                     const char* name, int count) {
  if (!robot_reals(out, robot, shape, name, count)) {
    robot_warn(robot, shape, NULL, "has no '%s' and is left out", name);
    return 0;
  }
  for (int i = 0; i < count; i++) {
    if (!(out[i] > 0)) {
      robot_warn(robot, shape, name, "has the size %g and is left out", out[i]);
      return 0;
    }
  }
  return 1;
}

static int read_shape(RobotGeom* out, const RobotDescription* robot, const Node* shape) {
  double length = 0;
  if (text_equal(shape->name, "box")) {
    out->type = mjGEOM_BOX;
    int good = read_size(out->size, robot, shape, "size", 3);
    for (int i = 0; i < 3; i++) {
      out->size[i] /= 2;
    }
    return good;
  }
  if (text_equal(shape->name, "cylinder") || text_equal(shape->name, "capsule")) {
    out->type = text_equal(shape->name, "cylinder") ? mjGEOM_CYLINDER : mjGEOM_CAPSULE;
    int good = read_size(out->size, robot, shape, "radius", 1) &&
               read_size(&length, robot, shape, "length", 1);
    out->size[1] = length / 2;
    return good;
  }
  if (text_equal(shape->name, "sphere")) {
    out->type = mjGEOM_SPHERE;
    return read_size(out->size, robot, shape, "radius", 1);
  }
  if (text_equal(shape->name, "ellipsoid")) {
    out->type = mjGEOM_ELLIPSOID;
    return read_size(out->size, robot, shape, "radii", 3);
  }
  if (text_equal(shape->name, "plane")) {
    out->type = mjGEOM_PLANE;
    out->size[2] = 1;  // without end, its grid 1 m wide
    return 1;
  }
  if (text_equal(shape->name, "mesh")) {
    out->type = mjGEOM_MESH;
    out->file = robot_text(shape, "filename");
    robot_reals(out->scale, robot, shape, "scale", 3);
    if (!out->file[0]) {
      robot_warn(robot, shape, NULL, "names no file and is left out");
    }
    return out->file[0] != 0;
  }
  robot_warn(robot, shape, NULL, "is no known shape and is left out");
  return 0;
}

static void read_geom(RobotDescription* robot, RobotLink* link, const Node* node) {
  const Node* geometry = node_child(node, "geometry");
  const Node* shape = geometry ? geometry->first : NULL;
  RobotGeom geom = {.node = node,
                    .name = robot_text(node, "name"),
                    .is_visual = text_equal(node->name, "visual"),
                    .scale = {1, 1, 1}};
  if (!shape) {
    robot_warn(robot, node, NULL, "has no shape");
    return;
  }
  if (!read_shape(&geom, robot, shape)) {
    return;
  }
  robot_origin(&geom.pose, robot, node_child(node, "origin"));
  read_material(&geom.material, robot, node);
  *(RobotGeom*)robot_push((void**)&link->geoms, &link->ngeom, sizeof(RobotGeom)) = geom;
}

// links

static void read_inertial(const RobotDescription* robot, RobotLink* link, const Node* inertial) {
  static const char* const entry[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  const Node *mass = node_child(inertial, "mass"), *inertia = node_child(inertial, "inertia");
  robot_origin(&link->inertial, robot, node_child(inertial, "origin"));
  if (!mass || !robot_reals(&link->mass, robot, mass, "value", 1)) {
    robot_warn(robot, inertial, NULL, "has no mass: it is 0 kg");
  }
  if (link->mass < 0) {
    robot_warn(robot, mass, "value", "a mass of %g kg is negative: it is taken as 0", link->mass);
    link->mass = 0;
  }
  if (!inertia) {
    robot_warn(robot, inertial, NULL, "has no inertia: its %g kg are at one point", link->mass);
  }
  for (int i = 0; i < 6 && inertia; i++) {
    if (!robot_reals(&link->inertia[i], robot, inertia, entry[i], 1) && i < 3) {
      robot_warn(robot, inertia, NULL, "has no '%s': it is 0", entry[i]);
    }
  }
}

static void read_link(RobotDescription* robot, const Node* node) {
  const char* name = robot_text(node, "name");
  if (!name[0] || robot_link(robot, name) >= 0) {
    robot_error(robot, node, "name", name[0] ? "repeated name of a link: '%s'" : "has no name%s",
                name);
    return;
  }
  RobotLink* link = robot_push((void**)&robot->links, &robot->nlink, sizeof(RobotLink));
  link->node = node;
  link->name = name;
  link->inertial = POSE_IDENTITY;
  hash_add(&robot->link_names, hash_text(name), (void*)(uintptr_t)robot->nlink);
  for (const Node* child = node->first; child; child = child->next) {
    if (text_equal(child->name, "inertial")) {
      read_inertial(robot, link, child);
    } else if (text_equal(child->name, "visual") || text_equal(child->name, "collision")) {
      read_geom(robot, link, child);
    } else {
      robot_unused(robot, child);
    }
  }
}

// joints

static const struct {
  const char* name;
  RobotJointType type;
} joint_types[] = {
    {"fixed", ROBOT_FIXED},         {"revolute", ROBOT_REVOLUTE}, {"continuous", ROBOT_REVOLUTE},
    {"prismatic", ROBOT_PRISMATIC}, {"planar", ROBOT_PLANAR},     {"floating", ROBOT_FLOATING},
    {"spherical", ROBOT_BALL},
};

static int read_type(RobotJoint* joint, const RobotDescription* robot) {
  const char* type = robot_text(joint->node, "type");
  for (size_t i = 0; i < sizeof(joint_types) / sizeof(joint_types[0]); i++) {
    if (text_equal(type, joint_types[i].name)) {
      joint->type = joint_types[i].type;
      return 1;
    }
  }
  robot_error(robot, joint->node, "type",
              "unknown type of joint: '%s' (fixed, revolute, continuous, prismatic, planar, "
              "floating or spherical)",
              type);
  return 0;
}

// The link that a joint's parent or child element names, -1 with an error.
static int read_end(const RobotDescription* robot, const Node* joint, const char* which) {
  const Node* node = node_child(joint, which);
  const char* name = robot_text(node, "link");
  int link = robot_link(robot, name);
  if (link < 0) {
    robot_error(robot, node ? node : joint, node ? "link" : NULL,
                name[0] ? "no link '%s', the %s of this joint" : "no link%s, the %s of this joint",
                name, which);
  }
  return link;
}

static void read_axis(RobotJoint* joint, const RobotDescription* robot, const Node* axis) {
  joint->axis[0] = 1;
  if (axis) {
    robot_reals(joint->axis, robot, axis, "xyz", 3);
  }
  double length = sqrt(pose_dot(joint->axis, joint->axis));
  int needs_axis = joint->type == ROBOT_REVOLUTE || joint->type == ROBOT_PRISMATIC ||
                   joint->type == ROBOT_PLANAR;
  if (!(length > 0)) {
    if (needs_axis) {
      robot_warn(robot, axis, "xyz", "an axis of length 0 has no direction: x is taken");
    }
    memcpy(joint->axis, (double[3]){1, 0, 0}, sizeof(joint->axis));
    return;
  }
  for (int i = 0; i < 3; i++) {
    joint->axis[i] /= length;
  }
}

static void read_limit(RobotJoint* joint, const RobotDescription* robot, const Node* limit) {
  int is_continuous = text_equal(robot_text(joint->node, "type"), "continuous");
  int lower = robot_reals(&joint->range[0], robot, limit, "lower", 1);
  int upper = robot_reals(&joint->range[1], robot, limit, "upper", 1);
  robot_reals(&joint->effort, robot, limit, "effort", 1);
  robot_reals(&joint->velocity, robot, limit, "velocity", 1);
  joint->effort = fabs(joint->effort);
  joint->velocity = fabs(joint->velocity);
  joint->has_range = (lower || upper) && !is_continuous;
  if (joint->has_range && !(joint->range[0] < joint->range[1])) {
    robot_warn(robot, limit, NULL, "the range %g .. %g is empty: the joint has no limits",
               joint->range[0], joint->range[1]);
    joint->has_range = 0;
  }
}

// A safety controller holds a joint inside of its soft limits: no drive is sent beyond them. Equal
// limits are the format's way to say none.
static void read_safety(RobotJoint* joint, const RobotDescription* robot, const Node* safety) {
  robot_reals(&joint->aims[0], robot, safety, "soft_lower_limit", 1);
  robot_reals(&joint->aims[1], robot, safety, "soft_upper_limit", 1);
  joint->has_aims = joint->aims[0] < joint->aims[1];
}

// Drives may ask for what both the joint's range and its safety controller allow.
static void limit_aims(RobotJoint* joint) {
  double lower = joint->range[0], upper = joint->range[1];
  if (joint->has_range && joint->has_aims) {
    lower = fmax(lower, joint->aims[0]);
    upper = fmin(upper, joint->aims[1]);
  }
  if (joint->has_range && (lower < upper || !joint->has_aims)) {
    joint->has_aims = 1;
    joint->aims[0] = lower;
    joint->aims[1] = upper;
  }
}

static void read_joint(RobotDescription* robot, const Node* node) {
  RobotJoint joint = {.node = node, .name = robot_text(node, "name"), .leader = -1, .gear = 1};
  if (!joint.name[0] || robot_joint(robot, joint.name) >= 0) {
    robot_error(robot, node, "name",
                joint.name[0] ? "repeated name of a joint: '%s'" : "has no name%s", joint.name);
    return;
  }
  if (!read_type(&joint, robot)) {
    return;
  }
  joint.parent = read_end(robot, node, "parent");
  joint.child = read_end(robot, node, "child");
  robot_origin(&joint.pose, robot, node_child(node, "origin"));
  read_axis(&joint, robot, node_child(node, "axis"));
  for (const Node* child = node->first; child; child = child->next) {
    static const char* const elsewhere[] = {"parent", "child", "origin", "axis", "mimic"};
    int known = 0;
    for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++) {
      known |= text_equal(child->name, elsewhere[i]);
    }
    if (text_equal(child->name, "limit")) {
      read_limit(&joint, robot, child);
    } else if (text_equal(child->name, "dynamics")) {
      robot_reals(&joint.damping, robot, child, "damping", 1);
      robot_reals(&joint.friction, robot, child, "friction", 1);
    } else if (text_equal(child->name, "safety_controller")) {
      read_safety(&joint, robot, child);
    } else if (text_equal(child->name, SDF_ANCHOR)) {
      robot_reals(joint.anchor, robot, child, "xyz", 3);
    } else if (text_equal(child->name, SDF_SPRING)) {
      robot_reals(&joint.stiffness, robot, child, "stiffness", 1);
      robot_reals(&joint.reference, robot, child, "reference", 1);
    } else if (!known) {
      robot_unused(robot, child);
    }
  }
  limit_aims(&joint);
  *(RobotJoint*)robot_push((void**)&robot->joints, &robot->njoint, sizeof(RobotJoint)) = joint;
  hash_add(&robot->joint_names, hash_text(joint.name), (void*)(uintptr_t)robot->njoint);
}

static int has_position(const RobotJoint* joint) {
  return joint->type == ROBOT_REVOLUTE || joint->type == ROBOT_PRISMATIC;
}

// A joint that follows another one: q = offset + multiplier q_leader.
static void read_mimic(const RobotDescription* robot, RobotJoint* joint) {
  const Node* mimic = node_child(joint->node, "mimic");
  const char* name = robot_text(mimic, "joint");
  int leader = mimic ? robot_joint(robot, name) : -1;
  if (!mimic) {
    return;
  }
  joint->multiplier = 1;
  robot_reals(&joint->multiplier, robot, mimic, "multiplier", 1);
  robot_reals(&joint->offset, robot, mimic, "offset", 1);
  if (leader < 0 || robot->joints + leader == joint) {
    robot_warn(robot, mimic, "joint", "no joint '%s' to follow: the joint moves by itself", name);
  } else if (!has_position(joint) || !has_position(robot->joints + leader)) {
    robot_warn(robot, mimic, "joint",
               "only a joint with one position can follow such another, not '%s' after '%s'",
               joint->name, name);
  } else {
    joint->leader = leader;
  }
}

int urdf_fill(RobotDescription* robot, const Node* root) {
  robot->name = robot_text(root, "name");
  collect_colors(robot, root);
  for (const Node* node = root->first; node; node = node->next) {
    if (text_equal(node->name, "link")) {
      read_link(robot, node);
    }
  }
  for (const Node* node = root->first; node; node = node->next) {
    if (text_equal(node->name, "joint")) {
      read_joint(robot, node);
    }
  }
  for (int j = 0; j < robot->njoint; j++) {
    read_mimic(robot, robot->joints + j);
  }
  if (!robot->nlink) {
    robot_error(robot, root, NULL, "a robot needs a link");
  }
  gazebo_fill(robot, root);
  return robot->nlink && robot_connect(robot);
}
