// Internal forces don't change the momentum of a tree that floats freely.

#include "physics/chain.h"

// momenta about the center of mass
static void momentum(mjtNum out[6], const mjModel* m, mjData* d) {
  mj_forward(m, d);
  mj_subtreeVel(m, d);
  mju_scl3(out, d->subtree_linvel, m->body_subtreemass[0]);
  mju_copy3(out + 3, d->subtree_angmom);
}

// Largest change of the momenta over some steps, relative.
static double change(const mjModel* m, mjData* d, int steps) {
  mjtNum before[6], after[6];
  momentum(before, m, d);
  for (int i = 0; i < steps; i++) {
    mj_step(m, d);
  }
  momentum(after, m, d);
  size_t where;
  return relative_error(&where, after, before, 6, 1);
}

static const int lengths[] = {1, 2, 5, 20, 50};
#define LENGTHS (sizeof lengths / sizeof lengths[0])

// Coordinates are not momenta: a step makes an error of the integrator's local order, which these
// steps bring below rounding.
TEST(every_step_keeps_the_momentum) {
  static const struct {
    int integrator;
    double timestep;
  } all[] = {
      {mjINT_EULER, 1e-7}, {mjINT_IMPLICIT, 1e-7}, {mjINT_IMPLICITFAST, 1e-7}, {mjINT_RK4, 2e-5}};
  for (size_t k = 0; k < LENGTHS; k++) {
    mjModel* m = chain_make(LINK_FREE, lengths[k], "gravity='0 0 0'");
    mjData* d = test_data(m);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
      m->opt.integrator = all[i].integrator;
      m->opt.timestep = (mjtNum)all[i].timestep;
      chain_start(m, d);
      for (int step = 0; step < 10; step++) {
        double found = change(m, d, 1);
        if (!(found <= rounding(1e-12))) {
          fail_msg("%d bodies, integrator %d: one step changes the momentum by %.3g", lengths[k],
                   all[i].integrator, found);
        }
      }
    }
    test_release(m);
  }
}

// At usual steps what is lost falls with the step.
TEST(lost_momentum_falls_with_the_step) {
  DOUBLE_ONLY();
  const struct {
    int integrator;
    double order;
  } all[] = {{mjINT_EULER, 1}, {mjINT_IMPLICIT, 1}, {mjINT_RK4, 2}};
  int judged = 0;
  for (size_t k = 0; k < LENGTHS; k++) {
    mjModel* m = chain_make(LINK_FREE, lengths[k], "gravity='0 0 0'");
    mjData* d = test_data(m);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
      m->opt.integrator = all[i].integrator;
      m->opt.timestep = (mjtNum)2e-3;
      chain_start(m, d);
      double coarse = change(m, d, 40);
      m->opt.timestep = (mjtNum)5e-4;
      chain_start(m, d);
      double fine = change(m, d, 160);
      double order = log2(coarse / fine) / 2;
      judged += coarse > 1e-11;
      if (!(coarse <= 1e-11) && !(order > all[i].order - 0.3)) {
        fail_msg("%d bodies, integrator %d: %.3g, then %.3g: order %.2f", lengths[k],
                 all[i].integrator, coarse, fine, order);
      }
    }
    test_release(m);
  }
  assert_that(judged, >, 8);
}

// In a uniform field the center of mass falls like a stone, whatever the tree does.
TEST(center_of_mass_falls_like_a_stone) {
  for (size_t k = 0; k < LENGTHS; k++) {
    mjModel* m = chain_make(LINK_FREE, lengths[k], "gravity='.3 -.2 -9.81'");
    mjData* d = test_data(m);
    chain_start(m, d);
    mj_rnePostConstraint(m, d);

    // sum of mass times acceleration of every body's center of mass
    mjtNum force[3] = {0};
    for (int i = 1; i < m->nbody; i++) {
      mjtNum acc[6];
      mj_objectAcceleration(m, d, mjOBJ_BODY, i, acc, 0);
      mju_addToScl3(force, acc + 3, m->body_mass[i]);
    }
    for (int i = 0; i < 3; i++) {
      // an accelerometer at rest measures minus gravity, one that falls freely measures nothing
      assert_near(force[i] / m->body_subtreemass[0], 0, 1e-10);
    }
    test_release(m);
  }
}
