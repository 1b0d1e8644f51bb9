// shape.h: convex shapes as the general collider sees them.
//
// Distance and depth of two convex shapes need one question answered: which point of a shape is
// furthest in a direction u, its support point
//
//     S(u) = argmax over x in the shape of u . x
//
// so a kind of shape is a support function and a few facts about it. Contact manifolds also need
// the faces and edges at the vertices of polytopes (Facets). A new kind is a file in convex/shape/
// and an entry of the table in geom_shape.c; nothing else knows the kinds.
//
// Half of a shape's margin inflates it: two shapes with the margin of their contact overlap exactly
// when their distance is less than the margin. A sphere is a point and a capsule is a segment, with
// a radius around: distances of these cores are exact and cheap.
//                                                       theory/contact/convex.md, Support functions

#pragma once

#include <mujoco/mjdata.h>

#include <stdint.h>

#include "base/algebra/vec.h"

typedef struct ConvexShape ConvexShape;
typedef struct SupportPoints SupportPoints;

// The largest number of faces at a vertex, and of vertices of a face, in a manifold.
enum {
  MAX_FACETS = 150
};

// Cosine above which two unit vectors count as parallel in manifolds: within 0.0016 rad.
#define PARALLEL ((mjtNum)0.99999872)

// Faces and edges of a polytope. Vertices are known by the ids of the support function, faces by
// numbers of their own; points and normals are in the frame of the shape.
typedef struct Facets {
  // How many faces there are, with numbers from 0.
  int (*number)(const ConvexShape* shape);
  // The vertex with an id, without the margin.
  void (*corner)(mjtNum corner[3], const ConvexShape* shape, int id);
  // Faces that contain all of num different vertices. If there are none, a box gives the face whose
  // normal is the unit direction u of the world. Returns their number.
  int (*faces)(int face[MAX_FACETS], const ConvexShape* shape, const int* id, int num,
               const mjtNum u[3]);
  // Outward unit normal of a face.
  void (*normal)(mjtNum normal[3], const ConvexShape* shape, int face);
  // Vertices of a face, clockwise seen from outside. Returns their number.
  int (*polygon)(mjtNum vertex[MAX_FACETS][3], const ConvexShape* shape, int face);
  // The other ends of the edges at a vertex. Returns their number.
  int (*ends)(mjtNum end[MAX_FACETS][3], const ConvexShape* shape, int id);
  int most;  // the largest number of contacts; for two kinds the smaller of both numbers counts
} Facets;

typedef struct ConvexKind {
  // Support point of the shape without its margin in the unit direction u of the world; returns the
  // id of the vertex, -1 if there are none.
  int (*support)(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]);
  // Support point with half of the margin, as the legacy pipeline computes it: there the sign of
  // zero is zero. Returns the hull vertex where a climb has ended.
  int (*legacy)(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]);
  // Outward normal, of any length, of the surface nearest to a point x in the frame of the shape.
  // normal is a guess on entry. Returns 0 if there is no normal at x. NULL: there is none anywhere.
  int (*normal)(mjtNum normal[3], const ConvexShape* shape, const mjtNum x[3]);
  const Facets* facets;       // NULL: contacts are single
  unsigned has_vertices : 1;  // a polytope: support returns ids of vertices
  unsigned has_core : 1;      // a point or segment with a radius around
  unsigned is_strict : 1;     // strictly convex: no straight line in its surface
  unsigned has_memory : 1;    // ties are decided by the vertex where the last search ended
  unsigned is_part : 1;       // a part of a larger solid, such as a prism of a height field
  unsigned is_inflated : 1;   // by its radius, which is not that of a core
} ConvexKind;

// Value of `last` when earlier searches were skipped, so that the vertex is not known.
enum {
  LAST_SKIPPED = -2
};

struct ConvexShape {
  const ConvexKind* kind;
  mjtNum size[3];  // geom_size
  mjtNum pos[3];   // centre in the world
  mjtNum mat[9];   // axes in the world, as columns
  mjtNum radius;   // around the core, if there is one
  mjtNum margin;   // half of it is added all round
  int last;        // vertex of the last support, where a search may start; -1 if none
  int is_missed;   // whether a support has needed `last` when it was LAST_SKIPPED

  // meshes
  const float* vert;  // coordinates of all vertices
  int nvert;
  const int* graph;  // hull, as in mesh_graph; NULL if there is none
  int climbed;       // hull vertex where the last legacy climb ended, 0 at first
  const mjModel* model;
  int mesh;
  const SupportPoints* points;  // copy of the vertices (shape/support_points.h), NULL if none

  // where the next supports of an earlier step have ended (every second number), see support.h
  uint16_t* trail;  // NULL: not known
  int trail_left;
};

extern const ConvexKind convex_sphere, convex_capsule, convex_ellipsoid, convex_cylinder,
    convex_box, convex_mesh, convex_sdf;

// The kind of geoms of a type; NULL if they are not convex.
const ConvexKind* convex_kind(int type);

// Makes the shape of a geom; returns 0 if geoms of its type are not convex.
int convex_shape(ConvexShape* shape, const mjModel* m, const mjData* d, int geom, mjtNum margin);

// The same for a shape of a type with a size and a pose, and a mesh if it is one.
int convex_placed(ConvexShape* shape, const mjModel* m, int type, int mesh, const mjtNum size[3],
                  const mjtNum pos[3], const mjtNum mat[9], mjtNum margin);

// Whether a shape is a polytope without margin.
static inline int shape_is_polytope(const ConvexShape* s) {
  return s->kind->has_vertices && s->margin == 0;
}

// The core of a shape, made in `copy`, or the shape itself if it has none. lost: the radius around
// the core, with half of the margin.
ConvexShape* shape_core(mjtNum* lost, ConvexShape* copy, ConvexShape* shape);

// Turns a shape by a small rotation vector (axis times angle) about a point.
void shape_turn(ConvexShape* shape, const mjtNum point[3], const mjtNum axis[3], mjtNum angle);

// Support point of a mesh, with half of its margin, by the rules of planes, height fields and the
// legacy pipeline: a climb over the hull from hull vertex `start` whatever the number of vertices,
// or a search of all vertices if there is no hull. Returns the hull vertex, or the vertex.
int mesh_support_plain(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3], int start);

// Heights that are above a level by more than this many times its tolerance are not of the level.
#define LEVEL_WRONG ((mjtNum)1e4)

// Lists the vertices of a mesh or box, in ascending order, that are no lower along a direction u of
// the world than the one with this id by more than `tie`: one if it is a vertex that touches a
// plane, two if an edge, more if a face. Returns their number; 0 if there are more than `most`, or
// if one is higher by more than LEVEL_WRONG times as much. The vertices of a mesh must be copied,
// or the mesh be climbed.
int mesh_level(int* level, int most, const ConvexShape* shape, const mjtNum u[3], int id,
               mjtNum tie);

// How many vertices a polytope has that searches of hulls know: those that support may return.
// 0 for other shapes.
int shape_corners(const ConvexShape* shape);

static inline int shape_is_box(const ConvexShape* s) {
  return s->kind == &convex_box;
}

// The vertex with an id that support returned, in the frame of the mesh or box.
void mesh_vertex(mjtNum v[3], const ConvexShape* shape, int id);

// Rounding of heights and vertices of meshes in single precision, relative to the size.
#define BOUND_ROUNDING ((mjtNum)2e-6)

// The height of the highest vertex of a mesh along l (in its frame), up to `rounding`, which must
// cover the rounding of heights and vertices in single precision. The search is a climb over the
// hull from vertex `start`, which may be any. Returns the vertex where it ends; -1 if too many are
// about as high.
int mesh_bound(mjtNum* top, const ConvexShape* mesh, const mjtNum l[3], int start, mjtNum rounding);

// Meshes of fewer vertices are searched one by one.
enum {
  MIN_CLIMB = 10
};

// Whether support climbs over the hull. If so ids are those of hull vertices, else of all vertices.
static inline int mesh_is_climbed(const ConvexShape* mesh) {
  return mesh->graph && mesh->nvert >= MIN_CLIMB;
}

// Whether supports walk over the hull (shape/summit.h): the mesh has one, and its vertices aren't
// copied.
static inline int mesh_is_walked(const ConvexShape* s) {
  return !s->points && s->kind->has_memory && mesh_is_climbed(s);
}

// A vertex of a mesh, in the frame of the mesh.
static inline void mesh_point(mjtNum v[3], const ConvexShape* mesh, int vertex) {
  const float* x = mesh->vert + 3 * (size_t)vertex;
  v3_set(v, x[0], x[1], x[2]);
}

// The mesh vertex behind hull vertex `at`.
static inline int hull_vertex(const ConvexShape* mesh, int at) {
  return mesh->graph[2 + mesh->graph[0] + at];
}

// The face around a vertex of a mesh whose normal is most along l (in its frame); -1 if the mesh
// has no faces.
int mesh_face_along(const ConvexShape* mesh, int vertex, const mjtNum l[3]);

// The vertices of a face of a mesh, counter-clockwise seen from outside.
const int* mesh_face(int* num, const ConvexShape* mesh, int face);

// The hull vertices next to hull vertex `at`; -1 ends the list.
static inline const int* hull_neighbours(const ConvexShape* mesh, int at) {
  return mesh->graph + 2 + 2 * mesh->graph[0] + mesh->graph[2 + at];
}

// Support functions work in the frame of the shape: shape_direction turns a direction into it, and
// shape_point turns a point back into the world.
static inline void shape_direction(mjtNum local[3], const ConvexShape* shape, const mjtNum u[3]) {
  m3_tmulv(local, shape->mat, u);
}

static inline void shape_point(mjtNum point[3], const ConvexShape* shape, const mjtNum local[3]) {
  m3_mulv(point, shape->mat, local);
  v3_addto(point, shape->pos);
}

// A legacy support in the world: `local` in the frame of the shape, plus half of the margin along
// l.
static inline void legacy_point(mjtNum point[3], const ConvexShape* shape, const mjtNum local[3],
                                const mjtNum l[3]) {
  v3_addscl(point, local, l, (mjtNum)0.5 * shape->margin);
  shape_point(point, shape, point);
}

static inline mjtNum num_sign(mjtNum x) {
  return x > 0 ? 1 : (x < 0 ? -1 : 0);
}

static inline void legacy_support(mjtNum point[3], ConvexShape* shape, const mjtNum u[3]) {
  shape->climbed = shape->kind->legacy(point, shape, u);
}
