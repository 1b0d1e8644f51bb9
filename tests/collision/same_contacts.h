// same_contacts.h: all contacts of one state, and distances of geoms, ours against the reference's.

#pragma once

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/bridge.h"
#include "support/near.h"

// Errors allowed in distances (m), and in places and normals.
typedef struct Allowed {
  double dist, place;
} Allowed;

// The same error for everything.
static inline void allow_all(Allowed allowed[mjNGEOMTYPES], double error) {
  for (int i = 0; i < mjNGEOMTYPES; i++) {
    allowed[i] = (Allowed){error, error};
  }
}

// Runs mj_collision of both with our poses of geoms. Returns how many contacts both have, -1, with
// a message, if their numbers, geoms or values differ by more than is allowed for the type of the
// second geom.
static inline int same_contacts(Bridge* b, const Allowed allowed[mjNGEOMTYPES]) {
  bridge_push(b, "geom_xpos geom_xmat");
  bridge_run(b, "mj_collision");
  bridge_pull(b, NULL);
  int num = b->d->ncon, bad = 0;
  mjContact* reference = malloc((size_t)(num + 1) * sizeof(mjContact));
  memcpy(reference, b->d->contact, (size_t)num * sizeof(mjContact));
  mj_collision(b->m, b->d);
  for (int i = 0; i < num && i < b->d->ncon; i++) {
    const mjContact *x = b->d->contact + i, *y = reference + i;
    const Allowed* a = allowed + b->m->geom_type[y->geom[1]];
    char label[80];
    snprintf(label, sizeof label, "contact %d of geoms %d-%d: ", i, y->geom[0], y->geom[1]);
    if (x->geom[0] != y->geom[0] || x->geom[1] != y->geom[1]) {
      fprintf(stderr, "%snot of %d-%d\n", label, x->geom[0], x->geom[1]);
      bad = 1;
      break;
    }
    char* what = label + strlen(label);
    strcpy(what, "dist");
    bad |= near_apart(label, x->dist, y->dist, a->dist);
    strcpy(what, "pos");
    bad |= numbers_differ(label, x->pos, y->pos, 3, a->place, 1);
    strcpy(what, "frame");
    bad |= numbers_differ(label, x->frame, y->frame, 9, a->place, 1);
  }
  if (num != b->d->ncon) {
    fprintf(stderr, "%d contacts, reference %d\n", b->d->ncon, num);
    bad = 1;
  }
  free(reference);
  return bad ? -1 : num;
}

// The same for mj_geomDistance in the poses that both have. Adds to answers if there is one within
// max.
static inline int distances_differ(const Bridge* b, int g1, int g2, mjtNum max, double tolerance,
                                   int* answers) {
  mjtNum (*reference)(const void*, const void*, int, int, mjtNum, mjtNum*) =
      bridge_function("mj_geomDistance");
  mjtNum ours[6], theirs[6];
  mjtNum x = mj_geomDistance(b->m, b->d, g1, g2, max, ours);
  mjtNum y = reference(b->ref_m, b->ref_d, g1, g2, max, theirs);
  char label[60];
  snprintf(label, sizeof label, "geoms %d %d within %g", g1, g2, (double)max);
  *answers += y < max;
  return near_apart(label, x, y, 1e-9) || numbers_differ(label, ours, theirs, 6, tolerance, 1);
}
