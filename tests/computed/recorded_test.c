// The arrays of later releases against numbers recorded from the reference's newest one
// (tests/reference/computed).

#include <condyle/computed.h>

#include "support/load.h"
#include "support/near.h"
#include "support/random.h"
#include "support/test.h"
#include "support/windows.h"

static double element(const cndArray* array, size_t i) {
  const char* type = array->field->type;
  const void* data = array->data;
  return !strcmp(type, "mjtNum")    ? (double)((const mjtNum*)data)[i]
         : !strcmp(type, "float")   ? (double)((const float*)data)[i]
         : !strcmp(type, "int")     ? (double)((const int*)data)[i]
         : !strcmp(type, "mjtByte") ? (double)((const mjtByte*)data)[i]
                                    : (double)((const mjtSize*)data)[i];
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

// Frames of meshes were found in another precision.
static double tolerance_of(const mjModel* m, const char* type) {
  return m->nmesh && !strcmp(type, "mjtNum") ? 1e-4 : 1e-9;
}

// One line: name, length, elements. Returns 1 if they aren't ours.
static int line_differs(char* line, const mjModel* m, const mjData* d) {
  char name[100];
  size_t count;
  int length = 0;
  assert_int_equal(sscanf(line, "%99s %zu%n", name, &count, &length), 2);
  cndArray array = {0}, member = {0};
  int is_member = !cnd_computedArray(&array, m, d, name);
  assert_true(!is_member || cnd_modelArray(&member, m, name) || cnd_dataArray(&member, m, d, name));
  array = is_member ? member : array;
  size_t n = array.rows * array.columns;
  if (n != count) {
    print_error("  %s: %zu elements, %zu recorded\n", name, n, count);
    return 1;
  }
  void* values = is_member ? NULL : calloc(n + 1, array.field->size);
  double* ours = malloc((2 * n + 1) * sizeof(double));
  if (!is_member) {
    array.data = values;
    cnd_computedArray(&array, m, d, name);
  }
  assert_int_equal(read_elements(ours + n, n, line + length), n);
  for (size_t i = 0; i < n; i++) {
    ours[i] = element(&array, i);
  }
  int differ =
      n && numbers_differ(name, ours, ours + n, n, tolerance_of(m, array.field->type), 1e-3);
  free(ours);
  free(values);
  return differ;
}

TEST(arrays_of_later_releases_have_the_recorded_numbers) {
  DOUBLE_ONLY();
  FILE* file = fopen(CONDYLE_SOURCE_DIR "/tests/reference/computed/arrays.txt", "r");
  assert_non_null(file);
  char *line = NULL, path[100];
  size_t room = 0;
  mjModel* m = NULL;
  mjData* d = NULL;
  int differ = 0, lines = 0;
  while (getline(&line, &room, file) > 0) {
    if (sscanf(line, "model %99s", path) == 1) {
      m = test_model_file("%s", path);
      d = test_data(m);
      print_message("%s\n", path);
    } else if (!strncmp(line, "data ", 5)) {
      uint64_t seed = 1;
      for (int i = 0; i < m->nv; i++) {
        d->qvel[i] = (mjtNum)(0.3 * uniform_random(&seed));
      }
      mj_integratePos(m, d->qpos, d->qvel, 1);
      mj_kinematics(m, d);
    } else {
      differ += line_differs(line, m, d);
      lines++;
    }
  }
  free(line);
  fclose(file);
  assert_that(lines, >, 600);
  assert_int_equal(differ, 0);
}
