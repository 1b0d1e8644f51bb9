// module.cc: the extension condyle._condyle. Each section of it adds its names.

#define CONDYLE_PYTHON_MODULE
#include "base/common.h"
#include "model/vfs.h"

namespace {

bool import_numpy() {
  return PyArray_ImportNumPyAPI() >= 0;
}

}  // namespace

NB_MODULE(_condyle, module) {
  or_raise(import_numpy());
  nb::set_leak_warnings(false);  // callbacks that are set may hold anything until the end
  module.attr("MJTNUM_BYTES") = sizeof(mjtNum);
  init_guard(module);
  init_release(module);
  init_wrapper(module);
  init_structs(module);
  init_log(module);
  init_vfs(module);
  init_model(module);
  init_data(module);
  init_lists(module);
  init_named(module);
  init_functions(module);
  init_render(module);
  init_viewing(module);
  init_callbacks(module);
  init_replay(module);
  init_rollout(module);
  init_batch(module);
  init_simulations(module);
  init_spec(module);
}
