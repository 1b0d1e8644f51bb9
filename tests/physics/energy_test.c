// Without losses the total energy is constant; what an integrator adds to it falls with the step at
// the integrator's order.

#include "physics/chain.h"

static double drift(mjModel* m, int integrator, double timestep, double duration) {
  mjData* d = mj_makeData(m);
  m->opt.integrator = integrator;
  m->opt.timestep = (mjtNum)timestep;
  chain_start(m, d);
  double start = (double)(d->energy[0] + d->energy[1]);
  int steps = (int)lround(duration / timestep);
  for (int i = 0; i < steps; i++) {
    mj_step(m, d);
  }
  mj_forward(m, d);
  double end = (double)(d->energy[0] + d->energy[1]);
  mj_deleteData(d);
  return fabs(end - start);
}

// Total energy, potential and kinetic, moved so far: the size that rounding errors are relative to.
static double size_of_energy(mjModel* m) {
  mjData* d = mj_makeData(m);
  chain_start(m, d);
  double size = fabs((double)d->energy[0]) + (double)d->energy[1];
  mj_deleteData(d);
  return size;
}

static const char* const integrators[] = {"Euler", "RK4", "implicit", "fast"};
static const char* const names[LINK_COUNT] = {"hinges", "balls", "slides", "floating"};

// the numbers of long chains say no more under a sanitizer, and take a minute there
#ifdef CONDYLE_SANITIZED
static const int lengths[] = {1, 2, 5};
#else
static const int lengths[] = {1, 2, 5, 20, 50};
#endif

// Halving the step divides the drift by 2^order: here between the coarsest and the finest of three.
// Runge-Kutta adds the angular velocities of its stages as vectors before it turns a quaternion,
// which is right to second order only.
static void order_is(int integrator, const double order[LINK_COUNT], double timestep) {
  int judged = 0;
  print_message("%-9s %-8s bodies   drift, J  quarter    order     h = %g s\n", "", "", timestep);
  for (int link = 0; link < LINK_COUNT; link++) {
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
      mjModel* m = chain_make((Link)link, lengths[k], "");
      double coarse = drift(m, integrator, timestep, 0.08);
      double fine = drift(m, integrator, timestep / 4, 0.08);
      double found = log2(coarse / fine) / 2;
      print_message("%-9s %-8s %6d   %8.2g   %8.2g   %5.2f\n", integrators[integrator], names[link],
                    lengths[k], coarse, fine, found);
      int rounding = coarse < 1e-11 * size_of_energy(m);
      judged += !rounding;
      if (!rounding && !(found > order[link] - 0.4)) {
        fail_msg("%s, %d bodies, integrator %d: drift %.3g, then %.3g: order %.2f, not %g",
                 names[link], lengths[k], integrator, coarse, fine, found, order[link]);
      }
      test_release(m);
    }
  }
  assert_that(judged, >, LINK_COUNT);
}

TEST(euler_is_of_first_order) {
  order_is(mjINT_EULER, (const double[]){1, 1, 1, 1}, 1e-3);
}

TEST(implicit_is_of_first_order) {
  DOUBLE_ONLY();
  order_is(mjINT_IMPLICIT, (const double[]){1, 1, 1, 1}, 1e-3);
  order_is(mjINT_IMPLICITFAST, (const double[]){1, 1, 1, 1}, 1e-3);
}

TEST(runge_kutta_is_of_fourth_order) {
  DOUBLE_ONLY();
  order_is(mjINT_RK4, (const double[]){4, 2, 4, 2}, 4e-3);
}

// A pendulum of one hinge: x'' = -m g l sin(x) / I, integrated here in long double with tiny steps.
TEST(pendulum_follows_its_equation) {
  mjModel* m = test_model(
      "<mujoco><option integrator='RK4' timestep='.002'><flag contact='disable'/></option>"
      "<worldbody><body><joint axis='0 1 0' armature='.1'/><inertial pos='0 0 -.7' mass='2' "
      "diaginertia='.03 .02 .01'/></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  d->qpos[0] = 1;
  long double x = 1, v = 0, h = 1e-5L, inertia = 0.1L + 0.02L + 2 * 0.49L;
  for (int i = 0; i < 500; i++) {
    mj_step(m, d);
    // velocity Verlet, error about h^2
    for (int k = 0; k < 200; k++) {
      v += h / 2 * (-2 * 9.81L * 0.7L * sinl(x) / inertia);
      x += h * v;
      v += h / 2 * (-2 * 9.81L * 0.7L * sinl(x) / inertia);
    }
  }
  assert_near(d->qpos[0], x, 1e-8);
  assert_near(d->qvel[0], v, 1e-8);
}
