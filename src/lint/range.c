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
  const int *first, *num;  // rows of each object, NULL: one
} Ranges;

enum {
  NRANGES = 8
};

static void list_ranges(Ranges out[NRANGES], const mjModel* m) {
  int n = (int)m->nactuator;
  const Ranges all[NRANGES] = {
      {mjOBJ_JOINT, m->njnt, "range", m->jnt_range, m->jnt_limited, NULL, NULL},
      {mjOBJ_JOINT, m->njnt, "actuatorfrcrange", m->jnt_actfrcrange, m->jnt_actfrclimited, NULL,
       NULL},
      {mjOBJ_TENDON, m->ntendon, "range", m->tendon_range, m->tendon_limited, NULL, NULL},
      {mjOBJ_TENDON, m->ntendon, "actuatorfrcrange", m->tendon_actfrcrange, m->tendon_actfrclimited,
       NULL, NULL},
      {mjOBJ_ACTUATOR, n, "ctrlrange", m->actuator_ctrlrange, m->actuator_ctrllimited,
       m->actuator_ctrladr, m->actuator_ctrlnum},
      {mjOBJ_ACTUATOR, n, "forcerange", m->actuator_forcerange, m->actuator_forcelimited, NULL,
       NULL},
      {mjOBJ_ACTUATOR, n, "actrange", m->actuator_actrange, m->actuator_actlimited, NULL, NULL},
      {mjOBJ_ACTUATOR, n, "lengthrange", m->actuator_lengthrange, NULL, m->actuator_outadr,
       m->actuator_outnum},
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
      if (r->num && !r->num[i]) {
        continue;
      }
      int row = r->first ? r->first[i] : i;
      mjtNum first = r->range[2 * row], second = r->range[2 * row + 1];
      if (first > second && !(r->limited && r->limited[row])) {
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
