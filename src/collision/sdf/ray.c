// Sphere tracing: each step is as long as the distance to the surface.

#pragma STDC FP_CONTRACT OFF  // the last step depends on rounding

#include "collision/sdf/ray.h"

#include <mujoco/api/collision.h>

#include "base/algebra/vec.h"
#include "collision/ray/ray.h"
#include "collision/sdf/field.h"

enum {
  MAX_STEPS = 40
};

// Distances, in m: nearer to the surface than NEAR the ray has arrived, beyond FAR it has missed.
static const mjtNum NEAR = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-7 : (mjtNum)1e-5;
static const mjtNum FAR = (mjtNum)1e6;

// x_{i+1} = x_i + f(o + x_i v), |v| = 1; n = grad f, if it is wanted
static mjtNum march(mjtNum* n, const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3],
                    const mjtNum vec[3]) {
  const mjtNum *pos = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  if (mju_rayGeom(pos, mat, m->geom_size + 3 * geom, pnt, vec, mjGEOM_BOX) < 0) {
    return -1;
  }
  Field field;
  if (!field_of(&field, m, d, geom)) {
    field_missing(m, geom);
    return -1;
  }
  field_begin(&field);
  mjtNum origin[3], direction[3], x[3], length = 0;
  v3_sub(origin, pnt, pos);
  m3_tmulv(origin, mat, origin);
  m3_tmulv(direction, mat, vec);
  v3_normalize(direction);
  for (int i = 0; i < MAX_STEPS; i++) {
    v3_addscl(x, origin, direction, length);
    mjtNum dist = field.kind->distance(&field, x);
    length += dist;
    if (mju_abs(dist) < NEAR) {
      if (n) {
        v3_addscl(x, origin, direction, length);
        field.kind->gradient(n, &field, x);
      }
      return length;
    }
    if (dist > FAR) {
      return -1;
    }
  }
  return -1;
}

mjtNum ray_sdf(const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3],
               const mjtNum vec[3], mjtNum normal[3]) {
  mjtNum n[3] = {0, 0, 0}, x = march(normal ? n : NULL, m, d, geom, pnt, vec);
  return ray_end(normal, x, d->geom_xmat + 9 * geom, n);
}
