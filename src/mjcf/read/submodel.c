#include "mjcf/read/submodel.h"

#include <mujoco/api/spec.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "mjcf/load.h"
#include "mjcf/read/read.h"
#include "model/resource.h"
#include "spec/spec.h"

enum {
  NAME_BYTES = 1000,
};

typedef struct Submodel_ {
  char* name;
  mjSpec* spec;
  const Node* node;  // the asset
  int attached;      // at least once
  struct Submodel_* next;
} Submodel;

struct Submodels_ {
  Submodel* first;  // in order of the document: the first of a name is found
  Submodel** end;
  int* count;  // models read for the outermost document
  int own;     // where the outermost counts
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

// Finds a model that is about to be attached.
static mjSpec* find(Submodels* submodels, const char* name) {
  for (Submodel* it = submodels->first; it; it = it->next) {
    if (strcmp(it->name, name) == 0) {
      it->attached = 1;
      return it->spec;
    }
  }
  return NULL;
}

// Takes ownership of the spec.
static void add(Submodels* submodels, const Node* node, const char* name, mjSpec* spec) {
  Submodel* submodel = heap_zero(1, sizeof(Submodel));
  size_t bytes = strlen(name) + 1;
  char* copy = heap_take(bytes);
  *submodel = (Submodel){.name = memcpy(copy, name, bytes), .spec = spec, .node = node};
  *submodels->end = submodel;
  submodels->end = &submodel->next;
}

// Is the path that of a model being read? Its depth, else.
static int is_open(int* depth, const Reader* reader, const char* path) {
  *depth = 0;
  for (; reader; reader = reader->outer, ++*depth) {
    const char* file = document_file(reader->document, 0);
    if (file && strcmp(file, path) == 0) {
      return 1;
    }
  }
  return 0;
}

// Adds what was wrong with a sub-model: its first error at the asset, then all of it.
static void report_all(const Reader* reader, const Node* node, const cndDiagnostics* problems) {
  const cndDiagnostic* first = diagnostic_first(problems, cndSEVERITY_ERROR);
  if (first) {
    char place[400];
    snprintf(place, sizeof(place), "in %s:%d:%d", first->file, first->line, first->column);
    values_error(reader, node, "file", first->line ? place : NULL,
                 "could not parse model file with error: %s: %s",
                 first->line ? "XML Error" : "ParseXML", first->message);
  }
  int count = cnd_diagnosticCount(problems, cndSEVERITY_WARNING);
  for (int i = 0; i < count; i++) {
    const cndDiagnostic* it = cnd_diagnostic(problems, i);
    SourcePlace place = {it->file, it->line, it->column};
    diagnostic_add(reader->problems, it->severity, place, it->element, it->hint, "%s", it->message);
  }
}

static mjSpec* load(const Reader* reader, const Node* node, const char* file) {
  char* path = resource_path(document_directory(reader->document), file);
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjSpec* spec = NULL;
  int depth;
  if (!path || !problems) {
    values_error(reader, node, "file", NULL, "out of memory");
  } else if (is_open(&depth, reader, path)) {
    values_error(reader, node, "file", NULL,
                 "could not parse model file with error: model '%s' contains itself", file);
  } else if (depth >= SUBMODEL_MAX_DEPTH || ++*reader->submodels->count > SUBMODEL_MAX_COUNT) {
    values_error(reader, node, "file", NULL,
                 "could not parse model file with error: too many models in models");
  } else {
    Input input = {.file = file,
                   .directory = document_directory(reader->document),
                   .vfs = reader->vfs,
                   .outer = reader};
    spec = load_parse(&input, problems);
    report_all(reader, node, problems);
  }
  cnd_deleteDiagnostics(problems);
  heap_free(path);
  return spec;
}

void read_model(const Reader* reader, const Node* node) {
  values_read(reader, node, NULL);
  const char *type = values_text(node, "content_type"), *name = values_text(node, "name");
  if (type && type[0] && !text_equal(type, "text/xml")) {
    values_error(reader, node, "content_type", NULL, "unsupported content_type: %s", type);
    return;
  }
  char* file = values_file(reader, node, "file");
  if (file && !file[0]) {
    values_error(reader, node, "file", NULL,
                 "could not parse model file with error: ParseXML: Error opening file ''");
  }
  mjSpec* spec = file && file[0] ? load(reader, node, file) : NULL;
  if (spec) {
    if (name) {
      mjs_setString(spec->modelname, name);
    }
    spec_hold(spec_tree(reader->spec), spec_tree(spec));
    add(reader->submodels, node, name ? name : mjs_getString(spec->modelname), spec);
  }
  heap_free(file);
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

// What is there already only moves into the frame.
static void move(const Reader* reader, const Node* node, mjsBody* there, mjsFrame* frame) {
  if (mjs_setFrame(there->element, frame) != 0) {
    values_error(reader, node, NULL, NULL, "Frame and body '%s' have mismatched parents",
                 spec_name(spec_object(there->element)));
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

  // what the child's own file attaches is no news for its reader: nothing is pending
  spec_flushkeys(spec_tree(child));
  mjs_setDeepCopy(reader->spec, 1);
  const mjsElement* what = part ? part->element : child->element;
  if (!mjs_attach(frame->element, what, prefix, "")) {
    values_error(reader, node, NULL, NULL, "%s", mjs_getError(reader->spec));
  }
  mjs_setDeepCopy(reader->spec, 0);
}
