// derive.h: computing everything in an mjModel that follows from the rest of it.
//
// The compiler writes an author's elements (bodies, joints, geoms, tendons, actuators ...); these
// functions write what can be computed from them. They work on a plain mjModel without its editable
// model, so a test can clear their outputs in any model and compute them again. Order of use:
//
//   derive_sizes       counts, before the arrays that have these sizes are allocated
//   derive_tree        addresses, roots, welds, trees, simple bodies, sameframe flags, collision
//                      masks of bodies, masses
//   structure_patterns (model/structure.h)   patterns of B, M, D and their maps; needs derive_tree
//   derive_bvh         BVHs of bodies; needs geom_aabb and the inertial frames of bodies
//   mj_setConst        everything evaluated at qpos0 and qpos_spring; needs all of the above and
//                      an mjData
//   derive_springdamper, mj_setLengthRange, derive_statistic   need mj_setConst
//
// They run while compiling, not while stepping: temporaries come from heap_take.
//                                                    theory/model/model.md, Reference configuration

#pragma once

#include <mujoco/mjdata.h>

#include "model/structure.h"

// Counts of the derived arrays.
typedef struct DeriveSizes_ {
  StructureCounts structure;
  int64_t nJmom;
  int64_t nemax;
  int64_t nbvhbody;  // nodes of body trees only, without meshes and flexes
} DeriveSizes;

// Counts the entries of derived arrays. Needs body_sameframe.
void derive_sizes(DeriveSizes* out, const mjModel* m);

// Number of elements of actuator_moment: the dofs of an actuator's joint; nv for other
// transmissions.
int64_t derive_momentsize(const mjModel* m, int64_t nv);

// out[nbody]: 0 if the rows of M of the body's dofs have off-diagonals, 1 if they are diagonal, 2
// if moreover all joints are slides. A body with a body_simple of 0 stays so; out may be
// body_simple.
void derive_simple(mjtByte* out, const mjModel* m);

// Relation of a body's inertial frame to the body frame (mjSAMEFRAME_BODY, _BODYROT or _NONE).
mjtSameFrame derive_bodyframe(const mjtNum ipos[3], const mjtNum iquat[4]);

// Relation of the frame of a geom or site to its body's frame and inertial frame: the first that
// fits in the order BODY, BODYROT, INERTIA, INERTIAROT, NONE.
mjtSameFrame derive_sameframe(const mjtNum pos[3], const mjtNum quat[4], const mjtNum ipos[3],
                              const mjtNum iquat[4]);

// Reads: sizes; body_{parentid, jntnum, jntadr, geomnum, geomadr, pos, quat, ipos, iquat, mass,
// gravcomp}; jnt_{type, bodyid, pos, axis}; geom_{bodyid, pos, quat, contype, conaffinity, margin};
// site_{bodyid, pos, quat}; tendons and wraps.
// Writes: body_{rootid, weldid, treeid, dofnum, dofadr, simple, sameframe, subtreemass, contype,
// conaffinity, margin}; jnt_{qposadr, dofadr}; dof_{bodyid, jntid, parentid, treeid, Madr,
// simplenum}; geom_sameframe, site_sameframe; ntree, ngravcomp.
void derive_tree(mjModel* m);

// body_subtreemass from body_mass; part of derive_tree and of mj_setConst.
void derive_subtreemass(mjModel* m);

// Writes body_bvhadr, body_bvhnum and the nodes of all bodies at the start of bvh_{depth,
// child, nodeid, aabb}. Needs geom_aabb, geom_pos, geom_quat and body_ipos, body_iquat.
// Returns the number of nodes.
int derive_bvh(mjModel* m);

// Fits the boxes of the trees of derive_bvh to changed frames of geoms and bodies. Which node holds
// what stays as it is.
void derive_refit(mjModel* m);

// mj_setConst for a model that is being compiled: damping ratios are resolved whatever its
// behaviours. Ends in mju_error where that does.
void derive_const(mjModel* m, mjData* d);

// mj_setConst without what stands for words of an author: damping ratios, open lengths of tendon
// springs, statistics stay. To be called under error_catch or error_pass. (set_const.c)
void derive_following(mjModel* m, mjData* d);

// Sets joint stiffness and damping from (time constant, damping ratio), njnt x 2. Joints where one
// of the two is not positive are unchanged. Needs mj_setConst.
void derive_springdamper(mjModel* m, const mjtNum* springdamper);

// Calls mj_setLengthRange for all actuators, with everything disabled that could disturb the motion
// (friction loss, contacts, springs, dampers, gravity, actuation) and the time step of the options.
// Returns -1, or the actuator that failed, with the reason in error.
int derive_lengthranges(mjModel* m, mjData* d, const mjLROpt* opt, char* error, int error_sz);

// Computes m->stat from the positions in d, which must be at qpos0 with M computed. Part of
// mj_setConst. A number that the model doesn't define (mean mass without bodies) is unchanged, so a
// fresh model needs the defaults: center 0, extent 2, meaninertia 1, meanmass 1, meansize 0.2.
void derive_measure(mjModel* m, const mjData* d);

// Replaces numbers of m->stat by the author's, where these are not NaN (center by its first
// component).
void derive_statistic(mjModel* m, const mjStatistic* author);

// Bytes of the arena of one mjData. memory and nstack are -1 if the author did not choose them;
// njmax and nconmax are read from m.
mjtSize derive_arena(const mjModel* m, mjtSize memory, mjtSize nstack);
