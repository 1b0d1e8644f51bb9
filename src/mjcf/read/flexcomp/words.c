// words.c: what of a flex depends on how it is written.
//                                                    theory/smooth/deformables.md, Generated flexes
#include <mujoco/api/spec.h>
#include <string.h>

#include "mjcf/read/context.h"
#include "mjcf/read/flexcomp/flexcomp.h"

// A name can't have a blank in a list, so a text with blanks is one name for each element.
static void split_materials(mjsFlex* flex) {
  if (strpbrk(string_text(flex->material), " \t\r\n")) {
    mjs_setStringVec(flex->materials, string_text(flex->material));
    mjs_setString(flex->material, "");
  }
}

// One number is for both if both can yield.
static void share_yield(const Reader* reader, const Node* node, mjsFlex* flex, int interpolated) {
  double yield[2];
  if (values_reals(yield, reader, node, "yield") == 1 && flex->dim == 2 && !interpolated) {
    flex->stressyield[1] = yield[0];
  }
}

void read_flexwords(const Reader* reader, const Node* node, mjsFlex* flex, int interpolated) {
  split_materials(flex);
  for (const Node* child = node->first; child; child = child->next) {
    if (!child->skip && read_is(child, "elasticity")) {
      share_yield(reader, child, flex, interpolated);
    }
  }
}
