// Links and joints are sorted by name once, so that a large file costs no more than sorting; the
// trees are walked with a stack of our own, so that a long chain costs no stack.

#include "mjcf/urdf.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "mjcf/read.h"
#include "spec/spec.h"

// A node that is looked up by its name. Of several with one name the first counts.
typedef struct Named_ {
  const char* name;
  const Node* node;
  int index;  // place in the file among its kind
} Named;

typedef struct Link_ {
  const Node* node;
  const Node* joint;  // the one whose child it is; NULL: a root
  int first, next;    // first child, next child of the same parent; -1: none
  int last;           // last child
  int parent;
} Link;

typedef struct Robot_ {
  const Reader* reader;
  Link* links;
  Named* names;  // of the links, sorted
  int nlink;
  Named* colors;  // materials with a color, sorted
  int ncolor;
  Named* geoms;  // visuals and collisions with a name, sorted
  char* used;    // the name has been given, be it to a geom that was discarded
  int ngeom;
} Robot;

static int equal_letters(const char* a, const char* b) {
  while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
    a++;
    b++;
  }
  return *a == *b;
}

int urdf_is(const Node* root) {
  return equal_letters(root->name, "robot");
}

// reading nodes that no schema describes

static void report(const Robot* robot, const Node* node, const Attribute* attribute,
                   const char* message, const char* detail) {
  node_report(node, attribute, robot->reader->problems, cndSEVERITY_ERROR, NULL, message, detail);
}

// A child that may stand once; NULL, and an error if it is required, if there is none.
static const Node* child_of(const Robot* robot, const Node* node, const char* name, int required) {
  const Node* found = NULL;
  for (const Node* child = node->first; child; child = child->next) {
    if (!text_equal(child->name, name)) {
      continue;
    }
    if (found) {
      report(robot, child, NULL, "repeated element: '%s'", name);
      return found;
    }
    found = child;
  }
  if (!found && required) {
    report(robot, node, NULL, "missing element: '%s'", name);
  }
  return found;
}

static const char* text_of(const Robot* robot, const Node* node, const char* name, int required) {
  const char* text = node_text(node, name);
  if (!text && required) {
    report(robot, node, NULL, "required attribute missing: '%s'", name);
  }
  return text;
}

// n numbers; 0 if they are not there or wrong, then out is as it was.
static int reals_of(double* out, const Robot* robot, const Node* node, const char* name, int n,
                    int required) {
  enum {
    MOST = 8
  };
  double value[MOST], spare;
  if (!text_of(robot, node, name, required)) {
    return 0;
  }
  const Attribute* attribute = node_attribute(node, name);
  const char* cursor = attribute->value;
  for (int i = 0; i < n; i++) {
    TextStatus status = text_real(&value[i], &cursor);
    if (status != TEXT_OK) {
      report(robot, node, attribute,
             status == TEXT_END     ? "attribute '%s' does not have enough data"
             : status == TEXT_RANGE ? "number is too large in attribute '%s'"
                                    : "bad format in attribute '%s'",
             name);
      return 0;
    }
  }
  if (text_real(&spare, &cursor) != TEXT_END) {
    report(robot, node, attribute, "attribute '%s' has too much data", name);
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

// q = Rz(yaw) Ry(pitch) Rx(roll)
static void quat_of_rpy(double quat[4], const double rpy[3]) {
  double c[3], s[3];
  for (int i = 0; i < 3; i++) {
    c[i] = cos(rpy[i] / 2);
    s[i] = sin(rpy[i] / 2);
  }
  quat[0] = c[0] * c[1] * c[2] + s[0] * s[1] * s[2];
  quat[1] = s[0] * c[1] * c[2] - c[0] * s[1] * s[2];
  quat[2] = c[0] * s[1] * c[2] + s[0] * c[1] * s[2];
  quat[3] = c[0] * c[1] * s[2] - s[0] * s[1] * c[2];
}

// The pose that the origin of a node gives, the identity without one.
static void origin_of(double pos[3], double quat[4], const Robot* robot, const Node* node) {
  double rpy[3] = {0, 0, 0};
  pos[0] = pos[1] = pos[2] = 0;
  const Node* origin = child_of(robot, node, "origin", 0);
  if (origin) {
    reals_of(pos, robot, origin, "xyz", 3, 0);
    reals_of(rpy, robot, origin, "rpy", 3, 0);
  }
  quat_of_rpy(quat, rpy);
}

// names

static int by_name(const void* a, const void* b) {
  const Named *first = a, *second = b;
  int order = strcmp(first->name, second->name);
  return order ? order : first->index - second->index;
}

// Index of the first with a name, -1 if there is none such.
static int find(const Named* names, int n, const char* name) {
  int low = 0, high = n;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (strcmp(names[middle].name, name) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < n && text_equal(names[low].name, name) ? low : -1;
}

// The node after this one in document order, below root.
static const Node* next_node(const Node* node, const Node* root) {
  if (node->first) {
    return node->first;
  }
  while (node != root && !node->next) {
    node = node->parent;
  }
  return node == root ? NULL : node->next;
}

static int count_nodes(const Node* root, const char* name) {
  int count = 0;
  for (const Node* node = root; node; node = next_node(node, root)) {
    count += text_equal(node->name, name);
  }
  return count;
}

// All materials in the file that have a color, wherever they stand.
static int collect_colors(Robot* robot, const Node* root) {
  robot->colors = calloc((size_t)count_nodes(root, "material") + 1, sizeof(Named));
  for (const Node* node = root; robot->colors && node; node = next_node(node, root)) {
    if (text_equal(node->name, "material") && node_child(node, "color")) {
      const char* name = node_text(node, "name");
      robot->colors[robot->ncolor] = (Named){name ? name : "", node, robot->ncolor};
      robot->ncolor++;
    }
  }
  if (robot->colors) {
    qsort(robot->colors, (size_t)robot->ncolor, sizeof(Named), by_name);
  }
  return robot->colors != NULL;
}

// All names of visuals and collisions.
static int collect_geoms(Robot* robot, const Node* root) {
  size_t most = (size_t)count_nodes(root, "visual") + (size_t)count_nodes(root, "collision") + 1;
  robot->geoms = calloc(most, sizeof(Named));
  robot->used = calloc(most, 1);
  if (!robot->geoms || !robot->used) {
    return 0;
  }
  for (const Node* node = root; node; node = next_node(node, root)) {
    int isgeom = text_equal(node->name, "visual") || text_equal(node->name, "collision");
    const char* name = isgeom ? node_text(node, "name") : NULL;
    if (name) {
      robot->geoms[robot->ngeom] = (Named){name, node, robot->ngeom};
      robot->ngeom++;
    }
  }
  qsort(robot->geoms, (size_t)robot->ngeom, sizeof(Named), by_name);
  return 1;
}

static int collect_links(Robot* robot, const Node* root) {
  size_t most = (size_t)count_nodes(root, "link") + 1;
  robot->links = calloc(most, sizeof(Link));
  robot->names = calloc(most, sizeof(Named));
  if (!robot->links || !robot->names) {
    return 0;
  }
  for (const Node* node = root->first; node; node = node->next) {
    if (!text_equal(node->name, "link")) {
      continue;
    }
    const char* name = text_of(robot, node, "name", 1);
    int i = robot->nlink++;
    robot->links[i] = (Link){.node = node, .first = -1, .next = -1, .last = -1, .parent = -1};
    robot->names[i] = (Named){name ? name : "", node, i};
  }
  qsort(robot->names, (size_t)robot->nlink, sizeof(Named), by_name);
  for (int i = 1; i < robot->nlink; i++) {
    if (text_equal(robot->names[i].name, robot->names[i - 1].name)) {
      report(robot, robot->names[i].node, NULL, "repeated URDF name: '%s'", robot->names[i].name);
    }
  }
  return 1;
}

// The link that the parent or child element of a joint names, -1 with an error if there is none.
static int joint_link(const Robot* robot, const Node* joint, const char* which) {
  const Node* element = child_of(robot, joint, which, 1);
  const char* name = element ? text_of(robot, element, "link", 1) : NULL;
  if (!name) {
    return -1;
  }
  int i = find(robot->names, robot->nlink, name);
  if (i < 0) {
    report(robot, joint, NULL, "URDF joint parent or child missing: no link '%s'", name);
    return -1;
  }
  return robot->names[i].index;
}

// Ties the links together by the joints.
static void connect_links(const Robot* robot, const Node* root) {
  for (const Node* node = root->first; node; node = node->next) {
    if (!text_equal(node->name, "joint")) {
      continue;
    }
    int parent = joint_link(robot, node, "parent"), child = joint_link(robot, node, "child");
    if (parent < 0 || child < 0) {
      continue;
    }
    Link *above = &robot->links[parent], *below = &robot->links[child];
    if (below->joint) {
      report(robot, node, NULL, "URDF body has multiple parents: '%s'",
             node_text(below->node, "name"));
      continue;
    }
    below->joint = node;
    below->parent = parent;
    if (above->last < 0) {
      above->first = child;
    } else {
      robot->links[above->last].next = child;
    }
    above->last = child;
  }
}

// joints

static mjsJoint* add_joint(const Robot* robot, mjsBody* body, const Node* node, mjtJoint type,
                           const char* suffix) {
  mjsJoint* joint = mjs_addJoint(body, NULL);
  const char* name = node_text(node, "name");
  char full[300];
  snprintf(full, sizeof(full), "%s%s", name ? name : "", suffix);
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

// Limits count only if both are there and in order; a force limit is symmetric.
static void read_limit(const Robot* robot, const Node* node, mjsJoint* joint) {
  const Node* limit = child_of(robot, node, "limit", 0);
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

static void read_joint(const Robot* robot, const Node* node, mjsBody* body) {
  const char* type = text_of(robot, node, "type", 1);
  text_of(robot, node, "name", 1);
  double axis[3] = {1, 0, 0};
  const Node* axis_node = child_of(robot, node, "axis", 0);
  if (axis_node) {
    reals_of(axis, robot, axis_node, "xyz", 3, 1);
  }

  mjsJoint* joints[3] = {NULL};
  int count = 1;
  if (!type || text_equal(type, "fixed")) {
    return;
  }
  if (text_equal(type, "revolute") || text_equal(type, "continuous")) {
    joints[0] = add_joint(robot, body, node, mjJNT_HINGE, "");
    memcpy(joints[0]->axis, axis, sizeof(axis));
  } else if (text_equal(type, "prismatic")) {
    joints[0] = add_joint(robot, body, node, mjJNT_SLIDE, "");
    memcpy(joints[0]->axis, axis, sizeof(axis));
  } else if (text_equal(type, "floating")) {
    joints[0] = add_joint(robot, body, node, mjJNT_FREE, "");
  } else if (text_equal(type, "spherical")) {
    joints[0] = add_joint(robot, body, node, mjJNT_BALL, "");
  } else if (text_equal(type, "planar")) {
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    double unit[3] = {0, 0, 1};
    for (int i = 0; i < 3 && length > 0; i++) {
      unit[i] = axis[i] / length;
    }
    count = 3;
    joints[0] = add_joint(robot, body, node, mjJNT_SLIDE, "_TX");
    joints[1] = add_joint(robot, body, node, mjJNT_SLIDE, "_TY");
    joints[2] = add_joint(robot, body, node, mjJNT_HINGE, "_RZ");
    plane_axes(joints[0]->axis, joints[1]->axis, unit);
    memcpy(joints[2]->axis, axis, sizeof(axis));
  } else {
    report(robot, node, node_attribute(node, "type"),
           "invalid joint type in URDF joint definition: '%s'", type);
    return;
  }

  const Node* dynamics = child_of(robot, node, "dynamics", 0);
  for (int i = 0; i < count && dynamics; i++) {
    reals_of(&joints[i]->damping, robot, dynamics, "damping", 1, 0);
    reals_of(&joints[i]->frictionloss, robot, dynamics, "friction", 1, 0);
  }
  read_limit(robot, node, joints[0]);
}

// geoms

// What an element hands on to those after it in the same link.
typedef struct Look_ {
  const char* name;
  int colored;
  float rgba[4];
} Look;

static void read_color(const Robot* robot, const Node* visual, Look* look) {
  const Node* material = child_of(robot, visual, "material", 0);
  if (!material) {
    return;
  }
  const char* name = text_of(robot, material, "name", 0);
  const Node* color = child_of(robot, material, "color", 0);
  if (!color && name) {
    int i = find(robot->colors, robot->ncolor, name);
    color = i >= 0 ? child_of(robot, robot->colors[i].node, "color", 0) : NULL;
  }
  double rgba[4];
  if (color && reals_of(rgba, robot, color, "rgba", 4, 1)) {
    look->colored = 1;
    for (int i = 0; i < 4; i++) {
      look->rgba[i] = (float)rgba[i];
    }
  }
}

// The mesh asset of a file and a scale. Another scale of the same file is another asset, called
// after the first with its number; but whoever asks for it again gets the first. [spec 02, 13.3]
static void use_mesh(const Robot* robot, const Node* node, mjsGeom* geom) {
  const char* file = text_of(robot, node, "filename", 1);
  double scale[3] = {1, 1, 1};
  reals_of(scale, robot, node, "scale", 3, 0);
  if (!file) {
    return;
  }
  mjSpec* spec = robot->reader->spec;
  if (spec->strippath) {
    file += path_dirlength(file);
  }
  mjString base = {0}, name = {0};
  spec_filename(&base, file);
  string_set(&name, string_text(&base));
  SpecObject* mesh;
  int known = 0;
  for (int k = 1; (mesh = spec_find(spec_tree(spec), mjOBJ_MESH, string_text(&name))); k++) {
    if (!memcmp(mesh->as.mesh.scale, scale, sizeof(scale))) {
      known = 1;
      break;
    }
    string_format(&name, "%s%d", string_text(&base), k);
  }
  if (known) {
    mjs_setString(geom->meshname, string_text(&base));
  } else {
    mjsMesh* made = mjs_addMesh(spec, NULL);
    read_place(robot->reader, node, made->element);
    mjs_setName(made->element, string_text(&name));
    mjs_setString(made->file, file);
    memcpy(made->scale, scale, sizeof(scale));
    mjs_setString(geom->meshname, string_text(&name));
  }
  string_clear(&base);
  string_clear(&name);
}

static void read_shape(const Robot* robot, const Node* geometry, mjsGeom* geom) {
  const Node* shape;
  if ((shape = child_of(robot, geometry, "box", 0))) {
    geom->type = mjGEOM_BOX;
    reals_of(geom->size, robot, shape, "size", 3, 1);
    for (int i = 0; i < 3; i++) {
      geom->size[i] /= 2;
    }
  } else if ((shape = child_of(robot, geometry, "cylinder", 0)) ||
             (shape = child_of(robot, geometry, "capsule", 0))) {
    geom->type = text_equal(shape->name, "cylinder") ? mjGEOM_CYLINDER : mjGEOM_CAPSULE;
    geom->size[0] = real_of(robot, shape, "radius");
    geom->size[1] = real_of(robot, shape, "length") / 2;
  } else if ((shape = child_of(robot, geometry, "sphere", 0))) {
    geom->type = mjGEOM_SPHERE;
    geom->size[0] = real_of(robot, shape, "radius");
  } else if ((shape = child_of(robot, geometry, "mesh", 0))) {
    geom->type = mjGEOM_MESH;
    use_mesh(robot, shape, geom);
  } else {
    report(robot, geometry, NULL, "visual geometry specification not found%s", "");
  }
}

// A visual or a collision element: one geom, unless it is only for the eye and that is unwanted.
static void read_geom(const Robot* robot, const Node* node, mjsBody* body, Look* look) {
  mjSpec* spec = robot->reader->spec;
  int visual = text_equal(node->name, "visual");
  if (node_text(node, "name")) {
    look->name = node_text(node, "name");
  }
  int known = look->name ? find(robot->geoms, robot->ngeom, look->name) : -1;
  int taken = known >= 0 && robot->used[known];
  if (known >= 0) {
    robot->used[known] = 1;
  }
  if (visual) {
    read_color(robot, node, look);
  }
  const Node* geometry = child_of(robot, node, "geometry", 1);
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
}

// links

static void read_inertial(const Robot* robot, const Node* link, mjsBody* body) {
  const Node* inertial = child_of(robot, link, "inertial", 0);
  if (!inertial) {
    return;
  }
  body->explicitinertial = 1;
  origin_of(body->ipos, body->iquat, robot, inertial);
  const Node* mass = child_of(robot, inertial, "mass", 1);
  const Node* inertia = child_of(robot, inertial, "inertia", 1);
  if (mass) {
    body->mass = real_of(robot, mass, "value");
  }
  if (!inertia) {
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

static void read_link(const Robot* robot, const Link* link, mjsBody* body) {
  read_inertial(robot, link->node, body);
  Look look = {.name = NULL};
  for (const Node* node = link->node->first; node; node = node->next) {
    if (text_equal(node->name, "visual") || text_equal(node->name, "collision")) {
      read_geom(robot, node, body, &look);
    }
  }
}

static mjsBody* add_link(const Robot* robot, const Link* link, mjsBody* parent) {
  const char* name = node_text(link->node, "name");
  mjSpec* spec = robot->reader->spec;
  if (name && text_equal(name, "world")) {
    return mjs_findBody(spec, "world");
  }
  mjsBody* body = mjs_addBody(parent, NULL);
  read_place(robot->reader, link->node, body->element);
  mjs_setName(body->element, name ? name : "");
  if (link->joint) {
    origin_of(body->pos, body->quat, robot, link->joint);
    read_joint(robot, link->joint, body);
  }
  return body;
}

// All links, each after its parent; those of a loop are never reached.
static void add_links(const Robot* robot) {
  mjsBody* world = mjs_findBody(robot->reader->spec, "world");
  mjsBody** body = calloc((size_t)robot->nlink + 1, sizeof(mjsBody*));
  for (int root = 0; body && root < robot->nlink; root++) {
    int i = robot->links[root].joint ? -1 : root;
    while (i >= 0) {
      const Link* link = &robot->links[i];
      body[i] = add_link(robot, link, link->parent < 0 ? world : body[link->parent]);
      read_link(robot, link, body[i]);

      // down, else on, else up and on
      int next = link->first;
      while (next < 0 && i != root) {
        next = robot->links[i].next;
        i = robot->links[i].parent;
      }
      i = next;
    }
  }
  for (int i = 0; body && i < robot->nlink; i++) {
    if (!body[i]) {
      report(robot, robot->links[i].node, NULL,
             "URDF body not found: the joints above link '%s' "
             "go round in a circle",
             node_text(robot->links[i].node, "name"));
      break;
    }
  }
  free(body);
}

// The settings of MJCF that a robot may have in its own element.
static void read_extension(const Robot* robot, const Node* root) {
  const Node* mujoco = child_of(robot, root, "mujoco", 0);
  if (!mujoco) {
    return;
  }
  const Node* compiler = child_of(robot, mujoco, "compiler", 0);
  const Node* option = child_of(robot, mujoco, "option", 0);
  const Node* size = child_of(robot, mujoco, "size", 0);
  if (compiler) {
    read_compiler(robot->reader, compiler);
  }
  if (option) {
    read_option(robot->reader, option);
  }
  if (size) {
    read_size(robot->reader, size);
  }
}

void urdf_read(const Reader* reader) {
  const Node* root = document_root(reader->document);
  mjSpec* spec = reader->spec;
  Robot robot = {.reader = reader};
  spec->strippath = 1;
  spec->compiler.fusestatic = 1;
  spec->compiler.discardvisual = 1;
  read_extension(&robot, root);
  spec->compiler.degree = 0;

  const char* name = node_text(root, "name");
  if (name) {
    mjs_setString(spec->modelname, name);
  }
  if (collect_links(&robot, root) && collect_colors(&robot, root) && collect_geoms(&robot, root)) {
    connect_links(&robot, root);
    add_links(&robot);
  } else {
    report(&robot, root, NULL, "out of memory%s", "");
  }
  free(robot.links);
  free(robot.names);
  free(robot.colors);
  free(robot.geoms);
  free(robot.used);
}
