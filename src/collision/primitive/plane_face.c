// A plane and a mesh that lies on it with a face, by the rule of later releases (behaviour
// meshface).
//                                                         theory/contact/collision.md, Plane pairs

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include <mujoco/api/base.h>
#include <mujoco/mjdata.h>

#include "collision/broad/geom_box.h"
#include "collision/collide.h"
#include "collision/convex/quad.h"
#include "collision/convex/shape.h"
#include "model/data/arena.h"

// The corners of a face in the frame of the mesh, from the deepest one on.
static void face_corners(mjtNum (*corner)[3], const ConvexShape* mesh, const int* vertex, int num,
                         int deepest) {
  int first = 0;
  while (first < num - 1 && vertex[first] != deepest) {
    first++;
  }
  for (int i = 0; i < num; i++) {
    mesh_point(corner[i], mesh, vertex[(first + i) % num]);
  }
}

static void put_corner(mjContact* con, const mjtNum point[3], const mjtNum p1[3],
                       const mjtNum n[3]) {
  mjtNum gap[3], pos[3];
  v3_sub(gap, point, p1);
  mjtNum dist = v3_dot(gap, n);
  v3_addscl(pos, point, n, -dist / 2);
  contact_set(con, dist, pos, n);
}

// Of the faces at the deepest vertex the one that looks most at the plane: its corners, or four
// that span a large area, as far as they are near the plane and not above the centre of the mesh.
int collide_plane_face(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                       mjtNum margin) {
  if (geom_box_above(m, d, g1, g2, margin)) {
    return 0;
  }
  const mjtNum* p1 = d->geom_xpos + 3 * g1;
  mjtNum n[3], down[3], point[3], local[3];
  ConvexShape mesh;
  convex_shape(&mesh, m, d, g2, 0);
  m3_column(n, d->geom_xmat + 9 * g1, 2);
  v3_scl(down, n, -1);
  int deepest = mesh_is_climbed(&mesh) ? mesh_support_plain(point, &mesh, down, 0)
                                       : mesh.kind->support(point, &mesh, down);
  put_corner(con, point, p1, n);
  if (!(con->dist <= margin)) {
    return 0;
  }
  deepest = mesh_is_climbed(&mesh) ? hull_vertex(&mesh, deepest) : deepest;
  shape_direction(local, &mesh, down);
  int face = mesh_face_along(&mesh, deepest, local), num = 0;
  const int* vertex = face >= 0 ? mesh_face(&num, &mesh, face) : NULL;

  mjData* data = (mjData*)d;  // nothing but scratch memory is written
  size_t top = arena_top(d);
  mjtNum(*corner)[3] = arena_push(data, (size_t)num * sizeof(*corner), _Alignof(mjtNum));
  int quad[FEW] = {0, 1, 2, 3}, count = 1;
  num = corner ? num : 0;
  if (num) {
    face_corners(corner, &mesh, vertex, num, deepest);
  }
  if (num > FEW) {
    largest_quad(quad, corner, num, 1, quad_area);
  }
  for (int i = 1; i < int_min(num, FEW); i++) {
    mjtNum rise[3];
    shape_point(corner[quad[i]], &mesh, corner[quad[i]]);
    put_corner(con + count, corner[quad[i]], p1, n);
    v3_sub(rise, corner[quad[i]], mesh.pos);
    count += con[count].dist <= margin && v3_dot(rise, n) <= 0;
  }
  arena_pop(data, top);
  return count;
}
