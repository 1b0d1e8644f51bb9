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

// Columns of a run of dofs: cdof times the weighted sum of wrenches over the bodies that the run
// moves. nvec, the number of vectors per column, is constant where this is inlined.
INLINE void columns_of(mjtNum* out, const BodyJacobian* jacobian, const mjtNum* cdof,
                       const ChainRun* run, int nvec) {
  Simd4 w[6][MAXLANE / 4] = {{{0}}};
  for (int b = run->first; b < run->end; b++) {
    int place = jacobian->chain[b].place;
    mjtNum weight = jacobian->of.weight[place];
    for (int i = 0; i < 6; i++) {
      for (int v = 0; v < nvec; v++) {
        w[i][v] += weight * SIMD_READ(Simd4, jacobian->wrench[place][i] + 4 * v);
      }
    }
  }
  for (int k = 0; k < run->ndof; k++) {
    const mjtNum* axis = cdof + 6 * run->dof[k];
    Simd4 sum[MAXLANE / 4] = {{0}};
    for (int i = 0; i < 6; i++) {
      for (int v = 0; v < nvec; v++) {
        sum[v] += axis[i] * w[i][v];
      }
    }
    for (int v = 0; v < nvec; v++, out += 4) {
      SIMD_AT(Simd4, out) = sum[v];
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
RowJacobian bodies_jacobian(BodyJacobian* jacobian, const mjData* d, int nrow) {
  int nvec = (nrow + 3) / 4;
  columns(jacobian, d->cdof, nvec);
  return (RowJacobian){jacobian->n, jacobian->dof, jacobian->value, 1, 4 * nvec};
}
