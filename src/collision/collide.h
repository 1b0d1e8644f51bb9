// collide.h: the narrow phase, one collider per pair of shapes.
//
// A collider gets two geoms ordered by type and writes the contacts whose distance is at most
// `margin`: `dist` (negative when the shapes overlap), `pos` (half-way between the two surfaces),
// the normal from geom 1 to geom 2 in frame[0..2] and a hint for the first tangent, or zeros, in
// frame[3..5]. The driver fills in the rest. A collider returns the number of contacts, at most
// mjMAXCONPAIR. Their order is part of the result: row order and warm starts depend on it.
//
//          geom 1              geom 2
//        -------)   |dist|   (-------
//                ----->x----->             x = pos,  -> = normal
//
// Branches are written so that exactly aligned shapes, where rounding decides, fall on the
// reference's side: keep the order of operations.        theory/contact/collision.md, Contact frame

#pragma once

#include <mujoco/mjdata.h>

#include "base/algebra/vec.h"

// A shape placed in the world, as colliders see it: centre, axes (columns of mat) and geom_size.
typedef struct Solid {
  const mjtNum* pos;
  const mjtNum* mat;
  const mjtNum* size;
} Solid;

static inline Solid solid_of(const mjModel* m, const mjData* d, int geom) {
  return (Solid){d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom, m->geom_size + 3 * geom};
}

// Whether mjCOLLISIONFUNC holds the library's colliders only.
int collide_is_standard(void);

typedef mjfCollision ColliderTable[mjNGEOMTYPES][mjNGEOMTYPES];

// The colliders for a model: mjCOLLISIONFUNC or, made in `room`, a copy of it in which those that
// the model's behaviours replace stand for the library's own.
mjfCollision (*colliders_of(ColliderTable room, const mjModel* m))[mjNGEOMTYPES];

// Puts what a program has changed in cnd_COLLISIONFUNC into mjCOLLISIONFUNC.
void collide_take_changes(void);

// What colliders find of two geoms, in order of type and without any filter, exactly as for the
// driver: distances, points, normals and hints for tangents. Returns the number of contacts.
int collide_two(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin);

static inline void contact_set(mjContact* con, mjtNum dist, const mjtNum pos[3],
                               const mjtNum normal[3]) {
  con->dist = dist;
  v3_copy(con->pos, pos);
  v3_copy(con->frame, normal);
  v3_zero(con->frame + 3);
}

// A sphere of radius r1 at p1 against a box.
int sphere_box(mjContact* con, const mjtNum p1[3], mjtNum r1, const Solid* box, mjtNum margin);

// Capsules lie along their z axis; size is (radius, half length). The normals of capsule_box point
// from the capsule to the box.
int sphere_capsule(mjContact* con, const Solid* sphere, const Solid* capsule, mjtNum margin);
int capsule_capsule(mjContact* con, const Solid* a, const Solid* b, mjtNum margin);
int capsule_box(mjContact* con, const Solid* capsule, const Solid* box, mjtNum margin);

// Two boxes: by the rule of 3.3.7, whose contacts box_box_clean cleans, and that of boxclip.
int box_box(mjContact* con, const Solid* box1, const Solid* box2, mjtNum margin);
int box_clip(mjContact* con, const Solid* box1, const Solid* box2, mjtNum margin);

// A half-space below the plane through p1 with normal n against a sphere of radius r2 at p2.
int plane_sphere(mjContact* con, const mjtNum p1[3], const mjtNum n[3], const mjtNum p2[3],
                 mjtNum r2, mjtNum margin);

// The largest number of contacts of two boxes. Corners and crossings of two faces are eight at
// most, but rounding can find one as both, so nine occur.
enum {
  BOX_BOX_MOST = 24
};

// Removes from num box-box contacts those that are outside one box and not well inside the other,
// and all but the last of those at exactly the same place. Returns how many stay, in the same
// order.
int box_box_clean(mjContact* con, int num, const Solid* box1, const Solid* box2, mjtNum margin);

// Removes from num box-box contacts those whose deepest point lies outside of the box whose surface
// should hold it. Edges that are parallel up to rounding produce such contacts. Returns how many
// stay, in the same order.
int box_box_credible(mjContact* con, int num, const Solid* box1, const Solid* box2, mjtNum margin);

// Whether boxes overlap, but their deepest contact is clearly less deep than the least overlap.
int box_box_misses(const mjContact* con, int num, const Solid* box1, const Solid* box2);

// Whether two boxes get the contacts of the general collider. A model that asks for complete boxes
// gets them where box-box finds no contact as deep as the overlap.
int boxes_are_general(const mjModel* m, const mjData* d, int g1, int g2, mjtNum margin);

// Entries of mjCOLLISIONFUNC, named by the types they expect.
typedef int Collider(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                     mjtNum margin);
Collider collide_plane_sphere, collide_plane_capsule, collide_plane_ellipsoid,
    collide_plane_cylinder, collide_plane_box, collide_plane_mesh, collide_sphere_sphere,
    collide_sphere_capsule, collide_sphere_cylinder, collide_sphere_box, collide_capsule_capsule,
    collide_capsule_box, collide_box_box;

// The same by behaviours of later releases.
Collider collide_box_clip, collide_capsules_beside, collide_plane_face, collide_convex_several,
    collide_mesh_sdf;

// The general collider, for any two of sphere, capsule, ellipsoid, cylinder, box and mesh.
Collider collide_convex;

// A height field and a shape that collide_convex knows.
Collider collide_hfield;

// A signed distance field as geom 2, and any shape that has a field as geom 1.
Collider collide_sdf;

// Whether mj_geomDistance returns its segment from geom2 to geom1. Its search goes from the lower
// type to the higher one, whatever the order of the arguments; with behaviour gjkepa the segment is
// turned back.                                                                     query/distance.c
int distance_is_turned(const mjModel* m, int geom1, int geom2);
