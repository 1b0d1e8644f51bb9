// Sensors of one stage in order of id: each is computed, then those of the user and of plugins,
// then all are cut off.                                              theory/time/sensors.md, Cutoff

#include "sensor/sensor.h"

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <mujoco/api/sensor.h>
#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "model/data/awake.h"
#include "model/data/history.h"
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
static void cut_off(mjtNum* out, const mjModel* m, int id) {
  mjtNum cutoff = m->sensor_cutoff[id];
  int uncut = m->sensor_type[id] == mjSENS_GEOMFROMTO ||
              (m->sensor_type[id] == mjSENS_CONTACT &&
               sensor_hasvelocities(m->sensor_intprm[mjNSENS * id]));
  if (!(cutoff > 0) || uncut) {
    return;
  }
  for (int k = 0; k < m->sensor_dim[id]; k++) {
    if (m->sensor_datatype[id] == mjDATATYPE_REAL) {
      out[k] = num_clamp(out[k], -cutoff, cutoff);
    } else if (m->sensor_datatype[id] == mjDATATYPE_POSITIVE) {
      out[k] = num_min(cutoff, out[k]);
    }
  }
}

// A sensor with a delay tells a past value; one with an interval tells its last one between two
// measurements. Writes that value, or returns 0 if the sensor measures now.
//                                                            theory/time/history.md, Sensors
static int tell_past(const mjModel* m, mjData* d, int id) {
  History h = history_of_sensor(m, d, id);
  mjtNum delay = m->sensor_delay[id], *out = d->sensordata + m->sensor_adr[id];
  if (!h.number || (!(delay > 0) && history_is_due(m, d, &h, id))) {
    return 0;
  }
  mjtNum age = delay > 0 ? delay : 0;
  const mjtNum* value = history_read(out, &h, d->time - age, h.interp);
  if (value != out) {
    memcpy(out, value, (size_t)h.dim * sizeof(mjtNum));
  }
  return 1;
}

static int object_state(const mjModel* m, const mjData* d, int type, int id) {
  if (id < 0) {
    return mjS_STATIC;
  }
  switch (type) {
    case mjOBJ_ACTUATOR:
      return actuator_sleeps(m, d, id) ? mjS_ASLEEP : mjS_AWAKE;
    case mjOBJ_TENDON:
      return tendon_sleeps(m, d, id) ? mjS_ASLEEP : mjS_AWAKE;
    case mjOBJ_BODY:
    case mjOBJ_XBODY:
      return d->body_awake[id];
    case mjOBJ_GEOM:
      return d->body_awake[m->geom_bodyid[id]];
    case mjOBJ_JOINT:
      return d->body_awake[m->jnt_bodyid[id]];
    case mjOBJ_CAMERA:
      return d->body_awake[m->cam_bodyid[id]];
    case mjOBJ_SITE:
      return d->body_awake[m->site_bodyid[id]];
    default:
      return mjS_STATIC;
  }
}

// Keeps a sensor its value because what it measures sleeps? Rays, and contacts at a place, may meet
// what is awake.                                            theory/time/sleep.md, What is left out
static int is_asleep(const mjModel* m, const mjData* d, int id) {
  int type = m->sensor_type[id], object = m->sensor_objtype[id], other = m->sensor_reftype[id];
  if (type == mjSENS_RANGEFINDER || type == mjSENS_USER ||
      (type == mjSENS_CONTACT && object == mjOBJ_SITE)) {
    return 0;
  }
  int state = object_state(m, d, object, m->sensor_objid[id]);
  int reference = object_state(m, d, other, m->sensor_refid[id]);
  return state != mjS_AWAKE && reference != mjS_AWAKE &&
         (state == mjS_ASLEEP || reference == mjS_ASLEEP);
}

static void evaluate(const mjModel* m, mjData* d, mjtStage stage) {
  if ((!m->nsensor && !m->nplugin) || (m->opt.disableflags & mjDSBL_SENSOR)) {
    return;
  }
  const int *needstage = m->sensor_needstage, *types = m->sensor_type;
  int prepared = 0, user = 0, foreign = m->nplugin || mjcb_sensor, has_past = m->nhistory > 0;
  int asleep = awake_some_sleep(m, d);
  for (int i = 0, n = m->nsensor; i < n; i++) {
    if (needstage[i] != (int)stage || types[i] == mjSENS_PLUGIN ||
        (has_past && tell_past(m, d, i)) || (asleep && is_asleep(m, d, i))) {
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
      cut_off(d->sensordata + m->sensor_adr[i], m, i);
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
    // the callback has written the values of all sensors of the program
    if (needstage[i] == (int)stage && !(has_past && tell_past(m, d, i))) {
      cut_off(d->sensordata + m->sensor_adr[i], m, i);
    }
  }
}

// Measures one sensor now, whatever d->sensordata holds.
static void measure(mjtNum* out, const mjModel* m, mjData* d, int id) {
  const SensorType* type = sensor_type(m->sensor_type[id]);
  mjtStage stage = (mjtStage)m->sensor_needstage[id];
  int dim = m->sensor_dim[id];
  if (type->prepared) {
    prepare(m, d, stage);
  }
  if (type->compute) {
    type->compute(out, m, d, id);
  } else if (mjcb_sensor) {
    size_t top = arena_top(d);
    mjtNum* kept = arena_num(d, m->nsensordata);
    mju_copy(kept, d->sensordata, m->nsensordata);
    mjcb_sensor(m, d, stage);
    mju_copy(out, d->sensordata + m->sensor_adr[id], dim);
    mju_copy(d->sensordata, kept, m->nsensordata);
    arena_pop(d, top);
  }
  cut_off(out, m, id);
}

void sensor_store(const mjModel* m, mjData* d) {
  for (int i = 0; m->nhistory && i < m->nsensor; i++) {
    History h = history_of_sensor(m, d, i);
    if (!h.number || !history_is_due(m, d, &h, i)) {
      continue;
    }
    if (m->sensor_interval[2 * i] > 0) {
      h.number[0] += m->sensor_interval[2 * i];
    }
    mjtNum* value = history_insert(&h, d->time);
    if (m->sensor_delay[i] > 0) {
      measure(value, m, d, i);
    } else {
      mju_copy(value, d->sensordata + m->sensor_adr[i], h.dim);
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
