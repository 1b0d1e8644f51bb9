// callbacks.cc: Python functions as callbacks of the engine, set_mjcb_control(f) and the like.
//
// The engine calls a small C function here, which takes the interpreter's lock, calls f with the
// caller's own MjModel and MjData, and leaves the engine by an error if f raises.

#include <cstring>

#include "base/guard.h"
#include "base/number.h"
#include "model/data.h"
#include "model/model.h"

namespace {

enum Which {
  kPassive,
  kControl,
  kFilter,
  kSensor,
  kTime,
  kActDyn,
  kActGain,
  kActBias,
  kWarning,
  kMalloc,
  kFree,
  kCount,
};

PyObject* functions[kCount];  // what Python set, or NULL

// Wrappers for models and data that have none, e.g. while compiling. They borrow the memory.
PyObject* borrow_model(const mjModel* m) {
  PyObject* found = wrapper_at(m);
  return found ? Py_NewRef(found) : model_borrow(const_cast<mjModel*>(m));
}

PyObject* borrow_data(PyObject* model, const mjData* d) {
  PyObject* found = wrapper_at(d);
  return found ? Py_NewRef(found) : data_borrow(model, const_cast<mjData*>(d));
}

// Leaves the engine, keeping the exception that is set. The interpreter's lock must be released.
[[noreturn]] void leave() {
  mju_error("%s", guard_exception());
  abort();
}

// Calls functions[which](m, d, numbers ...). Returns a new reference, or NULL after storing the
// exception.
PyObject* call(Which which, const mjModel* m, const mjData* d, const int* numbers, int count) {
  PyObject* args[4];
  int nargs = 0;
  bool good = true;
  if (m) {
    args[nargs++] = borrow_model(m);
    args[nargs++] = args[0] ? borrow_data(args[0], d) : nullptr;
    good = args[0] && args[1];
  }
  for (int i = 0; i < count; i++) {
    args[nargs++] = PyLong_FromLong(numbers[i]);
  }
  PyObject* function = Py_XNewRef(functions[which]);
  PyObject* tuple = good ? PyTuple_New(nargs) : nullptr;
  for (int i = 0; i < nargs; i++) {
    if (tuple) {
      PyTuple_SetItem(tuple, i, args[i]);
    } else {
      Py_XDECREF(args[i]);
    }
  }
  PyObject* result = tuple && function ? PyObject_Call(function, tuple, nullptr) : nullptr;
  Py_XDECREF(tuple);
  Py_XDECREF(function);
  return result;
}

// Takes the lock, calls, and ignores the result.
void call_plain(Which which, const mjModel* m, const mjData* d, const int* numbers, int count) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject* result = call(which, m, d, numbers, count);
  bool failed = !result;
  if (failed) {
    guard_keep_exception();
  }
  Py_XDECREF(result);
  PyGILState_Release(state);
  if (failed) {
    leave();
  }
}

// Takes the lock, calls, and converts the result to a number.
double call_number(Which which, const mjModel* m, const mjData* d, const int* numbers, int count,
                   const char* wrong, bool integer) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject* result = call(which, m, d, numbers, count);
  double number = 0;
  bool failed = !result;
  if (result) {
    long long whole = 0;
    failed = integer ? !number_to_int(&whole, result, INT_MIN, INT_MAX, "result")
                     : !number_to_double(&number, result, "result");
    number = integer ? static_cast<double>(whole) : number;
    if (failed) {
      PyErr_SetString(PyExc_TypeError, wrong);
    }
    Py_DECREF(result);
  }
  if (failed) {
    guard_keep_exception();
  }
  PyGILState_Release(state);
  if (failed) {
    leave();
  }
  return number;
}

void passive(const mjModel* m, mjData* d) {
  call_plain(kPassive, m, d, nullptr, 0);
}

void control(const mjModel* m, mjData* d) {
  call_plain(kControl, m, d, nullptr, 0);
}

void sensor(const mjModel* m, mjData* d, int stage) {
  call_plain(kSensor, m, d, &stage, 1);
}

int filter(const mjModel* m, mjData* d, int geom1, int geom2) {
  int geoms[] = {geom1, geom2};
  return static_cast<int>(call_number(
      kFilter, m, d, geoms, 2, "mjcb_contactfilter callback did not return an integer", true));
}

mjtNum time() {
  return static_cast<mjtNum>(call_number(kTime, nullptr, nullptr, nullptr, 0,
                                         "mjcb_time callback did not return a number", false));
}

mjtNum act_dyn(const mjModel* m, const mjData* d, int id) {
  return static_cast<mjtNum>(
      call_number(kActDyn, m, d, &id, 1, "mjcb_act_dyn callback did not return a number", false));
}

mjtNum act_gain(const mjModel* m, const mjData* d, int id) {
  return static_cast<mjtNum>(
      call_number(kActGain, m, d, &id, 1, "mjcb_act_gain callback did not return a number", false));
}

mjtNum act_bias(const mjModel* m, const mjData* d, int id) {
  return static_cast<mjtNum>(
      call_number(kActBias, m, d, &id, 1, "mjcb_act_bias callback did not return a number", false));
}

void warning(const char* text) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject* message = PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(strlen(text)), "replace");
  PyObject* result = message && functions[kWarning]
                         ? PyObject_CallFunctionObjArgs(functions[kWarning], message, nullptr)
                         : nullptr;
  bool failed = PyErr_Occurred();
  if (failed) {
    guard_keep_exception();
  }
  Py_XDECREF(message);
  Py_XDECREF(result);
  PyGILState_Release(state);
  if (failed) {
    leave();
  }
}

// One callback: its name after set_ and get_, the engine's pointer, and the function above.
struct Callback {
  const char* name;
  void** hook;
  void* trampoline;  // NULL: takes C functions only
};

template <class Hook, class Trampoline>
Callback callback(const char* name, Hook* hook, Trampoline trampoline) {
  return {name, reinterpret_cast<void**>(hook), reinterpret_cast<void*>(trampoline)};
}

Callback* table() {
  static Callback list[kCount] = {
      callback("mjcb_passive", &mjcb_passive, passive),
      callback("mjcb_control", &mjcb_control, control),
      callback("mjcb_contactfilter", &mjcb_contactfilter, filter),
      callback("mjcb_sensor", &mjcb_sensor, sensor),
      callback("mjcb_time", &mjcb_time, time),
      callback("mjcb_act_dyn", &mjcb_act_dyn, act_dyn),
      callback("mjcb_act_gain", &mjcb_act_gain, act_gain),
      callback("mjcb_act_bias", &mjcb_act_bias, act_bias),
      callback("mju_user_warning", &mju_user_warning, warning),
      callback("mju_user_malloc", &mju_user_malloc, static_cast<void* (*)(size_t)>(nullptr)),
      callback("mju_user_free", &mju_user_free, static_cast<void (*)(void*)>(nullptr))};
  return list;
}

// The address of a ctypes function pointer, or NULL for other objects.
void* c_function(PyObject* f) {
  PyObject* modules = PyImport_GetModuleDict();
  PyObject* ctypes = PyDict_GetItemString(modules, "ctypes");  // not loaded: f can't be one
  if (!ctypes) {
    return nullptr;
  }
  nb::handle module(ctypes);
  nb::object base = module.attr("_CFuncPtr");
  if (!nb::isinstance(nb::handle(f), base)) {
    return nullptr;
  }
  nb::object address = module.attr("cast")(nb::handle(f), module.attr("c_void_p")).attr("value");
  return address.is_none() ? nullptr : PyLong_AsVoidPtr(address.ptr());
}

void set(int which, nb::object f) {
  Callback& one = table()[which];
  void* hook = nullptr;
  if (!f.is_none()) {
    hook = c_function(f.ptr());
    if (!hook && (!one.trampoline || !PyCallable_Check(f.ptr()))) {
      throw nb::type_error(one.trampoline
                               ? "callback is not an Optional[Callable]"
                               : (std::string(one.name) + " must be a C function pointer").c_str());
    }
    hook = hook ? hook : one.trampoline;
  }
  PyObject* old = functions[which];
  functions[which] = f.is_none() ? nullptr : f.release().ptr();
  *one.hook = hook;
  Py_XDECREF(old);
}

nb::object get(int which) {
  // the engine forgets callbacks by itself (mj_resetCallbacks)
  bool present = functions[which] && *table()[which].hook;
  return present ? nb::borrow(functions[which]) : nb::none();
}

}  // namespace

void callbacks_reset() {
  for (int which = kPassive; which <= kActBias; which++) {
    Py_CLEAR(functions[which]);
  }
  mj_resetCallbacks();
}

const char* callbacks_python() {
  for (int which = kPassive; which <= kActBias; which++) {
    const Callback& one = table()[which];
    if (functions[which] && *one.hook && *one.hook == one.trampoline) {
      return one.name;
    }
  }
  return nullptr;
}

void init_callbacks(nb::module_& module) {
  for (int which = 0; which < kCount; which++) {
    std::string name = table()[which].name;
    module.def(("set_" + name).c_str(), [which](nb::object f) { set(which, f); },
               nb::arg("f").none(),
               "Sets the callback: a function, a ctypes function pointer, or None.");
    module.def(("get_" + name).c_str(), [which] { return get(which); },
               "The callback that was set, or None.");
  }
}
