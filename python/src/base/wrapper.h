// wrapper.h: Python objects that stand for C structs of the engine.
//
//   Wrapper (MjModel, MjOption, a named body ...) --owner--> Owner --frees--> C struct
//   array over the struct's memory               --base---> Owner
//
// An owner has no reference to its wrappers, so there are no cycles. An array outlives the wrapper
// from which it came, and the memory outlives the array.

#ifndef CONDYLE_PYTHON_WRAPPER_H_
#define CONDYLE_PYTHON_WRAPPER_H_

#include <string>
#include <vector>

#include "base/common.h"

// Holds the memory of one C struct and frees it with its last reference.
struct Owner {
  PyObject_HEAD void* memory;
  void (*release)(void* memory);
  PyObject* keep;  // what must live as long, e.g. the owner of the surrounding struct; or NULL
};

// Makes an Owner that calls release(memory) when it dies (release NULL: never). If the Owner can't
// be allocated, releases memory immediately and returns NULL with an exception.
PyObject* owner_make(void* memory, void (*release)(void*), PyObject* keep = nullptr);

// Stands for a C struct, or for a part of one.
struct Wrapper {
  PyObject_HEAD void* memory;  // the C struct; NULL before __init__ and after its end
  PyObject* owner;             // keeps the memory alive
  PyObject* weakrefs;
  PyObject* related;  // e.g. the MjModel of an MjData
  PyObject** cache;   // attributes made once, by slot
  int slots;
  int index;  // e.g. the row of a named object
  void (*at_end)(Wrapper* self);
};

// The wrapper that `self` is; raises RuntimeError and returns NULL if it was never initialised.
Wrapper* wrapper_of(PyObject* self);

// Sets the struct of a new wrapper. Takes a reference to `owner` and makes room for `slots`
// attributes. Returns false with an exception.
bool wrapper_set(Wrapper* self, void* memory, PyObject* owner, int slots);

// Releases the struct of a wrapper, before __init__ sets another one or when the wrapper ends.
void wrapper_clear(Wrapper* self);

// Makes a new instance of `type` that stands for `memory`, without calling __init__.
PyObject* wrapper_make(PyTypeObject* type, void* memory, PyObject* owner, int slots);

// The attribute in a slot, which `make` makes at its first use; NULL with an exception if it can't.
template <class Make>
PyObject* wrapper_cached(Wrapper* self, int slot, Make make) {
  PyObject*& place = self->cache[slot];
  if (!place) {
    place = make();
  }
  return Py_XNewRef(place);
}

// Notes that `self` is the wrapper of its memory, until it ends; and finds the one of some memory
// (borrowed), NULL if there is none.
void wrapper_note(Wrapper* self);
PyObject* wrapper_at(const void* memory);

// The text of an object: its class and, in alphabetical order, its attributes of these names. NULL
// with an exception.
PyObject* wrapper_describe(PyObject* self, std::vector<std::string> names);

// Getter of the attribute `_address`.
PyObject* wrapper_address(PyObject* self, void*);

// Says in a setter that the attribute can't be deleted. Returns -1 with AttributeError.
int refuse_deletion(const char* name);

// A class of wrappers. Tables must live as long as the program.
struct WrapperType {
  const char* name;  // with its module, e.g. "condyle._structs.MjOption"
  const char* doc;
  initproc init;  // NULL: Python code cannot construct it
  PyGetSetDef* attributes;
  PyMethodDef* methods = nullptr;
  const PyType_Slot* more = nullptr;  // further slots, ended by {0, NULL}
  PyTypeObject* base = nullptr;       // class of wrappers that it derives from
};

// Makes the class. Raises (C++) on failure.
PyTypeObject* wrapper_type(const WrapperType& description);

// Adds the class to the module under its short name.
void wrapper_add(nb::module_& module, PyTypeObject* type);

// Adds a method, a static method or a property to a class.
template <class Function, class... Extra>
void add_method(PyTypeObject* type, const char* name, Function function, const Extra&... extra) {
  nb::handle self(reinterpret_cast<PyObject*>(type));
  nb::setattr(
      self, name,
      nb::cpp_function(function, nb::name(name), nb::scope(self), nb::is_method(), extra...));
}

template <class Function, class... Extra>
void add_static(PyTypeObject* type, const char* name, Function function, const Extra&... extra) {
  nb::handle self(reinterpret_cast<PyObject*>(type));
  nb::object plain = nb::cpp_function(function, nb::name(name), nb::scope(self), extra...);
  nb::setattr(self, name, nb::module_::import_("builtins").attr("staticmethod")(plain));
}

template <class Function>
void add_property(PyTypeObject* type, const char* name, Function getter) {
  nb::setattr(nb::handle(reinterpret_cast<PyObject*>(type)), name,
              nb::module_::import_("builtins").attr("property")(nb::cpp_function(getter)));
}

#endif  // CONDYLE_PYTHON_WRAPPER_H_
