// asset.c: makes flexes from meshes of the model, where a geom with the mesh would be.
//
// A solid mesh has its nodes and tetrahedra in the spec, in double precision. Of others the surface
// is made as for a geom, hull and all, and its vertices are moved back from the mesh frame.

#include <stdio.h>
#include <string.h>

#include "base/algebra/pose.h"
#include "base/memory/memory.h"
#include "compile/asset_set.h"
#include "mjcf/read/flexcomp/flexcomp.h"
#include "spec/vector.h"

// p = scale * (R' (node - refpos)), R: the rotation of refquat
static void add_solid(Flexcomp* comp, const mjsMesh* mesh) {
  double quat[4];
  memcpy(quat, mesh->refquat, sizeof(quat));
  pose_normalize(quat, 4);
  for (int k = 1; k < 4; k++) {
    quat[k] = -quat[k];
  }
  for (size_t i = 0; i < mesh->usernode->num / 3; i++) {
    double p[3];
    for (size_t k = 0; k < 3; k++) {
      p[k] = mesh->usernode->ptr[3 * i + k] - mesh->refpos[k];
    }
    pose_rotate(p, p, quat);
    flexcomp_addpoint(comp, p[0] * mesh->scale[0], p[1] * mesh->scale[1], p[2] * mesh->scale[2]);
  }
  flexcomp_addelement(comp, mesh->usertet->ptr, (int)mesh->usertet->num);
}

// Adds the vertices, and for dim 1 the first edge of every triangle, as the reference does.
static void add_surface(Flexcomp* comp, const Mesh* mesh) {
  int corner = comp->dim == 3;
  if (corner) {
    flexcomp_addpoint(comp, comp->origin[0], comp->origin[1], comp->origin[2]);
  }
  for (size_t i = 0; i < (size_t)mesh->nvert; i++) {
    double p[3] = {mesh->vert[3 * i], mesh->vert[3 * i + 1], mesh->vert[3 * i + 2]};
    pose_rotate(p, p, mesh->quat);
    flexcomp_addpoint(comp, p[0] + mesh->pos[0], p[1] + mesh->pos[1], p[2] + mesh->pos[2]);
  }
  for (size_t f = 0; f < (size_t)mesh->nface; f++) {
    const int* face = mesh->face + 3 * f;
    const int vertex[4] = {0, face[0] + corner, face[1] + corner, face[2] + corner};
    if (!corner) {
      flexcomp_addelement(comp, vertex + 1, comp->dim + 1);
    } else if (flexcomp_issolid(comp, vertex)) {
      flexcomp_addelement(comp, vertex, 4);
    }
  }
  flexcomp_addtexture(comp, mesh);
}

int flexcomp_asset(Flexcomp* comp, SpecObject* mesh, const mjVFS* vfs, char* error,
                   size_t error_size) {
  const mjsMesh* spec = &mesh->as.mesh;
  comp->shares = 1;
  if (spec->usertet->num) {
    if (spec->usernode->num > 3 * (size_t)FLEXCOMP_MAX || spec->usertet->num % 4) {
      snprintf(error, error_size, "mesh '%s' has no whole number of tetrahedra", spec_name(mesh));
      return 0;
    }
    add_solid(comp, spec);
    return 1;
  }
  Mesh* made = assets_makemesh(mesh, vfs, error, error_size);
  if (made) {
    add_surface(comp, made);
    asset_release(made);
  }
  return made != NULL;
}
