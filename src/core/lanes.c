// lanes.c: worlds are not stepped in lanes but one by one, and batches say so.

#include <mujoco/api/base.h>
#include <stdio.h>

#include "base/memory/memory.h"
#include "lanes/choice.h"
#include "lanes/setup/kept.h"
#include "lanes/setup/structure.h"
#include "lanes/setup/why.h"

static const char kWhy[] = "libcondyle_core has no lanes: it steps worlds one by one";

const LaneVariant* lanes_variant(int k, int single, int varied) {
  (void)k, (void)single, (void)varied;
  return NULL;
}

LaneStructure* structure_make(const mjModel* m) {
  LaneStructure* s = memory_take_zero(sizeof(LaneStructure));
  if (s) {
    s->m = m;
    s->filters = !(m->opt.disableflags & mjDSBL_FILTERPARENT);
    snprintf(s->why, sizeof(s->why), "%s", kWhy);
    snprintf(s->why_sensors, sizeof(s->why_sensors), "%s", kWhy);
  }
  return s;
}

void structure_free(LaneStructure* s) {
  mju_free(s);
}

int structure_hulls(LaneStructure* s) {
  (void)s;
  return 1;
}

// Nothing is kept where there are no lanes.
LaneKept* structure_kept_make(const mjModel* m) {
  (void)m;
  return NULL;
}

void structure_kept_free(LaneKept* kept) {
  (void)kept;
}

int structure_kept_is_same(const LaneKept* kept, const mjModel* m) {
  (void)kept, (void)m;
  return 0;
}

void structure_kept_take(LaneKept* kept, const mjModel* m) {
  (void)kept, (void)m;
}

int structure_is_stale(const LaneStructure* s) {
  (void)s;
  return 0;
}

const char* why_options(const mjModel* m, int minimum) {
  (void)m, (void)minimum;
  return kWhy;
}

int coupled_bodies(const mjModel* m) {
  (void)m;
  return 0;
}
