// context.h: what the checks share.
//
// A check is a function of a Lint that looks for one kind of mistake and reports each with
// lint_warn. Checks of the source run before the spec is compiled, for compiling fills in, fuses
// and discards; checks of the model run after it, with an mjData at qpos0 whose position stage is
// done. To add a check: a row in LINT_CHECKS (checks.h) and a function in the file
// of its family.
//
// Few false alarms are worth more than many findings: a check stays silent unless it can say which
// number is wrong and what would be right.

#ifndef CONDYLE_LINT_CONTEXT_H_
#define CONDYLE_LINT_CONTEXT_H_

#include <condyle/lint.h>
#include <mujoco/mjdata.h>
#include <mujoco/mjmacro.h>
#include <mujoco/mjspec.h>

#include "base/vec.h"
#include "spec/spec.h"

typedef struct Lint_ Lint;

typedef enum LintStage_ {
  LINT_SOURCE,  // a spec that is not compiled yet
  LINT_MODEL,   // a compiled model, with its spec or alone
} LintStage;

typedef struct LintCheck_ {
  cndLintCheck about;
  LintStage stage;
  void (*run)(Lint* l);
} LintCheck;

// Something to be reported, not yet in the list of the caller.
typedef struct LintFinding_ {
  const LintCheck* check;
  SourcePlace place;
  char* element;
  char* message;
  char* hint;
  int order;  // of finding
} LintFinding;

struct Lint_ {
  SpecTree* tree;                // NULL: a compiled model alone
  const mjModel* m;              // NULL in LINT_SOURCE
  mjData* d;                     // at qpos0, position stage done; checks that move it put it back
  SpecObject** list[mjNOBJECT];  // objects by type and id, once compiled
  int count[mjNOBJECT];
  struct Surface_* surface;  // of each mesh, once a check has asked (mesh.c)
  const LintCheck* check;    // the one running
  char hint[500];
  LintFinding* finding;
  int nfinding;
  int capacity;
};

// What a finding is about: an object of the spec, or of the model by type and id, or neither: the
// model as a whole, or what stands at a place.
typedef struct LintSubject_ {
  const SpecObject* object;
  mjtObj type;  // UNKNOWN for neither
  int id;
  SourcePlace place;  // of neither
  const char* label;  // of neither
} LintSubject;

// An object of the compiled model, with its place if the spec is known.
LintSubject lint_id(const Lint* l, mjtObj type, int id);

// An object of the spec.
LintSubject lint_object(const SpecObject* object);

// The model as a whole.
LintSubject lint_whole(const Lint* l);

// Something without an object; label lives until it is reported.
LintSubject lint_place(SourcePlace place, const char* label);

// Reports a finding; hint may be NULL.
void lint_warn(Lint* l, LintSubject subject, const char* hint, const char* format, ...)
    mjPRINTFLIKE(4, 5);

// A formatted hint, valid until the next.
const char* lint_hint(Lint* l, const char* format, ...) mjPRINTFLIKE(2, 3);

// What to call an object in a sentence: "geom 'foot'", or "geom 3".
typedef struct LintName_ {
  char text[120];
} LintName;

LintName lint_name(const Lint* l, mjtObj type, int id);

// Options of the compiler that apply to an object.
const mjsCompiler* lint_options(const SpecObject* object);

// The values of an object's class, NULL if it has none.
const SpecObject* lint_inherited(const SpecObject* object);

// Is the object its own author's, not part of a model that was attached, which may need what is of
// no use here?
int lint_own(const Lint* l, const SpecObject* object);

// Puts l->d at qpos0 (key < 0) or at a keyframe, and does the position stage.
void lint_pose(Lint* l, int key);

#endif  // CONDYLE_LINT_CONTEXT_H_
