// plugin.c: compiles plugin instances: their plugins, configurations, sizes and users.
//                                                theory/plugins/plugins.md, Plugins in the compiler

#include "compile/plugin.h"

#include <mujoco/api/model.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/text/text.h"
#include "plugin/plugins.h"

enum {
  MOST_STATE = 100000000,  // largest number of state numbers of all instances
};

static const struct {
  mjtObj type;
  int capability;
  const char* what;  // what needs the capability
} users[] = {
    {mjOBJ_BODY, mjPLUGIN_PASSIVE, "passive forces"},
    {mjOBJ_GEOM, mjPLUGIN_SDF, "signed distance fields"},
    {mjOBJ_MESH, mjPLUGIN_SDF, "signed distance fields"},
    {mjOBJ_ACTUATOR, mjPLUGIN_ACTUATOR, "actuators"},
    {mjOBJ_SENSOR, mjPLUGIN_SENSOR, "sensors"},
};
enum {
  NUSER = sizeof(users) / sizeof(users[0])
};

// Slot of an active plugin by name; -1, with an error of the object, if there is none.
static int find_slot(Compile* c, const SpecObject* object, const char* name) {
  int slot;
  const mjpPlugin* plugin = mjp_getPlugin(name, &slot);
  if (!plugin) {
    compile_error(c, object, "unrecognized plugin '%s': none of this name is registered", name);
    return -1;
  }
  if (!text_equal(plugin->name, name)) {
    compile_error(c, object, "unrecognized plugin '%s': its name is '%s'", name, plugin->name);
    return -1;
  }
  if (!spec_isactive(c->tree, slot)) {
    compile_error(c, object,
                  "unrecognized plugin '%s': it is not activated (<extension>, "
                  "mjs_activatePlugin)",
                  name);
    return -1;
  }
  return slot;
}

// Finds the slot of the instance that an object uses. Through the API the plugin's name may be
// given in the instance or in the object.
static void resolve_use(Compile* c, const SpecObject* object, int capability, const char* what) {
  const mjsPlugin* use = spec_pluginof((SpecObject*)object);
  const SpecObject* instance = spec_instance(object);
  const char* kind = spec_typename(object->element.elemtype);
  if (!use->active) {
    return;
  }
  if (!instance && !string_empty(use->name)) {
    compile_error(c, object, "unrecognized name '%s' for plugin instance", string_text(use->name));
    return;
  }
  if (!instance) {
    compile_error(c, object, "neither 'plugin' nor 'instance' is specified for %s '%s', (id = %d)",
                  kind, spec_name(object), object->id);
    return;
  }
  if (instance->tree != c->tree || instance->id < 0 || instance->id >= c->count[mjOBJ_PLUGIN]) {
    compile_error(c, object, "plugin instance of %s '%s' is not in this model", kind,
                  spec_name(object));
    return;
  }
  const char *name = string_text(use->plugin_name),
             *own = string_text(instance->as.plugin.pub.plugin_name);
  if (name[0] && own[0] && !text_equal(name, own)) {
    compile_error(c, object, "plugin instance '%s' is of plugin '%s', not '%s'",
                  spec_name(instance), own, name);
    return;
  }
  int* slot = &c->slot[instance->id];
  if (*slot < 0 && !own[0] && name[0]) {
    *slot = find_slot(c, object, name);
  }
  const mjpPlugin* plugin = mjp_getPluginAtSlot(*slot);
  if (plugin && !(plugin->capabilityflags & capability)) {
    compile_error(c, object, "plugin '%s' does not support %s", plugin->name, what);
  }
}

// Bytes of an instance's configuration in plugin_attr.
static size_t attribute_bytes(const SpecObject* instance, const mjpPlugin* plugin) {
  const mjStringVec* config = &instance->as.plugin.config;
  size_t bytes = plugin->nattribute ? (size_t)plugin->nattribute : 1;
  for (size_t i = 1; i < config->num; i += 2) {
    bytes += config->ptr[i].num;
  }
  return bytes;
}

static void check_config(Compile* c, const SpecObject* instance, const mjpPlugin* plugin) {
  const mjStringVec* config = &instance->as.plugin.config;
  for (size_t i = 0; i + 1 < config->num; i += 2) {
    const char* key = string_text(&config->ptr[i]);
    int declared = 0;
    for (int k = 0; k < plugin->nattribute; k++) {
      declared |= text_equal(key, plugin->attributes[k]);
    }
    if (!declared) {
      compile_error(c, instance, "unrecognized attribute 'plugin:%s' for plugin '%s'", key,
                    plugin->name);
    }
    for (size_t k = 0; k < i; k += 2) {
      if (text_equal(key, string_text(&config->ptr[k]))) {
        compile_error(c, instance, "duplicate config key: %s", key);
      }
    }
  }
}

void compile_pluginsizes(Compile* c, mjModel* m) {
  size_t bytes = 0;
  plugins_link();
  m->nplugin = c->count[mjOBJ_PLUGIN];
  c->slot = heap_take(((size_t)m->nplugin + 1) * sizeof(int));
  for (int i = 0; i < m->nplugin; i++) {
    const SpecObject* instance = c->list[mjOBJ_PLUGIN][i];
    const char* name = string_text(instance->as.plugin.pub.plugin_name);
    c->slot[i] = name[0] ? find_slot(c, instance, name) : -1;
  }
  for (int k = 0; k < NUSER; k++) {
    for (int i = 0; i < c->count[users[k].type]; i++) {
      resolve_use(c, c->list[users[k].type][i], users[k].capability, users[k].what);
    }
  }
  for (int i = 0; i < m->nplugin; i++) {
    const SpecObject* instance = c->list[mjOBJ_PLUGIN][i];
    const mjpPlugin* plugin = mjp_getPluginAtSlot(c->slot[i]);
    if (plugin) {
      check_config(c, instance, plugin);
      bytes += attribute_bytes(instance, plugin);
    } else if (string_empty(instance->as.plugin.pub.plugin_name)) {
      compile_error(c, instance, "plugin instance '%s' (id = %d) doesn't say of which plugin it is",
                    spec_name(instance), i);
    }
  }
  if (bytes > 0x7FFFFFFF) {
    compile_error(c, NULL, "configurations of plugins are too long together");
    return;
  }
  m->npluginattr = (int)bytes;
}

int compile_plugin(const Compile* c, const SpecObject* object) {
  const mjsPlugin* use = spec_pluginof((SpecObject*)object);
  const SpecObject* instance = use->active ? spec_instance(object) : NULL;
  return instance && c->count[mjOBJ_PLUGIN] ? instance->id : -1;
}

const char* compile_config(const SpecObject* instance, const char* key) {
  const mjStringVec* config = &instance->as.plugin.config;
  for (size_t i = 0; i + 1 < config->num; i += 2) {
    if (text_equal(key, string_text(&config->ptr[i]))) {
      return string_text(&config->ptr[i + 1]);
    }
  }
  return "";
}

static void write_attributes(Compile* c) {
  mjModel* m = c->m;
  int adr = 0;
  for (int i = 0; i < m->nplugin; i++) {
    const SpecObject* instance = c->list[mjOBJ_PLUGIN][i];
    const mjpPlugin* plugin = mjp_getPluginAtSlot(c->slot[i]);
    m->plugin[i] = c->slot[i];
    m->plugin_attradr[i] = adr;
    for (int k = 0; k < plugin->nattribute; k++) {
      const char* value = compile_config(instance, plugin->attributes[k]);
      size_t bytes = strlen(value) + 1;
      memcpy(m->plugin_attr + adr, value, bytes);
      adr += (int)bytes;
    }
    adr += !plugin->nattribute;
  }
}

static void count_states(Compile* c) {
  mjModel* m = c->m;
  double total = 0;
  for (int i = 0; i < m->nplugin; i++) {
    const SpecObject* instance = c->list[mjOBJ_PLUGIN][i];
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    c->running = instance;
    int nstate = plugin->nstate ? plugin->nstate(m, i) : 0;
    c->running = NULL;
    if (nstate < 0 || total + nstate > MOST_STATE) {
      compile_error(c, instance, "plugin '%s' asks for %d state numbers", plugin->name, nstate);
      nstate = 0;
    }
    m->plugin_stateadr[i] = (int)total;
    m->plugin_statenum[i] = nstate;
    total += nstate;
  }
  m->npluginstate = (int)total;
}

void compile_plugins(Compile* c) {
  write_attributes(c);
  count_states(c);
}
