// range.c: checks of ranges that limit nothing although they are written.
//
// Without `limited` a range is a limit if its first number is below its second, so a reversed range
// is silently ignored. The range of forces on a tendon is a limit only if `actuatorfrclimited` is
// written, because that attribute is false by default, not auto.

#include "lint/checks.h"

// Ranges of all elements of a type, and whether each is a limit. limited is NULL if the range is
// used without one.
typedef struct Ranges_ {
  mjtObj type;
  int count;
  const char* name;
  const mjtNum* range;
  const mjtByte* limited;
} Ranges;

enum {
  NRANGES = 8
};

static void list_ranges(Ranges out[NRANGES], const mjModel* m) {
  const Ranges all[NRANGES] = {
      {mjOBJ_JOINT, m->njnt, "range", m->jnt_range, m->jnt_limited},
      {mjOBJ_JOINT, m->njnt, "actuatorfrcrange", m->jnt_actfrcrange, m->jnt_actfrclimited},
      {mjOBJ_TENDON, m->ntendon, "range", m->tendon_range, m->tendon_limited},
      {mjOBJ_TENDON, m->ntendon, "actuatorfrcrange", m->tendon_actfrcrange,
       m->tendon_actfrclimited},
      {mjOBJ_ACTUATOR, m->nu, "ctrlrange", m->actuator_ctrlrange, m->actuator_ctrllimited},
      {mjOBJ_ACTUATOR, m->nu, "forcerange", m->actuator_forcerange, m->actuator_forcelimited},
      {mjOBJ_ACTUATOR, m->nu, "actrange", m->actuator_actrange, m->actuator_actlimited},
      {mjOBJ_ACTUATOR, m->nu, "lengthrange", m->actuator_lengthrange, NULL},
  };
  for (int i = 0; i < NRANGES; i++) {
    out[i] = all[i];
  }
}

void check_reversed_range(Lint* l) {
  Ranges ranges[NRANGES];
  list_ranges(ranges, l->m);
  for (int k = 0; k < NRANGES; k++) {
    const Ranges* r = &ranges[k];
    for (int i = 0; i < r->count; i++) {
      mjtNum first = r->range[2 * i], second = r->range[2 * i + 1];
      if (first > second && !(r->limited && r->limited[i])) {
        lint_warn(l, lint_id(l, r->type, i),
                  lint_hint(l, "%s=\"%.6g %.6g\"", r->name, (double)second, (double)first),
                  "%s %.6g .. %.6g is reversed: it limits nothing", r->name, first, second);
      }
    }
  }
}

void check_tendon_forcerange(Lint* l) {
  const mjModel* m = l->m;
  for (int i = 0; i < m->ntendon; i++) {
    const mjtNum* range = m->tendon_actfrcrange + 2 * i;
    if (range[0] < range[1] && !m->tendon_actfrclimited[i]) {
      lint_warn(l, lint_id(l, mjOBJ_TENDON, i), "actuatorfrclimited=\"true\"",
                "actuatorfrcrange %.4g .. %.4g limits nothing: a tendon's counts only if "
                "actuatorfrclimited is written, too",
                range[0], range[1]);
    }
  }
}
