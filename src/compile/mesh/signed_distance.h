// signed_distance.h: the signed distance to a closed surface of triangles.
//
// The sign is that of (p - c) . n, where c is the nearest point of the surface and n the normal
// there. On a face n is the face's normal, at an edge the sum of both faces' normals, at a vertex
// the sum weighted by angle. Baerentzen, Aanaes, "Signed distance computation using the angle
// weighted pseudonormal", 2005. Vertices at the same position count as one.

#pragma once

#include "compile/derive/bvh.h"

typedef struct SignedDistance_ SignedDistance;

// Prepares the surface face[3*nface] of point[3*nvert] with the BVH of its faces. The arrays
// must outlive the result. Free it with distance_free.
SignedDistance* distance_make(const double* point, int nvert, const int* face, int nface,
                              BvhNodes tree);
void distance_free(SignedDistance* surface);

// Signed distance of p in meters, negative inside. Faces without area are ignored.
double distance_at(const SignedDistance* surface, const double p[3]);
