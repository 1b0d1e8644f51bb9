// site.c: compiles sites, which are like geoms without mass and contacts.
#include <mujoco/mjspec.h>
#include <string.h>

#include "compile/asset/material.h"
#include "compile/asset_set.h"
#include "compile/context.h"
#include "compile/derive/primitive.h"
#include "compile/tree/frame.h"
#include "compile/tree/shape.h"
#include "compile/tree/tree.h"

// Checks the type of a site, and whether it names a mesh if and only if it has the shape of one.
static int check_type(Compile* c, const SpecObject* object) {
  const mjsSite* spec = &object->as.site;
  int named = !string_empty(spec->meshname);
  if (spec->type < 0 || spec->type >= mjNGEOMTYPES) {
    return compile_error(c, object, "invalid type in site");
  }
  if (named && spec->type != mjGEOM_MESH) {
    return compile_error(c, object, "mesh can only be specified for mesh sites");
  }
  if (spec->type == mjGEOM_MESH && !named) {
    return compile_error(c, object, "mesh site '%s' (id = %d) must have valid meshid",
                         spec_name(object), object->id);
  }
  if (named) {
    return compile_named(c, object, mjOBJ_MESH, spec->meshname, "mesh '%s' not found in site %d") >=
           0;
  }
  return primitive(spec->type)->nsize > 0 ||
         compile_error(c, object, "meshes, hfields and planes not allowed in site");
}

// A mesh site keeps the pose that its author gave it, unlike a mesh geom: where its shape is needed
// the pose of the mesh is applied then (site_shape).             theory/model/shapes.md, Mesh sites
void compile_site(Compile* c, SpecObject* object) {
  mjModel* m = c->m;
  const mjsSite* spec = &object->as.site;
  const BodyWork* body = &c->body[object->parent->id];
  const mjString* material = spec->material;
  int i = object->id;
  Pose pose;
  double size[3];
  memcpy(size, spec->size, sizeof(size));
  if (!check_type(c, object) ||
      !shape_resolve(c, object, spec->type, spec->pos, spec->quat, &spec->alt, spec->fromto, &pose,
                     size) ||
      !shape_check(c, object, spec->type, size)) {
    return;
  }
  const Mesh* mesh = assets_mesh(c, spec->meshname);
  if (mesh) {
    assets_meshsize(size, mesh);
    m->site_dataid[i] = compile_find(c, mjOBJ_MESH, spec->meshname);
    if (string_empty(material)) {
      material = c->list[mjOBJ_MESH][m->site_dataid[i]]->as.mesh.material;
    }
  }
  frame_apply(c, object, &pose);
  pose_normalize(pose.quat, 4);
  if (body->aligned) {
    pose_compose(&pose, &body->unalign, &pose);
  }

  m->site_type[i] = spec->type;
  m->site_bodyid[i] = object->parent->id;
  m->site_matid[i] = compile_material(c, object, material);
  m->site_group[i] = spec->group;
  compile_store(m->site_size + 3 * i, size, 3);
  compile_store(m->site_pos + 3 * i, pose.pos, 3);
  compile_store(m->site_quat + 4 * i, pose.quat, 4);
  memcpy(m->site_rgba + 4 * i, spec->rgba, 4 * sizeof(float));
}
