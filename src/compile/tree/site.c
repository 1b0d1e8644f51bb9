// site.c: compiles sites, which are like geoms without mass and contacts.
#include <mujoco/mjspec.h>
#include <string.h>

#include "compile/asset/material.h"
#include "compile/context.h"
#include "compile/tree/frame.h"
#include "compile/tree/primitive.h"
#include "compile/tree/shape.h"
#include "compile/tree/tree.h"

void compile_site(Compile* c, SpecObject* object) {
  mjModel* m = c->m;
  const mjsSite* spec = &object->as.site;
  const BodyWork* body = &c->body[object->parent->id];
  int i = object->id;
  if (spec->type < 0 || spec->type >= mjNGEOMTYPES) {
    compile_error(c, object, "invalid type in site");
    return;
  }
  if (primitive(spec->type)->nsize == 0) {
    compile_error(c, object, "meshes, hfields and planes not allowed in site");
    return;
  }

  Pose pose;
  double size[3];
  memcpy(size, spec->size, sizeof(size));
  if (!shape_resolve(c, object, spec->type, spec->pos, spec->quat, &spec->alt, spec->fromto, &pose,
                     size) ||
      !shape_check(c, object, spec->type, size)) {
    return;
  }
  frame_apply(c, object, &pose);
  pose_normalize(pose.quat, 4);
  if (body->aligned) {
    pose_compose(&pose, &body->unalign, &pose);
  }

  m->site_type[i] = spec->type;
  m->site_bodyid[i] = object->parent->id;
  m->site_matid[i] = compile_material(c, object, spec->material);
  m->site_group[i] = spec->group;
  compile_store(m->site_size + 3 * i, size, 3);
  compile_store(m->site_pos + 3 * i, pose.pos, 3);
  compile_store(m->site_quat + 4 * i, pose.quat, 4);
  memcpy(m->site_rgba + 4 * i, spec->rgba, 4 * sizeof(float));
}
