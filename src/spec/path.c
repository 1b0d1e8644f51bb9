// path.c: the path of a tendon, its stations in order.               theory/model/model.md, Editing

#include <mujoco/api/base.h>
#include <mujoco/api/spec.h>

#include "base/memory/check.h"
#include "spec/reference.h"
#include "spec/spec.h"

// making

static mjsWrap* add_wrap(mjsTendon* tendon, mjtWrap type, const char* target, const char* sidesite,
                         double prm) {
  SpecObject* parent = spec_object(tendon->element);
  SpecObject* object = spec_create(parent->tree, mjOBJ_UNKNOWN, NULL);
  if (!object) {
    return NULL;
  }
  SpecWrap* wrap = &object->as.wrap;
  if (!string_set(&wrap->target, target ? target : "") ||
      !string_set(&wrap->sidesite, sidesite ? sidesite : "")) {
    spec_destroy(object);
    return spec_nomemory(parent->tree);
  }
  wrap->pub.type = type;
  wrap->prm = prm;
  spec_link(object, parent, NULL);
  return &wrap->pub;
}

mjsWrap* mjs_wrapSite(mjsTendon* tendon, const char* name) {
  check_given(tendon);
  return add_wrap(tendon, mjWRAP_SITE, name, NULL, 0);
}

mjsWrap* mjs_wrapGeom(mjsTendon* tendon, const char* name, const char* sidesite) {
  check_given(tendon);
  return add_wrap(tendon, mjWRAP_SPHERE, name, sidesite, 0);
}

mjsWrap* mjs_wrapJoint(mjsTendon* tendon, const char* name, double coef) {
  check_given(tendon);
  return add_wrap(tendon, mjWRAP_JOINT, name, NULL, coef);
}

mjsWrap* mjs_wrapPulley(mjsTendon* tendon, double divisor) {
  check_given(tendon);
  return add_wrap(tendon, mjWRAP_PULLEY, NULL, NULL, divisor);
}

// reading

static const SpecWrap* station(const mjsWrap* wrap) {
  return &spec_object(wrap->element)->as.wrap;
}

int mjs_getWrapNum(const mjsTendon* tendon) {
  check_given(tendon);
  int count = 0;
  for (SPEC_EACH_ANY(it, spec_object(tendon->element))) {
    count++;
  }
  return count;
}

mjsWrap* mjs_getWrap(const mjsTendon* tendon, int i) {
  check_given(tendon);
  check_index("mjs_getWrap", "wrap", i, mjs_getWrapNum(tendon));
  SpecObject* it = spec_object(tendon->element)->first;
  while (i--) {
    it = it->next;
  }
  return &it->as.wrap.pub;
}

mjsElement* mjs_getWrapTarget(const mjsWrap* wrap) {
  check_given(wrap);
  const SpecTree* tree = spec_object(wrap->element)->tree;
  SpecObject* target =
      spec_find(tree, reference_wrap(wrap->type), string_text(&station(wrap)->target));
  return target ? &target->element : NULL;
}

mjsSite* mjs_getWrapSideSite(const mjsWrap* wrap) {
  check_given(wrap);
  const SpecTree* tree = spec_object(wrap->element)->tree;
  SpecObject* site = spec_find(tree, mjOBJ_SITE, string_text(&station(wrap)->sidesite));
  return site ? &site->as.site : NULL;
}

double mjs_getWrapDivisor(const mjsWrap* wrap) {
  check_given(wrap);
  if (wrap->type == mjWRAP_PULLEY) {
    return station(wrap)->prm;
  }
  mju_warning("Querying divisor attribute of non-pulley wrap: %s",
              string_text(&station(wrap)->target));
  return 1;
}

double mjs_getWrapCoef(const mjsWrap* wrap) {
  check_given(wrap);
  if (wrap->type == mjWRAP_JOINT) {
    return station(wrap)->prm;
  }
  mju_warning("Querying coef attribute of non-joint wrap: %s", string_text(&station(wrap)->target));
  return 1;
}
