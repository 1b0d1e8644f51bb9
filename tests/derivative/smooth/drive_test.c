// Controllers and motors: exact derivatives of steps and of their activations against differences,
// with every integrator.

#include "derivative/smooth/drive.h"

#include "derivative/ladder.h"

// Drives on a hinge, tendons of both kinds, a slider-crank and a ball joint, beside a motor of one
// input, so that controls, activations and actuators have different numbers.
static const char kMachine[] =
    "<mujoco><option timestep='.01' tolerance='0' iterations='200'/><worldbody>"
    "<site name='hook' pos='.3 .1 1.4'/>"
    "<body pos='0 0 1'><joint name='turn' axis='0 1 0' stiffness='2' damping='.1'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 .5' size='.05'/><site name='crank' pos='.05 0 .3'/>"
    "<body pos='0 0 .5'><joint name='rod' type='slide' axis='0 0 1' damping='.2'/>"
    "<geom size='.08'/><site name='end' pos='0 0 .1'/></body></body>"
    "<body pos='1 0 1'><joint name='ball' type='ball' damping='.1'/>"
    "<geom type='box' size='.1 .2 .3' mass='1'/></body>"
    "<body pos='0 0 .6'><joint name='push' type='slide' axis='1 0 0' damping='1'/>"
    "<geom size='.05'/><site name='slider' euler='0 80 0'/></body></worldbody><tendon>"
    "<spatial name='cable'><site site='hook'/><site site='end'/></spatial>"
    "<fixed name='sum'><joint joint='turn' coef='2'/><joint joint='rod' "
    "coef='-1'/></fixed></tendon>"
    "<actuator>"
    "<pid joint='turn' kp='20' kv='2' ki='5' imax='5' slewmax='%g' input='pos vel ff'/>"
    "<motor joint='rod' ctrllimited='true' ctrlrange='-1 1'/>"
    "<general tendon='cable' dyntype='pid' dynprm='0 0' gaintype='pid' gainprm='3' "
    "biastype='affine' biasprm='.2 -9 -1' input='pos' actearly='true'/>"
    "<pid joint='ball' gear='.3 1 .2' kp='4' kv='.3' input='vel'/>"
    "<dcmotor name='hot' joint='turn' gear='3' motorconst='.05 .06' resistance='.8' "
    "inductance='.002' "
    "thermal='2 0 10 .004 25 20' cogging='.01 6 .3' %s controller='2 5 .1 "
    "%g 9 %g' input='pos vel ff voltage'/>"
    "<dcmotor tendon='cable' motorconst='.2 .3' resistance='2' cogging='.2 9 .1' "
    "input='voltage' saturation='.05'/>"
    "<dcmotor cranksite='crank' slidersite='slider' cranklength='.5' motorconst='.4 .5' "
    "resistance='3' inductance='.03' input='none'/>"
    "<dcmotor tendon='sum' motorconst='.05 .06' resistance='.8' controller='3 0 .2' input='pos'/>"
    "</actuator><sensor><actuatorfrc actuator='hot'/><tendonactuatorfrc tendon='cable'/>"
    "<jointactuatorfrc joint='turn'/></sensor></mujoco>";

typedef struct {
  double slew, motor_slew, volts;
  const char* friction;
} Kind;

// Free and at its bounds, with and without bristles.
static const Kind kKinds[] = {{50, 40, 80, ""},
                              {.1, .2, .1, ""},
                              {.1, 40, 80, "lugre='50 .2 .02 .03 .1'"},
                              {50, .2, .1, "lugre='50 .2 .02 .03 .1'"}};

static mjModel* machine(const Kind* kind, int integrator) {
  static char xml[6000];
  snprintf(xml, sizeof xml, kMachine, kind->slew, kind->friction, kind->motor_slew, kind->volts);
  mjModel* m = test_model(xml);
  m->opt.integrator = integrator;
  m->narena += 40 * (mjtSize)m->nv * (2 * m->nv + m->na + m->nu) * (mjtSize)sizeof(mjtNum);
  return m;
}

static void scatter(Steps* s, unsigned seed) {
  mj_resetData(s->m, s->d);
  steps_scatter(s, &seed, (mjtNum)0.3);
  for (int i = 0; i < s->m->na; i++) {
    s->d->act[i] *= (mjtNum)0.1;
  }
}

static const int kIntegrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST, mjINT_DISCRETE,
                                   mjINT_RK4};

TEST(drives_agree_with_differences) {
  DOUBLE_ONLY();
  for (int i = 0; i < 5; i++) {
    for (int k = 0; k < 4; k++) {
      if (kIntegrators[i] == mjINT_RK4 && kKinds[k].friction[0]) {
        continue;
      }
      Steps s = steps_make(machine(kKinds + k, kIntegrators[i]));
      scatter(&s, 3 + (unsigned)k);
      if (ladder_wrong(&s, 1e-7)) {
        fail_msg("integrator %d, kind %d", kIntegrators[i], k);
      }
      steps_free(&s);
    }
  }
}

// The products of the adjoint with all rows are those of the matrices.
TEST(adjoint_has_the_drives) {
  DOUBLE_ONLY();
  for (int i = 0; i < 5; i++) {
    Steps s = steps_make(machine(kKinds, kIntegrators[i]));
    scatter(&s, 9);
    mj_forward(s.m, s.d);
    cnd_transitionExact(s.m, s.d, s.A, s.B, s.C, s.D);
    mjtNum *weight = calloc((size_t)s.ny, sizeof(mjtNum)),
           *product = calloc((size_t)(s.nx + s.nu), sizeof(mjtNum));
    for (int row = 0; row < s.ny; row++) {
      mju_zero(weight, s.ny);
      weight[row] = 1;
      cnd_transitionAdjoint(s.m, s.d, weight, weight + s.nx, product, product + s.nx, NULL);
      for (int j = 0; j < s.nx + s.nu; j++) {
        mjtNum exact = steps_exact(&s, row, j);
        assert_near(product[j], exact, 1e-10 * (1 + fabs((double)exact)));
      }
    }
    free(weight);
    free(product);
    steps_free(&s);
  }
}

// The numbers are those of the engine.
TEST(forces_and_rates_are_those_of_the_engine) {
  Steps s = steps_make(machine(kKinds + 2, mjINT_EULER));
  scatter(&s, 4);
  mj_forward(s.m, s.d);
  for (int i = 0; i < (int)s.m->nactuator; i++) {
    Drive drive;
    if (!gain_has_law(s.m->actuator_gaintype[i])) {
      continue;
    }
    drive_make(&drive, s.m, s.d, i);
    const mjtNum* range = s.m->actuator_forcerange + 2 * i;
    mjtNum force = drive.force.x;
    force = s.m->actuator_forcelimited[i] ? mju_clip(force, range[0], range[1]) : force;
    assert_near(force + drive.friction.x, s.d->actuator_force[i], 1e-12);
    for (int k = 0; k < drive.nact; k++) {
      int j = s.m->actuator_actadr[i] + k;
      assert_near(drive.rate[k].x, s.d->act_dot[j], 1e-9 * (1 + fabs((double)s.d->act_dot[j])));
    }
  }
  Drive before[8];
  for (int i = 0; i < 8; i++) {
    if (gain_has_law(s.m->actuator_gaintype[i])) {
      drive_make(before + i, s.m, s.d, i);
    }
  }
  mj_Euler(s.m, s.d);
  for (int i = 0; i < 8; i++) {
    int has_law = gain_has_law(s.m->actuator_gaintype[i]);
    for (int k = 0; has_law && k < before[i].nact; k++) {
      assert_near(before[i].next[k].x, s.d->act[s.m->actuator_actadr[i] + k], 1e-12);
    }
  }
  steps_free(&s);
}

TEST(what_has_no_derivative_is_named) {
  mjModel* m = machine(kKinds + 2, mjINT_RK4);
  mjData* d = test_data(m);
  mjtNum* next = calloc((size_t)(2 * m->nv + m->na), sizeof(mjtNum));
  mjtNum gain[8 * mjNGAIN];
  assert_error(cnd_transitionExact(m, d, NULL, NULL, NULL, NULL),
               "actuator 4 is a motor with friction of bristles");
  m->opt.integrator = mjINT_EULER;
  cndParameterGradient by = {.actuator_gainprm = gain};
  assert_error(cnd_transitionAdjoint(m, d, next, NULL, NULL, NULL, &by),
               "actuator 0 is a controller or motor: no gradient by its parameters");
  m = test_model(
      "<mujoco><worldbody><body><joint name='b' type='ball'/><geom size='.1'/></body></worldbody>"
      "<actuator><orientation joint='b'/></actuator></mujoco>");
  d = test_data(m);
  assert_error(cnd_transitionExact(m, d, NULL, NULL, NULL, NULL), "actuator 0 is an orientation");
  free(next);
}
