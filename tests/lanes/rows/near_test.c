// Models of many pairs and of many dofs: the list of near pairs misses no contact while things
// move fast.

#include "lanes/alike.h"

// A model in which n balls and capsules fly through each other's way above a floor.
static mjModel* flock(int n, const char* floor) {
  char *text = mju_malloc((size_t)n * 400 + 1000), *at = text;
  at += sprintf(at, "<mujoco><option gravity='0 0 -3'/><worldbody>%s", floor);
  for (int i = 0; i < n; i++) {
    at += sprintf(at, "<body pos='%g %g %g'><freejoint/><geom type='%s' size='.05 .06'/></body>",
                  0.25 * (i % 4), 0.25 * (i / 4 % 4), 0.2 + 0.25 * (i / 16),
                  i % 3 ? "sphere" : "capsule");
  }
  sprintf(at, "</worldbody></mujoco>");
  mjModel* m = mj_copyModel(NULL, test_model(text));
  mju_free(text);
  return m;
}

TEST(many_pairs) {
  mjModel* m = flock(20, "<geom type='plane' size='5 5 1'/><geom type='box' size='.4 .4 .05'/>");
  steps_alike(m, 0.02, 3, 10, 6, 1e-7);
  mj_deleteModel(m);
}

TEST(many_dofs) {
  mjModel* m = flock(32, "<geom type='plane' size='5 5 1'/>");
  assert_true(m->nv > 128);
  steps_alike(m, 0.02, 3, 10, 6, 1e-7);
  mj_deleteModel(m);
}
