// lint.h: what the checks share.
//
// A check is a function of a Lint that looks for one kind of mistake and reports each with lint_warn.
// Checks of the source run before the spec is compiled, for compiling fills in, fuses and discards;
// checks of the model run after it, with an mjData at qpos0 whose position stage is done. To add a
// check: a row in the table of lint.c and a function in the file of its family.
//
// Few false alarms are worth more than many findings: a check stays silent unless it can say which
// number is wrong and what would be right.

#ifndef CONDYLE_LINT_LINT_H_
#define CONDYLE_LINT_LINT_H_

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
  const LintCheck* check;  // the one running
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

// Is the object its own author's, not part of a model that was attached, which may need what is of
// no use here?
int lint_own(const Lint* l, const SpecObject* object);

// Puts l->d at qpos0 (key < 0) or at a keyframe, and does the position stage.
void lint_pose(Lint* l, int key);

// mass.c
void check_light_body(Lint* l);
void check_mass_ratio(Lint* l);
void check_balanced_inertia(Lint* l);
void check_inertia_size(Lint* l);
void check_com_outside(Lint* l);
void check_static_mass(Lint* l);

// joint.c
void check_parallel_joints(Lint* l);
void check_negative_loss(Lint* l);
void check_inherited_free(Lint* l);
void check_narrow_range(Lint* l);
void check_angle_units(Lint* l);
void check_initial_limit(Lint* l);

// stiffness.c
void check_stiff_spring(Lint* l);
void check_stiff_actuator(Lint* l);
void check_undamped_gain(Lint* l);
void check_short_solref(Lint* l);

// actuator.c
void check_no_ctrlrange(Lint* l);
void check_ctrlrange_units(Lint* l);
void check_dead_actuator(Lint* l);

// contact.c
void check_initial_contact(Lint* l);
void check_duplicate_geom(Lint* l);
void check_visual_collides(Lint* l);
void check_gap_over_margin(Lint* l);

// unused.c
void check_unused_class(Lint* l);
void check_unused_asset(Lint* l);

// mesh.c
void check_open_mesh(Lint* l);
void check_flipped_faces(Lint* l);
void check_inverted_mesh(Lint* l);
void check_mesh_units(Lint* l);

// sensor.c
void check_fused_sensor(Lint* l);
void check_static_sensor(Lint* l);
void check_idle_equality(Lint* l);

// keyframe.c
void check_key_length(Lint* l);
void check_key_limit(Lint* l);
void check_key_quaternion(Lint* l);

#endif  // CONDYLE_LINT_LINT_H_
