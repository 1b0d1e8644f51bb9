// behaviour.c: the table of behaviours at run time, and the dialects made of them.
//                                                                       theory/model/dialects.md

#include "model/behaviour.h"

#include <mujoco/api/base.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/check.h"

static const cndBehaviourRow rows[] = {
#define ROW(name, release, meaning) {#name, release, meaning},
    CND_BEHAVIOURS(ROW)
#undef ROW
};

_Static_assert(cndNBEHAVIOUR < 32, "each behaviour is a bit of an int");

enum {
  FIRST = 303,
  LAST = 400
};

static atomic_int standard = FIRST;
static _Thread_local int asked;

const cndBehaviourRow* cnd_behaviour(int i) {
  return i >= 0 && i < cndNBEHAVIOUR ? rows + i : NULL;
}

int cnd_behaviourByName(const char* name) {
  check_given(name);
  for (int i = 0; i < cndNBEHAVIOUR; i++) {
    if (!strcmp(rows[i].name, name)) {
      return i;
    }
  }
  return -1;
}

// Reads a number of one or two digits and what separates it from the next.
static int read_part(const char** text, int* out) {
  const char* at = *text;
  for (*out = 0; *at >= '0' && *at <= '9' && at - *text < 2; at++) {
    *out = 10 * *out + (*at - '0');
  }
  int found = at > *text;
  *text = at;
  return found;
}

int cnd_dialect(const char* text) {
  check_given(text);
  int major, minor, patch;
  if (!read_part(&text, &major) || *text++ != '.' || !read_part(&text, &minor)) {
    return 0;
  }
  if (*text == '.') {
    text++;
    if (!read_part(&text, &patch)) {
      return 0;
    }
  }
  int dialect = 100 * major + minor;
  return *text || dialect < FIRST || dialect > LAST ? 0 : dialect;
}

int cnd_dialectBehaviour(int dialect) {
  int bits = 0;
  for (int i = 0; i < cndNBEHAVIOUR; i++) {
    bits |= cnd_dialect(rows[i].release) <= dialect ? 1 << i : 0;
  }
  return bits;
}

// Settings of pictures that began otherwise before some dialect, unless the author has set them.
static void set_pictures(mjSpec* s, int dialect) {
  enum {
    BVACTIVE = (offsetof(mjVisual, global.bvactive) - offsetof(mjVisual, global)) / sizeof(int),
    HEADLIGHT =
        (offsetof(mjVisual, headlight.active) - offsetof(mjVisual, headlight)) / sizeof(float[3]),
  };
  int boxes = dialect < 312, light = dialect < 400 ? 1 : 2;
  if (!(s->authored.visual_global >> BVACTIVE & 1)) {
    s->visual.global.bvactive = boxes;
  }
  if (!(s->authored.visual_headlight >> HEADLIGHT & 1) && s->visual.headlight.active) {
    s->visual.headlight.active = light;
  }
}

void cnd_setDialect(mjSpec* s, int dialect) {
  check_given(s);
  set_pictures(s, dialect);
  s->compiler.dialect = dialect;
  s->option.behaviour = cnd_dialectBehaviour(dialect);
}

int cnd_setDefaultDialect(int dialect) {
  if (dialect < FIRST || dialect > LAST) {
    mju_error("cnd_setDefaultDialect: %d is no dialect from %d to %d", dialect, FIRST, LAST);
    return 0;
  }
  return atomic_exchange(&standard, dialect);
}

int dialect_default(void) {
  return asked ? asked : atomic_load(&standard);
}

int dialect_ask(int dialect) {
  int before = asked;
  asked = dialect;
  return before;
}
