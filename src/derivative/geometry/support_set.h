// support_set.h: the feature (corner, edge or face) of a polytope that a point is on, from the
// vertices that are highest along the normal there.
//
// With an exact normal the highest vertices are equally high: one for a corner, two for an edge,
// more for a face. A search among curved shapes gives a normal with a small error, so that the
// corners of one face differ in height, or a wrong one is the highest. Therefore the set
// holds all vertices within that error of the highest, and the position of the point relative to
// them decides which feature it is on.

#ifndef CONDYLE_DERIVATIVE_GEOMETRY_SUPPORT_SET_H_
#define CONDYLE_DERIVATIVE_GEOMETRY_SUPPORT_SET_H_

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
  mjtNum x[3], n[3];
  mjtNum near, along;  // tolerance of lengths, and of the component of the normal along the feature
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

#endif  // CONDYLE_DERIVATIVE_GEOMETRY_SUPPORT_SET_H_
