// config.h: numbers from the configuration of a plugin instance, and hooks of instances that keep
// these numbers and no state.

#pragma once

#include <mujoco/mjdata.h>

// State of an attribute in a configuration.
typedef enum ConfigStatus_ {
  CONFIG_NONE,   // missing, or only white space
  CONFIG_GIVEN,  // the required count of finite numbers
  CONFIG_WRONG,  // anything else
} ConfigStatus;

// Reads exactly n numbers from a text. out is unchanged unless the result is CONFIG_GIVEN.
ConfigStatus config_parse(mjtNum* out, int n, const char* text);

// Like config_parse, for an attribute of an instance. CONFIG_WRONG comes with a warning.
ConfigStatus config_numbers(mjtNum* out, int n, const mjModel* m, int instance,
                            const char* attribute);

// Hooks: no numbers of state; the memory in plugin_data is freed.
int config_nstate(const mjModel* m, int instance);
void config_destroy(mjData* d, int instance);
