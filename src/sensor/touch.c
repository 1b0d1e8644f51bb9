// Touch sensors: the normal force on the body of a site, within the volume of the site.
//                                                                     theory/time/sensors.md, Touch

#include <mujoco/api/collision.h>
#include <mujoco/api/constraint.h>

#include "base/algebra/vec.h"
#include "collision/ray/ray.h"
#include "sensor/functions.h"
#include "smooth/support.h"

static int side_body(const mjModel* m, const mjContact* con, int side) {
  return con->geom[side] < 0 ? -1 : m->geom_bodyid[con->geom[side]];
}

int sensor_touches(const mjModel* m, const mjData* d, int id, int contact, mjtNum normal) {
  int site = m->sensor_objid[id], body = m->site_bodyid[site];
  const mjContact* con = d->contact + contact;
  int first = side_body(m, con, 0) == body, second = side_body(m, con, 1) == body;
  if (con->efc_address < 0 || !(first || second) || normal <= 0) {
    return 0;
  }
  mjtNum ray[3];
  v3_scl(ray, con->frame, second ? -1 : 1);
  v3_normalize(ray);
  mjtNum pos[3], mat[9];
  int type = m->site_type[site], face;
  site_shape(pos, mat, m, d, site);
  return (type == mjGEOM_MESH
              ? ray_meshat(&face, m, m->site_dataid[site], pos, mat, con->pos, ray)
              : mju_rayGeom(pos, mat, m->site_size + 3 * site, con->pos, ray, type)) >= 0;
}

// Sum of normal forces over the contacts whose ray, from the contact into the body along the
// normal, meets the site. A contact inside the volume always counts: its ray leaves the volume.
// Also frame_touch in lanes/results/sensors.h and touch_sensor in derivative/sensor/force_sensor.c.
void sensor_touch(mjtNum* out, const mjModel* m, mjData* d, int id) {
  int body = m->site_bodyid[m->sensor_objid[id]];
  *out = 0;
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    mjtNum force[6];
    // most contacts are on other bodies
    if (con->efc_address < 0 || (side_body(m, con, 0) != body && side_body(m, con, 1) != body)) {
      continue;
    }
    mj_contactForce(m, d, i, force);
    if (sensor_touches(m, d, id, i, force[0])) {
      *out += force[0];
    }
  }
}
