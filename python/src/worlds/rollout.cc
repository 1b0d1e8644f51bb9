// rollout.cc: condyle._rollout._Pool, the threads behind condyle.rollout.

#include <condyle/rollout.h>
#include <condyle/state.h>

#include <vector>

#include "base/guard.h"
#include "base/release.h"
#include "model/data.h"
#include "model/model.h"
#include "worlds/worlds.h"

namespace {

constexpr const char* kBusy = "a rollout is already running in this thread pool";

class Pool {
 public:
  explicit Pool(int nthread) {
    engine([&] { pool_ = cnd_makePool(nthread); }, true);
    if (!pool_) {
      throw std::bad_alloc();
    }
  }

  ~Pool() {
    end();
  }

  void close() {
    Use use(&busy_, kBusy);
    end();
  }

  void rollout(nb::list models, nb::list datas, int nstep, unsigned int control_spec,
               nb::object state0, nb::object warmstart, nb::object control, nb::object state,
               nb::object sensordata, int chunk_size, bool lanes) {
    Use use(&busy_, kBusy);
    if (!pool_) {
      throw std::runtime_error("rollout requested after thread pool shutdown");
    }
    std::vector<const mjModel*> model;
    std::vector<mjData*> data;
    collect(&model, &data, models, datas);
    control_spec = release_state(control_spec);
    cndRollout r;
    cnd_defaultRollout(&r);
    r.nbatch = static_cast<int>(model.size());
    r.nstep = nstep;
    r.model = model.data();
    r.nmodel = r.nbatch;
    r.data = data.data();
    r.ndata = static_cast<int>(data.size());
    r.control_spec = control_spec;
    r.chunk_size = chunk_size;
    r.cancel = guard_cancel;
    r.lanes = lanes;

    size_t ncontrol = 0, nstate = 0;
    engine([&] {
      nstate = static_cast<size_t>(mj_stateSize(model[0], cndSTATE_FULLPHYSICS));
      ncontrol = static_cast<size_t>(mj_stateSize(model[0], control_spec));
    });
    size_t n = model.size(), steps = n * static_cast<size_t>(nstep > 0 ? nstep : 0);
    auto nv = static_cast<size_t>(model[0]->nv);
    auto nsensordata = static_cast<size_t>(model[0]->nsensordata);
    r.initial_state = full_numbers(state0, n * nstate, "state0", Access::kRead);
    r.initial_warmstart = full_numbers(warmstart, n * nv, "warmstart", Access::kRead);
    r.control = full_numbers(control, steps * ncontrol, "control", Access::kRead);
    r.state = full_numbers(state, steps * nstate, "state", Access::kWrite);
    r.sensordata = full_numbers(sensordata, steps * nsensordata, "sensordata", Access::kWrite);

    char error[kMessageSize];
    cndtRun run = cndRUN_DONE;
    or_raise(guarded_pool([&] { run = cnd_rollout(pool_, &r, error, sizeof error); }));
    if (run == cndRUN_FAILED) {
      PyErr_SetString(FatalError, error);
      throw nb::python_error();
    }
  }

 private:
  static void collect(std::vector<const mjModel*>* model, std::vector<mjData*>* data,
                      nb::list models, nb::list datas) {
    for (nb::handle item : models) {
      model->push_back(or_raise(model_of(item.ptr(), "model")));
    }
    for (nb::handle item : datas) {
      data->push_back(or_raise(data_of(item.ptr(), "data")));
    }
    if (model->empty() || data->empty()) {
      throw nb::value_error("a rollout needs a model and an MjData");
    }
  }

  void end() {
    cndPool* pool = pool_;
    pool_ = nullptr;
    if (pool && process_.same()) {
      Py_BEGIN_ALLOW_THREADS;
      cnd_deletePool(pool);
      Py_END_ALLOW_THREADS;
    }
  }

  cndPool* pool_ = nullptr;
  bool busy_ = false;
  Process process_;
};

}  // namespace

void init_rollout(nb::module_& module) {
  nb::class_<Pool>(module, "_Pool", "Threads for rollouts: see condyle.rollout.")
      .def(nb::init<int>(), nb::arg("nthread"))
      .def("close", &Pool::close, "End the threads; closing again does nothing.")
      .def("rollout", &Pool::rollout, nb::arg("models"), nb::arg("datas"), nb::arg("nstep"),
           nb::arg("control_spec"), nb::arg("state0"), nb::arg("warmstart").none(),
           nb::arg("control").none(), nb::arg("state").none(), nb::arg("sensordata").none(),
           nb::arg("chunk_size"), nb::arg("lanes"),
           "Simulate len(models) rollouts; arrays have their full size, see condyle.rollout.");
}
