// Derivatives of distance sensors: along a ray (by the normal of the surface that it meets), and
// between the nearest points of geoms.                    theory/time/exact-derivatives.md, Sensors

#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>

#include "base/algebra/vec.h"
#include "collision/contact_param.h"
#include "collision/ray/ray.h"
#include "derivative/constraint/contact_work.h"
#include "derivative/geometry/rules.h"
#include "derivative/sensor/sensor.h"
#include "derivative/tree/coupling.h"
#include "sensor/sensor.h"
#include "smooth/jacobian.h"

// q[j] += scale n . (velocity of the point x of a body)
static void add_point(SensorDerivative* s, int body, const mjtNum x[3], const mjtNum n[3],
                      mjtNum scale) {
  int count;
  const int* chain = jac_body_chain(&count, s->m, body);
  for (int i = 0; i < count; i++) {
    mjtNum v[3];
    velocity_at(v, s->m, s->d, body, s->d->cdof + 6 * chain[i], x);
    s->q[chain[i]] += scale * v3_dot(n, v);
  }
}

// Normal of the face of a mesh that a ray meets, in the frame of the geom.
static void mesh_normal(mjtNum n[3], const SensorDerivative* s, int geom, const mjtNum from[3],
                        const mjtNum e[3]) {
  const mjModel* m = s->m;
  int mesh = m->geom_dataid[geom], face;
  ray_mesh(&face, m, s->d, geom, from, e);
  ray_facenormal(n, m, mesh, int_max(face, 0));
}

// Sets n = normal if the plane through `point` is nearer to y than all planes before.
static void take_nearest(mjtNum n[3], mjtNum* least, const mjtNum normal[3], const mjtNum point[3],
                         const mjtNum y[3]) {
  mjtNum off[3], unit[3];
  v3_copy(unit, normal);
  v3_normalize(unit);
  v3_sub(off, y, point);
  mjtNum away = mju_abs(v3_dot(unit, off));
  if (away < *least) {
    *least = away;
    v3_copy(n, unit);
  }
}

// Normal at a point of a height field: of the triangles of its cell, the sides and the bottom, that
// of the plane nearest to the point.                   theory/contact/rays.md, Ray and height field
static void field_normal(mjtNum n[3], const mjModel* m, int field, const mjtNum y[3]) {
  const mjtNum* size = m->hfield_size + 4 * field;
  const float* data = m->hfield_data + m->hfield_adr[field];
  const int num[2] = {m->hfield_ncol[field], m->hfield_nrow[field]};
  mjtNum least = mjMAXVAL, step[2], corner[4][3];
  int cell[2];
  for (int k = 0; k < 3; k++) {
    mjtNum axis[3] = {k == 0, k == 1, k == 2}, point[3] = {0, 0, 0};
    point[k] = k == 2 ? -size[3] : y[k] < 0 ? -size[k] : size[k];
    take_nearest(n, &least, axis, point, y);
  }
  if (num[0] < 2 || num[1] < 2) {
    return;
  }
  for (int k = 0; k < 2; k++) {
    step[k] = 2 * size[k] / (mjtNum)(num[k] - 1);
    cell[k] = (int)num_clamp((y[k] + size[k]) / step[k], 0, (mjtNum)(num[k] - 2));
  }
  for (int i = 0; i < 4; i++) {
    int c = cell[0] + (i == 1 || i == 2), r = cell[1] + (i >= 2);
    v3_set(corner[i], step[0] * (mjtNum)c - size[0], step[1] * (mjtNum)r - size[1],
           size[2] * data[r * num[0] + c]);
  }
  // triangle 0 2 1 or 0 2 3, on either side of the diagonal
  mjtNum across = (y[0] - corner[0][0]) / step[0] - (y[1] - corner[0][1]) / step[1];
  mjtNum a[3], b[3], normal[3];
  v3_sub(a, corner[2], corner[0]);
  v3_sub(b, corner[across > 0 ? 1 : 3], corner[0]);
  v3_cross(normal, a, b);
  take_nearest(n, &least, normal, corner[0], y);
}

// Normal of a geom at the point x where a ray meets its surface; returns 0 if it is not known.
static int surface_normal(mjtNum out[3], const SensorDerivative* s, int geom, const mjtNum x[3],
                          const mjtNum from[3], const mjtNum e[3]) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  const mjtNum *size = m->geom_size + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  mjtNum y[3], n[3] = {0, 0, 1}, least;
  v3_tolocal(y, x, d->geom_xpos + 3 * geom, mat);
  switch (m->geom_type[geom]) {
    case mjGEOM_PLANE:
      break;
    case mjGEOM_SPHERE:
      v3_copy(n, y);
      break;
    case mjGEOM_CAPSULE:
      v3_set(n, y[0], y[1], y[2] - num_clamp(y[2], -size[1], size[1]));
      break;
    case mjGEOM_ELLIPSOID:
      for (int k = 0; k < 3; k++) {
        n[k] = y[k] / (size[k] * size[k]);
      }
      break;
    case mjGEOM_CYLINDER:
      least = mju_abs(mju_sqrt(y[0] * y[0] + y[1] * y[1]) - size[0]);
      if (least < mju_abs(mju_abs(y[2]) - size[1])) {
        v3_set(n, y[0], y[1], 0);
      }
      break;
    case mjGEOM_BOX:
      least = mju_abs(mju_abs(y[2]) - size[2]);
      for (int k = 0; k < 2; k++) {
        if (mju_abs(mju_abs(y[k]) - size[k]) < least) {
          least = mju_abs(mju_abs(y[k]) - size[k]);
          v3_set(n, k == 0, k == 1, 0);
        }
      }
      break;
    case mjGEOM_MESH:
      mesh_normal(n, s, geom, from, e);
      break;
    case mjGEOM_HFIELD:
      field_normal(n, m, m->geom_dataid[geom], y);
      break;
    default:
      return 0;
  }
  v3_normalize(n);
  m3_mulv(out, mat, n);
  return 1;
}

// A ray of length t from the site along e ends on a surface with normal n:
//
//   n . (e dt + v_ray - v_surface) = 0
void range_sensor(SensorDerivative* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  if (m->sensor_intprm[mjNSENS * s->id]) {
    mju_error("%s: sensor %d is a rangefinder with fields, which has no exact derivative",
              s->system->function, s->id);
    return;
  }
  int body = m->site_bodyid[s->object], geom;
  mjtNum e[3], x[3], n[3];
  m3_column(e, d->site_xmat + 9 * s->object, 2);
  mjtNum t = mj_ray(m, d, d->site_xpos + 3 * s->object, e, NULL, 1, body, &geom);
  if (t < 0 || geom < 0) {
    return;
  }
  v3_addscl(x, d->site_xpos + 3 * s->object, e, t);
  if (!surface_normal(n, s, geom, x, d->site_xpos + 3 * s->object, e)) {
    mju_error(
        "%s: sensor %d (rangefinder) meets geom %d, a signed distance field, which has no "
        "exact derivative",
        s->system->function, s->id, geom);
    return;
  }
  mjtNum along = v3_dot(n, e);
  if (mju_abs(along) < mjMINVAL) {
    s->kinks++;
    return;
  }
  add_point(s, m->geom_bodyid[geom], x, n, 1 / along);
  add_point(s, body, x, n, -1 / along);
}

// Makes a contact of the nearest points of two geoms; returns 0 if there are none or their
// direction is not defined.
static int nearest_contact(mjContact* con, SensorDerivative* s) {
  mjtNum fromto[6];
  mjContact found = {.efc_address = -1};
  found.dist = sensor_nearest(fromto, found.geom, s->m, s->d, s->id);
  if (found.geom[0] < 0 || found.dist == 0) {
    s->kinks += found.dist == 0;
    return 0;
  }
  v3_sub(found.frame, fromto + 3, fromto);
  v3_scl(found.frame, found.frame, 1 / found.dist);
  v3_add(found.pos, fromto, fromto + 3);
  v3_scl(found.pos, found.pos, (mjtNum)0.5);
  contact_frame(found.frame);
  *con = found;
  return 1;
}

// n . (v2 - v1) at the nearest points; n is the direction from the first to the second, or its
// opposite if the geoms overlap
void distance_sensor(SensorDerivative* s) {
  const mjModel* m = s->m;
  mjContact con;
  mjtNum p1[3], p2[3];
  if (nearest_contact(&con, s)) {
    witness_points(p1, p2, &con);
    add_point(s, m->geom_bodyid[con.geom[1]], p2, con.frame, 1);
    add_point(s, m->geom_bodyid[con.geom[0]], p1, con.frame, -1);
  }
}

// Motion of normal and position by a dof of one side, in the world: both move with the first body,
// and in addition by the relative motion of the second.
typedef struct {
  mjtNum normal[3], pos[3], dist;
} NearestMotion;

static NearestMotion nearest_motion(const SensorDerivative* s, const ContactGeometry* geometry,
                                    const mjContact* con, int side, int dof) {
  const mjModel* m = s->m;
  ContactWork w = {.geometry = *geometry};
  ContactMotion moved;
  NearestMotion out;
  static const mjtNum zero[6] = {0};
  mjtNum S[6], local[6], t[3];
  twist_at(S, m, s->d, m->geom_bodyid[con->geom[side]], s->d->cdof + 6 * dof, con->pos);
  m3_mulv(local, con->frame, S);
  m3_mulv(local + 3, con->frame, S + 3);
  contact_move(&moved, &w, side ? zero : local, side ? local : zero);
  m3_tmulv(t, con->frame, moved.turn);
  v3_cross(out.normal, t, con->frame);
  m3_tmulv(out.pos, con->frame, moved.pos);
  out.dist = moved.dist;
  return out;
}

// The direction between the nearest points, or the points themselves, pos -+ n dist / 2, as points
// of smooth surfaces.                       theory/time/constraint-derivatives.md, Contact geometry
void nearest_sensor(SensorDerivative* s) {
  const mjModel* m = s->m;
  int nv = m->nv, is_normal = m->sensor_type[s->id] == mjSENS_GEOMNORMAL;
  mjContact con;
  ContactGeometry geometry;
  if (!nearest_contact(&con, s)) {
    return;
  }
  s->kinks += contact_geometry_nearest(&geometry, m, s->d, &con);
  for (int side = 0; side < 2; side++) {
    int n;
    const int* chain = jac_body_chain(&n, m, m->geom_bodyid[con.geom[side]]);
    for (int i = 0; i < n; i++) {
      NearestMotion by = nearest_motion(s, &geometry, &con, side, chain[i]);
      mjtNum* q = s->q + chain[i];
      for (int k = 0; k < 3; k++) {
        mjtNum half = (by.normal[k] * con.dist + con.frame[k] * by.dist) / 2;
        if (is_normal) {
          q[k * nv] += con.dist < 0 ? -by.normal[k] : by.normal[k];
        } else {
          q[k * nv] += by.pos[k] - half;
          q[(3 + k) * nv] += by.pos[k] + half;
        }
      }
    }
  }
}
