// factor.h: by how much what stands inside frames is scaled.
//
// A frame with scale S = diag(x, y, z) maps a place p of what is inside, in its own axes, to S p.
// With the frames around it, turned by R against the one outside, places in the innermost frame are
// mapped by
//
//   A_inner = R' A_outer R S
//
// and directions stay as they are: what A shears must be refused, or is a mesh. Everything that is
// no place follows from four numbers, the products of those of all frames around: the length s
// (geometric mean of x, y, z) and the mass m of all frames, and the same of frames whose scale is a
// change of units ("similar"), which forces follow, too.          theory/model/scaling.md, Factors

#pragma once

#include "base/algebra/pose.h"
#include "compile/context.h"

// Factors of what has no direction.
typedef struct Scale_ {
  double length;
  double mass;
  double unit_length;  // of similar frames alone: what forces and stiffnesses follow
  double unit_mass;
} Scale;

// What the inside of a frame or body is mapped by.
typedef struct Stretch_ {
  Scale scale;
  double map[9];   // in the axes of the frame or body
  int uniform;     // 1 if map is scale.length times the identity
  int scaled;      // 1 if anything changes
  Pose pose;       // of the frame in its body as written; the identity for a body
  double pos[3];   // of the frame in its body when scaled
  double turn[9];  // rotation of pose
} Stretch;

// An asset as a geom uses it.
typedef struct Instance_ {
  SpecObject* asset;   // as written
  SpecObject* object;  // itself, or a copy
  double map[9];
} Instance;

typedef struct Scaling_ {
  Compile* c;
  Instance* instance;
  int ninstance;
  Stretch* frame;       // by id
  char* done;           // frames: 1 in work, 2 done
  Stretch* body;        // by id: what is inside
  double* ctrl;         // by id of actuators: factor of its control and activation
  double* feedforward;  // by id of actuators: factor of a force that is added
  double* joint;        // by id: factor of a slide joint's coordinate
} Scaling;

// What an element that stands in a body or frame is mapped by.
const Stretch* factor_of(const Scaling* scaling, const SpecObject* object);

// The factors of the innermost scaled frame that is around all n objects.
Scale factor_common(const Scaling* scaling, SpecObject* const* objects, int n);

// Geometric mean of two.
Scale factor_mean(Scale a, Scale b);

// Factors of the object with this type and name, of nothing if there is none. XBODY is a body.
Scale factor_named(const Scaling* scaling, const SpecObject* user, mjtObj type,
                   const mjString* name);

// Does the frame change anything?
int factor_isscaled(const SpecObject* frame);

// Force, stiffness and the like of something that moves along (linear) or turns.
static inline double factor_force(Scale s, int linear) {
  return s.unit_mass * s.unit_length * (linear ? 1 : s.unit_length);
}

static inline double factor_stiffness(Scale s, int linear) {
  return s.unit_mass * (linear ? 1 : s.unit_length * s.unit_length);
}

// Length of the image of a direction.
double factor_along(const Stretch* stretch, const double direction[3]);

// out = map v; may alias
void factor_map(double out[3], const double map[9], const double v[3]);

// The map in axes turned by a quaternion: out = R' map R.
void factor_turned(double out[9], const double map[9], const double quat[4]);

// Finds the factors of all frames and bodies of the tree, and resolves the orientations of frames
// and bodies to quaternions.
void factor_find(Scaling* scaling);
