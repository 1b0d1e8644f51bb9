// object.c: making, linking, copying and freeing objects. Trees of bodies may be very deep, so
// nothing recurses: a subtree is walked through the parent and sibling pointers.

#include <assert.h>
#include <mujoco/api/spec.h>
#include <string.h>

#include "base/memory/memory.h"
#include "spec/index.h"
#include "spec/object.h"
#include "spec/pending.h"
#include "spec/uservalue.h"
#include "spec/visit.h"

// types of which a default class has a prototype
static const mjtObj prototype_types[] = {
    mjOBJ_JOINT,    mjOBJ_GEOM,   mjOBJ_SITE,     mjOBJ_CAMERA,   mjOBJ_LIGHT,
    mjOBJ_FLEX,     mjOBJ_MESH,   mjOBJ_TEXTURE,  mjOBJ_MATERIAL, mjOBJ_PAIR,
    mjOBJ_EQUALITY, mjOBJ_TENDON, mjOBJ_ACTUATOR,
};
enum {
  NPROTOTYPE = sizeof(prototype_types) / sizeof(prototype_types[0])
};

const mjtObj spec_users[SPEC_NUSER] = {mjOBJ_BODY, mjOBJ_GEOM, mjOBJ_MESH, mjOBJ_ACTUATOR,
                                       mjOBJ_SENSOR};

mjsPlugin* spec_pluginof(SpecObject* object) {
  switch (object->element.elemtype) {
    case mjOBJ_BODY:
      return &object->as.body.plugin;
    case mjOBJ_GEOM:
      return &object->as.geom.plugin;
    case mjOBJ_MESH:
      return &object->as.mesh.plugin;
    case mjOBJ_ACTUATOR:
      return &object->as.actuator.plugin;
    case mjOBJ_SENSOR:
      return &object->as.sensor.plugin;
    default:
      return NULL;
  }
}

void* spec_public(SpecObject* object) {
  return object->element.elemtype == mjOBJ_MODEL ? (void*)&object->tree->spec : (void*)&object->as;
}

// Sets the handles in the public struct. Pointers are copied as bytes, because the members have
// eight different types.
void object_attachhandles(SpecObject* object) {
  int count;
  const SpecHandle* handles = spec_handles(object->element.elemtype, &count);
  char* pub = spec_public(object);
  for (int i = 0; i < count; i++) {
    void* storage = object->vectors + i;
    memcpy(pub + handles[i].offset, &storage, sizeof(storage));
  }
  if (object->element.elemtype == mjOBJ_PLUGIN) {
    object->as.plugin.pub.name = &object->name;
  }
  mjsElement* element = &object->element;
  memcpy(pub, &element, sizeof(element));
}

static void set_defaults(SpecObject* object) {
#define KIND(type, Name, member)           \
  case type:                               \
    mjs_default##Name(&object->as.member); \
    break;
  switch (object->element.elemtype) {
    SPEC_KINDS(KIND)
    default:
      break;  // all zero
  }
#undef KIND
}

// Points the public struct of a class at its prototypes.
static void attach_prototypes(SpecObject* cls) {
  SpecObject** prototype = cls->as.classdef.prototype;
  mjsDefault* pub = &cls->as.classdef.pub;
  pub->joint = &prototype[mjOBJ_JOINT]->as.joint;
  pub->geom = &prototype[mjOBJ_GEOM]->as.geom;
  pub->site = &prototype[mjOBJ_SITE]->as.site;
  pub->camera = &prototype[mjOBJ_CAMERA]->as.camera;
  pub->light = &prototype[mjOBJ_LIGHT]->as.light;
  pub->flex = &prototype[mjOBJ_FLEX]->as.flex;
  pub->mesh = &prototype[mjOBJ_MESH]->as.mesh;
  pub->texture = &prototype[mjOBJ_TEXTURE]->as.texture;
  pub->material = &prototype[mjOBJ_MATERIAL]->as.material;
  pub->pair = &prototype[mjOBJ_PAIR]->as.pair;
  pub->equality = &prototype[mjOBJ_EQUALITY]->as.equality;
  pub->tendon = &prototype[mjOBJ_TENDON]->as.tendon;
  pub->actuator = &prototype[mjOBJ_ACTUATOR]->as.actuator;
}

// Makes the prototypes of a class, with the values of another class or (NULL) of their types.
static int create_prototypes(SpecObject* cls, const SpecObject* from) {
  for (int i = 0; i < NPROTOTYPE; i++) {
    mjtObj type = prototype_types[i];
    SpecObject* prototype = spec_create(cls->tree, type, from);
    if (!prototype) {
      return 0;
    }
    cls->as.classdef.prototype[type] = prototype;
  }
  attach_prototypes(cls);
  return 1;
}

// Frees an unlinked object without children.
static void free_object(SpecObject* object) {
  mjtObj type = object->element.elemtype;
  if (object->tree->pending) {
    pending_forget(object->tree, object);
  }
  if (type == mjOBJ_DEFAULT) {
    for (int i = 0; i < NPROTOTYPE; i++) {
      SpecObject* prototype = object->as.classdef.prototype[prototype_types[i]];
      if (prototype) {
        free_object(prototype);
      }
    }
  }
  if (type == mjOBJ_UNKNOWN) {
    string_clear(&object->as.wrap.target);
    string_clear(&object->as.wrap.sidesite);
  }
  if (type == mjOBJ_PLUGIN) {
    vector_clear((Vector*)&object->as.plugin.config, VECTOR_STRINGS);
  }
  heap_free(object->stretch);
  int count;
  const SpecHandle* handles = spec_handles(type, &count);
  for (int i = 0; object->vectors && i < count; i++) {
    vector_clear(object->vectors + i, handles[i].kind);
  }
  heap_free(object->vectors);
  string_clear(&object->name);
  uservalue_clear(object);
  if (object->kept) {
    object->next = object->tree->deleted;
    object->tree->deleted = object;
    return;
  }
  heap_free(object);
}

// Copies the public struct and its vectors to an object of the same type, but not name, links and
// class.
static int copy_values(SpecObject* dst, const SpecObject* src) {
  assert(dst->element.elemtype == src->element.elemtype);
  mjtObj type = dst->element.elemtype;
  if (dst == src) {
    return 1;
  }
  int count;
  const SpecHandle* handles = spec_handles(type, &count);
  for (int i = 0; i < count; i++) {
    if (!vector_copy(dst->vectors + i, src->vectors + i, handles[i].kind)) {
      return 0;
    }
  }

  // what a class, wrap or plugin owns besides its handles
  if (type == mjOBJ_DEFAULT) {
    for (int i = 0; i < NPROTOTYPE; i++) {
      mjtObj kind = prototype_types[i];
      if (!copy_values(dst->as.classdef.prototype[kind], src->as.classdef.prototype[kind])) {
        return 0;
      }
    }
    return 1;
  }
  if (type == mjOBJ_UNKNOWN) {
    dst->as.wrap.pub.type = src->as.wrap.pub.type;
    dst->as.wrap.prm = src->as.wrap.prm;
    return string_set(&dst->as.wrap.target, string_text(&src->as.wrap.target)) &&
           string_set(&dst->as.wrap.sidesite, string_text(&src->as.wrap.sidesite));
  }
  if (type == mjOBJ_PLUGIN) {
    dst->as.plugin.pub.active = src->as.plugin.pub.active;
    dst->as.plugin.own = src->as.plugin.own;
    return vector_copy((Vector*)&dst->as.plugin.config, (const Vector*)&src->as.plugin.config,
                       VECTOR_STRINGS);
  }
  dst->as = src->as;
  object_attachhandles(dst);
  return 1;
}

static void swap_bytes(void* a, void* b, size_t count) {
  for (char *p = a, *q = b; count; count--, p++, q++) {
    char c = *p;
    *p = *q;
    *q = c;
  }
}

void object_swap(SpecObject* a, SpecObject* b) {
  int count;
  spec_handles(a->element.elemtype, &count);
  swap_bytes(a->vectors, b->vectors, (size_t)count * sizeof(Vector));
  swap_bytes(&a->as, &b->as, sizeof(a->as));
  swap_bytes(&a->name, &b->name, sizeof(a->name));
  swap_bytes(&a->classname, &b->classname, sizeof(a->classname));
  swap_bytes(&a->place, &b->place, sizeof(a->place));
  object_attachhandles(a);
  object_attachhandles(b);
}

// Adds the empty names to lists that have one name per role. Returns 0 if memory runs out.
static int add_fixed_slots(SpecObject* object) {
  mjStringVec* slots = NULL;
  int count = 0;
  if (object->element.elemtype == mjOBJ_MATERIAL) {
    slots = object->as.material.textures;
    count = mjNTEXROLE;
  } else if (object->element.elemtype == mjOBJ_TEXTURE) {
    slots = object->as.texture.cubefiles;
    count = 6;  // faces of a cube
  }
  for (int i = 0; i < count; i++) {
    if (!strings_append(slots, "")) {
      return 0;
    }
  }
  return 1;
}

SpecObject* spec_create(SpecTree* tree, mjtObj type, const SpecObject* cls) {
  SpecObject* object = heap_zero(1, sizeof(SpecObject));
  if (!object) {
    return spec_nomemory(tree);
  }
  object->element.elemtype = type;
  object->tree = tree;
  object->origin = tree;
  object->id = -1;
  object->classname = "";

  int count;
  spec_handles(type, &count);
  object->vectors = count ? heap_zero((size_t)count, sizeof(Vector)) : NULL;
  if (count && !object->vectors) {
    free_object(object);
    return spec_nomemory(tree);
  }
  set_defaults(object);
  object_attachhandles(object);
  if (!add_fixed_slots(object)) {
    free_object(object);
    return spec_nomemory(tree);
  }

  if (type == mjOBJ_DEFAULT) {
    if (!create_prototypes(object, cls)) {
      free_object(object);
      return NULL;
    }
    return object;
  }

  const SpecObject* prototype = cls && type < mjNOBJECT ? cls->as.classdef.prototype[type] : NULL;
  if (cls) {
    object->classname = spec_intern(tree, spec_name(cls));
  }
  if (!object->classname || (prototype && !copy_values(object, prototype))) {
    free_object(object);
    return spec_nomemory(tree);
  }
  return object;
}

// Inserts an object into a list before `next`, or at its end if next is NULL.
static void insert(SpecObject* object, SpecObject** first, SpecObject** last, SpecObject* next) {
  SpecObject* prev = next ? next->prev : *last;
  object->prev = prev;
  object->next = next;
  *(prev ? &prev->next : first) = object;
  *(next ? &next->prev : last) = object;
}

// Forgets which model was compiled from a tree when an element comes or goes that models have.
static void mark_changed(SpecTree* tree, mjtObj type) {
  if (type != mjOBJ_FRAME && type != mjOBJ_DEFAULT) {
    tree->self.element.signature = 0;
  }
}

void object_register(SpecObject* object) {
  mark_changed(object->tree, object->element.elemtype);
  object->registered = 1;
  object->tree->count[object_slot(object->element.elemtype)]++;
  index_add(object->tree, object);
}

void object_unregister(SpecObject* object) {
  mark_changed(object->tree, object->element.elemtype);
  index_remove(object->tree, object);
  object->tree->count[object_slot(object->element.elemtype)]--;
  object->registered = 0;
}

static void link_at(SpecObject* object, SpecObject* parent, SpecObject* frame, SpecObject* next) {
  assert(!object->linked);
  SpecTree* tree = object->tree;
  object->parent = parent;
  object->frame = frame;
  object->linked = 1;
  if (parent) {
    insert(object, &parent->first, &parent->last, next);
  } else {
    SpecList* list = &tree->lists[object_slot(object->element.elemtype)];
    insert(object, &list->first, &list->last, next);
  }

  // below a registered parent the whole subtree becomes registered
  if (!parent || parent->registered) {
    for (SpecObject* it = object; it; it = object_walk(it, object)) {
      object_register(it);
    }
  }
}

void spec_link(SpecObject* object, SpecObject* parent, SpecObject* frame) {
  link_at(object, parent, frame, NULL);
}

void spec_linkbefore(SpecObject* object, SpecObject* sibling) {
  link_at(object, sibling->parent, sibling->frame, sibling);
}

void spec_unlink(SpecObject* object) {
  if (!object->linked) {
    return;
  }
  SpecTree* tree = object->tree;
  if (object->registered) {
    for (SpecObject* it = object; it; it = object_walk(it, object)) {
      object_unregister(it);
    }
  }
  SpecObject* parent = object->parent;
  SpecList* list = &tree->lists[object_slot(object->element.elemtype)];
  *(object->prev ? &object->prev->next : parent ? &parent->first : &list->first) = object->next;
  *(object->next ? &object->next->prev : parent ? &parent->last : &list->last) = object->prev;
  object->prev = object->next = NULL;
  object->parent = object->frame = NULL;
  object->linked = 0;
}

SpecObject* spec_add(SpecTree* tree, mjtObj type, SpecObject* parent, const SpecObject* cls) {
  const SpecObject* used = cls;
  int has_class = type == mjOBJ_BODY || (type < mjNOBJECT && type != mjOBJ_UNKNOWN &&
                                         tree->main_class->as.classdef.prototype[type]);
  if (!has_class) {
    used = NULL;
  } else if (!cls && type != mjOBJ_FLEX) {
    used = parent ? spec_bodyclass(parent) : tree->main_class;
  }
  SpecObject* object = spec_create(tree, type, used);
  if (!object) {
    return NULL;
  }

  // a new body inherits the childclass
  if (type == mjOBJ_BODY) {
    const char* childclass = cls ? spec_name(cls) : string_text(parent->as.body.childclass);
    if (!string_set(object->as.body.childclass, childclass)) {
      free_object(object);
      return spec_nomemory(tree);
    }
  }
  spec_link(object, parent, NULL);

  // elements outside the body tree get their final id at once, the others when compiled
  if (!parent) {
    object->id = spec_count(tree, type) - 1;
  } else if (spec_intree(type)) {
    tree->added = 1;
  }
  return object;
}

void spec_destroy(SpecObject* object) {
  if (!object) {
    return;
  }
  spec_unlink(object);

  // leaves first: go down to a leaf, free it, go on with its sibling or parent
  SpecObject* it = object;
  for (;;) {
    while (it->first) {
      it = it->first;
    }
    SpecObject* parent = it->parent;
    SpecObject* next = it->next;
    int done = it == object;
    if (!done && parent) {
      parent->first = next;
    }
    free_object(it);
    if (done) {
      return;
    }
    it = parent;
  }
}

// Copies one object without its children and links.
static SpecObject* clone_one(SpecObject* object, SpecTree* tree) {
  SpecObject* copy = object->copy = spec_create(tree, object->element.elemtype, NULL);
  copy->origin = object->origin == object->tree ? tree : object->origin;
  copy->place = object->place;
  copy->frozen = object->frozen;
  copy->classname = spec_intern(tree, object->classname);
  if (object->place.file) {
    copy->place.file = spec_intern(tree, object->place.file);
  }
  string_set(&copy->name, spec_name(object));
  copy_values(copy, object);
  return copy;
}

SpecObject* spec_clone(SpecObject* object, SpecTree* tree) {
  SpecObject* root = clone_one(object, tree);
  for (SpecObject* it = object_walk(object, object); it; it = object_walk(it, object)) {
    spec_link(clone_one(it, tree), it->parent->copy, NULL);
  }

  // a frame may come after its content, so frames are set when all objects have been copied
  for (SpecObject* it = object_walk(object, object); it; it = object_walk(it, object)) {
    it->copy->frame = it->frame ? it->frame->copy : NULL;
  }

  // in another tree elements use the copies of plugin instances
  if (tree != object->tree) {
    for (SpecObject* it = root; it; it = object_walk(it, root)) {
      mjsPlugin* plugin = spec_pluginof(it);
      if (plugin && plugin->element) {
        SpecObject* instance = spec_object(plugin->element)->copy;
        plugin->element = instance ? &instance->element : NULL;
      }
    }
  }
  return root;
}
