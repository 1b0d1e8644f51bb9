// mjs_delete: taking elements out of a model.                              theory/model.md, Editing

#include <mujoco/api/spec.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "spec/key.h"
#include "spec/object.h"
#include "spec/reference.h"
#include "spec/spec.h"

// elements that go when what they refer to goes; tendons first, since actuators may pull on them
static const mjtObj dependent[] = {
    mjOBJ_PAIR, mjOBJ_EXCLUDE, mjOBJ_TENDON, mjOBJ_EQUALITY, mjOBJ_ACTUATOR, mjOBJ_SENSOR,
};
enum {
  NDEPENDENT = sizeof(dependent) / sizeof(dependent[0])
};

// Marks the dependent elements that resolve now: their scratch pointer `copy` points at themselves.
static void mark_resolved(SpecTree* tree) {
  for (int i = 0; i < NDEPENDENT; i++) {
    for (SPEC_EACH(it, tree, dependent[i])) {
      it->copy = reference_resolves(it) ? it : NULL;
    }
  }
}

// Unlinks the marked elements that no longer resolve into a list through `copy`; returns its head.
static SpecObject* unlink_broken(SpecTree* tree) {
  SpecObject* broken = NULL;
  for (int i = 0; i < NDEPENDENT; i++) {
    SpecObject* next;
    for (SpecObject* it = spec_first(tree, dependent[i]); it; it = next) {
      next = spec_next(it);
      int was_good = it->copy == it;
      it->copy = NULL;
      if (was_good && !reference_resolves(it)) {
        spec_unlink(it);
        it->copy = broken;
        broken = it;
      }
    }
  }
  return broken;
}

static int plugin_used(const SpecObject* from, const SpecObject* root, const SpecObject* plugin) {
  for (const SpecObject* it = from; it; it = root ? object_walk(it, root) : it->next) {
    mjsPlugin* use = spec_pluginof((SpecObject*)it);
    if (use && use->element == &plugin->element) {
      return 1;
    }
  }
  return 0;
}

// Removes plugin instances that only the removed part used.
static void delete_unused_plugins(SpecTree* tree, SpecObject* removed, SpecObject* broken) {
  SpecObject* next;
  for (SpecObject* it = spec_first(tree, mjOBJ_PLUGIN); it; it = next) {
    next = spec_next(it);
    int was_used = plugin_used(removed, removed, it);
    for (SpecObject* part = broken; part && !was_used; part = part->copy) {
      mjsPlugin* use = spec_pluginof(part);
      was_used = use && use->element == &it->element;
    }
    int still_used = plugin_used(tree->world, tree->world, it) ||
                     plugin_used(spec_first(tree, mjOBJ_MESH), NULL, it) ||
                     plugin_used(spec_first(tree, mjOBJ_ACTUATOR), NULL, it) ||
                     plugin_used(spec_first(tree, mjOBJ_SENSOR), NULL, it);
    if (was_used && !still_used) {
      spec_destroy(it);
    }
  }
}

static int delete_body(SpecObject* body) {
  SpecTree* tree = body->tree;
  KeyLayout layout;
  if (!key_layout(&layout, tree)) {
    return 0;
  }
  tree_clearcopies(tree);
  mark_resolved(tree);
  spec_unlink(body);
  SpecObject* broken = unlink_broken(tree);
  key_shrink(tree, &layout);
  key_close(tree);
  heap_free(layout.slot);

  delete_unused_plugins(tree, body, broken);
  while (broken) {
    SpecObject* next = broken->copy;
    spec_destroy(broken);
    broken = next;
  }
  spec_destroy(body);
  return 1;
}

// What is inside a frame moves to the frame around it.
static void delete_frame(SpecObject* frame) {
  for (SPEC_EACH_ANY(it, frame->parent)) {
    if (it->frame == frame) {
      it->frame = frame->frame;
    }
  }
  spec_destroy(frame);
}

// Elements must not point to a plugin instance that is gone.
static void forget_plugin_in(SpecObject* from, const SpecObject* root, const SpecObject* plugin) {
  for (SpecObject* it = from; it; it = root ? object_walk(it, root) : it->next) {
    mjsPlugin* use = spec_pluginof(it);
    if (use && use->element == &plugin->element) {
      use->element = NULL;
    }
  }
}

static void delete_plugin(SpecObject* plugin) {
  SpecTree* tree = plugin->tree;
  forget_plugin_in(tree->world, tree->world, plugin);
  forget_plugin_in(spec_first(tree, mjOBJ_MESH), NULL, plugin);
  forget_plugin_in(spec_first(tree, mjOBJ_ACTUATOR), NULL, plugin);
  forget_plugin_in(spec_first(tree, mjOBJ_SENSOR), NULL, plugin);
  spec_destroy(plugin);
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
      delete_plugin(object);
      break;
    default:
      spec_destroy(object);
      break;
  }
  return 0;
}
