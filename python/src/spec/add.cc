// add.cc: the methods add_* of specs and bodies, with the attributes of the new element as
// keyword arguments.

#include <condyle/spec.h>

#include <cstring>
#include <vector>

#include "spec/spec.h"

namespace {

// An alternative to a quaternion as a keyword: axisangle, xyaxes, zaxis, euler.
struct Alternative {
  const char* name;
  mjtOrientation type;
  size_t offset;
  Py_ssize_t count;
};

const Alternative kAlternatives[] = {
    {"axisangle", mjORIENTATION_AXISANGLE, offsetof(mjsOrientation, axisangle), 4},
    {"xyaxes", mjORIENTATION_XYAXES, offsetof(mjsOrientation, xyaxes), 6},
    {"zaxis", mjORIENTATION_ZAXIS, offsetof(mjsOrientation, zaxis), 3},
    {"euler", mjORIENTATION_EULER, offsetof(mjsOrientation, euler), 3},
};

// What a keyword stands for: the name (field NULL), a field, or an alternative orientation in it.
struct Keyword {
  std::string name;
  const SpecField* field;
  const Alternative* alternative;
};

// The keywords of a class, in the order of its struct.
std::vector<Keyword> keywords_of(const SpecClass* one) {
  std::vector<Keyword> list = {{"name", nullptr, nullptr}};
  for (int i = 0; i < one->nfield; i++) {
    const SpecField* field = &one->fields[i];
    if (field->kind == SpecKind::kOrientation) {
      for (const Alternative& alternative : kAlternatives) {
        std::string prefix(field->name, strlen(field->name) - strlen("alt"));
        list.push_back({prefix + alternative.name, field, &alternative});
      }
    } else {
      list.push_back({field->name, field, nullptr});
    }
  }
  return list;
}

[[noreturn]] void raise_unknown(const char* name, const std::vector<Keyword>& list) {
  std::string text = std::string("Invalid ") + name + " keyword argument. Valid options are: ";
  for (const Keyword& keyword : list) {
    text += (keyword.name == "name" ? "" : ", ") + keyword.name;
  }
  raise(PyExc_TypeError, text + ".");
}

// Raises ValueError if the value is no list of so many numbers.
void check_list(nb::handle value, const std::string& name, Py_ssize_t count) {
  PyObject* object = value.ptr();
  bool text = PyUnicode_Check(object) || PyBytes_Check(object);
  Py_ssize_t size = text || !PySequence_Check(object) ? -1 : PySequence_Size(object);
  if (size < 0) {
    PyErr_Clear();
    raise(PyExc_ValueError, name + " should be a list/array.");
  }
  if (count >= 0 && size != count) {
    raise(PyExc_ValueError,
          name + " should be a list/array of size " + std::to_string(count) + ".");
  }
}

// Raises the present exception as a ValueError with another text, unless it is no TypeError.
[[noreturn]] void raise_as(const std::string& text) {
  if (!PyErr_ExceptionMatches(PyExc_TypeError)) {
    nb::raise_python_error();
  }
  PyErr_Clear();
  raise(PyExc_ValueError, text);
}

void set_alternative(nb::handle self, const Keyword& keyword, nb::handle value) {
  check_list(value, keyword.name, keyword.alternative->count);
  ArrayArgument array;
  if (!array_input(&array, value.ptr(), Number::kFloat64, true, keyword.name.c_str())) {
    raise_as(keyword.name + " has the wrong type.");
  }
  nb::object hold = nb::steal(array.array);
  if (array.size != keyword.alternative->count) {
    raise(PyExc_ValueError, keyword.name + " should be a list/array of size " +
                                std::to_string(keyword.alternative->count) + ".");
  }
  auto* alt = reinterpret_cast<mjsOrientation*>(static_cast<char*>(spec_memory(self)) +
                                                keyword.field->offset);
  if (alt->type != mjORIENTATION_QUAT) {
    raise(PyExc_ValueError, "Only one of: axisangle, xyaxes, zaxis, oreuler can be set.");
  }
  alt->type = keyword.alternative->type;
  memcpy(reinterpret_cast<char*>(alt) + keyword.alternative->offset, array.data,
         static_cast<size_t>(array.size) * sizeof(double));
}

// The size of a geom or site may be one to three numbers; the others are zero.
nb::object whole_size(nb::handle self, const SpecField* field, nb::handle value) {
  mjtObj type = class_of(self.ptr())->object;
  bool sized = (type == mjOBJ_GEOM || type == mjOBJ_SITE) && !strcmp(field->name, "size");
  bool number = PyNumber_Check(value.ptr()) && !PySequence_Check(value.ptr());
  if (!sized || (!number && !PySequence_Check(value.ptr())) || PyUnicode_Check(value.ptr())) {
    return nb::borrow(value);
  }
  nb::list size;
  if (number) {
    size.append(value);
  } else {
    size.extend(value);
  }
  if (nb::len(size) < 1 || nb::len(size) > 3) {
    raise(PyExc_ValueError, "size should be a list/array of size 1 to 3.");
  }
  while (nb::len(size) < 3) {
    size.append(0.0);
  }
  return size;
}

void set_field(nb::handle self, const SpecField* field, nb::handle given) {
  std::string name = field->name;
  nb::object value = whole_size(self, field, given);
  const char* reason = " has the wrong type.";
  switch (field->kind) {
    case SpecKind::kArray:
      check_list(value, name, field->count);
      break;
    case SpecKind::kString:
      reason = " should be a string.";
      break;
    case SpecKind::kNumber:
    case SpecKind::kEnum:
      reason = " is the wrong type.";
      break;
    case SpecKind::kChars:
      check_list(value, name, -1);
      break;
    default:
      break;
  }
  if (!field_set(self.ptr(), field, value.ptr())) {
    raise_as(name + reason);
  }
}

// Sets the attributes of a new element; its name last, since other elements may refer to it.
void set_keywords(nb::handle self, nb::kwargs keywords, const std::vector<Keyword>& list) {
  nb::object name;
  for (auto [key, value] : keywords) {
    const char* given = text_argument(key, "keyword");
    const Keyword* keyword = nullptr;
    for (const Keyword& one : list) {
      keyword = one.name == given ? &one : keyword;
    }
    if (!keyword) {
      raise_unknown(given, list);
    }
    if (value.is_none()) {
      continue;
    }
    if (!keyword->field) {
      name = nb::borrow(value);
    } else if (keyword->alternative) {
      set_alternative(self, *keyword, value);
    } else {
      set_field(self, keyword->field, value);
    }
  }
  if (name.is_valid()) {
    if (!PyUnicode_Check(name.ptr()) && !PyBytes_Check(name.ptr())) {
      raise(PyExc_ValueError, "name should be a string.");
    }
    nb::setattr(self, "name", name);
  }
}

// Sets the keywords of a new element, which is deleted if that fails.
nb::object finish(mjsElement* element, nb::kwargs keywords, const std::vector<Keyword>& list) {
  if (!element) {
    throw std::bad_alloc();
  }
  nb::object self = element_wrap(element);
  try {
    set_keywords(self, keywords, list);
  } catch (nb::python_error&) {
    auto* wrapper = reinterpret_cast<Wrapper*>(self.ptr());
    if (wrapper->memory) {
      mjSpec* spec = mjs_getSpec(element);
      engine([=] { mjs_delete(spec, element); });
    }
    throw;
  }
  return self;
}

// Gives arguments by position their names, and checks all names before anything is added. What is
// None is not given.
std::vector<Keyword> checked(const SpecClass* one, nb::args values, nb::kwargs keywords) {
  std::vector<Keyword> list = keywords_of(one);
  if (values.size() > list.size()) {
    raise(PyExc_TypeError, "at most " + std::to_string(list.size()) + " attributes can be given");
  }
  for (size_t i = 0; i < values.size(); i++) {
    nb::str name(list[i].name.c_str());
    if (keywords.contains(name)) {
      raise(PyExc_TypeError, "got multiple values for argument '" + list[i].name + "'");
    }
    keywords[name] = values[i];
  }
  for (auto [key, value] : keywords) {
    const char* given = text_argument(key, "keyword");
    bool known = false;
    for (const Keyword& keyword : list) {
      known |= keyword.name == given;
    }
    if (!known) {
      raise_unknown(given, list);
    }
  }
  return list;
}

// Makes the method add_x of a class of containers: `add` makes the element.
template <class Container, class Element, class Add>
void method(PyTypeObject* type, const char* name, mjtObj object, Add add, const char* doc) {
  const SpecClass* one = class_of_type(object);
  add_method(
      type, name,
      [=](nb::handle self, nb::object def, nb::args rest, nb::kwargs keywords) {
        auto* container = part<Container>(self);
        const mjsDefault* values = default_argument(def);
        std::vector<Keyword> list = checked(one, rest, keywords);
        Element* made = nullptr;
        engine([&] { made = add(container, values); });
        return finish(made ? made->element : nullptr, keywords, list);
      },
      nb::arg("default") = nb::none(), nb::arg("args"), nb::arg("kwargs"), doc);
}

// The same for frames: the element is in the frame's body, and in the frame.
template <class Element, class Add>
void frame_method(const char* name, mjtObj object, Add add, const char* doc) {
  const SpecClass* one = class_of_type(object);
  add_method(
      class_mjsFrame.type, name,
      [=](nb::handle self, nb::object def, nb::args rest, nb::kwargs keywords) {
        auto* frame = part<mjsFrame>(self);
        mjsBody* body = mjs_getParent(frame->element);
        const mjsDefault* values = default_argument(def);
        std::vector<Keyword> list = checked(one, rest, keywords);
        Element* made = nullptr;
        engine([&] {
          made = add(body, values);
          if (made) {
            mjs_setFrame(made->element, frame);
          }
        });
        return finish(made ? made->element : nullptr, keywords, list);
      },
      nb::arg("default") = nb::none(), nb::arg("args"), nb::arg("kwargs"), doc);
}

// Functions that take a class; a texture's values of it are copied here.
template <class Element>
auto with_class(Element* (*add)(mjSpec*, const mjsDefault*)) {
  return add;
}

auto with_class(mjsTexture* (*add)(mjSpec*)) {
  return [add](mjSpec* spec, const mjsDefault* def) {
    mjsTexture* made = add(spec);
    if (made && def) {
      mjsTexture values = *def->texture;
      values.element = made->element;
      values.content_type = made->content_type;
      values.file = made->file;
      values.cubefiles = made->cubefiles;
      values.data = made->data;
      values.info = made->info;
      *made = values;
      mjs_setDefault(made->element, def);
    }
    return made;
  };
}

template <class Element, class Add>
void plain_method(const char* name, mjtObj object, Add add, const char* doc) {
  const SpecClass* one = class_of_type(object);
  add_method(
      SpecType, name,
      [=](nb::handle self, nb::args rest, nb::kwargs keywords) {
        mjSpec* spec = spec_of(self);
        std::vector<Keyword> list = checked(one, rest, keywords);
        Element* made = nullptr;
        engine([&] { made = add(spec); });
        return finish(made ? made->element : nullptr, keywords, list);
      },
      nb::arg("args"), nb::arg("kwargs"), doc);
}

// Adds a frame to a body, or to a frame.
nb::object add_frame(nb::handle self, nb::object around, nb::args rest, nb::kwargs keywords) {
  bool inside = class_of(self.ptr()) == &class_mjsFrame;
  mjsFrame* outer = inside ? part<mjsFrame>(self) : nullptr;
  mjsBody* body = inside ? mjs_getParent(outer->element) : part<mjsBody>(self);
  if (!around.is_none()) {
    mjsElement* element = element_argument(around, mjOBJ_FRAME, "default");
    if (mjs_getParent(element) != body) {
      raise(PyExc_ValueError, "the frame around should be one of this body");
    }
    outer = mjs_asFrame(element);
  }
  std::vector<Keyword> list = checked(class_of_type(mjOBJ_FRAME), rest, keywords);
  mjsFrame* made = nullptr;
  engine([&] { made = mjs_addFrame(body, outer); });
  return finish(made ? made->element : nullptr, keywords, list);
}

nb::object add_freejoint(nb::handle self, nb::kwargs keywords) {
  auto* body = part<mjsBody>(self);
  std::vector<Keyword> list;
  for (const Keyword& keyword : keywords_of(class_of_type(mjOBJ_JOINT))) {
    if (keyword.name == "align" || keyword.name == "group" || keyword.name == "name") {
      list.push_back(keyword);
    }
  }
  for (auto [key, value] : keywords) {
    const char* given = text_argument(key, "keyword");
    if (strcmp(given, "align") && strcmp(given, "group") && strcmp(given, "name")) {
      raise(PyExc_TypeError, std::string("Invalid ") + given +
                                 " keyword argument. Valid options are: align, group, name.");
    }
  }
  mjsJoint* made = nullptr;
  engine([&] { made = mjs_addFreeJoint(body); });
  return finish(made ? made->element : nullptr, keywords, list);
}

nb::object add_default(nb::handle self, nb::handle name, nb::object parent) {
  mjSpec* spec = spec_of(self);
  const char* text = text_argument(name, "name");
  const mjsDefault* values = default_argument(parent);
  if (values && mjs_getSpec(values->element) != spec) {
    raise(PyExc_ValueError, "the parent class belongs to another spec");
  }
  mjsDefault* made = nullptr;
  engine([&] { made = mjs_addDefault(spec, text, values); });
  return wrap(made);
}

}  // namespace

void init_spec_add() {
  PyTypeObject* body = class_of_type(mjOBJ_BODY)->type;
#define ADD_TO_BODY(type, Name, name) \
  method<mjsBody, mjs##Name>(body, "add_" name, type, mjs_add##Name, "Adds a " name ".");
#define ADD_WITH_CLASS(type, Name, name)                                            \
  method<mjSpec, mjs##Name>(SpecType, "add_" name, type, with_class(mjs_add##Name), \
                            "Adds a " name ".");
#define ADD(type, Name, name) \
  plain_method<mjs##Name>("add_" name, type, mjs_add##Name, "Adds a " name ".");
  SPEC_ADDED_TO_BODY(ADD_TO_BODY)
  SPEC_ADDED_WITH_CLASS(ADD_WITH_CLASS)
  SPEC_ADDED(ADD)
#undef ADD_TO_BODY
#undef ADD_WITH_CLASS
#undef ADD
#define ADD_TO_FRAME(type, Name, name) \
  frame_method<mjs##Name>("add_" name, type, mjs_add##Name, "Adds a " name " in this frame.");
  SPEC_ADDED_TO_BODY(ADD_TO_FRAME)
#undef ADD_TO_FRAME
  for (PyTypeObject* type : {body, class_mjsFrame.type}) {
    add_method(type, "add_frame", add_frame, nb::arg("default") = nb::none(), nb::arg("args"),
               nb::arg("kwargs"), "Adds a frame, inside another one of the body if that is given.");
  }
  add_method(body, "add_freejoint", add_freejoint, nb::arg("kwargs"), "Adds a free joint.");
  add_method(SpecType, "add_default", add_default, nb::arg("name"), nb::arg("parent").none(),
             "Adds a default class; None if the name is taken.");
}
