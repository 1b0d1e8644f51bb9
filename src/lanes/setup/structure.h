// structure.h: what the code in lanes knows of a model beyond mjModel: how its rows are cut into
// panels, which actuator moves which dof, and a slot for every row that there may ever be.
//
// In lanes all worlds go the same way, so everything that may happen has a fixed place: a slot. In
// a world in which it doesn't happen the slot's stiffness is zero, and slots that no world of a
// block uses are passed over. All this follows from the structure of the model (ids, types, flags),
// not from its numbers or options. It is made once for a batch and only read from then on.

#pragma once

#include <mujoco/mjmodel.h>
#include <stdint.h>

#include "lanes/setup/hulls.h"
#include "lanes/setup/why.h"
#include "model/data/apart.h"

// Symmetric matrices are stored by rows of their lower triangle, full, so that a row is found by
// its number whatever stands in it.
static inline int lane_row_at(int i) {
  return i * (i + 1) / 2;
}

// Up to PANEL_MOST dofs in a row, each the parent of the next. Their rows have the same columns
// left of the panel, and are eliminated together.
//
//                 columns     panel
//                 c   c c   c | 0
//                 c   c c   c | 1 0        the rows of M, L and H: some columns on the left,
//                 c   c c   c | 2 1 0      then the panel's own, the diagonal last
enum {
  PANEL_MOST = 4
};

enum {
  MOST_DUAL = 1 << 20,  // numbers of rows in PGS and NoSlip
  WAY_SIZE = 4,         // numbers that a world keeps of a pair that may be apart, see apart.h
  LIST_LEAST = 8        // pairs of each geom, beyond which near ones are listed
};

typedef struct LanePanel {
  int first, count;  // dofs
  int column, n;     // place in LanePattern.column, number of columns left of the panel
} LanePanel;

// What of a symmetric matrix, and of its L'DL factor, is not zero.
typedef struct LanePattern {
  int n, npanel;
  LanePanel* panel;  // ascending
  int* column;
} LanePattern;

// A set of dofs.
typedef struct LaneSet {
  uint64_t bits[MOST_DOFS / 64];
} LaneSet;

// What a scalar row costs; see law.h.
typedef enum LaneLaw {
  LANE_EQUALITY,       // D x^2 / 2
  LANE_ONE_SIDED,      // the same below zero, else nothing
  LANE_FRICTION_LOSS,  // the same up to a force
} LaneLaw;

// A side of a limit, or friction of a dof: a row whose Jacobian is one number, +1 or -1.
typedef struct LaneDofRow {
  LaneLaw law;
  int is_upper;  // side
  int dof, joint;
} LaneDofRow;

// An actuator, or the spring of a tendon. On scalar joints, of one joint or of a fixed tendon, its
// length is the sum of coefficient times qpos, its moment the coefficients; else it has a lever.
typedef struct LaneActuator {
  int id, term, nterm;  // id: of the actuator or tendon
  int lever;            // -1: it has terms
  int act;              // the activation that its force has, -1: none
  int muscle;           // -1: it is none
} LaneActuator;

// What a length that is no sum of coordinates moves: its gradient, found in every step, on the dofs
// that can change it, ascending.
typedef struct LaneLever {
  int dof, ndof;  // place in lever_dof, and of its numbers
} LaneLever;

typedef struct LaneLeverDof {
  int dof, parent;  // parent: the next of the lever's dofs that carries this one, -1: none
  int holds;        // forces begin here, or more than the dof after it hangs on it
} LaneLeverDof;

// The path of a tendon in space, a piece after the other, each from site to site.
typedef struct LanePath {
  int lever;  // -1: it is a fixed tendon
  int piece, npiece;
} LanePath;

typedef struct LanePiece {
  int point[2];  // its ends
  int wrapped;   // the geom that may be in the way, -1: none
  int side;      // the point to pass by, -1: none
  int pulley;    // wrap_prm of the pulley before it, -1: none
  int entry[3];  // of the forces at its ends and on the geom, among the lever's dofs, -1: none
} LanePiece;

// A site on paths, and a geom that they wrap.
typedef struct LanePoint {
  int site, body;
} LanePoint;

typedef struct LaneWrapped {
  int geom, body, is_sphere;
} LaneWrapped;

// An actuator with a lever of its own: on a ball or free joint, on sites, on a body.
typedef struct LaneTransmission {
  int actuator, lever;
  int body[2], entry[2];  // of its sites
} LaneTransmission;

typedef struct LaneTerm {
  int dof, qpos, wrap;  // wrap: in a tendon, -1 for a joint of its own
} LaneTerm;

// How a contact is found.
typedef enum LaneShape {
  SHAPE_SPHERE,  // on a fixed plane
  SHAPE_UPPER,   // end of a capsule on a fixed plane
  SHAPE_LOWER,
  SHAPE_FOUND  // by the collider of its pair
} LaneShape;

// A contact that may be.
typedef struct LaneContact {
  LaneShape shape;
  int geom1, geom2, explicit_pair;  // -1: none
  int body[2];                      // of the geoms, 0 if they are fixed
  int dim;
  int coupling;  // of the two bodies, -1 if it has no J
  int J;         // place of its Jacobian: a dof after the other
  int rank;      // in the order of mj_collision
} LaneContact;

enum {
  MOST_TOUCHES = 32
};

// Who finds the contacts of a pair.
typedef enum LanePairKind {
  PAIR_ROUND,    // two spheres or capsules
  PAIR_PLANE,    // a plane and a box, cylinder, ellipsoid or mesh
  PAIR_BOUNDED,  // two convex ones, whose collider makes no contact of geoms that are apart
  PAIR_OTHER     // any others, or a collider of the program
} LanePairKind;

// Two geoms whose contacts are found by their collider, world by world, where they are near.
typedef struct LanePair {
  int geom1, geom2, explicit_pair;
  int contact, ncontact;  // slots
  LanePairKind kind;
  int way;  // place of what a world keeps of it, see apart.h; -1: nothing
} LanePair;

// Dofs that rows couple, ascending. Of a contact of two bodies they are those that move one but not
// the other.
typedef struct LaneCoupling {
  int body[2];
  int coupled_row;  // whose dofs these are; -1: those of the bodies
  int dof, ndof;
  int inner;  // all are on one path of the tree, where M has room for them
} LaneCoupling;

enum {
  SIDE_BOTH = 2
};

typedef struct LaneCoupledDof {
  int dof, side;  // 0, 1: the body that it moves, or SIDE_BOTH
} LaneCoupledDof;

// An equality, a limit of a ball joint, or a limit or friction of a tendon: rows with a
// Jacobian on the dofs of a coupling of their own.
typedef enum LaneCoupledRowKind {
  COUPLED_POLYNOMIAL,  // of joints or fixed tendons
  COUPLED_POINT,       // connect
  COUPLED_FRAME,       // weld
  COUPLED_LOWER,       // a side of a tendon's range
  COUPLED_UPPER,
  COUPLED_FRICTION,  // of a tendon
  COUPLED_BALL       // the limit of a ball joint
} LaneCoupledRowKind;

typedef struct LaneCoupledRow {
  LaneCoupledRowKind kind;
  LaneLaw law;
  int id;       // of the equality, tendon or joint
  int body[2];  // of points and frames
  int nrow, coupling;
  int dof, ndof;  // of its coupling
  int J;          // place of its Jacobian: a dof after the other
} LaneCoupledRow;

// A row of one dof, or a coupled row.
typedef struct LaneScalar {
  int is_coupled_row, index;
} LaneScalar;

// A piece of a body that moves in a fluid: one of its ellipsoids, or its inertia box.
typedef struct LaneFluid {
  int body, geom;  // -1: the box
} LaneFluid;

typedef struct LaneSensor {
  int body[2];  // of its frame and that of its reference
} LaneSensor;

// A frame attached to a body, as the model has it.
typedef struct LaneFrame {
  int body, same;  // same: mjtSameFrame
  const mjtNum *pos, *quat;
} LaneFrame;

// All arrays: (kind, name, the most that there may be).
#define STRUCTURE(X)                                                                              \
  X(LanePanel, panel, m->nv)                                                                      \
  X(int, column, lane_row_at(m->nv))                                                              \
  X(LaneSet, ancestors, m->nv) /* of each dof */                                                  \
  X(int, hinge, m->njnt)       /* joints */                                                       \
  X(LaneDofRow, row, m->nv + 2 * m->njnt)                                                         \
  X(LaneActuator, actuator, m->nu)                                                                \
  X(LaneActuator, spring, m->ntendon) /* tendons whose length somebody asks for */                \
  X(int, spring_of, m->ntendon)       /* of each tendon, in spring */                             \
  X(LaneTerm, term, m->nu + (m->nu + 1) * m->nwrap)                                               \
  X(mjtByte, mark, m->nv)    /* of dofs, while levers are made */                                 \
  X(int, pulled, m->ntendon) /* tendons with a range of their actuators' force */                 \
  X(LanePath, path, m->ntendon)                                                                   \
  X(LanePiece, piece, m->nwrap)                                                                   \
  X(LanePoint, point, m->nsite)                                                                   \
  X(LaneWrapped, wrapped, m->nwrap)                                                               \
  X(LaneTransmission, transmission, m->nu)                                                        \
  X(LaneLever, lever, m->ntendon + m->nu)                                                         \
  X(LaneLeverDof, lever_dof, (m->ntendon + m->nu) * m->nv)                                        \
  X(LaneCoupledRow, coupled_row, m->neq + 3 * m->ntendon + m->njnt)                               \
  X(LaneCoupling, coupling, m->neq + 3 * m->ntendon + m->njnt + npair)                            \
  X(LaneCoupledDof, coupled, (m->neq + 3 * m->ntendon + m->njnt + npair) * m->nv)                 \
  X(LaneContact, contact, MOST_CONTACTS* npair) /* first nplane on planes, then those of pairs */ \
  X(LanePair, pair, npair)                                                                        \
  X(int, mover, m->ngeom) /* geoms that may move */                                               \
  X(mjtByte, moves, m->ngeom)                                                                     \
  X(LaneScalar, scalar,                                                                           \
    m->nv + 3 * m->njnt + m->neq + 3 * m->ntendon) /* in the order of the scalar engine */        \
  X(LaneFluid, fluid, m->nbody + m->ngeom)                                                        \
  X(LaneSensor, sensor, m->nsensor)

typedef struct LaneStructure {
  const mjModel* m;
#define DECLARE(kind, name, most) kind* name;
  STRUCTURE(DECLARE)
#undef DECLARE
  int nhinge, nrow, nactuator, nspring, nterm, ncoupled_row, ncoupled_row_J;
  int npulled, npiece, npoint, nwrapped, ntransmission, nlever, nlever_dof, nmuscle;
  int adheres;  // some actuator pulls at contacts, which have to be found before
  int ncontact, ncontactJ, nplane, npair, nway, ncoupling, ncoupled, nmover;
  int list_words;  // of the list of near pairs that a world keeps; 0: all pairs are always asked
  int ntouch;      // pairs of meshes of which a world keeps how they touched, see rows/touches.h
  int nfluid;
  int ndual;                    // numbers that PGS and NoSlip have of rows
  int nscalar_dual;             // of all rows but contacts
  int fits_dual;                // whether these are not too many
  const SupportPoints** hulls;  // of meshes that may meet others; NULL if there are none
  LanePattern M;   // all ancestors, those of simple dofs too: M has zeros there, but H has not
  uint64_t stamp;  // of the model it was made from
  int minimum;     // models that allow few iterations are taken to their minimum
  int filters;     // parents and children don't touch
  int senses[NEEDS_LANES];  // whether some sensor has that need
  char why[200];            // why the model can't be stepped in lanes; empty if it can
  char why_sensors[200];    // why sensors can't be read in lanes
} LaneStructure;

// How two meshes touched.
typedef struct LaneTouch {
  Touch touch;
  Hold hold;
} LaneTouch;

// What a world keeps of its touching pairs.
typedef struct LaneTouches {
  int next;                // the place that is given away next
  int pair[MOST_TOUCHES];  // plus 1
  LaneTouch touch[];       // ntouch of them
} LaneTouches;

// Of meshes that touch each other or boxes. type1 <= type2
static inline int pair_keeps_touch(int type1, int type2) {
  return type2 == mjGEOM_MESH && (type1 == mjGEOM_MESH || type1 == mjGEOM_BOX);
}

static inline size_t touches_bytes(const LaneStructure* s) {
  return s->ntouch ? sizeof(LaneTouches) + (size_t)s->ntouch * sizeof(LaneTouch) : 0;
}

// The words of a set that n dofs fill.
static inline int set_words(int n) {
  return (n + 63) / 64;
}

static inline void set_add(LaneSet* set, int dof) {
  set->bits[dof / 64] |= (uint64_t)1 << (dof % 64);
}

static inline int set_has(const LaneSet* set, int dof) {
  return set->bits[dof / 64] >> (dof % 64) & 1;
}

// The place among a lever's dofs of the last one that is `dof` or carries it; -1: there is none.
static inline int lever_entry(const LaneStructure* s, const LaneLever* lever, int dof) {
  for (; dof >= 0; dof = s->m->dof_parentid[dof]) {
    for (int k = 0; k < lever->ndof; k++) {
      if (s->lever_dof[lever->dof + k].dof == dof) {
        return k;
      }
    }
  }
  return -1;
}

// Whether ids, types or flags of the model are others than when the structure was made.
int structure_is_stale(const LaneStructure* s);

// Makes the structure of a model, which must outlive it. If the model can't be stepped in lanes it
// says so in `why`. Returns NULL if memory is out.
LaneStructure* structure_make(const mjModel* m);
void structure_free(LaneStructure* s);

// Makes the tables of the meshes of its pairs, which take some milliseconds: without them every
// step copies vertices. Returns 0 if memory is out.
int structure_hulls(LaneStructure* s);

// The frame of an object, of the world for one that has none; of a sensor's object and reference.
LaneFrame lane_frame(const mjModel* m, int type, int id);
LaneFrame lane_sensor_frame(const mjModel* m, int sensor, int is_reference);
