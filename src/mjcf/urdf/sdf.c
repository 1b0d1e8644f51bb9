// Rewrites SDF as URDF. SDF gives the place of each link and joint in its model, URDF that of each
// link in the link above it. With places X in the world at the positions 0,
//
//   origin of a link   X_parent^-1 X_child
//   anchor of a joint  X_child^-1 X_joint
//   axis in the child  R_child' R_expressed xyz
//
// A link that is nobody's child floats, or is fixed in a static model.

#include "mjcf/urdf/sdf.h"

#include <math.h>
#include <mujoco/mjtnum.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/text/text.h"
#include "mjcf/urdf/sdf_element.h"
#include "mjcf/urdf/sdf_frame.h"
#include "mjcf/urdf/sdf_shape.h"

enum {
  DEEPEST_MODEL = 50,  // models in models
};

int sdf_is(const Node* root) {
  return text_equal(root->name, "sdf");
}

static void report(const SdfFrames* frames, const Node* node, cndSeverity severity,
                   const char* message, const char* detail) {
  node_report(node, NULL, frames->problems, severity, NULL, message, detail);
}

// collecting frames

static void collect_model(SdfFrames* frames, const char* scope, const Node* model,
                          const Node* include, int is_static, int depth);

static int is_true(const char* text) {
  return text && (!strcmp(text, "true") || !strcmp(text, "1"));
}

static void collect_include(SdfFrames* frames, const char* scope, const Node* include,
                            int is_static, int depth) {
  const char* uri = sdf_text(include, "uri");
  if (!uri) {
    report(frames, include, cndSEVERITY_ERROR, "missing element: '%s'", "uri");
    return;
  }
  // a folder with a model, or a file
  char* path = sdf_path(frames, include, uri, "/model.sdf");
  path = path ? path : sdf_path(frames, include, uri, "");
  const Node* root =
      path ? document_readbeside(frames->document, include, path, frames->problems) : NULL;
  heap_free(path);
  const Node* model = root ? node_child(root, "model") : NULL;
  if (model) {
    const char* fixed = sdf_text(include, "static");
    collect_model(frames, scope, model, include, fixed ? is_true(fixed) : is_static, depth);
  } else {
    report(frames, include, cndSEVERITY_ERROR,
           root ? "no <model> in '%s'"
                : "no model '%s' beside the file, in the folders above it, or in those of "
                  "ROS_PACKAGE_PATH, GZ_SIM_RESOURCE_PATH and GAZEBO_MODEL_PATH",
           uri);
  }
}

static void collect_inside(SdfFrames* frames, const char* scope, const Node* model, int is_static,
                           int depth) {
  for (const Node* node = model->first; node; node = node->next) {
    const char* name = node_text(node, "name");
    SdfFrame* made = NULL;
    if (text_equal(node->name, "link")) {
      made = sdf_add(frames, SDF_LINK, scope, name, node);
    } else if (text_equal(node->name, "joint")) {
      made = sdf_add(frames, SDF_JOINT, scope, name, node);
    } else if (text_equal(node->name, "frame")) {
      made = sdf_add(frames, SDF_FRAME, scope, name, node);
    } else if (text_equal(node->name, "model")) {
      collect_model(frames, scope, node, NULL, is_static, depth + 1);
    } else if (text_equal(node->name, "include")) {
      collect_include(frames, scope, node, is_static, depth + 1);
    }
    if (made) {
      // the name means the world, to which such a link is fixed
      int is_world = made->kind == SDF_LINK && name && !strcmp(name, "world");
      made->is_static = is_static || is_world;
    }
  }
}

// Adds a model. One whose name is taken gets a number, with a warning.
static SdfFrame* add_model(SdfFrames* frames, const char* scope, const char* name,
                           const Node* model) {
  if (!name || !sdf_find(frames, scope, name)) {
    return sdf_add(frames, SDF_MODEL, scope, name, model);
  }
  size_t size = strlen(name) + 12;
  char* other = heap_take(size);
  int k = 2;
  do {
    snprintf(other, size, "%s_%d", name, k++);
  } while (sdf_find(frames, scope, other));
  report(frames, model, cndSEVERITY_WARNING, "its name is taken: here it is '%s'", other);
  SdfFrame* made = sdf_add(frames, SDF_MODEL, scope, other, model);
  heap_free(other);
  return made;
}

// Names of a single model at the top have no scope, so that they stay what they are.
static void collect_model(SdfFrames* frames, const char* scope, const Node* model,
                          const Node* include, int is_static, int depth) {
  const char* name = include ? sdf_text(include, "name") : NULL;
  name = name ? name : node_text(model, "name");
  if (depth > DEEPEST_MODEL) {
    report(frames, model, cndSEVERITY_ERROR, "models are nested too deep%s", "");
    return;
  }
  SdfFrame* frame = add_model(frames, scope, name, model);
  if (!frame) {
    return;
  }
  frame->include = include;
  frame->is_static = is_static || is_true(sdf_text(model, "static"));
  size_t size = strlen(frame->name) + 3;
  char* inner = heap_take(size);
  snprintf(inner, size, "%s::", frame->name);
  const char* kept = document_text(frames->document, inner);
  heap_free(inner);
  collect_inside(frames, kept, model, frame->is_static, depth);
}

// writing URDF

typedef struct {
  SdfFrames* frames;
  Document* document;
  Node* robot;
  size_t cut;        // bytes of the full names that are left out: the scope of a single model
  SdfFrame** above;  // by link, in document order: the joint above it, NULL if none
} Rewrite;

// The name of a frame in the robot. "world" means the world there.
static const char* robot_name(const Rewrite* r, const SdfFrame* frame) {
  const char* name = frame->name + r->cut;
  return strcmp(name, "world") != 0 ? name : "world_link";
}

static Node* add_named(const Rewrite* r, Node* parent, const Node* origin, const char* tag,
                       const char* attribute, const char* value) {
  Node* node = document_add(r->document, parent, origin, tag);
  document_set(r->document, node, attribute, value);
  return node;
}

static void set_child_real(const Rewrite* r, Node* to, const char* attribute, const Node* from,
                           const char* child, double most) {
  double value = sdf_real(r->frames, from, child, INFINITY);
  if (from && fabs(value) < most) {
    sdf_set_reals(r->document, to, attribute, &value, 1);
  }
}

// The kind of a joint and its axes. A joint with two axes becomes two, with a link between them.
static const char* joint_type(const Rewrite* r, const Node* joint) {
  static const char* const known[][2] = {
      {"revolute", "revolute"},  {"continuous", "continuous"}, {"prismatic", "prismatic"},
      {"fixed", "fixed"},        {"ball", "spherical"},        {"universal", "revolute"},
      {"revolute2", "revolute"},
  };
  const char* type = node_text(joint, "type");
  for (size_t i = 0; type && i < sizeof known / sizeof *known; i++) {
    if (!strcmp(type, known[i][0])) {
      return known[i][1];
    }
  }
  report(r->frames, joint, cndSEVERITY_ERROR,
         "joints of the type '%s' can't be simulated: revolute, continuous, prismatic, fixed, ball "
         "and universal can",
         type ? type : "");
  return "fixed";
}

// The rotation in which an axis is given: of the frame that it names, of the model (SDF 1.6), or of
// the joint.
static const Pose* axis_frame(const Rewrite* r, SdfFrame* joint, const Node* axis) {
  const Node* xyz = node_child(axis, "xyz");
  const char* named = xyz ? node_text(xyz, "expressed_in") : NULL;
  SdfFrame* frame = joint;
  if (named && *named) {
    frame = sdf_find(r->frames, joint->scope, named);
    if (!frame) {
      node_report(xyz, node_attribute(xyz, "expressed_in"), r->frames->problems, cndSEVERITY_ERROR,
                  NULL, "unknown frame: '%s'", named);
      frame = joint;
    }
  } else if (is_true(sdf_text(axis, "use_parent_model_frame"))) {
    SdfFrame* model = sdf_find(r->frames, joint->scope, "__model__");
    frame = model ? model : joint;
  }
  return sdf_pose_of(r->frames, frame);
}

static void write_axis(const Rewrite* r, Node* to, SdfFrame* joint, const Node* axis,
                       const Pose* child) {
  double xyz[3] = {0, 0, 1}, world[3], own[3];
  const char* text = sdf_text(axis, "xyz");
  if (text && sdf_reals(xyz, 3, r->frames, axis, text) != 3) {
    report(r->frames, axis, cndSEVERITY_ERROR, "an axis should have 3 numbers, not '%s'", text);
  }
  pose_rotate(world, xyz, axis_frame(r, joint, axis)->quat);
  Pose back;
  pose_inverse(&back, child);
  pose_rotate(own, world, back.quat);
  sdf_set_reals(r->document, document_add(r->document, to, axis, "axis"), "xyz", own, 3);
}

static void write_mimic(const Rewrite* r, Node* to, const SdfFrame* joint, const Node* mimic) {
  const char* name = node_text(mimic, "joint");
  const SdfFrame* leader = name ? sdf_find(r->frames, joint->scope, name) : NULL;
  if (!leader) {
    report(r->frames, mimic, cndSEVERITY_ERROR, "mimic of an unknown joint: '%s'",
           name ? name : "");
    return;
  }
  // position = multiplier (leader - reference) + offset
  double multiplier = sdf_real(r->frames, mimic, "multiplier", 1);
  double offset = sdf_real(r->frames, mimic, "offset", 0) -
                  multiplier * sdf_real(r->frames, mimic, "reference", 0);
  Node* out = add_named(r, to, mimic, "mimic", "joint", robot_name(r, leader));
  sdf_set_reals(r->document, out, "multiplier", &multiplier, 1);
  sdf_set_reals(r->document, out, "offset", &offset, 1);
}

// Limits, friction and springs of one axis. SDF says "no limit" by 1e16 and "no bound" by -1.
static void write_limits(const Rewrite* r, Node* to, const SdfFrame* joint, const Node* axis,
                         int is_hinge) {
  const double endless = 1e15;
  const Node *limit = node_child(axis, "limit"), *dynamics = node_child(axis, "dynamics");
  double lower = sdf_real(r->frames, limit, "lower", -INFINITY);
  double upper = sdf_real(r->frames, limit, "upper", INFINITY);
  Node* out = document_add(r->document, to, limit ? limit : axis, "limit");
  if (lower > -endless && upper < endless) {
    sdf_set_reals(r->document, out, "lower", &lower, 1);
    sdf_set_reals(r->document, out, "upper", &upper, 1);
  } else if (is_hinge) {
    to->attributes[1].value = "continuous";
  }
  double effort = sdf_real(r->frames, limit, "effort", -1);
  if (effort >= 0 && effort < endless) {
    sdf_set_reals(r->document, out, "effort", &effort, 1);
  }
  double velocity = sdf_real(r->frames, limit, "velocity", -1);
  if (velocity >= 0 && velocity < endless) {
    sdf_set_reals(r->document, out, "velocity", &velocity, 1);
  }
  if (dynamics) {
    Node* made = document_add(r->document, to, dynamics, "dynamics");
    set_child_real(r, made, "damping", dynamics, "damping", endless);
    set_child_real(r, made, "friction", dynamics, "friction", endless);
  }
  double spring[2] = {sdf_real(r->frames, dynamics, "spring_stiffness", 0),
                      sdf_real(r->frames, dynamics, "spring_reference", 0)};
  if (spring[0] > 0) {
    Node* made = document_add(r->document, to, dynamics, SDF_SPRING);
    sdf_set_reals(r->document, made, "stiffness", spring, 1);
    sdf_set_reals(r->document, made, "reference", spring + 1, 1);
  }
  if (node_child(axis, "mimic")) {
    write_mimic(r, to, joint, node_child(axis, "mimic"));
  }
}

// One joint of URDF.
typedef struct {
  const char *name, *type, *parent, *child;
  Pose origin;       // of the child in the parent
  Pose place;        // of the child in the world
  const Node* axis;  // NULL for the default
} Motion;

static void write_motion(const Rewrite* r, SdfFrame* joint, const Motion* motion) {
  Document* document = r->document;
  const Node* node = joint->node;
  Node* out = add_named(r, r->robot, node, "joint", "name", motion->name);
  document_set(document, out, "type", motion->type);
  add_named(r, out, node, "parent", "link", motion->parent);
  add_named(r, out, node, "child", "link", motion->child);
  sdf_set_origin(document, out, node, &motion->origin);
  int is_hinge = !strcmp(motion->type, "revolute");
  if (strcmp(motion->type, "fixed") != 0) {
    Pose anchor = sdf_relative(&motion->place, sdf_pose_of(r->frames, joint));
    Node* made = document_add(document, out, node, SDF_ANCHOR);
    sdf_set_reals(document, made, "xyz", anchor.pos, 3);
  }
  if (motion->axis && strcmp(motion->type, "fixed") != 0) {
    write_axis(r, out, joint, motion->axis, &motion->place);
    write_limits(r, out, joint, motion->axis, is_hinge);
  } else if (is_hinge) {
    report(r->frames, node, cndSEVERITY_ERROR, "missing element: '%s'", "axis");
  }
}

// The joint above a link: one, or two with a link without mass between them.
static void write_joint(const Rewrite* r, SdfFrame* joint, SdfFrame* parent, SdfFrame* child) {
  const Pose* above = parent ? sdf_pose_of(r->frames, parent) : &POSE_IDENTITY;
  const Pose* below = sdf_pose_of(r->frames, child);
  const char* name = joint->name + r->cut;
  const Node* second = node_child(joint->node, "axis2");
  Motion motion = {.name = name,
                   .type = joint_type(r, joint->node),
                   .parent = parent ? robot_name(r, parent) : "world",
                   .child = robot_name(r, child),
                   .origin = sdf_relative(above, below),
                   .place = *below,
                   .axis = node_child(joint->node, "axis")};
  if (!second || strcmp(motion.type, "revolute") != 0) {
    write_motion(r, joint, &motion);
    return;
  }
  size_t size = strlen(name) + 20;
  char *between = heap_take(size), *other = heap_take(size);
  snprintf(between, size, "%s_between", name);
  snprintf(other, size, "%s_2", name);
  add_named(r, r->robot, joint->node, "link", "name", between);
  motion.child = between;
  write_motion(r, joint, &motion);
  motion = (Motion){.name = other,
                    .type = "revolute",
                    .parent = between,
                    .child = robot_name(r, child),
                    .origin = POSE_IDENTITY,
                    .place = *below,
                    .axis = second};
  write_motion(r, joint, &motion);
  heap_free(between);
  heap_free(other);
}

// The link that a joint names; NULL for the world. Sets *known to 0, with an error, if there is
// none.
static SdfFrame* joint_end(const Rewrite* r, const SdfFrame* joint, const char* which, int* known) {
  const char* name = sdf_text(joint->node, which);
  SdfFrame* frame = name ? sdf_find(r->frames, joint->scope, name) : NULL;
  SdfFrame* link = frame ? sdf_link_of(r->frames, frame) : NULL;
  if (!link && !(name && !frame && !strcmp(name, "world"))) {
    report(r->frames, joint->node, cndSEVERITY_ERROR,
           name ? "no link '%s'" : "missing element: '%s'", name ? name : which);
    *known = 0;
  }
  return link;
}

// Notes a joint that closes a loop, which a tree can't have.
static int closes_loop(const Rewrite* r, const SdfFrame* joint, const SdfFrame* child) {
  if (r->above[child->index]) {
    report(r->frames, joint->node, cndSEVERITY_WARNING,
           "left out: another joint holds the link '%s' already, and loops aren't closed",
           child->name);
  }
  return r->above[child->index] != NULL;
}

static void write_joints(const Rewrite* r) {
  for (SdfFrame* it = r->frames->first; it; it = it->next) {
    if (it->kind != SDF_JOINT) {
      continue;
    }
    int known = 1;
    SdfFrame* parent = joint_end(r, it, "parent", &known);
    SdfFrame* child = joint_end(r, it, "child", &known);
    if (known && !child) {
      report(r->frames, it->node, cndSEVERITY_ERROR, "the child of a joint can't be the world%s",
             "");
    }
    if (!known || !child || closes_loop(r, it, child)) {
      continue;
    }
    r->above[child->index] = it;
    write_joint(r, it, parent, child);
  }
}

// Links without a joint above them: fixed to the world in static models, else floating.
static void write_roots(const Rewrite* r) {
  for (SdfFrame* it = r->frames->first; it; it = it->next) {
    if (it->kind != SDF_LINK || r->above[it->index]) {
      continue;
    }
    const char* name = robot_name(r, it);
    size_t size = strlen(name) + 20;
    char* joint = heap_take(size);
    snprintf(joint, size, "%s_%s", name, it->is_static ? "fixed" : "floating");
    Node* out = add_named(r, r->robot, it->node, "joint", "name", joint);
    document_set(r->document, out, "type", it->is_static ? "fixed" : "floating");
    add_named(r, out, it->node, "parent", "link", "world");
    add_named(r, out, it->node, "child", "link", name);
    sdf_set_origin(r->document, out, it->node, sdf_pose_of(r->frames, it));
    heap_free(joint);
  }
}

// What a file has and the robot has not, once for each kind.
static void note_left_out(const Rewrite* r) {
  static const char* const kinds[] = {"plugin",  "sensor",    "gripper",         "audio_source",
                                      "battery", "projector", "particle_emitter"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    for (const SdfFrame* it = r->frames->first; it; it = it->next) {
      const Node* found = node_child(it->node, kinds[k]);
      if (found) {
        report(r->frames, found, cndSEVERITY_WARNING, "elements of the kind '%s' are left out",
               kinds[k]);
        break;
      }
    }
  }
}

static void rewrite(Document* document, SdfFrames* frames, const Node* root, const char* name,
                    size_t cut) {
  Rewrite r = {.frames = frames, .document = document, .cut = cut};
  r.above = heap_zero(frames->last ? (size_t)frames->last->index + 1 : 1, sizeof(SdfFrame*));
  r.robot = document_add(document, NULL, root, "robot");
  document_set(document, r.robot, "name", name);
  document_set(document, r.robot, SDF_MARK, "");
  add_named(&r, r.robot, root, "link", "name", "world");
  for (SdfFrame* it = frames->first; it; it = it->next) {
    if (it->kind == SDF_LINK) {
      Node* link = add_named(&r, r.robot, it->node, "link", "name", robot_name(&r, it));
      sdf_write_link(frames, link, it, robot_name(&r, it));
    }
  }
  write_joints(&r);
  write_roots(&r);
  note_left_out(&r);
  heap_free(r.above);
}

void sdf_rewrite(Document* document, cndDiagnostics* problems) {
  SdfFrames frames = {.document = document, .problems = problems};
  const Node* root = document_root(document);
  const Node* world = node_child(root, "world");
  const Node* top = world ? world : root;
  const char* name = world ? node_text(world, "name") : NULL;
  collect_inside(&frames, "", top, 0, 0);
  int models = 0;
  for (const SdfFrame* it = frames.first; it; it = it->next) {
    models += it->kind == SDF_MODEL && !*it->scope;
  }
  if (!models) {
    report(&frames, root, cndSEVERITY_ERROR, "no <model> inside%s", "");
  }
  size_t cut = models == 1 && frames.first->kind == SDF_MODEL ? strlen(frames.first->name) + 2 : 0;
  name = models == 1 ? frames.first->name : name;
  rewrite(document, &frames, root, name ? name : "sdf", cut);
  if (world) {
    sdf_write_lights(&frames, document_root(document), world);
  }
  for (SdfFrame *it = frames.first, *next; it; it = next) {
    next = it->next;
    heap_free(it);
  }
  hash_clear(&frames.names);
}
