// corners.h: from corners with separate indices to vertices.
//
// In Collada and OBJ each corner of a triangle has an index of a position, of a normal and of a
// texture coordinate. A part has one index only, so each combination that occurs becomes a vertex.
// Positions that no corner uses are left out. Polygons are cut into triangles.
//
// One Corners serves all groups of triangles over the same positions, one after the other: what it
// remembers by position is made once, so that many small groups don't cost the time of many large
// ones.

#pragma once

#include "meshfile/build.h"

// Vectors of 2 or 3 floats in a longer list; item is NULL if there are none.
typedef struct CornerValues_ {
  const float* item;
  size_t count;
  size_t stride;  // floats from one vector to the next
} CornerValues;

enum {
  CORNER_POSITION,
  CORNER_NORMAL,
  CORNER_TEXCOORD,
  NCORNER,
};

// The indices of a corner, -1 for none, and the next vertex with the same position.
typedef struct CornerVertex_ {
  int at[NCORNER];
  int next;
} CornerVertex;

typedef struct Corners_ {
  const MeshBuild* build;
  CornerValues values[NCORNER];
  int* newest;  // by position: the vertex made last, -1 if none
  size_t nnewest;
  CornerVertex* vertex;
  size_t nvertex, vertex_room;
  int* face;
  size_t ncorner, face_room;
  int* polygon;  // vertices of the polygon being read
  size_t npolygon, polygon_room;
  size_t budget;  // comparisons left for cutting polygons
  size_t total;   // triangles of all groups
} Corners;

void corners_start(Corners* corners, const MeshBuild* build);

// Sets what indices refer to, before the corners of a group.
void corners_values(Corners* corners, const CornerValues values[NCORNER]);

// The vertex of a corner. An index of -1 means none; others must be in range: `text` is where the
// error says they stand.
int corners_vertex(Corners* corners, const int at[NCORNER], const char* text);

void corners_triangle(Corners* corners, int a, int b, int c);

// Adds a vertex to the polygon, and ends it: it becomes triangles if it has at least 3 corners.
void corners_point(Corners* corners, int vertex);
void corners_close(Corners* corners);

// Writes the group as the arrays of a part, whose other members stay, and forgets it.
void corners_part(MeshPart* part, Corners* corners);
