// vfs.h: MjVfs, files in memory that many loads may use.

#ifndef CONDYLE_PYTHON_VFS_H_
#define CONDYLE_PYTHON_VFS_H_

#include <condyle/load.h>

#include "base/common.h"

// Files in memory, until they are closed. Not while a load uses them.
class Vfs {
 public:
  Vfs();
  ~Vfs();
  Vfs(const Vfs&) = delete;
  Vfs& operator=(const Vfs&) = delete;

  void set(const char* name, const char* bytes, size_t size);
  void remove(const char* name);
  bool contains(const char* name);
  void close();

 private:
  friend class VfsUse;
  mjVFS* opened();      // raises (C++) RuntimeError if closed
  mjVFS* changeable();  // the same if a load uses it
  mjVFS vfs_;
  bool is_open_ = true;
  int users_ = 0;
};

// An argument `vfs` during a call: an MjVfs, or None.
class VfsUse {
 public:
  // Raises (C++) TypeError for something else, RuntimeError if it is closed.
  explicit VfsUse(nb::handle argument);
  ~VfsUse();
  VfsUse(const VfsUse&) = delete;
  VfsUse& operator=(const VfsUse&) = delete;

  explicit operator bool() const {
    return used_ != nullptr;
  }
  mjVFS* vfs() const;

 private:
  nb::object keep_;
  Vfs* used_ = nullptr;
};

void init_vfs(nb::module_& module);

#endif  // CONDYLE_PYTHON_VFS_H_
