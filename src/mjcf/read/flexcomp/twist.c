// twist.c: the bodies and hinges by which the edges of a flexcomp of dim 1 twist.
//                                                        theory/smooth/deformables.md, Rods
#include <math.h>
#include <mujoco/api/spec.h>

#include "base/memory/memory.h"
#include "mjcf/read/context.h"
#include "mjcf/read/flexcomp/macro.h"

static const double MASS = 1e-9;  // a body must have some

// The points of an open chain in order, from the end whose element is written first; NULL if the
// elements make none of two edges or more.
static int* find_chain(const Flexcomp* comp) {
  size_t npoint = comp->point.num / 3, n = comp->element.num / 2;
  const int* element = comp->element.ptr;
  int *degree = heap_zero(npoint, sizeof(int)), *next = heap_take(2 * npoint * sizeof(int));
  int *chain = heap_take((n + 1) * sizeof(int)), start = -1, good = n > 1;
  for (size_t i = 0; i < 2 * n && good; i++) {
    int point = element[i];
    good = degree[point] < 2;
    if (good) {
      next[2 * point + degree[point]++] = element[i ^ 1];
    }
  }
  for (size_t i = 0; i < 2 * n && good && start < 0; i++) {
    start = degree[element[i]] == 1 ? element[i] : -1;
  }
  size_t length = 0;
  for (int at = start, from = -1; good && at >= 0 && length <= n;) {
    chain[length++] = at;
    int to = next[2 * at] != from ? next[2 * at] : degree[at] > 1 ? next[2 * at + 1] : -1;
    from = at;
    at = to;
  }
  good &= length == n + 1;  // no rings beside it
  heap_free(degree);
  heap_free(next);
  if (!good) {
    heap_free(chain);
    chain = NULL;
  }
  return chain;
}

// Moment of inertia about the axis: m r^2 / 2, of a box m (a^2 + b^2) / 3.
static double moment(const mjsFlex* flex, double mass) {
  const double* half = flex->sectionsize;
  return flex->section == mjFLEXSECTION_CIRCLE ? mass * flex->radius * flex->radius / 2
                                               : mass * (half[0] * half[0] + half[1] * half[1]) / 3;
}

static void add_twist(const Macro* macro, const char* name, double inertia) {
  mjsBody* body = mjs_addBody(mjs_findBody(macro->reader->spec, "world"), NULL);
  read_place(macro->reader, macro->node, body->element);
  mjs_setName(body->element, name);
  body->explicitinertial = 1;
  body->mass = MASS;
  for (int k = 0; k < 3; k++) {
    body->ipos[k] = 0;
    body->inertia[k] = inertia;
  }
  mjsJoint* joint = mjs_addJoint(body, NULL);
  read_place(macro->reader, macro->node, joint->element);
  mjs_setName(joint->element, name);
  joint->type = mjJNT_HINGE;
  for (int k = 0; k < 3; k++) {
    joint->pos[k] = 0;
    joint->axis[k] = k == 0;
  }
}

// Which used points are pinned, in their order.
static char* used_pins(const Macro* macro) {
  size_t npoint = macro_count_points(macro), kept = 0;
  char* pinned = heap_zero(npoint, 1);
  for (size_t i = 0; i < npoint; i++) {
    if (macro->used[i]) {
      pinned[kept++] = macro->comp.pinned[i];
    }
  }
  return pinned;
}

void macro_add_twists(const Macro* macro) {
  const Flexcomp* comp = &macro->comp;
  const mjsFlex* flex = macro->flex;
  int acts = macro_is_later(macro) || flex->section != mjFLEXSECTION_CIRCLE || flex->shear > 0;
  if (comp->dim != 1 || comp->rigid || comp->dof != FLEXCOMP_FULL || !(flex->young > 0) || !acts) {
    return;
  }
  double inertia = moment(flex, comp->mass * 2 / (double)comp->element.num);
  if (!(inertia > 0)) {
    return;  // the flex is refused for its section
  }
  int* chain = find_chain(comp);
  char* pinned = used_pins(macro);
  size_t n = comp->element.num / 2;
  for (size_t e = 0; chain && e < n; e++) {
    int end = e == 0 || (e == n - 1 && n > 2);
    if (end && pinned[chain[e]] && pinned[chain[e + 1]]) {
      continue;
    }
    mjString name = {0};
    if (e == n - 1) {
      string_format(&name, "%s_twist", macro->name);
    } else {
      string_format(&name, "%s_twist_%zu", macro->name, e);
    }
    add_twist(macro, string_text(&name), inertia);
    string_clear(&name);
  }
  heap_free(pinned);
  heap_free(chain);
}
