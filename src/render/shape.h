// shape.h: what can be drawn many times at once: a mesh on the graphics device, and how one copy of
// it is placed, colored and textured.
//
// A vertex of a copy is at
//
//   R (scale * position + (0, 0, end * length)) + place
//
// so that a capsule of any size is a copy of one: end is +1 in the upper half and -1 in the lower.

#pragma once

#include <mujoco/mjmodel.h>
#include <mujoco/mjvisualize.h>

#include "render/gl.h"
#include "render/memory.h"

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

// Triangles by indices. bound: largest absolute coordinates.
typedef struct RenderShape_ {
  GLuint array, vertices, indices;
  GLsizei count;
  float bound[3];
  int has_coords;  // given coordinates
  int is_endless;  // a plane without a border
} RenderShape;

// Shapes that need no model; planes, meshes with their hulls, height fields, skins and flexes follow.
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

struct RenderDevice_;

// Replaces a shape by triangles: three vertices after each other. Equal ones become one.
void shape_upload(struct RenderDevice_* device, int id, const RenderArray* triangles);

// Replaces a shape by vertices and indices. Without indices it keeps those that it has.
void shape_upload_indexed(struct RenderDevice_* device, int id, const RenderVertex* vertex,
                          size_t nvertex, const unsigned int* index, size_t nindex);

void shape_free(struct RenderDevice_* device, int id);

// The solids, as finely divided as the model asks for.
void solid_upload(struct RenderDevice_* device, int slices, int stacks, int quads);

// Elements of a model.
void surface_plane(struct RenderDevice_* device, const mjModel* m, int plane, int geom);
void surface_mesh(struct RenderDevice_* device, const mjModel* m, int mesh);
void surface_hfield(struct RenderDevice_* device, const mjModel* m, int hfield);
void surface_skin(struct RenderDevice_* device, const mjModel* m, int skin);

// Surfaces that follow the state of a scene.
void surface_move_skin(struct RenderDevice_* device, const mjvScene* scn, int skin);
void surface_move_flex(struct RenderDevice_* device, const mjvScene* scn, int flex);

int shape_of_plane(const struct RenderDevice_* device, int plane);
int shape_of_mesh(const struct RenderDevice_* device, int dataid);
int shape_of_hfield(const struct RenderDevice_* device, int hfield);
int shape_of_skin(const struct RenderDevice_* device, int skin);
int shape_of_flex(const struct RenderDevice_* device, int flex);

// Adds a triangle to a list.
void shape_triangle(RenderArray* triangles, const RenderVertex* a, const RenderVertex* b,
                    const RenderVertex* c);
