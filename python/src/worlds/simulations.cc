// simulations.cc: condyle._condyle._Simulations, many simulations as rows of state (mjbatch.h).
// condyle/simulations.py knows names, shapes and defaults; arguments arrive here with their full
// size.
//
//   array over simulations --base--> Owner --frees--> mjBatch

#include <condyle/computed.h>
#include <mujoco/mjbatch.h>

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

struct Rows {
  mjBatch* batch;
  Process process;
};

void release(void* memory) {
  auto* rows = static_cast<Rows*>(memory);
  if (rows->process.same()) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    if (!guarded_pool([&] { mjb_deleteBatch(rows->batch); })) {
      PyErr_WriteUnraisable(nullptr);
    }
    PyErr_Restore(type, value, trace);
  }
  delete rows;
}

size_t whole(int n) {
  return static_cast<size_t>(n);
}

// Jacobians of a point of a body, each simulation its own. place: of a simulation among those
// selected.
struct Jacobians {
  const int *place, *body;
  const mjtNum* point;
  mjtNum *jacp, *jacr;
};

void compute_jacobian(const mjModel* m, mjData* d, int sim, void* argument) {
  const auto* a = static_cast<const Jacobians*>(argument);
  size_t k = whole(a->place[sim]), size = 3 * whole(m->nv);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_jac(m, d, a->jacp + k * size, a->jacr + k * size, a->point + 3 * k, a->body[k]);
}

struct Rays {
  const int* place;
  const mjtNum *pnt, *vec;
  const mjtByte* geomgroup;
  mjtByte flg_static;
  const int* bodyexclude;
  size_t nray;
  mjtNum* dist;
  int* geomid;
  mjtNum* normal;  // or NULL
};

void cast_rays(const mjModel* m, mjData* d, int sim, void* argument) {
  const auto* a = static_cast<const Rays*>(argument);
  size_t first = whole(a->place[sim]) * a->nray;
  mj_kinematics(m, d);
  if (m->nflex) {
    mj_flex(m, d);
  }
  for (size_t r = first; r < first + a->nray; r++) {
    const mjtNum *pnt = a->pnt + 3 * r, *vec = a->vec + 3 * r;
    // errors name the function that does the work
    a->dist[r] = a->normal ? cnd_rayNormal(m, d, pnt, vec, a->geomgroup, a->flg_static,
                                           a->bodyexclude[r], a->geomid + r, a->normal + 3 * r)
                           : mj_ray(m, d, pnt, vec, a->geomgroup, a->flg_static, a->bodyexclude[r],
                                    a->geomid + r);
  }
}

class Simulations {
 public:
  Simulations(nb::object model, int nsim, int nthread, bool persistent) {
    const mjModel* m = or_raise(model_of(model.ptr(), "model"));
    mjBatchConfig config = {nthread, static_cast<mjtByte>(persistent)};
    char error[kMessageSize] = "";
    mjBatch* batch = nullptr;
    engine([&] { batch = mjb_makeBatch(m, nsim, &config, error, sizeof(error)); }, true);
    if (!batch && !strcmp(error, "out of memory")) {
      throw std::bad_alloc();
    }
    if (!batch) {
      throw nb::value_error(error);
    }
    rows_ = new Rows{batch, {}};
    owner_ = steal_or_raise(owner_make(rows_, release));
    m_ = mjb_model(batch);
    n_ = whole(mjb_nsim(batch));
  }

  int nsim() {
    return mjb_nsim(batch());
  }
  int nthread() {
    return mjb_nthread(batch());
  }
  int nstate() {
    return mjb_nstate(batch());
  }
  bool persistent() {
    return mjb_persistent(batch());
  }

  // arrays

  nb::object state() {
    Py_ssize_t shape[] = {length(), mjb_nstate(batch())};
    return view(mjb_state(batch()), kNum, 2, shape);
  }

  nb::object warning() {
    Py_ssize_t shape[] = {length(), mjNWARNING, 2};
    return view(mjb_warning(batch()), Number::kInt32, 3, shape);
  }

  nb::object status() {
    Py_ssize_t shape[] = {length()};
    return view(const_cast<int*>(mjb_status(batch())), Number::kInt32, 1, shape);
  }

  nb::str error(int sim) {
    return nb::str(mjb_error(batch(), sim));
  }

  // Rows of a field of mjData, (nsim, size), or None.
  nb::object output(const char* name) {
    int size = 0;
    void* rows = nullptr;
    direct([&](mjBatch* b) { rows = mjb_output(b, name, &size, nullptr); });
    return rows ? matrix(rows, type_of_data(name), size) : nb::none();
  }

  // Rows of a field of mjModel, (nsim, size), or None.
  nb::object expand(const char* name) {
    int size = 0;
    void* rows = nullptr;
    direct([&](mjBatch* b) { rows = mjb_expand(b, name, &size, nullptr); });
    return rows ? matrix(rows, type_of_model(name), size) : nb::none();
  }

  nb::object expanded(const char* name) {
    int size = 0;
    const void* rows = nullptr;
    direct([&](mjBatch* b) { rows = mjb_expanded(b, name, &size, nullptr); });
    return rows ? matrix(const_cast<void*>(rows), type_of_model(name), size) : nb::none();
  }

  // A field of the batch's own model, (size,).
  nb::object shared(const char* name) {
    cndArray array = {};
    direct([&](mjBatch*) { cnd_modelArray(&array, m_, name); });
    if (!array.field) {
      return nb::none();
    }
    Py_ssize_t shape[] = {static_cast<Py_ssize_t>(array.rows * array.columns)};
    return view(array.data, number_of(array.field->type), 1, shape);
  }

  // calls; each returns how many simulations failed

  int step(nb::object ids, int nstep, int stage) {
    Selection s(ids);
    return run([&](mjBatch* b) { return mjb_step(b, s.ids, s.n, nstep, stage); });
  }

  int forward(nb::object ids, int stage) {
    Selection s(ids);
    return run([&](mjBatch* b) { return mjb_forward(b, s.ids, s.n, stage); });
  }

  int reset(nb::object ids, nb::object key, int stage) {
    Selection s(ids);
    const int* keys = numbers(key, count(s), "keyframe");
    return run([&](mjBatch* b) { return mjb_reset(b, s.ids, s.n, keys, stage); });
  }

  int set_const(nb::object ids) {
    Selection s(ids);
    return run([&](mjBatch* b) { return mjb_setConst(b, s.ids, s.n); });
  }

  // records: tuples of a field's name or None, bits of a state, and an array.
  int rollout(nb::object ids, int nstep, nb::object control, int spec, nb::list records) {
    Selection s(ids);
    unsigned inputs = release_state(static_cast<unsigned>(spec));
    size_t ncontrol = 0;
    engine([&] { ncontrol = whole(mj_stateSize(m_, inputs)); });
    const mjtNum* c =
        full_numbers(control, count(s) * whole(nstep) * ncontrol, "control", Access::kRead);
    std::vector<std::string> names(nb::len(records));
    std::vector<mjBatchRecord> list;
    for (size_t k = 0; k < names.size(); k++) {
      nb::tuple record = nb::cast<nb::tuple>(records[k]);
      auto* array = reinterpret_cast<PyArrayObject*>(nb::handle(record[2]).ptr());
      if (!PyArray_Check(nb::handle(record[2]).ptr()) || !PyArray_ISCARRAY(array)) {
        throw nb::type_error("a record should be a contiguous, writable array");
      }
      bool is_field = !record[0].is_none();
      names[k] = is_field ? nb::cast<std::string>(record[0]) : "";
      list.push_back({is_field ? names[k].c_str() : nullptr,
                      static_cast<int>(release_state(nb::cast<unsigned>(record[1]))),
                      PyArray_DATA(array)});
    }
    const mjBatchRecord* first = list.data();
    int nrecord = static_cast<int>(list.size());
    return run([&](mjBatch* b) {
      return mjb_rollout(b, s.ids, s.n, nstep, c, static_cast<int>(inputs), first, nrecord);
    });
  }

  int jac(nb::object ids, nb::object body, nb::object point, nb::object jacp, nb::object jacr) {
    Selection s(ids);
    size_t n = count(s), size = 3 * whole(m_->nv);
    std::vector<int> place = places(s);
    Jacobians a = {place.data(), numbers(body, n, "body"),
                   full_numbers(point, 3 * n, "point", Access::kRead),
                   full_numbers(jacp, n * size, "jacp", Access::kWrite),
                   full_numbers(jacr, n * size, "jacr", Access::kWrite)};
    return run([&](mjBatch* b) { return mjb_apply(b, s.ids, s.n, compute_jacobian, &a, 0); });
  }

  int ray(nb::object ids, nb::object pnt, nb::object vec, nb::object geomgroup, bool flg_static,
          nb::object bodyexclude, size_t nray, nb::object dist, nb::object geomid,
          nb::object normal) {
    Selection s(ids);
    size_t n = count(s) * nray;
    std::vector<int> place = places(s);
    Rays a = {place.data(),
              full_numbers(pnt, 3 * n, "pnt", Access::kRead),
              full_numbers(vec, 3 * n, "vec", Access::kRead),
              static_cast<const mjtByte*>(
                  full_array(geomgroup, Number::kUint8, mjNGROUP, "geomgroup", Access::kRead)),
              flg_static,
              numbers(bodyexclude, n, "bodyexclude"),
              nray,
              full_numbers(dist, n, "dist", Access::kWrite),
              static_cast<int*>(full_array(geomid, Number::kInt32, n, "geomid", Access::kWrite)),
              full_numbers(normal, 3 * n, "normal", Access::kWrite)};
    return run([&](mjBatch* b) { return mjb_apply(b, s.ids, s.n, cast_rays, &a, 0); });
  }

  // models and data

  void set_models(nb::object models) {
    std::vector<const mjModel*> list;
    if (!models.is_none()) {
      for (nb::handle model : models) {
        list.push_back(or_raise(model_of(model.ptr(), "models")));
      }
    }
    const mjModel* const* first = models.is_none() ? nullptr : list.data();
    direct([&](mjBatch* b) { mjb_setModels(b, first); });
  }

  void get_model(int sim, nb::object model) {
    mjModel* m = or_raise(model_of(model.ptr(), "model"));
    direct([&](mjBatch* b) { mjb_getModel(b, sim, m); });
  }

  // A new model with the values of the batch's own.
  nb::object copy_model() {
    mjModel* m = nullptr;
    direct([&](mjBatch*) { m = mj_copyModel(nullptr, m_); });
    if (!m) {
      throw std::bad_alloc();
    }
    return steal_or_raise(model_make(m));
  }

  void get_data(int sim, nb::object data) {
    mjData* d = or_raise(data_of(data.ptr(), "data"));
    direct([&](mjBatch* b) { mjb_getData(b, sim, d); });
  }

 private:
  // Selected simulations: an array of int32, or None for all.
  struct Selection {
    explicit Selection(nb::object selected) {
      if (!selected.is_none()) {
        auto* array = reinterpret_cast<PyArrayObject*>(selected.ptr());
        n = static_cast<int>(PyArray_Check(selected.ptr()) ? PyArray_SIZE(array) : 0);
        ids = static_cast<const int*>(
            full_array(selected, Number::kInt32, whole(n), "ids", Access::kRead));
      }
    }
    const int* ids = nullptr;
    int n = 0;
  };

  size_t count(const Selection& s) const {
    return s.ids ? whole(s.n) : n_;
  }

  // Where each simulation stands in a selection.
  std::vector<int> places(const Selection& s) const {
    std::vector<int> place(n_, 0);
    for (size_t k = 0; k < count(s); k++) {
      size_t sim = s.ids ? whole(s.ids[k]) : k;
      if (sim < n_) {
        place[sim] = static_cast<int>(k);
      }
    }
    return place;
  }

  static const int* numbers(nb::handle value, size_t n, const char* name) {
    return static_cast<const int*>(full_array(value, Number::kInt32, n, name, Access::kRead));
  }

  static Number type_of_data(const char* name) {
    const cndField* field = nullptr;
    const cndComputed* row = nullptr;
    for (int i = 0; (field = cnd_dataField(i)); i++) {
      if (!strcmp(field->name, name)) {
        return number_of(field->type);
      }
    }
    for (int i = 0; (row = cnd_computedField(i)); i++) {
      if (row->is_data && !strcmp(row->field.name, name)) {
        return number_of(row->field.type);
      }
    }
    throw nb::value_error(name);
  }

  Number type_of_model(const char* name) const {
    cndArray array = {};
    cnd_modelArray(&array, m_, name);
    return number_of(array.field->type);
  }

  Py_ssize_t length() const {
    return static_cast<Py_ssize_t>(n_);
  }

  nb::object view(void* data, Number type, int ndim, const Py_ssize_t* shape) {
    return steal_or_raise(array_view(data, type, ndim, shape, owner_.ptr()));
  }

  nb::object matrix(void* rows, Number type, int size) {
    Py_ssize_t shape[] = {length(), size};
    return view(rows, type, 2, shape);
  }

  mjBatch* batch() const {
    if (!rows_->process.same()) {
      throw std::runtime_error("the batch belongs to the process that forked this one");
    }
    return rows_->batch;
  }

  // Runs a short call. It gives up the interpreter's lock, because it waits for a call of another
  // thread, whose callbacks may need that lock.
  template <class Call>
  void direct(Call call) {
    mjBatch* b = batch();
    engine([&] { call(b); }, true);
  }

  // Runs a call over simulations, on all threads. Those of several Python threads wait for each
  // other in the engine.
  template <class Call>
  int run(Call call) {
    mjBatch* b = batch();
    if (const char* name = callbacks_python()) {
      throw nb::value_error((std::string(name) +
                             " is a Python function, and a batch accepts only C callbacks: "
                             "uninstall it with mujoco.set_" +
                             name + "(None), or install a C function through ctypes")
                                .c_str());
    }
    int failed = 0;
    or_raise(guarded_pool([&] { failed = call(b); }));
    return failed;
  }

  nb::object owner_;
  Rows* rows_;
  const mjModel* m_;
  size_t n_;
};

// Names of all fields of a table.
nb::list names(const cndField* (*table)(int), const char* prefix) {
  nb::list result;
  const cndField* field = nullptr;
  for (int i = 0; (field = table(i)); i++) {
    result.append(nb::str((std::string(prefix) + field->name).c_str()));
  }
  return result;
}

// Fields of mjData: those of the table, then arrays that are computed on demand.
nb::list data_names() {
  nb::list result = names(cnd_dataField, "");
  const cndComputed* row = nullptr;
  for (int i = 0; (row = cnd_computedField(i)); i++) {
    if (row->is_data) {
      result.append(nb::str(row->field.name));
    }
  }
  return result;
}

}  // namespace

void init_simulations(nb::module_& module) {
  auto ids = [] { return nb::arg("ids").none(); };
  nb::class_<Simulations>(module, "_Simulations",
                          "Many simulations as rows of state: see condyle.simulations.Batch.")
      .def(nb::init<nb::object, int, int, bool>(), nb::arg("model"), nb::arg("nsim"),
           nb::arg("nthread"), nb::arg("persistent"))
      .def_prop_ro("nsim", &Simulations::nsim)
      .def_prop_ro("nthread", &Simulations::nthread)
      .def_prop_ro("nstate", &Simulations::nstate)
      .def_prop_ro("persistent", &Simulations::persistent)
      .def("state", &Simulations::state)
      .def("warning", &Simulations::warning)
      .def("status", &Simulations::status)
      .def("error", &Simulations::error, nb::arg("sim"))
      .def("output", &Simulations::output, nb::arg("name"))
      .def("expand", &Simulations::expand, nb::arg("name"))
      .def("expanded", &Simulations::expanded, nb::arg("name"))
      .def("shared", &Simulations::shared, nb::arg("name"))
      .def("step", &Simulations::step, ids(), nb::arg("nstep"), nb::arg("stage"))
      .def("forward", &Simulations::forward, ids(), nb::arg("stage"))
      .def("reset", &Simulations::reset, ids(), nb::arg("key").none(), nb::arg("stage"))
      .def("set_const", &Simulations::set_const, ids())
      .def("rollout", &Simulations::rollout, ids(), nb::arg("nstep"), nb::arg("control").none(),
           nb::arg("spec"), nb::arg("records"))
      .def("jac", &Simulations::jac, ids(), nb::arg("body"), nb::arg("point"), nb::arg("jacp"),
           nb::arg("jacr"))
      .def("ray", &Simulations::ray, ids(), nb::arg("pnt"), nb::arg("vec"),
           nb::arg("geomgroup").none(), nb::arg("flg_static"), nb::arg("bodyexclude"),
           nb::arg("nray"), nb::arg("dist"), nb::arg("geomid"), nb::arg("normal").none())
      .def("set_models", &Simulations::set_models, nb::arg("models").none())
      .def("get_model", &Simulations::get_model, nb::arg("sim"), nb::arg("model"))
      .def("copy_model", &Simulations::copy_model)
      .def("get_data", &Simulations::get_data, nb::arg("sim"), nb::arg("data"));
  module.def("_model_field_names", [] {
    nb::list result = names(cnd_modelField, "");
    result.extend(names(cnd_optionField, "opt."));
    return result;
  });
  module.def("_data_field_names", data_names);
}
