// geom_mesh.h: geoms whose shape comes from an asset.
//
// A mesh geom takes its size from the mesh and lies where the mesh frame lies in the frame the
// author wrote. A primitive that names a mesh is fitted to it: to the box with the same inertia, or
// to its bounding box. A height field gives its geom sizes only.
//                                                                   theory/shapes.md, Fitted shapes

#ifndef CONDYLE_COMPILE_TREE_GEOM_MESH_H_
#define CONDYLE_COMPILE_TREE_GEOM_MESH_H_

#include "compile/compile.h"

// Is what the author wrote possible for a geom with a mesh? 0 and an error if not.
int geom_checkmesh(Compile* c, const SpecObject* object);

// Puts what the geom's mesh or height field says into its pose, still in the innermost frame, and
// its size.
void geom_applyasset(const Compile* c, const SpecObject* object, GeomWork* work);

// The box (center, half sizes) and the radius of a geom with an asset of its own; 0 if it has none.
int geom_assetbounds(double aabb[6], double* radius, const Compile* c, const SpecObject* object);

// Id of the asset that the geom names, -1 if it names none.
int geom_dataid(const Compile* c, const SpecObject* object);

#endif  // CONDYLE_COMPILE_TREE_GEOM_MESH_H_
