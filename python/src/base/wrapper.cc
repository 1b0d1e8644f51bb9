// wrapper.cc: the classes of Owner and Wrapper.

#include "base/wrapper.h"

#include <structmember.h>

#include <algorithm>
#include <unordered_map>

#include "base/number.h"

namespace {

PyTypeObject* owner_class;

// the wrapper of each struct that has noted it, by address
std::unordered_map<const void*, PyObject*>& wrappers() {
  static auto* map = new std::unordered_map<const void*, PyObject*>;
  return *map;
}

void forget(Wrapper* self) {
  wrappers().erase(self->memory);
}

void owner_end(PyObject* self) {
  auto* owner = reinterpret_cast<Owner*>(self);
  PyTypeObject* type = Py_TYPE(self);
  if (owner->release && owner->memory) {
    owner->release(owner->memory);
  }
  Py_XDECREF(owner->keep);
  PyObject_Free(self);
  Py_DECREF(type);
}

void wrapper_end(PyObject* self) {
  auto* wrapper = reinterpret_cast<Wrapper*>(self);
  PyTypeObject* type = Py_TYPE(self);
  if (wrapper->weakrefs) {
    PyObject_ClearWeakRefs(self);
  }
  wrapper_clear(wrapper);
  auto release = reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free));
  release(self);
  Py_DECREF(type);
}

int no_init(PyObject* self, PyObject*, PyObject*) {
  PyErr_Format(PyExc_TypeError, "%s: No constructor defined!", type_name(self).c_str());
  return -1;
}

PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Wrapper, weakrefs), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

}  // namespace

PyObject* owner_make(void* memory, void (*release)(void*), PyObject* keep) {
  Owner* owner = PyObject_New(Owner, owner_class);
  if (!owner) {
    if (release) {
      release(memory);
    }
    return nullptr;
  }
  owner->memory = memory;
  owner->release = release;
  owner->keep = Py_XNewRef(keep);
  return reinterpret_cast<PyObject*>(owner);
}

Wrapper* wrapper_of(PyObject* self) {
  auto* wrapper = reinterpret_cast<Wrapper*>(self);
  if (!wrapper->memory) {
    PyErr_Format(PyExc_RuntimeError, "%s: __init__ was not called", type_name(self).c_str());
    return nullptr;
  }
  return wrapper;
}

void wrapper_clear(Wrapper* self) {
  if (self->at_end && self->memory) {
    self->at_end(self);
  }
  self->memory = nullptr;
  PyObject** cache = self->cache;
  self->cache = nullptr;
  for (int i = 0; cache && i < self->slots; i++) {
    Py_XDECREF(cache[i]);
  }
  PyMem_Free(cache);
  Py_CLEAR(self->owner);
  Py_CLEAR(self->related);
}

bool wrapper_set(Wrapper* self, void* memory, PyObject* owner, int slots) {
  wrapper_clear(self);
  if (slots) {
    self->cache = static_cast<PyObject**>(PyMem_Calloc(slots, sizeof(PyObject*)));
    if (!self->cache) {
      PyErr_NoMemory();
      return false;
    }
  }
  self->slots = slots;
  self->owner = Py_XNewRef(owner);
  self->memory = memory;
  return true;
}

PyObject* wrapper_make(PyTypeObject* type, void* memory, PyObject* owner, int slots) {
  auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* self = allocate(type, 0);
  if (self && !wrapper_set(reinterpret_cast<Wrapper*>(self), memory, owner, slots)) {
    Py_CLEAR(self);
  }
  return self;
}

void wrapper_note(Wrapper* self) {
  self->at_end = forget;
  wrappers()[self->memory] = reinterpret_cast<PyObject*>(self);
}

PyObject* wrapper_at(const void* memory) {
  auto found = wrappers().find(memory);
  return found == wrappers().end() ? nullptr : found->second;
}

PyObject* wrapper_describe(PyObject* self, std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  try {
    std::string text = "<" + type_name(self);
    for (const std::string& name : names) {
      text += "\n  " + name + ": " + nb::repr(nb::handle(self).attr(name.c_str())).c_str();
    }
    return PyUnicode_FromString((text + "\n>").c_str());
  } catch (nb::python_error& error) {
    error.restore();
    return nullptr;
  }
}

PyObject* wrapper_address(PyObject* self, void*) {
  Wrapper* wrapper = wrapper_of(self);
  return wrapper ? PyLong_FromVoidPtr(wrapper->memory) : nullptr;
}

int refuse_deletion(const char* name) {
  PyErr_Format(PyExc_AttributeError, "can't delete attribute '%s'", name);
  return -1;
}

PyTypeObject* wrapper_type(const WrapperType& description) {
  std::vector<PyType_Slot> slots = {
      {Py_tp_dealloc, reinterpret_cast<void*>(wrapper_end)},
      {Py_tp_new, reinterpret_cast<void*>(PyType_GenericNew)},
      {Py_tp_init, reinterpret_cast<void*>(description.init ? description.init : no_init)},
      {Py_tp_members, members},
      {Py_tp_doc, const_cast<char*>(description.doc)}};
  if (description.attributes) {
    slots.push_back({Py_tp_getset, description.attributes});
  }
  if (description.methods) {
    slots.push_back({Py_tp_methods, description.methods});
  }
  for (const PyType_Slot* slot = description.more; slot && slot->slot; slot++) {
    slots.push_back(*slot);
  }
  slots.push_back({0, nullptr});
  PyType_Spec spec = {description.name, sizeof(Wrapper), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots.data()};
  nb::object bases =
      description.base
          ? nb::object(nb::make_tuple(nb::handle(reinterpret_cast<PyObject*>(description.base))))
          : nb::object();
  return reinterpret_cast<PyTypeObject*>(or_raise(PyType_FromSpecWithBases(&spec, bases.ptr())));
}

void wrapper_add(nb::module_& module, PyTypeObject* type) {
  nb::handle handle(reinterpret_cast<PyObject*>(type));
  module.attr(nb::borrow<nb::str>(handle.attr("__name__")).c_str()) = handle;
}

void init_wrapper(nb::module_&) {
  static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(owner_end)},
                                {Py_tp_doc, const_cast<char*>("Memory of a struct of the engine.")},
                                {0, nullptr}};
  static PyType_Spec spec = {"condyle._structs._Owner", sizeof(Owner), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  owner_class = reinterpret_cast<PyTypeObject*>(or_raise(PyType_FromSpec(&spec)));
}
