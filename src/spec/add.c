// mjs_add*: new elements, and the stations of tendons.                        spec 03, section 15.1

#include <mujoco/api/model.h>
#include <mujoco/api/spec.h>

#include "base/check.h"
#include "spec/spec.h"

static const SpecObject* class_of(const mjsDefault* def) {
  return def ? spec_object(def->element) : NULL;
}

static SpecObject* add_child(mjsBody* body, mjtObj type, const mjsDefault* def) {
  SpecObject* parent = spec_object(body->element);
  return spec_add(parent->tree, type, parent, class_of(def));
}

static SpecObject* add_listed(mjSpec* s, mjtObj type, const mjsDefault* def) {
  return spec_add(spec_tree(s), type, NULL, class_of(def));
}

mjsBody* mjs_addBody(mjsBody* body, const mjsDefault* def) {
  check_given(body);
  SpecObject* object = add_child(body, mjOBJ_BODY, def);
  return object ? &object->as.body : NULL;
}

mjsSite* mjs_addSite(mjsBody* body, const mjsDefault* def) {
  check_given(body);
  SpecObject* object = add_child(body, mjOBJ_SITE, def);
  return object ? &object->as.site : NULL;
}

mjsJoint* mjs_addJoint(mjsBody* body, const mjsDefault* def) {
  check_given(body);
  SpecObject* object = add_child(body, mjOBJ_JOINT, def);
  return object ? &object->as.joint : NULL;
}

mjsJoint* mjs_addFreeJoint(mjsBody* body) {
  check_given(body);
  SpecObject* parent = spec_object(body->element);
  SpecObject* object = spec_create(parent->tree, mjOBJ_JOINT, NULL);
  if (!object) {
    return NULL;
  }
  object->classname = "main";
  object->as.joint.type = mjJNT_FREE;
  spec_link(object, parent, NULL);
  return &object->as.joint;
}

mjsGeom* mjs_addGeom(mjsBody* body, const mjsDefault* def) {
  check_given(body);
  SpecObject* object = add_child(body, mjOBJ_GEOM, def);
  return object ? &object->as.geom : NULL;
}

mjsCamera* mjs_addCamera(mjsBody* body, const mjsDefault* def) {
  check_given(body);
  SpecObject* object = add_child(body, mjOBJ_CAMERA, def);
  return object ? &object->as.camera : NULL;
}

mjsLight* mjs_addLight(mjsBody* body, const mjsDefault* def) {
  check_given(body);
  SpecObject* object = add_child(body, mjOBJ_LIGHT, def);
  return object ? &object->as.light : NULL;
}

mjsFrame* mjs_addFrame(mjsBody* body, mjsFrame* parentframe) {
  check_given(body);
  SpecObject* parent = spec_object(body->element);
  SpecObject* around = parentframe ? spec_object(parentframe->element) : NULL;
  if (around && around->parent != parent) {
    spec_error(parent->tree, "frame '%s' is not in body '%s'", spec_name(around),
               spec_name(parent));
    return NULL;
  }
  SpecObject* object = add_child(body, mjOBJ_FRAME, NULL);
  if (!object) {
    return NULL;
  }
  object->frame = around;
  return &object->as.frame;
}

mjsActuator* mjs_addActuator(mjSpec* s, const mjsDefault* def) {
  check_given(s);
  SpecObject* object = add_listed(s, mjOBJ_ACTUATOR, def);
  return object ? &object->as.actuator : NULL;
}

mjsSensor* mjs_addSensor(mjSpec* s) {
  check_given(s);
  SpecObject* object = add_listed(s, mjOBJ_SENSOR, NULL);
  return object ? &object->as.sensor : NULL;
}

mjsFlex* mjs_addFlex(mjSpec* s) {
  check_given(s);
  SpecObject* object = add_listed(s, mjOBJ_FLEX, NULL);
  return object ? &object->as.flex : NULL;
}

mjsPair* mjs_addPair(mjSpec* s, const mjsDefault* def) {
  check_given(s);
  SpecObject* object = add_listed(s, mjOBJ_PAIR, def);
  return object ? &object->as.pair : NULL;
}

mjsExclude* mjs_addExclude(mjSpec* s) {
  check_given(s);
  SpecObject* object = add_listed(s, mjOBJ_EXCLUDE, NULL);
  return object ? &object->as.exclude : NULL;
}

mjsEquality* mjs_addEquality(mjSpec* s, const mjsDefault* def) {
  check_given(s);
  SpecObject* object = add_listed(s, mjOBJ_EQUALITY, def);
  return object ? &object->as.equality : NULL;
}

mjsTendon* mjs_addTendon(mjSpec* s, const mjsDefault* def) {
  check_given(s);
  SpecObject* object = add_listed(s, mjOBJ_TENDON, def);
  return object ? &object->as.tendon : NULL;
}

mjsNumeric* mjs_addNumeric(mjSpec* s) {
  check_given(s);
  SpecObject* object = add_listed(s, mjOBJ_NUMERIC, NULL);
  return object ? &object->as.numeric : NULL;
}

mjsText* mjs_addText(mjSpec* s) {
  check_given(s);
  SpecObject* object = add_listed(s, mjOBJ_TEXT, NULL);
  return object ? &object->as.text : NULL;
}

mjsTuple* mjs_addTuple(mjSpec* s) {
  check_given(s);
  SpecObject* object = add_listed(s, mjOBJ_TUPLE, NULL);
  return object ? &object->as.tuple : NULL;
}

mjsKey* mjs_addKey(mjSpec* s) {
  check_given(s);
  SpecObject* object = add_listed(s, mjOBJ_KEY, NULL);
  return object ? &object->as.key : NULL;
}

mjsPlugin* mjs_addPlugin(mjSpec* s) {
  check_given(s);
  SpecObject* object = add_listed(s, mjOBJ_PLUGIN, NULL);
  if (!object) {
    return NULL;
  }
  object->tree->names_exposed = 1;  // its name is a member of the public struct
  return &object->as.plugin.pub;
}

// What is registered is active in every model: there is nothing to remember.
int mjs_activatePlugin(mjSpec* s, const char* name) {
  (void)s;
  return name && mjp_getPlugin(name, NULL) ? 0 : -1;
}

mjsMesh* mjs_addMesh(mjSpec* s, const mjsDefault* def) {
  check_given(s);
  SpecObject* object = add_listed(s, mjOBJ_MESH, def);
  return object ? &object->as.mesh : NULL;
}

mjsHField* mjs_addHField(mjSpec* s) {
  check_given(s);
  SpecObject* object = add_listed(s, mjOBJ_HFIELD, NULL);
  return object ? &object->as.hfield : NULL;
}

mjsSkin* mjs_addSkin(mjSpec* s) {
  check_given(s);
  SpecObject* object = add_listed(s, mjOBJ_SKIN, NULL);
  return object ? &object->as.skin : NULL;
}

mjsTexture* mjs_addTexture(mjSpec* s) {
  check_given(s);
  SpecObject* object = add_listed(s, mjOBJ_TEXTURE, NULL);
  return object ? &object->as.texture : NULL;
}

mjsMaterial* mjs_addMaterial(mjSpec* s, const mjsDefault* def) {
  check_given(s);
  SpecObject* object = add_listed(s, mjOBJ_MATERIAL, def);
  return object ? &object->as.material : NULL;
}

mjsDefault* mjs_addDefault(mjSpec* s, const char* classname, const mjsDefault* parent) {
  check_given(s);
  SpecObject* object = spec_addclass(spec_tree(s), classname, class_of(parent));
  return object ? &object->as.classdef.pub : NULL;
}

// path of a tendon

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
  wrap->type = type;
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
