// copy.c: mj_copySpec, a deep copy of an editable model.         theory/model/model.md, Recompiling

#include <mujoco/api/base.h>
#include <mujoco/api/spec.h>

#include "base/memory/check.h"
#include "base/memory/error.h"
#include "spec/key.h"
#include "spec/object.h"
#include "spec/reference.h"
#include "spec/spec.h"
#include "spec/tree.h"
#include "spec/visit.h"

// The copied lists. Plugins come before the elements that use them.
static const mjtObj listed[] = {
    mjOBJ_PLUGIN,  mjOBJ_MESH,   mjOBJ_SKIN,    mjOBJ_HFIELD,   mjOBJ_TEXTURE, mjOBJ_MATERIAL,
    mjOBJ_FLEX,    mjOBJ_PAIR,   mjOBJ_EXCLUDE, mjOBJ_EQUALITY, mjOBJ_TENDON,  mjOBJ_ACTUATOR,
    mjOBJ_NUMERIC, mjOBJ_SENSOR, mjOBJ_TEXT,    mjOBJ_TUPLE,    mjOBJ_KEY,
};

// Elements that are left out if a reference of theirs doesn't exist. An element comes after the
// types that it refers to.
static const mjtObj referring[] = {
    mjOBJ_SKIN,     mjOBJ_FLEX,     mjOBJ_PAIR,   mjOBJ_EXCLUDE, mjOBJ_TENDON,
    mjOBJ_EQUALITY, mjOBJ_ACTUATOR, mjOBJ_SENSOR, mjOBJ_TUPLE,
};

#define LENGTH(array) (int)(sizeof(array) / sizeof((array)[0]))

static void register_all(SpecObject* root) {
  for (SpecObject* it = root; it; it = object_walk(it, root)) {
    object_register(it);
  }
}

static void copy_settings(SpecTree* tree, const SpecTree* from) {
  tree->spec = from->spec;
  object_attachhandles(&tree->self);
  int count;
  const SpecHandle* handles = spec_handles(mjOBJ_MODEL, &count);
  for (int i = 0; i < count; i++) {
    vector_copy(tree->vectors + i, from->vectors + i, handles[i].kind);
  }
  vector_copy((Vector*)&tree->active, (const Vector*)&from->active, VECTOR_INTS);
  tree->names_exposed = from->names_exposed;
  tree->deepcopy = from->deepcopy;
  tree->attached = from->attached;
  tree->lenient = from->lenient;
  tree->beyond = from->beyond;
  tree->stores = from->stores;
  tree->ruled = from->ruled;
  if (from->ruled.file) {
    tree->ruled.file = spec_intern(tree, from->ruled.file);
  }
  for (int i = 0; i < from->nchild; i++) {
    spec_hold(tree, from->children[i]);
  }
  string_set(&tree->self.name, spec_name(&from->self));
}

static void copy_elements(SpecTree* tree, const SpecTree* from) {
  tree->main_class = spec_clone(from->main_class, tree);
  register_all(tree->main_class);
  for (int i = 0; i < LENGTH(listed); i++) {
    for (SPEC_EACH(it, from, listed[i])) {
      spec_link(spec_clone(it, tree), NULL, NULL);
    }
  }
  tree->world = spec_clone(from->world, tree);
  tree->world->id = 0;
  register_all(tree->world);
  key_copypending(tree, from);
}

// A copy stands for the same element of the compiled model as its original: id and signature are
// equal.
static void copy_place(const SpecObject* object) {
  object->copy->id = object->id;
  object->copy->element.signature = object->element.signature;
}

static void copy_places(SpecTree* tree, SpecTree* from) {
  for (SpecObject* it = from->world; it; it = object_walk(it, from->world)) {
    copy_place(it);
  }
  for (int i = 0; i < LENGTH(listed); i++) {
    for (SPEC_EACH(it, from, listed[i])) {
      copy_place(it);
    }
  }
  tree->self.element.signature = from->self.element.signature;
  tree->added = from->added;
  tree->moved = from->moved;
}

static void drop_unresolved(SpecTree* tree) {
  for (int i = 0; i < LENGTH(referring); i++) {
    SpecObject* next;
    for (SpecObject* it = spec_first(tree, referring[i]); it; it = next) {
      next = spec_next(it);
      if (!reference_resolves(it)) {
        spec_destroy(it);
      }
    }
  }
  for (int i = 0; i < LENGTH(listed); i++) {
    int id = 0;
    for (SPEC_EACH(it, tree, listed[i])) {
      if (it->id != id) {
        it->element.signature = 0;
      }
      it->id = id++;
    }
  }
}

typedef struct Copying_ {
  SpecTree* from;
  int whole;       // 1 if elements with unresolved references are copied, too
  SpecTree* tree;  // the copy, NULL before it is made
} Copying;

static void copy_all(void* argument) {
  Copying* copying = argument;
  copying->tree = tree_bare();
  copy_settings(copying->tree, copying->from);
  copy_elements(copying->tree, copying->from);
  copy_places(copying->tree, copying->from);
  if (!copying->whole) {
    drop_unresolved(copying->tree);
  }
}

// The copy, NULL if memory runs out.
static SpecTree* copy_tree(Copying* copying) {
  Heap held;
  tree_clearcopies(copying->from);
  int failed = error_catchheld(&held, NULL, 0, copy_all, copying);
  tree_clearcopies(copying->from);
  if (failed) {
    spec_release(copying->tree);
    heap_drop(&held);
    return NULL;
  }
  return copying->tree;
}

// Both trees have the same elements in the same order.
SpecTree* spec_copy(SpecTree* tree) {
  Copying copying = {.from = tree, .whole = 1};
  SpecTree* copy = copy_tree(&copying);
  for (int type = mjOBJ_BODY; copy && type <= mjNOBJECT; type++) {
    mjtObj kind = type == mjNOBJECT ? mjOBJ_FRAME : (mjtObj)type;
    if (kind == mjOBJ_XBODY || kind == mjOBJ_DOF) {
      continue;
    }
    SpecObject* original = spec_first(tree, kind);
    for (SPEC_EACH(it, copy, kind)) {
      it->copy = original;
      original = spec_next(original);
    }
  }
  return copy;
}

void spec_settle(SpecTree* copy) {
  tree_unhold(copy, 0);
}

mjSpec* mj_copySpec(const mjSpec* s) {
  check_given(s);
  Copying copying = {.from = spec_tree(s)};
  SpecTree* copy = copy_tree(&copying);
  if (!copy) {
    mju_warning("mj_copySpec: out of memory");
    return NULL;
  }
  return &copy->spec;
}
