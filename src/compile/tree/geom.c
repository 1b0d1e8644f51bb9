// geom.c: compiles geoms: shape (own, or from an asset), mass, inertia and pose.
//                                                             theory/model/shapes.md, Fitted shapes
#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/mjspec.h>
#include <string.h>

#include "compile/asset/material.h"
#include "compile/asset_set.h"
#include "compile/context.h"
#include "compile/derive/fluid.h"
#include "compile/derive/inertia.h"
#include "compile/derive/primitive.h"
#include "compile/plugin.h"
#include "compile/tree/frame.h"
#include "compile/tree/shape.h"
#include "compile/tree/tree.h"

static int check_type(Compile* c, const SpecObject* object) {
  const mjsGeom* spec = &object->as.geom;
  const char* name = spec_name(object);
  int named_mesh = !string_empty(spec->meshname), named_hfield = !string_empty(spec->hfieldname);
  if (spec->type < 0 || spec->type >= mjNGEOMTYPES) {
    return compile_error(c, object, "invalid type in geom");
  }
  if ((named_mesh && compile_named(c, object, mjOBJ_MESH, spec->meshname,
                                   "mesh '%s' not found in geom %d") < 0) ||
      (named_hfield && compile_named(c, object, mjOBJ_HFIELD, spec->hfieldname,
                                     "hfield '%s' not found in geom %d") < 0)) {
    return 0;
  }
  if ((spec->type == mjGEOM_MESH || spec->type == mjGEOM_SDF) && !named_mesh) {
    return compile_error(c, object, "mesh geom '%s' (id = %d) must have valid meshid", name,
                         object->id);
  }
  if ((spec->type == mjGEOM_HFIELD) != named_hfield) {
    return compile_error(c, object, "hfield geom '%s' (id = %d) must have valid hfieldid", name,
                         object->id);
  }
  if (spec->type == mjGEOM_PLANE && c->body[object->parent->id].weldid != 0) {
    return compile_error(c, object, "plane only allowed in static bodies");
  }
  return 1;
}

// Checks the attributes of a geom with a mesh.
static int check_mesh(Compile* c, const SpecObject* object) {
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
  if (primitive(spec->type)->nsize == 0) {
    return compile_error(c, object, "invalid geom type in fitting mesh %s",
                         string_text(spec->meshname));
  }
  return 1;
}

// The mesh of a mesh or SDF geom; NULL for primitives, even if they are fitted to a mesh.
static const Mesh* own_mesh(const Compile* c, const mjsGeom* spec) {
  return assets_usesmesh(spec->type) ? assets_mesh(c, spec->meshname) : NULL;
}

// Sizes of the height field that a geom names, NULL if there is none.
static const double* hfield_size(const Compile* c, const mjsGeom* spec) {
  int id = compile_find(c, mjOBJ_HFIELD, spec->hfieldname);
  return id < 0 ? NULL : c->list[mjOBJ_HFIELD][id]->as.hfield.size;
}

// Sizes of a primitive fitted to the mesh's inertia box or bounding box, and its center in the mesh
// frame.
static void fit(double size[3], double center[3], mjtGeom type, const Mesh* mesh, int tobox) {
  double half[3];
  for (int k = 0; k < 3; k++) {
    center[k] = tobox ? (mesh->lower[k] + mesh->upper[k]) / 2 : 0;
    half[k] = tobox ? (mesh->upper[k] - mesh->lower[k]) / 2 : mesh->boxsize[k];
  }
  primitive(type)->fit(size, half, tobox);
}

// Expresses a field of velocities, v at the origin and w everywhere, in a frame inside of its own:
//   v' = R' (v + w x p),  w' = R' w          theory/contact/collision.md, Moving surfaces
static void surface_move(double surfacevel[6], const Pose* frame) {
  double back[4] = {frame->quat[0], -frame->quat[1], -frame->quat[2], -frame->quat[3]}, v[3];
  pose_cross(v, surfacevel + 3, frame->pos);
  for (int k = 0; k < 3; k++) {
    v[k] += surfacevel[k];
  }
  pose_rotate(surfacevel, v, back);
  memcpy(v, surfacevel + 3, sizeof(v));
  pose_rotate(surfacevel + 3, v, back);
}

// Applies a mesh or height field to pose (in the innermost frame) and size. A mesh geom takes its
// size from the mesh, and its pose is shifted to the mesh frame. A primitive with a mesh is fitted
// to the mesh's inertia box or bounding box. A height field gives sizes only.
static void apply_asset(const Compile* c, const SpecObject* object, GeomWork* work) {
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
    assets_meshsize(work->size, mesh);
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
  surface_move(work->surfacevel, &frame);
}

// The box (center, half sizes) and radius of a geom whose shape is an asset. Returns 0 if there is
// none.
static int asset_bounds(double aabb[6], double* radius, const Compile* c,
                        const SpecObject* object) {
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
  const Mesh* mesh = own_mesh(c, spec);
  if (!mesh) {
    return 0;
  }
  double far[3];
  assets_meshsize(far, mesh);
  for (int k = 0; k < 3; k++) {
    aabb[k] = (mesh->upper[k] + mesh->lower[k]) / 2;
    aabb[3 + k] = (mesh->upper[k] - mesh->lower[k]) / 2;
  }
  *radius = sqrt(far[0] * far[0] + far[1] * far[1] + far[2] * far[2]);
  return 1;
}

// Does the geom's mass count? Not in the world, outside the range of groups, or in a body with an
// explicit inertial.
static int has_mass(const SpecObject* object) {
  const mjsCompiler* options = compile_options(object);
  const SpecObject* body = object->parent;
  int group = object->as.geom.group;
  int explicit_inertial = !isnan(body->as.body.ipos[0]);
  return body->id > 0 &&
         (!explicit_inertial || options->inertiafromgeom == mjINERTIAFROMGEOM_TRUE) &&
         group >= options->inertiagrouprange[0] && group <= options->inertiagrouprange[1];
}

// Computes mass and inertia. A mesh has the inertia of its equivalent inertia box.
static void compute_mass(Compile* c, const SpecObject* object, GeomWork* work) {
  const mjsGeom* spec = &object->as.geom;
  const Mesh* mesh = own_mesh(c, spec);
  const Primitive* shape = primitive(mesh ? mjGEOM_BOX : spec->type);
  const PrimitiveMass* part = spec->typeinertia == mjINERTIA_SHELL ? &shape->shell : &shape->solid;
  double volume = mesh ? mesh->volume : part->measure(work->size);
  if (isnan(spec->mass)) {
    work->mass = spec->density == 0 ? 0 : spec->density * volume;
  } else {
    work->mass = volume > COMPILE_EPS ? spec->mass : 0;
  }
  if (work->mass != 0) {
    part->inertia(work->inertia, mesh ? mesh->boxsize : work->size, work->mass);
  }
  int negative = spec->mass < 0 || spec->density < 0 || work->mass < 0 || work->inertia[0] < 0 ||
                 work->inertia[1] < 0 || work->inertia[2] < 0;
  if (negative) {
    compile_error(
        c, object,
        "mass, inertia or density are negative in geom: mass %g, inertia %g %g %g, density "
        "%g",
        work->mass, work->inertia[0], work->inertia[1], work->inertia[2], spec->density);
  }
}

// Compiles a geom. Mass comes from sizes rounded to the model's precision, so a saved and reloaded
// model has the same masses.
void compile_geom(Compile* c, SpecObject* object) {
  const mjsGeom* spec = &object->as.geom;
  GeomWork* work = &c->geom[object->id];
  work->pose = POSE_IDENTITY;
  memcpy(work->size, spec->size, sizeof(work->size));
  memcpy(work->surfacevel, spec->surfacevel, sizeof(work->surfacevel));

  if (spec->condim != 1 && spec->condim != 3 && spec->condim != 4 && spec->condim != 6) {
    compile_error(c, object, "invalid condim in geom: it is %d, not 1, 3, 4 or 6", spec->condim);
  }
  if (!check_type(c, object) || !check_mesh(c, object) ||
      !shape_resolve(c, object, spec->type, spec->pos, spec->quat, &spec->alt, spec->fromto,
                     &work->pose, work->size)) {
    return;
  }
  apply_asset(c, object, work);
  if (!shape_check(c, object, spec->type, work->size)) {
    return;
  }
  frame_apply(c, object, &work->pose);
  pose_round(work->pose.pos, 3);
  pose_round(work->pose.quat, 4);
  pose_round(work->size, 3);
  if (has_mass(object)) {
    compute_mass(c, object, work);
  }
}

void write_geom(Compile* c, SpecObject* object) {
  mjModel* m = c->m;
  const mjsGeom* spec = &object->as.geom;
  GeomWork* work = &c->geom[object->id];
  const BodyWork* body = &c->body[object->parent->id];
  int i = object->id;
  if (body->aligned) {
    pose_compose(&work->pose, &body->unalign, &work->pose);
  }

  double aabb[6], radius, fluid[mjNFLUID];
  if (!asset_bounds(aabb, &radius, c, object)) {
    primitive_aabb(aabb, spec->type, work->size);
    radius = primitive(spec->type)->radius(aabb + 3);
  }
  fluid_coefficients(fluid, spec->fluid_ellipsoid, spec->fluid_coefs, spec->type, work->size);

  // a geom without material takes that of its mesh
  const mjString* material = spec->material;
  int mesh = compile_find(c, mjOBJ_MESH, spec->meshname);
  if (string_empty(material) && mesh >= 0) {
    material = c->list[mjOBJ_MESH][mesh]->as.mesh.material;
  }

  m->geom_type[i] = spec->type;
  m->geom_contype[i] = spec->contype;
  m->geom_conaffinity[i] = spec->conaffinity;
  m->geom_condim[i] = spec->condim;
  m->geom_bodyid[i] = object->parent->id;
  int is_fitted = spec->type != mjGEOM_MESH && spec->type != mjGEOM_SDF;
  m->geom_dataid[i] = mesh < 0 ? compile_find(c, mjOBJ_HFIELD, spec->hfieldname)
                      : is_fitted && compile_behaves(object, cndBEHAVIOUR_compile) ? -1
                                                                                   : mesh;
  m->geom_matid[i] = compile_material(c, object, material);
  m->geom_group[i] = spec->group;
  m->geom_priority[i] = spec->priority;
  m->geom_castshadow[i] = spec->castshadow != 0;
  m->geom_plugin[i] = compile_plugin(c, object);
  m->geom_solmix[i] = (mjtNum)spec->solmix;
  mju_copy(m->geom_solref + mjNREF * i, spec->solref, mjNREF);
  mju_copy(m->geom_solimp + mjNIMP * i, spec->solimp, mjNIMP);
  compile_store(m->geom_size + 3 * i, work->size, 3);
  compile_store(m->geom_aabb + 6 * i, aabb, 6);
  m->geom_rbound[i] = (mjtNum)radius;
  compile_store(m->geom_pos + 3 * i, work->pose.pos, 3);
  compile_store(m->geom_quat + 4 * i, work->pose.quat, 4);
  compile_store(m->geom_friction + 3 * i, spec->friction, 3);
  m->geom_margin[i] = (mjtNum)spec->margin;
  m->geom_gap[i] = (mjtNum)spec->gap;
  m->geom_adhesion[i] = (mjtNum)spec->adhesion;
  compile_store(m->geom_surfacevel + 6 * i, work->surfacevel, 6);
  compile_store(m->geom_fluid + mjNFLUID * i, fluid, mjNFLUID);
  memcpy(m->geom_rgba + 4 * i, spec->rgba, 4 * sizeof(float));
}
