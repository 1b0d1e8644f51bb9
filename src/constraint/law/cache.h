// cache.h: dense problems of the solver, cached from one evaluation to the next.
//
// Finite differences evaluate the same rows again and again, with other velocities and forces. J, M
// and D stay. Near the solution the states of rows stay too, and with them the first Newton matrix
// and its factor. A solver looks here before it computes them; the numbers are those that it would
// compute. Making rows anew empties the cache.
//
// Without it mjd_transitionFD takes 1.07 (hand) to 1.21 times as long (humanoid), minima of
// alternating runs.
//
//   solver_cache_open(m, d);    rows are made
//   mj_forwardSkip(m, d, ...)   the first fills, the others read
//   solver_cache_close(d);

#pragma once

#include <mujoco/mjdata.h>
#include <stdint.h>

// One problem: an island, or the whole system if there are none. ld is SIMD_PADDED(n), nblock is n
// in whole blocks of dofs.
typedef struct SolverCache_ {
  int n, nefc;       // dofs and rows; n = 0: no room for this problem
  int dense;         // whether the next three are filled:
  mjtNum* J;         //   nefc x ld
  mjtNum* M;         //   n x ld, symmetric
  uint64_t* blocks;  //   nefc, where J is not zero
  int factored;      // whether the next are filled; never if a row is in the middle of its cone:
  int* state;        //   nefc, of the rows
  mjtNum* D;         //   nefc, of the rows
  mjtNum* H;         //   nblock x ld, M + J' D J
  mjtNum* U;         //   nblock x ld, its factor, and ld numbers 1 / D
  mjtNum* DInv;      //   ld, 1 / D of the factor
  int products;      // whether A is filled; problems with few rows have nothing else:
  mjtNum* A;         //   J M^-1 J', SIMD_PADDED(nefc) squared
} SolverCache;

// Products of qacc_warmstart, where solvers start.
typedef struct SolverCacheStart_ {
  int filled;
  mjtNum* x;   // qacc_warmstart, nv
  mjtNum* Jx;  // nefc
  mjtNum* Mx;  // nv
} SolverCacheStart;

// Opens the cache on the stack of d for the problems of Newton's method, if there is enough room.
// The caller pops the stack after solver_cache_close.
void solver_cache_open(const mjModel* m, mjData* d);
void solver_cache_close(mjData* d);

// Empties the cache, because rows are about to change.
void solver_cache_clear(mjData* d);

// The cached problem (number of the island, or 0 without islands) of that size; NULL if there is
// none.
SolverCache* solver_cache_find(const mjData* d, int problem, int n, int nefc);

// The cached products of the start; NULL if no cache is open.
SolverCacheStart* solver_cache_start(const mjData* d);
