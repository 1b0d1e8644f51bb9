// plugin.h: plugins and the elements that use them.

#ifndef CONDYLE_MJCF_WRITE_PLUGIN_H_
#define CONDYLE_MJCF_WRITE_PLUGIN_H_

#include "mjcf/write/context.h"

void write_extension(Writer* w);

// as a child of its user, or as the user's attributes and children

void write_use(Writer* w, const SpecObject* user);
void write_pluginof(Writer* w, const SpecObject* user);
void write_configof(Writer* w, const SpecObject* user);

#endif  // CONDYLE_MJCF_WRITE_PLUGIN_H_
