// release.cc: numbers of MuJoCo 4.0.0 for what the engine numbers as 3.3.7 does.

#include "base/release.h"

#include <condyle/behaviour.h>

#include <cstring>

#include "base/guard.h"
#include "base/number.h"
#include "base/structs.h"

namespace {

bool is_later = false;

// the engine's bits, in the order of those of 4.0.0
const unsigned kStates[] = {mjSTATE_TIME,      mjSTATE_QPOS,         mjSTATE_QVEL,
                            mjSTATE_ACT,       mjSTATE_HISTORY,      mjSTATE_WARMSTART,
                            mjSTATE_CTRL,      mjSTATE_QFRC_APPLIED, mjSTATE_XFRC_APPLIED,
                            mjSTATE_EQ_ACTIVE, mjSTATE_MOCAP_POS,    mjSTATE_MOCAP_QUAT,
                            mjSTATE_USERDATA,  mjSTATE_PLUGIN,       mjSTATE_PLASTIC};
constexpr int kStateCount = static_cast<int>(sizeof kStates / sizeof *kStates);

// the engine's numbers of warnings, in the order of 4.0.0, which has none of full scenes
const int kWarnings[] = {mjWARN_INERTIA, mjWARN_CONTACTFULL, mjWARN_CNSTRFULL, mjWARN_BADQPOS,
                         mjWARN_BADQVEL, mjWARN_BADQACC,     mjWARN_BADCTRL};
constexpr int kWarningCount = static_cast<int>(sizeof kWarnings / sizeof *kWarnings);

// Several contacts of convex shapes are enabled in 3.3.7, and disabled since 3.5.
constexpr int kDisableMulti = 1 << 19;
constexpr int kSameEnable = mjENBL_OVERRIDE | mjENBL_ENERGY | mjENBL_FWDINV | mjENBL_INVDISCRETE;
// one bit lower in 4.0.0, which has no flag for several contacts among them
constexpr int kLaterEnable = mjENBL_SLEEP | mjENBL_DIAGEXACT | mjENBL_SPECULATIVE;

// where translated arrays are made
const char* const kTranslated = "condyle._support.translated";

// arrays of booleans
const char* const kFlags[] = {"actuator_actearly",
                              "actuator_actlimited",
                              "actuator_ctrllimited",
                              "actuator_forcelimited",
                              "eq_active0",
                              "flex_centered",
                              "flex_flatskin",
                              "flex_rigid",
                              "flexedge_rigid",
                              "geom_castshadow",
                              "jnt_actfrclimited",
                              "jnt_actgravcomp",
                              "jnt_limited",
                              "light_active",
                              "light_castshadow",
                              "mat_texuniform",
                              "tendon_actfrclimited",
                              "tendon_limited",
                              "flg_surfacevel",
                              "flg_adhesion",
                              "bvh_active",
                              "eq_active",
                              "flex_hessian_valid",
                              "flg_gravcomp",
                              "flg_energypos",
                              "flg_energyvel",
                              "flg_subtreevel",
                              "flg_rnepost",
                              "threadlock"};

int translated(const char* function, const char* enumeration, int number) {
  nb::object enums = nb::module_::import_("condyle._enums");
  return nb::cast<int>(enums.attr(function)(enumeration, number));
}

}  // namespace

bool release_is_later() {
  return is_later;
}

bool release_state(long long* bits, const char* function) {
  if (!is_later) {
    return true;
  }
  if (*bits < 0 || *bits >> kStateCount) {
    PyErr_Format(FatalError, "%s: invalid state signature %lld, must be from 0 to %d", function,
                 *bits, (1 << kStateCount) - 1);
    return false;
  }
  long long engine = 0;
  for (int i = 0; i < kStateCount; i++) {
    engine |= *bits >> i & 1 ? kStates[i] : 0;
  }
  *bits = engine;
  return true;
}

unsigned release_state(unsigned bits) {
  long long engine = bits;
  or_raise(release_state(&engine, "mj_stateSize"));
  return static_cast<unsigned>(engine);
}

bool release_is_flags(const char* member) {
  return is_later && (!strcmp(member, "enableflags") || !strcmp(member, "disableflags"));
}

// Whether several contacts of convex pairs are a feature that is on unless it is disabled.
static bool disables_multi(const mjOption* option) {
  return option->behaviour >> cndBEHAVIOUR_multiccd & 1;
}

int release_flags(const mjOption* option, bool enable) {
  if (enable) {
    return (option->enableflags & kSameEnable) | (option->enableflags & kLaterEnable) >> 1;
  }
  if (disables_multi(option)) {
    return option->disableflags;
  }
  return (option->disableflags & ~kDisableMulti) |
         (option->enableflags & mjENBL_MULTICCD ? 0 : kDisableMulti);
}

bool release_set_flags(mjOption* option, bool enable, int flags) {
  if (enable) {
    constexpr int kKnown = kSameEnable | kLaterEnable >> 1;
    if (flags & ~kKnown) {
      PyErr_Format(PyExc_ValueError, "enableflags: the engine has none of the flags %d",
                   flags & ~kKnown);
      return false;
    }
    option->enableflags = (option->enableflags & ~(kSameEnable | kLaterEnable)) |
                          (flags & kSameEnable) | (flags << 1 & kLaterEnable);
    return true;
  }
  if (disables_multi(option)) {
    option->disableflags = flags;
    return true;
  }
  option->disableflags = flags & ~kDisableMulti;
  option->enableflags =
      (option->enableflags & ~mjENBL_MULTICCD) | (flags & kDisableMulti ? 0 : mjENBL_MULTICCD);
  return true;
}

PyObject* release_render_flags(void* flags, PyObject* owner) {
  Py_ssize_t count = mjRND_POST_PROCESSING + 1;
  PyObject* view = array_view(flags, Number::kUint8, 1, &count, owner);
  PyObject* module = view ? PyImport_ImportModule(kTranslated) : nullptr;
  PyObject* result = module ? PyObject_CallMethod(module, "render_flags", "O", view) : nullptr;
  Py_XDECREF(module);
  Py_XDECREF(view);
  return result;
}

PyObject* release_equality_data(PyObject* data, PyObject* unposed) {
  PyObject* module = PyImport_ImportModule(kTranslated);
  PyObject* result =
      module ? PyObject_CallMethod(module, "equality_data", "OO", data, unposed) : nullptr;
  Py_XDECREF(module);
  return result;
}

PyObject* release_members(PyObject* numbers, const char* enumeration) {
  PyObject* module = PyImport_ImportModule(kTranslated);
  PyObject* result =
      module ? PyObject_CallMethod(module, "members", "Os", numbers, enumeration) : nullptr;
  Py_XDECREF(module);
  return result;
}

int release_warning(int place) {
  return is_later ? kWarnings[place] : place;
}

int release_warning_count() {
  return is_later ? kWarningCount : mjNWARNING;
}

int release_from_engine(const char* enumeration, int number) {
  return is_later ? translated("_from_engine", enumeration, number) : number;
}

int release_to_engine(const char* enumeration, int number) {
  return is_later ? translated("_to_engine", enumeration, number) : number;
}

bool release_is_boolean(const char* field) {
  for (const char* name : kFlags) {
    if (!strcmp(name, field)) {
      return true;
    }
  }
  return false;
}

namespace {

// The engine's flags of an option: to be changed by `add` and `drop`.
void change_flags(nb::handle option, bool enable, int add, int drop) {
  auto* opt = as_struct<mjOption>(option, "mjOption", "opt");
  int* flags = enable ? &opt->enableflags : &opt->disableflags;
  *flags = (*flags | add) & ~drop;
}

}  // namespace

void init_release(nb::module_& module) {
  module.def("_change_flags", change_flags, nb::arg("opt"), nb::arg("enable"), nb::arg("add"),
             nb::arg("drop"));
  module.def(
      "_set_release", [](bool later) { is_later = later; }, nb::arg("later"));
}
