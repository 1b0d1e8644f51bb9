// aba.h: the articulated-body algorithm: M^-1 in time that grows with the number of dofs alone.
//
// The sparse factor of M costs, for a chain of n dofs, n^2 numbers and n^3 operations. What moves
// with a dof can instead be seen from outside as one "articulated" body, whose force and
// acceleration are in a linear relation, f = IA a + pA: a 6x6 matrix a body, found from the leaves
// to the root. Everything of a tree is referred to one point (its com), so nothing is moved from
// frame to frame.
//
//   tip o--o--o--o root        inwards: IA and pA        outwards: accelerations
//
// A joint with several dofs, and a body with several joints, is eliminated dof by dof, the last one
// first: L'DL of its block, as if the links between were massless. The factor is kept, because each
// column of J M^-1 J' needs it again: one walk inwards from the rows' bodies, one outwards to those
// that have rows.
//                                                                      theory/articulated-body.md

#ifndef CONDYLE_SMOOTH_ABA_H_
#define CONDYLE_SMOOTH_ABA_H_

#include <mujoco/mjdata.h>

// M + h diag(damping) as seen by the dofs one after another, s being cdof of the dof:
//
//   U = IA s        D = s'U + armature + h damping
//
// On the stack of its mjData. Bodies that are alone and symmetric (dof_simplenum) have U = 0: their
// dofs don't see each other, and D is their entry of M.
typedef struct {
  mjtNum* U;     // 6 numbers for each dof
  mjtNum* Dinv;  // 1 / D
} AbaFactor;

// Can M be found from bodies and joints alone? Not if tendons have inertia: these couple dofs
// across the tree, and the pattern of M keeps only a part of that.
int aba_applies(const mjModel* m);

// The factor of M + h diag(dof_damping); h = 0 for M. Reads cinert and cdof.
AbaFactor aba_factor(const mjModel* m, mjData* d, mjtNum h);

// x = (M + h diag(damping))^-1 x (nv numbers).
void aba_solve(mjtNum* x, const mjModel* m, mjData* d, const AbaFactor* factor);

// How the tree answers to forces on some bodies and dofs: columns of M^-1 J'. What was pushed adds
// up until the answer is asked for.
typedef struct {
  const mjModel* m;
  const mjData* d;
  const AbaFactor* factor;
  mjtNum* impulse;  // what the dof itself sees of the forces beyond it, / D; zero at rest   (nv)
  mjtNum* rate;     // answer: qacc of the dof                                               (nv)
  mjtNum* acc;      // answer: acceleration of what the dof carries                      (nv x 6)
} AbaWave;

// At rest, on the stack of d.
AbaWave aba_wave(const mjModel* m, mjData* d, const AbaFactor* factor);

// The dof whose acceleration is that of a body; -1 if it is static.
int aba_tip(const mjModel* m, int body);

// A wrench (torque, force) on a body, world axes, about the com of its tree, times scale.
void aba_push(AbaWave* wave, int body, const mjtNum wrench[6], mjtNum scale);

// Forces on dofs: tau (nv), of which n in the list are looked at, ascending and with the ancestors
// of each.
void aba_push_dofs(AbaWave* wave, const mjtNum* tau, const int* list, int n);

// Finds rate and acc of n dofs. The list is ascending, has the ancestors of each dof in it, and all
// that was pushed. Afterwards the wave is at rest.
void aba_answer(AbaWave* wave, const int* list, int n);

#endif  // CONDYLE_SMOOTH_ABA_H_
