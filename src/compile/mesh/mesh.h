// mesh.h: making a mesh from a file or other data.
//
//   read (stl, obj, msh, or a shape's contour) -> inline data -> checks -> hull -> normals
//     -> polygons -> refpos, refquat, scale -> volume and inertia -> centred and turned
//     -> BVH, octree
//
// The hull and the polygons are made from the vertices as written, later steps use the scaled ones.
// A finished mesh depends only on its request and never changes, so it can be kept for later models
// (asset_cache.h), and meshes can be made in parallel.
//                                                          theory/model/meshes.md, Processing order

#pragma once

#include "compile/mesh/context.h"

// Makes the requested mesh. Ends in mju_error, to be caught, if it can't. Release it with
// asset_release.
Mesh* mesh_make(const MeshRequest* request);

// Begins to count the references to a mesh whose arrays are final. The caller has the first.
void mesh_share(Mesh* mesh);

// The key of a request: equal keys give the same mesh. It continues `start`; `content` is the
// digest of its file, of the same seed.
Digest mesh_key(const MeshRequest* request, Digest start, const Digest* content);
