// plugin.h: plugin instances.                       theory/plugins.md, Plugins in the compiler

#ifndef CONDYLE_COMPILE_MECHANISM_PLUGIN_H_
#define CONDYLE_COMPILE_MECHANISM_PLUGIN_H_

#include "compile/context.h"

// nplugin, npluginattr; finds the plugins of all instances and of who uses them.
void compile_pluginsizes(Compile* c, mjModel* m);

// Instance that an element uses, -1 if it uses none.
int compile_plugin(const Compile* c, const SpecObject* object);

// The value that an instance has for an attribute, "" if it has none.
const char* compile_config(const SpecObject* instance, const char* key);

// What plugins say of their sizes, when all elements are in the draft.
void compile_plugins(Compile* c);

#endif  // CONDYLE_COMPILE_MECHANISM_PLUGIN_H_
