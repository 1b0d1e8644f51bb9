// How fast the error of a trajectory falls with the timestep: the order of each integrator.

#include "support/zoo.h"

static const double kDuration = 0.16;

// two bodies with everything that forces depend on smoothly
static const char kModel[] =
    "<mujoco><option><flag contact='disable'/></option><worldbody><site name='hook' pos='.5 0 .3'/>"
    "<body><joint name='a' axis='0 1 .2' damping='.3' stiffness='2'/><geom type='capsule' "
    "fromto='0 0 0 .4 0 0' size='.05'/>"
    "<body pos='.4 0 0'><joint name='b' axis='1 0 1' damping='.2'/><joint name='c' type='slide' "
    "axis='1 1 0' stiffness='30'/>"
    "<geom type='box' size='.1 .2 .05' pos='.1 0 0'/><site name='tip' pos='.2 .1 "
    "0'/></body></body></worldbody>"
    "<tendon><spatial name='t' stiffness='40' damping='3' springlength='.1'><site "
    "site='hook'/><site site='tip'/></spatial></tendon>"
    "<actuator><velocity joint='a' kv='2'/><general tendon='t' dyntype='filter' dynprm='.05' "
    "gainprm='10'/></actuator></mujoco>";

static void run(mjtNum* out, mjModel* m, int integrator, double timestep) {
  mjData* d = mj_makeData(m);
  m->opt.integrator = integrator;
  m->opt.timestep = (mjtNum)timestep;
  d->ctrl[0] = (mjtNum)0.5;
  d->ctrl[1] = 1;
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = (mjtNum)(1 - 0.7 * i);
  }
  for (int k = (int)(kDuration / timestep + 0.5); k > 0; k--) {
    mj_step(m, d);
  }
  mju_copy(out, d->qpos, m->nq);
  mju_copy(out + m->nq, d->qvel, m->nv);
  mju_copy(out + m->nq + m->nv, d->act, m->na);
  mj_deleteData(d);
}

TEST(error_falls_with_the_order) {
  DOUBLE_ONLY();
  const struct {
    int integrator;
    double order, timestep;
  } all[] = {
      {mjINT_EULER, 1, 1e-3},        {mjINT_RK4, 4, 8e-3},      {mjINT_IMPLICIT, 1, 1e-3},
      {mjINT_IMPLICITFAST, 1, 1e-3}, {mjINT_DISCRETE, 1, 1e-3},
  };
  mjModel* m = test_model(kModel);
  int n = m->nq + m->nv + m->na;
  mjtNum exact[16], coarse[16], fine[16];
  run(exact, m, mjINT_RK4, 1e-4);
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    run(coarse, m, all[i].integrator, all[i].timestep);
    run(fine, m, all[i].integrator, all[i].timestep / 2);
    mju_subFrom(coarse, exact, n);
    mju_subFrom(fine, exact, n);
    double order = log2((double)(mju_norm(coarse, n) / mju_norm(fine, n)));
    assert_near(order, all[i].order, 0.1 * all[i].order);
  }
}
