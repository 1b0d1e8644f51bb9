// build.c: makes bodies and joints of a robot.

#include "robot/build.h"

#include <math.h>
#include <mujoco/api/spec.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/text/text.h"
#include "mjcf/urdf/sdf_element.h"
#include "robot/merge.h"
#include "spec/spec.h"

// joints

static mjsJoint* add_joint(const Builder* b, const RobotJoint* joint, mjsBody* body, mjtJoint type,
                           const double axis[3], const char* suffix) {
  mjsJoint* made = mjs_addJoint(body, NULL);
  char name[300];
  snprintf(name, sizeof(name), "%s%s", joint->name, suffix);
  built_place(b, made->element, joint->node);
  built_name(b, made->element, name);
  made->type = type;
  memcpy(made->axis, axis, 3 * sizeof(double));
  made->damping = joint->damping > 0 ? joint->damping : 0;
  made->frictionloss = joint->friction > 0 ? joint->friction : 0;
  made->stiffness = joint->stiffness > 0 ? joint->stiffness : 0;
  made->springref = joint->reference;
  if (type != mjJNT_FREE) {
    memcpy(made->pos, joint->anchor, sizeof(made->pos));
  }
  return made;
}

// A joint with one position.
static void add_single(const Builder* b, const RobotJoint* joint, mjsBody* body) {
  mjtJoint type = joint->type == ROBOT_REVOLUTE ? mjJNT_HINGE : mjJNT_SLIDE;
  mjsJoint* made = add_joint(b, joint, body, type, joint->axis, "");
  made->limited = joint->has_range ? mjLIMITED_TRUE : mjLIMITED_FALSE;
  memcpy(made->range, joint->range, sizeof(made->range));
  if (joint->effort > 0) {
    made->actfrclimited = mjLIMITED_TRUE;
    made->actfrcrange[0] = -joint->effort;
    made->actfrcrange[1] = joint->effort;
  }
}

// Two slides in the plane whose normal is the axis, and a turn about it.
static void add_planar(const Builder* b, const RobotJoint* joint, mjsBody* body) {
  double quat[4], x[3], y[3];
  pose_from_z(quat, joint->axis);
  pose_rotate(x, (const double[3]){1, 0, 0}, quat);
  pose_rotate(y, (const double[3]){0, 1, 0}, quat);
  add_joint(b, joint, body, mjJNT_SLIDE, x, "_TX");
  add_joint(b, joint, body, mjJNT_SLIDE, y, "_TY");
  add_joint(b, joint, body, mjJNT_HINGE, joint->axis, "_RZ");
}

// A free joint below the world; elsewhere three slides and a ball.
static void add_floating(const Builder* b, const RobotJoint* joint, mjsBody* body, int onground) {
  static const double axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const char* const suffix[3] = {"_TX", "_TY", "_TZ"};
  if (onground) {
    mjsJoint* made = add_joint(b, joint, body, mjJNT_FREE, axis[2], "");
    made->damping = made->frictionloss = 0;
    return;
  }
  for (int i = 0; i < 3; i++) {
    add_joint(b, joint, body, mjJNT_SLIDE, axis[i], suffix[i]);
  }
  add_joint(b, joint, body, mjJNT_BALL, axis[2], "_R");
}

static void add_joints(const Builder* b, const RobotJoint* joint, mjsBody* body, int onground) {
  switch (joint->type) {
    case ROBOT_FIXED:
      break;
    case ROBOT_REVOLUTE:
    case ROBOT_PRISMATIC:
      add_single(b, joint, body);
      break;
    case ROBOT_PLANAR:
      add_planar(b, joint, body);
      break;
    case ROBOT_FLOATING:
      add_floating(b, joint, body, onground);
      break;
    case ROBOT_BALL:
      add_joint(b, joint, body, mjJNT_BALL, joint->axis, "");
      break;
  }
}

static void add_mimics(const Builder* b) {
  const RobotDescription* robot = b->robot;
  for (int j = 0; j < robot->njoint; j++) {
    const RobotJoint* joint = robot->joints + j;
    if (joint->leader < 0) {
      continue;
    }
    mjsEquality* equality = mjs_addEquality(b->spec, NULL);
    built_place(b, equality->element, node_child(joint->node, "mimic"));
    equality->type = mjEQ_JOINT;
    equality->objtype = mjOBJ_JOINT;
    mjs_setString(equality->name1, joint->name);
    mjs_setString(equality->name2, robot->joints[joint->leader].name);
    memset(equality->data, 0, sizeof(equality->data));
    equality->data[0] = joint->offset;
    equality->data[1] = joint->multiplier;
  }
}

// bodies

static int is_world(const Builder* b, const mjsBody* body) {
  return body == mjs_findBody(b->spec, "world");
}

// The frame of a link that is part of a body.
static void add_frame(const Builder* b, const RobotLink* link, const BuiltLink* built) {
  mjsSite* site = mjs_addSite(built->body, NULL);
  built_place(b, site->element, link->node);
  built_name(b, site->element, link->name);
  memcpy(site->pos, built->pose.pos, sizeof(site->pos));
  memcpy(site->quat, built->pose.quat, sizeof(site->quat));
  site->group = ROBOT_GROUP_FRAME;
}

// A free base, as the option asks for it.
static void add_base(const Builder* b, const RobotLink* link, mjsBody* body) {
  if (b->options->floating == 1) {
    mjsJoint* joint = mjs_addFreeJoint(body);
    char name[300];
    snprintf(name, sizeof(name), "%s_free", link->name);
    built_place(b, joint->element, link->node);
    built_name(b, joint->element, name);
  }
}

static void add_link(Builder* b, int i) {
  const RobotLink* link = b->robot->links + i;
  const RobotJoint* joint = link->joint < 0 ? NULL : b->robot->joints + link->joint;
  BuiltLink *built = b->links + i, *above = joint ? b->links + link->parent : NULL;
  mjsBody* world = mjs_findBody(b->spec, "world");
  built->pose = POSE_IDENTITY;
  if (!joint && text_equal(link->name, "world")) {
    built->body = world;
    return;
  }
  Pose pose = POSE_IDENTITY;
  if (joint) {
    pose_compose(&pose, &above->pose, &joint->pose);
  }
  if (joint && joint->type == ROBOT_FIXED && !is_world(b, above->body)) {
    *built = (BuiltLink){above->body, pose};
    add_frame(b, link, built);
    return;
  }
  built->body = mjs_addBody(joint ? above->body : world, NULL);
  built_place(b, built->body->element, link->node);
  built_name(b, built->body->element, link->name);
  memcpy(built->body->pos, pose.pos, sizeof(pose.pos));
  memcpy(built->body->quat, pose.quat, sizeof(pose.quat));
  int onground = !joint || is_world(b, above->body);
  int is_base = onground && (!joint || joint->type == ROBOT_FIXED);
  int is_fixed = joint && joint->type == ROBOT_FLOATING && b->options->floating == 0 && onground;
  if (is_base) {
    add_base(b, link, built->body);
  } else if (!is_fixed) {
    add_joints(b, joint, built->body, onground);
  }
}

// Adds all links, each after its parent, and walks without recursion.
static void add_links(Builder* b) {
  const RobotDescription* robot = b->robot;
  for (int root = 0; root < robot->nlink; root++) {
    for (int i = robot->links[root].joint < 0 ? root : -1; i >= 0;) {
      add_link(b, i);
      int next = robot->links[i].first;
      while (next < 0 && i != root) {
        next = robot->links[i].next;
        i = robot->links[i].parent;
      }
      i = next;
    }
  }
}

static void add_geoms(Builder* b) {
  for (int i = 0; i < b->robot->nlink; i++) {
    const RobotLink* link = b->robot->links + i;
    for (int k = 0; k < link->ngeom; k++) {
      if (!link->geoms[k].is_visual || b->options->visuals) {
        robot_addgeom(b, link->geoms + k, b->links + i);
      }
    }
  }
}

// Lights of a world of SDF.
static void add_lights(const Builder* b) {
  mjsBody* world = mjs_findBody(b->spec, "world");
  for (const Node* it = document_root(b->robot->document)->first; it; it = it->next) {
    if (text_equal(it->name, SDF_LIGHT)) {
      built_place(b, sdf_add_light(world, it)->element, it);
    }
  }
}

int robot_build(Builder* b) {
  mjSpec* spec = b->spec;
  spec->compiler.degree = 0;
  spec->compiler.fusestatic = 0;
  spec->compiler.discardvisual = 0;
  spec->compiler.inertiafromgeom = mjINERTIAFROMGEOM_FALSE;
  spec->option.integrator = mjINT_IMPLICITFAST;
  spec_tree(spec)->lenient = spec_tree(spec)->beyond = 1;
  spec_tree(spec)->stores = b->options->cache;
  mjs_setString(spec->modelname, b->robot->name[0] ? b->robot->name : "robot");
  b->links = heap_zero((size_t)b->robot->nlink + 1, sizeof(BuiltLink));
  add_links(b);
  robot_addinertia(b);
  robot_readmeshes(b);
  if (b->options->simplify) {
    robot_merge(b);
  }
  add_geoms(b);
  add_mimics(b);
  add_lights(b);
  return !cnd_diagnosticCount(b->robot->problems, cndSEVERITY_ERROR) && robot_equip(b);
}
