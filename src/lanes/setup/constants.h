// constants.h: the numbers of a model as the code in lanes wants them: mixed, inverted, turned into
// the frames in which they are used. Whatever a step need not find out is found out here, once in a
// call.
//
// The structs are rows of numbers and nothing else, so that one set of them can be filled without
// lanes (constants.c) and then copied number by number: for all lanes, or to the lane of a world
// where parameters differ from world to world (LANES_VARIED). The kind of a number is the
// includer's: Constant.

#pragma once

#include "lanes/setup/structure.h"

// The impedance curve and the spring of a row.           theory/contact/constraints.md, Impedance
typedef struct RowSpring {
  Constant least, range;           // d_min, d_max - d_min
  Constant inverse_width, middle;  // 1 / width, midpoint
  Constant scale_low, scale_high;  // 1 / m^(p-1), 1 / (1-m)^(p-1)
  Constant power;                  // p
  Constant K, B, weight;           // stiffness, damping, approximate diagonal
  Constant margin;                 // where the row begins
} RowSpring;

// A frame in a body. Its quaternion is what is multiplied, whatever is known of its axes.
typedef struct FrameConstants {
  Constant pos[3], mat[9], quat[4];
} FrameConstants;

typedef struct BodyConstants {
  Constant pos[3], ipos[3], quat[4];
  Constant xx, yy, zz, xy, xz, yz;  // inertia about the com, in the axes of the body
  Constant mass, share;             // share of the mass of the tree
  Constant inverse_subtree;         // 1 / mass of the subtree
  Constant lift[3];                 // against gravity
} BodyConstants;

typedef struct JointConstants {
  Constant pos[3], axis[3];
  Constant stiffness, force[2];  // force: range of its actuators' sum
} JointConstants;

typedef struct DofConstants {
  Constant armature, damping, simple;  // simple: M_ii of a simple dof
} DofConstants;

typedef struct DofRowConstants {
  RowSpring spring;
  Constant bound, eta;  // of the range; friction loss
} DofRowConstants;

typedef struct ActuatorConstants {
  Constant control[2], force[2], activation[2];  // ranges; infinite where there is none
  Constant gain[3], bias[3];
  Constant rate, advance;  // act' = rate (u - act), or u; act += advance act'
  Constant gear;           // of a path; other lengths have theirs in themselves
} ActuatorConstants;

// Active and passive force of a muscle, of its gain or of its bias.
typedef struct MuscleCurve {
  Constant peak, passive;                // F0 and F0 fpmax; 0 if it is switched off
  Constant first, shortest, per_length;  // L = first + per_length (length - shortest)
  Constant least, most;                  // lmin, lmax
  Constant per_rise, per_fall;           // 1 / distance of the knots below and above L = 1
  Constant per_velocity, fvmax;          // V = per_velocity velocity
  Constant per_excess, per_passive;      // 1 / (fvmax - 1), 2 / (lmax - 1)
} MuscleCurve;

typedef struct MuscleDynamics {
  Constant activation, deactivation, per_width;  // time constants; 1 / width of the blend
} MuscleDynamics;

typedef struct MuscleConstants {
  MuscleCurve gain, bias;
  MuscleDynamics dynamics;
} MuscleConstants;

// A transmission with a lever of its own.
typedef struct TransmissionConstants {
  Constant gear[6], rod;
  FrameConstants frame[2];  // of its sites
} TransmissionConstants;

// A piece of a path.
typedef struct PieceConstants {
  Constant scale;   // 1 / divisor of the pulley before it
  Constant radius;  // of the geom that it may wrap
} PieceConstants;

typedef struct ContactConstants {
  RowSpring spring;
  Constant point[3], axis[3];       // of the sphere's centre and the capsule, in the body
  Constant normal[3], tangent[3];   // of the plane; t1 where the capsule gives no hint
  Constant offset, radius;          // normal . (point of the plane)
  Constant friction[5], mu, slide;  // slide: damping of sliding rows of an elliptic contact
  Constant soft;                    // R of the rows = soft (1 - d) / d weight
  Constant reach;                   // distance below which it is listed, though maybe in the gap
} ContactConstants;

// A geom that may meet others, for the test whether it is near them: the points within a radius of
// the segment centre +- arm. Of a plane the arm is the normal.
typedef struct GeomConstants {
  Constant centre[3], arm[3];       // in the body
  Constant radius;                  // infinite if nothing is known
  Constant mat[9];                  // its axes in the body
  Constant box[3], half[3], round;  // box about it in its axes: centre, half sizes, radius around
  Constant reach;                   // of the box from its centre
} GeomConstants;

typedef struct CoupledConstants {
  RowSpring spring, spin;  // spin: of the rotations of a frame
  Constant reference[2];   // y0, x0
  Constant polynomial[5];
  Constant bound, eta;      // as of rows of dofs
  FrameConstants frame[2];  // points and frames
  Constant scale;           // of rotations against translations
} CoupledConstants;

// How much a dof adds to the lengths y and x of a coupled row.
typedef struct CoupledLength {
  Constant y, x;
} CoupledLength;

// Spring and damper of a tendon, and its mass.
typedef struct TendonConstants {
  Constant stiffness, damping, rest[2], armature;
} TendonConstants;

// A piece of a body in a fluid: its frame in the body; the resistance of a box, or the coefficients
// of an ellipsoid, in the notation of fluid.h.
typedef struct FluidConstants {
  Constant pos[3], mat[9];
  Constant viscous[6], drag[6];
  Constant coef, blunt, slender, kutta, magnus, area_max, density, turning, moving, floor;
  Constant mass[3], inertia[3], abc[3], spin[3];
} FluidConstants;

// What a sensor is attached to, and its reference.
typedef struct SensorConstants {
  FrameConstants frame[2];
  Constant cutoff;  // infinite if there is none
} SensorConstants;

typedef struct OptionConstants {
  Constant gravity[3], magnetic[3], wind[3];
  Constant timestep, scale;  // scale: 1 / (mean inertia nv)
  Constant tolerance, ls_tolerance, noslip_tolerance;
  Constant damped;  // 1 if Euler integrates damping implicitly, else 0
} OptionConstants;

// All arrays: (kind, name, length).
#define CONSTANTS(X)                                                \
  X(OptionConstants, option, 1)                                     \
  X(BodyConstants, body, m->nbody)                                  \
  X(JointConstants, joint, m->njnt)                                 \
  X(DofConstants, dof, m->nv)                                       \
  X(Constant, qpos0, m->nq)                                         \
  X(Constant, spring, m->nq)                                        \
  X(DofRowConstants, row, s->nrow)                                  \
  X(ActuatorConstants, actuator, s->nactuator)                      \
  X(Constant, coefficient, s->nterm) /* of actuators' terms */      \
  X(TendonConstants, tendon, s->nspring)                            \
  X(Constant, pull, 2 * s->npulled) /* range of a tendon's force */ \
  X(MuscleConstants, muscle, s->nmuscle)                            \
  X(TransmissionConstants, transmission, s->ntransmission)          \
  X(FrameConstants, point, s->npoint)                               \
  X(FrameConstants, wrapped, s->nwrapped)                           \
  X(PieceConstants, piece, s->npiece)                               \
  X(CoupledConstants, coupled_row, s->ncoupled_row)                 \
  X(CoupledLength, coupled_length, s->ncoupled) /* of their dofs */ \
  X(ContactConstants, contact, s->ncontact)                         \
  X(GeomConstants, geom, m->ngeom)                                  \
  X(Constant, margin, s->npair) /* of pairs */                      \
  X(FluidConstants, fluid, s->nfluid)                               \
  X(SensorConstants, sensor, m->nsensor)

typedef struct Constants {
#define DECLARE(kind, name, length) kind* name;
  CONSTANTS(DECLARE)
#undef DECLARE
} Constants;

// Lays the arrays one after the other. Returns how many numbers they have.
static inline size_t constants_place(Constants* c, Constant* at, const LaneStructure* s) {
  const mjModel* m = s->m;
  size_t n = 0;
#define PLACE(kind, name, length)               \
  c->name = at ? (kind*)(void*)(at + n) : NULL; \
  n += (size_t)(length) * (sizeof(kind) / sizeof(Constant));
  CONSTANTS(PLACE)
#undef PLACE
  return n;
}

// Fills in the numbers of a world from its model.
void constants_fill(mjtNum* numbers, const LaneStructure* s, const mjModel* m);
