// plugin.h: calling the plugin instances of a model.
//
// An instance is a plugin with a configuration from the model. It may have state (plugin_state,
// part of the simulation state) and its own memory behind plugin_data, which it makes with each
// mjData and frees with it. Instances are called in the order of their ids.
//                                                                  theory/plugins/plugins.md, Hooks

#pragma once

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjplugin.h>

// Offers a plugin that comes with the engine to the registry, which keeps the pointer. To be called
// before main.
void plugin_offer(const mjpPlugin* plugin);

// Gives slots to the offered plugins whose names are free. A model that names slots may need them.
void plugin_takeoffered(void);

// The name of the i-th plugin that can be looked up, the offered ones last; NULL beyond the end.
const char* plugin_known(int i);

// Calls compute of all instances with a capability.
void plugin_compute(const mjModel* m, mjData* d, int capability);

// Calls compute of all plugin sensors of a stage. Sensors without a stage are computed with
// mjSTAGE_POS.
void plugin_sense(const mjModel* m, mjData* d, mjtStage stage);

// Does a plugin sensor need this stage?
int plugin_senses(const mjModel* m, mjtStage stage);

// plugin_actdot calls actuator_act_dot of all actuator plugins. plugin_advance calls advance of
// all.
void plugin_actdot(const mjModel* m, mjData* d);
void plugin_advance(const mjModel* m, mjData* d);

// Hooks for making, resetting, copying and freeing mjData. plugin_init counts initialized instances
// in nplugin. After a failure it returns 0 with the reason; plugin_destroy then destroys those
// instances only.
int plugin_init(const mjModel* m, mjData* d, char* reason, int size);

// The instance whose init failed in the last mj_makeData of this thread, -1 if none did.
int plugin_failed(void);
void plugin_reset(const mjModel* m, mjData* d);
void plugin_copy(mjData* dest, const mjModel* m, const mjData* src);
void plugin_destroy(mjData* d);
