// lint.c: condyle lint MODEL, which prints what compiles but is probably wrong.

#include <condyle/behaviour.h>
#include <condyle/lint.h>
#include <condyle/load.h>
#include <condyle/robot.h>
#include <stdio.h>

#include "command.h"
#include "options.h"

static int list_checks(void) {
  for (int i = 0; i < cnd_lintCheckCount(); i++) {
    const cndLintCheck* check = cnd_lintCheck(i);
    printf("%-18s %s\n", check->name, check->meaning);
  }
  return STATUS_OK;
}

// Prints one line "FILE:LINE:COLUMN: warning: <element>: message (hint) [check]", the format of
// compilers.
static void print_problem(const char* model, const cndDiagnostic* problem) {
  cndDiagnostic rest = *problem;
  rest.file = "";
  rest.line = 0;
  char line[2000];
  cnd_formatDiagnostic(line, sizeof line, &rest);
  printf("%s:", problem->file[0] ? problem->file : model);
  if (problem->line > 0) {
    printf("%d:%d:", problem->line, problem->column);
  }
  printf(" %s: %s\n", problem->severity == cndSEVERITY_ERROR ? "error" : "warning", line);
}

// Adds all problems of a file to the list. Returns 0 if it can't be checked.
static int lint_file(const char* path, const char* disabled, cndDiagnostics* problems) {
  if (ends_with(path, ".mjb")) {
    mjModel* m = load_binary(path);
    int done = m && cnd_lintModel(m, disabled, problems) >= 0;
    mj_deleteModel(m);
    return done;
  }
  mjSpec* spec =
      cnd_isRobot(path) ? parse_robot(path, problems) : cnd_parseXML(path, NULL, problems);
  int done = spec && cnd_lintSpec(spec, NULL, disabled, problems) >= 0;
  mj_deleteSpec(spec);
  return done;
}

// Prints a warning for each rule by which a dialect would change what the model does. Returns their
// number.
static int lint_dialect(const char* path, int dialect) {
  mjModel* m = load_model(path, 0);
  int changed = m ? cnd_dialectBehaviour(dialect) ^ m->opt.behaviour : 0, count = 0;
  for (int i = 0; i < cndNBEHAVIOUR; i++) {
    if ((changed >> i & 1) && cnd_behaviourMatters(m, i)) {
      const cndBehaviourRow* row = cnd_behaviour(i);
      printf("%s: warning: dialect %d.%d: %s (<option><behaviour %s=\"%s\"/> keeps it) [dialect]\n",
             path, dialect / 100, dialect % 100, row->meaning, row->name,
             m->opt.behaviour >> i & 1 ? "enable" : "disable");
      count++;
    }
  }
  mj_deleteModel(m);
  return count;
}

int command_lint(int argc, char** argv) {
  const char *path = NULL, *disabled = NULL;
  int list = 0, dialect = 0;
  const Option known[] = {{"--disable", take_text, &disabled},
                          {"--list", NULL, &list},
                          {"--dialect", take_dialect, &dialect}};
  int status = parse_options(&path, &list, "lint", known, sizeof known / sizeof *known, argc, argv);
  if (status != STATUS_OK) {
    return status;
  }
  if (list) {
    return list_checks();
  }
  cndDiagnostics* problems = cnd_makeDiagnostics();
  int done = problems && lint_file(path, disabled, problems);
  int count = cnd_diagnosticCount(problems, cndSEVERITY_WARNING), shown = 0;
  for (const cndDiagnostic* it; (it = cnd_diagnostic(problems, shown)); shown++) {
    print_problem(path, it);
  }
  tell_hidden(count - shown);
  count += done && dialect ? lint_dialect(path, dialect) : 0;
  cnd_deleteDiagnostics(problems);
  return !done ? STATUS_INPUT : count ? STATUS_FINDINGS : STATUS_OK;
}
