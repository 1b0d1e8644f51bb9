// The list of problems: order, bound, one-line form, and near names.

#include "base/diagnostic.h"

#include "support/starve.h"
#include "support/test.h"

TEST(problems_keep_their_order_and_own_their_texts) {
  cndDiagnostics* list = cnd_makeDiagnostics();
  char file[] = "a.xml";
  diagnostic_add(list, cndSEVERITY_WARNING, (SourcePlace){file, 1, 2}, "geom", NULL, "w %d", 1);
  diagnostic_add(list, cndSEVERITY_ERROR, (SourcePlace){0}, NULL, "h", "e");
  file[0] = 'b';
  assert_int_equal(cnd_diagnosticCount(list, cndSEVERITY_ERROR), 1);
  assert_int_equal(cnd_diagnosticCount(list, cndSEVERITY_WARNING), 2);
  assert_string_equal(cnd_diagnostic(list, 0)->file, "a.xml");
  assert_string_equal(cnd_diagnostic(list, 0)->hint, "");
  assert_ptr_equal(diagnostic_first(list, cndSEVERITY_ERROR), cnd_diagnostic(list, 1));
  assert_ptr_equal(diagnostic_first(list, cndSEVERITY_WARNING), cnd_diagnostic(list, 0));
  assert_null(cnd_diagnostic(list, 2));
  assert_null(cnd_diagnostic(list, -1));
  cnd_deleteDiagnostics(list);
  cnd_deleteDiagnostics(NULL);
  diagnostic_add(NULL, cndSEVERITY_ERROR, (SourcePlace){0}, NULL, NULL, "dropped");
}

TEST(a_list_beyond_its_bound_only_counts) {
  cndDiagnostics* list = cnd_makeDiagnostics();
  for (int i = 0; i < 1500; i++) {
    diagnostic_add(list, cndSEVERITY_ERROR, (SourcePlace){0}, NULL, NULL, "%d", i);
  }
  assert_int_equal(cnd_diagnosticCount(list, cndSEVERITY_ERROR), 1500);
  assert_string_equal(cnd_diagnostic(list, 999)->message, "999");
  assert_null(cnd_diagnostic(list, 1000));
  cnd_deleteDiagnostics(list);
}

TEST(an_error_after_a_thousand_warnings_is_kept) {
  cndDiagnostics* list = cnd_makeDiagnostics();
  diagnostic_add(list, cndSEVERITY_ERROR, (SourcePlace){0}, NULL, NULL, "first");
  for (int i = 0; i < 1500; i++) {
    diagnostic_add(list, cndSEVERITY_WARNING, (SourcePlace){0}, NULL, NULL, "%d", i);
  }
  diagnostic_add(list, cndSEVERITY_ERROR, (SourcePlace){0}, NULL, NULL, "last");
  assert_int_equal(cnd_diagnosticCount(list, cndSEVERITY_WARNING), 1502);
  assert_string_equal(cnd_diagnostic(list, 0)->message, "first");
  assert_string_equal(cnd_diagnostic(list, 998)->message, "997");
  assert_string_equal(cnd_diagnostic(list, 999)->message, "last");
  assert_null(cnd_diagnostic(list, 1000));
  cnd_deleteDiagnostics(list);
}

TEST(a_problem_is_one_line) {
  static const struct {
    cndDiagnostic problem;
    const char* line;
  } cases[] = {
      {{cndSEVERITY_ERROR, "f.xml", 3, 5, "geom 'foot'", "bad", "good", "", 0, 0},
       "f.xml:3:5: <geom 'foot'>: bad (good)"},
      {{cndSEVERITY_WARNING, "f.xml", 3, 5, "geom", "bad", "good", "odd-geom", 0, 0},
       "f.xml:3:5: <geom>: bad (good) [odd-geom]"},
      {{cndSEVERITY_ERROR, "f.xml", 0, 0, "", "bad", "", "", 0, 0}, "f.xml: bad"},
      {{cndSEVERITY_ERROR, "", 3, 5, "geom", "bad", "", "", 0, 0}, "3:5: <geom>: bad"},
      {{cndSEVERITY_ERROR, "", 0, 0, "", "bad", "", "", 0, 0}, "bad"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char text[100];
    assert_int_equal(cnd_formatDiagnostic(text, sizeof(text), &cases[i].problem),
                     strlen(cases[i].line));
    assert_string_equal(text, cases[i].line);
    assert_int_equal(cnd_formatDiagnostic(text, 4, &cases[i].problem), strlen(cases[i].line));
    assert_int_equal(strlen(text), 3);
  }
}

// The reason stands in a buffer that the paths alone would fill.
TEST(long_paths_lose_their_beginnings) {
  char path[900], message[1000], text[1001];
  memset(path, 'd', sizeof(path));
  path[0] = '/';
  strcpy(path + sizeof(path) - 12, "\xC3\xA9/arm.xml");
  snprintf(message, sizeof(message), "Error opening file '%s': not 'there'", path);
  cndDiagnostic problem = {cndSEVERITY_ERROR, path, 3, 5, "geom", message, "why", "", 0, 0};
  int full = cnd_formatDiagnostic(text, 0, &problem);
  for (int size = 90; size <= 1001; size++) {
    assert_int_equal(cnd_formatDiagnostic(text, size, &problem), full);
    assert_that((int)strlen(text), <, size);
    assert_that((int)strlen(text), >=, size - 5);
    assert_that(strncmp(text, "...", 3), ==, 0);
    assert_non_null(strstr(text, "arm.xml:3:5: <geom>: Error opening file '..."));
    assert_non_null(strstr(text, "arm.xml': not 'there' (why)"));
  }
  problem.message = "bad";
  cnd_formatDiagnostic(text, 60, &problem);
  assert_non_null(strstr(text, "/arm.xml:3:5: <geom>: bad (why)"));
  cnd_formatDiagnostic(text, 10, &problem);
  assert_int_equal(strlen(text), 9);
}

TEST(the_nearest_name_is_within_a_third) {
  static const char* const names[] = {"damping", "stiffness", "pos", "type", "margin"};
  assert_string_equal(diagnostic_nearest("dampng", names, 5), "damping");
  assert_string_equal(diagnostic_nearest("sitffness", names, 5), "stiffness");
  assert_string_equal(diagnostic_nearest("pso", names, 5), "pos");
  assert_null(diagnostic_nearest("quat", names, 5));
  assert_null(diagnostic_nearest("", names, 5));
  assert_null(diagnostic_nearest("x", names, 5));
}

TEST(an_error_without_memory_for_it_is_still_there) {
  STARVE_OR_SKIP();
  cndDiagnostics* list = cnd_makeDiagnostics();
  starve_after(0, 0);
  diagnostic_add(list, cndSEVERITY_WARNING, (SourcePlace){0}, NULL, NULL, "doubtful");
  diagnostic_add(list, cndSEVERITY_ERROR, (SourcePlace){0}, NULL, NULL, "wrong");
  starve_end();
  assert_int_equal(cnd_diagnosticCount(list, cndSEVERITY_ERROR), 1);
  assert_string_equal(diagnostic_first(list, cndSEVERITY_ERROR)->message, "out of memory");
  assert_null(cnd_diagnostic(list, 1));
  cnd_deleteDiagnostics(list);
}
