// list.h: declarations of the plugins that come with the engine, each defined at the end of its
// file.

#pragma once

#include <mujoco/mjplugin.h>

extern const mjpPlugin plugin_pid, plugin_cable, plugin_touchgrid;
extern const mjpPlugin plugin_bolt, plugin_bowl, plugin_gear, plugin_nut, plugin_torus;
