#include "compile/tree/geom_mesh.h"

#include <math.h>
#include <mujoco/mjspec.h>
#include <string.h>

#include "compile/asset/set.h"
#include "compile/tree/shape.h"

int geom_checkmesh(Compile* c, const SpecObject* object) {
  const mjsGeom* spec = &object->as.geom;
  if (string_empty(spec->meshname)) {
    return 1;
  }
  if (assets_usesmesh(spec->type)) {
    return spec->typeinertia != mjINERTIA_SHELL ||
           compile_error(c, object,
                         "for mesh geoms, inertia should be specified in the mesh asset");
  }
  if (!isnan(spec->fromto[0])) {
    return compile_error(c, object, "fromto cannot be used with mesh geom");
  }
  if (shape_sizes(spec->type) == 0) {
    return compile_error(c, object, "invalid geom type in fitting mesh %s",
                         string_text(spec->meshname));
  }
  return 1;
}

// Sizes of the height field that a geom names, NULL if there is none.
static const double* hfield_size(const Compile* c, const mjsGeom* spec) {
  int id = compile_find(c, mjOBJ_HFIELD, spec->hfieldname);
  return id < 0 ? NULL : c->list[mjOBJ_HFIELD][id]->as.hfield.size;
}

// Per axis, how far the mesh reaches from the origin of its frame.
static void reach(double out[3], const Mesh* mesh) {
  for (int k = 0; k < 3; k++) {
    out[k] = fmax(fabs(mesh->lower[k]), fabs(mesh->upper[k]));
  }
}

// Sizes of a primitive around, or with the inertia of, a mesh; its centre in the mesh frame.
static void fit(double size[3], double center[3], mjtGeom type, const Mesh* mesh, int tobox) {
  double half[3];
  for (int k = 0; k < 3; k++) {
    center[k] = tobox ? (mesh->lower[k] + mesh->upper[k]) / 2 : 0;
    half[k] = tobox ? (mesh->upper[k] - mesh->lower[k]) / 2 : mesh->boxsize[k];
  }
  double radius = tobox ? fmax(half[0], half[1]) : (half[0] + half[1]) / 2;
  switch (type) {
    case mjGEOM_SPHERE:
      size[0] = tobox ? fmax(fmax(half[0], half[1]), half[2]) : (half[0] + half[1] + half[2]) / 3;
      break;
    case mjGEOM_CAPSULE:
      size[0] = radius;
      size[1] = tobox ? half[2] - radius : fmax(0, half[2] - radius / 2);
      break;
    case mjGEOM_CYLINDER:
      size[0] = radius;
      size[1] = half[2];
      break;
    default:
      memcpy(size, half, sizeof(half));
      break;
  }
}

void geom_applyasset(const Compile* c, const SpecObject* object, GeomWork* work) {
  const mjsGeom* spec = &object->as.geom;
  if (spec->type == mjGEOM_HFIELD) {
    const double* size = hfield_size(c, spec);
    memcpy(work->size, size, 2 * sizeof(double));
    work->size[2] = 0.25 * size[2] + 0.5 * size[3];
    return;
  }
  const Mesh* mesh = assets_mesh(c, spec->meshname);
  if (!mesh) {
    return;
  }
  Pose frame;
  double center[3] = {0, 0, 0};
  if (assets_usesmesh(spec->type)) {
    reach(work->size, mesh);
  } else {
    fit(work->size, center, spec->type, mesh, c->tree->spec.compiler.fitaabb);
    for (int k = 0; k < 3; k++) {
      work->size[k] *= spec->fitscale;
    }
  }
  pose_rotate(frame.pos, center, mesh->quat);
  for (int k = 0; k < 3; k++) {
    frame.pos[k] += mesh->pos[k];
  }
  memcpy(frame.quat, mesh->quat, sizeof(frame.quat));
  pose_compose(&work->pose, &work->pose, &frame);
}

int geom_assetbounds(double aabb[6], double* radius, const Compile* c, const SpecObject* object) {
  const mjsGeom* spec = &object->as.geom;
  if (spec->type == mjGEOM_HFIELD) {
    const double* size = hfield_size(c, spec);
    if (!size) {
      return 0;
    }
    double height = fmax(size[2], size[3]);
    aabb[0] = aabb[1] = 0;
    aabb[2] = (size[2] - size[3]) / 2;
    aabb[3] = size[0];
    aabb[4] = size[1];
    aabb[5] = (size[2] + size[3]) / 2;
    *radius = sqrt(size[0] * size[0] + size[1] * size[1] + height * height);
    return 1;
  }
  const Mesh* mesh = assets_usesmesh(spec->type) ? assets_mesh(c, spec->meshname) : NULL;
  if (!mesh) {
    return 0;
  }
  double far[3];
  reach(far, mesh);
  for (int k = 0; k < 3; k++) {
    aabb[k] = (mesh->upper[k] + mesh->lower[k]) / 2;
    aabb[3 + k] = (mesh->upper[k] - mesh->lower[k]) / 2;
  }
  *radius = sqrt(far[0] * far[0] + far[1] * far[1] + far[2] * far[2]);
  return 1;
}

int geom_dataid(const Compile* c, const SpecObject* object) {
  const mjsGeom* spec = &object->as.geom;
  if (!string_empty(spec->meshname)) {
    return compile_find(c, mjOBJ_MESH, spec->meshname);
  }
  return string_empty(spec->hfieldname) ? -1 : compile_find(c, mjOBJ_HFIELD, spec->hfieldname);
}
