// plugin.h: compiling plugin instances.          theory/plugins/plugins.md, Plugins in the compiler

#pragma once

#include "compile/context.h"

// Sets nplugin and npluginattr, and finds the plugins of all instances and their users.
void compile_pluginsizes(Compile* c, mjModel* m);

// Id of the instance that an element uses, -1 if it uses none.
int compile_plugin(const Compile* c, const SpecObject* object);

// The value that an instance has for an attribute, "" if it has none.
const char* compile_config(const SpecObject* instance, const char* key);

// Asks plugins for their sizes, after all elements are in the draft.
void compile_plugins(Compile* c);
