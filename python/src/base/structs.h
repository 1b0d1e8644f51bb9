// structs.h: plain C structs as Python classes: MjOption, MjVisual, MjContact ...

#ifndef CONDYLE_PYTHON_STRUCTS_H_
#define CONDYLE_PYTHON_STRUCTS_H_

#include "base/number.h"
#include "base/wrapper.h"

// What a member of a struct is.
enum class FieldKind {
  kNumber,  // one number
  kArray,   // numbers inside the struct
  kText,    // characters inside the struct, ended by zero
  kTexts,   // an array of texts
  kStruct,  // a struct inside the struct
};

struct StructInfo;

// One member of a struct.
struct StructField {
  const char* name;
  const char* doc;
  FieldKind kind;
  Number type;
  size_t offset;
  int ndim;
  Py_ssize_t shape[2];
  size_t text;               // bytes of a text
  const StructInfo* inside;  // of kStruct
  int slot;                  // in the wrapper's cache, -1: none
};

// A Python class that wraps one C struct: its fields and what it can do.
struct StructInfo {
  const char* name;  // "MjOption"
  const char* doc;
  size_t size;
  void (*set_default)(void* memory);  // NULL: zeros
  bool constructible;
  bool compares;  // equality and text by content
  StructField* fields;
  int nfield;
  PyTypeObject* type;

  // of structs that are more than their members (scene.cc); NULL: as all others
  initproc init = nullptr;
  void (*release)(void* memory) = nullptr;                 // frees it and what it points to
  bool (*copy)(void* memory, const void* from) = nullptr;  // after the members
  PyGetSetDef* more = nullptr;                             // further attributes
  PyMethodDef* methods = nullptr;                          // instead of those of all others
  int more_slots = 0;
};

// Wraps a struct in memory that `owner` keeps alive.
PyObject* struct_make(const StructInfo* info, void* memory, PyObject* owner);

// A new struct of its own, as the class without arguments makes it.
PyObject* struct_new(const StructInfo* info);

// The struct of an argument of that class; NULL with TypeError.
void* struct_of(PyObject* object, const StructInfo* info, const char* name);

// The class of a C type's name ("mjOption"); NULL if there is none.
const StructInfo* struct_info(const char* c_type);

// The same, but raises (C++).
template <class T>
T* as_struct(nb::handle object, const char* c_type, const char* name) {
  return static_cast<T*>(or_raise(struct_of(object.ptr(), struct_info(c_type), name)));
}

// Gives `self`, an instance of the class, its own memory: a copy of `from`, or the defaults if it
// is NULL. Returns -1 with an exception.
int struct_own(PyObject* self, const StructInfo* info, const void* from);

// First slot of the cache that members don't take.
int struct_slots(const StructInfo* info);

// Gives MjvScene, MjrRect and MjrContext their constructors and further attributes, before the
// classes are made.
void scene_prepare();

// Value of one member, and its assignment; `slot` caches are those of the wrapper.
PyObject* struct_get(Wrapper* self, const StructField* field);
int struct_set(Wrapper* self, const StructField* field, PyObject* value);

#endif  // CONDYLE_PYTHON_STRUCTS_H_
