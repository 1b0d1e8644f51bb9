// unused.c: checks of classes and assets that nothing uses, because they are left over or misspelt.
//
// A used object is marked by pointing its `copy` at itself.

#include <mujoco/mjmodel.h>
#include <stdio.h>

#include "lint/checks.h"
#include "spec/reference.h"
#include "spec/tree.h"

static int is_used(const SpecObject* object) {
  return object->copy == object;
}

// Marks a class and its superclasses, from which it inherits values.
static void use_class(SpecTree* tree, const char* name) {
  for (SpecObject* it = spec_class(tree, name); it && !is_used(it); it = it->parent) {
    it->copy = it;
  }
}

void check_unused_class(Lint* l) {
  SpecTree* tree = l->tree;
  tree_clearcopies(tree);
  for (int type = 0; type < SPEC_NSLOT; type++) {
    for (SPEC_EACH(it, tree, (mjtObj)type)) {
      if (it->element.elemtype == mjOBJ_DEFAULT) {
        break;
      }
      use_class(tree, it->classname);
      if (it->element.elemtype == mjOBJ_BODY) {
        use_class(tree, string_text(it->as.body.childclass));
      } else if (it->element.elemtype == mjOBJ_FRAME) {
        use_class(tree, string_text(it->as.frame.childclass));
      }
    }
  }
  for (SPEC_EACH(class, tree, mjOBJ_DEFAULT)) {
    // only the top class of an unused branch is reported
    int top = class->parent && (!class->parent->parent || is_used(class->parent));
    if (!is_used(class) && top && lint_own(l, class)) {
      lint_warn(l, lint_object(class), "remove it, or name it as class or childclass",
                "no element uses class '%s'%s", spec_name(class),
                class->first ? " or a class inside it" : "");
    }
  }
  tree_clearcopies(tree);
}

static int use_asset(const NameUse* use, void* tree) {
  if ((int)use->type < SPEC_NSLOT) {
    SpecObject* object = spec_find(tree, use->type, string_text(use->name));
    if (object) {
      object->copy = object;
    }
  }
  return 1;
}

// Marks the assets that elements and default classes name.
static void use_assets(SpecTree* tree) {
  for (int type = 0; type < SPEC_NSLOT; type++) {
    for (SPEC_EACH(it, tree, (mjtObj)type)) {
      if (it->element.elemtype != mjOBJ_DEFAULT) {
        reference_visit(it, use_asset, tree);
        continue;
      }
      for (int i = 0; i < mjNOBJECT; i++) {
        if (it->as.classdef.prototype[i]) {
          reference_visit(it->as.classdef.prototype[i], use_asset, tree);
        }
      }
    }
  }
}

static void warn_unattached(Lint* l) {
  for (int i = 0; i < l->tree->nunattached; i++) {
    const SpecUnattached* model = &l->tree->unattached[i];
    char label[100];
    snprintf(label, sizeof(label), "model '%s'", model->name);
    lint_warn(l, lint_place(model->place, label), "remove it, or name it in an <attach>",
              "nothing attaches this model, which is read all the same");
  }
}

void check_unused_asset(Lint* l) {
  static const struct {
    mjtObj type;
    const char* user;
  } assets[] = {{mjOBJ_MESH, "geom or site"},
                {mjOBJ_HFIELD, "geom"},
                {mjOBJ_TEXTURE, "material"},
                {mjOBJ_MATERIAL, "geom, site or tendon"}};
  tree_clearcopies(l->tree);
  use_assets(l->tree);
  for (int i = 0; i < 4; i++) {
    for (SPEC_EACH(it, l->tree, assets[i].type)) {
      int sky = assets[i].type == mjOBJ_TEXTURE && it->as.texture.type == mjTEXTURE_SKYBOX;
      if (!is_used(it) && !sky && lint_own(l, it)) {
        lint_warn(l, lint_object(it), lint_hint(l, "remove it, or name it in a %s", assets[i].user),
                  "nothing uses this %s, which is loaded all the same",
                  spec_typename(assets[i].type));
      }
    }
  }
  tree_clearcopies(l->tree);
  warn_unattached(l);
}
