// guard.cc: runs engine calls under a catch and turns their errors into exceptions.

#include "base/guard.h"

#include <condyle/error.h>

#include <chrono>
#include <cstdio>

#include "base/number.h"

PyObject* FatalError;
PyObject* UnexpectedError;

void raise(PyObject* type, const std::string& text) {
  PyErr_SetString(type, text.c_str());
  nb::raise_python_error();
}

namespace {

// which guard the present call of this thread into the engine has
enum class Inside {
  kNothing,  // a thread of a pool
  kGuarded,  // guarded
  kPool      // guarded_pool
};

thread_local Inside inside = Inside::kNothing;
thread_local PyObject* pending;  // exception of a callback of this thread, not yet raised
thread_local char text[kMessageSize - 100];

// Raises the exception of a callback again, if there is one.
bool raise_pending() {
  PyObject* value = pending;
  if (!value) {
    return false;
  }
  pending = nullptr;
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(value)), value);
  Py_DECREF(value);
  return true;
}

void write_text(PyObject* value) {
  PyObject* shown = PyObject_Str(value);
  const char* message = shown ? PyUnicode_AsUTF8AndSize(shown, nullptr) : nullptr;
  PyErr_Clear();
  snprintf(text, sizeof text, "a Python callback raised %s%s%s", type_name(value).c_str(),
           message && *message ? ": " : "", message ? message : "");
  Py_XDECREF(shown);
}

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
  write_text(value);
  bool ends = !PyErr_GivenExceptionMatches(value, PyExc_Exception);
  if (inside == Inside::kGuarded || (inside == Inside::kPool && ends)) {
    Py_XDECREF(pending);
    pending = value;
  } else {
    Py_XDECREF(value);
  }
}

const char* guard_exception() {
  return text;
}

bool guarded(void (*call)(void* argument), void* argument, bool release) {
  char message[kMessageSize];
  int failed;
  Inside outer = inside;
  inside = Inside::kGuarded;
  if (release) {
    Py_BEGIN_ALLOW_THREADS;
    failed = cnd_try(call, argument, message, sizeof message);
    Py_END_ALLOW_THREADS;
  } else {
    failed = cnd_try(call, argument, message, sizeof message);
  }
  inside = outer;
  if (!failed) {
    return true;
  }
  if (!raise_pending()) {
    PyErr_SetString(FatalError, message);
  }
  return false;
}

bool guarded_pool(void (*call)(void* argument), void* argument) {
  char message[kMessageSize];
  int failed;
  Inside outer = inside;
  inside = Inside::kPool;
  Py_BEGIN_ALLOW_THREADS;
  failed = cnd_try(call, argument, message, sizeof message);
  Py_END_ALLOW_THREADS;
  inside = outer;
  if (raise_pending()) {
    return false;
  }
  if (failed) {
    PyErr_SetString(FatalError, message);
  }
  return !failed;
}

int guard_cancel(void*) {
  using namespace std::chrono;
  constexpr milliseconds kPause(50);  // acquiring the lock may block, so it is done rarely
  static thread_local steady_clock::time_point last;
  if (pending) {
    return 1;
  }
  steady_clock::time_point now = steady_clock::now();
  if (now - last < kPause) {
    return 0;
  }
  last = now;
  PyGILState_STATE state = PyGILState_Ensure();
  bool raised = PyErr_CheckSignals() < 0;
  if (raised) {
    PyObject *type, *trace;
    PyErr_Fetch(&type, &pending, &trace);
    PyErr_NormalizeException(&type, &pending, &trace);
    if (trace) {
      PyException_SetTraceback(pending, trace);
    }
    Py_XDECREF(type);
    Py_XDECREF(trace);
  }
  PyGILState_Release(state);
  return raised;
}

void init_guard(nb::module_& module) {
  auto make = [&](const char* name, const char* doc) {
    PyObject* type = or_raise(PyErr_NewExceptionWithDoc(name, doc, nullptr, nullptr));
    module.attr(strrchr(name, '.') + 1) = nb::handle(type);
    return type;
  };
  FatalError =
      make("condyle.FatalError", "An error of the engine (mju_error); its text unchanged.");
  UnexpectedError = make("condyle.UnexpectedError", "A broken promise inside the binding.");
}
