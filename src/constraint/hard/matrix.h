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
// The pattern is made first, from the trees of each block. The values come from matrix_columns_ldl
// or from columns.h, and the rest of the solver does not depend on which.
//                                                           theory/contact/hard-contacts.md, Matrix

#pragma once

#include <mujoco/mjdata.h>
#include <stdint.h>

// The set of forces that the rows of a block can have.
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

// The quantities that determine K. Row i of the problem is row_scale[i] times row i of efc_J, which
// makes friction cones circular.
typedef struct HardSystem_ {
  const mjModel* m;
  mjData* d;                   // efc_J; its stack
  const mjtNum *LD, *diaginv;  // L'DL factor of the matrix that the integrator solves with
  const mjtNum* damping;       // the matrix is M + h diag(damping) (nv); NULL: M
  const mjtNum* row_scale;     // (nrow)
  int nrow, nblock;
  const HardBlock* block;  // cover all rows, in ascending order
  const int *treeadr,
      *tree;            // trees that block i touches: tree[treeadr[i]] .. tree[treeadr[i+1]-1]
  const int* tree_dof;  // first dof of each tree (ntree + 1)
} HardSystem;

typedef struct HardMatrix_ {
  const int* runadr;  // runs of block i: run[runadr[i]] .. run[runadr[i+1]-1]
  const HardRun* run;
  const int* length;   // entries in a column of block i
  const int* self;     // position of the block's own rows in a column
  const int64_t* adr;  // address of the first column of block i in value
  mjtNum* value;
} HardMatrix;

// The trees of each block, from the Jacobian. Fills treeadr, tree and tree_dof, on the stack.
void system_find_trees(HardSystem* s);

// y = L'^-1 J_row' at the dofs of a tree, scaled; times sqrt(h D^-1) it is half of K = Y Y'. path:
// room for nv numbers.
void system_half_row(mjtNum* y, const HardSystem* s, int row, int tree, mjtNum* path);

// The pattern of K, with room for its values, on the stack.
void matrix_pattern(HardMatrix* K, const HardSystem* s);

// Computes the values from the factor M = L'DL: with y_i = D^-1/2 L'^-1 J_i', K_ij = h y_i . y_j.
void matrix_columns_ldl(HardMatrix* K, const HardSystem* s);

// w += K_i change: change (dim) of the forces of block i.
void matrix_add(mjtNum* w, const HardMatrix* K, int i, const mjtNum* change, int dim);

// Entry (r, c) of the diagonal block i of K; zero if block i touches no tree.
static inline mjtNum matrix_diagonal(const HardMatrix* K, int i, int r, int c) {
  return !K->length[i] ? 0 : K->value[K->adr[i] + (int64_t)c * K->length[i] + K->self[i] + r];
}
