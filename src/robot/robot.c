// robot.c: what readers of robots share: problems, numbers, names, and the tree of links.

#include "robot/robot.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/text/text.h"

// problems

static void report(const RobotDescription* robot, const Node* node, const char* attribute,
                   cndSeverity severity, const char* message, va_list args) {
  char text[1600];
  vsnprintf(text, sizeof(text), message, args);
  const Attribute* at = attribute ? node_attribute(node, attribute) : NULL;
  node_report(node, at, robot->problems, severity, NULL, "%s", text);
}

void robot_error(const RobotDescription* robot, const Node* node, const char* attribute,
                 const char* message, ...) {
  va_list args;
  va_start(args, message);
  report(robot, node, attribute, cndSEVERITY_ERROR, message, args);
  va_end(args);
}

void robot_warn(const RobotDescription* robot, const Node* node, const char* attribute,
                const char* message, ...) {
  va_list args;
  va_start(args, message);
  report(robot, node, attribute, cndSEVERITY_WARNING, message, args);
  va_end(args);
}

void robot_unused(RobotDescription* robot, const Node* node) {
  for (int i = 0; i < robot->nunused; i++) {
    if (text_equal(robot->unused[i].node->name, node->name)) {
      robot->unused[i].count++;
      return;
    }
  }
  RobotUnused* unused = robot_push((void**)&robot->unused, &robot->nunused, sizeof(RobotUnused));
  *unused = (RobotUnused){node, 1};
}

void robot_tellunused(const RobotDescription* robot) {
  for (int i = 0; i < robot->nunused; i++) {
    const RobotUnused* unused = robot->unused + i;
    if (unused->count > 1) {
      robot_warn(robot, unused->node, NULL, "has no effect, here and in %d other place%s",
                 unused->count - 1, unused->count > 2 ? "s" : "");
    } else {
      robot_warn(robot, unused->node, NULL, "has no effect");
    }
  }
}

void* robot_push(void** items, int* count, size_t size) {
  // room doubles at each power of two
  if ((*count & (*count - 1)) == 0) {
    size_t room = *count ? 2 * (size_t)*count : 1;
    *items = heap_resize(*items, room * size);
  }
  return memset((char*)*items + (size_t)(*count)++ * size, 0, size);
}

// numbers

// What a list of numbers has that it shouldn't.
enum {
  HAS_COMMAS = 1,
  HAS_MORE = 2
};

// Reads count numbers from a text. Returns 1 if they are there, and nothing but numbers.
static int parse_reals(double* out, int* oddity, const char* text, int count) {
  enum {
    MOST = 8
  };
  double value[MOST], spare;
  char copy[400];
  snprintf(copy, sizeof(copy), "%s", text);
  *oddity = 0;
  for (char* c = copy; *c; c++) {
    *oddity |= *c == ',' ? HAS_COMMAS : 0;
    *c = *c == ',' ? ' ' : *c;
  }
  const char* cursor = copy;
  for (int i = 0; i < count; i++) {
    if (text_real(&value[i], &cursor) != TEXT_OK || !isfinite(value[i])) {
      return 0;
    }
  }
  TextStatus next;
  while ((next = text_real(&spare, &cursor)) == TEXT_OK) {
    *oddity |= HAS_MORE;
  }
  if (strlen(text) >= sizeof(copy) || next != TEXT_END) {
    return 0;
  }
  memcpy(out, value, (size_t)count * sizeof(double));
  return 1;
}

const char* robot_text(const Node* node, const char* name) {
  const char* text = node ? node_text(node, name) : NULL;
  return text ? text : "";
}

int robot_reals(double* out, const RobotDescription* robot, const Node* node, const char* name,
                int count) {
  int oddity;
  const char* text = node ? node_text(node, name) : NULL;
  if (!text) {
    return 0;
  }
  if (!parse_reals(out, &oddity, text, count)) {
    robot_error(robot, node, name, "attribute '%s' needs %d number%s, not \"%.80s\"%s", name, count,
                count > 1 ? "s" : "", text,
                strstr(text, "$(") ? ": this is xacro, whose files end in .xacro" : "");
    return 0;
  }
  if (oddity & HAS_COMMAS) {
    robot_warn(robot, node, name, "numbers are separated by spaces, not commas: \"%.80s\"", text);
  }
  if (oddity & HAS_MORE) {
    robot_warn(robot, node, name,
               "attribute '%s' has more than %d number%s, the others have no "
               "effect: \"%.80s\"",
               name, count, count > 1 ? "s" : "", text);
  }
  return 1;
}

int robot_content(double* out, const RobotDescription* robot, const Node* node, int count) {
  int oddity;
  if (!node || !node->content[0]) {
    return 0;
  }
  if (!parse_reals(out, &oddity, node->content, count)) {
    robot_warn(robot, node, NULL, "needs %d number%s, not \"%.80s\": it has no effect", count,
               count > 1 ? "s" : "", node->content);
    return 0;
  }
  return 1;
}

void robot_origin(Pose* out, const RobotDescription* robot, const Node* origin) {
  double rpy[3] = {0, 0, 0};
  *out = POSE_IDENTITY;
  if (origin) {
    robot_reals(out->pos, robot, origin, "xyz", 3);
    robot_reals(rpy, robot, origin, "rpy", 3);
    pose_from_rpy(out->quat, rpy);
  }
}

void robot_pose(Pose* out, const RobotDescription* robot, const Node* pose) {
  double number[6] = {0};
  *out = POSE_IDENTITY;
  if (robot_content(number, robot, pose, 6)) {
    memcpy(out->pos, number, sizeof(out->pos));
    pose_from_rpy(out->quat, number + 3);
  }
}

// names

int robot_link(const RobotDescription* robot, const char* name) {
  for (HashSlot* at = hash_find(&robot->link_names, hash_text(name)); at; at = hash_next(at)) {
    int i = (int)(uintptr_t)at->item - 1;
    if (text_equal(robot->links[i].name, name)) {
      return i;
    }
  }
  return -1;
}

int robot_joint(const RobotDescription* robot, const char* name) {
  for (HashSlot* at = hash_find(&robot->joint_names, hash_text(name)); at; at = hash_next(at)) {
    int i = (int)(uintptr_t)at->item - 1;
    if (text_equal(robot->joints[i].name, name)) {
      return i;
    }
  }
  return -1;
}

// the tree

// Ties a link to the one above it. Returns 0 after an error.
static int tie(RobotDescription* robot, int j) {
  const RobotJoint* joint = robot->joints + j;
  RobotLink *above = robot->links + joint->parent, *below = robot->links + joint->child;
  if (below->joint >= 0) {
    robot_error(robot, joint->node, NULL, "link '%s' has a second parent: the first is '%s'",
                below->name, robot->links[below->parent].name);
    return 0;
  }
  below->joint = j;
  below->parent = joint->parent;
  if (above->last < 0) {
    above->first = joint->child;
  } else {
    robot->links[above->last].next = joint->child;
  }
  above->last = joint->child;
  return 1;
}

int robot_connect(RobotDescription* robot) {
  int good = 1;
  for (int i = 0; i < robot->nlink; i++) {
    RobotLink* link = robot->links + i;
    link->joint = link->parent = link->first = link->last = link->next = -1;
  }
  for (int j = 0; j < robot->njoint; j++) {
    const RobotJoint* joint = robot->joints + j;
    good &= joint->parent >= 0 && joint->child >= 0 && tie(robot, j);
  }
  // from any link upwards there are fewer links than all, unless they go round
  for (int i = 0; i < robot->nlink && good; i++) {
    int steps = 0;
    for (int at = i; at >= 0 && steps <= robot->nlink; at = robot->links[at].parent) {
      steps++;
    }
    if (steps > robot->nlink) {
      robot_error(robot, robot->links[i].node, NULL,
                  "the joints above link '%s' go round in a circle", robot->links[i].name);
      good = 0;
    }
  }
  return good;
}
