// model.h: MjModel, and what other sections need of it.

#ifndef CONDYLE_PYTHON_MODEL_H_
#define CONDYLE_PYTHON_MODEL_H_

#include <string>
#include <vector>

#include "wrapper.h"

// longest text of one problem
constexpr int kDiagnosticSize = 4096;

extern PyTypeObject* ModelType;

// The mjModel of an argument; NULL with TypeError if it is something else.
mjModel* model_of(PyObject* object, const char* name);

// Makes an MjModel that owns m. Frees m on failure.
PyObject* model_make(mjModel* m);

// The MjModel that stands for m at present (borrowed), or NULL.
PyObject* model_wrapper(const mjModel* m);

// Makes an MjModel that stands for m without owning it, for the time of a callback.
PyObject* model_borrow(mjModel* m);

// Files in memory for one load, made of a dict of str to bytes.
class Files {
 public:
  Files() {
    mj_defaultVFS(&vfs_);
  }
  ~Files() {
    mj_deleteVFS(&vfs_);
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  // Adds all items of a dict (None: nothing). `short_keys` drops folders and case of the names.
  // `text`: values may be str. Raises TypeError or ValueError (C++).
  void add(nb::handle dict, bool short_keys, bool text);

  // Adds one file under a name; raises ValueError if the name is taken.
  void add(const char* name, const char* bytes, size_t size);

  // Adds a text under a name that is not taken, and returns the name.
  std::string add_text(const char* text, size_t size);

  bool has(const std::string& name) const;
  mjVFS* vfs() {
    return &vfs_;
  }

 private:
  mjVFS vfs_;
  std::vector<std::string> names_;
};

// Raises (C++) ModelError, a ValueError, with the first error of the list as its text and all of
// them as attribute `diagnostics`; `message` is used if the list has no error.
[[noreturn]] void raise_diagnostics(const cndDiagnostics* list, const char* message);

#endif  // CONDYLE_PYTHON_MODEL_H_
