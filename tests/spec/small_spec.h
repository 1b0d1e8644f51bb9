// small_spec.h: a spec of a few named bodies, and its elements in the order of visiting.

#pragma once

#include "support/test.h"

static inline mjsBody* body_in(mjsBody* parent, const char* name) {
  mjsBody* body = mjs_addBody(parent, NULL);
  mjs_setName(body->element, name);
  return body;
}

static inline mjsGeom* geom_in(mjsBody* parent, const char* name) {
  mjsGeom* geom = mjs_addGeom(parent, NULL);
  mjs_setName(geom->element, name);
  return geom;
}

// world: a (a1: a11, a2), geom w, b
static inline mjSpec* small(void) {
  mjSpec* s = mj_makeSpec();
  mjsBody* world = mjs_findBody(s, "world");
  mjsBody* a = body_in(world, "a");
  geom_in(world, "w");
  mjsBody* b = body_in(world, "b");
  geom_in(b, "gb");
  mjsBody* a1 = body_in(a, "a1");
  body_in(a, "a2");
  geom_in(a, "ga");
  geom_in(body_in(a1, "a11"), "ga11");
  return s;
}

// Names of all elements of a type in the order of visiting, separated by blanks.
static inline const char* order(mjSpec* s, mjtObj type) {
  static char text[1000];
  text[0] = 0;
  for (mjsElement* it = mjs_firstElement(s, type); it; it = mjs_nextElement(s, it)) {
    strcat(text, mjs_getString(mjs_getName(it)));
    strcat(text, " ");
  }
  return text;
}
