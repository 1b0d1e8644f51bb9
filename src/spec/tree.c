// The editable model as a whole: its life, the order of visiting, its classes, its messages.

#include <mujoco/api/model.h>
#include <mujoco/api/spec.h>
#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "spec/index.h"
#include "spec/key.h"
#include "spec/object.h"
#include "spec/spec.h"
#include "spec/uservalue.h"

static const char no_memory[] = "Error: out of memory";

enum {
  NVECTOR = sizeof(((SpecTree*)0)->vectors) / sizeof(Vector)
};

SpecTree* tree_bare(void) {
  SpecTree* tree = heap_zero(1, sizeof(SpecTree));
  if (!tree) {
    return NULL;
  }
  tree->references = 1;
  if (!string_set(&tree->error, no_memory)) {
    heap_free(tree);
    return NULL;
  }
  string_set(&tree->error, "");
  mjs_defaultSpec(&tree->spec);
  tree->self.element.elemtype = mjOBJ_MODEL;
  tree->self.tree = tree->self.origin = tree;
  tree->self.classname = "";
  tree->self.id = -1;
  tree->self.vectors = tree->vectors;
  object_attachhandles(&tree->self);
  return tree;
}

SpecObject* tree_makeworld(SpecTree* tree) {
  SpecObject* world = spec_create(tree, mjOBJ_BODY, NULL);
  if (!world || !string_set(&world->name, "world") ||
      !string_set(world->as.body.childclass, "main")) {
    spec_destroy(world);
    return NULL;
  }
  world->classname = "main";
  world->id = 0;
  return world;
}

SpecTree* spec_make(void) {
  SpecTree* tree = tree_bare();
  if (!tree) {
    return NULL;
  }
  tree->main_class = spec_create(tree, mjOBJ_DEFAULT, NULL);
  tree->world = tree_makeworld(tree);
  if (!tree->main_class || !tree->world || !string_set(&tree->main_class->name, "main") ||
      !string_set(tree->spec.modelname, "MuJoCo Model")) {
    spec_release(tree);
    return NULL;
  }
  object_register(tree->main_class);
  object_register(tree->world);
  return tree;
}

int spec_hold(SpecTree* tree, SpecTree* child) {
  for (int i = 0; i < tree->nchild; i++) {
    if (tree->children[i] == child) {
      return 1;
    }
  }
  size_t count = (size_t)tree->nchild + 1;
  SpecTree** children = heap_resize(tree->children, count * sizeof(SpecTree*));
  if (!children) {
    return 0;
  }
  children[tree->nchild++] = child;
  tree->children = children;
  child->references++;
  return 1;
}

void tree_unhold(SpecTree* tree, int nchild) {
  while (tree->nchild > nchild) {
    spec_release(tree->children[--tree->nchild]);
  }
}

// Lists a tree and all that it keeps alive, each once, by `walk`; specs attached to each other make
// circles. To be followed by scatter.
static void gather(SpecTree* tree) {
  tree->gathered = 1;
  tree->walk = NULL;
  for (SpecTree* it = tree; it; it = it->walk) {
    for (int i = it->nchild; i-- > 0;) {
      SpecTree* child = it->children[i];
      if (!child->gathered) {
        child->gathered = 1;
        child->walk = it->walk;
        it->walk = child;
      }
    }
  }
}

static void scatter(SpecTree* tree) {
  for (; tree; tree = tree->walk) {
    tree->gathered = 0;
  }
}

static void free_tree(SpecTree* tree) {
  key_forget(tree, NULL);
  for (int i = 0; i < SPEC_NSLOT; i++) {
    while (tree->lists[i].first) {
      spec_destroy(tree->lists[i].first);
    }
  }
  spec_destroy(tree->world);
  spec_destroy(tree->main_class);
  heap_free(tree->children);
  heap_free(tree->unattached);
  vector_clear((Vector*)&tree->active, VECTOR_INTS);
  for (int i = 0; i < NVECTOR; i++) {
    vector_clear(tree->vectors + i, VECTOR_STRING);
  }
  string_clear(&tree->self.name);
  uservalue_clear(&tree->self);
  string_clear(&tree->error);
  mj_deleteModel(tree->values);
  cnd_deleteDiagnostics(tree->diagnostics);
  index_free(tree);
  heap_free(tree);
}

// Marks as held what a spec that is held holds in turn.
static void spread_held(SpecTree* tree) {
  for (int changed = 1; changed;) {
    changed = 0;
    for (SpecTree* it = tree; it; it = it->walk) {
      for (int i = 0; it->held && i < it->nchild; i++) {
        changed |= !it->children[i]->held;
        it->children[i]->held = 1;
      }
    }
  }
}

// Specs attached to each other hold each other, so a count of zero may never come. A spec lives if
// something outside of what this tree keeps alive refers to it, or to a spec that holds it.
void spec_release(SpecTree* tree) {
  if (!tree) {
    return;
  }
  tree->references--;
  gather(tree);
  for (SpecTree* it = tree; it; it = it->walk) {
    it->held = it->references;
  }
  for (SpecTree* it = tree; it; it = it->walk) {
    for (int i = 0; i < it->nchild; i++) {
      it->children[i]->held--;
    }
  }
  spread_held(tree);
  for (SpecTree* it = tree; it; it = it->walk) {
    for (int i = 0; !it->held && i < it->nchild; i++) {
      it->children[i]->references--;
    }
  }
  scatter(tree);
  for (SpecTree *it = tree, *next; it; it = next) {
    next = it->walk;
    if (!it->held) {
      free_tree(it);
    }
  }
}

void tree_clearcopies(SpecTree* tree) {
  for (SpecObject* it = tree->world; it; it = object_walk(it, tree->world)) {
    it->copy = NULL;
  }
  for (int slot = 0; slot < SPEC_NSLOT; slot++) {
    for (SpecObject* it = tree->lists[slot].first; it; it = it->next) {
      it->copy = NULL;
    }
  }
}

// visiting

static SpecObject* skip_to(SpecObject* object, mjtObj type) {
  while (object && object->element.elemtype != type) {
    object = object->next;
  }
  return object;
}

SpecObject* spec_firstchild(const SpecObject* parent, mjtObj type) {
  return skip_to(parent->first, type);
}

SpecObject* spec_nextsibling(const SpecObject* child) {
  return skip_to(child->next, child->element.elemtype);
}

SpecObject* spec_nextbody(const SpecObject* body, const SpecObject* root) {
  SpecObject* child = spec_firstchild(body, mjOBJ_BODY);
  if (child) {
    return child;
  }
  for (; body && body != root; body = body->parent) {
    SpecObject* sibling = spec_nextsibling(body);
    if (sibling) {
      return sibling;
    }
  }
  return NULL;
}

// First element of a type in this body or those after it.
static SpecObject* first_from(const SpecObject* body, mjtObj type) {
  for (; body; body = spec_nextbody(body, NULL)) {
    SpecObject* child = spec_firstchild(body, type);
    if (child) {
      return child;
    }
  }
  return NULL;
}

SpecObject* spec_first(const SpecTree* tree, mjtObj type) {
  if (type == mjOBJ_BODY) {
    return tree->world;
  }
  if (type == mjOBJ_DEFAULT) {
    return tree->main_class;
  }
  if (spec_intree(type)) {
    return first_from(tree->world, type);
  }
  int slot = index_slot(type);
  return slot == mjOBJ_UNKNOWN ? NULL : tree->lists[slot].first;
}

SpecObject* spec_next(const SpecObject* object) {
  mjtObj type = object->element.elemtype;
  if (type == mjOBJ_BODY) {
    return spec_nextbody(object, NULL);
  }
  if (type == mjOBJ_DEFAULT) {
    return object_walk(object, object->tree->main_class);
  }
  if (spec_intree(type)) {
    SpecObject* sibling = spec_nextsibling(object);
    return sibling || !object->parent ? sibling
                                      : first_from(spec_nextbody(object->parent, NULL), type);
  }
  return object->next;
}

int spec_count(const SpecTree* tree, mjtObj type) {
  return tree->count[index_slot(type)];
}

void spec_number(SpecTree* tree) {
  for (int slot = 0; slot < SPEC_NSLOT; slot++) {
    mjtObj type = slot == SPEC_SLOT_FRAME     ? mjOBJ_FRAME
                  : slot == SPEC_SLOT_DEFAULT ? mjOBJ_DEFAULT
                                              : (mjtObj)slot;
    int id = 0;
    for (SPEC_EACH(it, tree, type)) {
      it->id = id++;
    }
  }
}

SpecObject** spec_array(const SpecTree* tree, mjtObj type) {
  int count = spec_count(tree, type);
  SpecObject** array = count ? heap_take((size_t)count * sizeof(SpecObject*)) : NULL;
  if (array) {
    int i = 0;
    for (SPEC_EACH(it, tree, type)) {
      array[i++] = it;
    }
  }
  return array;
}

// names and classes

// Where the name that an asset gets from its file begins; its length.
static const char* file_name(int* length, const char* file) {
  const char* base = file;
  for (const char* c = file; *c; c++) {
    base = *c == '/' || *c == '\\' ? c + 1 : base;
  }
  const char* dot = strrchr(base, '.');
  *length = (int)(dot ? dot - base : (ptrdiff_t)strlen(base));
  return base;
}

int spec_filename(mjString* out, const char* file) {
  int length;
  const char* base = file_name(&length, file);
  return string_format(out, "%.*s", length, base);
}

const mjString* spec_file(const SpecObject* object) {
  switch (object->element.elemtype) {
    case mjOBJ_MESH:
      return object->as.mesh.file;
    case mjOBJ_TEXTURE:
      return object->as.texture.file;
    case mjOBJ_HFIELD:
      return object->as.hfield.file;
    case mjOBJ_SKIN:
      return object->as.skin.file;
    default:
      return NULL;
  }
}

SpecObject* spec_find(const SpecTree* tree, mjtObj type, const char* name) {
  SpecObject* found = index_find(tree, type, name, NULL);
  int asset =
      type == mjOBJ_MESH || type == mjOBJ_TEXTURE || type == mjOBJ_HFIELD || type == mjOBJ_SKIN;
  if (found || !asset || !name || !name[0]) {
    return found;
  }

  // an unnamed asset answers to the name it will get from its file
  for (SPEC_EACH(it, tree, type)) {
    const mjString* file = spec_file(it);
    if (string_empty(&it->name) && !string_empty(file)) {
      int length;
      const char* base = file_name(&length, string_text(file));
      if (strlen(name) == (size_t)length && strncmp(base, name, (size_t)length) == 0) {
        return it;
      }
    }
  }
  return NULL;
}

SpecObject* spec_class(const SpecTree* tree, const char* name) {
  return spec_find(tree, mjOBJ_DEFAULT, name);
}

SpecObject* spec_addclass(SpecTree* tree, const char* name, const SpecObject* parent) {
  if (!name || !name[0] || spec_class(tree, name)) {
    return NULL;
  }
  SpecObject* above = parent ? (SpecObject*)parent : tree->main_class;
  SpecObject* cls = spec_create(tree, mjOBJ_DEFAULT, above);
  const char* interned = spec_intern(tree, name);
  if (!cls || !interned || !string_set(&cls->name, name)) {
    spec_destroy(cls);
    return spec_nomemory(tree);
  }
  for (int type = 0; type < mjNOBJECT; type++) {
    if (cls->as.classdef.prototype[type]) {
      cls->as.classdef.prototype[type]->classname = interned;
    }
  }
  spec_link(cls, above, NULL);
  return cls;
}

SpecObject* spec_bodyclass(const SpecObject* body) {
  SpecObject* cls = spec_class(body->tree, string_text(body->as.body.childclass));
  return cls ? cls : body->tree->main_class;
}

const char* spec_typename(mjtObj type) {
#define KIND(type, Name, member) [type] = #member,
  static const char* const names[] = {
      [mjOBJ_XBODY] = "xbody",   [mjOBJ_DOF] = "dof",         [mjOBJ_EXCLUDE] = "exclude",
      [mjOBJ_PLUGIN] = "plugin", [mjOBJ_DEFAULT] = "default", [mjOBJ_MODEL] = "model",
      SPEC_KINDS(KIND)};
#undef KIND
  return type >= 0 && type <= mjOBJ_MODEL && names[type] ? names[type] : "unknown";
}

// messages

// Room for a message is there from the start; NULL: there is none for the message itself. The text
// stays with the tree when a call fails that it tells about.
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

void* spec_nomemory(SpecTree* tree) {
  set_message(tree, cndSEVERITY_ERROR, NULL);
  return NULL;
}

// The `info` of an object: the last handle of every type that has handles.
static const char* info_of(const SpecObject* object) {
  int count;
  spec_handles(object->element.elemtype, &count);
  return count ? string_text(&object->vectors[count - 1].string) : "";
}

void spec_addunattached(SpecTree* tree, const char* name, SourcePlace place) {
  size_t count = (size_t)tree->nunattached + 1;
  SpecUnattached* list = heap_resize(tree->unattached, count * sizeof(SpecUnattached));
  if (list) {
    tree->unattached = list;
    place.file = spec_intern(tree, place.file ? place.file : "");
    list[tree->nunattached] = (SpecUnattached){spec_intern(tree, name), place};
    tree->nunattached += place.file && list[tree->nunattached].name;
  }
}

// What an author calls the element; a piece of a tendon's path is called after what it names.
static const char* problem_type(const SpecObject* object) {
  if (object->element.elemtype != mjOBJ_UNKNOWN) {
    return spec_typename(object->element.elemtype);
  }
  switch (object->as.wrap.type) {
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

void spec_problem(SpecTree* tree, const SpecObject* object, cndSeverity severity,
                  const char* format, ...) {
  mjString body = {NULL, 0, 0}, text = {NULL, 0, 0}, label = {NULL, 0, 0};
  va_list args;
  va_start(args, format);
  int ok = string_vformat(&body, format, args);
  va_end(args);

  // the first error stands, a warning only until an error comes
  if (string_empty(&tree->error) || (tree->is_warning && severity == cndSEVERITY_ERROR)) {
    const char* kind = severity == cndSEVERITY_ERROR ? "Error" : "Warning";
    if (object) {
      const char* info = info_of(object);
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
    const char* type = problem_type(object);
    place = object->place;
    if (string_empty(&object->name)) {
      string_set(&label, type);
    } else {
      string_format(&label, "%s '%s'", type, spec_name(object));
    }
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
