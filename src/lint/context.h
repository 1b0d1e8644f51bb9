// context.h: the context of a check, and reporting its findings.
//
// A check is a function of a Lint that looks for one kind of mistake and reports each with
// lint_warn. Checks of the source run before the spec is compiled, because compiling fills in
// values and removes elements. Checks of the model run after it, with an mjData at qpos0 whose
// position stage is done. A new check is a row in LINT_CHECKS (checks.h) and a function in the file
// of its family.
//
// Few false alarms matter more than many findings: a check reports only if it can tell which number
// is wrong and what would be right.

#pragma once

#include <condyle/lint.h>
#include <mujoco/mjdata.h>
#include <mujoco/mjmacro.h>
#include <mujoco/mjspec.h>

#include "base/algebra/vec.h"
#include "spec/spec.h"

typedef struct Lint_ Lint;

typedef enum LintStage_ {
  LINT_SOURCE,  // on a spec that is not compiled yet
  LINT_MODEL,   // on a compiled model, with or without its spec
} LintStage;

typedef struct LintCheck_ {
  cndLintCheck about;
  LintStage stage;
  void (*run)(Lint* l);
} LintCheck;

// A finding before it is added to the caller's list.
typedef struct LintFinding_ {
  const LintCheck* check;
  SourcePlace place;
  char* element;
  char* message;
  char* hint;
  int order;  // order in which they were found
} LintFinding;

struct Lint_ {
  SpecTree* tree;                // NULL for a compiled model without its spec
  const mjModel* m;              // NULL in LINT_SOURCE
  mjData* d;                     // at qpos0 after the position stage; checks restore it
  SpecObject** list[mjNOBJECT];  // objects by type and id, once compiled
  int count[mjNOBJECT];
  struct Surface_* surface;  // surface of each mesh, NULL before first use (mesh.c)
  const LintCheck* check;    // the running check
  char hint[500];
  LintFinding* finding;
  int nfinding;
  int capacity;
};

// The subject of a finding: an object of the spec, an object of the model by type and id, or
// neither. In the last case it is the whole model or a place with a label.
typedef struct LintSubject_ {
  const SpecObject* object;
  mjtObj type;  // UNKNOWN if it is no object
  int id;
  SourcePlace place;  // if it is no object
  const char* label;  // if it is no object
} LintSubject;

// An object of the compiled model, with its place if the spec is known.
LintSubject lint_id(const Lint* l, mjtObj type, int id);

// An object of the spec.
LintSubject lint_object(const SpecObject* object);

// The model as a whole.
LintSubject lint_whole(const Lint* l);

// A place without an object. label must stay valid until the finding is reported.
LintSubject lint_place(SourcePlace place, const char* label);

// Reports a finding; hint may be NULL.
void lint_warn(Lint* l, LintSubject subject, const char* hint, const char* format, ...)
    mjPRINTFLIKE(4, 5);

// A formatted hint, valid until the next call.
const char* lint_hint(Lint* l, const char* format, ...) mjPRINTFLIKE(2, 3);

// The name of an object in a sentence: "geom 'foot'", or "geom 3".
typedef struct LintName_ {
  char text[120];
} LintName;

LintName lint_name(const Lint* l, mjtObj type, int id);

// How many more elements a finding stands for, by a format with one %d; empty if there are none.
LintName lint_more(const char* format, int count) mjPRINTFLIKE(1, 0);

// Options of the compiler that apply to an object.
const mjsCompiler* lint_options(const SpecObject* object);

// The values of an object's class, NULL if it has none.
const SpecObject* lint_inherited(const SpecObject* object);

// Was the object written in this model, not in an attached one? An attached model may need things
// that are unused here.
int lint_own(const Lint* l, const SpecObject* object);

// Sets l->d to qpos0 (key < 0) or to a keyframe, and runs the position stage.
void lint_pose(Lint* l, int key);

// Half the least extent of a geom, mjMAXVAL for a plane or a height field.
mjtNum lint_thickness(const mjModel* m, int geom);

// Can a geom have contacts with any other?
int lint_collides(const mjModel* m, int geom);

// Does a body turn by one free or ball joint, with nothing on it that moves against it?
int lint_turns_alone(const mjModel* m, int body);
