// cache.h: dense problems of the solver, kept from one evaluation to the next.
//
// Finite differences evaluate the same rows again and again, with other velocities and forces: J, M
// and D stay, and close by the solution so do the states of rows, hence the first Newton matrix and
// its factor. While they are kept, a solver looks here before it computes them; numbers are those
// that it would find itself. Making rows anew empties what is kept.
//
//   solver_cache_open(m, d);            rows are made
//   mj_forwardSkip(m, d, ...)   the first fills, the others read
//   solver_cache_close(d);

#ifndef CONDYLE_CONSTRAINT_SOLVER_CACHE_H_
#define CONDYLE_CONSTRAINT_SOLVER_CACHE_H_

#include <mujoco/mjdata.h>
#include <stdint.h>

// One problem: an island or the whole. ld is SIMD_PADDED(n), nblock is n in whole blocks of dofs.
typedef struct SolverCache_ {
  int n, nefc;       // dofs and rows; n = 0: there is no room for it
  int dense;         // these are filled:
  mjtNum* J;         //   nefc x ld
  mjtNum* M;         //   n x ld, symmetric
  uint64_t* blocks;  //   nefc, where J is not zero
  int factored;      // and these, where no row was in the middle of its cone:
  int* state;        //   nefc, of the rows
  mjtNum* D;         //   nefc, of the rows
  mjtNum* H;         //   nblock x ld, M + J' D J
  mjtNum* U;         //   nblock x ld, its factor, and ld numbers 1 / D
  mjtNum* DInv;      //
} SolverCache;

// Where solvers started from qacc_warmstart.
typedef struct SolverCacheStart_ {
  int filled;
  mjtNum* x;   // qacc_warmstart, nv
  mjtNum* Jx;  // nefc
  mjtNum* Mx;  // nv
} SolverCacheStart;

// Makes room on the stack of d for the problems of Newton's method, if there is much; to be popped
// after solver_cache_close.
void solver_cache_open(const mjModel* m, mjData* d);
void solver_cache_close(mjData* d);

// Rows are about to change.
void solver_cache_clear(mjData* d);

// What is kept of a problem (an island, 0: the whole) of that size; NULL if nothing is.
SolverCache* solver_cache_find(const mjData* d, int problem, int n, int nefc);

// What is kept of the start; NULL if nothing is.
SolverCacheStart* solver_cache_start(const mjData* d);

#endif  // CONDYLE_CONSTRAINT_SOLVER_CACHE_H_
