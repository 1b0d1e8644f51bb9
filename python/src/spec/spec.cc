// spec.cc: the class MjSpec: reading, compiling, writing, finding, deleting.

#include "spec/spec.h"

#include <condyle/load.h>
#include <condyle/robot.h>
#include <condyle/spec.h>

#include <cstring>
#include <vector>

#include "model/data.h"
#include "model/model.h"

PyTypeObject* SpecType;

namespace {

#define KIND(type, name, plural) {type, name, plural},
const ElementKind kKinds[] = {SPEC_LOOKUPS(KIND)};
#undef KIND

int init(PyObject* self, PyObject* args, PyObject* keywords) {
  if (PyTuple_Size(args) || (keywords && PyDict_Size(keywords))) {
    PyErr_SetString(PyExc_TypeError, "MjSpec() takes no arguments");
    return -1;
  }
  mjSpec* spec = nullptr;
  if (!guarded([&] { spec = mj_makeSpec(); }, false)) {
    return -1;
  }
  if (!spec) {
    PyErr_NoMemory();
    return -1;
  }
  return spec_set(self, spec) ? 0 : -1;
}

// What the wrapper knows besides the spec in C.
enum {
  kCopies = 1,
  kKeepsAssets = 2
};

// the files of a spec

PyObject*& slot(nb::handle self, int index) {
  spec_of(self);
  return reinterpret_cast<Wrapper*>(self.ptr())->cache[index];
}

nb::dict assets(nb::handle self) {
  PyObject*& place = slot(self, kSpecAssets);
  if (!place) {
    place = PyDict_New();
  }
  return nb::borrow<nb::dict>(place);
}

// Keeps the problems that were found, for the attribute `diagnostics`.
void keep_diagnostics(nb::handle self, const cndDiagnostics* list) {
  nb::list problems = diagnostics(list);
  PyObject*& place = slot(self, kSpecDiagnostics);
  PyObject* before = place;
  place = problems.release().ptr();
  Py_XDECREF(before);
}

// Ends a compilation: raises its errors if it `failed`.
void compiled(nb::handle self, bool failed) {
  mjSpec* spec = spec_of(self);
  const cndDiagnostics* list = cnd_specDiagnostics(spec);
  keep_diagnostics(self, list);
  if (failed) {
    raise_diagnostics(list, mjs_getError(spec));
  }
}

// Reads a spec from a file, or from a text if `file` is NULL.
nb::object parse(const char* file, const char* text, nb::handle include, nb::handle files,
                 nb::handle given) {
  if (!files.is_none() && !PyDict_Check(files.ptr())) {
    raise(PyExc_TypeError, "assets should be a dict of str to bytes or str");
  }
  Files memory;
  memory.use(given, !include.is_none() || !files.is_none(),
             "Cannot specify both 'vfs' and 'include'/'assets'.");
  memory.add(include, true, true);
  Problems problems;
  mjSpec* spec = nullptr;
  mjVFS* vfs = memory.vfs();
  cndDiagnostics* list = problems.list;
  engine([&] { spec = file ? cnd_parseXML(file, vfs, list) : cnd_parseXMLString(text, vfs, list); },
         true);
  if (!spec) {
    raise_diagnostics(list, nullptr);
  }
  nb::object self = spec_make(SpecType, spec);
  keep_diagnostics(self, list);
  if (!files.is_none()) {
    assets(self).update(nb::borrow<nb::dict>(files));
  }
  return self;
}

nb::object from_string(nb::handle xml, nb::object include, nb::object files, nb::object vfs) {
  return parse(nullptr, text_argument(xml, "xml"), include, files, vfs);
}

nb::object from_file(nb::handle filename, nb::object include, nb::object files, nb::object vfs) {
  nb::object path = steal_or_raise(PyOS_FSPath(filename.ptr()));
  return parse(text_argument(path, "filename"), nullptr, include, files, vfs);
}

// The texts of a list of str, which must outlive them.
std::vector<const char*> texts_of(const nb::list& list) {
  std::vector<const char*> texts;
  for (nb::handle item : list) {
    texts.push_back(text_argument(item, "packages"));
  }
  return texts;
}

// Reads a robot; condyle/_model/robot.py makes lists of its arguments.
nb::object from_robot(nb::handle filename, int floating, nb::handle actuators, bool visuals,
                      nb::handle exclude, bool simplify, bool scene, nb::list packages,
                      nb::list xacro, nb::handle program) {
  nb::object path = steal_or_raise(PyOS_FSPath(filename.ptr()));
  const char* name = text_argument(path, "path");
  std::vector<const char*> places = texts_of(packages), words = texts_of(xacro);
  cndRobotOptions options;
  cnd_defaultRobotOptions(&options);
  options.floating = floating;
  options.actuators = actuators.is_none() ? nullptr : text_argument(actuators, "actuators");
  options.visuals = visuals;
  options.exclude = text_argument(exclude, "exclude");
  options.simplify = simplify;
  options.scene = scene;
  options.packages = places.data();
  options.npackage = static_cast<int>(places.size());
  options.xacro = words.data();
  options.nxacro = static_cast<int>(words.size());
  options.xacroprogram = program.is_none() ? nullptr : text_argument(program, "program");
  Problems problems;
  mjSpec* spec = nullptr;
  engine([&] { spec = cnd_parseRobot(name, &options, problems.list); }, true);
  if (!spec) {
    raise_diagnostics(problems.list, nullptr);
  }
  nb::object self = spec_make(SpecType, spec);
  keep_diagnostics(self, problems.list);
  return self;
}

// What the reference warns of in later releases: settings of attached specs that differ, if the
// spec says what becomes of them, or has a dialect that does.
void warn_conflicts(mjSpec* spec) {
  const int conflict_bit = 17, since = 310;
  if (!(spec->compiler.authored >> conflict_bit & 1) &&
      spec->compiler.conflict == mjCONFLICT_WARNING && spec->compiler.dialect < since) {
    return;
  }
  for (int i = 0; i < mjs_numWarnings(spec); i++) {
    const char* text = mjs_getWarning(spec, i);
    if (!strncmp(text, "Attach conflict", strlen("Attach conflict")) &&
        PyErr_WarnEx(PyExc_UserWarning, text, 1)) {
      nb::raise_python_error();
    }
  }
}

// The files of a spec, or those of an MjVfs unless it is None.
void take_files(Files& files, nb::handle self, nb::handle vfs) {
  nb::dict own = assets(self);
  files.use(vfs, own.size() > 0, "Cannot specify both 'vfs' and 'assets'.");
  files.add(own, false, true);
}

nb::object compile(nb::handle self, nb::object given) {
  mjSpec* spec = spec_of(self);
  Files files;
  take_files(files, self, given);
  mjVFS* vfs = files.vfs();
  nb::object hold = nb::borrow(self);
  mjModel* m = nullptr;
  {
    Busy busy(reinterpret_cast<Wrapper*>(self.ptr())->owner);
    engine([&] { m = mj_compile(spec, vfs); }, true);
  }
  compiled(self, !m);
  nb::object result = steal_or_raise(model_make(m));
  warn_conflicts(spec);
  return result;
}

nb::object recompile(nb::handle self, nb::handle model, nb::handle data, nb::object given) {
  mjSpec* spec = spec_of(self);
  const mjModel* m = or_raise(model_of(model.ptr(), "model"));
  const mjData* d = or_raise(data_of(data.ptr(), "data"));
  if (m != model_of(reinterpret_cast<Wrapper*>(data.ptr())->related, "data.model")) {
    PyErr_Clear();
    raise(PyExc_ValueError, "the data belongs to another model");
  }
  Files files;
  take_files(files, self, given);
  mjVFS* vfs = files.vfs();
  mjModel* to_model = nullptr;
  mjData* to_data = nullptr;
  int status = -1;
  {
    Busy busy(reinterpret_cast<Wrapper*>(self.ptr())->owner);
    engine(
        [&] {
          to_model = mj_copyModel(nullptr, m);
          to_data = to_model ? mj_copyData(nullptr, m, d) : nullptr;
          if (to_data) {
            status = mj_recompile(spec, vfs, to_model, to_data);
          } else {
            mj_deleteModel(to_model);
          }
        },
        true);
  }
  compiled(self, status);
  nb::object new_model = steal_or_raise(model_make(to_model));
  nb::object new_data = steal_or_raise(data_make(new_model.ptr(), to_data));
  return nb::make_tuple(new_model, new_data);
}

// An operation on a spec that may have to compile it. Returns its number.
template <int (*edit)(mjSpec*, const mjVFS*)>
int edited(nb::handle self, nb::object given) {
  mjSpec* spec = spec_of(self);
  Files files;
  take_files(files, self, given);
  mjVFS* vfs = files.vfs();
  int count = -1;
  {
    Busy busy(reinterpret_cast<Wrapper*>(self.ptr())->owner);
    engine([&] { count = edit(spec, vfs); });
  }
  if (count < 0) {
    raise(PyExc_ValueError, mjs_getError(spec));
  }
  return count;
}

int merge_assets(mjSpec* spec, const mjVFS*) {
  return mjs_dedupAssets(spec);
}

int dedup_assets(nb::handle self) {
  return edited<merge_assets>(self, nb::none());
}

void adopt_inertial(nb::handle self, nb::handle body, nb::object given) {
  mjSpec* spec = spec_of(self);
  mjsElement* element = element_argument(body, mjOBJ_BODY, "body");
  if (mjs_getSpec(element) != spec) {
    raise(PyExc_ValueError, "the body belongs to another spec");
  }
  Files files;
  take_files(files, self, given);
  mjVFS* vfs = files.vfs();
  int status = -1;
  {
    Busy busy(reinterpret_cast<Wrapper*>(self.ptr())->owner);
    engine([&] { status = mjs_adoptInertial(mjs_asBody(element), vfs); });
  }
  if (status) {
    raise(PyExc_ValueError, mjs_getError(spec));
  }
}

void copy_back(nb::handle self, nb::handle model) {
  mjSpec* spec = spec_of(self);
  const mjModel* m = or_raise(model_of(model.ptr(), "model"));
  int good = 0;
  engine([&] { good = cnd_copyBack(spec, m); });
  if (!good) {
    raise(PyExc_ValueError, mjs_getError(spec));
  }
}

// Writes a spec, or a model of it, in the format that the name asks for; returns the length.
nb::object encode(nb::handle self, nb::handle filename, nb::object model, nb::object content_type) {
  mjSpec* spec = spec_of(self);
  nb::object path = steal_or_raise(PyOS_FSPath(filename.ptr()));
  const char* name = text_argument(path, "filename");
  const char* type = content_type.is_none() ? nullptr : text_argument(content_type, "content_type");
  const mjModel* m = model.is_none() ? nullptr : or_raise(model_of(model.ptr(), "model"));
  Files files;
  take_files(files, self, nb::none());
  mjVFS* vfs = files.vfs();
  char error[kDiagnosticSize] = "";
  int64_t size = -1;
  {
    Busy busy(reinterpret_cast<Wrapper*>(self.ptr())->owner);
    engine([&] { size = mj_encode(spec, m, name, type, vfs, error, sizeof error); }, true);
  }
  if (size < 0) {
    bool foreign = !strncmp(error, "the model can't be copied back", 30);
    raise(foreign ? PyExc_ValueError : FatalError, error);
  }
  return nb::int_(size);
}

// The text of a spec that was compiled.
nb::object written(mjSpec* spec) {
  std::vector<char> text(1 << 14);
  char message[1024] = "";
  for (;;) {
    int size = static_cast<int>(text.size()), status = -1;
    char* buffer = text.data();
    engine([&] { status = mj_saveXMLString(spec, buffer, size, message, sizeof message); });
    if (status < 0) {
      raise(PyExc_ValueError, message);
    }
    if (!status) {
      return nb::str(text.data());
    }
    text.resize(static_cast<size_t>(status) + 1);
  }
}

nb::object to_xml(nb::handle self) {
  compile(self, nb::none());
  return written(spec_of(self));
}

void to_file(nb::handle self, nb::handle filename) {
  mjSpec* spec = spec_of(self);
  nb::object path = steal_or_raise(PyOS_FSPath(filename.ptr()));
  const char* name = text_argument(path, "filename");
  char message[1024] = "";
  int status = -1;
  engine([&] { status = mj_saveXML(spec, name, message, sizeof message); });
  if (status) {
    raise(FatalError, message);
  }
}

nb::object copy(nb::handle self) {
  mjSpec *spec = spec_of(self), *made = nullptr;
  engine([&] { made = mj_copySpec(spec); });
  if (!made) {
    throw std::bad_alloc();
  }
  nb::object result = spec_make(Py_TYPE(self.ptr()), made);
  assets(result).update(assets(self));
  int known = reinterpret_cast<Wrapper*>(self.ptr())->index;
  reinterpret_cast<Wrapper*>(result.ptr())->index = known;
  engine([=] { mjs_setDeepCopy(made, known & kCopies); });
  nb::dict attributes = nb::borrow<nb::dict>(nb::getattr(self, "__dict__", nb::dict()));
  for (auto [key, value] : attributes) {
    nb::setattr(result, nb::borrow<nb::str>(key).c_str(), value);
  }
  return result;
}

// finding

nb::list all(nb::handle self, mjtObj type) {
  mjSpec* spec = spec_of(self);
  std::vector<mjsElement*> found;
  mjsElement* it = nullptr;
  engine([&] { it = mjs_firstElement(spec, type); });
  while (it) {
    found.push_back(it);
    engine([&] { it = mjs_nextElement(spec, it); });
  }
  nb::list list;
  for (mjsElement* element : found) {
    list.append(element_wrap(element));
  }
  if (PyObject* moved = slot(self, kSpecMoved)) {
    for (nb::handle item : nb::borrow<nb::list>(moved)) {
      auto* wrapper = reinterpret_cast<Wrapper*>(item.ptr());
      mjsElement* element = wrapper->memory ? element_of(item) : nullptr;
      if (element && element->elemtype == type && mjs_getSpec(element) != spec) {
        list.append(item);
      }
    }
  }
  return list;
}

nb::object find(nb::handle self, mjtObj type, nb::handle name) {
  mjSpec* spec = spec_of(self);
  const char* text = text_argument(name, "name");
  mjsElement* found = nullptr;
  engine([&] { found = mjs_findElement(spec, type, text); });
  if (found || !text[0]) {
    return element_wrap(found);
  }
  bool moved = slot(self, kSpecMoved);
  bool by_file =
      type == mjOBJ_MESH || type == mjOBJ_TEXTURE || type == mjOBJ_HFIELD || type == mjOBJ_SKIN;
  if (moved || by_file) {
    for (nb::handle item : all(self, type)) {
      std::string known = nb::cast<nb::str>(nb::getattr(item, "name")).c_str();
      if (known.empty() && by_file) {
        std::string file = nb::cast<nb::str>(nb::getattr(item, "file")).c_str();
        known = file.substr(file.find_last_of("/\\") + 1);
        known = known.substr(0, known.find_last_of('.'));
      }
      if (known == text) {
        return nb::borrow(item);
      }
    }
  }
  return nb::none();
}

template <int index>
void lookup() {
  add_method(
      SpecType, kKinds[index].name,
      [](nb::handle self, nb::handle name) { return find(self, kKinds[index].type, name); },
      nb::arg("name"), "The element of that name, or None.");
  add_property(SpecType, kKinds[index].plural,
               [](nb::handle self) { return all(self, kKinds[index].type); });
}

template <int... indices>
void lookups(std::integer_sequence<int, indices...>) {
  (lookup<indices>(), ...);
}

nb::object find_default(nb::handle self, nb::handle name) {
  mjSpec* spec = spec_of(self);
  const char* text = text_argument(name, "name");
  mjsDefault* found = nullptr;
  engine([&] { found = mjs_findDefault(spec, text); });
  return wrap(found);
}

void delete_element(nb::handle self, nb::handle object) {
  mjSpec* spec = spec_of(self);
  mjsElement* element = element_argument(object, mjOBJ_UNKNOWN, "element");
  int status = 0;
  engine([&] { status = mjs_delete(spec, element); });
  if (status) {
    raise(PyExc_ValueError, mjs_getError(spec));
  }
}

bool owns(nb::handle self, nb::handle object) {
  return mjs_getSpec(element_argument(object, mjOBJ_UNKNOWN, "element")) == spec_of(self);
}

void activate_plugin(nb::handle self, nb::handle name) {
  mjSpec* spec = spec_of(self);
  const char* text = text_argument(name, "name");
  int status = 0;
  engine([&] { status = mjs_activatePlugin(spec, text); });
  if (status) {
    raise(PyExc_ValueError, std::string("unknown plugin '") + text + "'");
  }
}

nb::object resolve_orientation(Truth degree, nb::object sequence, nb::object orientation) {
  const auto* alt = part<mjsOrientation>(orientation);
  std::string axes;
  if (!sequence.is_none()) {
    for (nb::handle letter : nb::iter(sequence)) {
      axes += text_argument(letter, "sequence");
    }
  }
  if (!sequence.is_none() && axes.size() != 3) {
    raise(PyExc_ValueError, "sequence should be three axes");
  }
  if (sequence.is_none() && alt->type == mjORIENTATION_EULER) {
    axes = "xyz";
  }
  double quat[4] = {1, 0, 0, 0};
  const char *text = axes.empty() ? nullptr : axes.c_str(), *problem = nullptr;
  engine([&] { problem = mjs_resolveOrientation(quat, degree.value, text, alt); });
  if (problem) {
    raise(PyExc_ValueError, problem);
  }
  nb::list result;
  for (double number : quat) {
    result.append(number);
  }
  return result;
}

// attributes

PyObject* get_address(PyObject* self, void*) {
  Wrapper* wrapper = spec_alive(self);
  return wrapper ? PyLong_FromVoidPtr(wrapper->memory) : nullptr;
}

PyObject* get_assets(PyObject* self, void*) {
  return safely([&] { return assets(self).release().ptr(); }, static_cast<PyObject*>(nullptr));
}

// Assigned files are added to the others.
int set_assets(PyObject* self, PyObject* value, void*) {
  return safely(
      [&] {
        if (!value || !PyDict_Check(value)) {
          raise(PyExc_TypeError, "assets should be a dict");
        }
        assets(self).update(nb::borrow<nb::dict>(value));
        return 0;
      },
      -1);
}

PyObject* get_diagnostics(PyObject* self, void*) {
  return safely(
      [&] {
        PyObject* list = slot(self, kSpecDiagnostics);
        return list ? PySequence_List(list) : PyList_New(0);
      },
      static_cast<PyObject*>(nullptr));
}

PyObject* get_parent(PyObject* self, void*) {
  return safely(
      [&] {
        PyObject* parent = slot(self, kSpecParent);
        return Py_NewRef(parent ? parent : Py_None);
      },
      static_cast<PyObject*>(nullptr));
}

int& flags(nb::handle self) {
  return reinterpret_cast<Wrapper*>(self.ptr())->index;
}

PyObject* get_override(PyObject* self, void*) {
  return PyBool_FromLong(!(flags(self) & kKeepsAssets));
}

int set_override(PyObject* self, PyObject* value, void*) {
  int overrides = value ? PyObject_IsTrue(value) : -1;
  if (overrides < 0) {
    return -1;
  }
  flags(self) = (flags(self) & ~kKeepsAssets) | (overrides ? 0 : kKeepsAssets);
  return 0;
}

PyObject* get_copying(PyObject* self, void*) {
  return PyBool_FromLong(flags(self) & kCopies);
}

int set_copies(PyObject* self, PyObject* value, void*) {
  return safely(
      [&] {
        mjSpec* spec = spec_of(self);
        int copies = value ? PyObject_IsTrue(value) : 0;
        or_raise(copies >= 0);
        engine([=] { mjs_setDeepCopy(spec, copies); });
        flags(self) = (flags(self) & ~kCopies) | (copies ? kCopies : 0);
        return 0;
      },
      -1);
}

PyObject* get_copies(PyObject*, void*) {
  PyErr_SetString(PyExc_ValueError, "copy_during_attach can only be set.");
  return nullptr;
}

PyObject* get_signature(PyObject* self, void*) {
  return safely([&] { return PyLong_FromUnsignedLongLong(spec_of(self)->element->signature); },
                static_cast<PyObject*>(nullptr));
}

PyObject* get_timer(PyObject* self, void*) {
  return safely(
      [&] {
        const double* timer = mjs_getTimer(spec_of(self));
        npy_intp count = mjNCTIMER;
        PyObject* array = or_raise(PyArray_SimpleNew(1, &count, NPY_FLOAT64));
        memcpy(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array)), timer,
               mjNCTIMER * sizeof(double));
        return array;
      },
      static_cast<PyObject*>(nullptr));
}

PyObject* get_default(PyObject* self, void*) {
  return safely([&] { return wrap(mjs_getSpecDefault(spec_of(self))).release().ptr(); },
                static_cast<PyObject*>(nullptr));
}

PyObject* get_world(PyObject* self, void*) {
  return safely(
      [&] { return element_wrap(mjs_firstElement(spec_of(self), mjOBJ_BODY)).release().ptr(); },
      static_cast<PyObject*>(nullptr));
}

// text attributes of the compiler that specs have too
mjString* directory(PyObject* self, bool meshes) {
  mjSpec* spec = spec_of(self);
  return meshes ? spec->compiler.meshdir : spec->compiler.texturedir;
}

PyObject* get_directory(PyObject* self, void* meshes) {
  return safely([&] { return PyUnicode_FromString(directory(self, meshes)->c_str()); },
                static_cast<PyObject*>(nullptr));
}

int set_directory(PyObject* self, PyObject* value, void* meshes) {
  return safely(
      [&] {
        mjString* string = directory(self, meshes);
        const char* text = text_argument(value, meshes ? "meshdir" : "texturedir");
        engine([=] { mjs_setString(string, text); });
        return 0;
      },
      -1);
}

const PyGetSetDef kMore[] = {
    {"_address", get_address, nullptr, "int: address of the mjSpec", nullptr},
    {"assets", get_assets, set_assets, "dict of str to bytes or str: files for compiling", nullptr},
    {"parent", get_parent, nullptr, "MjSpec that this one was attached to, or None", nullptr},
    {"diagnostics", get_diagnostics, nullptr,
     "list of Diagnostic: errors and warnings of the last reading or compilation", nullptr},
    {"copy_during_attach", get_copies, set_copies, "bool: attach copies; can only be assigned",
     nullptr},
    {"override_assets", get_override, set_override,
     "bool: files of attached specs replace those of the same name", nullptr},
    {"_copies", get_copying, nullptr, "bool: does attaching copy", nullptr},
    {"default", get_default, nullptr, "MjsDefault: the main class", nullptr},
    {"worldbody", get_world, nullptr, "MjsBody: the world", nullptr},
    {"meshdir", get_directory, set_directory, "str: directory of meshes",
     const_cast<char*>("meshes")},
    {"texturedir", get_directory, set_directory, "str: directory of textures", nullptr},
    {"timer", get_timer, nullptr,
     "float64 array: seconds that the last compilation took, by mjtCTimer; a copy", nullptr},
    {"_signature", get_signature, nullptr, "int: of the structure when last compiled", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

}  // namespace

void init_spec_class(nb::module_& module) {
  SpecType = class_mjSpec.type =
      wrapper_type({"condyle._specs.MjSpec", "A model that can be edited.", init,
                    field_attributes(&class_mjSpec, kMore)});
  wrapper_add(module, SpecType);
  const auto include = (nb::arg("include") = nb::none());
  const auto assets = (nb::arg("assets") = nb::none());
  const auto vfs = (nb::arg("vfs") = nb::none());
  add_static(SpecType, "from_string", from_string, nb::arg("xml"), include, assets, vfs,
             "Reads a spec from MJCF or URDF text.");
  add_static(SpecType, "from_file", from_file, nb::arg("filename"), include, assets, vfs,
             "Reads a spec from a file, or from an archive (.mjz, .zip).");
  add_static(SpecType, "_from_robot", from_robot, nb::arg("path"), nb::arg("floating"),
             nb::arg("actuators").none(), nb::arg("visuals"), nb::arg("exclude"),
             nb::arg("simplify"), nb::arg("scene"), nb::arg("packages"), nb::arg("xacro"),
             nb::arg("program").none(), "Reads a spec from a robot's file.");
  add_static(SpecType, "resolve_orientation", resolve_orientation, nb::arg("degree"),
             nb::arg("sequence") = nb::none(), nb::arg("orientation"),
             "The quaternion of an orientation.");
  add_method(SpecType, "encode", encode, nb::arg("filename"), nb::arg("model") = nb::none(),
             nb::arg("content_type") = nb::none(),
             "Writes it as MJCF (.xml) or with its files as an archive (.mjz, .zip), or the model "
             "(.mjb, .txt); returns the length of the file.");
  add_method(SpecType, "compile", compile, vfs, "Compiles it to an MjModel.");
  add_method(SpecType, "recompile", recompile, nb::arg("model"), nb::arg("data"), vfs,
             "Compiles it to a new MjModel and MjData with the state of the given ones.");
  add_method(SpecType, "fuse_static", edited<mjs_fuseStatic>, vfs,
             "Turns static bodies into frames of their parents; returns how many.");
  add_method(SpecType, "discard_visual", edited<mjs_discardVisual>, vfs,
             "Deletes what is only seen; returns how many elements.");
  add_method(SpecType, "dedup_assets", dedup_assets,
             "Merges equal meshes and textures; returns how many are gone.");
  add_method(SpecType, "adopt_inertial", adopt_inertial, nb::arg("body"), vfs,
             "Makes the mass of a body that follows from its geoms explicit.");
  add_method(SpecType, "copy_back", copy_back, nb::arg("model"),
             "Takes the numbers of a changed model over.");
  add_method(SpecType, "to_xml", to_xml, "Compiles it, and returns it as MJCF text.");
  add_method(SpecType, "to_file", to_file, nb::arg("filename"),
             "Writes it, as last compiled, to an MJCF file.");
  add_method(SpecType, "copy", copy, "An independent copy.");
  add_method(SpecType, "__copy__", copy);
  add_method(SpecType, "__deepcopy__", [](nb::handle self, nb::dict memo) {
    nb::object result = copy(self);
    memo[nb::int_(reinterpret_cast<size_t>(self.ptr()))] = result;
    return result;
  });
  add_method(SpecType, "find_default", find_default, nb::arg("name"),
             "The default class of that name, or None.");
  add_method(SpecType, "delete", delete_element, nb::arg("element"),
             "Deletes an element, and what refers to it.");
  add_method(SpecType, "_owns", owns, nb::arg("element"), "Is it an element of this spec?");
  add_method(SpecType, "activate_plugin", activate_plugin, nb::arg("name"),
             "Lets elements use a registered plugin.");
  lookups(std::make_integer_sequence<int, sizeof kKinds / sizeof *kKinds>());
}
