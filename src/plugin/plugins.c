// plugins.c: offers the plugins of the engine to the registry when the program starts.

#include "plugin/plugins.h"

#include "model/plugin.h"
#include "plugin/list.h"

// The order of this list is the order of slots.
__attribute__((constructor)) static void offer_all(void) {
  static const mjpPlugin* const all[] = {&plugin_pid,  &plugin_cable, &plugin_touchgrid,
                                         &plugin_bolt, &plugin_bowl,  &plugin_gear,
                                         &plugin_nut,  &plugin_torus};
  for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
    plugin_offer(all[i]);
  }
}

void plugins_link(void) {
}
