// guard.cc: runs engine calls under a catch and turns their errors into exceptions.

#include "guard.h"

#include <condyle/error.h>

PyObject* FatalError;
PyObject* UnexpectedError;

namespace {

// exception of a callback of this thread, on its way out of the engine
thread_local PyObject* pending;

}  // namespace

void guard_keep_exception() {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (trace) {
    PyException_SetTraceback(value, trace);
  }
  Py_XDECREF(type);
  Py_XDECREF(trace);
  Py_XDECREF(pending);
  pending = value;
}

bool guarded(void (*call)(void* argument), void* argument, bool release) {
  char message[kMessageSize];
  int failed;
  if (release) {
    Py_BEGIN_ALLOW_THREADS;
    failed = cnd_try(call, argument, message, sizeof message);
    Py_END_ALLOW_THREADS;
  } else {
    failed = cnd_try(call, argument, message, sizeof message);
  }
  if (!failed) {
    return true;
  }
  if (pending) {
    PyObject* value = pending;
    pending = nullptr;
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(value)), value);
    Py_DECREF(value);
  } else {
    PyErr_SetString(FatalError, message);
  }
  return false;
}

void init_guard(nb::module_& module) {
  auto make = [&](const char* name, const char* doc) {
    PyObject* type = PyErr_NewExceptionWithDoc(name, doc, nullptr, nullptr);
    if (!type) {
      nb::raise_python_error();
    }
    module.attr(strrchr(name, '.') + 1) = nb::handle(type);
    return type;
  };
  FatalError =
      make("condyle.FatalError", "An error of the engine (mju_error); its text unchanged.");
  UnexpectedError = make("condyle.UnexpectedError", "A broken promise inside the binding.");
}
