// Every array of our models against numbers recorded from the reference (tests/reference/models),
// for machines without it; truth_test.c compares live, element by element.

#include "support/models.h"

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

// One line: name, length, and unless all are zero, three sums. Returns 1 if they aren't ours.
static int line_differs(const char* line, const char* section, const mjModel* m, const mjData* d) {
  char name[100];
  long count;
  double sum = 0, size = 0, weighted = 0;
  int fields = sscanf(line, "%99s %ld %lf %lf %lf", name, &count, &sum, &size, &weighted);
  assert_true(fields == 2 || fields == 5);
  cndArray array;
  int found = strcmp(section, "model") ? cnd_dataArray(&array, m, d, name)
                                       : cnd_modelArray(&array, m, name);
  size_t n = found ? array.rows * array.columns : 0;
  if (!found || (long)n != count) {
    print_error("  %s.%s: %zu elements, %ld recorded\n", section, name, n, count);
    return 1;
  }
  double our_sum = 0, our_size = 0, our_weighted = 0;
  for (size_t i = 0; i < n; i++) {
    double x = element(&array, i);
    our_sum += x;
    our_size += fabs(x);
    our_weighted += x * cos((double)i);
  }
  double allowed = tolerance_of(section, name) * fmax(size, 1e-6 * (double)n);
  if (!(fabs(our_sum - sum) <= allowed && fabs(our_size - size) <= allowed &&
        fabs(our_weighted - weighted) <= allowed)) {
    print_error("  %s.%s: sums %.13g %.13g %.13g, recorded %.13g %.13g %.13g\n", section, name,
                our_sum, our_size, our_weighted, sum, size, weighted);
    return 1;
  }
  return 0;
}

TEST(models_have_the_recorded_numbers) {
  if (sizeof(mjtNum) != sizeof(double)) {
    test_skip("recorded in double precision");
  }
  FILE* file = fopen(CONDYLE_SOURCE_DIR "/tests/reference/models/digests.txt", "r");
  assert_non_null(file);
  char line[300], section[20] = "", name[100] = "";
  mjModel* m = NULL;
  mjData* d = NULL;
  int differ = 0, lines = 0;
  while (fgets(line, sizeof line, file)) {
    if (!strncmp(line, "model ", 6)) {
      char path[500];
      sscanf(line, "%19s %99s", section, name);
      snprintf(path, sizeof path, "%s/models/%s", CONDYLE_SOURCE_DIR, name);
      mj_deleteData(d);
      mj_deleteModel(m);
      m = our_model(path);
      assert_non_null(m);
      d = mj_makeData(m);
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
  mj_deleteData(d);
  mj_deleteModel(m);
  fclose(file);
  assert_true(lines > 1000);
  assert_int_equal(differ, 0);
}
