// work.h: what a thread works with: the state of the worlds of a block, and everything computed in
// a step, [index][lane]. One block of memory, taken when the batch is made and used for every block
// of worlds.

#pragma once

#include <string.h>

#include "base/algebra/vec.h"
#include "base/joint.h"
#include "lanes/algebra.h"
#include "lanes/lanes.h"
#include "lanes/setup/constants.h"

// A contact. x and v have a number for each of its directions: along the normal, then along
// tangents t, b, about n, and about t, b, those times their friction coefficients.
typedef struct ContactSlot {
  Real3 n, t, b;   // normal, tangents
  Real3 point;     // where it is, if a collider of two geoms has found it
  Real dist;       // and their distance
  Real3 r;         // from the com of the second body's tree to the point (of the first's if the
                   // second is fixed)
  Real3 r1;        // from the com of the first body's tree to the point
  Real stiffness;  // D of all its rows (of the first of a cone); 0 where there is no contact
  Real x[6];       // J a - a_ref; with PGS J a0 - a_ref
  Real v[6];       // J s; with PGS the forces, at its end
} ContactSlot;

// A pair of geoms that are near in some lanes, and how many of its slots are used.
typedef struct NearPair {
  int pair, used;
  unsigned lanes;
} NearPair;

// Rows that PGS visits together, and what it keeps of them.                          pgs.h
typedef struct DualGroup {
  int dim, edges, nrow;  // rows are the directions themselves, or edges c_0 + c_k, c_0 - c_k
  int cone, slips;       // rows of an elliptic contact; friction of a dof or tendon
  int second;            // the first row whose regularizer is R[1]
  int n, *dof;           // dofs, descending
  Mask on;               // lanes that have the rows
  Real low, high;        // bounds of a force
  Real R[2], mu;         // regularizer; R[1]: of rows 3 to 5 of a weld, of friction of a cone
  Real *B, *G;           // n x dim; dim x dim
  Real *f, *diagonal, *inverse;  // nrow
  Real *b, *out;                 // dim: b; products, and in the end forces
} DualGroup;

// The island of a tree: see islands.h.
typedef struct LaneIsland {
  Real root;   // the number of its smallest tree
  Mask used;   // lanes in which it has rows
  Mask live;   // and in which its solver goes on
  Real scale;  // what makes its costs dimensionless
} LaneIsland;

// A tree that is in some lanes in the island of a smaller one.
typedef struct LaneJoin {
  int tree, root;
  Mask in;
} LaneJoin;

// The line search of an island, at its smallest tree.                              newton.h
typedef struct LaneLine {
  Real along, bend, parts;  // of the Gauss term: slope and curvature, sizes of the slope's parts
  Real length, enough;      // of s; the slope that ends it
  Mask open;                // lanes that search, which end without the minimum if they still do
  Real low, high, width;    // the bracket of the minimum; its width before
  Real slope;               // where lanes that are open end
  Real gain, noise;         // the decrease of P, and what of it is rounding
  Mask lost;                // lanes whose P has grown
} LaneLine;

// A point of a line search by a bracket: step, change of the cost against the start, slope,
// curvature.
typedef struct BracketPoint {
  Real alpha, cost, slope, curvature;
} BracketPoint;

// The same by a bracket.                                                           bracket.h
typedef struct Bracket {
  Mask open;    // lanes that search
  Real count;   // evaluations
  Real result;  // the step
  BracketPoint at, x0, x1, x2, y1, y2, middle;
} Bracket;

// A geom that strings wrap, in the world.
typedef struct WrapPose {
  Real3 centre;
  Real33 axes;  // by rows
} WrapPose;

// Some dofs, first to before end.
typedef struct LaneRange {
  int first, end, tree;  // tree: whose they are, see islands.h
} LaneRange;

typedef struct CoupledSlot {
  int on;
  Real stiffness, spin;  // D of its rows; spin: of the rotations of a frame
  Real x[6], v[6];
} CoupledSlot;

typedef struct DofRowSlot {
  const LaneDofRow* of;
  const Constant* eta;
  Real stiffness;  // D
  Real most;       // of friction, the x beyond which the force is eta
  Real x, v;
} DofRowSlot;

// The stiffness of what hangs on a body, about the com of its tree: torque and force against
// rotation and translation.
typedef struct Stiffness21 {
  Real ww[6];  // xx yy zz xy xz yz
  Real wu[9];  // by rows
  Real uu[6];
} Stiffness21;

// All arrays: (kind, name, length).
#define WORK(X)                                                                                  \
  /* state and inputs */                                                                         \
  X(double, time, LANES)                                                                         \
  X(double, steplength, LANES)                                                                   \
  X(Real, qpos, m->nq)                                                                           \
  X(Real, qvel, nv)                                                                              \
  X(Real, act, m->na)                                                                            \
  X(Real, ctrl, m->nu)                                                                           \
  X(Real, warm, nv)                                                                              \
  X(Real, applied, nv)                                                                           \
  X(Real, xfrc, 6 * nbody)                                                                       \
  X(Real, active, m->neq) /* 1 where an equality is, else 0 */                                   \
  X(Real, mocap_pos, 3 * m->nmocap)                                                              \
  X(Real, mocap_quat, 4 * m->nmocap)                                                             \
  X(mjtNum, numbers, nnumber)    /* of the model of one world */                                 \
  X(Constant, constant, nnumber) /* the same for all lanes */                                    \
  /* position */                                                                                 \
  X(Real, sine, s->nhinge) /* of half the angle of each hinge */                                 \
  X(Real, cosine, s->nhinge)                                                                     \
  X(Real3, xpos, nbody)                                                                          \
  X(Real3, xipos, nbody)                                                                         \
  X(Real4, xquat, nbody)                                                                         \
  X(Real33, xmat, nbody)                                                                         \
  X(Real3, axis, m->njnt)                                                                        \
  X(Real3, anchor, m->njnt)                                                                      \
  X(Real3, com, nbody) /* of trees, at their roots */                                            \
  X(Real6, cdof, nv)                                                                             \
  X(Inertia10, cinert, nbody)                                                                    \
  X(Inertia10, crb, nbody)                                                                       \
  X(Real, M, lane_row_at(nv)) /* inertia matrix */                                               \
  X(Real, L, lane_row_at(nv)) /* and its factor */                                               \
  /* velocity and forces */                                                                      \
  X(Real6, cvel, nbody)                                                                          \
  X(Real6, cacc, nbody) /* without qacc */                                                       \
  X(Real6, cfrc, nbody)                                                                          \
  X(Real6, total, nbody) /* cacc, cfrc_ext, cfrc_int, if somebody asks */                        \
  X(Real6, external, nbody)                                                                      \
  X(Real6, internal, nbody)                                                                      \
  X(Real, moving, nv) /* the velocity to which all this belongs */                               \
  X(Real, bias, nv)                                                                              \
  X(Real, passive, nv)                                                                           \
  X(Real, lift, nv)                                                                              \
  X(Real, actuator, nv)                                                                          \
  X(Real, smooth, nv)                                                                            \
  X(Real, acc_smooth, nv)                                                                        \
  X(Real, length, m->nu) /* of actuators */                                                      \
  X(Real, velocity, m->nu)                                                                       \
  X(Real, force, m->nu)                                                                          \
  X(Real, act_dot, m->nu)                                                                        \
  X(Real3, point, s->npoint) /* of paths */                                                      \
  X(WrapPose, wrapped, s->nwrapped)                                                              \
  X(Real, lever, s->nlever_dof)                                                                  \
  X(Real, lever_length, s->nlever)                                                               \
  X(Real6, pull, nv) /* what a unit force of a lever does on its dofs' bodies */                 \
  X(Real, tendon_length, s->nspring)                                                             \
  X(Real, tendon_velocity, s->nspring)                                                           \
  /* constraints */                                                                              \
  X(DofRowSlot, row, s->nrow)                                                                    \
  X(CoupledSlot, coupled_row, s->ncoupled_row)                                                   \
  X(Real, coupled_row_J, s->ncoupled_row_J)                                                      \
  X(ContactSlot, contact, s->ncontact)                                                           \
  X(int, met, s->ncontact)       /* contacts that some lane has, ascending */                    \
  X(mjtByte, alike, s->ncontact) /* which differ from the one before in their place alone */     \
  X(int, all_met, s->ncontact)   /* the same, while a solver leaves some out */                  \
  X(int, grounded, nbody)        /* bodies with contacts without J, and what carries them */     \
  X(Real6, twist, nbody)                                                                         \
  X(Real6, wrench, nbody)                                                                        \
  X(Stiffness21, stiffness, nbody)                                                               \
  X(int, is_stiff, nbody) /* whether there is anything in it yet */                              \
  X(Real, acc, nv)                                                                               \
  X(Real, Ma, nv)                                                                                \
  X(Real, search, nv)                                                                            \
  X(Real, Mv, nv)                                                                                \
  X(Real, grad, nv)                                                                              \
  X(Real, constraint, nv)                                                                        \
  X(Real, held, nv) /* constraint before an iteration */                                         \
  X(Real, H, lane_row_at(nv))                                                                    \
  X(Real, U, lane_row_at(nv)) /* above the diagonal, where H isn't symmetric: implicit.h */      \
  X(Real66, coriolis, nbody)                                                                     \
  X(Real6, rate, nv)                                                                             \
  X(LanePanel, wide_panel, nv) /* of the pattern of H with couplings */                          \
  X(int, wide_column, nv* nv)                                                                    \
  X(LaneSet, reach, nv) /* the columns of its rows */                                            \
  X(Real, contact_J, s->ncontactJ)                                                               \
  /* islands */                                                                                  \
  X(LaneIsland, island_of, m->ntree)                                                             \
  X(LaneJoin, join, LANES * m->ntree)                                                            \
  X(mjtByte, is_live, m->ntree) /* trees that go on in some lane, see live.h */                  \
  X(LaneRange, live, m->ntree)                                                                   \
  X(LanePanel, live_panel, nv)                                                                   \
  X(LaneLine, line, m->ntree)                                                                    \
  X(Real, step, m->ntree) /* of each tree that of its island */                                  \
  X(Real, slope, m->ntree)                                                                       \
  X(Real, curvature, m->ntree)                                                                   \
  X(Real, change, m->ntree) /* of the cost */                                                    \
  X(Real, change_size, m->ntree)                                                                 \
  X(Real, grad_length, m->ntree)                                                                 \
  X(Real, last_length, m->ntree)                                                                 \
  /* descents that end early */                                                                  \
  X(Bracket, bracket, m->ntree)                                                                  \
  X(Real, residual, nv) /* M a - tau0 */                                                         \
  X(Real, gradient, nv) /* M^-1 grad, of conjugate gradients */                                  \
  X(Real, gradient_old, nv)                                                                      \
  /* PGS */                                                                                      \
  X(DualGroup, group, s->nrow + s->ncoupled_row + s->ncontact)                                   \
  X(Real, dual, s->ndual) /* the numbers of groups, one after the other */                       \
  X(int, dual_dof, s->ndual)                                                                     \
  X(Real, root, nv) /* D^-1/2 of M = L'DL */                                                     \
  X(Real, z, nv)    /* B' f */                                                                   \
  /* what colliders need */                                                                      \
  X(Real3, centre, m->ngeom)                                                                     \
  X(Real3, arm, m->ngeom)                                                                        \
  X(NearPair, near, s->npair)                                                                    \
  X(int, listed, s->npair)          /* pairs that are asked, see near.h */                       \
  X(Real3, listed_centre, m->ngeom) /* where geoms were when they were listed */                 \
  X(Real3, listed_arm, m->ngeom)                                                                 \
  X(Real, path, m->ngeom)            /* how far geoms have come, see gaps.h */                   \
  X(Real4, path_quat, nbody)         /* of the step before */                                    \
  X(Real, gap_end, s->npair)         /* sum of two paths until which geoms are apart */          \
  X(int, gap_epoch, s->npair)        /* of paths to which that belongs */                        \
  X(Real33, axes, m->ngeom)          /* of geoms, if some lane needs them */                     \
  X(int, has_axes, m->ngeom)         /* whether they are those of this step */                   \
  X(int, given, m->ngeom)            /* the lane whose pose of a geom is in d, -1: none */       \
  X(float, ways, LANES * s->nway)    /* of lanes whose world keeps none */                       \
  X(LaneTouch, spare, s->ntouch > 0) /* of a pair that has no place yet */                       \
  X(mjContact, found, mjMAXCONPAIR)                                                              \
  /* sensors */                                                                                  \
  X(Real3, subtree_com, nbody)                                                                   \
  X(Real6, momentum, nbody) /* of subtrees */                                                    \
  X(Real, sensordata, m->nsensordata)                                                            \
  X(mjContact, told, s->senses[NEEDS_CONTACTS] ? s->ncontact : 0) /* of one lane, for sensors */ \
  X(int, told_order, s->senses[NEEDS_CONTACTS] ? s->ncontact : 0)                                \
  X(mjtNum, told_force, s->senses[NEEDS_CONTACTS] ? 12 * s->ncontact : 0)                        \
  /* Runge-Kutta: the state at the start of a step, the mean of the rates of its evaluations */  \
  X(Real, start_qpos, m->nq)                                                                     \
  X(Real, start_qvel, nv)                                                                        \
  X(Real, start_act, m->na)                                                                      \
  X(Real, mean_qvel, nv)                                                                         \
  X(Real, mean_acc, nv)                                                                          \
  X(Real, mean_act_dot, m->nu)

struct Work {
  const LaneStructure* s;
  const mjModel* m;
  mjData* d;  // of colliders
  Constants constants;
#define DECLARE(kind, name, length) kind* name;
  WORK(DECLARE)
#undef DECLARE
  int has_cones;           // contacts have elliptic ones
  int is_short;            // few iterations are allowed: the points on the way to the minimum count
  int ntree, njoin;        // trees of islands, 1 if all count as one; of join
  int has_forces;          // forces stand in v of rows, and don't follow from x
  int is_dual;             // PGS finds forces, not Newton's method accelerations
  int flows;               // bodies move in a fluid
  int lifts;               // some world compensates gravity
  int damps_implicitly;    // some world does, with Euler
  int pushed;              // some world has applied forces on bodies
  unsigned failed;         // lanes that the scalar engine has to step
  unsigned unsolved;       // of them those whose solver has not come to the minimum
  int nlive;               // of live
  const LanePattern* own;  // of M where a solver looks at it
  LanePattern live_own;
  int nrow, nmet;              // of row, met
  int lists, nlisted;          // whether pairs are listed
  int is_placed;               // geoms that never move are
  Real slack;                  // of the lists of lanes
  int path_steps, path_epoch;  // steps until sums of paths begin anew; how often they have
  LaneCount count;
  uint64_t* list[LANES];  // the row of each lane's world, see near.h; NULL if it has none
  float* way[LANES];      // of each pair with a collider that looks for one, the direction from the
      // first to the second along which they were apart, in the axes of the first,
      // and how often it was of no use
  LaneTouches* touches[LANES];  // of each lane's world, see touches.h; NULL if it has none
  int has_grounded;
  int coupled;            // contacts couple bodies that both move
  int has_rows;           // some lane has
  int ngroup, dual_used;  // of PGS
  LanePattern wide;       // of H with couplings
};

// Lays the arrays behind a Work; without a block they are only counted. Returns the bytes of all.
static size_t work_place(Work* w, char* block, const LaneStructure* s) {
  const mjModel* m = s->m;
  size_t at = (sizeof(Work) + 63) / 64 * 64, nnumber = constants_place(&w->constants, NULL, s);
  int nv = m->nv, nbody = m->nbody;
#define PLACE(kind, name, length)                      \
  w->name = block ? (kind*)(void*)(block + at) : NULL; \
  at += ((size_t)(length) * sizeof(kind) + 63) / 64 * 64;
  WORK(PLACE)
#undef PLACE
  constants_place(&w->constants, w->constant, s);
  w->wide.panel = w->wide_panel;
  w->wide.column = w->wide_column;
  return at;
}

// Whether none of these flags, which switch something off, is set.
INLINE int lane_is_on(const Work* w, int disabling) {
  return !(w->m->opt.disableflags & disabling);
}
