// Every stage of a step by itself, beside the reference's from the same numbers: what it computes
// agrees, and so does what it leaves alone.

#include "support/models.h"

typedef void (*StageFunction)(const mjModel* m, mjData* d);

typedef struct Stage_ {
  const char* name;
  StageFunction ours;
  double tolerance;
} Stage;

#define STAGE(name, tolerance) \
  { #name, name, tolerance }

// what is solved for is as unique as the solvers' tolerance
static const Stage stages[] = {
    STAGE(mj_checkPos, 1e-9),
    STAGE(mj_checkVel, 1e-9),
    STAGE(mj_kinematics, 1e-9),
    STAGE(mj_comPos, 1e-9),
    STAGE(mj_camlight, 1e-9),
    STAGE(mj_tendon, 1e-9),
    STAGE(mj_makeM, 1e-9),
    STAGE(mj_crb, 1e-9),
    STAGE(mj_factorM, 1e-9),
    STAGE(mj_collision, 1e-8),
    STAGE(mj_makeConstraint, 1e-8),
    STAGE(mj_island, 1e-9),
    STAGE(mj_transmission, 1e-9),
    STAGE(mj_projectConstraint, 1e-9),
    STAGE(mj_sensorPos, 1e-9),
    STAGE(mj_energyPos, 1e-9),
    STAGE(mj_comVel, 1e-9),
    STAGE(mj_fwdVelocity, 1e-9),
    STAGE(mj_passive, 1e-9),
    STAGE(mj_referenceConstraint, 1e-9),
    STAGE(mj_subtreeVel, 1e-9),
    STAGE(mj_sensorVel, 1e-9),
    STAGE(mj_energyVel, 1e-9),
    STAGE(mj_fwdActuation, 1e-9),
    STAGE(mj_fwdAcceleration, 1e-9),
    STAGE(mj_fwdConstraint, 1e-5),
    STAGE(mj_rnePostConstraint, 1e-9),
    STAGE(mj_sensorAcc, 1e-9),
    STAGE(mj_checkAcc, 1e-9),
    STAGE(mj_invPosition, 1e-8),
    STAGE(mj_invVelocity, 1e-8),
    STAGE(mj_invConstraint, 1e-5),
    STAGE(mj_compareFwdInv, 1e-5),
};

// what every stage may change; not: the patterns of moments, where rounding decides, and counters
static const char fields[] =
    "qpos qvel act time qacc_warmstart qacc act_dot sensordata xpos xquat xmat xipos ximat xanchor "
    "xaxis geom_xpos geom_xmat site_xpos site_xmat cam_xpos cam_xmat light_xpos light_xdir "
    "subtree_com cdof cinert ten_wrapadr ten_wrapnum ten_length wrap_obj wrap_xpos actuator_length "
    "crb qM M qLD qLDiagInv ten_velocity actuator_velocity cvel cdof_dot qfrc_bias qfrc_spring "
    "qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive subtree_linvel subtree_angmom "
    "actuator_force qfrc_actuator qfrc_smooth qacc_smooth qfrc_constraint qfrc_inverse cacc "
    "cfrc_int cfrc_ext energy ncon nefc ne nf nl";

static int differences;

// Ours and the reference's by name from the same data, which is then made the same again.
static void run_stage(Bridge* b, const char* model, const Stage* stage) {
  bridge_run(b, stage->name);
  stage->ours(b->m, b->d);
  int found = bridge_compare(b, fields, stage->tolerance);
  if (found) {
    print_error("%s, %s: %d differences\n", model, stage->name, found);
  }
  differences += found;
  bridge_pull(b, NULL);
}

// Sets an option in both models.
#define SET_OPTION(b, type, name, value)                \
  do {                                                  \
    (b)->m->opt.name = value;                           \
    *(type*)reference_option(b, #name) = (type)(value); \
  } while (0)

static void runge_kutta(const mjModel* m, mjData* d) {
  mj_RungeKutta(m, d, 4);
}

// The integrators on a computed state.
static void run_integrators(Bridge* b, const char* model) {
  void (*reference)(void*, void*, int) =
      (void (*)(void*, void*, int))(uintptr_t)bridge_function("mj_RungeKutta");
  const Stage euler = STAGE(mj_Euler, 1e-9), implicit = STAGE(mj_implicit, 1e-9);
  for (int integrator = mjINT_EULER; integrator <= mjINT_IMPLICITFAST; integrator++) {
    SET_OPTION(b, int, integrator, integrator);
    bridge_random(b, 3, 0.3);
    bridge_run(b, "mj_forward");
    bridge_pull(b, NULL);
    if (integrator == mjINT_RK4) {
      reference(b->ref_m, b->ref_d, 4);
      runge_kutta(b->m, b->d);
      int found = bridge_compare(b, "qpos qvel act time", 1e-5);
      if (found) {
        print_error("%s, mj_RungeKutta: %d differences\n", model, found);
      }
      differences += found;
      bridge_pull(b, NULL);
    } else {
      run_stage(b, model, integrator == mjINT_EULER ? &euler : &implicit);
    }
  }
}

// Inverse dynamics that may take earlier stages as done.
static void run_inverse(Bridge* b, const char* model) {
  void (*reference)(void*, void*, int, int) =
      (void (*)(void*, void*, int, int))(uintptr_t)bridge_function("mj_inverseSkip");
  bridge_random(b, 4, 0.3);
  bridge_run(b, "mj_forward");
  bridge_pull(b, NULL);
  for (int skip = mjSTAGE_NONE; skip <= mjSTAGE_VEL; skip++) {
    for (int i = 0; i < b->m->nv; i++) {
      b->d->qacc[i] += (mjtNum)0.1;
    }
    bridge_push(b, "qacc");
    reference(b->ref_m, b->ref_d, skip, skip % 2);
    mj_inverseSkip(b->m, b->d, skip, skip % 2);
    int found = bridge_compare(b, "qfrc_inverse qfrc_constraint sensordata cacc", 1e-6);
    if (found) {
      print_error("%s, mj_inverseSkip(%d): %d differences\n", model, skip, found);
    }
    differences += found;
    bridge_pull(b, NULL);
  }
}

TEST(stages_agree_one_by_one) {
  BRIDGE_OR_SKIP();
  const char* const models[] = {"/models/humanoid.xml",
                                "/tests/models/tendon_sites.xml",
                                "/tests/models/equality_bodies.xml",
                                "/tests/models/fluid_ellipsoid.xml",
                                "/tests/models/actuator_dynamics.xml",
                                "/tests/models/camera_everything.xml"};
  differences = 0;
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    char path[1000];
    snprintf(path, sizeof path, "%s%s", CONDYLE_SOURCE_DIR, models[i]);
    Bridge* b = bridge_load(path);
    assert_non_null(b);
    tighten_both(b);
    SET_OPTION(b, int, enableflags, mjENBL_ENERGY | mjENBL_FWDINV);
    for (unsigned int seed = 1; seed <= 2; seed++) {
      bridge_random(b, seed, 0.3);
      for (size_t k = 0; k < sizeof stages / sizeof *stages; k++) {
        run_stage(b, models[i], &stages[k]);
      }
    }
    run_integrators(b, models[i]);
    run_inverse(b, models[i]);
    bridge_free(b);
  }
  assert_int_equal(differences, 0);
}

TEST(kinematics_of_all_things_are_their_stages_in_order) {
  mjModel* m = test_model_file("models/chain.xml");
  mjData *d = test_data(m), *parts = test_data(m);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = (mjtNum)0.1 * i;
  }
  mj_integratePos(m, d->qpos, d->qvel, 1);
  mj_copyData(parts, m, d);
  mj_fwdKinematics(m, d);
  mj_kinematics(m, parts);
  mj_comPos(m, parts);
  mj_camlight(m, parts);
  mj_flex(m, parts);
  mj_tendon(m, parts);
  assert_int_equal(bridge_compare_datas(m, d, parts, NULL, 0), 0);
}
