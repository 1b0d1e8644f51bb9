// steps.h: the steps from a request to a mesh, in this order, each in a file of its own.

#ifndef CONDYLE_COMPILE_MESH_STEPS_H_
#define CONDYLE_COMPILE_MESH_STEPS_H_

#include "compile/mesh/context.h"

// Readers of file content: vertices, faces, normals, texture coordinates.
void mesh_readstl(Mesh* mesh, const MeshRequest* request);
void mesh_readobj(Mesh* mesh, const MeshRequest* request);
void mesh_readmsh(Mesh* mesh, const MeshRequest* request);

// Adds the inline data to what the file had.
void mesh_addinline(Mesh* mesh, const MeshRequest* request);

// Everything later steps take for granted: counts, ranges, finite numbers.
void mesh_check(Mesh* mesh, const MeshRequest* request);

// Normals and indices that were not given.
void mesh_addnormals(Mesh* mesh, int smooth);

// Flat polygons of the hull, or of the faces without one; normals come later.
void mesh_addpolygons(Mesh* mesh);

// Placement and mass properties: vertices, normals, pos, quat, volume, boxsize, lower, upper. point
// (3*nvert) receives the vertices in double. The surface of a shape stays where it is: its frame is
// that of the distance.
void mesh_place(Mesh* mesh, const MeshRequest* request, double* point);

// The octree of signed distances, from the placed vertices and the box tree.
void mesh_addoctree(Mesh* mesh, const double* point);

#endif  // CONDYLE_COMPILE_MESH_STEPS_H_
