// load.h: reading one model, from wherever its text comes.

#ifndef CONDYLE_MJCF_LOAD_H_
#define CONDYLE_MJCF_LOAD_H_

#include <mujoco/mjspec.h>

#include "mjcf/read/values.h"

// Where the text of a model comes from: a file, or (file NULL) memory.
typedef struct Input_ {
  const char* file;
  const char* directory;  // of the file, unless its name has all of it
  const char* text;
  const mjVFS* vfs;
  int keep;             // the spec is kept for mj_saveLastXML
  const Reader* outer;  // of the model that has this one as an asset; NULL if none
} Input;

// Reads and checks, going on after errors; the spec, or NULL if there were any. problems must be a
// list.
mjSpec* load_parse(const Input* input, cndDiagnostics* problems);

#endif  // CONDYLE_MJCF_LOAD_H_
