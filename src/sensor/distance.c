// Distance sensors: the shortest segment between two geoms, or between the geoms of two bodies.
//                                                        theory/time/sensors.md, Geometric distance

#include <mujoco/api/collision.h>

#include "base/algebra/vec.h"
#include "collision/collide.h"
#include "sensor/functions.h"

// The geoms of an object: itself, or those attached to a body.
static int geoms_of(int* first, const mjModel* m, int type, int id) {
  if (type == mjOBJ_BODY) {
    *first = m->body_geomadr[id];
    return m->body_geomnum[id];
  }
  *first = id;
  return 1;
}

mjtNum sensor_nearest(mjtNum fromto[6], int geom[2], const mjModel* m, const mjData* d, int id) {
  int first1, first2;
  int n1 = geoms_of(&first1, m, m->sensor_objtype[id], m->sensor_objid[id]);
  int n2 = geoms_of(&first2, m, m->sensor_reftype[id], m->sensor_refid[id]);
  mjtNum dist = m->sensor_cutoff[id];
  sp_zero(fromto);
  geom[0] = geom[1] = -1;
  for (int i = 0; i < n1; i++) {
    for (int j = 0; j < n2; j++) {
      mjtNum segment[6];
      mjtNum found = mj_geomDistance(m, d, first1 + i, first2 + j, m->sensor_cutoff[id], segment);
      if (found < dist) {
        dist = found;
        int turned = distance_is_turned(m, first1 + i, first2 + j);
        geom[turned] = first1 + i;
        geom[!turned] = first2 + j;
        sp_copy(fromto, segment);
      }
    }
  }
  return dist;
}

static int is_distance(int type) {
  return type == mjSENS_GEOMDIST || type == mjSENS_GEOMNORMAL || type == mjSENS_GEOMFROMTO;
}

// Whether two sensors return parts of the same segment.
static int same_query(const mjModel* m, int a, int b) {
  return is_distance(m->sensor_type[a]) && is_distance(m->sensor_type[b]) &&
         m->sensor_objtype[a] == m->sensor_objtype[b] && m->sensor_objid[a] == m->sensor_objid[b] &&
         m->sensor_reftype[a] == m->sensor_reftype[b] && m->sensor_refid[a] == m->sensor_refid[b] &&
         m->sensor_cutoff[a] == m->sensor_cutoff[b];
}

// The first of successive sensors with the same segment writes all of them.
void sensor_distance(mjtNum* out, const mjModel* m, mjData* d, int id) {
  if (id > 0 && same_query(m, id - 1, id)) {
    return;
  }
  int geom[2];
  mjtNum fromto[6], dist = sensor_nearest(fromto, geom, m, d, id);
  for (int i = id; i < m->nsensor && same_query(m, id, i); i++) {
    out = d->sensordata + m->sensor_adr[i];
    if (m->sensor_type[i] == mjSENS_GEOMDIST) {
      *out = dist;
    } else if (m->sensor_type[i] == mjSENS_GEOMFROMTO) {
      sp_copy(out, fromto);
    } else {
      v3_sub(out, fromto + 3, fromto);
      if (!v3_iszero(out)) {
        v3_normalize(out);
      }
    }
  }
}
