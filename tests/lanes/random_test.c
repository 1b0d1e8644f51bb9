// Random states, some of them wild: lanes find the acceleration that the scalar engine finds, or
// one that fits the equations as well. CONDYLE_LANES_STATES: how many blocks of each model.

#include <mujoco/api/constraint.h>

#include "lanes/beside.h"
#include "lanes/muscle_models.h"
#include "support/near.h"

enum {
  CALM,
  FAST,   // speeds of 1e3
  FAR,    // angles of 1e5
  DEEP,   // half a metre below the start
  SHORT,  // quaternions of length 1e-3
  UPRIGHT,
  NKIND
};

static void wild_state(mjData* d, const mjModel* m, uint64_t* seed, int kind) {
  double size = kind == UPRIGHT ? 0 : 0.5 * (uniform_random(seed) + 1);
  lane_state(d, m, seed, size, kind == FAST ? 1e3 : 2 * size);
  for (int j = 0; j < m->njnt; j++) {
    mjtNum* q = d->qpos + m->jnt_qposadr[j];
    int type = m->jnt_type[j];
    // a polynomial of an angle of 1e5 is beyond all numbers
    if (kind == FAR && !m->neq && type == mjJNT_HINGE && !m->jnt_limited[j]) {
      *q += (mjtNum)(1e5 * uniform_random(seed));
    } else if (kind == DEEP && type == mjJNT_FREE) {
      q[2] -= (mjtNum)0.5;
    } else if (kind == SHORT && (type == mjJNT_FREE || type == mjJNT_BALL)) {
      mju_scl(q + (type == mjJNT_FREE ? 3 : 0), q + (type == mjJNT_FREE ? 3 : 0), (mjtNum)1e-3, 4);
    }
  }
}

// Whether an acceleration fits the equations as well as that in d, or to the solver's tolerance. In
// wild states forces are large, and with them what is left of them.
static int fits(const mjModel* m, mjData* d, const mjtNum* acc) {
  double own = (double)cnd_solverResidual(m, d);
  mju_copy(d->qacc, acc, m->nv);
  double other = (double)cnd_solverResidual(m, d);
  double size = largest_of(d->qfrc_smooth, m->nv) / (double)m->stat.meaninertia;
  int good = other <= 2 * own + (double)m->opt.tolerance + 1e-12 * size;
  if (!good) {
    print_message("residual %g, of the scalar engine %g, forces %g\n", other, own, size);
  }
  return good;
}

// PGS ends before the minimum, so nothing but the scalar engine's acceleration is right.
static void compare(const mjModel* m) {
  DOUBLE_ONLY();
  long blocks = test_setting("CONDYLE_LANES_STATES", 60);
  const LaneVariant* variant;
  mjtNum acc[200];
  size_t where;
  int k = 0;
  for (; (variant = lanes_variant(k, 0, 0)); k++) {
    Beside b = make_beside(m, variant);
    uint64_t seed = 21;
    long compared = 0;
    for (long n = 0; n < blocks; n++) {
      for (int l = 0; l < variant->lanes; l++) {
        wild_state(b.d[l], m, &seed, (int)(n + l) % NKIND);
        if (n % 2) {  // a start near the solution, as within a motion
          mj_forward(m, b.d[l]);
          mju_scl(b.d[l]->qacc_warmstart, b.d[l]->qacc, (mjtNum)0.99, m->nv);
        }
        LaneRow row = row_of(b.d[l]);
        variant->load(b.work, l, &row);
      }
      variant->step(b.work, 0);
      unsigned failed = variant->failed(b.work);
      for (int l = 0; l < variant->lanes; l++) {
        mj_forward(m, b.d[l]);
        variant->read(b.work, l, LANE_ACC, acc);
        if (failed >> l & 1) {
          continue;
        }
        compared++;
        if (relative_error(&where, acc, b.d[l]->qacc, m->nv, 1.0) > 1e-9 &&
            (m->opt.solver == mjSOL_PGS || !fits(m, b.d[l], acc))) {
          fail_msg("%s, %d lanes: block %ld, lane %d, kind %d", variant->name, variant->lanes, n, l,
                   (int)(n + l) % NKIND);
        }
      }
    }
    assert_that(compared, >, blocks * variant->lanes / 2);
    free_beside(&b);
  }
  assert_that(k, >, 0);
}

TEST(tree) {
  compare(test_model(LANE_TREE));
}

TEST(ties) {
  compare(test_model(LANE_TIES));
}

TEST(walker) {
  compare(test_model(LANE_WALKER("", LANE_FLOOR)));
}

TEST(walker_that_meets_itself) {
  compare(test_model(LANE_WALKER("", "contype='1' conaffinity='1' condim='4'")));
}

TEST(walker_with_cones) {
  compare(test_model(LANE_WALKER("cone='elliptic'", "contype='1' conaffinity='1'")));
}

TEST(arm) {
  compare(test_model(LANE_ARM("")));
}

TEST(humanoid) {
  compare(test_model_file("models/humanoid.xml"));
}

// with PGS, which ends after so many sweeps

static void compare_sweeps(const mjModel* m, int iterations) {
  mjModel* copy = mj_copyModel(NULL, m);
  copy->opt.solver = mjSOL_PGS;
  copy->opt.iterations = iterations;
  compare(copy);
  mj_deleteModel(copy);
}

TEST(sweeps_of_ties) {
  compare_sweeps(test_model(LANE_TIES), 1);
  compare_sweeps(test_model(LANE_TIES), 30);
}

TEST(sweeps_of_a_walker) {
  compare_sweeps(test_model(LANE_WALKER("", LANE_FLOOR)), 50);
  compare_sweeps(test_model(LANE_WALKER("", "contype='1' conaffinity='1' condim='6'")), 30);
  compare_sweeps(test_model(LANE_WALKER("", "contype='1' conaffinity='1' condim='1'")), 30);
}

TEST(sweeps_of_a_humanoid) {
  compare_sweeps(test_model_file("models/humanoid.xml"), 50);
}
