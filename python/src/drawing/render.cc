// render.cc: loads the library that draws; contexts of OpenGL without a screen for the package's
// own use (condyle/_support/gl.py).

#include "drawing/render.h"

#include <condyle/render.h>
#include <mujoco/mujoco.h>

#include <mutex>

#include "base/guard.h"
#include "base/number.h"

extern "C" {
#include "base/system/library.h"
}

namespace {

struct Library {
  void* handle;
  char reason[kMessageSize];  // why there is none
};

// Beside the extension, or where the linker looks.
void load(Library* library) {
  library->handle = library_open(CONDYLE_RENDER_LIBRARY);
  if (!library->handle) {
    snprintf(library->reason, sizeof library->reason, "%s", library_reason());
  }
}

const Library& library() {
  static Library one;
  static std::once_flag once;
  std::call_once(once, load, &one);
  return one;
}

constexpr char kContext[] = "cndGL";

cndGL* context_of(nb::handle capsule) {
  void* gl = PyCapsule_GetPointer(capsule.ptr(), kContext);
  if (!gl) {
    throw nb::python_error();
  }
  return static_cast<cndGL*>(gl);
}

[[noreturn]] void raise(const char* text) {
  PyErr_SetString(PyExc_RuntimeError, text);
  nb::raise_python_error();
}

// `backend` as for cnd_makeGL, or None.
nb::object make(nb::handle which, int width, int height) {
  const char* backend = which.is_none() ? nullptr : text_argument(which, "backend");
  char error[kMessageSize] = "";
  cndGL* gl = nullptr;
  engine([&] { gl = RENDER(cnd_makeGL)(backend, width, height, error, sizeof error); }, true);
  if (!gl) {
    raise(error);
  }
  return nb::steal(PyCapsule_New(gl, kContext, nullptr));
}

void make_current(nb::handle capsule) {
  cndGL* gl = capsule.is_none() ? nullptr : context_of(capsule);
  char error[kMessageSize] = "";
  int failed = 0;
  engine([&] { failed = RENDER(cnd_currentGL)(gl, error, sizeof error); });
  if (failed) {
    raise(error);
  }
}

}  // namespace

void* render_function(const char* name) {
  const Library& from = library();
  if (!from.handle) {
    mju_error("%s: this build of condyle does not draw: %s", name, from.reason);
  }
  void* function = library_find(from.handle, name);
  if (!function) {
    mju_error("%s: the library that draws does not have it", name);
  }
  return function;
}

void init_render(nb::module_& module) {
  module.def("_make_gl", make, nb::arg("backend").none(), nb::arg("width"), nb::arg("height"));
  module.def("_current_gl", make_current, nb::arg("gl").none());
  module.def(
      "_backend_gl",
      [](nb::handle capsule) {
        cndGL* gl = context_of(capsule);
        const char* name = nullptr;
        engine([&] { name = RENDER(cnd_backendGL)(gl); });
        return nb::str(name);
      },
      nb::arg("gl"));
  module.def(
      "_free_gl",
      [](nb::handle capsule) {
        cndGL* gl = context_of(capsule);
        // a second call finds another name
        PyCapsule_SetName(capsule.ptr(), "freed");
        engine([=] { RENDER(cnd_freeGL)(gl); });
      },
      nb::arg("gl"));
}
