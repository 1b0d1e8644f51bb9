// lint.h: what compiles but is probably wrong.
//
// A model that loads may still hide a slip of its author: a spring that the timestep cannot follow,
// a range in the wrong unit, two shapes inside each other. Each check looks for one kind of slip
// and reports it with its place, the numbers that gave it away and what to write instead. A finding
// is a diagnostic of severity warning whose `check` names the check.

#ifndef CONDYLE_LINT_H_
#define CONDYLE_LINT_H_

#include <condyle/diagnostic.h>
#include <mujoco/mjexport.h>
#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// One check. Strings live as long as the program.
typedef struct cndLintCheck_ {
  const char* name;     // e.g. "stiff-spring"
  const char* meaning;  // what it finds, in one line
} cndLintCheck;

// Number of checks; the i-th of them, NULL if i is out of range.
MJAPI int cnd_lintCheckCount(void);
MJAPI const cndLintCheck* cnd_lintCheck(int i);

// Compiles a spec and adds what is doubtful about it to the list, by file, line and column;
// findings that stem from the same place (replicas) are one. disabled: names of checks to leave
// out, with commas between them; NULL for none. The spec is changed as mj_compile changes it, its
// own errors are forgotten. Returns the number of findings; -1 if the spec doesn't compile or a
// name in disabled is unknown, with the reason in the list as an error.
MJAPI int cnd_lintSpec(mjSpec* s, const mjVFS* vfs, const char* disabled, cndDiagnostics* list);

// The same for a compiled model, by itself: objects are named, but places are unknown and checks
// that look at the text find nothing.
MJAPI int cnd_lintModel(const mjModel* m, const char* disabled, cndDiagnostics* list);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_LINT_H_
