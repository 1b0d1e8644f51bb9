// behaviour_use.c: in which models a behaviour can change a result. One function for each row of
// the table; it may say 1 too often, never 0 where a number depends on the rule.

#include "base/memory/check.h"
#include "model/behaviour.h"

static int uses_actearly(const mjModel* m) {
  int is_implicit = m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST;
  for (int i = 0; i < (int)m->nactuator && is_implicit; i++) {
    if (m->actuator_actearly[i] && m->actuator_dyntype[i] != mjDYN_NONE &&
        m->actuator_gaintype[i] != mjGAIN_FIXED) {
      return 1;
    }
  }
  return 0;
}

int cnd_behaviourMatters(const mjModel* m, int behaviour) {
  static int (*const uses[])(const mjModel*) = {
#define USES(name, release, meaning) uses_##name,
      CND_BEHAVIOURS(USES)
#undef USES
  };
  check_given(m);
  return behaviour >= 0 && behaviour < cndNBEHAVIOUR && uses[behaviour](m);
}
