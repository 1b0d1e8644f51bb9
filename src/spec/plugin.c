// plugin.c: the active plugins of a spec, their instances and configurations.
//                                                    theory/plugins/plugins.md, Instances in a spec

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/spec.h>

#include "base/memory/check.h"
#include "spec/spec.h"

// active plugins

int spec_activate(SpecTree* tree, int slot) {
  if (spec_isactive(tree, slot)) {
    return 1;
  }
  int* last = ints_push(&tree->active, 1);
  if (last) {
    *last = slot;
  }
  return last != NULL;
}

int spec_isactive(const SpecTree* tree, int slot) {
  for (size_t i = 0; i < tree->active.num; i++) {
    if (tree->active.ptr[i] == slot) {
      return 1;
    }
  }
  return 0;
}

int mjs_activatePlugin(mjSpec* s, const char* name) {
  check_given(s);
  SpecTree* tree = spec_tree(s);
  int slot = -1;
  if (!name || !mjp_getPlugin(name, &slot)) {
    return -1;
  }
  if (!spec_activate(tree, slot)) {
    spec_nomemory(tree);
    return -1;
  }
  return 0;
}

// instances that elements use

SpecObject* spec_instance(const SpecObject* user) {
  const mjsPlugin* use = spec_pluginof((SpecObject*)user);
  if (!use) {
    return NULL;
  }
  SpecObject* named = spec_find(user->tree, mjOBJ_PLUGIN, string_text(use->name));
  return named || !use->element ? named : spec_object(use->element);
}

int spec_isused(const SpecObject* instance) {
  for (int i = 0; i < SPEC_NUSER; i++) {
    for (SPEC_EACH(it, instance->tree, spec_users[i])) {
      if (spec_instance(it) == instance) {
        return 1;
      }
    }
  }
  return 0;
}

// configurations: key, value, key, value, ...

// The instance of a plugin struct, which holds the configuration; NULL if there is none.
static SpecObject* holder(const mjsPlugin* plugin) {
  return plugin->element ? spec_object(plugin->element) : NULL;
}

const void* mjs_getPluginAttributes(const mjsPlugin* plugin) {
  check_given(plugin);
  const SpecObject* object = holder(plugin);
  return object ? &object->as.plugin.config : NULL;
}

void mjs_setPluginAttributes(mjsPlugin* plugin, void* attributes) {
  check_given(plugin);
  static const mjStringVec none = {NULL, 0, 0};
  const mjStringVec* config = attributes ? attributes : &none;
  SpecObject* object = holder(plugin);
  if (!object) {
    mju_error("mjs_setPluginAttributes: the plugin has no instance: see mjs_addPlugin");
    return;
  }
  if (config->num % 2) {
    mju_error("mjs_setPluginAttributes: %zu texts are no list of keys and values", config->num);
    return;
  }
  if (config == &object->as.plugin.config) {
    return;
  }
  if (!vector_copy((Vector*)&object->as.plugin.config, (const Vector*)config, VECTOR_STRINGS)) {
    spec_nomemory(object->tree);
    mju_warning("mjs_setPluginAttributes: out of memory");
  }
}
