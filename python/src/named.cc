// named.cc: named access. The attributes of an object are the fields of the engine's tables that
// have a row for it, without their prefix; joints also have their degrees of freedom.

#include "named.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "data.h"
#include "model.h"
#include "table.h"

namespace {

// How an attribute's part of a big array is found.
enum class Part {
  kRow,       // row `id`
  kCoords,    // rows of the joint's coordinates
  kDofs,      // rows of the joint's degrees of freedom
  kSlice,     // rows from an address field, as many as a count field says
  kPicture,   // like kSlice, with up to three lengths
  kMoment,    // dense row of the moments of an actuator
  kJacobian,  // dense row of the Jacobian of a tendon
  kColumns,   // columns of that row
};

struct Item {
  std::string name;
  std::string doc;
  const Attribute* attribute;
  Part part;
  bool in_data;
  const Attribute* address = nullptr;
  std::vector<const Attribute*> lengths;
  size_t slot = 0;  // in the object's cache
};

// A kind of objects.
struct Category {
  mjtObj type;
  const char* size;                  // its count
  const char* prefix;                // of its fields
  const char* name;                  // in class names: _MjModelBodyViews
  std::vector<const char*> methods;  // names of the methods of MjModel
  const char* data;                  // fields in the data, by their full names; NULL: none there
  std::vector<const char*> data_methods;
};

const char kJointFields[] =
    "qpos qvel qacc qacc_warmstart qacc_smooth qfrc_applied qfrc_bias qfrc_passive qfrc_spring "
    "qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_actuator qfrc_smooth qfrc_constraint qfrc_inverse "
    "xanchor xaxis cdof cdof_dot qLDiagInv";

const Category kCategories[] = {
    {mjOBJ_BODY,
     "nbody",
     "body_",
     "Body",
     {"body"},
     "xpos xquat xmat xipos ximat xfrc_applied subtree_com subtree_linvel subtree_angmom cinert "
     "crb "
     "cvel cacc cfrc_int cfrc_ext",
     {"body"}},
    {mjOBJ_JOINT, "njnt", "jnt_", "Joint", {"joint", "jnt"}, kJointFields, {"joint", "jnt"}},
    {mjOBJ_GEOM, "ngeom", "geom_", "Geom", {"geom"}, "geom_xpos geom_xmat", {"geom"}},
    {mjOBJ_SITE, "nsite", "site_", "Site", {"site"}, "site_xpos site_xmat", {"site"}},
    {mjOBJ_CAMERA,
     "ncam",
     "cam_",
     "Camera",
     {"camera", "cam"},
     "cam_xpos cam_xmat",
     {"camera", "cam"}},
    {mjOBJ_LIGHT, "nlight", "light_", "Light", {"light"}, "light_xpos light_xdir", {"light"}},
    {mjOBJ_ACTUATOR,
     "nu",
     "actuator_",
     "Actuator",
     {"actuator"},
     "ctrl actuator_length actuator_velocity actuator_force actuator_moment",
     {"actuator"}},
    {mjOBJ_SENSOR, "nsensor", "sensor_", "Sensor", {"sensor"}, "sensordata", {"sensor"}},
    {mjOBJ_TENDON,
     "ntendon",
     "tendon_",
     "Tendon",
     {"tendon", "ten"},
     "ten_length ten_velocity ten_J ten_J_rownnz ten_J_rowadr ten_J_colind ten_wrapadr ten_wrapnum",
     {"tendon", "ten"}},
    {mjOBJ_EQUALITY, "neq", "eq_", "Equality", {"equality", "eq"}, "eq_active", {"equality", "eq"}},
    {mjOBJ_MATERIAL, "nmat", "mat_", "Material", {"material", "mat"}, nullptr, {}},
    {mjOBJ_TEXTURE, "ntex", "tex_", "Texture", {"texture", "tex"}, nullptr, {}},
    {mjOBJ_KEY, "nkey", "key_", "Keyframe", {"keyframe", "key"}, nullptr, {}},
    {mjOBJ_MESH, "nmesh", "mesh_", "Mesh", {"mesh"}, nullptr, {}},
    {mjOBJ_SKIN, "nskin", "skin_", "Skin", {"skin"}, nullptr, {}},
    {mjOBJ_FLEX, "nflex", "flex_", "Flex", {"flex"}, nullptr, {}},
    {mjOBJ_HFIELD, "nhfield", "hfield_", "Hfield", {"hfield"}, nullptr, {}},
    {mjOBJ_PAIR, "npair", "pair_", "Pair", {"pair"}, nullptr, {}},
    {mjOBJ_EXCLUDE, "nexclude", "exclude_", "Exclude", {"exclude"}, nullptr, {}},
    {mjOBJ_NUMERIC, "nnumeric", "numeric_", "Numeric", {"numeric"}, nullptr, {}},
    {mjOBJ_TEXT, "ntext", "text_", "Text", {"text"}, nullptr, {}},
    {mjOBJ_TUPLE, "ntuple", "tuple_", "Tuple", {"tuple"}, nullptr, {}},
    {mjOBJ_PLUGIN, "nplugin", "plugin_", "Plugin", {"plugin_instance"}, nullptr, {}}};
constexpr int kCategoryCount = static_cast<int>(sizeof kCategories / sizeof *kCategories);

// Arrays whose part for an object lies between other fields: prefix, attribute, address, lengths.
struct Slice {
  const char *prefix, *name, *array, *address, *lengths;
};

const Slice kSlices[] = {
    {"numeric_", "data", "numeric_data", "numeric_adr", "numeric_size"},
    {"tuple_", "objid", "tuple_objid", "tuple_adr", "tuple_size"},
    {"tuple_", "objtype", "tuple_objtype", "tuple_adr", "tuple_size"},
    {"tuple_", "objprm", "tuple_objprm", "tuple_adr", "tuple_size"},
    {"tex_", "data", "tex_data", "tex_adr", "tex_height tex_width tex_nchannel"},
    {"hfield_", "data", "hfield_data", "hfield_adr", "hfield_nrow hfield_ncol"},
    {"mesh_", "vert", "mesh_vert", "mesh_vertadr", "mesh_vertnum"},
    {"mesh_", "face", "mesh_face", "mesh_faceadr", "mesh_facenum"},
    {"mesh_", "normal", "mesh_normal", "mesh_normaladr", "mesh_normalnum"},
    {"skin_", "vert", "skin_vert", "skin_vertadr", "skin_vertnum"},
    {"skin_", "face", "skin_face", "skin_faceadr", "skin_facenum"}};

// One class: the objects of a category in a model or in a data.
struct Class {
  const Category* category;
  bool in_data;
  Length count;
  std::vector<Item> items;
  PyTypeObject* type = nullptr;
};

Class* classes[2][kCategoryCount];

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

// A dense row of a sparse matrix, a copy.
PyObject* dense_row(npy_intp columns, const mjtNum* values, const int* colind, int nnz) {
  PyObject* array = PyArray_ZEROS(1, &columns, number_dtype(kNum), 0);
  if (array) {
    auto* row = static_cast<mjtNum*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array)));
    for (int k = 0; k < nnz; k++) {
      row[colind[k]] = values[k];
    }
  }
  return array;
}

PyObject* moment(const mjModel* m, const mjData* d, int id) {
  int adr = d->moment_rowadr[id];
  return dense_row(m->nv, d->actuator_moment + adr, d->moment_colind + adr, d->moment_rownnz[id]);
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
  auto* d = item->in_data ? static_cast<mjData*>(self->memory) : nullptr;
  Py_ssize_t first = id, shape[3] = {1, attribute->columns.get(m, d), 1};
  int ndim = attribute->flat() ? 1 : 2;
  switch (item->part) {
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
      joint_range(m, id, item->part, &adr, &count);
      first = adr;
      shape[0] = count;
      break;
    }
    case Part::kSlice:
      first = number_at(item->address, m, id);
      shape[0] = number_at(item->lengths[0], m, id);
      break;
    case Part::kPicture:
      first = number_at(item->address, m, id);
      ndim = static_cast<int>(item->lengths.size());
      for (int i = 0; i < ndim; i++) {
        shape[i] = number_at(item->lengths[static_cast<size_t>(i)], m, id);
      }
      break;
    case Part::kColumns:
      first = d->ten_J_rowadr[id];
      shape[0] = d->ten_J_rownnz[id];
      ndim = 1;
      break;
  }
  auto* memory = static_cast<char*>(attribute_memory(attribute, self->memory));
  size_t row = static_cast<size_t>(item->part == Part::kColumns ? 1 : attribute->columns.get(m, d));
  return array_view(
      memory ? memory + static_cast<size_t>(first) * row * number_size(attribute->type) : nullptr,
      attribute->type, ndim, shape, self->owner);
}

// The class of an object, by its type.
const Class* class_of(PyObject* self) {
  for (auto& list : classes) {
    for (Class* one : list) {
      if (one && one->type == Py_TYPE(self)) {
        return one;
      }
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
  bool copied = item->part == Part::kMoment || item->part == Part::kJacobian ||
                item->part == Part::kColumns || item->attribute->field->arena;
  if (copied) {
    return make_view(wrapper, item);
  }
  PyObject*& place = wrapper->cache[item->slot];
  if (!place) {
    place = make_view(wrapper, item);
  }
  return Py_XNewRef(place);
}

int set_item(PyObject* self, PyObject* value, void* closure) {
  auto* item = static_cast<const Item*>(closure);
  return value ? array_store(get_item(self, closure), value) : refuse_deletion(item->name.c_str());
}

PyObject* get_id(PyObject* self, void*) {
  return PyLong_FromLong(reinterpret_cast<Wrapper*>(self)->index);
}

PyObject* get_name(PyObject* self, void* closure) {
  Wrapper* wrapper = wrapper_of(self);
  auto* one = static_cast<const Class*>(closure);
  const char* name =
      wrapper ? mj_id2name(model_in(wrapper), one->category->type, wrapper->index) : nullptr;
  return wrapper ? PyUnicode_FromString(name ? name : "") : nullptr;
}

PyObject* represent(PyObject* self) {
  const Class* one = class_of(self);
  std::vector<std::string> names = {"id", "name"};
  for (const Item& item : one->items) {
    if (item.name[0] != '_') {
      names.push_back(item.name);
    }
  }
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

PyObject* object(PyObject* container, Class* one, int id) {
  auto* wrapper = reinterpret_cast<Wrapper*>(container);
  PyObject*& cache = wrapper->cache[wrapper->slots - 1];
  if (!cache && !(cache = PyDict_New())) {
    return nullptr;
  }
  int category = static_cast<int>(one->category - kCategories);
  PyObject* key = PyLong_FromLongLong(static_cast<long long>(id) * kCategoryCount + category);
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
    const char* text = mj_id2name(m, one->category->type, static_cast<int>(i));
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
    int id = name && *name ? mj_name2id(m, one->category->type, name) : -1;
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

template <int kInData, int kCategory>
PyObject* access(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* keywords) {
  Class* one = classes[kInData][kCategory];
  Py_ssize_t nkey = keywords ? PyTuple_Size(keywords) : 0;
  if (nargs + nkey != 1 ||
      (nkey && PyUnicode_CompareWithASCIIString(PyTuple_GetItem(keywords, 0), "name"))) {
    PyErr_Format(PyExc_TypeError, "%s() takes an index or a name", one->category->methods[0]);
    return nullptr;
  }
  return lookup(self, one, args[0]);
}

using Access = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);

template <int kInData, size_t... kCategory>
void fill_access(Access* list, std::index_sequence<kCategory...>) {
  ((list[kCategory] = access<kInData, static_cast<int>(kCategory)>), ...);
}

std::string strip(const char* name, const char* prefix) {
  size_t length = strlen(prefix);
  return strncmp(name, prefix, length) ? name : name + length;
}

bool has_item(const Class* one, const std::string& name) {
  return std::any_of(one->items.begin(), one->items.end(),
                     [&](const Item& item) { return item.name == name; });
}

void add_item(Class* one, const std::string& name, const Attribute* attribute, Part part) {
  if (!has_item(one, name)) {
    one->items.push_back({name, attribute->doc, attribute, part, one->in_data, nullptr, {}});
  }
}

std::vector<std::string> words(const char* text) {
  std::vector<std::string> list;
  const char* end;
  for (; text && *text; text = *end ? end + 1 : end) {
    end = strchr(text, ' ');
    end = end ? end : text + strlen(text);
    list.emplace_back(text, end);
  }
  return list;
}

void add_slices(Class* one) {
  for (const Slice& slice : kSlices) {
    if (strcmp(slice.prefix, one->category->prefix)) {
      continue;
    }
    Item item = {
        slice.name, "", model_array(slice.array), Part::kSlice, false, model_array(slice.address),
        {}};
    item.doc = item.attribute->doc;
    for (const std::string& length : words(slice.lengths)) {
      item.lengths.push_back(model_array(length.c_str()));
    }
    item.part = item.lengths.size() > 1 ? Part::kPicture : Part::kSlice;
    one->items.push_back(item);
  }
}

// Fields of the model that have a row per object.
void collect_model(Class* one) {
  const Category* category = one->category;
  add_slices(one);
  if (category->type == mjOBJ_JOINT) {
    // dof_bodyid goes before jnt_bodyid, as in the reference; the others with two meanings are jnt_
    add_item(one, "bodyid", model_array("dof_bodyid"), Part::kDofs);
  }
  for (const Attribute& attribute : model_arrays()) {
    if (attribute.rows.text == category->size &&
        strstr(attribute.field->name, category->prefix) == attribute.field->name) {
      std::string name = strip(attribute.field->name, category->prefix);
      add_item(one, name, &attribute, Part::kRow);
      if (category->type == mjOBJ_TENDON) {
        add_item(one, "_" + name, &attribute, Part::kRow);
      }
    }
  }
  if (category->type == mjOBJ_JOINT) {
    for (const Attribute& attribute : model_arrays()) {
      const char* name = attribute.field->name;
      if (attribute.rows.text == "nv" && !strncmp(name, "dof_", 4)) {
        add_item(one, has_item(one, name + 4) ? name : name + 4, &attribute, Part::kDofs);
      }
    }
    add_item(one, "qpos0", model_array("qpos0"), Part::kCoords);
    add_item(one, "qpos_spring", model_array("qpos_spring"), Part::kCoords);
  }
}

void collect_data(Class* one) {
  const Category* category = one->category;
  const char* prefix = category->type == mjOBJ_TENDON ? "ten_" : category->prefix;
  for (const std::string& field : words(category->data)) {
    const Attribute* attribute = data_array(field.c_str());
    if (!attribute) {
      continue;
    }
    std::string name = strip(field.c_str(), prefix);
    Part part = Part::kRow;
    if (attribute->rows.text == "nq") {
      part = Part::kCoords;
    } else if (attribute->rows.text == "nv") {
      part = Part::kDofs;
    } else if (field == "actuator_moment") {
      part = Part::kMoment;
    } else if (field == "ten_J") {
      part = Part::kJacobian;
    } else if (field == "ten_J_colind") {
      part = Part::kColumns;
    } else if (field == "sensordata") {
      one->items.push_back({"data",
                            attribute->doc,
                            attribute,
                            Part::kSlice,
                            true,
                            model_array("sensor_adr"),
                            {model_array("sensor_dim")}});
      continue;
    }
    add_item(one, name, attribute, part);
  }
}

void make_class(nb::module_& module, int category, bool in_data, Access access) {
  auto* one = new Class{&kCategories[category], in_data, {}, {}};
  for (const Attribute& size : model_sizes()) {
    if (!strcmp(size.field->name, one->category->size)) {
      one->count.offset = static_cast<Py_ssize_t>(size.field->offset);
      one->count.wide = size.field->size == 8;
    }
  }
  in_data ? collect_data(one) : collect_model(one);
  classes[in_data][category] = one;
  auto* attributes = new std::vector<PyGetSetDef>;
  for (Item& item : one->items) {
    item.slot = static_cast<size_t>(&item - one->items.data());
    attributes->push_back({item.name.c_str(), get_item, set_item, item.doc.c_str(), &item});
  }
  attributes->push_back({"id", get_id, nullptr, "int: its index", nullptr});
  attributes->push_back({"name", get_name, nullptr, "str: its name, '' if it has none", one});
  attributes->push_back({nullptr, nullptr, nullptr, nullptr, nullptr});
  static const PyType_Slot slots[] = {{Py_tp_repr, reinterpret_cast<void*>(represent)},
                                      {0, nullptr}};
  auto* name = new std::string(std::string("condyle._structs._Mj") + (in_data ? "Data" : "Model") +
                               one->category->name + "Views");
  one->type = wrapper_type(
      {name->c_str(), "Fields of one object.", nullptr, attributes->data(), nullptr, slots});
  wrapper_add(module, one->type);
  PyTypeObject* container = in_data ? DataType : ModelType;
  for (const char* method : in_data ? one->category->data_methods : one->category->methods) {
    auto* definition =
        new PyMethodDef{method, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(access)),
                        METH_FASTCALL | METH_KEYWORDS,
                        "The object of that index or name, with its fields as attributes."};
    nb::object descriptor = nb::steal(PyDescr_NewMethod(container, definition));
    nb::setattr(nb::handle(reinterpret_cast<PyObject*>(container)), method, descriptor);
  }
}

}  // namespace

PyObject* named_object(PyObject* container, mjtObj type, int id) {
  bool in_data = PyObject_TypeCheck(container, DataType);
  Wrapper* wrapper = wrapper_of(container);
  if (!wrapper) {
    return nullptr;
  }
  for (Class* one : classes[in_data]) {
    if (one && one->category->type == type) {
      if (id < 0 || id >= one->count.get(model_in(wrapper), nullptr)) {
        PyErr_SetString(PyExc_IndexError, "the element has no place in this model");
        return nullptr;
      }
      return object(container, one, id);
    }
  }
  PyErr_SetString(PyExc_TypeError, "there is no named access to this kind of element");
  return nullptr;
}

void init_named(nb::module_& module) {
  Access accesses[2][kCategoryCount];
  fill_access<0>(accesses[0], std::make_index_sequence<kCategoryCount>());
  fill_access<1>(accesses[1], std::make_index_sequence<kCategoryCount>());
  for (int category = 0; category < kCategoryCount; category++) {
    make_class(module, category, false, accesses[0][category]);
    if (kCategories[category].data) {
      make_class(module, category, true, accesses[1][category]);
    }
  }
}
