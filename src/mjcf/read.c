// read.c: reads the sections of a document in a fixed order.
//                                                          [theory/model/format.md, Reading order]

#include "mjcf/read.h"
#include "mjcf/later.h"

#include <mujoco/api/spec.h>

#include "mjcf/read/context.h"
#include "mjcf/read/model.h"
#include "mjcf/read/plugin.h"
#include "mjcf/read/sections.h"
#include "mjcf/urdf/urdf.h"

// Reads one asset, which may be a whole model.
static void read_assetormodel(const Reader* reader, const Node* node) {
  (read_is(node, "model") ? read_model : read_asset)(reader, node);
}

static const struct {
  const char* name;
  void (*read)(const Reader* reader, const Node* section);  // reads a whole section
  void (*each)(const Reader* reader, const Node* node);     // reads each element of a section
} sections[] = {
    {"compiler", read_compiler, NULL},
    {"option", read_option, NULL},
    {"size", read_size, NULL},
    {"visual", NULL, read_visual},
    {"statistic", read_statistic, NULL},
    {"default", read_default, NULL},
    {"extension", NULL, read_extension},
    {"custom", NULL, read_asset},
    {"asset", NULL, read_assetormodel},
    {"contact", NULL, read_asset},
    {"deformable", NULL, read_deformable},
    {"equality", NULL, read_equality},
    {"tendon", NULL, read_tendonpath},
    {"actuator", NULL, read_actuatortarget},
    {"sensor", NULL, read_sensor},
    {"keyframe", NULL, read_asset},
    {"worldbody", read_worldbody, NULL},
};

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
  read_dialecttext(reader, root);
  later_note(reader, root);
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
