// lists.cc: the lists of structs in MjData: contact, warning, cnd_warning, timer, solver.
//
// A list is live: it always has its present length. Each member of the struct is also an attribute
// of the list: an array with a row per element, strided over the structs. A slice is a list of
// fixed indices, without those beyond the present length. Kinds of warnings of our own are numbered
// from cndWARN_FIRST, and are taken by these numbers, too.

#include <cstring>
#include <string>
#include <vector>

#include "base/release.h"
#include "base/structs.h"
#include "model/data.h"

namespace {

// What tells the lists apart.
struct ListInfo {
  const char* name;
  const char* structure;
  const char* doc;
  Py_ssize_t (*length)(const mjData* d);
  void* (*memory)(mjData* d);
};

const ListInfo kInfo[kLists] = {
    {"condyle._structs._MjContactList", "mjContact", "Contacts.",
     [](const mjData* d) -> Py_ssize_t { return d->contact ? d->ncon : 0; },
     [](mjData* d) -> void* { return d->contact; }},
    {"condyle._structs._MjWarningStatList", "mjWarningStat", "Warnings by mjtWarning.",
     [](const mjData*) -> Py_ssize_t { return release_warning_count(); },
     [](mjData* d) -> void* { return d->warning; }},
    {"condyle._structs._CndWarningStatList", "mjWarningStat", "Warnings by cndtWarning.",
     [](const mjData*) -> Py_ssize_t { return cndWARN_END - cndWARN_FIRST; },
     [](mjData* d) -> void* { return d->cnd_warning; }},
    {"condyle._structs._MjTimerStatList", "mjTimerStat", "Times by mjtTimer.",
     [](const mjData*) -> Py_ssize_t { return mjNTIMER; },
     [](mjData* d) -> void* { return d->timer; }},
    {"condyle._structs._MjSolverStatList", "mjSolverStat", "Statistics by island and iteration.",
     [](const mjData*) -> Py_ssize_t { return mjNISLAND * mjNSOLVER; },
     [](mjData* d) -> void* { return d->solver; }}};

PyTypeObject* types[kLists];
const StructInfo* structures[kLists];

// The places of a list in memory: count elements from `first`, `step` apart.
struct Places {
  Py_ssize_t first, step, count;
};

mjData* data(Wrapper* self) {
  return static_cast<mjData*>(self->memory);
}

Places places(Wrapper* self) {
  Py_ssize_t length = kInfo[self->index].length(data(self));
  if (!self->related) {
    return {0, 1, length};
  }
  Places p;
  p.first = PyLong_AsSsize_t(PyTuple_GetItem(self->related, 0));
  p.step = PyLong_AsSsize_t(PyTuple_GetItem(self->related, 1));
  p.count = PyLong_AsSsize_t(PyTuple_GetItem(self->related, 2));
  // a slice of contacts that are gone is shorter now; if it runs backwards, its beginning is gone
  while (p.count > 0 && (p.first >= length || p.first + (p.count - 1) * p.step >= length)) {
    if (p.step < 0) {
      p.first += p.step;
    }
    p.count--;
  }
  return p;
}

Py_ssize_t length(PyObject* self) {
  Wrapper* wrapper = wrapper_of(self);
  return wrapper ? places(wrapper).count : -1;
}

// The element at an index: the same object as long as its memory exists.
PyObject* element(Wrapper* self, Py_ssize_t place) {
  if (self->index == kWarnings) {
    place = release_warning(static_cast<int>(place));
  }
  const StructInfo* structure = structures[self->index];
  char* memory = static_cast<char*>(kInfo[self->index].memory(data(self))) +
                 static_cast<size_t>(place) * structure->size;
  PyObject*& items = self->cache[0];
  if (!items && !(items = PyDict_New())) {
    return nullptr;
  }
  PyObject* key = PyLong_FromSsize_t(place);
  PyObject* item = key ? PyDict_GetItemWithError(items, key) : nullptr;
  if (item && reinterpret_cast<Wrapper*>(item)->memory == memory) {
    Py_DECREF(key);
    return Py_NewRef(item);
  }
  item = key && !PyErr_Occurred() ? struct_make(structure, memory, self->owner) : nullptr;
  if (item && PyDict_SetItem(items, key, item) < 0) {
    Py_CLEAR(item);
  }
  Py_XDECREF(key);
  return item;
}

PyObject* item(PyObject* self, Py_ssize_t i) {
  Wrapper* wrapper = wrapper_of(self);
  if (!wrapper) {
    return nullptr;
  }
  Places p = places(wrapper);
  if (i < 0 || i >= p.count) {
    PyErr_SetNone(PyExc_IndexError);
    return nullptr;
  }
  return element(wrapper, p.first + i * p.step);
}

PyObject* make(int which, PyObject* owner, void* memory, PyObject* slice) {
  PyObject* self = wrapper_make(types[which], memory, owner, 1 + structures[which]->nfield);
  if (self) {
    reinterpret_cast<Wrapper*>(self)->index = which;
    reinterpret_cast<Wrapper*>(self)->related = Py_XNewRef(slice);
  }
  return self;
}

PyObject* subscript(PyObject* self, PyObject* key) {
  Wrapper* wrapper = wrapper_of(self);
  if (!wrapper) {
    return nullptr;
  }
  if (PySlice_Check(key)) {
    Places p = places(wrapper);
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(key, &start, &stop, &step) < 0) {
      return nullptr;
    }
    Py_ssize_t count = PySlice_AdjustIndices(p.count, &start, &stop, step);
    PyObject* slice = Py_BuildValue("nnn", p.first + start * p.step, step * p.step, count);
    PyObject* result =
        slice ? make(wrapper->index, wrapper->owner, wrapper->memory, slice) : nullptr;
    Py_XDECREF(slice);
    return result;
  }
  long long i;
  if (!number_to_int(&i, key, PY_SSIZE_T_MIN, PY_SSIZE_T_MAX, "index")) {
    return nullptr;
  }
  bool is_kind = wrapper->index == kOwnWarnings && !wrapper->related && i >= cndWARN_FIRST;
  return item(self, static_cast<Py_ssize_t>(is_kind ? i - cndWARN_FIRST : i));
}

PyObject* compare(PyObject* self, PyObject* other, int operation) {
  if ((operation != Py_EQ && operation != Py_NE) || Py_TYPE(self) != Py_TYPE(other)) {
    return Py_NewRef(Py_NotImplemented);
  }
  Py_ssize_t count = length(self);
  bool equal = count >= 0 && count == length(other);
  for (Py_ssize_t i = 0; equal && i < count; i++) {
    PyObject *a = item(self, i), *b = item(other, i);
    int same = a && b ? PyObject_RichCompareBool(a, b, Py_EQ) : -1;
    Py_XDECREF(a);
    Py_XDECREF(b);
    if (same < 0) {
      return nullptr;
    }
    equal = same;
  }
  return PyErr_Occurred() ? nullptr : PyBool_FromLong(equal == (operation == Py_EQ));
}

// The array of each member, as in a struct.
PyObject* represent(PyObject* self) {
  Wrapper* wrapper = wrapper_of(self);
  if (!wrapper) {
    return nullptr;
  }
  const StructInfo* structure = structures[wrapper->index];
  std::vector<std::string> names;
  for (int i = 0; i < structure->nfield; i++) {
    names.push_back(structure->fields[i].name);
  }
  return wrapper_describe(self, names);
}

// A copy of one member of the warnings, which the engine has in another order.
PyObject* warning_column(const Places& p, const char* first) {
  npy_intp count = p.count;
  PyObject* array = PyArray_SimpleNew(1, &count, NPY_INT32);
  auto* numbers =
      array ? static_cast<int*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array))) : nullptr;
  for (Py_ssize_t i = 0; array && i < count; i++) {
    int place = release_warning(static_cast<int>(p.first + i * p.step));
    memcpy(&numbers[i], first + static_cast<size_t>(place) * sizeof(mjWarningStat), sizeof(int));
  }
  if (array) {
    PyArray_CLEARFLAGS(reinterpret_cast<PyArrayObject*>(array), NPY_ARRAY_WRITEABLE);
  }
  return array;
}

// An array of one member of all elements.
PyObject* get_column(PyObject* self, void* closure) {
  Wrapper* wrapper = wrapper_of(self);
  auto* member = static_cast<const StructField*>(closure);
  if (!wrapper) {
    return nullptr;
  }
  Places p = places(wrapper);
  const StructInfo* structure = structures[wrapper->index];
  auto size = static_cast<Py_ssize_t>(structure->size);
  auto inner = static_cast<Py_ssize_t>(number_size(member->type));
  Py_ssize_t shape[2] = {p.count, member->ndim ? member->shape[0] : 1};
  Py_ssize_t strides[2] = {p.step * size, inner};
  auto* base = static_cast<char*>(kInfo[wrapper->index].memory(data(wrapper)));
  if (wrapper->index == kWarnings && release_is_later()) {
    return warning_column(p, base + member->offset);
  }
  return array_view(base ? base + p.first * size + member->offset : nullptr, member->type,
                    member->ndim ? 2 : 1, shape, wrapper->owner, strides);
}

int set_column(PyObject*, PyObject*, void* closure) {
  PyErr_Format(PyExc_AttributeError, "can't set attribute '%s'; assign to its items",
               static_cast<const StructField*>(closure)->name);
  return -1;
}

void make_class(nb::module_& module, int which) {
  const StructInfo* structure = structures[which] = struct_info(kInfo[which].structure);
  auto* attributes = new std::vector<PyGetSetDef>;
  for (int i = 0; i < structure->nfield; i++) {
    StructField* member = &structure->fields[i];
    attributes->push_back({member->name, get_column, set_column, member->doc, member});
  }
  attributes->push_back({nullptr, nullptr, nullptr, nullptr, nullptr});
  static const PyType_Slot slots[] = {
      {Py_sq_length, reinterpret_cast<void*>(length)},
      {Py_mp_length, reinterpret_cast<void*>(length)},
      {Py_sq_item, reinterpret_cast<void*>(item)},
      {Py_mp_subscript, reinterpret_cast<void*>(subscript)},
      {Py_tp_iter, reinterpret_cast<void*>(PySeqIter_New)},
      {Py_tp_richcompare, reinterpret_cast<void*>(compare)},
      {Py_tp_hash, reinterpret_cast<void*>(PyObject_HashNotImplemented)},
      {Py_tp_repr, reinterpret_cast<void*>(represent)},
      {0, nullptr}};
  types[which] = wrapper_type(
      {kInfo[which].name, kInfo[which].doc, nullptr, attributes->data(), nullptr, slots});
  wrapper_add(module, types[which]);
}

}  // namespace

PyObject* list_make(int which, Wrapper* data) {
  return make(which, data->owner, data->memory, nullptr);
}

void init_lists(nb::module_& module) {
  for (int which = 0; which < kLists; which++) {
    make_class(module, which);
  }
}
