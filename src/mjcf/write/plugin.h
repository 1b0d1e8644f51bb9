// plugin.h: writing plugins and the elements that use them.

#pragma once

#include "mjcf/write/context.h"

void write_extension(Writer* w);

// writes the use as a child of the user, or as attributes and children of the user

void write_use(Writer* w, const SpecObject* user);
void write_pluginof(Writer* w, const SpecObject* user);
void write_configof(Writer* w, const SpecObject* user);
