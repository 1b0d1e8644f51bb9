// query.c: finding elements, and getting from an element to its struct, parent, frame, class and
// spec.
//                                                                    theory/model/model.md, Editing

#include <condyle/spec.h>
#include <mujoco/api/base.h>
#include <mujoco/api/spec.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "model/behaviour.h"
#include "spec/spec.h"

mjSpec* mj_makeSpec(void) {
  SpecTree* tree = spec_make();
  if (!tree) {
    mju_warning("mj_makeSpec: out of memory");
  }
  return tree ? &tree->spec : NULL;
}

mjSpec* cnd_makeSpecAs(int dialect) {
  int before = dialect_ask(dialect);
  mjSpec* spec = mj_makeSpec();
  dialect_ask(before);
  return spec;
}

void mj_deleteSpec(mjSpec* s) {
  spec_release(spec_tree(s));
}

const char* mjs_getError(mjSpec* s) {
  check_given(s);
  return string_text(&spec_tree(s)->error);
}

int mjs_isWarning(mjSpec* s) {
  check_given(s);
  return spec_tree(s)->is_warning;
}

int mjs_setDeepCopy(mjSpec* s, int deepcopy) {
  check_given(s);
  spec_tree(s)->deepcopy = deepcopy != 0;
  return 0;
}

mjSpec* mjs_getSpec(mjsElement* element) {
  check_given(element);
  return &spec_object(element)->tree->spec;
}

mjSpec* mjs_getOriginSpec(const mjsElement* element) {
  check_given(element);
  return &spec_object(element)->origin->spec;
}

mjsCompiler* mjs_getCompiler(const mjsElement* element) {
  check_given(element);
  return &spec_object(element)->origin->spec.compiler;
}

const double* mjs_getTimer(mjSpec* s) {
  check_given(s);
  return spec_tree(s)->timer;
}

mjSpec* mjs_findSpec(mjSpec* spec, const char* name) {
  check_given(spec, name);
  const SpecTree* tree = spec_tree(spec);
  for (int i = 0; i < tree->nchild; i++) {
    mjSpec* child = &tree->children[i]->spec;
    if (strcmp(string_text(child->modelname), name) == 0) {
      return child;
    }
  }
  return NULL;
}

// finding by name

// "" finds the first element without a name.
static SpecObject* find_object(const mjSpec* s, mjtObj type, const char* name) {
  const SpecTree* tree = spec_tree(s);
  if (!name || name[0] || type == mjOBJ_DEFAULT) {
    return spec_find(tree, type, name);
  }
  for (SPEC_EACH(it, tree, type == mjOBJ_XBODY ? mjOBJ_BODY : type)) {
    if (!spec_name(it)[0]) {
      return it;
    }
  }
  return NULL;
}

mjsElement* mjs_findElement(mjSpec* s, mjtObj type, const char* name) {
  check_given(s);
  SpecObject* object = find_object(s, type, name);
  return object ? &object->element : NULL;
}

mjsBody* mjs_findBody(mjSpec* s, const char* name) {
  check_given(s);
  SpecObject* object = find_object(s, mjOBJ_BODY, name);
  return object ? &object->as.body : NULL;
}

mjsFrame* mjs_findFrame(mjSpec* s, const char* name) {
  check_given(s);
  SpecObject* object = find_object(s, mjOBJ_FRAME, name);
  return object ? &object->as.frame : NULL;
}

mjsDefault* mjs_findDefault(mjSpec* s, const char* classname) {
  check_given(s);
  SpecObject* object = spec_class(spec_tree(s), classname);
  return object ? &object->as.classdef.pub : NULL;
}

mjsBody* mjs_findChild(mjsBody* body, const char* name) {
  check_given(body, name);
  SpecObject* root = spec_object(body->element);
  for (SpecObject* it = root; it; it = spec_nextbody(it, root)) {
    if (strcmp(spec_name(it), name) == 0) {
      return &it->as.body;
    }
  }
  return NULL;
}

// parent, frame, class and spec

mjsBody* mjs_getParent(mjsElement* element) {
  check_given(element);
  SpecObject* object = spec_object(element);
  return spec_intree(element->elemtype) && object->parent ? &object->parent->as.body : NULL;
}

mjsFrame* mjs_getFrame(mjsElement* element) {
  check_given(element);
  SpecObject* frame = spec_object(element)->frame;
  return frame ? &frame->as.frame : NULL;
}

int mjs_setFrame(mjsElement* dest, mjsFrame* frame) {
  if (!dest || !frame) {
    return -1;
  }
  SpecObject* object = spec_object(dest);
  SpecObject* around = spec_object(frame->element);
  if (!spec_intree(dest->elemtype) || object->parent != around->parent) {
    spec_error(object->tree,
               "Frame and body '%s' have mismatched parents: the frame is in body '%s', the %s in "
               "'%s'",
               spec_name(object), around->parent ? spec_name(around->parent) : "",
               spec_typename(dest->elemtype), object->parent ? spec_name(object->parent) : "");
    return -1;
  }
  for (SpecObject* it = around; it; it = it->frame) {
    if (it == object) {
      spec_error(object->tree, "frame '%s' can't be inside itself", spec_name(object));
      return -1;
    }
  }
  object->frame = around;
  return 0;
}

// The member that holds the childclass of a body or frame.
static mjString* childclass_of(SpecObject* object) {
  switch (object->element.elemtype) {
    case mjOBJ_BODY:
      return object->as.body.childclass;
    case mjOBJ_FRAME:
      return object->as.frame.childclass;
    default:
      return NULL;
  }
}

mjsDefault* mjs_getDefault(mjsElement* element) {
  check_given(element);
  SpecObject* object = spec_object(element);
  const mjString* childclass = childclass_of(object);
  const char* name = childclass ? string_text(childclass) : object->classname;
  SpecObject* cls = spec_class(object->tree, name);
  return cls ? &cls->as.classdef.pub : NULL;
}

mjsDefault* mjs_getSpecDefault(mjSpec* s) {
  check_given(s);
  return &spec_tree(s)->main_class->as.classdef.pub;
}

void mjs_setDefault(mjsElement* element, const mjsDefault* def) {
  check_given(element, def);
  SpecObject* object = spec_object(element);
  const char* name = spec_intern(object->tree, spec_name(spec_object(def->element)));
  mjString* childclass = childclass_of(object);
  if (!name || (childclass && !string_set(childclass, name))) {
    mju_warning("mjs_setDefault: out of memory");
    return;
  }
  object->classname = name;
}

int cnd_compiledId(const mjsElement* element) {
  check_given(element);
  return spec_object(element)->id;
}

// The place of an element among those of its type.
static int find_place(const SpecObject* object) {
  int place = 0;
  for (SPEC_EACH(it, object->tree, object->element.elemtype)) {
    if (it == object) {
      return place;
    }
    place++;
  }
  return object->id;
}

// Once anything is added to the body tree nothing in it but the world has an id, until the spec is
// compiled. Deleting and attaching give places as ids.
int mjs_getId(mjsElement* element) {
  if (!element) {
    return -1;
  }
  const SpecObject* object = spec_object(element);
  const SpecTree* tree = object->tree;
  if (!object->linked || object == tree->world) {
    return object->id;
  }
  if (tree->added && spec_intree(element->elemtype)) {
    return -1;
  }
  return tree->moved ? find_place(object) : object->id;
}

int mjs_setName(mjsElement* element, const char* name) {
  check_given(element, name);
  SpecObject* object = spec_object(element);
  if (!spec_rename(object, name)) {
    if (strcmp(spec_name(object), name) != 0) {
      spec_error(object->tree, MEMORY_OUT);
    } else {
      spec_error(object->tree, "repeated name '%s' in %s", name, spec_typename(element->elemtype));
    }
    return -1;
  }
  return 0;
}

mjString* mjs_getName(mjsElement* element) {
  check_given(element);
  SpecObject* object = spec_object(element);
  object->tree->names_exposed = 1;
  return &object->name;
}

const char* cnd_elementName(const mjsElement* element) {
  check_given(element);
  return spec_name(spec_object(element));
}

const char* cnd_elementPlace(const mjsElement* element, int* line, int* column) {
  check_given(element);
  SourcePlace place = spec_object(element)->place;
  if (line) {
    *line = place.line;
  }
  if (column) {
    *column = place.column;
  }
  return place.file ? place.file : "";
}

// The id of the body that an element of one of these types at a place is, or belongs to; -1: none.
static int body_at(const SpecTree* tree, const mjtObj* types, int count, SourcePlace place) {
  for (int k = 0; k < count && place.line > 0; k++) {
    for (SPEC_EACH(it, tree, types[k])) {
      if (it->place.line == place.line && it->place.column == place.column &&
          strcmp(it->place.file ? it->place.file : "", place.file) == 0) {
        return types[k] == mjOBJ_BODY ? it->id : it->parent->id;
      }
    }
  }
  return -1;
}

int cnd_diagnosticBody(const mjSpec* spec, const cndDiagnostic* problem) {
  static const mjtObj types[] = {mjOBJ_BODY, mjOBJ_JOINT,  mjOBJ_SITE,
                                 mjOBJ_GEOM, mjOBJ_CAMERA, mjOBJ_LIGHT};
  enum {
    OWNERS = 3  // the first types: a link that is part of a body is a site
  };
  check_given(spec, problem);
  const SpecTree* tree = spec_tree(spec);
  const SourcePlace own = {problem->file, problem->line, problem->column};
  const SourcePlace owner = {problem->file, problem->owner_line, problem->owner_column};
  int body = body_at(tree, types, (int)(sizeof(types) / sizeof(types[0])), own);
  return body >= 0 ? body : body_at(tree, types, OWNERS, owner);
}

void cnd_keepElement(mjsElement* element) {
  check_given(element);
  spec_object(element)->kept = 1;
}

// walking over elements

mjsElement* mjs_firstElement(mjSpec* s, mjtObj type) {
  check_given(s);
  SpecObject* object = type == mjOBJ_DEFAULT ? NULL : spec_first(spec_tree(s), type);
  return object ? &object->element : NULL;
}

mjsElement* mjs_nextElement(mjSpec* s, mjsElement* element) {
  check_given(element);
  (void)s;
  SpecObject* object = spec_next(spec_object(element));
  return object ? &object->element : NULL;
}

// First child of a type in this body or in the bodies after it in the subtree of root.
static mjsElement* first_below(const SpecObject* body, const SpecObject* root, mjtObj type) {
  for (; body; body = spec_nextbody(body, root)) {
    SpecObject* child = spec_firstchild(body, type);
    if (child) {
      return &child->element;
    }
  }
  return NULL;
}

mjsElement* mjs_firstChild(mjsBody* body, mjtObj type, int recurse) {
  check_given(body);
  SpecObject* root = spec_object(body->element);
  if (!spec_intree(type)) {
    spec_error(root->tree,
               "Body.NextChild supports the types: body, frame, geom, site, light, camera, joint; "
               "not %s",
               spec_typename(type));
    return NULL;
  }
  if (recurse && type != mjOBJ_BODY) {
    return first_below(root, root, type);
  }
  SpecObject* child = spec_firstchild(root, type);
  return child ? &child->element : NULL;
}

mjsElement* mjs_nextChild(mjsBody* body, mjsElement* child, int recurse) {
  check_given(body, child);
  SpecObject* root = spec_object(body->element);
  SpecObject* object = spec_object(child);
  if (!spec_intree(child->elemtype) || (!recurse && object->parent != root)) {
    spec_error(root->tree, "element is not a child of body '%s'", spec_name(root));
    return NULL;
  }
  SpecObject* next = recurse && child->elemtype == mjOBJ_BODY ? spec_nextbody(object, root)
                                                              : spec_nextsibling(object);
  if (!next && recurse && child->elemtype != mjOBJ_BODY) {
    return first_below(spec_nextbody(object->parent, root), root, child->elemtype);
  }
  return next ? &next->element : NULL;
}

// from element to struct

static SpecObject* as(mjsElement* element, mjtObj type) {
  return element && element->elemtype == type ? spec_object(element) : NULL;
}

#define AS(type, Name, member)                   \
  mjs##Name* mjs_as##Name(mjsElement* element) { \
    SpecObject* object = as(element, type);      \
    return object ? &object->as.member : NULL;   \
  }

SPEC_KINDS(AS)
AS(mjOBJ_EXCLUDE, Exclude, exclude)
AS(mjOBJ_PLUGIN, Plugin, plugin.pub)
