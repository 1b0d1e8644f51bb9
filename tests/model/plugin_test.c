// Registering plugins, and libraries of them.

#include <unistd.h>

#include "support/caught.h"
#include "support/test.h"

static int state_size(const mjModel* m, int instance) {
  (void)m;
  (void)instance;
  return 0;
}

static void nothing(const mjModel* m, mjData* d, int instance, int capability) {
  (void)m;
  (void)d;
  (void)instance;
  (void)capability;
}

static mjpPlugin make_plugin(const char* name) {
  static const char* attributes[] = {"gain", "bias"};
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = name;
  plugin.nattribute = 2;
  plugin.attributes = attributes;
  plugin.capabilityflags = mjPLUGIN_PASSIVE;
  plugin.nstate = state_size;
  plugin.compute = nothing;
  return plugin;
}

// The first test: nothing is registered yet.
TEST(the_plugins_of_the_engine_take_slots_when_one_of_them_is_looked_up) {
  mjpPlugin plugin = make_plugin("condyle.test.before");
  int before = mjp_pluginCount(), first = -1, last = -1, own = mjp_registerPlugin(&plugin);
  assert_int_equal(before, 0);
  assert_int_equal(own, 0);
  assert_null(mjp_getPlugin("condyle.test.nowhere", NULL));
  assert_null(mjp_getPluginAtSlot(1));
  assert_int_equal(mjp_pluginCount(), 1);

  assert_non_null(mjp_getPlugin("Mujoco.sdf.torus", &last));
  assert_non_null(mjp_getPlugin("mujoco.pid", &first));
  assert_int_equal(first, 1);
  assert_int_equal(last, mjp_pluginCount() - 1);
  assert_string_equal(mjp_getPluginAtSlot(own)->name, plugin.name);
}

TEST(a_registered_plugin_is_found_by_name_and_slot) {
  mjpPlugin plugin = make_plugin("condyle.test.found");
  int before = mjp_pluginCount(), found = -2, slot = mjp_registerPlugin(&plugin);
  assert_int_equal(slot, before);
  assert_int_equal(mjp_pluginCount(), before + 1);
  const mjpPlugin* copy = mjp_getPlugin("Condyle.Test.FOUND", &found);
  assert_non_null(copy);
  assert_ptr_equal(copy, mjp_getPluginAtSlot(slot));
  assert_int_equal(found, slot);
  assert_string_equal(copy->name, plugin.name);
  assert_string_equal(copy->attributes[1], "bias");

  assert_null(mjp_getPlugin("condyle.test.other", &found));
  assert_int_equal(found, -1);
  assert_null(mjp_getPlugin(NULL, NULL));
  assert_null(mjp_getPluginAtSlot(-1));
  assert_null(mjp_getPluginAtSlot(before + 1));
}

TEST(a_plugin_is_registered_once) {
  mjpPlugin plugin = make_plugin("condyle.test.once"), other = plugin;
  int slot = mjp_registerPlugin(&plugin), count = mjp_pluginCount();
  assert_int_equal(mjp_registerPlugin(&plugin), slot);
  other.nattribute = 1;
  assert_error(mjp_registerPlugin(&other), "'condyle.test.once' is already registered");
  assert_int_equal(mjp_pluginCount(), count);
  other.name = NULL;
  assert_error(mjp_registerPlugin(&other), "mjp_registerPlugin: ");
}

static int loaded;

static void count_library(const char* filename, int first, int count) {
  (void)filename;
  (void)first;
  (void)count;
  loaded++;
}

TEST(a_library_that_is_none_is_an_error_and_a_folder_without_is_not) {
  assert_error(mj_loadPluginLibrary("no_such_library.so"), "no_such_library.so");
  char folder[] = "plugin_test_XXXXXX";
  assert_non_null(mkdtemp(folder));
  mj_loadAllPluginLibraries(folder, count_library);
  rmdir(folder);
  mj_loadAllPluginLibraries(folder, count_library);
  assert_int_equal(loaded, 0);
}
