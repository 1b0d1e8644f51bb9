// hull.h: convex hulls of vertices, by Qhull.
//
// Quickhull drops points that lie in flat facets or on their edges, so the hull of a cube has eight
// vertices however finely it is meshed. Flat facets are cut into triangles. Every call has a state
// of its own, so hulls of several meshes can be made at once.
//
// The result is the layout of mjModel.mesh_graph, from which collision walks from vertex to vertex:
//
//   numvert, numface,
//   vert_edgeadr[numvert]             where the neighbours of a hull vertex begin in edge_localid
//   vert_globalid[numvert]            its vertex in the mesh
//   edge_localid[numvert+3*numface]   neighbours of each hull vertex, counted in the hull, then -1
//   face_globalid[3*numface]          triangles, counter-clockwise seen from outside
//                                                                     theory/meshes.md, Convex hull

#ifndef CONDYLE_COMPILE_MESH_HULL_H_
#define CONDYLE_COMPILE_MESH_HULL_H_

typedef enum HullStatus_ {
  HULL_OK = 0,
  HULL_FAILED,   // flat, or otherwise impossible: why is in the message
  HULL_NOGRAPH,  // made, but its triangles don't close: nothing is returned
  HULL_NOMEMORY,
} HullStatus;

// Offsets in a graph of numvert vertices; its length.
#define HULL_VERTEX 2
#define HULL_FACE(numvert, numface) (2 + 3 * (numvert) + 3 * (numface))
#define HULL_LENGTH(numvert, numface) (2 + 3 * (numvert) + 6 * (numface))

// Hull of point[3*npoint]. Ends after maxvert vertices unless that is -1. *graph comes from malloc
// and has *length integers; both stay 0 unless the hull is made. message receives Qhull's first
// line of a failure.
HullStatus hull_make(int** graph, int* length, char* message, int message_size, const double* point,
                     int npoint, int maxvert);

#endif  // CONDYLE_COMPILE_MESH_HULL_H_
