// sensed.h: rows of single sensors against differences of what they read.
//
// Rows are partial derivatives: by positions and velocities at constant accelerations, and by
// these.

#ifndef CONDYLE_TESTS_DERIVATIVE_SENSOR_SENSED_H_
#define CONDYLE_TESTS_DERIVATIVE_SENSOR_SENSED_H_

#include "constraint/law.h"
#include "derivative/scene.h"
#include "derivative/sensor/sensor.h"
#include "model/arena.h"

enum {
  SENSED_BY_VELOCITY,
  SENSED_BY_ACCELERATION,
  SENSED_BY_ACTIVATION,
  SENSED_BY_CONTROL,
  NSENSED
};

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

typedef struct {
  Scene* s;
  int kind;
} Sensed;

static inline void read_at(mjtNum* y, const mjtNum* x, void* of) {
  const Sensed* sensed = of;
  const mjModel* m = sensed->s->m;
  mjData* d = data_like(m, sensed->s->d);
  mjtNum* input[NSENSED] = {d->qvel, d->qacc, d->act, d->ctrl};
  int n[NSENSED] = {m->nv, m->nv, m->na, m->nu};
  mju_copy(input[sensed->kind], x, n[sensed->kind]);
  read_sensors(y, m, d, NULL);
  mj_deleteData(d);
}

// Every sensor of the scene by its function.
static inline void check_sensors(Scene* s, void (*function)(SensorDerivative*), double tolerance) {
  const mjModel* m = s->m;
  int nv = s->nv, rows = m->nsensordata, n[NSENSED] = {nv, nv, m->na, m->nu};
  const mjtNum* input[NSENSED] = {s->d->qvel, s->d->qacc, s->d->act, s->d->ctrl};
  mjtNum *by_q = scene_zeros(s, rows * nv), *by[NSENSED];
  differences_by_dofs(by_q, read_sensors, NULL, m, s->d, rows, (mjtNum)1e-5);
  for (int kind = 0; kind < NSENSED; kind++) {
    Sensed of = {s, kind};
    by[kind] = scene_zeros(s, rows * n[kind] + 1);
    differences(by[kind], read_at, &of, input[kind], rows, n[kind], (mjtNum)1e-4);
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
    const mjtNum* part[NSENSED] = {one.v, one.x, one.act, one.ctrl};
    double size = largest_of(by_q + at * nv, dim * nv);
    if (numbers_differ("rows by positions", one.q, by_q + at * nv, dim * nv, tolerance, size + 1)) {
      fail_msg("sensor %d, of type %d", i, m->sensor_type[i]);
    }
    for (int kind = 0; kind < NSENSED; kind++) {
      const mjtNum* expected = by[kind] + at * n[kind];
      size = largest_of(expected, dim * n[kind]);
      if (numbers_differ("rows", part[kind], expected, dim * n[kind], tolerance, size + 1)) {
        fail_msg("sensor %d, of type %d, input %d", i, m->sensor_type[i], kind);
      }
    }
  }
}

#endif  // CONDYLE_TESTS_DERIVATIVE_SENSOR_SENSED_H_
