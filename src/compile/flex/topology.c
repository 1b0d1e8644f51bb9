// topology.c: derives edges, neighbours and the boundary of a flex from its elements.
//                                                        theory/smooth/deformables.md, Connectivity
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/algebra/pose.h"
#include "base/memory/memory.h"
#include "compile/flex/work.h"
#include "smooth/flex/flex.h"

// facets, with vertices in counter-clockwise order seen from outside
static const int facets1[][3] = {{0}, {1}};
static const int facets2[][3] = {{0, 1}, {1, 2}, {2, 0}};
static const int facets3[][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};

static const int (*local_facets(int dim))[3] {
  return dim == 1 ? facets1 : dim == 2 ? facets2 : facets3;
}

// Swaps two vertices of tetrahedra of the wrong handedness, so that facets3 lists corners
// counter-clockwise as seen from outside:
//
//   ((x1 - x0) x (x2 - x0)) . (x3 - x0) <= 0
static void turn_tetrahedra(FlexWork* flex) {
  for (int e = 0; e < flex->nelem; e++) {
    int* v = flex->elem + 4 * (size_t)e;
    const double* x[4];
    double side[3][3], normal[3];
    for (int i = 0; i < 4; i++) {
      x[i] = flex->position + 3 * (size_t)v[i];
    }
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++) {
        side[i][k] = x[i + 1][k] - x[0][k];
      }
    }
    pose_cross(normal, side[0], side[1]);
    if (pose_dot(normal, side[2]) > 0) {
      int swap = v[1];
      v[1] = v[2];
      v[2] = swap;
    }
  }
}

// edges

// A hash table of edges by their two vertices, with open addressing, at most half full.
typedef struct EdgeTable_ {
  int* id;  // -1 if free
  size_t mask;
} EdgeTable;

static size_t edge_slot(const EdgeTable* table, const int* edge, int v0, int v1) {
  uint64_t key = ((uint64_t)(unsigned)v0 << 32) | (unsigned)v1;
  key *= 0x9E3779B97F4A7C15u;  // 2^64 / golden ratio spreads neighbouring keys
  size_t at = (size_t)(key >> 32) & table->mask;
  for (;; at = (at + 1) & table->mask) {
    int id = table->id[at];
    if (id < 0 || (edge[2 * (size_t)id] == v0 && edge[2 * (size_t)id + 1] == v1)) {
      return at;
    }
  }
}

// Adds a triangle to the stencil of an edge: the edge in the direction of its first triangle, the
// opposite corner of the first triangle, and that of the last other triangle.
static void add_to_stencil(FlexWork* flex, int id, int is_new, int v0, int v1, int opposite) {
  int* stencil = flex->stencil + 4 * (size_t)id;
  if (is_new) {
    stencil[0] = v0;
    stencil[1] = v1;
    stencil[2] = opposite;
    stencil[3] = -1;
  } else {
    stencil[3] = opposite;
  }
}

static void list_edges(FlexWork* flex) {
  int dim = flex->dim, per = flex_element_edges(dim);
  const int(*local)[2] = flex_edge_ends(dim);
  size_t most = (size_t)flex->nelem * (size_t)per, capacity = 2;
  while (capacity < 2 * most) {
    capacity *= 2;
  }
  EdgeTable table = {heap_take(capacity * sizeof(int)), capacity - 1};
  memset(table.id, -1, capacity * sizeof(int));
  flex->edge = heap_take(2 * most * sizeof(int));
  flex->stencil = heap_take(4 * most * sizeof(int));
  flex->elemedge = heap_take(most * sizeof(int));
  for (int e = 0; e < flex->nelem; e++) {
    const int* v = flex->elem + (size_t)e * (size_t)(dim + 1);
    for (int i = 0; i < per; i++) {
      int v0 = v[local[i][0]], v1 = v[local[i][1]];
      int low = v0 < v1 ? v0 : v1, high = v0 < v1 ? v1 : v0;
      size_t slot = edge_slot(&table, flex->edge, low, high);
      int is_new = table.id[slot] < 0;
      if (is_new) {
        table.id[slot] = flex->nedge++;
        flex->edge[2 * (size_t)table.id[slot]] = low;
        flex->edge[2 * (size_t)table.id[slot] + 1] = high;
      }
      // the edge opposite corner i of a triangle has number i
      if (dim == 2) {
        add_to_stencil(flex, table.id[slot], is_new, v0, v1, v[i]);
      }
      flex->elemedge[(size_t)e * (size_t)per + (size_t)i] = table.id[slot];
    }
  }
  heap_free(table.id);
}

// facets

// A facet of an element: its vertices ascending, the element, its vertices as seen from outside.
// Missing vertices of lower-dimensional facets are 0.
typedef struct Facet_ {
  int key[3];
  int elem;
  int vertex[3];
} Facet;

static int compare_facets(const void* a, const void* b) {
  // a facet is seven ints without padding, compared in order
  const int *x = a, *y = b;
  for (size_t i = 0; i < sizeof(Facet) / sizeof(int); i++) {
    if (x[i] != y[i]) {
      return x[i] < y[i] ? -1 : 1;
    }
  }
  return 0;
}

static int same_place(const Facet* a, const Facet* b) {
  return !memcmp(a->key, b->key, sizeof(a->key));
}

static void sort_few(int* v, int n) {
  for (int i = 1; i < n; i++) {
    for (int k = i; k > 0 && v[k - 1] > v[k]; k--) {
      int swap = v[k];
      v[k] = v[k - 1];
      v[k - 1] = swap;
    }
  }
}

// All facets of all elements, sorted; nelem x (dim + 1).
static Facet* list_facets(const FlexWork* flex) {
  int dim = flex->dim, per = dim + 1;
  const int(*local)[3] = local_facets(dim);
  size_t n = (size_t)flex->nelem * (size_t)per;
  Facet* facet = heap_zero(n, sizeof(Facet));
  for (size_t i = 0; i < n; i++) {
    size_t e = i / (size_t)per, side = i % (size_t)per;
    facet[i].elem = (int)e;
    for (int k = 0; k < dim; k++) {
      facet[i].key[k] = facet[i].vertex[k] = flex->elem[e * (size_t)per + (size_t)local[side][k]];
    }
    sort_few(facet[i].key, dim);
  }
  qsort(facet, n, sizeof(Facet), compare_facets);
  return facet;
}

// The facets of only one element are the shell, in sorted order. border[e] is 1 for elements with
// such a facet.
static void find_border(FlexWork* flex, const Facet* facet, size_t n, char* border) {
  flex->shell = heap_take(n * (size_t)flex->dim * sizeof(int));
  for (size_t i = 0; i < n; i++) {
    int shared = (i && same_place(facet + i, facet + i - 1)) ||
                 (i + 1 < n && same_place(facet + i, facet + i + 1));
    if (!shared) {
      border[facet[i].elem] = 1;
      memcpy(flex->shell + (size_t)flex->nshell++ * (size_t)flex->dim, facet[i].vertex,
             (size_t)flex->dim * sizeof(int));
    }
  }
}

// The vertex of an element that is not in its facet.
static int apex(const FlexWork* flex, const Facet* facet) {
  const int* v = flex->elem + (size_t)facet->elem * (size_t)(flex->dim + 1);
  int found = v[0];
  for (int i = 0; i <= flex->dim; i++) {
    int inside = 0;
    for (int k = 0; k < flex->dim; k++) {
      inside |= facet->key[k] == v[i];
    }
    if (!inside) {
      found = v[i];
    }
  }
  return found;
}

static void add_evpair(FlexWork* flex, int elem, int vertex) {
  int* pair = flex->evpair + 2 * (size_t)flex->nevpair++;
  pair[0] = elem;
  pair[1] = vertex;
}

// Pairs elements that share a facet near the boundary with each other's opposite vertex, because
// they could pass through each other while sharing only that facet.
static void pair_neighbours(FlexWork* flex, const Facet* facet, size_t n, const char* border) {
  flex->evpair = heap_take(4 * n * sizeof(int));
  for (size_t i = 0; i + 1 < n && flex->dim < 3; i++) {
    const Facet *a = facet + i, *b = facet + i + 1;
    if (same_place(a, b) && (border[a->elem] || border[b->elem])) {
      add_evpair(flex, b->elem, apex(flex, a));
      add_evpair(flex, a->elem, apex(flex, b));
    }
  }
}

// Number of steps across facets to the nearest element on the boundary; nelem + 1 if none can be
// reached.
static void find_layers(FlexWork* flex, const Facet* facet, size_t n, const char* border) {
  size_t nelem = (size_t)flex->nelem;
  flex->layer = heap_zero(nelem, sizeof(int));
  if (flex->dim < 3) {
    return;
  }
  // count, then list the neighbours of element e in neighbour[first[e] .. first[e + 1])
  size_t* first = heap_zero(nelem + 2, sizeof(size_t));
  int* neighbour = heap_take(2 * n * sizeof(int));
  for (int fill = 0; fill < 2; fill++) {
    for (size_t i = 0; i + 1 < n; i++) {
      for (int side = 0; side < 2 && same_place(facet + i, facet + i + 1); side++) {
        size_t e = (size_t)facet[i + (size_t)side].elem;
        if (fill) {
          neighbour[first[e + 1]++] = facet[i + 1 - (size_t)side].elem;
        } else {
          first[e + 2]++;
        }
      }
    }
    for (size_t e = 0; e < nelem && !fill; e++) {
      first[e + 2] += first[e + 1];
    }
  }

  // Search in breadth from all elements on the boundary at once.
  int *queue = heap_take(nelem * sizeof(int)), done = 0, end = 0;
  for (int e = 0; e < flex->nelem; e++) {
    flex->layer[e] = border[e] ? 0 : flex->nelem + 1;
    if (border[e]) {
      queue[end++] = e;
    }
  }
  for (; done < end; done++) {
    size_t e = (size_t)queue[done];
    for (size_t i = first[e]; i < first[e + 1]; i++) {
      if (flex->layer[neighbour[i]] > flex->nelem) {
        flex->layer[neighbour[i]] = flex->layer[e] + 1;
        queue[end++] = neighbour[i];
      }
    }
  }
  heap_free(queue);
  heap_free(neighbour);
  heap_free(first);
}

void flex_connect(FlexWork* flex) {
  if (flex->dim == 3) {
    turn_tetrahedra(flex);
  }
  list_edges(flex);
  Facet* facet = list_facets(flex);
  char* border = heap_zero((size_t)flex->nelem, 1);
  size_t n = (size_t)flex->nelem * (size_t)(flex->dim + 1);
  find_border(flex, facet, n, border);
  pair_neighbours(flex, facet, n, border);
  find_layers(flex, facet, n, border);
  heap_free(border);
  heap_free(facet);
}
