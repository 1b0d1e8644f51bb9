// The lists of fields name fields, each of them once.

#include "batch/fields.h"

#include <condyle/batch.h>

#include "support/test.h"

static int is_of_model(const char* name) {
  const cndField* field;
  int found = 0;
  for (int i = 0; (field = cnd_modelField(i)); i++) {
    found |= !strcmp(field->name, name);
  }
  for (int i = 0; (field = cnd_optionField(i)); i++) {
    found |= !strcmp(field->name, name);
  }
  return found;
}

static int is_of_data(const char* name) {
  const cndField* field;
  int found = 0;
  for (int i = 0; (field = cnd_dataField(i)); i++) {
    found |= !strcmp(field->name, name);
  }
  return found;
}

// Takes the lists apart into words. Returns how many there are.
static int assert_named(const BatchFields* property, int (*exists)(const char* name)) {
  enum {
    MOST = 400
  };
  static char seen[MOST][64];
  int n = 0;
  for (; property->names; property++) {
    for (const char* at = property->names; *at; at += strcspn(at, " ")) {
      at += strspn(at, " ");
      size_t length = strcspn(at, " ");
      if (!length) {
        break;
      }
      assert_in_range(length, 1, sizeof(seen[0]) - 1);
      assert_in_range(n, 0, MOST - 1);
      snprintf(seen[n], sizeof(seen[0]), "%.*s", (int)length, at);
      for (int k = 0; k < n; k++) {
        if (!strcmp(seen[k], seen[n])) {
          fail_msg("%s is listed twice", seen[n]);
        }
      }
      if (!exists(seen[n])) {
        fail_msg("%s is listed, but there is no such field", seen[n]);
      }
      if (fields_value(property, seen[n], -1) != property->value) {
        fail_msg("%s has the value %d, its list %d", seen[n], fields_value(property, seen[n], -1),
                 property->value);
      }
      n++;
    }
  }
  return n;
}

TEST(listed_fields_exist_and_are_listed_once) {
  assert_int_not_equal(assert_named(fields_rules, is_of_model), 0);
  assert_int_not_equal(assert_named(fields_follow, is_of_model), 0);
  assert_int_not_equal(assert_named(fields_lanes, is_of_model), 0);
  assert_int_not_equal(assert_named(fields_of_thread, is_of_data), 0);
}

// What lanes or the compiled model must know of can vary.
TEST(fields_that_others_follow_may_vary) {
  const BatchFields* properties[] = {fields_follow, fields_lanes};
  for (int p = 0; p < 2; p++) {
    for (const BatchFields* list = properties[p]; list->names; list++) {
      char names[400];
      snprintf(names, sizeof(names), "%s", list->names);
      for (char* name = strtok(names, " "); name; name = strtok(NULL, " ")) {
        const char* fixed = cnd_batchFixed(name);
        if (fixed) {
          fail_msg("%s can't vary: %s", name, fixed);
        }
      }
    }
  }
}
