// The constant factor of release 4.0 for triangles that bend.
//
//   A = M + (h^2 + h b) K = L' L,   K_ij = (sum of bends k_ij) R_i' R_j
//
// with 3 x 3 blocks for vertices i, j, whose bodies have the axes R at qpos0; b is the flex's
// damping, and h^2 or h b is left out where the flag spring or damper is off. Rows are eliminated
// from the last to the first, in the order of dofs. L has the pattern of A and what elimination
// adds, by numbers: blocks off the diagonal are full, one on it is its diagonal until another
// vertex is eliminated into it.

#include "model/derived/flex_metric.h"

#include <limits.h>
#include <math.h>
#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/memory/memory.h"
#include "model/behaviour.h"
#include "model/derived/flex_graph.h"
#include "model/derived/parts.h"
#include "model/tree/pose0.h"

enum {
  NBENDING = 17,        // numbers of an edge in flex_bending
  MOST = INT_MAX / 16,  // entries of the factor: beyond that there is none
};

// The pattern of the factor by vertices: for each the lower ones in its row, ascending.
typedef struct Pattern_ {
  int n;
  int** lower;
  int* count;
  int* above;  // is the vertex in the row of a higher one?
} Pattern;

static void pattern_free(Pattern* pattern) {
  for (int i = 0; pattern->lower && i < pattern->n; i++) {
    mju_free(pattern->lower[i]);
  }
  mju_free(pattern->lower);
  mju_free(pattern->count);
  mju_free(pattern->above);
}

static void add(int* list, int* n, int* seen, int i, int end) {
  if (i < end && seen[i] != end) {
    seen[i] = end;
    list[(*n)++] = i;
  }
}

// The row of a vertex: its lower neighbors, and what is in the rows of its children, those whose
// highest lower vertex it is. child, sibling: the first of them, and the next one of each.
static int row_of(int* list, int* seen, const Pattern* pattern, const FlexGraph* graph, int i,
                  const int* child, const int* sibling) {
  int n = 0;
  for (int k = graph->start[i]; k < graph->start[i + 1]; k++) {
    add(list, &n, seen, graph->neighbor[k], i);
  }
  for (int c = child[i]; c >= 0; c = sibling[c]) {
    for (int k = 0; k < pattern->count[c]; k++) {
      add(list, &n, seen, pattern->lower[c][k], i);
    }
  }
  flex_sort(list, n);
  return n;
}

static int fill_pattern(Pattern* pattern, const FlexGraph* graph, int* scratch) {
  int n = graph->n, *list = scratch, *seen = list + n, *child = seen + n, *sibling = child + n;
  memset(seen, -1, 3 * (size_t)n * sizeof(int));
  for (int i = n - 1; i >= 0; i--) {
    int count = row_of(list, seen, pattern, graph, i, child, sibling);
    pattern->count[i] = count;
    pattern->lower[i] = memory_take((size_t)count * sizeof(int) + 1);
    if (!pattern->lower[i]) {
      return 0;
    }
    memcpy(pattern->lower[i], list, (size_t)count * sizeof(int));
    pattern->above[i] = child[i] >= 0;
    if (count) {
      int parent = list[count - 1];
      sibling[i] = child[parent];
      child[parent] = i;
    }
  }
  return 1;
}

static int pattern_make(Pattern* pattern, const FlexGraph* graph) {
  size_t n = (size_t)graph->n;
  *pattern = (Pattern){.n = graph->n,
                       .lower = memory_take_zero(n * sizeof(int*) + 1),
                       .count = memory_take_zero(n * sizeof(int) + 1),
                       .above = memory_take_zero(n * sizeof(int) + 1)};
  int* scratch = memory_take(4 * n * sizeof(int) + 1);
  int done = pattern->lower && pattern->count && pattern->above && scratch;
  done = done && fill_pattern(pattern, graph, scratch);
  mju_free(scratch);
  return done;
}

// Makes the graph and the pattern. Returns 0 if memory runs out.
static int open_pattern(FlexGraph* graph, Pattern* pattern, const mjModel* m) {
  *graph = (FlexGraph){0};
  *pattern = (Pattern){0};
  size_t n = flex_bend_cliques(NULL, m);
  FlexClique* clique = memory_take(n * sizeof(FlexClique) + 1);
  int done = clique != NULL;
  if (done) {
    flex_bend_cliques(clique, m);
    done = flex_graph_make(graph, m, clique, n, 1) && pattern_make(pattern, graph);
  }
  mju_free(clique);
  return done;
}

static void close_pattern(FlexGraph* graph, Pattern* pattern) {
  flex_graph_free(graph);
  pattern_free(pattern);
}

static int has_factor(const mjModel* m) {
  int any = 0;
  for (int f = 0; f < m->nflex && behaves(m, cndBEHAVIOUR_flex) && !any; f++) {
    any = flex_has_constant_bends(m, f);
  }
  return any;
}

int flex_metric_count(mjtSize size[2], const mjModel* m) {
  FlexGraph graph;
  Pattern pattern;
  size[0] = size[1] = 0;
  if (!has_factor(m)) {
    return 1;
  }
  int done = open_pattern(&graph, &pattern, m);
  for (int i = 0; done && i < pattern.n; i++) {
    size[0] += 3;
    size[1] += 9 * (mjtSize)pattern.count[i] + (pattern.above[i] ? 6 : 3);
  }
  close_pattern(&graph, &pattern);
  if (size[1] > MOST) {
    size[0] = size[1] = 0;
  }
  return done;
}

int write_flex_metric(mjModel* m) {
  FlexGraph graph;
  Pattern pattern;
  if (!m->nefm0dof) {
    return 1;
  }
  int done = open_pattern(&graph, &pattern, m), adr = 0;
  for (int r = 0; done && r < 3 * pattern.n; r++) {
    int i = r / 3, k = r % 3, first = adr;
    m->efm0_dofid[r] = graph.dof[i] + k;
    m->efm0_L_rowadr[r] = adr;
    for (int c = 0; c < 3 * pattern.count[i]; c++) {
      m->efm0_L_colind[adr++] = 3 * pattern.lower[i][c / 3] + c % 3;
    }
    for (int c = pattern.above[i] ? 0 : k; c <= k; c++) {
      m->efm0_L_colind[adr++] = 3 * i + c;
    }
    m->efm0_L_rownnz[r] = adr - first;
  }
  close_pattern(&graph, &pattern);
  return done;
}

// values

// The entry of L in a row and a column that the row has.
static mjtNum* entry(const mjModel* m, int row, int column) {
  int low = m->efm0_L_rowadr[row], high = low + m->efm0_L_rownnz[row] - 1;
  while (low < high) {
    int middle = (low + high) / 2;
    if (m->efm0_L_colind[middle] < column) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return m->efm0_L + low;
}

static void add_block(const mjModel* m, int i, int j, mjtNum k, const mjtNum R[9]) {
  for (int x = 0; x < 3; x++) {
    for (int y = 0; y < 3; y++) {
      if (R[3 * x + y] != 0) {
        *entry(m, i + x, j + y) += k * R[3 * x + y];
      }
    }
  }
}

// R = R_i' R_j of two bodies at qpos0.
static void turn_between(mjtNum R[9], const mjModel* m, int i, int j) {
  mjtNum a[4], b[4], mat[9], other[9];
  axes_at_rest(a, m, i);
  axes_at_rest(b, m, j);
  if (!memcmp(a, b, sizeof(a))) {
    memset(R, 0, 9 * sizeof(mjtNum));
    R[0] = R[4] = R[8] = 1;
    return;
  }
  mju_quat2Mat(mat, a);
  mju_quat2Mat(other, b);
  mju_mulMatTMat(R, mat, other, 3, 3, 3);
}

// row: of the vertices' first dofs in L, -1: none.
static void add_bend(const mjModel* m, const int body[4], const int row[4], const mjtNum* k,
                     mjtNum scale) {
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      mjtNum R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
      if (row[i] < 0 || row[j] < 0 || row[j] > row[i]) {
        continue;
      }
      if (body[i] != body[j]) {
        turn_between(R, m, body[i], body[j]);
      }
      add_block(m, row[i], row[j], k[4 * i + j] * scale, R);
    }
  }
}

static void add_bends(const mjModel* m, int f, const int* row_of_dof) {
  mjtNum h = m->opt.timestep;
  int springs = !(m->opt.disableflags & mjDSBL_SPRING);
  int dampers = !(m->opt.disableflags & mjDSBL_DAMPER);
  mjtNum scale = (springs ? h * h : 0) + (dampers ? h * m->flex_damping[f] : 0);
  const int* body_of = m->flex_vertbodyid + m->flex_vertadr[f];
  for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
    const int *edge = m->flex_edge + 2 * (size_t)e, *flap = m->flex_edgeflap + 2 * (size_t)e;
    const int vert[4] = {edge[0], edge[1], flap[0], flap[1]};
    int body[4], row[4];
    for (int i = 0; i < 4 && flap[1] >= 0; i++) {
      int dof = flex_vertex_dof(m, m->flex_vertadr[f] + vert[i]);
      body[i] = body_of[vert[i]];
      row[i] = dof < 0 ? -1 : row_of_dof[dof];
    }
    if (flap[1] >= 0) {
      add_bend(m, body, row, m->flex_bending + NBENDING * (size_t)e, scale);
    }
  }
}

// A = L' L, from the last row to the first.
static void factor(const mjModel* m) {
  for (int r = (int)m->nefm0dof - 1; r >= 0; r--) {
    int n = m->efm0_L_rownnz[r] - 1;
    mjtNum* row = m->efm0_L + m->efm0_L_rowadr[r];
    const int* column = m->efm0_L_colind + m->efm0_L_rowadr[r];
    row[n] = mju_sqrt(num_max(row[n], mjMINVAL));
    for (int k = 0; k < n; k++) {
      row[k] /= row[n];
    }
    for (int k = 0; k < n; k++) {
      if (row[k] == 0) {
        continue;
      }
      // the other row has all columns of this one up to its diagonal
      int adr = m->efm0_L_rowadr[column[k]];
      for (int i = 0; i <= k; adr++) {
        if (m->efm0_L_colind[adr] == column[i]) {
          m->efm0_L[adr] -= row[k] * row[i++];
        }
      }
    }
  }
}

void derived_metric(mjModel* m) {
  int* row_of_dof = m->nefm0dof ? memory_take((size_t)m->nv * sizeof(int)) : NULL;
  if (!row_of_dof) {
    return;
  }
  memset(row_of_dof, -1, (size_t)m->nv * sizeof(int));
  mju_zero(m->efm0_L, (int)m->nefm0L);
  for (int r = 0; r < (int)m->nefm0dof; r++) {
    int dof = m->efm0_dofid[r];
    row_of_dof[dof] = r;
    m->efm0_L[m->efm0_L_rowadr[r] + m->efm0_L_rownnz[r] - 1] = m->dof_M0[dof];
  }
  for (int f = 0; f < m->nflex; f++) {
    if (flex_has_constant_bends(m, f)) {
      add_bends(m, f, row_of_dof);
    }
  }
  factor(m);
  mju_free(row_of_dof);
}
