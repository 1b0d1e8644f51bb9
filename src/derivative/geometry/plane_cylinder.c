// Contacts of a plane with a cylinder (collision/primitive): the lowest point of the rim, which
// slips around the axis as the cylinder turns, and the points at fixed angles from it.
// Symbols: contact_geometry.h (n, turn).

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "derivative/geometry/rules.h"

// sine of the tilt below which the disk is flat on the plane and has no lowest point
static const mjtNum LEVEL = (mjtNum)1e-7;

// A point c, half of the depth away from the contact along n, moves with the cylinder and slips
// around the axis a: c' = shift + turn x (c - p) + slip a x r. The plane is at rest.
static void from_slip(ContactGeometry* out, const mjContact* con, const mjtNum around[3],
                      const mjtNum slip[3]) {
  mjtNum half = con->dist / 2;
  memset(out, 0, sizeof(*out));
  out->is_witness = 1;
  for (int c = 0; c < 6; c++) {
    mjtNum rate[3] = {0, 0, 0};
    if (c < 3) {
      // turn x n half
      rate[1] = c == 2 ? half : 0;
      rate[2] = c == 1 ? -half : 0;
      v3_addtoscl(rate, around, slip[c]);
    } else {
      rate[c - 3] = 1;
    }
    out->dist[c] = rate[0];
    out->pos[0][c] = rate[0] / 2;
    out->pos[1][c] = rate[1];
    out->pos[2][c] = rate[2];
  }
}

// The lowest point of a disk is in the direction of -n, projected across the axis. Contacts at a
// fixed angle from it go around the axis as n turns in the frame of the cylinder:
//
//   slip = -a . (u x (n x turn)) / |n across a|,      u the unit direction to the lowest point
int geometry_plane_cylinder(ContactGeometry* out, const mjModel* m, const mjData* d,
                            const mjContact* con) {
  (void)m;
  int geom = con->geom[1];
  const mjtNum *n = con->frame, *mat = d->geom_xmat + 9 * geom;
  mjtNum axis[3], u[3], point[3], radius[3];
  m3_column(axis, mat, 2);
  v3_scl(u, axis, v3_dot(axis, n));
  v3_subfrom(u, n);
  mjtNum across = v3_norm(u), slip[3] = {0, 0, 0}, around[3], t[3];

  v3_addscl(point, con->pos, n, con->dist / 2);
  v3_sub(radius, point, d->geom_xpos + 3 * geom);
  v3_addtoscl(radius, axis, -v3_dot(radius, axis));
  v3_cross(t, axis, radius);
  m3_mulv(around, con->frame, t);

  int is_level = across < LEVEL;
  for (int c = 0; c < 3 && !is_level; c++) {
    v3_cross(t, n, con->frame + 3 * c);
    v3_cross(t, u, t);
    slip[c] = -v3_dot(axis, t) / (across * across);
  }
  from_slip(out, con, around, slip);
  return is_level;
}
