// The same programs against both engines: what one prints, the other prints.

#include "spec/same_program.h"

#include "support/bridge.h"
#include "support/test.h"

static Log ours, theirs;

// Takes the next line off a text, without its end.
static size_t next_line(const char** line, const char** text) {
  size_t n = strcspn(*text, "\n");
  *line = *text;
  *text += n + ((*text)[n] == '\n');
  return n;
}

static int contains(const char* text, size_t length, const char* part, size_t part_length) {
  for (size_t i = 0; i + part_length <= length; i++) {
    if (memcmp(text + i, part, part_length) == 0) {
      return 1;
    }
  }
  return 0;
}

// A message of ours says at least what the reference's says; other lines are equal.
static int agrees(const char* our, size_t n, const char* their, size_t m) {
  static const char label[] = "message: ";
  size_t k = strlen(label);
  if (m > k && n > k && memcmp(our, label, k) == 0 && memcmp(their, label, k) == 0) {
    return contains(our + k, n - k, their + k, m - k);
  }
  return n == m && memcmp(our, their, n) == 0;
}

static int compare(const char* name) {
  const char *our = ours.text, *their = theirs.text, *a, *b;
  for (int i = 1; *our || *their; i++) {
    size_t n = next_line(&a, &our), m = next_line(&b, &their);
    if (!agrees(a, n, b, m)) {
      print_error("%s, line %d:\n  ours  '%.*s'\n  their '%.*s'\n", name, i, (int)n, a, (int)m, b);
      return 1;
    }
  }
  return 0;
}

TEST(programs_see_what_they_see_with_the_reference) {
  BRIDGE_OR_SKIP();
  typedef const Scenario* (*Program)(int);
  Program other = (Program)(uintptr_t)bridge_function("same_program");
  assert_non_null(other);
  int different = 0;
  const Scenario* scenario;
  for (int i = 0; (scenario = same_program(i)); i++) {
    ours.length = theirs.length = 0;
    scenario->run(&ours);
    other(i)->run(&theirs);
    assert_that(ours.length, >, 0u);
    different += compare(scenario->name);
  }
  assert_int_equal(different, 0);
}
