// submodel.c: keeps the models of <asset><model> and attaches them.

#include "mjcf/read/submodel.h"

#include <mujoco/api/spec.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/memory.h"
#include "spec/attach.h"
#include "spec/setting/authored.h"
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

// What an <attach> asks for.
typedef struct Request_ {
  const Reader* reader;
  const Node* node;
  mjSpec* from;        // the model that has the part: a sub-model, or the model itself
  const char* prefix;  // of all names
  mjtObj type;         // body or frame, if only a part is attached
  const char* name;    // its name; "" for all of a sub-model
} Request;

static int refuse(const Request* request, const char* attribute, const char* hint,
                  const char* message, const char* name) {
  values_error(request->reader, request->node, attribute, hint, message, name);
  return 0;
}

// Reads what is asked for. Returns 0 if it makes no sense.
static int read_request(Request* request) {
  const Node* node = request->node;
  const char *model = values_text(node, "model"), *body = values_text(node, "body");
  const char* frame = values_text(node, "frame");
  int has_body = body && body[0], has_frame = frame && frame[0];
  request->prefix = values_text(node, "prefix");
  request->type = has_frame ? mjOBJ_FRAME : mjOBJ_BODY;
  request->name = has_frame ? frame : has_body ? body : "";
  if (!request->prefix) {
    return 0;
  }
  if (has_body && has_frame) {
    return refuse(request, "frame", NULL, "at most one of 'body', 'frame' can be specified%s", "");
  }
  request->from = model ? find(request->reader->submodels, model) : request->reader->spec;
  if (!request->from) {
    return refuse(request, "model", "name an <asset><model>", "could not find model '%s'", model);
  }
  return model || has_body || has_frame ||
         refuse(request, NULL, "or name the model to attach",
                "either 'body' or 'frame' attribute must be specified for self-attach%s", "");
}

// The part that is asked for; NULL, with an error, if there is none.
static const mjsElement* find_part(const Request* request) {
  if (!request->name[0]) {
    return request->from->element;
  }
  const SpecObject* part = spec_find(spec_tree(request->from), request->type, request->name);
  const char* type = spec_typename(request->type);
  if (!part && request->from != request->reader->spec) {
    values_error(request->reader, request->node, type, NULL, "could not find %s '%s'", type,
                 request->name);
  } else if (!part) {
    values_error(request->reader, request->node, type, "it must stand before",
                 "could not find %s '%s' in the current model for self-attachment", type,
                 request->name);
  }
  return part ? &part->element : NULL;
}

// Attaches the part; differences of settings are told if the model says what becomes of them.
static void attach(const Request* request, const mjsElement* part, mjsFrame* frame) {
  SpecTree* tree = spec_tree(request->reader->spec);
  spec_clearerrors(tree);

  // make keys of the child's own attachments now, so that none are pending
  spec_flushkeys(spec_tree(request->from));
  size_t nconflict = tree->conflicts.num;
  mjs_setDeepCopy(&tree->spec, 1);
  if (!spec_attach(spec_object(frame->element), spec_object(part), request->prefix, "",
                   request->from != &tree->spec)) {
    values_error(request->reader, request->node, NULL, NULL, "%s", mjs_getError(&tree->spec));
  }
  mjs_setDeepCopy(&tree->spec, 0);
  if (tree->conflicts.num > nconflict && authored_conflict(tree)) {
    node_report(request->node, NULL, request->reader->problems, cndSEVERITY_WARNING, NULL, "%s",
                string_text(&tree->conflicts.ptr[nconflict]));
  }
}

void read_attach(const Reader* reader, const Node* node, mjsBody* body, mjsFrame* frame) {
  Request request = {.reader = reader, .node = node};
  values_read(reader, node, NULL);
  if (!read_request(&request)) {
    return;
  }
  SpecTree* tree = spec_tree(reader->spec);
  int own = request.from == reader->spec;
  char named[NAME_BYTES];
  snprintf(named, sizeof(named), "%s%s", request.prefix, request.name);
  SpecObject* there = request.name[0] ? spec_find(tree, request.type, named) : NULL;
  int moves = there && !own && request.type == mjOBJ_BODY;
  const mjsElement* part = moves ? &there->element : find_part(&request);
  if (!part || (!moves && !read_fits(reader, node, count_all(request.from), 1))) {
    return;
  }
  if (there && own) {
    values_error(reader, node, "prefix", NULL, "cannot self-attach: element %s already exists",
                 named);
    return;
  }
  if (!frame) {
    frame = mjs_addFrame(body, NULL);
  }
  if (moves) {
    move(reader, node, &there->as.body, frame);
  } else {
    attach(&request, part, frame);
  }
}
