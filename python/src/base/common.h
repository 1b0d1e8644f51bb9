// common.h: what every file of the extension includes: CPython, NumPy, nanobind and the engine.

#ifndef CONDYLE_PYTHON_COMMON_H_
#define CONDYLE_PYTHON_COMMON_H_

#define PY_SSIZE_T_CLEAN
#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#define NPY_TARGET_VERSION NPY_1_22_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL condyle_numpy
#ifndef CONDYLE_PYTHON_MODULE
#define NO_IMPORT_ARRAY
#endif

#include <condyle/condyle.h>
#include <mujoco/mujoco.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <numpy/arrayobject.h>

namespace nb = nanobind;

// Passes a valid value on; for NULL or false, raises (C++) the Python exception that is set.
template <class T>
T or_raise(T result) {
  if (!result) {
    nb::raise_python_error();
  }
  return result;
}

// Takes over a new reference; for NULL, raises (C++) the Python exception that is set.
inline nb::object steal_or_raise(PyObject* object) {
  return nb::steal(or_raise(object));
}

// Removes all callbacks of the engine, and what Python set.
void callbacks_reset();

// The name of a callback that is a Python function (mjcb_...), NULL if none is.
const char* callbacks_python();

// The module condyle._condyle during its initialisation; each file adds its part.
void init_guard(nb::module_& module);
void init_release(nb::module_& module);
void init_wrapper(nb::module_& module);
void init_structs(nb::module_& module);
void init_model(nb::module_& module);
void init_data(nb::module_& module);
void init_lists(nb::module_& module);
void init_named(nb::module_& module);
void init_functions(nb::module_& module);
void init_functions_by_hand(nb::module_& module);
void init_render(nb::module_& module);
void init_viewing(nb::module_& module);
void init_callbacks(nb::module_& module);
void init_replay(nb::module_& module);
void init_rollout(nb::module_& module);
void init_batch(nb::module_& module);
void init_simulations(nb::module_& module);
void init_spec(nb::module_& module);
void init_log(nb::module_& module);

#endif  // CONDYLE_PYTHON_COMMON_H_
