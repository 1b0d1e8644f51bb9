// A pool of threads changes no bit of derivatives, exact or by differences, and data end in the
// same state. What a program has set is called on its own thread.

#include <condyle/derivative.h>
#include <pthread.h>

#include "support/caught.h"
#include "support/models.h"

// Arms of capsules that lie on the floor and over each other.
static mjModel* arms(const char* option, int count, int links) {
  char xml[20000];
  int n = snprintf(xml, sizeof xml,
                   "<mujoco>%s<size memory='60M'/><default><joint damping='.3' stiffness='2'/>"
                   "</default><worldbody><geom type='plane' size='9 9 1'/>",
                   option);
  for (int k = 0; k < count; k++) {
    for (int i = 0; i < links; i++) {
      n += snprintf(xml + n, sizeof xml - (size_t)n,
                    "<body pos='%g %g %g'><joint name='j%d_%d' type='%s'/><geom type='capsule' "
                    "fromto='0 0 0 .1 0 0' size='.05'/>",
                    i ? 0.1 : 0.0, i ? 0.0 : 0.09 * k, i ? 0.0 : 0.049 + 0.02 * k, k, i,
                    i ? "ball" : "free");
    }
    for (int i = 0; i < links; i++) {
      n += snprintf(xml + n, sizeof xml - (size_t)n, "</body>");
    }
  }
  n += snprintf(xml + n, sizeof xml - (size_t)n, "</worldbody><actuator>");
  for (int k = 0; k < count; k++) {
    n +=
        snprintf(xml + n, sizeof xml - (size_t)n,
                 "<position joint='j%d_1' gear='1 0 0' kp='3'/><general joint='j%d_2' gear='0 1 0' "
                 "dyntype='filter' dynprm='.1' gainprm='2'/>",
                 k, k);
  }
  snprintf(xml + n, sizeof xml - (size_t)n,
           "</actuator><sensor><ballangvel joint='j0_1'/></sensor></mujoco>");
  return test_model(xml);
}

// All matrices of a state, and what the data are left as.
typedef struct {
  mjData* d;
  size_t n;
  mjtNum* all;
} Derived;

static Derived derive(const mjModel* m, const mjData* start, int nworker, int exact) {
  size_t nv = (size_t)m->nv, nx = 2 * nv + (size_t)m->na, nu = (size_t)m->nu;
  size_t ns = (size_t)m->nsensordata;
  Derived out = {mj_copyData(NULL, m, start), (nx + ns) * (nx + nu) + 3 * nv * nv, NULL};
  out.all = calloc(out.n, sizeof(mjtNum));
  mjtNum *A = out.all, *B = A + nx * nx, *C = B + nx * nu, *D = C + ns * nx, *F = D + ns * nu;
  mju_threadpool(out.d, nworker);
  if (exact) {
    cnd_transitionExact(m, out.d, A, B, C, D);
  } else {
    mjd_transitionFD(m, out.d, (mjtNum)1e-6, 1, A, B, C, D);
    if (m->opt.integrator != mjINT_RK4) {
      mjd_inverseFD(m, out.d, (mjtNum)1e-6, 0, F, F + nv * nv, F + 2 * nv * nv, NULL, NULL, NULL,
                    NULL);
    }
  }
  return out;
}

static void derived_free(Derived* s) {
  mj_deleteData(s->d);
  free(s->all);
}

static void same(const mjModel* m, const Derived* a, const Derived* b) {
  assert_memory_equal(a->all, b->all, a->n * sizeof(mjtNum));
  assert_memory_equal(a->d->qpos, b->d->qpos, (size_t)m->nq * sizeof(mjtNum));
  assert_memory_equal(a->d->qvel, b->d->qvel, (size_t)m->nv * sizeof(mjtNum));
  assert_memory_equal(a->d->qacc, b->d->qacc, (size_t)m->nv * sizeof(mjtNum));
  assert_memory_equal(a->d->xpos, b->d->xpos, 3 * (size_t)m->nbody * sizeof(mjtNum));
  assert_memory_equal(a->d->qacc_warmstart, b->d->qacc_warmstart, (size_t)m->nv * sizeof(mjtNum));
  assert_int_equal(a->d->nefc, b->d->nefc);
  assert_memory_equal(a->d->efc_force, b->d->efc_force, (size_t)a->d->nefc * sizeof(mjtNum));
  assert_memory_equal(a->d->efc_D, b->d->efc_D, (size_t)a->d->nefc * sizeof(mjtNum));
  assert_that(a->d->pstack, ==, b->d->pstack);
  for (int i = 0; i < mjNWARNING; i++) {
    assert_int_equal(a->d->warning[i].number, b->d->warning[i].number);
  }
  assert_int_equal(a->d->maxuse_con, b->d->maxuse_con);
}

// Of one thread, without and with a pool, of two, three and eight.
static void same_bits(mjModel* m, int steps, int exact) {
  static const int workers[] = {1, 2, 7};
  mjData* start = test_data(m);
  for (int i = 0; i < steps; i++) {
    mj_step(m, start);
  }
  for (int i = 0; i < m->nu; i++) {
    start->ctrl[i] = (mjtNum)0.2;
  }
  mj_forward(m, start);
  assert_that(start->ncon, >, 0);
  Derived alone = derive(m, start, 0, exact);
  for (int i = 0; i < 3; i++) {
    Derived pooled = derive(m, start, workers[i], exact);
    same(m, &alone, &pooled);
    derived_free(&pooled);
  }
  derived_free(&alone);
}

TEST(exact_derivatives_have_the_same_bits) {
  mjModel* m = arms("", 3, 14);
  for (int i = mjINT_EULER; i <= mjINT_DISCRETE; i++) {
    m->opt.integrator = i;
    same_bits(m, 30, 1);
  }
}

TEST(differences_have_the_same_bits) {
  mjModel* m = arms("", 3, 3);
  for (int i = mjINT_EULER; i <= mjINT_DISCRETE; i++) {
    m->opt.integrator = i;
    same_bits(m, 30, 0);
  }
  same_bits(
      arms("<option cone='elliptic' jacobian='sparse'><flag island='disable'/></option>", 2, 4), 30,
      0);
  same_bits(arms("<option solver='PGS' impratio='2'/>", 3, 3), 30, 0);
  same_bits(test_model_file("models/humanoid.xml"), 100, 0);
}

// A column that warns is evaluated again by the caller, so that warnings are counted as ever.
TEST(warnings_are_counted_once) {
  mjModel* m = arms("", 3, 3);
  for (int i = 0; i < m->ngeom; i++) {
    m->geom_solref[mjNREF * i] = -100;
    m->geom_solref[mjNREF * i + 1] = 1;
  }
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = silent;
  same_bits(m, 5, 0);
  mju_user_warning = before;
}

static pthread_t caller;
static int calls;

static void push(const mjModel* m, mjData* d) {
  assert_true(pthread_equal(caller, pthread_self()));
  calls++;
  d->qfrc_passive[m->nv - 1] -= d->qvel[m->nv - 1];
}

TEST(callbacks_stay_on_the_calling_thread) {
  mjModel* m = arms("", 2, 3);
  caller = pthread_self();
  calls = 0;
  mjcb_passive = push;
  same_bits(m, 30, 0);
  mjcb_passive = NULL;
  assert_that(calls, >, 4 * m->nv);
}

// An error in a column is that of the caller, and the pool serves afterwards.
TEST(errors_are_the_callers) {
  mjModel* m = arms("", 2, 3);
  mjData* d = test_data(m);
  size_t nx = 2 * (size_t)m->nv + (size_t)m->na;
  mjtNum* A = calloc(nx * nx, sizeof(mjtNum));
  for (int i = 0; i < 30; i++) {
    mj_step(m, d);
  }
  mju_threadpool(d, 2);
  m->geom_condim[0] = 7;
  m->geom_priority[0] = 1;
  assert_error(mjd_transitionFD(m, d, (mjtNum)1e-6, 0, A, NULL, NULL, NULL), "condim");
  m->geom_condim[0] = 3;
  mj_resetData(m, d);
  mjd_transitionFD(m, d, (mjtNum)1e-6, 0, A, NULL, NULL, NULL);
  mjtNum* again = calloc(nx * nx, sizeof(mjtNum));
  mjData* fresh = test_data(m);
  mjd_transitionFD(m, fresh, (mjtNum)1e-6, 0, again, NULL, NULL, NULL);
  assert_memory_equal(A, again, nx * nx * sizeof(mjtNum));
  free(A);
  free(again);
}
