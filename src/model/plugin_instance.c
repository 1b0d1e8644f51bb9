// plugin_instance.c: calling the hooks of plugin instances while stepping and in the life of
// mjData.

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "model/plugin.h"

// The plugin of an instance; NULL if its slot is empty. A model that was read as bytes may be the
// first to use a plugin of the engine.
static const mjpPlugin* find_plugin(const mjModel* m, int instance) {
  const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[instance]);
  if (!plugin) {
    plugin_takeoffered();
    plugin = mjp_getPluginAtSlot(m->plugin[instance]);
  }
  return plugin;
}

// The same, with an error if its slot is empty.
static const mjpPlugin* plugin_of(const mjModel* m, int instance) {
  const mjpPlugin* plugin = find_plugin(m, instance);
  if (!plugin) {
    mju_error("invalid plugin slot: %d: the plugin of instance %d is not registered",
              m->plugin[instance], instance);
  }
  return plugin;
}

// The first plugin with a capability (mjtPluginCapabilityBit, 0: any) from *instance on, which
// becomes its instance; NULL if there is none left.
//
//   for (int i = 0; (plugin = plugin_next(m, &i, mjPLUGIN_PASSIVE)); i++)
static const mjpPlugin* plugin_next(const mjModel* m, int* instance, int capability) {
  for (; *instance < m->nplugin; (*instance)++) {
    const mjpPlugin* plugin = plugin_of(m, *instance);
    if (plugin && (!capability || (plugin->capabilityflags & capability))) {
      return plugin;
    }
  }
  return NULL;
}

// while stepping

static void compute(const mjpPlugin* plugin, const mjModel* m, mjData* d, int instance,
                    int capability) {
  if (!plugin->compute) {
    mju_error("`compute` is a null function pointer for plugin '%s', instance %d", plugin->name,
              instance);
    return;
  }
  plugin->compute(m, d, instance, capability);
}

void plugin_compute(const mjModel* m, mjData* d, int capability) {
  const mjpPlugin* plugin;
  for (int i = 0; (plugin = plugin_next(m, &i, capability)); i++) {
    compute(plugin, m, d, i, capability);
  }
}

static int is_due(const mjpPlugin* plugin, mjtStage stage) {
  int need = plugin->needstage;
  return need == (int)stage || (stage == mjSTAGE_POS && need == mjSTAGE_NONE);
}

void plugin_sense(const mjModel* m, mjData* d, mjtStage stage) {
  const mjpPlugin* plugin;
  for (int i = 0; (plugin = plugin_next(m, &i, mjPLUGIN_SENSOR)); i++) {
    if (is_due(plugin, stage)) {
      compute(plugin, m, d, i, mjPLUGIN_SENSOR);
    }
  }
}

int plugin_senses(const mjModel* m, mjtStage stage) {
  const mjpPlugin* plugin;
  for (int i = 0; (plugin = plugin_next(m, &i, mjPLUGIN_SENSOR)); i++) {
    if (is_due(plugin, stage)) {
      return 1;
    }
  }
  return 0;
}

void plugin_actdot(const mjModel* m, mjData* d) {
  const mjpPlugin* plugin;
  for (int i = 0; (plugin = plugin_next(m, &i, mjPLUGIN_ACTUATOR)); i++) {
    if (plugin->actuator_act_dot) {
      plugin->actuator_act_dot(m, d, i);
    }
  }
}

void plugin_advance(const mjModel* m, mjData* d) {
  const mjpPlugin* plugin;
  for (int i = 0; (plugin = plugin_next(m, &i, 0)); i++) {
    if (plugin->advance) {
      plugin->advance(m, d, i);
    }
  }
}

// the life of mjData

// Calls mju_error if the state or sensor sizes stored in the model differ from those the plugin
// reports, e.g. in a binary model saved with another version of the plugin.
static void check_sizes(const mjModel* m, const mjpPlugin* plugin, int instance) {
  int nstate = plugin->nstate ? plugin->nstate(m, instance) : 0;
  if (nstate != m->plugin_statenum[instance]) {
    mju_error("plugin '%s' has %d state numbers in instance %d, the model has %d", plugin->name,
              nstate, instance, m->plugin_statenum[instance]);
  }
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] != mjSENS_PLUGIN || m->sensor_plugin[i] != instance) {
      continue;
    }
    int dim = plugin->nsensordata ? plugin->nsensordata(m, instance, i) : 0;
    if (dim != m->sensor_dim[i]) {
      mju_error("plugin '%s' gives %d numbers for sensor %d, the model has %d", plugin->name, dim,
                i, m->sensor_dim[i]);
    }
  }
}

typedef struct Init_ {
  const mjModel* m;
  mjData* d;
} Init;

// The last warning of an init, which tells why it failed. It is passed on to the previous handler.
static _Thread_local struct {
  char text[300];
  ErrorHandler handler;
} said;

static void keep_warning(const char* text) {
  snprintf(said.text, sizeof(said.text), "%s", text);
  warning_handle(said.handler);
  mju_warning("%s", text);
  warning_handle(keep_warning);
}

static _Thread_local int failed = -1;

int plugin_failed(void) {
  return failed;
}

static int init_one(const mjpPlugin* plugin, const mjModel* m, mjData* d, int instance) {
  if (!plugin->init) {
    return 1;
  }
  said.text[0] = 0;
  said.handler = warning_handle(keep_warning);
  int answer = plugin->init(m, d, instance);
  warning_handle(said.handler);
  return answer >= 0;
}

// Blocks that the hooks take belong to no heap, because they outlive the call (a compilation, say).
static void init_all(void* argument) {
  const Init* init = argument;
  const mjModel* m = init->m;
  mjData* d = init->d;
  Heap* heap = heap_pause();
  for (int i = 0; i < m->nplugin; i++) {
    const mjpPlugin* plugin = plugin_of(m, i);
    failed = i;
    check_sizes(m, plugin, i);
    d->plugin[i] = m->plugin[i];
    d->plugin_data[i] = 0;
    if (!init_one(plugin, m, d, i)) {
      mju_error("plugin->init failed for plugin id %d (plugin '%s')%s%s", i, plugin->name,
                said.text[0] ? ": " : "", said.text);
    }
    d->nplugin = i + 1;
  }
  failed = -1;
  heap_resume(heap);
}

int plugin_init(const mjModel* m, mjData* d, char* reason, int size) {
  Init init = {m, d};
  ErrorHandler handler = warning_handle(NULL);
  warning_handle(handler);
  d->nplugin = 0;
  failed = -1;
  int caught = m->nplugin && m->buffer && error_catch(reason, size, init_all, &init);
  warning_handle(handler);  // an init that ended in an error has left keep_warning installed
  return !caught;
}

void plugin_reset(const mjModel* m, mjData* d) {
  for (int i = 0; i < d->nplugin; i++) {
    const mjpPlugin* plugin = plugin_of(m, i);
    if (plugin && plugin->reset) {
      mjtNum* state = m->plugin_statenum[i] ? d->plugin_state + m->plugin_stateadr[i] : NULL;
      plugin->reset(m, state, (void*)d->plugin_data[i], i);
    }
  }
}

void plugin_copy(mjData* dest, const mjModel* m, const mjData* src) {
  for (int i = 0; i < dest->nplugin; i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(dest->plugin[i]);
    if (plugin && plugin->copy) {
      plugin->copy(dest, m, src, i);
    }
  }
}

void plugin_destroy(mjData* d) {
  for (int i = 0; i < d->nplugin; i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(d->plugin[i]);
    if (plugin && plugin->destroy) {
      plugin->destroy(d, i);
    }
  }
}

// configuration

const char* mj_getPluginConfig(const mjModel* m, int plugin_id, const char* attrib) {
  check_given(m);
  if (plugin_id < 0 || plugin_id >= m->nplugin || !attrib) {
    return NULL;
  }
  const mjpPlugin* plugin = find_plugin(m, plugin_id);
  int64_t adr = m->plugin_attradr[plugin_id], end = m->npluginattr;
  for (int i = 0; plugin && i < plugin->nattribute && adr >= 0 && adr < end; i++) {
    if (!strcmp(plugin->attributes[i], attrib)) {
      return m->plugin_attr + adr;
    }
    adr += (int64_t)strlen(m->plugin_attr + adr) + 1;
  }
  return NULL;
}
