// The choice of solver for one problem, and the copies that it works on: padded vectors, and dense
// matrices if the problem is small.                            theory/contact/solvers.md, Start

#include "constraint/solver/solve.h"

#include <limits.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/sparse_row.h"
#include "base/algebra/vec.h"
#include "constraint/law/cache.h"
#include "constraint/law/dense_rows.h"
#include "model/data/arena.h"

INLINE uint64_t nonzero_blocks(const mjtNum* row, int n) {
  const Simd4 zero = {0};
  uint64_t bits = 0;
  for (int b = 0; b < n; b += DOF_BLOCK) {
    Simd4Mask any = SIMD_READ(Simd4, row + b) != zero;
    any |= SIMD4_ORDER(any, 2, 3, 0, 1);
    bits |= (uint64_t)((any[0] | any[1]) != 0) << b / DOF_BLOCK % 64;
  }
  return bits;
}

// Copies rows to padded ones. blocks: for each row, a bit for each block of dofs that isn't zero.
KERNEL
static void pad_rows(mjtNum* to, uint64_t* blocks, const mjtNum* from, int nrow, int n) {
  for (int i = 0; i < nrow; i++, from += n, to += SIMD_PADDED(n)) {
    dense_pad(to, from, n);
    blocks[i] = nonzero_blocks(to, n);
  }
}

// Runs of consecutive columns.
typedef struct Runs {
  int n, first[DENSE_UP_TO], length[DENSE_UP_TO];
} Runs;

static void find_runs(Runs* runs, const int* column, int n) {
  runs->n = 0;
  for (int k = 0, end; k < n; k = end) {
    for (end = k + 1; end < n && column[end] == column[k] + end - k; end++) {
    }
    runs->first[runs->n] = column[k];
    runs->length[runs->n++] = end - k;
  }
}

// The same for a J in compressed rows, of bodies mostly, whose dofs are runs.
KERNEL
static void unpack_rows(mjtNum* to, uint64_t* blocks, const Matrix* J) {
  ptrdiff_t ld = SIMD_PADDED(J->ncolumn);
  Runs runs;  // too large to be cleared each time
  for (int i = 0; i < J->nrow;) {
    int last = i + J->same[i];
    uint64_t bits = 0;
    find_runs(&runs, J->column + J->rowadr[i], J->rownnz[i]);
    for (int k = 0; k < runs.n; k++) {
      bits |= dof_blocks(runs.first[k] + runs.length[k] - 1, 1);
      bits |= dof_blocks(runs.first[k], runs.length[k]);
    }
    for (; i <= last; i++, to += ld) {
      const mjtNum* from = J->value + J->rowadr[i];
      for (int b = 0; b < ld; b += SIMD_N) {
        SIMD_AT(SimdN, to + b) = (SimdN){0};
      }
      for (int k = 0; k < runs.n; from += runs.length[k++]) {
        mjtNum* run = to + runs.first[k];
        int c = 0, n = runs.length[k];
        for (; c + 2 <= n; c += 2) {
          SIMD_AT(Simd2, run + c) = SIMD_READ(Simd2, from + c);
        }
        if (c < n) {
          run[c] = from[c];
        }
      }
      blocks[i] = bits;
    }
  }
}

// Makes dense, padded copies of J and M for a small problem.
static void problem_densify(Problem* p) {
  int n = p->n, nefc = p->rows.nefc;
  size_t ld = SIMD_PADDED(n);
  mjtNum* J;
  if (p->cache) {
    J = p->cache->J;
    p->blocks = p->cache->blocks;
    p->M_dense = p->cache->M;
  } else {
    J = arena_take(p->d, sizeof(mjtNum) * int_max(1, nefc) * ld, 64);
    p->blocks = arena_take(p->d, sizeof(uint64_t) * nefc, _Alignof(uint64_t));
    p->M_dense = arena_take(p->d, sizeof(mjtNum) * n * ld, 64);
  }
  const Matrix rows = p->J;
  p->J = (Matrix){.nrow = nefc, .ncolumn = n, .ld = ld, .value = J};
  if (p->cache && p->cache->dense) {
    return;
  }
  if (rows.rownnz) {
    unpack_rows(J, p->blocks, &rows);
  } else {
    pad_rows(J, p->blocks, rows.value, nefc, n);
  }

  memset(p->M_dense, 0, sizeof(mjtNum) * n * ld);
  for (int i = 0; i < n; i++) {
    const mjtNum* value = p->M + p->tree.rowadr[i];
    const int* column = p->tree.colind + p->tree.rowadr[i];
    for (int k = 0; k < p->tree.rownnz[i]; k++) {
      p->M_dense[i * ld + column[k]] = p->M_dense[column[k] * ld + i] = value[k];
    }
  }
  if (p->cache) {
    p->cache->dense = 1;
  }
}

// Room for n numbers, with zeros to the end of the last vector.
static mjtNum* padded_room(mjData* d, int n) {
  mjtNum* room = arena_take(d, sizeof(mjtNum) * SIMD_PADDED(n), 64);
  for (int i = n; i < SIMD_PADDED(n); i++) {
    room[i] = 0;
  }
  return room;
}

// Copies vectors of n numbers to rows that are padded.
KERNEL
static void pad_vectors(mjtNum* to, const mjtNum* const* from, int count, int n) {
  for (int i = 0; i < count; i++, to += SIMD_PADDED(n)) {
    dense_pad(to, from[i], n);
  }
}

// Makes padded copies of the vectors of a problem. If the solver still has to find its start, Ma
// and frc_constraint are copies of acc, only to get zeros behind their n numbers.
static void problem_pad(mjData* d, Problem* p) {
  const mjtNum* Ma = p->start ? p->acc : p->Ma;
  const mjtNum* const vector[5] = {p->acc, p->acc_smooth, p->frc_smooth, Ma, p->acc};
  size_t ld = SIMD_PADDED(p->n);
  mjtNum* room = arena_take(d, sizeof(mjtNum) * 5 * ld, 64);
  mjtNum* jar = padded_room(d, p->rows.nefc);
  pad_vectors(room, vector, 5, p->n);
  if (!p->start) {
    memcpy(jar, p->jar, p->rows.nefc * sizeof(mjtNum));
  }
  p->acc = room;
  p->acc_smooth = room + ld;
  p->frc_smooth = room + 2 * ld;
  p->Ma = room + 3 * ld;
  p->frc_constraint = room + 4 * ld;
  p->jar = jar;
}

void problem_count(const mjModel* m, mjData* d, Problem* p, Pattern* pattern, int newton) {
  int64_t nnz = newton ? (int64_t)p->n * p->n : 0;
  if (newton && p->J.rownnz) {
    if (p->n > DENSE_UP_TO) {
      *pattern = pattern_make(d, p);
      p->pattern = pattern;
    } else if (p->island >= mjNISLAND) {
      return;
    } else if (p->n > COUNT_UP_TO) {
      *pattern = pattern_make(d, p);
    } else {
      pattern_count(&pattern->nnzL, &pattern->nnzJ, p);
    }
    // as in MuJoCo, the entries of M are counted up to the end of the island in iM, earlier islands
    // included
    int endM = p->tree.rowadr[p->n - 1] + p->tree.rownnz[p->n - 1];
    nnz = (mj_isPyramidal(m) ? 1 : 2) * pattern->nnzL + pattern->nnzJ + endM;
  }
  if (p->island < mjNISLAND) {
    d->solver_nnz[p->island] = (int)(nnz < INT_MAX ? nnz : INT_MAX);
  }
}

// Solves a problem by padded vectors, and dense matrices if it is small.
static int solve_by_dofs(mjtNum* acc, mjtNum* frc, const mjModel* m, mjData* d, Problem* p,
                         int newton) {
  problem_pad(d, p);
  if (p->n <= DENSE_UP_TO || !p->J.rownnz) {
    p->cache = solver_cache_find(d, p->island, p->n, p->rows.nefc);
    p->cache = p->cache && p->cache->J ? p->cache : NULL;
    problem_densify(p);
  }
  if (p->start) {
    primal_start(p, newton);
  }
  int niter = primal_solve(m, d, p, newton);
  memcpy(acc, p->acc, p->n * sizeof(mjtNum));
  memcpy(frc, p->frc_constraint, p->n * sizeof(mjtNum));
  return niter;
}

void problem_solve(mjtNum* acc, mjtNum* frc, const mjModel* m, mjData* d, Problem* p) {
  int newton = m->opt.solver == mjSOL_NEWTON, niter = -1;
  size_t top = arena_top(d);
  Pattern pattern;
  problem_count(m, d, p, &pattern, newton);
  // a tolerance of 0 asks for the last digits, which stiff rows lose in solves with M's factor
  int by_rows = newton && m->opt.tolerance > 0 && !problem_is_cut_short(&m->opt) && !p->tree.is_cut;
  if (by_rows && problem_has_few_rows(p->n, p->rows.nefc)) {
    niter = primal_rows(acc, frc, m, d, p);
  }
  if (niter < 0) {
    niter = problem_is_small(p, newton) ? primal_small(acc, frc, m, p)
                                        : solve_by_dofs(acc, frc, m, d, p, newton);
  }
  arena_pop(d, top);
  if (p->island < mjNISLAND) {
    d->solver_niter[p->island] = niter;
  }
}
