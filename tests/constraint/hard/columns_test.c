// The matrix K is the same by the articulated-body algorithm and by the sparse factor.

#include "constraint/hard/columns.h"

#include "constraint/hard/hard.h"
#include "support/models.h"
#include "support/zoo.h"

static int compared;

static double largest(const mjtNum* x, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs((double)x[i]));
  }
  return most;
}

static void compare(const mjModel* m, mjData* d, const char* what) {
  HardSystem s;
  HardMatrix K;
  if (!d->nefc) {
    return;
  }
  mj_markStack(d);
  hard_system(&s, m, d);
  matrix_pattern(&K, &s);
  int n = (int)K.adr[s.nblock];
  matrix_columns_ldl(&K, &s);
  if (n && columns_aba_applies(&s)) {
    mjtNum* should = malloc(sizeof(mjtNum) * (n + 1));
    memcpy(should, K.value, sizeof(mjtNum) * n);
    memset(K.value, 0xff, sizeof(mjtNum) * n);
    columns_aba(&K, &s);
    const double negligible = sizeof(mjtNum) == sizeof(double) ? 1e-24 : 1e-12;
    // a contact at the centre of a ball joint is moved by rounding alone
    if (largest(should, n) > negligible &&
        numbers_differ(what, K.value, should, n, rounding(1e-10), 0)) {
      fail();
    }
    free(should);
    compared++;
  }
  mj_freeStack(d);
}

// as it falls and touches
static void compare_falling(mjModel* m, const char* what) {
  m->cnd_contact.mode = cndCONTACT_HARD;
  mjData* d = mj_makeData(m);
  for (int k = 0; k < 3; k++) {
    mj_forward(m, d);
    compare(m, d, what);
    for (int step = 0; step < 6; step++) {
      mj_step(m, d);
    }
  }
  mj_deleteData(d);
}

static void compare_file(const char* path) {
  char error[1000] = "";
  mjModel* m = mj_loadXML(path, NULL, error, sizeof error);
  if (m) {
    compare_falling(m, path);
  }
  mj_deleteModel(m);
}

TEST(both_ways_give_the_same_matrix) {
  models_each("", compare_file);
  static const char* const own[] = {"humanoid", "hand", "limits", "rubble"};
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
    char path[1000];
    snprintf(path, sizeof path, "%s/models/%s.xml", CONDYLE_SOURCE_DIR, own[i]);
    compare_file(path);
  }
  assert_that(compared, >, 100);
}
