// sensor.c: skins of tactile sensors, rays of range finders, segments of distances.

#include <mujoco/api/base.h>

#include "view/draw/elements.h"

// The color of a face of a tactile sensor: each channel is the mean of its corners that feel
// something, relative to the largest normal value.
static void touch_color(float rgba[4], const mjtNum* value, const int face[3], int nvert,
                        int nchannel, mjtNum largest) {
  int touched = 0;
  for (int channel = 0; channel < 3; channel++) {
    mjtNum sum = 0;
    int felt = 0;
    for (int corner = 0; channel < nchannel && corner < 3; corner++) {
      mjtNum x = mju_abs(value[channel * nvert + face[corner]]) / largest;
      sum += x;
      felt += x != 0;
    }
    rgba[channel] = (float)(sum / (mjtNum)int_max(1, felt));
    touched |= rgba[channel] != 0;
  }
  rgba[3] = touched ? 1 : .1f;
}

void draw_tactile(Picture* p, int sensor) {
  const mjModel* m = p->m;
  int mesh = m->sensor_objid[sensor], geom = m->sensor_refid[sensor];
  if (m->sensor_type[sensor] != mjSENS_TACTILE || m->geom_rbound[geom] < mjMINVAL) {
    return;
  }
  int nvert = m->mesh_vertnum[mesh], nchannel = m->sensor_dim[sensor] / int_max(1, nvert);
  const mjtNum* value = p->d->sensordata + m->sensor_adr[sensor];
  mjtNum largest = 0;
  for (int i = 0; nchannel > 0 && i < nvert; i++) {
    largest = num_max(largest, mju_abs(value[i]));
  }
  if (largest == 0) {
    return;
  }
  const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  const int* face = m->mesh_face + 3 * m->mesh_faceadr[mesh];
  for (int i = 0; i < m->mesh_facenum[mesh]; i++, face += 3) {
    float rgba[4];
    mjtNum corner[3][3];
    touch_color(rgba, value, face, nvert, nchannel, largest);
    for (int k = 0; k < 3; k++) {
      const float* local = vert + 3 * face[k];
      const mjtNum x[3] = {(mjtNum)local[0], (mjtNum)local[1], (mjtNum)local[2]};
      v3_toworld(corner[k], x, p->d->geom_xpos + 3 * geom, p->d->geom_xmat + 9 * geom);
    }
    mjvGeom* shape = take_decor(p, mjOBJ_SENSOR, sensor, rgba);
    if (!shape) {
      return;
    }
    scene_triangle(shape, corner[0], corner[1], corner[2]);
  }
}

// Draws the ray of a range finder up to its hit, or the segment of a distance sensor.
void draw_ray(Picture* p, int sensor) {
  const mjModel* m = p->m;
  const mjtNum *value = p->d->sensordata + m->sensor_adr[sensor], *from, *to;
  mjtNum axis[3], hit[3];
  int has_records = m->sensor_intprm[mjNSENS * sensor];
  if (m->sensor_type[sensor] == mjSENS_RANGEFINDER && !has_records && value[0] >= 0) {
    int site = m->sensor_objid[sensor];
    from = p->d->site_xpos + 3 * site;
    m3_column(axis, p->d->site_xmat + 9 * site, 2);
    v3_addscl(hit, from, axis, value[0]);
    to = hit;
  } else if (m->sensor_type[sensor] == mjSENS_GEOMFROMTO &&
             !(v3_iszero(value) && v3_iszero(value + 3))) {
    from = value;
    to = value + 3;
  } else {
    return;
  }
  draw_connector(p, mjOBJ_SENSOR, sensor, mjGEOM_LINE, 3, from, to, m->vis.rgba.rangefinder);
}
