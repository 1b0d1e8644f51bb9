// batch.cc: condyle._condyle._Batch, many worlds of one model. condyle/batch.py knows names, shapes
// and defaults; arguments arrive here with their full size.
//
//   array over worlds --base--> Owner --frees--> cndBatch
//                               Owner --keep---> Owner of the mjModel

#include <condyle/batch.h>
#include <condyle/state.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/guard.h"
#include "base/release.h"
#include "model/data.h"
#include "model/model.h"
#include "worlds/worlds.h"

namespace {

struct Worlds {
  cndBatch* batch;
  Process process;
};

void release(void* memory) {
  auto* worlds = static_cast<Worlds*>(memory);
  if (worlds->process.same()) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    if (!guarded_pool([&] { cnd_deleteBatch(worlds->batch); })) {
      PyErr_WriteUnraisable(nullptr);
    }
    PyErr_Restore(type, value, trace);
  }
  delete worlds;
}

class Batch {
 public:
  Batch(nb::object model, int n, int nthread) : model_(model) {
    const mjModel* m = or_raise(model_of(model.ptr(), "model"));
    cndBatch* batch = nullptr;
    engine([&] { batch = cnd_makeBatch(m, n, nthread); }, true);
    if (!batch) {
      throw std::bad_alloc();
    }
    cnd_batchCancel(batch, guard_cancel, nullptr);
    worlds_ = new Worlds{batch, {}};
    owner_ = steal_or_raise(
        owner_make(worlds_, release, reinterpret_cast<Wrapper*>(model.ptr())->owner));
    n_ = static_cast<size_t>(n);
    m_ = m;
  }

  // Releases the batch. Its memory and threads stay as long as arrays refer to it.
  void close() {
    if (!closed()) {
      Use use(&busy_, kBusy);
      owner_ = nb::object();
    }
  }

  bool closed() const {
    return !owner_.is_valid();
  }
  nb::object model() const {
    return model_;
  }

  // arrays

  nb::object expose(const char* name) {
    cndArray array;
    direct([&](cndBatch* batch) { cnd_batchExpose(&array, batch, name); });
    return view(array);
  }

  nb::object vary(const char* name) {
    cndArray array;
    direct([&](cndBatch* batch) { cnd_batchVary(&array, batch, name); });
    return view(array);
  }

  void body_forces(bool on) {
    direct([&](cndBatch* batch) { cnd_batchBodyForces(batch, on); });
  }

  void minimum(bool on) {
    direct([&](cndBatch* batch) { cnd_batchMinimum(batch, on); });
  }

  // on: None where they pay, "measured" the same by the clock
  int lanes(const nb::object& on, bool single) {
    int n = 0;
    bool measured = nb::isinstance<nb::str>(on);
    bool off = !on.is_none() && !measured && !nb::cast<bool>(on);
    cndtLanes choice = off            ? cndLANES_OFF
                       : single       ? cndLANES_SINGLE
                       : measured     ? cndLANES_MEASURED
                       : on.is_none() ? cndLANES_AUTO
                                      : cndLANES_DOUBLE;
    direct([&](cndBatch* batch) { n = cnd_batchLanes(batch, choice); });
    return n;
  }

  nb::object why() {
    const char* text = nullptr;
    direct([&](cndBatch* batch) { text = cnd_batchWhy(batch); });
    return text ? nb::object(nb::str(text)) : nb::none();
  }

  int left() {
    int n = 0;
    direct([&](cndBatch* batch) { n = cnd_batchLeft(batch); });
    return n;
  }

  nb::dict stats() {
    cndBatchStats s;
    direct([&](cndBatch* batch) { cnd_batchStats(&s, batch); });
    nb::dict result;
    result["lanes"] = s.lanes;
    result["left"] = s.left;
    result["unsolved"] = s.unsolved;
    result["alone"] = s.alone;
    result["filled"] = s.filled;
    result["solving"] = s.solving;
    result["touching"] = s.touching;
    result["iterations"] = s.iterations;
    result["colliders"] = s.colliders;
    return result;
  }

  nb::object failed() {
    const mjtByte* bytes = nullptr;
    direct([&](cndBatch* batch) { bytes = cnd_batchFailed(batch); });
    auto n = static_cast<Py_ssize_t>(n_);
    return steal_or_raise(
        array_view(const_cast<mjtByte*>(bytes), Number::kUint8, 1, &n, owner_.ptr()));
  }

  nb::str error() {
    const char* text = "";
    direct([&](cndBatch* batch) { text = cnd_batchError(batch); });
    return nb::str(text);
  }

  // Texts of the worlds that failed, by world.
  nb::dict errors() {
    nb::dict result;
    const mjtByte* bytes = nullptr;
    direct([&](cndBatch* batch) { bytes = cnd_batchFailed(batch); });
    for (size_t i = 0; i < n_; i++) {
      if (bytes[i]) {
        const char* text = "";
        int world = static_cast<int>(i);
        direct([&](cndBatch* batch) { text = cnd_batchWorldError(batch, world); });
        result[nb::int_(world)] = nb::str(text);
      }
    }
    return result;
  }

  // state

  void get_state(nb::object mask, nb::object state, unsigned int spec) {
    spec = release_state(spec);
    const mjtByte* which = bytes(mask);
    mjtNum* to = full_numbers(state, n_ * state_size(spec), "state", Access::kWrite);
    direct([&](cndBatch* batch) { cnd_batchGetState(batch, which, to, spec); });
  }

  void set_state(nb::object mask, nb::object state, unsigned int spec) {
    spec = release_state(spec);
    const mjtByte* which = bytes(mask);
    const mjtNum* from = full_numbers(state, n_ * state_size(spec), "state", Access::kRead);
    direct([&](cndBatch* batch) { cnd_batchSetState(batch, which, from, spec); });
  }

  void get_data(int world, nb::object data) {
    mjData* d = or_raise(data_of(data.ptr(), "data"));
    direct([&](cndBatch* batch) { cnd_batchGetData(batch, world, d); });
  }

  void set_data(int world, nb::object data) {
    mjData* d = or_raise(data_of(data.ptr(), "data"));
    direct([&](cndBatch* batch) { cnd_batchSetData(batch, world, d); });
  }

  nb::object copy_model(int world) {
    mjModel* m = nullptr;
    direct([&](cndBatch* batch) { m = cnd_batchCopyModel(batch, world); });
    if (!m) {
      throw std::bad_alloc();
    }
    return steal_or_raise(model_make(m));
  }

  // calls over all worlds; each returns false if some failed

  bool set_const(nb::object mask) {
    const mjtByte* which = bytes(mask);
    return run([&](cndBatch* batch) { return cnd_batchSetConst(batch, which); });
  }

  bool reset(nb::object mask, int key) {
    const mjtByte* which = bytes(mask);
    return run([&](cndBatch* batch) { return cnd_batchReset(batch, which, key); });
  }

  bool forward(nb::object mask) {
    const mjtByte* which = bytes(mask);
    return run([&](cndBatch* batch) { return cnd_batchForward(batch, which); });
  }

  bool step(nb::object mask, nb::object ctrl, int nstep) {
    const mjtByte* which = bytes(mask);
    const mjtNum* controls = full_numbers(ctrl, n_ * size(m_->nu), "ctrl", Access::kRead);
    return run([&](cndBatch* batch) { return cnd_batchStep(batch, which, controls, nstep); });
  }

  void step_async(nb::object mask, nb::object ctrl, int nstep) {
    const mjtByte* which = bytes(mask);
    const mjtNum* controls = full_numbers(ctrl, n_ * size(m_->nu), "ctrl", Access::kRead);
    direct([&](cndBatch* batch) { cnd_batchStepAsync(batch, which, controls, nstep); });
  }

  bool wait() {
    return run([](cndBatch* batch) { return cnd_batchWait(batch); });
  }

  bool rollout(int nstep, nb::object control, nb::object state, nb::object sensordata) {
    size_t rows = n_ * size(nstep > 0 ? nstep : 0), nstate = state_size(cndSTATE_FULLPHYSICS);
    const mjtNum* c = full_numbers(control, rows * size(m_->nu), "control", Access::kRead);
    mjtNum* x = full_numbers(state, rows * nstate, "state", Access::kWrite);
    mjtNum* s =
        full_numbers(sensordata, rows * size(m_->nsensordata), "sensordata", Access::kWrite);
    return run([&](cndBatch* batch) { return cnd_batchRollout(batch, nstep, c, x, s); });
  }

  // derivatives

  bool transition(nb::object A, nb::object B, nb::object C, nb::object D, nb::object kinks) {
    size_t nx = state_width(), nu = size(m_->nu), ns = size(m_->nsensordata);
    mjtNum* a = full_numbers(A, n_ * nx * nx, "A", Access::kWrite);
    mjtNum* b = full_numbers(B, n_ * nx * nu, "B", Access::kWrite);
    mjtNum* c = full_numbers(C, n_ * ns * nx, "C", Access::kWrite);
    mjtNum* d = full_numbers(D, n_ * ns * nu, "D", Access::kWrite);
    auto* k = static_cast<int*>(full_array(kinks, Number::kInt32, n_, "kinks", Access::kWrite));
    return run([&](cndBatch* batch) { return cnd_batchTransition(batch, a, b, c, d, k); });
  }

  bool adjoints(int count, nb::object dnext, nb::object dsensor, nb::object dstate,
                nb::object dctrl, nb::dict parameters, nb::object kinks) {
    size_t nx = state_width(), rows = n_ * size(count > 0 ? count : 0);
    const mjtNum* y = full_numbers(dnext, rows * nx, "dnext", Access::kRead);
    const mjtNum* s = full_numbers(dsensor, rows * size(m_->nsensordata), "dsensor", Access::kRead);
    mjtNum* x = full_numbers(dstate, rows * nx, "dstate", Access::kWrite);
    mjtNum* u = full_numbers(dctrl, rows * size(m_->nu), "dctrl", Access::kWrite);
    auto* k = static_cast<int*>(full_array(kinks, Number::kInt32, n_, "kinks", Access::kWrite));
    cndParameterGradient gradient = gradients(parameters, rows);
    const cndParameterGradient* p = parameters.size() ? &gradient : nullptr;
    return run([&](cndBatch* batch) { return cnd_batchAdjoints(batch, count, y, s, x, u, p, k); });
  }

  // Names of the parameters with gradients, and the sizes of one world.
  nb::dict gradient_sizes() const {
    nb::dict result;
    for (const Gradient& g : gradient_table(m_)) {
      result[g.name] = nb::make_tuple(g.rows, g.columns);
    }
    return result;
  }

 private:
  static constexpr const char* kBusy = "the batch is in use by another thread";

  struct Gradient {
    const char* name;
    mjtNum* cndParameterGradient::*place;
    int rows, columns;
  };

  static std::vector<Gradient> gradient_table(const mjModel* m) {
    using P = cndParameterGradient;
    return {{"body_mass", &P::body_mass, m->nbody, 1},
            {"body_inertia", &P::body_inertia, m->nbody, 3},
            {"dof_damping", &P::dof_damping, m->nv, 1},
            {"dof_armature", &P::dof_armature, m->nv, 1},
            {"actuator_gainprm", &P::actuator_gainprm, m->nu, mjNGAIN},
            {"actuator_biasprm", &P::actuator_biasprm, m->nu, mjNBIAS},
            {"geom_friction", &P::geom_friction, m->ngeom, 3},
            {"pair_friction", &P::pair_friction, m->npair, 5},
            {"geom_pos", &P::geom_pos, m->ngeom, 3},
            {"geom_turn", &P::geom_turn, m->ngeom, 3},
            {"geom_size", &P::geom_size, m->ngeom, 3},
            {"dof_frictionloss", &P::dof_frictionloss, m->nv, 1},
            {"tendon_frictionloss", &P::tendon_frictionloss, m->ntendon, 1}};
  }

  cndParameterGradient gradients(nb::dict arrays, size_t rows) const {
    cndParameterGradient gradient = {};
    size_t found = 0;
    for (const Gradient& g : gradient_table(m_)) {
      if (arrays.contains(g.name)) {
        gradient.*g.place = full_numbers(arrays[g.name], rows * size(g.rows) * size(g.columns),
                                         g.name, Access::kWrite);
        found++;
      }
    }
    if (found < arrays.size()) {
      throw nb::key_error("there are no gradients by some of these parameters");
    }
    return gradient;
  }

  static size_t size(int n) {
    return static_cast<size_t>(n);
  }
  size_t state_width() const {
    return size(2 * m_->nv + m_->na);
  }

  size_t state_size(unsigned int spec) const {
    int result = 0;
    engine([&] { result = mj_stateSize(m_, spec); });
    return size(result);
  }

  const mjtByte* bytes(nb::handle mask) const {
    return static_cast<const mjtByte*>(full_array(mask, Number::kUint8, n_, "mask", Access::kRead));
  }

  cndBatch* batch() const {
    if (closed()) {
      throw std::runtime_error("the batch is closed");
    }
    if (!worlds_->process.same()) {
      throw std::runtime_error("the batch belongs to the process that forked this one");
    }
    return worlds_->batch;
  }

  // Runs a short call, keeping the interpreter's lock.
  template <class Call>
  void direct(Call call) {
    cndBatch* b = batch();
    Use use(&busy_, kBusy);
    engine([&] { call(b); });
  }

  // Runs a call over all worlds, on all threads.
  template <class Call>
  bool run(Call call) {
    cndBatch* b = batch();
    Use use(&busy_, kBusy);
    cndtRun result = cndRUN_DONE;
    or_raise(guarded_pool([&] { result = call(b); }));
    return result != cndRUN_FAILED;
  }

  // View of a field over all worlds: (n,), (n, rows) or (n, rows, columns).
  nb::object view(const cndArray& array) {
    const cndField* field = array.field;
    Py_ssize_t shape[] = {static_cast<Py_ssize_t>(n_), static_cast<Py_ssize_t>(array.rows),
                          static_cast<Py_ssize_t>(array.columns)};
    if (!strcmp(field->type, "mjWarningStat")) {
      return view_warnings(array, shape);
    }
    if (strstr(field->type, "Stat")) {
      throw nb::type_error((std::string(field->name) + " is no array of numbers").c_str());
    }
    int ndim = strcmp(field->columns, "1") ? 3 : strcmp(field->rows, "1") ? 2 : 1;
    return steal_or_raise(
        array_view(array.data, number_of(field->type), ndim, shape, owner_.ptr()));
  }

  // View of the counters of warnings.
  nb::object view_warnings(const cndArray& array, const Py_ssize_t* shape) {
    auto row = static_cast<Py_ssize_t>(sizeof(mjWarningStat));
    Py_ssize_t strides[] = {shape[1] * row, row};
    char* first = static_cast<char*>(array.data) + offsetof(mjWarningStat, number);
    return steal_or_raise(array_view(first, Number::kInt32, 2, shape, owner_.ptr(), strides));
  }

  nb::object model_;
  nb::object owner_;
  Worlds* worlds_;
  const mjModel* m_;
  size_t n_;
  bool busy_ = false;
};

nb::object fixed(const char* name) {
  const char* reason = cnd_batchFixed(name);
  return reason ? nb::object(nb::str(reason)) : nb::none();
}

}  // namespace

void init_batch(nb::module_& module) {
  auto mask = [] { return nb::arg("mask").none(); };
  nb::class_<Batch>(module, "_Batch", "Many worlds of one model: see condyle.Batch.")
      .def(nb::init<nb::object, int, int>(), nb::arg("model"), nb::arg("n"), nb::arg("nthread"))
      .def("close", &Batch::close)
      .def_prop_ro("closed", &Batch::closed)
      .def_prop_ro("model", &Batch::model)
      .def("expose", &Batch::expose, nb::arg("name"))
      .def("vary", &Batch::vary, nb::arg("name"))
      .def_static("fixed", &fixed, nb::arg("name"))
      .def("body_forces", &Batch::body_forces, nb::arg("on"))
      .def("minimum", &Batch::minimum, nb::arg("on"))
      .def("lanes", &Batch::lanes, nb::arg("on").none(), nb::arg("single"))
      .def_prop_ro("why", &Batch::why)
      .def_prop_ro("left", &Batch::left)
      .def_prop_ro("stats", &Batch::stats)
      .def_prop_ro("failed", &Batch::failed)
      .def_prop_ro("error", &Batch::error)
      .def_prop_ro("errors", &Batch::errors)
      .def("get_state", &Batch::get_state, mask(), nb::arg("state"), nb::arg("spec"))
      .def("set_state", &Batch::set_state, mask(), nb::arg("state"), nb::arg("spec"))
      .def("get_data", &Batch::get_data, nb::arg("world"), nb::arg("data"))
      .def("set_data", &Batch::set_data, nb::arg("world"), nb::arg("data"))
      .def("copy_model", &Batch::copy_model, nb::arg("world"))
      .def("set_const", &Batch::set_const, mask())
      .def("reset", &Batch::reset, mask(), nb::arg("key"))
      .def("forward", &Batch::forward, mask())
      .def("step", &Batch::step, mask(), nb::arg("ctrl").none(), nb::arg("nstep"))
      .def("step_async", &Batch::step_async, mask(), nb::arg("ctrl").none(), nb::arg("nstep"))
      .def("wait", &Batch::wait)
      .def("rollout", &Batch::rollout, nb::arg("nstep"), nb::arg("control").none(),
           nb::arg("state").none(), nb::arg("sensordata").none())
      .def("transition", &Batch::transition, nb::arg("A").none(), nb::arg("B").none(),
           nb::arg("C").none(), nb::arg("D").none(), nb::arg("kinks").none())
      .def("adjoints", &Batch::adjoints, nb::arg("count"), nb::arg("dnext"),
           nb::arg("dsensor").none(), nb::arg("dstate").none(), nb::arg("dctrl").none(),
           nb::arg("parameters"), nb::arg("kinks").none())
      .def("gradient_sizes", &Batch::gradient_sizes);
}
