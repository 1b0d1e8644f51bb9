// guard.h: calls into the engine whose errors become Python exceptions.
//
// mju_error never returns: it leaves the call by a jump to the catch around it. No C++ object with
// a destructor may therefore live between the catch and the engine: calls are plain functions of a
// plain argument.

#ifndef CONDYLE_PYTHON_GUARD_H_
#define CONDYLE_PYTHON_GUARD_H_

#include "common.h"

constexpr int kMessageSize = 1024;  // longest text of mju_error

// Exceptions of the module: the engine's errors, and broken promises of the binding.
extern PyObject* FatalError;
extern PyObject* UnexpectedError;

// Runs call(argument). Returns true, or false with FatalError, or with the exception of a Python
// callback that ended the call. With `release` the interpreter's lock is given up meanwhile.
bool guarded(void (*call)(void* argument), void* argument, bool release);

// The same for any function object without a destructor of note; it is called through a pointer.
template <class Call>
bool guarded(Call&& call, bool release) {
  return guarded([](void* c) { (*static_cast<std::remove_reference_t<Call>*>(c))(); }, &call,
                 release);
}

// Stores the Python exception that a callback has raised in this thread; the enclosing `guarded`
// raises it again. The caller then leaves the engine by mju_error.
void guard_keep_exception();

#endif  // CONDYLE_PYTHON_GUARD_H_
