// Bends that yield in sheets that are stretched: numbers of release 4.0.0, and the state of rest.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

static mjModel* hinge(const char* kind) {
  char xml[2000];
  snprintf(xml, sizeof(xml),
           "<mujoco><compiler dialect='4.0'/><option timestep='1e-9' gravity='0 0 0'/><worldbody>"
           "<flexcomp name='f' type='direct' dim='2' point='0 0 0  .1 0 0  0 .1 0  .08 .11 0' "
           "element='0 1 2 1 3 2' radius='.005' mass='1'><elasticity young='1e4' poisson='.2' "
           "thickness='.01' elastic2d='%s' yield='.5 .01'/><contact selfcollide='none' contype='0' "
           "conaffinity='0'/></flexcomp></worldbody></mujoco>",
           kind);
  return test_model(xml);
}

// Stretches the sheet along its sides, and turns the last vertex by an angle about the edge.
static void fold(const mjModel* m, mjData* d, const double stretch[2], double angle) {
  mj_resetData(m, d);
  mj_forward(m, d);
  double x[4][3], e[3], v[3], turned[3], length = 0, along = 0;
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) {
      x[i][k] = d->flexvert_xpos[3 * i + k] * (k < 2 ? stretch[k] : 1);
    }
  }
  for (int k = 0; k < 3; k++) {
    e[k] = x[2][k] - x[1][k];
    v[k] = x[3][k] - x[1][k];
    length += e[k] * e[k];
  }
  for (int k = 0; k < 3; k++) {
    e[k] /= sqrt(length);
    along += e[k] * v[k];
  }
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3;
    turned[k] = cos(angle) * v[k] + sin(angle) * (e[a] * v[b] - e[b] * v[a]) +
                (1 - cos(angle)) * along * e[k];
    x[3][k] = x[1][k] + turned[k];
  }
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) {
      d->qpos[3 * i + k] = (mjtNum)(x[i][k] - (double)d->flexvert_xpos[3 * i + k]);
    }
  }
}

// The only hinge's coefficient after a step.
static double yielded(const char* kind, double sx, double sy, double angle) {
  mjModel* m = hinge(kind);
  mjData* d = test_data(m);
  const double stretch[2] = {sx, sy};
  fold(m, d, stretch, angle);
  mj_step(m, d);
  double most = 0;
  for (int i = (int)m->nplastic - m->flex_edgenum[0]; i < (int)m->nplastic; i++) {
    most = fabs((double)d->plastic[i]) > fabs(most) ? (double)d->plastic[i] : most;
  }
  return most;
}

TEST(hinges_yield_as_recorded) {
  static const double rows[][4] = {
      {1, 1, 0.3, 0.480081573},     {1, 1, -0.4, -0.781310032},   {1.1, 1.1, 0.3, 0.321725032},
      {1.1, 1.1, 0.6, 1.193281832}, {1.2, 1, 0.3, 0.322518637},   {1, 1.2, -0.4, -0.595130087},
      {0.9, 0.9, 0.6, 1.72579677},  {1.3, 1.3, 1.0, 2.174816237}, {1.3, 1.3, 0.2, 0},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
    const double* row = rows[i];
    assert_near(yielded("bend", row[0], row[1], row[2]), row[3], 2e-5);
  }
  assert_near(yielded("both", 1.1, 1.1, 0.3), 0.321725032, 2e-5);
}

// What has yielded keeps still where it is: the hinge has no more to give.
TEST(a_fold_yields_once) {
  mjModel* m = hinge("bend");
  mjData* d = test_data(m);
  const double stretch[2] = {1.1, 1.1};
  fold(m, d, stretch, 0.6);
  mj_step(m, d);
  mjtNum first[100];
  mju_copy(first, d->plastic, (int)m->nplastic);
  mj_step(m, d);
  for (int i = 0; i < (int)m->nplastic; i++) {
    assert_near(d->plastic[i], first[i], 1e-5);
  }
}

TEST(the_thickness_is_where_release_4_keeps_it) {
  assert_near(hinge("bend")->flex_stiffness[6], 0.01, 1e-9);
  assert_near(hinge("stretch")->flex_stiffness[6], 0, 0);
}
