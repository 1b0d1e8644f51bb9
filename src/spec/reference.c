// reference.c: the references of an element, found through its table of handles.

#include "spec/reference.h"

#include "base/transmission.h"

mjtObj reference_equality(const mjsEquality* equality) {
  static const mjtObj types[] = {[mjEQ_JOINT] = mjOBJ_JOINT,
                                 [mjEQ_TENDON] = mjOBJ_TENDON,
                                 [mjEQ_FLEX] = mjOBJ_FLEX,
                                 [mjEQ_DISTANCE] = mjOBJ_UNKNOWN,
                                 [mjEQ_FLEXSTRAIN] = mjOBJ_FLEX};
  if (equality->type == mjEQ_CONNECT || equality->type == mjEQ_WELD) {
    return equality->objtype;
  }
  return (unsigned)equality->type <= mjEQ_FLEXSTRAIN ? types[equality->type] : mjOBJ_UNKNOWN;
}

mjtObj reference_transmission(mjtTrn type) {
  return transmission_of((int)type).target;
}

mjtObj reference_wrap(mjtWrap type) {
  static const mjtObj types[] = {[mjWRAP_JOINT] = mjOBJ_JOINT,
                                 [mjWRAP_SITE] = mjOBJ_SITE,
                                 [mjWRAP_SPHERE] = mjOBJ_GEOM,
                                 [mjWRAP_CYLINDER] = mjOBJ_GEOM};
  return (unsigned)type <= mjWRAP_CYLINDER ? types[type] : mjOBJ_UNKNOWN;
}

// Type of the object named by the i-th name of a dynamic handle.
static mjtObj dynamic_type(const SpecObject* object, const void* name, size_t i) {
  switch (object->element.elemtype) {
    case mjOBJ_EQUALITY:
      return reference_equality(&object->as.equality);
    case mjOBJ_ACTUATOR:
      return reference_transmission(object->as.actuator.trntype);
    case mjOBJ_SENSOR:
      return name == (const void*)object->as.sensor.objname ? object->as.sensor.objtype
                                                            : object->as.sensor.reftype;
    case mjOBJ_TUPLE: {
      const mjIntVec* types = object->as.tuple.objtype;
      return i < types->num ? (mjtObj)types->ptr[i] : mjOBJ_UNKNOWN;
    }
    default:
      return mjOBJ_UNKNOWN;
  }
}

typedef struct Visitor_ {
  int (*visit)(const NameUse* use, void* context);
  void* context;
} Visitor;

static int visit_name(const Visitor* visitor, mjString* name, mjtObj type, int essential) {
  NameUse use = {name, type, essential};
  return string_empty(name) || visitor->visit(&use, visitor->context);
}

int reference_visit(SpecObject* object, int (*visit)(const NameUse* use, void* context),
                    void* context) {
  Visitor visitor = {visit, context};
  int count;
  const SpecHandle* handles = spec_handles(object->element.elemtype, &count);
  for (int i = 0; i < count; i++) {
    const SpecHandle* handle = handles + i;
    if (handle->reference != SPEC_REF_TYPE && handle->reference != SPEC_REF_DYNAMIC) {
      continue;
    }
    int list = handle->kind == VECTOR_STRINGS;
    mjStringVec* strings = &object->vectors[i].strings;
    size_t n = list ? strings->num : 1;
    for (size_t j = 0; j < n; j++) {
      mjString* name = list ? strings->ptr + j : &object->vectors[i].string;
      mjtObj type = handle->reference == SPEC_REF_TYPE
                        ? handle->type
                        : dynamic_type(object, &object->vectors[i], j);
      if (!visit_name(&visitor, name, type, !handle->foreign_only)) {
        return 0;
      }
    }
  }
  if (object->element.elemtype == mjOBJ_TENDON) {
    for (SPEC_EACH_ANY(it, object)) {
      SpecWrap* wrap = &it->as.wrap;
      if (!visit_name(&visitor, &wrap->target, reference_wrap(wrap->pub.type), 1) ||
          !visit_name(&visitor, &wrap->sidesite, mjOBJ_SITE, 1)) {
        return 0;
      }
    }
  }
  return 1;
}

static int exists(const NameUse* use, void* tree) {
  return !use->essential || spec_find(tree, use->type, string_text(use->name));
}

// Must a sensor of this type have an object?
static int needs_object(mjtSensor type) {
  switch (type) {
    case mjSENS_CLOCK:
    case mjSENS_E_POTENTIAL:
    case mjSENS_E_KINETIC:
    case mjSENS_CONTACT:
    case mjSENS_USER:
    case mjSENS_PLUGIN:
      return 0;
    default:
      return 1;
  }
}

// Does a tendon touch anything but pulleys?
static int has_path(const SpecObject* tendon) {
  for (SPEC_EACH_ANY(it, tendon)) {
    if (it->as.wrap.pub.type != mjWRAP_PULLEY) {
      return 1;
    }
  }
  return 0;
}

static int names_given(const SpecObject* object) {
  switch (object->element.elemtype) {
    case mjOBJ_PAIR:
      return !string_empty(object->as.pair.geomname1) && !string_empty(object->as.pair.geomname2);
    case mjOBJ_EXCLUDE:
      return !string_empty(object->as.exclude.bodyname1) &&
             !string_empty(object->as.exclude.bodyname2);
    case mjOBJ_EQUALITY:
      return !string_empty(object->as.equality.name1);
    case mjOBJ_ACTUATOR:
      return !string_empty(object->as.actuator.target);
    case mjOBJ_SENSOR:
      return !string_empty(object->as.sensor.objname) || !needs_object(object->as.sensor.type);
    case mjOBJ_TENDON:
      return has_path(object);
    default:
      return 1;
  }
}

int reference_resolves(SpecObject* object) {
  return names_given(object) && reference_visit(object, exists, object->tree);
}
