// custom.c: compiles custom numbers, texts and tuples. The engine only stores them, except those
// named condyle.*. size.c has checked their sizes.               theory/model/model.md, Custom data
#include <mujoco/mjspec.h>
#include <string.h>

#include "compile/context.h"
#include "compile/mechanism/mechanism.h"
#include "model/contact_options.h"

static void compile_numerics(Compile* c) {
  mjModel* m = c->m;
  int adr = 0;
  for (int i = 0; i < m->nnumeric; i++) {
    const mjsNumeric* spec = &c->list[mjOBJ_NUMERIC][i]->as.numeric;
    int given = (int)spec->data->num;
    m->numeric_adr[i] = adr;
    m->numeric_size[i] = spec->size > given ? spec->size : given;
    compile_store(m->numeric_data + adr, spec->data->ptr, given);
    adr += m->numeric_size[i];
  }
}

static void compile_texts(Compile* c) {
  mjModel* m = c->m;
  int adr = 0;
  for (int i = 0; i < m->ntext; i++) {
    const mjString* text = c->list[mjOBJ_TEXT][i]->as.text.data;
    m->text_adr[i] = adr;
    m->text_size[i] = (int)text->num + 1;
    memcpy(m->text_data + adr, string_text(text), text->num + 1);
    adr += m->text_size[i];
  }
}

static void compile_tuples(Compile* c) {
  mjModel* m = c->m;
  int adr = 0;
  for (int i = 0; i < m->ntuple; i++) {
    const SpecObject* object = c->list[mjOBJ_TUPLE][i];
    const mjsTuple* spec = &object->as.tuple;
    m->tuple_adr[i] = adr;
    m->tuple_size[i] = (int)spec->objtype->num;
    for (int k = 0; k < m->tuple_size[i]; k++) {
      mjtObj type = (mjtObj)spec->objtype->ptr[k];
      const mjString* name = &spec->objname->ptr[k];
      m->tuple_objtype[adr + k] = type;
      m->tuple_objid[adr + k] =
          compile_named(c, object, type, name, "unrecognized object '%s' in tuple %d");
      m->tuple_objprm[adr + k] = (mjtNum)spec->objprm->ptr[k];
    }
    adr += m->tuple_size[i];
  }
}

void compile_custom(Compile* c) {
  compile_numerics(c);
  compile_texts(c);
  compile_tuples(c);
}

static void report_contactoption(void* context, mjtObj type, int id, const char* text) {
  Compile* c = context;
  compile_error(c, c->list[type][id], "%s", text);
}

void compile_contactoptions(Compile* c) {
  contact_options_read(c->m, report_contactoption, c);
}
