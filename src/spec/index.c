#include "spec/index.h"

#include <mujoco/mjmodel.h>
#include <string.h>

#include "base/memory.h"

int index_slot(mjtObj type) {
  switch (type) {
    case mjOBJ_XBODY:
      return mjOBJ_BODY;
    case mjOBJ_FRAME:
      return SPEC_SLOT_FRAME;
    case mjOBJ_DEFAULT:
      return SPEC_SLOT_DEFAULT;
    default:
      return type < mjNOBJECT ? (int)type : mjOBJ_UNKNOWN;
  }
}

void index_add(SpecTree* tree, SpecObject* object) {
  if (string_empty(&object->name)) {
    return;
  }
  Hash* index = &tree->index[index_slot(object->element.elemtype)];
  Heap* call = heap_pause();  // if it is refused, the call goes on
  if (hash_add(index, hash_text(spec_name(object)), object)) {
    heap_follow(index->slot, tree);
  } else {
    tree->names_exposed = 1;  // without a table, names are found by searching
  }
  heap_resume(call);
}

void index_remove(SpecTree* tree, SpecObject* object) {
  Hash* index = &tree->index[index_slot(object->element.elemtype)];

  // where its name says
  HashSlot* at = hash_find(index, hash_text(spec_name(object)));
  while (at && at->item != object) {
    at = hash_next(at);
  }

  // or anywhere, if the name was changed by the user
  for (size_t i = 0; !at && tree->names_exposed && i < index->capacity; i++) {
    at = index->slot[i].item == object ? index->slot + i : NULL;
  }
  if (at) {
    hash_remove(index, at);
  }
}

SpecObject* index_find(const SpecTree* tree, mjtObj type, const char* name,
                       const SpecObject* except) {
  if (!name || !name[0]) {
    return NULL;
  }
  const Hash* index = &tree->index[index_slot(type)];
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
