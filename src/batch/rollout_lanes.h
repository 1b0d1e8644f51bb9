// rollout_lanes.h: trajectories side by side, by a batch that is made for the call.

#pragma once

#include <condyle/rollout.h>

// Computes the trajectories of a checked rollout in lanes, if it asks for that, its model allows it
// and they are enough to pay for making a batch. spec: what `control` holds. left (nbatch): set to
// 1 for those that have to be made one by one. Returns cndRUN_CANCELLED if it was cancelled.
cndtRun rollout_lanes(mjtByte* left, const cndRollout* r, unsigned int spec, int nthread);
