// load.h: reading one model from a file or a text.

#pragma once

#include <mujoco/mjspec.h>

#include "mjcf/read/values.h"

// The source of a model's text: a file, or memory if file is NULL.
typedef struct Input_ {
  const char* file;
  const char* directory;  // directory of the file, unless its name is a full path
  const char* text;
  const mjVFS* vfs;
  int keep;             // 1 if the spec is kept for mj_saveLastXML
  const Reader* outer;  // reader of the model that has this one as an asset, or NULL
} Input;

// Reads and checks a model, continuing after errors. Returns the spec, or NULL if there were
// errors. problems must not be NULL.
mjSpec* load_parse(const Input* input, cndDiagnostics* problems);
