// sleep.h: trees at rest fall asleep.
//
// A tree whose velocity stays below sleep_tolerance for ten steps is ready. When all trees that
// constraints connect are ready, they fall asleep together: their velocities become zero, and
// stages leave them out until something wakes them (smooth/wake.h, collision/wake.h).
//                                                        theory/time/sleep.md, Falling asleep

#pragma once

#include <mujoco/mjdata.h>

// Between forward dynamics and integration: counts the steps at rest of each tree and lets those
// fall asleep that are ready. If some do, the stages after the positions are evaluated again, with
// zero velocities.
void sleep_settle(const mjModel* m, mjData* d);

// Lets trees begin asleep whose policy says so. Warns of those that can't, because something that
// does not sleep touches them.
void sleep_begin(const mjModel* m, mjData* d);
