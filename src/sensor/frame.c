// Frame sensors: motion of bodies, geoms, sites and cameras in the world or in another frame, and
// presence in a volume.                                       theory/time/sensors.md, Frame sensors

#include <mujoco/api/base.h>
#include <mujoco/api/sensor.h>
#include <mujoco/api/smooth.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "collision/query/enclosed.h"
#include "model/checks/pair.h"
#include "sensor/functions.h"
#include "smooth/support.h"

static ObjectFrame sensed_frame(const mjModel* m, const mjData* d, int id) {
  return object_frame(m, d, m->sensor_objtype[id], m->sensor_objid[id]);
}

static ObjectFrame reference_frame(const mjModel* m, const mjData* d, int id) {
  return object_frame(m, d, m->sensor_reftype[id], m->sensor_refid[id]);
}

void sensor_object_quat(mjtNum out[4], const mjModel* m, const mjData* d, int type, int id,
                        int body) {
  static const mjtNum unit[4] = {1, 0, 0, 0};
  const mjtNum* mounting = type == mjOBJ_BODY     ? m->body_iquat + 4 * id
                           : type == mjOBJ_GEOM   ? m->geom_quat + 4 * id
                           : type == mjOBJ_SITE   ? m->site_quat + 4 * id
                           : type == mjOBJ_CAMERA ? m->cam_quat + 4 * id
                                                  : unit;
  if (mounting == unit) {
    q_copy(out, d->xquat + 4 * body);
  } else {
    q_mul(out, d->xquat + 4 * body, mounting);
  }
}

// position sensors in the reference frame (R, x_ref, q_ref): framepos R'(x - x_ref), frame axes
// R' axis, framequat conj(q_ref) q

// Also in lanes/results/sensors.h and derivative/sensor/frame_sensor.c.
void sensor_framepos(mjtNum* out, const mjModel* m, mjData* d, int id) {
  ObjectFrame frame = sensed_frame(m, d, id);
  v3_copy(out, frame.pos);
  if (m->sensor_refid[id] >= 0) {
    ObjectFrame reference = reference_frame(m, d, id);
    v3_tolocal(out, frame.pos, reference.pos, reference.mat);
  }
}

void sensor_frameaxis(mjtNum* out, const mjModel* m, mjData* d, int id) {
  m3_column(out, sensed_frame(m, d, id).mat, m->sensor_type[id] - mjSENS_FRAMEXAXIS);
  if (m->sensor_refid[id] >= 0) {
    m3_tmulv(out, reference_frame(m, d, id).mat, out);
  }
}

// Also in lanes/results/sensors.h and derivative/sensor/frame_sensor.c.
void sensor_framequat(mjtNum* out, const mjModel* m, mjData* d, int id) {
  sensor_object_quat(out, m, d, m->sensor_objtype[id], m->sensor_objid[id],
                     sensed_frame(m, d, id).body);
  if (m->sensor_refid[id] >= 0) {
    mjtNum reference[4], inverse[4], quat[4];
    sensor_object_quat(reference, m, d, m->sensor_reftype[id], m->sensor_refid[id],
                       reference_frame(m, d, id).body);
    q_conj(inverse, reference);
    q_copy(quat, out);
    q_mul(out, inverse, quat);
  }
}

// velocities: R'(v - v_ref - w_ref x (x - x_ref)), R'(w - w_ref)

// Also in lanes/results/sensors.h and derivative/sensor/frame_sensor.c.
static void relative_velocity(mjtNum out[6], const mjModel* m, const mjData* d, int id) {
  mj_objectVelocity(m, d, m->sensor_objtype[id], m->sensor_objid[id], out, 0);
  if (m->sensor_refid[id] < 0) {
    return;
  }
  ObjectFrame frame = sensed_frame(m, d, id), reference = reference_frame(m, d, id);
  mjtNum velocity[6], arm[3], transport[3];
  mj_objectVelocity(m, d, m->sensor_reftype[id], m->sensor_refid[id], velocity, 0);
  v3_sub(arm, frame.pos, reference.pos);
  v3_cross(transport, velocity, arm);
  mju_subFrom(out, velocity, 6);
  v3_subfrom(out + 3, transport);
  sp_tmulv(out, reference.mat, out);
}

void sensor_framevel(mjtNum* out, const mjModel* m, mjData* d, int id) {
  mjtNum velocity[6];
  relative_velocity(velocity, m, d, id);
  v3_copy(out, velocity + (m->sensor_type[id] == mjSENS_FRAMELINVEL ? 3 : 0));
}

// accelerations a + w x v, gravity included as -g, and dw/dt, always in the world's axes

void sensor_frameacc(mjtNum* out, const mjModel* m, mjData* d, int id) {
  mjtNum acceleration[6];
  mj_objectAcceleration(m, d, m->sensor_objtype[id], m->sensor_objid[id], acceleration, 0);
  v3_copy(out, acceleration + (m->sensor_type[id] == mjSENS_FRAMELINACC ? 3 : 0));
}

// volumes

// q = R'(point - site), compared with the size; points on the surface are outside
int site_contains(const mjModel* m, const mjData* d, int site, const mjtNum point[3]) {
  const mjtNum* size = m->site_size + 3 * site;
  mjtNum q[3], pos[3], mat[9];
  site_shape(pos, mat, m, d, site);
  v3_tolocal(q, point, pos, mat);
  switch (m->site_type[site]) {
    case mjGEOM_SPHERE:
      return v3_dot(q, q) < num_square(size[0]);
    case mjGEOM_CAPSULE:
      return num_square(q[0]) + num_square(q[1]) +
                 num_square(q[2] - num_clamp(q[2], -size[1], size[1])) <
             num_square(size[0]);
    case mjGEOM_ELLIPSOID:
      return num_square(q[0] / size[0]) + num_square(q[1] / size[1]) + num_square(q[2] / size[2]) <
             1;
    case mjGEOM_CYLINDER:
      return mju_abs(q[2]) < size[1] && num_square(q[0]) + num_square(q[1]) < num_square(size[0]);
    case mjGEOM_BOX:
      return mju_abs(q[0]) < size[0] && mju_abs(q[1]) < size[1] && mju_abs(q[2]) < size[2];
    case mjGEOM_MESH:
      return enclosed_point(m, m->site_dataid[site], q);
    default:
      return 0;
  }
}

int mj_insideSite(const mjModel* m, const mjData* d, int siteid, const mjtNum point[3]) {
  check_pair(m, d);
  check_given(point);
  check_index("mj_insideSite", "site", siteid, m->nsite);
  return site_contains(m, d, siteid, point);
}
