// context.h: a mesh while it is made, and helpers of its steps.
//
// Coordinates are float in files and in mjModel, and double during computation.

#pragma once

#include <mujoco/mjspec.h>
#include <stddef.h>

#include "compile/asset_cache.h"
#include "compile/asset_file.h"
#include "compile/mesh/contour.h"

typedef enum MeshFormat_ {
  MESH_INLINE,  // no file
  MESH_STL,
  MESH_OBJ,
  MESH_MSH,
  MESH_COLLADA,  // this and those up to PLY: of other tools
  MESH_GLTF,
  MESH_GLB,
  MESH_PLY,
  MESH_DECODED,  // of a program's decoder
  MESH_SHAPE,    // no file: a plugin's distance field
} MeshFormat;

// The inputs of a mesh.
typedef struct MeshRequest_ {
  const mjsMesh* spec;  // inline data and parameters
  const char* name;     // for messages
  const AssetFile* file;
  MeshFormat format;
  int needhull;
  int needoctree;
  int thickens;        // 1 if a flat mesh gets a thickness where it needs a hull
  ContourField shape;  // MESH_SHAPE only
  int nnumber;
  int later;              // 1: by the rules of 4.0 (behaviour compile)
  int is_whole;           // 1: polygons are whole faces, for hard contacts
  const double* stretch;  // 3x3 map after the scale, NULL: none
} MeshRequest;

// The arrays of a mesh: type, name, rows, columns, and the array of mjModel that holds the rows of
// all meshes. Corners of triangles have indices of vertices, normals (-1 if none) and texture
// coordinates (-1 if none; no array if the mesh has none). graph has the layout of mesh/hull.h,
// NULL if there is no hull. polyvertadr and polyvertnum give a polygon's vertices in polyvert.
// polymapadr and polymapnum give a vertex's polygons in polymap.
#define MESH_ARRAYS(X)                              \
  X(float, vert, nvert, 3, mesh_vert)               \
  X(float, normal, nnormal, 3, mesh_normal)         \
  X(float, texcoord, ntexcoord, 2, mesh_texcoord)   \
  X(int, face, nface, 3, mesh_face)                 \
  X(int, facenormal, nface, 3, mesh_facenormal)     \
  X(int, facetexcoord, nface, 3, mesh_facetexcoord) \
  X(int, graph, ngraph, 1, mesh_graph)              \
  X(int, polyvertadr, npoly, 1, mesh_polyvertadr)   \
  X(int, polyvertnum, npoly, 1, mesh_polyvertnum)   \
  X(int, polyvert, npolyvert, 1, mesh_polyvert)     \
  X(int, polymapadr, nvert, 1, mesh_polymapadr)     \
  X(int, polymapnum, nvert, 1, mesh_polymapnum)     \
  X(int, polymap, npolyvert, 1, mesh_polymap)       \
  X(mjtNum, polynormal, npoly, 3, mesh_polynormal)  \
  X(int, octdepth, noct, 1, oct_depth)              \
  X(int, octchild, noct, 8, oct_child)              \
  X(mjtNum, octaabb, noct, 6, oct_aabb)             \
  X(mjtNum, octcoeff, noct, 8, oct_coeff)

// the arrays of its BVH, which come after those of bodies
#define MESH_BOXES(X)                    \
  X(int, bvhdepth, nbvh, 1, bvh_depth)   \
  X(int, bvhchild, nbvh, 2, bvh_child)   \
  X(int, bvhnodeid, nbvh, 1, bvh_nodeid) \
  X(mjtNum, bvhaabb, nbvh, 6, bvh_aabb)

// the numbers of their rows
#define MESH_COUNTS(X) \
  X(nvert) X(nnormal) X(ntexcoord) X(nface) X(ngraph) X(npoly) X(npolyvert) X(nbvh) X(noct)

typedef struct Mesh_ {
  AssetShared shared;  // first member: a mesh is kept in the cache

#define MEMBER(name) int name;
  MESH_COUNTS(MEMBER)
#undef MEMBER
#define MEMBER(type, name, rows, columns, to) type* name;
  MESH_ARRAYS(MEMBER)
  MESH_BOXES(MEMBER)
#undef MEMBER
  void* block;  // NULL, or that of a slab in which all its arrays lie

  double pos[3];  // origin of the mesh frame in the frame of the file
  double quat[4];
  double volume;      // volume, or area of a shell
  double boxsize[3];  // half sizes of the box with the same inertia
  double lower[3];    // bounding box in the mesh frame
  double upper[3];

  double thickness;    // that a flat mesh was given, 0 for others
  int nographwarning;  // 1 if the hull gave no valid graph
  int nlost;           // polygons of the file that are left out for their many corners
} Mesh;

// Memory for count items, uninitialised, or a copy of them. Ends in mju_error if that is too much.
void* mesh_take(size_t count, size_t size);
void* mesh_copy(const void* items, size_t count, size_t size);

// out = (b - a) x (c - a). Returns its length, twice the area of the triangle.
double mesh_cross(double out[3], const double a[3], const double b[3], const double c[3]);

// Area of a face from the vertices as written.
double mesh_facearea(const Mesh* mesh, const int face[3]);

// Unit normal of a face, x if it has no area, and twice its area.
typedef struct FaceNormal_ {
  double normal[3], length;
} FaceNormal;

// Of many faces, from the vertices as written. The result is a block of mesh_take.
FaceNormal* mesh_facenormals(const Mesh* mesh, const int* face, int nface);

// same[i] = first point with the position of point i.
void mesh_weld(int* same, const double* point, int n);
