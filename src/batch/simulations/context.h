// context.h: what the functions of a batch of rows share.
//
//   row i      time qpos qvel ... ctrl ...        the truth about simulation i
//   output     xpos of 0, xpos of 1, ...          copied after each call
//   expanded   body_mass of 0, of 1, ...          put into the model before each call
//
// A thread has a slot with one mjData, which it fills from a row, runs, and saves. If the batch is
// persistent, each simulation has an mjData of its own instead. The mjModel of a slot is a copy of
// the struct alone, whose pointers lead into the batch's model or to the expanded rows of the
// simulation, so nobody writes to a model that is shared.

#pragma once

#include <condyle/condyle.h>
#include <mujoco/mjbatch.h>

#include "batch/loop.h"

// A field of mjData that is copied out after calls.
typedef struct Output_ {
  cndArray array;     // rows of all simulations; shape of one
  size_t bytes;       // of a row
  int is_computed;    // on demand (condyle/computed.h)
  int is_result;      // an array that the engine fills: it may be loaded again, unlike counts
  char* fresh;        // a row as it is after a reset
  mjtByte* is_known;  // of each simulation: whether a call has filled its row
} Output;

// A field of mjModel with a row for each simulation.
typedef struct Expanded_ {
  const cndField* field;  // NULL: the statistic
  size_t offset, bytes;   // place in mjModel, of a pointer or of the numbers; bytes of a row
  int is_option, is_pointer;
  int size, elemsize;
  char* rows;
  char* seen;    // the rows for which stages were computed, if the batch is persistent
  int is_asked;  // by mjb_expand, not only derived by mjb_setConst
} Expanded;

// What a thread works with.
typedef struct SimSlot_ {
  mjData* d;       // NULL if the batch is persistent
  mjModel* own;    // the struct whose pointers lead to rows; NULL before anything is expanded
  mjtNum* box;     // bvh_aabb of it, of which a row has only the beginning
  unsigned ncall;  // the call for which own was copied
  mjModel* full;   // a whole model and data for mj_setConst; NULL before it is needed
  mjData* work;
} SimSlot;

// A simulation of a call: the k-th of its selection, and the slot of the thread that runs it.
typedef struct SimItem_ {
  mjBatch* b;
  int sim, k;
  SimSlot* slot;
} SimItem;

typedef struct SimCall_ SimCall;

// What a call does with one simulation; m is its model, d holds its state.
typedef void (*SimRun)(const SimItem* item, const SimCall* call, const mjModel* m, mjData* d);

// Arguments of a call.
struct SimCall_ {
  const char* function;
  const int* ids;  // NULL: all
  int n;
  SimRun run;
  int skips_load;  // 1: the state of d doesn't matter
  int saves;       // 1: the state goes back to the row
  int refreshes;   // 1: outputs are copied

  int nstep, stage;  // stage: what is computed at the end, NONE also if the call knows no stages
  const int* key;
  const mjtNum* control;
  unsigned int control_spec;
  int dialect;  // whose bits of states records have
  const mjBatchRecord* record;
  const Output* recorded;  // their fields
  int nrecord;
  mjfBatchFunc func;
  void* argument;
  int stores;  // mjb_setConst: whether results go to the rows, or only differences are looked for
};

struct mjBatch_ {
  mjModel* m;
  int nsim, nslot, nstate;
  int persistent;
  cndPool* pool;
  Loop loop;
  LoopError loop_error;
  pthread_mutex_t lock;  // held by the call that is running; recursive
  SimSlot* slot;
  mjData** d;  // of each simulation, if persistent

  mjtNum* state;
  mjWarningStat *warning, *own_warning;
  int* status;
  char** error;

  Output* output;
  int noutput;
  Expanded* expanded;
  int nexpanded;
  const mjModel** models;  // of each simulation, NULL: the batch's
  unsigned ncall;

  // if persistent: whether d holds the stages of a row up to velocity, and which row that was
  mjtByte* is_ahead;
  mjtNum* seen;
  mjWarningStat* seen_warning;

  const SimCall* call;
  mjtByte* differs;  // which constants mj_setConst has changed
};

enum {
  NOWN_WARNING = cndWARN_END - cndWARN_FIRST
};

static inline mjtNum* sim_row(const mjBatch* b, int sim) {
  return b->state + (size_t)sim * (size_t)b->nstate;
}
