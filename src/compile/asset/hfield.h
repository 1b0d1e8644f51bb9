// hfield.h: height fields from numbers, pictures and binary files, scaled to [0, 1].
//
//   row 0 is the lowest y, column 0 the lowest x; a picture's bottom line is row 0
//   binary file: int32 nrow, int32 ncol, nrow x ncol floats   theory/model/meshes.md, Height fields

#pragma once

#include <mujoco/mjspec.h>

#include "compile/asset_cache.h"
#include "compile/asset_file.h"

typedef enum HFieldFormat_ {
  HFIELD_INLINE,
  HFIELD_PNG,
  HFIELD_CUSTOM,
} HFieldFormat;

typedef struct HFieldRequest_ {
  const mjsHField* spec;
  const char* name;  // for messages
  const AssetFile* file;
  HFieldFormat format;
} HFieldRequest;

typedef struct HField_ {
  AssetShared shared;  // first member: a height field is kept in the cache
  int nrow, ncol;
  float* data;
} HField;

// Makes the requested height field. Ends in mju_error, to be caught, if it can't. Release it with
// asset_release.
HField* hfield_make(const HFieldRequest* request);

Digest hfield_key(const HFieldRequest* request);
