#include "mjcf/read/read.h"

#include <mujoco/api/spec.h>

#include "base/text.h"
#include "mjcf/urdf/urdf.h"
#include "spec/spec.h"

typedef struct Section_ {
  const char* name;
  void (*read)(const Reader* reader, const Node* section);
} Section;

// The order of processing. [theory/format.md, Reading order]
static const Section sections[] = {
    {"compiler", read_compiler},
    {"option", read_option},
    {"size", read_size},
    {"visual", read_visual},
    {"statistic", read_statistic},
    {"default", read_default},
    {"custom", read_custom},
    {"asset", read_asset},
    {"contact", read_contact},
    {"equality", read_equality_section},
    {"tendon", read_tendon_section},
    {"actuator", read_actuator_section},
    {"sensor", read_sensor_section},
    {"keyframe", read_keyframe},
    {"worldbody", read_worldbody},
};

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

void read_values(const Reader* reader, const Node* node, SpecObject* object) {
  switch (object->element.elemtype) {
    case mjOBJ_MATERIAL:
      read_material(reader, node, &object->as.material);
      break;
    case mjOBJ_CAMERA:
      read_camera(reader, node, &object->as.camera);
      break;
    case mjOBJ_LIGHT:
      read_light(reader, node, &object->as.light);
      break;
    case mjOBJ_TENDON:
      read_tendon(reader, node, &object->as.tendon);
      break;
    case mjOBJ_ACTUATOR:
      read_actuator(reader, node, &object->as.actuator);
      break;
    default:
      values_read(reader, node, spec_public(object));
  }
}

void* read_add(const Reader* reader, const Node* node, mjtObj type) {
  const mjsDefault* class = read_class(reader, node, "class", mjs_getSpecDefault(reader->spec));
  SpecObject* object = spec_add(spec_tree(reader->spec), type, NULL, spec_object(class->element));
  read_place(reader, node, &object->element);
  return spec_public(object);
}

void* read_element(const Reader* reader, const Node* node, mjtObj type) {
  void* element = read_add(reader, node, type);
  read_values(reader, node, spec_object(*(mjsElement**)element));
  return element;
}

void read_place(const Reader* reader, const Node* node, mjsElement* element) {
  SourcePlace place = node_place(node, NULL);
  place.file = spec_intern(spec_tree(reader->spec), place.file);
  spec_object(element)->place = place;
}

void read_document(const Reader* reader) {
  const Node* root = document_root(reader->document);
  mjSpec* spec = reader->spec;
  read_place(reader, root, spec->element);
  mjs_setString(spec->modelfiledir, document_directory(reader->document));
  if (document_comment(reader->document)) {
    mjs_setString(spec->comment, document_comment(reader->document));
  }
  if (urdf_is(root)) {
    urdf_read(reader);
    return;
  }
  values_read(reader, root, spec);
  for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
    for (const Node* node = root->first; node; node = node->next) {
      if (read_is(node, sections[i].name)) {
        sections[i].read(reader, node);
      }
    }
  }
}
