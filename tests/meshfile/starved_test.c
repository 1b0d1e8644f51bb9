// Reading a mesh file with too little memory ends in an error that says so, and loses nothing.

#include "base/file.h"
#include "base/memory/memory.h"
#include "meshfile/meshfile.h"
#include "support/starve.h"

typedef struct Given_ {
  const char* name;
  char* bytes;
  size_t size;
} Given;

// A mesh gets its own bytes as its materials.
static int give_same(void* user, const char* name, const void** bytes, size_t* size) {
  const Given* given = user;
  *bytes = given->bytes;
  *size = given->size;
  return name[0] != 0;
}

static int read_given(void* argument) {
  Given* given = argument;
  char error[300] = "";
  const MeshFileAccess access = {give_same, given};
  MeshFile* file =
      meshfile_read(given->name, given->bytes, given->size, &access, error, sizeof(error));
  meshfile_free(file);
  return starve_outcome(file != NULL, error);
}

static const char* const files[] = {"dae/all.dae",       "gltf/image.gltf",    "glb/all.glb",
                                    "ply/big.ply",       "plytext/all.ply",    "objparts/all.obj",
                                    "stlparts/text.stl", "stlparts/viscam.stl"};

TEST_EACH(reads_or_has_no_memory, files) {
  STARVE_OR_SKIP();
  char path[300], error[200];
  snprintf(path, sizeof(path), "%s/tests/fuzz/corpus/%s", CONDYLE_SOURCE_DIR, text);
  Given given = {.name = text};
  given.bytes = file_read(&given.size, path, error, sizeof(error));
  assert_non_null(given.bytes);
  starve_each(read_given, &given);
  heap_free(given.bytes);
}
