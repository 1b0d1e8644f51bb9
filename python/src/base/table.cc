// table.cc: resolves the engine's tables of fields into attributes.

#include "base/table.h"

#include <cstring>
#include <stdexcept>

#include "base/flex_layout.h"

namespace {

struct Constant {
  const char* name;
  int value;
};

const Constant kConstants[] = {{"mjNTEXROLE", mjNTEXROLE},
                               {"mjNWARNING", mjNWARNING},
                               {"mjNTIMER", mjNTIMER},
                               {"mjNISLAND", mjNISLAND},
                               {"mjNSOLVER", mjNSOLVER}};

// A number, the name of a size or count, or a product of both: "3", "nbody", "nmocap*4".
Length parse_length(const std::string& text) {
  Length length;
  length.text = text;
  size_t start = 0;
  while (start < text.size()) {
    size_t end = text.find('*', start);
    std::string word = text.substr(start, end == std::string::npos ? end : end - start);
    start = end == std::string::npos ? text.size() : end + 1;
    if (isdigit(static_cast<unsigned char>(word[0]))) {
      length.factor *= std::stol(word);
      continue;
    }
    bool found = false;
    for (const Constant& constant : kConstants) {
      if (word == constant.name) {
        length.factor *= constant.value;
        found = true;
      }
    }
    for (int i = 0; !found && i < cnd_sizeFieldCount(); i++) {
      const cndField* field = cnd_sizeField(i);
      if (word == field->name) {
        length.offset = static_cast<Py_ssize_t>(field->offset);
        length.wide = field->size == 8;
        found = true;
      }
    }
    for (int i = 0; !found && i < cnd_dataFieldCount(); i++) {
      const cndField* field = cnd_dataField(i);
      if (word == field->name && !field->pointer) {
        length.offset = static_cast<Py_ssize_t>(field->offset);
        length.wide = field->size == 8;
        length.in_data = found = true;
      }
    }
    if (!found) {
      throw std::runtime_error("unknown size '" + word + "' in the engine's tables");
    }
  }
  return length;
}

// structs in mjData are lists of their own (lists.cc)
bool is_struct(const cndField* field) {
  return !strncmp(field->type, "mjContact", 9) || strstr(field->type, "Stat");
}

std::string describe(const Attribute& attribute) {
  const cndField* field = attribute.field;
  std::string shape;
  if (field->pointer || attribute.rows.factor != 1 || !attribute.flat()) {
    shape = attribute.flat() ? " (" + attribute.rows.text + ",)"
                             : " (" + attribute.rows.text + ", " + attribute.columns.text + ")";
  }
  return std::string(number_name(attribute.type)) + shape + ": " + field->meaning;
}

std::vector<Attribute> collect(int count, const cndField* (*get)(int), int wanted) {
  std::vector<Attribute> list;
  int slot = 0;
  for (int i = 0; i < count; i++) {
    const cndField* field = get(i);
    if (field->hidden || is_struct(field)) {
      continue;
    }
    Attribute attribute = {
        field, number_of(field->type), parse_length(field->rows), parse_length(field->columns), -1,
        ""};
    bool array = field->pointer || strcmp(field->rows, "1") || strcmp(field->columns, "1");
    if (wanted >= 0 && array != static_cast<bool>(wanted)) {
      continue;
    }
    attribute.slot = array && !field->arena ? slot++ : -1;
    attribute.doc = describe(attribute);
    attribute.boolean = release_is_boolean(field->name);
    list.push_back(attribute);
  }
  return list;
}

const Attribute* find(const std::vector<Attribute>& list, const char* name) {
  for (const Attribute& attribute : list) {
    if (!strcmp(attribute.field->name, name)) {
      return &attribute;
    }
  }
  return nullptr;
}

}  // namespace

const std::vector<Attribute>& model_sizes() {
  static const auto* list = new auto(collect(cnd_sizeFieldCount(), cnd_sizeField, -1));
  return *list;
}

const std::vector<Attribute>& model_arrays() {
  static const auto* list = new auto(collect(cnd_modelFieldCount(), cnd_modelField, 1));
  return *list;
}

const std::vector<Attribute>& data_numbers() {
  static const auto* list = new auto(collect(cnd_dataFieldCount(), cnd_dataField, 0));
  return *list;
}

const std::vector<Attribute>& data_arrays() {
  static const auto* list = new auto(collect(cnd_dataFieldCount(), cnd_dataField, 1));
  return *list;
}

const Attribute* model_array(const char* name) {
  return find(model_arrays(), name);
}
const Attribute* data_array(const char* name) {
  return find(data_arrays(), name);
}

void* attribute_memory(const Attribute* attribute, void* container) {
  char* place = static_cast<char*>(container) + attribute->field->offset;
  return attribute->field->pointer ? *reinterpret_cast<void**>(place) : place;
}

// Sizes of the model that are others in the layout of later releases.
static bool is_flex_size(const char* name) {
  return !strcmp(name, "nflexstiffness") || !strcmp(name, "nflexbending");
}

PyObject* attribute_number(PyObject* self, void* closure) {
  Wrapper* wrapper = wrapper_of(self);
  auto* attribute = static_cast<const Attribute*>(closure);
  if (wrapper && release_is_later() && is_flex_size(attribute->field->name)) {
    auto* m = static_cast<const mjModel*>(wrapper->memory);
    return PyLong_FromSsize_t(flex_layout_size(attribute->field->name, m));
  }
  return wrapper ? number_get(attribute_memory(attribute, wrapper->memory), attribute->shown())
                 : nullptr;
}

namespace {

// An array of the arena that does not exist at the moment, as later releases show it: zeros, -1 for
// the islands of dofs and trees.
PyObject* absent_view(const Attribute* attribute, const Py_ssize_t* shape) {
  PyObject* array = array_view(nullptr, attribute->shown(), 1, shape, nullptr);
  const char* name = attribute->field->name;
  if (array && (!strcmp(name, "dof_island") || !strcmp(name, "tree_island"))) {
    PyArray_FILLWBYTE(reinterpret_cast<PyArrayObject*>(array), -1);
  }
  return array;
}

bool is_shown_absent(const char* name) {
  return !strcmp(name, "dof_island") || !strcmp(name, "map_dof2idof") ||
         !strcmp(name, "map_idof2dof");
}

// Arrays that have another shape in later releases.
PyObject* reshaped_view(const Attribute* attribute, const mjModel* m, const mjData* d,
                        PyObject* owner) {
  const char* name = attribute->field->name;
  bool tendons = !strcmp(name, "ten_J");
  if (d && (tendons || !strcmp(name, "flexedge_J"))) {
    Py_ssize_t size = static_cast<Py_ssize_t>(tendons ? m->nJten : m->nJfe);
    return array_view(tendons ? d->cnd_ten_J : d->cnd_flexedge_J, attribute->type, 1, &size, owner);
  }
  if (!strcmp(name, "flexelem_krot")) {  // zeros, as many as stiffness has
    Py_ssize_t size = flex_layout_size("nflexstiffness", m);
    return array_view(nullptr, attribute->type, 1, &size, nullptr);
  }
  return flex_is_laid_out(name) ? flex_laid_out(name, m, owner) : nullptr;
}

// Arrays whose numbers are members of an enum that later releases number otherwise.
const struct {
  const char *field, *enumeration;
} kMembers[] = {{"actuator_dyntype", "mjtDyn"},
                {"actuator_gaintype", "mjtGain"},
                {"actuator_biastype", "mjtBias"}};

const char* enumeration_of(const char* field) {
  for (const auto& array : kMembers) {
    if (!strcmp(field, array.field)) {
      return array.enumeration;
    }
  }
  return nullptr;
}

bool is_equality_data(const Attribute* attribute) {
  return !strcmp(attribute->field->name, "eq_data");
}

PyObject* make_copy(const Attribute* attribute, PyObject* view, const mjModel* m, PyObject* owner) {
  if (!is_equality_data(attribute)) {
    return release_members(view, enumeration_of(attribute->field->name));
  }
  Py_ssize_t length = m->neq;
  PyObject* marks = array_view(m->cnd_eq_unposed, Number::kInt32, 1, &length, owner);
  PyObject* copy = marks ? release_equality_data(view, marks) : nullptr;
  Py_XDECREF(marks);
  return copy;
}

}  // namespace

bool attribute_is_copy(const Attribute* attribute) {
  return release_is_later() &&
         (is_equality_data(attribute) || enumeration_of(attribute->field->name));
}

PyObject* attribute_view(const Attribute* attribute, void* container, const mjModel* m,
                         const mjData* d, PyObject* owner) {
  void* memory = attribute_memory(attribute, container);
  const cndField* field = attribute->field;
  Py_ssize_t shape[2] = {attribute->rows.get(m, d), attribute->columns.get(m, d)};
  if (!memory && field->arena) {
    if (field->since || (release_is_later() && is_shown_absent(field->name))) {
      return absent_view(attribute, shape);
    }
    shape[0] = 0;
  }
  if (release_is_later() && !field->arena) {
    if (PyObject* view = reshaped_view(attribute, m, d, owner)) {
      return view;
    }
  }
  PyObject* view = array_view(memory, attribute->shown(), attribute->flat() ? 1 : 2, shape, owner);
  if (!view || !attribute_is_copy(attribute)) {
    return view;
  }
  PyObject* copy = make_copy(attribute, view, m, owner);
  Py_DECREF(view);
  return copy;
}

int attribute_store(const Attribute* attribute, PyObject* array, PyObject* value) {
  if (!attribute_is_copy(attribute)) {
    return array_store(array, value);
  }
  int failed = array ? PyObject_SetItem(array, Py_Ellipsis, value) : -1;
  Py_XDECREF(array);
  return failed;
}
