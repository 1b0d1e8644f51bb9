// config.h: numbers from the configuration of a plugin instance.

#ifndef CONDYLE_PLUGIN_CONFIG_H_
#define CONDYLE_PLUGIN_CONFIG_H_

#include <mujoco/mjmodel.h>
#include <mujoco/mjtnum.h>

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

#endif  // CONDYLE_PLUGIN_CONFIG_H_
