// settings.c: writes compiler, option, size, visual, statistic, default and custom.
//                                                                   theory/model/format.md, Writing

#include <condyle/behaviour.h>
#include <math.h>
#include <mujoco/api/spec.h>
#include <stdio.h>
#include <string.h>

#include "mjcf/write/context.h"
#include "mjcf/write/rows.h"
#include "mjcf/write/sections.h"

// settings that are written separately, or never
#define UNSAID "meshdir texturedir savecompiled savecanonical"

// settings whose effect is in the model's numbers, or that are written separately
#define BAKED                                                                       \
  "settotalmass balanceinertia strippath discardvisual fusestatic inertiafromgeom " \
  "inertiagrouprange saveinertial " UNSAID

static void write_dialect(Writer* w, int dialect) {
  if (dialect != cnd_dialect("3.3")) {
    char text[40];
    snprintf(text, sizeof(text), "%d.%d", dialect / 100, dialect % 100);
    write_text(w, "dialect", text);
  }
}

// Writes <compiler>. Angles are radians now. Masses that were scaled to a total are written one by
// one and may be below the mass bounds.
void write_compiler(Writer* w) {
  mjSpec spec = w->tree->spec;
  spec.compiler.degree = w->notation && spec.compiler.degree;
  const char* baked = spec.compiler.settotalmass > 0 ? BAKED " boundmass boundinertia" : BAKED;
  write_rows(w, write_schema("compiler", NULL), &spec, &w->blank->spec,
             &(RowChoice){.never = w->written ? UNSAID : baked});
  if (w->notation && memcmp(spec.compiler.eulerseq, "xyz", 3) != 0) {
    char sequence[4] = "";
    memcpy(sequence, spec.compiler.eulerseq, 3);
    write_text(w, "eulerseq", sequence);
  }
  write_dialect(w, spec.compiler.dialect);
  if (!w->joined && !w->files) {
    write_given(w, "meshdir", spec.compiler.meshdir);
    write_given(w, "texturedir", spec.compiler.texturedir);
  }
  if (!w->expanded) {
    write_begin(w, "lengthrange");
    write_rows(w, schema_child(write_schema("compiler", NULL), "lengthrange"), &spec.compiler.LRopt,
               &w->blank->spec.compiler.LRopt, NULL);
    write_enddrop(w);
  }
}

// Writes group bits as a list of numbers.
static void write_groups(Writer* w, int groups) {
  double list[32];
  int n = 0;
  for (int i = 0; i < 31; i++) {
    if (groups & (1 << i)) {
      list[n++] = i;
    }
  }
  if (n) {
    write_reals(w, "actuatorgroupdisable", list, n);
  }
}

void write_option(Writer* w) {
  const SchemaElement* element = write_schema("option", NULL);
  const mjOption* option = w->written ? &w->tree->spec.option : &w->m->opt;
  write_rows(w, element, option, &w->blank->spec.option, NULL);
  write_groups(w, option->disableactuator);
  write_begin(w, "flag");
  write_rows(w, schema_child(element, "flag"), option, &w->blank->spec.option, NULL);
  if ((option->disableflags & mjDSBL_MULTICCD) && !(option->enableflags & mjENBL_MULTICCD)) {
    write_text(w, "multiccd", "disable");
  }
  write_enddrop(w);
  write_begin(w, "behaviour");
  write_rows(w, schema_child(element, "behaviour"), option, &w->blank->spec.option, NULL);
  write_enddrop(w);
}

// Writes bytes in the largest unit that divides them.
static void write_memory(Writer* w, mjtSize bytes) {
  static const char units[] = "KMGTPE";
  int unit = -1;
  while (bytes > 0 && bytes % 1024 == 0 && unit + 1 < (int)strlen(units)) {
    bytes /= 1024;
    unit++;
  }
  char text[40];
  snprintf(text, sizeof(text), "%lld%.1s", (long long)bytes, unit < 0 ? "" : units + unit);
  write_text(w, "memory", text);
}

// Sizes that the compiler has found.
static void size_values(mjSpec* out, mjSpec* blank, const mjModel* m) {
  mjSpec spec = *out, usual = *blank;
  spec.nkey = m->nkey;
  spec.nuserdata = m->nuserdata;
#define USER(short)                      \
  spec.nuser_##short = m->nuser_##short; \
  usual.nuser_##short = 0
  USER(body);
  USER(jnt);
  USER(geom);
  USER(site);
  USER(cam);
  USER(tendon);
  USER(actuator);
  USER(sensor);
#undef USER
  *out = spec;
  *blank = usual;
}

void write_size(Writer* w) {
  mjSpec spec = w->tree->spec, usual = w->blank->spec;
  if (!w->written) {
    size_values(&spec, &usual, w->m);
  }
  if (spec.memory != usual.memory) {
    write_memory(w, spec.memory);
  }
  write_rows(w, write_schema("size", NULL), &spec, &usual, NULL);
}

void write_visual(Writer* w) {
  const SchemaElement* child = write_schema("visual", NULL)->children;
  for (; child->name; child++) {
    write_begin(w, child->name);
    write_rows(w, child, w->written ? &w->tree->spec.visual : &w->m->vis, &w->blank->spec.visual,
               NULL);
    write_enddrop(w);
  }
}

// Writes the statistics that the author set or that a program has changed.
void write_statistic(Writer* w) {
  if (w->written) {
    write_rows(w, write_schema("statistic", NULL), &w->tree->spec.stat, &w->blank->spec.stat, NULL);
    return;
  }
  const mjStatistic *author = &w->tree->spec.stat, *now = &w->m->stat, *before = &w->tree->computed;
  mjStatistic stat = *author;
#define CHANGED(f)                                \
  if (now->f != before->f || !isnan(author->f)) { \
    stat.f = now->f;                              \
  }
  CHANGED(meaninertia)
  CHANGED(meanmass)
  CHANGED(meansize)
  CHANGED(extent)
#undef CHANGED
  if (memcmp(now->center, before->center, sizeof(now->center)) || !isnan(author->center[0])) {
    memcpy(stat.center, now->center, sizeof(stat.center));
  }
  write_rows(w, write_schema("statistic", NULL), &stat, &w->blank->spec.stat, NULL);
}

// default

static const struct {
  const char* name;
  mjtObj type;
  const char* never;  // attributes that elements of the class write in other ways
} prototypes[] = {
    {"mesh", mjOBJ_MESH, NULL},         {"texture", mjOBJ_TEXTURE, NULL},
    {"material", mjOBJ_MATERIAL, NULL}, {"joint", mjOBJ_JOINT, "springdamper"},
    {"geom", mjOBJ_GEOM, "fromto"},     {"site", mjOBJ_SITE, "fromto"},
    {"camera", mjOBJ_CAMERA, NULL},     {"light", mjOBJ_LIGHT, NULL},
    {"pair", mjOBJ_PAIR, NULL},         {"equality", mjOBJ_EQUALITY, NULL},
    {"tendon", mjOBJ_TENDON, NULL},     {"general", mjOBJ_ACTUATOR, "inheritrange"},
};

static void write_prototypes(Writer* w, const SpecObject* class, const SpecObject* parent) {
  for (size_t i = 0; i < sizeof(prototypes) / sizeof(prototypes[0]); i++) {
    mjtObj type = prototypes[i].type;
    const SchemaElement* element = write_schema("default", prototypes[i].name);
    ElementValues own, before;
    write_prototype(&own, w, class, type);
    write_prototype(&before, w, parent, type);

    if (type == mjOBJ_ACTUATOR && !w->written) {
      own.actuator.inheritrange = before.actuator.inheritrange;  // ranges are written
    }
    write_begin(w, prototypes[i].name);
    if (type == mjOBJ_CAMERA) {
      write_camerarows(w, element, &own.camera, &before.camera, 0);
    } else {
      int spans = type == mjOBJ_GEOM || type == mjOBJ_SITE;  // written with poses
      int as_given = w->notation || (w->written && !spans);
      write_rows(w, element, &own, &before,
                 &(RowChoice){.never = as_given ? NULL : prototypes[i].never,
                              .whole = spans ? "size" : NULL});
    }
    if (type == mjOBJ_TENDON) {
      write_springlength(w, &own.tendon, &before.tendon);
    } else if (type == mjOBJ_ACTUATOR) {
      write_inputs(w, &own.actuator, &before.actuator);
    } else if (type == mjOBJ_TEXTURE) {
      write_gridlayout(w, &own.texture, &before.texture);
    } else if (type == mjOBJ_MATERIAL) {
      write_layers(w, &own.material, &before.material);
    }
    write_enddrop(w);
  }
}

static void write_subclasses(Writer* w, const SpecObject* class) {
  for (SPEC_EACH_CHILD(child, class, mjOBJ_DEFAULT)) {
    write_begin(w, "default");
    write_text(w, "class", spec_name(child));
    write_prototypes(w, child, class);
    write_subclasses(w, child);
    write_end(w);
  }
}

void write_default(Writer* w) {
  const SpecObject* main = w->tree->main_class;
  write_prototypes(w, main, w->blank->main_class);
  write_subclasses(w, main);
}

// custom; the reader needs a name attribute, even if empty

static void write_tuple(Writer* w, const SpecObject* object) {
  const mjsTuple* tuple = &object->as.tuple;
  write_begin(w, "tuple");
  write_text(w, "name", spec_name(object));
  for (size_t i = 0; i < tuple->objtype->num; i++) {
    write_begin(w, "element");
    write_key(w, "objtype", schema_objects(), tuple->objtype->ptr[i]);
    write_text(w, "objname", string_text(&tuple->objname->ptr[i]));
    const mjtNum* kept = w->written ? NULL : w->m->tuple_objprm + w->m->tuple_adr[object->id];
    double prm = kept ? write_real(kept[i]) : i < tuple->objprm->num ? tuple->objprm->ptr[i] : 0;
    if (prm != 0) {
      write_reals(w, "prm", &prm, 1);
    }
    write_end(w);
  }
  write_end(w);
}

void write_custom(Writer* w) {
  const mjModel* m = w->m;
  for (SPEC_EACH(object, w->tree, mjOBJ_NUMERIC)) {
    const mjsNumeric* numeric = &object->as.numeric;
    write_begin(w, "numeric");
    write_text(w, "name", spec_name(object));
    if (w->written) {
      write_int(w, "size", numeric->size);
      write_reals(w, "data", numeric->data->ptr, (int)numeric->data->num);
      write_end(w);
      continue;
    }
    write_int(w, "size", m->numeric_size[object->id]);
    write_numbers(w, "data", m->numeric_data + m->numeric_adr[object->id],
                  m->numeric_size[object->id]);
    write_end(w);
  }
  for (SPEC_EACH(object, w->tree, mjOBJ_TEXT)) {
    write_begin(w, "text");
    write_text(w, "name", spec_name(object));
    write_text(w, "data", string_text(object->as.text.data));
    write_end(w);
  }
  write_each(w, mjOBJ_TUPLE, write_tuple);
}
