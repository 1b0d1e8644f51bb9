// signed_distance.h: the signed distance to a closed surface of triangles.
//
// The sign is that of (p - c) . n, where c is the nearest point of the surface and n the normal
// there: that of a face, the sum of both faces' at an edge, the sum weighted by angle at a vertex.
// Baerentzen, Aanaes, "Signed distance computation using the angle weighted pseudonormal", 2005.
// Vertices at one place are one vertex here, whatever their numbers.

#ifndef CONDYLE_COMPILE_MESH_SIGNED_DISTANCE_H_
#define CONDYLE_COMPILE_MESH_SIGNED_DISTANCE_H_

#include "compile/derive/bvh.h"

typedef struct SignedDistance_ SignedDistance;

// Prepares the surface face[3*nface] of point[3*nvert] with the tree of its faces. All of them are
// kept, not copied. Free it with distance_free.
SignedDistance* distance_make(const double* point, int nvert, const int* face, int nface,
                              BvhNodes tree);
void distance_free(SignedDistance* surface);

// Signed distance from p, m, negative inside. Faces without area are not seen.
double distance_at(const SignedDistance* surface, const double p[3]);

#endif  // CONDYLE_COMPILE_MESH_SIGNED_DISTANCE_H_
