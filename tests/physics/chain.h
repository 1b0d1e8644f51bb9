// chain.h: chains of bodies without losses, for the conservation laws.

#pragma once

#include "support/zoo.h"

// What links the bodies.
typedef enum Link_ {
  LINK_HINGE,
  LINK_BALL,
  LINK_SLIDE,  // sprung slides: without springs they'd fall with constant acceleration
  LINK_FREE,   // hinges and balls by turns, the first body floats
  LINK_COUNT
} Link;

// A chain of n bodies, hanging from the world or floating.
static inline mjModel* chain_make(Link link, int n, const char* options) {
  static const char* const joints[] = {
      "<joint axis='1 .2 0'/>",
      "<joint type='ball'/>",
      "<joint type='slide' axis='.3 .5 1' stiffness='300'/>",
  };
  enum {
    kRoom = 400
  };
  char *xml = malloc((size_t)kRoom * (size_t)(n + 2)), *end = xml;
  assert_non_null(xml);
  end += sprintf(end,
                 "<mujoco><option %s><flag contact='disable' energy='enable'/></option>"
                 "<worldbody>",
                 options);
  for (int i = 0; i < n; i++) {
    const char* joint = link != LINK_FREE ? joints[link]
                        : i == 0          ? "<freejoint/>"
                        : i % 2           ? joints[LINK_HINGE]
                                          : joints[LINK_BALL];
    end += sprintf(end,
                   "<body pos='0 %g 0' euler='0 %d 5'>%s<geom type='capsule' size='.03' "
                   "fromto='0 0 0 .02 .2 .05' density='%d'/>",
                   i ? 0.2 : 0.0, i % 3 * 20, joint, 800 + 100 * (i % 4));
  }
  for (int i = 0; i < n; i++) {
    end += sprintf(end, "</body>");
  }
  sprintf(end, "</worldbody></mujoco>");
  mjModel* m = test_model(xml);
  free(xml);
  return m;
}

// A swinging start; long chains swing more gently, so that every link turns at a similar speed.
static inline void chain_start(const mjModel* m, mjData* d) {
  uint64_t seed = 4;
  mj_resetData(m, d);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = uniform_random(&seed) / (mjtNum)sqrt(m->nbody);
  }
  mj_forward(m, d);
}
