// load.c: robots in SDF, by the loader of robots, stand and move as by mj_loadXML.

#include <condyle/robot.h>

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

// The seed of the fuzzer.
static const char* arm(char path[1000], const char* name) {
  snprintf(path, 1000, "%s/tests/fuzz/corpus/sdf/%s", CONDYLE_SOURCE_DIR, name);
  return path;
}

TEST(a_robot_in_SDF_is_that_of_the_other_loader) {
  char path[1000];
  cndDiagnostics* notes = cnd_makeDiagnostics();
  mjModel* m = cnd_loadRobot(arm(path, "arm.sdf"), NULL, notes);
  for (int i = 0; i < cnd_diagnosticCount(notes, cndSEVERITY_WARNING); i++) {
    fail_msg("%s", cnd_diagnostic(notes, i)->message);
  }
  mjModel* other = mj_loadXML(path, NULL, NULL, 0);
  assert_non_null(other);
  assert_int_equal(m->nq, other->nq);
  assert_int_equal(m->nbody, other->nbody);
  mjData *d = test_data(m), *e = test_data(other);
  for (int i = 0; i < m->nq; i++) {
    d->qpos[i] = e->qpos[i] = i == 3 ? 1 : 0.1 * i - 0.3;
  }
  mj_forward(m, d);
  mj_forward(other, e);
  assert_close(d->xpos, e->xpos, 3 * m->nbody, 1e-12);
  assert_close(d->xanchor, e->xanchor, 3 * m->njnt, 1e-12);
  assert_close(d->xaxis, e->xaxis, 3 * m->njnt, 1e-12);
  assert_close(d->qfrc_passive, e->qfrc_passive, m->nv, 1e-12);
  mjtNum M[100], N[100];
  mj_fullM(m, M, d->qM);
  mj_fullM(other, N, e->qM);
  assert_close(M, N, m->nv * m->nv, 1e-9);
  mj_deleteModel(m);
  mj_deleteModel(other);
  cnd_deleteDiagnostics(notes);
}
