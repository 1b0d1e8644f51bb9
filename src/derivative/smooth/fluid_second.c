// Derivatives of the laws of smooth/fluid.c and of their Jacobian B, with the floors of
// denominators, by forward mode: dual numbers (f, f') carry the derivative along one direction,
// (f, f') (g, g') = (f g, f' g + f g').                    theory/time/exact-derivatives.md, Fluids

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "derivative/smooth/fluid_second.h"

typedef struct {
  mjtNum x, d;
} Dual;

static Dual constant(mjtNum x) {
  return (Dual){x, 0};
}

static Dual add(Dual f, Dual g) {
  return (Dual){f.x + g.x, f.d + g.d};
}

static Dual scale(Dual f, mjtNum s) {
  return (Dual){s * f.x, s * f.d};
}

static Dual mul(Dual f, Dual g) {
  return (Dual){f.x * g.x, f.d * g.x + f.x * g.d};
}

static Dual over(Dual f, Dual g) {
  return (Dual){f.x / g.x, (f.d - f.x / g.x * g.d) / g.x};
}

static Dual root(Dual f) {
  mjtNum x = mju_sqrt(f.x);
  return x > 0 ? (Dual){x, f.d / (2 * x)} : constant(0);
}

static Dual floored(Dual f) {
  return f.x > mjMINVAL ? f : constant(mjMINVAL);
}

// sum of s_i f_i^2
static Dual squares(const Dual f[3], const mjtNum s[3]) {
  Dual sum = constant(0);
  for (int i = 0; i < 3; i++) {
    sum = add(sum, scale(mul(f[i], f[i]), s[i]));
  }
  return sum;
}

// out += s (f x g)
static void add_cross(Dual out[3], const Dual f[3], const Dual g[3], mjtNum s) {
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    Dual c = add(mul(f[j], g[k]), scale(mul(f[k], g[j]), -1));
    out[i] = add(out[i], scale(c, s));
  }
}

// Terms that the laws share, in the notation of ellipsoid_make.
typedef struct {
  const FluidEllipsoid* e;
  Dual V[6], p[3], l[3], kw[3];
  Dual P, Q, speed2, speed, area;
} Flow;

static Flow flow_make(const FluidEllipsoid* e, const mjtNum V[6], int direction) {
  const mjtNum one[3] = {1, 1, 1};
  mjtNum abc2[3];
  Flow f = {.e = e};
  for (int i = 0; i < 6; i++) {
    f.V[i] = (Dual){V[i], i == direction};
  }
  for (int i = 0; i < 3; i++) {
    abc2[i] = e->abc[i] * e->abc[i];
    f.p[i] = scale(f.V[3 + i], e->mass[i]);
    f.l[i] = scale(f.V[i], e->inertia[i]);
    f.kw[i] = scale(f.V[i], e->drag[i]);
  }
  f.P = squares(f.V + 3, e->abc);
  f.Q = squares(f.V + 3, abc2);
  f.speed2 = squares(f.V + 3, one);
  f.speed = root(f.speed2);
  f.area = scale(root(over(f.Q, floored(f.P))), (mjtNum)mjPI);
  return f;
}

// blunt area + slender (area_max - area)
static Dual drag_area(const Flow* f) {
  const FluidEllipsoid* e = f->e;
  return add(scale(f->area, e->blunt - e->slender), constant(e->slender * e->area_max));
}

// The wrench of ellipsoid_wrench.
// Also ellipsoid_wrench in smooth/fluid.c.
static void wrench_of(Dual wrench[6], const Flow* f) {
  const FluidEllipsoid* e = f->e;
  const mjtNum one[3] = {1, 1, 1};
  const Dual *w = f->V, *v = f->V + 3;
  Dual n[3], nv[3] = {{0}}, lift[3] = {{0}};
  memset(wrench, 0, 6 * sizeof(Dual));
  for (int i = 0; i < 3; i++) {
    n[i] = scale(v[i], e->abc[i]);
  }
  add_cross(wrench, f->p, v, 1);
  add_cross(wrench, f->l, w, 1);
  add_cross(wrench + 3, f->p, w, 1);
  add_cross(wrench + 3, w, v, e->magnus);
  add_cross(nv, n, v, 1);
  add_cross(lift, nv, v, 1);
  Dual cosine = over(f->P, floored(mul(f->speed, f->Q)));
  Dual kutta = scale(mul(cosine, f->area), e->kutta);
  Dual turning = add(constant(e->turning), scale(root(squares(f->kw, one)), e->density));
  Dual moving = add(constant(e->moving), scale(mul(f->speed, drag_area(f)), e->density));
  for (int i = 0; i < 3; i++) {
    wrench[i] = add(wrench[i], scale(mul(turning, w[i]), -1));
    wrench[3 + i] = add(wrench[3 + i], mul(kutta, lift[i]));
    wrench[3 + i] = add(wrench[3 + i], scale(mul(moving, v[i]), -1));
  }
}

// Also box_wrench in smooth/fluid.c.
void fluid_wrench_derivative(mjtNum B[36], const mjModel* m, const FluidPart* part) {
  FluidEllipsoid e;
  if (part->geom >= 0) {
    e = fluid_ellipsoid(m, part);
    Flow f = flow_make(&e, part->velocity, -1);
    // where no denominator is at its floor, B is the derivative of the force
    mjtNum least = num_min(f.P.x * f.P.x * f.P.x * f.Q.x, f.Q.x * f.P.x * f.speed2.x);
    least = num_min(mju_sqrt(num_max(0, least)), num_min(f.Q.x, f.speed.x * f.Q.x));
    if (!(num_min(least, f.speed2.x) > mjMINVAL)) {
      for (int c = 0; c < 6; c++) {
        Dual wrench[6];
        f = flow_make(&e, part->velocity, c);
        wrench_of(wrench, &f);
        for (int i = 0; i < 6; i++) {
          B[6 * i + c] = wrench[i].d;
        }
      }
      return;
    }
  }
  fluid_derivative(B, m, part);
}

// derivatives of B

// B(block) += [x]_ diag(s), with [x]_ y = x x y
static void add_block(Dual B[36], int row, int col, const Dual x[3], const mjtNum s[3]) {
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    Dual* out = B + 6 * (row + i) + col;
    out[j] = add(out[j], scale(x[k], -s[j]));
    out[k] = add(out[k], scale(x[j], s[k]));
  }
}

static void negate(mjtNum out[3], const mjtNum s[3]) {
  v3_scl(out, s, -1);
}

// The terms of add_inertial_terms, add_magnus_terms and add_turning_terms.
static void turning_terms(Dual B[36], const Flow* f) {
  const FluidEllipsoid* e = f->e;
  const mjtNum one[3] = {1, 1, 1};
  const mjtNum magnus[3] = {e->magnus, e->magnus, e->magnus};
  mjtNum inertia[3], mass[3], less[3];
  negate(inertia, e->inertia);
  negate(mass, e->mass);
  negate(less, magnus);
  add_block(B, 0, 0, f->l, one);
  add_block(B, 0, 0, f->V, inertia);
  add_block(B, 0, 3, f->p, one);
  add_block(B, 0, 3, f->V + 3, mass);
  add_block(B, 3, 0, f->p, one);
  add_block(B, 3, 3, f->V, mass);
  add_block(B, 3, 0, f->V + 3, less);
  add_block(B, 3, 3, f->V, magnus);

  Dual kw2 = squares(f->kw, one), s = over(constant(e->density), floored(root(kw2)));
  for (int i = 0; i < 3; i++) {
    B[7 * i] = add(B[7 * i], scale(mul(s, kw2), -1));
    for (int j = 0; j < 3; j++) {
      Dual t = scale(mul(f->V[i], f->kw[j]), -e->drag[j]);
      B[6 * i + j] = add(B[6 * i + j], mul(s, t));
    }
  }
}

// The terms of add_moving_terms.
static void moving_terms(Dual B[36], const Flow* f) {
  const FluidEllipsoid* e = f->e;
  const mjtNum* abc = e->abc;
  const Dual* v = f->V + 3;
  Dual q = scale(drag_area(f), e->density), P3Q = mul(mul(mul(f->P, f->P), f->P), f->Q);
  Dual kappa = over(constant((mjtNum)mjPI), floored(root(P3Q)));
  Dual turn = scale(mul(f->speed, kappa), e->density * (e->blunt - e->slender));
  Dual along = over(q, floored(f->speed));
  Dual K = over(constant((mjtNum)mjPI * e->kutta), floored(root(mul(mul(f->Q, f->P), f->speed2))));
  Dual T = over(f->P, floored(f->Q)), U = over(f->P, floored(f->speed2));
  for (int i = 0; i < 3; i++) {
    Dual fi = constant(0);
    for (int j = 0; j < 3; j++) {
      fi = add(fi, scale(mul(v[j], v[j]), abc[i] - abc[j]));
    }
    for (int j = 0; j < 3; j++) {
      Dual* out = B + 6 * (3 + i) + 3 + j;
      Dual gj = constant(0), vv = mul(v[i], v[j]);
      for (int k = 0; k < 3; k++) {
        gj = add(gj, scale(mul(v[k], v[k]), abc[k] * (abc[j] - abc[k])));
      }
      Dual h = add(add(scale(T, abc[j] * abc[j]), constant(-abc[j])), U);
      Dual lift = add(scale(f->P, 2 * (abc[j] - abc[i])), mul(fi, h));
      *out = add(*out, scale(mul(along, vv), -1));
      *out = add(*out, scale(mul(mul(turn, gj), vv), -abc[j]));
      *out = add(*out, mul(mul(K, lift), vv));
    }
    Dual* own = B + 7 * (3 + i);
    *own = add(*own, scale(mul(along, f->speed2), -1));
    *own = add(*own, scale(mul(mul(K, fi), f->P), -1));
  }
}

static void box_second_derivative(mjtNum T[216], const mjModel* m, const FluidPart* part) {
  mjtNum bend[6];
  memset(T, 0, 216 * sizeof(mjtNum));
  fluid_box_bend(bend, m, part);
  for (int i = 0; i < 6; i++) {
    T[36 * i + 7 * i] = bend[i];
  }
}

static void ellipsoid_second_derivative(mjtNum T[216], const FluidEllipsoid* e,
                                        const FluidPart* part) {
  for (int n = 0; n < 6; n++) {
    Dual B[36] = {{0}};
    Flow f = flow_make(e, part->velocity, n);
    turning_terms(B, &f);
    moving_terms(B, &f);
    for (int i = 0; i < 36; i++) {
      T[6 * i + n] = B[i].d;
    }
  }
}

void fluid_second_derivative(mjtNum T[216], const mjModel* m, const FluidPart* part) {
  if (part->geom < 0) {
    box_second_derivative(T, m, part);
    return;
  }
  FluidEllipsoid e = fluid_ellipsoid(m, part);
  ellipsoid_second_derivative(T, &e, part);
}

void fluid_drag_second_derivative(mjtNum T[216], const mjModel* m, const FluidPart* part) {
  if (part->geom < 0) {
    box_second_derivative(T, m, part);
    return;
  }
  FluidEllipsoid e = fluid_ellipsoid(m, part);
  e.kutta = e.magnus = 0;
  v3_zero(e.mass);
  v3_zero(e.inertia);
  ellipsoid_second_derivative(T, &e, part);
}
