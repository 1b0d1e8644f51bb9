// context.c: naming the object of a finding, and adding the finding to the list.

#include "lint/context.h"

#include <mujoco/api/model.h>
#include <mujoco/api/step.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/joint.h"
#include "base/memory/memory.h"
#include "compile/context.h"

LintSubject lint_id(const Lint* l, mjtObj type, int id) {
  int known = type < mjNOBJECT && id >= 0 && id < l->count[type];
  return (LintSubject){.object = known ? l->list[type][id] : NULL, .type = type, .id = id};
}

LintSubject lint_object(const SpecObject* object) {
  return (LintSubject){.object = object, .type = object->element.elemtype, .id = object->id};
}

LintSubject lint_whole(const Lint* l) {
  SourcePlace unknown = {NULL, 0, 0};
  return lint_place(l->tree ? l->tree->self.place : unknown, "");
}

LintSubject lint_place(SourcePlace place, const char* label) {
  return (LintSubject){.type = mjOBJ_UNKNOWN, .place = place, .label = label};
}

LintName lint_name(const Lint* l, mjtObj type, int id) {
  LintName out;
  const char* name = mj_id2name(l->m, type, id);
  if (name && name[0]) {
    snprintf(out.text, sizeof(out.text), "%s '%s'", spec_typename(type), name);
  } else {
    snprintf(out.text, sizeof(out.text), "%s %d", spec_typename(type), id);
  }
  return out;
}

// Writes how an object is called in a finding. An object with a place needs no number.
static void label(char* text, int size, const Lint* l, LintSubject subject) {
  if (subject.object) {
    const char* name = spec_name(subject.object);
    snprintf(text, (size_t)size, name[0] ? "%s '%s'" : "%s", spec_typename(subject.type), name);
  } else if (subject.type != mjOBJ_UNKNOWN) {
    snprintf(text, (size_t)size, "%s", lint_name(l, subject.type, subject.id).text);
  } else {
    snprintf(text, (size_t)size, "%s", subject.label);
  }
}

const mjsCompiler* lint_options(const SpecObject* object) {
  return compile_options(object);
}

const SpecObject* lint_inherited(const SpecObject* object) {
  const SpecObject* class = spec_class(object->tree, object->classname);
  return class ? class->as.classdef.prototype[object->element.elemtype] : NULL;
}

int lint_own(const Lint* l, const SpecObject* object) {
  return !object->origin || object->origin == l->tree;
}

void lint_pose(Lint* l, int key) {
  if (key < 0) {
    mj_resetData(l->m, l->d);
  } else {
    mj_resetDataKeyframe(l->m, l->d, key);
  }
  mj_fwdPosition(l->m, l->d);
}

mjtNum lint_thickness(const mjModel* m, int g) {
  const mjtNum *size = m->geom_size + 3 * g, *box = m->geom_aabb + 6 * g + 3;
  switch (m->geom_type[g]) {
    case mjGEOM_PLANE:
    case mjGEOM_HFIELD:
      return mjMAXVAL;
    case mjGEOM_SPHERE:
    case mjGEOM_CAPSULE:
      return size[0];
    case mjGEOM_CYLINDER:
      return num_min(size[0], size[1]);
    default:
      return num_min(box[0], num_min(box[1], box[2]));
  }
}

int lint_collides(const mjModel* m, int g) {
  return m->geom_contype[g] != 0 || m->geom_conaffinity[g] != 0;
}

int lint_turns_alone(const mjModel* m, int body) {
  if (m->body_jntnum[body] != 1 || !joint_has_quat(m->jnt_type[m->body_jntadr[body]])) {
    return 0;
  }
  for (int i = body + 1; i < m->nbody && m->body_parentid[i] >= body; i++) {
    if (m->body_dofnum[i] > 0) {
      return 0;
    }
  }
  return 1;
}

// findings

static char* format_text(const char* format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char* text = heap_take((size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, args);
  return text;
}

static char* copy_text(const char* text) {
  size_t bytes = strlen(text) + 1;
  return memcpy(heap_take(bytes), text, bytes);
}

const char* lint_hint(Lint* l, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(l->hint, sizeof(l->hint), format, args);
  va_end(args);
  return l->hint;
}

LintName lint_more(const char* format, int count) {
  LintName more = {{0}};
  if (count > 0) {
    snprintf(more.text, sizeof(more.text), format, count);
  }
  return more;
}

void lint_warn(Lint* l, LintSubject subject, const char* hint, const char* format, ...) {
  if (l->nfinding == l->capacity) {
    int capacity = l->capacity ? 2 * l->capacity : 16;
    LintFinding* more = heap_take((size_t)capacity * sizeof(LintFinding));
    if (l->nfinding) {
      memcpy(more, l->finding, (size_t)l->nfinding * sizeof(LintFinding));
    }
    heap_free(l->finding);
    l->finding = more;
    l->capacity = capacity;
  }
  char element[200];
  label(element, sizeof(element), l, subject);
  SourcePlace place = subject.object ? subject.object->place : subject.place;
  va_list args;
  va_start(args, format);
  l->finding[l->nfinding] = (LintFinding){.check = l->check,
                                          .place = place,
                                          .element = copy_text(element),
                                          .message = format_text(format, args),
                                          .hint = copy_text(hint ? hint : ""),
                                          .order = l->nfinding};
  l->nfinding++;
  va_end(args);
}
