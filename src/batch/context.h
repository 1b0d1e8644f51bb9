// context.h: what the functions of a batch share.
//
// A world exists as one row in each of the columns: 1 to 2 kB for a humanoid, where an mjData takes
// 230 kB. Each thread has a slot with one mjData, which it fills from the rows of a world, steps,
// and copies back:
//
//   columns  qpos   | 0 | 1 | 2 | ... | n-1 |            slot 0: mjData, mjModel
//            qvel   | 0 | 1 | 2 | ... | n-1 |  <------>  slot 1: mjData, mjModel
//            xpos   | 0 | 1 | 2 | ... | n-1 |            ...
//
// The mjModel of a slot is a copy of the struct alone. Its pointers lead into the model's arrays
// or, for parameters that vary, to the row of the world. So a varying parameter costs a pointer,
// and nobody writes to the shared model.

#pragma once

#include <condyle/batch.h>

#include "batch/loop.h"
#include "lanes/lanes.h"
#include "lanes/setup/kept.h"

enum {
  NSTATE = 18,           // columns of the state
  MAX_PARAMETERS = 160,  // fields of mjModel that may vary
  MAX_ERRORS = 64        // texts of this many failed worlds are kept
};

// One field of all worlds.
typedef struct Column_ {
  char* data;    // n rows
  size_t bytes;  // of a row
  cndArray array;
  int lane_field;  // the LaneField of a result, NLANEFIELD if lanes don't compute it (blocks.c)
} Column;

// What the values of a parameter must satisfy.
typedef enum ParameterRule_ {
  RULE_FINITE,
  RULE_NOT_NEGATIVE,
  RULE_POSITIVE,
  RULE_SHARE,      // 0 to 1
  RULE_AT_MOST_1,  //
  RULE_DIRECTION,  // rows are vectors that are not zero
  RULE_UNIT,       // rows are unit vectors or quaternions
  RULE_NONE        // computed by us
} ParameterRule;

// A field of mjModel that differs from world to world.
typedef struct Parameter_ {
  Column column;
  size_t offset;  // place in mjModel: of a pointer, or of the numbers themselves
  int pointer;
  ParameterRule rule;
} Parameter;

// Derived fields of the model that have to be computed again when certain parameters vary.
enum {
  FOLLOW_BODY = 1,  // frames of bodies
  FOLLOW_GEOM = 2,
  FOLLOW_SITE = 4,
  FOLLOW_JOINT = 8,  // whether bodies are simple
  FOLLOW_MARGIN = 16,
  FOLLOW_GRAVCOMP = 32
};

// What a thread works with.
typedef struct Slot_ {
  _Alignas(64) mjData* d;
  char** place;        // where in d each column belongs
  mjModel* own;        // the struct that points to the rows of a world
  unsigned int call;   // the call for which own was copied
  double spent;        // on the worlds of a call that is timed, in seconds
  int64_t lane_model;  // of which the lanes' constants are, see Blocks.model

  // derived arrays of own, computed for each world; NULL until something needs them
  mjtByte *body_frame, *geom_frame, *site_frame, *simple;
  mjtNum *margin, *box;

  // arrays of fields_scratch, one behind another; NULL until mj_setConst is called
  char* scratch;
} Slot;

// What a call stores of a world at its end.
typedef enum BatchKeep_ {
  KEEP_NOTHING,
  KEEP_WARNINGS,  // their counters
  KEEP_STEP,      // what a step changes, and results; everything if the step has reset the world
  KEEP_ALL        // inputs, too
} BatchKeep;

// What a call does with one world: m is its model, slot->d holds its state.
typedef BatchKeep (*WorldCall)(cndBatch* batch, const mjModel* m, Slot* slot, int world);

// Arguments of the running call.
typedef struct BatchCall_ {
  int nstep, key;
  BatchKeep keep;  // after a step: callbacks and plugins may change inputs
  const mjtNum *control, *dnext, *dsensor;
  int nloss;  // rows of dnext for each world
  mjtNum *state, *sensordata, *A, *B, *C, *D, *dstate, *dctrl;
  const cndParameterGradient* dparam;
  int* nkink;
} BatchCall;

// What a batch knows of the time of its steps (cndLANES_MEASURED).
typedef struct Trial_ {
  int call;        // calls since the measurement began
  int timed;       // the running call is timed
  double steps;    // of all its worlds
  double time[2];  // of a step of a world, in lanes and one by one
} Trial;

// Worlds side by side (blocks.h).
typedef struct Blocks_ {
  cndtLanes choice;
  int minimum;                 // models that allow few iterations are taken to their minimum
  int set;                     // of instructions, 0: the widest that the machine has
  int varied;                  // whether parameters of the model differ from lane to lane
  LaneStructure* structure;    // NULL if lanes are switched off
  const LaneVariant* variant;  // NULL if the model has no lanes
  void** work;                 // of each slot
  void** room;                 // the memory that holds it
  int* order;                  // the worlds of the call, norder of them, similar ones together
  mjtByte* like;               // similarity key of each world, from its last block
  int norder, nstep, last;     // steps made in lanes; last: the scalar engine makes one more
  int runs;                    // whether the call uses lanes
  int senses;                  // when sensors are read in them
  mjtByte* left;               // what the second loop has to do for each world
  float* way;                  // rows of LaneRow.way; NULL if they would take much memory
  uint64_t* list;              // rows of LaneRow.list; NULL if they would take much memory
  char* touches;               // rows of LaneRow.touches; NULL if they would take much memory
  LaneKept* kept;              // the model as it was when steps were last made in lanes
  int64_t model;               // counts the models that it has been
  mjtByte* rest;               // calls for which each world still goes one by one
  int rest_all;                // calls for which all do
  mjtByte* unsolved;           // worlds of the last call whose solver ended short of the minimum
  LaneCount before, count;     // of all threads: up to the last call, and of it
  Trial trial;
} Blocks;

struct cndBatch_ {
  const mjModel* m;
  int n, nslot;
  cndPool* pool;
  Slot* slot;

  Column state[NSTATE];
  int filled[NSTATE], nfilled;  // those with numbers, without counters of warnings; first those
  int nmoving;                  // that a step changes
  Column* output;               // exposed fields that are no state
  int noutput;
  Parameter parameter[MAX_PARAMETERS];
  int nparameter, follows;
  int body_forces;  // 1: mj_rnePostConstraint after the last step
  Blocks lanes;

  Loop loop;
  BatchCall call;
  WorldCall run;
  unsigned int ncall;
  int busy;                       // 1 between cnd_batchStepAsync and cnd_batchWait
  mjtByte* mask;                  // of the call
  mjtByte* failed;                // in the last call
  mjtByte* has_warned;            // the world has counted warnings
  char error[REPORT_BYTES + 32];  // text of the first world that failed
};

// Ends in mju_error if the batch is NULL or a step is under way.
void batch_check(const char* function, const cndBatch* batch);
