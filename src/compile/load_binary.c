// mj_loadModel: a model as bytes, held against what the compiler would have made.
//
// The container (src/model) sees that all ids and addresses stay in their arrays; what a sensor may
// be attached to and what actuators need are known up here.                   theory/format.md, MJB

#include <mujoco/api/base.h>
#include <mujoco/api/compile.h>
#include <mujoco/api/model.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"
#include "compile/derive/derive.h"
#include "compile/mechanism/sensor.h"
#include "model/model.h"
#include "model/resource.h"

// Makes data of a model and frees them; NULL if memory is out is nothing against the model.
static void try_data(void* model) {
  mj_deleteData(mj_makeData(model));
}

// Plugins alone know what their configurations must be; they say it when data are made.
static int plugins_work(const mjModel* m) {
  char reason[500];
  if (m->nplugin && error_catch(reason, (int)sizeof(reason), try_data, (void*)(uintptr_t)m)) {
    mju_warning("Invalid model: %s", reason);
    return 0;
  }
  return 1;
}

mjModel* mj_loadModel(const char* filename, const mjVFS* vfs) {
  char reason[200];
  size_t size = 0;
  char* bytes =
      filename ? resource_read(&size, vfs, NULL, filename, reason, (int)sizeof(reason)) : NULL;
  if (!bytes) {
    mju_warning("Could not open file '%s'", filename ? filename : "");
    return NULL;
  }
  mjModel* m = model_read(bytes, size);
  heap_free(bytes);
  const char* wrong = !m                                       ? NULL
                      : !compile_soundsensors(m)               ? "sensors"
                      : derive_momentsize(m, m->nv) > m->nJmom ? "actuators"
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
