// worlds.cc: arguments of rollouts and batches.

#include "worlds/worlds.h"

#include <stdexcept>

void* full_array(nb::handle value, Number type, size_t size, const char* name, Access access) {
  if (value.is_none()) {
    return nullptr;
  }
  auto* array = reinterpret_cast<PyArrayObject*>(value.ptr());
  std::string wrong;
  if (!PyArray_Check(value.ptr()) || PyArray_TYPE(array) != number_dtype(type)) {
    wrong = std::string(" should be a numpy.ndarray of ") + number_name(type);
  } else if (!PyArray_ISCARRAY_RO(array) ||
             (access == Access::kWrite && !PyArray_ISWRITEABLE(array))) {
    wrong =
        access == Access::kWrite ? " should be contiguous and writable" : " should be contiguous";
  } else if (static_cast<size_t>(PyArray_SIZE(array)) != size) {
    wrong = " should have " + std::to_string(size) + " elements, not " +
            std::to_string(PyArray_SIZE(array));
  }
  if (!wrong.empty()) {
    throw nb::type_error((name + wrong).c_str());
  }
  return PyArray_DATA(array);
}

Use::Use(bool* busy, const char* message) : busy_(busy) {
  if (*busy) {
    throw std::runtime_error(message);
  }
  *busy = true;
}
