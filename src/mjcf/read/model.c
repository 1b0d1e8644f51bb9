// model.c: reads a model that is an asset of another model, as if it were the only one.
// [theory/model/format.md, Models in models]

#include "mjcf/read/model.h"

#include <mujoco/api/spec.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/text/text.h"
#include "mjcf/load.h"
#include "mjcf/read/submodel.h"
#include "model/files/resource.h"
#include "spec/spec.h"

// Is the path that of a model that is being read? If not, sets depth to the number of models
// around.
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

// Adds the problems of a sub-model: its first error at the asset, then all of them.
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
  } else if (depth >= SUBMODEL_MAX_DEPTH || !submodels_count(reader->submodels)) {
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
    submodels_add(reader->submodels, node, name ? name : mjs_getString(spec->modelname), spec);
  }
  heap_free(file);
}
