#include <mujoco/api/base.h>
#include <string.h>

#include "base/vec.h"
#include "derivative/smooth_slope.h"

// Second derivatives of the wrench of an ellipsoid, by numbers that carry two directions a, b:
//
//   (f, f_a, f_b, f_ab)      (f g)_ab = f_ab g + f_a g_b + f_b g_a + f g_ab
//
// Literature: Fike and Alonso, The development of hyper-dual numbers for exact second-derivative calculations, 2011.

typedef struct {
  mjtNum x, a, b, ab;
} Dual;

static Dual dual(mjtNum x) {
  return (Dual){x, 0, 0, 0};
}

static Dual add(Dual f, Dual g) {
  return (Dual){f.x + g.x, f.a + g.a, f.b + g.b, f.ab + g.ab};
}

static Dual scale(Dual f, mjtNum s) {
  return (Dual){s * f.x, s * f.a, s * f.b, s * f.ab};
}

static Dual mul(Dual f, Dual g) {
  return (Dual){f.x * g.x, f.a * g.x + f.x * g.a, f.b * g.x + f.x * g.b,
                f.ab * g.x + f.a * g.b + f.b * g.a + f.x * g.ab};
}

// f^p of a positive number, at its floor a constant
static Dual power(Dual f, mjtNum p) {
  if (f.x < mjMINVAL) {
    return dual(mju_pow(mjMINVAL, p));
  }
  mjtNum y = mju_pow(f.x, p), y1 = p * y / f.x, y2 = (p - 1) * y1 / f.x;
  return (Dual){y, y1 * f.a, y1 * f.b, y1 * f.ab + y2 * f.a * f.b};
}

// sum of s_i f_i^2
static Dual squares(const Dual f[3], const mjtNum s[3]) {
  Dual sum = dual(0);
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

// The law of smooth/fluid.c:
//
//   torque = p x v + l x w - (turning + density |kw|) w
//   force  = p x w + magnus w x v + kutta pi P / sqrt(Q P v^2) ((n x v) x v) - (moving + density |v| q) v
static void ellipsoid(Dual wrench[6], const Dual V[6], const FluidEllipsoid* e) {
  const Dual *w = V, *v = V + 3;
  const mjtNum one[3] = {1, 1, 1};
  mjtNum abc2[3], drag2[3];
  Dual p[3], l[3], n[3], nv[3] = {0};
  for (int i = 0; i < 3; i++) {
    abc2[i] = e->abc[i] * e->abc[i];
    drag2[i] = e->drag[i] * e->drag[i];
    p[i] = scale(v[i], e->mass[i]);
    l[i] = scale(w[i], e->inertia[i]);
    n[i] = scale(v[i], e->abc[i]);
  }
  Dual P = squares(v, e->abc), Q = squares(v, abc2), v2 = squares(v, one);
  Dual area = scale(mul(power(Q, (mjtNum)0.5), power(P, (mjtNum)-0.5)), (mjtNum)mjPI);
  Dual speed = power(v2, (mjtNum)0.5), kw = power(squares(w, drag2), (mjtNum)0.5);
  memset(wrench, 0, 6 * sizeof(Dual));
  add_cross(wrench, p, v, 1);
  add_cross(wrench, l, w, 1);
  add_cross(wrench + 3, p, w, 1);
  add_cross(wrench + 3, w, v, e->magnus);
  add_cross(nv, n, v, 1);

  Dual lift[3] = {0};
  add_cross(lift, nv, v, 1);
  Dual K = mul(mul(P, power(mul(Q, v2), (mjtNum)-0.5)), power(P, (mjtNum)-0.5));
  K = scale(K, e->kutta * (mjtNum)mjPI);
  Dual turning = add(dual(e->turning), scale(kw, e->density));
  Dual q = add(scale(area, e->blunt - e->slender), dual(e->slender * e->area_max));
  Dual moving = add(dual(e->moving), scale(mul(speed, q), e->density));
  for (int i = 0; i < 3; i++) {
    wrench[i] = add(wrench[i], scale(mul(turning, w[i]), -1));
    wrench[3 + i] = add(wrench[3 + i], mul(K, lift[i]));
    wrench[3 + i] = add(wrench[3 + i], scale(mul(moving, v[i]), -1));
  }
}

void fluid_secondDerivative(mjtNum T[216], const mjModel* m, const FluidPart* part) {
  memset(T, 0, 216 * sizeof(mjtNum));
  if (part->geom < 0) {
    mjtNum bend[6];
    fluid_boxBend(bend, m, part);
    for (int i = 0; i < 6; i++) {
      T[36 * i + 7 * i] = bend[i];
    }
    return;
  }
  FluidEllipsoid e = fluid_ellipsoid(m, part);
  for (int a = 0; a < 6; a++) {
    for (int b = 0; b <= a; b++) {
      Dual V[6], wrench[6];
      for (int i = 0; i < 6; i++) {
        V[i] = (Dual){part->velocity[i], i == a, i == b, 0};
      }
      ellipsoid(wrench, V, &e);
      for (int i = 0; i < 6; i++) {
        T[36 * i + 6 * a + b] = T[36 * i + 6 * b + a] = wrench[i].ab;
      }
    }
  }
}
