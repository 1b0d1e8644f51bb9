#include "compile/path.h"

#include <stdlib.h>

#include "base/file.h"
#include "model/resource.h"

char* asset_path(const Compile* c, const SpecObject* object, const char* file) {
  const mjsCompiler* options = compile_options(object);
  const mjString* directory =
      object->element.elemtype == mjOBJ_TEXTURE ? options->texturedir : options->meshdir;
  const char* name = c->tree->spec.strippath ? file + path_dirlength(file) : file;
  return resource_path(string_text(directory), name);
}

char* asset_read(size_t* size, Compile* c, const SpecObject* object, const char* file) {
  const SpecTree* tree = object->origin ? object->origin : object->tree;
  char error[200] = "out of memory";
  char* path = asset_path(c, object, file);
  char* content = NULL;
  if (path) {
    content = resource_read(size, c->vfs, string_text(tree->spec.modelfiledir), path, error,
                            sizeof(error));
  }
  if (!content) {
    compile_error(c, object, "Error opening file '%s': %s", path ? path : file, error);
  }
  free(path);
  return content;
}
