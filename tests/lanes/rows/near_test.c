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

// Makes geoms wider, and bounds larger.
static void grow(mjModel* m) {
  for (int g = 1; g < m->ngeom; g++) {
    m->geom_size[3 * g] *= (mjtNum)1.3;
    m->geom_rbound[g] *= (mjtNum)1.3;
    mju_scl(m->geom_aabb + 6 * g + 3, m->geom_aabb + 6 * g + 3, (mjtNum)1.3, 3);
  }
  for (int b = 0; b < m->nbvh; b++) {
    mju_scl(m->bvh_aabb + 6 * b + 3, m->bvh_aabb + 6 * b + 3, (mjtNum)1.3, 3);
  }
}

// A world that goes from call to call beside other neighbours, faster or slower ones whose lists
// have another slack, keeps its list; sizes of geoms that change make it void.
TEST(lists_that_worlds_keep) {
  DOUBLE_ONLY();
  enum {
    WORLDS = 12
  };
  mjModel* m = flock(20, "<geom type='plane' size='5 5 1'/><geom type='box' size='.4 .4 .05'/>");
  mjData* d[WORLDS];
  cndBatch* batch = cnd_makeBatch(m, WORLDS, 0);
  uint64_t seed = 3;
  for (int i = 0; i < WORLDS; i++) {
    d[i] = test_data(m);
    lane_state(d[i], m, &seed, 0.02, i % 3 ? 2 : 20);
    mju_zero(d[i]->xfrc_applied, 6 * m->nbody);
    cnd_batchSetData(batch, i, d[i]);
  }
  cndArray qpos;
  cnd_batchExpose(&qpos, batch, "qpos");
  for (int call = 0; call < 30; call++) {
    mjtByte mask[WORLDS];
    for (int i = 0; i < WORLDS; i++) {
      mask[i] = (mjtByte)(call % 3 == 0 || (i * 7 + call) % 3 != 0);
    }
    if (call == 15) {
      grow(m);
    }
    assert_int_equal(cnd_batchStep(batch, mask, NULL, 2), cndRUN_DONE);
    for (int i = 0; i < WORLDS; i++) {
      for (int t = 0; mask[i] && t < 2; t++) {
        mj_step(m, d[i]);
      }
      const mjtNum* own = (const mjtNum*)qpos.data + i * m->nq;
      if (numbers_differ("qpos", own, d[i]->qpos, (size_t)m->nq, 1e-6, 1.0)) {
        fail_msg("call %d, world %d", call, i);
      }
    }
  }
  for (int i = 0; i < WORLDS; i++) {
    test_release(d[i]);
  }
  cnd_deleteBatch(batch);
  mj_deleteModel(m);
}
