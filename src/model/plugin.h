// plugin.h: plugin instances of a model at work.
//
// An instance is a plugin with the configuration that a model gives it. It may have state
// (plugin_state, saved and restored with the rest) and memory of its own behind plugin_data, which
// it makes when an mjData is made and gives back when that is freed. All instances are called in
// the order of their ids.                                                  theory/plugins.md, Hooks

#ifndef CONDYLE_MODEL_PLUGIN_H_
#define CONDYLE_MODEL_PLUGIN_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjplugin.h>

// Hands a plugin that comes with the engine to the registry; it must stay where it is. To be called
// before main.
void plugin_offer(const mjpPlugin* plugin);

// Calls compute of all instances with a capability.
void plugin_compute(const mjModel* m, mjData* d, int capability);

// Calls compute of all sensors of a stage. Those of no stage come with mjSTAGE_POS.
void plugin_sense(const mjModel* m, mjData* d, mjtStage stage);

// Is there a sensor of a stage?
int plugin_senses(const mjModel* m, mjtStage stage);

// Calls actuator_act_dot of all actuators; advance of all.
void plugin_actdot(const mjModel* m, mjData* d);
void plugin_advance(const mjModel* m, mjData* d);

// The life of mjData. Making it counts the instances that are there in nplugin, so that after a
// failure (0, and its reason) those before it are destroyed with the data.
int plugin_init(const mjModel* m, mjData* d, char* reason, int size);

// The instance whose init ended the last mj_makeData of this thread, -1 if none did.
int plugin_failed(void);
void plugin_reset(const mjModel* m, mjData* d);
void plugin_copy(mjData* dest, const mjModel* m, const mjData* src);
void plugin_destroy(mjData* d);

#endif  // CONDYLE_MODEL_PLUGIN_H_
