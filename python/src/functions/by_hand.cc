// by_hand.cc: functions whose calls no table can describe: texts that C writes to
// buffers, arguments in two orders, capsules. rules.py says how they are called and what they do.

#include <condyle/view.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/number.h"
#include "base/release.h"
#include "base/structs.h"
#include "drawing/render.h"
#include "model/data.h"
#include "model/model.h"

namespace {

#include "by_hand.inc"

// mj_step(m, d, nstep=1), the function that is called most, without the table
PyObject* step(PyObject*, PyObject* const* args, Py_ssize_t nargs, PyObject* keywords) {
  static const char* const names[] = {"m", "d", "nstep"};
  PyObject* objects[3] = {nullptr, nullptr, nullptr};
  Py_ssize_t nkey = keywords ? PyTuple_Size(keywords) : 0;
  for (Py_ssize_t i = 0; i < nargs + nkey; i++) {
    Py_ssize_t to = i;
    if (i >= nargs) {
      PyObject* name = PyTuple_GetItem(keywords, i - nargs);
      for (to = 0; to < 3 && PyUnicode_CompareWithASCIIString(name, names[to]); to++) {
      }
    }
    if (to >= 3 || objects[to]) {
      PyErr_SetString(PyExc_TypeError, "mj_step() takes arguments m, d, nstep=1");
      return nullptr;
    }
    objects[to] = args[i];
  }
  if (!objects[0] || !objects[1]) {
    PyErr_SetString(PyExc_TypeError, "mj_step() is missing arguments m, d");
    return nullptr;
  }
  struct {
    mjModel* m;
    mjData* d;
    long long nstep;
  } call = {model_of(objects[0], "m"), nullptr, 1};
  if (!call.m || !(call.d = data_for(objects[1], call.m, "d")) ||
      (objects[2] && !number_to_int(&call.nstep, objects[2], INT_MIN, INT_MAX, "nstep"))) {
    return nullptr;
  }
  bool done = guarded(
      [&call] {
        for (long long i = 0; i < call.nstep; i++) {
          mj_step(call.m, call.d);
        }
      },
      true);
  return done ? Py_NewRef(Py_None) : nullptr;
}

PyMethodDef kStep = {"mj_step", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(step)),
                     METH_FASTCALL | METH_KEYWORDS, doc_mj_step};

[[noreturn]] void raise(const char* text) {
  PyErr_SetString(FatalError, text);
  nb::raise_python_error();
}

// Runs an engine call without the interpreter's lock; raises (C++) if it ends in an error.
template <class Function>
void call(Function&& function) {
  engine(function, true);
}

mjModel* as_model(nb::handle object) {
  return or_raise(model_of(object.ptr(), "m"));
}

mjData* as_data(nb::handle object, const mjModel* m) {
  return or_raise(data_for(object.ptr(), m, "d"));
}

// An array argument that is given back at the end of its scope.
struct Held : ArrayArgument {
  Held() {
    array = nullptr;
  }
  ~Held() {
    Py_XDECREF(array);
  }
  void output(nb::handle value, Number type, bool flat, const char* name) {
    or_raise(value.is_none() || array_output(this, value.ptr(), type, flat, name));
  }
  void input(nb::handle value, Number type, bool flat, const char* name) {
    or_raise(value.is_none() || array_input(this, value.ptr(), type, flat, name));
  }
  template <class T>
  T* as() const {
    return array ? static_cast<T*>(data) : nullptr;
  }
};

// The old order is (m, dst, M), the newer one (m, d, dst).
void full_inertia(nb::handle m, nb::handle second, nb::handle third) {
  const mjModel* model = as_model(m);
  bool newer = !PyArray_Check(second.ptr());
  Held dst, inertia;
  dst.output(newer ? third : second, kNum, false, "dst");
  if (!dst.array || dst.rows != model->nv || dst.columns != model->nv) {
    throw nb::type_error("dst should be of shape (nv, nv)");
  }
  mjtNum* result = dst.as<mjtNum>();
  const mjtNum* M;
  if (newer) {
    M = as_data(second, model)->qM;
  } else {
    inertia.input(third, kNum, true, "M");
    if (!inertia.array || inertia.size != model->nM) {
      throw nb::type_error("M should be of size nM");
    }
    M = inertia.as<mjtNum>();
  }
  call([&] { mj_fullM(model, result, M); });
}

void save_model(nb::handle m, nb::handle filename, nb::handle buffer) {
  const mjModel* model = as_model(m);
  const char* name = filename.is_none() ? nullptr : text_argument(filename, "filename");
  Held bytes;
  bytes.output(buffer, Number::kUint8, true, "buffer");
  void* data = bytes.as<void>();
  int size = static_cast<int>(std::min<Py_ssize_t>(bytes.array ? bytes.size : 0, INT_MAX));
  call([&] { mj_saveModel(model, name, data, size); });
}

void save_last_xml(nb::handle filename, nb::handle m) {
  const char* name = filename.is_none() ? nullptr : text_argument(filename, "filename");
  const mjModel* model = as_model(m);
  char error[kMessageSize] = "";
  int done = 0;
  call([&] { done = mj_saveLastXML(name, model, error, sizeof error); });
  if (!done) {
    raise(error);
  }
}

void set_length_range(nb::handle m, nb::handle d, int index, nb::handle opt) {
  mjModel* model = as_model(m);
  mjData* data = as_data(d, model);
  mjLROpt standard;
  mj_defaultLROpt(&standard);
  const mjLROpt* options = opt.is_none() ? &standard : as_struct<mjLROpt>(opt, "mjLROpt", "opt");
  char error[kMessageSize] = "";
  int done = 0;
  call([&] { done = mj_setLengthRange(model, data, index, options, error, sizeof error); });
  if (!done) {
    raise(error);
  }
}

nb::str print_schema(Truth flg_html, Truth flg_pad) {
  int size = 0;
  call([&] { size = mj_printSchema(nullptr, nullptr, 0, flg_html.value, flg_pad.value); });
  std::vector<char> text(static_cast<size_t>(size) + 1);
  char* buffer = text.data();
  call([&] { mj_printSchema(nullptr, buffer, size + 1, flg_html.value, flg_pad.value); });
  return nb::str(buffer);
}

nb::list dependencies(nb::handle filename) {
  const char* name = text_argument(filename, "filename");
  mjStringVec names;
  mjStringVec* list = &names;
  call([&] { mju_getXMLDependencies(name, list); });
  nb::list result;
  for (const auto& file : names) {
    result.append(nb::str(file.c_str()));
  }
  return result;
}

void load_plugins(nb::handle directory) {
  const char* name = text_argument(directory, "directory");
  call([&] { mj_loadAllPluginLibraries(name, nullptr); });
}

double geom_distance(nb::handle m, nb::handle d, int geom1, int geom2, double distmax,
                     nb::handle fromto) {
  const mjModel* model = as_model(m);
  mjData* data = as_data(d, model);
  Held segment;
  segment.output(fromto, kNum, false, "fromto");
  if (segment.array && segment.size != 6) {
    throw nb::type_error("fromto should be of size 6");
  }
  mjtNum* points = segment.as<mjtNum>();
  mjtNum distance = 0;
  call([&] {
    distance = mj_geomDistance(model, data, geom1, geom2, static_cast<mjtNum>(distmax), points);
  });
  return static_cast<double>(distance);
}

// num2 may be an array of one number, which receives a second sample; a plain number is ignored.
double standard_normal(nb::handle num2) {
  Held second;
  if (PyArray_Check(num2.ptr())) {
    second.output(num2, kNum, true, "num2");
    if (second.size != 1) {
      throw nb::type_error("num2 should be of size 1");
    }
  }
  mjtNum* place = second.as<mjtNum>();
  mjtNum value = 0;
  call([&] { value = mju_standardNormal(place); });
  return static_cast<double>(value);
}

void copy_data(nb::handle dest, nb::handle m, nb::handle src) {
  const mjModel* model = as_model(m);
  mjData* to = or_raise(data_for(dest.ptr(), model, "dest"));
  const mjData* from = or_raise(data_for(src.ptr(), model, "src"));
  mjData* done = to;
  call([&] { done = to == from ? to : mj_copyData(to, model, from); });
  if (!done) {
    throw std::bad_alloc();
  }
}

// A contiguous array as a vector on the same memory; anything else as it is.
nb::object flat(nb::handle value) {
  bool more =
      PyArray_Check(value.ptr()) && PyArray_ISCARRAY(reinterpret_cast<PyArrayObject*>(value.ptr()));
  return more ? nb::object(value.attr("reshape")(-1)) : nb::borrow(value);
}

// Without normals before the number of rays as in 3.3.7, or with them as in 4.0.
void multi_ray(nb::handle m, nb::handle d, nb::handle pnt, nb::handle vec, nb::handle geomgroup,
               Truth flg_static, int bodyexclude, nb::handle geomid, nb::handle dist,
               nb::object normal, nb::object nray, nb::object cutoff) {
  const mjModel* model = as_model(m);
  mjData* data = as_data(d, model);
  if (nray.is_none() || cutoff.is_none()) {
    // the places of three arguments hold two
    bool shifted = cutoff.is_none() && !nray.is_none();
    cutoff = shifted ? nray : cutoff;
    nray = shifted || nray.is_none() ? normal : nray;
    normal = nb::none();
  }
  long long count;
  double most;
  or_raise(number_to_int(&count, nray.ptr(), 0, INT_MAX, "nray"));
  or_raise(number_to_double(&most, cutoff.ptr(), "cutoff"));
  Held from, along, groups, ids, distances, normals;
  from.input(pnt, kNum, true, "pnt");
  along.input(flat(vec), kNum, true, "vec");
  groups.input(geomgroup, Number::kUint8, true, "geomgroup");
  ids.output(geomid, Number::kInt32, true, "geomid");
  distances.output(dist, kNum, true, "dist");
  normals.output(flat(normal), kNum, true, "normal");
  auto check = [](const Held& array, long long size, bool optional, const char* name,
                  const char* text) {
    if (array.array ? array.size != size : !optional) {
      throw nb::type_error((std::string(name) + " should be of size " + text).c_str());
    }
  };
  check(from, 3, false, "pnt", "3");
  check(along, 3 * count, false, "vec", "3*nray");
  check(groups, mjNGROUP, true, "geomgroup", "mjNGROUP");
  check(ids, count, false, "geomid", "nray");
  check(distances, count, false, "dist", "nray");
  check(normals, 3 * count, true, "normal", "3*nray");
  call([&] {
    if (!normals.array && !release_is_later()) {
      mj_multiRay(model, data, from.as<mjtNum>(), along.as<mjtNum>(), groups.as<mjtByte>(),
                  flg_static.value, bodyexclude, ids.as<int>(), distances.as<mjtNum>(),
                  static_cast<int>(count), static_cast<mjtNum>(most));
      return;
    }
    cnd_multiRayNormal(model, data, from.as<mjtNum>(), along.as<mjtNum>(), groups.as<mjtByte>(),
                       flg_static.value, bodyexclude, ids.as<int>(), distances.as<mjtNum>(),
                       normals.as<mjtNum>(), static_cast<int>(count), static_cast<mjtNum>(most));
  });
}

// The values of an actuator's control or of a sensor, at any time: copies them to `result`.
nb::object read_history(nb::handle m, nb::handle d, int id, double time, nb::handle result,
                        int interp, bool of_sensor) {
  const mjModel* model = as_model(m);
  const mjData* data = as_data(d, model);
  Held values;
  values.output(result, kNum, true, "result");
  int most = of_sensor ? model->nsensor : static_cast<int>(model->nactuator);
  Py_ssize_t dim = id < 0 || id >= most ? 0
                   : of_sensor          ? model->sensor_dim[id]
                                        : model->actuator_ctrlnum[id];
  if (!values.array || (dim && values.size != dim)) {
    throw nb::type_error("result should have one number for each value");
  }
  mjtNum* place = values.as<mjtNum>();
  auto at = static_cast<mjtNum>(time);
  call([&] {
    const mjtNum* source = of_sensor ? mj_readSensor(model, data, id, at, place, interp)
                                     : mj_readCtrl(model, data, id, at, place, interp);
    if (source && source != place) {
      memcpy(place, source, static_cast<size_t>(dim) * sizeof(mjtNum));
    }
  });
  return nb::borrow(result);
}

nb::object read_ctrl(nb::handle m, nb::handle d, int id, double time, nb::handle result,
                     int interp) {
  return read_history(m, d, id, time, result, interp, false);
}

nb::object read_sensor(nb::handle m, nb::handle d, int id, double time, nb::handle result,
                       int interp) {
  return read_history(m, d, id, time, result, interp, true);
}

// Calls `init` with the arrays of a history, whose sizes must be those of `shape`: the samples, and
// the numbers of each; an id that is out of range, or has no history, is left to the engine.
template <class Shape, class Init>
void init_history(nb::handle m, nb::handle d, nb::handle times, nb::handle values, Shape shape,
                  Init init) {
  const mjModel* model = as_model(m);
  mjData* data = as_data(d, model);
  Held at, rows;
  at.input(times, kNum, true, "times");
  rows.input(values, kNum, false, "values");
  auto [n, dim] = shape(model);
  if (n > 0 && at.array && at.size != n) {
    throw nb::type_error("times should have one number for each sample");
  }
  if (n > 0 && rows.size != n * dim) {
    throw nb::type_error("values should have a row for each sample");
  }
  const mjtNum *t = at.as<mjtNum>(), *v = rows.as<mjtNum>();
  call([&] { init(model, data, t, v); });
}

void init_ctrl_history(nb::handle m, nb::handle d, int id, nb::handle times, nb::handle values) {
  auto shape = [=](const mjModel* model) {
    bool there = id >= 0 && id < static_cast<int>(model->nactuator);
    Py_ssize_t n = there ? model->actuator_history[2 * id] : 0;
    return std::pair<Py_ssize_t, Py_ssize_t>(n, there ? model->actuator_ctrlnum[id] : 0);
  };
  init_history(m, d, times, values, shape, [=](auto* model, auto* data, auto* t, auto* v) {
    mj_initCtrlHistory(model, data, id, t, v);
  });
}

void init_sensor_history(nb::handle m, nb::handle d, int id, nb::handle times, nb::handle values,
                         double phase) {
  auto shape = [=](const mjModel* model) {
    bool there = id >= 0 && id < model->nsensor;
    Py_ssize_t n = there ? model->sensor_history[2 * id] : 0;
    return std::pair<Py_ssize_t, Py_ssize_t>(n, there ? model->sensor_dim[id] : 0);
  };
  init_history(m, d, times, values, shape, [=](auto* model, auto* data, auto* t, auto* v) {
    mj_initSensorHistory(model, data, id, t, v, static_cast<mjtNum>(phase));
  });
}

// With a scene before the camera as in 3.3.7, or without one as in later releases.
void move_camera(nb::handle m, int action, double reldx, double reldy, nb::handle scn,
                 nb::handle cam) {
  const mjModel* model = as_model(m);
  bool newer = cam.is_none();
  const mjvScene* scene = newer ? nullptr : as_struct<mjvScene>(scn, "mjvScene", "scn");
  auto* camera = as_struct<mjvCamera>(newer ? scn : cam, "mjvCamera", "cam");
  auto dx = static_cast<mjtNum>(reldx), dy = static_cast<mjtNum>(reldy);
  call([&] {
    if (newer) {
      cnd_moveCamera(model, action, dx, dy, camera);
    } else {
      mjv_moveCamera(model, action, dx, dy, scene, camera);
    }
  });
}

// Pixels of a viewport: colors and depths, arrays of any shape.
struct Pixels {
  Held rgb, depth;
  mjrRect viewport;

  Pixels(nb::handle where) : viewport(*as_struct<mjrRect>(where, "mjrRect", "viewport")) {
  }
  void check() const {
    long long count = static_cast<long long>(viewport.width) * viewport.height;
    if (viewport.width < 0 || viewport.height < 0 || (rgb.array && rgb.size != 3 * count) ||
        (depth.array && depth.size != count)) {
      throw nb::type_error(
          "rgb should have 3 numbers for each pixel of the viewport, and depth one");
    }
  }
};

void read_pixels(nb::handle rgb, nb::handle depth, nb::handle viewport, nb::handle con) {
  auto* context = as_struct<mjrContext>(con, "mjrContext", "con");
  Pixels pixels(viewport);
  pixels.rgb.output(flat(rgb), Number::kUint8, false, "rgb");
  pixels.depth.output(flat(depth), Number::kFloat32, false, "depth");
  pixels.check();
  auto* to = &pixels;
  call([=] {
    RENDER(mjr_readPixels)
    (to->rgb.as<unsigned char>(), to->depth.as<float>(), to->viewport, context);
  });
}

void draw_pixels(nb::handle rgb, nb::handle depth, nb::handle viewport, nb::handle con) {
  auto* context = as_struct<mjrContext>(con, "mjrContext", "con");
  Pixels pixels(viewport);
  pixels.rgb.input(flat(rgb), Number::kUint8, false, "rgb");
  pixels.depth.input(flat(depth), Number::kFloat32, false, "depth");
  pixels.check();
  auto* from = &pixels;
  call([=] {
    RENDER(mjr_drawPixels)
    (from->rgb.as<unsigned char>(), from->depth.as<float>(), from->viewport, context);
  });
}

// One rectangle or several.
int find_rect(int x, int y, int nrect, nb::handle rect) {
  std::vector<mjrRect> list;
  nb::object all = nb::isinstance<nb::sequence>(rect) ? nb::borrow(rect) : nb::make_tuple(rect);
  for (nb::handle one : all) {
    list.push_back(*as_struct<mjrRect>(one, "mjrRect", "rect"));
  }
  if (nrect < 0 || static_cast<size_t>(nrect) > list.size()) {
    throw nb::value_error("nrect should be from 0 to the number of rectangles");
  }
  const mjrRect* first = list.data();
  int found = -1;
  call([&] { found = RENDER(mjr_findRect)(x, y, nrect, first); });
  return found;
}

// Pixels of a texture (height, width, channels), and its color space.
nb::tuple load_texture(nb::handle m, int id) {
  const mjModel* model = as_model(m);
  mjtByte* data = nullptr;
  int height = 0, width = 0, colorspace = 0, failed = 1;
  char error[500] = "";
  call([&] {
    failed = mj_loadTexture(model, id, &data, &width, &height, &colorspace, error, sizeof(error));
  });
  if (failed) {
    throw nb::value_error(error);
  }
  npy_intp shape[] = {height, width, model->tex_nchannel[id]};
  PyObject* pixels = PyArray_SimpleNew(3, shape, NPY_UINT8);
  if (pixels) {
    std::memcpy(PyArray_DATA(reinterpret_cast<PyArrayObject*>(pixels)), data,
                static_cast<size_t>(shape[0] * shape[1] * shape[2]));
  }
  mju_free(data);
  return nb::make_tuple(nb::steal(or_raise(pixels)), colorspace);
}

nb::object embed_assets(nb::handle m) {
  const mjModel* model = as_model(m);
  mjModel* result = nullptr;
  char error[500] = "";
  call([&] { result = mj_embedAssets(model, error, sizeof(error)); });
  if (!result) {
    throw nb::value_error(error);
  }
  return nb::steal(or_raise(model_make(result)));
}

mjCache* cache_of(nb::handle capsule) {
  void* cache = PyCapsule_GetPointer(capsule.ptr(), "mjCache");
  if (!cache) {
    PyErr_Clear();
    throw nb::type_error("cache should be what mj_getCache returns");
  }
  return static_cast<mjCache*>(cache);
}

void add_all(nb::module_& module) {
  const nb::arg m("m"), d("d"), cache("cache");
  module.def("mj_fullM", full_inertia, m, nb::arg("dst"), nb::arg("M"), doc_mj_fullM);
  module.def("mj_saveModel", save_model, m, nb::arg("filename") = nb::none(),
             nb::arg("buffer") = nb::none(), doc_mj_saveModel);
  module.def("mj_saveLastXML", save_last_xml, nb::arg("filename").none(), m, doc_mj_saveLastXML);
  module.def("mj_loadTexture", load_texture, m, nb::arg("id"), doc_mj_loadTexture);
  module.def("mj_embedAssets", embed_assets, m, doc_mj_embedAssets);
  module.def("mj_setLengthRange", set_length_range, m, d, nb::arg("index"), nb::arg("opt").none(),
             doc_mj_setLengthRange);
  module.def("mj_printSchema", print_schema, nb::arg("flg_html"), nb::arg("flg_pad"),
             doc_mj_printSchema);
  module.def("mju_getXMLDependencies", dependencies, nb::arg("filename"),
             doc_mju_getXMLDependencies);
  module.def("mj_loadAllPluginLibraries", load_plugins, nb::arg("directory"),
             doc_mj_loadAllPluginLibraries);
  module.def("mj_geomDistance", geom_distance, m, d, nb::arg("geom1"), nb::arg("geom2"),
             nb::arg("distmax"), nb::arg("fromto").none(), doc_mj_geomDistance);
  module.def("mju_standardNormal", standard_normal, nb::arg("num2").none(), doc_mju_standardNormal);
  module.def("mj_resetCallbacks", callbacks_reset, doc_mj_resetCallbacks);
  module.def(
      "mj_getCache", [] { return nb::capsule(mj_getCache(), "mjCache"); }, doc_mj_getCache);
  module.def(
      "mj_getCacheSize", [](nb::handle c) { return mj_getCacheSize(cache_of(c)); }, cache,
      doc_mj_getCacheSize);
  module.def(
      "mj_getCacheCapacity", [](nb::handle c) { return mj_getCacheCapacity(cache_of(c)); }, cache,
      doc_mj_getCacheCapacity);
  module.def(
      "mj_setCacheCapacity",
      [](nb::handle c, size_t size) { return mj_setCacheCapacity(cache_of(c), size); }, cache,
      nb::arg("size"), doc_mj_setCacheCapacity);
  module.def(
      "mj_clearCache", [](nb::handle c) { mj_clearCache(cache_of(c)); }, cache, doc_mj_clearCache);
}

void add_later(nb::module_& module) {
  const nb::arg m("m"), d("d"), id("id"), time("time"), result("result"), interp("interp");
  module.def("mj_multiRay", multi_ray, m, d, nb::arg("pnt"), nb::arg("vec"),
             nb::arg("geomgroup").none(), nb::arg("flg_static"), nb::arg("bodyexclude"),
             nb::arg("geomid"), nb::arg("dist"), nb::arg("normal") = nb::none(),
             nb::arg("nray") = nb::none(), nb::arg("cutoff") = nb::none(), doc_mj_multiRay);
  module.def("mj_copyData", copy_data, nb::arg("dest"), m, nb::arg("src"), doc_mj_copyData);
  module.def("mj_readCtrl", read_ctrl, m, d, id, time, result, interp, doc_mj_readCtrl);
  module.def("mj_readSensor", read_sensor, m, d, id, time, result, interp, doc_mj_readSensor);
  module.def("mj_initCtrlHistory", init_ctrl_history, m, d, id, nb::arg("times").none(),
             nb::arg("values"), doc_mj_initCtrlHistory);
  module.def("mj_initSensorHistory", init_sensor_history, m, d, id, nb::arg("times").none(),
             nb::arg("values"), nb::arg("phase"), doc_mj_initSensorHistory);
  module.def("mjv_moveCamera", move_camera, m, nb::arg("action"), nb::arg("reldx"),
             nb::arg("reldy"), nb::arg("scn"), nb::arg("cam") = nb::none(), doc_mjv_moveCamera);
}

void add_render(nb::module_& module) {
  const nb::arg viewport("viewport"), con("con");
  module.def("mjr_readPixels", read_pixels, nb::arg("rgb").none(), nb::arg("depth").none(),
             viewport, con, doc_mjr_readPixels);
  module.def("mjr_drawPixels", draw_pixels, nb::arg("rgb").none(), nb::arg("depth").none(),
             viewport, con, doc_mjr_drawPixels);
  module.def("mjr_findRect", find_rect, nb::arg("x"), nb::arg("y"), nb::arg("nrect"),
             nb::arg("rect"), doc_mjr_findRect);
}

}  // namespace

void init_functions_by_hand(nb::module_& module) {
  nb::object name = nb::str("condyle._functions");
  module.attr("mj_step") = steal_or_raise(PyCFunction_NewEx(&kStep, nullptr, name.ptr()));
  add_all(module);
  add_later(module);
  add_render(module);
}
