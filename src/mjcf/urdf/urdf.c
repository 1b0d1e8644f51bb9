// urdf.c: reads a URDF robot. Links and colors are found by name in hash tables. The trees of links
// are walked without recursion, so a long chain can't overflow the stack.

#include "mjcf/urdf/urdf.h"

#include <condyle/behaviour.h>
#include <mujoco/api/spec.h>

#include "base/memory/memory.h"
#include "base/text/text.h"
#include "mjcf/read/context.h"
#include "mjcf/read/sections.h"
#include "mjcf/urdf/element.h"
#include "mjcf/urdf/sdf_element.h"
#include "spec/spec.h"

struct Link_ {
  const Node* node;
  const Node* joint;  // the joint to its parent; NULL for a root
  int first, next;    // first child, next child of the same parent; -1 if none
  int last;           // last child
  int parent;
};

int urdf_is(const Node* root) {
  return node_islike(root, "robot");
}

// names

// The next node in document order below root.
static const Node* next_node(const Node* node, const Node* root) {
  if (node->first) {
    return node->first;
  }
  while (node != root && !node->next) {
    node = node->parent;
  }
  return node == root ? NULL : node->next;
}

// The first link of this name, NULL if there is none.
static Link* find_link(const Robot* robot, const char* name) {
  for (HashSlot* at = hash_find(&robot->names, hash_text(name)); at; at = hash_next(at)) {
    Link* link = at->item;
    if (text_equal(urdf_name(link->node), name)) {
      return link;
    }
  }
  return NULL;
}

// Collects all materials with a color, anywhere in the file.
static void collect_colors(Robot* robot, const Node* root) {
  for (const Node* node = root; node; node = next_node(node, root)) {
    if (text_equal(node->name, "material") && node_child(node, "color")) {
      urdf_add(&robot->colors, node);
    }
  }
}

static void collect_joints(Robot* robot, const Node* root) {
  for (const Node* node = root->first; node; node = node->next) {
    if (text_equal(node->name, "joint")) {
      urdf_add(&robot->joints, node);
    }
  }
}

static void collect_links(Robot* robot, const Node* root) {
  size_t most = 1;
  for (const Node* node = root->first; node; node = node->next) {
    most += text_equal(node->name, "link");
  }
  robot->links = heap_zero(most, sizeof(Link));
  for (const Node* node = root->first; node; node = node->next) {
    if (!text_equal(node->name, "link")) {
      continue;
    }
    urdf_text(robot, node, "name", 1);
    if (find_link(robot, urdf_name(node))) {
      urdf_report(robot, node, NULL, "repeated URDF name: '%s'", urdf_name(node));
    }
    Link* link = &robot->links[robot->nlink++];
    *link = (Link){.node = node, .first = -1, .next = -1, .last = -1, .parent = -1};
    hash_add(&robot->names, hash_text(urdf_name(node)), link);
  }
}

// Index of the link that the parent or child element of a joint names; -1, with an error, if there
// is none.
static int joint_link(const Robot* robot, const Node* joint, const char* which) {
  const Node* element = urdf_child(robot, joint, which, 1);
  const char* name = element ? urdf_text(robot, element, "link", 1) : NULL;
  if (!name) {
    return -1;
  }
  const Link* link = find_link(robot, name);
  if (!link) {
    urdf_report(robot, joint, NULL, "URDF joint parent or child missing: no link '%s'", name);
    return -1;
  }
  return (int)(link - robot->links);
}

// Connects the links by the joints.
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
      urdf_report(robot, node, NULL, "URDF body has multiple parents: '%s'",
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

// links

static mjsBody* add_link(const Robot* robot, const Link* link, mjsBody* parent) {
  const char* name = urdf_name(link->node);
  mjSpec* spec = robot->reader->spec;
  if (text_equal(name, "world")) {
    return mjs_findBody(spec, "world");
  }
  mjsBody* body = mjs_addBody(parent, NULL);
  read_place(robot->reader, link->node, body->element);
  mjs_setName(body->element, name);
  if (link->joint) {
    urdf_readjoint(robot, link->joint, body);
  }
  return body;
}

// Adds all links as bodies, each after its parent. Links in a loop are never reached.
static void add_links(Robot* robot) {
  mjsBody* world = mjs_findBody(robot->reader->spec, "world");
  mjsBody** body = heap_zero((size_t)robot->nlink + 1, sizeof(mjsBody*));
  for (int root = 0; root < robot->nlink; root++) {
    int i = robot->links[root].joint ? -1 : root;
    while (i >= 0) {
      const Link* link = &robot->links[i];
      body[i] = add_link(robot, link, link->parent < 0 ? world : body[link->parent]);
      urdf_readlink(robot, link->node, body[i]);

      // go to the first child, else to the next sibling, else to that of an ancestor
      int next = link->first;
      while (next < 0 && i != root) {
        next = robot->links[i].next;
        i = robot->links[i].parent;
      }
      i = next;
    }
  }
  for (int i = 0; i < robot->nlink; i++) {
    if (!body[i]) {
      urdf_report(robot, robot->links[i].node, NULL,
                  "URDF body not found: the joints above link '%s' "
                  "go round in a circle",
                  node_text(robot->links[i].node, "name"));
      break;
    }
  }
  heap_free(body);
}

// Reads the MJCF settings in the <mujoco> element of a robot.
static void read_settings(const Robot* robot, const Node* root) {
  const Node* mujoco = urdf_child(robot, root, "mujoco", 0);
  if (!mujoco) {
    return;
  }
  static const struct {
    const char* name;
    void (*read)(const Reader* reader, const Node* section);
  } sections[] = {{"compiler", read_compiler}, {"option", read_option}, {"size", read_size}};
  for (int i = 0; i < 3; i++) {
    const Node* section = urdf_child(robot, mujoco, sections[i].name, 0);
    if (section) {
      sections[i].read(robot->reader, section);
    }
  }
}

void urdf_read(const Reader* reader) {
  const Node* root = document_root(reader->document);
  mjSpec* spec = reader->spec;
  Robot robot = {.reader = reader};
  // the reference has defaults for URDF, and refuses SDF
  int is_urdf = !node_text(root, SDF_MARK);
  spec->compiler.fusestatic = spec->compiler.discardvisual = (mjtByte)is_urdf;
  spec->strippath = is_urdf && !(spec->option.behaviour >> cndBEHAVIOUR_compile & 1);
  spec_tree(spec)->beyond = !is_urdf;
  spec_tree(spec)->lenient = 1;
  read_settings(&robot, root);
  spec->compiler.degree = 0;

  const char* name = node_text(root, "name");
  if (name) {
    mjs_setString(spec->modelname, name);
  }
  collect_links(&robot, root);
  collect_colors(&robot, root);
  collect_joints(&robot, root);
  connect_links(&robot, root);
  add_links(&robot);
  for (const Node* node = root->first; node; node = node->next) {
    if (text_equal(node->name, SDF_LIGHT)) {
      read_place(reader, node, sdf_add_light(mjs_findBody(spec, "world"), node)->element);
    }
  }
  heap_free(robot.links);
  hash_clear(&robot.names);
  hash_clear(&robot.colors);
  hash_clear(&robot.joints);
  hash_clear(&robot.geoms);
}
