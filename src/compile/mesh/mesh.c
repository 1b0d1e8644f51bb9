// mesh.c: makes a mesh by its steps in order.              theory/model/meshes.md, Processing order
#pragma STDC FP_CONTRACT OFF

#include "compile/mesh/mesh.h"
#include "compile/clock.h"

#include <float.h>
#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/mjspec.h>
#include <string.h>

#include "base/algebra/pose.h"
#include "base/memory/memory.h"
#include "base/memory/slab.h"
#include "compile/derive/bvh.h"
#include "compile/mesh/hull.h"
#include "compile/mesh/steps.h"
#include "compile/mesh/triangle.h"
#include "spec/vector.h"

static void free_mesh(void* item) {
  Mesh* mesh = item;
#define FREE(type, name, rows, columns, to) heap_free(mesh->block ? NULL : mesh->name);
  MESH_ARRAYS(FREE)
  MESH_BOXES(FREE)
#undef FREE
  slab_free(mesh->block);
  heap_free(mesh);
}

static size_t mesh_bytes(const Mesh* mesh) {
  size_t bytes = sizeof(Mesh);
#define ADD(type, name, rows, columns, to) bytes += columns * (size_t)mesh->rows * sizeof(type);
  MESH_ARRAYS(ADD)
  MESH_BOXES(ADD)
#undef ADD
  return bytes;
}

void mesh_share(Mesh* mesh) {
  asset_share(&mesh->shared, mesh_bytes(mesh), free_mesh);
}

// Index of the point farthest from the place `from`. If there is a unit vector `away`, distance is
// measured along it or, with `across`, at right angles to it. The distance goes to `far`.
static size_t farthest(double far[1], const double* point, int npoint, const double from[3],
                       const double* away, int across) {
  size_t best = 0;
  *far = -1;
  for (size_t i = 0; i < (size_t)npoint; i++) {
    double d[3], along = 0, distance = 0;
    for (int k = 0; k < 3; k++) {
      d[k] = point[3 * i + (size_t)k] - from[k];
      along += away ? d[k] * away[k] : 0;
    }
    for (int k = 0; k < 3; k++) {
      double part = away && across ? d[k] - along * away[k] : d[k];
      distance += part * part;
    }
    distance = away && !across ? fabs(along) : sqrt(distance);
    if (distance > *far) {
      *far = distance;
      best = i;
    }
  }
  return best;
}

// How far points reach along, across and above the plane that fits them best, and its normal.
typedef struct Span_ {
  double length, width, height, normal[3];
} Span;

static Span span_points(const double* point, int npoint) {
  Span span;
  double along[3], across[3];
  size_t b = farthest(&span.length, point, npoint, point, NULL, 0);
  for (int k = 0; k < 3; k++) {
    along[k] = point[3 * b + (size_t)k] - point[k];
  }
  pose_normalize(along, 3);
  size_t c = farthest(&span.width, point, npoint, point, along, 1);
  for (int k = 0; k < 3; k++) {
    across[k] = point[3 * c + (size_t)k] - point[k];
  }
  pose_cross(span.normal, along, across);
  pose_normalize(span.normal, 3);
  farthest(&span.height, point, npoint, point, span.normal, 0);
  return span;
}

// Points that span less than this part of their length are flat, or a line.
static const double flat = 1e-6;

// Ends in an error that says why points have no hull: they lie at one place, on a line or in a
// plane, or else what Qhull says.
static void refuse_points(const double* point, int npoint, const char* reason) {
  Span s = span_points(point, npoint);
  const char* instead =
      "give it a thickness, or use a box; one that is only seen needs faces, inertia=\"shell\", "
      "contype=\"0\" and conaffinity=\"0\"";
  if (!(s.width > flat * s.length)) {
    mju_error("qhull error: the mesh is a line or a point: its %d vertices span %.3g x %.3g; %s",
              npoint, s.length, s.width, instead);
  }
  if (!(s.height > flat * s.length)) {
    mju_error("qhull error: the mesh is flat: its %d vertices span %.3g x %.3g x %.3g; %s", npoint,
              s.length, s.width, s.height, instead);
  }
  mju_error("qhull error: %s", reason[0] ? reason : "no hull");
}

// Gives a flat mesh a second layer of vertices, so that it has a hull. Returns the points of both,
// NULL if it isn't flat.
static double* thicken(Mesh* mesh, const double* point) {
  const double thickness = 1e-3;  // of its length
  Span s = span_points(point, mesh->nvert);
  if (!(s.width > flat * s.length) || s.height > flat * s.length) {
    return NULL;
  }
  size_t count = 3 * (size_t)mesh->nvert;
  double* both = mesh_take(2 * count, sizeof(double));
  float* vert = mesh_take(2 * count, sizeof(float));
  mesh->thickness = thickness * s.length;
  for (size_t i = 0; i < count; i++) {
    vert[i] = mesh->vert[i];
    vert[count + i] = (float)(point[i] - mesh->thickness * s.normal[i % 3]);
    both[i] = point[i];
    both[count + i] = vert[count + i];
  }
  heap_free(mesh->vert);
  mesh->vert = vert;
  mesh->nvert *= 2;
  return both;
}

static int octree_depth(const MeshRequest* request) {
  int depth = request->spec->octree_maxdepth;
  if (depth < 0 || depth > OCT_MOST_DEPTH) {
    mju_error("octree_maxdepth must be from 0 to %d, not %d", OCT_MOST_DEPTH, depth);
  }
  return depth;
}

// Adds the hull, and takes faces from it if the mesh has none.
static void add_hull(Mesh* mesh, const MeshRequest* request) {
  int most = request->spec->maxhullvert;
  if (most != -1 && most <= 3) {
    mju_error("maxhullvert must be larger than 3, or -1, not %d", most);
  }
  size_t count = 3 * (size_t)mesh->nvert;
  double* point = mesh_take(count, sizeof(double));
  for (size_t i = 0; i < count; i++) {
    point[i] = mesh->vert[i];
  }
  char reason[160];
  HullStatus status = hull_make(&mesh->graph, &mesh->ngraph, reason, sizeof(reason), point,
                                mesh->nvert, most, request->later);
  double* both = status == HULL_FAILED && request->thickens ? thicken(mesh, point) : NULL;
  if (both) {
    heap_free(point);
    point = both;
    status = hull_make(&mesh->graph, &mesh->ngraph, reason, sizeof(reason), point, mesh->nvert,
                       most, request->later);
  }
  if (status == HULL_FAILED) {
    refuse_points(point, mesh->nvert, reason);
  }
  heap_free(point);
  if (status == HULL_NOMEMORY) {
    mju_error(MEMORY_OUT);
  }
  mesh->nographwarning = status == HULL_NOGRAPH;
  if (mesh->nface) {
    return;
  }
  if (!mesh->graph) {
    mju_error("qhull error: the hull has no triangles");
  }

  int nface = mesh->graph[1];
  heap_free(mesh->face);
  const int* face = mesh->graph + HULL_FACE(mesh->graph[0], nface);
  mesh->face = mesh_copy(face, 3 * (size_t)nface, sizeof(int));
  mesh->nface = nface;
}

// Twice the area of a polygon as a vector, by Newell's sums over the edges of its outline:
//
//   N_x = sum of (p_y - q_y) (p_z + q_z),  q: the corner after p, and so on cyclically
static void newell(double n[3], const double* point, const int* v, int count) {
  n[0] = n[1] = n[2] = 0;
  for (int i = 0; i < count; i++) {
    const double *p = point + 3 * (size_t)v[i], *q = point + 3 * (size_t)v[(i + 1) % count];
    for (int x = 0; x < 3; x++) {
      int y = (x + 1) % 3, z = (x + 2) % 3;
      n[x] += (p[y] - q[y]) * (p[z] + q[z]);
    }
  }
}

// Adds polygon normals: (p1 - p0) x (p2 - p0) of the first corners, or of the whole outline.
static void add_polygonnormals(Mesh* mesh, const double* point, int later) {
  mesh->polynormal = mesh_take(3 * (size_t)mesh->npoly, sizeof(mjtNum));
  for (int i = 0; i < mesh->npoly; i++) {
    const int* v = mesh->polyvert + mesh->polyvertadr[i];
    double n[3];
    if (later) {
      newell(n, point, v, mesh->polyvertnum[i]);
    } else {
      mesh_cross(n, point + 3 * (size_t)v[0], point + 3 * (size_t)v[1], point + 3 * (size_t)v[2]);
    }
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++) {
      mesh->polynormal[3 * (size_t)i + (size_t)k] =
          (mjtNum)(length > mjMINVAL ? n[k] / length : k == 0);
    }
  }
}

// The boxes of four faces.
INLINE void find_boxes(Four lower[3], Four upper[3], const Triangles* t) {
  for (int k = 0; k < 3; k++) {
    lower[k] = upper[k] = t->corner[0][k];
    for (int c = 1; c < 3; c++) {
      FourMask below = t->corner[c][k] < lower[k];
      FourMask above = t->corner[c][k] > upper[k];
      four_choose(&lower[k], &below, &t->corner[c][k], &lower[k]);
      four_choose(&upper[k], &above, &t->corner[c][k], &upper[k]);
    }
  }
}

// The centers of the circumscribed circles of four faces:
//   c + ((|a|^2 b - |b|^2 a) x N) / (2 |N|^2),  a, b: from its last vertex to the others, N = a x b
INLINE void find_centers(Four center[3], const Triangles* t) {
  const Four zero = {0}, most = zero + DBL_MAX;
  const Four *p = t->corner[0], *q = t->corner[1], *r = t->corner[2];
  Four a[3], b[3], n[3], sum[3], turned[3];
  for (int k = 0; k < 3; k++) {
    a[k] = p[k] - r[k];
    b[k] = q[k] - r[k];
  }
  Four aa = a[0] * a[0] + a[1] * a[1] + a[2] * a[2], bb = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
  four_cross(n, a, b);
  Four nn = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
  for (int k = 0; k < 3; k++) {
    sum[k] = aa * b[k] - bb * a[k];
  }
  four_cross(turned, sum, n);
  FourMask has_area = nn > zero;
  for (int k = 0; k < 3; k++) {
    // a face without area has no such circle
    Four mean = (p[k] + q[k] + r[k]) / 3, circle = r[k] + turned[k] / (2 * nn);
    four_choose(&center[k], &has_area, &circle, &mean);
    FourMask is_finite = (center[k] <= most) & (center[k] >= -most);
    four_choose(&center[k], &is_finite, &center[k], &r[k]);
  }
}

// The leaf of a face has the face's box. Its position for splits is the center of the circumscribed
// circle.
KERNEL static void find_leaves(BvhLeaf* leaf, const double* point, const int* face, int nface) {
  for (int i = 0; i < nface; i += LANES) {
    Triangles t;
    Four lower[3], upper[3], center[3];
    TRIANGLES_GATHER(&t, point, face, i, nface);
    find_boxes(lower, upper, &t);
    find_centers(center, &t);
    for (int lane = 0; lane < LANES && i + lane < nface; lane++) {
      BvhLeaf* l = leaf + i + lane;
      for (int k = 0; k < 3; k++) {
        l->lower[k] = (mjtNum)lower[k][lane];
        l->upper[k] = (mjtNum)upper[k][lane];
        l->pos[k] = (mjtNum)center[k][lane];
      }
      l->id = i + lane;
    }
  }
}

// Adds polygon normals and the BVH from the placed vertices.
static void add_tree(Mesh* mesh, const double* point, int later) {
  size_t nface = (size_t)mesh->nface, nnode = 2 * nface;
  BvhLeaf* leaf = mesh_take(nface, sizeof(BvhLeaf));
  mesh->bvhdepth = mesh_take(nnode, sizeof(int));
  mesh->bvhchild = mesh_take(2 * nnode, sizeof(int));
  mesh->bvhnodeid = mesh_take(nnode, sizeof(int));
  mesh->bvhaabb = mesh_take(6 * nnode, sizeof(mjtNum));
  add_polygonnormals(mesh, point, later);
  find_leaves(leaf, point, mesh->face, mesh->nface);
  BvhNodes nodes = {mesh->bvhdepth, mesh->bvhchild, mesh->bvhnodeid, mesh->bvhaabb};
  mesh->nbvh = bvh_build(&nodes, leaf, mesh->nface);
  heap_free(leaf);
}

// Reverses triangles by swapping their last two corners.
static void turn_over(int* index, int nface) {
  for (size_t i = 0; index && i < (size_t)nface; i++) {
    int last = index[3 * i + 2];
    index[3 * i + 2] = index[3 * i + 1];
    index[3 * i + 1] = last;
  }
}

// The surface of a shape.
static void mesh_readshape(Mesh* mesh, const MeshRequest* request) {
  const double* scale = request->spec->scale;
  ContourMesh contour;
  if (scale[0] != 1 || scale[1] != 1 || scale[2] != 1 || request->stretch) {
    mju_error("attribute scale is not compatible with SDFs in mesh '%s'", request->name);
  }
  contour_make(&contour, &request->shape);
  if (!contour.nface) {
    mju_error("the shape of mesh '%s' has no surface in its box", request->name);
  }
  mesh->vert = contour.vert;
  mesh->nvert = contour.nvert;
  mesh->normal = contour.normal;
  mesh->nnormal = contour.nvert;
  mesh->face = contour.face;
  mesh->nface = contour.nface;
}

static void read_file(Mesh* mesh, const MeshRequest* request) {
  void (*const read[])(Mesh*, const MeshRequest*) = {
      [MESH_STL] = mesh_readstl,        [MESH_OBJ] = mesh_readobj,
      [MESH_MSH] = mesh_readmsh,        [MESH_COLLADA] = mesh_readparts,
      [MESH_GLTF] = mesh_readparts,     [MESH_GLB] = mesh_readparts,
      [MESH_PLY] = mesh_readparts,      [MESH_SHAPE] = mesh_readshape,
      [MESH_DECODED] = mesh_readdecoded};
  const double* scale = request->spec->scale;
  if (request->format == MESH_INLINE) {
    return;
  }
  read[request->format](mesh, request);

  // A mirrored mesh needs reversed triangles. In MSH normals and texture coordinates keep their
  // order, as in the reference.
  if (scale[0] * scale[1] * scale[2] <= 0 && !request->later) {
    turn_over(mesh->face, mesh->nface);
    if (request->format != MESH_MSH) {
      turn_over(mesh->facenormal, mesh->nface);
      turn_over(mesh->facetexcoord, mesh->nface);
    }
  }
}

// Reverses n numbers, but for the first.
static void reverse(int* number, int n) {
  for (int a = 1, b = n - 1; a < b; a++, b--) {
    int kept = number[a];
    number[a] = number[b];
    number[b] = kept;
  }
}

// By the later rule all triangles of a mirrored mesh are reversed, wherever they come from, with
// those of its hull. Given normals stay; others are computed of the triangles as they were.
static void mirror(Mesh* mesh) {
  turn_over(mesh->face, mesh->nface);
  turn_over(mesh->facenormal, mesh->nface);
  turn_over(mesh->facetexcoord, mesh->nface);
  if (mesh->graph) {
    int nface = mesh->graph[1];
    turn_over(mesh->graph + HULL_FACE(mesh->graph[0], nface), nface);
  }
}

static int is_mirrored(const MeshRequest* request) {
  const double* scale = request->spec->scale;
  return request->later && request->format != MESH_SHAPE && scale[0] * scale[1] * scale[2] < 0;
}

Mesh* mesh_make(const MeshRequest* request) {
  Mesh* mesh = heap_zero(1, sizeof(Mesh));
  mesh->quat[0] = 1;
  double time = clock_now();
  read_file(mesh, request);
  mesh_addinline(mesh, request);
  mesh_check(mesh, request);
  time = clock_add(mjCTIMER_MESH_LOAD, time);
  if (request->needhull || mesh->nface == 0) {
    add_hull(mesh, request);
  }
  time = clock_add(mjCTIMER_MESH_HULL, time);
  double* point = mesh_take(3 * (size_t)mesh->nvert, sizeof(double));
  FaceNormal* facing = mesh_facenormals(mesh, mesh->face, mesh->nface);
  mesh_addnormals(mesh, facing, request->spec->smoothnormal);
  mesh_addpolygons(mesh, facing, request);
  heap_free(facing);
  if (is_mirrored(request)) {
    mirror(mesh);
    for (int i = 0; i < mesh->npoly; i++) {
      reverse(mesh->polyvert + mesh->polyvertadr[i], mesh->polyvertnum[i]);
    }
  }
  time = clock_add(mjCTIMER_MESH_POLYGON, time);
  mesh_place(mesh, request, point);
  time = clock_add(mjCTIMER_MESH_INERTIA, time);
  add_tree(mesh, point, request->later);
  time = clock_add(mjCTIMER_MESH_BVH, time);
  if (request->needoctree) {
    mesh_addoctree(mesh, point, octree_depth(request));
    clock_add(mjCTIMER_MESH_OCTREE, time);
  }
  heap_free(point);
  mesh_share(mesh);
  return mesh;
}

Digest mesh_key(const MeshRequest* r, Digest key, const Digest* content) {
  const mjsMesh* s = r->spec;
  int numbers[] = {(int)r->format,       r->needhull,       r->needoctree,       (int)s->inertia,
                   s->smoothnormal != 0, s->maxhullvert,    (int)sizeof(mjtNum), r->thickens,
                   r->is_whole,          s->octree_maxdepth};
  digest_add(&key, numbers, sizeof(numbers));
  digest_add(&key, s->refpos, sizeof(s->refpos));
  digest_add(&key, s->refquat, sizeof(s->refquat));
  digest_add(&key, s->scale, sizeof(s->scale));
  if (r->later) {
    digest_add(&key, "later", 5);
  }
  if (r->stretch) {
    digest_add(&key, r->stretch, 9 * sizeof(double));
  }
  if (r->format == MESH_SHAPE) {
    digest_add(&key, &r->shape.distance, sizeof(r->shape.distance));
    digest_add(&key, r->shape.number, (size_t)r->nnumber * sizeof(mjtNum));
    digest_add(&key, r->shape.aabb, sizeof(r->shape.aabb));
  } else if (r->format != MESH_INLINE) {
    digest_add(&key, content->half, sizeof(content->half));
    mesh_keyothers(&key, r);
  }
  if (r->format == MESH_DECODED) {
    digest_add(&key, r->file->name, strlen(r->file->name));
    digest_add(&key, string_text(s->content_type), strlen(string_text(s->content_type)));
  }
  digest_add(&key, s->uservert->ptr, s->uservert->num * sizeof(float));
  digest_add(&key, s->usernormal->ptr, s->usernormal->num * sizeof(float));
  digest_add(&key, s->usertexcoord->ptr, s->usertexcoord->num * sizeof(float));
  digest_add(&key, s->userface->ptr, s->userface->num * sizeof(int));
  digest_add(&key, s->userfacenormal->ptr, s->userfacenormal->num * sizeof(int));
  digest_add(&key, s->userfacetexcoord->ptr, s->userfacetexcoord->num * sizeof(int));
  return key;
}
