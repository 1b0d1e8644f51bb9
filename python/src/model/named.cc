// named.cc: named access: one class for each kind of objects in a model or in data, whose
// attributes are parts of the big arrays. python/generate/named.py writes which.

#include "model/named.h"

#include <array>
#include <climits>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "base/table.h"
#include "model/data.h"
#include "model/model.h"

namespace {

// How an attribute's part of a big array is found.
enum class Part {
  kRow,       // row `id`
  kCoords,    // rows of the joint's coordinates
  kDofs,      // rows of the joint's degrees of freedom
  kSlice,     // rows from an address field, as many as a count field says
  kPicture,   // like kSlice, with up to three lengths
  kBlock,     // like kSlice, but a single row is a vector, as of kRow
  kMoment,    // dense rows of the moments of an actuator
  kJacobian,  // dense row of the Jacobian of a tendon
  kColumns,   // columns of that row
};

// One attribute, as the table writes it: `address` and `lengths` are names of fields of the model.
struct ItemRow {
  const char* name;
  const char* field;
  Part part;
  const char* address;
  const char* lengths[3];
};

// The objects of a category in a model or in data.
struct ClassRow {
  mjtObj type;
  bool in_data;
  const char* size;  // its count
  const char* name;
  const char* methods[2];  // of MjModel or MjData; the second may be NULL
  const ItemRow* items;
  int nitem;
};

#include "named.inc"

constexpr int kClassCount = static_cast<int>(sizeof kClasses / sizeof *kClasses);

// An attribute with its fields found.
struct Item {
  const ItemRow* row;
  const Attribute* attribute;
  const Attribute* address;
  const Attribute* lengths[3];
  int nlength;
  int slot;  // in the object's cache
};

struct Class {
  const ClassRow* row;
  Length count;
  std::vector<Item> items;
  PyTypeObject* type;
};

Class classes[kClassCount];

const mjModel* model_in(Wrapper* self) {
  return static_cast<const mjModel*>(
      self->related ? reinterpret_cast<Wrapper*>(self->related)->memory : self->memory);
}

int number_at(const Attribute* attribute, const mjModel* m, int row) {
  return static_cast<const int*>(attribute_memory(attribute, const_cast<mjModel*>(m)))[row];
}

// Coordinates and degrees of freedom of a joint.
void joint_range(const mjModel* m, int id, Part part, int* first, int* count) {
  int type = m->jnt_type[id];
  bool coords = part == Part::kCoords;
  *first = coords ? m->jnt_qposadr[id] : m->jnt_dofadr[id];
  *count = type == mjJNT_FREE ? (coords ? 7 : 6) : type == mjJNT_BALL ? (coords ? 4 : 3) : 1;
}

// Adds the entries of a sparse row to a dense one.
void scatter_row(mjtNum* row, const mjtNum* values, const int* colind, int nnz) {
  for (int k = 0; k < nnz; k++) {
    row[colind[k]] = values[k];
  }
}

// A dense row of a sparse matrix, a copy.
PyObject* dense_row(npy_intp columns, const mjtNum* values, const int* colind, int nnz) {
  PyObject* array = PyArray_ZEROS(1, &columns, number_dtype(kNum), 0);
  if (array) {
    auto* row = static_cast<mjtNum*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array)));
    scatter_row(row, values, colind, nnz);
  }
  return array;
}

// One row (nv), or a row for each of several forces.
PyObject* moment(const mjModel* m, const mjData* d, int id) {
  int first = m->actuator_outadr[id], num = m->actuator_outnum[id], adr = d->moment_rowadr[first];
  if (num == 1) {
    return dense_row(m->nv, d->actuator_moment + adr, d->moment_colind + adr,
                     d->moment_rownnz[first]);
  }
  npy_intp shape[2] = {num, m->nv};
  PyObject* array = PyArray_ZEROS(2, shape, number_dtype(kNum), 0);
  for (int k = 0; array && k < num; k++) {
    auto* rows = static_cast<mjtNum*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array)));
    adr = d->moment_rowadr[first + k];
    scatter_row(rows + static_cast<size_t>(k) * m->nv, d->actuator_moment + adr,
                d->moment_colind + adr, d->moment_rownnz[first + k]);
  }
  return array;
}

PyObject* jacobian(const mjModel* m, const mjData* d, int id, PyObject* owner) {
  if (mj_isSparse(m)) {
    int adr = d->ten_J_rowadr[id];
    return dense_row(m->nv, d->ten_J + adr, d->ten_J_colind + adr, d->ten_J_rownnz[id]);
  }
  Py_ssize_t shape = m->nv;
  return array_view(d->ten_J + static_cast<size_t>(id) * m->nv, kNum, 1, &shape, owner);
}

PyObject* make_view(Wrapper* self, const Item* item) {
  const mjModel* m = model_in(self);
  int id = self->index;
  const Attribute* attribute = item->attribute;
  auto* d = self->related ? static_cast<mjData*>(self->memory) : nullptr;
  if (attribute_is_copy(attribute)) {
    PyObject* whole = attribute_view(attribute, self->memory, m, d, self->owner);
    PyObject* row = !whole              ? nullptr
                    : attribute->flat() ? PySequence_GetSlice(whole, id, id + 1)
                                        : PySequence_GetItem(whole, id);
    Py_XDECREF(whole);
    return row;
  }
  Py_ssize_t first = id, shape[3] = {1, attribute->columns.get(m, d), 1};
  int ndim = attribute->flat() ? 1 : 2;
  switch (item->row->part) {
    case Part::kMoment:
      return moment(m, d, id);
    case Part::kJacobian:
      return jacobian(m, d, id, self->owner);
    case Part::kRow:
      // one row is a vector
      ndim = 1;
      shape[0] = shape[1];
      break;
    case Part::kCoords:
    case Part::kDofs: {
      int adr, count;
      joint_range(m, id, item->row->part, &adr, &count);
      first = adr;
      shape[0] = count;
      break;
    }
    case Part::kSlice:
      first = number_at(item->address, m, id);
      shape[0] = number_at(item->lengths[0], m, id);
      break;
    case Part::kBlock:
      first = number_at(item->address, m, id);
      shape[0] = number_at(item->lengths[0], m, id);
      if (shape[0] == 1) {
        ndim = 1;
        shape[0] = shape[1];
      }
      break;
    case Part::kPicture:
      first = number_at(item->address, m, id);
      ndim = item->nlength;
      for (int i = 0; i < ndim; i++) {
        shape[i] = number_at(item->lengths[i], m, id);
      }
      break;
    case Part::kColumns:
      first = d->ten_J_rowadr[id];
      shape[0] = d->ten_J_rownnz[id];
      ndim = 1;
      break;
  }
  auto* memory = static_cast<char*>(attribute_memory(attribute, self->memory));
  size_t row =
      static_cast<size_t>(item->row->part == Part::kColumns ? 1 : attribute->columns.get(m, d));
  return array_view(
      memory ? memory + static_cast<size_t>(first) * row * number_size(attribute->type) : nullptr,
      attribute->shown(), ndim, shape, self->owner);
}

// The class of an object, by its type.
const Class* class_of(PyObject* self) {
  for (const Class& one : classes) {
    if (one.type == Py_TYPE(self)) {
      return &one;
    }
  }
  return nullptr;
}

PyObject* get_item(PyObject* self, void* closure) {
  Wrapper* wrapper = wrapper_of(self);
  auto* item = static_cast<const Item*>(closure);
  if (!wrapper) {
    return nullptr;
  }
  Part part = item->row->part;
  bool copied = part == Part::kMoment || part == Part::kJacobian || part == Part::kColumns ||
                item->attribute->field->arena || attribute_is_copy(item->attribute);
  auto make = [&] { return make_view(wrapper, item); };
  return copied ? make() : wrapper_cached(wrapper, item->slot, make);
}

int set_item(PyObject* self, PyObject* value, void* closure) {
  auto* item = static_cast<const Item*>(closure);
  return value ? attribute_store(item->attribute, get_item(self, closure), value)
               : refuse_deletion(item->row->name);
}

PyObject* get_id(PyObject* self, void*) {
  return PyLong_FromLong(reinterpret_cast<Wrapper*>(self)->index);
}

PyObject* get_name(PyObject* self, void* closure) {
  Wrapper* wrapper = wrapper_of(self);
  auto* one = static_cast<const Class*>(closure);
  const char* name =
      wrapper ? mj_id2name(model_in(wrapper), one->row->type, wrapper->index) : nullptr;
  return wrapper ? PyUnicode_FromString(name ? name : "") : nullptr;
}

PyObject* represent(PyObject* self) {
  const Class* one = class_of(self);
  std::vector<std::string> names = {"id", "name"};
  for (const Item& item : one->items) {
    if (item.row->name[0] != '_') {
      names.push_back(item.row->name);
    }
  }
  return wrapper_describe(self, names);
}

PyObject* object(PyObject* container, Class* one, int id) {
  auto* wrapper = reinterpret_cast<Wrapper*>(container);
  PyObject*& cache = wrapper->cache[wrapper->slots - 1];
  if (!cache && !(cache = PyDict_New())) {
    return nullptr;
  }
  long long place = static_cast<long long>(id) * kClassCount + (one - classes);
  PyObject* key = PyLong_FromLongLong(place);
  PyObject* found = key ? PyDict_GetItemWithError(cache, key) : nullptr;
  if (found) {
    Py_INCREF(found);
  } else if (key && !PyErr_Occurred()) {
    found = wrapper_make(one->type, wrapper->memory, wrapper->owner,
                         static_cast<int>(one->items.size()));
    if (found) {
      reinterpret_cast<Wrapper*>(found)->index = id;
      reinterpret_cast<Wrapper*>(found)->related = Py_XNewRef(wrapper->related);
      if (PyDict_SetItem(cache, key, found) < 0) {
        Py_CLEAR(found);
      }
    }
  }
  Py_XDECREF(key);
  return found;
}

void raise_unknown(const Class* one, const mjModel* m, const char* name, Py_ssize_t count) {
  std::set<std::string> names;
  for (Py_ssize_t i = 0; i < count; i++) {
    const char* text = mj_id2name(m, one->row->type, static_cast<int>(i));
    if (text && *text) {
      names.insert(text);
    }
  }
  std::string list;
  for (const std::string& text : names) {
    list += (list.empty() ? "'" : ", '") + text + "'";
  }
  PyErr_Format(PyExc_KeyError, "Invalid name '%s'. Valid names: [%s]", name, list.c_str());
}

PyObject* lookup(PyObject* self, Class* one, PyObject* key) {
  Wrapper* wrapper = wrapper_of(self);
  if (!wrapper) {
    return nullptr;
  }
  const mjModel* m = model_in(wrapper);
  Py_ssize_t count = one->count.get(m, nullptr);
  if (PyUnicode_Check(key) || PyBytes_Check(key)) {
    const char* name = number_to_text(key, "name");
    int id = name && *name ? mj_name2id(m, one->row->type, name) : -1;
    if (!name) {
      return nullptr;
    }
    if (id < 0) {
      raise_unknown(one, m, name, count);
      return nullptr;
    }
    return object(self, one, id);
  }
  long long id;
  if (!number_to_int(&id, key, LLONG_MIN, LLONG_MAX, "index")) {
    return nullptr;
  }
  if (id < 0 || id >= count) {
    PyErr_Format(PyExc_IndexError, "Invalid index %lld. Valid indices from 0 to %zd", id,
                 count - 1);
    return nullptr;
  }
  return object(self, one, static_cast<int>(id));
}

template <size_t index>
PyObject* access(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* keywords) {
  Class* one = &classes[index];
  Py_ssize_t nkey = keywords ? PyTuple_Size(keywords) : 0;
  if (nargs + nkey > 1 ||
      (nkey && PyUnicode_CompareWithASCIIString(PyTuple_GetItem(keywords, 0), "name"))) {
    PyErr_Format(PyExc_TypeError, "%s() takes an index or a name", one->row->methods[0]);
    return nullptr;
  }
  if (nargs + nkey == 0) {  // the question which names there are
    Wrapper* wrapper = wrapper_of(self);
    if (wrapper) {
      const mjModel* m = model_in(wrapper);
      raise_unknown(one, m, "", one->count.get(m, nullptr));
    }
    return nullptr;
  }
  return lookup(self, one, args[0]);
}

using Access = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);

template <size_t... indices>
constexpr std::array<Access, sizeof...(indices)> accesses(std::index_sequence<indices...>) {
  return {access<indices>...};
}

Item find_item(const ItemRow* row, bool in_data, int slot) {
  Item item = {row,
               in_data ? data_array(row->field) : model_array(row->field),
               model_array(row->address),
               {},
               0,
               slot};
  while (item.nlength < 3 && row->lengths[item.nlength]) {
    item.lengths[item.nlength] = model_array(row->lengths[item.nlength]);
    item.nlength++;
  }
  return item;
}

Length find_count(const char* name) {
  Length count;
  for (const Attribute& size : model_sizes()) {
    if (!strcmp(size.field->name, name)) {
      count.offset = static_cast<Py_ssize_t>(size.field->offset);
      count.wide = size.field->size == 8;
    }
  }
  return count;
}

void make_class(nb::module_& module, Class* one, const ClassRow* row, Access access) {
  one->row = row;
  one->count = find_count(row->size);
  for (int i = 0; i < row->nitem; i++) {
    one->items.push_back(find_item(&row->items[i], row->in_data, i));
  }
  auto* attributes = new std::vector<PyGetSetDef>;
  for (Item& item : one->items) {
    attributes->push_back({item.row->name, get_item, set_item, item.attribute->doc.c_str(), &item});
  }
  attributes->push_back({"id", get_id, nullptr, "int: its index", nullptr});
  attributes->push_back({"name", get_name, nullptr, "str: its name, '' if it has none", one});
  attributes->push_back({nullptr, nullptr, nullptr, nullptr, nullptr});
  static const PyType_Slot slots[] = {{Py_tp_repr, reinterpret_cast<void*>(represent)},
                                      {0, nullptr}};
  one->type = wrapper_type(
      {row->name, "Fields of one object.", nullptr, attributes->data(), nullptr, slots});
  wrapper_add(module, one->type);
  PyTypeObject* container = row->in_data ? DataType : ModelType;
  for (const char* method : row->methods) {
    if (!method) {
      continue;
    }
    auto* definition =
        new PyMethodDef{method, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(access)),
                        METH_FASTCALL | METH_KEYWORDS,
                        "The object of that index or name, with its fields as attributes."};
    nb::setattr(nb::handle(reinterpret_cast<PyObject*>(container)), method,
                steal_or_raise(PyDescr_NewMethod(container, definition)));
  }
}

}  // namespace

PyObject* named_object(PyObject* container, mjtObj type, int id) {
  bool in_data = PyObject_TypeCheck(container, DataType);
  Wrapper* wrapper = wrapper_of(container);
  if (!wrapper) {
    return nullptr;
  }
  for (Class& one : classes) {
    if (one.row->type == type && one.row->in_data == in_data) {
      if (id < 0 || id >= one.count.get(model_in(wrapper), nullptr)) {
        PyErr_SetString(PyExc_IndexError, "the element has no place in this model");
        return nullptr;
      }
      return object(container, &one, id);
    }
  }
  PyErr_SetString(PyExc_TypeError, "there is no named access to this kind of element");
  return nullptr;
}

void init_named(nb::module_& module) {
  // the MjData of a named object; None if only its memory is left
  module.def(
      "_data_of_view",
      [](nb::handle view) {
        Wrapper* wrapper = wrapper_of(view.ptr());
        PyObject* data = wrapper && class_of(view.ptr()) ? wrapper_at(wrapper->memory) : nullptr;
        return data ? nb::borrow(data) : nb::none();
      },
      nb::arg("view"));
  constexpr auto kAccesses = accesses(std::make_index_sequence<kClassCount>());
  for (size_t i = 0; i < kClassCount; i++) {
    make_class(module, &classes[i], &kClasses[i], kAccesses[i]);
  }
}
