// shape.h: convex shapes as the general collider sees them.
//
// Distance and depth of two convex shapes need one question answered: which point of a shape is
// furthest in a direction u, its support point
//
//     S(u) = argmax over x in the shape of u . x
//
// so a kind of shape is a support function and a few facts about it. Contact manifolds ask
// polytopes one question more: which faces and edges meet at vertices (Facets). A new kind is a
// file in convex/shape/ and an entry of the table in shape.c; nothing else knows the kinds.
//
// A shape may carry a margin, half of which inflates it: two shapes with the margin of their
// contact overlap exactly when their distance is less than it. A sphere is a point, a capsule a
// segment, with a radius around: distances of these cores are exact and cheap.
//                                                               theory/convex.md, Support functions

#ifndef CONDYLE_COLLISION_CONVEX_SHAPE_H_
#define CONDYLE_COLLISION_CONVEX_SHAPE_H_

#include <mujoco/mjdata.h>

#include "base/vec.h"

typedef struct ConvexShape ConvexShape;
typedef struct SupportPoints SupportPoints;

// Faces at a vertex, and vertices of a face, that a manifold looks at.
enum {
  MAX_FACETS = 150
};

// Cosine above which two unit vectors count as parallel, for manifolds: 0.0016 radian.
#define PARALLEL ((mjtNum)0.99999872)

// Faces and edges of a polytope. Vertices are known by the ids of the support function, faces by
// numbers of their own; points and normals are in the frame of the shape.
typedef struct Facets {
  // How many faces there are, with numbers from 0.
  int (*number)(const ConvexShape* shape);
  // Faces that hold all of num different vertices; if a few vertices are on no common face, those
  // whose normal is the unit direction u of the world. Returns how many.
  int (*faces)(int face[MAX_FACETS], const ConvexShape* shape, const int* id, int num,
               const mjtNum u[3]);
  // Outward unit normal of a face.
  void (*normal)(mjtNum normal[3], const ConvexShape* shape, int face);
  // Vertices of a face, clockwise seen from outside; returns how many.
  int (*polygon)(mjtNum vertex[MAX_FACETS][3], const ConvexShape* shape, int face);
  // Far ends of the edges at a vertex; returns how many.
  int (*ends)(mjtNum end[MAX_FACETS][3], const ConvexShape* shape, int id);
  int most;  // contacts of two such shapes at most; of different shapes the fewer count
} Facets;

typedef struct ConvexKind {
  // Support point of the shape without its margin in the unit direction u of the world; returns the
  // id of the vertex, -1 if there are none.
  int (*support)(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]);
  // The same with its margin and by the rules of the legacy pipeline, where the sign of zero is
  // zero; returns where a climb over a hull has ended.
  int (*legacy)(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]);
  // Turns a guess into the outward normal, of any length, where a point x in the frame of the shape
  // is nearest to the surface; 0 if that is not told there. NULL: it never is.
  int (*normal)(mjtNum normal[3], const ConvexShape* shape, const mjtNum x[3]);
  const Facets* facets;       // NULL: contacts are single
  unsigned has_vertices : 1;  // the convex hull of finitely many, which support tells by their ids
  unsigned has_core : 1;      // a point or segment with a radius around
  unsigned is_strict : 1;     // strictly convex: no straight line in its surface
  unsigned has_memory : 1;    // where the last search ended decides ties of the next
  unsigned is_part : 1;       // of something that others cover along with it
} ConvexKind;

struct ConvexShape {
  const ConvexKind* kind;
  mjtNum size[3];  // geom_size
  mjtNum pos[3];   // centre in the world
  mjtNum mat[9];   // axes in the world, as columns
  mjtNum radius;   // around the core, if there is one
  mjtNum margin;   // half of it is added all round
  int last;        // vertex that was the last support point, -1 if none: a search may start there

  // meshes
  const float* vert;  // coordinates of all vertices
  int nvert;
  const int* graph;  // hull, as in mesh_graph; NULL if there is none
  int climbed;       // hull vertex where the last legacy climb ended, 0 at first
  const mjModel* model;
  int mesh;
  const SupportPoints* points;  // copy of the vertices (shape/points.h), NULL if there is none
};

extern const ConvexKind convex_sphere, convex_capsule, convex_ellipsoid, convex_cylinder,
    convex_box, convex_mesh, convex_sdf;

// Makes the shape of a geom; returns 0 if geoms of its type are not convex.
int convex_shape(ConvexShape* shape, const mjModel* m, const mjData* d, int geom, mjtNum margin);

// Whether a shape is the hull of finitely many vertices, and nothing around it.
static inline int shape_is_polytope(const ConvexShape* s) {
  return s->kind->has_vertices && s->margin == 0;
}

// The shape itself or, if it has one, its core, made from a copy; lost is the radius around.
ConvexShape* shape_core(mjtNum* lost, ConvexShape* copy, ConvexShape* shape);

// Turns a shape by a small rotation vector (axis times angle) about a point.
void shape_turn(ConvexShape* shape, const mjtNum point[3], const mjtNum axis[3], mjtNum angle);

// Support point of a mesh without its margin by the plainer rules of planes, height fields and the
// older pipeline: climbing over the hull, if there is one, from hull vertex `start` whatever the
// number of vertices, else a search of all. Returns that hull vertex, or vertex.
int mesh_support_plain(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3], int start);

// Support point of a mesh without its margin, and its id, from one with an id that is about as
// high.
int mesh_support_from(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3], int id);

// How many vertices are as high along a direction of the world as the support point there, whose id
// is given, to rounding: 1 for a vertex, 2 for an edge, more for a face.
int mesh_ties(const ConvexShape* shape, const mjtNum u[3], int id, mjtNum rounding);

// Meshes of fewer vertices are searched one by one.
enum {
  MIN_CLIMB = 10
};

// Whether support climbs over the hull, and its ids are those of the hull's vertices.
static inline int mesh_is_climbed(const ConvexShape* mesh) {
  return mesh->graph && mesh->nvert >= MIN_CLIMB;
}

// Vertex of a mesh, in its frame; which one a vertex of its hull is; the neighbours of that on the
// hull, -1 behind the last.
static inline void mesh_point(mjtNum v[3], const ConvexShape* mesh, int vertex) {
  const float* x = mesh->vert + 3 * (size_t)vertex;
  v3_set(v, x[0], x[1], x[2]);
}

static inline int hull_vertex(const ConvexShape* mesh, int at) {
  return mesh->graph[2 + mesh->graph[0] + at];
}

static inline const int* hull_neighbours(const ConvexShape* mesh, int at) {
  return mesh->graph + 2 + 2 * mesh->graph[0] + mesh->graph[2 + at];
}

// For support functions in the frame of the shape: a direction to it, a point from it.
static inline void shape_direction(mjtNum local[3], const ConvexShape* shape, const mjtNum u[3]) {
  m3_tmulv(local, shape->mat, u);
}

static inline void shape_point(mjtNum point[3], const ConvexShape* shape, const mjtNum local[3]) {
  m3_mulv(point, shape->mat, local);
  v3_addto(point, shape->pos);
}

// For legacy supports: a point from the frame of the shape, with half of the margin in direction l.
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

#endif  // CONDYLE_COLLISION_CONVEX_SHAPE_H_
