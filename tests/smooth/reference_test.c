// The models of tests/models for tendons, actuators, fluids and integrators, against the reference.

#include "acceptance/models.h"
#include "smooth/models.h"

enum {
  kStates = 20,
  kSteps = 100
};

static const char kFields[] =
    "xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat subtree_com "
    "cinert cdof ten_wrapadr ten_wrapnum ten_J ten_length wrap_obj wrap_xpos actuator_length crb "
    "qM M "
    "qLD qLDiagInv ten_velocity actuator_velocity cvel cdof_dot qfrc_spring qfrc_damper "
    "qfrc_gravcomp qfrc_fluid qfrc_passive qfrc_bias actuator_force qfrc_actuator act_dot "
    "qfrc_smooth qacc_smooth energy ncon nefc";
static const char kSparseFields[] = "ten_J_rownnz ten_J_rowadr ten_J_colind";
static const char kSolved[] = "qacc qfrc_constraint qfrc_inverse cacc cfrc_int";

static int differences;

// Where terms cancel, rounding decides which entries of a moment are stored: only their values count.
static int moments_differ(const Bridge* b) {
  int nv = b->m->nv, differ = 0;
  const int* num = bridge_ref_data(b, "moment_rownnz", NULL);
  const int* adr = bridge_ref_data(b, "moment_rowadr", NULL);
  const int* col = bridge_ref_data(b, "moment_colind", NULL);
  const double* val = bridge_ref_data(b, "actuator_moment", NULL);
  mjtNum* row = calloc((size_t)nv + 1, sizeof *row);
  for (int u = 0; u < b->m->nu; u++) {
    mju_zero(row, nv);
    for (int k = adr[u]; k < adr[u] + num[u]; k++) {
      row[col[k]] = (mjtNum)val[k];
    }
    double size = fmax(1e-3, (double)mju_norm(row, nv));
    const mjData* d = b->d;
    for (int k = d->moment_rowadr[u]; k < d->moment_rowadr[u] + d->moment_rownnz[u]; k++) {
      row[d->moment_colind[k]] -= d->actuator_moment[k];
    }
    differ += !((double)mju_norm(row, nv) < 1e-9 * size);
  }
  free(row);
  return differ;
}

static void run_both(Bridge* b, const char* name, void (*function)(const mjModel*, mjData*)) {
  bridge_run(b, name);
  function(b->m, b->d);
}

static void check(const char* path) {
  Bridge* b = both_models(path);
  assert_non_null(b);
  int found = bridge_compare_model(b, NULL, 1e-9);
  b->m->opt.enableflags |= mjENBL_ENERGY;
  *(int*)reference_option(b, "enableflags") |= mjENBL_ENERGY;
  tighten_both(b);
  for (unsigned int seed = 1; seed <= kStates; seed++) {
    bridge_random(b, seed, 0.3);
    run_both(b, "mj_forward", mj_forward);
    run_both(b, "mj_rnePostConstraint", mj_rnePostConstraint);
    found += bridge_compare(b, kFields, 1e-9) + moments_differ(b);
    found += mj_isSparse(b->m) ? bridge_compare(b, kSparseFields, 0) : 0;
    run_both(b, "mj_inverse", mj_inverse);
    found += bridge_compare(b, kSolved, 1e-6);
  }

  // without contacts trajectories stay together
  for (unsigned int seed = 1; seed <= 3 && !b->d->ncon; seed++) {
    bridge_random(b, seed, 0.2);
    for (int step = 0; step < kSteps; step++) {
      run_both(b, "mj_step", mj_step);
    }
    found += bridge_compare(b, "time", 1e-9) + bridge_compare(b, "qpos qvel act", 1e-7);
  }
  if (found) {
    print_error("%s: %d differences\n", path, found);
  }
  differences += found;
  bridge_free(b);
}

#define AGREES(kind)                              \
  static void kind##_models_agree(void** state) { \
    (void)state;                                  \
    BRIDGE_OR_SKIP();                             \
    differences = 0;                              \
    models_each(#kind "_", check);                \
    assert_int_equal(differences, 0);             \
  }

AGREES(tendon)
AGREES(actuator)
AGREES(fluid)
AGREES(integrator)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tendon_models_agree),
      cmocka_unit_test(actuator_models_agree),
      cmocka_unit_test(fluid_models_agree),
      cmocka_unit_test(integrator_models_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
