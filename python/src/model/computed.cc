// computed.cc: attributes of MjModel and MjData that MuJoCo added after 3.3.7. They are computed
// from existing fields, into read-only arrays. Those that depend on the state are computed at each
// access, all others once.

#include "model/computed.h"

#include <condyle/computed.h>

#include <cstring>
#include <string>

#include "base/guard.h"
#include "base/number.h"
#include "model/data.h"
#include "model/model.h"

namespace {

struct ComputedAttribute {
  const cndComputed* row;
  Number type;
  int slot;  // in the cache; -1: made anew at each access
  std::string doc;
};

const char* name_of(const ComputedAttribute* attribute) {
  return attribute->row->field.name;
}

bool is_one(const char* text) {
  return !strcmp(text, "1");
}

bool is_number(const cndComputed* row) {
  return is_one(row->field.rows) && is_one(row->field.columns);
}

std::string describe(const cndComputed* row, Number type) {
  std::string shape;
  if (!is_number(row)) {
    shape = is_one(row->field.columns)
                ? std::string(" (") + row->field.rows + ",)"
                : std::string(" (") + row->field.rows + ", " + row->field.columns + ")";
  }
  return std::string(number_name(type)) + shape + ", read-only: " + row->field.meaning;
}

// Fields of 3.3.7 by the same name come first.
bool exists(const cndComputed* row) {
  for (int i = 0; !row->is_data && i < cnd_sizeFieldCount(); i++) {
    if (!strcmp(cnd_sizeField(i)->name, row->field.name)) {
      return true;
    }
  }
  int count = row->is_data ? cnd_dataFieldCount() : cnd_modelFieldCount();
  for (int i = 0; i < count; i++) {
    const cndField* field = row->is_data ? cnd_dataField(i) : cnd_modelField(i);
    if (!field->hidden && !strcmp(field->name, row->field.name)) {
      return true;
    }
  }
  return false;
}

std::vector<ComputedAttribute>& table(bool of_data, int first) {
  static auto* tables = new std::vector<ComputedAttribute>[2];
  std::vector<ComputedAttribute>& list = tables[of_data];
  if (list.empty()) {
    int slot = first;
    for (int i = 0; i < cnd_computedCount(); i++) {
      const cndComputed* row = cnd_computedField(i);
      if (static_cast<bool>(row->is_data) == of_data && !exists(row)) {
        bool flag = !strncmp(row->field.name, "flg_", 4);
        Number type = flag ? Number::kBool : number_of(row->field.type);
        int place = row->origin == cndORIGIN_DATA ? -1 : slot++;
        list.push_back({row, type, place, describe(row, type)});
      }
    }
  }
  return list;
}

// Room for the values of an array, and the array itself.
struct Values {
  const mjModel* m;
  const mjData* d;
  const char* name;
  cndArray array;
};

bool fill(Values* values) {
  return guarded(
      [values] { cnd_computedArray(&values->array, values->m, values->d, values->name); }, false);
}

PyObject* make_number(const ComputedAttribute* attribute, Values* values) {
  long long memory = 0;
  values->array.data = &memory;
  return fill(values) ? number_get(&memory, attribute->type) : nullptr;
}

PyObject* make_array(const ComputedAttribute* attribute, Values* values) {
  if (!fill(values)) {
    return nullptr;
  }
  npy_intp shape[2] = {static_cast<npy_intp>(values->array.rows),
                       static_cast<npy_intp>(values->array.columns)};
  int ndim = is_one(attribute->row->field.columns) ? 1 : 2;
  PyObject* array = PyArray_ZEROS(ndim, shape, number_dtype(attribute->type), 0);
  if (!array) {
    return nullptr;
  }
  auto* plain = reinterpret_cast<PyArrayObject*>(array);
  values->array.data = PyArray_DATA(plain);
  if (PyArray_SIZE(plain) && !fill(values)) {
    Py_DECREF(array);
    return nullptr;
  }
  PyArray_CLEARFLAGS(plain, NPY_ARRAY_WRITEABLE);
  return array;
}

PyObject* get(PyObject* self, void* closure) {
  Wrapper* wrapper = wrapper_of(self);
  auto* attribute = static_cast<const ComputedAttribute*>(closure);
  if (!wrapper) {
    return nullptr;
  }
  if (attribute->slot >= 0 && wrapper->cache[attribute->slot]) {
    return Py_NewRef(wrapper->cache[attribute->slot]);
  }
  Values values = {nullptr, nullptr, name_of(attribute), {}};
  if (attribute->row->is_data) {
    values.m = model_of(wrapper->related, "model");
    values.d = static_cast<const mjData*>(wrapper->memory);
  } else {
    values.m = static_cast<const mjModel*>(wrapper->memory);
  }
  if (!values.m) {
    return nullptr;
  }
  PyObject* made =
      is_number(attribute->row) ? make_number(attribute, &values) : make_array(attribute, &values);
  if (made && attribute->slot >= 0) {
    wrapper->cache[attribute->slot] = Py_NewRef(made);
  }
  return made;
}

}  // namespace

void computed_attributes(std::vector<PyGetSetDef>* list, bool of_data, int first) {
  for (ComputedAttribute& attribute : table(of_data, first)) {
    list->push_back({name_of(&attribute), get, nullptr, attribute.doc.c_str(), &attribute});
  }
}

int computed_slots(bool of_data) {
  int count = 0;
  for (int i = 0; i < cnd_computedCount(); i++) {
    count += static_cast<bool>(cnd_computedField(i)->is_data) == of_data;
  }
  return count;
}
