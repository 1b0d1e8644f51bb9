// diagnostic.h: the problems found while loading a model, each with its place and a hint.
//
// mj_loadXML returns the first error as one line. These functions return all errors and warnings in
// the order in which they were found, so that an editor or a command line can show them at once.

#ifndef CONDYLE_DIAGNOSTIC_H_
#define CONDYLE_DIAGNOSTIC_H_

#include <mujoco/mjexport.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cndSeverity_ {
  cndSEVERITY_ERROR = 0,  // there is no usable model
  cndSEVERITY_WARNING,    // the model compiles, but something is ignored or doubtful
} cndSeverity;

// One problem. Strings are never NULL; an unknown line or column is 0.
typedef struct cndDiagnostic_ {
  cndSeverity severity;
  const char* file;     // file name as its author wrote it; "" for text in memory
  int line;             // 1-based
  int column;           // 1-based
  const char* element;  // the element concerned, e.g. "joint" or "geom 'foot'"; "" if none
  const char* message;  // what is wrong
  const char* hint;     // what would be right; "" if unknown
  const char* check;    // the check of lint.h that found it; "" if none
  int owner_line;       // where the link, joint or body begins that the element is, or is part of,
  int owner_column;     // in the same file; 0 if there is none
} cndDiagnostic;

// An ordered list of problems; owns its strings.
typedef struct cndDiagnostics_ cndDiagnostics;

// Makes an empty list; NULL, with a warning, if memory runs out.
MJAPI cndDiagnostics* cnd_makeDiagnostics(void);

// Frees a list and every string in it. list may be NULL.
MJAPI void cnd_deleteDiagnostics(cndDiagnostics* list);

// Number of problems of at least this severity (cndSEVERITY_WARNING counts all).
MJAPI int cnd_diagnosticCount(const cndDiagnostics* list, cndSeverity severity);

// The i-th problem, NULL if i is out of range; valid until the list changes.
MJAPI const cndDiagnostic* cnd_diagnostic(const cndDiagnostics* list, int i);

// Writes "FILE:LINE:COLUMN: <element>: message (hint) [check]" into text, without unknown parts. If
// it doesn't fit, FILE and the longest path in the message are cut at the beginning
// ("...arm/hand.xml"), and then the text at its end. Returns the full length.
MJAPI int cnd_formatDiagnostic(char* text, int size, const cndDiagnostic* diagnostic);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_DIAGNOSTIC_H_
