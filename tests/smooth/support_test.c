// The functions a program asks of a model besides stepping it, beside the reference's on the same
// model and the same computed state.

#include "support/caught.h"
#include "support/models.h"
#include "support/zoo.h"

enum {
  STATES = 4
};

static Bridge* b;
static mjtNum* result[2];  // ours and the reference's
static int room;
static const char* model_name;
static int differences;

static double random_in(double size) {
  static uint64_t seed = 1;
  return size * uniform_random(&seed);
}

static void random_vector(mjtNum* out, int n) {
  for (int i = 0; i < n; i++) {
    out[i] = (mjtNum)random_in(1);
  }
}

static void compare(const char* name, int id, int n) {
  char label[200];
  snprintf(label, sizeof label, "%s: %s(%d)", model_name, name, id);
  differences += numbers_differ(label, result[0], result[1], n, 1e-12, 1e-3);
}

// Runs a call of function f on (m, d) of both engines, each with outputs to its own `out`, and
// compares n numbers of it.
#define BOTH(function, id, n, ...)                                                         \
  do {                                                                                     \
    assert_that((n), <=, room);                                                            \
    for (int side = 0; side < 2; side++) {                                                 \
      __typeof__(&function) f =                                                            \
          side ? (__typeof__(&function))(uintptr_t)bridge_function(#function) : &function; \
      mjModel* m = side ? b->ref_m : b->m;                                                 \
      mjData* d = side ? b->ref_d : b->d;                                                  \
      mjtNum* out = result[side];                                                          \
      memset(out, 0, (size_t)room * sizeof(mjtNum));                                       \
      (void)m;                                                                             \
      (void)d;                                                                             \
      __VA_ARGS__;                                                                         \
    }                                                                                      \
    compare(#function, id, n);                                                             \
  } while (0)

static void compare_jacobians(void) {
  int nv = b->m->nv;
  for (int body = 0; body < b->m->nbody; body++) {
    mjtNum point[3], axis[3];
    random_vector(point, 3);
    random_vector(axis, 3);
    BOTH(mj_jac, body, 6 * nv, f(m, d, out, out + 3 * nv, point, body));
    BOTH(mj_jac, body, 3 * nv, f(m, d, out, NULL, point, body));
    BOTH(mj_jac, body, 3 * nv, f(m, d, NULL, out, point, body));
    BOTH(mj_jacBody, body, 6 * nv, f(m, d, out, out + 3 * nv, body));
    BOTH(mj_jacBodyCom, body, 6 * nv, f(m, d, out, out + 3 * nv, body));
    BOTH(mj_jacPointAxis, body, 6 * nv, f(m, d, out, out + 3 * nv, point, axis, body));
    BOTH(mj_jacPointAxis, body, 3 * nv, f(m, d, NULL, out, point, axis, body));
    BOTH(mj_jacDot, body, 6 * nv, f(m, d, out, out + 3 * nv, point, body));
    BOTH(mj_jacDot, body, 3 * nv, f(m, d, NULL, out, point, body));
    BOTH(mj_angmomMat, body, 3 * nv, f(m, d, out, body));
    if (b->m->body_subtreemass[body] > 0) {
      BOTH(mj_jacSubtreeCom, body, 3 * nv, f(m, d, out, body));
    }
  }
  for (int i = 0; i < b->m->ngeom; i++) {
    BOTH(mj_jacGeom, i, 6 * nv, f(m, d, out, out + 3 * nv, i));
  }
  for (int i = 0; i < b->m->nsite; i++) {
    BOTH(mj_jacSite, i, 6 * nv, f(m, d, out, out + 3 * nv, i));
  }
}

static void compare_products(void) {
  int nv = b->m->nv, nefc = b->d->nefc, big = nv > nefc ? nv : nefc;
  mjtNum* vec = calloc(2 * (size_t)big + 1, sizeof *vec);
  mjtNum* root = calloc((size_t)nv + 1, sizeof *root);
  random_vector(vec, 2 * big);
  for (int i = 0; i < nv; i++) {
    root[i] = (mjtNum)(1 + fabs(random_in(1)));
  }
  BOTH(mj_mulM, 0, nv, f(m, d, out, vec));
  BOTH(mj_mulM2, 0, nv, f(m, d, out, vec));
  BOTH(mj_solveM, 0, 2 * nv, f(m, d, out, vec, 2));
  BOTH(mj_solveM2, 0, 2 * nv, f(m, d, out, vec, root, 2));
  BOTH(mj_fullM, 0, nv * nv, f(m, out, b->d->qM));
  BOTH(mj_mulJacVec, 0, nefc, f(m, d, out, vec));
  BOTH(mj_mulJacTVec, 0, nv, f(m, d, out, vec));
  BOTH(mj_constraintUpdate, 0, 1, f(m, d, vec, out, 0));
  differences += bridge_compare(b, "efc_force efc_state qfrc_constraint", 1e-12);
  bridge_pull(b, "efc_force efc_state qfrc_constraint");

  // to a dense matrix, and to sparse rows that hold one element left of or behind those of M
  BOTH(mj_addM, 0, nv * nv, out[nv / 2] = 1; f(m, d, out, NULL, NULL, NULL));
  int* pattern = calloc((size_t)nv * nv + 2 * (size_t)nv, sizeof *pattern);
  BOTH(mj_addM, 1, 2 * nv * nv, {
    int *rownnz = pattern, *rowadr = pattern + nv, *colind = pattern + 2 * nv;
    for (int i = 0; i < nv; i++) {
      rownnz[i] = i > 0;
      rowadr[i] = i * nv;
      colind[i * nv] = (7 * i + 3) % nv;
      out[i * nv] = i > 0 ? 1 : 0;
    }
    f(m, d, out, rownnz, rowadr, colind);
    for (int i = 0; i < nv; i++) {
      for (int k = 0; k < nv; k++) {
        out[nv * nv + i * nv + k] = k < rownnz[i] ? (mjtNum)colind[i * nv + k] : -1;
        out[i * nv + k] = k < rownnz[i] ? out[i * nv + k] : 0;
      }
    }
  });
  free(vec);
  free(root);
  free(pattern);
}

static void compare_forces(void) {
  mjtNum force[3], torque[3], point[3];
  random_vector(force, 3);
  random_vector(torque, 3);
  random_vector(point, 3);
  for (int body = 0; body < b->m->nbody; body++) {
    BOTH(mj_applyFT, body, b->m->nv, f(m, d, force, torque, point, body, out));
    BOTH(mj_applyFT, body, b->m->nv, f(m, d, NULL, torque, point, body, out));
    BOTH(mj_applyFT, body, b->m->nv, f(m, d, force, NULL, point, body, out));
  }
  for (int i = -1; i <= b->d->ncon; i++) {
    BOTH(mj_contactForce, i, 6, f(m, d, i, out));
  }
}

static void compare_motions(void) {
  const struct {
    int type, count;
  } object[] = {{mjOBJ_BODY, b->m->nbody},
                {mjOBJ_XBODY, b->m->nbody},
                {mjOBJ_GEOM, b->m->ngeom},
                {mjOBJ_SITE, b->m->nsite},
                {mjOBJ_CAMERA, b->m->ncam}};
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < object[k].count; i++) {
      for (int local = 0; local < 2; local++) {
        BOTH(mj_objectVelocity, i, 6, f(m, d, object[k].type, i, out, local));
        BOTH(mj_objectAcceleration, i, 6, f(m, d, object[k].type, i, out, local));
      }
    }
  }
}

static void compare_configurations(void) {
  int nq = b->m->nq, nv = b->m->nv;
  mjtNum* other = calloc((size_t)nq + 1, sizeof *other);
  mjtNum* velocity = calloc((size_t)nv + 1, sizeof *velocity);
  random_vector(other, nq);
  random_vector(velocity, nv);
  BOTH(mj_normalizeQuat, 0, nq, mju_copy(out, other, nq); f(m, out));
  mju_copy(other, result[0], nq);
  BOTH(mj_differentiatePos, 0, nv, f(m, out, (mjtNum)0.1, b->d->qpos, other));
  BOTH(mj_integratePos, 0, nq, mju_copy(out, other, nq); f(m, out, velocity, (mjtNum)0.3));
  free(other);
  free(velocity);

  mjtNum pos[3], quat[4];
  random_vector(pos, 3);
  random_vector(quat, 4);
  mju_normalize4(quat);
  for (int body = 0; body < b->m->nbody; body++) {
    for (mjtByte same = mjSAMEFRAME_NONE; same <= mjSAMEFRAME_INERTIAROT; same++) {
      BOTH(mj_local2Global, body, 12, f(d, out, out + 3, pos, quat, body, same));
      BOTH(mj_local2Global, body, 12, f(d, out, NULL, pos, quat, body, same));
      BOTH(mj_local2Global, body, 12, f(d, NULL, out, pos, quat, body, same));
    }
  }
}

static void compare_masses(void) {
  BOTH(mj_getTotalmass, 0, 1, out[0] = f(m));
  for (int i = 0; i < 2; i++) {
    mjtNum mass = i ? (mjtNum)1.5 : 0;
    BOTH(mj_setTotalmass, 0, 0, f(m, mass));
    differences += bridge_compare_model(b, "body_mass body_inertia body_subtreemass", 1e-12);
  }
}

static void compare_modes(void) {
  BOTH(mj_isPyramidal, 0, 1, out[0] = f(m));
  BOTH(mj_isSparse, 0, 1, out[0] = f(m));
  BOTH(mj_isDual, 0, 1, out[0] = f(m));
}

// Everything on several states, with another Jacobian, cone and solver each.
static void compare_all(const char* path) {
  b = test_own_bridge(bridge_load(path));
  model_name = path;
  int nv = b->m->nv;
  room = 2 * nv * nv + 6 * nv + 6 * b->m->nq + 1000;
  for (int state = 0; state < STATES; state++) {
    b->m->opt.jacobian = state % 3;
    b->m->opt.cone = state % 2;
    b->m->opt.solver = state == 3 ? mjSOL_PGS : mjSOL_NEWTON;
    b->m->opt.noslip_iterations = state == 1 ? 3 : 0;
    *(int*)reference_option(b, "jacobian") = b->m->opt.jacobian;
    *(int*)reference_option(b, "cone") = b->m->opt.cone;
    *(int*)reference_option(b, "solver") = b->m->opt.solver;
    *(int*)reference_option(b, "noslip_iterations") = b->m->opt.noslip_iterations;
    bridge_random(b, (unsigned)state + 1, 0.5);
    bridge_run(b, "mj_forward");
    bridge_run(b, "mj_rnePostConstraint");
    bridge_pull(b, NULL);
    room += b->d->nefc;
    result[0] = malloc((size_t)room * sizeof(mjtNum));
    result[1] = malloc((size_t)room * sizeof(mjtNum));
    compare_jacobians();
    compare_products();
    compare_forces();
    compare_motions();
    compare_configurations();
    compare_modes();
    if (state == STATES - 1) {
      compare_masses();
    }
    free(result[0]);
    free(result[1]);
  }
  test_release(b);
}

TEST(support_functions_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  differences = 0;
  const char* const models[] = {"/models/humanoid.xml",
                                "/models/chain.xml",
                                "/tests/models/equality_bodies.xml",
                                "/tests/models/camera_everything.xml",
                                "/tests/models/contact_pairs.xml",
                                "/tests/models/replicate_mocap.xml",
                                "/tests/models/sensor_all.xml",
                                "/tests/models/tendon_sparse.xml"};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    char path[1000];
    snprintf(path, sizeof path, "%s%s", CONDYLE_SOURCE_DIR, models[i]);
    compare_all(path);
  }
  assert_int_equal(differences, 0);
}

TEST(the_version_is_that_of_the_interface) {
  assert_int_equal(mj_version(), mjVERSION_HEADER);
  assert_string_equal(mj_versionString(), "3.3.7");
}

// misuse

TEST(what_does_not_exist_is_an_error_that_names_it) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  mj_forward(m, d);
  mjtNum* out = calloc(6 * (size_t)m->nv, sizeof *out);
  const mjtNum zero[3] = {0, 0, 0};
  char text[100];
#define NO_SUCH(kind, function, id, count, call)                                            \
  snprintf(text, sizeof text, "%s: %s %d does not exist: there are %d", function, kind, id, \
           count);                                                                          \
  assert_error(call, text)
  NO_SUCH("body", "mj_jac", m->nbody, m->nbody, mj_jac(m, d, out, NULL, zero, m->nbody));
  NO_SUCH("body", "mj_jac", -1, m->nbody, mj_jac(m, d, out, NULL, zero, -1));
  NO_SUCH("body", "mj_jacBody", -1, m->nbody, mj_jacBody(m, d, out, NULL, -1));
  NO_SUCH("body", "mj_jacBodyCom", -1, m->nbody, mj_jacBodyCom(m, d, out, NULL, -1));
  NO_SUCH("body", "mj_jacSubtreeCom", -1, m->nbody, mj_jacSubtreeCom(m, d, out, -1));
  NO_SUCH("geom", "mj_jacGeom", -1, m->ngeom, mj_jacGeom(m, d, out, NULL, -1));
  NO_SUCH("site", "mj_jacSite", m->nsite, m->nsite, mj_jacSite(m, d, out, NULL, m->nsite));
  NO_SUCH("body", "mj_jacPointAxis", -1, m->nbody, mj_jacPointAxis(m, d, out, out, zero, zero, -1));
  NO_SUCH("body", "mj_jacDot", -1, m->nbody, mj_jacDot(m, d, out, NULL, zero, -1));
  NO_SUCH("body", "mj_angmomMat", 99, m->nbody, mj_angmomMat(m, d, out, 99));
  NO_SUCH("body", "mj_applyFT", 99, m->nbody, mj_applyFT(m, d, zero, zero, zero, 99, out));
  NO_SUCH("camera", "mj_objectVelocity", 9, m->ncam,
          mj_objectVelocity(m, d, mjOBJ_CAMERA, 9, out, 0));
  NO_SUCH("site", "mj_objectAcceleration", -1, m->nsite,
          mj_objectAcceleration(m, d, mjOBJ_SITE, -1, out, 0));
  assert_error(mj_objectVelocity(m, d, mjOBJ_JOINT, 0, out, 0),
               "mj_objectVelocity: invalid object type 3");
  assert_error(mj_objectAcceleration(m, d, -1, 0, out, 0),
               "mj_objectAcceleration: invalid object type -1");
  free(out);
}
