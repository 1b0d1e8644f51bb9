// Exact derivatives of discrete steps: the metric, its shift, rows that end with the step, and what
// they weigh.

#include "derivative/ladder.h"

// Springs, dampers, servos, a tendon, fluids and ties on a chain that a floor, a limit and a ball
// touch. Every bracket is a solref or a cone that tests choose.
static const char kMachine[] =
    "<mujoco><option integrator='discrete' timestep='.004' density='20' viscosity='.3' cone='%s' "
    "tolerance='0' iterations='200' ls_iterations='100'/><default>"
    "<geom solref='%s' solimp='.7 .95 .02' condim='%d' friction='.8 .02 .01'/>"
    "<joint damping='2' stiffness='30' armature='.01' solreflimit='%s' solimplimit='.6 .95 .01'/>"
    "</default><worldbody><geom type='plane' size='3 3 1'/><site name='wall' pos='.2 .4 .6'/>"
    "<body name='upper' pos='0 0 .5'><joint type='ball' damping='.7'/><site name='arm' pos='.05 0 "
    "0' euler='10 20 0'/>"
    "<geom type='capsule' fromto='0 0 0 .3 0 0' size='.04'/>"
    "<body name='lower' pos='.3 0 0'><joint name='elbow' axis='0 1 0' range='-20 5' "
    "limited='true'/>"
    "<geom type='ellipsoid' pos='.15 0 0' size='.2 .05 .04' fluidshape='ellipsoid' contype='0' "
    "conaffinity='0'/><site name='tip' pos='.3 0 0'/>"
    "<body name='foot' pos='.3 0 -.2'><joint name='slide' type='slide' axis='0 .2 1'/>"
    "<joint name='turn' axis='1 0 0' frictionloss='.05'/><geom size='.1'/><site name='sole' "
    "size='.12'/></body></body></body>"
    "<body pos='0 1 .098'><freejoint/><geom size='.1'/></body>"
    "<body pos='1 1 1.6'><freejoint/><geom type='box' size='.1 .2 .3' pos='.03 .02 0'/></body>"
    "<body name='hung' pos='-1 0 1'><freejoint/><site name='held' euler='0 9 4'/><geom size='.1 "
    ".05 .07' type='ellipsoid' pos='.02 "
    "0 "
    "0'/></body></worldbody>"
    "<equality><weld body1='hung' relpose='-1.05 .03 1.02 1 .02 0 .01' solref='.03 .8' "
    "solimp='.5 .95 .2'/><connect body1='hung' body2='upper' anchor='.1 .1 -.1' solimp='.4 .9 1'/>"
    "</equality><tendon><spatial stiffness='50' damping='3' springlength='.1' armature='.02'>"
    "<site site='wall'/><site site='tip'/></spatial><spatial name='pull' limited='true' "
    "range='0 .3' solreflimit='%s'><site site='wall'/><site site='tip'/></spatial></tendon>"
    "<actuator><position name='hold' joint='elbow' kp='80' kv='4'/><general joint='slide' "
    "gainprm='20 -9 -2' "
    "gaintype='affine' biastype='affine' biasprm='0 -30 -3'/><velocity tendon='pull' kv='5'/>"
    "<general site='tip' refsite='wall' gear='1 0 .5 0 0 0' gaintype='affine' gainprm='5 -4 -3' "
    "dyntype='filter' dynprm='.1' actearly='true'/><muscle joint='turn' force='30' "
    "lengthrange='-.5 .5'/></actuator>%s</mujoco>";

// Moves everything a little, at speed; the free box turns fast.
static Steps machine(const char* cone, const char* solref, int condim, const char* sensors) {
  static char xml[8000];
  snprintf(xml, sizeof xml, kMachine, cone, solref, condim, solref, solref, sensors);
  mjModel* m = test_model(xml);
  m->narena += 40 * (mjtSize)m->nv * (2 * m->nv + m->na + m->nu) * (mjtSize)sizeof(mjtNum);
  Steps s = steps_make(m);
  unsigned seed = 3;
  steps_scatter(&s, &seed, (mjtNum)0.1);
  for (int i = 0; i < m->nv; i++) {
    s.d->qvel[i] *= 2;
  }
  for (int i = 0; i < 3; i++) {
    s.d->qvel[m->jnt_dofadr[5] + 3 + i] = (mjtNum)(5 - 3 * i);  // the free box
  }
  s.d->qpos[m->jnt_qposadr[1]] = (mjtNum)0.1;    // beyond the limit of the elbow
  s.d->qpos[m->jnt_qposadr[2]] = (mjtNum)-0.21;  // into the floor
  s.d->qpos[m->jnt_qposadr[4] + 2] = (mjtNum)0.095;
  s.d->act[0] = (mjtNum)0.6;
  s.d->act[1] = (mjtNum)0.3;
  return s;
}

TEST(machine_agrees_with_differences) {
  DOUBLE_ONLY();
  static const char* const kSprings[] = {".02 1", ".003 .7", "-900 -40", ".000001 3000"};
  for (int i = 0; i < 8; i++) {
    int condim[] = {1, 3, 4, 6};
    Steps s = machine(i % 2 ? "elliptic" : "pyramidal", kSprings[i / 2], condim[i % 4], "");
    mj_forward(s.m, s.d);
    assert_that(s.d->ncon, >=, 2);
    assert_that(s.d->nl, >=, 1);
    assert_int_equal(ladder_wrong(&s, 1e-6), 0);
    steps_free(&s);
  }
}

TEST(sensors_of_forces_agree_with_differences) {
  DOUBLE_ONLY();
  Steps s = machine("elliptic", ".003 .7", 3,
                    "<sensor><touch site='sole'/><jointlimitfrc joint='elbow'/><tendonlimitfrc "
                    "tendon='pull'/><accelerometer site='tip'/><actuatorfrc actuator='hold'/>"
                    "<force site='sole'/><torque site='sole'/><force site='arm'/><torque "
                    "site='arm'/><torque site='held'/><force site='held'/></sensor>");
  assert_int_equal(ladder_wrong(&s, 1e-6), 0);
  steps_free(&s);
  s = machine("elliptic", ".02 1", 3,
              "<sensor><contact name='felt' body1='foot' data='found force'/></sensor>");
  assert_error(
      cnd_transitionExact(s.m, s.d, s.A, s.B, s.C, s.D),
      "sensor 0 (felt) has no exact derivative: it tells forces of contacts, which weigh less");
  mj_resetData(s.m, s.d);
  steps_free(&s);
}

// The products of the adjoint with all rows are those of the matrices, where H is not symmetric
// too.
TEST(adjoint_is_the_transpose) {
  DOUBLE_ONLY();
  for (int cone = 0; cone < 2; cone++) {
    Steps s = machine(cone ? "elliptic" : "pyramidal", ".003 .7", 3,
                      "<sensor><touch site='sole'/><jointlimitfrc joint='elbow'/></sensor>");
    int columns = s.nx + s.nu;
    mjtNum* product = calloc((size_t)(columns + s.ny), sizeof(mjtNum));
    mjtNum* weight = product + columns;
    cnd_transitionExact(s.m, s.d, s.A, s.B, s.C, s.D);
    for (int row = 0; row < s.ny; row++) {
      mju_zero(weight, s.ny);
      weight[row] = 1;
      cnd_transitionAdjoint(s.m, s.d, weight, weight + s.nx, product, product + s.nx, NULL);
      for (int j = 0; j < columns; j++) {
        assert_near(product[j], steps_exact(&s, row, j),
                    1e-9 * (1 + fabs(steps_exact(&s, row, j))));
      }
    }
    free(product);
    steps_free(&s);
  }
}

// Parameters and flexes are refused by name.
TEST(what_has_no_derivative_is_named) {
  mjModel* m = test_model(
      "<mujoco><option integrator='discrete'/><worldbody><body><joint damping='1'/>"
      "<geom size='.1'/></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  mjtNum A[4], damping[1];
  cndParameterGradient by = {.dof_damping = damping};
  assert_int_equal(cnd_transitionExact(m, d, A, NULL, NULL, NULL), 0);
  assert_error(cnd_transitionAdjoint(m, d, A, NULL, NULL, NULL, &by),
               "the metric of the integrator discrete depends on parameters");
  mj_resetData(m, d);
  m = test_model(
      "<mujoco><option integrator='discrete'/><worldbody><flexcomp name='cloth' type='grid' "
      "dim='2' count='3 3 1' spacing='.1 .1 .1' radius='.01'><elasticity young='1e3' "
      "thickness='.01' elastic2d='stretch'/></flexcomp></worldbody></mujoco>");
  d = test_data(m);
  assert_error(cnd_transitionExact(m, d, NULL, NULL, NULL, NULL),
               "the model has flexes, whose stiffness in the metric");
}
