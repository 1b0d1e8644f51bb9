// The public ways in: a file or a text, to an editable or a compiled model, with one error or with
// all of them.

#include <condyle/load.h>

#include "compile/compile.h"
#include "mjcf/check.h"
#include "mjcf/load.h"
#include "mjcf/read.h"
#include "mjcf/submodel.h"
#include "spec/spec.h"

static void add_error(cndDiagnostics* problems, const Input* input, const char* message) {
  SourcePlace place = {input->file, 0, 0};
  diagnostic_add(problems, cndSEVERITY_ERROR, place, NULL, NULL, "%s", message);
}

mjSpec* load_parse(const Input* input, cndDiagnostics* problems) {
  int before = cnd_diagnosticCount(problems, cndSEVERITY_ERROR);
  if (!input->file && !input->text) {
    add_error(problems, input, "no file name and no text given");
    return NULL;
  }
  Document* document = input->file
                           ? document_readfile(input->directory, input->file, input->vfs, problems)
                           : document_readtext(input->text, "", input->vfs, problems);
  if (!document) {
    return NULL;
  }
  mjSpec* spec = NULL;
  if (check_document(document_root(document), problems)) {
    spec = mj_makeSpec();
  }
  Submodels* submodels = spec ? submodels_make(input->outer) : NULL;
  if (submodels) {
    Reader reader = {.spec = spec,
                     .document = document,
                     .problems = problems,
                     .vfs = input->vfs,
                     .submodels = submodels,
                     .outer = input->outer};
    read_document(&reader);
    submodels_noteunattached(submodels, spec);
  } else if (spec) {
    add_error(problems, input, "out of memory");
  }
  submodels_free(submodels);
  document_free(document);
  if (spec && cnd_diagnosticCount(problems, cndSEVERITY_ERROR) > before) {
    mj_deleteSpec(spec);
    spec = NULL;
  }
  return spec;
}

// Reads and compiles; the compiler adds its problems to the same list, which the tree only borrows.
static mjModel* load(const Input* input, cndDiagnostics* problems) {
  mjSpec* spec = load_parse(input, problems);
  if (!spec) {
    return NULL;
  }
  SpecTree* tree = spec_tree(spec);
  tree->diagnostics = problems;
  mjModel* model = compile_tree(tree, input->vfs);
  tree->diagnostics = NULL;
  if (model && input->keep) {
    write_keeplast(spec);
  } else {
    mj_deleteSpec(spec);
  }
  return model;
}

// Writes the first error, if there is none the first warning, else nothing.
static void write_first(char* error, int size, const cndDiagnostics* problems) {
  if (!error || size < 1) {
    return;
  }
  const cndDiagnostic* first = diagnostic_first(problems, cndSEVERITY_ERROR);
  if (!first) {
    first = diagnostic_first(problems, cndSEVERITY_WARNING);
  }
  error[0] = 0;
  if (first) {
    cnd_formatDiagnostic(error, size, first);
  }
}

static mjSpec* parse_withtext(const Input* input, char* error, int error_sz) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjSpec* spec = problems ? load_parse(input, problems) : NULL;
  write_first(error, error_sz, problems);
  cnd_deleteDiagnostics(problems);
  return spec;
}

// The same into a list that may be NULL: counting errors needs one of our own then.
static mjSpec* parse_intolist(const Input* input, cndDiagnostics* diagnostics) {
  return diagnostics ? load_parse(input, diagnostics) : parse_withtext(input, NULL, 0);
}

static mjModel* load_withtext(const Input* input, char* error, int error_sz) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjModel* model = problems ? load(input, problems) : NULL;
  write_first(error, error_sz, problems);
  cnd_deleteDiagnostics(problems);
  return model;
}

static mjModel* load_intolist(const Input* input, cndDiagnostics* diagnostics) {
  return diagnostics ? load(input, diagnostics) : load_withtext(input, NULL, 0);
}

mjModel* mj_loadXML(const char* filename, const mjVFS* vfs, char* error, int error_sz) {
  return load_withtext(&(Input){.file = filename, .vfs = vfs, .keep = 1}, error, error_sz);
}

mjSpec* mj_parseXML(const char* filename, const mjVFS* vfs, char* error, int error_sz) {
  return parse_withtext(&(Input){.file = filename, .vfs = vfs}, error, error_sz);
}

mjSpec* mj_parseXMLString(const char* xml, const mjVFS* vfs, char* error, int error_sz) {
  return parse_withtext(&(Input){.text = xml, .vfs = vfs}, error, error_sz);
}

mjSpec* cnd_parseXML(const char* file, const mjVFS* vfs, cndDiagnostics* diagnostics) {
  return parse_intolist(&(Input){.file = file, .vfs = vfs}, diagnostics);
}

mjSpec* cnd_parseXMLString(const char* xml, const mjVFS* vfs, cndDiagnostics* diagnostics) {
  return parse_intolist(&(Input){.text = xml, .vfs = vfs}, diagnostics);
}

mjModel* cnd_loadXML(const char* file, const mjVFS* vfs, cndDiagnostics* diagnostics) {
  return load_intolist(&(Input){.file = file, .vfs = vfs}, diagnostics);
}

mjModel* cnd_loadXMLString(const char* xml, const mjVFS* vfs, cndDiagnostics* diagnostics) {
  return load_intolist(&(Input){.text = xml, .vfs = vfs}, diagnostics);
}
