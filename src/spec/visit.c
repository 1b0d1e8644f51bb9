// visit.c: visiting, counting and numbering objects in the order of ids.
//                                                          theory/model/model.md, Order of elements

#include "spec/visit.h"

#include "base/memory/memory.h"

int object_slot(mjtObj type) {
  switch (type) {
    case mjOBJ_XBODY:
      return mjOBJ_BODY;
    case mjOBJ_FRAME:
      return SPEC_SLOT_FRAME;
    case mjOBJ_DEFAULT:
      return SPEC_SLOT_DEFAULT;
    default:
      return type < mjNOBJECT ? (int)type : mjOBJ_UNKNOWN;
  }
}

int spec_intree(mjtObj type) {
  return type == mjOBJ_BODY || type == mjOBJ_FRAME || type == mjOBJ_JOINT || type == mjOBJ_GEOM ||
         type == mjOBJ_SITE || type == mjOBJ_CAMERA || type == mjOBJ_LIGHT;
}

SpecObject* object_walk(const SpecObject* object, const SpecObject* root) {
  if (object->first) {
    return object->first;
  }
  while (object != root && !object->next) {
    object = object->parent;
  }
  return object == root ? NULL : object->next;
}

static SpecObject* skip_to(SpecObject* object, mjtObj type) {
  while (object && object->element.elemtype != type) {
    object = object->next;
  }
  return object;
}

SpecObject* spec_firstchild(const SpecObject* parent, mjtObj type) {
  return skip_to(parent->first, type);
}

SpecObject* spec_nextsibling(const SpecObject* child) {
  return skip_to(child->next, child->element.elemtype);
}

SpecObject* spec_nextbody(const SpecObject* body, const SpecObject* root) {
  SpecObject* child = spec_firstchild(body, mjOBJ_BODY);
  if (child) {
    return child;
  }
  for (; body && body != root; body = body->parent) {
    SpecObject* sibling = spec_nextsibling(body);
    if (sibling) {
      return sibling;
    }
  }
  return NULL;
}

// First element of a type in this body or the bodies after it.
static SpecObject* first_from(const SpecObject* body, mjtObj type) {
  for (; body; body = spec_nextbody(body, NULL)) {
    SpecObject* child = spec_firstchild(body, type);
    if (child) {
      return child;
    }
  }
  return NULL;
}

SpecObject* spec_first(const SpecTree* tree, mjtObj type) {
  if (type == mjOBJ_BODY) {
    return tree->world;
  }
  if (type == mjOBJ_DEFAULT) {
    return tree->main_class;
  }
  if (spec_intree(type)) {
    return first_from(tree->world, type);
  }
  int slot = object_slot(type);
  return slot == mjOBJ_UNKNOWN ? NULL : tree->lists[slot].first;
}

SpecObject* spec_next(const SpecObject* object) {
  mjtObj type = object->element.elemtype;
  if (type == mjOBJ_BODY) {
    return spec_nextbody(object, NULL);
  }
  if (type == mjOBJ_DEFAULT) {
    return object_walk(object, object->tree->main_class);
  }
  if (spec_intree(type)) {
    SpecObject* sibling = spec_nextsibling(object);
    return sibling || !object->parent ? sibling
                                      : first_from(spec_nextbody(object->parent, NULL), type);
  }
  return object->next;
}

int spec_count(const SpecTree* tree, mjtObj type) {
  return tree->count[object_slot(type)];
}

void spec_number(SpecTree* tree) {
  for (int slot = 0; slot < SPEC_NSLOT; slot++) {
    mjtObj type = slot == SPEC_SLOT_FRAME     ? mjOBJ_FRAME
                  : slot == SPEC_SLOT_DEFAULT ? mjOBJ_DEFAULT
                                              : (mjtObj)slot;
    int id = 0;
    for (SPEC_EACH(it, tree, type)) {
      it->id = id++;
    }
  }
  tree->added = tree->moved = 0;
}

SpecObject** spec_array(const SpecTree* tree, mjtObj type) {
  int count = spec_count(tree, type);
  SpecObject** array = count ? heap_take((size_t)count * sizeof(SpecObject*)) : NULL;
  if (array) {
    int i = 0;
    for (SPEC_EACH(it, tree, type)) {
      array[i++] = it;
    }
  }
  return array;
}
