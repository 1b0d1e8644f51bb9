// history.c: controls and sensors at an earlier time, as later releases of the interface ask for
// them. Models have no history, so all times have the present values.

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/memory/check.h"
#include "model/checks/pair.h"

void mj_resetCtrl(const mjModel* m, mjData* d) {
  check_pair(m, d);
  mju_zero(d->ctrl, m->nu);
}

const mjtNum* mj_readCtrl(const mjModel* m, const mjData* d, int id, mjtNum time, mjtNum* result,
                          int interp) {
  (void)time, (void)result, (void)interp;
  check_pair(m, d);
  check_index("mj_readCtrl", "actuator", id, m->nu);
  return d->ctrl + id;
}

const mjtNum* mj_readSensor(const mjModel* m, const mjData* d, int id, mjtNum time, mjtNum* result,
                            int interp) {
  (void)time, (void)result, (void)interp;
  check_pair(m, d);
  check_index("mj_readSensor", "sensor", id, m->nsensor);
  return d->sensordata + m->sensor_adr[id];
}

void mj_initCtrlHistory(const mjModel* m, mjData* d, int id, const mjtNum* times,
                        const mjtNum* values) {
  (void)times, (void)values;
  check_pair(m, d);
  check_index("mj_initCtrlHistory", "actuator", id, m->nu);
  mju_error("mj_initCtrlHistory: actuator %d has no history", id);
}

void mj_initSensorHistory(const mjModel* m, mjData* d, int id, const mjtNum* times,
                          const mjtNum* values, mjtNum phase) {
  (void)times, (void)values, (void)phase;
  check_pair(m, d);
  check_index("mj_initSensorHistory", "sensor", id, m->nsensor);
  mju_error("mj_initSensorHistory: sensor %d has no history", id);
}
