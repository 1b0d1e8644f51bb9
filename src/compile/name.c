// Names and paths of the model's objects, one after the other.           spec 03, sections 3.2, 3.5
#include <string.h>

#include "compile/compile.h"
#include "model/names.h"

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
  if (bytes > 0x7FFFFFFF || objects > 0x3FFFFFFF) {
    compile_error(c, NULL, "names are too long together");
    return;
  }
  m->nnames = (int)bytes;
  m->nnames_map = 2 * objects;

  // no asset from a file: a single empty path
  m->npaths = 1;
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
  for (int i = 0; i < m->ntex; i++) {
    m->tex_pathadr[i] = -1;
  }
}
