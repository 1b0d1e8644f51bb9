// plugins.h: the plugins that come with the engine.
//
// They are offered to the registry when the program starts. A program may register another plugin
// of the same name before the first use, which then replaces the engine's.

#pragma once

// Does nothing. A reference to it makes the linker take this module from the static library.
void plugins_link(void);
