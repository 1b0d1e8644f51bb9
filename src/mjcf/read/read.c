#include "mjcf/read/read.h"

#include <mujoco/api/spec.h>

#include "base/text.h"
#include "mjcf/urdf/urdf.h"
#include "spec/spec.h"

typedef struct Section_ {
  const char* name;
  void (*read)(const Reader* reader, const Node* section);
} Section;

// The order of processing. [spec 01, 2.4]
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
