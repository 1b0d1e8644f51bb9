// Models that the reference refuses, each refused here for the same reason: the message has the
// reference's own phrase in it, and the place is in the element that the reference names, or in one
// that is nearer to the mistake. The cases are in cases.txt, recorded by record.py. Robots that are
// refused for their masses, inertias or empty shapes load, with a warning at a line.

#include <condyle/load.h>

#include "base/memory/memory.h"
#include "support/cases.h"
#include "support/test.h"

// Where in the text a line starts.
static const char* line_start(const char* text, int line) {
  while (--line > 0 && (text = strchr(text, '\n'))) {
    text++;
  }
  return text;
}

// Is the place the start of a tag or of an attribute?
static int is_place(const char* text, int line, int column) {
  const char* start = line_start(text, line);
  if (!start || column < 1 || (size_t)column > strcspn(start, "\n")) {
    return 0;
  }
  char c = start[column - 1];
  return c == '<' || (column > 1 && start[column - 2] == ' ' && c >= 'a' && c <= 'z');
}

static const cndDiagnostic* first_error(const cndDiagnostics* problems) {
  const cndDiagnostic* problem;
  for (int i = 0; (problem = cnd_diagnostic(problems, i)); i++) {
    if (problem->severity == cndSEVERITY_ERROR) {
      return problem;
    }
  }
  return NULL;
}

// Is the mistake found where it is?
static int is_found(const Case* one, const cndDiagnostic* error) {
  const char* file = one->file[0] ? one->file : "main.xml";
  return strcmp(error->file, file) == 0 && error->line == one->line &&
         is_place(cases_source(one), error->line, error->column);
}

// Is this a robot that is mended rather than refused?
static int is_mended(const Case* one) {
  static const char* const reasons[] = {
      "size 0 must be positive", "missing element: 'inertia'", "must be larger than mjMINVAL",
      "must have positive eigenvalues", "must satisfy A + B >= C"};
  int mended = 0;
  for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
    mended |= strstr(one->phrase, reasons[i]) != NULL;
  }
  // a negative size is a mistake, not an empty shape
  return mended && strstr(one->text, "<robot") && !strstr(one->text, "size='-");
}

// Did it load, with a warning that has a line?
static int has_warning(const mjModel* model, const cndDiagnostics* problems) {
  const cndDiagnostic* first = cnd_diagnostic(problems, 0);
  return model && first && first->severity == cndSEVERITY_WARNING && first->line > 0;
}

// What later releases have made of a mistake: springs that are polynomials, rays of cameras.
static const struct {
  const char *words, *message;
} kLater[] = {{"<joint stiffness='1 1'/>", NULL},
              {"<rangefinder/>", "one of 'site', 'camera' must be specified"}};

// Does the model use such words, and is it taken or refused for the reason of the later release?
static int is_later(const Case* one, const mjModel* model, const cndDiagnostic* error) {
  for (size_t i = 0; i < sizeof(kLater) / sizeof(kLater[0]); i++) {
    const char* message = kLater[i].message;
    if (strstr(one->text, kLater[i].words)) {
      return message ? error && strstr(error->message, message) && is_found(one, error) : !!model;
    }
  }
  return 0;
}

// 1 if the model is refused as it should be.
static int check(const Case* one) {
  mjVFS vfs;
  cases_mount(&vfs, one);
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjModel* model = cnd_loadXML("main.xml", &vfs, problems);
  const cndDiagnostic* error = first_error(problems);
  int ok = is_mended(one) ? has_warning(model, problems)
                          : !model && error && strstr(error->message, one->phrase) &&
                                (!one->line || is_found(one, error));
  ok |= is_later(one, model, error);
  if (!ok) {
    char found[512] = "nothing";
    if (error) {
      cnd_formatDiagnostic(found, sizeof(found), error);
    }
    print_error("case %d\n%s\n  expected %s:%d: %s\n  found    %s\n", one->number, one->text,
                one->file, one->line, one->phrase, found);
  }
  mj_deleteModel(model);
  cnd_deleteDiagnostics(problems);
  mj_deleteVFS(&vfs);
  return ok;
}

static void check_table(const char* name, int least) {
  static Case one;
  one.number = 0;
  char *table = cases_read(name), *cursor = table;
  int count = 0, wrong = 0;
  while (cases_next(&one, &cursor)) {
    count++;
    wrong += !check(&one);
  }
  heap_free(table);
  print_message("%s: %d models\n", name, count);
  assert_that(count, >=, least);
  assert_int_equal(wrong, 0);
}

TEST(models_are_refused_for_the_reason_of_the_reference) {
  check_table("cases.txt", 600);
}

TEST(models_of_several_files_are_refused_for_the_reason_of_the_reference) {
  check_table("files.txt", 250);
}
