// field.cc: reading and assigning the members of elements.

#include <condyle/spec.h>

#include <cstring>
#include <vector>

#include "spec/spec.h"

namespace {

// the first slot of a class's fields
int first_slot(const SpecClass* one) {
  return one->object == mjOBJ_MODEL ? kSpecSlots : 0;
}

// The enum's class in condyle._enums.
nb::object enumeration(const char* name) {
  return nb::module_::import_("condyle._enums").attr(name);
}

PyObject* get_enum(const char* name, int number) {
  try {
    number = release_from_engine(name, number);
    return enumeration(name)(number).release().ptr();
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_ValueError)) {
      throw;
    }
    return PyLong_FromLong(number);
  }
}

// Members of the enum, and their numbers; no members of other enums.
bool set_enum(PyObject* self, const SpecField* field, const char* name, void* memory,
              nb::handle value) {
  nb::object type = enumeration(name);
  int is_member = PyObject_IsInstance(value.ptr(), type.ptr());
  nb::object any = nb::module_::import_("enum").attr("IntEnum");
  if (!is_member && PyObject_IsInstance(value.ptr(), any.ptr())) {
    raise(PyExc_TypeError, std::string(field->name) + " should be a member of " + name +
                               ", not of " + type_name(value.ptr()));
  }
  long long number;
  or_raise(number_to_int(&number, value.ptr(), INT32_MIN, INT32_MAX, field->name));
  if (!is_member) {
    type(number);  // raises if there is no such member
  }
  if (!spec_alive(self)) {
    return false;
  }
  int plain = release_to_engine(name, static_cast<int>(number));
  memcpy(memory, &plain, sizeof plain);
  return true;
}

// A view of an array in the struct; made once per wrapper.
PyObject* get_array(Wrapper* self, const SpecField* field, void* memory) {
  if (PyObject* made = self->cache[field->slot]) {
    return Py_NewRef(made);
  }
  // the element that the struct belongs to
  auto* outer = self;
  while (outer->related) {
    outer = reinterpret_cast<Wrapper*>(outer->related);
  }
  mjsElement* element = *static_cast<mjsElement**>(outer->memory);
  if (!guarded([=] { cnd_keepElement(element); }, false)) {
    return nullptr;
  }
  PyObject* array = array_view(memory, field->type, 1, &field->count, self->owner);
  self->cache[field->slot] = Py_XNewRef(array);
  return array;
}

// A part of a struct, which holds the whole.
PyObject* get_part(Wrapper* self, SpecClass* one, void* memory) {
  PyObject* result = wrapper_make(one->type, memory, self->owner, field_slots(one));
  if (result) {
    reinterpret_cast<Wrapper*>(result)->related = Py_NewRef(reinterpret_cast<PyObject*>(self));
  }
  return result;
}

void set_string(const SpecField* field, mjString* string, nb::handle value) {
  const char* text = text_argument(value, field->name);
  engine([=] { mjs_setString(string, text); });
}

// In later releases stiffness and damping of joints and tendons are polynomials: three numbers. The
// constant term; the others must be 0.
bool constant_term(double* term, PyObject* self, const SpecField* field, PyObject* value) {
  const SpecClass* one = class_of(self);
  bool polynomial = one && (one->object == mjOBJ_JOINT || one->object == mjOBJ_TENDON) &&
                    (!strcmp(field->name, "stiffness") || !strcmp(field->name, "damping"));
  if (!polynomial || !PySequence_Check(value) || PyUnicode_Check(value) || PyBytes_Check(value)) {
    return false;
  }
  ArrayArgument array;
  if (!array_input(&array, value, field->type, true, field->name)) {
    nb::raise_python_error();
  }
  nb::object hold = nb::steal(array.array);
  if (array.size < 1 || array.size > 3) {
    raise(PyExc_TypeError, std::string(field->name) + " should be a number, or up to three");
  }
  auto* numbers = static_cast<const double*>(array.data);
  for (int i = 1; i < array.size; i++) {
    if (numbers[i] != 0) {
      raise(PyExc_ValueError, std::string(field->name) + " can't depend on position or velocity");
    }
  }
  *term = numbers[0];
  return true;
}

// A copy of the bytes of a texture.
PyObject* get_bytes(const mjByteVec* bytes) {
  return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(bytes->data()),
                                   static_cast<Py_ssize_t>(bytes->size()));
}

// An attribute that is of another type in 4.0.0.
PyObject* get_later(PyObject* self, const SpecField* field, const void* memory) {
  if (!strcmp(field->later, "bool")) {
    return number_get(memory, Number::kBool);
  }
  if (field->later[0] == 'm') {
    return get_enum(field->later, *static_cast<const int*>(memory));
  }
  // numbers whose assignment assigns the attribute
  nb::list numbers;
  if (!strcmp(field->later, "polynomial")) {
    numbers.append(*static_cast<const double*>(memory));
    numbers.append(0.0);
    numbers.append(0.0);
  } else {
    for (Py_ssize_t i = 0; i < field->count; i++) {
      numbers.append(static_cast<int>(static_cast<const float*>(memory)[i]));
    }
  }
  return nb::module_::import_("condyle._support.translated")
      .attr("numbers")(nb::handle(self), field->name, numbers)
      .release()
      .ptr();
}

// Booleans take any number, by its truth; enums their members and numbers.
bool set_later(PyObject* self, const SpecField* field, void* memory, nb::handle value) {
  if (field->later[0] == 'm') {
    return set_enum(self, field, field->later, memory, value);
  }
  int truth = PyNumber_Check(value.ptr()) ? PyObject_IsTrue(value.ptr()) : -1;
  if (truth < 0) {
    PyErr_Clear();
    raise(PyExc_TypeError, std::string(field->name) + " should be a bool");
  }
  if (!spec_alive(self)) {
    return false;
  }
  long long number = truth;
  memcpy(memory, &number, number_size(field->type));
  return true;
}

bool set_array(PyObject* self, const SpecField* field, void* memory, nb::handle value) {
  ArrayArgument array;
  if (PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr())) {
    raise(PyExc_TypeError, std::string(field->name) + " should be a sequence of numbers");
  }
  or_raise(array_input(&array, value.ptr(), field->type, true, field->name));
  nb::object hold = nb::steal(array.array);
  if (array.size != field->count) {
    raise(PyExc_TypeError, std::string(field->name) + " should have " +
                               std::to_string(field->count) + " numbers, not " +
                               std::to_string(array.size));
  }
  if (!spec_alive(self)) {
    return false;
  }
  memmove(memory, array.data, static_cast<size_t>(array.size) * number_size(field->type));
  return true;
}

// An iterable of characters; shorter ones leave the rest as it is.
bool set_chars(PyObject* self, const SpecField* field, char* memory, nb::handle value) {
  std::string text;
  for (nb::handle item : nb::iter(value)) {
    const char* letter = text_argument(item, field->name);
    if (strlen(letter) != 1) {
      raise(PyExc_TypeError, std::string(field->name) + " should be single characters");
    }
    text += letter;
  }
  bool ended = field->count > 4;  // gridlayout ends with a zero, eulerseq does not
  if (text.size() > static_cast<size_t>(field->count - ended)) {
    raise(PyExc_ValueError, std::string(field->name) + " should have at most " +
                                std::to_string(field->count - ended) + " characters");
  }
  if (!spec_alive(self)) {
    return false;
  }
  memcpy(memory, text.data(), text.size());
  if (ended) {
    memset(memory + text.size(), 0, static_cast<size_t>(field->count) - text.size());
  }
  return true;
}

// Uses a plugin as another struct does.
void set_plugin(mjsPlugin* to, nb::handle value) {
  SpecClass* one = class_of(value.ptr());
  if (!one || one->object != mjOBJ_PLUGIN) {
    raise(PyExc_TypeError, "plugin should be an MjsPlugin, not " + type_name(value.ptr()));
  }
  auto* from = part<mjsPlugin>(value);
  if (from == to) {
    return;
  }
  engine([=] {
    to->element = from->element;
    to->active = from->active;
    mjs_setString(to->name, from->name->c_str());
    mjs_setString(to->plugin_name, from->plugin_name->c_str());
    mjs_setString(to->info, from->info->c_str());
  });
}

void set_orientation(void* to, nb::handle value) {
  if (type_name(value.ptr()) != "MjsOrientation") {
    raise(PyExc_TypeError, "should be an MjsOrientation, not " + type_name(value.ptr()));
  }
  memmove(to, part<mjsOrientation>(value), sizeof(mjsOrientation));
}

// A list of lists.
template <class V>
PyObject* get_lists(const V* lists) {
  nb::list result;
  for (const auto& one : *lists) {
    nb::list row;
    for (auto number : one) {
      row.append(number);
    }
    result.append(row);
  }
  return result.release().ptr();
}

// A name that is a list of names since 4.0 (materials of a flex): that list, which is a member of
// its own here, with what the single name says.
PyObject* get_names(PyObject* self, void* flex) {
  auto* of = static_cast<mjsFlex*>(flex);
  if (of->material->num && !of->materials->num) {
    mjs_appendString(of->materials, of->material->c_str());
  }
  mjs_setString(of->material, "");
  return PyObject_GetAttrString(self, "materials");
}

// Takes a list of names, or one name.
bool set_names(PyObject* self, void* flex, PyObject* value) {
  nb::object list = nb::borrow(value);
  if (PyUnicode_Check(value)) {
    nb::list one;
    one.append(nb::handle(value));
    list = one;
  }
  if (PyObject_SetAttrString(self, "materials", list.ptr()) < 0) {
    return false;
  }
  mjs_setString(static_cast<mjsFlex*>(flex)->material, "");
  return true;
}

bool is_names(const SpecField* field) {
  return field->later && !strcmp(field->later, "names") && release_is_later();
}

PyObject* get(PyObject* self, void* closure) {
  return field_get(self, static_cast<SpecField*>(closure));
}

int set(PyObject* self, PyObject* value, void* closure) {
  auto* field = static_cast<SpecField*>(closure);
  if (!value) {
    return refuse_deletion(field->name);
  }
  return field_set(self, field, value) ? 0 : -1;
}

}  // namespace

PyObject* field_get(PyObject* self, const SpecField* field) {
  Wrapper* wrapper = spec_alive(self);
  if (!wrapper) {
    return nullptr;
  }
  char* memory = static_cast<char*>(wrapper->memory) + field->offset;
  return safely(
      [&]() -> PyObject* {
        switch (field->kind) {
          case SpecKind::kNumber:
            return field->later && release_is_later() ? get_later(self, field, memory)
                                                      : number_get(memory, field->type);
          case SpecKind::kEnum:
            return get_enum(field->enumeration, *reinterpret_cast<int*>(memory));
          case SpecKind::kArray:
            return field->later && release_is_later() ? get_later(self, field, memory)
                                                      : get_array(wrapper, field, memory);
          case SpecKind::kString: {
            if (is_names(field)) {
              return get_names(self, wrapper->memory);
            }
            const mjString* string = *reinterpret_cast<mjString**>(memory);
            return PyUnicode_DecodeUTF8(string->c_str(), static_cast<Py_ssize_t>(string->num),
                                        "surrogateescape");
          }
          case SpecKind::kChars:
          case SpecKind::kDoubles:
          case SpecKind::kFloats:
          case SpecKind::kInts:
          case SpecKind::kStrings:
          case SpecKind::kBytes:
            return field->kind == SpecKind::kBytes && release_is_later()
                       ? get_bytes(*reinterpret_cast<mjByteVec**>(memory))
                       : vector_make(self, field, memory);
          case SpecKind::kIntLists:
            return get_lists(*reinterpret_cast<mjIntVecVec**>(memory));
          case SpecKind::kFloatLists:
            return get_lists(*reinterpret_cast<mjFloatVecVec**>(memory));
          case SpecKind::kOrientation:
            return get_part(wrapper, &class_mjsOrientation, memory);
          case SpecKind::kPlugin:
            return get_part(wrapper, &class_mjsPlugin, memory);
          case SpecKind::kCompiler:
            return get_part(wrapper, &class_mjsCompiler, memory);
          case SpecKind::kAuthored:
            return get_part(wrapper, &class_mjsAuthored, memory);
          case SpecKind::kStruct: {
            PyObject*& place = wrapper->cache[field->slot];
            if (!place) {
              place = struct_make(struct_info(field->c_type), memory, wrapper->owner);
            }
            return Py_XNewRef(place);
          }
          case SpecKind::kElement:
            return element_wrap(**reinterpret_cast<mjsElement***>(memory)).release().ptr();
        }
        return nullptr;
      },
      static_cast<PyObject*>(nullptr));
}

bool field_set(PyObject* self, const SpecField* field, PyObject* value) {
  Wrapper* wrapper = spec_alive(self);
  if (!wrapper) {
    return false;
  }
  char* memory = static_cast<char*>(wrapper->memory) + field->offset;
  return safely(
      [&] {
        switch (field->kind) {
          case SpecKind::kNumber: {
            // the conversion may run Python code that deletes the element
            char number[8];
            double term;
            if (field->later && release_is_later() && strcmp(field->later, "polynomial")) {
              return set_later(self, field, memory, value);
            }
            bool given = constant_term(&term, self, field, value);
            if (given) {
              memcpy(number, &term, sizeof term);
            }
            if ((!given && !number_set(number, field->type, value, field->name)) ||
                !spec_alive(self)) {
              return false;
            }
            memcpy(memory, number, number_size(field->type));
            return true;
          }
          case SpecKind::kEnum:
            return set_enum(self, field, field->enumeration, memory, value);
          case SpecKind::kArray:
            return set_array(self, field, memory, value);
          case SpecKind::kString:
            if (is_names(field)) {
              return set_names(self, wrapper->memory, value);
            }
            set_string(field, *reinterpret_cast<mjString**>(memory), value);
            return true;
          case SpecKind::kChars:
            return set_chars(self, field, memory, value);
          case SpecKind::kOrientation:
            set_orientation(memory, value);
            return true;
          case SpecKind::kPlugin:
            set_plugin(reinterpret_cast<mjsPlugin*>(memory), value);
            return true;
          case SpecKind::kCompiler:
          case SpecKind::kAuthored:
          case SpecKind::kStruct:
          case SpecKind::kElement:
            PyErr_Format(PyExc_AttributeError, "%s cannot be assigned; assign its attributes",
                         field->name);
            return false;
          default:
            return vector_assign(self, field, memory, value);
        }
      },
      false);
}

int field_slots(const SpecClass* one) {
  int count = 0;
  for (int i = 0; i < one->nfield; i++) {
    count += one->fields[i].kind == SpecKind::kArray || one->fields[i].kind == SpecKind::kStruct;
  }
  return count;
}

PyGetSetDef* field_attributes(SpecClass* one, const PyGetSetDef* more) {
  auto* list = new std::vector<PyGetSetDef>;
  int slot = first_slot(one);
  for (; more && more->name; more++) {
    list->push_back(*more);
  }
  for (int i = 0; i < one->nfield; i++) {
    SpecField* field = &one->fields[i];
    if (field->kind == SpecKind::kArray || field->kind == SpecKind::kStruct) {
      field->slot = slot++;
    }
    bool fixed = field->kind == SpecKind::kStruct || field->kind == SpecKind::kCompiler ||
                 field->kind == SpecKind::kAuthored || field->kind == SpecKind::kElement;
    list->push_back({field->name, get, fixed ? nullptr : set, field->doc, field});
  }
  list->push_back({nullptr, nullptr, nullptr, nullptr, nullptr});
  return list->data();
}
