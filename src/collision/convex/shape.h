// shape.h: convex shapes as the general collider sees them.
//
// Distance and depth of two convex shapes need one question answered: which point of a shape is
// furthest in a direction u, its support point
//
//     S(u) = argmax over x in the shape of u . x
//
// so a kind of shape is a support function and a few facts about it. Contact manifolds need one
// question more: which face or edge looks in a direction (shape_face). A new kind is a file in
// convex/shape/ and an entry of the table in shape.c; nothing else knows the kinds.
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

enum {
  MAX_FACE_VERTICES = 8
};

typedef struct ConvexKind {
  // Support point of the shape without its margin in the unit direction u of the world; returns the
  // id of the vertex, -1 if there are none.
  int (*support)(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]);
  // The same with its margin and by the rules of the legacy pipeline, where the sign of zero is zero;
  // returns where a climb over a hull has ended.
  int (*legacy)(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3]);
  // Face or edge whose outward normal is nearest to the unit direction u, all in the frame of the
  // shape and without its margin; returns the number of vertices, 0 if the feature is a support
  // point. NULL: it always is.
  int (*face)(mjtNum vertex[MAX_FACE_VERTICES][3], mjtNum normal[3], const ConvexShape* shape,
              const mjtNum u[3]);
  // Turns a guess into the outward normal, of any length, where a point x in the frame of the shape
  // is nearest to the surface; 0 if that is not told there. NULL: it never is.
  int (*normal)(mjtNum normal[3], const ConvexShape* shape, const mjtNum x[3]);
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
};

extern const ConvexKind convex_sphere, convex_capsule, convex_ellipsoid, convex_cylinder,
    convex_box, convex_mesh, convex_sdf;

// Makes the shape of a geom; returns 0 if geoms of its type are not convex.
int convex_shape(ConvexShape* shape, const mjModel* m, const mjData* d, int geom, mjtNum margin);

// Contact feature of the shape with its margin towards the unit direction u of the world: a face
// (its vertices counter-clockwise seen from outside), an edge (2) or a support point (1), and its
// outward normal; returns the number of vertices.   theory: convex, Contact features
int shape_face(mjtNum vertex[MAX_FACE_VERTICES][3], mjtNum normal[3], const ConvexShape* shape,
               const mjtNum u[3]);

// Support point of a mesh without its margin by the plainer rules of planes, height fields and the
// older pipeline: climbing over the hull, if there is one, from hull vertex `start` whatever the
// number of vertices, else a search of all. Returns that hull vertex, or vertex.
int mesh_support_plain(mjtNum point[3], const ConvexShape* shape, const mjtNum u[3], int start);

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

// A vertex of the Minkowski difference A - B: w = a - b with a in A and b in B; vertex ids of a and
// b, -1 if they have none.
typedef struct Vertex {
  mjtNum a[3], b[3], w[3];
  int ia, ib;
} Vertex;

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

// The edge of a capsule's or cylinder's side towards u, unless u is nearer to its axis.
static inline int side_edge(mjtNum vertex[][3], mjtNum normal[3], const ConvexShape* shape,
                            const mjtNum u[3]) {
  mjtNum half = shape->size[1], rho = mju_sqrt(u[0] * u[0] + u[1] * u[1]);
  if (rho < mju_abs(u[2])) {
    return 0;
  }
  v3_set(normal, u[0] / rho, u[1] / rho, 0);
  v3_set(vertex[0], shape->radius * normal[0], shape->radius * normal[1], -half);
  v3_set(vertex[1], vertex[0][0], vertex[0][1], half);
  return 2;
}

static inline int shape_support(mjtNum point[3], ConvexShape* shape, const mjtNum u[3]) {
  shape->last = shape->kind->support(point, shape, u);
  if (shape->margin > 0) {
    v3_addtoscl(point, u, (mjtNum)0.5 * shape->margin);
  }
  return shape->last;
}

static inline void legacy_support(mjtNum point[3], ConvexShape* shape, const mjtNum u[3]) {
  shape->climbed = shape->kind->legacy(point, shape, u);
}

// Support point of A - B in the unit direction u: S_A(u) - S_B(-u).
static inline void difference_support(Vertex* out, ConvexShape* a, ConvexShape* b,
                                      const mjtNum u[3]) {
  mjtNum back[3];
  v3_scl(back, u, -1);
  out->ia = shape_support(out->a, a, u);
  out->ib = shape_support(out->b, b, back);
  v3_sub(out->w, out->a, out->b);
}

#endif  // CONDYLE_COLLISION_CONVEX_SHAPE_H_
