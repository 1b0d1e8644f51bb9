// add.c: mjs_add*, new elements.                                     theory/model/model.md, Editing

#include <mujoco/api/spec.h>

#include "base/memory/check.h"
#include "spec/spec.h"

static const SpecObject* class_of(const mjsDefault* def) {
  return def ? spec_object(def->element) : NULL;
}

static void* add(SpecTree* tree, mjtObj type, SpecObject* parent, const mjsDefault* def) {
  SpecObject* object = spec_add(tree, type, parent, class_of(def));
  return object ? spec_public(object) : NULL;
}

static void* add_child(mjsBody* body, mjtObj type, const mjsDefault* def) {
  SpecObject* parent = spec_object(body->element);
  return add(parent->tree, type, parent, def);
}

// elements in a body

#define CHILD(type, Name)                                          \
  mjs##Name* mjs_add##Name(mjsBody* body, const mjsDefault* def) { \
    check_given(body);                                             \
    return add_child(body, type, def);                             \
  }

CHILD(mjOBJ_BODY, Body)
CHILD(mjOBJ_SITE, Site)
CHILD(mjOBJ_JOINT, Joint)
CHILD(mjOBJ_GEOM, Geom)
CHILD(mjOBJ_CAMERA, Camera)
CHILD(mjOBJ_LIGHT, Light)

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

mjsFrame* mjs_addFrame(mjsBody* body, mjsFrame* parentframe) {
  check_given(body);
  SpecObject* parent = spec_object(body->element);
  SpecObject* around = parentframe ? spec_object(parentframe->element) : NULL;
  if (around && around->parent != parent) {
    spec_error(parent->tree, "frame '%s' is not in body '%s'", spec_name(around),
               spec_name(parent));
    return NULL;
  }
  mjsFrame* frame = add_child(body, mjOBJ_FRAME, NULL);
  if (frame) {
    spec_object(frame->element)->frame = around;
  }
  return frame;
}

// elements outside the body tree, with the values of a class

#define OF_CLASS(type, Name)                                   \
  mjs##Name* mjs_add##Name(mjSpec* s, const mjsDefault* def) { \
    check_given(s);                                            \
    return add(spec_tree(s), type, NULL, def);                 \
  }

OF_CLASS(mjOBJ_MESH, Mesh)
OF_CLASS(mjOBJ_MATERIAL, Material)
OF_CLASS(mjOBJ_PAIR, Pair)
OF_CLASS(mjOBJ_EQUALITY, Equality)
OF_CLASS(mjOBJ_TENDON, Tendon)
OF_CLASS(mjOBJ_ACTUATOR, Actuator)

// elements outside the body tree, without a class

#define CLASSLESS(type, Name)                   \
  mjs##Name* mjs_add##Name(mjSpec* s) {         \
    check_given(s);                             \
    return add(spec_tree(s), type, NULL, NULL); \
  }

CLASSLESS(mjOBJ_FLEX, Flex)
CLASSLESS(mjOBJ_HFIELD, HField)
CLASSLESS(mjOBJ_SKIN, Skin)
CLASSLESS(mjOBJ_TEXTURE, Texture)
CLASSLESS(mjOBJ_EXCLUDE, Exclude)
CLASSLESS(mjOBJ_SENSOR, Sensor)
CLASSLESS(mjOBJ_NUMERIC, Numeric)
CLASSLESS(mjOBJ_TEXT, Text)
CLASSLESS(mjOBJ_TUPLE, Tuple)
CLASSLESS(mjOBJ_KEY, Key)

mjsTexture* cnd_addTexture(mjSpec* s, const mjsDefault* def) {
  check_given(s);
  return add(spec_tree(s), mjOBJ_TEXTURE, NULL, def);
}

mjsPlugin* mjs_addPlugin(mjSpec* s) {
  check_given(s);
  spec_tree(s)->names_exposed = 1;  // users can write the name directly
  return add(spec_tree(s), mjOBJ_PLUGIN, NULL, NULL);
}

mjsDefault* mjs_addDefault(mjSpec* s, const char* classname, const mjsDefault* parent) {
  check_given(s);
  SpecObject* object = spec_addclass(spec_tree(s), classname, class_of(parent));
  return object ? &object->as.classdef.pub : NULL;
}
