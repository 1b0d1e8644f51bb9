// matrix.h: K = h J M^-1 J', how forces at constraint rows change the velocities at them.
//
// Constraints act on each other only through trees that both touch, so K is sparse by blocks: one
// block per constraint, its columns side by side, each with entries in runs of consecutive rows. A
// change of the forces of one constraint is then a few long additions to w = K f + b.
//
//   block i, dim = 3:     rows of K that it reaches       run | run |  run
//                         column 0  value + adr[i]        ..... ... .......    length[i] numbers
//                         column 1                        ..... ... .......
//                         column 2                        ..... ... .......
//                                    its own rows begin here ----^ self[i]
//
// The pattern is made first, from the trees of each block; whoever makes columns
// (matrix_columns_ldl) fills in the values by whatever algorithm, and nobody else sees how.
//                                                                   theory/hard-contacts.md, Matrix

#ifndef CONDYLE_CONSTRAINT_HARD_MATRIX_H_
#define CONDYLE_CONSTRAINT_HARD_MATRIX_H_

#include <mujoco/mjdata.h>
#include <stdint.h>

// What forces the rows of a block may have.
typedef enum HardLaw_ {
  HARD_FREE = 0,  // any: an equality
  HARD_BOUND,     // up to a bound in either direction: friction loss
  HARD_PUSH,      // positive: a limit, a contact without friction
  HARD_CONE,      // in the cone |f_1 ..| <= f_0: a contact
} HardLaw;

// A constraint: rows first to first + dim.
typedef struct HardBlock_ {
  int first, dim;
  HardLaw law;
  mjtNum bound;  // of HARD_BOUND, N or N m
} HardBlock;

typedef struct HardRun_ {
  int first, n;  // rows
} HardRun;

// The system that K is made of. Row i of the problem is row_scale[i] times row i of efc_J, so that
// cones are round.
typedef struct HardSystem_ {
  const mjModel* m;
  mjData* d;                   // efc_J; its stack
  const mjtNum *LD, *diaginv;  // L'DL factor of the matrix that the integrator solves with
  const mjtNum* damping;       // what it has on its diagonal beside M, times h (nv); NULL: nothing
  const mjtNum* row_scale;     // (nrow)
  int nrow, nblock;
  const HardBlock* block;  // ascending, all rows
  const int *treeadr,
      *tree;            // trees that block i touches: tree[treeadr[i]] .. tree[treeadr[i+1]-1]
  const int* tree_dof;  // first dof of each tree (ntree + 1)
} HardSystem;

typedef struct HardMatrix_ {
  const int* runadr;  // runs of block i: run[runadr[i]] .. run[runadr[i+1]-1]
  const HardRun* run;
  const int* length;   // numbers in a column
  const int* self;     // where the block's own rows are in it
  const int64_t* adr;  // where its columns begin
  mjtNum* value;
} HardMatrix;

// The trees of each block, from the Jacobian. Fills treeadr, tree and tree_dof, on the stack.
void system_find_trees(HardSystem* s);

// The pattern of K, with room for its values, on the stack.
void matrix_pattern(HardMatrix* K, const HardSystem* s);

// The values, by half solves: with M = L'DL and y_i = D^-1/2 L'^-1 J_i', K_ij = h y_i . y_j.
void matrix_columns_ldl(HardMatrix* K, const HardSystem* s);

// w += K_i change: change (dim) of the forces of block i.
void matrix_add(mjtNum* w, const HardMatrix* K, int i, const mjtNum* change, int dim);

// Entry (r, c) of the block of i on the diagonal; zero if it touches no tree.
static inline mjtNum matrix_diagonal(const HardMatrix* K, int i, int r, int c) {
  return !K->length[i] ? 0 : K->value[K->adr[i] + (int64_t)c * K->length[i] + K->self[i] + r];
}

#endif  // CONDYLE_CONSTRAINT_HARD_MATRIX_H_
