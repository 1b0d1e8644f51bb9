// viewing.cc: what the viewer needs for each picture (condyle/_viewer/view.py): copies for a thread
// that draws while a program computes, and scenes as bytes.

#include <condyle/view.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/guard.h"
#include "base/structs.h"
#include "model/data.h"
#include "model/model.h"

namespace {

// the page reads these structs where the engine for browsers has them (web/page/scene/layout.ts)
static_assert(sizeof(mjvGeom) == 252 && offsetof(mjvGeom, label) == 124, "mjvGeom");
static_assert(sizeof(mjvLight) == 112 && offsetof(mjvLight, headlight) == 92, "mjvLight");
static_assert(sizeof(mjvGLCamera) == 64 && offsetof(mjvGLCamera, orthographic) == 60,
              "mjvGLCamera");

mjvScene* as_scene(nb::handle object) {
  return static_cast<mjvScene*>(or_raise(struct_of(object.ptr(), struct_info("mjvScene"), "scn")));
}

// Copies what pictures are made of, from m and d to a model and data of the same sizes. Arrays that
// pictures need only once (vertices of meshes, texels) stay as they are.
void copy_drawn(nb::handle to_model, nb::handle to_data, nb::handle model, nb::handle data) {
  mjModel* m = or_raise(model_of(model.ptr(), "m"));
  mjData* d = or_raise(data_for(data.ptr(), m, "d"));
  mjModel* drawn_m = or_raise(model_of(to_model.ptr(), "to_m"));
  mjData* drawn_d = or_raise(data_for(to_data.ptr(), drawn_m, "to_d"));
  engine([=] {
    mjv_copyModel(drawn_m, m);
    mjv_copyData(drawn_d, m, d);
  });
}

nb::bytes bytes_of(const void* memory, size_t size) {
  return nb::bytes(size ? memory : "", size);
}

// The shapes, the lights, and the two eyes of a scene, as they are in memory.
nb::tuple scene_bytes(nb::handle object) {
  const mjvScene* scene = as_scene(object);
  return nb::make_tuple(
      bytes_of(scene->geoms, static_cast<size_t>(scene->ngeom) * sizeof(mjvGeom)),
      bytes_of(scene->lights, static_cast<size_t>(scene->nlight) * sizeof(mjvLight)),
      bytes_of(scene->camera, sizeof scene->camera));
}

// The shapes of a scene.
nb::bytes scene_geoms(nb::handle object) {
  const mjvScene* scene = as_scene(object);
  return bytes_of(scene->geoms, static_cast<size_t>(scene->ngeom) * sizeof(mjvGeom));
}

// Appends shapes of another scene; those without room are left out.
void scene_add(nb::handle object, nb::bytes geoms) {
  mjvScene* scene = as_scene(object);
  size_t room = static_cast<size_t>(scene->maxgeom - scene->ngeom);
  size_t count = std::min(room, geoms.size() / sizeof(mjvGeom));
  if (count) {
    memcpy(scene->geoms + scene->ngeom, geoms.c_str(), count * sizeof(mjvGeom));
    scene->ngeom += static_cast<int>(count);
  }
}

}  // namespace

void init_viewing(nb::module_& module) {
  module.def("_copy_drawn", copy_drawn, nb::arg("to_m"), nb::arg("to_d"), nb::arg("m"),
             nb::arg("d"));
  module.def("_scene_bytes", scene_bytes, nb::arg("scn"));
  module.def("_scene_geoms", scene_geoms, nb::arg("scn"));
  module.def("_scene_add", scene_add, nb::arg("scn"), nb::arg("geoms"));
}
