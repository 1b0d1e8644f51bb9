// table.h: attributes of MjModel and MjData, made from the engine's tables of fields at import.
//
// The rows and columns of an array are written in those tables as text ("nbody", "nmocap*3"). A
// Shape is such a text resolved once, so that the length of an array costs a load or two.

#ifndef CONDYLE_PYTHON_TABLE_H_
#define CONDYLE_PYTHON_TABLE_H_

#include <string>
#include <vector>

#include "base/number.h"
#include "base/release.h"
#include "base/wrapper.h"

// A length: factor times a size of the model or a count of the data, or the factor alone.
struct Length {
  Py_ssize_t factor = 1;
  Py_ssize_t offset = -1;  // of the size in mjModel or mjData, or -1
  bool in_data = false;
  bool wide = false;  // the size has 64 bits
  std::string text;   // as written
  Py_ssize_t get(const mjModel* m, const mjData* d) const {
    if (offset < 0) {
      return factor;
    }
    const char* base =
        in_data ? reinterpret_cast<const char*>(d) : reinterpret_cast<const char*>(m);
    return factor * (wide
                         ? static_cast<Py_ssize_t>(*reinterpret_cast<const int64_t*>(base + offset))
                         : *reinterpret_cast<const int*>(base + offset));
  }
};

// One attribute of MjModel or MjData.
struct Attribute {
  const cndField* field;
  Number type;
  Length rows, columns;
  int slot = -1;  // in the wrapper's cache; -1: made anew at each access
  std::string doc;
  bool boolean = false;  // since 4.0, uint8 before
  Number shown() const {
    return boolean && release_is_later() ? Number::kBool : type;
  }
  bool flat() const {
    return columns.offset < 0 && columns.factor == 1;
  }
};

// Attributes of the public arrays of the model and the data, and of their numbers; in the order of
// the tables. They live as long as the program.
const std::vector<Attribute>& model_sizes();
const std::vector<Attribute>& model_arrays();
const std::vector<Attribute>& data_numbers();
const std::vector<Attribute>& data_arrays();

// The attribute of that name, or NULL.
const Attribute* model_array(const char* name);
const Attribute* data_array(const char* name);

// The field's memory in its struct: where a pointer leads, or the place of a number.
void* attribute_memory(const Attribute* attribute, void* container);

// Getter of a number, whose closure is its Attribute.
PyObject* attribute_number(PyObject* self, void* attribute);

// Is the array shown as a copy, made anew at each access, whose assignment reaches the engine?
bool attribute_is_copy(const Attribute* attribute);

// A view of the whole array, or that copy.
PyObject* attribute_view(const Attribute* attribute, void* container, const mjModel* m,
                         const mjData* d, PyObject* owner);

// Assigns to a view, a copy or a part of them, whose reference it takes, as array_store does.
int attribute_store(const Attribute* attribute, PyObject* array, PyObject* value);

#endif  // CONDYLE_PYTHON_TABLE_H_
