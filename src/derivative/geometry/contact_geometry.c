// The linear system for the motion of the closest points of two smooth surfaces, four unknowns for
// each of the six motions.                  theory/time/constraint-derivatives.md, Contact geometry
// Symbols: contact_geometry.h.

#include "derivative/geometry/contact_geometry.h"

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/dense_solve.h"
#include "base/algebra/vec.h"

// surfaces

void surface_set(SurfaceShape* s, const mjtNum frame[9], const mjtNum axis[3], mjtNum c0, mjtNum s0,
                 mjtNum c1, mjtNum s1) {
  mjtNum x = v3_dot(frame + 3, axis), y = v3_dot(frame + 6, axis);
  mjtNum len = mju_sqrt(x * x + y * y);
  x = len > mjMINVAL ? x / len : 1;
  y = len > mjMINVAL ? y / len : 0;
  s->C[0] = c0 * x * x + c1 * y * y;
  s->C[3] = c0 * y * y + c1 * x * x;
  s->C[1] = s->C[2] = (c0 - c1) * x * y;
  s->S[0] = s0 * x * x + s1 * y * y;
  s->S[3] = s0 * y * y + s1 * x * x;
  s->S[1] = s->S[2] = (s0 - s1) * x * y;
}

void surface_inflate(SurfaceShape* s, mjtNum by) {
  for (int i = 0; i < 4; i++) {
    s->C[i] += s->S[i] * by;
  }
}

// Unit of length for the slips of the points, so that all unknowns are of one size.
static mjtNum slip_scale(const SurfaceShape* s1, const SurfaceShape* s2, mjtNum dist) {
  mjtNum size = mju_abs(dist);
  for (int i = 0; i < 4; i += 3) {
    size = num_max(size, num_max(mju_abs(s1->C[i]), mju_abs(s2->C[i])));
  }
  return size > 0 ? 1 / size : 1;
}

// a_1 and a_2 are the unknowns of the two surfaces, two numbers each along the tangents; w is the
// rotation of the normal of geom 2 with the geom, m the velocity of its closest point, L = dist:
//
//   dn = S1 a1 = w - S2 a2         both surfaces keep a common normal
//   m + C2 a2 - C1 a1 = L dn       the points stay opposite
//
//   d dist = n . shift,    dp = C1 a1 + L dn / 2 + n d dist / 2
int contact_geometry_closest(ContactGeometry* out, const SurfaceShape* s1, const SurfaceShape* s2,
                             mjtNum dist) {
  mjtNum A[4][4], b[4][4] = {{0}}, scale = slip_scale(s1, s2, dist);
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) {
      A[i][j] = s1->S[2 * i + j];
      A[i][2 + j] = s2->S[2 * i + j];
      A[2 + i][j] = scale * (-s1->C[2 * i + j] - dist * s1->S[2 * i + j]);
      A[2 + i][2 + j] = scale * s2->C[2 * i + j];
    }
  }

  // columns: turns about t1, t2, shifts along t1, t2;  w = (turn_2, -turn_1), m = shift + w L / 2
  b[0][1] = 1;
  b[1][0] = -1;
  b[2][1] = -scale * dist / 2;
  b[3][0] = scale * dist / 2;
  b[2][2] = b[3][3] = -scale;
  if (!pivoted_solve(b[0], A[0], 4, 4, 4, 4, (mjtNum)1e-9)) {
    return 0;
  }

  memset(out, 0, sizeof(*out));
  out->is_witness = 1;
  out->dist[3] = 1;
  out->pos[0][3] = (mjtNum)0.5;
  static const int column[4] = {1, 2, 4, 5};
  for (int c = 0; c < 4; c++) {
    const mjtNum a[2] = {b[0][c], b[1][c]};
    for (int i = 0; i < 2; i++) {
      mjtNum dn = s1->S[2 * i] * a[0] + s1->S[2 * i + 1] * a[1];
      out->normal[i][column[c]] = dn;
      out->pos[1 + i][column[c]] = s1->C[2 * i] * a[0] + s1->C[2 * i + 1] * a[1] + dn * dist / 2;
    }
  }
  return 1;
}
