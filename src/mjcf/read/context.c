// context.c: functions for the readers of all sections: names, classes, making and placing of
// elements.

#include "mjcf/read/context.h"

#include <mujoco/api/spec.h>

#include "base/text/text.h"
#include "spec/spec.h"

int read_is(const Node* node, const char* name) {
  return !node->skip && text_equal(node->name, name);
}

const mjsDefault* read_class(const Reader* reader, const Node* node, const char* attribute,
                             const mjsDefault* fallback) {
  const char* name = values_text(node, attribute);
  if (!name) {
    return fallback;
  }
  const mjsDefault* class = mjs_findDefault(reader->spec, name);
  if (!class) {
    values_error(reader, node, attribute, NULL,
                 text_equal(attribute, "childclass") ? "unknown default childclass: '%s'"
                                                     : "unknown default class name '%s'",
                 name);
    return fallback;
  }
  return class;
}

mjtObj read_kind(const Node* node) {
  for (int type = mjOBJ_BODY; type < mjNOBJECT; type++) {
    if (text_equal(node->name, spec_typename((mjtObj)type))) {
      return (mjtObj)type;
    }
  }
  return mjOBJ_UNKNOWN;
}

void* read_add(const Reader* reader, const Node* node, mjtObj type) {
  const mjsDefault* class = read_class(reader, node, "class", mjs_getSpecDefault(reader->spec));
  SpecObject* object = spec_add(spec_tree(reader->spec), type, NULL, spec_object(class->element));
  read_place(reader, node, &object->element);
  return spec_public(object);
}

void read_place(const Reader* reader, const Node* node, mjsElement* element) {
  if (reader->generated) {
    return;
  }
  SourcePlace place = node_place(node, NULL);
  place.file = spec_intern(spec_tree(reader->spec), place.file);
  SpecObject* object = spec_object(element);
  object->place = place;
  mjString* info = spec_info(object);
  if (info) {
    string_format(info, "line %d", place.line);
  }
}
