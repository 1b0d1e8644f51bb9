// Solids against the theory of elasticity: bending, volume under pressure, and what a free one
// keeps.

#include "smooth/flex_energy.h"
#include "support/models.h"
#include "support/near.h"

#define YOUNG 1e6
#define YOUNG_TEXT "1e6"

// A free solid without gravity; the rest of <option> and of the flexcomp, and what its elasticity
// has besides.
#define SOLID(option, grid, elasticity)                        \
  "<mujoco><option gravity='0 0 0' " option                    \
  "/><worldbody><flexcomp name='f' dim='3' radius='.001' "     \
  "type='grid' " grid                                          \
  "><contact contype='0' conaffinity='0' selfcollide='none'/>" \
  "<elasticity young='" YOUNG_TEXT "' " elasticity "/></flexcomp></worldbody></mujoco>"

// Elastic forces in the positions of d.
static void update_forces(const mjModel* m, mjData* d) {
  mj_fwdPosition(m, d);
  mj_fwdVelocity(m, d);
}

// Displacements u at which elastic forces and a small load balance: K u = load, K from central
// differences of the forces about the shape at rest; those with held[i] stay 0.
static void displace(mjtNum* u, const mjModel* m, mjData* d, const mjtNum* load, const char* held) {
  const mjtNum eps = (mjtNum)1e-6;
  int n = m->nv;
  mjtNum* K = calloc((size_t)n * (size_t)n, sizeof(mjtNum));
  mjtNum* force = calloc((size_t)n, sizeof(mjtNum));
  assert_true(K);
  assert_true(force);
  for (int i = 0; i < n; i++) {
    K[n * i + i] = 1;
    if (held[i]) {
      continue;
    }
    d->qpos[i] = eps;
    update_forces(m, d);
    memcpy(force, d->qfrc_spring, (size_t)n * sizeof(mjtNum));
    d->qpos[i] = -eps;
    update_forces(m, d);
    d->qpos[i] = 0;
    for (int k = 0; k < n; k++) {
      if (!held[k]) {
        K[n * k + i] = (d->qfrc_spring[k] - force[k]) / (2 * eps);
      }
    }
  }
  assert_int_equal(mju_cholFactor(K, n, 0), n);
  mju_cholSolve(u, K, load, n);
  free(K);
  free(force);
}

// A share of a load on the end of the beam: vertices at its edges have half the area of others, at
// corners a quarter.
static double end_weight(const mjtNum at[3], const double half[3]) {
  double weight = 1;
  for (int k = 1; k < 3; k++) {
    weight *= fabs(fabs(at[k]) - half[k]) < 1e-9 ? 0.5 : 1;
  }
  return weight;
}

// Deflection of a cantilever under a load at its end, by that of the theory, with the part of shear
// (Timoshenko):
//
//   w = F L^3 / (3 E I) + F L / (5/6 G A),   I = b t^3 / 12,   G = E / 2 without a Poisson's ratio
static double cantilever(const char* text, const double half[3]) {
  mjModel* m = test_model(text);
  mjData* d = test_data(m);
  int n = m->nv;
  mjtNum *u = calloc((size_t)n, sizeof(mjtNum)), *load = calloc((size_t)n, sizeof(mjtNum));
  char* held = calloc((size_t)n, 1);
  assert_true(u);
  assert_true(load);
  assert_true(held);
  double sum = 0, w = 0;
  for (int i = 0; i < n; i += 3) {
    const mjtNum* at = m->body_pos + 3 * m->dof_bodyid[i];
    memset(held + i, at[0] < -half[0] + 1e-9, 3);
    load[i + 2] = (mjtNum)(at[0] > half[0] - 1e-9 ? end_weight(at, half) : 0);
    sum += load[i + 2];
  }
  displace(u, m, d, load, held);
  for (int i = 2; i < n; i += 3) {
    w += load[i] * u[i] / sum;
  }
  double L = 2 * half[0], A = 4 * half[1] * half[2], I = A * half[2] * half[2] / 3;
  double theory = sum * (L * L * L / (3 * YOUNG * I) + L / (5. / 6 * YOUNG / 2 * A));
  free(u);
  free(load);
  free(held);
  test_release(m);
  return w / theory;
}

// Tetrahedra of constant strain are too stiff in bending, by a part that goes with the square of
// their size: halves have a quarter of it, and what both say about size 0 is the theory's.
TEST(a_solid_beam_bends_like_a_beam) {
  DOUBLE_ONLY();
  const double half[3] = {0.3, 0.025, 0.05};
  double coarse =
      1 / cantilever(SOLID("", "count='16 2 3' spacing='.04 .05 .05' mass='1'", ""), half);
  double fine =
      1 / cantilever(SOLID("", "count='31 2 5' spacing='.02 .05 .025' mass='1'", ""), half);
  assert_near((fine - 1) / (coarse - 1), 0.25, 0.01);
  assert_near((4 * fine - coarse) / 3, 1, 0.01);
}

// Resistance against a change of volume. The energy of elements counts lambda twice, so it is more
// than the textbook's lambda + 2/3 mu unless nu is 0.
static double bulk_modulus(double nu) {
  double mu = YOUNG / (2 * (1 + nu)), lambda = YOUNG * nu / ((1 + nu) * (1 - 2 * nu));
  return 2 * lambda + 2 * mu / 3;
}

#define CUBE "count='4 4 4' spacing='.1 .1 .1' mass='6.4'"

// Surface of each vertex of a cube in its shape at rest, as a vector outwards: a third of each
// triangle around it.
static void surface(double out[][3], const mjModel* m) {
  memset(out, 0, (size_t)m->nflexvert * sizeof(double[3]));
  for (int i = 0; i < m->flex_shellnum[0]; i++) {
    const int* v = m->flex_shell + m->flex_shelldataadr[0] + 3 * i;
    const mjtNum* x[3];
    mjtNum a[3], b[3], n[3];
    for (int k = 0; k < 3; k++) {
      x[k] = m->body_pos + 3 * m->flex_vertbodyid[v[k]];
    }
    mju_sub3(a, x[1], x[0]);
    mju_sub3(b, x[2], x[0]);
    mju_cross(n, a, b);
    double side = mju_dot3(n, x[0]) > 0 ? 1. / 6 : -1. / 6;
    for (int k = 0; k < 9; k++) {
      out[v[k / 3]][k % 3] += side * n[k % 3];
    }
  }
}

// A body that is s times as large has the Green strain e = (s^2 - 1)/2 in all directions and the
// first Piola-Kirchhoff stress 3 kappa e s: its surface pulls inwards with that, and inside nothing
// does.
TEST(a_swollen_solid_pulls_with_its_bulk_modulus) {
  DOUBLE_ONLY();
  static const char* const text[] = {SOLID("", CUBE, ""), SOLID("", CUBE, "poisson='.3'")};
  for (int i = 0; i < 2; i++) {
    const double kappa = bulk_modulus(i ? 0.3 : 0), s = 1.1;
    mjModel* m = test_model(text[i]);
    mjData* d = test_data(m);
    double area[64][3];
    assert_int_equal(m->nflexvert, 64);
    surface(area, m);
    for (int k = 0; k < m->nv; k++) {
      d->qpos[k] = (mjtNum)(s - 1) * m->body_pos[3 * m->dof_bodyid[k] + k % 3];
    }
    update_forces(m, d);
    double stress = 3 * kappa * (s * s - 1) / 2 * s;
    for (int v = 0; v < 64; v++) {
      for (int k = 0; k < 3; k++) {
        assert_near(d->qfrc_spring[3 * v + k], -stress * area[v][k], 1e-11 * stress);
      }
    }
    test_release(m);
  }
}

// Volume of a flex of tetrahedra.
static double volume(const mjModel* m, const mjData* d) {
  double sum = 0;
  for (int e = 0; e < m->nflexelem; e++) {
    const int* v = m->flex_elem + 4 * e;
    mjtNum a[3][3], n[3];
    for (int k = 0; k < 3; k++) {
      mju_sub3(a[k], d->flexvert_xpos + 3 * v[k + 1], d->flexvert_xpos + 3 * v[0]);
    }
    mju_cross(n, a[0], a[1]);
    sum += fabs(mju_dot3(n, a[2])) / 6;
  }
  return sum;
}

// dV/V = -p / kappa where it comes to rest under a pressure p.
TEST(a_solid_under_pressure_shrinks_by_its_bulk_modulus) {
  DOUBLE_ONLY();
  const double kappa = bulk_modulus(0.3), pressure = 1e3;
  mjModel* m = test_model(SOLID("timestep='5e-4'", CUBE, "poisson='.3'"));
  mjData* d = test_data(m);
  double area[64][3];
  assert_int_equal(m->nflexvert, 64);
  surface(area, m);
  for (int i = 0; i < m->nv; i++) {
    d->qfrc_applied[i] = (mjtNum)(-pressure * area[i / 3][i % 3]);
    m->dof_damping[i] = 10;
  }
  mj_forward(m, d);
  double before = volume(m, d);
  assert_near(before, 0.027, 1e-9);
  for (int i = 0; i < 1500; i++) {
    mj_step(m, d);
  }
  mj_forward(m, d);
  assert_that(mju_norm(d->qvel, m->nv), <, 1e-9);
  assert_near((volume(m, d) / before - 1) / (-pressure / kappa), 1, 2 * pressure / kappa);
}

// Forces between vertices come in pairs along edges, and a semi-implicit step keeps both momenta
// whatever its length. Energy wavers with the step, or falls where there is damping.
TEST(a_free_solid_keeps_its_momenta) {
  DOUBLE_ONLY();
  static const char* const text[] = {
      SOLID("timestep='2e-5'", CUBE, "poisson='.3'"),
      SOLID("timestep='2e-5'", CUBE, "poisson='.3' damping='1e-3'"),
  };
  for (int damped = 0; damped < 2; damped++) {
    mjModel* m = test_model(text[damped]);
    mjData* d = test_data(m);
    double before[6], after[6], most = 0;
    for (int i = 0; i < m->nv; i++) {
      d->qvel[i] = 2 * mju_Halton(i + 1, 3) - (mjtNum)0.7;
      d->qpos[i] = (mjtNum)0.02 * mju_Halton(i + 1, 2);
    }
    mj_forward(m, d);
    double start = flex_total_energy(m, d), end = start;
    flex_momentum(before, m, d);
    for (int i = 0; i < 1000; i++) {
      mj_step(m, d);
      if (i % 10 == 9) {
        update_forces(m, d);
        end = flex_total_energy(m, d);
        most = fmax(most, end);
      }
    }
    flex_momentum(after, m, d);
    for (int k = 0; k < 6; k++) {
      assert_near(after[k], before[k], 1e-10);
    }
    assert_that(fabs(before[0]), >, 0.1);
    assert_that(fabs(before[5]), >, 0.01);
    assert_true(damped ? most < start && end < 0.8 * start
                       : most < 1.01 * start && fabs(end / start - 1) < 0.01);
    test_release(m);
  }
}
