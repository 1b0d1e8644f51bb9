// vfs.cc: the class MjVfs.

#include "model/vfs.h"

#include <climits>
#include <string>

#include "base/guard.h"
#include "base/number.h"

Vfs::Vfs() {
  mj_defaultVFS(&vfs_);
  cnd_matchLastVFS(&vfs_);
}

Vfs::~Vfs() {
  mj_deleteVFS(&vfs_);
}

mjVFS* Vfs::opened() {
  if (!is_open_) {
    raise(PyExc_RuntimeError, "VFS is closed");
  }
  return &vfs_;
}

mjVFS* Vfs::changeable() {
  opened();
  if (users_) {
    raise(PyExc_RuntimeError, "VFS is in use by another thread");
  }
  return &vfs_;
}

void Vfs::set(const char* name, const char* bytes, size_t size) {
  mjVFS* vfs = changeable();
  if (size > INT_MAX) {
    throw nb::value_error((std::string("File is too large: ") + name).c_str());
  }
  int status = mj_addBufferVFS(vfs, name, bytes, static_cast<int>(size));
  if (status == 2) {
    throw nb::value_error((std::string("Repeated file name in VFS: ") + name).c_str());
  }
  if (status) {
    throw std::bad_alloc();
  }
}

void Vfs::remove(const char* name) {
  if (mj_deleteFileVFS(changeable(), name)) {
    throw nb::key_error(name);
  }
}

bool Vfs::contains(const char* name) {
  return mj_containsBufferVFS(opened(), name) != 0;
}

void Vfs::close() {
  if (is_open_) {
    mj_deleteVFS(changeable());
    is_open_ = false;
  }
}

VfsUse::VfsUse(nb::handle argument) {
  if (!argument.is_valid() || argument.is_none()) {
    return;
  }
  Vfs* given;
  if (!nb::try_cast(argument, given) || !given) {
    raise(PyExc_TypeError, ("vfs should be an MjVfs, not " + type_name(argument.ptr())).c_str());
  }
  given->opened();
  keep_ = nb::borrow(argument);
  used_ = given;
  used_->users_++;
}

VfsUse::~VfsUse() {
  if (used_) {
    used_->users_--;
  }
}

mjVFS* VfsUse::vfs() const {
  return used_ ? &used_->vfs_ : nullptr;
}

namespace {

const char* name_of(nb::handle name) {
  if (!PyUnicode_Check(name.ptr())) {
    raise(PyExc_TypeError, ("names in a VFS are str, not " + type_name(name.ptr())).c_str());
  }
  return text_argument(name, "name");
}

// Bytes, or any other object with a contiguous buffer.
void set_item(Vfs& self, nb::handle name, nb::handle data) {
  const char* text = name_of(name);
  Py_buffer view;
  if (PyUnicode_Check(data.ptr()) || PyObject_GetBuffer(data.ptr(), &view, PyBUF_SIMPLE)) {
    PyErr_Clear();
    raise(PyExc_TypeError, ("data in a VFS are bytes, not " + type_name(data.ptr())).c_str());
  }
  try {
    self.set(text, static_cast<const char*>(view.buf), static_cast<size_t>(view.len));
  } catch (...) {
    PyBuffer_Release(&view);
    throw;
  }
  PyBuffer_Release(&view);
}

}  // namespace

void init_vfs(nb::module_& module) {
  nb::class_<Vfs> type(module, "MjVfs", "Files in memory, for loading and compiling.");
  nb::setattr(type, "__module__", nb::str("condyle._specs"));
  type.def(nb::init<>())
      .def("__setitem__", set_item, nb::arg("name"), nb::arg("data"), "Adds a file.")
      .def(
          "__delitem__", [](Vfs& self, nb::handle name) { self.remove(name_of(name)); },
          nb::arg("name"), "Takes a file out.")
      .def(
          "__contains__", [](Vfs& self, nb::handle name) { return self.contains(name_of(name)); },
          nb::arg("name"), "Is there a file of exactly this name?")
      .def("close", &Vfs::close, "Drops all files; may be called again.")
      .def("__enter__", [](nb::handle self) { return nb::borrow(self); })
      .def("__exit__", [](Vfs& self, nb::args) { self.close(); });
}
