// diagnostic.h: the list of problems found while a model is read and compiled.
//
// A loader does not stop at the first problem: it reports the problem here and goes on, so that an
// author sees every mistake at once. The list copies all strings, also the file name of a place.

#pragma once

#include <condyle/diagnostic.h>
#include <mujoco/mjmacro.h>
#include <mujoco/mjmodel.h>

// A place in a text. line and column are 1-based, 0 if unknown; file may be NULL.
typedef struct SourcePlace_ {
  const char* file;
  int line;
  int column;
} SourcePlace;

// Adds a problem. element and hint may be NULL; message is formatted. A list beyond its bound (1000
// problems) only counts. A NULL list drops the problem.
void diagnostic_add(cndDiagnostics* list, cndSeverity severity, SourcePlace place,
                    const char* element, const char* hint, const char* message, ...)
    mjPRINTFLIKE(6, 7);

// Adds a problem with all its parts. message is formatted; any other part may be NULL.
void diagnostic_report(cndDiagnostics* list, const cndDiagnostic* problem, const char* message, ...)
    mjPRINTFLIKE(3, 4);

// The candidate nearest to name by edit distance, for "did you mean": NULL if none is
// within a third of its length.
const char* diagnostic_nearest(const char* name, const char* const* candidates, int count);

enum {
  HINT_BYTES = 200
};

// The hint "did you mean 'nearest'?"; NULL if nearest is.
const char* diagnostic_hint(char hint[HINT_BYTES], const char* nearest);

// First problem of at least the given severity, NULL if there is none.
const cndDiagnostic* diagnostic_first(const cndDiagnostics* list, cndSeverity severity);
