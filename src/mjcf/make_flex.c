// make_flex.c: mjs_makeFlex, which does what <flexcomp> does. It writes the element and reads it,
// so both have the same rules, and a wrong argument is told as a wrong attribute.
//                                                    theory/smooth/deformables.md, Generated flexes

#include <mujoco/api/mjcf.h>
#include <mujoco/api/spec.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "mjcf/check.h"
#include "mjcf/read/flexcomp/flexcomp.h"
#include "mjcf/schema.h"
#include "mjcf/write/context.h"
#include "spec/graft.h"

// The arguments, and what comes of them.
typedef struct Making_ {
  mjsBody* body;
  const char *name, *type, *dof, *file;
  int dim, equality, rigid, flatskin, elastic2d;
  const int *count, *cellcount;
  const double *spacing, *scale, *pos, *quat, *origin;
  double radius, mass, inertiabox;
  const mjVFS* vfs;
  cndDiagnostics* problems;
  mjsFlex* flex;
} Making;

static void put_reals(Writer* w, const char* attribute, const double* value, int n) {
  if (value) {
    write_reals(w, attribute, value, n);
  }
}

static void put_ints(Writer* w, const char* attribute, const int value[3]) {
  if (value) {
    const double real[3] = {value[0], value[1], value[2]};
    write_reals(w, attribute, real, 3);
  }
}

static void put_text(Writer* w, const char* attribute, const char* value) {
  if (value) {
    write_text(w, attribute, value);
  }
}

// Writes the word of a number, or the number itself, which is no word, so that it is refused.
static void put_key(Writer* w, const SchemaElement* element, const char* attribute, int value) {
  const char* word = schema_word(schema_row(element, attribute)->keys, value);
  if (word) {
    write_text(w, attribute, word);
  } else {
    write_int(w, attribute, value);
  }
}

static void write_element(Writer* w, const Making* a, const SchemaElement* element) {
  const SpecTree* tree = spec_object(a->body->element)->tree;
  int is_asset = a->file && spec_find(tree, mjOBJ_MESH, a->file) != NULL;
  int cells =
      a->cellcount && (a->cellcount[0] != 1 || a->cellcount[1] != 1 || a->cellcount[2] != 1);
  write_begin(w, "flexcomp");
  write_text(w, "name", a->name);
  put_text(w, "type", a->type);
  write_int(w, "dim", a->dim);
  put_text(w, "dof", a->dof);
  put_ints(w, "count", a->count);
  put_ints(w, "cellcount", cells ? a->cellcount : NULL);
  put_reals(w, "spacing", a->spacing, 3);
  put_reals(w, "scale", a->scale, 3);
  write_reals(w, "radius", &a->radius, 1);
  put_reals(w, "mass", a->mass > 0 ? &a->mass : NULL, 1);
  put_reals(w, "inertiabox", a->inertiabox > 0 ? &a->inertiabox : NULL, 1);
  put_key(w, element, "rigid", a->rigid);
  put_key(w, element, "flatskin", a->flatskin);
  put_reals(w, "pos", a->pos, 3);
  put_reals(w, "quat", a->quat, 4);
  put_reals(w, "origin", a->origin, 3);
  put_text(w, is_asset ? "mesh" : "file", a->file);
  write_begin(w, "edge");
  put_key(w, schema_child(element, "edge"), "equality", a->equality);
  write_end(w);
  write_begin(w, "elasticity");
  put_key(w, schema_child(element, "elasticity"), "elastic2d", a->elastic2d);
  write_end(w);
  write_end(w);
}

// The element inside a body inside a model.
static char* write_model(const Making* a) {
  const SchemaElement* body = schema_child(schema_root(), "worldbody");
  static const char* const around[] = {"mujoco", "worldbody", "body"};
  Writer w = {0};
  for (int i = 0; i < 3; i++) {
    write_begin(&w, around[i]);
  }
  write_element(&w, a, schema_child(body, "flexcomp"));
  for (int i = 0; i < 3; i++) {
    write_end(&w);
  }
  char* text = heap_take(w.size + 1);
  memcpy(text, w.text, w.size);
  text[w.size] = 0;
  heap_free(w.text);
  heap_free(w.open);
  return text;
}

static void make(void* argument) {
  Making* a = argument;
  SpecTree* tree = spec_object(a->body->element)->tree;
  char* text = write_model(a);
  Document* document =
      document_readtext(text, "", string_text(tree->spec.modelfiledir), a->vfs, a->problems);
  if (document && check_document(document_root(document), a->problems)) {
    Reader reader = {.spec = &tree->spec,
                     .document = document,
                     .problems = a->problems,
                     .vfs = a->vfs,
                     .generated = 1};
    read_flexcomp(&reader, document_root(document)->first->first->first, a->body);
    a->flex = &tree->lists[mjOBJ_FLEX].last->as.flex;
  }
  document_free(document);
  heap_free(text);
}

// The first error; what was made of the flex is taken back.
static void refuse(SpecTree* tree, const Making* a, const GraftMark* mark, const char* message) {
  const cndDiagnostic* first = diagnostic_first(a->problems, cndSEVERITY_ERROR);
  spec_error(tree, "%s", message[0] ? message : first ? first->message : MEMORY_OUT);
  graft_undo(mark);
}

mjsFlex* mjs_makeFlex(mjsBody* body, const char* name, const char* type, int dim, const char* dof,
                      const int count[3], const int cellcount[3], const double spacing[3],
                      const double scale[3], double radius, double mass, double inertiabox,
                      int equality, int rigid, int flatskin, int elastic2d, const double pos[3],
                      const double quat[4], const double origin[3], const char* file,
                      const mjVFS* vfs) {
  check_given(body, name);
  SpecTree* tree = spec_object(body->element)->tree;
  Making making = {.body = body,
                   .name = name,
                   .type = type,
                   .dof = dof,
                   .file = file,
                   .dim = dim,
                   .equality = equality,
                   .rigid = rigid != 0,
                   .flatskin = flatskin != 0,
                   .elastic2d = elastic2d,
                   .count = count,
                   .cellcount = cellcount,
                   .spacing = spacing,
                   .scale = scale,
                   .pos = pos,
                   .quat = quat,
                   .origin = origin,
                   .radius = radius,
                   .mass = mass,
                   .inertiabox = inertiabox,
                   .vfs = vfs,
                   .problems = cnd_makeDiagnostics()};
  if (spec_find(tree, mjOBJ_FLEX, name)) {
    spec_error(tree, "repeated name '%s' in flex", name);
  } else if (!making.problems) {
    spec_error(tree, MEMORY_OUT);
  } else {
    GraftMark mark;
    Heap held;
    char message[300] = "";
    graft_begin(&mark, tree, spec_object(body->element));
    int failed = error_catchheld(&held, message, sizeof(message), make, &making);
    if (failed || diagnostic_first(making.problems, cndSEVERITY_ERROR)) {
      refuse(tree, &making, &mark, message);
      making.flex = NULL;
    }
    heap_drop(&held);
  }
  cnd_deleteDiagnostics(making.problems);
  return making.flex;
}
