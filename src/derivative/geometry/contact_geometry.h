// contact_geometry.h: derivatives of the normal, place and distance of a contact by the motion of
// its two shapes.
//
// Everything is in the frame of the contact, (n, t1, t2) with the origin at contact.pos, and by
// motions U = (turn, shift) of geom 2 about contact.pos while geom 1 is at rest. A motion common to
// both geoms moves the contact like a body.
//                                           theory/time/constraint-derivatives.md, Contact geometry

#pragma once

#include <mujoco/mjdata.h>

typedef struct {
  mjtNum dist[6];       // d dist / dU
  mjtNum normal[2][6];  // d n . (t1, t2) / dU
  mjtNum pos[3][6];     // d pos / dU
  int is_witness;       // whether pos is half-way between the closest points of two surfaces
} ContactGeometry;

// Whether a flex is on one side of the contact or on both.
int contact_is_flex(const mjContact* contact);

// Fills in out. Returns the number of kinks of the geometry; at a kink the derivative is that of
// the smooth piece on which the state is. Ends in mju_error, naming both sides, if no exact
// derivative of the pair is known.
int contact_geometry(ContactGeometry* out, const mjModel* m, const mjData* d,
                     const mjContact* contact);

// Fills in out for the nearest points of two geoms that need not be a contact; geom, frame, pos and
// dist of `contact` are read.
int contact_geometry_nearest(ContactGeometry* out, const mjModel* m, const mjData* d,
                             const mjContact* nearest);

// Shape of a surface near a point with a known outward normal: as the normal turns by S a, the
// point moves by C a, for any two numbers a along (t1, t2) of the contact.
//
//   face    C = E, S = 0       corner  C = 0, S = E
//   sphere  C = r E, S = E     curved  C = E, S = curvature
typedef struct {
  mjtNum C[4], S[4];
} SurfaceShape;

// Sets a surface with the principal direction `axis` (in the world, perpendicular to the normal): C
// = c0, S = s0 along it, c1 and s1 across it.
void surface_set(SurfaceShape* s, const mjtNum frame[9], const mjtNum axis[3], mjtNum c0, mjtNum s0,
                 mjtNum c1, mjtNum s1);

// Tolerances of what searches find, for a shape of that size. A point nearer than the first to an
// edge counts as on it. A normal whose component along an axis is below the second counts as
// perpendicular to that axis.
mjtNum geometry_position_tol(const mjModel* m, mjtNum size);
mjtNum geometry_angle_tol(const mjModel* m, mjtNum size);

// Shape of the surface of a geom at a point of the world with the outward unit normal n. Returns 0
// if it is not known for the type of the geom.
int surface_of(SurfaceShape* s, const mjModel* m, const mjData* d, int geom, const mjtNum point[3],
               const mjtNum n[3], const mjtNum frame[9]);

// Derivatives of the point of a geom's surface with a fixed normal by the sizes of the geom: one
// vector of the world for each size.
void surface_growth(mjtNum out[3][3], const mjModel* m, const mjData* d, int geom,
                    const mjtNum point[3], const mjtNum n[3]);

// Shape of the surface of a height field whose samples are raised by margin. The search has found
// the point from a distance `slack`, along a normal that is not exact.
int hfield_surface(SurfaceShape* s, const mjModel* m, const mjData* d, int geom,
                   const mjtNum point[3], const mjtNum n[3], const mjtNum frame[9], mjtNum margin,
                   mjtNum slack);

// The surface at the distance `by` outside of s, with the same normals.
void surface_inflate(SurfaceShape* s, mjtNum by);

// Derivative for the closest points of two surfaces at the distance dist, with the contact half-way
// between. Returns 0 if the surfaces are flat against each other, so that the points are not
// determined.
int contact_geometry_closest(ContactGeometry* out, const SurfaceShape* s1, const SurfaceShape* s2,
                             mjtNum dist);
