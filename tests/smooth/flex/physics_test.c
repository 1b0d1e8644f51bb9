// Deformables against the theory of elasticity: beam, plate, rod, and the energy of what is free.

#include "smooth/flex_energy.h"
#include "support/models.h"
#include "support/near.h"

// A free sheet in the plane z = 0 that resists bending only.
#define SHEET(points)                                                                             \
  "<mujoco><option gravity='0 0 0'/><worldbody><body name='b'><flexcomp name='f' dim='2' " points \
  " mass='1' radius='.001'><contact contype='0' conaffinity='0' selfcollide='none'/>"             \
  "<elasticity young='1e6' poisson='0' thickness='.01' elastic2d='bend'/></flexcomp></body>"      \
  "</worldbody></mujoco>"

static const double BENDING = 5e5 * 1e-6;  // mu t^3 of that sheet, mu = E/2

// Heights w of vertices at which elastic forces and loads along z balance: K w = load, K from the
// forces of unit heights; those with held[i] stay at 0.
static void deflect(mjtNum* w, const mjModel* m, mjData* d, const mjtNum* load, const char* held) {
  int n = m->nflexvert;
  mjtNum* K = calloc((size_t)n * (size_t)n, sizeof(mjtNum));
  assert_non_null(K);
  for (int i = 0; i < n; i++) {
    mju_zero(d->qpos, m->nq);
    d->qpos[3 * i + 2] = 1e-3;
    mj_fwdPosition(m, d);
    mj_fwdVelocity(m, d);
    for (int k = 0; k < n; k++) {
      K[n * k + i] = held[i] || held[k] ? i == k : -d->qfrc_spring[3 * k + 2] / 1e-3;
    }
  }
  assert_int_equal(mju_cholFactor(K, n, 0), n);
  mju_cholSolve(w, K, load, n);
  free(K);
}

// Right-angled triangles, all cut the same way, of side s: of w_xx, w_yy, w_xy each axis edge feels
// one second slope and the twist, each diagonal the twist alone, so the energy per area is
//
//   mu t^3 / 16 ((w_xx + w_xy)^2 + (w_yy + w_xy)^2 + 4 w_xy^2)
//
// least for given w_xx with w_xy = -w_xx/5 = -w_yy: a narrow strip is a beam of E I = mu t^3
// b / 10.
//   w = F L^3 / (3 E I)                                                          (Euler-Bernoulli)
static double beam(const char* text, int nx, double spacing) {
  mjModel* m = test_model(text);
  mjData* d = test_data(m);
  int n = 3 * nx;
  assert_int_equal(m->nflexvert, n);
  mjtNum *w = calloc((size_t)n, sizeof(mjtNum)), *force = calloc((size_t)n, sizeof(mjtNum));
  char* held = calloc((size_t)n, 1);
  assert_true(w);
  assert_true(force);
  assert_true(held);
  memset(held, 1, 6);
  for (int i = n - 3; i < n; i++) {
    force[i] = 1e-3 / 3;
  }
  deflect(w, m, d, force, held);
  double L = spacing * (nx - 1.5), EI = BENDING * 2 * spacing / 10;
  double ratio = w[n - 2] / (1e-3 * L * L * L / (3 * EI));
  free(w);
  free(force);
  free(held);
  test_release(m);
  return ratio;
}

TEST(a_strip_bends_like_a_beam) {
  DOUBLE_ONLY();
  double coarse = beam(SHEET("type='grid' count='12 3 1' spacing='.1 .1 .1'"), 12, .1);
  double fine = beam(SHEET("type='grid' count='42 3 1' spacing='.025 .025 .025'"), 42, .025);
  assert_near(fine, 1, 0.015);
  assert_that(fabs(fine - 1), <, fabs(coarse - 1) / 3);
}

// Equilateral triangles, rows of them in one with n along each side of length 1.
static mjModel* triangle_plate(int n, char* held) {
  static char text[60000], point[20000], element[20000];
  int p = 0, e = 0, count = 0;
  for (int row = 0; row <= n; row++) {
    for (int i = 0; i <= n - row; i++, count++) {
      held[count] = (char)(row == 0 || i == 0 || i == n - row);
      p += snprintf(point + p, sizeof(point) - (size_t)p, "%.17g %.17g 0 ", (i + row / 2.0) / n,
                    row * sqrt(0.75) / n);
      if (i < n - row) {
        int above = count + n - row + 1;
        e += snprintf(element + e, sizeof(element) - (size_t)e, "%d %d %d ", count, count + 1,
                      above);
        if (i < n - row - 1) {
          e += snprintf(element + e, sizeof(element) - (size_t)e, "%d %d %d ", count + 1, above + 1,
                        above);
        }
      }
    }
  }
  snprintf(text, sizeof(text), SHEET("type='direct' point='%s' element='%s'"), point, element);
  return test_model(text);
}

// There each edge e with its normal n feels w_ee - 3 w_nn, in three directions together the energy
// of a plate with D = mu t^3 / 8 and a Poisson's ratio of -1/3. On supports all around, with
// altitude a and a pressure q, it sinks
//
//   w = q a^4 / (972 D)   in the middle (Timoshenko, Theory of Plates and Shells, 1959, section 72)
static double plate(int n) {
  char held[400] = {0};
  mjModel* m = triangle_plate(n, held);
  mjData* d = test_data(m);
  int count = (n + 1) * (n + 2) / 2, middle = 0;
  mjtNum w[400], force[400];
  assert_int_equal(m->nflexvert, count);
  for (int row = 0; row < n / 3; row++) {
    middle += n - row + 1;
  }
  middle += n / 3;
  for (int i = 0; i < count; i++) {
    force[i] = held[i] ? 0 : 1e-3 * sqrt(0.75) / (n * n);
  }
  deflect(w, m, d, force, held);
  double ratio = w[middle] / (1e-3 * 0.75 * 0.75 / (972 * BENDING / 8));
  test_release(m);
  return ratio;
}

TEST(a_sheet_on_supports_bends_like_a_plate) {
  double coarse = plate(6), fine = plate(12);
  // halves of the side quarter the error
  assert_near(fine, 1, 0.025);
  assert_near((fine - 1) / (coarse - 1), 0.25, 0.01);
}

// A rod of N equal masses and springs k, fixed at one end, swings with 2 sqrt(k/m) sin(pi / (2 (2
// N + 1))), which is the quarter wave of a continuous rod of length (N + 1/2) l up to 1/N^2.
TEST(a_rod_swings_with_its_quarter_wave) {
  DOUBLE_ONLY();
  mjModel* m = test_model(
      "<mujoco><option gravity='0 0 0' timestep='1e-4'/><worldbody><body name='b'><flexcomp "
      "name='f' dim='1' type='grid' count='21 1 1' spacing='.05 .05 .05' mass='2.1' radius='.001'>"
      "<pin id='0'/><contact contype='0' conaffinity='0' selfcollide='none'/><edge "
      "stiffness='1000'/></flexcomp></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  int n = m->nv / 3, crossings = 0;
  assert_int_equal(n, 20);
  double first = 0, last = 0, angle = mjPI / (2 * n + 1);
  for (int i = 0; i < n; i++) {
    d->qvel[3 * i] = 1e-3 * sin((i + 1) * angle);
  }
  while (crossings < 3) {
    mjtNum before = d->qpos[3 * (n - 1)];
    mj_step(m, d);
    mjtNum after = d->qpos[3 * (n - 1)];
    if (before * after < 0) {
      last = d->time - m->opt.timestep * after / (after - before);
      first = crossings++ ? first : last;
    }
    assert_that(d->time, <, 5);
  }
  double omega = 2 * mjPI / (last - first), chain = 2 * sqrt(1000 / 0.1) * sin(angle / 2);
  double wave = mjPI / 2 * sqrt(1000 / 0.1) / (n + 0.5);
  assert_near(omega / chain, 1, 1e-4);
  assert_near(omega / wave, 1, 1e-3);
}

// Most and last energy of a free cloth that starts stretched and turning, by what it had.
static void let_go(double out[2], const char* text) {
  mjModel* m = test_model(text);
  mjData* d = test_data(m);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = 0.3 * (mju_Halton(i + 1, 3) - 0.5);
  }
  for (int v = 0; v < m->nv / 3; v++) {
    d->qpos[3 * v] = 0.1 * d->flexvert_xpos[3 * v];
    d->qvel[3 * v + 1] += m->body_pos[3 * (v + 1)];
  }
  mj_forward(m, d);
  double start = flex_total_energy(m, d), most = start;
  for (int i = 0; i < 4000; i++) {
    mj_step(m, d);
    mj_fwdPosition(m, d);
    mj_fwdVelocity(m, d);
    most = mju_max(most, flex_total_energy(m, d));
  }
  out[0] = most / start;
  out[1] = flex_total_energy(m, d) / start;
  test_release(m);
}

#define CLOTH(damping)                                                                        \
  "<mujoco><option gravity='0 0 0' timestep='1e-3'/><worldbody><flexcomp name='f' dim='2' "   \
  "type='grid' count='6 5 1' spacing='.1 .1 .1' mass='1' radius='.001'><contact contype='0' " \
  "conaffinity='0' selfcollide='none'/><elasticity young='1e4' poisson='.2' thickness='.01' " \
  "elastic2d='stretch' damping='" damping "'/></flexcomp></worldbody></mujoco>"

TEST(energy_of_a_free_cloth_does_not_grow) {
  DOUBLE_ONLY();
  double loose[2], damped[2];
  let_go(loose, CLOTH("0"));
  let_go(damped, CLOTH("1e-3"));
  // without damping it wavers with the timestep, and comes back
  assert_that(loose[0], <, 1.005);
  assert_that(fabs(loose[1] - 1), <, 0.005);
  assert_that(damped[0], <, 1 + 1e-9);
  assert_that(damped[1], <, 0.9);
}

// Held by two corners, a sheet that was flat swings down. What it has lost in height it has in
// speed and strain, and with damping less and less.
TEST(energy_of_a_hanging_cloth_does_not_grow) {
  DOUBLE_ONLY();
  mjModel* m = test_model(
      "<mujoco><option timestep='1e-3'/><worldbody><flexcomp name='f' dim='2' type='grid' "
      "count='12 "
      "12 1' spacing='.02 .02 .02' mass='.0144' radius='.002' pos='0 0 1'><pin id='0 "
      "132'/><contact "
      "contype='0' conaffinity='0' selfcollide='none'/><elasticity young='3e3' poisson='.3' "
      "thickness='.002' damping='1e-3' elastic2d='stretch'/></flexcomp></worldbody></mujoco>");
  mjData* d = test_data(m);
  mj_forward(m, d);
  double start = flex_total_energy(m, d), last = start, slack = 1e-3 * start;
  for (int i = 0; i < 1500; i++) {
    mj_step(m, d);
    if (i % 50 == 49) {
      mj_fwdPosition(m, d);
      mj_fwdVelocity(m, d);
      double energy = flex_total_energy(m, d);
      assert_that(energy, <, last + slack);
      last = energy;
    }
  }
  // its middle is a third of the side below the corners at least
  assert_that(last, <, start - 0.0144 * 9.81 * 0.22 / 3);
}

// Bending and stretching push vertices without pushing or turning the whole. (Damping of bending
// turns it.)
TEST(a_free_cloth_keeps_its_momenta) {
  DOUBLE_ONLY();
  mjModel* m = test_model(
      "<mujoco><option gravity='0 0 0' timestep='2e-4'/><worldbody><flexcomp name='f' dim='2' "
      "type='grid' count='8 7 1' spacing='.05 .05 .05' mass='.56' radius='.001'><contact "
      "contype='0' "
      "conaffinity='0' selfcollide='none'/><elasticity young='1e5' poisson='.2' thickness='.02' "
      "elastic2d='both'/></flexcomp></worldbody></mujoco>");
  mjData* d = test_data(m);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = mju_Halton(i + 1, 3) - (mjtNum)0.3;
    d->qpos[i] = (mjtNum)0.01 * mju_Halton(i + 1, 2);
  }
  double before[6], after[6];
  mj_forward(m, d);
  flex_momentum(before, m, d);
  for (int i = 0; i < 1000; i++) {
    mj_step(m, d);
  }
  mj_kinematics(m, d);
  flex_momentum(after, m, d);
  for (int k = 0; k < 6; k++) {
    assert_near(after[k], before[k], 1e-11);
  }
  assert_that(fabs(before[0]), >, 0.05);
  assert_that(fabs(before[5]), >, 1e-3);
}
