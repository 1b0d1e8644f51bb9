// mesh.h: a mesh on its way from a file to mjModel.
//
//   read (stl, obj, msh) -> inline data -> checks -> hull -> normals -> polygons
//     -> refpos, refquat, scale -> volume and inertia -> centred and turned -> box tree, octree
//
// The hull and the polygons are made from the vertices as written, everything after them from the
// scaled ones. Coordinates are float in files and in mjModel, double in between. A finished mesh
// depends on nothing but its request and is never changed again, so it can be kept for the next
// model that asks for the same (asset/cache.h) and meshes can be made side by side.
//                                                                theory/meshes.md, Processing order

#ifndef CONDYLE_COMPILE_MESH_MESH_H_
#define CONDYLE_COMPILE_MESH_MESH_H_

#include <mujoco/mjspec.h>
#include <stddef.h>

#include "compile/asset/cache.h"
#include "compile/asset/file.h"

typedef enum MeshFormat_ {
  MESH_INLINE,  // no file
  MESH_STL,
  MESH_OBJ,
  MESH_MSH,
} MeshFormat;

// What a mesh is made from.
typedef struct MeshRequest_ {
  const mjsMesh* spec;  // inline data and parameters
  const char* name;     // for messages
  const AssetFile* file;
  MeshFormat format;
  int needhull;
  int needoctree;
} MeshRequest;

typedef struct Mesh_ {
  AssetShared shared;  // first member: a mesh is kept in the cache

  int nvert, nnormal, ntexcoord, nface;
  float* vert;        // 3 per vertex
  float* normal;      // 3 per normal
  float* texcoord;    // 2 per pair
  int* face;          // 3 vertices per triangle
  int* facenormal;    // 3 normals per triangle, -1: none
  int* facetexcoord;  // 3 pairs per triangle, -1: none

  int* graph;  // mesh/hull.h, NULL: no hull
  int ngraph;

  int npoly, npolyvert, npolymap;
  int* polyvertadr;    // in polyvert, by polygon
  int* polyvertnum;    // by polygon
  int* polyvert;       // vertices of the polygons
  int* polymapadr;     // in polymap, by vertex
  int* polymapnum;     // by vertex
  int* polymap;        // polygons around the vertices
  mjtNum* polynormal;  // 3 per polygon

  int nbvh;
  int* bvhdepth;
  int* bvhchild;
  int* bvhnodeid;
  mjtNum* bvhaabb;

  int noct;
  int* octdepth;
  int* octchild;
  mjtNum* octaabb;
  mjtNum* octcoeff;

  double pos[3];  // mesh frame in the frame of the file
  double quat[4];
  double volume;      // or area, for a shell
  double boxsize[3];  // half sizes of the box with the same inertia
  double lower[3];    // bounding box in the mesh frame
  double upper[3];

  int nographwarning;  // the hull could not be turned into a graph
} Mesh;

// The mesh that was asked for. If it can't be made, that is an error (mju_error), to be caught. Give
// it back with asset_release.
Mesh* mesh_make(const MeshRequest* request);

// What two requests must have in common to give the same mesh.
AssetKey mesh_key(const MeshRequest* request);

// steps, in this order

// Readers of file content: vertices, faces, normals, texture coordinates. A mesh seen in a mirror
// (mirrored) has its triangles turned over.
void mesh_readstl(Mesh* mesh, const MeshRequest* request, int mirrored);
void mesh_readobj(Mesh* mesh, const MeshRequest* request, int mirrored);
void mesh_readmsh(Mesh* mesh, const MeshRequest* request, int mirrored);

// Adds the inline data to what the file had.
void mesh_addinline(Mesh* mesh, const MeshRequest* request);

// Everything later steps take for granted: counts, ranges, finite numbers.
void mesh_check(Mesh* mesh, const MeshRequest* request);

// Normals and indices that were not given.
void mesh_addnormals(Mesh* mesh, int smooth);

// Flat polygons of the hull, or of the faces without one; normals come later.
void mesh_addpolygons(Mesh* mesh);

// Placement and mass properties: vertices, normals, pos, quat, volume, boxsize, lower, upper. point
// (3*nvert) receives the vertices in double.
void mesh_place(Mesh* mesh, const MeshRequest* request, double* point);

// The octree of signed distances, from the placed vertices and the box tree.
void mesh_addoctree(Mesh* mesh, const double* point);

// shared by the steps

// Room for count items of a size, not initialised; an error (mju_error) if that is too much.
void* mesh_take(size_t count, size_t size);

// out = (b - a) x (c - a); returns its length, twice the area of the triangle. The second is that of
// a face among vertices as written.
double mesh_cross(double out[3], const double a[3], const double b[3], const double c[3]);
double mesh_facecross(double out[3], const float* vert, const int face[3]);

// Exchanges the last two corners of every triangle.
void mesh_turnover(int* index, int nface);

#endif  // CONDYLE_COMPILE_MESH_MESH_H_
