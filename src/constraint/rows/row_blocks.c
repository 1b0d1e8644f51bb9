// Finds runs of rows that touch the same trees, then merges the lists of blocks of their trees.

#include "constraint/rows/row_blocks.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "constraint/law/problem.h"
#include "constraint/rows/extent.h"
#include "constraint/rows/makers.h"
#include "model/data/jacobian.h"

// Lists the trees of n bodies, ascending.
static int list_of_bodies(int* list, const mjModel* m, const RowBodies* of) {
  int count = 0;
  for (int k = 0; k < of->n; k++) {
    int tree = m->body_treeid[of->body[k]], at = count;
    while (at > 0 && list[at - 1] > tree) {
      at--;
    }
    if (tree >= 0 && !(at > 0 && list[at - 1] == tree)) {
      for (int to = count; to > at; to--) {
        list[to] = list[to - 1];
      }
      list[at] = tree;
      count++;
    }
  }
  return count;
}

// Lists the trees in which n rows of one constraint have entries, ascending. Dofs ascend, and those
// of a tree are consecutive.
static int list_of_rows(int* list, const mjModel* m, const Matrix* J, int row, int n) {
  const int* column = J->rownnz ? J->column + J->rowadr[row] : NULL;
  int count = 0, last = -1;
  for (int k = 0; k < (column ? J->rownnz[row] : J->ncolumn); k++) {
    int tree = m->dof_treeid[column ? column[k] : k], any = column != NULL;
    for (int r = 0; r < n && !any && tree != last; r++) {
      any = J->value[(row + r) * J->ld + k] != 0;
    }
    if (any && tree != last) {
      list[count++] = last = tree;
    }
  }
  return count;
}

// The tree that a row on one dof touches; -1 for rows of other types.
static inline int tree_of_dof(const mjModel* m, const mjData* d, int row) {
  int type = d->efc_type[row], id = d->efc_id[row];
  if (type == mjCNSTR_FRICTION_DOF) {
    return m->dof_treeid[id];
  }
  return type == mjCNSTR_LIMIT_JOINT ? m->dof_treeid[m->jnt_dofadr[id]] : -1;
}

// Lists the trees that n rows of a constraint can touch.
static int list_trees(int* list, const mjModel* m, const mjData* d, const Matrix* J, int row,
                      int n) {
  if (d->efc_type[row] < mjCNSTR_CONTACT_FRICTIONLESS) {
    return list_of_rows(list, m, J, row, n);
  }
  RowBodies of;
  contact_bodies(&of, m, d, d->contact + d->efc_id[row]);
  return list_of_bodies(list, m, &of);
}

static int* copy_list(mjData* d, const int* from, int n) {
  int* list = mj_stackAllocInt(d, n);
  return n ? memcpy(list, from, n * sizeof(int)) : NULL;
}

static int same_list(const int* a, const int* b, int n) {
  int same = 1;
  for (int k = 0; k < n; k++) {
    same &= a[k] == b[k];
  }
  return same;
}

static int find_blocks(RowBlock* block, const mjModel* m, mjData* d) {
  Matrix J = matrix_whole_J(m, d);
  int count = 0, *list = mj_stackAllocInt(d, (size_t)m->ntree + 1);
  for (int i = 0, n; i < d->nefc; i += n) {
    RowBlock* last = block + count - 1;
    int tree = tree_of_dof(m, d, i), ntree = 1;
    n = 1;
    if (tree >= 0) {
      list[0] = tree;
      while (i + n < d->nefc && tree_of_dof(m, d, i + n) == tree) {
        n++;
      }
    } else {
      n = constraint_rows(m, d, i);
      ntree = i && J.same && J.same[i - 1] && last->ntree ? -1  // those of the row before
                                                          : list_trees(list, m, d, &J, i, n);
    }
    int same =
        ntree < 0 || (i && ntree && ntree == last->ntree && same_list(list, last->tree, ntree));
    if (!same) {
      block[count++] = (RowBlock){.row = i, .ntree = ntree, .tree = copy_list(d, list, ntree)};
    }
    block[count - 1].n += n;
  }
  return count;
}

// Finds the dofs of the trees of each block.
static void find_dofs(RowBlock* block, int n, const mjModel* m, mjData* d) {
  int *begin = mj_stackAllocInt(d, 2 * (size_t)m->ntree), *end = begin + m->ntree;
  for (int i = m->nv - 1; i >= 0; i--) {
    begin[m->dof_treeid[i]] = i;
  }
  for (int i = 0; i < m->nv; i++) {
    end[m->dof_treeid[i]] = i + 1;
  }
  for (int i = 0; i < n; i++) {
    if (block[i].ntree) {
      block[i].dof = begin[block[i].tree[0]];
      block[i].ndof = end[block[i].tree[block[i].ntree - 1]] - block[i].dof;
    }
  }
}

// The blocks that touch tree t, ascending: block[adr[t]] .. block[adr[t + 1] - 1].
typedef struct {
  const int *adr, *block;
} TreeBlocks;

static TreeBlocks blocks_by_tree(const mjModel* m, mjData* d, const RowBlock* block, int n) {
  int total = 0, *adr = mj_stackAllocInt(d, (size_t)m->ntree + 2);
  memset(adr, 0, ((size_t)m->ntree + 2) * sizeof(int));
  for (int i = 0; i < n; i++) {
    total += block[i].ntree;
    for (int k = 0; k < block[i].ntree; k++) {
      adr[block[i].tree[k] + 2]++;
    }
  }
  for (int t = 0; t < m->ntree; t++) {
    adr[t + 2] += adr[t + 1];
  }
  // adr[t + 1] is the insertion place of tree t and ends as the start of tree t + 1
  int* list = mj_stackAllocInt(d, total);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < block[i].ntree; k++) {
      list[adr[block[i].tree[k] + 1]++] = i;
    }
  }
  return (TreeBlocks){adr, list};
}

// Merges the lists of the trees of a block. next: scratch, a number per tree.
static int merge_lists(int* merged, int* next, const TreeBlocks* by, const RowBlock* block) {
  int n = 0;
  for (int k = 0; k < block->ntree; k++) {
    next[k] = by->adr[block->tree[k]];
  }
  while (1) {
    int least = -1;
    for (int k = 0; k < block->ntree; k++) {
      if (next[k] < by->adr[block->tree[k] + 1] && (least < 0 || by->block[next[k]] < least)) {
        least = by->block[next[k]];
      }
    }
    if (least < 0) {
      return n;
    }
    merged[n++] = least;
    for (int k = 0; k < block->ntree; k++) {
      next[k] += next[k] < by->adr[block->tree[k] + 1] && by->block[next[k]] == least;
    }
  }
}

static void find_neighbours(RowBlock* block, int n, const mjModel* m, mjData* d) {
  TreeBlocks by = blocks_by_tree(m, d, block, n);
  int *merged = mj_stackAllocInt(d, n), *next = mj_stackAllocInt(d, m->ntree);
  for (int i = 0; i < n; i++) {
    if (block[i].ntree == 1) {
      int tree = block[i].tree[0];
      block[i].neighbour = by.block + by.adr[tree];
      block[i].nneighbour = by.adr[tree + 1] - by.adr[tree];
    } else if (block[i].ntree) {
      block[i].nneighbour = merge_lists(merged, next, &by, block + i);
      block[i].neighbour = copy_list(d, merged, block[i].nneighbour);
    } else {
      block[i].nneighbour = 1;
      block[i].neighbour = copy_list(d, &i, 1);
    }
    for (int k = 0; k < block[i].nneighbour; k++) {
      block[i].width += block[block[i].neighbour[k]].n;
    }
  }
}

RowBlocks row_blocks(const mjModel* m, mjData* d) {
  static const int zero = 0;
  int whole = m->ntree == 1 && !rows_are_sparse(m, d), n = 1;
  RowBlock* block =
      mj_stackAllocByte(d, (whole ? 1 : (size_t)d->nefc) * sizeof(RowBlock), _Alignof(RowBlock));
  if (whole) {
    block[0] = (RowBlock){0, d->nefc, 1, &zero, 0, m->nv, 1, &zero, d->nefc};
  } else {
    n = find_blocks(block, m, d);
    find_dofs(block, n, m, d);
    find_neighbours(block, n, m, d);
  }
  return (RowBlocks){n, block};
}
