// inertia.c: composite inertias and M of trees side by side.
//                                                       theory/smooth/inertia.md, Composite inertia

#include "smooth/alike/alike.h"
#include "smooth/alike/group.h"

// Adds the inertia of each body to that of its parent, the last first.
// Also composite_inertias in smooth/inertia.c.
INLINE void alike_composites(SimdN* crb, const mjModel* m, const TreeGroup* g) {
  for (int i = g->nbody - 1; i > 0; i--) {
    SimdN* sum = crb + 10 * (m->body_parentid[g->body[0] + i] - g->body[0]);
    for (int c = 0; c < 10; c++) {
      sum[c] += crb[10 * i + c];
    }
  }
}

// p = I s, as sp_mulinertia
INLINE void lane_mulinertia(SimdN p[6], const SimdN I[10], const SimdN s[6]) {
  p[0] = I[0] * s[0] + I[3] * s[1] + I[4] * s[2] - I[8] * s[4] + I[7] * s[5];
  p[1] = I[3] * s[0] + I[1] * s[1] + I[5] * s[2] + I[8] * s[3] - I[6] * s[5];
  p[2] = I[4] * s[0] + I[5] * s[1] + I[2] * s[2] - I[7] * s[3] + I[6] * s[4];
  p[3] = I[8] * s[1] - I[7] * s[2] + I[9] * s[3];
  p[4] = I[6] * s[2] - I[8] * s[0] + I[9] * s[4];
  p[5] = I[7] * s[0] - I[6] * s[1] + I[9] * s[5];
}

INLINE void lane_dot3(SimdN* out, const SimdN a[3], const SimdN b[3]) {
  *out = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Row i of M.
// Also inertia_rows in smooth/inertia.c.
INLINE void alike_row(SimdN* row, const mjModel* m, const TreeGroup* g, int i, const SimdN* crb,
                      const SimdN* cdof, const SimdN* armature) {
  const int* column = m->M_colind + m->M_rowadr[g->dof[0] + i];
  int ancestors = m->M_rownnz[g->dof[0] + i] - 1, body = m->dof_bodyid[g->dof[0] + i] - g->body[0];
  SimdN p[6], turn, shift;
  lane_mulinertia(p, crb + 10 * body, cdof + 6 * i);
  lane_dot3(&turn, p, cdof + 6 * i);
  lane_dot3(&shift, p + 3, cdof + 6 * i + 3);
  row[ancestors] = armature[i] + (turn + shift);
  for (int k = 0; k < ancestors; k++) {
    const SimdN* axis = cdof + 6 * (column[k] - g->dof[0]);
    SimdN sum = p[0] * axis[0];
    for (int c = 1; c < 6; c++) {
      sum += p[c] * axis[c];
    }
    row[k] = sum;
  }
}

// Writes qM: rows of M in reverse order.
INLINE void alike_legacy(mjtNum* qM, const mjModel* m, const TreeGroup* g, const SimdN* entry) {
  SimdN reverse[ALIKE_ENTRIES];
  int first[SIMD_N];
  for (int l = 0; l < SIMD_N; l++) {
    first[l] = m->dof_Madr[g->dof[l]];
  }
  for (int i = g->dof[0]; i < g->dof[0] + g->ndof; i++) {
    int n = m->M_rownnz[i];
    const SimdN* row = entry + m->M_rowadr[i] - g->entry[0];
    SimdN* out = reverse + m->dof_Madr[i] - first[0];
    for (int k = 0; k < n; k++) {
      out[k] = row[n - 1 - k];
    }
  }
  group_write(qM, reverse, first, 1, 0, g->nentry);
}

KERNEL void alike_inertia(const mjModel* m, mjData* d, const TreeGroups* groups, int begin, int end,
                          int legacy) {
  for (int k = begin; k < end; k++) {
    TreeGroup g;
    _Alignas(32) SimdN crb[10 * ALIKE_BODIES], cdof[6 * ALIKE_DOFS], armature[ALIKE_DOFS];
    _Alignas(32) SimdN entry[ALIKE_ENTRIES];
    group_load(&g, m, groups, k);
    group_read(crb, d->cinert, g.body, 10, 0, 10 * g.nbody);
    alike_composites(crb, m, &g);
    group_write(d->crb, crb, g.body, 10, 0, 10 * g.nbody);
    group_read(cdof, d->cdof, g.dof, 6, 0, 6 * g.ndof);
    group_read(armature, m->dof_armature, g.dof, 1, 0, g.ndof);
    for (int i = 0; i < g.ndof; i++) {
      SimdN* row = entry + m->M_rowadr[g.dof[0] + i] - g.entry[0];
      alike_row(row, m, &g, i, crb, cdof, armature);
    }
    group_write(d->M, entry, g.entry, 1, 0, g.nentry);
    if (legacy) {
      alike_legacy(d->qM, m, &g, entry);
    }
  }
}
