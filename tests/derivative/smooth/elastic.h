// elastic.h: elastic and damping forces of deformables alone, by differences.

#pragma once

#include "derivative/smooth/force_differences.h"
#include "smooth/flex/flex.h"

// A flex beside, and on, a body that swings.
#define ELASTIC(ATTRIBUTES, MORE) ELASTIC_IN("", ATTRIBUTES, MORE)

// The same with attributes of the body that carries it.
#define ELASTIC_IN(BODY, ATTRIBUTES, MORE)                                               \
  "<mujoco><option timestep='.01'><flag contact='disable'/></option><worldbody>"         \
  "<body name='b' pos='0 0 1' " BODY                                                     \
  "><joint axis='0 1 0'/><joint type='ball'/><geom size='.05'/>"                         \
  "<flexcomp name='f' spacing='.1 .1 .1' mass='.4' radius='.01' type='grid' " ATTRIBUTES \
  "><contact contype='0' conaffinity='0' selfcollide='none' internal='false'/>" MORE     \
  "</flexcomp></body></worldbody></mujoco>"

enum {
  ELASTIC_SPRING = 1,
  ELASTIC_DAMPER = 2
};

// of: which of both
static inline void elastic_force(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  int which = *(int*)of;
  mj_fwdPosition(m, d);
  mj_fwdVelocity(m, d);
  mju_zero(d->qfrc_spring, m->nv);
  mju_zero(d->qfrc_damper, m->nv);
  flex_forces(m, d, (which & ELASTIC_SPRING) != 0, (which & ELASTIC_DAMPER) != 0);
  mju_add(y, d->qfrc_spring, d->qfrc_damper, m->nv);
}
