// sensed.h: rows of single sensors against differences of what they read.
//
// Rows are partial derivatives: by positions and velocities at constant accelerations, and by
// these.

#pragma once

#include "constraint/law/law.h"
#include "derivative/scene.h"
#include "derivative/sensor/sensor.h"
#include "model/data/arena.h"

// All readings at the positions, velocities and accelerations of d.
static inline void read_sensors(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  (void)of;
  mj_fwdPosition(m, d);
  mj_sensorPos(m, d);
  mj_fwdVelocity(m, d);
  mj_sensorVel(m, d);
  mj_fwdActuation(m, d);
  if (d->nefc) {
    mjtNum Jx[200];
    int zone[200];
    assert_in_range(d->nefc, 1, 200);
    Rows rows = rows_whole(m, d);
    mj_mulJacVec(m, d, Jx, d->qacc);
    mju_subFrom(Jx, d->efc_aref, d->nefc);
    law_cost(d->efc_force, zone, &rows, Jx, 0);
  }
  mj_sensorAcc(m, d);
  mju_copy(y, d->sensordata, m->nsensordata);
}

// Every sensor of the scene by its function.
static inline void check_sensors(Scene* s, void (*function)(SensorDerivative*), double tolerance) {
  const mjModel* m = s->m;
  int nv = s->nv;
  mjtNum* expected[NINPUT];
  for (int by = 0; by < NINPUT; by++) {
    expected[by] = scene_differences(s, read_sensors, NULL, m->nsensordata, by);
  }
  System system = system_make(m, s->d, s->d->qacc, (ForceParts){1, 1, NULL, "test"});
  for (int i = 0; i < m->nsensor; i++) {
    int dim = m->sensor_dim[i], at = m->sensor_adr[i];
    SensorDerivative one = {
        .system = &system, .m = m, .d = s->d, .id = i, .object = m->sensor_objid[i], .dim = dim};
    one.q = arena_zeros(s->d, (size_t)(dim * (3 * nv + m->na + m->nu)));
    one.v = one.q + dim * nv;
    one.x = one.v + dim * nv;
    one.act = one.x + dim * nv;
    one.ctrl = one.act + dim * m->na;
    function(&one);
    const mjtNum* part[NINPUT] = {one.q, one.v, one.act, one.ctrl, one.x};
    for (int by = 0; by < NINPUT; by++) {
      int n = scene_input(m, s->d, by).n;
      const mjtNum* J = expected[by] + at * n;
      if (numbers_differ("rows", part[by], J, dim * n, tolerance, largest_of(J, dim * n) + 1)) {
        fail_msg("sensor %d, of type %d, input %d", i, m->sensor_type[i], by);
      }
    }
  }
}
