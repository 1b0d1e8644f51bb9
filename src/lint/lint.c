// lint.c: running all checks on a model and delivering their findings.

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>
#include <mujoco/mjspec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "compile/compile.h"
#include "lint/checks.h"

static const LintCheck checks[] = {
#define ROW(function, name, stage, what) {{name, what}, LINT_##stage, check_##function},
    LINT_CHECKS(ROW)
#undef ROW
};
enum {
  NCHECK = sizeof(checks) / sizeof(checks[0])
};

int cnd_lintCheckCount(void) {
  return NCHECK;
}

const cndLintCheck* cnd_lintCheck(int i) {
  return i >= 0 && i < NCHECK ? &checks[i].about : NULL;
}

// findings

static int compare_places(const LintFinding* a, const LintFinding* b) {
  int files = strcmp(a->place.file ? a->place.file : "", b->place.file ? b->place.file : "");
  int lines = a->place.line - b->place.line;
  return files ? files : lines ? lines : a->place.column - b->place.column;
}

static int compare_findings(const void* left, const void* right) {
  const LintFinding *a = left, *b = right;
  int places = compare_places(a, b);
  return places                 ? places
         : a->check != b->check ? (a->check < b->check ? -1 : 1)
                                : a->order - b->order;
}

// Sorts the findings by place and moves them to the list. Findings of one check at one place are
// merged. Returns the number of findings.
static int deliver(Lint* l, cndDiagnostics* list) {
  int count = 0;
  if (l->nfinding) {
    qsort(l->finding, (size_t)l->nfinding, sizeof(LintFinding), compare_findings);
  }
  for (int i = 0, next; i < l->nfinding; i = next, count++) {
    const LintFinding* f = &l->finding[i];
    next = i + 1;
    while (f->place.line > 0 && next < l->nfinding && l->finding[next].check == f->check &&
           compare_places(f, &l->finding[next]) == 0) {
      next++;
    }
    char more[60] = "";
    if (next - i > 1) {
      snprintf(more, sizeof(more), "; %d more like it from the same place", next - i - 1);
    }
    cndDiagnostic found = {.severity = cndSEVERITY_WARNING,
                           .file = f->place.file,
                           .line = f->place.line,
                           .column = f->place.column,
                           .element = f->element,
                           .hint = f->hint,
                           .check = f->check->about.name};
    diagnostic_report(list, &found, "%s%s", f->message, more);
  }
  return count;
}

// running

typedef struct Session_ {
  Lint lint;
  char disabled[NCHECK];
  mjModel* compiled;  // the model compiled here; NULL if the caller gave a model
} Session;

static void fail(cndDiagnostics* list, const char* hint, const char* message, const char* detail) {
  diagnostic_add(list, cndSEVERITY_ERROR, (SourcePlace){NULL, 0, 0}, NULL, hint, message, detail);
}

// Reads the names of checks to leave out. Returns 0, with an error in the list, if one is unknown.
static int read_disabled(Session* s, const char* names, cndDiagnostics* list) {
  const char* known[NCHECK];
  for (int i = 0; i < NCHECK; i++) {
    known[i] = checks[i].about.name;
  }
  while (names && *names) {
    char name[64] = "";
    size_t length = strcspn(names, ",");
    snprintf(name, sizeof(name), "%.*s", (int)(length < 63 ? length : 63), names);
    names += length + (names[length] == ',');
    int i = 0;
    while (i < NCHECK && strcmp(known[i], name) != 0) {
      i++;
    }
    if (i == NCHECK) {
      char hint[HINT_BYTES];
      fail(list, diagnostic_hint(hint, diagnostic_nearest(name, known, NCHECK)),
           "unknown check '%s'", name);
      return 0;
    }
    s->disabled[i] = 1;
  }
  return 1;
}

static void run_stage(Session* s, LintStage stage) {
  for (int i = 0; i < NCHECK; i++) {
    if (checks[i].stage == stage && !s->disabled[i]) {
      s->lint.check = &checks[i];
      checks[i].run(&s->lint);
    }
  }
}

static void run_source(void* argument) {
  run_stage(argument, LINT_SOURCE);
}

static void run_model(void* argument) {
  Session* s = argument;
  Lint* l = &s->lint;
  for (int type = 0; l->tree && type < mjNOBJECT; type++) {
    l->list[type] = spec_array(l->tree, (mjtObj)type);
    l->count[type] = l->list[type] ? spec_count(l->tree, (mjtObj)type) : 0;
  }
  l->d = mj_makeData(l->m);
  if (!l->d) {
    mju_error(MEMORY_OUT);
  }
  lint_pose(l, -1);
  run_stage(s, LINT_MODEL);
}

// Drops warnings of the engine during the checks, which report the same problems better.
static void ignore(const char* message) {
  (void)message;
}

static void close(Session* s) {
  Lint* l = &s->lint;
  for (int i = 0; i < l->nfinding; i++) {
    heap_free(l->finding[i].element);
    heap_free(l->finding[i].message);
    heap_free(l->finding[i].hint);
  }
  heap_free(l->finding);
  heap_free(l->surface);
  for (int type = 0; type < mjNOBJECT; type++) {
    heap_free(l->list[type]);
  }
  mj_deleteData(l->d);
  mj_deleteModel(s->compiled);
  *s = (Session){0};
}

// Runs one stage. Returns 0, with an error in the list, if the engine ended in mju_error.
static int run_caught(Session* s, void (*run)(void*), cndDiagnostics* list) {
  char message[400] = "";
  ErrorHandler before = warning_handle(ignore);
  Heap held;
  int stopped = error_catchheld(&held, message, sizeof(message), run, s);
  warning_handle(before);
  if (stopped) {
    close(s);
    fail(list, NULL, "engine error: %s", message);
  }
  heap_drop(&held);
  return !stopped;
}

// Compiles the spec. All problems go to the caller's list.
static int compile(Session* s, const mjVFS* vfs, cndDiagnostics* list) {
  SpecTree* tree = s->lint.tree;
  tree->diagnostics = list;
  s->compiled = compile_tree(tree, vfs);
  tree->diagnostics = NULL;
  s->lint.m = s->compiled;
  return s->compiled != NULL;
}

// Runs the checks of a spec, if there is one, and of its model. Returns the number of findings, or
// -1 with errors in the list if something failed.
static int lint(Session* s, const mjVFS* vfs, const char* disabled, cndDiagnostics* list) {
  int count = -1;
  if (read_disabled(s, disabled, list) &&
      (!s->lint.tree || (run_caught(s, run_source, list) && compile(s, vfs, list))) &&
      run_caught(s, run_model, list)) {
    count = deliver(&s->lint, list);
  }
  close(s);
  return count;
}

int cnd_lintSpec(mjSpec* s, const mjVFS* vfs, const char* disabled, cndDiagnostics* list) {
  check_given(s);
  SpecTree* tree = spec_tree(s);
  spec_clearerrors(tree);
  return lint(&(Session){.lint = {.tree = tree}}, vfs, disabled, list);
}

int cnd_lintModel(const mjModel* m, const char* disabled, cndDiagnostics* list) {
  check_given(m);
  return lint(&(Session){.lint = {.m = m}}, NULL, disabled, list);
}
