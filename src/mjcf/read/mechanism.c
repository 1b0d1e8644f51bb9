// mechanism.c: reads <tendon> and <actuator>. [theory/model/format.md, Reading order]

#include <mujoco/api/spec.h>

#include "mjcf/read/context.h"
#include "mjcf/read/element.h"
#include "mjcf/read/plugin.h"
#include "mjcf/read/sections.h"

// Reads one element of a tendon's path. In a fixed tendon it is a joint with its coefficient.
static void read_wrap(const Reader* reader, const Node* node, mjsTendon* tendon) {
  if (node->skip) {
    return;
  }
  values_read(reader, node, tendon);
  mjsWrap* wrap = NULL;
  double number = 0;
  if (read_is(node, "site")) {
    const char* site = values_text(node, "site");
    wrap = site ? mjs_wrapSite(tendon, site) : NULL;
  } else if (read_is(node, "geom")) {
    const char* geom = values_text(node, "geom");
    const char* sidesite = values_text(node, "sidesite");
    wrap = geom ? mjs_wrapGeom(tendon, geom, sidesite ? sidesite : "") : NULL;
  } else if (read_is(node, "pulley")) {
    wrap = values_reals(&number, reader, node, "divisor") ? mjs_wrapPulley(tendon, number) : NULL;
  } else if (read_is(node, "joint")) {
    const char* joint = values_text(node, "joint");
    int given = values_reals(&number, reader, node, "coef");
    wrap = given && joint ? mjs_wrapJoint(tendon, joint, number) : NULL;
  }
  if (wrap) {
    read_place(reader, node, wrap->element);
  }
}

void read_tendonpath(const Reader* reader, const Node* node) {
  mjsTendon* tendon = read_element(reader, node, mjOBJ_TENDON);
  for (const Node* child = node->first; child; child = child->next) {
    read_wrap(reader, child, tendon);
  }
}

// Reads the transmission of an actuator. Exactly one of six attributes gives its target; two more
// attributes belong to one kind each. [theory/smooth/actuation.md, Joint transmission]
static void read_transmission(const Reader* reader, const Node* node, mjsActuator* actuator) {
  int count = 0;
  for (const SchemaKey* key = schema_transmissions(); key->word; key++) {
    const char* target = values_text(node, key->word);
    if (!target) {
      continue;
    }
    if (++count > 1) {
      values_error(reader, node, key->word, NULL,
                   "actuator can have at most one of transmission target");
      return;
    }
    actuator->trntype = (mjtTrn)key->value;
    mjs_setString(actuator->target, target);
  }

  const char *slidersite = values_text(node, "slidersite"), *refsite = values_text(node, "refsite");
  if (slidersite) {
    mjs_setString(actuator->slidersite, slidersite);
  }
  if (refsite) {
    mjs_setString(actuator->refsite, refsite);
  }
  if (actuator->trntype != mjTRN_SLIDERCRANK && (slidersite || values_has(node, "cranklength"))) {
    values_error(reader, node, slidersite ? "slidersite" : "cranklength", NULL,
                 "cranklength and slidersite can only be used in slidercrank transmission");
  }
  if (actuator->trntype != mjTRN_SITE && refsite) {
    values_error(reader, node, "refsite", NULL, "refsite can only be used with site transmission");
  }
}

void read_actuatortarget(const Reader* reader, const Node* node) {
  mjsActuator* actuator = read_add(reader, node, mjOBJ_ACTUATOR);
  read_transmission(reader, node, actuator);
  read_actuator(reader, node, actuator, read_classof(actuator->element));
  if (read_is(node, "plugin")) {
    read_use(reader, node, actuator->element, &actuator->plugin);
  }
}
