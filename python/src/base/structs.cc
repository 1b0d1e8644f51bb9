// structs.cc: the classes of plain C structs, made from tables that python/generate/structs.py
// writes: names and meanings of the members; types, sizes and places are deduced from C here.

#include "base/structs.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "base/guard.h"
#include "base/release.h"

namespace {

template <class T>
constexpr Number number_for() {
  using U = std::conditional_t<std::is_enum_v<T>, int, T>;
  if (std::is_same_v<U, double>) {
    return Number::kFloat64;
  }
  if (std::is_same_v<U, float>) {
    return Number::kFloat32;
  }
  if (std::is_same_v<U, bool>) {
    return Number::kBool;
  }
  constexpr bool sign = std::is_signed_v<U>;
  switch (sizeof(U)) {
    case 1:
      return sign ? Number::kInt8 : Number::kUint8;
    case 4:
      return sign ? Number::kInt32 : Number::kUint32;
    default:
      return sign ? Number::kInt64 : Number::kUint64;
  }
}

// Describes a member of type M.
template <class M>
StructField field(const char* name, size_t offset, const char* doc, const StructInfo* inside) {
  StructField result = {name, doc, FieldKind::kStruct, kNum, offset, 0, {0, 0}, 0, inside, -1};
  using Element = std::remove_all_extents_t<M>;
  if constexpr (std::is_class_v<Element>) {
    result.ndim = static_cast<int>(std::rank_v<M>);
    result.shape[0] = std::extent_v<M, 0>;
  } else {
    result.type = number_for<Element>();
    result.ndim = static_cast<int>(std::rank_v<M>);
    result.shape[0] = std::extent_v<M, 0>;
    result.shape[1] = std::extent_v<M, 1>;
    result.kind = result.ndim ? FieldKind::kArray : FieldKind::kNumber;
    if (std::is_same_v<Element, char> && result.ndim) {
      result.kind = result.ndim == 1 ? FieldKind::kText : FieldKind::kTexts;
      result.text = std::extent_v < M, std::rank_v<M> == 2 ? 1 : 0 > ;
    }
  }
  return result;
}

// A vector in C that is a matrix.
StructField shaped(StructField vector, Py_ssize_t rows, Py_ssize_t columns) {
  vector.ndim = 2;
  vector.shape[0] = rows;
  vector.shape[1] = columns;
  return vector;
}

// What mjv_initGeom gives without arguments.
void default_geom(mjvGeom* geom) {
  geom->type = mjGEOM_NONE;
  geom->dataid = geom->matid = geom->texid = -1;
  geom->castshadow = 1;
  for (int i = 0; i < 3; i++) {
    geom->size[i] = 0.1f;
    geom->mat[4 * i] = 1;
    geom->rgba[i] = 0.5f;
  }
  geom->rgba[3] = 1;
  geom->specular = geom->shininess = 0.5f;
}

// What mjv_makeScene gives without a model and shapes.
void default_scene(mjvScene* scene) {
  scene->scale = scene->rotate[0] = 1;
  for (int i = 0; i <= mjRND_POST_PROCESSING; i++) {
    mjtByte* flag = i < mjNRNDFLAG ? scene->flags + i : scene->cnd_flags + i - mjNRNDFLAG;
    *flag = cnd_RNDSTRING[i][1][0] == '1';
  }
}

#define FIELD(type, member, doc) \
  field<decltype(type::member)>(#member, offsetof(type, member), doc, nullptr),
#define FIELD_AS(type, member, name, doc) \
  field<decltype(type::member)>(name, offsetof(type, member), doc, nullptr),
#define FIELD_SHAPED(type, member, rows, columns, doc)                                       \
  shaped(field<decltype(type::member)>(#member, offsetof(type, member), doc, nullptr), rows, \
         columns),
#define FIELD_IN(type, member, name, inner, doc) \
  field<decltype(type::member)>(name, offsetof(type, member), doc, &inner),

#include "structs.inc"

#undef FIELD
#undef FIELD_AS
#undef FIELD_IN
#undef FIELD_SHAPED

StructInfo* info_of(PyObject* self) {
  for (PyTypeObject* type = Py_TYPE(self); type;
       type = reinterpret_cast<PyTypeObject*>(PyType_GetSlot(type, Py_tp_base))) {
    for (StructInfo* info : kStructs) {
      if (info->type == type) {
        return info;
      }
    }
  }
  return nullptr;
}

void release(void* memory) {
  free(memory);
}

int init(PyObject* self, PyObject* args, PyObject* keywords) {
  StructInfo* info = info_of(self);
  Py_ssize_t given = PyTuple_Size(args) + (keywords ? PyDict_Size(keywords) : 0);
  if (!info || !info->constructible) {
    PyErr_Format(PyExc_TypeError, "%s: No constructor defined!", type_name(self).c_str());
    return -1;
  }
  if (given) {
    PyErr_Format(PyExc_TypeError, "%s() takes no arguments", info->name);
    return -1;
  }
  return struct_own(self, info, nullptr);
}

PyObject* copy(PyObject* self, PyObject*) {
  Wrapper* wrapper = wrapper_of(self);
  StructInfo* info = info_of(self);
  if (!wrapper) {
    return nullptr;
  }
  PyObject* result = PyType_GenericNew(Py_TYPE(self), nullptr, nullptr);
  if (result && struct_own(result, info, wrapper->memory) < 0) {
    Py_CLEAR(result);
  }
  return result;
}

// (class, bytes): restored by _struct_from_state
PyObject* reduce(PyObject* self, PyObject*) {
  Wrapper* wrapper = wrapper_of(self);
  StructInfo* info = info_of(self);
  if (!wrapper) {
    return nullptr;
  }
  nb::object make = nb::module_::import_("condyle._structs").attr("_struct_from_state");
  nb::object bytes = nb::steal(PyBytes_FromStringAndSize(static_cast<char*>(wrapper->memory),
                                                         static_cast<Py_ssize_t>(info->size)));
  return nb::make_tuple(
             make, nb::make_tuple(nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(self))), bytes))
      .release()
      .ptr();
}

nb::object from_state(nb::handle type, nb::bytes bytes) {
  nb::object result =
      nb::steal(PyType_GenericNew(reinterpret_cast<PyTypeObject*>(type.ptr()), nullptr, nullptr));
  StructInfo* info = result.is_valid() ? info_of(result.ptr()) : nullptr;
  if (!info || bytes.size() != info->size) {
    throw nb::value_error("these bytes are not a pickled struct of this version");
  }
  or_raise(struct_own(result.ptr(), info, bytes.c_str()) >= 0);
  return result;
}

PyObject* get(PyObject* self, void* closure) {
  Wrapper* wrapper = wrapper_of(self);
  return wrapper ? struct_get(wrapper, static_cast<StructField*>(closure)) : nullptr;
}

// Whether colors take the three bytes for which arrays are made; if not, raises ValueError.
bool is_format(PyObject* value) {
  constexpr long long kRgb = 0x1907, kBgr = 0x80E0;  // GL_RGB, GL_BGR
  long long wanted;
  if (!number_to_int(&wanted, value, LLONG_MIN, LLONG_MAX, "readPixelFormat")) {
    return false;
  }
  if (wanted != kRgb && wanted != kBgr) {
    PyErr_Format(PyExc_ValueError,
                 "readPixelFormat should be %lld (GL_RGB) or %lld (GL_BGR), not %lld", kRgb, kBgr,
                 wanted);
    return false;
  }
  return true;
}

// Whether a number that says how much the engine reads or writes may be set; if not, raises
// ValueError. All other numbers may.
bool is_within(Wrapper* self, const StructField* member, PyObject* value) {
  const char* kind = info_of(reinterpret_cast<PyObject*>(self))->name;
  const char* name = member->name;
  long long low = 0, high = -1, wanted;
  if (!strcmp(kind, "MjContact") && !strcmp(name, "dim")) {
    high = 6;
  } else if (!strcmp(kind, "MjContact") && !strcmp(name, "efc_address")) {
    // a contact alone has no rows to be beyond
    void* owner = reinterpret_cast<Owner*>(self->owner)->memory;
    low = -1;
    high = owner == self->memory ? INT_MAX : static_cast<mjData*>(owner)->nefc - 1;
  } else if (!strcmp(kind, "MjvScene") && !strcmp(name, "ngeom")) {
    high = static_cast<mjvScene*>(self->memory)->maxgeom;
  } else if (!strcmp(kind, "MjvScene") && !strcmp(name, "nlight")) {
    high = mjMAXLIGHT;
  } else if (!strcmp(kind, "MjrContext") && !strcmp(name, "readPixelFormat")) {
    return is_format(value);
  }
  if (high < low) {
    return true;
  }
  if (!number_to_int(&wanted, value, LLONG_MIN, LLONG_MAX, name)) {
    return false;
  }
  if (wanted < low || wanted > high) {
    PyErr_Format(PyExc_ValueError, "%s should be from %lld to %lld, not %lld", name, low, high,
                 wanted);
    return false;
  }
  return true;
}

int set(PyObject* self, PyObject* value, void* closure) {
  Wrapper* wrapper = wrapper_of(self);
  auto* member = static_cast<StructField*>(closure);
  if (!wrapper) {
    return -1;
  }
  if (!value) {
    return refuse_deletion(member->name);
  }
  if (member->kind == FieldKind::kNumber && !is_within(wrapper, member, value)) {
    return -1;
  }
  return struct_set(wrapper, member, value);
}

// members in the order of their names; structs as they are declared, before the rest
std::vector<const StructField*> sorted(const StructInfo* info) {
  std::vector<const StructField*> list;
  for (int i = 0; i < info->nfield; i++) {
    list.push_back(&info->fields[i]);
  }
  std::stable_sort(list.begin(), list.end(), [](const StructField* a, const StructField* b) {
    bool inside_a = a->kind == FieldKind::kStruct && !a->ndim;
    bool inside_b = b->kind == FieldKind::kStruct && !b->ndim;
    return inside_a || inside_b ? inside_a && !inside_b : strcmp(a->name, b->name) < 0;
  });
  return list;
}

std::string describe(Wrapper* self, const StructInfo* info, const std::string& name,
                     const std::string& indent) {
  std::string text = "<" + name;
  for (const StructField* member : sorted(info)) {
    nb::object value = steal_or_raise(struct_get(self, member));
    text += "\n" + indent + "  " + member->name + ": ";
    if (member->kind == FieldKind::kStruct && !member->ndim) {
      text += describe(reinterpret_cast<Wrapper*>(value.ptr()), member->inside,
                       type_name(value.ptr()), indent + "  ");
    } else {
      text += nb::repr(value).c_str();
    }
  }
  return text + "\n" + indent + ">";
}

PyObject* represent(PyObject* self) {
  Wrapper* wrapper = wrapper_of(self);
  if (!wrapper) {
    return nullptr;
  }
  try {
    return PyUnicode_FromString(describe(wrapper, info_of(self), type_name(self), "").c_str());
  } catch (nb::python_error& error) {
    error.restore();
    return nullptr;
  }
}

// Equality of one member in two structs of the same class.
bool same(const StructField* member, const char* a, const char* b) {
  a += member->offset;
  b += member->offset;
  if (member->kind == FieldKind::kText) {
    return !strncmp(a, b, member->text);
  }
  if (member->kind == FieldKind::kStruct) {
    for (int i = 0; i < member->inside->nfield; i++) {
      if (!same(&member->inside->fields[i], a, b)) {
        return false;
      }
    }
    return true;
  }
  Py_ssize_t count = 1;
  for (int i = 0; i < member->ndim; i++) {
    count *= member->shape[i];
  }
  for (Py_ssize_t i = 0; i < count; i++) {
    bool equal = member->type == Number::kFloat64 ? reinterpret_cast<const double*>(a)[i] ==
                                                        reinterpret_cast<const double*>(b)[i]
                 : member->type == Number::kFloat32
                     ? reinterpret_cast<const float*>(a)[i] == reinterpret_cast<const float*>(b)[i]
                     : !memcmp(a + i * number_size(member->type), b + i * number_size(member->type),
                               number_size(member->type));
    if (!equal) {
      return false;
    }
  }
  return true;
}

PyObject* compare(PyObject* self, PyObject* other, int operation) {
  StructInfo* info = info_of(self);
  if ((operation != Py_EQ && operation != Py_NE) || info_of(other) != info) {
    return Py_NewRef(Py_NotImplemented);
  }
  Wrapper *a = wrapper_of(self), *b = a ? wrapper_of(other) : nullptr;
  if (!b) {
    return nullptr;
  }
  bool equal = true;
  for (int i = 0; equal && i < info->nfield; i++) {
    equal = same(&info->fields[i], static_cast<char*>(a->memory), static_cast<char*>(b->memory));
  }
  return PyBool_FromLong(equal == (operation == Py_EQ));
}

PyMethodDef methods[] = {{"__copy__", copy, METH_NOARGS, "An independent copy."},
                         {"__deepcopy__", copy, METH_O, "An independent copy."},
                         {"__reduce__", reduce, METH_NOARGS, "For pickle."},
                         {nullptr, nullptr, 0, nullptr}};

const PyType_Slot kCompare[] = {{Py_tp_repr, reinterpret_cast<void*>(represent)},
                                {Py_tp_str, reinterpret_cast<void*>(represent)},
                                {Py_tp_richcompare, reinterpret_cast<void*>(compare)},
                                {Py_tp_hash, reinterpret_cast<void*>(PyObject_HashNotImplemented)},
                                {0, nullptr}};

// Is it an option that a later release has added?
bool is_later(const char* name) {
  for (int i = 0; cnd_optionField(i); i++) {
    if (!strcmp(cnd_optionField(i)->name, name)) {
      return cnd_optionField(i)->since;
    }
  }
  return false;
}

// Names of the members by what they are: numbers, vectors, integers.
void set_field_names(const StructInfo* info) {
  nb::handle type(reinterpret_cast<PyObject*>(info->type));
  nb::list floats, vectors, integers;
  for (int i = 0; i < info->nfield; i++) {
    const StructField* member = &info->fields[i];
    bool is_float = member->type == Number::kFloat64 || member->type == Number::kFloat32;
    if (is_later(member->name)) {
      continue;
    }
    (!is_float ? integers : member->ndim ? vectors : floats).append(nb::str(member->name));
  }
  nb::setattr(type, "_float_fields", nb::tuple(floats));
  nb::setattr(type, "_floatarray_fields", nb::tuple(vectors));
  nb::setattr(type, "_int_fields", nb::tuple(integers));
  nb::setattr(type, "_all_fields", nb::tuple(floats + vectors + integers));
}

// Does the process number the flags of a scene otherwise than the engine?
bool is_render_flags(Wrapper* self, const StructField* member) {
  return release_is_later() && !strcmp(member->name, "flags") &&
         info_of(reinterpret_cast<PyObject*>(self)) == struct_info("mjvScene");
}

void make_class(nb::module_& module, StructInfo* info) {
  auto* attributes = new std::vector<PyGetSetDef>;
  int slot = 0;
  for (int i = 0; i < info->nfield; i++) {
    StructField* member = &info->fields[i];
    bool cached = member->kind == FieldKind::kArray || member->kind == FieldKind::kTexts ||
                  member->kind == FieldKind::kStruct;
    member->slot = cached ? slot++ : -1;
    bool fixed =
        (member->kind == FieldKind::kStruct && member->ndim) || member->kind == FieldKind::kTexts;
    attributes->push_back({member->name, get, fixed ? nullptr : set, member->doc, member});
  }
  for (PyGetSetDef* more = info->more; more && more->name; more++) {
    attributes->push_back(*more);
  }
  attributes->push_back({nullptr, nullptr, nullptr, nullptr, nullptr});
  const char* place = strncmp(info->name, "Mjr", 3) ? "condyle._structs." : "condyle._render.";
  std::string* name = new std::string(std::string(place) + info->name);
  info->type =
      wrapper_type({name->c_str(), info->doc, info->init ? info->init : init, attributes->data(),
                    info->methods ? info->methods : methods, info->compares ? kCompare : nullptr});
  const char* dot = strchr(info->name, '.');
  nb::handle type(reinterpret_cast<PyObject*>(info->type));
  if (!dot) {
    wrapper_add(module, info->type);
    return;
  }
  // a nested class: MjVisual.Global
  nb::handle outer(module.attr(std::string(info->name, dot).c_str()));
  nb::setattr(type, "__module__", nb::str("condyle._structs"));
  nb::setattr(type, "__qualname__", nb::str(info->name));
  nb::setattr(outer, dot + 1, type);
}

}  // namespace

int struct_slots(const StructInfo* info) {
  int count = 0;
  for (int i = 0; i < info->nfield; i++) {
    count = std::max(count, info->fields[i].slot + 1);
  }
  return count;
}

int struct_own(PyObject* self, const StructInfo* info, const void* from) {
  void* memory = calloc(1, info->size);
  if (!memory) {
    PyErr_NoMemory();
    return -1;
  }
  if (from) {
    memcpy(memory, from, info->size);
  } else if (info->set_default) {
    info->set_default(memory);
  }
  if (from && info->copy && !info->copy(memory, from)) {
    free(memory);
    PyErr_NoMemory();
    return -1;
  }
  PyObject* owner = owner_make(memory, info->release ? info->release : release);
  if (!owner) {
    return -1;
  }
  int slots = struct_slots(info) + info->more_slots;
  bool done = wrapper_set(reinterpret_cast<Wrapper*>(self), memory, owner, slots);
  Py_DECREF(owner);
  return done ? 0 : -1;
}

PyObject* struct_make(const StructInfo* info, void* memory, PyObject* owner) {
  return wrapper_make(info->type, memory, owner, struct_slots(info) + info->more_slots);
}

PyObject* struct_new(const StructInfo* info) {
  PyObject* self = PyType_GenericNew(info->type, nullptr, nullptr);
  if (self && struct_own(self, info, nullptr) < 0) {
    Py_CLEAR(self);
  }
  return self;
}

void* struct_of(PyObject* object, const StructInfo* info, const char* name) {
  if (!PyObject_TypeCheck(object, info->type)) {
    PyErr_Format(PyExc_TypeError, "%s should be an %s, not %s", name, info->name,
                 type_name(object).c_str());
    return nullptr;
  }
  Wrapper* wrapper = wrapper_of(object);
  return wrapper ? wrapper->memory : nullptr;
}

const StructInfo* struct_info(const char* c_type) {
  for (StructInfo* info : kStructs) {
    if (!strcmp(info->name + 1, c_type + 1)) {
      return info;
    }
  }
  return nullptr;
}

PyObject* struct_get(Wrapper* self, const StructField* member) {
  char* memory = static_cast<char*>(self->memory) + member->offset;
  if (member->kind == FieldKind::kNumber) {
    if (release_is_flags(member->name)) {
      auto* option = static_cast<const mjOption*>(self->memory);
      return PyLong_FromLong(release_flags(option, member->name[0] == 'e'));
    }
    return number_get(memory, member->type);
  }
  if (member->kind == FieldKind::kText) {
    return PyUnicode_DecodeUTF8(memory, static_cast<Py_ssize_t>(strnlen(memory, member->text)),
                                "replace");
  }
  PyObject*& place = self->cache[member->slot];
  if (is_render_flags(self, member)) {
    return release_render_flags(memory, self->owner);
  }
  if (place) {
    return Py_NewRef(place);
  }
  if (member->kind == FieldKind::kArray) {
    place = array_view(memory, member->type, member->ndim, member->shape, self->owner);
  } else if (member->kind == FieldKind::kTexts) {
    place = text_view(memory, member->shape[0], member->text, self->owner);
  } else if (!member->ndim) {
    place = struct_make(member->inside, memory, self->owner);
  } else {
    place = PyTuple_New(member->shape[0]);
    for (Py_ssize_t i = 0; place && i < member->shape[0]; i++) {
      PyObject* item = struct_make(
          member->inside, memory + static_cast<size_t>(i) * member->inside->size, self->owner);
      if (!item || PyTuple_SetItem(place, i, item) < 0) {
        Py_CLEAR(place);
      }
    }
  }
  return Py_XNewRef(place);
}

int struct_set(Wrapper* self, const StructField* member, PyObject* value) {
  char* memory = static_cast<char*>(self->memory) + member->offset;
  if (member->kind == FieldKind::kNumber) {
    if (release_is_flags(member->name)) {
      long long flags;
      bool done = number_to_int(&flags, value, INT_MIN, INT_MAX, member->name) &&
                  release_set_flags(static_cast<mjOption*>(self->memory), member->name[0] == 'e',
                                    static_cast<int>(flags));
      return done ? 0 : -1;
    }
    return number_set(memory, member->type, value, member->name) ? 0 : -1;
  }
  if (member->kind == FieldKind::kText) {
    const char* text = number_to_text(value, member->name);
    if (!text) {
      return -1;
    }
    size_t size = strlen(text);
    if (size >= member->text) {
      PyErr_Format(PyExc_ValueError, "len(%s) cannot exceed %zu: got length %zu", member->name,
                   member->text - 1, size);
      return -1;
    }
    memset(memory, 0, member->text);
    memcpy(memory, text, size);
    return 0;
  }
  if (member->kind == FieldKind::kStruct && !member->ndim) {
    const void* from = struct_of(value, member->inside, member->name);
    if (!from) {
      return -1;
    }
    memmove(memory, from, member->inside->size);
    return 0;
  }
  return array_store(struct_get(self, member), value);
}

void init_structs(nb::module_& module) {
  scene_prepare();
  for (StructInfo* info : kStructs) {
    make_class(module, info);
    if (info == struct_info("mjOption")) {
      set_field_names(info);
    }
  }
  module.def("_struct_from_state", from_state);
}
