// Every element of every array of our models against numbers recorded from the reference
// (tests/reference/models), for machines without it; truth_test.c compares live.

#include "support/models.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/windows.h"

// depends on the solver
static const char* const solved[] = {
    "qacc", "qacc_warmstart", "qfrc_constraint", "efc_force", "iefc_force", "ifrc_constraint",
    "iacc", "cacc",           "cfrc_int",        "cfrc_ext",
};

static double tolerance_of(const char* section, const char* name) {
  if (!strcmp(section, "later")) {
    return 1e-6;
  }
  for (size_t i = 0; i < sizeof solved / sizeof solved[0]; i++) {
    if (!strcmp(solved[i], name)) {
      return 1e-7;
    }
  }
  return 1e-9;
}

static double element(const cndArray* array, size_t i) {
  const char* type = array->field->type;
  const void* data = array->data;
  return !strcmp(type, "mjtNum")    ? (double)((const mjtNum*)data)[i]
         : !strcmp(type, "float")   ? (double)((const float*)data)[i]
         : !strcmp(type, "int")     ? (double)((const int*)data)[i]
         : !strcmp(type, "mjtByte") ? (double)((const mjtByte*)data)[i]
         : !strcmp(type, "char")    ? (double)((const char*)data)[i]
                                    : (double)((const uint64_t*)data)[i];
}

// The state that record.py makes.
static void set_state(const mjModel* m, mjData* d) {
  uint64_t seed = 1;
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = (mjtNum)(0.3 * uniform_random(&seed));
  }
  mj_integratePos(m, d->qpos, d->qvel, 1);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = (mjtNum)(0.3 * uniform_random(&seed));
  }
  for (int i = 0; i < m->nu; i++) {
    d->ctrl[i] = (mjtNum)(0.3 * uniform_random(&seed));
  }
  mj_forward(m, d);
  mj_subtreeVel(m, d);
  mj_rnePostConstraint(m, d);
}

// The recorded elements of an array, n*x for n of x in a row; how many there are, at most room.
static size_t read_elements(double* x, size_t room, char* words) {
  size_t n = 0;
  for (char* word = strtok(words, " \n"); word; word = strtok(NULL, " \n")) {
    char* end;
    double value = strtod(word, &end);
    size_t count = *end == '*' ? (size_t)value : 1;
    value = *end == '*' ? strtod(end + 1, NULL) : value;
    for (; count > 0 && n < room; count--) {
      x[n++] = value;
    }
  }
  return n;
}

// One line: name, length, elements, the first ones at least. Returns 1 if they aren't ours.
static int line_differs(char* line, const char* section, const mjModel* m, const mjData* d) {
  char name[100], label[200];
  size_t count;
  int length = 0;
  assert_int_equal(sscanf(line, "%99s %zu%n", name, &count, &length), 2);
  cndArray array;
  int found = strcmp(section, "model") ? cnd_dataArray(&array, m, d, name)
                                       : cnd_modelArray(&array, m, name);
  size_t n = found ? array.rows * array.columns : 0;
  if (n != count) {
    print_error("  %s.%s: %zu elements, %zu recorded\n", section, name, n, count);
    return 1;
  }
  double* ours = malloc((2 * n + 1) * sizeof(double));
  double* recorded = ours + n;
  size_t given = read_elements(recorded, n, line + length);
  assert_true(given == n || (given > 0 && !strcmp(name, "tex_data")));
  for (size_t i = 0; i < given; i++) {
    ours[i] = element(&array, i);
  }
  snprintf(label, sizeof label, "%s.%s", section, name);
  int differ =
      given && numbers_differ(label, ours, recorded, given, tolerance_of(section, name), 1e-6);
  free(ours);
  return differ;
}

TEST(models_have_the_recorded_numbers) {
  DOUBLE_ONLY();
  FILE* file = fopen(CONDYLE_SOURCE_DIR "/tests/reference/models/arrays.txt", "r");
  assert_non_null(file);
  char *line = NULL, section[20] = "", name[100] = "";
  size_t room = 0;
  mjModel* m = NULL;
  mjData* d = NULL;
  int differ = 0, lines = 0;
  while (getline(&line, &room, file) > 0) {
    if (!strncmp(line, "model ", 6)) {
      sscanf(line, "%19s %99s", section, name);
      m = test_model_file("models/%s", name);
      d = test_data(m);
      print_message("%s\n", name);
    } else if (!strncmp(line, "data ", 5)) {
      strcpy(section, "data");
      tighten(m);
      set_state(m, d);
    } else if (!strncmp(line, "later ", 6)) {
      strcpy(section, "later");
      for (int i = 0; i < 100; i++) {
        mj_step(m, d);
      }
    } else {
      differ += line_differs(line, section, m, d);
      lines++;
    }
  }
  free(line);
  fclose(file);
  assert_that(lines, >, 1000);
  assert_int_equal(differ, 0);
}
