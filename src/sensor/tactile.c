// Tactile sensors: the depth of each vertex of a skin in the geoms that touch its body, as a
// pressure, and its sliding velocity.                        theory/time/sensors.md, Tactile sensor
//
//            _________
//     geom  /         \        p  pressure, from the depth f(x) of vertex x in the geom
//     _____/___________\____   n  normal of the skin, t1, t2 its tangents
//       .   .  x  .   .        v  velocity of the skin at x less that of the geom's centre
//              | n
//
// out = (p of all vertices, then |v . t1|, then |v . t2|)
//
// By the behaviour `tactile` p is the depth itself, the largest of all geoms; n, t1 and t2 turn
// with the skin, v is relative to the geom's material at x, and |v . t| are sums over the geoms.

#pragma STDC FP_CONTRACT OFF  // a vertex on a surface is inside of it where rounding decides

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>

#include "base/algebra/vec.h"
#include "collision/sdf/field.h"
#include "model/behaviour.h"
#include "model/data/arena.h"
#include "sensor/functions.h"

// The depth, in m, at which the pressure reaches half of its maximum.
static const mjtNum SOFTNESS = (mjtNum)0.05;

// Lists the geoms in contact with bodies that are welded to `weld`, once each, in the order of
// contacts. Returns their number. A flex has no geom.
static int list_touching(int* list, const mjModel* m, const mjData* d, int weld) {
  int num = 0;
  for (int i = 0; i < 2 * d->ncon; i++) {
    const mjContact* con = d->contact + i / 2;
    int own = con->geom[i % 2], other = con->geom[1 - i % 2], k = 0;
    if (own < 0 || other < 0 || m->body_weldid[m->geom_bodyid[own]] != weld) {
      continue;
    }
    while (k < num && list[k] != other) {
      k++;
    }
    list[k] = other;
    num += k == num;
  }
  return num;
}

// The field of a geom for depths. A mesh needs an octree, because its field by rays is no distance.
static int felt_field(Field* field, const mjModel* m, const mjData* d, int geom) {
  int found = field_of(field, m, d, geom), is_mesh = m->geom_type[geom] == mjGEOM_MESH;
  if (!found && !is_mesh) {
    field_missing(m, geom);
  }
  return found && !(is_mesh && field->kind == &field_rays);
}

// Depth of a world point in a geom, as a negative number; 0 outside. The shape of a plugin is in
// the frame that its mesh had before it was centred.
static mjtNum depth_at(const Field* field, const mjData* d, int geom, const mjtNum x[3]) {
  const mjModel* m = field->m;
  int mesh = m->geom_dataid[geom];
  mjtNum y[3];
  v3_tolocal(y, x, d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom);
  if (field->plugin && mesh >= 0) {
    q_rotate(y, y, m->mesh_quat + 4 * mesh);
    v3_addto(y, m->mesh_pos + 3 * mesh);
  }
  return num_min(field->kind->distance(field, y), 0);
}

static void read_vector(mjtNum out[3], const float in[3]) {
  v3_set(out, in[0], in[1], in[2]);
}

// A vertex of the skin that is inside of a geom.
typedef struct Touch_ {
  const mjModel* m;
  const mjData* d;
  int mesh, skin, geom;
  mjtNum own[6], other[6];  // velocities of the skin and of the geom, at their centres
  mjtNum x[3], depth;       // the vertex, and its depth as a negative number
  mjtNum axis[3][3];        // normal and tangents in the frame of the mesh
} Touch;

// Adds what a vertex feels to its three numbers, which are `num` apart.
typedef void FeelRule(mjtNum* out, int num, Touch* touch);

// p = depth / (SOFTNESS - depth) |n|^2, between 0 and -1. Tangents stay in the frame of the
// original mesh; velocities are the world's. A later geom overwrites an earlier one.
static void feel_pressure(mjtNum* out, int num, Touch* t) {
  mjtNum arm[3], v[3];
  for (int k = 0; k < 3; k++) {
    q_rotate(t->axis[k], t->axis[k], t->m->mesh_quat + 4 * t->mesh);
  }
  v3_sub(arm, t->x, t->d->geom_xpos + 3 * t->skin);
  v3_sub(v, t->own + 3, t->other + 3);
  v3_crossadd(v, t->own, arm, v);
  out[0] = t->depth / (SOFTNESS - t->depth) * v3_dot(t->axis[0], t->axis[0]);
  out[num] = mju_abs(v3_dot(v, t->axis[1]));
  out[2 * num] = mju_abs(v3_dot(v, t->axis[2]));
}

static void feel_depth(mjtNum* out, int num, Touch* t) {
  mjtNum arm[3], v[3], tangent[3];
  v3_sub(v, t->own + 3, t->other + 3);
  v3_sub(arm, t->x, t->d->geom_xpos + 3 * t->skin);
  v3_crossadd(v, t->own, arm, v);
  v3_sub(arm, t->x, t->d->geom_xpos + 3 * t->geom);
  v3_crossadd(v, arm, t->other, v);
  out[0] = num_max(out[0], -t->depth);
  for (int k = 1; k < 3; k++) {
    m3_mulv(tangent, t->d->geom_xmat + 9 * t->skin, t->axis[k]);
    out[k * num] += mju_abs(v3_dot(v, tangent));
  }
}

// A mesh with fewer than three normals per vertex has pressures only.
static void feel(mjtNum* out, const mjModel* m, const mjData* d, int id, int geom, FeelRule* rule) {
  Touch touch = {m, d, m->sensor_objid[id], m->sensor_refid[id], geom, .axis = {{1}}};
  int mesh = touch.mesh, skin = touch.skin, num = m->mesh_vertnum[mesh];
  const float* vert = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh];
  const float* normal = m->mesh_normal + 3 * (size_t)m->mesh_normaladr[mesh];
  int has_tangents = m->mesh_normalnum[mesh] >= 3 * num;
  Field field;
  if (!felt_field(&field, m, d, geom)) {
    return;
  }
  mj_objectVelocity(m, d, mjOBJ_GEOM, skin, touch.own, 0);
  mj_objectVelocity(m, d, mjOBJ_GEOM, geom, touch.other, 0);
  for (int j = 0; j < num; j++) {
    read_vector(touch.x, vert + 3 * j);
    v3_toworld(touch.x, touch.x, d->geom_xpos + 3 * skin, d->geom_xmat + 9 * skin);
    touch.depth = depth_at(&field, d, geom, touch.x);
    if (!(touch.depth < 0)) {
      continue;
    }
    v3_set(touch.axis[0], 1, 0, 0);
    for (int k = 0; k < 3 && has_tangents; k++) {
      read_vector(touch.axis[k], normal + 9 * j + 3 * k);
    }
    rule(out + j, num, &touch);
  }
}

void sensor_tactile(mjtNum* out, const mjModel* m, mjData* d, int id) {
  int weld = m->body_weldid[m->geom_bodyid[m->sensor_refid[id]]];
  mju_zero(out, m->sensor_dim[id]);
  if (!d->ncon) {
    return;
  }
  size_t top = d->pstack;
  int* list = arena_push(d, 2 * (size_t)d->ncon * sizeof(int), _Alignof(int));
  if (!list) {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
    return;
  }
  FeelRule* rule = behaves(m, cndBEHAVIOUR_tactile) ? feel_depth : feel_pressure;
  int num = list_touching(list, m, d, weld);
  for (int i = 0; i < num; i++) {
    feel(out, m, d, id, list[i], rule);
  }
  arena_pop(d, top);
}
