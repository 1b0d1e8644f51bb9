// Sensors mounted at a site; readings are in the site's frame.
//                                                              theory/time/sensors.md, Site sensors

#include <mujoco/api/base.h>
#include <mujoco/api/smooth.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"
#include "sensor/functions.h"

// R' magnetic, R = the axes of the site
void sensor_magnetometer(mjtNum* out, const mjModel* m, mjData* d, int id) {
  m3_tmulv(out, d->site_xmat + 9 * m->sensor_objid[id], m->opt.magnetic);
}

// Focal lengths in pixels. Cameras with a sensor size compute in single precision, as their
// parameters are.
void sensor_focal_lengths(mjtNum out[2], const mjModel* m, int camera) {
  const int* resolution = m->cam_resolution + 2 * camera;
  const float* chip = m->cam_sensorsize + 2 * camera;
  const float* intrinsic = m->cam_intrinsic + 4 * camera;
  if (chip[0] != 0 && chip[1] != 0) {
    for (int k = 0; k < 2; k++) {
      float focal = intrinsic[k] / chip[k] * (float)resolution[k];
      out[k] = (mjtNum)focal;
    }
  } else {
    mjtNum half = (mjtNum)(m->cam_fovy[camera] * mjPI / 360);
    out[0] = out[1] = (mjtNum)0.5 * (mjtNum)resolution[1] / num_tan(half);
  }
}

// The camera looks along -z, with x to the right and y up; pixels count from the top left.
//
//   u = w/2 - fx x/z,   v = h/2 + fy y/z         a site in the plane of the lens is moved off it
void sensor_camprojection(mjtNum* out, const mjModel* m, mjData* d, int id) {
  int site = m->sensor_objid[id], camera = m->sensor_refid[id];
  mjtNum q[3], focal[2];
  v3_tolocal(q, d->site_xpos + 3 * site, d->cam_xpos + 3 * camera, d->cam_xmat + 9 * camera);
  sensor_focal_lengths(focal, m, camera);

  mjtNum z = q[2];
  if (mju_abs(z) < mjMINVAL) {
    z = z < 0 ? -mjMINVAL : mjMINVAL;
  }
  const int* resolution = m->cam_resolution + 2 * camera;
  out[0] = (-focal[0] * q[0] + (mjtNum)0.5 * (mjtNum)resolution[0] * q[2]) / z;
  out[1] = (focal[1] * q[1] + (mjtNum)0.5 * (mjtNum)resolution[1] * q[2]) / z;
}

// R' (v + w x (p - c)), p the site; R' w
void sensor_sitevel(mjtNum* out, const mjModel* m, mjData* d, int id) {
  mjtNum velocity[6];
  mj_objectVelocity(m, d, mjOBJ_SITE, m->sensor_objid[id], velocity, 1);
  v3_copy(out, velocity + (m->sensor_type[id] == mjSENS_VELOCIMETER ? 3 : 0));
}

// R' (a + w x v) at the site, a = cacc with -gravity: at rest it points up.
void sensor_accelerometer(mjtNum* out, const mjModel* m, mjData* d, int id) {
  mjtNum acceleration[6];
  mj_objectAcceleration(m, d, mjOBJ_SITE, m->sensor_objid[id], acceleration, 1);
  v3_copy(out, acceleration + 3);
}

// The wrench of the parent on the site's body; cfrc_int = (torque about the com of the tree,
// force).

// R' f
void sensor_force(mjtNum* out, const mjModel* m, mjData* d, int id) {
  int site = m->sensor_objid[id];
  m3_tmulv(out, d->site_xmat + 9 * site, d->cfrc_int + 6 * m->site_bodyid[site] + 3);
}

// about the site: R' (t - (p - c) x f)
// Also in lanes/results/sensors.h and derivative/sensor/force_sensor.c.
void sensor_torque(mjtNum* out, const mjModel* m, mjData* d, int id) {
  int site = m->sensor_objid[id], body = m->site_bodyid[site];
  const mjtNum* wrench = d->cfrc_int + 6 * body;
  mjtNum arm[3], moment[3];
  v3_sub(arm, d->site_xpos + 3 * site, d->subtree_com + 3 * m->body_rootid[body]);
  v3_cross(moment, arm, wrench + 3);
  v3_sub(out, wrench, moment);
  m3_tmulv(out, d->site_xmat + 9 * site, out);
}
