// Jacobians of rows on several bodies, one run of dofs after the other, with rows in vector lanes.
//                                                     theory/contact/constraints.md, Body Jacobians

#include "constraint/rows/bodies.h"

#include <mujoco/api/model.h>
#include <stdalign.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "model/data/arena.h"

void bodies_make(BodyJacobian* jacobian, const mjModel* m, mjData* d, int maxbody) {
  size_t nv = (size_t)int_max(1, m->nv);
  jacobian->of.n = jacobian->nrun = jacobian->n = 0;
  jacobian->dof = arena_int(d, nv);
  jacobian->value = arena_num(d, nv * MAXLANE);
  jacobian->wrench = jacobian->box_wrench;
  jacobian->chain = jacobian->box_chain;
  jacobian->run = jacobian->box_run;
  if (maxbody > BOXBODY) {
    size_t n = (size_t)maxbody;
    jacobian->wrench = arena_take(d, n * sizeof(BodyWrench), alignof(BodyWrench));
    jacobian->chain = arena_take(d, n * sizeof(BodyChain), alignof(BodyChain));
    jacobian->run = arena_take(d, 2 * n * sizeof(ChainRun), alignof(ChainRun));
  }

  // lanes without a row are computed too, from zeros
  memset(jacobian->wrench, 0, (size_t)maxbody * sizeof(BodyWrench));
}

int bodies_select(BodyJacobian* jacobian, const RowSink* sink, const RowBodies* of) {
  if (sink->measuring && !sink->sparse) {
    return sink->m->nv;
  }
  RowBodies* old = &jacobian->of;
  int same = old->n == of->n;
  for (int i = 0; i < of->n; i++) {
    same &= old->body[i] == of->body[i];
    old->body[i] = of->body[i];
    old->weight[i] = of->weight[i];
  }
  if (same) {
    return jacobian->n;
  }

  old->n = of->n;
  jacobian->nrun = jac_runs(jacobian->run, jacobian->chain, sink->m, of->body, of->n);
  jacobian->n = 0;
  for (int k = 0; k < jacobian->nrun; k++) {
    const ChainRun* run = jacobian->run + k;
    memcpy(jacobian->dof + jacobian->n, run->dof, (size_t)run->ndof * sizeof(int));
    jacobian->n += run->ndof;
  }
  return jacobian->n;
}

int bodies_arm(mjtNum arm[3], const BodyJacobian* jacobian, const RowSink* sink, int i,
               const mjtNum point[3]) {
  const mjModel* m = sink->m;
  int body = jacobian->of.body[i];
  v3_sub(arm, point, sink->d->subtree_com + 3 * m->body_rootid[body]);
  return m->body_dofnum[m->body_weldid[body]] > 0;
}

// Sum of weight times wrench over the bodies that a run of dofs moves. nvec, the number of vectors
// per column, is constant where this is inlined.
INLINE void run_wrench(Simd4 w[6][MAXLANE / 4], const BodyJacobian* jacobian, const ChainRun* run,
                       int nvec) {
  for (int i = 0; i < 6; i++) {
    for (int v = 0; v < nvec; v++) {
      w[i][v] = (Simd4){0};
    }
  }
  for (int b = run->first; b < run->end; b++) {
    int place = jacobian->chain[b].place;
    mjtNum weight = jacobian->of.weight[place];
    for (int i = 0; i < 6; i++) {
      for (int v = 0; v < nvec; v++) {
        w[i][v] += weight * SIMD_READ(Simd4, jacobian->wrench[place][i] + 4 * v);
      }
    }
  }
}

// Vector v of the column of a dof: the power of the wrenches along its axis.
INLINE void column_of(Simd4* column, const mjtNum axis[6], Simd4 w[6][MAXLANE / 4], int v) {
  Simd4 sum = {0};
  for (int i = 0; i < 6; i++) {
    sum += axis[i] * w[i][v];
  }
  *column = sum;
}

INLINE void columns_of(mjtNum* out, const BodyJacobian* jacobian, const mjtNum* cdof,
                       const ChainRun* run, int nvec) {
  Simd4 w[6][MAXLANE / 4];
  run_wrench(w, jacobian, run, nvec);
  for (int k = 0; k < run->ndof; k++) {
    for (int v = 0; v < nvec; v++, out += 4) {
      Simd4 column;
      column_of(&column, cdof + 6 * run->dof[k], w, v);
      SIMD_AT(Simd4, out) = column;
    }
  }
}

KERNEL
static void columns(const BodyJacobian* jacobian, const mjtNum* cdof, int nvec) {
  mjtNum* out = jacobian->value;
  for (int k = 0; k < jacobian->nrun; k++) {
    const ChainRun* run = jacobian->run + k;
    switch (nvec) {
      case 1:
        columns_of(out, jacobian, cdof, run, 1);
        break;
      case 2:
        columns_of(out, jacobian, cdof, run, 2);
        break;
      default:
        columns_of(out, jacobian, cdof, run, 3);
        break;
    }
    out += (size_t)run->ndof * 4 * nvec;
  }
}

// J = sum over bodies of weight * (direction . S_j at the point)
// Also floating_rows in constraint/rows/floating_rows.c.
RowJacobian bodies_jacobian(BodyJacobian* jacobian, const mjData* d, int nrow) {
  int nvec = (nrow + 3) / 4;
  columns(jacobian, d->cdof, nvec);
  return (RowJacobian){jacobian->n, jacobian->dof, jacobian->value, 1, 4 * nvec};
}

// ncolumn columns of up to four rows, as rows of n entries. w: vector v of a run's wrench. ncolumn,
// at most four, is constant where this is inlined.
INLINE void put_square(mjtNum* J, int n, int nrow, const int* dof, const mjtNum* cdof,
                       Simd4 w[6][MAXLANE / 4], int v, int ncolumn) {
  Simd4 column[4] = {{0}};
  for (int c = 0; c < ncolumn; c++) {
    column_of(column + c, cdof + 6 * dof[c], w, v);
  }
  simd4_transpose(column);
  for (int r = 0; r < 4 && r < nrow; r++, J += n) {
    if (ncolumn == 4) {
      SIMD_AT(Simd4, J) = column[r];
      continue;
    }
    if (ncolumn >= 2) {
      SIMD_AT(Simd2, J) = (Simd2){column[r][0], column[r][1]};
    }
    if (ncolumn & 1) {
      J[ncolumn - 1] = column[r][ncolumn - 1];
    }
  }
}

INLINE void rows_of(mjtNum* J, const BodyJacobian* jacobian, const mjtNum* cdof,
                    const ChainRun* run, int nrow, int nvec) {
  Simd4 w[6][MAXLANE / 4];
  int n = jacobian->n, ndof = run->ndof;
  run_wrench(w, jacobian, run, nvec);
  for (int v = 0; v < nvec; v++, J += 4 * (size_t)n, nrow -= 4) {
    const int* dof = run->dof;
    int k = 0;
    for (; k + 4 <= ndof; k += 4) {
      put_square(J + k, n, nrow, dof + k, cdof, w, v, 4);
    }
    switch (ndof - k) {
      case 1:
        put_square(J + k, n, nrow, dof + k, cdof, w, v, 1);
        break;
      case 2:
        put_square(J + k, n, nrow, dof + k, cdof, w, v, 2);
        break;
      case 3:
        put_square(J + k, n, nrow, dof + k, cdof, w, v, 3);
        break;
      default:
        break;
    }
  }
}

KERNEL
void bodies_rows(mjtNum* J, const BodyJacobian* jacobian, const mjData* d, int nrow) {
  for (int k = 0; k < jacobian->nrun; J += jacobian->run[k++].ndof) {
    const ChainRun* run = jacobian->run + k;
    if (nrow <= 4) {
      rows_of(J, jacobian, d->cdof, run, nrow, 1);
    } else {
      rows_of(J, jacobian, d->cdof, run, nrow, (nrow + 3) / 4);
    }
  }
}
