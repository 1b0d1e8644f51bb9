// work.h: what a thread works with: the state of the worlds of a block, and everything computed in
// a step, [index][lane]. One block of memory, taken when the batch is made and used for every block
// of worlds.

#pragma once

#include <string.h>

#include "lanes/constants.h"

// A contact slot. x and v hold the normal direction c_0 and then phi_k c_k, for k = 1 .. dim - 1.
typedef struct ContactSlot {
  Real3 n, t, b;   // normal, tangents
  Real3 point;     // of a pair: where it is
  Real dist;       //
  Real3 r, r1;     // from the coms of the trees of its mover and of the first body to the point
  Real stiffness;  // D of all its rows (of the first of a cone); 0 where there is no contact
  Real x[6];       // J a - a_ref
  Real v[6];       // J s
} ContactSlot;

// A pair of geoms that are near in some lanes, and how many of its slots are used.
typedef struct NearPair {
  int pair, used;
  unsigned lanes;
} NearPair;

// Rows that PGS visits together, and what it keeps of them.                          pgs.h
typedef struct DualGroup {
  int dim, edges, nrow;  // rows are the directions themselves, or edges c_0 + c_k, c_0 - c_k
  int n, *dof;           // dofs, descending
  Mask on;               // lanes that have the rows
  Real low, high;        // bounds of a force
  Real R[2];             // regularizer; R[1]: of rows 3 to 5 of a weld
  Real *B, *G;           // n x dim; dim x dim
  Real *f, *diagonal, *inverse;  // nrow
  Real *b, *out;                 // dim: b; products, and in the end forces
} DualGroup;

typedef struct TieSlot {
  int on;
  Real stiffness, spin;  // D of its rows; spin: of the rotations of a frame
  Real x[6], v[6];
} TieSlot;

typedef struct DofRowSlot {
  int on;
  Real stiffness;  // D
  Real x, v;
} DofRowSlot;

// The stiffness of what hangs on a body, about the com of its tree: torque and force against
// rotation and translation.
typedef struct Stiffness21 {
  Real ww[6];  // xx yy zz xy xz yz
  Real wu[9];  // by rows
  Real uu[6];
} Stiffness21;

// The state at the start of a Runge-Kutta step, and the mean of the rates of its evaluations.
typedef struct RungeKuttaStart {
  Real *qpos, *qvel, *act;
} RungeKuttaStart;

typedef struct RungeKuttaRates {
  Real *qvel, *acc, *act_dot;
} RungeKuttaRates;

typedef struct Work {
  const LaneStructure* s;
  const mjModel* m;
  Constants constants;

  // state and inputs
  double *time, *steplength;  // LANES
  Real *qpos, *qvel, *act, *ctrl, *warm, *applied, *xfrc;
  Real* active;  // 1 where an equality is, else 0
  Real *mocap_pos, *mocap_quat;
  int pushed;       // some world has applied forces on bodies
  unsigned failed;  // lanes that the scalar engine has to step

  // position
  Real *half, *sine, *cosine;  // of half the angle of each hinge
  Real3 *xpos, *xipos;
  Real4* xquat;
  Real33* xmat;
  Real3 *axis, *anchor;  // of joints
  Real3* com;            // of trees, at their roots
  Real6* cdof;
  Inertia10 *cinert, *crb;
  Real *M, *L;  // inertia matrix and its factor

  // velocity and forces
  Real6 *cvel, *cacc, *cfrc;           // cacc: without qacc
  Real6 *total, *external, *internal;  // cacc, cfrc_ext, cfrc_int, if somebody asks
  Real* moving;                        // the velocity to which all this belongs
  Real *bias, *passive, *lift, *actuator, *smooth, *acc_smooth;
  Real *length, *velocity, *force, *act_dot;  // of actuators
  Real *tendon_length, *tendon_velocity;      // of those with springs or sensors

  // constraints
  DofRowSlot* row;
  TieSlot* tie;
  Real* tie_J;
  ContactSlot* contact;
  int *met, nmet;               // contacts that some lane has, ascending
  int has_grounded, *grounded;  // bodies with contacts without J, and what carries them
  int coupled;                  // contacts tie bodies that both move
  Real6 *twist, *wrench;
  Stiffness21* stiffness;
  int has_rows;
  Real *acc, *Ma, *search, *Mv, *grad, *constraint;
  Real* H;
  LanePattern wide;  // of H with couplings
  LaneSet* reach;    // the columns of its rows
  Real* contact_J;

  // PGS
  DualGroup* group;
  int ngroup, dual_used, *dual_dof;
  Real* dual;      // the numbers of groups, one after the other
  Real *root, *z;  // D^-1/2 of M = L'DL; B' f

  // what colliders need
  Real3 *centre, *arm;  // of geoms
  NearPair* near;
  int* given;  // the lane whose pose of a geom is in d
  mjData* d;
  mjContact* found;

  // sensors
  Real3* subtree_com;
  Real6* momentum;  // of subtrees
  Real* sensordata;

  RungeKuttaStart start;
  RungeKuttaRates mean;
} Work;

// A place in the block of memory: first to count bytes with block == NULL, then to hand them out.
typedef struct Layout {
  char* block;
  size_t used;
} Layout;

static void* place(Layout* at, int n, size_t size) {
  size_t from = at->used;
  at->used += ((size_t)n * size + 63) / 64 * 64;
  return at->block ? at->block + from : NULL;
}

#define PLACE(field, n) (field) = place(at, (n), sizeof(*(field)))

static void place_constants(Layout* at, Constants* c, const LaneStructure* s) {
  const mjModel* m = s->m;
  PLACE(c->body, m->nbody);
  PLACE(c->joint, m->njnt);
  PLACE(c->dof, m->nv);
  PLACE(c->qpos0, m->nq);
  PLACE(c->spring, m->nq);
  PLACE(c->row, s->nrow);
  PLACE(c->drive, s->ndrive);
  PLACE(c->coefficient, s->nterm);
  PLACE(c->tendon, s->nspring);
  PLACE(c->tie, s->ntie);
  PLACE(c->tie_length, s->ncoupled);
  PLACE(c->contact, s->ncontact);
  PLACE(c->geom, m->ngeom);
  PLACE(c->pair, s->npair);
  PLACE(c->sensor, m->nsensor);
}

static void place_work(Layout* at, Work* w, const LaneStructure* s) {
  const mjModel* m = s->m;
  int nv = m->nv, nbody = m->nbody, nhinge = s->nhinge;
  PLACE(w->time, LANES);
  PLACE(w->steplength, LANES);
  PLACE(w->qpos, m->nq);
  PLACE(w->qvel, nv);
  PLACE(w->act, m->na);
  PLACE(w->ctrl, m->nu);
  PLACE(w->warm, nv);
  PLACE(w->applied, nv);
  PLACE(w->xfrc, 6 * nbody);
  PLACE(w->active, m->neq);
  PLACE(w->mocap_pos, 3 * m->nmocap);
  PLACE(w->mocap_quat, 4 * m->nmocap);
  place_constants(at, &w->constants, s);

  PLACE(w->half, nhinge);
  PLACE(w->sine, nhinge);
  PLACE(w->cosine, nhinge);
  PLACE(w->xpos, nbody);
  PLACE(w->xipos, nbody);
  PLACE(w->xquat, nbody);
  PLACE(w->xmat, nbody);
  PLACE(w->axis, m->njnt);
  PLACE(w->anchor, m->njnt);
  PLACE(w->com, nbody);
  PLACE(w->cdof, nv);
  PLACE(w->cinert, nbody);
  PLACE(w->crb, nbody);
  PLACE(w->M, row_at(nv));
  PLACE(w->L, row_at(nv));
  PLACE(w->cvel, nbody);
  PLACE(w->cacc, nbody);
  PLACE(w->cfrc, nbody);
  PLACE(w->total, nbody);
  PLACE(w->external, nbody);
  PLACE(w->internal, nbody);
  PLACE(w->moving, nv);
  PLACE(w->bias, nv);
  PLACE(w->passive, nv);
  PLACE(w->lift, nv);
  PLACE(w->actuator, nv);
  PLACE(w->smooth, nv);
  PLACE(w->acc_smooth, nv);
  PLACE(w->length, m->nu);
  PLACE(w->velocity, m->nu);
  PLACE(w->force, m->nu);
  PLACE(w->act_dot, m->nu);
  PLACE(w->tendon_length, s->nspring);
  PLACE(w->tendon_velocity, s->nspring);
  PLACE(w->row, s->nrow);
  PLACE(w->tie, s->ntie);
  PLACE(w->tie_J, s->ntieJ);
  PLACE(w->contact, s->ncontact);
  PLACE(w->met, s->ncontact);
  PLACE(w->grounded, nbody);
  PLACE(w->twist, nbody);
  PLACE(w->wrench, nbody);
  PLACE(w->stiffness, nbody);
  PLACE(w->acc, nv);
  PLACE(w->Ma, nv);
  PLACE(w->search, nv);
  PLACE(w->Mv, nv);
  PLACE(w->grad, nv);
  PLACE(w->constraint, nv);
  PLACE(w->H, row_at(nv));
  PLACE(w->wide.panel, nv);
  PLACE(w->wide.column, nv * nv);
  PLACE(w->reach, nv);
  PLACE(w->contact_J, s->ncontactJ);
  PLACE(w->group, s->nrow + s->ntie + s->ncontact);
  PLACE(w->dual, s->ndual);
  PLACE(w->dual_dof, s->ndual);
  PLACE(w->root, nv);
  PLACE(w->z, nv);
  PLACE(w->centre, m->ngeom);
  PLACE(w->arm, m->ngeom);
  PLACE(w->near, s->npair);
  PLACE(w->given, m->ngeom);
  PLACE(w->found, mjMAXCONPAIR);
  PLACE(w->subtree_com, nbody);
  PLACE(w->momentum, nbody);
  PLACE(w->sensordata, m->nsensordata);
  PLACE(w->start.qpos, m->nq);
  PLACE(w->start.qvel, nv);
  PLACE(w->start.act, m->na);
  PLACE(w->mean.qvel, nv);
  PLACE(w->mean.acc, nv);
  PLACE(w->mean.act_dot, m->nu);
}

#undef PLACE
