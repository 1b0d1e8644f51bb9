// load.c: the public functions that read a file or a text to an editable or compiled model, with
// the first error or with all of them.

#include <condyle/load.h>
#include <mujoco/api/base.h>
#include <mujoco/api/mjcf.h>
#include <mujoco/api/model.h>
#include <mujoco/api/spec.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory/error.h"
#include "compile/compile.h"
#include "mjcf/check.h"
#include "mjcf/load.h"
#include "mjcf/read.h"
#include "mjcf/read/submodel.h"
#include "mjcf/urdf/sdf.h"
#include "mjcf/write/write.h"
#include "model/behaviour.h"
#include "model/files/resource.h"
#include "spec/spec.h"

static void add_error(cndDiagnostics* problems, const Input* input, const char* message) {
  SourcePlace place = {input->file, 0, 0};
  diagnostic_add(problems, cndSEVERITY_ERROR, place, NULL, NULL, "%s", message);
}

typedef struct Parsing_ {
  const Input* input;
  cndDiagnostics* problems;
  mjSpec* spec;
} Parsing;

// Is it text after all, whatever its name says?
static int is_text(const Input* input) {
  char reason[300];
  size_t size;
  char* text = resource_readmodel(&size, NULL, input->vfs, input->directory, input->file, reason,
                                  sizeof(reason));
  const char* at = text ? text : "";
  at += strncmp(at, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  int begins = at[strspn(at, " \t\r\n")] == '<';
  heap_free(text);
  return begins;
}

// The path of the model in an archive: the first that exists of model.xml, STEM.xml, STEM/STEM.xml
// and STEM/model.xml, where STEM is the name of the archive. NULL, with an error, if there is none.
static char* find_inarchive(const Input* input, cndDiagnostics* problems) {
  static const char missing[] = "no such file in the archive";
  const char* file = input->file;
  size_t length = strlen(file), folder = (size_t)path_dirlength(file);
  int stem = (int)(strrchr(file + folder, '.') - (file + folder));
  const char* name = file + folder;
  size_t room = 3 * length + 32, size;
  char *path = heap_take(room), reason[300] = "", shown[PATH_SHOWN];
  for (int i = 0; i < 4; i++) {
    if (i == 0) {
      snprintf(path, room, "%s/model.xml", file);
    } else if (i == 1) {
      snprintf(path, room, "%s/%.*s.xml", file, stem, name);
    } else if (i == 2) {
      snprintf(path, room, "%s/%.*s/%.*s.xml", file, stem, name, stem, name);
    } else {
      snprintf(path, room, "%s/%.*s/model.xml", file, stem, name);
    }
    char* text = resource_read(&size, input->vfs, input->directory, path, reason, sizeof(reason));
    heap_free(text);
    if (text) {
      return path;
    }
    // a broken archive, or no memory, says so before other names are tried
    if (!strstr(reason, missing) && !strstr(reason, "provider")) {
      break;
    }
  }
  heap_free(path);
  int is_archive = strstr(reason, missing) || strstr(reason, "provider");
  char message[2 * PATH_SHOWN + sizeof(reason)];
  path_show(shown, file);
  if (is_archive) {
    snprintf(message, sizeof(message),
             "no model XML found in archive '%s': it has none of model.xml, %.*s.xml, "
             "%.*s/%.*s.xml, %.*s/model.xml",
             shown, stem, name, stem, name, stem, name, stem, name);
  } else {
    snprintf(message, sizeof(message), "Error opening file '%s': %s", shown, reason);
  }
  add_error(problems, input, message);
  return NULL;
}

// Reads the document of a file, which may be in an archive, or of a text.
static Document* read_input(const Input* input, cndDiagnostics* problems) {
  if (!input->file) {
    return document_readtext(input->text, "", "", input->vfs, problems);
  }
  int is_archive = mjp_findArchiveProvider(input->file) &&
                   resource_exists(input->vfs, input->directory, input->file) && !is_text(input);
  if (!is_archive) {
    return document_readfile(input->directory, input->file, input->vfs, problems);
  }
  char* path = find_inarchive(input, problems);
  Document* document =
      path ? document_readfile(input->directory, path, input->vfs, problems) : NULL;
  heap_free(path);
  return document;
}

static void parse(void* argument) {
  Parsing* parsing = argument;
  const Input* input = parsing->input;
  cndDiagnostics* problems = parsing->problems;
  Document* document = read_input(input, problems);
  if (document && sdf_is(document_root(document))) {
    sdf_rewrite(document, problems);
  }
  if (document && check_document(document_root(document), problems)) {
    Reader reader = {.spec = mj_makeSpec(),
                     .document = document,
                     .problems = problems,
                     .vfs = input->vfs,
                     .submodels = submodels_make(input->outer),
                     .outer = input->outer};
    read_document(&reader);
    submodels_noteunattached(reader.submodels, reader.spec);
    submodels_free(reader.submodels);
    parsing->spec = reader.spec;
  }
  document_free(document);
}

mjSpec* load_parse(const Input* input, cndDiagnostics* problems) {
  int before = cnd_diagnosticCount(problems, cndSEVERITY_ERROR);
  Parsing parsing = {input, problems, NULL};
  char message[400];
  if (!input->file && !input->text) {
    add_error(problems, input, "no file name and no text given");
  } else if (error_catch(message, sizeof(message), parse, &parsing)) {
    char reason[sizeof(message) + 40];
    snprintf(reason, sizeof(reason), "%s while reading the model", message);
    add_error(problems, input, reason);
    return NULL;
  }
  if (parsing.spec && cnd_diagnosticCount(problems, cndSEVERITY_ERROR) > before) {
    mj_deleteSpec(parsing.spec);
    return NULL;
  }
  return parsing.spec;
}

// Reads and compiles. The compiler adds its problems to the same list, which the tree only borrows.
// nread is the number of problems after reading.
static mjModel* load(const Input* input, cndDiagnostics* problems, int* nread) {
  mjSpec* spec = load_parse(input, problems);
  *nread = cnd_diagnosticCount(problems, cndSEVERITY_WARNING);
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

// Chooses the problem that mj_loadXML returns: the first error, else the last warning of the
// compiler, else a warning about NaN. Other warnings are not returned, because the reference
// doesn't warn of them and programs take any text for an error. The first nread problems come from
// reading.
static const cndDiagnostic* choose(const cndDiagnostics* problems, int nread) {
  const cndDiagnostic *chosen = diagnostic_first(problems, cndSEVERITY_ERROR), *it;
  for (int i = 0; !chosen && i < nread && (it = cnd_diagnostic(problems, i)); i++) {
    chosen = strcmp(it->message, values_nanwarning) == 0 ? it : NULL;
  }
  for (int i = nread; (it = cnd_diagnostic(problems, i)); i++) {
    chosen = !chosen || chosen->severity != cndSEVERITY_ERROR ? it : chosen;
  }
  return chosen;
}

// Passes warnings about NaN to mju_warning, up to the first error. The list may be NULL.
static void warn_nan(const cndDiagnostics* problems, int nread) {
  const cndDiagnostic* it;
  for (int i = 0; problems && i < nread && (it = cnd_diagnostic(problems, i)); i++) {
    if (it->severity == cndSEVERITY_ERROR) {
      return;
    }
    if (strcmp(it->message, values_nanwarning) == 0) {
      mju_warning("%s", values_nanwarning);
    }
  }
}

static void write_chosen(char* error, int size, const cndDiagnostics* problems, int nread) {
  if (!error || size < 1) {
    return;
  }
  const cndDiagnostic* chosen = choose(problems, nread);
  snprintf(error, (size_t)size, "%s", problems ? "" : "out of memory");
  if (chosen) {
    cnd_formatDiagnostic(error, size, chosen);
  }
}

static mjSpec* parse_withtext(const Input* input, char* error, int error_sz) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjSpec* spec = problems ? load_parse(input, problems) : NULL;
  int nread = cnd_diagnosticCount(problems, cndSEVERITY_WARNING);
  write_chosen(error, error_sz, problems, nread);
  warn_nan(problems, nread);
  cnd_deleteDiagnostics(problems);
  return spec;
}

// Parses into a list that may be NULL. Without a list it makes one, because errors must be counted.
static mjSpec* parse_intolist(const Input* input, cndDiagnostics* diagnostics) {
  return diagnostics ? load_parse(input, diagnostics) : parse_withtext(input, NULL, 0);
}

static mjModel* load_withtext(const Input* input, char* error, int error_sz) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  int nread = 0;
  mjModel* model = problems ? load(input, problems, &nread) : NULL;
  write_chosen(error, error_sz, problems, nread);
  warn_nan(problems, nread);
  cnd_deleteDiagnostics(problems);
  return model;
}

static mjModel* load_intolist(const Input* input, cndDiagnostics* diagnostics) {
  int nread;
  return diagnostics ? load(input, diagnostics, &nread) : load_withtext(input, NULL, 0);
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

mjModel* cnd_loadXMLAs(int dialect, const char* filename, const mjVFS* vfs, char* error,
                       int error_sz) {
  int before = dialect_ask(dialect);
  mjModel* m = mj_loadXML(filename, vfs, error, error_sz);
  dialect_ask(before);
  return m;
}

mjSpec* cnd_parseXMLAs(int dialect, const char* filename, const mjVFS* vfs, char* error,
                       int error_sz) {
  int before = dialect_ask(dialect);
  mjSpec* spec = mj_parseXML(filename, vfs, error, error_sz);
  dialect_ask(before);
  return spec;
}

mjSpec* cnd_parseXMLStringAs(int dialect, const char* xml, const mjVFS* vfs, char* error,
                             int error_sz) {
  int before = dialect_ask(dialect);
  mjSpec* spec = mj_parseXMLString(xml, vfs, error, error_sz);
  dialect_ask(before);
  return spec;
}

mjSpec* cnd_parseXML(const char* file, const mjVFS* vfs, cndDiagnostics* diagnostics) {
  return parse_intolist(&(Input){.file = file, .vfs = vfs}, diagnostics);
}

mjSpec* cnd_parseXMLString(const char* xml, const mjVFS* vfs, cndDiagnostics* diagnostics) {
  return parse_intolist(&(Input){.text = xml, .vfs = vfs}, diagnostics);
}

mjModel* cnd_loadXML(const char* file, const mjVFS* vfs, cndDiagnostics* diagnostics) {
  return load_intolist(&(Input){.file = file, .vfs = vfs, .keep = 1}, diagnostics);
}

mjModel* cnd_loadXMLString(const char* xml, const mjVFS* vfs, cndDiagnostics* diagnostics) {
  return load_intolist(&(Input){.text = xml, .vfs = vfs, .keep = 1}, diagnostics);
}
