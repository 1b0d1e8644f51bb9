// hull.c: calls Qhull and writes its facets as the graph of mjModel.mesh_graph.

#include "compile/mesh/hull.h"

#include <libqhull_r/qhull_ra.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/system/files.h"

_Static_assert(sizeof(coordT) == sizeof(double), "Qhull must be built for double precision");

// Numbers the vertices of the hull, in visitid, and writes the mesh ids of all these vertices.
static HullStatus write_vertices(int* globalid, qhT* qh) {
  vertexT* vertex;
  int n = 0;
  FORALLvertices {
    if (n == qh->num_vertices) {
      return HULL_NOGRAPH;
    }
    vertex->visitid = (unsigned int)n;
    globalid[n++] = qh_pointid(qh, vertex->point);
  }
  return n == qh->num_vertices ? HULL_OK : HULL_NOGRAPH;
}

// Writes the neighbours of every vertex in the order of Qhull's facets. In a closed surface of
// triangles there are as many neighbours as corners.
static HullStatus write_edges(int* edgeadr, int* edge, int room, qhT* qh) {
  vertexT *vertex, *other, **otherp;
  facetT *neighbor, **neighborp;
  int n = 0, i = 0;
  FORALLvertices {
    int first = n;
    edgeadr[i++] = first;
    FOREACHneighbor_(vertex) {
      FOREACHsetelement_(vertexT, neighbor->vertices, other) {
        int id = (int)other->visitid, known = other == vertex;
        for (int e = first; e < n && !known; e++) {
          known = edge[e] == id;
        }
        if (!known && n == room) {
          return HULL_NOGRAPH;
        }
        if (!known) {
          edge[n++] = id;
        }
      }
    }
    if (n == room) {
      return HULL_NOGRAPH;
    }
    edge[n++] = -1;
  }
  return n == room ? HULL_OK : HULL_NOGRAPH;
}

static HullStatus write_faces(int* face, const int* globalid, qhT* qh) {
  facetT* facet;
  vertexT *vertex, **vertexp;
  int n = 0;
  FORALLfacets {
    int corner[3], count = 0;
    if (n == qh->num_facets || qh_setsize(qh, facet->vertices) != 3) {
      return HULL_NOGRAPH;
    }
    FOREACHvertex_(facet->vertices) {
      corner[count++] = globalid[vertex->visitid];
    }

    // Qhull's order is clockwise if toporient is set
    int flip = facet->toporient ? 1 : 0;
    face[3 * n] = corner[flip];
    face[3 * n + 1] = corner[1 - flip];
    face[3 * n + 2] = corner[2];
    n++;
  }
  return n == qh->num_facets ? HULL_OK : HULL_NOGRAPH;
}

static HullStatus write_graph(int** graph, int* length, qhT* qh) {
  int nv = qh->num_vertices, nf = qh->num_facets;
  int total = HULL_LENGTH(nv, nf);
  int* out = heap_try(NULL, (size_t)total * sizeof(int));
  if (!out) {
    return HULL_NOMEMORY;
  }
  out[0] = nv;
  out[1] = nf;
  int* edgeadr = out + HULL_VERTEX;
  int* globalid = edgeadr + nv;
  qh_vertexneighbors(qh);  // uses the visitids too, so it must come first
  HullStatus status = write_vertices(globalid, qh);
  status = status ? status : write_edges(edgeadr, globalid + nv, nv + 3 * nf, qh);
  status = status ? status : write_faces(out + HULL_FACE(nv, nf), globalid, qh);
  if (status != HULL_OK) {
    heap_free(out);
    return status;
  }
  *graph = out;
  *length = total;
  return HULL_OK;
}

// Calls write_graph. If Qhull runs out of memory in it, it jumps back here.
static HullStatus write_guarded(int** graph, int* length, qhT* qh) {
  HullStatus status = HULL_NOMEMORY;
  if (!setjmp(qh->errexit)) {
    qh->NOerrexit = False;
    status = write_graph(graph, length, qh);
  }
  qh->NOerrexit = True;
  return status;
}

// Copies the first line that Qhull wrote, without its number.
static void first_line(char* message, int size, const char* text) {
  while (*text == '\n') {
    text++;
  }
  if (text[0] == 'Q' && text[1] == 'H') {
    text += strcspn(text, " ");
    text += *text == ' ';
  }
  snprintf(message, (size_t)size, "%.*s", (int)strcspn(text, "\n"), text);
}

HullStatus hull_make(int** graph, int* length, char* message, int message_size, const double* point,
                     int npoint, int maxvert, int later) {
  *graph = NULL;
  *length = 0;
  message[0] = 0;

  // Qhull's messages go to memory instead of the terminal
  TextFile said;
  qhT* qh = heap_take(sizeof(qhT));
  if (!system_opentext(&said)) {
    heap_free(qh);
    return HULL_NOMEMORY;
  }

  // Qhull starts from a simplex of four vertices and adds maxvert - 4; with Q9 those that are
  // farthest away
  char options[32] = "qhull Qt";
  if (maxvert > -1) {
    snprintf(options, sizeof(options), "qhull Qt %sTA%d", later ? "Q9 " : "", maxvert - 4);
  }
  qh_zero(qh, said.file);
  coordT* input = (coordT*)(uintptr_t)point;
  int failed = qh_new_qhull(qh, 3, npoint, input, 0, options, said.file, said.file);
  HullStatus status = failed == qh_ERRmem ? HULL_NOMEMORY
                      : failed            ? HULL_FAILED
                                          : write_guarded(graph, length, qh);
  qh_freeqhull(qh, !qh_ALL);
  if (!qh->qhmem.indextable) {
    // Qhull does not free these if memory ran out early
    free(qh->qhmem.freelists);
    free(qh->qhmem.sizetable);
    qh->qhmem.freelists = NULL;
    qh->qhmem.sizetable = NULL;
  }
  int curlong, totlong;
  qh_memfreeshort(qh, &curlong, &totlong);
  heap_free(qh);
  system_closetext(&said);
  if (failed && said.text) {
    first_line(message, message_size, said.text);
  }
  free(said.text);
  return status;
}
