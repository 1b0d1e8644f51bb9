// guard.h: calls into the engine whose errors become Python exceptions.
//
// mju_error never returns: it leaves the call by a jump to the catch around it. No C++ object with
// a destructor may therefore live between the catch and the engine: calls are plain functions of a
// plain argument.

#ifndef CONDYLE_PYTHON_GUARD_H_
#define CONDYLE_PYTHON_GUARD_H_

#include "base/common.h"

constexpr int kMessageSize = 1024;  // longest text of mju_error

// Exceptions of the module: the engine's errors, and broken promises of the binding.
extern PyObject* FatalError;
extern PyObject* UnexpectedError;

// Raises (C++) a Python exception.
[[noreturn]] void raise(PyObject* type, const std::string& text);

// Runs call(argument). Returns true, or false with FatalError, or with the exception of a Python
// callback that ended the call. With `release` the interpreter's lock is given up meanwhile.
bool guarded(void (*call)(void* argument), void* argument, bool release);

// The same for a function object, which is called through a pointer. Its destructor must not
// matter.
template <class Call>
bool guarded(Call&& call, bool release) {
  return guarded([](void* c) { (*static_cast<std::remove_reference_t<Call>*>(c))(); }, &call,
                 release);
}

// The same, but raises (C++).
template <class Call>
void engine(Call&& call, bool release = false) {
  or_raise(guarded(call, release));
}

// Runs call(argument), which works on the threads of a pool, without the interpreter's lock. Any
// thread may meet an exception of a callback, so only its text is passed on (guard_exception). An
// exception that ends programs (KeyboardInterrupt), met in this thread, is raised again.
bool guarded_pool(void (*call)(void* argument), void* argument);

template <class Call>
bool guarded_pool(Call&& call) {
  return guarded_pool([](void* c) { (*static_cast<std::remove_reference_t<Call>*>(c))(); }, &call);
}

// A cndfCancel for calls inside guarded_pool: runs Python's handlers of signals now and then, and
// asks for the end if one of them raised an exception, as Ctrl-C does.
int guard_cancel(void* argument);

// Stores the Python exception that a callback has raised in this thread; the enclosing `guarded`
// raises it again. The caller then leaves the engine by mju_error.
void guard_keep_exception();

// The text for mju_error about the exception that this thread stored last.
const char* guard_exception();

#endif  // CONDYLE_PYTHON_GUARD_H_
