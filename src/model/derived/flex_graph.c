// flex_graph.c: lists what couples vertices, and makes a graph of it.

#include "model/derived/flex_graph.h"

#include <mujoco/api/base.h>
#include <stdlib.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/memory/memory.h"
#include "model/flex/rod.h"

enum {
  NSTIFFNESS = 21,  // numbers of an element in flex_stiffness
};

// The axis of the joint's frame that a joint slides along, -1 if it turns or is oblique.
static int slide_axis(const mjModel* m, int joint) {
  int found = -1, n = 0;
  for (int k = 0; k < 3; k++) {
    if (mju_abs(m->jnt_axis[3 * (size_t)joint + (size_t)k]) > mjMINVAL) {
      found = k;
      n++;
    }
  }
  return n == 1 && m->jnt_type[joint] == mjJNT_SLIDE ? found : -1;
}

int flex_body_dof(const mjModel* m, int body) {
  if (body < 0 || m->body_dofnum[body] != 3 || m->body_jntnum[body] != 3 ||
      m->body_weldid[m->body_parentid[body]]) {
    return -1;
  }
  for (int k = 0; k < 3; k++) {
    if (slide_axis(m, m->body_jntadr[body] + k) < 0) {
      return -1;
    }
  }
  return m->body_dofadr[body];
}

int flex_vertex_dof(const mjModel* m, int vert) {
  return flex_body_dof(m, m->flex_vertbodyid[vert]);
}

// Do three joints slide along x, y, z, in this order?
static int slides_along_axes(const mjModel* m, int joint) {
  for (int k = 0; k < 3; k++) {
    if (slide_axis(m, joint + k) != k || m->jnt_axis[3 * (size_t)(joint + k) + (size_t)k] < 0) {
      return 0;
    }
  }
  return 1;
}

int flex_has_constant_bends(const mjModel* m, int flex) {
  int adr = m->flex_vertadr[flex];
  if (m->flex_dim[flex] != 2 || m->flex_interp[flex] || m->flex_rigid[flex] ||
      m->flex_bendingadr[flex] < 0) {
    return 0;
  }
  for (int v = adr; v < adr + m->flex_vertnum[flex]; v++) {
    int body = m->flex_vertbodyid[v];
    int is_free = flex_vertex_dof(m, v) >= 0 && slides_along_axes(m, m->body_jntadr[body]);
    if (m->body_weldid[body] && !is_free) {
      return 0;
    }
  }
  return 1;
}

// cliques

static void put(FlexClique* clique, const mjModel* m, int flex, const int* vert, int n) {
  for (int i = 0; clique && i < FLEX_CLIQUE; i++) {
    int v = i < n ? vert[i] : -1;
    clique->dof[i] = v < 0 ? -1 : flex_vertex_dof(m, m->flex_vertadr[flex] + v);
  }
}

// Whether anything acts between all vertices of an element.
static int couples_elements(const mjModel* m, int f) {
  const mjtNum* K = m->flex_stiffness + NSTIFFNESS * (size_t)m->flex_elemadr[f];
  int any = m->flex_edgeequality[f] == 1;
  for (int i = 0; i < NSTIFFNESS * m->flex_elemnum[f] && !any; i++) {
    any = K[i] != 0;
  }
  return any && m->flex_dim[f] >= 2;
}

static size_t add_elements(FlexClique* clique, const mjModel* m, int f) {
  int per = m->flex_dim[f] + 1;
  const int* elem = m->flex_elem + m->flex_elemdataadr[f];
  for (int e = 0; clique && e < m->flex_elemnum[f]; e++) {
    put(clique + e, m, f, elem + (size_t)per * (size_t)e, per);
  }
  return (size_t)m->flex_elemnum[f];
}

static size_t add_bends(FlexClique* clique, const mjModel* m, int f) {
  size_t n = 0;
  for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
    const int *edge = m->flex_edge + 2 * (size_t)e, *flap = m->flex_edgeflap + 2 * (size_t)e;
    if (flap[1] >= 0) {
      const int vert[4] = {edge[0], edge[1], flap[0], flap[1]};
      put(clique ? clique + n : NULL, m, f, vert, 4);
      n++;
    }
  }
  return n;
}

static size_t add_rod(FlexClique* clique, const mjModel* m, int f) {
  Rod rod;
  if (!rod_of(&rod, m, f)) {
    return 0;
  }
  for (int i = 0; clique && i < rod.n; i++) {
    const mjtNum* record = rod.record + ROD_RECORD * (size_t)i;
    const int vert[4] = {(int)record[0], (int)record[1], (int)record[2], (int)record[3]};
    put(clique + i, m, f, vert, 4);
  }
  return (size_t)rod.n;
}

size_t flex_cliques(FlexClique* clique, const mjModel* m) {
  size_t n = 0;
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_interp[f] || m->flex_rigid[f]) {
      continue;
    }
    if (couples_elements(m, f)) {
      n += add_elements(clique ? clique + n : NULL, m, f);
    }
    if (m->flex_dim[f] == 2 && m->flex_bendingadr[f] >= 0) {
      n += add_bends(clique ? clique + n : NULL, m, f);
    }
    if (m->flex_dim[f] == 1) {
      n += add_rod(clique ? clique + n : NULL, m, f);
    }
  }
  return n;
}

size_t flex_bend_cliques(FlexClique* clique, const mjModel* m) {
  size_t n = 0;
  for (int f = 0; f < m->nflex; f++) {
    if (flex_has_constant_bends(m, f)) {
      n += add_bends(clique ? clique + n : NULL, m, f);
    }
  }
  return n;
}

// graph

static int compare_ints(const void* a, const void* b) {
  const int *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

void flex_sort(int* list, int n) {
  qsort(list, (size_t)n, sizeof(int), compare_ints);
}

// Numbers the nodes by their dofs.
static int number_nodes(FlexGraph* graph, const mjModel* m) {
  int n = 0;
  for (int i = 0; i < m->nv; i++) {
    graph->node[i] = graph->node[i] ? n++ : -1;
  }
  graph->dof = memory_take((size_t)n * sizeof(int) + 1);
  for (int i = 0; graph->dof && i < m->nv; i++) {
    if (graph->node[i] >= 0) {
      graph->dof[graph->node[i]] = i;
    }
  }
  graph->n = n;
  return graph->dof != NULL;
}

static void mark_nodes(FlexGraph* graph, const mjModel* m, const FlexClique* clique, size_t n,
                       int all) {
  for (size_t i = 0; i < FLEX_CLIQUE * n; i++) {
    int dof = clique[i / FLEX_CLIQUE].dof[i % FLEX_CLIQUE];
    if (dof >= 0) {
      graph->node[dof] = 1;
    }
  }
  for (int f = 0; all && f < m->nflex; f++) {
    int first = m->flex_vertadr[f], end = first + m->flex_vertnum[f];
    for (int v = first; v < end && flex_has_constant_bends(m, f); v++) {
      int dof = flex_vertex_dof(m, v);
      if (dof >= 0) {
        graph->node[dof] = 1;
      }
    }
  }
}

// Counts neighbors, each as often as cliques name it, or adds them.
static void add_pairs(FlexGraph* graph, const FlexClique* clique, size_t n, int* at) {
  for (size_t c = 0; c < n; c++) {
    for (int i = 0; i < FLEX_CLIQUE; i++) {
      for (int j = 0; j < FLEX_CLIQUE; j++) {
        int a = clique[c].dof[i], b = clique[c].dof[j];
        if (a < 0 || b < 0 || a == b) {
          continue;
        }
        int* place = at + graph->node[a];
        if (graph->neighbor) {
          graph->neighbor[*place] = graph->node[b];
        }
        (*place)++;
      }
    }
  }
}

// Sorts the neighbors of each node, leaves out what is there twice, and moves them together.
static void tidy(FlexGraph* graph) {
  int to = 0;
  for (int i = 0; i < graph->n; i++) {
    int from = graph->start[i], end = graph->start[i + 1], last = -1;
    flex_sort(graph->neighbor + from, end - from);
    graph->start[i] = to;
    for (int k = from; k < end; k++) {
      if (graph->neighbor[k] != last) {
        last = graph->neighbor[to++] = graph->neighbor[k];
      }
    }
  }
  graph->start[graph->n] = to;
}

int flex_graph_make(FlexGraph* graph, const mjModel* m, const FlexClique* clique, size_t n,
                    int all) {
  *graph = (FlexGraph){.node = memory_take_zero((size_t)m->nv * sizeof(int) + 1)};
  if (!graph->node) {
    return 0;
  }
  mark_nodes(graph, m, clique, n, all);
  if (!number_nodes(graph, m)) {
    return 0;
  }
  size_t places = (size_t)graph->n + 1;
  graph->start = memory_take_zero(places * sizeof(int));
  int* at = memory_take_zero(places * sizeof(int));
  if (graph->start && at) {
    add_pairs(graph, clique, n, at);
    for (int i = 0; i < graph->n; i++) {
      graph->start[i + 1] = graph->start[i] + at[i];
    }
    memcpy(at, graph->start, places * sizeof(int));
    graph->neighbor = memory_take((size_t)graph->start[graph->n] * sizeof(int) + 1);
  }
  if (graph->neighbor) {
    add_pairs(graph, clique, n, at);
    tidy(graph);
  }
  mju_free(at);
  return graph->neighbor != NULL;
}

void flex_graph_free(FlexGraph* graph) {
  mju_free(graph->dof);
  mju_free(graph->node);
  mju_free(graph->start);
  mju_free(graph->neighbor);
  *graph = (FlexGraph){0};
}
