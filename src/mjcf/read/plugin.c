// plugin.c: reads the plugins in <extension>, their instances, and elements that use them.
//                                                      theory/plugins/plugins.md, Plugins in a file

#include "mjcf/read/plugin.h"

#include <mujoco/api/model.h>
#include <mujoco/api/spec.h>
#include <stdio.h>

#include "base/text/text.h"
#include "mjcf/read/context.h"
#include "model/plugin.h"

enum {
  MAX_CANDIDATES = 300  // largest number of names that are compared for a hint
};

// The hint for a wrong name, NULL if no name is near.
static const char* hint_nearest(char hint[HINT_BYTES], const char* name, const char* const* names,
                                int count) {
  return diagnostic_hint(hint, diagnostic_nearest(name, names, count));
}

// Names of all known plugins or, if tree is given, of those that are active there.
static int plugin_names(const char* names[MAX_CANDIDATES], const SpecTree* tree) {
  int count = 0;
  const char* name;
  for (int slot = 0; (name = plugin_known(slot)) && count < MAX_CANDIDATES; slot++) {
    if (!tree || spec_isactive(tree, slot)) {
      names[count++] = name;
    }
  }
  return count;
}

// Reads the <config> children of a node as the configuration of an instance.
static void read_config(const Reader* reader, const Node* node, SpecObject* instance,
                        const mjpPlugin* plugin) {
  mjStringVec* config = &instance->as.plugin.config;
  for (const Node* child = node->first; child; child = child->next) {
    if (!read_is(child, "config")) {
      continue;
    }
    values_read(reader, child, NULL);
    const char *key = values_text(child, "key"), *value = values_text(child, "value");
    if (!key || !value) {
      continue;
    }
    int repeated = 0, declared = 0;
    for (size_t i = 0; i < config->num; i += 2) {
      repeated |= text_equal(key, string_text(&config->ptr[i]));
    }
    for (int i = 0; i < plugin->nattribute; i++) {
      declared |= text_equal(key, plugin->attributes[i]);
    }
    char hint[HINT_BYTES];
    if (repeated) {
      values_error(reader, child, "key", NULL, "duplicate config key: %s", key);
    } else if (!declared) {
      values_error(reader, child, "key",
                   hint_nearest(hint, key, plugin->attributes, plugin->nattribute),
                   "unrecognized attribute 'plugin:%s' for plugin '%s'", key, plugin->name);
    } else {
      mjs_appendString(config, key);
      mjs_appendString(config, value);
    }
  }
}

// A new instance of a plugin, configured by the children of a node.
static SpecObject* add_instance(const Reader* reader, const Node* node, const mjpPlugin* plugin) {
  SpecObject* instance = spec_add(spec_tree(reader->spec), mjOBJ_PLUGIN, NULL, NULL);
  mjsPlugin* pub = &instance->as.plugin.pub;
  read_place(reader, node, &instance->element);
  mjs_setString(pub->plugin_name, plugin->name);
  pub->active = 1;
  read_config(reader, node, instance, plugin);
  return instance;
}

void read_extension(const Reader* reader, const Node* node) {
  values_read(reader, node, NULL);
  const char* name = values_text(node, "plugin");
  int slot;
  const mjpPlugin* plugin = mjp_getPlugin(name, &slot);
  if (name && !plugin) {
    const char* names[MAX_CANDIDATES];
    char hint[HINT_BYTES];
    const char* nearest = hint_nearest(hint, name, names, plugin_names(names, NULL));
    values_error(reader, node, "plugin",
                 nearest ? nearest : "load its library before the model (mj_loadPluginLibrary)",
                 "plugin %s not found", name);
  }
  if (!plugin) {
    return;
  }
  spec_activate(spec_tree(reader->spec), slot);
  for (const Node* child = node->first; child; child = child->next) {
    if (read_is(child, "instance")) {
      values_read(reader, child, NULL);
      SpecObject* instance = add_instance(reader, child, plugin);
      if (values_text(child, "name")) {
        mjs_setName(&instance->element, values_text(child, "name"));
      }
    }
  }
}

// Finds an instance by name. Reports an error if there is none.
static SpecObject* find_instance(const Reader* reader, const Node* node, const char* name) {
  const SpecTree* tree = spec_tree(reader->spec);
  SpecObject* instance = spec_find(tree, mjOBJ_PLUGIN, name);
  if (instance) {
    return instance;
  }
  const char* names[MAX_CANDIDATES];
  int count = 0;
  for (SPEC_EACH(it, tree, mjOBJ_PLUGIN)) {
    if (count < MAX_CANDIDATES && spec_name(it)[0]) {
      names[count++] = spec_name(it);
    }
  }
  char hint[HINT_BYTES];
  const char* nearest = hint_nearest(hint, name, names, count);
  values_error(reader, node, "instance", nearest ? nearest : "declare it in <extension>",
               "unrecognized name '%s' for plugin instance", name);
  return NULL;
}

// Finds an active plugin by name, with regard to case. Reports an error if there is none.
static const mjpPlugin* find_plugin(const Reader* reader, const Node* node, const char* name) {
  const SpecTree* tree = spec_tree(reader->spec);
  int slot;
  const mjpPlugin* plugin = mjp_getPlugin(name, &slot);
  if (plugin && text_equal(plugin->name, name) && spec_isactive(tree, slot)) {
    return plugin;
  }
  const char* names[MAX_CANDIDATES];
  char hint[HINT_BYTES];
  const char* nearest = hint_nearest(hint, name, names, plugin_names(names, tree));
  values_error(reader, node, "plugin", nearest ? nearest : "declare it in <extension>",
               "unrecognized plugin '%s'", name);
  return NULL;
}

void read_use(const Reader* reader, const Node* node, const mjsElement* user, mjsPlugin* use) {
  const char *name = values_text(node, "plugin"), *instance = values_text(node, "instance");
  SpecObject* used = NULL;
  if (use->active) {
    values_error(reader, node, NULL, NULL, "a %s can use one plugin only",
                 spec_typename(user->elemtype));
    return;
  }
  if (instance) {
    used = find_instance(reader, node, instance);
    if (used && name && !text_equal(name, string_text(used->as.plugin.pub.plugin_name))) {
      values_error(reader, node, "plugin", NULL, "instance '%s' is of plugin '%s', not '%s'",
                   instance, string_text(used->as.plugin.pub.plugin_name), name);
    }
    if (used && node_child(node, "config")) {
      node_report(node_child(node, "config"), NULL, reader->problems, cndSEVERITY_WARNING,
                  "configure the instance in <extension>",
                  "config has no effect for an instance by name");
    }
  } else if (name) {
    const mjpPlugin* plugin = find_plugin(reader, node, name);
    used = plugin ? add_instance(reader, node, plugin) : NULL;
    if (used) {
      used->as.plugin.own = 1;
    }
    reader->spec->hasImplicitPluginElem = 1;
  } else {
    values_error(reader, node, NULL, NULL, "neither 'plugin' nor 'instance' is specified for %s",
                 spec_typename(user->elemtype));
  }
  if (used) {
    use->element = &used->element;
    use->active = 1;
    mjs_setString(use->plugin_name, string_text(used->as.plugin.pub.plugin_name));
    mjs_setString(use->name, instance ? instance : "");
  }
}

void read_uses(const Reader* reader, const Node* node, mjsElement* user) {
  mjsPlugin* use = spec_pluginof(spec_object(user));
  for (const Node* child = node->first; child; child = child->next) {
    if (read_is(child, "plugin")) {
      read_use(reader, child, user, use);
    }
  }
}

SpecObject* read_shared(int* ok, const Reader* reader, const Node* node, const char* name) {
  *ok = 1;
  const Node* child = node_child(node, "plugin");
  if (!child || child->skip) {
    return NULL;
  }

  // read into a temporary body that is not in the tree
  SpecObject* scratch = spec_create(spec_tree(reader->spec), mjOBJ_BODY, NULL);
  mjsBody* user = &scratch->as.body;
  read_uses(reader, node, user->element);
  SpecObject* instance = user->plugin.active ? spec_object(user->plugin.element) : NULL;
  spec_destroy(scratch);
  *ok = instance != NULL;
  if (instance && instance->as.plugin.own) {
    mjs_setName(&instance->element, name);
  }
  return instance;
}

void read_share(mjsPlugin* use, SpecObject* instance) {
  if (instance) {
    use->active = 1;
    use->element = &instance->element;
    mjs_setString(use->name, spec_name(instance));
    mjs_setString(use->plugin_name, string_text(instance->as.plugin.pub.plugin_name));
  }
}
