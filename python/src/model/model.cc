// model.cc: the class MjModel: loading, attributes, copies, pickling.

#include "model/model.h"

#include <condyle/behaviour.h>
#include <condyle/load.h>

#include <cstring>

#include "base/flex_layout.h"
#include "base/guard.h"
#include "base/structs.h"
#include "base/table.h"
#include "model/computed.h"

PyTypeObject* ModelType;

namespace {

// attributes made once, besides the arrays
enum {
  kOption,
  kVisual,
  kStatistic,
  kNames,
  kText,
  kPaths,
  kSizes,
  kSlots
};

// the last slot is the cache of named objects (named.cc)
int nslot() {
  return kSlots + static_cast<int>(model_arrays().size()) + computed_slots(false) + 1;
}

void release(void* memory) {
  mj_deleteModel(static_cast<mjModel*>(memory));
}

mjModel* model(Wrapper* self) {
  return static_cast<mjModel*>(self->memory);
}

PyObject* get_array(PyObject* self, void* closure) {
  Wrapper* wrapper = wrapper_of(self);
  auto* attribute = static_cast<const Attribute*>(closure);
  if (!wrapper) {
    return nullptr;
  }
  auto make = [&] {
    return attribute_view(attribute, wrapper->memory, model(wrapper), nullptr, wrapper->owner);
  };
  // copies must be those of this moment
  bool copied = attribute_is_copy(attribute) ||
                (release_is_later() && flex_is_laid_out(attribute->field->name));
  return copied ? make() : wrapper_cached(wrapper, kSlots + attribute->slot, make);
}

int set_array(PyObject* self, PyObject* value, void* closure) {
  auto* attribute = static_cast<const Attribute*>(closure);
  return value ? attribute_store(attribute, get_array(self, closure), value)
               : refuse_deletion(attribute->field->name);
}

// memory of a struct in the model, and of the bytes of names and texts
struct Part {
  const char* name;
  const char* doc;
  int slot;
  PyObject* (*make)(Wrapper* self);
  const char* c_type = nullptr;  // of a struct, which can be assigned
};

const Part kParts[] = {
    {"opt", "MjOption: settings of the physics", kOption,
     [](Wrapper* self) {
       return struct_make(struct_info("mjOption"), &model(self)->opt, self->owner);
     },
     "mjOption"},
    {"vis", "MjVisual: settings of the picture", kVisual,
     [](Wrapper* self) {
       return struct_make(struct_info("mjVisual"), &model(self)->vis, self->owner);
     },
     "mjVisual"},
    {"stat", "MjStatistic: sizes at qpos0 by which solvers and viewers scale", kStatistic,
     [](Wrapper* self) {
       return struct_make(struct_info("mjStatistic"), &model(self)->stat, self->owner);
     },
     "mjStatistic"},
    {"names", "bytes: names of all objects, zero-terminated", kNames,
     [](Wrapper* self) {
       return PyBytes_FromStringAndSize(model(self)->names, model(self)->nnames);
     }},
    {"text_data", "bytes: values of the custom texts, zero-terminated", kText,
     [](Wrapper* self) {
       return PyBytes_FromStringAndSize(model(self)->text_data, model(self)->ntextdata);
     }},
    {"paths", "bytes: paths of the assets, zero-terminated", kPaths,
     [](Wrapper* self) {
       return PyBytes_FromStringAndSize(model(self)->paths, model(self)->npaths);
     }},
    {"_sizes", "int64 array: all sizes, in the order of _size_fields", kSizes,
     [](Wrapper* self) -> PyObject* {
       npy_intp count = static_cast<npy_intp>(model_sizes().size());
       PyObject* array = PyArray_SimpleNew(1, &count, NPY_INT64);
       if (array) {
         auto* values =
             static_cast<int64_t*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array)));
         for (const Attribute& size : model_sizes()) {
           void* place = attribute_memory(&size, self->memory);
           *values++ =
               size.field->size == 8 ? *static_cast<int64_t*>(place) : *static_cast<int*>(place);
         }
         PyArray_CLEARFLAGS(reinterpret_cast<PyArrayObject*>(array), NPY_ARRAY_WRITEABLE);
       }
       return array;
     }},
};

PyObject* get_part(PyObject* self, void* closure) {
  Wrapper* wrapper = wrapper_of(self);
  auto* part = static_cast<const Part*>(closure);
  return wrapper ? wrapper_cached(wrapper, part->slot, [&] { return part->make(wrapper); })
                 : nullptr;
}

// Copies all members; the struct stays the same object.
int set_part(PyObject* self, PyObject* value, void* closure) {
  auto* part = static_cast<const Part*>(closure);
  if (!value) {
    return refuse_deletion(part->name);
  }
  const StructInfo* info = struct_info(part->c_type);
  const void* from = struct_of(value, info, part->name);
  PyObject* to = from ? get_part(self, closure) : nullptr;
  if (!to) {
    return -1;
  }
  memmove(reinterpret_cast<Wrapper*>(to)->memory, from, info->size);
  Py_DECREF(to);
  return 0;
}

PyObject* get_signature(PyObject* self, void*) {
  Wrapper* wrapper = wrapper_of(self);
  return wrapper ? PyLong_FromUnsignedLongLong(model(wrapper)->signature) : nullptr;
}

bool is_bytes(const Attribute& attribute) {
  const char* name = attribute.field->name;
  return !strcmp(name, "names") || !strcmp(name, "text_data") || !strcmp(name, "paths");
}

PyGetSetDef* attributes() {
  auto* list = new std::vector<PyGetSetDef>;
  for (const Attribute& size : model_sizes()) {
    list->push_back({size.field->name, attribute_number, nullptr, size.doc.c_str(),
                     const_cast<Attribute*>(&size)});
  }
  for (const Attribute& array : model_arrays()) {
    if (!is_bytes(array)) {
      list->push_back({array.field->name, get_array, set_array, array.doc.c_str(),
                       const_cast<Attribute*>(&array)});
    }
  }
  for (const Part& part : kParts) {
    list->push_back({part.name, get_part, part.c_type ? set_part : nullptr, part.doc,
                     const_cast<Part*>(&part)});
  }
  list->push_back({"signature", get_signature, nullptr,
                   "int: hash of the structure of the spec it was compiled from", nullptr});
  list->push_back({"_address", wrapper_address, nullptr, "int: address of the mjModel", nullptr});
  computed_attributes(list, false, kSlots + static_cast<int>(model_arrays().size()));
  list->push_back({nullptr, nullptr, nullptr, nullptr, nullptr});
  return list->data();
}

nb::object own(mjModel* m) {
  return steal_or_raise(model_make(m));
}

// Reads and compiles the file `name`, from memory or from the disk.
nb::object load(const char* name, Files& files) {
  Problems problems;
  mjModel* m = nullptr;
  mjVFS* vfs = files.vfs();
  engine([&] { m = cnd_loadXML(name, vfs, problems.list); }, true);
  if (!m) {
    raise_diagnostics(problems.list, nullptr);
  }
  return own(m);
}

const char kBoth[] = "Cannot specify both 'assets' and 'vfs'.";

// A text that may name virtual files of a VFS; it is none itself.
nb::object load_beside(const char* text, Files& files) {
  Problems problems;
  mjModel* m = nullptr;
  mjVFS* vfs = files.vfs();
  engine([&] { m = cnd_loadXMLString(text, vfs, problems.list); }, true);
  if (!m) {
    raise_diagnostics(problems.list, nullptr);
  }
  return own(m);
}

nb::object load_text(nb::object xml, nb::object assets, nb::object vfs, bool sealed) {
  const char* text = text_argument(xml, "xml");
  Files files;
  files.use(vfs, !assets.is_none(), kBoth);
  if (files.is_given()) {
    return load_beside(text, files);
  }
  files.add(assets, true, false);
  std::string name = files.add_text(text, strlen(text));
  if (sealed) {
    files.seal();
  }
  return load(name.c_str(), files);
}

nb::object from_xml_string(nb::object xml, nb::object assets, nb::object vfs) {
  return load_text(xml, assets, vfs, false);
}

// Pages of the viewer send all files of a model, whose text may name others of this machine.
nb::object from_sealed_text(nb::object xml, nb::object assets) {
  return load_text(xml, assets, nb::none(), true);
}

// The path as text (str, bytes or os.PathLike), and the name under which to load: the base name if
// it is a key of the files.
std::string path_of(nb::object path, const Files& files) {
  std::string name = text_argument(steal_or_raise(PyOS_FSPath(path.ptr())), "filename");
  std::string base = name.substr(name.find_last_of("/\\") + 1);
  for (char& c : base) {
    c = static_cast<char>(tolower(static_cast<unsigned char>(c)));
  }
  return files.has(base) ? base : name;
}

nb::object from_xml_path(nb::object filename, nb::object assets, nb::object vfs) {
  Files files;
  files.use(vfs, !assets.is_none(), kBoth);
  files.add(assets, true, false);
  return load(path_of(filename, files).c_str(), files);
}

nb::object from_binary_path(nb::object filename, nb::object assets, nb::object given) {
  Files files;
  files.use(given, !assets.is_none(), kBoth);
  files.add(assets, true, false);
  std::string name = path_of(filename, files);
  mjModel* m = nullptr;
  const char* file = name.c_str();
  mjVFS* vfs = files.vfs();
  engine([&] { m = mj_loadModel(file, vfs); }, true);
  if (!m) {
    throw nb::value_error("mj_loadModel: failed to load from mjb");
  }
  return own(m);
}

nb::object copy(nb::handle self) {
  const mjModel* m = or_raise(model_of(self.ptr(), "self"));
  mjModel* result = nullptr;
  engine([&] { result = mj_copyModel(nullptr, m); });
  if (!result) {
    throw std::bad_alloc();
  }
  return own(result);
}

nb::object deepcopy(nb::handle self, nb::dict memo) {
  nb::object result = copy(self);
  memo[nb::int_(reinterpret_cast<size_t>(self.ptr()))] = result;
  return result;
}

// the model in the binary format
nb::object get_state(nb::handle self) {
  const mjModel* m = or_raise(model_of(self.ptr(), "self"));
  int size = mj_sizeModel(m);
  nb::object bytes = steal_or_raise(PyBytes_FromStringAndSize(nullptr, size));
  char* buffer = PyBytes_AsString(bytes.ptr());
  engine([&] { mj_saveModel(m, nullptr, buffer, size); });
  return nb::make_tuple(bytes, m->signature);
}

nb::object from_state(nb::bytes bytes, unsigned long long signature) {
  Files files;
  files.add("model.mjb", bytes.c_str(), bytes.size());
  mjModel* m = nullptr;
  mjVFS* vfs = files.vfs();
  engine([&] { m = mj_loadModel("model.mjb", vfs); });
  if (!m) {
    throw nb::value_error("these bytes are not a pickled MjModel");
  }
  m->signature = signature;
  return own(m);
}

nb::object reduce(nb::handle self) {
  nb::object make = nb::module_::import_("condyle._structs").attr("_model_from_state");
  return nb::make_tuple(make, get_state(self));
}

void set_field_names() {
  nb::handle type(reinterpret_cast<PyObject*>(ModelType));
  nb::list sizes, all;
  for (const Attribute& size : model_sizes()) {
    if (!size.field->since) {
      sizes.append(nb::str(size.field->name));
      all.append(nb::str(size.field->name));
    }
  }
  for (const Attribute& array : model_arrays()) {
    if (!array.field->since) {
      all.append(nb::str(array.field->name));
    }
  }
  nb::setattr(type, "_size_fields", nb::tuple(sizes));
  nb::setattr(type, "_all_fields", nb::tuple(all));
}

}  // namespace

mjModel* model_of(PyObject* object, const char* name) {
  if (!PyObject_TypeCheck(object, ModelType)) {
    PyErr_Format(PyExc_TypeError, "%s should be an MjModel, not %s", name,
                 type_name(object).c_str());
    return nullptr;
  }
  Wrapper* wrapper = wrapper_of(object);
  return wrapper ? model(wrapper) : nullptr;
}

PyObject* model_make(mjModel* m) {
  PyObject* owner = owner_make(m, release);
  if (!owner) {
    return nullptr;
  }
  PyObject* self = wrapper_make(ModelType, m, owner, nslot());
  Py_DECREF(owner);
  if (self) {
    wrapper_note(reinterpret_cast<Wrapper*>(self));
  }
  return self;
}

PyObject* model_borrow(mjModel* m) {
  PyObject* owner = owner_make(m, nullptr);
  PyObject* self = owner ? wrapper_make(ModelType, m, owner, nslot()) : nullptr;
  Py_XDECREF(owner);
  return self;
}

void init_model(nb::module_& module) {
  module.def("_set_default_dialect", cnd_setDefaultDialect, nb::arg("dialect"));
  ModelType =
      wrapper_type({"condyle._structs.MjModel", "A compiled model.", nullptr, attributes()});
  wrapper_add(module, ModelType);
  set_field_names();
  const nb::arg filename("filename"), memo("memo");
  const auto assets = (nb::arg("assets") = nb::none()), vfs = (nb::arg("vfs") = nb::none());
  add_static(ModelType, "from_xml_string", from_xml_string, nb::arg("xml"), assets, vfs,
             "Loads a model from MJCF or URDF text. assets: files by name, dict of str to bytes; "
             "or vfs: MjVfs.");
  add_static(ModelType, "from_xml_path", from_xml_path, filename, assets, vfs,
             "Loads a model from an MJCF or URDF file, or an archive. assets: files by name, dict "
             "of str to bytes; or vfs: MjVfs.");
  add_static(ModelType, "from_binary_path", from_binary_path, filename, assets, vfs,
             "Loads a model from a file in the binary format.");
  add_static(
      ModelType, "_from_model_ptr",
      [](size_t address) { return own(reinterpret_cast<mjModel*>(address)); }, nb::arg("address"),
      "Wraps an mjModel by its address, and owns it from then on.");
  add_method(ModelType, "__copy__", copy);
  add_method(ModelType, "__deepcopy__", deepcopy, memo);
  add_method(ModelType, "__reduce__", reduce);
  module.def("_model_from_state", from_state);
  module.def("_model_from_sealed_text", from_sealed_text, nb::arg("xml"), nb::arg("assets"));
}
