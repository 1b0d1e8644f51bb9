// dialect.c: what changes when a model follows the rules of another release.

#include <condyle/behaviour.h>
#include <condyle/condyle.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"

int take_dialect(void* target, const char* option, const char* value) {
  *(int*)target = cnd_dialect(value);
  return *(int*)target
             ? STATUS_OK
             : usage_error(option, "a dialect is a release from 3.3 to 4.0, not '%s'", value);
}

void print_behaviours(const mjModel* m, int dialect) {
  int changed = (cnd_dialectBehaviour(dialect) ^ m->opt.behaviour);
  for (int i = 0; i < cndNBEHAVIOUR; i++) {
    if (changed >> i & 1) {
      const cndBehaviourRow* row = cnd_behaviour(i);
      printf("%-12s since %s: %s%s\n", row->name, row->release, row->meaning,
             cnd_behaviourMatters(m, i) ? "" : " (of no effect here)");
    }
  }
}

static double number_of(const cndArray* array, size_t i) {
  const void* data = array->data;
  const char* type = array->field->type;
  return !strcmp(type, "mjtNum")  ? (double)((const mjtNum*)data)[i]
         : !strcmp(type, "float") ? (double)((const float*)data)[i]
         : !strcmp(type, "int")   ? ((const int*)data)[i]
                                  : ((const mjtByte*)data)[i];
}

// One line if the arrays differ.
static int print_array(const cndArray* a, const cndArray* b) {
  size_t n = a->rows * a->columns, differ = 0;
  double most = 0;
  if (n != b->rows * b->columns) {
    printf("%-22s %zu numbers instead of %zu\n", a->field->name, b->rows * b->columns, n);
    return 1;
  }
  for (size_t i = 0; i < n; i++) {
    double x = number_of(a, i), y = number_of(b, i);
    differ += (size_t)(x != y);
    most = fmax(most, fabs(x - y));
  }
  if (differ) {
    printf("%-22s %zu of %zu numbers, most by %.4g\n", a->field->name, differ, n, most);
  }
  return differ > 0;
}

void print_compiled(const mjModel* now, const mjModel* then) {
  int changed = 0;
  for (int i = 0; cnd_modelField(i); i++) {
    const cndField* field = cnd_modelField(i);
    cndArray a, b;
    if (!field->hidden && strcmp(field->type, "char") != 0) {
      cnd_modelArray(&a, now, field->name);
      cnd_modelArray(&b, then, field->name);
      changed += print_array(&a, &b);
    }
  }
  printf(changed ? "" : "the compiled model has the same numbers\n");
}
