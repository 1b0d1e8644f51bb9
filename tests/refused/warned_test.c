// Models that load, with what the reference warns about: mj_loadXML says the same words, and is
// silent where the reference is. The cases are in warned.txt, recorded by record.py --warned. What
// is said besides, to those who ask (cnd_loadXML), is not compared.

#include "base/memory/memory.h"
#include "support/cases.h"
#include "support/test.h"

static char said[400];

static void listen(const char* text) {
  if (!said[0]) {
    snprintf(said, sizeof(said), "%s", text);
  }
}

// 1 if loading warns as it should, in its own text or through the program's hook.
static int check(const Case* one) {
  mjVFS vfs;
  char error[400];
  cases_mount(&vfs, one);
  said[0] = 0;
  mjModel* model = mj_loadXML("main.xml", &vfs, error, sizeof(error));
  int silent = strcmp(one->phrase, "nothing") == 0;
  int ok = model && (silent ? !error[0] && !said[0]
                            : strstr(error, one->phrase) || strstr(said, one->phrase));
  if (!ok) {
    print_error("case %d\n%s\n  expected :%d: %s\n  found    %s%s\n", one->number, one->text,
                one->line, one->phrase, error, said);
  }
  mj_deleteModel(model);
  mj_deleteVFS(&vfs);
  return ok;
}

TEST(loading_warns_of_what_the_reference_warns_of) {
  static Case one;
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = listen;
  char *table = cases_read("warned.txt"), *cursor = table;
  int wrong = 0;
  while (cases_next(&one, &cursor)) {
    wrong += !check(&one);
  }
  heap_free(table);
  mju_user_warning = before;
  assert_that(one.number, >=, 30);
  assert_int_equal(wrong, 0);
}
