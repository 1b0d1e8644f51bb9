// worlds.h: what rollouts and batches share: arrays of full size, and threads that don't survive a
// fork.

#ifndef CONDYLE_PYTHON_WORLDS_H_
#define CONDYLE_PYTHON_WORLDS_H_

#ifndef _WIN32
#include <unistd.h>
#endif

#include "base/number.h"

enum class Access {
  kRead,
  kWrite
};

// The elements of an array in C order of exactly so many numbers; None: NULL. Raises (C++).
void* full_array(nb::handle value, Number type, size_t size, const char* name, Access access);

inline mjtNum* full_numbers(nb::handle value, size_t size, const char* name, Access access) {
  return static_cast<mjtNum*>(full_array(value, kNum, size, name, access));
}

// Marks something as in use for the time of a call, during which other Python threads run.
class Use {
 public:
  // Raises (C++) RuntimeError with the message if it is in use.
  Use(bool* busy, const char* message);
  ~Use() {
    *busy_ = false;
  }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  bool* busy_;
};

// The process that made the threads; a fork has none of them and must not end them.
class Process {
 public:
#ifdef _WIN32  // which has no fork
  bool same() const {
    return true;
  }
#else
  bool same() const {
    return id_ == getpid();
  }

 private:
  pid_t id_ = getpid();
#endif
};

#endif  // CONDYLE_PYTHON_WORLDS_H_
