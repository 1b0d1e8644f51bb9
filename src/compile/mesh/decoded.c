// decoded.c: meshes of formats that a program reads itself.   theory/model/format.md, Other formats

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/spec.h>

#include "base/memory/error.h"
#include "compile/mesh/steps.h"
#include "model/files/coder.h"
#include "spec/vector.h"

typedef struct Decoding_ {
  Mesh* mesh;
  const MeshRequest* request;
  const mjpDecoder* decoder;
  mjResource* resource;
  mjSpec* spec;
} Decoding;

// Takes over the first mesh that the decoder made.
static void take_decoded(void* argument) {
  Decoding* decoding = argument;
  const AssetFile* file = decoding->request->file;
  char reason[300] = "";
  Heap* heap = heap_pause();
  decoding->spec =
      decoding->decoder->decode(decoding->resource, file->vfs, reason, (int)sizeof(reason));
  heap_resume(heap);
  if (!decoding->spec) {
    mju_error("%s", reason[0] ? reason : "the decoder could not read the file");
  }
  const mjsMesh* made = mjs_asMesh(mjs_firstElement(decoding->spec, mjOBJ_MESH));
  if (!made) {
    mju_error("the decoder found no mesh in '%s'", file->shown);
  }
  MeshRequest lists = *decoding->request;
  lists.spec = made;
  mesh_addinline(decoding->mesh, &lists);
}

void mesh_readdecoded(Mesh* mesh, const MeshRequest* request) {
  const AssetFile* file = request->file;
  char error[300] = "";
  Heap* heap = heap_pause();
  mjResource* resource =
      mju_openResource(file->directory, file->name, file->vfs, error, sizeof(error));
  heap_resume(heap);
  if (!resource) {
    mju_error("%s", error);
  }
  const mjpDecoder* decoder = coder_finddecoder(resource, string_text(request->spec->content_type));
  Decoding decoding = {mesh, request, decoder, resource, NULL};
  int failed = decoder && error_catch(error, (int)sizeof(error), take_decoded, &decoding);
  mj_deleteSpec(decoding.spec);
  mju_closeResource(resource);
  if (!decoder) {
    mju_error("no decoder found for mesh file '%s'", file->shown);
  }
  if (failed) {
    mju_error("%s", error);
  }
}
