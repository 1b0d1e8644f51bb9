// Sensors of one stage in order of id: each is computed, then those of the user and of plugins,
// then all are cut off.                                              theory/time/sensors.md, Cutoff

#include "sensor/sensor.h"

#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <mujoco/api/sensor.h>
#include <mujoco/api/smooth.h>

#include "base/algebra/vec.h"
#include "model/checks/pair.h"
#include "model/plugin.h"

// Computes what a stage needs only for its sensors: nothing in the position stage.
static void prepare(const mjModel* m, mjData* d, mjtStage stage) {
  if (stage == mjSTAGE_VEL) {
    mj_subtreeVel(m, d);
  } else if (stage == mjSTAGE_ACC) {
    mj_rnePostConstraint(m, d);
  }
}

// Clamps the numbers of a sensor to its cutoff. A segment, an axis and a quaternion are not
// clamped.
// Also lane_cut_off in lanes/results/sensors.h and is_cut in derivative/sensor/sensors.c.
static void cut_off(const mjModel* m, mjData* d, int id) {
  mjtNum cutoff = m->sensor_cutoff[id];
  int uncut = m->sensor_type[id] == mjSENS_GEOMFROMTO ||
              (m->sensor_type[id] == mjSENS_CONTACT &&
               sensor_hasvelocities(m->sensor_intprm[mjNSENS * id]));
  if (!(cutoff > 0) || uncut) {
    return;
  }
  mjtNum* out = d->sensordata + m->sensor_adr[id];
  for (int k = 0; k < m->sensor_dim[id]; k++) {
    if (m->sensor_datatype[id] == mjDATATYPE_REAL) {
      out[k] = num_clamp(out[k], -cutoff, cutoff);
    } else if (m->sensor_datatype[id] == mjDATATYPE_POSITIVE) {
      out[k] = num_min(cutoff, out[k]);
    }
  }
}

static void evaluate(const mjModel* m, mjData* d, mjtStage stage) {
  if ((!m->nsensor && !m->nplugin) || (m->opt.disableflags & mjDSBL_SENSOR)) {
    return;
  }
  const int *needstage = m->sensor_needstage, *types = m->sensor_type;
  int prepared = 0, user = 0, foreign = m->nplugin || mjcb_sensor;
  for (int i = 0, n = m->nsensor; i < n; i++) {
    if (needstage[i] != (int)stage || types[i] == mjSENS_PLUGIN) {
      continue;
    }
    const SensorType* type = sensor_type(types[i]);
    if (type->prepared && !prepared) {
      prepare(m, d, stage);
      prepared = 1;
    }
    user |= types[i] == mjSENS_USER;
    if (type->compute) {
      type->compute(d->sensordata + m->sensor_adr[i], m, d, i);
    }
    if (!foreign) {
      cut_off(m, d, i);
    }
  }
  if (!foreign) {
    return;
  }
  if (user && mjcb_sensor) {
    mjcb_sensor(m, d, stage);
  }
  if (m->nplugin) {
    if (!prepared && plugin_senses(m, stage)) {
      prepare(m, d, stage);
    }
    plugin_sense(m, d, stage);
  }
  for (int i = 0; i < m->nsensor; i++) {
    if (needstage[i] == (int)stage) {
      cut_off(m, d, i);
    }
  }
}

void mj_sensorPos(const mjModel* m, mjData* d) {
  check_pair(m, d);
  evaluate(m, d, mjSTAGE_POS);
}

void mj_sensorVel(const mjModel* m, mjData* d) {
  check_pair(m, d);
  evaluate(m, d, mjSTAGE_VEL);
}

void mj_sensorAcc(const mjModel* m, mjData* d) {
  check_pair(m, d);
  evaluate(m, d, mjSTAGE_ACC);
}

int sensor_exists(const mjModel* m, mjtSensor type) {
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] == (int)type) {
      return 1;
    }
  }
  return 0;
}
