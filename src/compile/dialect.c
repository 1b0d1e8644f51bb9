// dialect.c: refuses models put together from parts whose dialects disagree.
//                                                                   theory/model/dialects.md
//
// A model has one set of behaviours, its own. An attached part was written for those of its file.
// Where they differ and the difference can change a result of the whole, nobody knows what its
// author wants.

#include <condyle/behaviour.h>
#include <math.h>
#include <stdio.h>

#include "compile/context.h"
#include "compile/stages.h"

// "4.0, given in line 3 of a.xml", or who says it if no text does.
static void describe(char text[300], const SpecTree* tree) {
  int dialect = tree->spec.compiler.dialect;
  const SourcePlace* place = &tree->ruled;
  int at = snprintf(text, 300, "dialect %d.%d", dialect / 100, dialect % 100);
  if (place->line > 0) {
    snprintf(text + at, 300 - (size_t)at, ", given in line %d%s%s", place->line,
             place->file && place->file[0] ? " of " : "", place->file ? place->file : "");
  } else {
    const char* file = tree->self.place.file;
    snprintf(text + at, 300 - (size_t)at, ", which %s doesn't name", file && file[0] ? file : "it");
  }
}

static void refuse(Compile* c, const SpecObject* part, int behaviour) {
  char own[300], whole[300];
  const SpecTree* from = part->origin;
  describe(own, from);
  describe(whole, c->tree);
  compile_error(
      c, part,
      "%s '%s' is a part of model '%s' with behaviour '%s' %s (%s), but model '%s' around "
      "it has it %s (%s), and uses what it changes: %s",
      spec_typename(part->element.elemtype), spec_name(part), string_text(from->spec.modelname),
      cnd_behaviour(behaviour)->name, from->spec.option.behaviour >> behaviour & 1 ? "on" : "off",
      own, string_text(c->tree->spec.modelname),
      c->tree->spec.option.behaviour >> behaviour & 1 ? "on" : "off", whole,
      cnd_behaviour(behaviour)->meaning);
}

// What release 4.0 is about to give up.
static void warn_of_old_settings(Compile* c) {
  const mjSpec* spec = &c->tree->spec;
  int later = spec->option.behaviour;
  if ((later >> cndBEHAVIOUR_compile & 1) && spec->compiler.settotalmass > 0) {
    compile_warning(c, NULL,
                    "compiler: settotalmass goes in a later release: scale masses and densities, "
                    "or call mj_setTotalmass and mj_setConst on the compiled model");
  }
  if ((later >> cndBEHAVIOUR_solverexit & 1) && !isnan(spec->stat.meaninertia)) {
    compile_warning(c, NULL,
                    "statistic: meaninertia goes in a later release: solvers measure progress by "
                    "the present inertia, so it has no effect");
  }
}

void compile_dialects(Compile* c) {
  warn_of_old_settings(c);
  int told = 0;
  for (int type = mjOBJ_BODY; type < mjNOBJECT; type++) {
    for (int i = 0; i < c->count[type]; i++) {
      const SpecObject* object = c->list[type][i];
      const SpecTree* from = object->origin ? object->origin : c->tree;
      int differ = (from->spec.option.behaviour ^ c->tree->spec.option.behaviour) & ~told;
      for (int k = 0; from != c->tree && differ && k < cndNBEHAVIOUR; k++) {
        if ((differ >> k & 1) && cnd_behaviourMatters(c->m, k)) {
          refuse(c, object, k);
          told |= 1 << k;
        }
      }
    }
  }
}
