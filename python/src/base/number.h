// number.h: numbers, texts and arrays between Python and C.

#ifndef CONDYLE_PYTHON_NUMBER_H_
#define CONDYLE_PYTHON_NUMBER_H_

#include <string>

#include "base/common.h"

// The name of a value's class, for messages.
std::string type_name(PyObject* value);

// Types of elements.
enum class Number {
  kFloat64,
  kFloat32,
  kInt32,
  kUint8,
  kInt8,
  kInt64,
  kUint64,
  kUint32,
  kBool,
};

constexpr Number kNum = sizeof(mjtNum) == 8 ? Number::kFloat64 : Number::kFloat32;

// The type of NumPy for a type of elements, e.g. NPY_DOUBLE, and its name, e.g. "float64".
int number_dtype(Number type);
const char* number_name(Number type);
size_t number_size(Number type);

// The Number of a C type's name ("mjtNum", "int", "mjtByte" ...). Raises (C++) if unknown.
Number number_of(const char* c_type);

// Reads one number of memory as int or float.
PyObject* number_get(const void* memory, Number type);

// Writes one number. Integers take int, bool, NumPy integers and enum members, no floats, and
// nothing out of range. Returns false with TypeError that begins with `name`.
bool number_set(void* memory, Number type, PyObject* value, const char* name);

// Converts to a C number by the same rules.
bool number_to_int(long long* result, PyObject* value, long long low, long long high,
                   const char* name);
bool number_to_double(double* result, PyObject* value, const char* name);

// The text of str or bytes, valid as long as `value`; NULL with TypeError.
const char* number_to_text(PyObject* value, const char* name);

// The same, but raises (C++), also AttributeError where a deleted attribute has no value.
const char* text_argument(nb::handle value, const char* name);

// Makes a NumPy array over memory that `owner` keeps alive; strides NULL: C order. An empty array
// owns its memory.
PyObject* array_view(void* memory, Number type, int ndim, const Py_ssize_t* shape, PyObject* owner,
                     const Py_ssize_t* strides = nullptr);

// Makes an array of `count` texts of `size` bytes each (dtype S) over memory.
PyObject* text_view(void* memory, Py_ssize_t count, size_t size, PyObject* owner);

// Ends a setter: assigns to all elements of `array` as NumPy does (`array[...] = value`), and takes
// over its reference. array NULL: getting it has failed. Returns 0, or -1 with an exception.
int array_store(PyObject* array, PyObject* value);

// An array as an argument of a C function: where its elements are, and how many.
struct ArrayArgument {
  void* data;
  Py_ssize_t rows, columns;  // a vector has one column
  Py_ssize_t size;
  int ndim;
  PyObject* array;  // a new reference; NULL for None
};

// Converts anything that NumPy can to an array of the type, by a copy if necessary. `flat` asks for
// a vector: (n,), or more dimensions of length one. Returns false with TypeError.
bool array_input(ArrayArgument* result, PyObject* value, Number type, bool flat, const char* name);

// Takes an array of exactly the type, writable and contiguous, whose elements the function writes.
bool array_output(ArrayArgument* result, PyObject* value, Number type, bool flat, const char* name);

// An argument that is true or false: a bool or any number, as in `inheritrange=1`. Text and
// sequences are TypeErrors, unlike in an `if`.
struct Truth {
  bool value;
};

template <>
struct nanobind::detail::type_caster<Truth> {
  NB_TYPE_CASTER(Truth, const_name("bool"))

  bool from_python(handle source, uint8_t, cleanup_list*) noexcept {
    int truth = PyNumber_Check(source.ptr()) ? PyObject_IsTrue(source.ptr()) : -1;
    PyErr_Clear();
    value.value = truth > 0;
    return truth >= 0;
  }
};

#endif  // CONDYLE_PYTHON_NUMBER_H_
