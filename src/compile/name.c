// name.c: writes the names and paths of the model's objects.           theory/model/model.md, Names
#include <string.h>

#include "base/file.h"
#include "base/memory/memory.h"
#include "compile/context.h"
#include "compile/stages.h"
#include "compile/texture/reference.h"
#include "model/names.h"

// File of an asset as its author wrote it, reduced. NULL if it has none. The caller frees it.
static char* asset_path(const Compile* c, const SpecObject* object) {
  const char* file = string_text(spec_file(object));
  file += c->tree->spec.strippath ? path_dirlength(file) : 0;
  return file[0] ? path_join(NULL, file) : NULL;
}

// What a texture that stays in its file says of that: its path, and its media type if given. Each
// ends with a 0. Returns the bytes; writes them, and where they are, unless m is NULL.
static size_t write_reference(const Compile* c, mjModel* m, int id, int64_t start) {
  const SpecObject* object = c->list[mjOBJ_TEXTURE][id];
  const mjString* type = object->as.texture.content_type;
  char* path = texture_path(c, object);
  size_t length = strlen(path) + 1, more = string_empty(type) ? 0 : type->num + 1;
  if (m) {
    m->tex_pathadr[id] = (int)start;
    memcpy(m->paths + start, path, length);
    m->tex_contenttypeadr[id] = more ? (int)start + (int)length : -1;
    memcpy(m->paths + start + length, string_text(type), more);
  }
  heap_free(path);
  return length + more;
}

// Writes paths and their addresses to m, unless m is NULL. Returns their bytes. Without paths there
// is one empty path.
static int64_t write_paths(Compile* c, mjModel* m) {
  const struct {
    mjtObj type;
    int* adr;
  } kinds[] = {
      {mjOBJ_HFIELD, m ? m->hfield_pathadr : NULL},
      {mjOBJ_MESH, m ? m->mesh_pathadr : NULL},
      {mjOBJ_SKIN, m ? m->skin_pathadr : NULL},
      {mjOBJ_TEXTURE, m ? m->tex_pathadr : NULL},
  };
  int64_t bytes = 0;
  for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
    for (int i = 0; i < c->count[kinds[k].type]; i++) {
      if (kinds[k].type == mjOBJ_TEXTURE && texture_isreference(c, c->list[mjOBJ_TEXTURE][i])) {
        bytes += (int64_t)write_reference(c, m, i, bytes);
        continue;
      }
      char* path = asset_path(c, c->list[kinds[k].type][i]);
      size_t length = path ? strlen(path) + 1 : 0;
      if (m) {
        kinds[k].adr[i] = path ? (int)bytes : -1;
        memcpy(m->paths + bytes, path ? path : "", length);
      }
      heap_free(path);
      bytes += (int64_t)length;
    }
  }
  return bytes ? bytes : 1;
}

void compile_namesizes(Compile* c, mjModel* m) {
  int64_t bytes = (int64_t)c->tree->spec.modelname->num + 1;
  int objects = 0;
  for (int k = 0; k < NAMES_KIND_COUNT; k++) {
    NamedKind kind = names_kind(m, k);
    objects += kind.count;
    for (int i = 0; i < kind.count; i++) {
      bytes += (int64_t)c->list[kind.type][i]->name.num + 1;
    }
  }
  int64_t paths = write_paths(c, NULL);
  if (bytes > 0x7FFFFFFF || paths > 0x7FFFFFFF || objects > 0x3FFFFFFF) {
    compile_error(c, NULL, "names are too long together");
    return;
  }
  m->nnames = (int)bytes;
  m->nnames_map = 2 * objects;
  m->npaths = (int)paths;
}

static int append(mjModel* m, int adr, const mjString* name) {
  memcpy(m->names + adr, string_text(name), name->num + 1);
  return adr + (int)name->num + 1;
}

void compile_names(Compile* c) {
  mjModel* m = c->m;
  int adr = append(m, 0, c->tree->spec.modelname);
  for (int k = 0; k < NAMES_KIND_COUNT; k++) {
    NamedKind kind = names_kind(m, k);
    for (int i = 0; i < kind.count; i++) {
      kind.name_adr[i] = adr;
      adr = append(m, adr, &c->list[kind.type][i]->name);
    }
  }
  names_index(m);
  write_paths(c, m);
}
