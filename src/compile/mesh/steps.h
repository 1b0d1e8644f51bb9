// steps.h: the steps from a request to a mesh, in order, each in its own file.

#pragma once

#include "compile/mesh/context.h"

// Read vertices, faces, normals and texture coordinates from the content of a file.
void mesh_readstl(Mesh* mesh, const MeshRequest* request);
void mesh_readobj(Mesh* mesh, const MeshRequest* request);
void mesh_readmsh(Mesh* mesh, const MeshRequest* request);
void mesh_readparts(Mesh* mesh, const MeshRequest* request);
void mesh_readdecoded(Mesh* mesh, const MeshRequest* request);

// Adds what else the mesh is made of to its key: the files that its file names. The content of the
// file must be loaded.
void mesh_keyothers(Digest* key, const MeshRequest* request);

// Adds the inline data to the data of the file.
void mesh_addinline(Mesh* mesh, const MeshRequest* request);

// Checks everything on which later steps rely: counts, ranges, finite numbers.
void mesh_check(Mesh* mesh, const MeshRequest* request);

// Adds missing normals and indices, from the normals of the faces.
void mesh_addnormals(Mesh* mesh, const FaceNormal* facing, int smooth);

// Adds flat polygons of the hull. By the rules before 4.0 a mesh without a hull has those of its
// faces with these normals. The normals of polygons come after placing.
void mesh_addpolygons(Mesh* mesh, const FaceNormal* facing, const MeshRequest* request);

// Moves the mesh to the mesh frame and computes its mass properties: vertices, normals, pos, quat,
// volume, boxsize, lower, upper. point (3*nvert) receives the vertices in double. The surface of a
// shape is not moved, because its frame is that of the distance function.
void mesh_place(Mesh* mesh, const MeshRequest* request, double* point);

// Adds the octree of signed distances, from the placed vertices and the BVH; depth is at most
// OCT_MOST_DEPTH, where making it takes a gigabyte.
enum {
  OCT_MOST_DEPTH = 8
};
void mesh_addoctree(Mesh* mesh, const double* point, int depth);
