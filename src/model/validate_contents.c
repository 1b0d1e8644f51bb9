// validate_contents.c: what lies within the arrays of a model from a file.

#include <mujoco/mjmodel.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "model/model.h"
#include "model/structure.h"
#include "model/validate.h"

// A tree of boxes: node 0 is the root. A leaf has an id in [first, first + count); any other node has
// two children behind it that are nobody else's. Addresses count from the root.
static int is_tree(const mjModel* m, int adr, int num, int first, int count) {
  char* isborn = num ? heap_zero((size_t)num, 1) : NULL;
  int good = !num || isborn;
  for (int i = 0; i < num && good; i++) {
    const int* child = m->bvh_child + 2 * (adr + i);
    int id = m->bvh_nodeid[adr + i];
    if (id >= 0) {
      good = id >= first && id < first + count;
      continue;
    }
    for (int k = 0; k < 2 && good; k++) {
      good = child[k] > i && child[k] < num && !isborn[child[k]];
      isborn[good ? child[k] : 0] = 1;
    }
  }
  heap_free(isborn);
  return good;
}

// Cells of an octree, counted from its root: children come behind their parent.
static int is_octree(const mjModel* m, int adr, int num) {
  for (int i = 0; i < num; i++) {
    for (int k = 0; k < 8; k++) {
      int child = m->oct_child[8 * (adr + i) + k];
      if (child >= num || (child >= 0 && child <= i)) {
        return 0;
      }
    }
  }
  return 1;
}

static const char* check_trees(const mjModel* m) {
  for (int b = 0; b < m->nbody; b++) {
    int first = m->body_geomadr[b], count = m->body_geomnum[b];
    REQUIRE(is_tree(m, m->body_bvhadr[b], m->body_bvhnum[b], first, count), bvh_child)
  }
  for (int i = 0; i < m->nmesh; i++) {
    REQUIRE(is_tree(m, m->mesh_bvhadr[i], m->mesh_bvhnum[i], 0, m->mesh_facenum[i]), bvh_child)
    REQUIRE(is_octree(m, m->mesh_octadr[i], m->mesh_octnum[i]), oct_child)
  }
  return NULL;
}

// Hull of a mesh: numvert, numface, vert_edgeadr[numvert], vert_globalid[numvert],
// edge_localid[numvert + 3 numface] with -1 behind the neighbours of each, face_globalid[3 numface].
//                                                                     theory/meshes.md, Convex hull
static int is_hull(const int* graph, int64_t room, int nvert) {
  if (room < 2 || graph[0] < 1 || graph[1] < 0) {
    return 0;
  }
  int64_t vertices = graph[0], faces = graph[1], edges = vertices + 3 * faces;
  if (2 + 2 * vertices + edges + 3 * faces > room || edges > INT32_MAX) {
    return 0;
  }
  const int *adr = graph + 2, *id = adr + vertices, *edge = id + vertices, *face = edge + edges;
  return model_ids_valid(adr, vertices, 0, (int)edges) && model_ids_valid(id, vertices, 0, nvert) &&
         model_ids_valid(edge, edges, -1, (int)vertices) && (!edges || edge[edges - 1] == -1) &&
         model_ids_valid(face, 3 * faces, 0, nvert);
}

static const char* check_mesh(const mjModel* m, int i) {
  int nvert = m->mesh_vertnum[i], faceadr = m->mesh_faceadr[i], graph = m->mesh_graphadr[i];
  int64_t corner = 3 * (int64_t)faceadr, corners = 3 * (int64_t)m->mesh_facenum[i];
  REQUIRE(nvert > 0, mesh_vertnum)
  REQUIRE(model_ids_valid(m->mesh_face + corner, corners, 0, nvert), mesh_face)
  REQUIRE(model_ids_valid(m->mesh_facenormal + corner, corners, -1, m->mesh_normalnum[i]),
          mesh_facenormal)
  REQUIRE(!m->mesh_texcoordnum[i] ||
              model_ids_valid(m->mesh_facetexcoord + corner, corners, -1, m->mesh_texcoordnum[i]),
          mesh_facetexcoord)
  REQUIRE(graph < 0 || is_hull(m->mesh_graph + graph, (int64_t)m->nmeshgraph - graph, nvert),
          mesh_graph)
  for (int k = m->mesh_polyadr[i]; k < m->mesh_polyadr[i] + m->mesh_polynum[i]; k++) {
    const int* vertices = m->mesh_polyvert + m->mesh_polyvertadr[k];
    REQUIRE(model_ids_valid(vertices, m->mesh_polyvertnum[k], 0, nvert), mesh_polyvert)
  }
  for (int k = m->mesh_vertadr[i]; k < m->mesh_vertadr[i] + nvert; k++) {
    const int* polygons = m->mesh_polymap + m->mesh_polymapadr[k];
    REQUIRE(model_ids_valid(polygons, m->mesh_polymapnum[k], 0, m->mesh_polynum[i]), mesh_polymap)
  }
  return NULL;
}

// Which shape wants a mesh or a height field.
static const char* check_geoms(const mjModel* m) {
  for (int i = 0; i < m->ngeom; i++) {
    int type = m->geom_type[i];
    int needs = type == mjGEOM_MESH || type == mjGEOM_HFIELD || type == mjGEOM_SDF;
    REQUIRE(!needs || m->geom_dataid[i] >= 0, geom_dataid)
  }
  return NULL;
}

const char* model_validate_contents(const mjModel* m) {
  const char* field = structure_check(m);
  if (field) {
    return strcmp(field, MEMORY_OUT) == 0 ? MEMORY_OUT : model_invalid(field);
  }
  const char* problem = check_geoms(m);
  problem = problem ? problem : check_trees(m);
  for (int i = 0; i < m->nmesh && !problem; i++) {
    problem = check_mesh(m, i);
  }
  return problem;
}
