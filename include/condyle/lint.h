// lint.h: finding what compiles but is probably wrong.
//
// A model that loads may still hide a slip of its author: a spring that the timestep cannot follow,
// a range in the wrong unit, two shapes inside each other. Each check looks for one kind of slip
// and reports it with its place, the numbers that show it and what to write instead. A finding is a
// diagnostic of severity warning whose `check` names the check.

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

// The number of checks, and the i-th check, NULL if i is out of range.
MJAPI int cnd_lintCheckCount(void);
MJAPI const cndLintCheck* cnd_lintCheck(int i);

// Compiles a spec and adds its findings to the list, ordered by file, line and column. Findings
// from the same place (replicas) are merged. disabled names checks to leave out, separated by
// commas; NULL for none. The spec changes as by mj_compile, and its earlier errors are cleared.
// Returns the number of findings, or -1, with an error in the list, if the spec doesn't compile or
// a name in disabled is unknown.
MJAPI int cnd_lintSpec(mjSpec* s, const mjVFS* vfs, const char* disabled, cndDiagnostics* list);

// Like cnd_lintSpec, for a compiled model without its spec. Findings name objects but have no
// places, and checks that need the source find nothing.
MJAPI int cnd_lintModel(const mjModel* m, const char* disabled, cndDiagnostics* list);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_LINT_H_
