// wake.h: what wakes trees before contacts are found: programs, tendons, equalities.
//
// Each function returns whether something woke, and has then updated the lists.
//                                                                  theory/time/sleep.md, Waking

#pragma once

#include <mujoco/mjdata.h>

// Wakes trees that a program has moved or pushes, or whose policy no longer lets them sleep; all,
// if the flag is off.
int wake_edited(const mjModel* m, mjData* d);

// Wakes trees at the other end of tendons at their limits. Needs lengths of tendons.
int wake_tendons(const mjModel* m, mjData* d);

// Wakes trees that active equalities tie to what is awake, or to another cycle. Needs nothing.
int wake_equalities(const mjModel* m, mjData* d);

// Does an equality tie only what sleeps or can't move?
int equality_sleeps(const mjModel* m, mjData* d, int equality);
