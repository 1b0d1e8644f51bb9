// context.c: reporting problems of a model, and small helpers of all parts of the compiler.
#include "compile/context.h"

#include <stdarg.h>
#include <stdio.h>

// messages

static void report(Compile* c, const SpecObject* object, cndSeverity severity, const char* format,
                   va_list args) {
  char text[500];
  vsnprintf(text, sizeof(text), format, args);
  spec_problem(c->tree, object, severity, "%s", text);
}

int compile_error(Compile* c, const SpecObject* object, const char* format, ...) {
  va_list args;
  va_start(args, format);
  report(c, object, cndSEVERITY_ERROR, format, args);
  va_end(args);
  c->nerror++;
  return 0;
}

void compile_warning(Compile* c, const SpecObject* object, const char* format, ...) {
  va_list args;
  va_start(args, format);
  report(c, object, cndSEVERITY_WARNING, format, args);
  va_end(args);
}

// small helpers

const mjsCompiler* compile_options(const SpecObject* object) {
  const SpecTree* tree = object->origin ? object->origin : object->tree;
  return &tree->spec.compiler;
}

int compile_behaves(const SpecObject* object, int behaviour) {
  const SpecTree* tree = object->origin ? object->origin : object->tree;
  return tree->spec.option.behaviour >> behaviour & 1;
}

int compile_find(const Compile* c, mjtObj type, const mjString* name) {
  const SpecObject* object = spec_find(c->tree, type, string_text(name));
  return object ? object->id : -1;
}

int compile_named(Compile* c, const SpecObject* object, mjtObj type, const mjString* name,
                  const char* format) {
  int id = compile_find(c, type, name);
  if (id < 0) {
    compile_error(c, object, format, string_text(name), object->id);
  }
  return id;
}

void compile_store(mjtNum* out, const double* in, int n) {
  for (int i = 0; i < n; i++) {
    out[i] = (mjtNum)in[i];
  }
}
