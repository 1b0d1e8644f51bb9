// vector.cc: texts and arrays of varying length in elements: MjDoubleVec, MjStringVec ...
//
// They look their vector up in the element at each access, so they follow reassignment and fail
// cleanly once the element is deleted.

#include <cstring>
#include <vector>

#include "spec/spec.h"

namespace {

// An own class per kind of vector; the wrapper's `memory` is the member of the element's struct.
template <class V>
PyTypeObject* vector_type;

struct Chars;  // stands for characters inside a struct

template <class V>
V* vector_of(PyObject* self) {
  Wrapper* wrapper = spec_alive(self);
  return wrapper ? *static_cast<V**>(wrapper->memory) : nullptr;
}

PyObject* item_get(double number) {
  return PyFloat_FromDouble(number);
}
PyObject* item_get(float number) {
  return PyFloat_FromDouble(number);
}
PyObject* item_get(int number) {
  return PyLong_FromLong(number);
}
PyObject* item_get(std::byte number) {
  return PyLong_FromLong(static_cast<long>(number));
}
PyObject* item_get(const mjString& text) {
  return PyUnicode_DecodeUTF8(text.c_str(), static_cast<Py_ssize_t>(text.num), "surrogateescape");
}

bool item_set(double* item, PyObject* value, const char* name) {
  return number_set(item, Number::kFloat64, value, name);
}
bool item_set(float* item, PyObject* value, const char* name) {
  return number_set(item, Number::kFloat32, value, name);
}
bool item_set(int* item, PyObject* value, const char* name) {
  return number_set(item, Number::kInt32, value, name);
}
bool item_set(std::byte* item, PyObject* value, const char* name) {
  return number_set(item, Number::kUint8, value, name);
}
bool item_set(mjString* item, PyObject* value, const char* name) {
  const char* text = number_to_text(value, name);
  if (text) {
    *item = mjString(text);
  }
  return text;
}

// The items of an iterable as a new vector.
template <class V>
bool collect(V* result, PyObject* value, const char* name) {
  if (!PySequence_Check(value) && !PyObject_HasAttrString(value, "__len__")) {
    PyErr_Format(PyExc_TypeError, "%s: object of type '%s' has no len()", name,
                 type_name(value).c_str());
    return false;
  }
  for (nb::handle item : nb::iter(nb::handle(value))) {
    typename V::value_type one{};
    if (!item_set(&one, item.ptr(), name)) {
      return false;
    }
    result->push_back(one);
  }
  return true;
}

bool collect_bytes(mjByteVec* result, PyObject* value, const char* name) {
  if (!PyObject_CheckBuffer(value)) {
    PyErr_Format(PyExc_TypeError, "%s should be bytes, not %s", name, type_name(value).c_str());
    return false;
  }
  nb::object bytes = nb::steal(PyBytes_FromObject(value));
  if (!bytes.is_valid()) {
    return false;
  }
  auto* first = reinterpret_cast<std::byte*>(PyBytes_AsString(bytes.ptr()));
  result->assign(first, first + PyBytes_Size(bytes.ptr()));
  return true;
}

template <class V>
bool assign(PyObject* self, void* member, PyObject* value, const char* name) {
  V items;
  bool done;
  if constexpr (std::is_same_v<V, mjByteVec>) {
    done = collect_bytes(&items, value, name);
  } else {
    done = collect(&items, value, name);
  }
  // the conversion may have run Python code that deleted the element
  if (!done || !spec_alive(self)) {
    return false;
  }
  **static_cast<V**>(member) = std::move(items);
  return true;
}

template <class V>
bool assign_lists(PyObject* self, void* member, PyObject* value, const char* name) {
  V lists;
  for (nb::handle item : nb::iter(nb::handle(value))) {
    typename V::value_type row;
    if (!collect(&row, item.ptr(), name)) {
      return false;
    }
    lists.push_back(row);
  }
  if (!spec_alive(self)) {
    return false;
  }
  **static_cast<V**>(member) = std::move(lists);
  return true;
}

template <class V>
Py_ssize_t length(PyObject* self) {
  V* vector = vector_of<V>(self);
  return vector ? static_cast<Py_ssize_t>(vector->num) : -1;
}

template <class V>
PyObject* as_list(PyObject* self) {
  V* vector = vector_of<V>(self);
  PyObject* list = vector ? PyList_New(0) : nullptr;
  for (size_t i = 0; list && i < vector->num; i++) {
    PyObject* item = item_get(vector->ptr[i]);
    if (!item || PyList_Append(list, item) < 0) {
      Py_CLEAR(list);
    }
    Py_XDECREF(item);
  }
  return list;
}

// The place of an index, negative ones from the end; -1 with IndexError or TypeError.
Py_ssize_t place(PyObject* key, size_t count) {
  if (!PyIndex_Check(key)) {
    PyErr_Format(PyExc_TypeError, "indices should be integers or slices, not %s",
                 type_name(key).c_str());
    return -1;
  }
  Py_ssize_t index = PyNumber_AsSsize_t(key, PyExc_IndexError);
  if (index == -1 && PyErr_Occurred()) {
    return -1;
  }
  index += index < 0 ? static_cast<Py_ssize_t>(count) : 0;
  if (index < 0 || index >= static_cast<Py_ssize_t>(count)) {
    PyErr_SetString(PyExc_IndexError, "Index out of range.");
    return -1;
  }
  return index;
}

template <class V>
PyObject* get_item(PyObject* self, PyObject* key) {
  V* vector = vector_of<V>(self);
  if (!vector) {
    return nullptr;
  }
  if (PySlice_Check(key)) {
    PyObject* list = as_list<V>(self);
    PyObject* result = list ? PyObject_GetItem(list, key) : nullptr;
    Py_XDECREF(list);
    return result;
  }
  Py_ssize_t index = place(key, vector->num);
  return index < 0 ? nullptr : item_get(vector->ptr[index]);
}

template <class V>
int set_item(PyObject* self, PyObject* key, PyObject* value) {
  V* vector = vector_of<V>(self);
  if (!vector) {
    return -1;
  }
  if (!value) {
    PyErr_SetString(PyExc_TypeError, "items cannot be deleted");
    return -1;
  }
  Py_ssize_t index = place(key, vector->num);
  if (index < 0) {
    return -1;
  }
  return safely(
      [&] {
        typename V::value_type item{};
        if (!item_set(&item, value, "the item")) {
          return -1;
        }
        // the conversion may have run Python code that changed the vector
        V* now = vector_of<V>(self);
        if (!now || index >= static_cast<Py_ssize_t>(now->num)) {
          PyErr_SetString(PyExc_IndexError, "Index out of range.");
          return -1;
        }
        now->ptr[index] = std::move(item);
        return 0;
      },
      -1);
}

template <class V>
PyObject* append(PyObject* self, PyObject* value) {
  return safely(
      [&]() -> PyObject* {
        typename V::value_type item{};
        if (!item_set(&item, value, "the item")) {
          return nullptr;
        }
        V* vector = vector_of<V>(self);
        if (!vector) {
          return nullptr;
        }
        vector->push_back(item);
        return Py_NewRef(Py_None);
      },
      static_cast<PyObject*>(nullptr));
}

// What a sequence needs besides its items: through a list.
using AsList = PyObject* (*)(PyObject*);

template <AsList list_of>
PyObject* iterate(PyObject* self) {
  PyObject* list = list_of(self);
  PyObject* result = list ? PyObject_GetIter(list) : nullptr;
  Py_XDECREF(list);
  return result;
}

template <AsList list_of>
PyObject* represent(PyObject* self) {
  PyObject* list = list_of(self);
  if (!list && PyErr_ExceptionMatches(PyExc_RuntimeError)) {
    PyErr_Clear();
    return PyUnicode_FromFormat("<%s of a deleted element>", type_name(self).c_str());
  }
  PyObject* result = list ? PyUnicode_FromFormat("%s(%R)", type_name(self).c_str(), list) : nullptr;
  Py_XDECREF(list);
  return result;
}

template <AsList list_of>
PyObject* compare(PyObject* self, PyObject* other, int operation) {
  if (operation != Py_EQ && operation != Py_NE) {
    return Py_NewRef(Py_NotImplemented);
  }
  PyObject* list = list_of(self);
  PyObject* rest = list ? PySequence_List(other) : nullptr;
  if (list && !rest) {
    PyErr_Clear();
    Py_DECREF(list);
    return Py_NewRef(Py_NotImplemented);
  }
  PyObject* result = list ? PyObject_RichCompare(list, rest, operation) : nullptr;
  Py_XDECREF(rest);
  Py_XDECREF(list);
  return result;
}

// for NumPy
template <AsList list_of, int dtype>
PyObject* array(PyObject* self, PyObject* args, PyObject*) {
  PyObject* list = list_of(self);
  if (!list) {
    return nullptr;
  }
  PyObject* type = PyTuple_Size(args) ? PyTuple_GetItem(args, 0) : Py_None;
  PyArray_Descr* descriptor = nullptr;
  if (type != Py_None) {
    if (!PyArray_DescrConverter(type, &descriptor)) {
      Py_DECREF(list);
      return nullptr;
    }
  } else if (dtype != NPY_NOTYPE) {
    descriptor = PyArray_DescrFromType(dtype);
  }
  PyObject* result = PyArray_FromAny(list, descriptor, 1, 1, 0, nullptr);
  Py_DECREF(list);
  return result;
}

PyObject* chars_list(PyObject* self) {
  Wrapper* wrapper = spec_alive(self);
  PyObject* list = wrapper ? PyList_New(0) : nullptr;
  for (int i = 0; list && i < wrapper->index; i++) {
    const char letter[2] = {static_cast<char*>(wrapper->memory)[i], 0};
    PyObject* item = PyUnicode_DecodeLatin1(letter, 1, nullptr);
    if (!item || PyList_Append(list, item) < 0) {
      Py_CLEAR(list);
    }
    Py_XDECREF(item);
  }
  return list;
}

Py_ssize_t chars_length(PyObject* self) {
  Wrapper* wrapper = spec_alive(self);
  return wrapper ? wrapper->index : -1;
}

PyObject* chars_get(PyObject* self, PyObject* key) {
  PyObject* list = chars_list(self);
  if (!list) {
    return nullptr;
  }
  PyObject* result = nullptr;
  if (PySlice_Check(key)) {
    result = PyObject_GetItem(list, key);
  } else {
    Py_ssize_t index = place(key, static_cast<size_t>(PyList_Size(list)));
    result = index < 0 ? nullptr : Py_NewRef(PyList_GetItem(list, index));
  }
  Py_DECREF(list);
  return result;
}

int chars_set(PyObject* self, PyObject* key, PyObject* value) {
  Wrapper* wrapper = spec_alive(self);
  Py_ssize_t index = wrapper ? place(key, static_cast<size_t>(wrapper->index)) : -1;
  const char* text = index < 0 || !value ? nullptr : number_to_text(value, "the item");
  if (!text || strlen(text) != 1) {
    if (!PyErr_Occurred()) {
      PyErr_SetString(PyExc_TypeError, "the item should be one character");
    }
    return -1;
  }
  static_cast<char*>(wrapper->memory)[index] = text[0];
  return 0;
}

template <AsList list_of, int dtype>
PyTypeObject* make_type(const char* name, const char* doc, lenfunc len, binaryfunc get,
                        objobjargproc set, PyCFunction add) {
  auto* methods = new std::vector<PyMethodDef>;
  methods->push_back(
      {"__array__",
       reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(array<list_of, dtype>)),
       METH_VARARGS | METH_KEYWORDS, "The items as a NumPy array, a copy."});
  if (add) {
    methods->push_back({"append", add, METH_O, "Adds an item at the end."});
  }
  methods->push_back({nullptr, nullptr, 0, nullptr});
  const PyType_Slot slots[] = {{Py_mp_length, reinterpret_cast<void*>(len)},
                               {Py_sq_length, reinterpret_cast<void*>(len)},
                               {Py_mp_subscript, reinterpret_cast<void*>(get)},
                               {Py_mp_ass_subscript, reinterpret_cast<void*>(set)},
                               {Py_tp_iter, reinterpret_cast<void*>(iterate<list_of>)},
                               {Py_tp_repr, reinterpret_cast<void*>(represent<list_of>)},
                               {Py_tp_richcompare, reinterpret_cast<void*>(compare<list_of>)},
                               {Py_tp_hash, reinterpret_cast<void*>(PyObject_HashNotImplemented)},
                               {0, nullptr}};
  return wrapper_type({name, doc, nullptr, nullptr, methods->data(), slots});
}

template <class V, int dtype>
void add_type(nb::module_& module, const char* name, const char* doc) {
  vector_type<V> =
      make_type<as_list<V>, dtype>(name, doc, length<V>, get_item<V>, set_item<V>, append<V>);
  wrapper_add(module, vector_type<V>);
}

PyTypeObject* type_of(SpecKind kind) {
  switch (kind) {
    case SpecKind::kDoubles:
      return vector_type<mjDoubleVec>;
    case SpecKind::kFloats:
      return vector_type<mjFloatVec>;
    case SpecKind::kInts:
      return vector_type<mjIntVec>;
    case SpecKind::kStrings:
      return vector_type<mjStringVec>;
    case SpecKind::kBytes:
      return vector_type<mjByteVec>;
    default:
      return vector_type<Chars>;
  }
}

}  // namespace

PyObject* vector_make(PyObject* parent, const SpecField* field, void* memory) {
  auto* owner = reinterpret_cast<Wrapper*>(parent)->owner;
  PyObject* self = wrapper_make(type_of(field->kind), memory, owner, 0);
  if (self) {
    auto* wrapper = reinterpret_cast<Wrapper*>(self);
    wrapper->related = Py_NewRef(parent);
    wrapper->index = static_cast<int>(field->count);
  }
  return self;
}

bool vector_assign(PyObject* self, const SpecField* field, void* memory, PyObject* value) {
  switch (field->kind) {
    case SpecKind::kDoubles:
      return assign<mjDoubleVec>(self, memory, value, field->name);
    case SpecKind::kFloats:
      return assign<mjFloatVec>(self, memory, value, field->name);
    case SpecKind::kInts:
      return assign<mjIntVec>(self, memory, value, field->name);
    case SpecKind::kStrings:
      return assign<mjStringVec>(self, memory, value, field->name);
    case SpecKind::kBytes:
      return assign<mjByteVec>(self, memory, value, field->name);
    case SpecKind::kIntLists:
      return assign_lists<mjIntVecVec>(self, memory, value, field->name);
    case SpecKind::kFloatLists:
      return assign_lists<mjFloatVecVec>(self, memory, value, field->name);
    default:
      PyErr_Format(PyExc_AttributeError, "%s cannot be assigned", field->name);
      return false;
  }
}

void init_spec_vectors(nb::module_& module) {
  add_type<mjDoubleVec, NPY_DOUBLE>(module, "condyle._specs.MjDoubleVec", "Numbers.");
  add_type<mjFloatVec, NPY_FLOAT>(module, "condyle._specs.MjFloatVec",
                                  "Numbers of single precision.");
  add_type<mjIntVec, NPY_INT>(module, "condyle._specs.MjIntVec", "Integers.");
  add_type<mjStringVec, NPY_NOTYPE>(module, "condyle._specs.MjStringVec", "Texts.");
  add_type<mjByteVec, NPY_UINT8>(module, "condyle._specs.MjByteVec", "Bytes.");
  vector_type<Chars> = make_type<chars_list, NPY_NOTYPE>(
      "condyle._specs.MjCharVec", "Characters.", chars_length, chars_get, chars_set, nullptr);
  wrapper_add(module, vector_type<Chars>);
}
