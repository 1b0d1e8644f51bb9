// tendon.c: compiles tendons, their paths and their limits.
//                                                   theory/smooth/tendons.md, Attributes of tendons
#include <mujoco/api/base.h>
#include <mujoco/mjspec.h>
#include <stdio.h>
#include <string.h>

#include "compile/asset/material.h"
#include "compile/context.h"
#include "compile/limit.h"
#include "compile/mechanism/mechanism.h"

static int is_pulley(const SpecObject* wrap) {
  return !wrap || wrap->as.wrap.pub.type == mjWRAP_PULLEY;
}

static int is_site(const SpecObject* wrap) {
  return wrap && wrap->as.wrap.pub.type == mjWRAP_SITE;
}

static int is_geom(const SpecObject* wrap) {
  return wrap &&
         (wrap->as.wrap.pub.type == mjWRAP_SPHERE || wrap->as.wrap.pub.type == mjWRAP_CYLINDER);
}

// Reports a problem of a tendon. `problem` may contain %d for the position in the path.
static void refuse(Compile* c, const SpecObject* object, const char* problem, int pos) {
  char text[100];
  snprintf(text, sizeof(text), problem, pos);
  compile_error(c, object, "tendon '%s' (id = %d)%s", spec_name(object), object->id, text);
}

// Checks the order of kinds of elements in a path.
static void check_path(Compile* c, const SpecObject* object, int fixed, int count) {
  int i = 0;
  if (!fixed && count < 2) {
    refuse(c, object, ": spatial path must contain at least two objects", i);
    return;
  }
  const SpecObject* previous = NULL;
  for (SPEC_EACH_CHILD(wrap, object, mjOBJ_UNKNOWN)) {
    const SpecObject* next = spec_nextsibling(wrap);
    mjtWrap type = wrap->as.wrap.pub.type;
    if (fixed && type != mjWRAP_JOINT) {
      refuse(c, object, ": spatial object found in fixed path at pos %d", i);
    } else if (!fixed && type == mjWRAP_JOINT) {
      refuse(c, object, ": joint wrap found in spatial path at pos %d", i);
    } else if (type == mjWRAP_PULLEY) {
      if (previous && is_pulley(previous)) {
        refuse(c, object, ": consecutive pulleys (pos %d)", i);
      }
      if (!next) {
        refuse(c, object, ": path ends with pulley", i);
      }
    } else if (type == mjWRAP_SITE) {
      if (is_pulley(previous) && is_pulley(next)) {
        refuse(c, object, ": site %d needs a neighbor that is not a pulley", i);
      }
      if (is_site(next) &&
          strcmp(string_text(&wrap->as.wrap.target), string_text(&next->as.wrap.target)) == 0) {
        refuse(c, object, ": site %d is repeated", i);
      }
    } else if (is_geom(wrap)) {
      if (!is_site(previous) || !is_site(next)) {
        refuse(c, object, ": geom at pos %d not bracketed by sites", i);
      }
      if (object->as.tendon.armature > 0) {
        refuse(c, object, ": geom wrapping not supported by tendon armature", i);
      }
    }
    previous = wrap;
    i++;
  }
}

// Finds the object of an element of the path and writes it to slot adr.
static void write_wrap(Compile* c, const SpecObject* tendon, const SpecObject* object, int adr,
                       int pos) {
  mjModel* m = c->m;
  const SpecWrap* wrap = &object->as.wrap;
  const SpecObject* at = object->place.line ? object : tendon;
  const char* target = string_text(&wrap->target);
  int id = -1, type = wrap->pub.type;
  double prm = 0;
  switch (wrap->pub.type) {
    case mjWRAP_JOINT:
      id = compile_find(c, mjOBJ_JOINT, &wrap->target);
      if (id < 0) {
        compile_error(c, at, "joint '%s' not found in tendon %d, wrap %d", target, tendon->id, pos);
      }
      prm = wrap->prm;
      break;
    case mjWRAP_SITE:
      id = compile_find(c, mjOBJ_SITE, &wrap->target);
      if (id < 0) {
        compile_error(c, at, "site '%s' not found in wrap %d", target, pos);
      }
      break;
    case mjWRAP_PULLEY:
      prm = wrap->prm;
      if (prm < 0) {
        compile_error(c, at, "pulley has negative divisor in tendon %d, wrap %d", tendon->id, pos);
      }
      break;
    default:
      id = compile_find(c, mjOBJ_GEOM, &wrap->target);
      prm = -1;
      if (id < 0) {
        compile_error(c, at, "geom '%s' not found in tendon %d, wrap %d", target, tendon->id, pos);
      } else if (m->geom_type[id] == mjGEOM_CYLINDER) {
        type = mjWRAP_CYLINDER;
      } else if (m->geom_type[id] == mjGEOM_SPHERE) {
        type = mjWRAP_SPHERE;
      } else {
        compile_error(c, at, "geom '%s' in tendon %d, wrap %d is not sphere or cylinder", target,
                      tendon->id, pos);
      }
      if (!string_empty(&wrap->sidesite)) {
        prm = compile_find(c, mjOBJ_SITE, &wrap->sidesite);
        if (prm < 0) {
          compile_error(c, at, "side site '%s' not found in tendon %d, wrap %d",
                        string_text(&wrap->sidesite), tendon->id, pos);
        }
      }
  }
  m->wrap_type[adr] = type;
  m->wrap_objid[adr] = id;
  m->wrap_prm[adr] = (mjtNum)prm;
}

static int force_limit(Compile* c, const SpecObject* object) {
  const mjsTendon* spec = &object->as.tendon;
  const double* range = spec->actfrcrange;
  int active = limit_active(c, object, "", spec->actfrclimited, range, NULL);
  if (active && (range[0] >= range[1] || range[0] > 0 || range[1] < 0)) {
    compile_error(c, object,
                  "invalid actuatorfrcrange in tendon: %g %g must contain 0 and have a width",
                  range[0], range[1]);
  }
  return active;
}

static int compile_tendon(Compile* c, const SpecObject* object, int adr) {
  mjModel* m = c->m;
  const mjsTendon* spec = &object->as.tendon;
  int i = object->id, count = 0;
  for (SPEC_EACH_CHILD(wrap, object, mjOBJ_UNKNOWN)) {
    write_wrap(c, object, wrap, adr + count, count);
    count++;
  }
  if (count == 0) {
    return compile_error(c, object, "tendon '%s' (id = %d): path cannot be empty",
                         spec_name(object), i);
  }
  int fixed = m->wrap_type[adr] == mjWRAP_JOINT;
  check_path(c, object, fixed, count);
  if (!fixed && spec->width <= 0) {
    refuse(c, object, " must have positive width", 0);
  }
  if (!fixed && spec->armature < 0) {
    refuse(c, object, ": tendon armature cannot be negative", 0);
  }
  if (spec->springlength[0] > spec->springlength[1]) {
    compile_error(c, object, "invalid springlength in tendon: %g is larger than %g",
                  spec->springlength[0], spec->springlength[1]);
  }

  m->tendon_adr[i] = adr;
  m->tendon_num[i] = count;
  m->tendon_matid[i] = compile_material(c, object, spec->material);
  m->tendon_group[i] = spec->group;
  m->tendon_limited[i] =
      (mjtByte)limit_active(c, object, "", spec->limited, spec->range, "invalid limits in tendon");
  m->tendon_actfrclimited[i] = (mjtByte)force_limit(c, object);
  m->tendon_width[i] = (mjtNum)spec->width;
  mju_copy(m->tendon_solref_lim + mjNREF * i, spec->solref_limit, mjNREF);
  mju_copy(m->tendon_solimp_lim + mjNIMP * i, spec->solimp_limit, mjNIMP);
  mju_copy(m->tendon_solref_fri + mjNREF * i, spec->solref_friction, mjNREF);
  mju_copy(m->tendon_solimp_fri + mjNIMP * i, spec->solimp_friction, mjNIMP);
  compile_store(m->tendon_range + 2 * i, spec->range, 2);
  compile_store(m->tendon_actfrcrange + 2 * i, spec->actfrcrange, 2);
  m->tendon_margin[i] = (mjtNum)spec->margin;
  m->tendon_stiffness[i] = (mjtNum)spec->stiffness;
  m->tendon_damping[i] = (mjtNum)spec->damping;
  compile_store(m->tendon_stiffnesspoly + mjNPOLY * i, spec->stiffnesspoly, mjNPOLY);
  compile_store(m->tendon_dampingpoly + mjNPOLY * i, spec->dampingpoly, mjNPOLY);
  m->tendon_armature[i] = (mjtNum)spec->armature;
  m->tendon_frictionloss[i] = (mjtNum)spec->frictionloss;
  compile_store(m->tendon_lengthspring + 2 * i, spec->springlength, 2);
  memcpy(m->tendon_rgba + 4 * i, spec->rgba, 4 * sizeof(float));
  return count;
}

void compile_tendons(Compile* c) {
  int adr = 0;
  for (int i = 0; i < c->count[mjOBJ_TENDON]; i++) {
    adr += compile_tendon(c, c->list[mjOBJ_TENDON][i], adr);
  }
}
