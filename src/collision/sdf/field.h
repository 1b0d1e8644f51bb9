// field.h: signed distance fields: the distance of a point from a surface, negative inside, and its
// gradient.
//
// Contacts and rays use these two functions only, so any shape that has them takes part: primitives
// by formulas, meshes by their octree, shapes of plugins by their callbacks. A field is looked up
// once, outside of all loops; evaluating it is one call.
//
//        f(x) > 0    _________
//                   /         \       grad f: away from the surface, nearly of unit length
//               <--|  f < 0    |      near it
//                   \_________/
//
// Fields of two shapes are combined in the frame of the first one:
//
//   intersection  max(A, B)            negative inside both: its minimum is the depth
//   mid-surface   A - B                zero at equal distances: its gradient is the normal
//   collision     A + B + |max(A, B)|  least near the deepest point, with a gradient towards it
//                                      outside of both
//
//                                                                     theory/contact/sdf.md, Fields

#pragma once

#include <mujoco/api/base.h>
#include <mujoco/mjdata.h>
#include <mujoco/mjplugin.h>

#include "base/algebra/vec.h"

enum {
  FIELD_LANES = 8,    // points at once
  FIELD_DIGITS = 20,  // levels of an octree that are descended by binary digits alone
};

typedef struct Field Field;

typedef struct FieldKind {
  // Signed distance of x from the surface, in the frame of the shape.
  mjtNum (*distance)(const Field* field, const mjtNum x[3]);
  // Gradient of the distance.
  void (*gradient)(mjtNum gradient[3], const Field* field, const mjtNum x[3]);
  // Distances of FIELD_LANES points, equal to those of `distance`. NULL: there is no such function.
  void (*distances)(mjtNum dist[FIELD_LANES], const Field* field, const mjtNum x[3][FIELD_LANES]);
} FieldKind;

// Cells of an octree from its root on: oct_child, oct_aabb, oct_coeff.
typedef struct FieldTree {
  const int* child;
  const mjtNum* box;
  const mjtNum* value;
  mjtNum lower[3], scale[3];  // of the root box, and 2^FIELD_DIGITS / its sides
} FieldTree;

struct Field {
  const FieldKind* kind;
  const mjModel* m;
  const mjData* d;
  const mjtNum* size;       // primitives: geom_size
  FieldTree tree;           // meshes
  const mjpPlugin* plugin;  // a plugin's shape ...
  int id;                   // ... and which instance; meshes without an octree: the geom
};

extern const FieldKind field_octree, field_octree_in_space, field_rays;
extern const FieldKind field_primitive[mjNGEOMTYPES];  // entries of other types have no functions

// Looks up the field of a geom. Returns 0 if it has none: a height field, or an SDF with neither a
// registered plugin that makes shapes nor a mesh with an octree.
int field_of(Field* field, const mjModel* m, const mjData* d, int geom);

// Warns, once, that a geom without a field is passed through.
void field_missing(const mjModel* m, int geom);

// Tell a plugin that a collision or ray begins, which geoms collide, and that a search begins.
void field_begin(const Field* field);
void field_meet(const Field* field, int g1, int g2);
void field_search(const Field* field);

// Two fields; x is in the frame of the first one, y = mat x + pos in that of the second.
typedef struct FieldPair {
  Field field[2];
  mjtNum pos[3], mat[9];
} FieldPair;

// Distances of x from both surfaces.
void pair_distance(mjtNum dist[2], const FieldPair* pair, const mjtNum x[3]);

// Whether both fields have `distances`; pair_distances needs that.
int pair_has_lanes(const FieldPair* pair);
void pair_distances(mjtNum dist[2][FIELD_LANES], const FieldPair* pair,
                    const mjtNum x[3][FIELD_LANES]);

// The combination of two distances, and its gradient at the point x where they were found.
static inline mjtNum pair_value(mjtSDFType type, const mjtNum dist[2]) {
  mjtNum larger = num_max(dist[0], dist[1]);
  switch (type) {
    case mjSDFTYPE_INTERSECTION:
      return larger;
    case mjSDFTYPE_MIDSURFACE:
      return dist[0] - dist[1];
    case mjSDFTYPE_COLLISION:
      return dist[0] + dist[1] + mju_abs(larger);
    default:
      return dist[0];
  }
}

void pair_gradient(mjtNum gradient[3], const FieldPair* pair, mjtSDFType type, const mjtNum dist[2],
                   const mjtNum x[3]);
