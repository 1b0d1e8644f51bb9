// ties.h: what of a polytope a point of its surface belongs to, told by the vertices that reach
// furthest along the normal there.
//
// With an exact normal those that tie are a corner, the ends of an edge, or corners of a face.
// Searches among curved shapes leave a normal that is off by a small angle, so that only some of a
// face's corners tie, or a wrong one: then vertices below by no more than that angle count as well,
// and the point decides among them.

#ifndef CONDYLE_DERIVATIVE_TIES_H_
#define CONDYLE_DERIVATIVE_TIES_H_

#include <mujoco/mjtnum.h>

enum {
  MAX_TIES = 24
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
  mjtNum vertex[MAX_TIES][3];
} Ties;

// A point x with the outward unit normal n, and the highest vertex.
void ties_begin(Ties* t, const mjtNum x[3], const mjtNum n[3], const mjtNum top[3], mjtNum near,
                mjtNum along);

// Takes a vertex if it may belong to the feature.
void ties_add(Ties* t, const mjtNum v[3]);

// The feature that the point is on; axis: direction of an edge.
FeatureKind ties_feature(mjtNum axis[3], const Ties* t);

#endif  // CONDYLE_DERIVATIVE_TIES_H_
