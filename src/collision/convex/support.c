#pragma STDC FP_CONTRACT OFF  // rounding decides which features tie

#include "collision/convex/support.h"

Shape shape_of(const mjModel* m, const mjData* d, int geom, mjtNum margin) {
  Shape shape = {.type = m->geom_type[geom], .margin = margin};
  v3_copy(shape.size, m->geom_size + 3 * geom);
  v3_copy(shape.pos, d->geom_xpos + 3 * geom);
  m3_copy(shape.mat, d->geom_xmat + 9 * geom);
  return shape;
}

// Furthest point of an ellipsoid: s^2 l / |s l|.
static void support_ellipsoid(mjtNum out[3], const mjtNum s[3], const mjtNum l[3]) {
  mjtNum t[3] = {s[0] * l[0], s[1] * l[1], s[2] * l[2]};
  mjtNum norm = v3_norm(t);
  if (norm < mjMINVAL) {
    v3_set(out, s[0], 0, 0);
    return;
  }
  mjtNum inv = 1 / norm;
  for (int k = 0; k < 3; k++) {
    out[k] = t[k] * (inv * s[k]);
  }
}

static void support_cylinder(mjtNum out[3], const mjtNum s[3], const mjtNum l[3]) {
  mjtNum square = l[0] * l[0] + l[1] * l[1];
  mjtNum scale = square > (mjtNum)(mjMINVAL * mjMINVAL) ? s[0] / mju_sqrt(square) : 0;
  v3_set(out, l[0] * scale, l[1] * scale, l[2] >= 0 ? s[1] : -s[1]);
}

// Furthest point of the shape in the unit direction u; returns the id of the corner, -1 if smooth.
static int shape_support(mjtNum point[3], const Shape* shape, const mjtNum u[3]) {
  const mjtNum* s = shape->size;
  int corner = -1;
  if (shape->type == mjGEOM_SPHERE) {
    v3_addscl(point, shape->pos, u, shape->core ? 0 : s[0]);
  } else {
    mjtNum l[3], local[3] = {0, 0, 0};
    m3_tmulv(l, shape->mat, u);
    switch (shape->type) {
      case mjGEOM_CAPSULE:
        v3_scl(local, l, shape->core ? 0 : s[0]);
        local[2] += l[2] >= 0 ? s[1] : -s[1];
        break;
      case mjGEOM_ELLIPSOID:
        support_ellipsoid(local, s, l);
        break;
      case mjGEOM_CYLINDER:
        support_cylinder(local, s, l);
        break;
      default:
        corner = (l[0] >= 0 ? 1 : 0) | (l[1] >= 0 ? 2 : 0) | (l[2] >= 0 ? 4 : 0);
        v3_set(local, corner & 1 ? s[0] : -s[0], corner & 2 ? s[1] : -s[1],
               corner & 4 ? s[2] : -s[2]);
        break;
    }
    m3_mulv(point, shape->mat, local);
    v3_addto(point, shape->pos);
  }
  if (shape->margin > 0) {
    v3_addtoscl(point, u, (mjtNum)0.5 * shape->margin);
  }
  return corner;
}

void difference_support(Vertex* out, const Shape* a, const Shape* b, const mjtNum u[3]) {
  mjtNum back[3];
  v3_scl(back, u, -1);
  out->ia = shape_support(out->a, a, u);
  out->ib = shape_support(out->b, b, back);
  v3_sub(out->w, out->a, out->b);
}
