#include "smooth/inertia.h"

#include <string.h>

#include "base/target.h"
#include "base/vec.h"
#include "smooth/support.h"
#include "smooth/tendon.h"
#include "smooth/timer.h"

// Runs here are short, a handful of numbers: vectors of fixed length beat loops that the
// compiler unrolls for long ones.
typedef mjtNum Two
    __attribute__((vector_size(2 * sizeof(mjtNum)), aligned(sizeof(mjtNum)), may_alias));
typedef mjtNum Four
    __attribute__((vector_size(4 * sizeof(mjtNum)), aligned(sizeof(mjtNum)), may_alias));
#define TWO(p) (*(Two*)(p))
#define TWO_READ(p) (*(const Two*)(p))
#define FOUR(p) (*(Four*)(p))
#define FOUR_READ(p) (*(const Four*)(p))

// out -= scale in
INLINE void subtract_run(mjtNum* out, const mjtNum* in, mjtNum scale, int n) {
  const Four scale4 = {scale, scale, scale, scale};
  const Two scale2 = {scale, scale};
  int k = 0;
  for (; k + 4 <= n; k += 4) {
    FOUR(out + k) -= scale4 * FOUR_READ(in + k);
  }
  if (n & 2) {
    TWO(out + k) -= scale2 * TWO_READ(in + k);
    k += 2;
  }
  if (n & 1) {
    out[k] -= scale * in[k];
  }
}

// composite rigid bodies: M(i,j) = cdof_j . (inertia of everything moved by i) cdof_i
//                                                                              spec 04, section 6.2

// inertia of each subtree about the com of its tree; the world's stays zero
static KERNEL void composite_inertias(const mjModel* m, mjData* d) {
  memcpy(d->crb, d->cinert, 10 * m->nbody * sizeof(mjtNum));
  for (int i = m->nbody - 1; i > 0; i--) {
    int parent = m->body_parentid[i];
    if (parent) {
      for (int k = 0; k < 10; k++) {
        d->crb[10 * parent + k] += d->crb[10 * i + k];
      }
    }
  }
}

static KERNEL void inertia_rows(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nv; i++) {
    int adr = m->M_rowadr[i], diag = adr + m->M_rownnz[i] - 1;
    if (m->dof_simplenum[i]) {
      d->M[diag] = m->dof_M0[i];
      continue;
    }
    mjtNum momentum[6];
    sp_mulinertia(momentum, d->crb + 10 * m->dof_bodyid[i], d->cdof + 6 * i);
    // not loads: they would wait for the stores of single numbers
    const Two p0 = {momentum[0], momentum[1]}, p1 = {momentum[2], momentum[3]};
    const Two p2 = {momentum[4], momentum[5]};
    for (int k = adr; k <= diag; k++) {
      const mjtNum* cdof = d->cdof + 6 * m->M_colind[k];
      Two sum = p0 * TWO_READ(cdof) + p1 * TWO_READ(cdof + 2) + p2 * TWO_READ(cdof + 4);
      d->M[k] = sum[0] + sum[1];
    }
    d->M[diag] += m->dof_armature[i];
  }
}

void mj_crb(const mjModel* m, mjData* d) {
  composite_inertias(m, d);
  inertia_rows(m, d);
}

// M(i,j) += armature J_i J_j, where M has the entry; couplings it has no room for are dropped.
static void tendon_armature(const mjModel* m, mjData* d) {
  int nv = m->nv;
  mjtNum* row = NULL;
  for (int t = 0; t < m->ntendon; t++) {
    mjtNum armature = m->tendon_armature[t];
    if (armature == 0) {
      continue;
    }
    if (!row) {
      mj_markStack(d);
      row = mj_stackAllocNum(d, nv);
    }
    tendon_row(row, m, d, t);
    for (int i = 0; i < nv; i++) {
      if (row[i] != 0) {
        int adr = m->M_rowadr[i], end = adr + m->M_rownnz[i];
        for (int k = adr; k < end; k++) {
          d->M[k] += armature * row[i] * row[m->M_colind[k]];
        }
      }
    }
  }
  if (row) {
    mj_freeStack(d);
  }
}

void mj_makeM(const mjModel* m, mjData* d) {
  mjtNum start = timer_start();
  mj_crb(m, d);
  tendon_armature(m, d);

  // the older format; off-diagonals of simple dofs are zero and have no place in M
  if (m->nM != m->nC) {
    memset(d->qM, 0, m->nM * sizeof(mjtNum));
  }
  for (int i = 0; i < m->nv; i++) {
    // a row of M backwards
    int n = m->M_rownnz[i];
    mjtNum* out = d->qM + m->dof_Madr[i];
    const mjtNum* in = d->M + m->M_rowadr[i] + n - 1;
    for (int k = 0; k < n; k++) {
      out[k] = in[-k];
    }
  }
  timer_stop(d, mjTIMER_POS_INERTIA, start);
}

// factor and solve

// For k from the last row up, with L_k = row k / D_k:
//
//   row_i -= L_ki row_k     for every ancestor i of k
//
// Row i has the columns of row k up to i, so each update is a run from the start of both rows.
KERNEL void ldl_factor(mjtNum* LD, mjtNum* diaginv, int n, const int* rownnz, const int* rowadr,
                       const int* colind) {
  for (int k = n - 1; k >= 0; k--) {
    int ancestors = rownnz[k] - 1;
    mjtNum* rowk = LD + rowadr[k];
    const int* col = colind + rowadr[k];
    mjtNum inv = 1 / rowk[ancestors];
    diaginv[k] = inv;
    for (int p = ancestors - 1; p >= 0; p--) {
      mjtNum l = rowk[p] * inv;
      subtract_run(LD + rowadr[col[p]], rowk, l, p + 1);
      rowk[p] = l;
    }
  }
}

// L' y = b (from the last dof up), y <- y / D, L x = y (from the first dof down)
KERNEL void ldl_solve(mjtNum* x, const mjtNum* LD, const mjtNum* diaginv, int n, const int* rownnz,
                      const int* rowadr, const int* colind) {
  for (int k = n - 1; k >= 0; k--) {
    int ancestors = rownnz[k] - 1;
    mjtNum xk = x[k];
    if (ancestors && xk != 0) {
      const mjtNum* row = LD + rowadr[k];
      const int* col = colind + rowadr[k];
      for (int p = 0; p < ancestors; p++) {
        x[col[p]] -= row[p] * xk;
      }
    }
  }
  for (int k = 0; k < n; k++) {
    int ancestors = rownnz[k] - 1;
    const mjtNum* row = LD + rowadr[k];
    const int* col = colind + rowadr[k];
    mjtNum sum = x[k] * diaginv[k];
    for (int p = 0; p < ancestors; p++) {
      sum -= row[p] * x[col[p]];
    }
    x[k] = sum;
  }
}

void ldl_factorShifted(mjtNum* LD, mjtNum* diaginv, const mjModel* m, const mjtNum* M,
                       const mjtNum* diag, mjtNum scale) {
  memcpy(LD, M, m->nC * sizeof(mjtNum));
  for (int i = 0; i < m->nv; i++) {
    LD[m->M_rowadr[i] + m->M_rownnz[i] - 1] += scale * diag[i];
  }
  ldl_factor(LD, diaginv, m->nv, m->M_rownnz, m->M_rowadr, m->M_colind);
}

void mj_factorM(const mjModel* m, mjData* d) {
  mjtNum start = timer_start();
  memcpy(d->qLD, d->M, m->nC * sizeof(mjtNum));
  ldl_factor(d->qLD, d->qLDiagInv, m->nv, m->M_rownnz, m->M_rowadr, m->M_colind);
  timer_add(d, mjTIMER_POS_INERTIA, start);
}

void mj_solveM(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n) {
  int nv = m->nv;
  if (x != y) {
    copy_numbers(x, y, n * nv);
  }
  for (int i = 0; i < n; i++) {
    ldl_solve(x + (size_t)i * nv, d->qLD, d->qLDiagInv, nv, m->M_rownnz, m->M_rowadr, m->M_colind);
  }
}

// x = sqrtInvD o (L'^-1 y): half a solve, |x|^2 = y' M^-1 y
void mj_solveM2(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, const mjtNum* sqrtInvD,
                int n) {
  int nv = m->nv;
  if (x != y) {
    copy_numbers(x, y, n * nv);
  }
  for (int i = 0; i < n; i++, x += nv) {
    for (int k = nv - 1; k >= 0; k--) {
      int ancestors = m->M_rownnz[k] - 1;
      mjtNum xk = x[k];
      if (ancestors && xk != 0) {
        const mjtNum* row = d->qLD + m->M_rowadr[k];
        const int* col = m->M_colind + m->M_rowadr[k];
        for (int p = 0; p < ancestors; p++) {
          x[col[p]] -= row[p] * xk;
        }
      }
    }
    for (int k = 0; k < nv; k++) {
      x[k] *= sqrtInvD[k];
    }
  }
}

// products and copies

void inertia_mul(mjtNum* out, const mjModel* m, const mjtNum* M, const mjtNum* v) {
  for (int i = 0; i < m->nv; i++) {
    int adr = m->M_rowadr[i], ancestors = m->M_rownnz[i] - 1;
    const mjtNum* row = M + adr;
    const int* col = m->M_colind + adr;
    mjtNum vi = v[i];
    mjtNum sum = row[ancestors] * vi;
    for (int p = 0; p < ancestors; p++) {
      sum += row[p] * v[col[p]];
      out[col[p]] += row[p] * vi;
    }
    out[i] = sum;
  }
}

void mj_mulM(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  inertia_mul(res, m, d->M, vec);
}

// res = sqrt(D) L vec, so that |res|^2 = vec' M vec
void mj_mulM2(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  for (int i = 0; i < m->nv; i++) {
    int adr = m->M_rowadr[i], ancestors = m->M_rownnz[i] - 1;
    mjtNum sum = vec[i];
    for (int k = adr; k < adr + ancestors; k++) {
      sum += d->qLD[k] * vec[m->M_colind[k]];
    }
    res[i] = sum * mju_sqrt(d->qLD[adr + ancestors]);
  }
}

void mj_fullM(const mjModel* m, mjtNum* dst, const mjtNum* M) {
  int nv = m->nv;
  memset(dst, 0, (size_t)nv * nv * sizeof(mjtNum));
  for (int i = 0; i < nv; i++) {
    int adr = m->dof_Madr[i];
    for (int j = i; j >= 0; j = m->dof_parentid[j]) {
      dst[(size_t)i * nv + j] = dst[(size_t)j * nv + i] = M[adr++];
    }
  }
}

// Merges row i of M into a sparse row with ascending columns; both end up in
// the union of the patterns.
static int merge_row(const mjModel* m, mjData* d, int i, mjtNum* val, int* col, int nnz) {
  int adr = m->M_rowadr[i], nM = m->M_rownnz[i];
  const int* colM = m->M_colind + adr;

  // how many columns of M are new
  int total = nnz;
  for (int a = 0, b = 0; b < nM; b++) {
    while (a < nnz && col[a] < colM[b]) {
      a++;
    }
    total += !(a < nnz && col[a] == colM[b]);
  }

  // merge from the end, in place
  for (int a = nnz - 1, b = nM - 1, k = total - 1; b >= 0; k--) {
    if (a >= 0 && col[a] > colM[b]) {
      col[k] = col[a];
      val[k] = val[a--];
    } else {
      int both = a >= 0 && col[a] == colM[b];
      val[k] = d->M[adr + b] + (both ? val[a] : 0);
      col[k] = colM[b--];
      a -= both;
    }
  }
  return total;
}

void mj_addM(const mjModel* m, mjData* d, mjtNum* dst, int* rownnz, int* rowadr, int* colind) {
  int nv = m->nv;
  if (rownnz && rowadr && colind) {
    for (int i = 0; i < nv; i++) {
      rownnz[i] = merge_row(m, d, i, dst + rowadr[i], colind + rowadr[i], rownnz[i]);
    }
    return;
  }
  for (int i = 0; i < nv; i++) {
    int end = m->M_rowadr[i] + m->M_rownnz[i];
    for (int k = m->M_rowadr[i]; k < end; k++) {
      dst[(size_t)i * nv + m->M_colind[k]] += d->M[k];
    }
  }
}
