// Models that the reference refuses, each refused here for the same reason: the message has the
// reference's own phrase in it, and the place is in the element that the reference names, or in one
// that is nearer to the mistake. The cases are in cases.txt, recorded by record.py.

#include <condyle/load.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"

typedef struct Case_ {
  int line;      // that the reference names; 0 if it names none
  char* phrase;  // what it says
  char* text;    // of the model
} Case;

// Takes "LINE: PHRASE" off a text; what follows it.
static char* take_head(Case* out, char* head) {
  out->line = (int)strtol(head, &out->phrase, 10);
  out->phrase += 2;
  char* end = strchr(out->phrase, '\n');
  assert_non_null(end);
  *end = 0;
  return end + 1;
}

// Takes the next case "== LINE: PHRASE\n text \n\n" out of a list; 0 at its end. A second line
// "=> LINE: PHRASE" says what is said here instead.
static int next_case(Case* out, char** cursor) {
  char* head = strstr(*cursor, "\n== ");
  if (!head) {
    return 0;
  }
  out->text = take_head(out, head + 4);
  if (strncmp(out->text, "=> ", 3) == 0) {
    out->text = take_head(out, out->text + 3);
  }
  char* end = strstr(out->text, "\n\n");
  assert_non_null(end);
  *end = 0;
  *cursor = end + 1;
  return 1;
}

// Where in the text a line starts.
static const char* line_start(const char* text, int line) {
  while (--line > 0 && (text = strchr(text, '\n'))) {
    text++;
  }
  return text;
}

// Is the place the start of a tag or of an attribute?
static int isplace(const char* text, int line, int column) {
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

// 1 if the model is refused as it should be.
static int check(const Case* one) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjModel* model = cnd_loadXMLString(one->text, NULL, problems);
  const cndDiagnostic* error = first_error(problems);
  int ok =
      !model && error && strstr(error->message, one->phrase) &&
      (!one->line || (error->line == one->line && isplace(one->text, error->line, error->column)));
  if (!ok) {
    char found[512] = "nothing";
    if (error) {
      cnd_formatDiagnostic(found, sizeof(found), error);
    }
    print_error("%s\n  expected %d: %s\n  found    %s\n", one->text, one->line, one->phrase, found);
  }
  mj_deleteModel(model);
  cnd_deleteDiagnostics(problems);
  return ok;
}

static void models_are_refused_for_the_reason_of_the_reference(void** state) {
  (void)state;
  char error[160];
  size_t size;
  char* list =
      file_read(&size, CONDYLE_SOURCE_DIR "/tests/refused/cases.txt", error, sizeof(error));
  assert_non_null(list);
  Case one;
  char* cursor = list;
  int count = 0, wrong = 0;
  while (next_case(&one, &cursor)) {
    count++;
    wrong += !check(&one);
  }
  free(list);
  assert_true(count >= 200);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_are_refused_for_the_reason_of_the_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
