// Collects the vertices that are highest along the normal and decides between corner, edge and face
// by where the point is among them.

#include "derivative/geometry/support_set.h"

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"

void support_set_begin(SupportSet* t, const mjtNum x[3], const mjtNum n[3], const mjtNum top[3],
                       mjtNum near, mjtNum along) {
  v3_copy(t->x, x);
  v3_copy(t->n, n);
  v3_copy(t->vertex[0], top);
  t->num = 1;
  t->near = near;
  t->along = along;
}

// How far a vertex is below the highest one, along the normal.
static mjtNum below(const SupportSet* t, const mjtNum v[3]) {
  return v3_dot(t->vertex[0], t->n) - v3_dot(v, t->n);
}

void support_set_add(SupportSet* t, const mjtNum v[3]) {
  if (below(t, v) > t->near + t->along * v3_dist(v, t->vertex[0])) {
    return;
  }
  for (int i = 0; i < t->num; i++) {
    if (v3_dist(v, t->vertex[i]) < t->near) {
      return;
    }
  }
  if (t->num < MAX_SUPPORT_SET) {
    v3_copy(t->vertex[t->num++], v);
  }
}

// Whether x is on the segment of vertices i and j; axis: its direction.
static int is_between(mjtNum axis[3], const SupportSet* t, int i, int j) {
  mjtNum arm[3], off[3];
  v3_sub(axis, t->vertex[j], t->vertex[i]);
  mjtNum length = v3_normalize(axis);
  v3_sub(arm, t->x, t->vertex[i]);
  mjtNum at = v3_dot(arm, axis);
  v3_addscl(off, arm, axis, -at);
  return v3_norm(off) < t->near && at > 0 && at < length;
}

// Sides of the line through vertex i along `axis` on which there are other vertices: 1, 2, or 3 for
// both.
static int sides_of(const SupportSet* t, const mjtNum axis[3], int i, mjtNum most) {
  mjtNum across[3], arm[3];
  int sides = 0;
  v3_cross(across, t->n, axis);
  for (int k = 0; k < t->num; k++) {
    v3_sub(arm, t->vertex[k], t->vertex[i]);
    mjtNum side = v3_dot(arm, across);
    if (below(t, t->vertex[k]) <= most && mju_abs(side) > t->near) {
      sides |= side > 0 ? 1 : 2;
    }
  }
  return sides;
}

// Feature of the vertices that are at most `most` below the highest one. A segment with the point
// on it is an edge if there are no vertices on both sides of it. With an exact normal, vertices on
// one side already make it a face.
static FeatureKind feature_within(mjtNum axis[3], const SupportSet* t, mjtNum most, int is_exact) {
  int is_face = 0;
  for (int i = 0; i < t->num; i++) {
    for (int j = i + 1; j < t->num; j++) {
      if (below(t, t->vertex[i]) > most || below(t, t->vertex[j]) > most) {
        continue;
      }
      int between = is_between(axis, t, i, j), sides = sides_of(t, axis, i, most);
      if (between) {
        return sides == 3 || (is_exact && sides) ? FEATURE_FACE : FEATURE_EDGE;
      }
      is_face |= sides;
    }
  }
  return is_face ? FEATURE_FACE : FEATURE_NONE;
}

FeatureKind support_set_feature(mjtNum axis[3], const SupportSet* t) {
  v3_set(axis, 1, 0, 0);
  for (int i = 0; i < t->num; i++) {
    if (v3_dist(t->x, t->vertex[i]) < t->near) {
      return FEATURE_CORNER;
    }
  }
  FeatureKind kind = feature_within(axis, t, t->near, 1);
  return kind != FEATURE_NONE ? kind : feature_within(axis, t, INFINITY, 0);
}
