// pending.c: freeing pending keys, and removing deleted elements from them.

#include "spec/pending.h"

#include "base/memory/memory.h"

void pending_drop(SpecPendingKey* pending, size_t from) {
  for (size_t i = from; i < pending->npart; i++) {
    vector_clear((Vector*)&pending->part[i].values, VECTOR_DOUBLES);
  }
  pending->npart = from;
}

void pending_free(SpecPendingKey* pending) {
  pending_drop(pending, 0);
  heap_free(pending->part);
  string_clear(&pending->name);
  heap_free(pending);
}

void pending_forget(SpecTree* tree, const SpecObject* object) {
  for (SpecPendingKey** link = &tree->pending; *link;) {
    SpecPendingKey* pending = *link;
    if (!object || pending->key == object) {
      *link = pending->next;
      pending_free(pending);
      continue;
    }
    for (size_t i = 0; i < pending->npart; i++) {
      if (pending->part[i].object == object) {
        pending->part[i].object = NULL;
      }
    }
    link = &pending->next;
  }
}
