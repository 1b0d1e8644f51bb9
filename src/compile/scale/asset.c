// asset.c: meshes and height fields of scaled geoms, one instance for each way of stretching them;
// skins and flexes, by the bodies that they follow.          theory/model/scaling.md, Assets

#include <math.h>
#include <mujoco/api/spec.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/memory.h"
#include "compile/asset/skin.h"
#include "compile/asset_set.h"
#include "compile/scale/steps.h"

// maps this close to each other, relative to their size, are the same
#define SAME 1e-12

static double largest(const double map[9]) {
  double size = 0;
  for (int i = 0; i < 9; i++) {
    size = fmax(size, fabs(map[i]));
  }
  return size;
}

static int same_map(const double a[9], const double b[9]) {
  double size = largest(a);
  for (int i = 0; i < 9; i++) {
    if (!(fabs(a[i] - b[i]) <= SAME * size)) {
      return 0;
    }
  }
  return 1;
}

static int is_diagonal(const double map[9]) {
  double size = largest(map);
  for (int i = 0; i < 9; i++) {
    if (i % 4 && !(fabs(map[i]) <= SAME * size)) {
      return 0;
    }
  }
  return 1;
}

// An instance under a new name, at the end of the list.
static SpecObject* add_instance(Scaling* s, SpecObject* asset) {
  SpecTree* tree = s->c->tree;
  SpecObject* original = asset->copy;
  SpecObject* instance = spec_clone(asset, tree);
  asset->copy = original;
  mjString name = {0};
  int count = 0;
  do {
    string_format(&name, "%s@%d", spec_name(asset), ++count);
  } while (spec_find(tree, asset->element.elemtype, string_text(&name)));
  spec_link(instance, NULL, NULL);
  spec_rename(instance, string_text(&name));
  string_clear(&name);
  return instance;
}

static void stretch_mesh(SpecObject* mesh, const double map[9]) {
  if (is_diagonal(map)) {
    for (int k = 0; k < 3; k++) {
      mesh->as.mesh.scale[k] *= map[4 * k];
    }
  } else {
    mesh->stretch = heap_take(9 * sizeof(double));
    memcpy(mesh->stretch, map, 9 * sizeof(double));
  }
}

static void stretch_hfield(SpecObject* hfield, const double map[9]) {
  double* size = hfield->as.hfield.size;
  for (int k = 0; k < 4; k++) {
    size[k] *= fabs(map[4 * (k < 3 ? k : 2)]);
  }
}

// The instance of an asset that is stretched by a map: made if there is none.
static SpecObject* instance_of(Scaling* s, SpecObject* asset, const double map[9]) {
  int used = 0;
  for (int i = 0; i < s->ninstance; i++) {
    const Instance* it = s->instance + i;
    if (it->asset == asset) {
      used = 1;
      if (same_map(it->map, map)) {
        return it->object;
      }
    }
  }
  Instance* instances = heap_resize(s->instance, (size_t)(s->ninstance + 1) * sizeof(Instance));
  Instance* it = instances + s->ninstance++;
  s->instance = instances;
  it->asset = asset;
  it->object = used ? add_instance(s, asset) : asset;
  memcpy(it->map, map, sizeof(it->map));
  return it->object;
}

// Where a geom or site names its asset.
static mjString* asset_name(SpecObject* user) {
  if (user->element.elemtype == mjOBJ_SITE) {
    return user->as.site.meshname;
  }
  mjsGeom* geom = &user->as.geom;
  return geom->type == mjGEOM_HFIELD ? geom->hfieldname : geom->meshname;
}

static int uses_hfield(const SpecObject* user) {
  return user->element.elemtype == mjOBJ_GEOM && user->as.geom.type == mjGEOM_HFIELD;
}

// The assets themselves change last, because an instance is a copy of what is written.
void scale_use(Scaling* s, SpecObject* user, const Stretch* stretch, const double map[9]) {
  mjString* name = asset_name(user);
  SpecObject* asset =
      spec_find(user->tree, uses_hfield(user) ? mjOBJ_HFIELD : mjOBJ_MESH, string_text(name));
  if (!asset) {
    return;
  }
  int is_mesh = asset->element.elemtype == mjOBJ_MESH;
  if (is_mesh && stretch->scaled && asset->as.mesh.plugin.active) {
    compile_error(s->c, user, "plugins cannot be scaled: mesh '%s'", spec_name(asset));
  } else if (!is_mesh && !is_diagonal(map)) {
    compile_error(s->c, user, "this shape is not aligned with the axes of the scale: geom '%s'",
                  spec_name(user));
  } else {
    SpecObject* instance = instance_of(s, asset, map);
    string_set(name, spec_name(instance));
  }
}

void scale_assets(Scaling* s) {
  for (int i = 0; i < s->ninstance; i++) {
    SpecObject* object = s->instance[i].object;
    if (object->element.elemtype == mjOBJ_MESH) {
      stretch_mesh(object, s->instance[i].map);
    } else {
      stretch_hfield(object, s->instance[i].map);
    }
  }
}

// skins and flexes

// The common stretch of bodies, NULL with an error if they differ.
static const Stretch* stretch_of(Scaling* s, SpecObject* user, const mjStringVec* bodies) {
  const Stretch* common = NULL;
  for (size_t i = 0; i < bodies->num; i++) {
    const SpecObject* body = spec_find(user->tree, mjOBJ_BODY, string_text(&bodies->ptr[i]));
    const Stretch* it = body ? &s->body[body->id] : NULL;
    if (it && common && (it->scale.length != common->scale.length || !it->uniform)) {
      compile_error(s->c, user, "bodies of %s '%s' are scaled differently: '%s' is not like others",
                    spec_typename(user->element.elemtype), spec_name(user), spec_name(body));
      return NULL;
    }
    common = it ? it : common;
  }
  if (common && common->scaled && !common->uniform) {
    compile_error(s->c, user, "%s '%s' can only be scaled uniformly",
                  spec_typename(user->element.elemtype), spec_name(user));
    return NULL;
  }
  return common && common->scaled ? common : NULL;
}

static void scale_floats(mjFloatVec* list, double factor) {
  for (size_t i = 0; i < list->num; i++) {
    list->ptr[i] = (float)(list->ptr[i] * factor);
  }
}

// Only its file tells which bodies a skin follows, so its data take the place of the file.
void scale_skins(Scaling* s) {
  for (SPEC_EACH(object, s->c->tree, mjOBJ_SKIN)) {
    mjsSkin* skin = &object->as.skin;
    if (!string_empty(skin->file) && !skin_embed(s->c, object)) {
      continue;
    }
    const Stretch* at = stretch_of(s, object, skin->bodyname);
    if (at) {
      scale_floats(skin->vert, at->scale.length);
      scale_floats(skin->bindpos, at->scale.length);
      skin->inflate = (float)(skin->inflate * at->scale.length);
    }
  }
}

// An elastic modulus is force / area, a damping of edges force / velocity.
void scale_flexes(Scaling* s) {
  for (SPEC_EACH(object, s->c->tree, mjOBJ_FLEX)) {
    mjsFlex* flex = &object->as.flex;
    const mjStringVec* bodies = flex->nodebody->num ? flex->nodebody : flex->vertbody;
    const Stretch* at = stretch_of(s, object, bodies);
    if (!at) {
      continue;
    }
    double length = at->scale.length;
    mjDoubleVec* places[] = {flex->vert, flex->node};
    for (int k = 0; k < 2; k++) {
      for (size_t i = 0; i < places[k]->num; i++) {
        places[k]->ptr[i] *= length;
      }
    }
    flex->radius *= length;
    flex->margin *= length;
    flex->gap *= length;
    flex->solimp[2] *= (mjtNum)length;
    flex->friction[1] *= length;
    flex->friction[2] *= length;
    flex->thickness *= flex->thickness > 0 ? length : 1;
    flex->edgestiffness *= factor_stiffness(at->scale, 1);
    flex->edgedamping *= factor_stiffness(at->scale, 1);
    flex->young *= at->scale.unit_mass / at->scale.unit_length;
  }
}
