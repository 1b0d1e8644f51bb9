// enclosed.c: insidesite sensors that tell how far objects are inside of a site, or reach out of it.
//                                                     theory/time/sensors.md, Enclosed objects

#include <math.h>

#include "collision/query/enclosed.h"
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

mjtNum sensor_reach(const mjModel* m, const mjData* d, int id) {
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
