// The convex shape of a geom: its kind by type, its pose, and views of mesh arrays.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/convex/shape.h"

#include <mujoco/mjdata.h>

static const ConvexKind* const kinds[mjNGEOMTYPES] = {
    [mjGEOM_SPHERE] = &convex_sphere,
    [mjGEOM_CAPSULE] = &convex_capsule,
    [mjGEOM_ELLIPSOID] = &convex_ellipsoid,
    [mjGEOM_CYLINDER] = &convex_cylinder,
    [mjGEOM_BOX] = &convex_box,
    [mjGEOM_MESH] = &convex_mesh,
    [mjGEOM_SDF] = &convex_sdf,
};

const ConvexKind* convex_kind(int type) {
  return kinds[type];
}

static void mesh_view(ConvexShape* shape, const mjModel* m, int mesh) {
  int graph = m->mesh_graphadr[mesh];
  shape->vert = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh];
  shape->nvert = m->mesh_vertnum[mesh];
  shape->model = m;
  shape->mesh = mesh;
  shape->graph = graph >= 0 ? m->mesh_graph + graph : NULL;
}

int convex_placed(ConvexShape* shape, const mjModel* m, int type, int mesh, const mjtNum size[3],
                  const mjtNum pos[3], const mjtNum mat[9], mjtNum margin) {
  shape->kind = kinds[type];
  v3_copy(shape->size, size);
  v3_copy(shape->pos, pos);
  m3_copy(shape->mat, mat);
  shape->radius = shape->size[0];
  shape->margin = margin;
  shape->last = -1;
  shape->is_missed = 0;
  shape->climbed = 0;
  shape->points = NULL;
  shape->trail = NULL;
  shape->trail_left = 0;
  shape->graph = NULL;
  shape->vert = NULL;
  shape->nvert = 0;
  shape->model = m;
  if (type == mjGEOM_MESH || type == mjGEOM_SDF) {
    mesh_view(shape, m, mesh);
  }
  return shape->kind != NULL;
}

int convex_shape(ConvexShape* shape, const mjModel* m, const mjData* d, int geom, mjtNum margin) {
  return convex_placed(shape, m, m->geom_type[geom], m->geom_dataid[geom], m->geom_size + 3 * geom,
                       d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom, margin);
}

ConvexShape* shape_core(mjtNum* lost, ConvexShape* copy, ConvexShape* s) {
  *lost = 0;
  if (!s->kind->has_core) {
    return s;
  }
  *lost = s->radius + (mjtNum)0.5 * s->margin;
  *copy = *s;
  copy->radius = copy->margin = 0;
  return copy;
}

void shape_turn(ConvexShape* s, const mjtNum point[3], const mjtNum axis[3], mjtNum angle) {
  mjtNum q[4], turn[9], mat[9], arm[3];
  q_axisangle(q, axis, angle);
  q_tomat(turn, q);
  m3_mul(mat, turn, s->mat);
  m3_copy(s->mat, mat);
  v3_sub(arm, s->pos, point);
  m3_mulv(s->pos, turn, arm);
  v3_addto(s->pos, point);
}
