// support_set.h: finds the feature (corner, edge or face) of a polytope on which a point lies.
//
// The support set are the vertices v with the largest height v . n along the normal n at the point.
// With an exact normal their heights are equal: one vertex is a corner, two are an edge, more are a
// face. The normal of an iterative search (curved shapes) has a small error, so the vertices of a
// face differ in height. Then all vertices within that error of the highest one belong to the set,
// and the position of the point relative to them decides.

#pragma once

#include <mujoco/mjtnum.h>

enum {
  MAX_SUPPORT_SET = 24
};

typedef enum {
  FEATURE_NONE,  // the point is on no feature of the vertices
  FEATURE_CORNER,
  FEATURE_EDGE,
  FEATURE_FACE
} FeatureKind;

typedef struct {
  mjtNum x[3], n[3];   // the point, and the outward unit normal there
  mjtNum near, along;  // tolerances: of lengths (m), of the slope of a feature against n
  int num;             // vertices, the highest one first
  mjtNum vertex[MAX_SUPPORT_SET][3];
} SupportSet;

// Starts a set for a point x with the outward unit normal n; top: the highest vertex.
void support_set_begin(SupportSet* t, const mjtNum x[3], const mjtNum n[3], const mjtNum top[3],
                       mjtNum near, mjtNum along);

// Adds a vertex if it is within the tolerances of the highest.
void support_set_add(SupportSet* t, const mjtNum v[3]);

// The feature that the point is on; axis: the direction of an edge.
FeatureKind support_set_feature(mjtNum axis[3], const SupportSet* t);
