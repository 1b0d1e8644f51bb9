// Sensors that copy numbers which a step computes anyway: joints, tendons, actuators, subtrees,
// limits, energies, time.                theory/time/sensors.md, Joint, tendon and actuator sensors

#include <mujoco/api/base.h>
#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/transmission.h"
#include "model/behaviour.h"
#include "sensor/functions.h"

// The array entry in mjData that a sensor copies.
static const mjtNum* copied_numbers(const mjModel* m, const mjData* d, int type, int object) {
  switch (type) {
    case mjSENS_JOINTPOS:
      return d->qpos + m->jnt_qposadr[object];
    case mjSENS_JOINTVEL:
    case mjSENS_BALLANGVEL:
      return d->qvel + m->jnt_dofadr[object];
    case mjSENS_JOINTACTFRC:
      return d->qfrc_actuator + m->jnt_dofadr[object];
    case mjSENS_TENDONPOS:
      return d->ten_length + object;
    case mjSENS_TENDONVEL:
      return d->ten_velocity + object;
    case mjSENS_ACTUATORPOS:
      return d->actuator_length + m->actuator_outadr[object];
    case mjSENS_ACTUATORVEL:
      return d->actuator_velocity + m->actuator_outadr[object];
    case mjSENS_ACTUATORFRC:
      return d->actuator_force + m->actuator_outadr[object];
    case mjSENS_SUBTREECOM:
      return d->subtree_com + 3 * object;
    case mjSENS_SUBTREELINVEL:
      return d->subtree_linvel + 3 * object;
    case mjSENS_SUBTREEANGMOM:
      return d->subtree_angmom + 3 * object;
    case mjSENS_CLOCK:
      return &d->time;
    default:
      mju_error("sensor_copy: sensors of type %d copy no number of mjData", type);
      return NULL;
  }
}

void sensor_copy(mjtNum* out, const mjModel* m, mjData* d, int id) {
  const mjtNum* numbers = copied_numbers(m, d, m->sensor_type[id], m->sensor_objid[id]);
  if (!numbers) {
    return;
  }
  memcpy(out, numbers, m->sensor_dim[id] * sizeof(mjtNum));
}

// Total force of all actuators on the tendon.
// Also in lanes/dynamics/forces.h and derivative/sensor/sensors.c.
void sensor_tendonactfrc(mjtNum* out, const mjModel* m, mjData* d, int id) {
  mjtNum force = 0;
  for (int i = 0; i < (int)m->nactuator; i++) {
    if (actuator_tendon(m, i) == m->sensor_objid[id]) {
      force += d->actuator_force[m->actuator_outadr[i]];
    }
  }
  *out = force;
}

void sensor_ballquat(mjtNum* out, const mjModel* m, mjData* d, int id) {
  q_unit(out, d->qpos + m->jnt_qposadr[m->sensor_objid[id]]);
}

// limits

int sensor_limit_row(const mjModel* m, const mjData* d, int id) {
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

// pos - margin of the limit, negative if within the margin; its velocity; its force.
void sensor_limit(mjtNum* out, const mjModel* m, mjData* d, int id) {
  int row = sensor_limit_row(m, d, id);
  mjtStage stage = (mjtStage)m->sensor_needstage[id];
  *out = row < 0                ? 0
         : stage == mjSTAGE_POS ? d->efc_pos[row] - d->efc_margin[row]
         : stage == mjSTAGE_VEL ? d->efc_vel[row]
                                : d->efc_force[row];
}

// of the whole model

// Potential energy - sum m gravity . x + springs and kinetic energy 1/2 qvel' M qvel, both in the
// position stage. Later releases leave the kinetic energy as it was if it has been computed since
// the last velocity stage: with energies enabled it is that of the evaluation before.
void sensor_potential(mjtNum* out, const mjModel* m, mjData* d, int id) {
  (void)id;
  mj_energyPos(m, d);
  *out = d->energy[0];
}

void sensor_kinetic(mjtNum* out, const mjModel* m, mjData* d, int id) {
  (void)id;
  if (!d->flg_energyvel || !behaves(m, cndBEHAVIOUR_restacc)) {
    mj_energyVel(m, d);
  }
  *out = d->energy[1];
}
