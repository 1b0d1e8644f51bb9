// Exact derivatives of inverse dynamics, against differences, and against those of the step they
// invert.

#include "derivative/steps.h"

// All seven matrices in one block.
typedef struct Inverse_ {
  mjtNum* block;
  int part[8];  // where each begins, and the end
} Inverse;

static Inverse inverse_make(const mjModel* m) {
  int square = m->nv * m->nv, sensors = m->nv * m->nsensordata;
  const int size[7] = {square, square, square, sensors, sensors, sensors, m->nv * m->nM};
  Inverse out = {0};
  for (int i = 0; i < 7; i++) {
    out.part[i + 1] = out.part[i] + size[i];
  }
  out.block = calloc((size_t)out.part[7] + 1, sizeof(mjtNum));
  return out;
}

static mjtNum* part_of(const Inverse* v, int i) {
  return v->part[i + 1] > v->part[i] ? v->block + v->part[i] : NULL;
}

#define PARTS(v)                                                                            \
  part_of(v, 0), part_of(v, 1), part_of(v, 2), part_of(v, 3), part_of(v, 4), part_of(v, 5), \
      part_of(v, 6)

// Forward quotients of both signs make a centered one.
static void compare(const mjModel* m, mjData* d, const char* name) {
  const mjtNum h = (mjtNum)2e-4;
  Inverse exact = inverse_make(m), fd[4];
  cnd_inverseExact(m, d, 1, PARTS(&exact));
  for (int k = 0; k < 4; k++) {
    fd[k] = inverse_make(m);
    mjd_inverseFD(m, d, (k & 1 ? -h : h) / (mjtNum)(k & 2 ? 2 : 1), 1, PARTS(&fd[k]));
  }
  for (int part = 0; part < 7; part++) {
    double size = 1e-3;
    for (int i = exact.part[part]; i < exact.part[part + 1]; i++) {
      size = fmax(size, fabs((double)fd[0].block[i]));
    }
    for (int i = exact.part[part]; i < exact.part[part + 1]; i++) {
      double wide = (double)(fd[0].block[i] + fd[1].block[i]) / 2;
      double narrow = (double)(fd[2].block[i] + fd[3].block[i]) / 2;
      double gap = fabs((double)exact.block[i] - (4 * narrow - wide) / 3);
      if (fabs(wide - narrow) < 3e-5 * size && !(gap < 1e-6 * size)) {
        fail_msg("%s, integrator %d, part %d: %.12g is off by %g", name, m->opt.integrator, part,
                 (double)exact.block[i], gap);
      }
    }
  }
  free(exact.block);
  for (int k = 0; k < 4; k++) {
    free(fd[k].block);
  }
}

static void check_file(const char* file, int discrete) {
  unsigned seed = 3;
  mjModel* m = test_model_file("%s", file);
  m->opt.enableflags |= discrete ? mjENBL_INVDISCRETE : 0;
  for (int i = mjINT_EULER; i <= mjINT_DISCRETE; i++) {
    if (i == mjINT_RK4) {
      continue;
    }
    m->opt.integrator = i;
    Steps s = steps_make(m);
    steps_scatter(&s, &seed, (mjtNum)0.3);
    for (int k = 0; k < m->nv; k++) {
      s.d->qacc[k] = 3 * s.d->qvel[k] - (mjtNum)(k % 3);
    }
    compare(m, s.d, file);
    steps_free(&s);
  }
  test_release(m);
}

TEST(inverse_agrees_with_differences) {
  DOUBLE_ONLY();
  check_file("tests/models/tendon_armature.xml", 0);
  check_file("tests/models/actuator_site.xml", 0);
  check_file("tests/models/equality_bodies.xml", 0);
  check_file("tests/models/sensor_accelerations.xml", 0);
}

TEST(discrete_inverse_agrees_with_differences) {
  DOUBLE_ONLY();
  check_file("tests/models/tendon_armature.xml", 1);
  check_file("tests/models/fluid_ellipsoid.xml", 1);
  check_file("tests/models/integrator_eulerdamp.xml", 1);
}

// df/dq + df/da da/dq = 0 along solutions: with f(q, v, a) = 0 the step's own derivative of a is
// -(df/da)^-1 df/dq
TEST(inverse_undoes_the_step) {
  DOUBLE_ONLY();
  unsigned seed = 11;
  mjModel* m = test_model_file("tests/models/equality_bodies.xml");
  m->opt.integrator = mjINT_EULER;
  m->opt.tolerance = 0;
  m->opt.disableflags |= mjDSBL_EULERDAMP;
  Steps s = steps_make(m);
  steps_scatter(&s, &seed, (mjtNum)0.2);
  mju_zero(s.d->xfrc_applied, 6 * m->nbody);
  mju_zero(s.d->qfrc_applied, m->nv);
  Inverse inverse = inverse_make(m);
  mj_forward(m, s.d);
  cnd_transitionExact(m, s.d, s.A, NULL, NULL, NULL);
  mj_forward(m, s.d);
  cnd_inverseExact(m, s.d, 1, part_of(&inverse, 0), NULL, part_of(&inverse, 2), NULL, NULL, NULL,
                   NULL);
  const mjtNum *Fq = part_of(&inverse, 0), *Fa = part_of(&inverse, 2);
  int nv = m->nv;
  for (int i = 0; i < nv; i++) {
    for (int j = 0; j < nv; j++) {
      double sum = (double)Fq[j * nv + i], size = fabs(sum);
      for (int k = 0; k < nv; k++) {
        double a = (double)(s.A[(nv + k) * s.nx + j] / m->opt.timestep);
        sum += (double)Fa[k * nv + i] * a;
        size += fabs((double)Fa[k * nv + i] * a);
      }
      assert_that(fabs(sum), <=, 1e-9 * (size + 1));
    }
  }
  free(inverse.block);
  steps_free(&s);
}

TEST(wrong_settings_are_refused) {
  mjModel* m = test_model(
      "<mujoco><option integrator='RK4'><flag invdiscrete='enable'/></option><worldbody><body>"
      "<joint type='slide'/><geom size='.1'/></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  assert_error(cnd_inverseExact(m, d, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
               "Runge-Kutta has no inverse");
}
