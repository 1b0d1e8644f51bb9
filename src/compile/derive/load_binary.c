// load_binary.c: mj_loadModel and mj_loadModelBuffer, which read a binary model and check that the
// compiler could have made it.
//
// src/model checks that all ids and addresses are in bounds. Here follow checks of sensors,
// actuators and plugins, which need the rules of the compiler.          theory/model/format.md, MJB

#include <mujoco/api/base.h>
#include <mujoco/api/derive.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>
#include <stdint.h>

#include "base/memory/check.h"
#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "compile/derive/derive.h"
#include "compile/derive/sensor_fit.h"
#include "model/behaviour.h"
#include "model/derived/moment_rows.h"
#include "model/files/resource.h"
#include "model/model.h"
#include "plugin/plugins.h"

// Makes data of a model and frees them. Running out of memory is not an error of the model.
static void try_data(void* model) {
  mj_deleteData(mj_makeData(model));
}

// A plugin reports a bad configuration only when it is initialised, so this validates a loaded
// model by making and deleting an mjData.
static int plugins_work(const mjModel* m) {
  char reason[500];
  plugins_link();
  if (m->nplugin && error_catch(reason, (int)sizeof(reason), try_data, (void*)(uintptr_t)m)) {
    mju_warning("Invalid model: %s", reason);
    return 0;
  }
  return 1;
}

// Room for moments by the rule of the model.
static int64_t moment_room(const mjModel* m) {
  return behaves(m, cndBEHAVIOUR_pathdofs) ? moment_rows(m) : derive_momentsize(m, m->nv);
}

// Checks what only the compiler's rules tell. Deletes a model that breaks them.
static mjModel* checked(mjModel* m) {
  const char* wrong = !m                          ? NULL
                      : !derive_validsensors(m)   ? "sensors"
                      : moment_room(m) > m->nJmom ? "actuators"
                                                  : NULL;
  if (wrong) {
    mju_warning("Invalid model: %s out of bounds.", wrong);
  }
  if (wrong || (m && !plugins_work(m))) {
    mj_deleteModel(m);
    return NULL;
  }
  return m;
}

mjModel* mj_loadModelBuffer(const void* buffer, mjtSize buffer_sz) {
  check_arrays(buffer_sz != 0, buffer);
  if (buffer_sz > INT64_MAX) {
    mju_error("mj_loadModelBuffer: buffer_sz is %llu", (unsigned long long)buffer_sz);
  }
  return checked(model_read(buffer_sz ? buffer : "", (size_t)buffer_sz));
}

mjModel* mj_loadModel(const char* filename, const mjVFS* vfs) {
  char reason[200];
  size_t size = 0;
  const char* name = filename ? filename : "";
  char* bytes = resource_readmodel(&size, NULL, vfs, NULL, name, reason, (int)sizeof(reason));
  if (!bytes) {
    mju_warning("Error opening file '%s': %s", name, reason);
    return NULL;
  }
  mjModel* m = model_read(bytes, size);
  heap_free(bytes);
  return checked(m);
}
