// Octrees from files: one that is not a valid tree is refused when it is loaded; its numbers may be
// anything.

#include <condyle/load.h>
#include <limits.h>

#include "support/load.h"
#include "support/test.h"

static char refusal[500];

static void keep(const char* text) {
  strncpy(refusal, text, sizeof(refusal) - 1);
}

// Saves a model and loads what was saved; NULL with the reason in refusal.
static mjModel* reload(const mjModel* m) {
  int size = (int)mj_sizeModel(m);
  char* bytes = malloc((size_t)size);
  mj_saveModel(m, NULL, bytes, size);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "m.mjb", bytes, size), 0);
  refusal[0] = 0;
  mju_user_warning = keep;
  mjModel* out = mj_loadModel("m.mjb", &vfs);
  mju_user_warning = NULL;
  mj_deleteVFS(&vfs);
  free(bytes);
  return out;
}

static mjModel* scene(void) {
  return cnd_loadXMLString(
      "<mujoco><asset><mesh name='b' builtin='sphere' params='0' scale='.3 .4 .3'/></asset>"
      "<worldbody><body><freejoint/><geom size='.2'/></body>"
      "<geom type='sdf' mesh='b'/></worldbody></mujoco>",
      NULL, NULL);
}

TEST(octrees_that_are_no_trees_are_refused) {
  mjModel* m = scene();
  mjModel* good = reload(m);
  assert_non_null(good);
  mj_deleteModel(good);
  int parent = 0, *child = m->oct_child;
  while (child[8 * parent + 3] < 0 || parent == 0) {
    parent++;
  }
  const struct {
    int place, value;
  } faults[] = {
      {3, 0},                               // itself
      {8 * parent + 3, 0},                  // its ancestor
      {8 * parent + 3, parent},             // itself
      {8 * parent + 3, -1},                 // seven children
      {8 * parent + 3, -2},                 // before the first
      {8 * parent + 3, child[8 * parent]},  // twice the same
      {8 * parent + 3, m->noct},            // behind the last
      {8 * parent + 3, INT_MAX},
      {8 * (m->noct - 1), m->noct - 1},  // a leaf with one child
  };
  for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
    int right = child[faults[i].place];
    child[faults[i].place] = faults[i].value;
    assert_null(reload(m));
    assert_non_null(strstr(refusal, "oct_child"));
    child[faults[i].place] = right;
  }
  mj_deleteModel(m);
}

// The last of eight children has children, and so on.
static void chain(mjModel* m, int depth) {
  memset(m->oct_child, -1, 8 * (size_t)m->noct * sizeof(int));
  for (int i = 0, parent = 0; i < depth; i++, parent = 8 * i) {
    for (int k = 0; k < 8; k++) {
      m->oct_child[8 * parent + k] = 8 * i + 1 + k;
    }
  }
}

// It would be walked through at each evaluation.
TEST(octrees_as_deep_as_many_are_refused) {
  mjModel* m = scene();
  chain(m, 60);
  mjModel* loaded = reload(m);
  assert_non_null(loaded);
  mj_deleteModel(loaded);
  chain(m, m->noct / 8 - 1);
  assert_null(reload(m));
  assert_non_null(strstr(refusal, "oct_child"));
  mj_deleteModel(m);
}

TEST(distances_may_be_any_numbers) {
  mjModel* m = scene();
  mjData* d = test_data(m);
  const mjtNum bad[] = {(mjtNum)NAN, (mjtNum)INFINITY, 0, (mjtNum)-1e300};
  for (size_t k = 0; k < sizeof(bad) / sizeof(bad[0]); k++) {
    mjtNum *box = m->oct_aabb, *value = m->oct_coeff;
    for (int i = 0; i < 6 * m->noct; i += 1 + (int)k) {
      box[i] = bad[k];
    }
    mj_resetData(m, d);
    mj_forward(m, d);
    for (int i = 0; i < 8 * m->noct; i += 3) {
      value[i] = bad[k];
    }
    mj_resetData(m, d);
    mj_forward(m, d);
    const mjtNum from[3] = {3, 0, 0}, along[3] = {-1, 0, 0};
    mj_ray(m, d, from, along, NULL, 1, 1, NULL);
  }
  mj_deleteModel(m);
}

// Where a field is flat a descent stays, however many steps it may take.
TEST(any_number_of_steps_ends) {
  mjModel* m = scene();
  mjData* d = test_data(m);
  m->opt.sdf_iterations = INT_MAX;
  mj_forward(m, d);
  assert_that(d->ncon, >, 0);
  for (int i = 0; i < 8 * m->noct; i++) {
    m->oct_coeff[i] = -1;
  }
  mj_forward(m, d);
  assert_that(d->ncon, >, 0);
  mj_deleteModel(m);
}
