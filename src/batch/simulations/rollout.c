// rollout.c: steps with controls of their own, and records of each.

#include <condyle/state.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>
#include <stdint.h>
#include <string.h>

#include "base/memory/memory.h"
#include "batch/simulations/check.h"
#include "batch/simulations/output.h"
#include "batch/simulations/run.h"

// The parts of a recorded state, in our own numbers.
static unsigned int parts_of(const mjBatchRecord* record, int dialect) {
  return cnd_stateSignature(dialect, record->spec);
}

// Describes what is recorded: a field, or a state, of which only the bytes are known.
static int describe(Output* out, const mjBatch* b, const mjBatchRecord* record, int dialect) {
  if (record->field) {
    return output_find(out, b, record->field, 1);
  }
  *out = (Output){0};
  const int known = cndSTATE_INTEGRATION;
  if (record->spec & ~(dialect >= 400 ? (1 << 15) - 1 : known)) {
    return 0;
  }
  out->bytes = (size_t)mj_stateSize(b->m, parts_of(record, dialect)) * sizeof(mjtNum);
  return 1;
}

// Copies all records of step t of the k-th simulation; from those of the step before if d is NULL.
static void write_records(const SimCall* call, const mjModel* m, const mjData* d, int k, int t) {
  for (int r = 0; r < call->nrecord; r++) {
    const mjBatchRecord* record = call->record + r;
    size_t bytes = call->recorded[r].bytes;
    size_t row = (size_t)k * (size_t)call->nstep + (size_t)t;
    char* to = (char*)record->buf + row * bytes;
    if (!bytes) {
      continue;
    }
    if (!d) {
      memcpy(to, to - bytes, bytes);
    } else if (record->field) {
      output_copy(to, call->recorded + r, m, d);
    } else {
      mj_getState(m, d, (mjtNum*)(void*)to, parts_of(record, call->dialect));
    }
  }
}

static int64_t count_warnings(const mjData* d) {
  int64_t n = 0;
  for (int i = 0; i < mjNWARNING; i++) {
    n += d->warning[i].number;
  }
  for (int i = 0; i < NOWN_WARNING; i++) {
    n += d->cnd_warning[i].number;
  }
  return n;
}

// A simulation that has counted a new warning repeats its last records.
static void run_rollout(const SimItem* item, const SimCall* call, const mjModel* m, mjData* d) {
  size_t ncontrol = call->control ? (size_t)mj_stateSize(m, call->control_spec) : 0;
  size_t first = (size_t)item->k * (size_t)call->nstep;
  int64_t warnings = count_warnings(d);
  int has_stopped = 0;
  for (int t = 0; t < call->nstep; t++) {
    if (!has_stopped) {
      if (ncontrol) {
        sim_set_state(m, d, call->control + (first + (size_t)t) * ncontrol, call->control_spec);
      }
      mj_step(m, d);
    }
    write_records(call, m, has_stopped ? NULL : d, item->k, t);
    has_stopped |= count_warnings(d) > warnings;
  }
}

static void check_records(const mjBatch* b, const mjBatchRecord* record, int nrecord, int dialect) {
  if (nrecord > 0 && !record) {
    mju_error("mjb_rollout: record is NULL but nrecord is positive");
  }
  for (int r = 0; r < nrecord; r++) {
    Output output;
    int is_known = describe(&output, b, record + r, dialect);
    if (!is_known && record[r].field) {
      mju_error("mjb_rollout: unknown field '%s'", record[r].field);
    }
    if (!is_known) {
      mju_error("mjb_rollout: invalid state spec %d in record %d", record[r].spec, r);
    }
    if (!record[r].buf && output.bytes) {
      mju_error("mjb_rollout: record %d has no buffer", r);
    }
  }
}

int cnd_rolloutAs(int dialect, mjBatch* b, const int* ids, int nid, int nstep,
                  const mjtNum* control, int control_spec, const mjBatchRecord* record,
                  int nrecord) {
  SimCall call = sim_call("mjb_rollout", b, ids, nid, run_rollout);
  if (nstep <= 0) {
    mju_error("mjb_rollout: nstep must be positive");
  }
  int is_known = control_spec >= 0 && control_spec < 1 << 15;
  int parts = control && is_known ? (int)cnd_stateSignature(dialect, control_spec) : 0;
  if (control && (!is_known || (parts & ~mjSTATE_USER))) {
    mju_error("mjb_rollout: control_spec must be a subset of mjSTATE_USER");
  }
  check_records(b, record, nrecord, dialect);
  size_t count = nrecord > 0 ? (size_t)nrecord : 0;
  Output* recorded = memory_take(count * sizeof(Output) + 1);
  if (!recorded) {
    mju_error("mjb_rollout: " MEMORY_OUT);
  }
  for (size_t r = 0; r < count; r++) {
    describe(recorded + r, b, record + r, dialect);
  }
  call.nstep = nstep;
  call.control = control;
  call.control_spec = (unsigned int)parts;
  call.dialect = dialect;
  call.record = record;
  call.recorded = recorded;
  call.nrecord = (int)count;
  call.saves = call.refreshes = 1;
  int failed = sim_run(b, &call);
  mju_free(recorded);
  return failed;
}

int mjb_rollout(mjBatch* b, const int* ids, int nid, int nstep, const mjtNum* control,
                int control_spec, const mjBatchRecord* record, int nrecord) {
  return cnd_rolloutAs(337, b, ids, nid, nstep, control, control_spec, record, nrecord);
}
