// target.h: velocities that constraints ask for, from where and how fast they are.
//                                               theory/contact/hard-contacts.md, Targets, Positions

#pragma once

#include <mujoco/mjdata.h>

// shift (nefc): what is added to the velocities of rows before the laws are asked. A contact or
// limit that is still open may close, no more: dist / h. One that would close faster than the
// threshold, and bounces, must open at the velocity of the rebound: minus that. free (nefc):
// velocities at the end of the step without forces.
void target_shift(mjtNum* shift, const mjModel* m, const mjData* d, const mjtNum* free);

// b (nefc) of the correction of positions: what the laws are asked of is the velocity plus b. after
// (nefc, may be b): velocities at the end of the step. Returns 0 if nothing has to be corrected.
int target_correction(mjtNum* b, const mjModel* m, const mjData* d, const mjtNum* after);
