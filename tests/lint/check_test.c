// Every check of src/lint finds its mistake, at its place and with its numbers, and reports nothing
// in a similar model without the mistake.

#include <condyle/lint.h>
#include <condyle/load.h>

#include "lint/cases.h"
#include "support/test.h"

enum {
  NCASE = sizeof(cases) / sizeof(cases[0])
};

// Findings in a text; the caller deletes the list.
static cndDiagnostics* lint(const char* xml) {
  cndDiagnostics* list = cnd_makeDiagnostics();
  mjSpec* spec = cnd_parseXMLString(xml, NULL, list);
  int count = spec ? cnd_lintSpec(spec, NULL, NULL, list) : -1;
  if (count < 0) {
    char text[500];
    cnd_formatDiagnostic(text, sizeof(text), cnd_diagnostic(list, 0));
    fail_msg("%s\ndoes not compile: %s", xml, text);
  }
  mj_deleteSpec(spec);
  return list;
}

// The only finding of a check, NULL if there is none or there are more.
static const cndDiagnostic* only(const cndDiagnostics* list, const char* check, int* count) {
  const cndDiagnostic *found = NULL, *it;
  *count = 0;
  for (int i = 0; (it = cnd_diagnostic(list, i)); i++) {
    if (!strcmp(it->check, check)) {
      found = it;
      ++*count;
    }
  }
  return *count == 1 ? found : NULL;
}

TEST(each_check_finds_its_slip_at_its_place) {
  int failed = 0, count;
  for (int i = 0; i < NCASE; i++) {
    cndDiagnostics* list = lint(cases[i].wrong);
    const cndDiagnostic* found = only(list, cases[i].check, &count);
    if (!found) {
      print_error("case %d: %d findings of %s, expected 1\n", i, count, cases[i].check);
      failed++;
    } else if (found->line != cases[i].line || found->column != cases[i].column ||
               !strstr(found->message, cases[i].says) || !strstr(found->hint, cases[i].hint)) {
      char text[1000];
      cnd_formatDiagnostic(text, sizeof(text), found);
      print_error("case %d: %s\n  expected %d:%d, \"%s\" and (%s)\n", i, text, cases[i].line,
                  cases[i].column, cases[i].says, cases[i].hint);
      failed++;
    }
    cnd_deleteDiagnostics(list);
  }
  assert_int_equal(failed, 0);
}

TEST(each_check_is_silent_beside_its_slip) {
  int failed = 0, count;
  for (int i = 0; i < NCASE; i++) {
    cndDiagnostics* list = lint(cases[i].right);
    only(list, cases[i].check, &count);
    if (count) {
      print_error("case %d: %d findings of %s in\n%s\n", i, count, cases[i].check, cases[i].right);
      failed++;
    }
    cnd_deleteDiagnostics(list);
  }
  assert_int_equal(failed, 0);
}

TEST(every_check_has_a_case) {
  for (int i = 0; i < cnd_lintCheckCount(); i++) {
    int cases_of = 0;
    for (int k = 0; k < NCASE; k++) {
      cases_of += !strcmp(cases[k].check, cnd_lintCheck(i)->name);
    }
    if (!cases_of) {
      fail_msg("no case for %s", cnd_lintCheck(i)->name);
    }
  }
}
