// Derivatives by finite differences beside the reference's, of every kind of model.
//
// Both engines divide rounding errors by eps, so it is small enough for the second order to vanish
// and no smaller. Solvers are driven to their minimum.

#include "support/models.h"
#include "support/zoo.h"

enum {
  MATRICES = 7
};

static const mjtNum kEps = (mjtNum)1e-6;

// Stiff contacts magnify what both engines round off: the worst of all matrices is at 1.03e-6.
static const double kTolerance = 2e-6;

typedef void TransitionFD(void* m, void* d, mjtNum eps, mjtByte centered, mjtNum* A, mjtNum* B,
                          mjtNum* C, mjtNum* D);
typedef void InverseFD(void* m, void* d, mjtNum eps, mjtByte actuation, mjtNum* DfDq, mjtNum* DfDv,
                       mjtNum* DfDa, mjtNum* DsDq, mjtNum* DsDv, mjtNum* DsDa, mjtNum* DmDq);

// Matrices of one call, one after another.
typedef struct Matrices_ {
  size_t size[MATRICES];
  mjtNum *ours[MATRICES], *reference[MATRICES];
} Matrices;

static Matrices matrices_make(const size_t size[MATRICES]) {
  Matrices all = {0};
  for (int i = 0; i < MATRICES; i++) {
    all.size[i] = size[i];
    all.ours[i] = calloc(size[i] + 1, sizeof(mjtNum));
    all.reference[i] = calloc(size[i] + 1, sizeof(mjtNum));
  }
  return all;
}

static void matrices_free(Matrices* all) {
  for (int i = 0; i < MATRICES; i++) {
    free(all->ours[i]);
    free(all->reference[i]);
  }
}

// Differences of numbers of that size have rounding errors of some 1e-16 / eps of it, more after
// cancellation.
static double noise(double size) {
  return 1e-14 / (double)kEps * size;
}

static int differences, compared;

// sizes: of what is differentiated
static void compare(const Matrices* all, const char* model, const char* const names[], int n,
                    const double sizes[], double tolerance) {
  for (int i = 0; i < n; i++) {
    char label[1100];
    snprintf(label, sizeof label, "%s: %s", model, names[i]);
    if (all->size[i]) {
      differences += numbers_differ(label, all->ours[i], all->reference[i], all->size[i], tolerance,
                                    noise(sizes[i]) / tolerance);
      compared++;
    }
  }
}

#define FUNCTION(type, name) ((type*)(uintptr_t)bridge_function(name))

static double sensor_size(const Bridge* b) {
  double size = largest_of(b->d->sensordata, b->m->nsensordata);
  size = fmax(size, largest_of(b->d->efc_force, b->d->nefc));
  return fmax(size, largest_of(b->d->qacc, b->m->nv));
}

// Zeros where sensors of a type are: sensor i, input j has its place at row i + column j.
static void drop_sensors(mjtNum* D, const mjModel* m, int type, int row, int column, int inputs) {
  for (int i = 0; i < m->nsensor; i++) {
    int end = m->sensor_adr[i] + m->sensor_dim[i];
    for (int k = m->sensor_adr[i]; m->sensor_type[i] == type && k < end; k++) {
      for (int j = 0; j < inputs; j++) {
        D[row * k + column * j] = 0;
      }
    }
  }
}

// Distances of convex shapes are found by iterations, which end where rounding decides. Kinetic
// energy is a sensor of the stage of position, so the reference takes it as constant when
// velocities change.
static const int others[] = {mjSENS_GEOMDIST, mjSENS_GEOMNORMAL, mjSENS_GEOMFROMTO,
                             mjSENS_E_KINETIC};

// The reference measures the forces of actuators in inverse dynamics before it computes them, so
// these sensors show those of the column before.
static const int actuators[] = {mjSENS_ACTUATORFRC, mjSENS_JOINTACTFRC, mjSENS_TENDONACTFRC};

static void compare_transition(Bridge* b, const char* model, int centered, double tolerance) {
  static const char* const names[] = {"A", "B", "C", "D"};
  const mjModel* m = b->m;
  size_t nx = (size_t)(2 * m->nv + m->na), nu = (size_t)m->nu, ns = (size_t)m->nsensordata;
  const size_t size[MATRICES] = {nx * nx, nx * nu, ns * nx, ns * nu};
  Matrices all = matrices_make(size);
  mjtNum **x = all.ours, **y = all.reference;
  mjd_transitionFD(m, b->d, kEps, (mjtByte)centered, x[0], x[1], x[2], x[3]);
  FUNCTION(TransitionFD, "mjd_transitionFD")
  (b->ref_m, b->ref_d, kEps, (mjtByte)centered, y[0], y[1], y[2], y[3]);

  // the reference has the other sign in D where both nudges are possible
  for (size_t j = 0; centered && j < nu; j++) {
    const mjtNum* range = m->actuator_ctrlrange + 2 * j;
    mjtNum u = b->d->ctrl[j];
    if (!m->actuator_ctrllimited[j] || (range[0] <= u - kEps && u + kEps <= range[1])) {
      for (size_t i = 0; i < ns; i++) {
        y[3][i * nu + j] *= -1;
      }
    }
  }
  for (int k = 0; k < 4; k++) {
    drop_sensors(x[2], m, others[k], (int)nx, 1, (int)nx);
    drop_sensors(y[2], m, others[k], (int)nx, 1, (int)nx);
  }
  double state = fmax(1, largest_of(b->d->qpos, m->nq)), change = largest_of(b->d->qacc, m->nv);
  state = fmax(state, m->opt.timestep * change);
  double sensor = fmax(state, sensor_size(b));
  compare(&all, model, names, 4, (const double[]){state, state, sensor, sensor}, tolerance);
  matrices_free(&all);
}

static void compare_inverse(Bridge* b, const char* model, int actuation, double tolerance) {
  static const char* const names[] = {"DfDq", "DfDv", "DfDa", "DsDq", "DsDv", "DsDa", "DmDq"};
  const mjModel* m = b->m;
  size_t nv = (size_t)m->nv, ns = (size_t)m->nsensordata;
  const size_t size[MATRICES] = {nv * nv, nv * nv, nv * nv,           nv * ns,
                                 nv * ns, nv * ns, nv * (size_t)m->nM};
  Matrices all = matrices_make(size);
  mjtNum **x = all.ours, **y = all.reference;
  mjd_inverseFD(m, b->d, kEps, (mjtByte)actuation, x[0], x[1], x[2], x[3], x[4], x[5], x[6]);
  FUNCTION(InverseFD, "mjd_inverseFD")
  (b->ref_m, b->ref_d, kEps, (mjtByte)actuation, y[0], y[1], y[2], y[3], y[4], y[5], y[6]);
  for (int i = 3; i < 6; i++) {
    for (int k = 0; k < 4; k++) {
      drop_sensors(x[i], m, others[k], 1, (int)ns, (int)nv);
      drop_sensors(y[i], m, others[k], 1, (int)ns, (int)nv);
    }
    for (int k = 0; actuation && k < 3; k++) {
      drop_sensors(x[i], m, actuators[k], 1, (int)ns, (int)nv);
      drop_sensors(y[i], m, actuators[k], 1, (int)ns, (int)nv);
    }
  }
  double inertia = largest_of(b->d->qM, m->nM);
  double force = fmax(largest_of(b->d->qfrc_bias, nv), largest_of(b->d->efc_force, b->d->nefc));
  force = fmax(force, inertia * largest_of(b->d->qacc, nv));
  force = fmax(force, m->body_subtreemass[0] * mju_norm3(m->opt.gravity));
  double sensor = sensor_size(b);
  const double sizes[] = {force, force, force, sensor, sensor, sensor, inertia};
  compare(&all, model, names, MATRICES, sizes, tolerance);
  matrices_free(&all);
}

// Sets an option in both models.
#define SET_OPTION(b, name, value)                    \
  do {                                                \
    (b)->m->opt.name = value;                         \
    *(int*)reference_option(b, #name) = (int)(value); \
  } while (0)

static void compare_model(const char* path) {
  Bridge* b = bridge_load(path);
  assert_non_null(b);
  mjModel* m = b->m;
  if (!m->nv || m->nv > 60) {
    bridge_free(b);
    return;
  }
  tighten_both(b);
  SET_OPTION(b, noslip_iterations, 0);
  SET_OPTION(b, solver, mjSOL_NEWTON);
  m->opt.ccd_tolerance = *(mjtNum*)reference_option(b, "ccd_tolerance") = (mjtNum)1e-12;
  static const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  for (int i = 0; i < 3; i++) {
    SET_OPTION(b, integrator, integrators[i]);
    bridge_random(b, (unsigned int)i + 1, 0.3);
    mj_forward(m, b->d);
    for (int k = 0; k < m->nv; k++) {
      if (mju_isBad(b->d->qacc[k])) {
        bridge_free(b);
        return;
      }
    }
    char name[1000];
    snprintf(name, sizeof name, "%s, integrator %d", path, integrators[i]);
    for (int centered = 0; centered <= 1; centered++) {
      compare_transition(b, name, centered, kTolerance);
    }
    bridge_push(b, "qacc");
    for (int discrete = 0; discrete <= 1; discrete++) {
      SET_OPTION(b, enableflags,
                 discrete ? m->opt.enableflags | mjENBL_INVDISCRETE
                          : m->opt.enableflags & ~mjENBL_INVDISCRETE);
      compare_inverse(b, name, discrete, kTolerance);
    }
  }
  bridge_free(b);
}

TEST(derivatives_are_the_references) {
  BRIDGE_OR_SKIP();
  DOUBLE_ONLY();
  differences = 0;
  static const char* const kinds[] = {"actuator_", "body_mocap",  "contact_", "equality_",
                                      "fluid_",    "integrator_", "joint_",   "keyframe_",
                                      "option_",   "sensor_",     "tendon_"};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    models_each(kinds[i], compare_model);
  }
  compare_model(kHumanoid);
  compare_model(kLimits);
  compare_model(kChain);
  compare_model(kRubble);
  printf("%d matrices compared\n", compared);
  assert_that(compared, >, 1000);
  assert_int_equal(differences, 0);
}
