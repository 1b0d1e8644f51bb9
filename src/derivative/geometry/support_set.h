// support_set.h: what of a polytope a point of its surface belongs to, told by the vertices that reach
// furthest along the normal there.
//
// With an exact normal those that tie are a corner, the ends of an edge, or corners of a face.
// Searches among curved shapes leave a normal that is off by a small angle, so that only some of a
// face's corners tie, or a wrong one: then vertices below by no more than that angle count as well,
// and the point decides among them.

#ifndef CONDYLE_DERIVATIVE_GEOMETRY_SUPPORT_SET_H_
#define CONDYLE_DERIVATIVE_GEOMETRY_SUPPORT_SET_H_

#include <mujoco/mjtnum.h>

enum {
  MAX_SUPPORT_SET = 24
};

typedef enum {
  FEATURE_NONE,  // the point is not where the vertices are
  FEATURE_CORNER,
  FEATURE_EDGE,
  FEATURE_FACE
} FeatureKind;

typedef struct {
  mjtNum x[3], n[3];
  mjtNum near, along;  // lengths that are rounding, and by how much the normal may be off
  int num;             // vertices, the highest one first
  mjtNum vertex[MAX_SUPPORT_SET][3];
} SupportSet;

// A point x with the outward unit normal n, and the highest vertex.
void support_set_begin(SupportSet* t, const mjtNum x[3], const mjtNum n[3], const mjtNum top[3],
                       mjtNum near, mjtNum along);

// Takes a vertex if it may belong to the feature.
void support_set_add(SupportSet* t, const mjtNum v[3]);

// The feature that the point is on; axis: direction of an edge.
FeatureKind support_set_feature(mjtNum axis[3], const SupportSet* t);

#endif  // CONDYLE_DERIVATIVE_GEOMETRY_SUPPORT_SET_H_
