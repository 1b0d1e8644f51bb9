// data.cc: the class MjData: attributes, copies, pickling.

#include "model/data.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstring>
#include <string>

#include "base/guard.h"
#include "base/number.h"
#include "base/table.h"
#include "model/computed.h"
#include "model/model.h"

PyTypeObject* DataType;

namespace {

// the last slot is the cache of named objects (named.cc)
int nslot() {
  return kLists + static_cast<int>(data_arrays().size()) + computed_slots(true) + 1;
}

void release(void* memory) {
  mj_deleteData(static_cast<mjData*>(memory));
}

mjData* data(Wrapper* self) {
  return static_cast<mjData*>(self->memory);
}

const mjModel* model_in(Wrapper* self) {
  return static_cast<const mjModel*>(reinterpret_cast<Wrapper*>(self->related)->memory);
}

// True if data made for one of the models fits the other.
bool same_sizes(const mjModel* a, const mjModel* b) {
  auto differs = [&](const Length& length) {
    return !length.in_data && length.get(a, nullptr) != length.get(b, nullptr);
  };
  for (const Attribute& array : data_arrays()) {
    if (differs(array.rows) || differs(array.columns)) {
      return false;
    }
  }
  return true;
}

mjtNum clock_seconds() {
  using namespace std::chrono;
  return static_cast<mjtNum>(duration<double>(steady_clock::now().time_since_epoch()).count());
}

// Makes `self` the wrapper of d, which belongs to the model; frees d on failure.
bool set_data(Wrapper* self, PyObject* model, mjData* d) {
  PyObject* owner = owner_make(d, release);
  if (!owner) {
    return false;
  }
  bool done = wrapper_set(self, d, owner, nslot());
  Py_DECREF(owner);
  if (done) {
    self->related = Py_NewRef(model);
    wrapper_note(self);
  }
  return done;
}

int init(PyObject* self, PyObject* args, PyObject* keywords) {
  static const char* names[] = {"model", nullptr};
  PyObject* model;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:MjData", const_cast<char**>(names), &model)) {
    return -1;
  }
  if (model == Py_None) {
    PyErr_SetString(PyExc_TypeError, "MjModel cannot be None");
    return -1;
  }
  const mjModel* m = model_of(model, "model");
  mjData* d = nullptr;
  if (!m || !guarded([&] { d = mj_makeData(m); }, false)) {
    return -1;
  }
  if (!d) {
    PyErr_NoMemory();
    return -1;
  }
  if (!mjcb_time) {
    mjcb_time = clock_seconds;
  }
  return set_data(reinterpret_cast<Wrapper*>(self), model, d) ? 0 : -1;
}

// Numbers that say what lies in the memory of the data. Counts may be lowered, as programs do that
// drop contacts; the engine reads beyond its arrays where they say more than there is.
const char* const kCounts[] = {"ncon",  "ne",      "nf",      "nl",   "nefc",  "nJ",
                               "nA",    "nisland", "nidof",   "nY",   "nefmK", "nefmcon",
                               "nefmT", "nefmA",   "nefmdof", "nefmL"};
const char* const kFixed[] = {"narena",     "nbuffer", "nplugin", "pstack",
                              "efm_active", "pbase",   "parena",  "threadpool"};

template <size_t n>
bool is_among(const char* const (&names)[n], const char* name) {
  return std::any_of(names, names + n, [=](const char* it) { return !strcmp(it, name); });
}

// Whether a number may become `value`; if not, raises ValueError.
bool may_become(const Attribute* attribute, const void* memory, PyObject* value) {
  const char* name = attribute->field->name;
  bool fixed = is_among(kFixed, name);
  if (!fixed && !is_among(kCounts, name)) {
    return true;
  }
  long long now = 0, wanted;
  memcpy(&now, memory, number_size(attribute->type));
  if (!number_to_int(&wanted, value, LLONG_MIN, LLONG_MAX, name)) {
    return false;
  }
  if (fixed ? wanted == now : wanted >= 0 && wanted <= now) {
    return true;
  }
  PyErr_Format(PyExc_ValueError,
               fixed ? "%s says what there is, %lld, and can't become %lld"
                     : "%s should be from 0 to %lld, as many as there are, not %lld",
               name, now, wanted);
  return false;
}

int set_number(PyObject* self, PyObject* value, void* closure) {
  Wrapper* wrapper = wrapper_of(self);
  auto* attribute = static_cast<const Attribute*>(closure);
  if (!wrapper) {
    return -1;
  }
  if (!value) {
    return refuse_deletion(attribute->field->name);
  }
  if (!may_become(attribute, attribute_memory(attribute, wrapper->memory), value)) {
    return -1;
  }
  return number_set(attribute_memory(attribute, wrapper->memory), attribute->type, value,
                    attribute->field->name)
             ? 0
             : -1;
}

PyObject* get_array(PyObject* self, void* closure) {
  Wrapper* wrapper = wrapper_of(self);
  auto* attribute = static_cast<const Attribute*>(closure);
  if (!wrapper) {
    return nullptr;
  }
  auto make = [&] {
    return attribute_view(attribute, wrapper->memory, model_in(wrapper), data(wrapper),
                          wrapper->owner);
  };
  return attribute->slot < 0 ? make() : wrapper_cached(wrapper, kLists + attribute->slot, make);
}

int set_array(PyObject* self, PyObject* value, void* closure) {
  auto* attribute = static_cast<const Attribute*>(closure);
  return value ? array_store(get_array(self, closure), value)
               : refuse_deletion(attribute->field->name);
}

PyObject* get_list(PyObject* self, void* closure) {
  Wrapper* wrapper = wrapper_of(self);
  int which = static_cast<int>(reinterpret_cast<intptr_t>(closure));
  return wrapper ? wrapper_cached(wrapper, which, [&] { return list_make(which, wrapper); })
                 : nullptr;
}

PyObject* get_model(PyObject* self, void*) {
  Wrapper* wrapper = wrapper_of(self);
  return wrapper ? Py_NewRef(wrapper->related) : nullptr;
}

PyObject* get_signature(PyObject* self, void*) {
  Wrapper* wrapper = wrapper_of(self);
  return wrapper ? PyLong_FromUnsignedLongLong(data(wrapper)->signature) : nullptr;
}

PyGetSetDef* attributes() {
  auto* list = new std::vector<PyGetSetDef>;
  for (const Attribute& number : data_numbers()) {
    list->push_back({number.field->name, attribute_number, set_number, number.doc.c_str(),
                     const_cast<Attribute*>(&number)});
  }
  for (const Attribute& array : data_arrays()) {
    list->push_back({array.field->name, get_array, array.slot < 0 ? nullptr : set_array,
                     array.doc.c_str(), const_cast<Attribute*>(&array)});
  }
  auto add_list = [&](const char* name, int which, const char* doc) {
    list->push_back(
        {name, get_list, nullptr, doc, reinterpret_cast<void*>(static_cast<intptr_t>(which))});
  };
  add_list("contact", kContacts, "list of MjContact: the contacts, detected at the last collision");
  add_list("warning", kWarnings, "list of MjWarningStat: warnings by mjtWarning");
  add_list("cnd_warning", kOwnWarnings,
           "list of MjWarningStat: warnings by cndtWarning, which MuJoCo has not");
  add_list("timer", kTimers, "list of MjTimerStat: time spent by mjtTimer");
  add_list("solver", kSolver, "list of MjSolverStat: statistics by island and iteration");
  list->push_back({"model", get_model, nullptr, "MjModel: the model it belongs to", nullptr});
  list->push_back({"signature", get_signature, nullptr,
                   "int: hash of the structure of the spec the model was compiled from", nullptr});
  list->push_back({"_address", wrapper_address, nullptr, "int: address of the mjData", nullptr});
  computed_attributes(list, true, kLists + static_cast<int>(data_arrays().size()));
  list->push_back({nullptr, nullptr, nullptr, nullptr, nullptr});
  return list->data();
}

Wrapper* self_data(nb::handle self) {
  or_raise(data_of(self.ptr(), "self"));
  return reinterpret_cast<Wrapper*>(self.ptr());
}

// A copy that belongs to `model`, which has the same sizes.
nb::object copy_to(Wrapper* self, nb::handle model) {
  const mjModel* m = or_raise(model_of(model.ptr(), "model"));
  const mjData* source = data(self);
  mjData* d = nullptr;
  engine([&] { d = mj_copyData(nullptr, m, source); });
  if (!d) {
    throw std::bad_alloc();
  }
  return steal_or_raise(data_make(model.ptr(), d));
}

nb::object copy(nb::handle self) {
  Wrapper* wrapper = self_data(self);
  return copy_to(wrapper, nb::handle(wrapper->related));
}

nb::object deepcopy(nb::handle self, nb::dict memo) {
  Wrapper* wrapper = self_data(self);
  nb::object model =
      nb::module_::import_("copy").attr("deepcopy")(nb::handle(wrapper->related), memo);
  nb::object result = copy_to(wrapper, model);
  memo[nb::int_(reinterpret_cast<size_t>(self.ptr()))] = result;
  return result;
}

// Numbers and arrays of one field as bytes.
nb::bytes field_bytes(const cndField* field, const mjModel* m, const mjData* d) {
  cndArray array;
  if (!cnd_dataArray(&array, m, d, field->name) || !array.data) {
    return nb::bytes("", 0);
  }
  return nb::bytes(static_cast<char*>(array.data), array.rows * array.columns * field->size);
}

// Fields that are meaningful in one process only, and those about memory; they are not pickled.
bool is_transient(const cndField* field) {
  static const char* const names[] = {"narena",     "nbuffer",    "pstack",          "pbase",
                                      "parena",     "threadpool", "plugin_data",     "cnd_arena",
                                      "cnd_copies", "cnd_pairs",  "cnd_solverCache", "cnd_shard",
                                      "cnd_apart",  "cnd_shape",  "cnd_size"};
  for (const char* name : names) {
    if (!strcmp(field->name, name)) {
      return true;
    }
  }
  return false;
}

char*& pointer_of(mjData* d, const cndField* field) {
  return *reinterpret_cast<char**>(reinterpret_cast<char*>(d) + field->offset);
}

// The position of an arena array: its offset in the arena, or the name of the array that it
// aliases.
nb::object place_of(mjData* d, const char* place) {
  auto offset = reinterpret_cast<uintptr_t>(place) - reinterpret_cast<uintptr_t>(d->arena);
  if (offset <= d->parena) {
    return nb::int_(offset);
  }
  for (int i = 0; i < cnd_dataFieldCount(); i++) {
    const cndField* field = cnd_dataField(i);
    if (field->pointer && !field->arena && pointer_of(d, field) == place) {
      return nb::str(field->name);
    }
  }
  throw nb::value_error("MjData can't be pickled: an array of it lies elsewhere");
}

// The array that place_of described, in other data; NULL if there is none.
char* place_in(mjData* d, nb::handle place, size_t size) {
  if (PyUnicode_Check(place.ptr())) {
    for (int i = 0; i < cnd_dataFieldCount(); i++) {
      const cndField* field = cnd_dataField(i);
      if (field->pointer && !field->arena && nb::str(field->name).equal(place)) {
        return pointer_of(d, field);
      }
    }
    return nullptr;
  }
  size_t offset;
  bool inside = nb::try_cast(place, offset) && offset <= size;
  return inside ? static_cast<char*>(d->arena) + offset : nullptr;
}

// The state for pickling: fields by name, and the arena as bytes with the position of each array.
nb::object get_state(nb::handle self) {
  Wrapper* wrapper = self_data(self);
  const mjModel* m = model_in(wrapper);
  mjData* d = data(wrapper);
  if (d->pstack) {
    throw nb::value_error("MjData can't be pickled while its stack is in use");
  }
  nb::dict fields, places;
  for (int i = 0; i < cnd_dataFieldCount(); i++) {
    const cndField* field = cnd_dataField(i);
    if (is_transient(field)) {
      continue;
    }
    if (field->arena) {
      if (const char* place = pointer_of(d, field)) {
        places[field->name] = place_of(d, place);
      }
    } else {
      fields[field->name] = field_bytes(field, m, d);
    }
  }
  nb::bytes arena(static_cast<char*>(d->arena), d->parena);
  return nb::make_tuple(nb::handle(wrapper->related), fields, places, arena);
}

nb::object from_state(nb::handle model, nb::dict fields, nb::dict places, nb::bytes arena) {
  const mjModel* m = or_raise(model_of(model.ptr(), "model"));
  mjData* d = nullptr;
  engine([&] { d = mj_makeData(m); });
  if (!d) {
    throw std::bad_alloc();
  }
  nb::object self = steal_or_raise(data_make(model.ptr(), d));
  auto refuse = [] { throw nb::value_error("these bytes are not a pickled MjData"); };
  if (arena.size() > d->narena) {
    refuse();
  }
  for (int i = 0; i < cnd_dataFieldCount(); i++) {
    const cndField* field = cnd_dataField(i);
    if (field->arena) {
      pointer_of(d, field) =
          places.contains(field->name) ? place_in(d, places[field->name], arena.size()) : nullptr;
    } else if (fields.contains(field->name)) {
      nb::bytes bytes = nb::cast<nb::bytes>(fields[field->name]);
      cndArray array;
      if (!cnd_dataArray(&array, m, d, field->name) ||
          bytes.size() != (array.data ? array.rows * array.columns * field->size : 0)) {
        refuse();
      }
      if (bytes.size()) {
        memcpy(array.data, bytes.c_str(), bytes.size());
      }
    }
  }
  memcpy(d->arena, arena.c_str(), arena.size());
  d->parena = arena.size();
  return self;
}

nb::object reduce(nb::handle self) {
  nb::object make = nb::module_::import_("condyle._structs").attr("_data_from_state");
  return nb::make_tuple(make, get_state(self));
}

}  // namespace

mjData* data_of(PyObject* object, const char* name) {
  if (!PyObject_TypeCheck(object, DataType)) {
    PyErr_Format(PyExc_TypeError, "%s should be an MjData, not %s", name,
                 type_name(object).c_str());
    return nullptr;
  }
  Wrapper* wrapper = wrapper_of(object);
  return wrapper ? data(wrapper) : nullptr;
}

const mjModel* data_model(PyObject* data) {
  return model_in(reinterpret_cast<Wrapper*>(data));
}

mjData* data_for(PyObject* object, const mjModel* m, const char* name) {
  mjData* d = data_of(object, name);
  if (!d || !m) {
    return d;
  }
  const mjModel* own = model_in(reinterpret_cast<Wrapper*>(object));
  if (own != m && !same_sizes(own, m)) {
    PyErr_Format(PyExc_TypeError, "%s should be data of the model, not of one of other sizes",
                 name);
    return nullptr;
  }
  return d;
}

PyObject* data_borrow(PyObject* model, mjData* d) {
  PyObject* owner = owner_make(d, nullptr);
  PyObject* self = owner ? wrapper_make(DataType, d, owner, nslot()) : nullptr;
  if (self) {
    reinterpret_cast<Wrapper*>(self)->related = Py_NewRef(model);
  }
  Py_XDECREF(owner);
  return self;
}

PyObject* data_make(PyObject* model, mjData* d) {
  PyObject* self = PyType_GenericNew(DataType, nullptr, nullptr);
  if (!self) {
    mj_deleteData(d);
    return nullptr;
  }
  if (!set_data(reinterpret_cast<Wrapper*>(self), model, d)) {
    Py_CLEAR(self);
  }
  return self;
}

void init_data(nb::module_& module) {
  DataType =
      wrapper_type({"condyle._structs.MjData",
                    "State, inputs and results of a simulation of a model.", init, attributes()});
  wrapper_add(module, DataType);
  nb::handle type(reinterpret_cast<PyObject*>(DataType));
  nb::list numbers, arrays;
  for (int i = 0; i < cnd_dataFieldCount(); i++) {
    const cndField* field = cnd_dataField(i);
    bool is_number = false;
    for (const Attribute& number : data_numbers()) {
      is_number = is_number || number.field == field;
    }
    if (!field->hidden && !field->since && !field->arena && strcmp(field->name, "signature")) {
      (is_number ? numbers : arrays).append(nb::str(field->name));
    }
  }
  nb::setattr(type, "_all_fields", nb::tuple(numbers + arrays));
  add_method(DataType, "__copy__", copy);
  add_method(DataType, "__deepcopy__", deepcopy, nb::arg("memo"));
  add_method(DataType, "__reduce__", reduce);
  module.def("_data_from_state", from_state);
}
