// types.h: what is kept on the graphics device: meshes and how copies of them are placed, programs,
// fonts.
//
// A vertex of a copy is at
//
//   R (scale * position + (0, 0, end * length)) + place
//
// so that a capsule of any size is a copy of one: end is +1 in the upper half and -1 in the lower.

#pragma once

#include "render/gl.h"

typedef struct RenderVertex_ {
  float position[3];
  float normal[3];
  float texture[3];  // given coordinates, or the point from which they are made
  float end;
} RenderVertex;

typedef struct RenderInstance_ {
  float row[3][4];  // R | place
  float scale[3];
  float length;
  float rgba[4];
  float emission, specular, shininess, unlit;
  float texgen[4];  // coordinates are texgen[0..2] * point + (t, t, 0), t = texgen[3]
  float id[4];      // color that stands for the shape
} RenderInstance;

// Triangles by indices; the first ones are halves of quadrangles, whose diagonal is their last
// side. bound: largest absolute coordinates.
typedef struct RenderShape_ {
  GLuint array, vertices, indices;
  GLsizei count;   // of indices
  GLsizei halves;  // how many of them belong to quadrangles
  float bound[3];
  int nvertex;
  int has_coords;  // given coordinates
  int is_endless;  // a plane without a border
} RenderShape;

// Shapes that need no model; planes, meshes with their hulls, height fields, skins and flexes
// follow.
typedef enum RenderSolid_ {
  SOLID_SPHERE,
  SOLID_CAPSULE,
  SOLID_CYLINDER,
  SOLID_BOX,
  SOLID_CONE,
  SOLID_TUBE,      // a cylinder without ends
  SOLID_TRIANGLE,  // half a square of size 1
  SOLID_LINE,      // a strip that the program turns to the eye
  SOLID_SQUARE,    // a plane of half size 1
  SOLID_COUNT
} RenderSolid;

// Locations of a program's uniform variables, -1 for those it doesn't have.
typedef struct RenderProgram_ {
  GLuint program;
  GLint view, eye, forward, pixels, mirror, ambient, plain, shadowed, use_position, parallel;
  GLint halves, front;
  GLint image, fog, fog_range;
  GLint shadow_view, shadow_map, shadow_part;
  GLint ray, tint, plane, range;
} RenderProgram;

// A corner of a quad with text or one plain color, in pixels. Plain colors use the texture's white
// spot.
typedef struct RenderFlatVertex_ {
  float position[2];
  float coord[2];
  float rgba[4];
} RenderFlatVertex;

// Where the characters of a font are in the texture of both fonts.
typedef struct RenderFont_ {
  int row;  // height of a line
  int top;  // pixels from the top of the line to the base line
  struct {
    short x, y, width, height;  // in the texture
    short left, up;             // of the picture's corner, from the pen on the base line
    short advance;
  } glyph[127];
} RenderFont;
