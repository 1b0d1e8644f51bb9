#pragma STDC FP_CONTRACT OFF  // rounding decides which features tie

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

static void mesh_view(ConvexShape* shape, const mjModel* m, int mesh) {
  int graph = m->mesh_graphadr[mesh];
  shape->vert = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh];
  shape->nvert = m->mesh_vertnum[mesh];
  shape->model = m;
  shape->mesh = mesh;
  shape->graph = graph >= 0 ? m->mesh_graph + graph : NULL;
}

int convex_shape(ConvexShape* shape, const mjModel* m, const mjData* d, int geom, mjtNum margin) {
  int type = m->geom_type[geom];
  shape->kind = kinds[type];
  v3_copy(shape->size, m->geom_size + 3 * geom);
  v3_copy(shape->pos, d->geom_xpos + 3 * geom);
  m3_copy(shape->mat, d->geom_xmat + 9 * geom);
  shape->radius = shape->size[0];
  shape->margin = margin;
  shape->last = -1;
  shape->climbed = 0;
  shape->points = NULL;
  if (type == mjGEOM_MESH || type == mjGEOM_SDF) {
    mesh_view(shape, m, m->geom_dataid[geom]);
  }
  return shape->kind != NULL;
}
