// spec.h: MjSpec and its elements in Python.
//
//   MjSpec, MjsGeom ... --owner--> Owner --mj_deleteSpec--> mjSpec
//   MjsOrientation, MjDoubleVec ... --related--> the element they are a part of
//
// The element in C knows its wrapper (as a user value), so there is one wrapper per element, and
// the engine itself tells when the element ends: its wrapper then stands for nothing and raises.
// Arrays point into the element's struct, whose memory stays until the spec is freed.

#ifndef CONDYLE_PYTHON_SPEC_H_
#define CONDYLE_PYTHON_SPEC_H_

#include <string>

#include "base/guard.h"
#include "base/number.h"
#include "base/release.h"
#include "base/structs.h"
#include "base/wrapper.h"
#include "spec_lists.inc"

// What a member of an element is.
enum class SpecKind {
  kNumber,
  kEnum,
  kArray,
  kChars,   // characters inside the struct
  kString,  // mjString*
  kDoubles,
  kFloats,
  kInts,
  kStrings,
  kBytes,
  kIntLists,
  kFloatLists,
  kOrientation,
  kPlugin,
  kCompiler,
  kAuthored,
  kStruct,   // a plain struct: mjOption ...
  kElement,  // of a default class
};

// One member of a C struct.
struct SpecField {
  const char* name;
  const char* doc;
  SpecKind kind;
  Number type;
  size_t offset;
  Py_ssize_t count;         // of kArray, kChars
  const char* enumeration;  // the enum's name, or NULL
  const char* c_type;       // of kStruct
  int slot;
  const char* later = nullptr;  // since 4.0: "bool", "polynomial", "names", or an enum
};

// One class.
struct SpecClass {
  const char* name;
  const char* doc;
  mjtObj object;
  bool element;  // has name, id, signature
  SpecField* fields;
  int nfield;
  PyTypeObject* type;
};

// A type of elements with a name to look one up and a name for all of them.
struct ElementKind {
  mjtObj type;
  const char* name;
  const char* plural;
};

extern PyTypeObject* SpecType;
extern PyTypeObject* ElementType;  // MjsElement, the base of all elements

// Returns `self` as a wrapper if its object still exists; else NULL with RuntimeError.
Wrapper* spec_alive(PyObject* self);

// As long as a Busy exists, objects of the spec's owner can't be used: the engine is compiling the
// spec without the interpreter's lock.
class Busy {
 public:
  explicit Busy(PyObject* owner);
  ~Busy();
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  PyObject* owner_;
};

// The C struct of a wrapper; raises (C++) if the object was deleted.
void* spec_memory(nb::handle self);

// The structs that have classes, and their classes.
#define DECLARE(T)                        \
  extern SpecClass class_##T;             \
  inline SpecClass* class_for(const T*) { \
    return &class_##T;                    \
  }
SPEC_STRUCTS(DECLARE)
#undef DECLARE

// The C struct of an object that must be of its class; raises (C++) TypeError otherwise.
template <class T>
T* part(nb::handle self) {
  SpecClass* one = class_for(static_cast<T*>(nullptr));
  if (!PyObject_TypeCheck(self.ptr(), one->type)) {
    raise(PyExc_TypeError, std::string("expected ") + one->name + ", not " + type_name(self.ptr()));
  }
  return static_cast<T*>(spec_memory(self));
}

// The element of a wrapper of any class of elements: all structs begin with it.
inline mjsElement* element_of(nb::handle self) {
  return *static_cast<mjsElement**>(spec_memory(self));
}

// The mjSpec of an MjSpec.
mjSpec* spec_of(nb::handle self);

// Is it an element of this class, or of any class with `NULL`?
bool is_element(nb::handle object);
SpecClass* class_of(PyObject* object);
SpecClass* class_of_type(mjtObj type);

// The element of an argument that must be of a class; raises TypeError (C++).
mjsElement* element_argument(nb::handle object, mjtObj type, const char* name);

// The class of an argument, NULL for None.
const mjsDefault* default_argument(nb::handle object);

// The wrapper of an element; None for NULL.
nb::object element_wrap(mjsElement* element);
nb::object wrap(mjsDefault* element);
nb::object wrap(mjsWrap* element);

// The owner of a spec in C (borrowed), and its MjSpec (borrowed); NULL if there is none.
PyObject* spec_owner(const mjSpec* spec);
PyObject* spec_wrapper(const mjSpec* spec);

// Makes the MjSpec of a new spec. Frees the spec on failure.
nb::object spec_make(PyTypeObject* type, mjSpec* spec);

// Makes `self` stand for a new spec. Returns false with an exception.
bool spec_set(PyObject* self, mjSpec* spec);

// Value and assignment of a member of the struct that `self` stands for.
PyObject* field_get(PyObject* self, const SpecField* field);
bool field_set(PyObject* self, const SpecField* field, PyObject* value);

// Makes getters and setters of the fields of a class.
PyGetSetDef* field_attributes(SpecClass* one, const PyGetSetDef* more);

// Number of slots that wrappers of the class need.
int field_slots(const SpecClass* one);

// Vectors.
PyObject* vector_make(PyObject* parent, const SpecField* field, void* member);
bool vector_assign(PyObject* self, const SpecField* field, void* member, PyObject* value);

// The text of a C string.
inline const char* text_of(const mjString* string) {
  return string->c_str();
}

// Slots of an MjSpec, before those of its fields.
enum {
  kSpecAssets,
  kSpecParent,
  kSpecMoved,
  kSpecDiagnostics,
  kSpecSlots
};

// Methods of the classes, by file.
void init_spec_vectors(nb::module_& module);
void init_spec_add();
void init_spec_methods();
void init_spec_bind();
void init_spec_class(nb::module_& module);

// Runs code that may throw, on behalf of CPython. Returns `failed` with an exception.
template <class Code, class Result>
Result safely(Code&& code, Result failed) {
  try {
    return code();
  } catch (nb::python_error& error) {
    error.restore();
  } catch (std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return failed;
}

#endif  // CONDYLE_PYTHON_SPEC_H_
