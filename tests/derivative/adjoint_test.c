// Products with the derivative of a step: against its matrices, and gradients by parameters against
// differences.

#include "derivative/steps.h"

static void fill(mjtNum* v, int n, unsigned* seed) {
  for (int i = 0; i < n; i++) {
    *seed = *seed * 1664525u + 1013904223u;
    v[i] = (mjtNum)(*seed >> 8) / (1 << 23) - 1;
  }
}

// dstate = A' dnext + C' dsensor, dctrl = B' dnext + D' dsensor
static void compare_with_matrices(const char* file) {
  unsigned seed = 17;
  mjModel* m = test_model_file("%s", file);
  for (int integrator = mjINT_EULER; integrator <= mjINT_DISCRETE; integrator++) {
    m->opt.integrator = integrator;
    Steps s = steps_make(m);
    steps_scatter(&s, &seed, (mjtNum)0.3);
    int n = s.nx + s.ns, inputs = s.nx + s.nu;
    mjtNum* weight = calloc((size_t)(n + inputs + 1), sizeof(mjtNum));
    mjtNum* product = weight + n;
    fill(weight, n, &seed);
    cnd_transitionExact(m, s.d, s.A, s.B, s.C, s.D);
    cnd_transitionAdjoint(m, s.d, weight, weight + s.nx, product, product + s.nx, NULL);
    for (int j = 0; j < inputs; j++) {
      double sum = 0, size = 1e-3;
      for (int i = 0; i < n; i++) {
        double term = (double)(weight[i] * steps_exact(&s, i, j));
        sum += term;
        size += fabs(term);
      }
      if (!(fabs(sum - (double)product[j]) < 1e-10 * size)) {
        fail_msg("%s, integrator %d, input %d: %.15g, expected %.15g", file, integrator, j,
                 (double)product[j], sum);
      }
    }
    free(weight);
    steps_free(&s);
  }
  test_release(m);
}

TEST(products_are_those_of_the_matrices) {
  DOUBLE_ONLY();
  compare_with_matrices("models/chain.xml");
  compare_with_matrices("models/humanoid.xml");
  compare_with_matrices("tests/models/actuator_muscle.xml");
  compare_with_matrices("tests/models/actuator_groups.xml");
  compare_with_matrices("tests/models/fluid_ellipsoid.xml");
  compare_with_matrices("tests/models/tendon_armature.xml");
  compare_with_matrices("tests/models/sensor_accelerations.xml");
}

enum {
  LOSSES = 3
};

// The gradients of several losses at once, by inputs or by parameters alone, are those of each.
static void compare_with_each(const char* file) {
  unsigned seed = 29;
  mjModel* m = test_model_file("%s", file);
  for (int integrator = mjINT_EULER; integrator <= mjINT_IMPLICITFAST; integrator++) {
    m->opt.integrator = integrator;
    Steps s = steps_make(m);
    steps_scatter(&s, &seed, (mjtNum)0.3);
    size_t nx = (size_t)s.nx, nu = (size_t)s.nu, nv = (size_t)m->nv, one = nx + nu + 2 * nv;
    mjtNum* dnext = calloc(LOSSES * (nx + one) + one + 4 * LOSSES * nv, sizeof(mjtNum));
    mjtNum *dstate = dnext + LOSSES * nx, *dctrl = dstate + LOSSES * nx;
    mjtNum *damping = dctrl + LOSSES * nu, *armature = damping + LOSSES * nv;
    mjtNum *single = armature + LOSSES * nv, *alone = single + one;
    fill(dnext, LOSSES * s.nx, &seed);
    const cndParameterGradient all = {.dof_damping = damping, .dof_armature = armature};
    const cndParameterGradient bare = {.dof_damping = alone, .dof_armature = alone + LOSSES * nv};
    int kinks = cnd_transitionAdjoints(m, s.d, LOSSES, dnext, NULL, dstate, dctrl, &all);
    assert_int_equal(cnd_transitionAdjoints(m, s.d, LOSSES, dnext, NULL, NULL, NULL, &bare), kinks);
    for (size_t k = 0; k < LOSSES; k++) {
      memset(single, 0, one * sizeof(mjtNum));
      cndParameterGradient own = {.dof_damping = single + nx + nu,
                                  .dof_armature = single + nx + nu + nv};
      cnd_transitionAdjoint(m, s.d, dnext + k * nx, NULL, single, single + nx, &own);
      for (size_t i = 0; i < nx; i++) {
        assert_near(dstate[k * nx + i], single[i], 1e-11 * (1 + fabs(single[i])));
      }
      for (size_t i = 0; i < nu; i++) {
        assert_near(dctrl[k * nu + i], single[nx + i], 1e-11 * (1 + fabs(single[nx + i])));
      }
      for (size_t i = 0; i < nv; i++) {
        mjtNum d = own.dof_damping[i], a = own.dof_armature[i];
        assert_near(damping[k * nv + i], d, 1e-11 * (1 + fabs(d)));
        assert_near(armature[k * nv + i], a, 1e-11 * (1 + fabs(a)));
        assert_near(bare.dof_damping[k * nv + i], d, 1e-11 * (1 + fabs(d)));
        assert_near(bare.dof_armature[k * nv + i], a, 1e-11 * (1 + fabs(a)));
      }
    }
    free(dnext);
    steps_free(&s);
  }
  test_release(m);
}

TEST(several_losses_have_the_gradients_of_each) {
  DOUBLE_ONLY();
  compare_with_each("models/chain.xml");
  compare_with_each("models/humanoid.xml");
  compare_with_each("tests/models/tendon_armature.xml");
}

TEST(no_losses_have_no_gradients_and_fewer_are_refused) {
  mjModel* m = test_model_file("%s", "models/chain.xml");
  mjData* d = mj_makeData(m);
  assert_int_equal(cnd_transitionAdjoints(m, d, 0, NULL, NULL, NULL, NULL, NULL), 0);
  assert_error(cnd_transitionAdjoints(m, d, -1, NULL, NULL, NULL, NULL, NULL), "count is -1");
  mj_deleteData(d);
  test_release(m);
}

// dnext . (change of the next state) per unit of a parameter
static double slope(Steps* s, mjtNum* parameter, const mjtNum* dnext, mjtNum h) {
  const mjModel* m = s->m;
  mjtNum before = *parameter, *change = calloc((size_t)m->nv + 1, sizeof(mjtNum));
  double sum = 0;
  for (int side = 0; side < 2; side++) {
    *parameter = before + (side ? h : -h);
    mj_setState(m, s->work, s->start, STEPS_SPEC);
    steps_evaluate(s->y[side], s, s->nx, 0);
  }
  *parameter = before;
  mj_differentiatePos(m, change, 2 * h, s->y[0], s->y[1]);
  for (int i = 0; i < s->nx; i++) {
    int at = i - m->nv + m->nq;
    mjtNum by = i < m->nv ? change[i] : (s->y[1][at] - s->y[0][at]) / (2 * h);
    sum += (double)(dnext[i] * by);
  }
  free(change);
  return sum;
}

static void compare_parameter(Steps* s, mjtNum* parameter, const mjtNum* dnext, mjtNum gradient,
                              const char* name, int i, double size) {
  mjtNum h =
      (mjtNum)1e-3 * (mju_abs(*parameter) > (mjtNum)1e-3 ? mju_abs(*parameter) : (mjtNum)0.1);
  double wide = slope(s, parameter, dnext, h), narrow = slope(s, parameter, dnext, h / 2);
  double expected = (4 * narrow - wide) / 3;
  if (!(fabs(expected - (double)gradient) < 1e-6 * (size + fabs(expected)))) {
    fail_msg("%s %d, integrator %d: %.12g, expected %.12g", name, i, s->m->opt.integrator,
             (double)gradient, expected);
  }
}

static double largest(const mjtNum* v, int n) {
  double most = 1e-6;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs((double)v[i]));
  }
  return most;
}

// every joint type, gravity compensation of both kinds, gains of velocity; without fluids and
// muscles
static const char kParts[] =
    "<mujoco><option timestep='.01'/><worldbody><body name='a' pos='0 0 1'><freejoint/>"
    "<geom type='box' size='.1 .2 .3' euler='10 20 30'/><body pos='.3 0 0' gravcomp='.4'>"
    "<joint type='ball' damping='.3' armature='.02'/><geom type='capsule' size='.05 .2' "
    "pos='.2 0 0'/><body pos='.4 0 0' gravcomp='.7'><joint name='h' axis='1 2 3' damping='.2' "
    "armature='.05' actuatorgravcomp='true'/><joint name='s' type='slide' axis='0 1 1' "
    "damping='1' armature='.1'/><geom type='box' size='.1 .05 .2' pos='0 .1 0'/>"
    "<site name='t' pos='.1 .2 .1'/></body></body></body>"
    "<body pos='1 0 1'><joint name='e' axis='0 1 0' damping='.1' armature='.01'/>"
    "<geom size='.1' pos='.2 0 .1'/></body></worldbody><actuator>"
    "<general joint='h' gaintype='affine' gainprm='2 .5 -.3' biastype='affine' "
    "biasprm='.1 -2 -.4'/><motor joint='e' gear='2'/><general site='t' gear='1 2 0 0 1 0' "
    "gaintype='affine' gainprm='1 0 -.2' dyntype='filter' dynprm='.1'/>"
    "<position joint='s' kp='20' kv='2'/></actuator></mujoco>";

TEST(parameters_agree_with_differences) {
  DOUBLE_ONLY();
  unsigned seed = 23;
  mjModel* m = test_model(kParts);
  for (int integrator = mjINT_EULER; integrator <= mjINT_IMPLICITFAST; integrator++) {
    m->opt.integrator = integrator;
    Steps s = steps_make(m);
    steps_scatter(&s, &seed, (mjtNum)0.4);
    mj_forward(m, s.d);
    mj_getState(m, s.d, s.start, STEPS_SPEC);
    int nbody = m->nbody, nv = m->nv, nu = m->nu;
    mjtNum* dnext = calloc((size_t)s.nx, sizeof(mjtNum));
    mjtNum* all = calloc((size_t)(4 * nbody + 2 * nv + (mjNGAIN + mjNBIAS) * nu), sizeof(mjtNum));
    cndParameterGradient out = {.body_mass = all,
                                .body_inertia = all + nbody,
                                .dof_damping = all + 4 * nbody,
                                .dof_armature = all + 4 * nbody + nv,
                                .actuator_gainprm = all + 4 * nbody + 2 * nv,
                                .actuator_biasprm = all + 4 * nbody + 2 * nv + mjNGAIN * nu};
    fill(dnext, s.nx, &seed);
    cnd_transitionAdjoint(m, s.d, dnext, NULL, NULL, NULL, &out);
    const struct {
      const char* name;
      mjtNum *field, *gradient;
      int n, step, used;
    } part[] = {{"mass", m->body_mass, out.body_mass, nbody, 1, 1},
                {"inertia", m->body_inertia, out.body_inertia, 3 * nbody, 1, 1},
                {"damping", m->dof_damping, out.dof_damping, nv, 1, 1},
                {"armature", m->dof_armature, out.dof_armature, nv, 1, 1},
                {"gain", m->actuator_gainprm, out.actuator_gainprm, nu, mjNGAIN, 3},
                {"bias", m->actuator_biasprm, out.actuator_biasprm, nu, mjNBIAS, 3}};
    for (size_t p = 0; p < sizeof part / sizeof part[0]; p++) {
      double size = largest(part[p].gradient, part[p].n * part[p].step);
      for (int i = 0; i < part[p].n; i++) {
        for (int k = 0; k < part[p].used; k++) {
          int at = i * part[p].step + k;
          int is_idle = (p < 2 && at < (p ? 3 : 1)) || (p == 2 && m->dof_damping[i] == 0) ||
                        (p == 3 && m->dof_armature[i] == 0) ||
                        (p == 4 && k && m->actuator_gaintype[i] != mjGAIN_AFFINE) ||
                        (p == 5 && m->actuator_biastype[i] != mjBIAS_AFFINE);
          if (!is_idle) {
            compare_parameter(&s, part[p].field + at, dnext, part[p].gradient[at], part[p].name, at,
                              size);
          }
        }
      }
    }
    free(dnext);
    free(all);
    steps_free(&s);
  }
}

// Shapes that rest on a plane: friction, places and sizes of geoms, and dry friction of a joint.
TEST(contacts_agree_with_differences) {
  DOUBLE_ONLY();
  unsigned seed = 31;
  mjModel* m = test_model(
      "<mujoco><option timestep='.005' cone='elliptic'/><worldbody><geom type='plane' size='5 5 1' "
      "friction='.3 .01 .001'/><body pos='0 0 .09'><freejoint/><geom size='.1' condim='4' "
      "friction='.8 .02 .003'/></body><body pos='1 0 .12' euler='0 80 0'><freejoint/>"
      "<geom type='capsule' size='.1 .2' friction='.6 .01 .001'/><body pos='0 0 .3'>"
      "<joint name='j' axis='0 1 0' frictionloss='.05'/><geom type='ellipsoid' size='.1 .08 .12' "
      "mass='.3'/></body></body></worldbody></mujoco>");
  m->opt.tolerance = 0;
  memset(m->geom_sameframe, 0,
         (size_t)m->ngeom);  // geoms that are moved are not in their body's frame
  for (int integrator = mjINT_EULER; integrator <= mjINT_IMPLICITFAST; integrator++) {
    m->opt.integrator = integrator;
    Steps s = steps_make(m);
    s.d->qvel[0] = (mjtNum)0.5;
    s.d->qvel[6] = (mjtNum)-0.4;
    s.d->qvel[8] = (mjtNum)-0.3;
    s.d->qvel[12] = (mjtNum)0.8;
    mj_forward(m, s.d);
    assert_that(s.d->ncon, >=, 2);
    mju_copy(s.d->qacc_warmstart, s.d->qacc, m->nv);
    mj_getState(m, s.d, s.start, STEPS_SPEC);
    int n = m->ngeom;
    mjtNum* dnext = calloc((size_t)s.nx, sizeof(mjtNum));
    mjtNum* all = calloc((size_t)(9 * n + m->nv), sizeof(mjtNum));
    cndParameterGradient out = {.geom_friction = all,
                                .geom_pos = all + 3 * n,
                                .geom_size = all + 6 * n,
                                .dof_frictionloss = all + 9 * n};
    fill(dnext, s.nx, &seed);
    cnd_transitionAdjoint(m, s.d, dnext, NULL, NULL, NULL, &out);
    for (int i = 1; i < n; i++) {
      for (int k = 3 * i; k < 3 * i + 3; k++) {
        compare_parameter(&s, m->geom_friction + k, dnext, out.geom_friction[k], "friction", k,
                          largest(out.geom_friction, 3 * n));
        compare_parameter(&s, m->geom_pos + k, dnext, out.geom_pos[k], "place", k,
                          largest(out.geom_pos, 3 * n));
        if (m->geom_size[k] > 0) {
          compare_parameter(&s, m->geom_size + k, dnext, out.geom_size[k], "size", k,
                            largest(out.geom_size, 3 * n));
        }
      }
    }
    compare_parameter(&s, m->dof_frictionloss + m->nv - 1, dnext, out.dof_frictionloss[m->nv - 1],
                      "dry friction", m->nv - 1, 1e-6);
    free(dnext);
    free(all);
    steps_free(&s);
  }
}

TEST(unknown_gradients_are_refused) {
  mjModel* m = test_model(
      "<mujoco><option density='1'/><worldbody><body><joint name='j' type='slide'/>"
      "<geom size='.1'/></body></worldbody><actuator><motor name='a' joint='j'/></actuator>"
      "<sensor><actuatorfrc actuator='a'/></sensor></mujoco>");
  mjData* d = test_data(m);
  mjtNum dnext[2] = {1, 0}, dsensor[1] = {1}, mass[2] = {0, 0}, gain[mjNGAIN] = {0};
  cndParameterGradient by_mass = {.body_mass = mass}, by_gain = {.actuator_gainprm = gain};
  assert_error(cnd_transitionAdjoint(m, d, dnext, NULL, NULL, NULL, &by_mass), "fluid");
  assert_error(cnd_transitionAdjoint(m, d, dnext, dsensor, NULL, NULL, &by_gain),
               "measures parameters themselves");
  cnd_transitionAdjoint(m, d, dnext, NULL, NULL, NULL, &by_gain);
}
