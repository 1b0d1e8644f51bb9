// Open addressing with linear probing; a removal moves later entries of the run back, so there are
// no tombstones.

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

// FNV-1a
static uint64_t hash_text(const char* text) {
  uint64_t hash = 14695981039346656037u;
  for (; *text; text++) {
    hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  }
  return hash;
}

static void place(SpecIndex* index, SpecObject* object, uint64_t hash) {
  size_t mask = (size_t)index->capacity - 1;
  size_t i = (size_t)hash & mask;
  while (index->slot[i].object) {
    i = (i + 1) & mask;
  }
  index->slot[i] = (SpecIndexSlot){object, hash};
}

// Keeps the table at most half full; 0 if memory is out.
static int make_room(SpecIndex* index) {
  if (2 * (index->count + 1) <= index->capacity) {
    return 1;
  }
  SpecIndex larger = {NULL, index->capacity ? 2 * index->capacity : 16, index->count};
  larger.slot = heap_zero((size_t)larger.capacity, sizeof(SpecIndexSlot));
  if (!larger.slot) {
    return 0;
  }
  for (int i = 0; i < index->capacity; i++) {
    if (index->slot[i].object) {
      place(&larger, index->slot[i].object, index->slot[i].hash);
    }
  }
  heap_free(index->slot);
  *index = larger;
  return 1;
}

void index_add(SpecTree* tree, SpecObject* object) {
  if (string_empty(&object->name)) {
    return;
  }
  SpecIndex* index = &tree->index[index_slot(object->element.elemtype)];
  if (!make_room(index)) {
    tree->names_exposed = 1;  // without a table, names are found by searching
    return;
  }
  place(index, object, hash_text(spec_name(object)));
  index->count++;
}

// Takes out entry i and closes the gap: each later entry of the run moves back unless that would
// put it before its home.
static void remove_at(SpecIndex* index, size_t i) {
  size_t mask = (size_t)index->capacity - 1;
  for (size_t j = (i + 1) & mask; index->slot[j].object; j = (j + 1) & mask) {
    size_t home = (size_t)index->slot[j].hash & mask;
    if (((j - home) & mask) >= ((j - i) & mask)) {
      index->slot[i] = index->slot[j];
      i = j;
    }
  }
  index->slot[i].object = NULL;
  index->count--;
}

void index_remove(SpecTree* tree, SpecObject* object) {
  SpecIndex* index = &tree->index[index_slot(object->element.elemtype)];
  if (index->count == 0) {
    return;
  }

  // where its name says
  size_t mask = (size_t)index->capacity - 1;
  for (size_t i = (size_t)hash_text(spec_name(object)) & mask; index->slot[i].object;
       i = (i + 1) & mask) {
    if (index->slot[i].object == object) {
      remove_at(index, i);
      return;
    }
  }

  // or anywhere, if the name was changed by the user
  if (tree->names_exposed) {
    for (size_t i = 0; i <= mask; i++) {
      if (index->slot[i].object == object) {
        remove_at(index, i);
        return;
      }
    }
  }
}

SpecObject* index_find(const SpecTree* tree, mjtObj type, const char* name,
                       const SpecObject* except) {
  if (!name || !name[0]) {
    return NULL;
  }
  const SpecIndex* index = &tree->index[index_slot(type)];
  if (index->count) {
    size_t mask = (size_t)index->capacity - 1;
    uint64_t hash = hash_text(name);
    for (size_t i = (size_t)hash & mask; index->slot[i].object; i = (i + 1) & mask) {
      const SpecIndexSlot* slot = index->slot + i;
      if (slot->hash == hash && slot->object != except &&
          strcmp(spec_name(slot->object), name) == 0) {
        return slot->object;
      }
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

// Where a text is in a table of them, or, if it is not in it, where it belongs.
static char** interned_slot(char** slot, int capacity, const char* text) {
  size_t mask = (size_t)capacity - 1, i = (size_t)hash_text(text) & mask;
  while (slot[i] && strcmp(slot[i], text) != 0) {
    i = (i + 1) & mask;
  }
  return slot + i;
}

const char* spec_intern(SpecTree* tree, const char* text) {
  if (!text || !text[0]) {
    return "";
  }

  // keep the table at most half full
  if (2 * (tree->interned.count + 1) > tree->interned.capacity) {
    int capacity = tree->interned.capacity ? 2 * tree->interned.capacity : 16;
    char** larger = heap_zero((size_t)capacity, sizeof(char*));
    if (!larger) {
      return NULL;
    }
    for (int i = 0; i < tree->interned.capacity; i++) {
      char* old = tree->interned.slot[i];
      if (old) {
        *interned_slot(larger, capacity, old) = old;
      }
    }
    heap_free(tree->interned.slot);
    tree->interned.slot = larger;
    tree->interned.capacity = capacity;
  }

  char** slot = interned_slot(tree->interned.slot, tree->interned.capacity, text);
  if (*slot) {
    return *slot;
  }
  size_t length = strlen(text);
  char* copy = heap_take(length + 1);
  if (!copy) {
    return NULL;
  }
  memcpy(copy, text, length + 1);
  *slot = copy;
  tree->interned.count++;
  return copy;
}

void index_free(SpecTree* tree) {
  for (int i = 0; i < SPEC_NSLOT; i++) {
    heap_free(tree->index[i].slot);
  }
  for (int i = 0; i < tree->interned.capacity; i++) {
    heap_free(tree->interned.slot[i]);
  }
  heap_free(tree->interned.slot);
}
