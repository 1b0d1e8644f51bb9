// lanes.h: worlds of one model stepped side by side, one in each lane of the machine's registers.
//
//   rows of the batch --load--> [index][lane] --step, nstep times--> store--> rows
//
// The same source is compiled for several instruction sets and kinds of numbers (variant/), and a
// table chosen at load leads to the widest that the machine has. What happens to a world is a
// function of the model and its own numbers: which lane it has and who its neighbours are changes
// no bit.                                                                       theory/lanes.md

#pragma once

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>

#include "lanes/structure.h"

// Whether there are variants for registers that not every machine has.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LANES_WIDE 1
#else
#define LANES_WIDE 0
#endif

// Rows of one world, its state and inputs. NULL where the model has no such numbers.
typedef struct LaneRow {
  mjtNum *time, *qpos, *qvel, *act, *warm;
  const mjtNum *ctrl, *applied, *xfrc;
  const mjtByte* active;
  const mjtNum *mocap_pos, *mocap_quat;
} LaneRow;

// Results that can be read from a lane after a step, as the fields of mjData of these names.
typedef enum LaneField {
  LANE_XPOS,
  LANE_XQUAT,
  LANE_XMAT,
  LANE_XIPOS,
  LANE_CDOF,
  LANE_CINERT,
  LANE_CRB,
  LANE_CVEL,
  LANE_QM,
  LANE_BIAS,
  LANE_PASSIVE,
  LANE_ACTUATOR,
  LANE_SMOOTH,
  LANE_ACC_SMOOTH,
  LANE_CONSTRAINT,
  LANE_ACC,
  LANE_FORCE,
  LANE_LENGTH,  // of actuators
  LANE_VELOCITY,
  LANE_SENSORS,  // sensordata, if the step has sensed
  LANE_CACC,     // these three after body_forces
  LANE_CFRC_INT,
  LANE_CFRC_EXT,
  NLANEFIELD
} LaneField;

// The functions of a variant. A work belongs to one thread.
typedef struct LaneVariant {
  const char* name;  // of the instruction set
  int lanes;
  // bytes of a work; makes one in a block of zeros of that size, aligned to 64 bytes. d serves
  // colliders, and is theirs while the work is used
  size_t (*size)(const LaneStructure* s);
  void* (*make)(void* block, const LaneStructure* s, mjData* d);
  // the numbers of the model, of a lane or of all lanes
  void (*constants)(void* work, int lane, const mjModel* m);
  // the world of a lane, and back
  void (*load)(void* work, int lane, const LaneRow* row);
  void (*store)(const void* work, int lane, const LaneRow* row);
  void (*ctrl)(void* work, int lane, const mjtNum* ctrl);
  // steps all lanes once; senses: with readings of sensors
  void (*step)(void* work, int senses);
  // accelerations of bodies and forces on them, of the last step
  void (*body_forces)(void* work);
  // lanes that the scalar engine has to step from the state that was loaded, as bits; starts anew
  unsigned (*failed)(void* work);
  // which parts of the body touch, in eight bits: worlds of like ones go well into one block
  unsigned (*likeness)(const void* work, int lane);
  // a result, which belongs to the state before the step
  void (*read)(const void* work, int lane, LaneField field, mjtNum* out);
} LaneVariant;

enum {
  LANES_MOST = 16
};
