// structs.h: plain C structs as Python classes: MjOption, MjVisual, MjContact ...

#ifndef CONDYLE_PYTHON_STRUCTS_H_
#define CONDYLE_PYTHON_STRUCTS_H_

#include "number.h"
#include "wrapper.h"

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

// One class.
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
};

// Wraps a struct in memory that `owner` keeps alive.
PyObject* struct_make(const StructInfo* info, void* memory, PyObject* owner);

// A new struct of its own, as the class without arguments makes it.
PyObject* struct_new(const StructInfo* info);

// The struct of an argument of that class; NULL with TypeError.
void* struct_of(PyObject* object, const StructInfo* info, const char* name);

// The class of a C type's name ("mjOption"); NULL if there is none.
const StructInfo* struct_info(const char* c_type);

// Value of one member, and its assignment; `slot` caches are those of the wrapper.
PyObject* struct_get(Wrapper* self, const StructField* field);
int struct_set(Wrapper* self, const StructField* field, PyObject* value);

#endif  // CONDYLE_PYTHON_STRUCTS_H_
