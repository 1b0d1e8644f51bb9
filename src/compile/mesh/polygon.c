// polygon.c: merges touching triangles with (nearly) the same normal to flat polygons.
//
// Triangles are grouped by direction. Groups are sorted by their first triangle's normal, larger x
// first, then y, then z. Within a group every triangle adds its three directed edges to a list,
// where an edge and its reverse cancel. The remaining edges bound the group. Triangles that
// cancelled each other's edges, directly or through others, form one polygon.
//                                                                        theory/meshes.md, Polygons
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "compile/mesh/hull.h"
#include "compile/mesh/steps.h"

// directions with a larger cosine count as equal
static const double same_cosine = 0.99999872;
static const double same_component = 1e-15;

// few directions are near a wall of a cell, and few share a cell
static const double cells_per_unit = 100;

// A direction and its triangles.
typedef struct Group_ {
  double normal[3];
  int first, last;  // first and last triangle, linked by Work.next
  int count;
} Group;

// A directed edge of a group's list.
typedef struct Edge_ {
  int from, to;
  int part;   // the part that its triangle belongs to: index into Work.part
  int alive;  // 1 if not cancelled
} Edge;

typedef struct Work_ {
  Mesh* mesh;
  const int* face;
  int nface;
  Group* group;
  int ngroup;
  int* next;   // next triangle of the same group, -1 at the end
  Hash cells;  // cells of directions, with the groups in each
  int* order;  // groups in their final order
  Edge* edge;  // edges of one group
  int nedge;
  int* part;  // union-find of parts; the older part is the root
  int npart;
  Hash alive;   // edges that are not cancelled, by (from, to)
  int* sorted;  // alive edges by (part, from, age)
  int* scratch;
  int room_vert;  // capacity of mesh->polyvert
} Work;

// grouping

// Index of the cell of a coordinate.
static int cell_of(double x) {
  return (int)floor(x * cells_per_unit);
}

// The first group with direction n, -1 if there is none. Equal directions differ by at most a
// chord, so they are in the cell of n or, near its walls, in the next one.
static int find_group(const Work* w, const double n[3]) {
  const double chord = sqrt(2 * (1 - same_cosine)) * 1.001;
  int found = -1, low[3], high[3], cell[3];
  for (int k = 0; k < 3; k++) {
    low[k] = cell_of(n[k] - chord);
    high[k] = cell_of(n[k] + chord);
  }
  for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++) {
    for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++) {
      for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++) {
        HashSlot* at = hash_find(&w->cells, hash_bytes(cell, sizeof(cell)));
        for (; at; at = hash_next(at)) {
          const Group* group = at->item;
          const double* other = group->normal;
          double cosine = n[0] * other[0] + n[1] * other[1] + n[2] * other[2];
          int g = (int)(group - w->group);
          if (cosine > same_cosine && (found < 0 || g < found)) {
            found = g;
          }
        }
      }
    }
  }
  return found;
}

static void group_triangles(Work* w) {
  for (int i = 0; i < w->nface; i++) {
    double n[3];
    mesh_facenormal(n, w->mesh, w->face + 3 * (size_t)i);
    int g = find_group(w, n);
    if (g < 0) {
      g = w->ngroup++;
      const int cell[3] = {cell_of(n[0]), cell_of(n[1]), cell_of(n[2])};
      w->group[g] = (Group){{n[0], n[1], n[2]}, -1, -1, 0};
      w->order[g] = g;
      hash_add(&w->cells, hash_bytes(cell, sizeof(cell)), &w->group[g]);
    }
    Group* group = &w->group[g];
    w->next[i] = -1;
    if (group->count++) {
      w->next[group->last] = i;
    } else {
      group->first = i;
    }
    group->last = i;
  }
}

// Order of groups: larger components first. Directions with equal components keep their order.
static int group_before(const Work* w, int a, int b) {
  for (int k = 0; k < 3; k++) {
    double difference = w->group[a].normal[k] - w->group[b].normal[k];
    if (fabs(difference) > same_component) {
      return difference > 0;
    }
  }
  return a < b;
}

// Merge sort. Nearly equal directions have no strict order, and the result must not depend on the C
// library.
static void sort(int* order, int n, const Work* w, int (*before)(const Work* w, int a, int b)) {
  if (n < 2) {
    return;
  }
  int half = n / 2;
  sort(order, half, w, before);
  sort(order + half, n - half, w, before);
  memcpy(w->scratch, order, (size_t)half * sizeof(int));
  for (int i = 0, j = half, k = 0; i < half; k++) {
    order[k] = j < n && before(w, order[j], w->scratch[i]) ? order[j++] : w->scratch[i++];
  }
}

// merging the triangles of a group

static int root(const Work* w, int part) {
  while (w->part[part] != part) {
    w->part[part] = w->part[w->part[part]];
    part = w->part[part];
  }
  return part;
}

static uint64_t edge_hash(int from, int to) {
  return hash_bytes((const int[2]){from, to}, 2 * sizeof(int));
}

// Removes the oldest edge between two vertices from the table and returns it; NULL if there is
// none.
static Edge* cancel_edge(Work* w, int from, int to) {
  HashSlot* at = hash_find(&w->alive, edge_hash(from, to));
  for (; at; at = hash_next(at)) {
    Edge* edge = at->item;
    if (edge->from == from && edge->to == to) {
      hash_remove(&w->alive, at);
      edge->alive = 0;
      return edge;
    }
  }
  return NULL;
}

static void append_edge(Work* w, int from, int to, int part) {
  Edge* edge = &w->edge[w->nedge++];
  *edge = (Edge){from, to, part, 1};
  hash_add(&w->alive, edge_hash(from, to), edge);
}

static void add_triangle(Work* w, const int* f) {
  int part = -1, keep[3];
  for (int k = 0; k < 3; k++) {
    const Edge* reverse = cancel_edge(w, f[(k + 1) % 3], f[k]);
    keep[k] = !reverse;
    if (reverse) {
      int other = root(w, reverse->part);
      if (part < 0) {
        part = other;
      } else if (part != other) {
        int older = part < other ? part : other, younger = part < other ? other : part;
        w->part[younger] = older;
        part = older;
      }
    }
  }
  if (part < 0) {
    part = w->npart;
    w->part[w->npart++] = part;
  }
  for (int k = 0; k < 3; k++) {
    if (keep[k]) {
      append_edge(w, f[k], f[(k + 1) % 3], part);
    }
  }
}

// Order of edges: by part, then start, then age.
static int edge_before(const Work* w, int a, int b) {
  const Edge *x = &w->edge[a], *y = &w->edge[b];
  if (x->part != y->part) {
    return x->part < y->part;
  }
  return x->from != y->from ? x->from < y->from : a < b;
}

static void push_vertex(Work* w, int* count, int vertex) {
  Mesh* mesh = w->mesh;
  if (*count == w->room_vert) {
    int room = 2 * w->room_vert + 64;
    mesh->polyvert = heap_resize(mesh->polyvert, (size_t)room * sizeof(int));
    w->room_vert = room;
  }
  mesh->polyvert[(*count)++] = vertex;
}

static void close_polygon(Work* w, int end) {
  Mesh* mesh = w->mesh;
  mesh->polyvertadr[mesh->npoly] = mesh->npolyvert;
  mesh->polyvertnum[mesh->npoly++] = end - mesh->npolyvert;
  mesh->npolyvert = end;
}

// The oldest edge of the part that leaves a vertex, except the first of the whole list.
static int first_edge_from(const Work* w, const int* sorted, int n, int vertex, int skip) {
  int low = 0, high = n;
  while (low < high) {
    int mid = low + (high - low) / 2;
    if (w->edge[sorted[mid]].from < vertex) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  while (low < n && sorted[low] == skip) {
    low++;
  }
  return low < n && w->edge[sorted[low]].from == vertex ? sorted[low] : -1;
}

// Walks around one part, whose n alive edges are sorted. Edges that do not return to the start are
// left out.
static void walk_part(Work* w, const int* sorted, int n, int first_alive) {
  int start = sorted[0];
  for (int i = 1; i < n; i++) {
    start = sorted[i] < start ? sorted[i] : start;
  }
  int count = w->mesh->npolyvert;
  int home = w->edge[start].from, at = w->edge[start].to, steps = 0;
  push_vertex(w, &count, home);
  while (at != home && steps++ < n) {
    int e = first_edge_from(w, sorted, n, at, first_alive);
    if (e < 0) {
      return;
    }
    push_vertex(w, &count, at);
    at = w->edge[e].to;
  }
  if (at == home && count - w->mesh->npolyvert >= 3) {
    close_polygon(w, count);
  }
}

static void take_triangle(Work* w, const int* f) {
  int end = w->mesh->npolyvert;
  for (int k = 0; k < 3; k++) {
    push_vertex(w, &end, f[k]);
  }
  close_polygon(w, end);
}

static void merge_group(Work* w, const Group* group) {
  if (group->count == 1) {
    take_triangle(w, w->face + 3 * (size_t)group->first);
    return;
  }
  w->nedge = w->npart = 0;
  hash_clear(&w->alive);
  for (int i = group->first; i >= 0; i = w->next[i]) {
    add_triangle(w, w->face + 3 * (size_t)i);
  }

  int n = 0;
  for (int e = 0; e < w->nedge; e++) {
    if (w->edge[e].alive) {
      w->edge[e].part = root(w, w->edge[e].part);
      w->sorted[n++] = e;
    }
  }
  if (n == 3) {
    const int* e = w->sorted;
    take_triangle(w, (int[]){w->edge[e[0]].from, w->edge[e[1]].from, w->edge[e[2]].from});
    return;
  }
  int first_alive = n ? w->sorted[0] : -1;
  sort(w->sorted, n, w, edge_before);
  for (int i = 0; i < n;) {
    int end = i + 1;
    while (end < n && w->edge[w->sorted[end]].part == w->edge[w->sorted[i]].part) {
      end++;
    }
    walk_part(w, w->sorted + i, end - i, first_alive);
    i = end;
  }
}

// Lists the polygons of every vertex, each once.
static void map_vertices(Mesh* mesh) {
  size_t nvert = (size_t)mesh->nvert;
  mesh->polymapadr = mesh_take(nvert, sizeof(int));
  mesh->polymapnum = mesh_take(nvert, sizeof(int));
  mesh->polymap = mesh_take((size_t)mesh->npolyvert + 1, sizeof(int));
  memset(mesh->polymapnum, 0, nvert * sizeof(int));
  for (int i = 0; i < mesh->npolyvert; i++) {
    mesh->polymapnum[mesh->polyvert[i]]++;
  }
  int adr = 0;
  for (size_t i = 0; i < nvert; i++) {
    mesh->polymapadr[i] = adr;
    adr += mesh->polymapnum[i];
    mesh->polymapnum[i] = 0;
  }
  for (int p = 0; p < mesh->npoly; p++) {
    for (int k = 0; k < mesh->polyvertnum[p]; k++) {
      int v = mesh->polyvert[mesh->polyvertadr[p] + k];
      mesh->polymap[mesh->polymapadr[v] + mesh->polymapnum[v]++] = p;
    }
  }
}

static void merge_all(Work* w) {
  Mesh* mesh = w->mesh;
  size_t n = (size_t)w->nface;
  w->group = mesh_take(n, sizeof(Group));
  w->next = mesh_take(n, sizeof(int));
  w->order = mesh_take(n, sizeof(int));
  w->edge = mesh_take(3 * n, sizeof(Edge));
  w->part = mesh_take(n, sizeof(int));
  w->sorted = mesh_take(3 * n, sizeof(int));
  mesh->polyvertadr = mesh_take(n, sizeof(int));
  mesh->polyvertnum = mesh_take(n, sizeof(int));
  w->scratch = mesh_take(3 * n, sizeof(int));
  group_triangles(w);
  sort(w->order, w->ngroup, w, group_before);
  for (int i = 0; i < w->ngroup; i++) {
    merge_group(w, &w->group[w->order[i]]);
  }
}

void mesh_addpolygons(Mesh* mesh) {
  Work w = {.mesh = mesh, .face = mesh->face, .nface = mesh->nface};
  if (mesh->graph) {
    w.nface = mesh->graph[1];
    w.face = mesh->graph + HULL_FACE(mesh->graph[0], mesh->graph[1]);
  }
  if (w.nface) {
    merge_all(&w);
  }
  heap_free(w.group);
  heap_free(w.next);
  hash_clear(&w.cells);
  heap_free(w.order);
  heap_free(w.edge);
  heap_free(w.part);
  hash_clear(&w.alive);
  heap_free(w.sorted);
  heap_free(w.scratch);
  map_vertices(mesh);
}
