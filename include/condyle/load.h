// load.h: reading models with a list of all problems, not only the first.

#ifndef CONDYLE_LOAD_H_
#define CONDYLE_LOAD_H_

#include <condyle/diagnostic.h>
#include <mujoco/mjexport.h>
#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// Like mj_parseXML, but adds all errors and warnings to the list, which may be NULL.
MJAPI mjSpec* cnd_parseXML(const char* file, const mjVFS* vfs, cndDiagnostics* diagnostics);

// Like mj_parseXMLString, but adds all errors and warnings to the list, which may be NULL.
MJAPI mjSpec* cnd_parseXMLString(const char* xml, const mjVFS* vfs, cndDiagnostics* diagnostics);

// Like mj_loadXML, but adds all errors and warnings to the list, which may be NULL. Problems of
// compiling are found only if reading had no errors. mj_saveLastXML knows the model, too.
MJAPI mjModel* cnd_loadXML(const char* file, const mjVFS* vfs, cndDiagnostics* diagnostics);

// Like cnd_loadXML, for a text in memory.
MJAPI mjModel* cnd_loadXMLString(const char* xml, const mjVFS* vfs, cndDiagnostics* diagnostics);

// All errors and warnings of the last compilation of a spec (mj_compile, mj_recompile), in order;
// mjs_getError tells the first. An element that came from a file has its place there. NULL if there
// were none, or if it was never compiled. The list belongs to the spec: valid until the spec is
// compiled again or deleted.
MJAPI const cndDiagnostics* cnd_specDiagnostics(const mjSpec* s);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_LOAD_H_
