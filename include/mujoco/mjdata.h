// mjdata.h: everything that changes while a model is simulated: state, inputs, results and the
// working memory of one simulation.

#ifndef MUJOCO_MJDATA_H_
#define MUJOCO_MJDATA_H_

#include <condyle/data_table.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjthread.h>
#include <mujoco/mjtnum.h>
#include <mujoco/mjversion.h>
#include <stddef.h>
#include <stdint.h>

// Parts of the state, to be combined with |. A state vector holds the chosen parts in this order.
typedef enum mjtState_ {
  mjSTATE_TIME = 1 << 0,  // time
  mjSTATE_QPOS = 1 << 1,  // configuration
  mjSTATE_QVEL = 1 << 2,  // velocity
  mjSTATE_ACT = 1 << 3,   // activations

  // parts of later releases; in a vector the history comes after the activations
  mjSTATE_HISTORY = 1 << CND_API(13, 4),  // buffers of controls and sensors
  mjSTATE_PLASTIC = 1 << 14,              // plastic springs

  mjSTATE_WARMSTART = 1 << CND_API(4, 5),     // where the solver starts
  mjSTATE_CTRL = 1 << CND_API(5, 6),          // controls
  mjSTATE_QFRC_APPLIED = 1 << CND_API(6, 7),  // applied generalized force
  mjSTATE_XFRC_APPLIED = 1 << CND_API(7, 8),  // force and torque applied to bodies
  mjSTATE_EQ_ACTIVE = 1 << CND_API(8, 9),     // which equality constraints are active
  mjSTATE_MOCAP_POS = 1 << CND_API(9, 10),    // positions of mocap bodies
  mjSTATE_MOCAP_QUAT = 1 << CND_API(10, 11),  // orientations of mocap bodies
  mjSTATE_USERDATA = 1 << CND_API(11, 12),    // user numbers
  mjSTATE_PLUGIN = 1 << CND_API(12, 13),      // state of plugins

  mjNSTATE = CND_API(13, 15),  // how many parts there are in that generation

  // what physics remembers
  mjSTATE_PHYSICS =
      mjSTATE_QPOS | mjSTATE_QVEL | mjSTATE_ACT | CND_API(0, mjSTATE_HISTORY | mjSTATE_PLASTIC),
  // the same with time and plugins
  mjSTATE_FULLPHYSICS = mjSTATE_TIME | mjSTATE_PHYSICS | mjSTATE_PLUGIN,
  // what the user sets
  mjSTATE_USER = mjSTATE_CTRL | mjSTATE_QFRC_APPLIED | mjSTATE_XFRC_APPLIED | mjSTATE_EQ_ACTIVE |
                 mjSTATE_MOCAP_POS | mjSTATE_MOCAP_QUAT | mjSTATE_USERDATA,
  // everything on which the next step depends, to the last bit
  mjSTATE_INTEGRATION = mjSTATE_FULLPHYSICS | mjSTATE_USER | mjSTATE_WARMSTART
} mjtState;

// What a constraint row comes from.
typedef enum mjtConstraint_ {
  mjCNSTR_EQUALITY = 0,          // equality constraint
  mjCNSTR_FRICTION_DOF,          // dry friction of a dof
  mjCNSTR_FRICTION_TENDON,       // dry friction of a tendon
  mjCNSTR_LIMIT_JOINT,           // limit of a joint
  mjCNSTR_LIMIT_TENDON,          // limit of a tendon
  mjCNSTR_CONTACT_FRICTIONLESS,  // contact that only pushes
  mjCNSTR_CONTACT_PYRAMIDAL,     // edge of a contact's friction pyramid
  mjCNSTR_CONTACT_ELLIPTIC       // axis of a contact with an elliptic cone
} mjtConstraint;

// Piece of the cost on which a constraint row lies.
typedef enum mjtConstraintState_ {
  mjCNSTRSTATE_SATISFIED = 0,  // no force
  mjCNSTRSTATE_QUADRATIC,      // force proportional to the violation
  mjCNSTRSTATE_LINEARNEG,      // friction at its negative bound
  mjCNSTRSTATE_LINEARPOS,      // friction at its positive bound
  mjCNSTRSTATE_CONE            // contact force on the surface of an elliptic cone: sliding
} mjtConstraintState;

// What a simulation may warn about, each counted in mjData.warning.
typedef enum mjtWarning_ {
  mjWARN_INERTIA = 0,  // inertia matrix close to singular
  mjWARN_CONTACTFULL,  // no memory for another contact
  mjWARN_CNSTRFULL,    // no memory for the constraint rows
  mjWARN_VGEOMFULL,    // no place for another geom in a scene
  mjWARN_BADQPOS,      // nan or huge number in qpos
  mjWARN_BADQVEL,      // nan or huge number in qvel
  mjWARN_BADQACC,      // nan or huge number in qacc
  mjWARN_BADCTRL,      // nan or huge number in ctrl

  mjNWARNING  // how many kinds there are
} mjtWarning;

// What Condyle warns about besides, for mj_warning and mju_warningText; counted in
// mjData.cnd_warning[kind - cndWARN_FIRST].
typedef enum cndtWarning_ {
  cndWARN_FIRST = 100,
  cndWARN_SOLREF = cndWARN_FIRST,  // a spring's reference with numbers of different sign
  cndWARN_LINESEARCH,              // the solver's cost is not convex along its direction
  cndWARN_DEPTH,                   // no distance or depth of two convex shapes
  cndWARN_MEMORY,                  // more constraints than cnd_memory has room for
  cndWARN_UNSOLVED,                // hard contacts end above their tolerance
  cndWARN_INVERSE,                 // no inverse dynamics to compare with forward dynamics
  cndWARN_DERIVATIVE,              // exact derivatives that are not finite
  cndWARN_CONTRADICTION,           // hard constraints that no motion obeys: that is proved

  cndWARN_END
} cndtWarning;

// Whether something sleeps, in later releases.
typedef enum mjtSleepState_ {
  mjS_STATIC = -1,  // it never moves
  mjS_ASLEEP = 0,   // it does
  mjS_AWAKE = 1     // it doesn't
} mjtSleepState;

// Stages whose time is added up in mjData.timer.
typedef enum mjtTimer_ {
  // public calls
  mjTIMER_STEP = 0,
  mjTIMER_FORWARD,
  mjTIMER_INVERSE,

  // parts of a step
  mjTIMER_POSITION,    // what depends on position
  mjTIMER_VELOCITY,    // what depends on velocity
  mjTIMER_ACTUATION,   // actuator forces
  mjTIMER_CONSTRAINT,  // constraint solver
  mjTIMER_ADVANCE,     // integration

  // parts of position
  mjTIMER_POS_KINEMATICS,  // poses, tendons, transmissions
  mjTIMER_POS_INERTIA,     // inertia matrix and its factors
  mjTIMER_POS_COLLISION,   // contacts
  mjTIMER_POS_MAKE,        // constraint rows
  mjTIMER_POS_PROJECT,     // constraint rows in force space

  // parts of collision
  mjTIMER_COL_BROAD,   // candidate pairs
  mjTIMER_COL_NARROW,  // shapes against each other

  mjNTIMER  // how many timers there are
} mjtTimer;

// One point where two objects touch or nearly touch.
struct mjContact_ {
  // geometry
  mjtNum dist;      // gap between the surfaces, m; negative if they overlap
  mjtNum pos[3];    // halfway between the surfaces, world frame, m
  mjtNum frame[9];  // rows: normal from the first to the second object, then two tangents

  // how it acts, mixed from both objects
  mjtNum includemargin;           // it takes part in the dynamics below this distance, m
  mjtNum friction[5];             // two tangents, spinning (m), two rolls (m)
  mjtNum solref[mjNREF];          // solver reference of the normal
  mjtNum solreffriction[mjNREF];  // solver reference of friction; zeros mean like the normal
  mjtNum solimp[mjNIMP];          // solver impedance
  mjtNum adhesion;                // force by which the surfaces attract each other, N
  mjtNum surfacevel[3];           // velocity of the second surface against the first, beyond that
                                  // of their bodies: two tangents (m/s), spin (rad/s)

  // of the solver, elliptic cones only
  mjtNum mu;     // opening of the cone after scaling, set with the constraint rows
  mjtNum H[36];  // Hessian of the cone's cost, dim x dim, set by mj_constraintUpdate

  // who touches
  int dim;      // 1, 3, 4 or 6 numbers of force
  int geom1;    // same as geom[0]
  int geom2;    // same as geom[1]
  int geom[2];  // geoms; -1 for a flex
  int flex[2];  // flexes; -1 for a geom
  int elem[2];  // flex elements; -1 for a geom or a vertex
  int vert[2];  // flex vertices; -1 for a geom or an element

  int exclude;  // 0 takes part; 1 in the gap, 2 fused, 3 nothing can move, 4 a passive force

  int efc_address;  // its first constraint row; -1 if it has none
};
typedef struct mjContact_ mjContact;

// How often a warning was raised.
struct mjWarningStat_ {
  int lastinfo;  // number attached to the last one: an index or a size
  int number;    // how often since the last reset
};
typedef struct mjWarningStat_ mjWarningStat;

// Time spent in a stage, in the unit of mjcb_time.
struct mjTimerStat_ {
  mjtNum duration;  // sum over all calls
  int number;       // calls
};
typedef struct mjTimerStat_ mjTimerStat;

// What one iteration of the constraint solver did.
struct mjSolverStat_ {
  mjtNum improvement;  // decrease of the cost, scaled by 1 / (mean inertia * nv)
  mjtNum gradient;     // norm of the gradient, scaled likewise; CG and Newton only
  mjtNum lineslope;    // slope at the end of the line search
  int nactive;         // rows that exert force
  int nchange;         // rows that changed their mjtConstraintState
  int neval;           // evaluations in the line search
  int nupdate;         // rank-one updates of the Hessian's factor
};
typedef struct mjSolverStat_ mjSolverStat;

// State, inputs, results and working memory. The meaning of each field is in condyle/data_table.h.
// clang-format off
struct mjData_ {
#define CND_DECLARE_BYTES(name, meaning) mjtSize name;
#define CND_DECLARE_SCALAR(type, name, meaning) type name;
#define CND_DECLARE_SCALAR_SINCE(release, type, name, meaning) type name;
#define CND_DECLARE_BYTES_VECTOR(name, n1, n2, meaning) mjtSize name[(n1) * (n2)];
#define CND_DECLARE_VECTOR(type, name, n1, n2, meaning) type name[(n1) * (n2)];
#define CND_DECLARE_ARRAY(type, name, rows, columns, meaning) type* name;
#define CND_DECLARE_SINCE(release, absent, type, name, rows, columns, meaning) type* name;
#define CND_DECLARE_SCALAR_SINCE(release, type, name, meaning) type name;
  CND_DATA_SCALARS(CND_DECLARE_BYTES, CND_DECLARE_SCALAR)
  CND_DATA_VECTORS(CND_DECLARE_BYTES_VECTOR, CND_DECLARE_VECTOR)
  void* buffer;  // memory of the arrays, nbuffer bytes
  void* arena;   // memory of contacts, rows and stack, narena bytes
  CND_DATA_ARRAYS(CND_DECLARE_ARRAY, CND_DECLARE_ARRAY)
  CND_DATA_ARENA_ARRAYS(CND_DECLARE_ARRAY, CND_DECLARE_ARRAY)
  CND_DATA_SCALARS_SINCE(CND_DECLARE_SCALAR_SINCE)
  CND_DATA_ARRAYS_SINCE(CND_DECLARE_SINCE)
  CND_DATA_ARRAYS_RESHAPED(CND_DECLARE_SINCE)
  CND_DATA_ARENA_SINCE(CND_DECLARE_SINCE)
  uint64_t signature;  // of the model for which it was made
  CND_DATA_PRIVATE_SCALARS(CND_DECLARE_SCALAR)
  CND_DATA_PRIVATE_VECTORS(CND_DECLARE_VECTOR)
  CND_DATA_PRIVATE_ARRAYS(CND_DECLARE_ARRAY)
  CND_DATA_PRIVATE_ARENA_ARRAYS(CND_DECLARE_ARRAY)
#undef CND_DECLARE_BYTES
#undef CND_DECLARE_SCALAR
#undef CND_DECLARE_SCALAR_SINCE
#undef CND_DECLARE_BYTES_VECTOR
#undef CND_DECLARE_VECTOR
#undef CND_DECLARE_ARRAY
#undef CND_DECLARE_SINCE
#undef CND_DECLARE_SCALAR_SINCE
};
// clang-format on
typedef struct mjData_ mjData;

// Functions that a user can hook into the pipeline.

// a stage
typedef void (*mjfGeneric)(const mjModel* m, mjData* d);

// tells if the pair of geoms shall NOT collide
typedef int (*mjfConFilt)(const mjModel* m, mjData* d, int geom1, int geom2);

// fills user sensors of a stage (mjtStage)
typedef void (*mjfSensor)(const mjModel* m, mjData* d, int stage);

// the time on the clock
typedef mjtNum (*mjfTime)(void);

// activation rate, gain or bias of actuator id
typedef mjtNum (*mjfAct)(const mjModel* m, const mjData* d, int id);

// what a program's own collider tells of a contact, since 3.9
struct mjPreContact_ {
  mjtNum dist;        // as in mjContact
  mjtNum pos[3];      // as in mjContact
  mjtNum normal[3];   // from the first to the second geom
  mjtNum tangent[3];  // first tangent; zeros: any
};
typedef struct mjPreContact_ mjPreContact;

// finds contacts of geoms g1 and g2 closer than margin, writes them to con, returns how many
typedef int (*cndfCollision)(const mjModel* m, mjData* d, mjPreContact* con, int g1, int g2,
                             mjtNum margin);
#if mjVERSION_API >= 400
typedef cndfCollision mjfCollision;
#else
typedef int (*mjfCollision)(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                            mjtNum margin);
#endif

#endif  // MUJOCO_MJDATA_H_
