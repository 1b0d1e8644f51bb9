// lanes.h: worlds of one model stepped side by side, one in each lane of the machine's registers.
//
//   rows of the batch --load--> [index][lane] --step, nstep times--> store--> rows
//
// The same source is compiled for several instruction sets and kinds of numbers (variant.c.in), and
// a table chosen at load leads to the widest that the machine has. What happens to a world is a
// function of the model and its own numbers: which lane it has and who its neighbours are changes
// no bit.                                                                      theory/time/lanes.md

#pragma once

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>

#include "lanes/setup/structure.h"

// Whether there are variants for registers that not every machine has. A build that needs none of
// them is quicker without (CONDYLE_NARROW).
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(CONDYLE_NARROW)
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
  // what lanes keep from call to call and no result depends on, or NULL: nway numbers (apart.h);
  // list_words of the structure, all zero at first (near.h); touch_bytes, too (touches.h)
  float* way;
  uint64_t* list;
  void* touches;
} LaneRow;

// Results that can be read from a lane after a step: (field, its name in mjData, its place in Work
// and length). qM, with another layout, is read by itself.
#define LANE_FIELDS(X)                                                                      \
  X(XPOS, xpos, w->xpos, 3 * m->nbody)                                                      \
  X(XQUAT, xquat, w->xquat, 4 * m->nbody)                                                   \
  X(XMAT, xmat, w->xmat, 9 * m->nbody)                                                      \
  X(XIPOS, xipos, w->xipos, 3 * m->nbody)                                                   \
  X(CDOF, cdof, w->cdof, 6 * m->nv)                                                         \
  X(CINERT, cinert, w->cinert, 10 * m->nbody)                                               \
  X(CRB, crb, w->crb, 10 * m->nbody)                                                        \
  X(CVEL, cvel, w->cvel, 6 * m->nbody)                                                      \
  X(BIAS, qfrc_bias, w->bias, m->nv)                                                        \
  X(PASSIVE, qfrc_passive, w->passive, m->nv)                                               \
  X(ACTUATOR, qfrc_actuator, w->actuator, m->nv)                                            \
  X(SMOOTH, qfrc_smooth, w->smooth, m->nv)                                                  \
  X(ACC_SMOOTH, qacc_smooth, w->acc_smooth, m->nv)                                          \
  X(CONSTRAINT, qfrc_constraint, w->constraint, m->nv)                                      \
  X(ACC, qacc, w->acc, m->nv)                                                               \
  X(FORCE, actuator_force, w->force, m->nu)                                                 \
  X(LENGTH, actuator_length, w->length, m->nu)                                              \
  X(VELOCITY, actuator_velocity, w->velocity, m->nu)                                        \
  X(SENSORS, sensordata, w->sensordata, m->nsensordata) /* if the step has sensed */        \
  X(CACC, cacc, w->total, 6 * m->nbody)                 /* these three after body_forces */ \
  X(CFRC_INT, cfrc_int, w->internal, 6 * m->nbody)                                          \
  X(CFRC_EXT, cfrc_ext, w->external, 6 * m->nbody)

typedef enum LaneField {
  LANE_QM,
#define FIELD(field, name, from, n) LANE_##field,
  LANE_FIELDS(FIELD)
#undef FIELD
  NLANEFIELD
} LaneField;

// What the worlds of a thread have cost, by numbers that their states alone decide:
//
//   steps              of lanes
//   near               pairs whose bounding spheres meet, in a lane
//   asked, touched     those for which a scalar collider was asked, and found contacts
//   iterations, live   lanes of the solver's iterations; those that still had something to gain
//   slots, used        lanes of contacts that some lane has; those that have them
#define LANE_COUNTS(X) X(steps) X(near) X(asked) X(touched) X(iterations) X(live) X(slots) X(used)

typedef struct LaneCount {
#define COUNTED(name) int64_t name;
  LANE_COUNTS(COUNTED)
#undef COUNTED
} LaneCount;

typedef struct Work Work;  // of a variant's own kind

// The functions of a variant. A work belongs to one thread.
typedef struct LaneVariant {
  const char* name;  // of the instruction set
  int lanes;
  // bytes of a work; makes one in a block of zeros of that size, aligned to 64 bytes. d serves
  // colliders, and is theirs while the work is used
  size_t (*size)(const LaneStructure* s);
  Work* (*make)(void* block, const LaneStructure* s, mjData* d);
  // the numbers of the model, of a lane or of all lanes
  void (*constants)(Work* w, int lane, const mjModel* m);
  // the world of a lane, and back
  void (*load)(Work* w, int lane, const LaneRow* row);
  void (*store)(const Work* w, int lane, const LaneRow* row);
  void (*ctrl)(Work* w, int lane, const mjtNum* ctrl);
  // steps all lanes once; senses: with readings of sensors
  void (*step)(Work* w, int senses);
  // accelerations of bodies and forces on them, of the last step
  void (*body_forces)(Work* w);
  // lanes that the scalar engine has to step from the state that was loaded, as bits; starts anew
  unsigned (*failed)(Work* w);
  // of these the ones whose solver has not come to the minimum; to be asked before
  unsigned (*unsolved)(const Work* w);
  // what has happened since it was made
  LaneCount (*count)(const Work* w);
  // which parts of the body touch, in eight bits: worlds of like ones go well into one block
  unsigned (*likeness)(const Work* w, int lane);
  // a result, which belongs to the state before the step
  void (*read)(const Work* w, int lane, LaneField field, mjtNum* out);
} LaneVariant;

enum {
  LANES_MOST = 16
};
