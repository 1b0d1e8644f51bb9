// problem.h: one constrained optimisation, as the solvers see it.
//
//   minimise over a:   1/2 (a - a0)' M (a - a0) + s(J a - aref)
//                                                        theory/contact/solvers.md, Gauss principle
//
// The whole system and a single island have the same form: pointers, counts and patterns. Small
// problems have dense matrices with rows padded to whole vectors, because short rows with index
// lists cost more than zeros. Large ones have compressed rows.

#pragma once

#include <mujoco/mjdata.h>
#include <stddef.h>
#include <stdint.h>

#include "base/algebra/simd.h"
#include "smooth/ldl.h"

// The rows: equality [0, ne), friction loss [ne, ne+nf), limits and contacts [ne+nf, nefc).
typedef struct {
  int nefc, ne, nf;
  const int *type, *id;
  const mjtNum *D, *R, *frictionloss;
  mjContact* contact;  // by id of contact rows; H is an output
  int elliptic;        // contacts with friction are elliptic cones
} Rows;

// All rows of d.
Rows rows_whole(const mjModel* m, const mjData* d);

// A matrix in compressed rows; if rownnz is NULL it is dense with row stride ld, packed or padded.
// same[i]: how many rows after row i have the same columns.
typedef struct {
  int nrow, ncolumn;
  ptrdiff_t ld;
  const mjtNum* value;
  const int *rownnz, *rowadr, *column, *same;
} Matrix;

// efc_J in its own layout; dense: ld is nv.
Matrix matrix_whole_J(const mjModel* m, const mjData* d);

// Dofs come in blocks of DOF_BLOCK; a bit for each block says where a row of J is nonzero. Blocks
// beyond the width of the bit set share a bit with earlier ones.
enum {
  DOF_BLOCK = 4
};

static inline uint64_t dof_blocks(int first, int ndof) {
  uint64_t bits = 0;
  for (int i = first; i < first + ndof; i += DOF_BLOCK) {
    bits |= (uint64_t)1 << i / DOF_BLOCK % 64;
  }
  return bits;
}

// A problem of at most this many dofs is solved with dense matrices, whatever the layout of efc_J.
enum {
  DENSE_UP_TO = 96
};

// Problems of at most this many dofs and rows are solved in one function (primal_small). If all
// rows are in one island, dofs outside of it are solved along with it.
enum {
  SMALL_DOFS = 16,
  SMALL_ROWS = 64
};

struct Pattern;

// Statistics of curvatures that were not positive: how many there were, and the evaluation counts
// before the first and before the last of them.
typedef struct {
  int count, first, last;
} Trouble;

// Inputs and outputs of the search for a start.
typedef struct ProblemStart_ {
  const mjtNum* aref;  // nefc
  mjtNum* b;           // nefc, output: J acc_smooth - aref
  int* cold_state;     // nefc, output: states at acc_smooth
  int warm;            // whether acc is a candidate
  int whole;           // the problem is the whole system, whose products may be cached
} ProblemStart;

typedef struct {
  mjData* d;         // its stack and statistics
  Trouble* trouble;  // warnings for the end of all islands
  int n;             // dofs
  Rows rows;
  Matrix J;                 // rows.nefc x n
  TreePattern tree;         // of M
  const mjtNum* M;          // lower triangle
  mjtNum* M_dense;          // symmetric n x SIMD_PADDED(n), if J is dense; else NULL
  uint64_t* blocks;         // of the rows of J, if it is dense
  const mjtNum *LD, *DInv;  // L'DL factor of M, in M's pattern, and 1/D
  mjtNum scale;             // makes costs and gradients dimensionless
  int by_decrement;         // ends by the decrease that is left, too (behaviour solverexit)

  // vectors of SIMD_PADDED(n) numbers, jar of SIMD_PADDED(nefc), with zeros at the end. Ma and jar
  // belong to acc, which is the start and becomes the solution
  const mjtNum *frc_smooth, *acc_smooth;
  mjtNum *acc, *Ma, *frc_constraint;
  mjtNum* jar;
  mjtNum* force;  // nefc
  int* state;     // nefc
  int has_cost;   // whether these belong to jar already, and
  mjtNum cost;    // the cost of the rows there

  // where to start: at acc, or with Start at acc or acc_smooth, whichever costs less
  const struct ProblemStart_* start;
  const mjtNum* b;   // without Start: J acc_smooth - aref, and where the rows of the problem are in
  const int* b_row;  // it; NULL: they are its rows

  int has_AR;  // whether efc_AR is the dual matrix of this problem

  const struct Pattern* pattern;  // of the Newton matrix, if J was in compressed rows
  struct SolverCache_* cache;     // matrices cached from one evaluation to the next, or NULL
  int island;                     // where statistics go; from mjNISLAND on nowhere
  int shared;                     // threads of the pool may help: it is solved by no piece
} Problem;

// res = A x and res = A' x. With padded rows, x and the result of A' x have ld numbers;
// matrix_tmulv doesn't accept dense packed rows.
void matrix_mulv(mjtNum* res, const Matrix* A, const mjtNum* x);

// matrix_mulv, less the numbers `minus` unless that is NULL, by the threads of the pool of d if
// there is one and it pays. A thread that works on a piece already does it alone.
void matrix_mulv_shared(mjtNum* res, mjData* d, const Matrix* A, const mjtNum* x,
                        const mjtNum* minus);

// The same for two vectors, piece by piece, so that A is read once.
void matrix_mulv_two(mjtNum* const res[2], mjData* d, const Matrix* A, const mjtNum* const x[2],
                     const mjtNum* minus);

void matrix_tmulv(mjtNum* res, const Matrix* A, const mjtNum* x);

// res = M x; dense: both have SIMD_PADDED(n) numbers
void problem_mul_M(mjtNum* res, const Problem* p, const mjtNum* x);

// x = M^-1 x; path: scratch, n numbers
void problem_solve_M(mjtNum* x, const Problem* p, mjtNum* path);

// Issues the warnings that a solve has collected.
void problem_warn(mjData* d, const Trouble* trouble);

// Whether the only island is solved as if it were the whole system.
int problem_is_whole(const mjModel* m, const mjData* d);

// An iteration limit below this counts as low: it may end a descent before its minimum, so the
// result depends on the iterates, and these must be MuJoCo's. With higher limits only the minimum
// matters, and the fastest way to it is taken.
enum {
  MANY_ITERATIONS = 20
};

static inline int problem_is_cut_short(const mjOption* opt) {
  return opt->iterations < MANY_ITERATIONS || opt->ls_iterations < MANY_ITERATIONS;
}

// Finds the start of a problem that has a ProblemStart: acc, Ma and jar.
void primal_start(Problem* p, int newton);

// Minimises by Newton or conjugate gradients; returns the number of iterations.
//                                                         theory/contact/solvers.md, Primal descent
int primal_solve(const mjModel* m, mjData* d, Problem* p, int newton);

// Whether primal_small solves a problem of n dofs and nefc rows; it unpacks compressed rows.
static inline int sizes_are_small(int n, int nefc, int newton) {
  return newton && n <= SMALL_DOFS && nefc <= SMALL_ROWS;
}

static inline int problem_is_small(const Problem* p, int newton) {
  return sizes_are_small(p->n, p->rows.nefc, newton);
}

// Whether primal_rows is faster than primal_solve. Up to MANY_DOFS dofs both take the same time.
enum {
  MANY_DOFS = 24,
  FEW_ROWS = 64
};

static inline int problem_has_few_rows(int n, int nefc) {
  return n > MANY_DOFS && nefc <= FEW_ROWS && nefc <= n;
}

// Newton's method for few rows, with the result of primal_solve. It finds its own start, and
// vectors and matrices are those of mjData, not padded. acc and frc (n) are the results. Returns -1
// if the rows are too stiff; then the problem is unchanged.
//                                                     theory/contact/solvers.md, Newton on the rows
int primal_rows(mjtNum* acc, mjtNum* frc, const mjModel* m, mjData* d, Problem* p);

// Newton's method for small problems, with the result of primal_solve. It finds its own start, and
// vectors and matrices are those of mjData, not padded. acc and frc (n) are the results.
int primal_small(mjtNum* acc, mjtNum* frc, const mjModel* m, Problem* p);
