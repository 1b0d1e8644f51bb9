// test.c: the list of a program's tests and the main function that runs them.

#include "support/test.h"

#include "base/system/pattern.h"
#include "support/load.h"
#include "support/windows.h"

TestHooks test_hooks;
char warning_text[1024];

static Test* first;
static int owned_before;  // the running test: of BEFORE_ALL

void test_register(Test* test) {
  Test** place = &first;
  while (*place && (*place)->order <= test->order) {
    place = &(*place)->next;
  }
  test->next = *place;
  *place = test;
}

void silent(const char* message) {
  (void)message;
}

void keep_warning(const char* message) {
  snprintf(warning_text, sizeof warning_text, "%s", message);
}

static void call(void (*hook)(void)) {
  if (hook) {
    hook();
  }
}

// cmocka's forms of the hooks and of a test, which is the state

static int before_all(void** state) {
  (void)state;
  call(test_hooks.before_all);
  return 0;
}

static int after_all(void** state) {
  (void)state;
  call(test_hooks.after_all);
  test_release_down_to(0);
  return 0;
}

static int before_each(void** state) {
  (void)state;
  owned_before = test_owned();
  call(test_hooks.before_each);
  return 0;
}

static int after_each(void** state) {
  (void)state;
  call(test_hooks.after_each);
  test_release_down_to(owned_before);
  return 0;
}

static void run(void** state) {
  const Test* test = *state;
  if (test->argument) {
    test->run_with(test->argument);
  } else {
    test->run();
  }
}

// 1 if a test is to run: one of the patterns is its name's, or there are none
static int is_chosen(const Test* test, char** patterns, int num) {
  for (int i = 0; i < num; i++) {
    if (pattern_matches(patterns[i], test->name)) {
      return 1;
    }
  }
  return num == 0;
}

int main(int argc, char** argv) {
  int is_list = argc == 2 && !strcmp(argv[1], "--list");
  setenv("CONDYLE_CACHE", "off", 0);  // no test leaves meshes in the home of who runs it
  size_t num = 0, size = 0;
  for (const Test* test = first; test; test = test->next) {
    size++;
  }
  struct CMUnitTest* tests = calloc(size + 1, sizeof(*tests));
  for (Test* test = first; test && tests; test = test->next) {
    if (is_list) {
      printf("%s\n", test->name);
    } else if (is_chosen(test, argv + 1, argc - 1)) {
      tests[num++] = (struct CMUnitTest){test->name, run, before_each, after_each, test};
    }
  }
  int failed = 0;
  if (!is_list && num == 0) {
    fprintf(stderr, "no test is called so; --list prints the names\n");
    failed = 1;
  } else if (!is_list) {
    failed = _cmocka_run_group_tests("tests", tests, num, before_all, after_all);
  }
  free(tests);
  return failed != 0;
}

long test_setting(const char* variable, long usual) {
  const char* given = getenv(variable);
  return given ? atol(given) : usual;
}
