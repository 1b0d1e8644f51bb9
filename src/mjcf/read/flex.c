// flex.c: reads the flexes and skins of <deformable>. [theory/model/format.md, Composite and flex]

#include <mujoco/api/spec.h>

#include "mjcf/read/context.h"
#include "mjcf/read/flexcomp/flexcomp.h"
#include "mjcf/read/sections.h"

void read_deformable(const Reader* reader, const Node* node) {
  if (!read_is(node, "flex")) {
    read_asset(reader, node);  // a skin
    return;
  }
  mjsFlex* flex = mjs_addFlex(reader->spec);
  read_place(reader, node, flex->element);
  values_read(reader, node, flex);
  for (const Node* child = node->first; child; child = child->next) {
    if (!child->skip) {
      values_read(reader, child, flex);
    }
  }
  read_flexwords(reader, node, flex, flex->nodebody->num > 0);
}
