// element.cc: elements of a spec as Python objects: their classes, their lifetime, and what
// all of them have: name, id, parent ...

#include <condyle/spec.h>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include "spec/spec.h"

PyTypeObject* ElementType;

namespace {

// keys of user values of an element in C
const char* const kWrapperKey = "condyle.python.wrapper";
const char* const kOwnerKey = "condyle.python.owner";

template <class M>
SpecField member(const char* name, size_t offset, const char* enumeration, const char* later,
                 const char* doc) {
  SpecField result = {name, doc,         SpecKind::kNumber, kNum, offset,
                      0,    enumeration, nullptr,           -1,   later};
  using Element = std::remove_all_extents_t<M>;
  using Pointed = std::remove_pointer_t<M>;
  auto is = [](auto* sample) {
    return std::is_same_v<Pointed, std::remove_pointer_t<decltype(sample)>>;
  };
  if constexpr (std::is_pointer_v<M>) {
    result.kind = is(static_cast<mjString*>(nullptr))        ? SpecKind::kString
                  : is(static_cast<mjDoubleVec*>(nullptr))   ? SpecKind::kDoubles
                  : is(static_cast<mjFloatVec*>(nullptr))    ? SpecKind::kFloats
                  : is(static_cast<mjIntVec*>(nullptr))      ? SpecKind::kInts
                  : is(static_cast<mjStringVec*>(nullptr))   ? SpecKind::kStrings
                  : is(static_cast<mjByteVec*>(nullptr))     ? SpecKind::kBytes
                  : is(static_cast<mjIntVecVec*>(nullptr))   ? SpecKind::kIntLists
                  : is(static_cast<mjFloatVecVec*>(nullptr)) ? SpecKind::kFloatLists
                                                             : SpecKind::kElement;
  } else if constexpr (std::is_class_v<M>) {
    result.kind = std::is_same_v<M, mjsOrientation> ? SpecKind::kOrientation
                  : std::is_same_v<M, mjsPlugin>    ? SpecKind::kPlugin
                  : std::is_same_v<M, mjsCompiler>  ? SpecKind::kCompiler
                  : std::is_same_v<M, mjsAuthored>  ? SpecKind::kAuthored
                                                    : SpecKind::kStruct;
    result.c_type = std::is_same_v<M, mjOption>      ? "mjOption"
                    : std::is_same_v<M, mjVisual>    ? "mjVisual"
                    : std::is_same_v<M, mjStatistic> ? "mjStatistic"
                                                     : "mjLROpt";
  } else {
    result.type = std::is_same_v<Element, double>  ? Number::kFloat64
                  : std::is_same_v<Element, float> ? Number::kFloat32
                  : sizeof(Element) == 8           ? Number::kUint64
                  : sizeof(Element) == 4           ? Number::kInt32
                                                   : Number::kUint8;
    if (std::is_array_v<M>) {
      result.kind = std::is_same_v<Element, char> ? SpecKind::kChars : SpecKind::kArray;
      result.count = static_cast<Py_ssize_t>(std::extent_v<M>);
    } else if (enumeration) {
      result.kind = SpecKind::kEnum;
    }
  }
  return result;
}

#define MEMBER(type, name, python, enumeration, later, doc) \
  member<decltype(type::name)>(python, offsetof(type, name), enumeration, later, doc),

}  // namespace

#include "spec.inc"

#undef MEMBER

namespace {

// owners whose specs are being compiled, guarded by the interpreter's lock
std::vector<PyObject*> busy_owners;

bool is_busy(PyObject* owner) {
  return std::find(busy_owners.begin(), busy_owners.end(), owner) != busy_owners.end();
}

// The engine calls it when an element ends, or when its wrapper does.
void element_ended(const void* data) {
  PyGILState_STATE state = PyGILState_Ensure();
  auto* wrapper = const_cast<Wrapper*>(static_cast<const Wrapper*>(data));
  wrapper->memory = nullptr;
  PyGILState_Release(state);
}

void wrapper_ended(Wrapper* self) {
  auto* element = *static_cast<mjsElement**>(self->memory);
  if (mjs_getUserValue(element, kWrapperKey) == self) {
    mjs_deleteUserValue(element, kWrapperKey);
  }
}

void spec_freed(void* memory) {
  auto* spec = static_cast<mjSpec*>(memory);
  mjs_deleteUserValue(spec->element, kOwnerKey);
  mj_deleteSpec(spec);
}

// The wrapper that an element knows, unless it is ending just now.
PyObject* known(mjsElement* element) {
  auto* object = static_cast<PyObject*>(const_cast<void*>(mjs_getUserValue(element, kWrapperKey)));
  return object && Py_REFCNT(object) > 0 ? object : nullptr;
}

bool remember(Wrapper* self, mjsElement* element) {
  bool done = guarded(
      [=] { mjs_setUserValueWithCleanup(element, kWrapperKey, self, element_ended); }, false);
  if (done && mjs_getUserValue(element, kWrapperKey) != self) {
    PyErr_NoMemory();
    done = false;
  }
  if (done) {
    self->at_end = wrapper_ended;
  }
  return done;
}

nb::object wrap(void* memory, mjsElement* element, SpecClass* one) {
  if (!element) {
    return nb::none();
  }
  if (PyObject* object = known(element)) {
    return nb::borrow(object);
  }
  PyObject* owner = spec_owner(mjs_getSpec(element));
  if (!owner) {
    raise(PyExc_RuntimeError, "the MjSpec of this element is gone");
  }
  nb::object result = steal_or_raise(wrapper_make(one->type, memory, owner, field_slots(one)));
  or_raise(remember(reinterpret_cast<Wrapper*>(result.ptr()), element));
  return result;
}

// attributes of all elements

PyObject* get_name(PyObject* self, void*) {
  return safely([&] { return PyUnicode_FromString(cnd_elementName(element_of(self))); },
                static_cast<PyObject*>(nullptr));
}

int set_name(PyObject* self, PyObject* value, void*) {
  return safely(
      [&] {
        mjsElement* element = element_of(self);
        const char* name = text_argument(value, "name");
        mjSpec* spec = mjs_getSpec(element);
        std::string before = cnd_elementName(element);
        if (element == mjs_getSpecDefault(spec)->element && before != name) {
          raise(PyExc_ValueError, "the main class cannot be renamed");
        }
        mjsElement* other = name[0] ? mjs_findElement(spec, element->elemtype, name) : nullptr;
        if (other == element) {
          return 0;
        }
        int status = 0;
        engine([&] { status = mjs_setName(element, name); });
        if (status) {
          std::string text = mjs_getError(spec);
          const char* old = before.c_str();
          engine([&] { mjs_setName(element, old); });
          raise(PyExc_ValueError, text);
        }
        return 0;
      },
      -1);
}

PyObject* get_id(PyObject* self, void*) {
  return safely([&] { return PyLong_FromLong(mjs_getId(element_of(self))); },
                static_cast<PyObject*>(nullptr));
}

PyObject* get_signature(PyObject* self, void*) {
  return safely([&] { return PyLong_FromUnsignedLongLong(element_of(self)->signature); },
                static_cast<PyObject*>(nullptr));
}

// Is the element one of the model, not a prototype of a class or a part of something?
PyObject* get_parent(PyObject* self, void*) {
  return safely(
      [&] {
        mjsElement* element = element_of(self);
        mjsBody* body = mjs_getParent(element);
        bool world = !body && element->elemtype == mjOBJ_BODY;
        return element_wrap(body ? body->element : world ? element : nullptr).release().ptr();
      },
      static_cast<PyObject*>(nullptr));
}

PyObject* get_frame(PyObject* self, void*) {
  return safely(
      [&] {
        mjsFrame* frame = mjs_getFrame(element_of(self));
        return element_wrap(frame ? frame->element : nullptr).release().ptr();
      },
      static_cast<PyObject*>(nullptr));
}

PyObject* get_class(PyObject* self, void*) {
  return safely([&] { return wrap(mjs_getDefault(element_of(self))).release().ptr(); },
                static_cast<PyObject*>(nullptr));
}

int set_class(PyObject* self, PyObject* value, void*) {
  return safely(
      [&] {
        mjsElement* element = element_of(self);
        if (!value || value == Py_None) {
          raise(PyExc_TypeError, "classname should be an MjsDefault");
        }
        const mjsDefault* def = default_argument(value);
        if (mjs_getSpec(def->element) != mjs_getSpec(element)) {
          raise(PyExc_ValueError, "the default class belongs to another spec");
        }
        engine([&] { mjs_setDefault(element, def); });
        return 0;
      },
      -1);
}

// a plugin's configuration: a dict of str, a copy

PyObject* get_config(PyObject* self, void*) {
  return safely(
      [&] {
        const mjsPlugin* plugin = part<mjsPlugin>(self);
        auto* config = static_cast<const mjStringVec*>(mjs_getPluginAttributes(plugin));
        nb::dict result;
        for (size_t i = 0; config && i + 1 < config->num; i += 2) {
          result[nb::str(config->ptr[i].c_str())] = nb::str(config->ptr[i + 1].c_str());
        }
        return result.release().ptr();
      },
      static_cast<PyObject*>(nullptr));
}

int set_config(PyObject* self, PyObject* value, void*) {
  return safely(
      [&] {
        mjsPlugin* plugin = part<mjsPlugin>(self);
        if (!value || !PyDict_Check(value)) {
          raise(PyExc_TypeError, "config should be a dict of str to str");
        }
        mjStringVec config;
        for (auto [key, item] : nb::borrow<nb::dict>(value)) {
          config.push_back(mjString(text_argument(key, "a key of config")));
          config.push_back(mjString(text_argument(item, "a value of config")));
        }
        if (!plugin->element) {
          raise(PyExc_ValueError, "the plugin has no instance: see MjSpec.add_plugin");
        }
        mjStringVec* list = &config;
        engine([&] { mjs_setPluginAttributes(plugin, list); });
        return 0;
      },
      -1);
}

// name of a part: of a plugin's use, which is no element of its own
PyObject* get_plugin_name(PyObject* self, void* closure) {
  Wrapper* wrapper = spec_alive(self);
  if (!wrapper) {
    return nullptr;
  }
  return wrapper->related ? PyUnicode_FromString(text_of(part<mjsPlugin>(self)->name))
                          : get_name(self, closure);
}

int set_plugin_name(PyObject* self, PyObject* value, void* closure) {
  Wrapper* wrapper = spec_alive(self);
  if (!wrapper) {
    return -1;
  }
  if (!wrapper->related) {
    return set_name(self, value, closure);
  }
  const char* text = value ? number_to_text(value, "name") : nullptr;
  mjString* name = static_cast<mjsPlugin*>(wrapper->memory)->name;
  return text && guarded([=] { mjs_setString(name, text); }, false) ? 0 : -1;
}

PyObject* get_plugin_id(PyObject* self, void*) {
  return safely([&] { return PyLong_FromLong(mjs_getId(part<mjsPlugin>(self)->element)); },
                static_cast<PyObject*>(nullptr));
}

PyObject* get_plugin_signature(PyObject* self, void*) {
  return safely(
      [&] {
        mjsElement* element = part<mjsPlugin>(self)->element;
        return PyLong_FromUnsignedLongLong(element ? element->signature : 0);
      },
      static_cast<PyObject*>(nullptr));
}

// Settings of the compiler that hold for the element: those of the spec where it was made. That may
// have no MjSpec; then they are a part of the element, whose spec keeps them alive.
PyObject* get_compiler(PyObject* self, void*) {
  return safely(
      [&] {
        mjsElement* element = element_of(self);
        mjSpec* origin = mjs_getOriginSpec(element);
        if (PyObject* wrapper = spec_wrapper(origin)) {
          return nb::getattr(nb::handle(wrapper), "compiler").release().ptr();
        }
        PyObject* owner = reinterpret_cast<Wrapper*>(self)->owner;
        PyObject* result = or_raise(wrapper_make(class_mjsCompiler.type, &origin->compiler, owner,
                                                 field_slots(&class_mjsCompiler)));
        reinterpret_cast<Wrapper*>(result)->related = Py_NewRef(self);
        return result;
      },
      static_cast<PyObject*>(nullptr));
}

PyGetSetDef element_attributes[] = {
    {"name", get_name, set_name, "str: its name, '' if it has none", nullptr},
    {"id", get_id, nullptr, "int: its index in the model, -1 before", nullptr},
    {"signature", get_signature, nullptr, "int: of the spec when compiled", nullptr},
    {"compiler", get_compiler, nullptr, "MjsCompiler of the spec where it was made", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

// stations of a tendon's path; None: of other kinds

mjsWrap* station(PyObject* self) {
  return part<mjsWrap>(self);
}

PyObject* get_target(PyObject* self, void*) {
  return safely([&] { return element_wrap(mjs_getWrapTarget(station(self))).release().ptr(); },
                static_cast<PyObject*>(nullptr));
}

PyObject* get_sidesite(PyObject* self, void*) {
  return safely(
      [&] {
        mjsSite* site = mjs_getWrapSideSite(station(self));
        return element_wrap(site ? site->element : nullptr).release().ptr();
      },
      static_cast<PyObject*>(nullptr));
}

PyObject* get_divisor(PyObject* self, void*) {
  return safely(
      [&]() -> PyObject* {
        mjsWrap* wrap = station(self);
        return wrap->type == mjWRAP_PULLEY ? PyFloat_FromDouble(mjs_getWrapDivisor(wrap))
                                           : nb::none().release().ptr();
      },
      static_cast<PyObject*>(nullptr));
}

PyObject* get_coef(PyObject* self, void*) {
  return safely(
      [&]() -> PyObject* {
        mjsWrap* wrap = station(self);
        return wrap->type == mjWRAP_JOINT ? PyFloat_FromDouble(mjs_getWrapCoef(wrap))
                                          : nb::none().release().ptr();
      },
      static_cast<PyObject*>(nullptr));
}

const PyGetSetDef kParent = {"parent", get_parent, nullptr, "MjsBody: the body around it", nullptr};
const PyGetSetDef kFrame = {"frame", get_frame, nullptr, "MjsFrame around it, or None", nullptr};
const PyGetSetDef kClass = {"classname", get_class, set_class, "MjsDefault: its default class",
                            nullptr};

const PyGetSetDef* more_attributes(const SpecClass* one) {
  auto* list = new std::vector<PyGetSetDef>;
  if (one->object == mjOBJ_PLUGIN) {
    *list = {
        {"name", get_plugin_name, set_plugin_name, "str: its name", nullptr},
        {"id", get_plugin_id, nullptr, "int: its index in the model, -1 before", nullptr},
        {"signature", get_plugin_signature, nullptr, "int: of the spec when compiled", nullptr},
        {"config", get_config, set_config, "dict of str: its configuration, a copy", nullptr}};
  } else if (one->element) {
    switch (one->object) {
      case mjOBJ_BODY:
      case mjOBJ_GEOM:
      case mjOBJ_JOINT:
      case mjOBJ_SITE:
      case mjOBJ_CAMERA:
      case mjOBJ_LIGHT:
        list->push_back(kClass);
        [[fallthrough]];
      case mjOBJ_FRAME:
        list->push_back(kParent);
        list->push_back(kFrame);
        break;
      case mjOBJ_TEXTURE:
      case mjOBJ_MATERIAL:
      case mjOBJ_MESH:
      case mjOBJ_PAIR:
      case mjOBJ_EQUALITY:
      case mjOBJ_ACTUATOR:
        list->push_back(kClass);
        break;
      default:
        break;
    }
  } else if (one == &class_mjsWrap) {
    *list = {
        {"target", get_target, nullptr, "MjsJoint, MjsSite or MjsGeom that it touches", nullptr},
        {"sidesite", get_sidesite, nullptr, "MjsSite on whose side it passes a geom", nullptr},
        {"divisor", get_divisor, nullptr, "float: of a pulley", nullptr},
        {"coef", get_coef, nullptr, "float: of a joint", nullptr}};
  } else if (one->object == mjOBJ_DEFAULT) {
    *list = {{"name", get_name, set_name, "str: its name", nullptr}};
  }
  list->push_back({nullptr, nullptr, nullptr, nullptr, nullptr});
  return list->data();
}

}  // namespace

Wrapper* spec_alive(PyObject* self) {
  auto* wrapper = reinterpret_cast<Wrapper*>(self);
  if (!wrapper->memory) {
    PyErr_Format(PyExc_RuntimeError,
                 wrapper->owner ? "this %s was deleted" : "%s: __init__ was not called",
                 type_name(self).c_str());
    return nullptr;
  }
  if (!busy_owners.empty() && is_busy(wrapper->owner)) {
    PyErr_SetString(PyExc_RuntimeError, "the spec is being compiled");
    return nullptr;
  }
  return wrapper->related && !spec_alive(wrapper->related) ? nullptr : wrapper;
}

Busy::Busy(PyObject* owner) : owner_(owner) {
  busy_owners.push_back(owner);
}

Busy::~Busy() {
  busy_owners.erase(std::find(busy_owners.begin(), busy_owners.end(), owner_));
}

void* spec_memory(nb::handle self) {
  return or_raise(spec_alive(self.ptr()))->memory;
}

mjSpec* spec_of(nb::handle self) {
  return part<mjSpec>(self);
}

SpecClass* class_of(PyObject* object) {
  for (SpecClass* one : kClasses) {
    if (PyObject_TypeCheck(object, one->type)) {
      return one;
    }
  }
  return nullptr;
}

SpecClass* class_of_type(mjtObj type) {
  for (SpecClass* one : kClasses) {
    if (one->element && one->object == type) {
      return one;
    }
  }
  return nullptr;
}

bool is_element(nb::handle object) {
  SpecClass* one = class_of(object.ptr());
  return one && (one->element || one->object == mjOBJ_DEFAULT) &&
         !reinterpret_cast<Wrapper*>(object.ptr())->related;
}

mjsElement* element_argument(nb::handle object, mjtObj type, const char* name) {
  SpecClass* one = class_of(object.ptr());
  if (!is_element(object) || (type != mjOBJ_UNKNOWN && one->object != type)) {
    SpecClass* wanted = class_of_type(type);
    raise(PyExc_TypeError,
          std::string(name) + " should be " +
              (wanted ? std::string("an ") + wanted->name : "an element of a spec") + ", not " +
              type_name(object.ptr()));
  }
  return element_of(object);
}

const mjsDefault* default_argument(nb::handle object) {
  if (object.is_none()) {
    return nullptr;
  }
  SpecClass* one = class_of(object.ptr());
  if (!one || one->object != mjOBJ_DEFAULT) {
    raise(PyExc_TypeError, "default should be an MjsDefault, not " + type_name(object.ptr()));
  }
  return part<mjsDefault>(object);
}

nb::object element_wrap(mjsElement* e) {
  if (!e) {
    return nb::none();
  }
#define AS(type, Name) \
  case type:           \
    return wrap(mjs_as##Name(e), e, &class_mjs##Name);
  switch (e->elemtype) {
    SPEC_ELEMENTS(AS)
    default:
      raise(PyExc_RuntimeError, "unknown type of element");
  }
#undef AS
}

nb::object wrap(mjsDefault* element) {
  return element ? wrap(element, element->element, &class_mjsDefault) : nb::none();
}

nb::object wrap(mjsWrap* element) {
  return element ? wrap(element, element->element, &class_mjsWrap) : nb::none();
}

PyObject* spec_owner(const mjSpec* spec) {
  return static_cast<PyObject*>(const_cast<void*>(mjs_getUserValue(spec->element, kOwnerKey)));
}

PyObject* spec_wrapper(const mjSpec* spec) {
  return known(spec->element);
}

bool spec_set(PyObject* self, mjSpec* spec) {
  PyObject* owner = owner_make(spec, spec_freed);
  if (!owner) {
    return false;
  }
  mjsElement* element = spec->element;
  auto* wrapper = reinterpret_cast<Wrapper*>(self);
  bool done = guarded([=] { mjs_setUserValue(element, kOwnerKey, owner); }, false) &&
              wrapper_set(wrapper, spec, owner, kSpecSlots + field_slots(&class_mjSpec)) &&
              remember(wrapper, element);
  Py_DECREF(owner);
  return done;
}

nb::object spec_make(PyTypeObject* type, mjSpec* spec) {
  nb::object result = nb::steal(PyType_GenericNew(type, nullptr, nullptr));
  if (!result.is_valid()) {
    mj_deleteSpec(spec);
    nb::raise_python_error();
  }
  or_raise(spec_set(result.ptr(), spec));
  return result;
}

void init_spec(nb::module_& module) {
  ElementType = wrapper_type({"condyle._specs.MjsElement", "What all elements of a spec have.",
                              nullptr, element_attributes});
  wrapper_add(module, ElementType);
  for (SpecClass* one : kClasses) {
    auto* name = new std::string(std::string("condyle._specs.") + one->name);
    PyTypeObject* base = one->element ? ElementType : nullptr;
    one->type = wrapper_type({name->c_str(), one->doc, nullptr,
                              field_attributes(one, more_attributes(one)), nullptr, nullptr, base});
    wrapper_add(module, one->type);
  }
  init_spec_vectors(module);
  init_spec_class(module);
  init_spec_add();
  init_spec_methods();
  init_spec_bind();
}
