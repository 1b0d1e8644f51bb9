#include "mjcf/read/read.h"

#include <mujoco/api/spec.h>

#include "base/text.h"
#include "mjcf/urdf/urdf.h"
#include "spec/spec.h"

// The order of processing. [theory/format.md, Reading order]
static const struct {
  const char* name;
  void (*read)(const Reader* reader, const Node* section);  // a section as a whole
  void (*each)(const Reader* reader, const Node* node);     // every element in one
} sections[] = {
    {"compiler", read_compiler, NULL},
    {"option", read_option, NULL},
    {"size", read_size, NULL},
    {"visual", NULL, read_visual},
    {"statistic", read_statistic, NULL},
    {"default", read_default, NULL},
    {"extension", NULL, read_extension},
    {"custom", NULL, read_asset},
    {"asset", NULL, read_asset},
    {"contact", NULL, read_asset},
    {"deformable", NULL, read_deformable},
    {"equality", NULL, read_equality},
    {"tendon", NULL, read_tendonpath},
    {"actuator", NULL, read_actuatortarget},
    {"sensor", NULL, read_sensor},
    {"keyframe", NULL, read_asset},
    {"worldbody", read_worldbody, NULL},
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
    for (const Node* section = root->first; section; section = section->next) {
      int wanted = read_is(section, sections[i].name);
      if (wanted && sections[i].read) {
        sections[i].read(reader, section);
      }
      for (const Node* it = section->first; wanted && sections[i].each && it; it = it->next) {
        if (!it->skip) {
          sections[i].each(reader, it);
        }
      }
    }
  }
}
