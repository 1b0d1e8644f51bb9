// number.cc: conversions of numbers, texts and arrays.

#include "base/number.h"

#include <cstring>
#include <limits>
#include <stdexcept>

#include "base/wrapper.h"

namespace {

struct NumberInfo {
  const char* name;
  int dtype;
  size_t size;
  long long low, high;
};

template <class T>
constexpr NumberInfo integer(const char* name, int dtype) {
  using Limits = std::numeric_limits<T>;
  constexpr bool wide = sizeof(T) == 8 && !Limits::is_signed;
  return {name, dtype, sizeof(T), static_cast<long long>(Limits::min()),
          wide ? std::numeric_limits<long long>::max() : static_cast<long long>(Limits::max())};
}

// in the order of Number
const NumberInfo kInfo[] = {
    {"float64", NPY_DOUBLE, 8, 0, 0},        {"float32", NPY_FLOAT, 4, 0, 0},
    integer<int32_t>("int32", NPY_INT32),    integer<uint8_t>("uint8", NPY_UINT8),
    integer<int8_t>("int8", NPY_INT8),       integer<int64_t>("int64", NPY_INT64),
    integer<uint64_t>("uint64", NPY_UINT64), integer<uint32_t>("uint32", NPY_UINT32),
    integer<bool>("bool", NPY_BOOL)};

const NumberInfo& info(Number type) {
  return kInfo[static_cast<int>(type)];
}

struct CType {
  const char* name;
  Number number;
};

const CType kCTypes[] = {{"mjtNum", kNum},
                         {"double", Number::kFloat64},
                         {"float", Number::kFloat32},
                         {"int", Number::kInt32},
                         {"mjtByte", Number::kUint8},
                         {"char", Number::kInt8},
                         {"mjtSize", Number::kUint64},
                         {"size_t", Number::kUint64},
                         {"uintptr_t", Number::kUint64},
                         {"uint64_t", Number::kUint64},
                         {"unsigned int", Number::kUint32},
                         {"unsigned char", Number::kUint8},
                         {"bool", Number::kBool}};

// number of elements and shape as rows and columns of an array
void measure(ArrayArgument* result, PyArrayObject* array) {
  result->array = reinterpret_cast<PyObject*>(array);
  result->data = PyArray_DATA(array);
  result->size = PyArray_SIZE(array);
  result->ndim = PyArray_NDIM(array);
  result->rows = result->ndim > 0 ? PyArray_DIM(array, 0) : 1;
  result->columns = result->ndim > 1 ? PyArray_DIM(array, 1) : 1;
}

// a vector has one dimension, or others of length one
bool is_flat(const ArrayArgument* array) {
  return array->ndim == 1 || (array->ndim == 2 && (array->rows == 1 || array->columns == 1));
}

}  // namespace

std::string type_name(PyObject* value) {
  PyObject* name = PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(value)), "__name__");
  const char* text = name ? PyUnicode_AsUTF8AndSize(name, nullptr) : nullptr;
  if (!text) {
    PyErr_Clear();  // a metaclass may give anything
  }
  std::string result = text ? text : "object";
  Py_XDECREF(name);
  return result;
}

int number_dtype(Number type) {
  return info(type).dtype;
}
const char* number_name(Number type) {
  return info(type).name;
}
size_t number_size(Number type) {
  return info(type).size;
}

Number number_of(const char* c_type) {
  for (const CType& type : kCTypes) {
    if (!strcmp(type.name, c_type)) {
      return type.number;
    }
  }
  throw std::runtime_error(std::string("no number type for C type ") + c_type);
}

PyObject* number_get(const void* memory, Number type) {
  switch (type) {
    case Number::kFloat64:
      return PyFloat_FromDouble(*static_cast<const double*>(memory));
    case Number::kFloat32:
      return PyFloat_FromDouble(*static_cast<const float*>(memory));
    case Number::kInt32:
      return PyLong_FromLong(*static_cast<const int32_t*>(memory));
    case Number::kUint8:
      return PyLong_FromLong(*static_cast<const uint8_t*>(memory));
    case Number::kInt8:
      return PyLong_FromLong(*static_cast<const int8_t*>(memory));
    case Number::kInt64:
      return PyLong_FromLongLong(*static_cast<const int64_t*>(memory));
    case Number::kUint64:
      return PyLong_FromUnsignedLongLong(*static_cast<const uint64_t*>(memory));
    case Number::kUint32:
      return PyLong_FromUnsignedLong(*static_cast<const uint32_t*>(memory));
    case Number::kBool:
      return PyBool_FromLong(*static_cast<const uint8_t*>(memory));
  }
  return nullptr;
}

bool number_to_int(long long* result, PyObject* value, long long low, long long high,
                   const char* name) {
  int overflow = 0;
  long long number;
  if (PyLong_Check(value)) {
    number = PyLong_AsLongLongAndOverflow(value, &overflow);
  } else {
    PyObject* index = PyIndex_Check(value) ? PyNumber_Index(value) : nullptr;
    if (!index) {
      PyErr_Clear();
      PyErr_Format(PyExc_TypeError, "%s should be an integer, not %s", name,
                   type_name(value).c_str());
      return false;
    }
    number = PyLong_AsLongLongAndOverflow(index, &overflow);
    Py_DECREF(index);
  }
  if (number == -1 && PyErr_Occurred()) {
    return false;
  }
  if (overflow || number < low || number > high) {
    PyErr_Format(PyExc_TypeError, "%s is out of range: %S", name, value);
    return false;
  }
  *result = number;
  return true;
}

bool number_to_double(double* result, PyObject* value, const char* name) {
  if (PyFloat_CheckExact(value)) {
    *result = PyFloat_AsDouble(value);
    return true;
  }
  double number = PyFloat_AsDouble(value);
  if (number == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s should be a number, not %s", name, type_name(value).c_str());
    return false;
  }
  *result = number;
  return true;
}

bool number_set(void* memory, Number type, PyObject* value, const char* name) {
  if (type == Number::kFloat64 || type == Number::kFloat32) {
    double number;
    if (!number_to_double(&number, value, name)) {
      return false;
    }
    if (type == Number::kFloat64) {
      *static_cast<double*>(memory) = number;
    } else {
      *static_cast<float*>(memory) = static_cast<float>(number);
    }
    return true;
  }
  if (type == Number::kUint64 && PyLong_Check(value)) {
    unsigned long long number = PyLong_AsUnsignedLongLong(value);
    if (PyErr_Occurred()) {
      PyErr_Clear();
      PyErr_Format(PyExc_TypeError, "%s is out of range: %S", name, value);
      return false;
    }
    *static_cast<uint64_t*>(memory) = number;
    return true;
  }
  long long number;
  if (!number_to_int(&number, value, info(type).low, info(type).high, name)) {
    return false;
  }
  memcpy(memory, &number, info(type).size);  // little endian: the low bytes come first
  return true;
}

const char* number_to_text(PyObject* value, const char* name) {
  const char* text = nullptr;
  Py_ssize_t size = 0;
  if (PyUnicode_Check(value)) {
    text = PyUnicode_AsUTF8AndSize(value, &size);
  } else if (PyBytes_Check(value)) {
    char* bytes;
    if (!PyBytes_AsStringAndSize(value, &bytes, &size)) {
      text = bytes;
    }
  } else {
    PyErr_Format(PyExc_TypeError, "%s should be a string, not %s", name, type_name(value).c_str());
  }
  if (text && strlen(text) != static_cast<size_t>(size)) {
    PyErr_Format(PyExc_ValueError, "%s contains a zero character", name);
    return nullptr;
  }
  return text;
}

const char* text_argument(nb::handle value, const char* name) {
  return or_raise(value.is_valid() ? number_to_text(value.ptr(), name)
                                   : (refuse_deletion(name), nullptr));
}

PyObject* array_view(void* memory, Number type, int ndim, const Py_ssize_t* shape, PyObject* owner,
                     const Py_ssize_t* strides) {
  Py_ssize_t size = 1;
  npy_intp dims[4];
  npy_intp steps[4];
  for (int i = 0; i < ndim; i++) {
    dims[i] = shape[i];
    size *= shape[i];
    steps[i] = strides ? strides[i] : 0;
  }
  if (!size || !memory) {
    return PyArray_ZEROS(ndim, dims, number_dtype(type), 0);
  }
  PyObject* array = PyArray_New(&PyArray_Type, ndim, dims, number_dtype(type),
                                strides ? steps : nullptr, memory, 0, NPY_ARRAY_WRITEABLE, nullptr);
  if (!array) {
    return nullptr;
  }
  PyArray_UpdateFlags(reinterpret_cast<PyArrayObject*>(array),
                      NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS | NPY_ARRAY_ALIGNED);
  if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(array), Py_NewRef(owner)) < 0) {
    Py_DECREF(array);
    return nullptr;
  }
  return array;
}

PyObject* text_view(void* memory, Py_ssize_t count, size_t size, PyObject* owner) {
  PyArray_Descr* type = PyArray_DescrNewFromType(NPY_STRING);
  if (!type) {
    return nullptr;
  }
  PyDataType_SET_ELSIZE(type, static_cast<npy_intp>(size));
  npy_intp dim = count;
  PyObject* array = PyArray_NewFromDescr(&PyArray_Type, type, 1, &dim, nullptr, memory,
                                         NPY_ARRAY_WRITEABLE, nullptr);
  if (array &&
      PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(array), Py_NewRef(owner)) < 0) {
    Py_CLEAR(array);
  }
  return array;
}

int array_store(PyObject* array, PyObject* value) {
  bool done = array && !PyArray_CopyObject(reinterpret_cast<PyArrayObject*>(array), value);
  Py_XDECREF(array);
  return done ? 0 : -1;
}

bool array_input(ArrayArgument* result, PyObject* value, Number type, bool flat, const char* name) {
  if (PyArray_Check(value)) {
    auto* array = reinterpret_cast<PyArrayObject*>(value);
    if (PyArray_TYPE(array) == number_dtype(type) && PyArray_ISCARRAY_RO(array)) {
      measure(result, array);
      Py_INCREF(value);
    } else {
      result->array = nullptr;
    }
  } else {
    result->array = nullptr;
  }
  if (!result->array) {
    if (value == Py_None) {
      PyErr_Format(PyExc_TypeError, "%s should be an array, not None", name);
      return false;
    }
    PyObject* array =
        PyArray_FROMANY(value, number_dtype(type), 0, 2, NPY_ARRAY_CARRAY_RO | NPY_ARRAY_FORCECAST);
    if (!array) {
      PyErr_Clear();
      PyErr_Format(PyExc_TypeError, "%s cannot be turned into an array of %s", name,
                   number_name(type));
      return false;
    }
    measure(result, reinterpret_cast<PyArrayObject*>(array));
  }
  if (result->ndim > 2 || result->ndim < 1 || (flat && !is_flat(result))) {
    Py_CLEAR(result->array);
    PyErr_Format(PyExc_TypeError, "%s should have %s", name,
                 flat ? "one dimension" : "one or two dimensions");
    return false;
  }
  return true;
}

bool array_output(ArrayArgument* result, PyObject* value, Number type, bool flat,
                  const char* name) {
  if (!PyArray_Check(value)) {
    PyErr_Format(PyExc_TypeError, "%s should be a numpy.ndarray of %s, not %s", name,
                 number_name(type), type_name(value).c_str());
    return false;
  }
  auto* array = reinterpret_cast<PyArrayObject*>(value);
  const char* wrong = PyArray_TYPE(array) != number_dtype(type) ? "have dtype"
                      : !PyArray_ISCARRAY(array) ? "be writable and contiguous, of dtype"
                                                 : nullptr;
  if (wrong) {
    PyErr_Format(PyExc_TypeError, "%s should %s %s", name, wrong, number_name(type));
    return false;
  }
  measure(result, array);
  if (result->ndim > 2 || result->ndim < 1 || (flat && !is_flat(result))) {
    PyErr_Format(PyExc_TypeError, "%s should have %s", name,
                 flat ? "one dimension" : "one or two dimensions");
    result->array = nullptr;
    return false;
  }
  Py_INCREF(value);
  return true;
}
