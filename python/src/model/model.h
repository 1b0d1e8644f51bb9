// model.h: MjModel, and the functions that other files need of it.

#ifndef CONDYLE_PYTHON_MODEL_H_
#define CONDYLE_PYTHON_MODEL_H_

#include <condyle/load.h>

#include <optional>
#include <string>
#include <vector>

#include "base/wrapper.h"
#include "model/vfs.h"

// longest text of one problem
constexpr int kDiagnosticSize = 4096;

extern PyTypeObject* ModelType;

// The mjModel of an argument; NULL with TypeError if it is something else.
mjModel* model_of(PyObject* object, const char* name);

// Makes an MjModel that owns m. Frees m on failure.
PyObject* model_make(mjModel* m);

// Makes an MjModel that wraps m without owning it, for the duration of a callback.
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

  // Adds all items of a dict (None: nothing). `short_keys`: names become lower-case base names.
  // `text`: values may be str. Throws nb::type_error or nb::value_error.
  void add(nb::handle dict, bool short_keys, bool text);

  // Adds one file under a name; raises ValueError if the name is taken.
  void add(const char* name, const char* bytes, size_t size);

  // Adds a text under a name that is not taken, and returns the name.
  std::string add_text(const char* text, size_t size);

  bool has(const std::string& name) const;

  // From now on there are no files beside these.
  void seal() {
    cnd_sealVFS(&vfs_);
  }

  // Takes an MjVfs instead, unless it is None. Throws nb::type_error, RuntimeError if it is closed,
  // and nb::value_error with the text `both` if there are other files.
  void use(nb::handle vfs, bool others, const char* both);

  // Are these the files of an MjVfs?
  bool is_given() const {
    return given_ && *given_;
  }
  mjVFS* vfs() {
    return is_given() ? given_->vfs() : &vfs_;
  }

 private:
  std::optional<VfsUse> given_;
  mjVFS vfs_;
  std::vector<std::string> names_;
};

// The problems that one load finds.
struct Problems {
  cndDiagnostics* list = cnd_makeDiagnostics();
  Problems() = default;
  ~Problems() {
    cnd_deleteDiagnostics(list);
  }
  Problems(const Problems&) = delete;
  Problems& operator=(const Problems&) = delete;
};

// The problems of a list, which may be NULL, as objects of the class Diagnostic.
nb::list diagnostics(const cndDiagnostics* list);

// Raises (C++) ModelError, a ValueError, with all problems of the list as attribute `diagnostics`.
// Its text has a line for each error; unless it is NULL, `first` replaces the first line.
[[noreturn]] void raise_diagnostics(const cndDiagnostics* list, const char* first);

#endif  // CONDYLE_PYTHON_MODEL_H_
