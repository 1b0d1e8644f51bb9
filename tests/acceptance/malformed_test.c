// What hostile or broken files do: a file is refused with a diagnostic at its place, or it loads.
// There is no crash and no hang. tests/mjcf/malformed_test.c has the grammar case by case. Here are
// files that include each other, models cut off at every byte, models with random bytes changed,
// numbers that no machine has room for, and deep nesting.

#include "base/system/files.h"
#include "base/system/machine.h"
#include "support/models.h"

// No text makes us ask for more than this: larger wishes fail as they would on a small machine.
static void* small_machine(size_t bytes) {
  return bytes > ((size_t)1 << 28) ? NULL : system_takealigned(64, (bytes + 64) / 64 * 64);
}

static jmp_buf out;

static void leave(const char* text) {
  (void)text;
  longjmp(out, 1);
}

BEFORE_ALL() {
  mju_user_malloc = small_machine;
  mju_user_free = system_freealigned;
  mju_user_warning = silent;
}

AFTER_ALL() {
  mju_user_malloc = NULL;
  mju_user_free = NULL;
  mju_user_warning = NULL;
}

// The first diagnostic of at least that severity.
static const cndDiagnostic* first(const cndDiagnostics* list, cndSeverity severity) {
  for (int i = 0; cnd_diagnostic(list, i); i++) {
    if (cnd_diagnostic(list, i)->severity == severity) {
      return cnd_diagnostic(list, i);
    }
  }
  return NULL;
}

// files

static char folder[150];

static void write_file(char path[200], const char* name, const char* text) {
  snprintf(path, 200, "%s/%s", folder, name);
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void assert_refused(const char* path, const char* file, int line, const char* phrase) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  assert_null(cnd_loadXML(path, NULL, problems));
  const cndDiagnostic* problem = first(problems, cndSEVERITY_ERROR);
  assert_non_null(problem);
  if (!strstr(problem->message, phrase) || !strstr(problem->file, file) || problem->line != line) {
    char text[500];
    cnd_formatDiagnostic(text, sizeof text, problem);
    fail_msg("expected %s:%d: %s, found %s", file, line, phrase, text);
  }
  cnd_deleteDiagnostics(problems);
}

TEST(files_are_refused_where_they_are_wrong) {
  assert_true(system_maketemporary(folder, sizeof folder, 0));
  char path[5][200];
  write_file(path[0], "self.xml", "<mujoco>\n <include file='self.xml'/>\n</mujoco>");
  assert_refused(path[0], "self.xml", 2, "already included");

  // the cycle is found in the file that closes it
  write_file(path[0], "one.xml", "<mujoco>\n\n <include file='two.xml'/>\n</mujoco>");
  write_file(path[1], "two.xml", "<mujoco>\n <include file='three.xml'/>\n</mujoco>");
  write_file(path[2], "three.xml", "<mujoco>\n\n\n <include file='one.xml'/>\n</mujoco>");
  assert_refused(path[0], "three.xml", 4, "already included");

  // a mistake in an included file has its place there
  write_file(path[3], "outer.xml", "<mujoco>\n <include file='inner.xml'/>\n</mujoco>");
  write_file(path[4], "inner.xml", "<mujoco><worldbody>\n\n <geom siz='1'/></worldbody></mujoco>");
  assert_refused(path[3], "inner.xml", 3, "siz");
  write_file(path[4], "inner.xml", "<mujoco><worldbody>\n <geom size='1'/>");
  assert_refused(path[3], "inner.xml", 2, "");

  // neither of these is a file with a model
  write_file(path[4], "inner.xml", "");
  assert_refused(path[4], "inner.xml", 0, "empty");
  assert_refused(folder, "", 0, "");

  for (int i = 0; i < 5; i++) {
    system_remove(path[i]);
  }
  snprintf(path[0], sizeof path[0], "%s/self.xml", folder);
  system_remove(path[0]);
  system_removefolder(folder);
}

// bytes

// Loads and, if there is a model, takes some steps; everything that is made is freed. Returns
// whether there was a model, and the place of the error if there was none.
static int survive(const char* text, int* line, int* column) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjModel* volatile m = cnd_loadXMLString(text, NULL, problems);
  const cndDiagnostic* problem = first(problems, cndSEVERITY_ERROR);
  assert_that((m == NULL), ==, (problem != NULL));
  *line = problem ? problem->line : 0;
  *column = problem ? problem->column : 0;
  cnd_deleteDiagnostics(problems);
  if (!m) {
    return 0;
  }
  mjData* volatile d = NULL;
  mju_user_error = leave;
  if (!setjmp(out)) {
    d = mj_makeData(m);
    for (int i = 0; d && i < 3; i++) {
      mj_step(m, d);
    }
  }
  mju_user_error = NULL;
  mj_deleteData(d);
  mj_deleteModel(m);
  return 1;
}

TEST(models_cut_off_at_every_byte_are_refused) {
  const char* const models[] = {kLimits, kRubble, kChain, kHumanoid};
  for (int k = 0; k < 4; k++) {
    char* text = model_text(models[k]);
    assert_non_null(text);
    char* end = strstr(text, "</mujoco>") + strlen("</mujoco>");
    for (size_t n = (size_t)(end - text), stride = kThorough ? 1 : 13; n > stride; n -= stride) {
      text[n - 1] = 0;
      int line, column;
      assert_int_equal(survive(text, &line, &column), 0);
      assert_that(line, >, 0);
      assert_that(column, >, 0);
    }
    free(text);
  }
}

// Digits, quotes, brackets and bytes that no text has take the place of others.
TEST(models_with_changed_bytes_do_no_harm) {
  static const char bytes[] = "0123456789-+.eE \"'<>/&;=\t\nxyzabcnaN\x01\x80\xff";
  const char* const models[] = {kLimits, kRubble, kChain, kHumanoid};
  char* texts[4];
  for (int k = 0; k < 4; k++) {
    texts[k] = model_text(models[k]);
    assert_non_null(texts[k]);
  }
  uint64_t seed = 11;
  int loaded = 0, refused = 0;
  for (int trial = 0; trial < (kThorough ? 20000 : 1000); trial++) {
    const char* original = texts[trial % 4];
    size_t length = strlen(original);
    char* text = malloc(length + 1);
    assert_non_null(text);
    memcpy(text, original, length + 1);
    int changes = 1 + trial / 4 % 4;
    for (int i = 0; i < changes; i++) {
      size_t at = (size_t)((uniform_random(&seed) + 1) / 2 * (double)length);
      size_t what = (size_t)((uniform_random(&seed) + 1) / 2 * (double)(sizeof bytes - 1));
      if (uniform_random(&seed) > -0.6) {
        text[at] = bytes[what];
      } else {
        // a piece from elsewhere
        size_t from = (size_t)((uniform_random(&seed) + 1) / 2 * (double)length);
        size_t room = length - (at > from ? at : from);
        memcpy(text + at, original + from, room < 20 ? room : 20);
      }
    }
    int line, column;
    if (survive(text, &line, &column)) {
      loaded++;
    } else {
      refused++;
    }
    free(text);
  }
  for (int k = 0; k < 4; k++) {
    free(texts[k]);
  }
  print_message("%d models loaded, %d refused\n", loaded, refused);
  assert_that(loaded, >, 10);
  assert_that(refused, >, 10);
}

// numbers

TEST(sizes_without_end_are_refused) {
  static const char* const texts[] = {
      "<mujoco><size memory='7E'/></mujoco>",
      "<mujoco><size memory='3G'/></mujoco>",
      "<mujoco><size nuserdata='2000000000'/></mujoco>",
      "<mujoco><size nkey='2000000000'/></mujoco>",
      "<mujoco><size njmax='2000000000' nconmax='2000000000'/></mujoco>",
      "<mujoco><size nuser_geom='2000000000'/><worldbody><geom size='1'/></worldbody></mujoco>",
      "<mujoco><size nuser_body='2147483647'/></mujoco>",
      "<mujoco><asset><texture name='a' type='2d' builtin='flat' width='60000' height='60000'/>"
      "</asset></mujoco>",
      "<mujoco><asset><texture name='a' type='cube' builtin='flat' width='2147483647' "
      "height='2147483647'/></asset></mujoco>",
      "<mujoco><custom><numeric name='a' size='2147483647'/></custom></mujoco>",
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    int line, column;
    if (survive(texts[i], &line, &column)) {
      fail_msg("accepted: %s", texts[i]);
    }
  }
}

// As in the reference numbers that are none are let through, with a warning at the place.
TEST(numbers_that_are_none_are_warned_of) {
  static const char* const texts[] = {
      "<mujoco>\n<worldbody>\n<body><geom size='.1' mass='nan'/></body></worldbody></mujoco>",
      "<mujoco>\n<worldbody>\n<body pos='0 nan 0'><geom size='.1'/></body></worldbody></mujoco>",
      "<mujoco>\n<worldbody>\n<body quat='nan 0 0 0'><geom size='.1'/></body></worldbody></mujoco>",
      "<mujoco>\n<worldbody>\n<camera fovy='nan'/></worldbody></mujoco>",
      "<mujoco>\n\n<option timestep='nan'/></mujoco>",
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    cndDiagnostics* problems = cnd_makeDiagnostics();
    mj_deleteModel(cnd_loadXMLString(texts[i], NULL, problems));
    const cndDiagnostic* warning = first(problems, cndSEVERITY_WARNING);
    assert_non_null(warning);
    assert_int_equal(warning->line, 3);
    assert_that(warning->column, >, 0);
    assert_has(warning->message, "NaN");
    cnd_deleteDiagnostics(problems);
  }
}

// depth and length

static char* repeated(const char* before, const char* open, int n, const char* inside,
                      const char* close, const char* after) {
  char* text = malloc(strlen(before) + strlen(inside) + strlen(after) + 1 +
                      (size_t)n * (strlen(open) + strlen(close)));
  assert_non_null(text);
  char* end = text + sprintf(text, "%s", before);
  for (int i = 0; i < n; i++) {
    end += sprintf(end, "%s", open);
  }
  end += sprintf(end, "%s", inside);
  for (int i = 0; i < n; i++) {
    end += sprintf(end, "%s", close);
  }
  sprintf(end, "%s", after);
  return text;
}

TEST(depth_is_refused_or_survived) {
  const struct {
    const char *before, *open, *inside, *close, *after;
  } nests[] = {
      {"<mujoco><worldbody>", "<body>", "<geom size='1'/>", "</body>", "</worldbody></mujoco>"},
      {"<mujoco><worldbody>", "<frame>", "<geom size='1'/>", "</frame>", "</worldbody></mujoco>"},
      {"<mujoco>", "<default class='a'>", "", "</default>", "</mujoco>"},
      {"", "<mujoco>", "", "</mujoco>", ""},
      {"<mujoco><worldbody>", "<geom size='1'>", "", "</geom>", "</worldbody></mujoco>"},
  };
  const int depths[] = {10, 100, 400, 1000, 5000, 1000000};
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < (kThorough ? 6 : 5); i++) {
      int line, column;
      char* text = repeated(nests[k].before, nests[k].open, depths[i], nests[k].inside,
                            nests[k].close, nests[k].after);
      if (!survive(text, &line, &column)) {
        assert_that(line, >, 0);
        assert_that(column, >, 0);
      }
      free(text);
    }
  }
}

// a name, a comment, a number and an attribute of a million characters
TEST(length_is_refused_or_survived) {
  const struct {
    const char *before, *open, *after;
  } lengths[] = {
      {"<mujoco><worldbody><geom size='1' name='", "a", "'/></worldbody></mujoco>"},
      {"<mujoco><!--", "a", "--></mujoco>"},
      {"<mujoco><worldbody><geom size='", "1", "'/></worldbody></mujoco>"},
      {"<mujoco><worldbody><geom size='", "1 ", "'/></worldbody></mujoco>"},
      {"<mujoco><worldbody><geom ", "a", "='1'/></worldbody></mujoco>"},
      {"<mujoco><", "a", "/></mujoco>"},
      {"<mujoco>", "a", "</mujoco>"},
      {"<mujoco><worldbody><geom class='", "a", "'/></worldbody></mujoco>"},
  };
  for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
    int line, column;
    char* text = repeated(lengths[k].before, lengths[k].open, 1000000, "", "", lengths[k].after);
    if (!survive(text, &line, &column)) {
      assert_that(line, >, 0);
      assert_that(column, >, 0);
    }
    free(text);
  }
}
