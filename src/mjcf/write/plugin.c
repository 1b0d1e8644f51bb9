// plugin.c: writes <extension>, and the use of plugins by elements.
//                                                                   theory/model/format.md, Writing
//
// A named instance is written in <extension>. A nameless one is written where it is used; if
// several elements share it, it gets a name.

#include "mjcf/write/plugin.h"

#include <mujoco/api/model.h>
#include <stdio.h>

#include "base/memory/memory.h"
#include "base/text/text.h"

static int count_users(const Writer* w, const SpecObject* instance) {
  int count = 0;
  for (int i = 0; i < SPEC_NUSER; i++) {
    for (SPEC_EACH(it, w->tree, spec_users[i])) {
      count += spec_pluginof(it)->active && spec_instance(it) == instance;
    }
  }
  return count;
}

// Makes a name that no instance has. The caller frees it.
static char* invent_name(const Writer* w, int id) {
  enum {
    BYTES = 40
  };
  char* name = heap_take(BYTES);
  for (int k = 0;; k++) {
    snprintf(name, BYTES, k ? "plugin%d_%d" : "plugin%d", id, k);
    if (!spec_find(w->tree, mjOBJ_PLUGIN, name)) {
      return name;
    }
  }
}

// Names of all instances by id, NULL for those written where they are used.
static char** name_instances(const Writer* w) {
  char** names = heap_zero((size_t)spec_count(w->tree, mjOBJ_PLUGIN) + 1, sizeof(char*));
  for (SPEC_EACH(instance, w->tree, mjOBJ_PLUGIN)) {
    if (spec_name(instance)[0]) {
      size_t bytes = instance->name.num + 1;
      names[instance->id] = heap_take(bytes);
      snprintf(names[instance->id], bytes, "%s", spec_name(instance));
    } else if (count_users(w, instance) != 1) {
      names[instance->id] = invent_name(w, instance->id);
    }
  }
  return names;
}

static void write_config(Writer* w, const SpecObject* instance) {
  const mjStringVec* config = &instance->as.plugin.config;
  for (size_t i = 0; i + 1 < config->num; i += 2) {
    write_begin(w, "config");
    write_text(w, "key", string_text(&config->ptr[i]));
    write_text(w, "value", string_text(&config->ptr[i + 1]));
    write_end(w);
  }
}

static const char* plugin_name(const Writer* w, const SpecObject* instance) {
  return w->written ? string_text(instance->as.plugin.pub.plugin_name)
                    : mjp_getPluginAtSlot(w->m->plugin[instance->id])->name;
}

void write_pluginof(Writer* w, const SpecObject* user) {
  const SpecObject* instance = spec_instance(user);
  if (!instance) {
    return;
  }
  const char* name = w->instance[instance->id];
  if (name) {
    write_text(w, "instance", name);
  } else {
    write_text(w, "plugin", plugin_name(w, instance));
  }
}

void write_configof(Writer* w, const SpecObject* user) {
  const SpecObject* instance = spec_instance(user);
  if (instance && !w->instance[instance->id]) {
    write_config(w, instance);
  }
}

void write_use(Writer* w, const SpecObject* user) {
  if (spec_pluginof((SpecObject*)user)->active) {
    write_begin(w, "plugin");
    write_pluginof(w, user);
    write_configof(w, user);
    write_end(w);
  }
}

// Writes instances in their order, so that they keep their ids. Plugins without instances come
// last.
void write_extension(Writer* w) {
  const char* open = NULL;
  w->instance = name_instances(w);
  for (SPEC_EACH(instance, w->tree, mjOBJ_PLUGIN)) {
    if (!w->instance[instance->id]) {
      continue;
    }
    const char* name = plugin_name(w, instance);
    if (open && !text_equal(open, name)) {
      write_end(w);
      open = NULL;
    }
    if (!open) {
      write_begin(w, "plugin");
      write_text(w, "plugin", name);
      open = name;
    }
    write_begin(w, "instance");
    write_text(w, "name", w->instance[instance->id]);
    write_config(w, instance);
    write_end(w);
  }
  if (open) {
    write_end(w);
  }
  for (size_t i = 0; i < w->tree->active.num; i++) {
    int slot = w->tree->active.ptr[i], written = 0;
    for (SPEC_EACH(instance, w->tree, mjOBJ_PLUGIN)) {
      written |= w->instance[instance->id] &&
                 text_equal(plugin_name(w, instance), mjp_getPluginAtSlot(slot)->name);
    }
    if (!written) {
      write_begin(w, "plugin");
      write_text(w, "plugin", mjp_getPluginAtSlot(slot)->name);
      write_end(w);
    }
  }
}
