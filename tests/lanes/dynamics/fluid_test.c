// Fluids in lanes: inertia boxes and ellipsoids, their forces and, for implicitfast, derivatives.

#include "lanes/alike.h"

// Bodies of boxes and ellipsoids that float, hang on each other, and slide.
#define SWIMMERS                                                                             \
  "<mujoco><option density='30' viscosity='.2' wind='.5 -.2 .1' timestep='.004'/><default>"  \
  "<geom contype='0' conaffinity='0'/></default><worldbody>"                                 \
  "<body pos='0 0 1'><freejoint/><geom type='ellipsoid' size='.1 .2 .05'"                    \
  " fluidshape='ellipsoid' fluidcoef='.5 .25 1.5 1 1'/><body pos='.2 0 0'>"                  \
  "<joint axis='0 1 .2'/><geom type='capsule' size='.05 .1' fluidshape='ellipsoid'"          \
  " euler='20 0 10'/><geom type='cylinder' size='.04 .1' pos='0 .1 0'"                       \
  " fluidshape='ellipsoid'/><body pos='.2 0 0'><joint type='ball'/>"                         \
  "<geom type='box' size='.05 .1 .02' pos='.1 0 0' fluidshape='ellipsoid'/></body></body>"   \
  "<body pos='-.2 0 0'><joint axis='1 0 0' damping='.1'/><geom type='box' size='.1 .03 .05'" \
  " pos='-.1 .02 0'/></body></body>"                                                         \
  "<body pos='0 2 0'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"   \
  "<joint type='slide' axis='0 0 1'/><geom type='box' size='.1 .2 .05'/></body>"             \
  "<body pos='0 -2 0'><freejoint/><geom size='.1' fluidshape='ellipsoid'/></body>"           \
  "<body pos='2 0 0'><freejoint/><geom type='box' size='.2 .1 .05'/></body>"                 \
  "</worldbody></mujoco>"

static void swim(int integrator) {
  mjModel* m = mj_copyModel(NULL, test_model(SWIMMERS));
  m->opt.integrator = integrator;
  steps_alike(m, 0.5, 2, 4, 6, 1e-10);
  mj_deleteModel(m);
}

TEST(euler) {
  swim(mjINT_EULER);
}

TEST(implicitfast) {
  swim(mjINT_IMPLICITFAST);
}

TEST(implicit) {
  swim(mjINT_IMPLICIT);
}

TEST(runge_kutta) {
  swim(mjINT_RK4);
}

// A body at rest in a medium at rest: divisors are zero but for their floor.
TEST(rest) {
  mjModel* m = mj_copyModel(NULL, test_model(SWIMMERS));
  mju_zero(m->opt.wind, 3);
  mju_zero(m->opt.gravity, 3);
  m->opt.integrator = mjINT_IMPLICITFAST;
  steps_alike(m, 0, 0, 2, 3, 1e-10);
  mj_deleteModel(m);
}
