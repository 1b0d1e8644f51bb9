// problems.h: random problems of hard contacts, and what makes them.
//
// A problem is made of a Jacobian and velocities, like that of a step: b = J v, so a solution
// exists. Bodies are free, with unit spheres' inertia; contact points lie where the kind of the
// problem says.

#pragma once

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

#include "constraint/hard/solver.h"
#include "support/random.h"

enum {
  MOST_ROWS = 240,
  MOST_DOFS = 240,
};

typedef struct Problem_ {
  int nrow, nblock, nv;
  HardBlock block[MOST_ROWS];
  int list[MOST_ROWS];
  mjtNum J[MOST_ROWS][MOST_DOFS];
  mjtNum K[MOST_ROWS * MOST_ROWS];
  mjtNum b[MOST_ROWS], f[MOST_ROWS], w[MOST_ROWS];
  mjtNum weight[MOST_ROWS], size[MOST_ROWS];
  // K as the solver sees it: all rows in one run
  int runadr[MOST_ROWS + 1], length[MOST_ROWS], self[MOST_ROWS];
  HardRun run[MOST_ROWS];
  int64_t adr[MOST_ROWS + 1];
  HardMatrix matrix;
  // what K is made of, as that of a step: a tree per body, and a diagonal M
  mjModel model;
  HardSystem system;
  mjtNum dense[MOST_ROWS * MOST_DOFS], inverse[MOST_DOFS], row_scale[MOST_ROWS];
  int dof_tree[MOST_DOFS], one[MOST_DOFS], count[MOST_DOFS], tree_dof[MOST_DOFS + 1];
  int treeadr[MOST_ROWS + 1], tree[MOST_ROWS * MOST_DOFS / 6];
  HardProblem problem;
} Problem;

static inline int below(uint64_t* seed, int n) {
  return (int)((uniform_random(seed) + 1) / 2 * (mjtNum)n) % n;
}

static inline void add_block(Problem* p, HardLaw law, int dim) {
  p->block[p->nblock] = (HardBlock){p->nrow, dim, law, 0};
  p->nblock++;
  p->nrow += dim;
}

// Row: velocity along an axis of a point of a body, 6 dofs a body, velocities of the centre first.
static inline void add_side(mjtNum* row, int body, mjtNum sign, const mjtNum axis[3],
                            const mjtNum point[3]) {
  mjtNum turn[3];
  mju_cross(turn, point, axis);
  for (int k = 0; k < 3; k++) {
    row[6 * body + k] += sign * axis[k];
    row[6 * body + 3 + k] += sign * turn[k];
  }
}

// A contact with friction mu of body b at a point, from body a (-1: the ground) at a point.
static inline void add_contact(Problem* p, int a, const mjtNum pa[3], int b, const mjtNum pb[3],
                               const mjtNum normal[3], mjtNum mu) {
  mjtNum frame[9] = {normal[0], normal[1], normal[2]}, axis[3] = {0, 0, 0};
  axis[fabs(normal[0]) < 0.7 ? 0 : 1] = 1;
  mju_cross(frame + 3, normal, axis);
  mju_normalize3(frame + 3);
  mju_cross(frame + 6, frame, frame + 3);
  int row = p->nrow;
  add_block(p, HARD_CONE, 3);
  for (int k = 0; k < 3; k++) {
    memset(p->J[row + k], 0, sizeof p->J[row + k]);
    add_side(p->J[row + k], b, k ? mu : 1, frame + 3 * k, pb);
    if (a >= 0) {
      add_side(p->J[row + k], a, k ? -mu : -1, frame + 3 * k, pa);
    }
  }
}

// Whether a block moves a tree.
static inline int touches(const Problem* p, int i, int tree) {
  int count = 0;
  for (int r = p->block[i].first; r < p->block[i].first + p->block[i].dim; r++) {
    for (int k = 6 * tree; k < 6 * tree + 6; k++) {
      count += p->J[r][k] != 0;
    }
  }
  return count > 0;
}

// The system of a problem.
static inline void finish_system(Problem* p, mjData* d, const mjtNum* inverse, mjtNum h) {
  int nbody = p->nv / 6, n = 0;
  memset(&p->model, 0, sizeof p->model);
  p->model.nv = p->nv;
  p->model.ntree = nbody;
  p->model.opt.timestep = h;
  p->model.opt.jacobian = mjJAC_DENSE;
  p->model.dof_treeid = p->dof_tree;
  p->model.M_rownnz = p->one;
  p->model.M_rowadr = p->model.M_colind = p->count;
  for (int k = 0; k < p->nv; k++) {
    p->dof_tree[k] = k / 6;
    p->one[k] = 1;
    p->count[k] = k;
    p->inverse[k] = inverse[k];
    p->tree_dof[k / 6 + 1] = 6 * (k / 6 + 1);
  }
  p->tree_dof[0] = 0;
  for (int i = 0; i < p->nrow; i++) {
    p->row_scale[i] = 1;
    memcpy(p->dense + (ptrdiff_t)i * p->nv, p->J[i], p->nv * sizeof(mjtNum));
  }
  for (int i = 0; i < p->nblock; i++) {
    p->treeadr[i] = n;
    for (int t = 0; t < nbody; t++) {
      p->tree[n] = t;
      n += touches(p, i, t);
    }
  }
  p->treeadr[p->nblock] = n;
  d->nefc = p->nrow;
  d->efc_J = p->dense;
  p->system = (HardSystem){.m = &p->model,
                           .d = d,
                           .LD = p->inverse,
                           .diaginv = p->inverse,
                           .row_scale = p->row_scale,
                           .nrow = p->nrow,
                           .nblock = p->nblock,
                           .block = p->block,
                           .treeadr = p->treeadr,
                           .tree = p->tree,
                           .tree_dof = p->tree_dof};
}

// K = h J M^-1 J' with diagonal 1 / M, b = J v.
static inline void finish(Problem* p, mjData* d, const mjtNum* inverse, const mjtNum* velocity,
                          mjtNum h) {
  for (int i = 0; i < p->nrow; i++) {
    p->b[i] = p->size[i] = 0;
    for (int k = 0; k < p->nv; k++) {
      p->b[i] += p->J[i][k] * velocity[k];
      p->size[i] += (mjtNum)fabs(p->J[i][k] * velocity[k]);
    }
    for (int j = 0; j <= i; j++) {
      mjtNum sum = 0;
      for (int k = 0; k < p->nv; k++) {
        sum += p->J[i][k] * inverse[k] * p->J[j][k];
      }
      p->K[i * p->nrow + j] = p->K[j * p->nrow + i] = h * sum;
    }
    p->weight[i] = (mjtNum)sqrt(p->K[i * p->nrow + i]);
  }
  for (int i = 0; i < p->nblock; i++) {
    p->list[i] = p->runadr[i] = i;
    p->run[i] = (HardRun){0, p->nrow};
    p->length[i] = p->nrow;
    p->self[i] = p->block[i].first;
    p->adr[i] = (int64_t)p->nrow * p->block[i].first;
  }
  p->runadr[p->nblock] = p->nblock;
  p->matrix = (HardMatrix){p->runadr, p->run, p->length, p->self, p->adr, p->K};
  finish_system(p, d, inverse, h);
  p->problem = (HardProblem){.d = d,
                             .nrow = p->nrow,
                             .nblock = p->nblock,
                             .block = p->block,
                             .K = &p->matrix,
                             .system = &p->system,
                             .weight = p->weight,
                             .size = p->size,
                             .b = p->b,
                             .f = p->f,
                             .w = p->w};
  memset(p->f, 0, sizeof p->f);
  hard_multiply(&p->problem);
}
