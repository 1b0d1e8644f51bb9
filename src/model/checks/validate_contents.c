// validate_contents.c: checks of BVHs, octrees, hulls, flexes and geoms of a model from a
// file.

#include <mujoco/mjmodel.h>
#include <stdint.h>
#include <string.h>

#include "base/memory/memory.h"
#include "model/checks/validate.h"
#include "model/model.h"
#include "model/structure.h"

// May node i of num have these children? A child must come after i, have no other parent and not be
// too deep. Sets the depth of the children.
static int take_children(char* depth, int i, int num, const int* child, int nchild) {
  for (int k = 0; k < nchild; k++) {
    if (child[k] <= i || child[k] >= num || depth[child[k]] || depth[i] >= MODEL_TREE_DEPTH) {
      return 0;
    }
    depth[child[k]] = (char)(depth[i] + 1);
  }
  return 1;
}

// Is this a valid BVH? Node 0 is the root. A leaf has an id in [first, first + count);
// any other node has two children. Child indices count from the root.
static int is_tree(const mjModel* m, int adr, int num, int first, int count) {
  char* depth = num ? heap_zero((size_t)num, 1) : NULL;
  int good = !num || depth;
  for (int i = 0; i < num && good; i++) {
    int id = m->bvh_nodeid[adr + i];
    good = id >= 0 ? id >= first && id < first + count
                   : take_children(depth, i, num, m->bvh_child + 2 * (adr + i), 2);
  }
  heap_free(depth);
  return good;
}

// Is this a valid octree? Each cell has eight children, counted from the root, or none.
static int is_octree(const mjModel* m, int adr, int num) {
  char* depth = num ? heap_zero((size_t)num, 1) : NULL;
  int good = !num || depth;
  for (int i = 0; i < num && good; i++) {
    const int* child = m->oct_child + 8 * ((size_t)adr + (size_t)i);
    good = model_ids_valid(child, 8, -1, 0) || take_children(depth, i, num, child, 8);
  }
  heap_free(depth);
  return good;
}

static const char* check_trees(const mjModel* m) {
  for (int b = 0; b < m->nbody; b++) {
    int first = m->body_geomadr[b], count = m->body_geomnum[b];
    REQUIRE(is_tree(m, m->body_bvhadr[b], m->body_bvhnum[b], first, count), bvh_child)
  }
  return NULL;
}

// Is this a valid hull of a mesh? Its layout is: numvert, numface, vert_edgeadr[numvert],
// vert_globalid[numvert], edge_localid[numvert + 3 numface] with -1 behind the neighbours of each
// vertex, face_globalid[3 numface].
//                                                               theory/model/meshes.md, Convex hull
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
  REQUIRE(is_tree(m, m->mesh_bvhadr[i], m->mesh_bvhnum[i], 0, m->mesh_facenum[i]), bvh_child)
  REQUIRE(is_octree(m, m->mesh_octadr[i], m->mesh_octnum[i]), oct_child)
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

// Vertices of elements, edges, flaps and pairs are indices within their flex. A vertex has its own
// body, unless the flex is interpolated from nodes.
static const char* check_flex(const mjModel* m, int i) {
  int dim = m->flex_dim[i], nvert = m->flex_vertnum[i], interp = m->flex_interp[i];
  int64_t nelem = m->flex_elemnum[i], nedge = m->flex_edgenum[i],
          per = dim == 1 ? 1 : 3 * (dim - 1);
  int64_t edge = m->flex_edgeadr[i], elemedge = m->flex_elemedgeadr[i];
  REQUIRE(nvert > 0, flex_vertnum)
  REQUIRE(nelem > 0, flex_elemnum)
  REQUIRE(
      model_ids_valid(m->flex_vertbodyid + m->flex_vertadr[i], nvert, interp ? -1 : 0, m->nbody),
      flex_vertbodyid)
  REQUIRE(model_ids_valid(m->flex_nodebodyid + m->flex_nodeadr[i], m->flex_nodenum[i], 0, m->nbody),
          flex_nodebodyid)
  REQUIRE(model_ids_valid(m->flex_elem + m->flex_elemdataadr[i], nelem * (dim + 1), 0, nvert),
          flex_elem)
  REQUIRE(elemedge >= 0 && elemedge + nelem * per <= m->nflexelemedge, flex_elemedgeadr)
  REQUIRE(model_ids_valid(m->flex_elemedge + elemedge, nelem * per, 0, (int)nedge), flex_elemedge)
  REQUIRE(model_ids_valid(m->flex_edge + 2 * edge, 2 * nedge, 0, nvert), flex_edge)
  REQUIRE(model_ids_valid(m->flex_edgeflap + 2 * edge, 2 * nedge, -1, nvert), flex_edgeflap)
  for (int64_t e = edge; e < edge + nedge; e++) {
    REQUIRE(m->flex_edgeflap[2 * e] >= 0 || m->flex_edgeflap[2 * e + 1] < 0, flex_edgeflap)
  }
  for (int k = 0; k < m->flex_evpairnum[i]; k++) {
    const int* pair = m->flex_evpair + 2 * ((int64_t)m->flex_evpairadr[i] + k);
    REQUIRE(pair[0] >= 0 && pair[0] < nelem && pair[1] >= 0 && pair[1] < nvert, flex_evpair)
  }
  mjtNum stiffness = m->flex_stiffness[21 * (int64_t)m->flex_elemadr[i]];
  REQUIRE(!interp || stiffness == 0 || (21 * nelem >= 576 && m->flex_nodenum[i] == 8),
          flex_stiffness)
  REQUIRE(!m->flex_bvhnum[i] || m->flex_bvhadr[i] >= m->nbvhstatic, flex_bvhadr)
  REQUIRE(is_tree(m, m->flex_bvhadr[i], m->flex_bvhnum[i], 0, (int)nelem), bvh_child)
  return NULL;
}

// Checks that geoms and sites have the mesh or height field that their shape needs.
static const char* check_shapes(const mjModel* m) {
  for (int i = 0; i < m->ngeom; i++) {
    int type = m->geom_type[i];
    int needs = type == mjGEOM_MESH || type == mjGEOM_HFIELD || type == mjGEOM_SDF;
    REQUIRE(!needs || m->geom_dataid[i] >= 0, geom_dataid)
  }
  for (int i = 0; i < m->nsite; i++) {
    REQUIRE(m->site_type[i] != mjGEOM_MESH || m->site_dataid[i] >= 0, site_dataid)
  }
  return NULL;
}

const char* model_validate_meshes(const mjModel* m) {
  const char* problem = model_validate_meshranges(m);
  for (int i = 0; i < m->nmesh && !problem; i++) {
    problem = check_mesh(m, i);
  }
  return problem;
}

const char* model_validate_contents(const mjModel* m) {
  const char* field = structure_check(m);
  if (field) {
    return strcmp(field, MEMORY_OUT) == 0 ? MEMORY_OUT : model_invalid(field);
  }
  const char* problem = check_shapes(m);
  problem = problem ? problem : check_trees(m);
  for (int i = 0; i < m->nmesh && !problem; i++) {
    problem = check_mesh(m, i);
  }
  for (int i = 0; i < m->nflex && !problem; i++) {
    problem = check_flex(m, i);
  }
  return problem;
}
