// polygon.c: merges touching triangles with (nearly) the same normal to flat polygons.
//
// Triangles are grouped by direction. Within a group every triangle adds its three directed edges
// to a list, where an edge and its reverse cancel. The remaining edges bound the group. Triangles
// that cancelled each other's edges, directly or through others, form one polygon.
//                                                                  theory/model/meshes.md, Polygons
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory/memory.h"
#include "compile/mesh/direction.h"
#include "compile/mesh/hull.h"
#include "compile/mesh/order.h"
#include "compile/mesh/steps.h"

enum {
  FEW_FACES = 10,  // triangles of a group up to which edges are found by a search through all
};

// The triangles of one direction.
typedef struct Group_ {
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
  const FaceNormal* facing;
  int nface;
  Directions* directions;
  Group* group;
  int* order;  // the groups in the order of their polygons
  int ngroup;
  int* next;   // next triangle of the same group, -1 at the end
  Edge* edge;  // edges of one group
  int nedge;
  int* part;  // union-find of parts; the older part is the root
  int npart;
  Hash alive;  // edges that are not cancelled, by (from, to); not of small groups
  int is_small;
  int* sorted;  // alive edges by (part, from, age)
  int* scratch;
  int room_vert;  // capacity of mesh->polyvert
} Work;

static void group_triangles(Work* w) {
  int* group = mesh_take((size_t)w->nface, sizeof(int));
  w->ngroup = w->directions(group, w->order, w->facing, w->nface);
  memset(w->group, 0, (size_t)w->ngroup * sizeof(Group));
  for (int i = 0; i < w->nface; i++) {
    if (group[i] < 0) {
      continue;
    }
    Group* g = &w->group[group[i]];
    w->next[i] = -1;
    if (g->count++) {
      w->next[g->last] = i;
    } else {
      g->first = i;
    }
    g->last = i;
  }
  heap_free(group);
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
  // By the rule of 3.3.7 three edges are taken for a triangle, though they may be the outline of
  // several around a vertex, in another order.
  if (n == 3 && w->directions == directions_bytree) {
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
  w->group = mesh_take(n, sizeof(Group));
  w->order = mesh_take(n, sizeof(int));
  w->next = mesh_take(n, sizeof(int));
  w->edge = mesh_take(3 * n, sizeof(Edge));
  w->part = mesh_take(n, sizeof(int));
  w->sorted = mesh_take(3 * n, sizeof(int));
  mesh->polyvertadr = mesh_take(n, sizeof(int));
  mesh->polyvertnum = mesh_take(n, sizeof(int));
  w->scratch = mesh_take(3 * n, sizeof(int));
  group_triangles(w);
  for (int i = 0; i < w->ngroup; i++) {
    merge_group(w, &w->group[w->order[i]]);
  }
}

void mesh_addpolygons(Mesh* mesh, const FaceNormal* facing, const MeshRequest* request) {
  Work w = {.mesh = mesh, .face = mesh->face, .facing = facing};
  w.directions = request->is_whole ? directions_whole
                 : request->later  ? directions_byangle
                                   : directions_bytree;
  FaceNormal* of_hull = NULL;
  if (mesh->graph) {
    w.nface = mesh->graph[1];
    w.face = mesh->graph + HULL_FACE(mesh->graph[0], mesh->graph[1]);
    w.facing = of_hull = mesh_facenormals(mesh, w.face, w.nface);
  } else {
    w.nface = request->later ? 0 : mesh->nface;
  }
  if (w.nface) {
    merge_all(&w);
  }
  heap_free(of_hull);
  heap_free(w.group);
  heap_free(w.order);
  heap_free(w.next);
  heap_free(w.edge);
  heap_free(w.part);
  hash_clear(&w.alive);
  heap_free(w.sorted);
  heap_free(w.scratch);
  map_vertices(mesh);
}
