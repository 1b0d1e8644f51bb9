// scene.cc: the constructors of MjvScene, MjrRect and MjrContext, and the arrays that a scene
// points to. They are allocated here, as zeros, with the lengths that the C library would use.

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstring>
#include <vector>

#include "base/guard.h"
#include "base/structs.h"
#include "drawing/render.h"
#include "model/model.h"

namespace {

mjvScene* scene(const void* memory) {
  return static_cast<mjvScene*>(const_cast<void*>(memory));
}

size_t sum(const int* list, int count) {
  size_t total = 0;
  for (int i = 0; i < count; i++) {
    total += static_cast<size_t>(list[i]);
  }
  return total;
}

// One pointer of a scene: its elements, and how many there are. Lengths follow from the arrays
// before it.
struct Part {
  const char* name;
  const char* doc;
  Number type;
  size_t place;
  size_t (*count)(const mjvScene* s);
};

size_t count_flex(const mjvScene* s) {
  return static_cast<size_t>(s->nflex);
}

size_t count_skin(const mjvScene* s) {
  return static_cast<size_t>(s->nskin);
}

size_t count_faces(const mjvScene* s) {
  return sum(s->flexfacenum, s->nflex);
}

#define PART(name, type, doc, ...)                                            \
  {                                                                           \
#name, doc, Number::type,                                                 \
        offsetof(mjvScene, name), [](const mjvScene* s) -> size_t __VA_ARGS__ \
  }
#define PER(name, type, doc, count) \
  { #name, doc, Number::type, offsetof(mjvScene, name), count }

Part kParts[] = {
    PART(geomorder, kInt32, "int32 (maxgeom,): shapes by their distance to the camera",
         { return static_cast<size_t>(s->maxgeom); }),
    PER(flexedgeadr, kInt32, "int32 (nflex,): first edge", count_flex),
    PER(flexedgenum, kInt32, "int32 (nflex,): number of edges", count_flex),
    PER(flexvertadr, kInt32, "int32 (nflex,): first vertex", count_flex),
    PER(flexvertnum, kInt32, "int32 (nflex,): number of vertices", count_flex),
    PER(flexfaceadr, kInt32, "int32 (nflex,): first face", count_flex),
    PER(flexfacenum, kInt32, "int32 (nflex,): room for faces", count_flex),
    PER(flexfaceused, kInt32, "int32 (nflex,): faces in use", count_flex),
    PART(flexedge, kInt32, "int32: two vertices of each edge",
         { return 2 * sum(s->flexedgenum, s->nflex); }),
    PART(flexvert, kFloat32, "float32: position of each vertex, m",
         { return 3 * sum(s->flexvertnum, s->nflex); }),
    PART(flexface, kFloat32, "float32: positions of the corners of each face, m",
         { return 9 * count_faces(s); }),
    PART(flexnormal, kFloat32, "float32: normals at the corners of each face",
         { return 9 * count_faces(s); }),
    PART(flextexcoord, kFloat32, "float32: texture coordinates of the corners of each face",
         { return 6 * count_faces(s); }),
    PER(skinfacenum, kInt32, "int32 (nskin,): number of faces", count_skin),
    PER(skinvertadr, kInt32, "int32 (nskin,): first vertex", count_skin),
    PER(skinvertnum, kInt32, "int32 (nskin,): number of vertices", count_skin),
    PART(skinvert, kFloat32, "float32: position of each vertex, m",
         { return 3 * sum(s->skinvertnum, s->nskin); }),
    PART(skinnormal, kFloat32, "float32: normal at each vertex",
         { return 3 * sum(s->skinvertnum, s->nskin); }),
};
constexpr int kPartCount = sizeof kParts / sizeof *kParts;

#undef PART
#undef PER

// A scene's true array lengths, in a place that programs can't change.
struct Room {
  mjvScene s;
  int maxgeom, nflex, nskin;
  size_t count[kPartCount];
};

Room* room(const void* memory) {
  return static_cast<Room*>(const_cast<void*>(memory));
}

size_t& count_of(const Part& part, mjvScene* s) {
  return room(s)->count[&part - kParts];
}

void** pointer(const Part& part, mjvScene* s) {
  return reinterpret_cast<void**>(reinterpret_cast<char*>(s) + part.place);
}

void free_scene(mjvScene* s) {
  free(s->geoms);
  for (const Part& part : kParts) {
    free(*pointer(part, s));
  }
}

void release_scene(void* memory) {
  free_scene(scene(memory));
  free(memory);
}

// Allocates one array, zero; those of no length stay NULL.
bool allocate(const Part& part, mjvScene* s) {
  size_t count = count_of(part, s);
  void** place = pointer(part, s);
  *place = count ? calloc(count, number_size(part.type)) : nullptr;
  return *place || !count;
}

bool allocate_geoms(mjvScene* s) {
  auto count = static_cast<size_t>(room(s)->maxgeom);
  s->geoms = count ? static_cast<mjvGeom*>(calloc(count, sizeof(mjvGeom))) : nullptr;
  return s->geoms || !count;
}

// Gives a copied scene its own arrays in place of those that it shares with the original.
bool copy_scene(void* memory, const void* from) {
  mjvScene* s = scene(memory);
  mjvScene* source = scene(from);
  s->geoms = nullptr;
  for (const Part& part : kParts) {
    *pointer(part, s) = nullptr;
  }
  bool done = allocate_geoms(s);
  if (s->geoms) {
    memcpy(s->geoms, source->geoms, static_cast<size_t>(room(s)->maxgeom) * sizeof(mjvGeom));
  }
  for (const Part& part : kParts) {
    if (!done || !allocate(part, s)) {
      free_scene(s);
      return false;
    }
    if (*pointer(part, s)) {
      memcpy(*pointer(part, s), *pointer(part, source), count_of(part, s) * number_size(part.type));
    }
  }
  return true;
}

// Room for the faces of each flex, as a scene of the engine has it. False with an exception.
bool face_rooms(int* out, const mjModel* m) {
  mjvScene made;
  mjv_defaultScene(&made);
  bool is_made = guarded([&] { mjv_makeScene(m, &made, 0); }, false);
  if (is_made && m->nflex) {
    memcpy(out, made.flexfacenum, static_cast<size_t>(m->nflex) * sizeof(int));
  }
  mjv_freeScene(&made);
  return is_made;
}

// Fills the arrays that describe the model's flexes and skins.
void describe_model(mjvScene* s, const mjModel* m) {
  int face = 0;
  for (int i = 0; i < s->nflex; i++) {
    s->flexfaceadr[i] = face;
    face += s->flexfacenum[i];
  }
  auto copy = [](int* to, const int* from, size_t count) {
    if (count) {
      memcpy(to, from, count * sizeof(int));
    }
  };
  copy(s->flexedgeadr, m->flex_edgeadr, count_flex(s));
  copy(s->flexvertadr, m->flex_vertadr, count_flex(s));
  copy(s->flexedge, m->flex_edge, 2 * static_cast<size_t>(m->nflexedge));
  copy(s->skinfacenum, m->skin_facenum, count_skin(s));
  copy(s->skinvertadr, m->skin_vertadr, count_skin(s));
}

// Allocates the arrays of a scene, those first that tell the lengths of others.
bool make_arrays(mjvScene* s, const mjModel* m) {
  for (const Part& part : kParts) {
    count_of(part, s) = part.count(s);
    if (!allocate(part, s)) {
      return false;
    }
    for (int i = 0; m && part.count == count_flex && i < s->nflex; i++) {
      s->flexedgenum && (s->flexedgenum[i] = m->flex_edgenum[i]);
      s->flexvertnum && (s->flexvertnum[i] = m->flex_vertnum[i]);
    }
    if (m && s->nflex && !strcmp(part.name, "flexfacenum") && !face_rooms(s->flexfacenum, m)) {
      return false;
    }
    for (int i = 0; m && part.count == count_skin && i < s->nskin; i++) {
      s->skinvertnum && (s->skinvertnum[i] = m->skin_vertnum[i]);
    }
  }
  if (m) {
    describe_model(s, m);
  }
  return true;
}

int init_scene(PyObject* self, PyObject* args, PyObject* keywords) {
  static const char* const names[] = {"model", "maxgeom", nullptr};
  PyObject *model = nullptr, *maxgeom = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|OO:MjvScene", const_cast<char**>(names),
                                   &model, &maxgeom)) {
    return -1;
  }
  if (!model != !maxgeom) {
    PyErr_SetString(PyExc_TypeError, "MjvScene() takes no arguments, or model and maxgeom");
    return -1;
  }
  const mjModel* m = model && model != Py_None ? model_of(model, "model") : nullptr;
  long long count = 0;
  if ((model && model != Py_None && !m) ||
      (maxgeom && !number_to_int(&count, maxgeom, INT_MIN, INT_MAX, "maxgeom"))) {
    return -1;
  }
  if (struct_own(self, struct_info("mjvScene"), nullptr) < 0) {
    return -1;
  }
  mjvScene* s = scene(reinterpret_cast<Wrapper*>(self)->memory);
  room(s)->maxgeom = s->maxgeom = static_cast<int>(std::max(0LL, count));
  room(s)->nflex = s->nflex = m ? m->nflex : 0;
  room(s)->nskin = s->nskin = m ? m->nskin : 0;
  if (!allocate_geoms(s) || !make_arrays(s, m)) {
    wrapper_clear(reinterpret_cast<Wrapper*>(self));
    if (!PyErr_Occurred()) {
      PyErr_NoMemory();
    }
    return -1;
  }
  return 0;
}

PyObject** cache(Wrapper* self, int slot) {
  return &self->cache[struct_slots(struct_info("mjvScene")) + slot];
}

PyObject* get_part(PyObject* self, void* closure) {
  Wrapper* wrapper = wrapper_of(self);
  auto* part = static_cast<const Part*>(closure);
  if (!wrapper) {
    return nullptr;
  }
  PyObject** place = cache(wrapper, static_cast<int>(part - kParts));
  if (!*place) {
    mjvScene* s = scene(wrapper->memory);
    auto count = static_cast<Py_ssize_t>(count_of(*part, s));
    *place = array_view(*pointer(*part, s), part->type, 1, &count, wrapper->owner);
  }
  return Py_XNewRef(*place);
}

int set_part(PyObject* self, PyObject* value, void* closure) {
  auto* part = static_cast<const Part*>(closure);
  return value ? array_store(get_part(self, closure), value) : refuse_deletion(part->name);
}

PyObject* get_geoms(PyObject* self, void*) {
  Wrapper* wrapper = wrapper_of(self);
  if (!wrapper) {
    return nullptr;
  }
  PyObject** place = cache(wrapper, kPartCount);
  mjvScene* s = scene(wrapper->memory);
  if (!*place) {
    int count = room(s)->maxgeom;
    *place = PyTuple_New(count);
    for (int i = 0; *place && i < count; i++) {
      PyObject* geom = struct_make(struct_info("mjvGeom"), s->geoms + i, wrapper->owner);
      if (!geom || PyTuple_SetItem(*place, i, geom) < 0) {
        Py_CLEAR(*place);
      }
    }
  }
  return Py_XNewRef(*place);
}

template <int mjvScene::*member>
PyObject* get_size(PyObject* self, void*) {
  Wrapper* wrapper = wrapper_of(self);
  return wrapper ? PyLong_FromLong(scene(wrapper->memory)->*member) : nullptr;
}

// The counts of a scene may be set to at most the lengths of its arrays.
template <int mjvScene::*member, int Room::*most>
int set_size(PyObject* self, PyObject* value, void* closure) {
  Wrapper* wrapper = wrapper_of(self);
  auto* name = static_cast<const char*>(closure);
  long long number;
  if (!wrapper) {
    return -1;
  }
  if (!value) {
    PyErr_Format(PyExc_AttributeError, "can't delete attribute '%s'", name);
    return -1;
  }
  if (!number_to_int(&number, value, INT_MIN, INT_MAX, name)) {
    return -1;
  }
  int limit = room(wrapper->memory)->*most;
  if (number < 0 || number > limit) {
    PyErr_Format(PyExc_ValueError, "%s should be from 0 to %d, what the scene was made for, not %S",
                 name, limit, value);
    return -1;
  }
  scene(wrapper->memory)->*member = static_cast<int>(number);
  return 0;
}

int init_rect(PyObject* self, PyObject* args, PyObject* keywords) {
  static const char* const names[] = {"left", "bottom", "width", "height", nullptr};
  PyObject* values[4];
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOO:MjrRect", const_cast<char**>(names),
                                   &values[0], &values[1], &values[2], &values[3])) {
    return -1;
  }
  mjrRect rect;
  int* places[4] = {&rect.left, &rect.bottom, &rect.width, &rect.height};
  for (int i = 0; i < 4; i++) {
    if (!number_set(places[i], Number::kInt32, values[i], names[i])) {
      return -1;
    }
  }
  return struct_own(self, struct_info("mjrRect"), &rect);
}

int init_context(PyObject* self, PyObject* args, PyObject* keywords) {
  static const char* const names[] = {"model", "fontscale", nullptr};
  PyObject *model = nullptr, *scale = nullptr;
  long long number;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|OO:MjrContext", const_cast<char**>(names),
                                   &model, &scale)) {
    return -1;
  }
  if (!model && !scale) {
    return struct_own(self, struct_info("mjrContext"), nullptr);
  }
  if (!model || !scale) {
    PyErr_SetString(PyExc_TypeError, "MjrContext() takes no arguments, or model and fontscale");
    return -1;
  }
  mjModel* m = model_of(model, "model");
  if (!m || !number_to_int(&number, scale, INT_MIN, INT_MAX, "fontscale") ||
      struct_own(self, struct_info("mjrContext"), nullptr) < 0) {
    return -1;
  }
  auto* context = static_cast<mjrContext*>(wrapper_of(self)->memory);
  int size = static_cast<int>(number);
  return guarded([=] { RENDER(mjr_makeContext)(m, context, size); }, true) ? 0 : -1;
}

// Whether the context may have objects on the graphics device. The library keeps its own list
// there.
bool is_made(const mjrContext* context) {
  return context->glInitialized || context->skinvertVBO;
}

bool clear_context(mjrContext* context) {
  return !is_made(context) || guarded([=] { RENDER(mjr_freeContext)(context); }, false);
}

// The library frees what is on the device if its OpenGL context is current, and its memory always.
void release_context(void* memory) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  if (!clear_context(static_cast<mjrContext*>(memory))) {
    PyErr_Clear();
  }
  PyErr_Restore(type, value, traceback);
  free(memory);
}

PyObject* get_buffers(PyObject* self, void* closure) {
  Wrapper* wrapper = wrapper_of(self);
  if (!wrapper) {
    return nullptr;
  }
  auto* context = static_cast<mjrContext*>(wrapper->memory);
  void* memory = *reinterpret_cast<void**>(reinterpret_cast<char*>(context) +
                                           reinterpret_cast<size_t>(closure));
  Py_ssize_t count = memory ? context->nskin : 0;
  return array_view(memory, Number::kUint32, 1, &count, wrapper->owner);
}

PyObject* free_context(PyObject* self, PyObject*) {
  Wrapper* wrapper = wrapper_of(self);
  return wrapper && clear_context(static_cast<mjrContext*>(wrapper->memory)) ? Py_NewRef(Py_None)
                                                                             : nullptr;
}

PyObject* copy(PyObject* self, PyObject*) {
  Wrapper* wrapper = wrapper_of(self);
  PyObject* result = wrapper ? PyType_GenericNew(Py_TYPE(self), nullptr, nullptr) : nullptr;
  if (result && struct_own(result, struct_info("mjvScene"), wrapper->memory) < 0) {
    Py_CLEAR(result);
  }
  return result;
}

PyMethodDef scene_methods[] = {{"__copy__", copy, METH_NOARGS, "An independent copy."},
                               {"__deepcopy__", copy, METH_O, "An independent copy."},
                               {nullptr, nullptr, 0, nullptr}};

PyMethodDef context_methods[] = {
    {"free", free_context, METH_NOARGS, "Gives back what it holds; may be called twice."},
    {nullptr, nullptr, 0, nullptr}};

#define BUFFERS(name)                                                    \
  {                                                                      \
#name, get_buffers, nullptr, "uint32 (nskin,): buffer of each skin", \
        reinterpret_cast < void*>(offsetof(mjrContext, name))            \
  }

PyGetSetDef context_more[] = {BUFFERS(skinvertVBO),
                              BUFFERS(skinnormalVBO),
                              BUFFERS(skintexcoordVBO),
                              BUFFERS(skinfaceVBO),
                              {nullptr, nullptr, nullptr, nullptr, nullptr}};

#undef BUFFERS

}  // namespace

void scene_prepare() {
  static std::vector<PyGetSetDef> more;
  for (Part& part : kParts) {
    more.push_back({part.name, get_part, set_part, part.doc, &part});
  }
  more.push_back({"geoms", get_geoms, nullptr, "tuple of MjvGeom: all maxgeom shapes", nullptr});
  auto add_size = [](const char* name, getter get, setter set, const char* doc) {
    more.push_back({name, get, set, doc, const_cast<char*>(name)});
  };
  add_size("maxgeom", get_size<&mjvScene::maxgeom>, set_size<&mjvScene::maxgeom, &Room::maxgeom>,
           "int32: room for shapes; may be lowered");
  add_size("nflex", get_size<&mjvScene::nflex>, set_size<&mjvScene::nflex, &Room::nflex>,
           "int32: number of flexes; may be lowered");
  add_size("nskin", get_size<&mjvScene::nskin>, set_size<&mjvScene::nskin, &Room::nskin>,
           "int32: number of skins; may be lowered");
  more.push_back({nullptr, nullptr, nullptr, nullptr, nullptr});

  auto* scene_info = const_cast<StructInfo*>(struct_info("mjvScene"));
  scene_info->size = sizeof(Room);
  scene_info->init = init_scene;
  scene_info->release = release_scene;
  scene_info->copy = copy_scene;
  scene_info->more = more.data();
  scene_info->methods = scene_methods;
  scene_info->more_slots = kPartCount + 1;

  const_cast<StructInfo*>(struct_info("mjrRect"))->init = init_rect;

  auto* context_info = const_cast<StructInfo*>(struct_info("mjrContext"));
  context_info->init = init_context;
  context_info->release = release_context;
  context_info->more = context_more;
  context_info->methods = context_methods;
}
