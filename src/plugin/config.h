// config.h: numbers from the configuration of a plugin instance.

#ifndef CONDYLE_PLUGIN_CONFIG_H_
#define CONDYLE_PLUGIN_CONFIG_H_

#include <mujoco/mjmodel.h>
#include <mujoco/mjtnum.h>

// What a configuration says of an attribute.
typedef enum ConfigStatus_ {
  CONFIG_NONE,   // nothing, or only white space
  CONFIG_GIVEN,  // as many finite numbers as were asked for
  CONFIG_WRONG,  // something else
} ConfigStatus;

// Reads exactly n numbers of a text; out is untouched unless they are CONFIG_GIVEN.
ConfigStatus config_parse(mjtNum* out, int n, const char* text);

// The same of an attribute of an instance; what is wrong is said in a warning.
ConfigStatus config_numbers(mjtNum* out, int n, const mjModel* m, int instance,
                            const char* attribute);

#endif  // CONDYLE_PLUGIN_CONFIG_H_
