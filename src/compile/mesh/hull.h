// hull.h: convex hulls by Qhull.
//
// Quickhull drops points inside flat facets or on their edges, so the hull of a finely meshed cube
// has eight vertices. Flat facets are cut into triangles. Every call has its own state, so hulls of
// several meshes can be made in parallel.
//
// The result has the layout of mjModel.mesh_graph, on which collision walks from vertex to vertex:
//
//   numvert, numface,
//   vert_edgeadr[numvert]             start of a hull vertex's neighbours in edge_localid
//   vert_globalid[numvert]            its vertex in the mesh
//   edge_localid[numvert+3*numface]   neighbours of each hull vertex, counted in the hull, then -1
//   face_globalid[3*numface]          triangles, counter-clockwise seen from outside
//                                                               theory/model/meshes.md, Convex hull

#pragma once

typedef enum HullStatus_ {
  HULL_OK = 0,
  HULL_FAILED,   // flat or otherwise impossible; the message has the reason
  HULL_NOGRAPH,  // made, but its triangles are not closed; no graph
  HULL_NOMEMORY,
} HullStatus;

// Offsets in a graph, and its length.
#define HULL_VERTEX 2
#define HULL_FACE(numvert, numface) (2 + 3 * (numvert) + 3 * (numface))
#define HULL_LENGTH(numvert, numface) (2 + 3 * (numvert) + 6 * (numface))

// Makes the hull of point[3*npoint], with at most maxvert vertices unless that is -1. *graph comes
// from malloc and has *length integers; both are 0 if there is no hull. message receives the first
// line of Qhull's error.
HullStatus hull_make(int** graph, int* length, char* message, int message_size, const double* point,
                     int npoint, int maxvert, int later);
