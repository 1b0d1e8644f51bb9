// reference.c: which textures stay in their files. theory/model/textures.md, Textures by reference

#include "compile/texture/reference.h"

#include "base/memory/memory.h"
#include "compile/asset_file.h"
#include "model/files/locate.h"

// Can a program find the pixels without the compiler: one whole picture, and not in memory?
static int is_readable(const Compile* c, const SpecObject* object) {
  const mjsTexture* spec = &object->as.texture;
  if (spec->data->num || spec->builtin != mjBUILTIN_NONE || string_empty(spec->file) ||
      spec->hflip || spec->vflip || spec->gridsize[0] != 1 || spec->gridsize[1] != 1) {
    return 0;
  }
  AssetFile file;
  Located located;
  asset_locate(&file, c, object, string_text(spec->file));
  locate(&located, file.vfs, file.directory, file.name);
  int in_memory = located.kind == LOCATED_MEMORY;
  located_free(&located);
  asset_closefile(&file);
  return !in_memory;
}

int texture_isreference(Compile* c, const SpecObject* object) {
  const mjsTexture* spec = &object->as.texture;
  int passes = (compile_options(object)->passthrough & mjPASSTHROUGH_TEXTURES) != 0;
  if (spec->embed == mjEMBED_TRUE || (spec->embed == mjEMBED_AUTO && !passes)) {
    return 0;
  }
  int readable = is_readable(c, object);
  if (!readable && spec->embed == mjEMBED_FALSE) {
    compile_error(c, object,
                  "texture '%s' has embed \"false\", but is not one whole picture in a file",
                  spec_name(object));
  }
  return readable;
}

char* texture_path(const Compile* c, const SpecObject* object) {
  AssetFile file;
  asset_locate(&file, c, object, string_text(object->as.texture.file));
  char* path = file.path;
  file.path = NULL;
  asset_closefile(&file);
  return path;
}
