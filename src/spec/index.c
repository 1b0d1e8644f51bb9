// index.c: hash tables from names to objects, with a search through all objects as fallback.

#include "spec/index.h"

#include <string.h>

#include "base/memory/memory.h"
#include "spec/visit.h"

void index_add(SpecTree* tree, SpecObject* object) {
  if (string_empty(&object->name)) {
    return;
  }
  Hash* index = &tree->index[object_slot(object->element.elemtype)];
  Heap* call = heap_pause();  // so that running out of memory does not end the call
  if (hash_add(index, hash_text(spec_name(object)), object)) {
    heap_follow(index->slot, tree);
  } else {
    tree->names_exposed = 1;  // incomplete table: find names by searching
  }
  heap_resume(call);
}

void index_remove(SpecTree* tree, SpecObject* object) {
  Hash* index = &tree->index[object_slot(object->element.elemtype)];

  // look under the present name
  HashSlot* at = hash_find(index, hash_text(spec_name(object)));
  while (at && at->item != object) {
    at = hash_next(at);
  }

  // the user may have changed the name: look through all slots
  for (size_t i = 0; !at && tree->names_exposed && i < index->capacity; i++) {
    at = index->slot[i].item == object ? index->slot + i : NULL;
  }
  if (at) {
    hash_remove(index, at);
  }
}

// A registered object of the type with this name other than `except` (may be NULL).
static SpecObject* index_find(const SpecTree* tree, mjtObj type, const char* name,
                              const SpecObject* except) {
  if (!name || !name[0]) {
    return NULL;
  }
  const Hash* index = &tree->index[object_slot(type)];
  for (HashSlot* at = hash_find(index, hash_text(name)); at; at = hash_next(at)) {
    if (at->item != except && strcmp(spec_name(at->item), name) == 0) {
      return at->item;
    }
  }
  if (tree->names_exposed) {
    for (SPEC_EACH(it, tree, type == mjOBJ_XBODY ? mjOBJ_BODY : type)) {
      if (it != except && strcmp(spec_name(it), name) == 0) {
        return it;
      }
    }
  }
  return NULL;
}

int spec_rename(SpecObject* object, const char* name) {
  SpecTree* tree = object->tree;
  if (object->registered) {
    index_remove(tree, object);
  }
  int ok = string_set(&object->name, name);
  if (object->registered) {
    index_add(tree, object);
    ok = ok && !index_find(tree, object->element.elemtype, name, object);
  }
  return ok;
}

const char* spec_name(const SpecObject* object) {
  return string_text(&object->name);
}

const char* spec_intern(SpecTree* tree, const char* text) {
  if (!text || !text[0]) {
    return "";
  }
  uint64_t hash = hash_text(text);
  for (HashSlot* at = hash_find(&tree->interned, hash); at; at = hash_next(at)) {
    if (strcmp(at->item, text) == 0) {
      return at->item;
    }
  }
  size_t bytes = strlen(text) + 1;
  char* copy = heap_take(bytes);
  if (!copy || !hash_add(&tree->interned, hash, copy)) {
    heap_free(copy);
    return NULL;
  }
  heap_follow(copy, tree);
  heap_follow(tree->interned.slot, tree);
  return memcpy(copy, text, bytes);
}

void index_free(SpecTree* tree) {
  for (int i = 0; i < SPEC_NSLOT; i++) {
    hash_clear(&tree->index[i]);
  }
  for (size_t i = 0; i < tree->interned.capacity; i++) {
    heap_free(tree->interned.slot[i].item);
  }
  hash_clear(&tree->interned);
}

// The start and length of the name that an asset gets from its file.
static const char* file_name(int* length, const char* file) {
  const char* base = file;
  for (const char* c = file; *c; c++) {
    base = *c == '/' || *c == '\\' ? c + 1 : base;
  }
  const char* dot = strrchr(base, '.');
  *length = (int)(dot ? dot - base : (ptrdiff_t)strlen(base));
  return base;
}

int spec_filename(mjString* out, const char* file) {
  int length;
  const char* base = file_name(&length, file);
  return string_format(out, "%.*s", length, base);
}

const mjString* spec_file(const SpecObject* object) {
  switch (object->element.elemtype) {
    case mjOBJ_MESH:
      return object->as.mesh.file;
    case mjOBJ_TEXTURE:
      return object->as.texture.file;
    case mjOBJ_HFIELD:
      return object->as.hfield.file;
    case mjOBJ_SKIN:
      return object->as.skin.file;
    default:
      return NULL;
  }
}

SpecObject* spec_find(const SpecTree* tree, mjtObj type, const char* name) {
  SpecObject* found = index_find(tree, type, name, NULL);
  int asset =
      type == mjOBJ_MESH || type == mjOBJ_TEXTURE || type == mjOBJ_HFIELD || type == mjOBJ_SKIN;
  if (found || !asset || !name || !name[0]) {
    return found;
  }

  // an unnamed asset is found by the name that it will get from its file
  for (SPEC_EACH(it, tree, type)) {
    const mjString* file = spec_file(it);
    if (string_empty(&it->name) && !string_empty(file)) {
      int length;
      const char* base = file_name(&length, string_text(file));
      if (strlen(name) == (size_t)length && strncmp(base, name, (size_t)length) == 0) {
        return it;
      }
    }
  }
  return NULL;
}

SpecObject* spec_class(const SpecTree* tree, const char* name) {
  return spec_find(tree, mjOBJ_DEFAULT, name);
}

SpecObject* spec_bodyclass(const SpecObject* body) {
  SpecObject* cls = spec_class(body->tree, string_text(body->as.body.childclass));
  return cls ? cls : body->tree->main_class;
}
