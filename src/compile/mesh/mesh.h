// mesh.h: a mesh on its way from a file to mjModel.
//
//   read (stl, obj, msh, or a shape's contour) -> inline data -> checks -> hull -> normals
//     -> polygons -> refpos, refquat, scale -> volume and inertia -> centred and turned
//     -> box tree, octree
//
// The hull and the polygons are made from the vertices as written, everything after them from the
// scaled ones. A finished mesh depends on nothing but its request and is never changed again, so it
// can be kept for the next model that asks for the same (asset/cache.h) and meshes can be made side
// by side.
//                                                                theory/meshes.md, Processing order

#ifndef CONDYLE_COMPILE_MESH_MESH_H_
#define CONDYLE_COMPILE_MESH_MESH_H_

#include "compile/mesh/context.h"

// The mesh that was asked for. If it can't be made, that is an error (mju_error), to be caught.
// Give it back with asset_release.
Mesh* mesh_make(const MeshRequest* request);

// What two requests must have in common to give the same mesh.
AssetKey mesh_key(const MeshRequest* request);

#endif  // CONDYLE_COMPILE_MESH_MESH_H_
