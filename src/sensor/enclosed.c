// Insidesite sensors: whether a point is inside of a site, or how far an object is inside of it or
// reaches out.                                             theory/time/sensors.md, Enclosed objects

#include <math.h>

#include "base/algebra/vec.h"
#include "collision/query/enclosed.h"
#include "model/behaviour.h"
#include "sensor/functions.h"
#include "smooth/support.h"

// The shape of a site; 0 if it has none that is compact and convex.
static int shape_of_site(ConvexShape* shape, const mjModel* m, const mjData* d, int site) {
  mjtNum pos[3], mat[9];
  site_shape(pos, mat, m, d, site);
  return convex_placed(shape, m, m->site_type[site], m->site_dataid[site], m->site_size + 3 * site,
                       pos, mat, 0);
}

// The largest reach of the geoms of a body.
static mjtNum reach_of_body(const ConvexShape* room, const mjModel* m, const mjData* d, int body) {
  mjtNum most = -INFINITY;
  for (int i = 0; i < m->body_geomnum[body]; i++) {
    ConvexShape geom;
    if (convex_shape(&geom, m, d, m->body_geomadr[body] + i, 0)) {
      most = num_max(most, enclosed_reach(&geom, room));
    }
  }
  return most;
}

// How far the object reaches out of the site, or minus how far it is inside.
static mjtNum reach(const mjModel* m, const mjData* d, int id) {
  ConvexShape room, object;
  int type = m->sensor_objtype[id], of = m->sensor_objid[id];
  mjtNum most = -INFINITY;
  if (!shape_of_site(&room, m, d, m->sensor_refid[id])) {
    return 0;
  }
  if (type == mjOBJ_SITE) {
    most = shape_of_site(&object, m, d, of) ? enclosed_reach(&object, &room) : most;
  } else if (type == mjOBJ_GEOM) {
    most = convex_shape(&object, m, d, of, 0) ? enclosed_reach(&object, &room) : most;
  } else if (type == mjOBJ_BODY) {
    most = reach_of_body(&room, m, d, of);
  } else {
    for (int body = of; body < m->nbody; body++) {
      if (sensor_in_subtree(m, body, of)) {
        most = num_max(most, reach_of_body(&room, m, d, body));
      }
    }
  }
  return most > -INFINITY ? most : 0;
}

void sensor_insidesite(mjtNum* out, const mjModel* m, mjData* d, int id) {
  if (m->sensor_intprm[mjNSENS * id]) {
    *out = reach(m, d, id);
    return;
  }
  int body = m->sensor_objid[id];
  const mjtNum* point = object_frame(m, d, m->sensor_objtype[id], m->sensor_objid[id]).pos;
  if (m->sensor_objtype[id] == mjOBJ_BODY && body && m->body_mass[body] < mjMINVAL &&
      m->body_subtreemass[body] >= mjMINVAL && behaves(m, cndBEHAVIOUR_insidecom)) {
    point = d->subtree_com + 3 * body;
  }
  *out = (mjtNum)site_contains(m, d, m->sensor_refid[id], point);
}
