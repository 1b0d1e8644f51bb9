// methods.cc: methods of the elements: children of bodies, shapes of meshes, kinds of
// actuators, paths of tendons, attaching.

#include <condyle/spec.h>

#include <array>
#include <cstring>
#include <string>
#include <unordered_set>
#include <vector>

#include "model/model.h"
#include "spec/spec.h"

namespace {

// elements of a body
#define KIND(type, name, plural) {type, name, plural},
const ElementKind kChildren[] = {SPEC_CHILDREN(KIND)};
#undef KIND

nb::list children(mjsBody* body, mjtObj type, bool recurse) {
  std::vector<mjsElement*> found;
  mjsElement* it = nullptr;
  engine([&] { it = mjs_firstChild(body, type, recurse); });
  while (it) {
    found.push_back(it);
    engine([&] { it = mjs_nextChild(body, it, recurse); });
  }
  nb::list list;
  for (mjsElement* element : found) {
    list.append(element_wrap(element));
  }
  return list;
}

nb::object find_all(nb::handle self, nb::handle type) {
  auto* body = part<mjsBody>(self);
  long long wanted = -1;
  if (PyUnicode_Check(type.ptr())) {
    const char* name = text_argument(type, "type");
    for (const ElementKind& child : kChildren) {
      wanted = child.name == std::string(name) ? static_cast<long long>(child.type) : wanted;
    }
  } else {
    or_raise(number_to_int(&wanted, type.ptr(), INT32_MIN, INT32_MAX, "type"));
  }
  for (const ElementKind& child : kChildren) {
    if (child.type == wanted) {
      return children(body, child.type, true);
    }
  }
  raise(PyExc_ValueError,
        "body.find_all supports the types: body, frame, geom, site, joint, light, camera.");
}

nb::object find_child(nb::handle self, nb::handle name) {
  auto* body = part<mjsBody>(self);
  const char* text = text_argument(name, "name");
  mjsBody* found = nullptr;
  engine([&] { found = mjs_findChild(body, text); });
  return element_wrap(found && found != body ? found->element : nullptr);
}

template <size_t index>
void child_methods(PyTypeObject* type) {
  static std::string first = std::string("first_") + kChildren[index].name;
  static std::string next = std::string("next_") + kChildren[index].name;
  add_method(
      type, first.c_str(),
      [](nb::handle self) {
        auto* body = part<mjsBody>(self);
        mjsElement* found = nullptr;
        engine([&] { found = mjs_firstChild(body, kChildren[index].type, 0); });
        return element_wrap(found);
      },
      "The first one in this body, or None.");
  add_method(
      type, next.c_str(),
      [](nb::handle self, nb::handle child) {
        auto* body = part<mjsBody>(self);
        mjsElement* element = element_argument(child, kChildren[index].type, "child");
        if (mjs_getParent(element) != body) {
          raise(PyExc_ValueError, "the element is not a child of this body");
        }
        mjsElement* found = nullptr;
        engine([&] { found = mjs_nextChild(body, element, 0); });
        return element_wrap(found);
      },
      nb::arg("child"), "The one after `child` in this body, or None.");
  add_property(type, kChildren[index].plural, [](nb::handle self) {
    return children(part<mjsBody>(self), kChildren[index].type, false);
  });
}

template <size_t... indices>
void all_child_methods(PyTypeObject* type, std::index_sequence<indices...>) {
  (child_methods<indices>(type), ...);
}

void set_frame(nb::handle self, nb::handle frame) {
  mjsElement* element = element_argument(self, mjOBJ_UNKNOWN, "self");
  mjsFrame* around = mjs_asFrame(element_argument(frame, mjOBJ_FRAME, "frame"));
  int status = 0;
  engine([&] { status = mjs_setFrame(element, around); });
  if (status) {
    raise(PyExc_ValueError, mjs_getError(mjs_getSpec(element)));
  }
}

// The texts of None: nothing.
const char* affix(nb::handle value, const char* name) {
  return value.is_none() ? "" : text_argument(value, name);
}

// all elements of the body tree
std::vector<mjsElement*> tree_elements(mjSpec* spec) {
  std::vector<mjsElement*> list;
  for (const ElementKind& child : kChildren) {
    mjsElement* it = nullptr;
    engine([&] { it = mjs_firstElement(spec, child.type); });
    while (it) {
      list.push_back(it);
      engine([&] { it = mjs_nextElement(spec, it); });
    }
  }
  return list;
}

// Does an owner keep another one alive, directly or not?
bool keeps(PyObject* owner, PyObject* other) {
  if (!owner || owner == other) {
    return owner;
  }
  if (PyTuple_Check(owner)) {
    return keeps(PyTuple_GetItem(owner, 0), other) || keeps(PyTuple_GetItem(owner, 1), other);
  }
  return keeps(reinterpret_cast<Owner*>(owner)->keep, other);
}

// Keeps `to` alive as long as anything of `from`, whose elements it has taken over, is alive. If
// one of both keeps the other already, nothing is added: in C the parent holds the child.
void keep_alive(mjSpec* from, mjSpec* to) {
  PyObject *child = spec_owner(from), *parent = spec_owner(to);
  if (!child || !parent || keeps(parent, child) || keeps(child, parent)) {
    return;
  }
  PyObject*& keep = reinterpret_cast<Owner*>(child)->keep;
  PyObject* both = or_raise(keep ? PyTuple_Pack(2, keep, parent) : Py_NewRef(parent));
  Py_XDECREF(keep);
  keep = both;
}

// What left a spec by attaching stays in its lists.
void remember_moved(mjSpec* from, mjSpec* to, const std::vector<mjsElement*>& before) {
  auto* wrapper = reinterpret_cast<Wrapper*>(spec_wrapper(from));
  if (!wrapper) {
    return;
  }
  if (!wrapper->cache[kSpecMoved]) {
    wrapper->cache[kSpecMoved] = PyList_New(0);
  }
  nb::list moved = nb::borrow<nb::list>(wrapper->cache[kSpecMoved]);
  std::vector<mjsElement*> now = tree_elements(to);
  std::unordered_set<mjsElement*> there(now.begin(), now.end()), known;
  for (nb::handle item : moved) {
    known.insert(reinterpret_cast<Wrapper*>(item.ptr())->memory ? element_of(item) : nullptr);
  }
  for (mjsElement* element : before) {
    if (there.count(element) && !known.count(element)) {
      moved.append(element_wrap(element));
    }
  }
}

// Lets a spec know which one it was attached to.
void set_parent(mjSpec* from, mjSpec* to) {
  auto* wrapper = reinterpret_cast<Wrapper*>(spec_wrapper(from));
  PyObject* parent = spec_wrapper(to);
  for (PyObject* it = parent; it && wrapper;
       it = reinterpret_cast<Wrapper*>(it)->cache[kSpecParent]) {
    if (it == reinterpret_cast<PyObject*>(wrapper)) {
      return;  // otherwise it would keep itself alive forever
    }
  }
  if (wrapper && parent) {
    PyObject* before = wrapper->cache[kSpecParent];
    wrapper->cache[kSpecParent] = Py_NewRef(parent);
    Py_XDECREF(before);
  }
}

// Attaches a part, or a whole spec, to an element.
nb::object attach(mjsElement* to, mjsElement* child, nb::handle prefix, nb::handle suffix) {
  const char *before = affix(prefix, "prefix"), *after = affix(suffix, "suffix");
  mjSpec *spec = mjs_getSpec(to), *from = mjs_getSpec(child);
  std::vector<mjsElement*> elements;
  if (spec != from) {
    elements = tree_elements(from);
  }
  mjsElement* taken = nullptr;
  engine([&] { taken = mjs_attach(to, child, before, after); });
  if (!taken) {
    raise(PyExc_ValueError, mjs_getError(spec));
  }
  if (spec != from) {
    keep_alive(from, spec);
    remember_moved(from, spec, elements);
  }
  return element_wrap(taken);
}

template <mjtObj type>
nb::object attach_body(nb::handle self, nb::handle body, nb::object prefix, nb::object suffix) {
  return attach(element_argument(self, type, "self"), element_argument(body, mjOBJ_BODY, "body"),
                prefix, suffix);
}

nb::object attach_frame(nb::handle self, nb::handle frame, nb::object prefix, nb::object suffix) {
  return attach(element_argument(self, mjOBJ_BODY, "self"),
                element_argument(frame, mjOBJ_FRAME, "frame"), prefix, suffix);
}

// Attaches a spec to an element of another one.
nb::object attach_spec(nb::handle to, nb::handle child, nb::object prefix, nb::object suffix) {
  mjsElement* element = element_argument(to, mjOBJ_UNKNOWN, "to");
  mjSpec *spec = mjs_getSpec(element), *from = spec_of(child);
  nb::object result = attach(element, from->element, prefix, suffix);
  if (spec != from) {
    set_parent(from, spec);
  }
  return result;
}

nb::object to_frame(nb::handle self) {
  auto* body = part<mjsBody>(self);
  mjSpec* spec = mjs_getSpec(body->element);
  if (!mjs_getParent(body->element)) {
    raise(PyExc_ValueError, "the world cannot become a frame");
  }
  mjsFrame* frame = nullptr;
  engine([&] { frame = mjs_bodyToFrame(&body); });
  if (!frame) {
    raise(PyExc_ValueError, mjs_getError(spec));
  }
  return element_wrap(frame->element);
}

// meshes

template <size_t count>
void make_mesh(nb::handle self, mjtMeshBuiltin shape, std::array<double, count> numbers) {
  auto* mesh = part<mjsMesh>(self);
  double* first = numbers.data();
  int status = 0;
  engine([&] { status = mjs_makeMesh(mesh, shape, first, static_cast<int>(count)); });
  if (status) {
    raise(PyExc_ValueError, mjs_getError(mjs_getSpec(mesh->element)));
  }
}

// So many numbers of a sequence.
template <size_t count>
std::array<double, count> numbers(nb::handle value, const char* name) {
  ArrayArgument array;
  or_raise(array_input(&array, value.ptr(), Number::kFloat64, true, name));
  nb::object hold = nb::steal(array.array);
  if (array.size != static_cast<Py_ssize_t>(count)) {
    raise(PyExc_TypeError,
          std::string(name) + " should be " + (count == 2 ? "two" : "three") + " numbers");
  }
  std::array<double, count> result;
  memcpy(result.data(), array.data, sizeof result);
  return result;
}

std::array<double, 2> pair(nb::handle value, const char* name) {
  return numbers<2>(value, name);
}

std::array<double, 3> triple(nb::handle value, const char* name) {
  return numbers<3>(value, name);
}

void mesh_methods(PyTypeObject* type) {
  nb::object zeros = nb::make_tuple(0, 0);
  add_method(
      type, "make_sphere",
      [](nb::handle self, int subdivision) {
        make_mesh<1>(self, mjMESH_BUILTIN_SPHERE, {double(subdivision)});
      },
      nb::arg("subdivision"), "Makes it a sphere.");
  add_method(
      type, "make_hemisphere",
      [](nb::handle self, int resolution) {
        make_mesh<1>(self, mjMESH_BUILTIN_HEMISPHERE, {double(resolution)});
      },
      nb::arg("resolution"), "Makes it half a sphere.");
  add_method(
      type, "make_cone",
      [](nb::handle self, int nedge, double radius) {
        make_mesh<2>(self, mjMESH_BUILTIN_CONE, {double(nedge), radius});
      },
      nb::arg("nedge"), nb::arg("radius"), "Makes it a cone, cut off at a radius.");
  add_method(
      type, "make_supersphere",
      [](nb::handle self, int resolution, double e, double n) {
        make_mesh<3>(self, mjMESH_BUILTIN_SUPERSPHERE, {double(resolution), e, n});
      },
      nb::arg("resolution"), nb::arg("e"), nb::arg("n"), "Makes it a superellipsoid.");
  add_method(
      type, "make_supertorus",
      [](nb::handle self, int resolution, double radius, double s, double t) {
        make_mesh<4>(self, mjMESH_BUILTIN_SUPERTORUS, {double(resolution), radius, s, t});
      },
      nb::arg("resolution"), nb::arg("radius"), nb::arg("s"), nb::arg("t"),
      "Makes it a supertorus.");
  add_method(
      type, "make_wedge",
      [](nb::handle self, nb::object resolution, nb::object fov, double gamma) {
        auto r = pair(resolution, "resolution"), f = pair(fov, "fov");
        make_mesh<5>(self, mjMESH_BUILTIN_WEDGE, {r[0], r[1], f[0], f[1], gamma});
      },
      nb::arg("resolution") = zeros, nb::arg("fov") = zeros, nb::arg("gamma") = 0.0,
      "Makes it a part of a sphere, as a tactile sensor sees.");
  add_method(
      type, "make_plate",
      [](nb::handle self, nb::object resolution) {
        auto r = pair(resolution, "resolution");
        make_mesh<2>(self, mjMESH_BUILTIN_PLATE, {r[0], r[1]});
      },
      nb::arg("resolution") = zeros, "Makes it a plate.");
  auto solid = [&](const char* name, mjtMeshBuiltin shape, const char* doc) {
    add_method(
        type, name,
        [shape](nb::handle self, nb::object count, nb::object spacing, int dim) {
          auto n = triple(count, "count"), step = triple(spacing, "spacing");
          make_mesh<7>(self, shape, {n[0], n[1], n[2], step[0], step[1], step[2], double(dim)});
        },
        nb::arg("count"), nb::arg("spacing"), nb::arg("dim") = 3, doc);
  };
  solid("make_grid", mjMESH_BUILTIN_GRID, "Makes it a lattice, solid or (dim 2) a sheet.");
  solid("make_box", mjMESH_BUILTIN_BOX, "Makes it a box, solid or (dim 2) open at the top.");
  solid("make_cylinder", mjMESH_BUILTIN_CYLINDER, "Makes it a cylinder, as make_box.");
  solid("make_ellipsoid", mjMESH_BUILTIN_ELLIPSOID, "Makes it an ellipsoid, as make_box.");
  auto sheet = [&](const char* name, mjtMeshBuiltin shape, const char* doc) {
    add_method(
        type, name,
        [shape](nb::handle self, nb::object count, nb::object spacing) {
          auto n = triple(count, "count"), step = triple(spacing, "spacing");
          make_mesh<6>(self, shape, {n[0], n[1], n[2], step[0], step[1], step[2]});
        },
        nb::arg("count"), nb::arg("spacing"), doc);
  };
  sheet("make_square", mjMESH_BUILTIN_SQUARE, "Makes it a flat square.");
  sheet("make_disc", mjMESH_BUILTIN_DISC, "Makes it a flat disc.");
}

// flexes

// So many numbers of a sequence, or nothing.
template <size_t count>
struct MaybeNumbers {
  std::array<double, count> number;
  bool given;
  MaybeNumbers(nb::handle value, const char* name) : given(!value.is_none()) {
    if (given) {
      number = numbers<count>(value, name);
    }
  }
  const double* get() const {
    return given ? number.data() : nullptr;
  }
};

struct MaybeCounts {
  int number[3];
  bool given;
  MaybeCounts(nb::handle value, const char* name) : given(!value.is_none()) {
    auto list = given ? triple(value, name) : std::array<double, 3>{};
    for (size_t i = 0; i < 3; i++) {
      if (list[i] != static_cast<double>(static_cast<int>(list[i]))) {
        raise(PyExc_TypeError, std::string(name) + " should be three integers");
      }
      number[i] = static_cast<int>(list[i]);
    }
  }
  const int* get() const {
    return given ? number : nullptr;
  }
};

const char* text_or_null(nb::handle value, const char* name) {
  return value.is_none() ? nullptr : text_argument(value, name);
}

nb::object make_flex(nb::handle self, nb::handle name, nb::object type, int dim, nb::object dof,
                     nb::object count, nb::object cellcount, nb::object spacing, nb::object scale,
                     double radius, double mass, double inertiabox, int equality, Truth rigid,
                     Truth flatskin, int elastic2d, nb::object pos, nb::object quat,
                     nb::object origin, nb::object file, nb::object mesh) {
  auto* body = part<mjsBody>(self);
  mjSpec* spec = mjs_getSpec(body->element);
  const char *flex = text_argument(name, "name"), *kind = text_or_null(type, "type"),
             *freedom = text_or_null(dof, "dof"), *path = text_or_null(file, "file"),
             *asset = text_or_null(mesh, "mesh");
  MaybeCounts n(count, "count"), cells(cellcount, "cellcount");
  MaybeNumbers<3> step(spacing, "spacing"), factor(scale, "scale"), place(pos, "pos"),
      apex(origin, "origin");
  MaybeNumbers<4> turn(quat, "quat");
  if (path && asset) {
    raise(PyExc_ValueError, "both 'file' and 'mesh' specified");
  }
  if (asset && !mjs_findElement(spec, mjOBJ_MESH, asset)) {
    raise(PyExc_ValueError, std::string("mesh '") + asset + "' not found");
  }
  Files files;
  PyObject* owner = spec_wrapper(spec);
  if (owner) {
    files.add(nb::getattr(nb::handle(owner), "assets"), false, true);
  }
  mjVFS* vfs = files.vfs();
  mjsFlex* made = nullptr;
  engine([&] {
    made =
        mjs_makeFlex(body, flex, kind, dim, freedom, n.get(), cells.get(), step.get(), factor.get(),
                     radius, mass, inertiabox, equality, rigid.value, flatskin.value, elastic2d,
                     place.get(), turn.get(), apex.get(), asset ? asset : path, vfs);
  });
  if (!made) {
    raise(PyExc_ValueError, mjs_getError(spec));
  }
  return element_wrap(made->element);
}

void flex_methods(PyTypeObject* type) {
  nb::object no = nb::bool_(false);
  auto none = [](const char* name) { return nb::arg(name) = nb::none(); };
  add_method(type, "make_flex", make_flex, nb::arg("name"), none("type"), nb::arg("dim") = 3,
             none("dof"), none("count"), none("cellcount"), none("spacing"), none("scale"),
             nb::arg("radius") = 0.0, nb::arg("mass") = 1.0, nb::arg("inertiabox") = 0.005,
             nb::arg("equality") = 0, nb::arg("rigid") = no, nb::arg("flatskin") = no,
             nb::arg("elastic2d") = 0, none("pos"), none("quat"), none("origin"), none("file"),
             none("mesh"), "Adds a flex with its bodies, as <flexcomp> does.");
}

// actuators

void check(const char* problem) {
  if (problem && problem[0]) {
    raise(PyExc_ValueError, problem);
  }
}

using Servo = const char* (*)(mjsActuator*, double, double[1], double[1], double[1], double);

template <Servo set>
void set_servo(nb::handle self, double kp, double kv, double dampratio, double timeconst,
               Truth inheritrange) {
  auto* actuator = part<mjsActuator>(self);
  const char* problem = nullptr;
  double *v = kv == -1 ? nullptr : &kv, *ratio = dampratio == -1 ? nullptr : &dampratio,
         *time = timeconst == -1 ? nullptr : &timeconst;
  engine([&] { problem = set(actuator, kp, v, ratio, time, inheritrange.value); });
  check(problem);
}

void set_to_muscle(nb::handle self, nb::object timeconst, double tausmooth, nb::object range,
                   double force, double scale, double lmin, double lmax, double vmax, double fpmax,
                   double fvmax) {
  auto* actuator = part<mjsActuator>(self);
  bool single = PyFloat_Check(timeconst.ptr()) || PyLong_Check(timeconst.ptr());
  std::array<double, 2> time = {-1, -1}, ends = pair(range, "range");
  if (single) {
    time[0] = time[1] = nb::cast<double>(timeconst);
  } else {
    time = pair(timeconst, "timeconst");
  }
  double *t = time.data(), *r = ends.data();
  const char* problem = nullptr;
  engine([&] {
    problem =
        mjs_setToMuscle(actuator, t, tausmooth, r, force, scale, lmin, lmax, vmax, fpmax, fvmax);
  });
  check(problem);
}

// An argument of -1 is not given.
double* if_given(double& number) {
  return number == -1 ? nullptr : &number;
}

void set_to_pid(nb::handle self, double kp, double kv, double dampratio, double ki, double imax,
                double slewmax, double inheritrange, int ctrlspec) {
  auto* actuator = part<mjsActuator>(self);
  const char* problem = nullptr;
  engine([&] {
    problem = mjs_setToPID(actuator, kp, if_given(kv), if_given(dampratio), if_given(ki),
                           if_given(imax), if_given(slewmax), inheritrange, ctrlspec);
  });
  check(problem);
}

void set_to_orientation(nb::handle self, double kp, double kv, double dampratio, int ctrlspec) {
  auto* actuator = part<mjsActuator>(self);
  const char* problem = nullptr;
  engine([&] {
    problem = mjs_setToOrientation(actuator, kp, if_given(kv), if_given(dampratio), ctrlspec);
  });
  check(problem);
}

void set_to_dcmotor(nb::handle self, nb::object motorconst, double resistance, nb::object nominal,
                    nb::object saturation, nb::object inductance, nb::object cogging,
                    nb::object controller, nb::object thermal, nb::object lugre, int ctrlspec) {
  auto k = numbers<2>(motorconst, "motorconst"), l = numbers<2>(inductance, "inductance");
  auto at = numbers<3>(nominal, "nominal"), most = numbers<3>(saturation, "saturation");
  auto teeth = numbers<3>(cogging, "cogging");
  auto gains = numbers<6>(controller, "controller"), heat = numbers<6>(thermal, "thermal");
  auto bristle = numbers<5>(lugre, "lugre");
  auto* actuator = part<mjsActuator>(self);
  const char* problem = nullptr;
  engine([&] {
    problem = mjs_setToDCMotor(actuator, k.data(), resistance, at.data(), most.data(), l.data(),
                               teeth.data(), gains.data(), heat.data(), bristle.data(), ctrlspec);
  });
  check(problem);
}

// Actuators of several inputs.
void law_methods(PyTypeObject* type) {
  auto zeros = [](Py_ssize_t n) {
    nb::list all;
    for (; n > 0; n--) {
      all.append(0.0);
    }
    return nb::tuple(all);
  };
  add_method(type, "set_to_pid", set_to_pid, nb::arg("kp"), nb::arg("kv") = -1.0,
             nb::arg("dampratio") = -1.0, nb::arg("ki") = -1.0, nb::arg("imax") = -1.0,
             nb::arg("slewmax") = -1.0, nb::arg("inheritrange") = 0.0, nb::arg("ctrlspec") = 0,
             "Makes it a controller. -1: not given.");
  add_method(type, "set_to_orientation", set_to_orientation, nb::arg("kp"), nb::arg("kv") = -1.0,
             nb::arg("dampratio") = -1.0, nb::arg("ctrlspec") = 0,
             "Makes it a servo of an orientation. -1: not given.");
  add_method(type, "set_to_dcmotor", set_to_dcmotor, nb::arg("motorconst"), nb::arg("resistance"),
             nb::arg("nominal") = zeros(3), nb::arg("saturation") = zeros(3),
             nb::arg("inductance") = zeros(2), nb::arg("cogging") = zeros(3),
             nb::arg("controller") = zeros(6), nb::arg("thermal") = zeros(6),
             nb::arg("lugre") = zeros(5), nb::arg("ctrlspec") = 0,
             "Makes it a direct-current motor.");
}

void actuator_methods(PyTypeObject* type) {
  add_method(
      type, "set_to_motor",
      [](nb::handle self) {
        auto* actuator = part<mjsActuator>(self);
        const char* problem = nullptr;
        engine([&] { problem = mjs_setToMotor(actuator); });
        check(problem);
      },
      "Makes it a motor.");
  auto servo = [&](const char* name, auto function) {
    add_method(type, name, function, nb::arg("kp"), nb::arg("kv") = -1.0,
               nb::arg("dampratio") = -1.0, nb::arg("timeconst") = -1.0,
               nb::arg("inheritrange") = nb::bool_(false), "Makes it a servo. -1: not given.");
  };
  servo("set_to_position", set_servo<mjs_setToPosition>);
  servo("set_to_intvelocity", set_servo<mjs_setToIntVelocity>);
  auto one = [&](const char* name, auto set, const char* argument, const char* doc) {
    add_method(
        type, name,
        [set](nb::handle self, double number) {
          auto* actuator = part<mjsActuator>(self);
          const char* problem = nullptr;
          engine([&] { problem = set(actuator, number); });
          check(problem);
        },
        nb::arg(argument), doc);
  };
  law_methods(type);
  one("set_to_velocity", mjs_setToVelocity, "kv", "Makes it a velocity servo.");
  one("set_to_damper", mjs_setToDamper, "kv", "Makes it a damper.");
  one("set_to_adhesion", mjs_setToAdhesion, "gain", "Makes it an adhesion actuator.");
  add_method(
      type, "set_to_cylinder",
      [](nb::handle self, double timeconst, double bias, double area, double diameter) {
        auto* actuator = part<mjsActuator>(self);
        const char* problem = nullptr;
        engine([&] { problem = mjs_setToCylinder(actuator, timeconst, bias, area, diameter); });
        check(problem);
      },
      nb::arg("timeconst"), nb::arg("bias"), nb::arg("area"), nb::arg("diameter") = -1.0,
      "Makes it a cylinder.");
  add_method(type, "set_to_muscle", set_to_muscle, nb::arg("timeconst") = nb::make_tuple(-1, -1),
             nb::arg("tausmooth") = 0.0, nb::arg("range") = nb::make_tuple(-1, -1),
             nb::arg("force") = -1.0, nb::arg("scale") = -1.0, nb::arg("lmin") = -1.0,
             nb::arg("lmax") = -1.0, nb::arg("vmax") = -1.0, nb::arg("fpmax") = -1.0,
             nb::arg("fvmax") = -1.0, "Makes it a muscle. -1: not given.");
}

// tendons

nb::object path_of(nb::handle self) {
  auto* tendon = part<mjsTendon>(self);
  nb::list list;
  for (int i = 0; i < mjs_getWrapNum(tendon); i++) {
    list.append(wrap(mjs_getWrap(tendon, i)));
  }
  return nb::module_::import_("condyle._model.path").attr("MjsTendonPath")(list);
}

void tendon_methods(PyTypeObject* type) {
  nb::setattr(nb::handle(reinterpret_cast<PyObject*>(type)), "path",
              nb::module_::import_("builtins").attr("property")(nb::cpp_function(path_of)));
  add_method(
      type, "wrap_site",
      [](nb::handle self, nb::handle name) {
        auto* tendon = part<mjsTendon>(self);
        const char* text = text_argument(name, "name");
        mjsWrap* made = nullptr;
        engine([&] { made = mjs_wrapSite(tendon, text); });
        return wrap(made);
      },
      nb::arg("name"), "Adds a site to its path.");
  add_method(
      type, "wrap_geom",
      [](nb::handle self, nb::handle name, nb::handle sidesite) {
        auto* tendon = part<mjsTendon>(self);
        const char* text = text_argument(name, "name");
        const char* side = affix(sidesite, "sidesite");
        mjsWrap* made = nullptr;
        engine([&] { made = mjs_wrapGeom(tendon, text, side); });
        return wrap(made);
      },
      nb::arg("name"), nb::arg("sidesite").none() = nb::none(), "Adds a geom to its path.");
  add_method(
      type, "wrap_joint",
      [](nb::handle self, nb::handle name, double coef) {
        auto* tendon = part<mjsTendon>(self);
        const char* text = text_argument(name, "name");
        mjsWrap* made = nullptr;
        engine([&] { made = mjs_wrapJoint(tendon, text, coef); });
        return wrap(made);
      },
      nb::arg("name"), nb::arg("coef"), "Adds a joint.");
  add_method(
      type, "wrap_pulley",
      [](nb::handle self, double divisor) {
        auto* tendon = part<mjsTendon>(self);
        mjsWrap* made = nullptr;
        engine([&] { made = mjs_wrapPulley(tendon, divisor); });
        return wrap(made);
      },
      nb::arg("divisor"), "Adds a pulley.");
  add_method(
      type, "default",
      [](nb::handle self) {
        mjsElement* element = part<mjsTendon>(self)->element;
        return wrap(mjs_getDefault(element));
      },
      "Its default class.");
}

}  // namespace

void init_spec_methods() {
  PyTypeObject* body = class_mjsBody.type;
  all_child_methods(body, std::make_index_sequence<sizeof kChildren / sizeof *kChildren>());
  add_method(body, "find_all", find_all, nb::arg("type"),
             "All elements of a type in this body and those below.");
  add_method(body, "find_child", find_child, nb::arg("name"),
             "The body of that name below this one, or None.");
  add_method(body, "to_frame", to_frame, "Turns it into a frame of its parent.");
  add_method(body, "attach_frame", attach_frame, nb::arg("frame"), nb::arg("prefix") = nb::none(),
             nb::arg("suffix") = nb::none(), "Attaches a frame with all in it.");
  auto attaches = [](PyTypeObject* type, auto function) {
    add_method(type, "attach_body", function, nb::arg("body"), nb::arg("prefix") = nb::none(),
               nb::arg("suffix") = nb::none(), "Attaches a body with all in it.");
  };
  attaches(class_mjsFrame.type, attach_body<mjOBJ_FRAME>);
  attaches(class_mjsSite.type, attach_body<mjOBJ_SITE>);
  for (const ElementKind& child : kChildren) {
    add_method(class_of_type(child.type)->type, "set_frame", set_frame, nb::arg("frame"),
               "Moves it into a frame of its body.");
  }
  mesh_methods(class_mjsMesh.type);
  flex_methods(body);
  actuator_methods(class_mjsActuator.type);
  tendon_methods(class_mjsTendon.type);
  add_method(
      class_mjsSensor.type, "get_data_size",
      [](nb::handle self) {
        const auto* sensor = part<mjsSensor>(self);
        int size = 0;
        engine([&] { size = mjs_sensorDim(sensor); });
        return size;
      },
      "Numbers that it gives.");
  add_method(
      SpecType, "_attach",
      [](nb::handle self, nb::handle to, nb::handle child, nb::object prefix, nb::object suffix) {
        spec_of(self);
        return attach_spec(to, child, prefix, suffix);
      },
      nb::arg("to"), nb::arg("child"), nb::arg("prefix").none(), nb::arg("suffix").none(),
      "Attaches a spec to a site or frame, without its files.");
}
