// A world with its own parameters behaves like a model that was edited, or compiled, with them.

#include <condyle/batch.h>

#include "model/field.h"
#include "support/caught.h"
#include "support/models.h"

enum {
  N = 5,
  NSTEP = 5
};

static const char* const kPaths[] = {
    MODELS "humanoid.xml",
    MODELS "hand.xml",
    TEST_MODELS "equality_everything.xml",
    TEST_MODELS "flex_cloth.xml",
    TEST_MODELS "actuator_muscle.xml",
    TEST_MODELS "fluid_ellipsoid.xml",
    TEST_MODELS "hfield_marbles.xml",
    TEST_MODELS "contact_pairs.xml",
    TEST_MODELS "hard_rod.xml",
};

// Fields whose changes move shortcuts of the compiler: an edited model ignores some of them.
static int follows(const char* name) {
  static const char* const names[] = {"body_ipos", "body_iquat", "geom_pos",       "geom_quat",
                                      "site_pos",  "site_quat",  "geom_margin",    "body_gravcomp",
                                      "jnt_pos",   "jnt_axis",   "tendon_armature"};
  for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
    if (!strcmp(names[k], name)) {
      return 1;
    }
  }
  return 0;
}

// Changes the numbers of a world a little and copies them to its own model.
static void disturb(const cndArray* array, mjModel* own, const char* name, int world,
                    uint64_t* seed) {
  cndArray to;
  cnd_modelArray(&to, own, name);
  size_t n = array->rows * array->columns;
  if (!n) {
    return;
  }
  if (!strcmp(array->field->type, "float")) {
    float* x = (float*)array->data + (size_t)world * n;
    for (size_t i = 0; i < n; i++) {
      x[i] *= (float)(0.9 + 0.05 * uniform_random(seed));
    }
    memcpy(to.data, x, n * sizeof(float));
    return;
  }
  mjtNum* x = (mjtNum*)array->data + (size_t)world * n;
  for (size_t i = 0; i < n; i++) {
    x[i] *= (mjtNum)(1 + 0.05 * uniform_random(seed));
  }
  for (size_t i = 0; strstr(name, "_quat") && i < n; i += 4) {
    mju_normalize4(x + i);
  }
  memcpy(to.data, x, n * sizeof(mjtNum));
}

static void assert_rows(const cndArray* array, mjModel* const* own, mjData* const* d) {
  size_t bytes = array->rows * array->columns * array->field->size;
  for (int i = 0; bytes && i < N; i++) {
    cndArray from;
    cnd_dataArray(&from, own[i], d[i], array->field->name);
    if (memcmp((const char*)array->data + (size_t)i * bytes, from.data, bytes) != 0) {
      fail_msg("%s of world %d differs from that of a loop: it begins with %.17g and %.17g",
               array->field->name, i,
               (double)*(mjtNum*)(void*)((char*)array->data + (size_t)i * bytes),
               (double)*(mjtNum*)from.data);
    }
  }
}

static const char* const kResults[] = {"qpos",         "qvel",           "act",
                                       "qacc",         "sensordata",     "xpos",
                                       "xmat",         "geom_xpos",      "qfrc_constraint",
                                       "ncon",         "nefc",           "time",
                                       "qfrc_passive", "actuator_force", "qacc_warmstart"};

// Steps the batch, and each world by itself, and compares.
static void assert_steps(cndBatch* batch, mjModel* const* own, mjData* const* d) {
  enum {
    NRESULT = sizeof(kResults) / sizeof(kResults[0])
  };
  cndArray result[NRESULT];
  for (int k = 0; k < NRESULT; k++) {
    cnd_batchExpose(&result[k], batch, kResults[k]);
  }
  if (cnd_batchStep(batch, NULL, NULL, NSTEP) != cndRUN_DONE) {
    fail_msg("%s", cnd_batchError(batch));
  }
  for (int i = 0; i < N; i++) {
    for (int t = 0; t < NSTEP; t++) {
      mj_step(own[i], d[i]);
    }
  }
  for (int k = 0; k < NRESULT; k++) {
    assert_rows(&result[k], own, d);
  }
}

static void assert_same_model(const mjModel* a, const mjModel* b) {
  assert_memory_equal(&a->opt, &b->opt, sizeof(mjOption));
  assert_memory_equal(&a->stat, &b->stat, sizeof(mjStatistic));
  assert_int_equal(a->ngravcomp, b->ngravcomp);
  for (int k = 0; k < field_model.count; k++) {
    const cndField* field = field_model.field + k;
    size_t bytes = field_bytes(&field_model, k, a, NULL);
    if (bytes && memcmp(field_pointer(a, field), field_pointer(b, field), bytes) != 0) {
      fail_msg("%s differs", field->name);
    }
  }
}

// All fields at once, with and without what mj_setConst makes of them.
TEST_EACH(varied_worlds_are_edited_models, kPaths) {
  const mjModel* m = our_model(text);
  mjModel* before = test_own_model(mj_copyModel(NULL, m));
  for (int constants = 0; constants < 2; constants++) {
    cndBatch* batch = cnd_makeBatch(m, N, 2);
    cnd_batchLanes(batch, cndLANES_OFF);
    mjModel* own[N];
    mjData* d[N];
    for (int i = 0; i < N; i++) {
      own[i] = test_own_model(mj_copyModel(NULL, m));
      d[i] = test_data(m);
    }
    uint64_t seed = 17;
    int varied = 0;
    for (int k = 0; k < cnd_modelFieldCount() + cnd_optionFieldCount(); k++) {
      int is_option = k >= cnd_modelFieldCount();
      const cndField* field =
          is_option ? cnd_optionField(k - cnd_modelFieldCount()) : cnd_modelField(k);
      char name[100];
      snprintf(name, sizeof(name), "%s%s", is_option ? "opt." : "", field->name);
      if (cnd_batchFixed(name) || follows(name)) {
        continue;
      }
      cndArray array;
      cnd_batchVary(&array, batch, name);
      for (int i = 0; i < N; i++) {
        disturb(&array, own[i], name, i, &seed);
      }
      varied++;
    }
    assert_that(varied, >, 90);
    if (constants) {
      mjtByte mask[N] = {1, 0, 1, 1, 1};
      assert_int_equal(cnd_batchSetConst(batch, mask), cndRUN_DONE);
      for (int i = 0; i < N; i++) {
        mjData* work = test_data(m);
        if (mask[i]) {
          mj_setConst(own[i], work);
        }
        test_release(work);
      }
    }
    cnd_batchReset(batch, NULL, m->nkey - 1);
    for (int i = 0; i < N; i++) {
      mj_resetDataKeyframe(own[i], d[i], m->nkey - 1);
    }
    assert_steps(batch, own, d);
    assert_steps(batch, own, d);
    for (int i = 0; i < N; i++) {
      mjModel* copy = test_own_model(cnd_batchCopyModel(batch, i));
      assert_same_model(copy, own[i]);
      test_release(copy);
      test_release(own[i]);
      test_release(d[i]);
    }
    cnd_deleteBatch(batch);
  }
  assert_same_model(before, m);
}

// Two bodies with many geoms, so that there are box trees, whose frames coincide or not.
static mjModel* boxes_model(const double* x) {
  char xml[4000];
  snprintf(
      xml, sizeof(xml),
      "<mujoco><compiler angle='radian'/><worldbody><geom type='plane' size='5 5 1'/>"
      "<body name='trunk' pos='0 0 .3' gravcomp='%g'><joint name='free' type='free'/>"
      "<inertial pos='%g %g %g' euler='%g 0 0' mass='2' diaginertia='.1 .2 .25'/>"
      "<geom size='.1' pos='%g .1 %g' margin='%g'/><geom size='.1' pos='-.3 0 0'/>"
      "<geom size='.1 .1 .2' type='box' pos='0 .3 0' euler='0 %g 0'/>"
      "<geom size='.1' pos='0 -.3 0'/><site name='s' pos='0 %g 0'/>"
      "<body name='arm' pos='.5 0 .2'><joint name='x' axis='0 1 %g' pos='%g 0 0'/>"
      "<inertial pos='0 0 0' mass='1' diaginertia='.1 .1 .1'/>"
      "<geom size='.1'/><geom size='.1' pos='.2 0 0'/></body></body>"
      "<body pos='0 0 .85'><freejoint/><inertial pos='0 0 %g' mass='1' diaginertia='.1 .1 .15'/>"
      "<geom size='.1'/><geom size='.1' pos='0 .3 0'/><geom size='.1' pos='.3 0 0'/>"
      "<body><joint axis='1 0 0'/><geom size='.1' pos='0 0 .3'/></body></body>"
      "</worldbody><sensor><framepos objtype='site' objname='s'/><accelerometer site='s'/>"
      "</sensor></mujoco>",
      x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12]);
  return test_model(xml);
}

// The compiler finds frames that coincide, box trees, margins and counts in each model.
TEST(varied_frames_are_compiled_models) {
  static const char* const names[] = {"body_ipos", "body_iquat", "geom_pos",
                                      "geom_quat", "site_pos",   "geom_margin",
                                      "jnt_axis",  "jnt_pos",    "body_gravcomp"};
  static const double none[13] = {0};
  mjModel* m = boxes_model(none);
  assert_int_equal(m->ngravcomp, 0);
  assert_int_equal(m->body_sameframe[1], mjSAMEFRAME_BODY);
  cndBatch* batch = cnd_makeBatch(m, N, 2);
  cnd_batchLanes(batch, cndLANES_OFF);
  mjModel* own[N];
  mjData* d[N];
  uint64_t seed = 5;
  for (int i = 0; i < N; i++) {
    double x[13];
    for (int k = 0; k < 13; k++) {
      x[k] = i ? (k == 0 || k == 7 ? 0.05 * i : 0.1 * uniform_random(&seed)) : 0;
    }
    own[i] = boxes_model(x);
    d[i] = test_data(own[i]);
  }
  for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
    cndArray array, from;
    cnd_batchVary(&array, batch, names[k]);
    size_t n = array.rows * array.columns;
    for (int i = 0; i < N; i++) {
      cnd_modelArray(&from, own[i], names[k]);
      memcpy((mjtNum*)array.data + (size_t)i * n, from.data, n * sizeof(mjtNum));
    }
  }
  assert_int_equal(cnd_batchSetConst(batch, NULL), cndRUN_DONE);
  for (int round = 0; round < 40; round++) {
    assert_steps(batch, own, d);
  }
  assert_that(d[N - 1]->ncon, >, 2);
  cnd_deleteBatch(batch);
}

// Appends a free body with a row of spheres along y.
static void add_row(char* xml, size_t size, double x, int count) {
  char geom[100];
  snprintf(geom, sizeof(geom),
           "<body pos='%g 0 0'><freejoint/><inertial pos='.1 0 0' mass='1' diaginertia='1 1 1'/>",
           x);
  strncat(xml, geom, size - strlen(xml) - 1);
  for (int g = 0; g < count; g++) {
    snprintf(geom, sizeof(geom), "<geom size='.1' pos='0 %d 0'/>", g);
    strncat(xml, geom, size - strlen(xml) - 1);
  }
  strncat(xml, "</body>", size - strlen(xml) - 1);
}

// The contacts of two bodies with box trees, whose centers of mass, margins and geoms vary.
TEST(box_trees_follow_centers_of_mass_and_margins) {
  enum {
    ROW = 20
  };
  char xml[5000] = "<mujoco><option gravity='0 0 0'/><worldbody>";
  add_row(xml, sizeof(xml), 0, ROW);
  add_row(xml, sizeof(xml), 0.25, ROW);
  strncat(xml, "</worldbody></mujoco>", sizeof(xml) - strlen(xml) - 1);
  mjModel* m = test_model(xml);
  assert_int_equal(m->body_bvhnum[1], 2 * ROW - 1);
  cndBatch* batch = cnd_makeBatch(m, N, 2);
  cnd_batchLanes(batch, cndLANES_OFF);
  cndArray ipos, margin, qpos, ncon, geom;
  cnd_batchExpose(&qpos, batch, "qpos");
  cnd_batchExpose(&ncon, batch, "ncon");
  cnd_batchVary(&ipos, batch, "body_ipos");
  cnd_batchVary(&margin, batch, "geom_margin");
  cnd_batchVary(&geom, batch, "geom_pos");

  // apart; overlapping, with the center of mass far off; within the margin; with geoms moved
  ((mjtNum*)qpos.data)[1 * 14 + 7] = (mjtNum)0.15;
  ((mjtNum*)ipos.data)[1 * 9 + 3] = 20;
  for (int g = 0; g < 2 * ROW; g++) {
    ((mjtNum*)margin.data)[2 * 2 * ROW + g] = (mjtNum)0.2;
    ((mjtNum*)geom.data)[(3 * 2 * ROW + g) * 3] += g < ROW ? (mjtNum)0.1 : 0;
  }
  assert_int_equal(cnd_batchForward(batch, NULL), cndRUN_DONE);
  const int expected[N] = {0, ROW, ROW, ROW, 0};
  assert_memory_equal(ncon.data, expected, sizeof(expected));
  cnd_deleteBatch(batch);
}

static void refuse(cndBatch* batch, cndArray* array, size_t entry, mjtNum value, const char* text) {
  mjtNum* x = (mjtNum*)array->data + entry;
  mjtNum good = *x;
  *x = value;
  assert_int_equal(cnd_batchStep(batch, NULL, NULL, 1), cndRUN_FAILED);
  if (!strstr(cnd_batchError(batch), text)) {
    fail_msg("expected \"%s\", got \"%s\"", text, cnd_batchError(batch));
  }
  assert_int_equal(cnd_batchFailed(batch)[2], 1);
  assert_int_equal(cnd_batchFailed(batch)[1], 0);
  *x = good;
  assert_int_equal(cnd_batchStep(batch, NULL, NULL, 1), cndRUN_DONE);
}

TEST(bad_values_are_told_with_their_place) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body name='ball'><freejoint/><geom name='g' size='.1'/></body><body "
      "name='b'><joint name='x'/><geom size='.1' pos='1 0 0'/></body></worldbody></mujoco>");
  cndBatch* batch = cnd_makeBatch(m, N, 2);
  cnd_batchLanes(batch, cndLANES_OFF);
  cndArray mass, friction, quat, timestep, damping, ipos;
  cnd_batchVary(&mass, batch, "body_mass");
  cnd_batchVary(&friction, batch, "geom_friction");
  cnd_batchVary(&quat, batch, "body_quat");
  cnd_batchVary(&timestep, batch, "opt.timestep");
  cnd_batchVary(&damping, batch, "dof_damping");
  cnd_batchVary(&ipos, batch, "body_ipos");
  refuse(batch, &mass, 2 * 3 + 1, -2,
         "world 2: body_mass, row 1 (body 'ball'): entry 0 is -2, must be >= 0 and finite");
  refuse(batch, &mass, 2 * 3 + 2, (mjtNum)NAN, "world 2: body_mass, row 2 (body 'b'): entry 0 is");
  refuse(batch, &friction, 2 * 6 + 4, -1, "geom_friction, row 1: entry 1 is -1");
  refuse(batch, &friction, 2 * 6 + 2, (mjtNum)INFINITY, "row 0 (geom 'g'): entry 2 is inf");
  refuse(batch, &timestep, 2, 0, "world 2: timestep, row 0: entry 0 is 0, must be > 0 and finite");
  refuse(batch, &damping, 2 * 7 + 6, (mjtNum)NAN, "dof_damping, row 6: entry 0 is");
  refuse(batch, &ipos, 2 * 9 + 4, 1,
         "row 1 (body 'ball'): the compiled inertia matrix is diagonal");
  refuse(batch, &quat, 2 * 12 + 4, 0,
         "body_quat, row 1 (body 'ball'): entry 0 is 0, must be part "
         "of a unit quaternion: normalise the row");
  refuse(batch, &quat, 2 * 12 + 4, 2, "entry 0 is 2, must be part of a unit quaternion");
  cnd_deleteBatch(batch);
}

TEST(fields_that_are_fixed_say_why) {
  mjModel* m = test_model("<mujoco/>");
  cndBatch* batch = cnd_makeBatch(m, N, 0);
  cnd_batchLanes(batch, cndLANES_OFF);
  cndArray array;
  assert_error(cnd_batchVary(&array, batch, "body_mas"), "mjModel has no field 'body_mas'");
  assert_error(cnd_batchVary(&array, batch, "nbody"), "nbody can't vary: it is a size");
  assert_error(cnd_batchVary(&array, batch, "jnt_type"), "jnt_type can't vary: it is an id");
  assert_error(cnd_batchVary(&array, batch, "opt.solver"), "opt.solver can't vary: it is a choice");
  assert_error(cnd_batchVary(&array, batch, "geom_size"),
               "geom_size can't vary: boxes and spheres");
  assert_error(cnd_batchVary(&array, batch, "geom_rgba"), "only drawing depends on it");
  assert_error(cnd_batchVary(&array, batch, "key_qpos"), "keyframes are for all worlds");
  assert_error(cnd_batchVary(&array, batch, "opt.body_mass"), "mjModel has no field");
  assert_error(cnd_batchVary(NULL, batch, "body_mass"), "cnd_batchVary: array is NULL");
  assert_error(cnd_batchFixed(NULL), "cnd_batchFixed: name is NULL");
  assert_string_equal(cnd_batchFixed("x"), "mjModel has no such field");
  assert_null(cnd_batchFixed("body_mass"));
  assert_null(cnd_batchFixed("opt.gravity"));
  assert_null(cnd_batchFixed("gravity"));

  // all that may vary are real numbers
  for (int k = 0; k < cnd_modelFieldCount(); k++) {
    const cndField* field = cnd_modelField(k);
    int real = !strcmp(field->type, "mjtNum") || !strcmp(field->type, "float");
    assert_true(real || cnd_batchFixed(field->name));
  }
  cnd_deleteBatch(batch);
}
