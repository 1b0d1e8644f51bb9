// plugin.c: the registry of plugins, one for the whole program.
//
// A library registers its plugins from its constructor. A plugin has a name and a slot, its number
// in order of registration. The registry copies all texts, so a plugin's own strings may be
// temporary. Slots are never freed, so a pointer to a registered plugin stays valid for the life of
// the program.                                                  theory/plugins/plugins.md, Registry
//
// Plugins that come with the engine are offered (plugin_offer). At the first lookup of one of them
// all get the next slots in a fixed order, so slots don't depend on which one is used first, and a
// program that uses none has its own plugins alone. A program may replace an offered plugin until
// that plugin is looked up.

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory/check.h"
#include "base/system/files.h"
#include "base/system/library.h"
#include "model/plugin.h"

enum {
  MAX_TEXT = 1024,
  MAX_ATTRIBUTES = 255,
  MAX_PLUGINS = 4096,
  MAX_OFFERED = 32,
};

// Slots are written under the lock and read without it. A filled slot never changes, unless it
// holds an offered plugin that was not looked up yet.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const mjpPlugin* _Atomic registered[MAX_PLUGINS];
static atomic_int count;
static atomic_char unseen[MAX_PLUGINS];  // 1: offered and not looked up yet

static const mjpPlugin* offered[MAX_OFFERED];
static int noffered;
static atomic_int taken;  // offered plugins that have a slot

void mjp_defaultPlugin(mjpPlugin* plugin) {
  check_given(plugin);
  memset(plugin, 0, sizeof(mjpPlugin));
}

// The reason why a plugin can't be registered, NULL if it can.
static const char* fault(const mjpPlugin* plugin) {
  if (!plugin->name || !*plugin->name) {
    return "plugin has no name";
  }
  if (strlen(plugin->name) >= MAX_TEXT) {
    return "plugin name is too long";
  }
  if (plugin->nattribute < 0 || plugin->nattribute > MAX_ATTRIBUTES) {
    return "plugin has an invalid number of attributes";
  }
  for (int i = 0; i < plugin->nattribute; i++) {
    if (!plugin->attributes || !plugin->attributes[i] ||
        strlen(plugin->attributes[i]) >= MAX_TEXT) {
      return "plugin has an invalid attribute name";
    }
  }
  return NULL;
}

// Do two plugins have the same texts, numbers and functions?
static int identical(const mjpPlugin* a, const mjpPlugin* b) {
  if (strcmp(a->name, b->name) || a->nattribute != b->nattribute) {
    return 0;
  }
  for (int i = 0; i < a->nattribute; i++) {
    if (strcmp(a->attributes[i], b->attributes[i])) {
      return 0;
    }
  }
  return a->capabilityflags == b->capabilityflags && a->needstage == b->needstage &&
         a->nstate == b->nstate && a->nsensordata == b->nsensordata && a->init == b->init &&
         a->destroy == b->destroy && a->copy == b->copy && a->reset == b->reset &&
         a->compute == b->compute && a->advance == b->advance && a->visualize == b->visualize &&
         a->actuator_act_dot == b->actuator_act_dot && a->sdf_distance == b->sdf_distance &&
         a->sdf_gradient == b->sdf_gradient && a->sdf_staticdistance == b->sdf_staticdistance &&
         a->sdf_attribute == b->sdf_attribute && a->sdf_aabb == b->sdf_aabb &&
         a->cnd_sdf_distances == b->cnd_sdf_distances && a->cnd_sdf_meet == b->cnd_sdf_meet;
}

// A copy in one block: the struct, its attribute list, then all texts. NULL if memory runs out.
static mjpPlugin* copy_plugin(const mjpPlugin* plugin) {
  size_t list = sizeof(char*) * (size_t)plugin->nattribute;
  size_t bytes = sizeof(mjpPlugin) + list + strlen(plugin->name) + 1;
  for (int i = 0; i < plugin->nattribute; i++) {
    bytes += strlen(plugin->attributes[i]) + 1;
  }
  mjpPlugin* copy = malloc(bytes);
  if (!copy) {
    return NULL;
  }
  *copy = *plugin;
  const char** attributes = (const char**)(copy + 1);
  char* text = (char*)(copy + 1) + list;
  copy->name = strcpy(text, plugin->name);
  text += strlen(text) + 1;
  for (int i = 0; i < plugin->nattribute; i++) {
    attributes[i] = strcpy(text, plugin->attributes[i]);
    text += strlen(text) + 1;
  }
  copy->attributes = attributes;
  return copy;
}

static int find(const char* name) {
  for (int i = 0; i < count; i++) {
    if (!strcasecmp(registered[i]->name, name)) {
      return i;
    }
  }
  return -1;
}

// Puts a copy of a plugin into a new slot, or into the slot of an offered plugin of the same name
// that was not looked up yet. Returns the slot, -1 if there is no room, or -2 if the name belongs
// to another plugin.
static int enter(const mjpPlugin* plugin, int offer) {
  int slot = find(plugin->name);
  int replaces = slot >= 0 && unseen[slot];
  if (slot >= 0 && (identical(plugin, registered[slot]) || (offer && !replaces))) {
    return slot;
  }
  if (slot >= 0 && !replaces) {
    return -2;
  }
  const mjpPlugin* copy = slot >= 0 || count < MAX_PLUGINS ? copy_plugin(plugin) : NULL;
  if (!copy) {
    return -1;
  }
  int end = slot < 0;
  slot = end ? count : slot;
  registered[slot] = copy;
  unseen[slot] = (char)offer;
  count = slot + 1 > count ? slot + 1 : count;
  return slot;
}

void plugin_offer(const mjpPlugin* plugin) {
  pthread_mutex_lock(&lock);
  if (noffered < MAX_OFFERED) {
    offered[noffered++] = plugin;
  }
  pthread_mutex_unlock(&lock);
}

void plugin_takeoffered(void) {
  if (atomic_load(&taken) == noffered) {
    return;
  }
  pthread_mutex_lock(&lock);
  for (; taken < noffered; taken++) {
    enter(offered[taken], 1);
  }
  pthread_mutex_unlock(&lock);
}

int mjp_registerPlugin(const mjpPlugin* plugin) {
  check_given(plugin);
  const char* why = fault(plugin);
  if (why) {
    mju_error("mjp_registerPlugin: %s", why);
    return -1;
  }
  pthread_mutex_lock(&lock);
  int slot = enter(plugin, 0);
  pthread_mutex_unlock(&lock);

  // the lock is free here, because the error handler may jump out
  if (slot == -2) {
    mju_error("plugin '%s' is already registered", plugin->name);
  } else if (slot < 0) {
    mju_error("mjp_registerPlugin: no room for plugin '%s'", plugin->name);
  }
  return slot < 0 ? -1 : slot;
}

const char* plugin_known(int i) {
  if (i < count) {
    return registered[i]->name;
  }
  i += atomic_load(&taken) - count;
  return i < noffered ? offered[i]->name : NULL;
}

int mjp_pluginCount(void) {
  return count;
}

// Is this the name of an offered plugin?
static int is_offered(const char* name) {
  for (int i = 0; name && i < noffered; i++) {
    if (!strcasecmp(offered[i]->name, name)) {
      return 1;
    }
  }
  return 0;
}

const mjpPlugin* mjp_getPlugin(const char* name, int* slot) {
  if (is_offered(name)) {
    plugin_takeoffered();
  }
  pthread_mutex_lock(&lock);
  int i = name ? find(name) : -1;
  pthread_mutex_unlock(&lock);
  if (slot) {
    *slot = i;
  }
  return mjp_getPluginAtSlot(i);
}

const mjpPlugin* mjp_getPluginAtSlot(int slot) {
  if (slot < 0 || slot >= count) {
    return NULL;
  }
  if (unseen[slot]) {
    pthread_mutex_lock(&lock);
    unseen[slot] = 0;
    pthread_mutex_unlock(&lock);
  }
  return registered[slot];
}

void mj_loadPluginLibrary(const char* path) {
  check_given(path);
  if (!library_open(path)) {
    mju_error("mj_loadPluginLibrary: Error loading plugin library '%s': %s", path,
              library_reason());
  }
}

void mj_loadAllPluginLibraries(const char* directory, mjfPluginLibraryLoadCallback callback) {
  check_given(directory);
  Folder* folder = folder_open(directory);
  if (!folder) {
    return;
  }
  for (const char* name; (name = folder_next(folder));) {
    size_t length = strlen(name), ending = strlen(library_ending);
    if (length <= ending || strcmp(name + length - ending, library_ending)) {
      continue;
    }
    char path[4096];
    FileState state;
    int written = snprintf(path, sizeof path, "%s/%s", directory, name);
    if (written >= (int)sizeof path || !system_state(&state, path) || state.kind != FILE_REGULAR) {
      continue;
    }
    int before = count;  // offered plugins get no slots here, so they may still be replaced
    mj_loadPluginLibrary(path);
    int added = count - before;
    if (callback) {
      callback(name, added ? before : -1, added);
    }
  }
  folder_close(folder);
}
