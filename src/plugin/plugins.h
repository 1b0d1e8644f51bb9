// plugins.h: the plugins that come with the engine.
//
// Nobody calls them by these names: they are offered to the registry when the program starts, and a
// program that registers a plugin of the same name before it is first used takes its place.

#ifndef CONDYLE_PLUGIN_PLUGINS_H_
#define CONDYLE_PLUGIN_PLUGINS_H_

// Makes a program that is linked to the static library take this module with it.
void plugins_link(void);

#endif  // CONDYLE_PLUGIN_PLUGINS_H_
