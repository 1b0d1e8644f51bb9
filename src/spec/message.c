// message.c: the error text and diagnostics of a tree, and the names of its elements in messages.

#include "spec/message.h"

#include <condyle/load.h>
#include <mujoco/api/spec.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/memory.h"

static const char no_memory[] = "Error: out of memory";

const char* spec_typename(mjtObj type) {
#define KIND(type, Name, member) [type] = #member,
  static const char* const names[] = {
      [mjOBJ_XBODY] = "xbody",   [mjOBJ_DOF] = "dof",         [mjOBJ_EXCLUDE] = "exclude",
      [mjOBJ_PLUGIN] = "plugin", [mjOBJ_DEFAULT] = "default", [mjOBJ_MODEL] = "model",
      SPEC_KINDS(KIND)};
#undef KIND
  return type >= 0 && type <= mjOBJ_MODEL && names[type] ? names[type] : "unknown";
}

int message_reserve(SpecTree* tree) {
  int ok = string_set(&tree->error, no_memory);
  return ok && string_set(&tree->error, "");
}

// Sets the error text. text is NULL if there was no memory to print it. Memory for "out of memory"
// is reserved when the tree is made. The text belongs to no caught call, because it must survive
// the failure of the call.
static void set_message(SpecTree* tree, cndSeverity severity, const char* text) {
  mjString* error = &tree->error;
  size_t bytes = text ? strlen(text) + 1 : 0;
  char* larger = bytes > error->cap ? heap_try(error->ptr, bytes) : NULL;
  if (larger) {
    error->ptr = larger;
    error->cap = bytes;
  }
  string_set(error, bytes && bytes <= error->cap ? text : no_memory);
  tree->is_warning = severity == cndSEVERITY_WARNING;
}

void spec_error(SpecTree* tree, const char* format, ...) {
  mjString body = {NULL, 0, 0}, text = {NULL, 0, 0};
  va_list args;
  va_start(args, format);
  int ok = string_vformat(&body, format, args);
  va_end(args);
  ok = ok && string_format(&text, "Error: %s", string_text(&body));
  set_message(tree, cndSEVERITY_ERROR, ok ? string_text(&text) : NULL);
  string_clear(&body);
  string_clear(&text);
}

PlaceText spec_placetext(const SpecObject* beside, const SpecObject* object) {
  PlaceText out = {""};
  const SourcePlace* place = object ? &object->place : NULL;
  if (!place || place->line <= 0) {
    return out;
  }
  const char* file = place->file ? place->file : "";
  if (beside && beside->place.file && strcmp(beside->place.file, file) == 0) {
    file = "";
  }
  snprintf(out.text, sizeof(out.text), ", in line %d%s%s", place->line, file[0] ? " of " : "",
           file);
  return out;
}

void* spec_nomemory(SpecTree* tree) {
  set_message(tree, cndSEVERITY_ERROR, NULL);
  return NULL;
}

// `info` is the last handle of every type of element that has handles.
mjString* spec_info(const SpecObject* object) {
  mjtObj type = object->element.elemtype;
  int count;
  spec_handles(type, &count);
  return count && type != mjOBJ_MODEL ? &object->vectors[count - 1].string : NULL;
}

// The name of an element's type in messages. A wrap is called after the type that it names.
static const char* problem_type(const SpecObject* object) {
  if (object->element.elemtype != mjOBJ_UNKNOWN) {
    return spec_typename(object->element.elemtype);
  }
  switch (object->as.wrap.pub.type) {
    case mjWRAP_JOINT:
      return "joint";
    case mjWRAP_SITE:
      return "site";
    case mjWRAP_PULLEY:
      return "pulley";
    default:
      return "geom";
  }
}

// What messages call an object: "geom 'foot'". An object without a name and a place in a file is
// identified by the body around it: "geom in body 'leg'".
static void write_label(mjString* label, const SpecObject* object) {
  const char* type = problem_type(object);
  const SpecObject* around = object->parent;
  if (!string_empty(&object->name)) {
    string_format(label, "%s '%s'", type, spec_name(object));
  } else if (!object->place.line && around && !string_empty(&around->name)) {
    string_format(label, "%s in %s '%s'", type, problem_type(around), spec_name(around));
  } else {
    string_set(label, type);
  }
}

void spec_problem(SpecTree* tree, const SpecObject* object, cndSeverity severity,
                  const char* format, ...) {
  mjString body = {NULL, 0, 0}, text = {NULL, 0, 0}, label = {NULL, 0, 0};
  va_list args;
  va_start(args, format);
  int ok = string_vformat(&body, format, args);
  va_end(args);

  // keep the first error; an error replaces a warning
  if (string_empty(&tree->error) || (tree->is_warning && severity == cndSEVERITY_ERROR)) {
    const char* kind = severity == cndSEVERITY_ERROR ? "Error" : "Warning";
    if (object) {
      const mjString* handle = spec_info(object);
      const char* info = handle ? string_text(handle) : "";
      ok = ok &&
           string_format(&text, "%s: %s\nElement name '%s', id %d%s%s", kind, string_text(&body),
                         spec_name(object), object->id, info[0] ? ", " : "", info);
    } else {
      ok = ok && string_format(&text, "%s: %s", kind, string_text(&body));
    }
    set_message(tree, severity, ok ? string_text(&text) : NULL);
  }

  if (!tree->diagnostics) {
    tree->diagnostics = cnd_makeDiagnostics();
  }
  SourcePlace place = tree->self.place;
  if (object) {
    place = object->place;
    write_label(&label, object);
  }
  diagnostic_add(tree->diagnostics, severity, place, string_text(&label), NULL, "%s",
                 body.ptr ? body.ptr : "out of memory");
  string_clear(&body);
  string_clear(&text);
  string_clear(&label);
}

void spec_clearerrors(SpecTree* tree) {
  string_set(&tree->error, "");
  tree->is_warning = 0;
  cnd_deleteDiagnostics(tree->diagnostics);
  tree->diagnostics = NULL;
}

const cndDiagnostics* cnd_specDiagnostics(const mjSpec* s) {
  check_given(s);
  return spec_tree(s)->diagnostics;
}

// The i-th warning of a list of problems; NULL if there is none. Their number, if i is negative.
static const cndDiagnostic* nth_warning(int* count, const cndDiagnostics* list, int i) {
  *count = 0;
  int n = list ? cnd_diagnosticCount(list, cndSEVERITY_WARNING) : 0;
  for (int k = 0; k < n; k++) {
    const cndDiagnostic* it = cnd_diagnostic(list, k);
    if (it->severity == cndSEVERITY_WARNING && (*count)++ == i) {
      return it;
    }
  }
  return NULL;
}

int mjs_numWarnings(const mjSpec* spec) {
  check_given(spec);
  const SpecTree* tree = spec_tree(spec);
  int count;
  nth_warning(&count, tree->diagnostics, -1);
  return count + (int)tree->conflicts.num;
}

const char* mjs_getWarning(const mjSpec* spec, int index) {
  check_given(spec);
  const SpecTree* tree = spec_tree(spec);
  int count, nconflict = (int)tree->conflicts.num;
  if (index < nconflict) {
    return index < 0 ? NULL : string_text(&tree->conflicts.ptr[index]);
  }
  const cndDiagnostic* found = nth_warning(&count, tree->diagnostics, index - nconflict);
  return found ? found->message : NULL;
}
