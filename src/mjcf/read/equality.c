// equality.c: reads <equality>. [theory/contact/constraints.md, Rows]
//
// All types store their numbers in one array, data. connect and weld store an anchor in 0..2. weld
// stores a relative pose (position, quaternion) in 3..9 and its torque scale in 10. joint and
// tendon store their polynomial in 0..4. flexstrain stores its cell in 0..2. Other numbers keep
// their default, which is 1 at 1 and 10, else 0; an anchor of bodies is 0.

#include <mujoco/api/spec.h>

#include "mjcf/read/context.h"
#include "mjcf/read/sections.h"

// Reads the two ends of a connect or weld: two bodies, of which the second may be the world, or two
// sites.
static void read_ends(const Reader* reader, const Node* node, mjsEquality* equality) {
  const char *body1 = values_text(node, "body1"), *body2 = values_text(node, "body2");
  const char *site1 = values_text(node, "site1"), *site2 = values_text(node, "site2");
  int anchor = values_has(node, "anchor"), is_weld = equality->type == mjEQ_WELD;
  int bodies = body1 || body2 || anchor || (is_weld && values_has(node, "relpose"));
  if ((site1 || site2) && bodies) {
    values_error(reader, node, site1 ? "site1" : "site2", NULL,
                 "body and site semantics cannot be mixed");
  } else if (site1 && site2) {
    equality->objtype = mjOBJ_SITE;
    mjs_setString(equality->name1, site1);
    mjs_setString(equality->name2, site2);
  } else if (body1 && (anchor || is_weld)) {
    equality->objtype = mjOBJ_BODY;
    mjs_setString(equality->name1, body1);
    mjs_setString(equality->name2, body2 ? body2 : "");
    if (!anchor) {
      equality->data[0] = equality->data[1] = equality->data[2] = 0;
    }
  } else {
    values_error(reader, node, NULL, NULL,
                 is_weld
                     ? "either body1 must be defined and optionally {body2, anchor, relpose}, or "
                       "site1 and site2 must be defined"
                     : "either both body1 and anchor must be defined, or both site1 and site2 "
                       "must be defined");
  }
}

void read_equality(const Reader* reader, const Node* node) {
  mjsEquality* equality = read_add(reader, node, mjOBJ_EQUALITY);
  equality->type = (mjtEq)node->schema->value;
  values_read(reader, node, equality);
  if (equality->type == mjEQ_CONNECT || equality->type == mjEQ_WELD) {
    read_ends(reader, node, equality);
  } else if (equality->type == mjEQ_FLEXSTRAIN) {
    int cell[3] = {0, 0, 0};
    values_ints(cell, reader, node, "cell");
    for (int k = 0; k < 3; k++) {
      equality->data[k] = cell[k];
    }
  }
}
