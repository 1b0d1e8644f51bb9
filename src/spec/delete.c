// delete.c: mjs_delete, which removes elements from a model.         theory/model/model.md, Editing

#include <mujoco/api/spec.h>

#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "spec/key.h"
#include "spec/reference.h"
#include "spec/spec.h"
#include "spec/tree.h"

// Elements that are deleted with an element that they refer to. Tendons come before the actuators
// that may pull on them.
static const mjtObj dependent[] = {
    mjOBJ_PAIR, mjOBJ_EXCLUDE, mjOBJ_TENDON, mjOBJ_EQUALITY, mjOBJ_ACTUATOR, mjOBJ_SENSOR,
};
enum {
  NDEPENDENT = sizeof(dependent) / sizeof(dependent[0])
};

// Clears all references to a plugin instance before it is deleted.
static void forget_instance(const SpecObject* instance) {
  for (int i = 0; i < SPEC_NUSER; i++) {
    for (SPEC_EACH(it, instance->tree, spec_users[i])) {
      mjsPlugin* use = spec_pluginof(it);
      if (use->element == &instance->element) {
        use->element = NULL;
      }
    }
  }
}

// Deletes an element, and its plugin instance if that was made for this element (not given by
// name).
static void delete_user(SpecObject* object) {
  const mjsPlugin* use = spec_pluginof(object);
  SpecObject* instance = spec_instance(object);
  int made = instance && (instance->as.plugin.own || string_empty(use->name));
  spec_destroy(object);
  if (made && !spec_isused(instance)) {
    spec_destroy(instance);
  }
}

// Marks the dependent elements whose references exist and the plugin instances in use, by pointing
// their scratch pointer `copy` to themselves.
static void mark_good(SpecTree* tree) {
  tree_clearcopies(tree);
  for (int i = 0; i < NDEPENDENT; i++) {
    for (SPEC_EACH(it, tree, dependent[i])) {
      it->copy = reference_resolves(it) ? it : NULL;
    }
  }
  for (SPEC_EACH(it, tree, mjOBJ_PLUGIN)) {
    it->copy = spec_isused(it) ? it : NULL;
  }
}

// Unlinks the marked elements whose references no longer exist, plugin instances last. Returns them
// as a list linked by `copy`.
static SpecObject* unlink_broken(SpecTree* tree) {
  SpecObject *broken = NULL, *next;
  for (int i = 0; i <= NDEPENDENT; i++) {
    int plugins = i == NDEPENDENT;
    for (SpecObject* it = spec_first(tree, plugins ? mjOBJ_PLUGIN : dependent[i]); it; it = next) {
      next = spec_next(it);
      if (it->copy == it && !(plugins ? spec_isused(it) : reference_resolves(it))) {
        spec_unlink(it);
        it->copy = broken;
        broken = it;
      }
    }
  }
  return broken;
}

static int delete_body(SpecObject* body) {
  SpecTree* tree = body->tree;
  KeyLayout layout;
  if (!key_layout(&layout, tree)) {
    return 0;
  }
  mark_good(tree);
  spec_unlink(body);
  SpecObject* broken = unlink_broken(tree);
  key_shrink(tree, &layout);
  key_close(tree);
  heap_free(layout.slot);
  while (broken) {
    SpecObject* next = broken->copy;
    spec_destroy(broken);
    broken = next;
  }
  spec_destroy(body);
  tree_clearcopies(tree);
  return 1;
}

// Deletes a frame. Its content moves to the frame that encloses it.
static void delete_frame(SpecObject* frame) {
  for (SPEC_EACH_ANY(it, frame->parent)) {
    if (it->frame == frame) {
      it->frame = frame->frame;
    }
  }
  spec_destroy(frame);
}

int mjs_delete(mjSpec* spec, mjsElement* element) {
  check_given(spec);
  SpecTree* tree = spec_tree(spec);
  SpecObject* object = spec_object(element);
  if (!element) {
    spec_error(tree, "Element is null.");
    return -1;
  }
  if (object->tree != tree) {
    spec_error(tree, "element is not in this model");
    return -1;
  }
  if (object == tree->main_class) {
    spec_error(tree, "cannot remove the global default ('main')");
    return -1;
  }
  if (object == tree->world || !object->linked) {
    spec_error(tree, "cannot remove %s '%s'", spec_typename(element->elemtype), spec_name(object));
    return -1;
  }
  switch (element->elemtype) {
    case mjOBJ_BODY:
      if (!delete_body(object)) {
        spec_error(tree, "out of memory");
        return -1;
      }
      break;
    case mjOBJ_FRAME:
      delete_frame(object);
      break;
    case mjOBJ_PLUGIN:
      forget_instance(object);
      spec_destroy(object);
      break;
    default:
      delete_user(object);
      break;
  }
  tree->added = 0;
  tree->moved = 1;
  return 0;
}
