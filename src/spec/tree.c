// tree.c: making and freeing the editable model as a whole, and its default classes.

#include <condyle/behaviour.h>
#include <mujoco/api/model.h>
#include <mujoco/api/spec.h>

#include "base/memory/memory.h"
#include "model/behaviour.h"
#include "spec/index.h"
#include "spec/message.h"
#include "spec/object.h"
#include "spec/pending.h"
#include "spec/tree.h"
#include "spec/uservalue.h"
#include "spec/visit.h"

enum {
  NVECTOR = sizeof(((SpecTree*)0)->vectors) / sizeof(Vector)
};

SpecTree* tree_bare(void) {
  SpecTree* tree = heap_zero(1, sizeof(SpecTree));
  if (!tree) {
    return NULL;
  }
  tree->references = 1;
  if (!message_reserve(tree)) {
    heap_free(tree);
    return NULL;
  }
  mjs_defaultSpec(&tree->spec);
  cnd_setDialect(&tree->spec, dialect_default());
  tree->self.element.elemtype = mjOBJ_MODEL;
  tree->self.tree = tree->self.origin = tree;
  tree->self.classname = "";
  tree->self.id = -1;
  tree->self.vectors = tree->vectors;
  object_attachhandles(&tree->self);
  return tree;
}

SpecObject* tree_makeworld(SpecTree* tree) {
  SpecObject* world = spec_create(tree, mjOBJ_BODY, NULL);
  if (!world || !string_set(&world->name, "world") ||
      !string_set(world->as.body.childclass, "main")) {
    spec_destroy(world);
    return NULL;
  }
  world->classname = "main";
  world->id = 0;
  return world;
}

SpecTree* spec_make(void) {
  SpecTree* tree = tree_bare();
  if (!tree) {
    return NULL;
  }
  tree->main_class = spec_create(tree, mjOBJ_DEFAULT, NULL);
  tree->world = tree_makeworld(tree);
  if (!tree->main_class || !tree->world || !string_set(&tree->main_class->name, "main") ||
      !string_set(tree->spec.modelname, "MuJoCo Model")) {
    spec_release(tree);
    return NULL;
  }
  object_register(tree->main_class);
  object_register(tree->world);
  spec_setrules(tree, tree->spec.option.behaviour);
  return tree;
}

void spec_setrules(SpecTree* tree, int behaviour) {
  mjsTendon* tendon = &tree->main_class->as.classdef.prototype[mjOBJ_TENDON]->as.tendon;
  int later = behaviour >> cndBEHAVIOUR_compile & 1;
  tendon->actfrclimited = later ? mjLIMITED_AUTO : mjLIMITED_FALSE;
}

int spec_hold(SpecTree* tree, SpecTree* child) {
  for (int i = 0; i < tree->nchild; i++) {
    if (tree->children[i] == child) {
      return 1;
    }
  }
  size_t count = (size_t)tree->nchild + 1;
  SpecTree** children = heap_resize(tree->children, count * sizeof(SpecTree*));
  if (!children) {
    return 0;
  }
  children[tree->nchild++] = child;
  tree->children = children;
  child->references++;
  return 1;
}

void tree_unhold(SpecTree* tree, int nchild) {
  while (tree->nchild > nchild) {
    spec_release(tree->children[--tree->nchild]);
  }
}

// Makes a list, linked by `walk`, of a spec and all specs that it references, directly or not. The
// `gathered` marks keep a spec from being listed twice, since attached specs can reference each
// other in a cycle. The caller clears the marks with clear_marks.
static void gather(SpecTree* tree) {
  tree->gathered = 1;
  tree->walk = NULL;
  for (SpecTree* it = tree; it; it = it->walk) {
    for (int i = it->nchild; i-- > 0;) {
      SpecTree* child = it->children[i];
      if (!child->gathered) {
        child->gathered = 1;
        child->walk = it->walk;
        it->walk = child;
      }
    }
  }
}

static void clear_marks(SpecTree* tree) {
  for (; tree; tree = tree->walk) {
    tree->gathered = 0;
  }
}

static void free_tree(SpecTree* tree) {
  pending_forget(tree, NULL);
  for (int i = 0; i < SPEC_NSLOT; i++) {
    while (tree->lists[i].first) {
      spec_destroy(tree->lists[i].first);
    }
  }
  spec_destroy(tree->world);
  spec_destroy(tree->main_class);
  while (tree->deleted) {
    SpecObject* next = tree->deleted->next;
    heap_free(tree->deleted);
    tree->deleted = next;
  }
  heap_free(tree->children);
  heap_free(tree->unattached);
  vector_clear((Vector*)&tree->active, VECTOR_INTS);
  for (int i = 0; i < NVECTOR; i++) {
    vector_clear(tree->vectors + i, VECTOR_STRING);
  }
  string_clear(&tree->self.name);
  uservalue_clear(&tree->self);
  string_clear(&tree->error);
  vector_clear((Vector*)&tree->conflicts, VECTOR_STRINGS);
  mj_deleteModel(tree->values);
  spec_release(tree->scaled);
  cnd_deleteDiagnostics(tree->diagnostics);
  index_free(tree);
  heap_free(tree);
}

// Marks all specs that can be reached from held specs as held.
static void spread_held(SpecTree* tree) {
  for (int changed = 1; changed;) {
    changed = 0;
    for (SpecTree* it = tree; it; it = it->walk) {
      for (int i = 0; it->held && i < it->nchild; i++) {
        changed |= !it->children[i]->held;
        it->children[i]->held = 1;
      }
    }
  }
}

// Drops one reference to a spec and frees all specs that nothing references any more. Counting
// alone would never free specs that are attached to each other in a cycle. Of the specs that can be
// reached from `tree`, a spec is held if it has references from outside of them, or from a held
// spec. The others are freed.
void spec_release(SpecTree* tree) {
  if (!tree) {
    return;
  }
  tree->references--;
  gather(tree);
  for (SpecTree* it = tree; it; it = it->walk) {
    it->held = it->references;
  }
  for (SpecTree* it = tree; it; it = it->walk) {
    for (int i = 0; i < it->nchild; i++) {
      it->children[i]->held--;
    }
  }
  spread_held(tree);
  for (SpecTree* it = tree; it; it = it->walk) {
    for (int i = 0; !it->held && i < it->nchild; i++) {
      it->children[i]->references--;
    }
  }
  clear_marks(tree);
  for (SpecTree *it = tree, *next; it; it = next) {
    next = it->walk;
    if (!it->held) {
      free_tree(it);
    }
  }
}

void tree_clearcopies(SpecTree* tree) {
  for (SpecObject* it = tree->world; it; it = object_walk(it, tree->world)) {
    it->copy = NULL;
  }
  for (int slot = 0; slot < SPEC_NSLOT; slot++) {
    for (SpecObject* it = tree->lists[slot].first; it; it = it->next) {
      it->copy = NULL;
    }
  }
}

SpecObject* spec_addclass(SpecTree* tree, const char* name, const SpecObject* parent) {
  if (!name || !name[0] || spec_class(tree, name)) {
    return NULL;
  }
  SpecObject* above = parent ? (SpecObject*)parent : tree->main_class;
  SpecObject* cls = spec_create(tree, mjOBJ_DEFAULT, above);
  const char* interned = spec_intern(tree, name);
  if (!cls || !interned || !string_set(&cls->name, name)) {
    spec_destroy(cls);
    return spec_nomemory(tree);
  }
  for (int type = 0; type < mjNOBJECT; type++) {
    if (cls->as.classdef.prototype[type]) {
      cls->as.classdef.prototype[type]->classname = interned;
    }
  }
  spec_link(cls, above, NULL);
  return cls;
}

void spec_addunattached(SpecTree* tree, const char* name, SourcePlace place) {
  size_t count = (size_t)tree->nunattached + 1;
  SpecUnattached* list = heap_resize(tree->unattached, count * sizeof(SpecUnattached));
  if (list) {
    tree->unattached = list;
    place.file = spec_intern(tree, place.file ? place.file : "");
    list[tree->nunattached] = (SpecUnattached){spec_intern(tree, name), place};
    tree->nunattached += place.file && list[tree->nunattached].name;
  }
}
