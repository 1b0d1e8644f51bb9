// Callbacks by which libccd asks for centres and support points, in its own number type. libccd
// needs no memory but the caller's stack.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/convex/mpr.h"

#include <ccd/ccd.h>

_Static_assert(sizeof(ccd_real_t) == sizeof(double), "libccd in double precision is needed");

enum {
  MAX_ITERATIONS = 10000,
  MAX_SUPPORTS = 3 * MAX_ITERATIONS,
};

// A shape as the library sees it.
typedef struct Object {
  ConvexShape* shape;
  int supports;  // calls so far
} Object;

static void give_point(ccd_vec3_t* out, const mjtNum point[3]) {
  ccdVec3Set(out, point[0], point[1], point[2]);
}

static void centre(const void* object, ccd_vec3_t* out) {
  give_point(out, ((const Object*)object)->shape->pos);
}

// Two loops of libccd have no limit. After MAX_SUPPORTS calls the support points are NaN, which
// ends them.
static void support(const void* object, const ccd_vec3_t* dir, ccd_vec3_t* out) {
  Object* o = (Object*)object;
  const mjtNum u[3] = {(mjtNum)dir->v[0], (mjtNum)dir->v[1], (mjtNum)dir->v[2]};
  mjtNum point[3] = {(mjtNum)NAN, (mjtNum)NAN, (mjtNum)NAN};
  if (o->supports++ < MAX_SUPPORTS) {
    legacy_support(point, o->shape, u);
  }
  give_point(out, point);
}

mjtNum mpr_depth(mjtNum normal[3], mjtNum pos[3], const mjModel* m, ConvexShape* a,
                 ConvexShape* b) {
  ccd_t ccd;
  CCD_INIT(&ccd);
  ccd.center1 = ccd.center2 = centre;
  ccd.support1 = ccd.support2 = support;
  ccd.mpr_tolerance = m->opt.ccd_tolerance;
  ccd.max_iterations = (unsigned long)num_clamp((mjtNum)m->opt.ccd_iterations, 0, MAX_ITERATIONS);

  Object first = {a, 0}, second = {b, 0};
  ccd_real_t depth;
  ccd_vec3_t dir, at;
  if (ccdMPRPenetration(&first, &second, &ccd, &depth, &dir, &at) != 0) {
    return 0;
  }
  v3_set(normal, (mjtNum)dir.v[0], (mjtNum)dir.v[1], (mjtNum)dir.v[2]);
  v3_set(pos, (mjtNum)at.v[0], (mjtNum)at.v[1], (mjtNum)at.v[2]);
  return v3_iszero(normal) ? 0 : (mjtNum)depth;
}
