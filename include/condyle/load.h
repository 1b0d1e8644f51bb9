// load.h: reading models with every problem that is found, not only the first.

#ifndef CONDYLE_LOAD_H_
#define CONDYLE_LOAD_H_

#include <condyle/diagnostic.h>
#include <mujoco/mjexport.h>
#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// Like mj_parseXML; all problems, warnings too, are added to the list, which may be NULL.
MJAPI mjSpec* cnd_parseXML(const char* file, const mjVFS* vfs, cndDiagnostics* diagnostics);

// Like mj_parseXMLString; all problems are added to the list, which may be NULL.
MJAPI mjSpec* cnd_parseXMLString(const char* xml, const mjVFS* vfs, cndDiagnostics* diagnostics);

// Like mj_loadXML; all problems of reading, or if there are none but warnings, of compiling too,
// are added to the list, which may be NULL.
MJAPI mjModel* cnd_loadXML(const char* file, const mjVFS* vfs, cndDiagnostics* diagnostics);

// The same for a text in memory.
MJAPI mjModel* cnd_loadXMLString(const char* xml, const mjVFS* vfs, cndDiagnostics* diagnostics);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_LOAD_H_
