// Sensors that copy what the pipeline has computed anyway: joints, tendons, actuators, limits,
// energies, time.                                                       spec 07, sections 1.5, 1.8

#include <mujoco/api/smooth.h>

#include "base/vec.h"
#include "sensor/sensor.h"

// joints, tendons, actuators

void sensor_jointpos(mjtNum* out, const mjModel* m, mjData* d, int id) {
  *out = d->qpos[m->jnt_qposadr[m->sensor_objid[id]]];
}

void sensor_jointvel(mjtNum* out, const mjModel* m, mjData* d, int id) {
  *out = d->qvel[m->jnt_dofadr[m->sensor_objid[id]]];
}

void sensor_jointactfrc(mjtNum* out, const mjModel* m, mjData* d, int id) {
  *out = d->qfrc_actuator[m->jnt_dofadr[m->sensor_objid[id]]];
}

void sensor_tendonpos(mjtNum* out, const mjModel* m, mjData* d, int id) {
  *out = d->ten_length[m->sensor_objid[id]];
}

void sensor_tendonvel(mjtNum* out, const mjModel* m, mjData* d, int id) {
  *out = d->ten_velocity[m->sensor_objid[id]];
}

// all actuators that pull on the tendon
void sensor_tendonactfrc(mjtNum* out, const mjModel* m, mjData* d, int id) {
  mjtNum force = 0;
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_trntype[i] == mjTRN_TENDON && m->actuator_trnid[2 * i] == m->sensor_objid[id]) {
      force += d->actuator_force[i];
    }
  }
  *out = force;
}

void sensor_actuatorpos(mjtNum* out, const mjModel* m, mjData* d, int id) {
  *out = d->actuator_length[m->sensor_objid[id]];
}

void sensor_actuatorvel(mjtNum* out, const mjModel* m, mjData* d, int id) {
  *out = d->actuator_velocity[m->sensor_objid[id]];
}

void sensor_actuatorfrc(mjtNum* out, const mjModel* m, mjData* d, int id) {
  *out = d->actuator_force[m->sensor_objid[id]];
}

void sensor_ballquat(mjtNum* out, const mjModel* m, mjData* d, int id) {
  q_copy(out, d->qpos + m->jnt_qposadr[m->sensor_objid[id]]);
  q_normalize(out);
}

void sensor_ballangvel(mjtNum* out, const mjModel* m, mjData* d, int id) {
  v3_copy(out, d->qvel + m->jnt_dofadr[m->sensor_objid[id]]);
}

// limits

// First row of the sensor's joint or tendon, -1 if no limit is near. With both limits near that is
// the lower one's.
static int limit_row(const mjModel* m, const mjData* d, int id) {
  int joint = m->sensor_objtype[id] == mjOBJ_JOINT;
  int type = joint ? mjCNSTR_LIMIT_JOINT : mjCNSTR_LIMIT_TENDON;
  int begin = d->ne + d->nf, end = begin + d->nl;
  for (int i = begin; i < end; i++) {
    if (d->efc_type[i] == type && d->efc_id[i] == m->sensor_objid[id]) {
      return i;
    }
  }
  return -1;
}

// how far within the margin, negative: pos - margin
void sensor_limitpos(mjtNum* out, const mjModel* m, mjData* d, int id) {
  int row = limit_row(m, d, id);
  *out = row < 0 ? 0 : d->efc_pos[row] - d->efc_margin[row];
}

void sensor_limitvel(mjtNum* out, const mjModel* m, mjData* d, int id) {
  int row = limit_row(m, d, id);
  *out = row < 0 ? 0 : d->efc_vel[row];
}

void sensor_limitfrc(mjtNum* out, const mjModel* m, mjData* d, int id) {
  int row = limit_row(m, d, id);
  *out = row < 0 ? 0 : d->efc_force[row];
}

// of the whole model

// - sum m gravity . x + springs, 1/2 qvel' M qvel, both of the position stage
void sensor_potential(mjtNum* out, const mjModel* m, mjData* d, int id) {
  (void)id;
  mj_energyPos(m, d);
  *out = d->energy[0];
}

void sensor_kinetic(mjtNum* out, const mjModel* m, mjData* d, int id) {
  (void)id;
  mj_energyVel(m, d);
  *out = d->energy[1];
}

void sensor_clock(mjtNum* out, const mjModel* m, mjData* d, int id) {
  (void)m, (void)id;
  *out = d->time;
}
