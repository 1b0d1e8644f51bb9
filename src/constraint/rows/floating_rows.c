// Jacobians of contacts of free bodies.               theory/contact/constraints.md, Body Jacobians

#include "constraint/rows/floating_rows.h"

#include <mujoco/mjmodel.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "constraint/rows/contact_wrench.h"

enum {
  FREE_DOFS = 6
};

// The body with a free joint that a body is fixed to, -1 if nothing moves it, else -2.
static int floating_body(const mjModel* m, int body) {
  int weld = m->body_weldid[body];
  if (!m->body_dofnum[weld]) {
    return -1;
  }
  return m->jnt_type[m->body_jntadr[weld]] == mjJNT_FREE ? weld : -2;
}

void floating_pair(FloatingPair* pair, const mjModel* m, const mjData* d, int body1, int body2) {
  pair->n = 0;
  const int body[2] = {floating_body(m, body1), floating_body(m, body2)};
  if (body[0] == -2 || body[1] == -2 || body[0] == body[1]) {
    return;
  }
  int first = body[0] < 0 || (body[1] >= 0 && body[1] < body[0]);  // the side of the lesser dofs
  for (int i = 0; i < 2; i++) {
    int side = i ? !first : first;
    if (body[side] >= 0) {
      pair->side[i] = side;
      pair->dofadr[i] = m->body_dofadr[body[side]];
      pair->com[i] = d->subtree_com + 3 * body[side];
      pair->n += FREE_DOFS;
    }
  }
}

// Six columns of up to four rows, as rows of n numbers, from the forces of these rows and their
// torques about the com of the tree:
//
//   J_j = force_j                          translations
//   J_j = cdof_j . (torque, force)         rotations
//
// times the sign of the side.
INLINE void put_six(mjtNum* J, int n, int nrow, const mjtNum* cdof, const Simd4 w[6]) {
  Simd4 column[8] = {{0}};
  for (int k = 0; k < 3; k++) {
    Simd4 sum = {0};
    for (int i = 0; i < 6; i++) {
      sum += cdof[6 * k + i] * w[i];
    }
    column[k] = (Simd4){0} + w[3 + k];
    column[3 + k] = sum;
  }
  simd4_transpose(column);
  simd4_transpose(column + 4);
  for (int r = 0; r < 4 && r < nrow; r++, J += n) {
    SIMD_AT(Simd4, J) = column[r];
    SIMD_AT(Simd2, J + 4) = (Simd2){column[4 + r][0], column[4 + r][1]};
  }
}

INLINE void rows_with(mjtNum* J, const mjData* d, const FloatingPair* pair,
                      const mjContact* contact, int count, int dim, int pyramidal) {
  const int nrow = pyramidal ? 2 * (dim - 1) : dim, n = pair->n;
  for (int c = 0; c < count; c++, contact++, J += nrow * n) {
    for (int k = 0; FREE_DOFS * k < n; k++) {
      BodyWrench wrench = {{0}};
      mjtNum arm[3], sign = pair->side[k] ? 1 : -1;
      v3_sub(arm, contact->pos, pair->com[k]);
      wrenches_of(wrench, contact, arm, dim, pyramidal);
      for (int r = 0; r < nrow; r += 4) {
        Simd4 w[6];
        for (int i = 0; i < 6; i++) {
          w[i] = sign * SIMD_READ(Simd4, wrench[i] + r);
        }
        put_six(J + (size_t)r * (size_t)n + FREE_DOFS * k, n, nrow - r,
                d->cdof + 6 * (pair->dofadr[k] + 3), w);
      }
    }
  }
}

// Also bodies_jacobian in constraint/rows/bodies.c.
KERNEL
void floating_rows(mjtNum* J, const mjData* d, const FloatingPair* pair, const mjContact* contact,
                   int n, int type) {
  WITH_CONE_AND_DIM(type, contact->dim, rows_with, J, d, pair, contact, n)
}

void floating_columns(int* column, const FloatingPair* pair) {
  for (int k = 0; FREE_DOFS * k < pair->n; k++) {
    for (int i = 0; i < FREE_DOFS; i++) {
      column[FREE_DOFS * k + i] = pair->dofadr[k] + i;
    }
  }
}
