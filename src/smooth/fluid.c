// Fluid forces on pieces of bodies, and their derivatives: equivalent inertia boxes and ellipsoids.
//                                                            theory/smooth/passive.md, Fluid pieces

#pragma STDC FP_CONTRACT OFF  // what cancels must be exactly zero, or sparse rows get more entries

#include "smooth/fluid.h"

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/joint.h"
#include "model/data/awake.h"
#include "smooth/jacobian.h"

int fluid_is_active(const mjModel* m) {
  return m->opt.viscosity > 0 || m->opt.density > 0;
}

static const mjtNum PI = (mjtNum)mjPI;

static inline mjtNum cube(mjtNum x) {
  return x * x * x;
}

static inline mjtNum fourth(mjtNum x) {
  return x * x * x * x;
}

// pieces

// full sizes of the box with the body's mass and inertia:  b0 = sqrt(6 (I1 + I2 - I0) / m), cyclic;
//                                                             theory/smooth/passive.md, Inertia box
void fluid_inertia_box(mjtNum box[3], const mjModel* m, int body) {
  const mjtNum* inertia = m->body_inertia + 3 * body;
  mjtNum mass = m->body_mass[body];
  for (int i = 0; i < 3; i++) {
    mjtNum sum = inertia[(i + 1) % 3] + inertia[(i + 2) % 3] - inertia[i];
    box[i] = mju_sqrt(num_max(mjMINVAL, sum) / mass * 6);
  }
}

static void visit_part(const mjModel* m, mjData* d, int body, int geom, const mjtNum box[3],
                       FluidVisitor* visit, void* arg) {
  FluidPart part = {.body = body, .geom = geom, .box = box};
  part.pos = geom < 0 ? d->xipos + 3 * body : d->geom_xpos + 3 * geom;
  part.mat = geom < 0 ? d->ximat + 9 * body : d->geom_xmat + 9 * geom;
  mjtNum linear[3];
  jac_point_velocity(linear, m, d, part.pos, body);
  v3_subfrom(linear, m->opt.wind);
  m3_tmulv(part.velocity, part.mat, d->cvel + 6 * body);
  m3_tmulv(part.velocity + 3, part.mat, linear);
  visit(m, d, &part, arg);
}

void fluid_visit(const mjModel* m, mjData* d, FluidVisitor* visit, void* arg) {
  mjtNum box[3];
  int boxed = 0;  // the body whose box is in `box`
  int asleep = awake_some_sleep(m, d);
  for (int body = 1; body < m->nbody; body++) {
    if (m->body_mass[body] < mjMINVAL || !body_moves(m, body) || (asleep && body_sleeps(d, body))) {
      continue;
    }
    int ellipsoids = 0, end = m->body_geomadr[body] + m->body_geomnum[body];
    for (int geom = m->body_geomadr[body]; geom < end; geom++) {
      if (m->geom_fluid[mjNFLUID * geom] > 0) {
        ellipsoids++;
        visit_part(m, d, body, geom, NULL, visit, arg);
      }
    }
    if (!ellipsoids) {
      // the vertices of a flex have equal bodies, so the last box can be reused
      if (!boxed || m->body_mass[body] != m->body_mass[boxed] ||
          memcmp(m->body_inertia + 3 * body, m->body_inertia + 3 * boxed, 3 * sizeof(mjtNum))) {
        fluid_inertia_box(box, m, body);
        boxed = body;
      }
      visit_part(m, d, body, -1, box, visit, arg);
    }
  }
}

// inertia box                                                 theory/smooth/passive.md, Inertia box

// Stokes' resistance of a sphere of the mean diameter D = (b0 + b1 + b2) / 3, and the pressure
// density v^2 / 2 on the faces; the strip of a face at y from the axis moves with w y. Cyclic:
//
//   torque_0 = - pi viscosity D^3 w_0 - density b0 (b1^4 + b2^4) |w_0| w_0 / 64
//   force_0  = - 3 pi viscosity D v_0 - density b1 b2 |v_0| v_0 / 2
FluidBox fluid_box(const mjModel* m, const mjtNum b[3]) {
  mjtNum viscosity = num_max(m->opt.viscosity, 0), density = num_max(m->opt.density, 0);
  mjtNum diameter = (b[0] + b[1] + b[2]) / 3;
  FluidBox box;
  for (int i = 0; i < 3; i++) {
    mjtNum bi = b[i], bj = b[(i + 1) % 3], bk = b[(i + 2) % 3];
    box.viscous[i] = PI * cube(diameter) * viscosity;
    box.viscous[3 + i] = 3 * PI * diameter * viscosity;
    box.drag[i] = density * bi * (fourth(bj) + fourth(bk)) / 64;
    box.drag[3 + i] = density / 2 * bj * bk;
  }
  return box;
}

// w_i = - viscous_i x_i - drag_i |x_i| x_i, x the local velocity
// Also fluid_wrench_derivative in derivative/smooth/fluid_second.c and lane_box_wrench in
// lanes/dynamics/fluid.h.
static void box_wrench(mjtNum wrench[6], const mjModel* m, const FluidPart* part) {
  FluidBox box = fluid_box(m, part->box);
  const mjtNum* x = part->velocity;
  for (int i = 0; i < 6; i++) {
    wrench[i] = -box.viscous[i] * x[i] - box.drag[i] * mju_abs(x[i]) * x[i];
  }
}

// B = d wrench / d (w, v), diagonal:  d(|x| x)/dx = 2 |x|
static void box_derivative(mjtNum B[36], const mjModel* m, const FluidPart* part) {
  FluidBox box = fluid_box(m, part->box);
  for (int i = 0; i < 6; i++) {
    B[7 * i] = -box.viscous[i] - 2 * box.drag[i] * mju_abs(part->velocity[i]);
  }
}

// ellipsoid                                                     theory/smooth/passive.md, Ellipsoid

// Motion, coefficients and shape of one geom. Symbols as in the chapter: s semi-axes, (a, b,
// c) = squares of the products of the other two, P, Q = quadratic forms of the velocity that give
// the projected area.
typedef struct {
  const mjtNum *w, *v;  // angular and linear velocity
  mjtNum viscosity, density;
  mjtNum coef, blunt, slender, angular, kutta, magnus;
  mjtNum mass[3], inertia[3];  // added mass and inertia, density included
  mjtNum p[3], l[3];           // linear and angular impulse of the fluid
  mjtNum volume, area_max, diameter;
  mjtNum abc[3];
  mjtNum drag[3], kw[3];  // angular drag coefficient of each axis, times w
  mjtNum P, Q, speed, area;
  mjtNum floor;  // smallest divisor
} Ellipsoid;

void fluid_semi_axes(mjtNum s[3], const mjModel* m, int geom) {
  const mjtNum* size = m->geom_size + 3 * geom;
  switch (m->geom_type[geom]) {
    case mjGEOM_SPHERE:
      v3_set(s, size[0], size[0], size[0]);
      break;
    case mjGEOM_CAPSULE:
      v3_set(s, size[0], size[0], size[1] + size[0]);
      break;
    case mjGEOM_CYLINDER:
      v3_set(s, size[0], size[0], size[1]);
      break;
    default:
      v3_copy(s, size);
      break;
  }
}

// The silhouette lies in the plane with normal n = (a v_x, b v_y, c v_z). For an angular velocity
// about axis i, J_i is the second moment of the spheroid that the ellipsoid sweeps:
//
//   P = a v_x^2 + b v_y^2 + c v_z^2      Q = a^2 v_x^2 + b^2 v_y^2 + c^2 v_z^2
//   area     = pi sqrt(Q / P)        area_max = pi s_max s_mid    diameter = 2/3 (s0 + s1 + s2)
//   J_i      = 8/15 pi s_i max(s_j, s_k)^4          J_max = 8/15 pi s_mid s_max^4
//   drag_i   = angular J_i + slender (J_max - J_i)
//
// p = mass o v, l = inertia o w, kw = drag o w, component by component.
static Ellipsoid ellipsoid_make(const mjModel* m, const FluidPart* part) {
  const mjtNum* prm = m->geom_fluid + mjNFLUID * part->geom;
  const mjtNum *w = part->velocity, *v = part->velocity + 3;
  Ellipsoid e = {
      .w = w, .v = v, .viscosity = m->opt.viscosity, .density = m->opt.density, .coef = prm[0]};
  e.blunt = prm[1];
  e.slender = prm[2];
  e.angular = prm[3];
  e.kutta = prm[4];
  e.magnus = prm[5];
  v3_scl(e.mass, prm + 6, m->opt.density);
  v3_scl(e.inertia, prm + 9, m->opt.density);

  mjtNum s[3];
  fluid_semi_axes(s, m, part->geom);
  mjtNum smax = num_max(s[0], num_max(s[1], s[2]));
  mjtNum smin = num_min(s[0], num_min(s[1], s[2]));
  mjtNum smid = s[0] + s[1] + s[2] - smax - smin;
  const mjtNum sphere = (mjtNum)4 / 3 * PI, moment = (mjtNum)8 / 15 * PI;
  e.volume = sphere * s[0] * s[1] * s[2];
  e.area_max = PI * smax * smid;
  e.diameter = (s[0] + s[1] + s[2]) * 2 / 3;

  mjtNum moment_max = moment * smid * fourth(smax);
  for (int i = 0; i < 3; i++) {
    mjtNum sj = s[(i + 1) % 3], sk = s[(i + 2) % 3];
    e.abc[i] = (sj * sk) * (sj * sk);
    mjtNum own = moment * s[i] * fourth(num_max(sj, sk));
    e.drag[i] = e.angular * own + e.slender * (moment_max - own);
    e.kw[i] = e.drag[i] * w[i];
    e.p[i] = e.mass[i] * v[i];
    e.l[i] = e.inertia[i] * w[i];
  }

  e.P = e.Q = 0;
  for (int i = 0; i < 3; i++) {
    e.P += e.abc[i] * v[i] * v[i];
    e.Q += e.abc[i] * e.abc[i] * v[i] * v[i];
  }
  e.speed = v3_norm(v);
  e.floor = fluid_floor(m);
  e.area = PI * mju_sqrt(e.Q / num_max(e.floor, e.P));
  return e;
}

// With the angle alpha between v and n:
//
//   torque = p x v + l x w - (pi viscosity D^3 + density |kw|) w
//   force  = p x w + magnus density volume (w x v)
//            + kutta density area cos(alpha) / |n| (n x v) x v,     cos(alpha) / |n| = P / (|v| Q)
//            - (3 pi viscosity D + density |v| (blunt area + slender (area_max - area))) v
// Also wrench_of in derivative/smooth/fluid_second.c and lane_ellipsoid_wrench in
// lanes/dynamics/fluid.h.
static void ellipsoid_wrench(mjtNum wrench[6], const mjModel* m, const FluidPart* part) {
  Ellipsoid e = ellipsoid_make(m, part);
  const mjtNum *w = e.w, *v = e.v;
  mjtNum viscosity = e.viscosity, density = e.density;
  mjtNum* torque = wrench;
  mjtNum* force = wrench + 3;
  const mjtNum n[3] = {e.abc[0] * v[0], e.abc[1] * v[1], e.abc[2] * v[2]};
  mjtNum t[3];

  // added mass: torque p x v + l x w, force p x w
  v3_cross(torque, e.p, v);
  v3_crossadd(torque, e.l, w, torque);
  v3_cross(force, e.p, w);

  // Magnus
  v3_cross(t, w, v);
  v3_addtoscl(force, t, e.magnus * density * e.volume);

  // Kutta
  mjtNum cosine = e.P / num_max(e.floor, e.speed * e.Q);
  v3_cross(t, n, v);
  v3_cross(t, t, v);
  v3_addtoscl(force, t, e.kutta * density * cosine * e.area);

  // viscous and drag
  mjtNum turning = viscosity * PI * cube(e.diameter) + density * v3_norm(e.kw);
  mjtNum moving = 3 * PI * viscosity * e.diameter +
                  density * e.speed * (e.area * e.blunt + e.slender * (e.area_max - e.area));
  v3_addtoscl(torque, w, -turning);
  v3_addtoscl(force, v, -moving);

  for (int i = 0; i < 6; i++) {
    wrench[i] *= e.coef;
  }
}

// B(block row, block column) -= [x]_ diag(s), with [x]_ y = x x y
static void sub_cross_diag(mjtNum B[36], int row, int col, const mjtNum x[3], const mjtNum s[3]) {
  mjtNum* b = B + 6 * row + col;
  b[1] += x[2] * s[1];
  b[2] -= x[1] * s[2];
  b[6] -= x[2] * s[0];
  b[8] += x[0] * s[2];
  b[12] += x[1] * s[0];
  b[13] -= x[0] * s[1];
}

// B(block) += scale [x]_
static void add_cross(mjtNum B[36], int row, int col, const mjtNum x[3], mjtNum scale) {
  const mjtNum s[3] = {-scale, -scale, -scale};
  sub_cross_diag(B, row, col, x, s);
}

// Terms of the derivative. Rows of B: torque 0, force 3; columns: angular 0, linear 3.

// Derivative of torque p x v + l x w and force p x w.
static void add_inertial_terms(mjtNum B[36], const Ellipsoid* e) {
  add_cross(B, 0, 0, e->l, 1);
  sub_cross_diag(B, 0, 0, e->w, e->inertia);
  add_cross(B, 0, 3, e->p, 1);
  sub_cross_diag(B, 0, 3, e->v, e->mass);
  add_cross(B, 3, 0, e->p, 1);
  sub_cross_diag(B, 3, 3, e->w, e->mass);
}

// Derivative of force k w x v.
static void add_magnus_terms(mjtNum B[36], const Ellipsoid* e) {
  mjtNum k = e->magnus * e->density * e->volume;
  add_cross(B, 3, 0, e->v, -k);
  add_cross(B, 3, 3, e->w, k);
}

// Derivative of torque - (pi viscosity D^3 + density |kw|) w, k = drag:
//
//   - (pi viscosity D^3 + density |kw|) E - density w (k kw)' / |kw|
static void add_turning_terms(mjtNum B[36], const Ellipsoid* e) {
  mjtNum scale = e->density / num_max(e->floor, v3_norm(e->kw));
  for (int i = 0; i < 3; i++) {
    B[7 * i] -= e->viscosity * PI * cube(e->diameter) + scale * v3_dot(e->kw, e->kw);
    for (int j = 0; j < 3; j++) {
      B[6 * i + j] -= scale * e->w[i] * (e->drag[j] * e->kw[j]);
    }
  }
}

// Derivative of the linear drag - density |v| q v, q = blunt area + slender (area_max - area), and
// of the viscous force:
//
//   - density q (v v' / |v| + |v| E) - v (density |v| (blunt - slender) d area/dv)'
//   - 3 pi viscosity D E
//   d area / dv_i = pi abc_i v_i g_i / sqrt(P^3 Q), g_i = sum over j of abc_j v_j^2 (abc_i - abc_j)
static void add_moving_terms(mjtNum B[36], const Ellipsoid* e) {
  const mjtNum *abc = e->abc, *v = e->v;
  mjtNum viscosity = e->viscosity, density = e->density;
  mjtNum square[3] = {v[0] * v[0], v[1] * v[1], v[2] * v[2]};
  mjtNum speed2 = v3_dot(v, v);
  mjtNum g[3];
  for (int i = 0; i < 3; i++) {
    g[i] = 0;
    for (int j = 0; j < 3; j++) {
      g[i] += abc[j] * square[j] * (abc[i] - abc[j]);
    }
  }
  mjtNum q = density * (e->area * e->blunt + e->slender * (e->area_max - e->area));
  mjtNum kappa = PI / num_max(e->floor, mju_sqrt(cube(e->P) * e->Q));
  mjtNum turn = density * e->speed * (e->blunt - e->slender) * kappa;
  mjtNum along = q / num_max(e->floor, e->speed);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      B[6 * (3 + i) + 3 + j] -= along * v[i] * v[j] + v[i] * turn * abc[j] * v[j] * g[j];
    }
    B[7 * (3 + i)] -= along * speed2 + 3 * PI * viscosity * e->diameter;
  }
}

// Derivative of Kutta lift, whose components are - K P f_i v_i:
//
//   K (2 P (abc_j - abc_i) + f_i h_j) v_i v_j - K f_i P (i = j)
//   f_i = sum over j of v_j^2 (abc_i - abc_j),   h_j = abc_j^2 P / Q - abc_j + P / |v|^2
static void add_kutta_terms(mjtNum B[36], const Ellipsoid* e) {
  const mjtNum *abc = e->abc, *v = e->v;
  mjtNum square[3] = {v[0] * v[0], v[1] * v[1], v[2] * v[2]};
  mjtNum speed2 = v3_dot(v, v), f[3];
  for (int i = 0; i < 3; i++) {
    f[i] = 0;
    for (int j = 0; j < 3; j++) {
      f[i] += square[j] * (abc[i] - abc[j]);
    }
  }
  mjtNum K = PI * e->kutta * e->density / num_max(e->floor, mju_sqrt(e->Q * e->P * speed2));
  mjtNum T = e->P / num_max(e->floor, e->Q), U = e->P / num_max(e->floor, speed2);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      mjtNum h = abc[j] * abc[j] * T - abc[j] + U;
      B[6 * (3 + i) + 3 + j] += K * (2 * e->P * (abc[j] - abc[i]) + f[i] * h) * v[i] * v[j];
    }
    B[7 * (3 + i)] -= K * f[i] * e->P;
  }
}

static void ellipsoid_derivative(mjtNum B[36], const mjModel* m, const FluidPart* part) {
  Ellipsoid e = ellipsoid_make(m, part);
  add_inertial_terms(B, &e);
  add_magnus_terms(B, &e);
  add_turning_terms(B, &e);
  add_moving_terms(B, &e);
  add_kutta_terms(B, &e);
}

// both

void fluid_box_bend(mjtNum bend[6], const mjModel* m, const FluidPart* part) {
  FluidBox box = fluid_box(m, part->box);
  for (int i = 0; i < 6; i++) {
    bend[i] = part->velocity[i] > 0 ? -2 * box.drag[i] : 2 * box.drag[i];
  }
}

FluidEllipsoid fluid_ellipsoid(const mjModel* m, const FluidPart* part) {
  Ellipsoid e = ellipsoid_make(m, part);
  FluidEllipsoid out = {.density = e.density,
                        .blunt = e.blunt,
                        .slender = e.slender,
                        .kutta = e.kutta * e.density,
                        .magnus = e.magnus * e.density * e.volume,
                        .area_max = e.area_max,
                        .turning = e.viscosity * PI * cube(e.diameter),
                        .moving = 3 * PI * e.viscosity * e.diameter};
  v3_copy(out.mass, e.mass);
  v3_copy(out.inertia, e.inertia);
  v3_copy(out.abc, e.abc);
  v3_copy(out.drag, e.drag);
  return out;
}

// B = d wrench / d (w, v) in the frame of the piece, rotation first
void fluid_derivative(mjtNum B[36], const mjModel* m, const FluidPart* part) {
  memset(B, 0, 36 * sizeof(mjtNum));
  if (part->geom < 0) {
    box_derivative(B, m, part);
  } else {
    ellipsoid_derivative(B, m, part);
  }
}

void fluid_drag_derivative(mjtNum B[36], const mjModel* m, const FluidPart* part) {
  memset(B, 0, 36 * sizeof(mjtNum));
  if (part->geom < 0) {
    box_derivative(B, m, part);
    return;
  }
  Ellipsoid e = ellipsoid_make(m, part);
  add_turning_terms(B, &e);
  add_moving_terms(B, &e);
}

void fluid_wrench(mjtNum wrench[6], const mjModel* m, const FluidPart* part) {
  if (part->geom < 0) {
    box_wrench(wrench, m, part);
  } else {
    ellipsoid_wrench(wrench, m, part);
  }
}

static void add_force(const mjModel* m, mjData* d, const FluidPart* part, void* arg) {
  (void)arg;
  mjtNum wrench[6], torque[3], force[3];
  fluid_wrench(wrench, m, part);
  m3_mulv(torque, part->mat, wrench);
  m3_mulv(force, part->mat, wrench + 3);
  jac_add_force(d->qfrc_fluid, m, d, force, torque, part->pos, part->body);
}

void fluid_forces(const mjModel* m, mjData* d) {
  fluid_visit(m, d, add_force, NULL);
}
