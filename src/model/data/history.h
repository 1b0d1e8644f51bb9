// history.h: buffers of past controls and sensor values, in mjData.history.
//
// An actuator or sensor with n samples of dim numbers has a ring of them:
//
//   | user | cursor | time of slot 0 ... n-1 | value of slot 0 ... n-1, dim numbers each |
//
// The cursor is the slot of the newest sample; the oldest follows it. user is the time at which an
// interval sensor measured last.                             theory/time/history.md, Buffers

#pragma once

#include <mujoco/mjdata.h>

// A buffer. Its numbers belong to mjData.
typedef struct History_ {
  mjtNum* number;  // NULL: there is none
  int n, dim, interp;
} History;

History history_of_actuator(const mjModel* m, const mjData* d, int id);
History history_of_sensor(const mjModel* m, const mjData* d, int id);

// Values at a time: a place in the buffer, or result (dim numbers) if it is between two samples.
const mjtNum* history_read(mjtNum* result, const History* h, mjtNum time, int interp);

// Makes the sample of a time and returns its values, to be written.
mjtNum* history_insert(const History* h, mjtNum time);

// The controls of an actuator now: those of d->ctrl, or past ones.
void history_controls(mjtNum* out, const mjModel* m, const mjData* d, int id);

// Stores the controls of all actuators that have a buffer.
void history_store_controls(const mjModel* m, mjData* d);

// Is an interval sensor due?
int history_is_due(const mjModel* m, const mjData* d, const History* h, int sensor);

// Fills all buffers with zeros at times before 0.
void history_reset(const mjModel* m, mjData* d);
