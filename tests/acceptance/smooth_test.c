// Everything smooth agrees with the reference's: positions, velocities, forces, accelerations,
// steps and inverse dynamics, of every model, whatever the flags and the integrator.
//
// The models are ours, those of the tests, and those that lie beside the source folder, as far as
// both engines compile them. What touches may depend on the collision pipeline, and its forces on
// the solver: with contacts only what doesn't depend on them is compared.

#include <dirent.h>

#include "acceptance/compare.h"
#include "support/near.h"

enum {
  kStates = 20,
  kSteps = 100,
  kFlags = (int)mjNDISABLE + (int)mjNENABLE,
  kLarge = 300,  // dofs from which fewer states have to do
  kMaxModels = 1000
};

static struct {
  char path[512];
  Bridge* b;
} models[kMaxModels];
static int model_count;

// models

static int is_model(const char* path) {
  size_t length = strlen(path);
  return length > 4 && !strcmp(path + length - 4, ".xml");
}

// Rows of many edges take gigabytes, and flexes in random shapes touch themselves more often than
// the reference has memory for.
static int is_much(const mjModel* m) {
  int much = m->nflex && m->nv > kLarge;
  for (int f = 0; f < m->nflex; f++) {
    much |= m->flex_contype[f] || m->flex_conaffinity[f];
  }
  return much;
}

// What the reference can be asked about; its contacts are always soft, its rules those of 3.3.7.
static int is_shared(const mjModel* m) {
  return m->cnd_contact.mode == cndCONTACT_SOFT && !m->opt.behaviour && !is_much(m);
}

// A model that both compile; parts of models and what we refuse on purpose are left out.
static void add_model(const char* path) {
  char error[1000];
  if (strstr(path, "/since/")) {
    return;  // 3.3.7 passes over some of the words
  }
  mjModel* m = mj_loadXML(path, NULL, error, sizeof error);
  Bridge* b = m && is_shared(m) ? bridge_load(path) : NULL;
  if (!b) {
    mj_deleteModel(m);
    return;
  }
  mj_deleteData(b->d);
  mj_deleteModel(b->m);
  b->m = m;
  b->d = mj_makeData(m);
  tighten_both(b);
  assert_that(model_count, <, kMaxModels);
  snprintf(models[model_count].path, sizeof models[0].path, "%s", path);
  models[model_count++].b = b;
}

static void add_folder(const char* folder) {
  struct dirent** entries;
  int count = scandir(folder, &entries, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
    if (is_model(path)) {
      add_model(path);
    } else if (entries[i]->d_name[0] != '.') {
      add_folder(path);
    }
    free(entries[i]);
  }
  if (count >= 0) {
    free(entries);
  }
}

BEFORE_ALL() {
  if (bridge_available()) {
    add_folder(CONDYLE_SOURCE_DIR "/models");
    add_folder(CONDYLE_SOURCE_DIR "/tests/models");
    assert_that(model_count, >, 80);
    add_folder(CONDYLE_SOURCE_DIR "/../shared/models/reference");
    print_message("%d models\n", model_count);
  }
}

AFTER_ALL() {
  for (int i = 0; i < model_count; i++) {
    bridge_free(models[i].b);
  }
}

// settings

static void set_option(Bridge* b, const char* name, int* ours, int value) {
  *ours = value;
  *(int*)reference_option(b, name) = value;
}

// The options of a model that a test changes.
typedef struct Settings_ {
  int disable, enable, integrator;
} Settings;

static Settings settings_get(const Bridge* b) {
  const mjOption* opt = &b->m->opt;
  return (Settings){opt->disableflags, opt->enableflags, opt->integrator};
}

static void settings_set(Bridge* b, Settings s) {
  set_option(b, "disableflags", &b->m->opt.disableflags, s.disable);
  set_option(b, "enableflags", &b->m->opt.enableflags, s.enable);
  set_option(b, "integrator", &b->m->opt.integrator, s.integrator);
}

// One flag is turned over, all in turn, and every fifth time two; integrators in turn.
static Settings settings_turn(Settings own, unsigned int turn) {
  Settings s = own;
  unsigned int flags[2] = {turn % kFlags, turn * 7 % kFlags};
  for (int i = 0; i < (turn % 5 ? 1 : 2); i++) {
    if (flags[i] < mjNDISABLE) {
      s.disable ^= 1 << flags[i];
    } else {
      s.enable ^= 1 << (flags[i] - mjNDISABLE);
    }
  }
  s.integrator = turn % 4;

  // there is no discrete inverse of Runge-Kutta: an error
  if (s.integrator == mjINT_RK4) {
    s.enable &= ~mjENBL_INVDISCRETE;
  }
  return s;
}

static unsigned int states_of(const Bridge* b) {
  return !kThorough || b->m->nv > kLarge ? 4 : kStates;
}

// comparing

// where terms cancel, rounding decides which entries of a moment are stored: compared as dense rows
static const char* const moments[] = {"actuator_moment", "moment_rownnz", "moment_rowadr",
                                      "moment_colind"};

static int moments_differ(const Bridge* b) {
  int nv = b->m->nv, differ = 0;
  const int* num = bridge_ref_data(b, "moment_rownnz", NULL);
  const int* adr = bridge_ref_data(b, "moment_rowadr", NULL);
  const int* col = bridge_ref_data(b, "moment_colind", NULL);
  const double* val = bridge_ref_data(b, "actuator_moment", NULL);
  const mjData* d = b->d;
  mjtNum* row = calloc((size_t)nv + 1, sizeof *row);
  for (int u = 0; u < b->m->nu; u++) {
    mju_zero(row, nv);
    for (int k = adr[u]; k < adr[u] + num[u]; k++) {
      row[col[k]] = (mjtNum)val[k];
    }
    double size = fmax(1e-3, (double)mju_norm(row, nv));
    for (int k = d->moment_rowadr[u]; k < d->moment_rowadr[u] + d->moment_rownnz[u]; k++) {
      row[d->moment_colind[k]] -= d->actuator_moment[k];
    }
    double error = (double)mju_norm(row, nv) / size;
    if (!(error <= 1e-9)) {
      print_error("  moment of actuator %d: relative error %.2g\n", u, error);
      differ++;
    }
  }
  free(row);
  return differ;
}

// An angle of 1e10 rad has no digits left, nor has what follows from it.
static int is_wild(const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nv; i++) {
    if (!(fabs((double)d->qvel[i]) < mjMAXVAL && fabs((double)d->qacc[i]) < mjMAXVAL)) {
      return 1;
    }
  }
  return 0;
}

// written by solvers that work island by island
static const char* const by_island[] = {"ifrc_smooth", "iacc_smooth",     "iacc",
                                        "iefc_state",  "ifrc_constraint", "iefc_force"};

// Numbers that are compared on their own, or not at all.
static int is_left_out(const Bridge* b, const char* name) {
  return (mj_isDual(b->m) && is_in(by_island, LENGTH(by_island), name)) ||
         // the inverse of a solver's acceleration has the rounding of the solver times its
         // stiffness
         ((b->m->opt.enableflags & mjENBL_FWDINV) && !strcmp(name, "qfrc_inverse")) ||
         is_excluded(b->m, name) || is_in(moments, LENGTH(moments), name) ||
         // padding between arrays
         !strcmp(name, "parena") ||
         // what forward and inverse dynamics disagree about is rounding, unless they are made to
         !strcmp(name, "solver_fwdinv") ||
         // islands are solved in rows of their own: those of the whole a warm start alone writes
         (b->d->nisland && (b->m->opt.disableflags & mjDSBL_WARMSTART) &&
          !strcmp(name, "efc_state")) ||
         // without islands, what the last had
         (!b->d->nisland && !strcmp(name, "nidof"));
}

// counts that contacts change
static const char* const counts[] = {"maxuse_con", "maxuse_efc", "ncon",    "nl",        "nefc",
                                     "nJ",         "nA",         "nisland", "solver_nnz"};

static int their_contacts(const Bridge* b) {
  return *(const int*)bridge_ref_data(b, "ncon", NULL);
}

// Do things touch, in either engine?
static int is_touching(const Bridge* b) {
  return b->d->ncon || their_contacts(b);
}

// Adhesion pulls at contacts: where rounding decides how many there are (a capsule along an edge),
// its moment, and what follows from it, depend on that.
static int adheres_elsewhere(const Bridge* b) {
  for (int u = 0; u < b->m->nu; u++) {
    if (b->m->actuator_trntype[u] == mjTRN_BODY) {
      return b->d->ncon != their_contacts(b);
    }
  }
  return 0;
}

// Plugins bend stiff cables by forces that are differences of large ones; solvers lose a digit.
static double tolerance_of(const Bridge* b, const char* field) {
  double exact = b->m->nplugin ? 1e-7 : 1e-9;
  return is_in(solved, LENGTH(solved), field) && b->d->nefc ? 10 * exact : exact;
}

// Everything where nothing touches, else what is known before contacts are.
static int smooth_differs(const Bridge* b) {
  if (is_wild(b->m, b->d) || adheres_elsewhere(b)) {
    return 0;
  }
  int differ = moments_differ(b), touching = is_touching(b);
  for (int i = 0; cnd_dataField(i); i++) {
    const cndField* field = cnd_dataField(i);
    int touched = field->arena || is_in(solved, LENGTH(solved), field->name) ||
                  is_in(counts, LENGTH(counts), field->name);
    if (!field->hidden && !field->since && !is_left_out(b, field->name) && !(touching && touched)) {
      differ += bridge_compare(b, field->name, tolerance_of(b, field->name));
    }
  }
  return differ;
}

// The same stage on both sides, with a stage to be skipped.
static void skip_both(Bridge* b, const char* name, void (*ours)(const mjModel*, mjData*, int, int),
                      int stage, int sensors) {
  void (*theirs)(const void*, void*, int, int);
  void* symbol = bridge_function(name);
  memcpy(&theirs, &symbol, sizeof symbol);
  theirs(b->ref_m, b->ref_d, stage, sensors);
  ours(b->m, b->d, stage, sensors);
}

#define SKIP_BOTH(b, function, stage, sensors) skip_both(b, #function, function, stage, sensors)

static void randomize(Bridge* b, mjtNum* numbers, int n, const char* field, uint64_t seed) {
  for (int i = 0; i < n; i++) {
    numbers[i] = uniform_random(&seed);
  }
  bridge_push(b, field);
}

// A random state whose forces suit the bodies: what moves a robot would whirl a grain of sand
// about.
static void random_state(Bridge* b, unsigned int seed, double scale) {
  const mjModel* m = b->m;
  mjData* d = b->d;
  bridge_random(b, seed, scale);
  for (int i = 0; i < m->nv; i++) {
    d->qfrc_applied[i] *= (mjtNum)fmin(1, (double)m->dof_M0[i]);
  }
  for (int i = 1; i < m->nbody; i++) {
    mjtNum* xfrc = d->xfrc_applied + 6 * i;
    mju_scl3(xfrc, xfrc, (mjtNum)fmin(1, (double)m->body_mass[i]));
    mju_scl3(xfrc + 3, xfrc + 3, (mjtNum)fmin(1, (double)m->body_inertia[3 * i + 2]));
  }
  bridge_push(b, "qfrc_applied xfrc_applied");
}

// Applies a check to every model in many states; it returns how many numbers differ.
static void for_all(int (*check)(Bridge* b, unsigned int turn)) {
  BRIDGE_OR_SKIP();
  int differ = 0;
  for (int i = 0; i < model_count; i++) {
    Bridge* b = models[i].b;
    Settings own = settings_get(b);
    for (unsigned int state = 0; state < states_of(b); state++) {
      unsigned int turn = state + (unsigned int)i * kStates;
      settings_set(b, settings_turn(own, turn));
      random_state(b, turn, 0.3);
      int found = check(b, turn);
      if (found) {
        Settings s = settings_get(b);
        print_error("%d differences in %s, state %u, flags %#x, %#x, integrator %d\n", found,
                    models[i].path, turn, s.disable, s.enable, s.integrator);
      }
      differ += found;
    }
    settings_set(b, own);
  }
  assert_int_equal(differ, 0);
}

// checks

static int check_forward(Bridge* b, unsigned int turn) {
  (void)turn;
  BOTH(b, mj_forward);
  BOTH(b, mj_subtreeVel);
  BOTH(b, mj_rnePostConstraint);
  return smooth_differs(b);
}

TEST(forward_dynamics_agrees) {
  for_all(check_forward);
}

// A Runge-Kutta step may touch something on its way and nothing at its end.
static int check_step(Bridge* b, unsigned int turn) {
  (void)turn;
  b->d->maxuse_con = 0;
  BOTH(b, mj_step);
  return is_touching(b) || b->d->maxuse_con ? 0 : smooth_differs(b);
}

TEST(steps_agree) {
  for_all(check_step);
}

// any acceleration will do, and the comparison with forward dynamics then has something to find
static int check_inverse(Bridge* b, unsigned int turn) {
  BOTH(b, mj_forward);
  randomize(b, b->d->qacc, b->m->nv, "qacc", turn);
  BOTH(b, mj_compareFwdInv);
  int differ = is_touching(b) ? 0 : bridge_compare(b, "solver_fwdinv", 1e-9);
  BOTH(b, mj_inverse);
  return differ + smooth_differs(b);
}

TEST(inverse_dynamics_agrees) {
  for_all(check_inverse);
}

// What is skipped keeps its numbers: a force that was changed after its stage is used as it is.
static int check_skipped(Bridge* b, unsigned int turn) {
  int stage = (int)(turn / 4) % 3, sensors = (int)(turn / 12) % 2;
  const char* field = stage == mjSTAGE_VEL ? "qfrc_passive" : "qvel";
  mjtNum* numbers = stage == mjSTAGE_VEL ? b->d->qfrc_passive : b->d->qvel;
  BOTH(b, mj_forward);
  randomize(b, numbers, b->m->nv, field, turn);
  SKIP_BOTH(b, mj_forwardSkip, stage, sensors);
  int differ = smooth_differs(b);
  randomize(b, numbers, b->m->nv, field, turn + 1);
  randomize(b, b->d->qacc, b->m->nv, "qacc", turn + 2);
  SKIP_BOTH(b, mj_inverseSkip, stage, sensors);
  return differ + smooth_differs(b);
}

TEST(skipped_stages_agree) {
  for_all(check_skipped);
}

// How much larger a small change of the velocities, relative, becomes within some steps.
static double growth(Bridge* b, unsigned int seed, int steps) {
  const double small = 1e-10;
  mjData* changed = mj_makeData(b->m);
  random_state(b, seed, 0.2);
  mj_copyData(changed, b->m, b->d);
  uint64_t random = seed;
  for (int i = 0; i < b->m->nv; i++) {
    changed->qvel[i] *= (mjtNum)(1 + small * uniform_random(&random));
  }
  double grown = 0;
  for (int step = 0; step < steps; step++) {
    mj_step(b->m, b->d);
    mj_step(b->m, changed);
    size_t where;
    grown = fmax(grown, relative_error(&where, changed->qvel, b->d->qvel, b->m->nv, 1e-4));
    grown = fmax(grown, relative_error(&where, changed->qpos, b->d->qpos, b->m->nq, 1e-4));
  }
  mj_deleteData(changed);
  return grown / small;
}

// Steps both from a random state until they differ, or have gone wild; returns the step, 0 if they
// never differ.
static int first_difference(Bridge* b, unsigned int seed, int steps, double tolerance) {
  random_state(b, seed, 0.2);
  for (int step = 1; step <= steps; step++) {
    BOTH(b, mj_step);
    if (is_wild(b->m, b->d)) {
      return 0;
    }
    if (bridge_compare(b, "time qpos qvel act warning", tolerance)) {
      return step;
    }
  }
  return 0;
}

// Without contacts trajectories stay together, whatever the integrator. Where a motion is so
// sensitive that rounding, 1e-15 in each of 100 steps, grows beyond the tolerance, it may be so
// much larger.
TEST(trajectories_agree) {
  BRIDGE_OR_SKIP();
  int differ = 0;
  for (int i = 0; i < model_count; i++) {
    Bridge* b = models[i].b;
    Settings own = settings_get(b), s = own;
    int steps = b->m->nv > kLarge ? kSteps / 5 : kSteps;
    s.disable |= mjDSBL_CONTACT;
    for (s.integrator = 0; s.integrator < 4; s.integrator++) {
      unsigned int seed = (unsigned int)s.integrator + 1;
      settings_set(b, s);
      if (first_difference(b, seed, steps, 1e-8)) {
        double sensitivity = growth(b, seed, steps);
        print_message("%s, integrator %d: a change grows by %.2g\n", models[i].path, s.integrator,
                      sensitivity);
        double error = b->m->nplugin ? 3e-11 : 1e-13;  // as in tolerance_of
        differ += first_difference(b, seed, steps, fmax(1e-8, error * sensitivity)) > 0;
      }
    }
    settings_set(b, own);
  }
  assert_int_equal(differ, 0);
}
