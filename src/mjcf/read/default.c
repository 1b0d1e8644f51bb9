// default.c: reads default classes. A class copies its parent when it is made and then applies its
// own elements. So elements are read before subclasses, whatever their order in the text.
// [theory/model/format.md, Default classes]

#include <mujoco/api/spec.h>

#include "mjcf/read/context.h"
#include "mjcf/read/element.h"
#include "mjcf/read/sections.h"

#include "base/text/text.h"

// Reads one element of a class into the class's prototype. All kinds of actuators share one
// prototype.
static void read_prototype(const Reader* reader, const Node* node, const mjsDefault* class) {
  SpecObject* object = spec_object(class->element);
  SpecObject* const* prototype = object->as.classdef.prototype;
  mjtObj type = read_kind(node);
  if (node->skip) {
    return;
  }
  if (prototype[type] && type != mjOBJ_ACTUATOR) {
    read_values(reader, node, prototype[type]);
  } else {
    read_actuator(reader, node, &prototype[mjOBJ_ACTUATOR]->as.actuator, object);
    object->as.classdef.shortcut = spec_intern(object->tree, node->name);
  }
}

static void read_class_content(const Reader* reader, const Node* node, mjsDefault* class) {
  for (const Node* child = node->first; child; child = child->next) {
    if (!text_equal(child->name, "default")) {
      read_prototype(reader, child, class);
    }
  }
  for (const Node* child = node->first; child; child = child->next) {
    if (!read_is(child, "default")) {
      continue;
    }
    const char* name = values_text(child, "class");
    if (!name || !name[0]) {
      values_error(reader, child, "class", NULL, "empty class name");
      continue;
    }
    mjsDefault* subclass = mjs_addDefault(reader->spec, name, class);
    if (subclass) {
      read_place(reader, child, subclass->element);
      read_class_content(reader, child, subclass);
    } else {
      values_error(reader, child, "class", NULL, "repeated default class name: '%s'", name);
    }
  }
}

void read_default(const Reader* reader, const Node* section) {
  const char* name = values_text(section, "class");
  if (name && name[0] && !text_equal(name, "main")) {
    values_error(reader, section, "class", NULL,
                 "top-level default class 'main' cannot be renamed");
  }
  read_class_content(reader, section, mjs_getSpecDefault(reader->spec));
}
