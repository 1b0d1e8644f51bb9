// submodel.c: keeps the models of <asset><model> and attaches them.

#include "mjcf/read/submodel.h"

#include <mujoco/api/spec.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/memory.h"
#include "spec/spec.h"

enum {
  NAME_BYTES = 1000,
};

typedef struct Submodel_ {
  char* name;
  mjSpec* spec;
  const Node* node;  // the asset
  int attached;      // 1 if it was attached
  struct Submodel_* next;
} Submodel;

struct Submodels_ {
  Submodel* first;  // in document order; the first model of a name is used
  Submodel** end;
  int* count;  // number of models read for the outermost document
  int own;     // the counter of the outermost document
};

Submodels* submodels_make(const Reader* outer) {
  Submodels* submodels = heap_zero(1, sizeof(Submodels));
  submodels->end = &submodels->first;
  submodels->count = outer ? outer->submodels->count : &submodels->own;
  return submodels;
}

void submodels_free(Submodels* submodels) {
  for (Submodel* it = submodels->first; it;) {
    Submodel* next = it->next;
    mj_deleteSpec(it->spec);
    heap_free(it->name);
    heap_free(it);
    it = next;
  }
  heap_free(submodels);
}

void submodels_noteunattached(const Submodels* submodels, mjSpec* spec) {
  for (const Submodel* it = submodels->first; it; it = it->next) {
    if (!it->attached) {
      spec_addunattached(spec_tree(spec), it->name, node_place(it->node, NULL));
    }
  }
}

int submodels_count(Submodels* submodels) {
  return ++*submodels->count <= SUBMODEL_MAX_COUNT;
}

// Finds a model by name and marks it as attached.
static mjSpec* find(Submodels* submodels, const char* name) {
  for (Submodel* it = submodels->first; it; it = it->next) {
    if (strcmp(it->name, name) == 0) {
      it->attached = 1;
      return it->spec;
    }
  }
  return NULL;
}

void submodels_add(Submodels* submodels, const Node* node, const char* name, mjSpec* spec) {
  Submodel* submodel = heap_zero(1, sizeof(Submodel));
  size_t bytes = strlen(name) + 1;
  char* copy = heap_take(bytes);
  *submodel = (Submodel){.name = memcpy(copy, name, bytes), .spec = spec, .node = node};
  *submodels->end = submodel;
  submodels->end = &submodel->next;
}

int read_fits(const Reader* reader, const Node* node, double elements, double copies) {
  double total = elements * copies;
  const SpecTree* tree = spec_tree(reader->spec);
  for (int type = 0; type < SPEC_NSLOT; type++) {
    total += tree->count[type];
  }
  if (total > READ_MAX_ELEMENTS) {
    values_error(reader, node, NULL, NULL, "the model would have more than %d elements",
                 READ_MAX_ELEMENTS);
    return 0;
  }
  return 1;
}

static double count_all(const mjSpec* spec) {
  double count = 0;
  for (int type = 0; type < SPEC_NSLOT; type++) {
    count += spec_tree(spec)->count[type];
  }
  return count;
}

// Moves a body that is in the model already into the frame.
static void move(const Reader* reader, const Node* node, mjsBody* there, mjsFrame* frame) {
  if (mjs_setFrame(there->element, frame) != 0) {
    const SpecObject* body = spec_object(there->element);
    const SpecObject* around = spec_object(frame->element)->parent;
    values_error(reader, node, "prefix",
                 "another prefix makes a second body; without one that body would move into this "
                 "frame",
                 "Frame and body '%s' have mismatched parents: a body of this name is in body '%s' "
                 "already%s, this frame is in '%s'",
                 spec_name(body), body->parent ? spec_name(body->parent) : "",
                 spec_placetext(NULL, body).text, around ? spec_name(around) : "");
  }
}

void read_attach(const Reader* reader, const Node* node, mjsBody* body, mjsFrame* frame) {
  values_read(reader, node, NULL);
  const char *model = values_text(node, "model"), *prefix = values_text(node, "prefix");
  const char* name = values_text(node, "body");
  if (!model || !prefix) {
    return;
  }
  mjSpec* child = find(reader->submodels, model);
  if (!child) {
    values_error(reader, node, "model", "name an <asset><model>", "could not find model '%s'",
                 model);
    return;
  }
  char named[NAME_BYTES];
  snprintf(named, sizeof(named), "%s%s", prefix, name ? name : "");
  mjsBody* there = name && name[0] ? mjs_findBody(reader->spec, named) : NULL;
  mjsBody* part = name && name[0] ? mjs_findBody(child, name) : NULL;
  if (!there && name && name[0] && !part) {
    values_error(reader, node, "body", NULL, "could not find body '%s'", name);
    return;
  }
  if (!there && !read_fits(reader, node, count_all(child), 1)) {
    return;
  }
  if (!frame) {
    frame = mjs_addFrame(body, NULL);
  }
  if (there) {
    move(reader, node, there, frame);
    return;
  }

  SpecTree* tree = spec_tree(reader->spec);
  spec_clearerrors(tree);

  // make keys of the child's own attachments now, so that none are pending
  spec_flushkeys(spec_tree(child));
  mjs_setDeepCopy(reader->spec, 1);
  const mjsElement* what = part ? part->element : child->element;
  if (!mjs_attach(frame->element, what, prefix, "")) {
    values_error(reader, node, NULL, NULL, "%s", mjs_getError(reader->spec));
  }
  mjs_setDeepCopy(reader->spec, 0);
}
