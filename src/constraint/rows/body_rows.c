#include "constraint/rows/body_rows.h"

#include <string.h>

#include "base/simd.h"
#include "base/vec.h"
#include "smooth/jacobian.h"

BodyPair pair_make(const mjModel* m, mjData* d) {
  BodyPair pair = {.body = {-1, -1}};
  pair.dof = mj_stackAllocInt(d, int_max(1, m->nv));
  pair.value = mj_stackAllocNum(d, int_max(1, m->nv) * MAXLANE);
  return pair;
}

// Makes the chain that of two bodies; returns its length.
static int pair_select(BodyPair* pair, const mjModel* m, int body1, int body2) {
  if (pair->body[0] == body1 && pair->body[1] == body2) {
    return pair->n;
  }
  pair->body[0] = body1;
  pair->body[1] = body2;

  // common ancestors are a prefix of both chains
  const int* dof[2];
  int n[2], shared = 0;
  dof[0] = jac_bodyChain(&n[0], m, body1);
  dof[1] = jac_bodyChain(&n[1], m, body2);
  while (shared < n[0] && shared < n[1] && dof[0][shared] == dof[1][shared]) {
    shared++;
  }

  // the rest are two disjoint blocks
  int first = n[0] == shared || (n[1] > shared && dof[1][shared] < dof[0][shared]);
  pair->first = first;
  pair->shared = shared;
  pair->moves[0] = n[0];
  pair->moves[1] = n[1];
  pair->own = n[first] - shared;
  pair->n = n[0] + n[1] - shared;
  if (n[first]) {
    memcpy(pair->dof, dof[first], n[first] * sizeof(int));
  }
  if (n[!first] > shared) {
    memcpy(pair->dof + n[first], dof[!first] + shared, (n[!first] - shared) * sizeof(int));
  }
  return pair->n;
}

int pair_columns(BodyPair* pair, const RowSink* sink, int body1, int body2) {
  if (sink->measuring && !sink->sparse) {
    return sink->m->nv;
  }
  return pair_select(pair, sink->m, body1, body2);
}

int pair_moves(const BodyPair* pair, int side) {
  return pair->moves[side] > 0;
}

void pair_arm(mjtNum arm[3], const BodyPair* pair, const mjModel* m, const mjData* d, int side,
              const mjtNum point[3]) {
  v3_sub(arm, point, d->subtree_com + 3 * m->body_rootid[pair->body[side]]);
}

// column k of `lanes` rows: sum over the six components of cdof times the wrenches
INLINE void columns_of(mjtNum* out, const mjtNum* cdof, const int* dof, int n,
                       const mjtNum w[6][MAXLANE], int lanes) {
  for (int k = 0; k < n; k++) {
    const mjtNum* axis = cdof + 6 * dof[k];
    mjtNum sum[MAXLANE] = {0};
    for (int i = 0; i < 6; i++) {
      for (int r = 0; r < lanes; r++) {
        sum[r] += axis[i] * w[i][r];
      }
    }
    memcpy(out + k * lanes, sum, lanes * sizeof(mjtNum));
  }
}

KERNEL
static void columns(mjtNum* out, const mjtNum* cdof, const int* dof, int n,
                    const mjtNum w[6][MAXLANE], int lanes) {
  switch (lanes) {
    case 4:
      columns_of(out, cdof, dof, n, w, 4);
      break;
    case 8:
      columns_of(out, cdof, dof, n, w, 8);
      break;
    default:
      columns_of(out, cdof, dof, n, w, MAXLANE);
      break;
  }
}

RowJacobian pair_jacobian(BodyPair* pair, const mjData* d, const BodyWrench* wrench) {
  int lanes = (wrench->nrow + 3) / 4 * 4;

  // what a dof of body 1 alone, of body 2 alone and of both gives power to
  mjtNum part[3][6][MAXLANE];
  int second = pair->n - pair->shared - pair->own;
  const int count[3] = {pair->first ? second : pair->own, pair->first ? pair->own : second,
                        pair->shared};
  for (int i = 0; i < 6; i++) {
    for (int r = 0; r < lanes; r++) {
      mjtNum w0 = count[0] + count[2] && r < wrench->nrow ? wrench->w[0][i][r] : 0;
      mjtNum w1 = count[1] + count[2] && r < wrench->nrow ? wrench->w[1][i][r] : 0;
      part[0][i][r] = -w0;
      part[1][i][r] = w1;
      part[2][i][r] = w1 - w0;
    }
  }

  const int order[3] = {2, pair->first, !pair->first};
  int begin = 0;
  for (int k = 0; k < 3; k++) {
    int n = count[order[k]];
    if (n) {
      columns(pair->value + begin * lanes, d->cdof, pair->dof + begin, n, part[order[k]], lanes);
    }
    begin += n;
  }
  return (RowJacobian){pair->n, pair->dof, pair->value, 1, lanes};
}
