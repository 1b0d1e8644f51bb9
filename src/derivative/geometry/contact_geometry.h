// contact_geometry.h: how a contact moves with the two shapes that touch.
//
// Everything is in the frame of the contact, (n, t1, t2) with its origin at contact.pos, and for
// motions of geom 2 while geom 1 stands still: U = (turn, shift) about contact.pos. What is common
// to both geoms moves the contact like a body.   theory/constraint-derivatives.md, Contact geometry

#ifndef CONDYLE_DERIVATIVE_GEOMETRY_CONTACT_GEOMETRY_H_
#define CONDYLE_DERIVATIVE_GEOMETRY_CONTACT_GEOMETRY_H_

#include <mujoco/mjdata.h>

typedef struct {
  mjtNum dist[6];       // d dist / dU
  mjtNum normal[2][6];  // d n . (t1, t2) / dU
  mjtNum pos[3][6];     // d pos / dU
  int is_witness;       // half-way between points that go with the surfaces, whatever else moves
} ContactGeometry;

// Is a flex on one side of the contact, or both?
int contact_is_flex(const mjContact* contact);

// Returns the number of ways in which the geometry is at a kink: the smooth side on which it stands
// is taken. Ends in mju_error, naming both sides, if the pair has no derivative that is known
// exactly.
int contact_geometry(ContactGeometry* out, const mjModel* m, const mjData* d,
                     const mjContact* contact);

// The same of the nearest points of two geoms, whether they are a contact or not: geom, frame, pos
// and dist of it.
int contact_geometry_nearest(ContactGeometry* out, const mjModel* m, const mjData* d,
                             const mjContact* nearest);

// The shape of a surface near a point where its outward normal is known: as the normal turns by S
// a, the point moves by C a, for any a of two numbers along (t1, t2) of the contact.
//
//   face    C = E, S = 0       corner  C = 0, S = E
//   sphere  C = r E, S = E     curved  C = E, S = curvature
typedef struct {
  mjtNum C[4], S[4];
} SurfaceShape;

// One direction of a surface is `axis` (of the world, across the normal): there C = c0, S = s0, and
// c1, s1 across it.
void surface_set(SurfaceShape* s, const mjtNum frame[9], const mjtNum axis[3], mjtNum c0, mjtNum s0,
                 mjtNum c1, mjtNum s1);

// A point this near to an edge is on it, on a shape of that size; and by how much a normal may be
// off along an axis that it is across. With more along it, it is not across it, wherever its point
// is. Both are what searches leave.
mjtNum geometry_position_tol(const mjModel* m, mjtNum size);
mjtNum geometry_angle_tol(const mjModel* m, mjtNum size);

// SurfaceShape of a geom at a point of the world with the outward unit normal n. Returns 0 if the type
// of the geom has none.
int surface_of(SurfaceShape* s, const mjModel* m, const mjData* d, int geom, const mjtNum point[3],
               const mjtNum n[3], const mjtNum frame[9]);

// How a point of a geom's surface moves as its sizes grow, at the same normal: one vector of the
// world for each.
void surface_growth(mjtNum out[3][3], const mjModel* m, const mjData* d, int geom,
                    const mjtNum point[3], const mjtNum n[3]);

// SurfaceShape of a height field whose samples are raised by margin. The point has been found from a
// place at a distance slack from it, along a normal that may be off.
int hfield_surface(SurfaceShape* s, const mjModel* m, const mjData* d, int geom,
                   const mjtNum point[3], const mjtNum n[3], const mjtNum frame[9], mjtNum margin,
                   mjtNum slack);

// What is so far around a surface: normals go on straight.
void surface_inflate(SurfaceShape* s, mjtNum by);

// The closest points of two surfaces, `dist` apart, the contact half-way between them. Returns 0 if
// they are flat against each other, so that nothing tells where they touch.
int contact_geometry_closest(ContactGeometry* out, const SurfaceShape* s1, const SurfaceShape* s2,
                             mjtNum dist);

#endif  // CONDYLE_DERIVATIVE_GEOMETRY_CONTACT_GEOMETRY_H_
