// ply_header.h: the header of a PLY file.

#pragma once

#include "meshfile/build.h"

enum {
  PLY_MOST_ELEMENTS = 16,
  PLY_MOST_PROPERTIES = 64,
};

typedef enum PlyType_ {
  PLY_NOTYPE,
  PLY_INT8,
  PLY_UINT8,
  PLY_INT16,
  PLY_UINT16,
  PLY_INT32,
  PLY_UINT32,
  PLY_FLOAT32,
  PLY_FLOAT64,
} PlyType;

typedef struct PlyProperty_ {
  char name[40];
  PlyType type;   // of the value, or of each element of a list
  PlyType count;  // of the length of a list, else PLY_NOTYPE
} PlyProperty;

typedef struct PlyElement_ {
  char name[40];
  size_t count;
  PlyProperty property[PLY_MOST_PROPERTIES];
  int nproperty;
} PlyElement;

typedef enum PlyFormat_ {
  PLY_ASCII,
  PLY_LITTLE,
  PLY_BIG,
} PlyFormat;

typedef struct PlyHeader_ {
  PlyFormat format;
  PlyElement element[PLY_MOST_ELEMENTS];
  int nelement;
  char* texture;     // of the comment "TextureFile", NULL if there is none
  const char* body;  // behind the header
} PlyHeader;

// Bytes of a value.
size_t ply_bytes(PlyType type);

// Reads the header of the text of `build`, or ends in an error.
void ply_header(PlyHeader* header, const MeshBuild* build);
