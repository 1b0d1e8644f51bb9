// polygon.c: merges touching triangles with (nearly) the same normal to flat polygons.
//
// Triangles are grouped by direction. Groups are sorted by their first triangle's normal, larger x
// first, then y, then z. Within a group every triangle adds its three directed edges to a list,
// where an edge and its reverse cancel. The remaining edges bound the group. Triangles that
// cancelled each other's edges, directly or through others, form one polygon.
//                                                                  theory/model/meshes.md, Polygons
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory/memory.h"
#include "compile/mesh/hull.h"
#include "compile/mesh/order.h"
#include "compile/mesh/steps.h"

// directions with a larger cosine, less than 0.0016 rad apart, count as equal
static const double same_cosine = 0.99999872;
static const double same_component = 1e-15;  // closer components are equal when groups are sorted

// so fine that few directions share a cell, so coarse that few are near a wall of their cell
static const double cells_per_unit = 64;

enum {
  CELL_BITS = 8,   // bits of a cell's index along an axis
  FEW_FACES = 10,  // triangles of a group up to which edges are found by a search through all
};

// A direction and its triangles.
typedef struct Group_ {
  double normal[3];
  int first, last;  // first and last triangle, linked by Work.next
  int count;
  int sibling;  // another group whose direction is in the same cell, -1 at the end
} Group;

// A cell of directions.
typedef struct Cell_ {
  int index;  // packed from the indices along the axes, -1 if the place is free
  int group;  // the first group
} Cell;

// A directed edge of a group's list.
typedef struct Edge_ {
  int from, to;
  int part;   // the part that its triangle belongs to: index into Work.part
  int alive;  // 1 if not cancelled
} Edge;

typedef struct Work_ {
  Mesh* mesh;
  const int* face;
  const FaceNormal* facing;
  int nface;
  Group* group;
  int ngroup;
  int* next;     // next triangle of the same group, -1 at the end
  Cell* cell;    // cells with directions: a table at most half full
  size_t ncell;  // its capacity
  Edge* edge;    // edges of one group
  int nedge;
  int* part;  // union-find of parts; the older part is the root
  int npart;
  Hash alive;  // edges that are not cancelled, by (from, to); not of small groups
  int is_small;
  int* sorted;  // alive edges by (part, from, age)
  int* scratch;
  int room_vert;  // capacity of mesh->polyvert
} Work;

// grouping

// Index of the cell of a coordinate, a function that never decreases.
static int cell_of(double x) {
  return (int)(x * cells_per_unit + (1 << (CELL_BITS - 1)));
}

// The place of a cell in the table, or the free place for it.
static Cell* find_cell(const Work* w, int x, int y, int z) {
  int index = (x << CELL_BITS | y) << CELL_BITS | z;
  size_t at = (size_t)(((uint64_t)index * 0x9E3779B97F4A7C15u) >> 32) & (w->ncell - 1);
  while (w->cell[at].index >= 0 && w->cell[at].index != index) {
    at = (at + 1) & (w->ncell - 1);
  }
  return w->cell + at;
}

// The first group with direction n, -1 if there is none. Equal directions differ by at most a
// chord, so they are in the cell of n or, near its walls, in the next one.
static int find_group(const Work* w, const double n[3], double chord) {
  int found = -1, low[3], high[3];
  for (int k = 0; k < 3; k++) {
    low[k] = cell_of(n[k] - chord);
    high[k] = cell_of(n[k] + chord);
  }
  for (int x = low[0]; x <= high[0]; x++) {
    for (int y = low[1]; y <= high[1]; y++) {
      for (int z = low[2]; z <= high[2]; z++) {
        const Cell* cell = find_cell(w, x, y, z);
        for (int g = cell->index < 0 ? -1 : cell->group; g >= 0; g = w->group[g].sibling) {
          const double* other = w->group[g].normal;
          double cosine = n[0] * other[0] + n[1] * other[1] + n[2] * other[2];
          if (cosine > same_cosine && (found < 0 || g < found)) {
            found = g;
          }
        }
      }
    }
  }
  return found;
}

static int add_group(Work* w, const double n[3]) {
  int g = w->ngroup++, x = cell_of(n[0]), y = cell_of(n[1]), z = cell_of(n[2]);
  Cell* cell = find_cell(w, x, y, z);
  w->group[g] = (Group){{n[0], n[1], n[2]}, -1, -1, 0, cell->index < 0 ? -1 : cell->group};
  *cell = (Cell){(x << CELL_BITS | y) << CELL_BITS | z, g};
  return g;
}

static void group_triangles(Work* w) {
  const double chord = sqrt(2 * (1 - same_cosine)) * 1.001;
  for (int i = 0; i < w->nface; i++) {
    const double* n = w->facing[i].normal;
    int g = find_group(w, n, chord);
    g = g < 0 ? add_group(w, n) : g;
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
static int group_before(const void* context, int a, int b) {
  const Work* w = context;
  const double *x = w->group[a].normal, *y = w->group[b].normal;
  for (int k = 0; k < 3; k++) {
    double difference = x[k] - y[k];
    if (fabs(difference) > same_component) {
      return difference > 0;
    }
  }
  return a < b;
}

// Writes the groups in their order.
static void sort_groups(int* order, const Work* w) {
  size_t n = (size_t)w->ngroup;
  double* x = mesh_take(n, sizeof(double));
  OrderKey* key = mesh_take(2 * n, sizeof(OrderKey));
  for (size_t i = 0; i < n; i++) {
    x[i] = w->group[i].normal[0];
  }
  order_numbers(order, x, w->ngroup, key);
  for (int start = 0, end; start < w->ngroup; start = end) {
    end = order_runend(order, x, start, w->ngroup, same_component);
    order_merge(order + start, end - start, (int*)key, group_before, w);
  }
  heap_free(key);
  heap_free(x);
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
  for (int e = 0; w->is_small && e < w->nedge; e++) {
    Edge* edge = &w->edge[e];
    if (edge->alive && edge->from == from && edge->to == to) {
      edge->alive = 0;
      return edge;
    }
  }
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
  if (!w->is_small) {
    hash_add(&w->alive, edge_hash(from, to), edge);
  }
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
static int edge_before(const void* context, int a, int b) {
  const Edge* edge = ((const Work*)context)->edge;
  const Edge *x = &edge[a], *y = &edge[b];
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
  w->is_small = group->count <= FEW_FACES;
  hash_clear(&w->alive);
  for (int i = group->first; i >= 0; i = w->next[i]) {
    add_triangle(w, w->face + 3 * (size_t)i);
  }

  // Edges that are still alive bound the group. Sort them by the part of their triangle.
  int n = 0;
  for (int e = 0; e < w->nedge; e++) {
    if (w->edge[e].alive) {
      w->edge[e].part = root(w, w->edge[e].part);
      w->sorted[n++] = e;
    }
  }
  // three edges bound a single triangle
  if (n == 3) {
    const int* e = w->sorted;
    take_triangle(w, (int[]){w->edge[e[0]].from, w->edge[e[1]].from, w->edge[e[2]].from});
    return;
  }
  int first_alive = n ? w->sorted[0] : -1;
  order_merge(w->sorted, n, w->scratch, edge_before, w);
  // The edges of a part are consecutive now. Walk around each part.
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
  w->ncell = 16;
  while (w->ncell < 2 * n) {
    w->ncell *= 2;
  }
  w->cell = mesh_take(w->ncell, sizeof(Cell));
  memset(w->cell, -1, w->ncell * sizeof(Cell));
  w->group = mesh_take(n, sizeof(Group));
  w->next = mesh_take(n, sizeof(int));
  w->edge = mesh_take(3 * n, sizeof(Edge));
  w->part = mesh_take(n, sizeof(int));
  w->sorted = mesh_take(3 * n, sizeof(int));
  mesh->polyvertadr = mesh_take(n, sizeof(int));
  mesh->polyvertnum = mesh_take(n, sizeof(int));
  w->scratch = mesh_take(3 * n, sizeof(int));
  group_triangles(w);
  int* order = mesh_take((size_t)w->ngroup, sizeof(int));
  sort_groups(order, w);
  for (int i = 0; i < w->ngroup; i++) {
    merge_group(w, &w->group[order[i]]);
  }
  heap_free(order);
}

void mesh_addpolygons(Mesh* mesh, const FaceNormal* facing) {
  Work w = {.mesh = mesh, .face = mesh->face, .facing = facing, .nface = mesh->nface};
  FaceNormal* of_hull = NULL;
  if (mesh->graph) {
    w.nface = mesh->graph[1];
    w.face = mesh->graph + HULL_FACE(mesh->graph[0], mesh->graph[1]);
    w.facing = of_hull = mesh_facenormals(mesh, w.face, w.nface);
  }
  if (w.nface) {
    merge_all(&w);
  }
  heap_free(of_hull);
  heap_free(w.group);
  heap_free(w.next);
  heap_free(w.cell);
  heap_free(w.edge);
  heap_free(w.part);
  hash_clear(&w.alive);
  heap_free(w.sorted);
  heap_free(w.scratch);
  map_vertices(mesh);
}
