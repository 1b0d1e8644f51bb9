// deformable.c: writes flexes.                                      theory/model/format.md, Writing

#include <mujoco/api/base.h>
#include <mujoco/api/spec.h>
#include <string.h>

#include "mjcf/write/context.h"
#include "mjcf/write/rows.h"
#include "mjcf/write/sections.h"

// Takes the values that a program may have changed from the model. Others are the author's.
static void flex_values(mjsFlex* out, const mjModel* m, int i) {
  out->contype = m->flex_contype[i];
  out->conaffinity = m->flex_conaffinity[i];
  out->condim = m->flex_condim[i];
  out->priority = m->flex_priority[i];
  out->solmix = write_real(m->flex_solmix[i]);
  mju_copy(out->solref, m->flex_solref + mjNREF * i, mjNREF);
  mju_copy(out->solimp, m->flex_solimp + mjNIMP * i, mjNIMP);
  write_take(out->friction, m->flex_friction + 3 * i, 3);
  out->margin = write_real(m->flex_margin[i]);
  out->gap = write_real(m->flex_gap[i]);
  out->internal = m->flex_internal[i];
  out->selfcollide = m->flex_selfcollide[i];
  out->activelayers = m->flex_activelayers[i];
  out->passive = m->flex_passive[i];
  out->group = m->flex_group[i];
  out->radius = write_real(m->flex_radius[i]);
  out->damping = write_real(m->flex_damping[i]);
  write_take(out->stressyield, m->flex_yield + 2 * i, 2);
  out->edgestiffness = write_real(m->flex_edgestiffness[i]);
  out->edgedamping = write_real(m->flex_edgedamping[i]);
  out->flatskin = m->flex_flatskin[i];
  memcpy(out->rgba, m->flex_rgba + 4 * i, sizeof(out->rgba));
}

static void write_flex(Writer* w, const SpecObject* object) {
  static const char* const parts[] = {"contact", "edge", "elasticity"};
  const SchemaElement* element = write_schema("deformable", "flex");
  mjsFlex own = object->as.flex, usual;
  mjs_defaultFlex(&usual);
  if (!w->written) {
    flex_values(&own, w->m, object->id);
  }
  write_named(w, "flex", object);
  write_rows(w, element, &own, &usual, NULL);
  write_texts(w, "material", own.materials);
  for (int i = 0; i < 3; i++) {
    write_begin(w, parts[i]);
    write_rows(w, schema_child(element, parts[i]), &own, &usual, NULL);
    write_enddrop(w);
  }
  write_end(w);
}

void write_deformable(Writer* w) {
  write_each(w, mjOBJ_FLEX, write_flex);
  write_each(w, mjOBJ_SKIN, write_skin);
}
