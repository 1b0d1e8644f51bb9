// Tactile sensors: the formula on shapes whose depth is known, the reference's numbers, and what
// they can't feel.

#include "collision/sdf/sdf_scene.h"
#include "support/models.h"
#include "support/near.h"

static const char kModel[] = CONDYLE_SOURCE_DIR "/tests/models/sensor_tactile.xml";

// A pad over what it is pressed on: its skin is the box's underside, at z = -.1 in the box's frame.
#define PAD(assets, world, sensor)                                                             \
  "<mujoco><asset><mesh name='pad' builtin='plate' params='6 5' scale='.3 .2 .1'/>" assets     \
  "</asset><worldbody>" world                                                                  \
  "<body name='pad' pos='.02 .01 .1' euler='0 0 30'><freejoint/><geom type='box' size='.3 .2 " \
  ".1'/>"                                                                                      \
  "<geom name='pad' type='mesh' mesh='pad' contype='0' conaffinity='0' mass='0'/></body>"      \
  "</worldbody><sensor>" sensor "</sensor></mujoco>"
#define SENSOR "<tactile name='t' geom='pad' mesh='pad'/>"

enum {
  NVERT = 30,
};

// A vertex of the pad in the world; sets the velocity there.
static void follow_vertex(mjtNum x[3], mjtNum v[3], const mjModel* m, const mjData* d, int j) {
  int mesh = mj_name2id(m, mjOBJ_MESH, "pad"), geom = mj_name2id(m, mjOBJ_GEOM, "pad");
  int body = m->geom_bodyid[geom];
  const float* vert = m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + j);
  mjtNum local[3] = {vert[0], vert[1], vert[2]};
  mjtNum* jac = malloc((size_t)(3 * m->nv) * sizeof(mjtNum));
  assert_int_equal(m->mesh_vertnum[mesh], NVERT);
  mju_mulMatVec(x, d->geom_xmat + 9 * geom, local, 3, 3);
  mju_addTo3(x, d->geom_xpos + 3 * geom);
  mj_jac(m, d, jac, NULL, x, body);
  mju_mulMatVec(v, jac, d->qvel, 3, m->nv);
  free(jac);
}

// A ball under the pad: the depth of a point in it is plain, and so is the velocity of its centre.
TEST(pressure_and_sliding_are_as_defined) {
  const mjtNum radius = (mjtNum)0.4;
  mjModel* m = test_model(PAD("", "<body><freejoint/><geom size='.4'/></body>", SENSOR));
  mjData* d = test_data(m);
  uint64_t seed = 77;
  int pressed = 0, free = 0;
  for (int round = 0; round < 40; round++) {
    mj_resetData(m, d);
    draw_vector(d->qpos, (mjtNum)0.1, &seed);
    d->qpos[2] -= radius;
    for (int i = 0; i < m->nv; i++) {
      d->qvel[i] = xorshift_random(&seed);
    }
    mj_forward(m, d);
    for (int j = 0; j < NVERT; j++) {
      mjtNum x[3], v[3], expected[3] = {0};
      follow_vertex(x, v, m, d, j);
      mjtNum depth = mju_dist3(x, d->qpos) - radius;
      if (d->ncon && depth < 0) {
        mju_subFrom3(v, d->qvel);
        expected[0] = depth / ((mjtNum)0.05 - depth);
        expected[1] = mju_abs(v[1]);
        expected[2] = mju_abs(v[2]);
        pressed++;
      } else {
        free++;
      }
      mjtNum felt[3] = {d->sensordata[j], d->sensordata[NVERT + j], d->sensordata[2 * NVERT + j]};
      assert_close(felt, expected, 3, 1e-9);
    }
  }
  assert_that(pressed, >, 100);
  assert_that(free, >, 100);
}

// the reference's numbers

// Sensors of a model on both sides, to 1e-9 of their size; counts the numbers that aren't zero.
static int count_felt(const Bridge* b, int* differ) {
  size_t count;
  const mjtNum* theirs = bridge_ref_data(b, "sensordata", &count);
  assert_int_equal(count, b->m->nsensordata);
  *differ += numbers_differ("sensordata", b->d->sensordata, theirs, count, 1e-9, 1);
  int felt = 0;
  for (size_t i = 0; i < count; i++) {
    felt += theirs[i] != 0;
  }
  return felt;
}

// The reference's state and contacts, our sensors.
static int count_felt_there(Bridge* b, int* differ) {
  bridge_run(b, "mj_forward");
  bridge_pull(b, NULL);
  mju_fill(b->d->sensordata, 9, b->m->nsensordata);
  mj_sensorAcc(b->m, b->d);
  return count_felt(b, differ);
}

static void compare(const char* xml, int rounds, double scale, int least) {
  Bridge* b = test_bridge(xml);
  int differ = 0, felt = 0;
  for (int i = 0; i < rounds; i++) {
    bridge_random(b, (unsigned)i, scale * (1 + i % 3));
    felt += count_felt_there(b, &differ);
  }
  test_release(b);
  assert_int_equal(differ, 0);
  if (felt < least) {
    fail_msg("%d numbers aren't zero", felt);
  }
}

#define FREE(pos, geom) "<body pos='" pos "'><freejoint/><geom " geom "/></body>"

// Every shape; skins on moved and nested frames, on bodies welded to another and to the world.
TEST(shapes_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  compare(
      "<mujoco><asset><mesh name='pad' builtin='plate' params='5 4' scale='.3 .5 .2'/>"
      "<mesh name='tip' builtin='wedge' params='7 5 80 60 .4' scale='.3 .3 .3'/>"
      "<mesh name='pebble' builtin='supersphere' params='5 .8 1.2' scale='.4 .5 .3'/></asset>"
      "<default><default class='skin'><geom type='mesh' contype='0' conaffinity='0' mass='.1'/>"
      "</default></default><worldbody><geom type='plane' size='3 3 .1' pos='0 0 -.3'/>"
      "<geom name='rock' size='.5' pos='0 .3 -.2'/>"
      "<geom name='moss' class='skin' mesh='tip' pos='0 .3 -.1' euler='0 90 0'/>" FREE(
          "1 0 .4", "size='.6'") FREE("-1 0 .4", "type='capsule' size='.4 .5'")
          FREE("0 1 .4", "type='box' size='.4 .5 .6'") FREE(
              "1 1 .4", "type='mesh' mesh='pebble' pos='.1 0 0' euler='10 0 0'")
              FREE("9 9 9", "type='sdf' mesh='pebble' contype='0' conaffinity='0'")
      "<body pos='0 -1 .4'><freejoint/><geom type='ellipsoid' size='.4 .5 .6' pos='.1 .1 .1'/>"
      "<body pos='.5 0 .5'><joint axis='1 1 0'/><geom type='cylinder' size='.4 .5'/></body></body>"
      "<body pos='0 0 .4'><freejoint/><geom type='box' size='.3 .5 .2'/>"
      "<body pos='.1 .2 .3' euler='10 20 30'>"
      "<geom name='g' class='skin' mesh='pad' pos='.1 0 0' euler='40 0 0'/>"
      "<geom name='h' class='skin' mesh='tip' pos='0 .2 0' euler='0 40 0'/>"
      "<body><joint axis='0 1 1'/><geom size='.3' name='ball'/></body></body></body></worldbody>"
      "<sensor><tactile geom='g' mesh='pad'/><tactile geom='h' mesh='tip'/>"
      "<tactile geom='ball' mesh='tip'/><tactile geom='moss' mesh='tip'/>"
      "</sensor></mujoco>",
      120, 0.2, 10000);
}

// The shape of a plugin has its own frame, not that of the mesh that stands for it.
TEST(plugin_shapes_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  register_torus();
  compare(
      "<mujoco><extension><plugin plugin='test.torus'/></extension>"
      "<asset><mesh name='pad' builtin='plate' params='9 9' scale='.3 .3 .1'/>"
      "<mesh name='b' vertex='0 0 0  .4 0 0  0 .5 0  0 0 .3'/></asset><worldbody>"
      "<body><freejoint/><geom type='capsule' size='.1 .2'/>"
      "<geom name='pad' type='mesh' mesh='pad' contype='0' conaffinity='0' pos='0 0 .1'/></body>"
      "<body><freejoint/><geom type='sdf' mesh='b'><plugin plugin='test.torus'/></geom></body>"
      "</worldbody><sensor><tactile geom='pad' mesh='pad'/></sensor></mujoco>",
      60, 0.05, 500);
}

// The same geom in contact through a pair with another one of its body: each is felt by the other's
// skin.
TEST(a_body_that_touches_itself_agrees_with_the_reference) {
  BRIDGE_OR_SKIP();
  for (int swapped = 0; swapped < 2; swapped++) {
    char xml[1000];
    const char* geoms[] = {"<geom name='a' type='box' size='.3 .5 .25'/>",
                           "<geom name='c' size='.35' pos='.05 .1 0'/>"};
    snprintf(xml, sizeof xml,
             "<mujoco><asset><mesh name='p' builtin='plate' params='6 6' scale='.3 .5 .2'/></asset>"
             "<worldbody><body><freejoint/>%s%s<geom name='g' type='mesh' mesh='p' contype='0'"
             " conaffinity='0'/></body></worldbody><contact><pair geom1='a' geom2='c'/></contact>"
             "<sensor><tactile geom='g' mesh='p'/></sensor></mujoco>",
             geoms[swapped], geoms[!swapped]);
    compare(xml, 3, 0.3, 200);
  }
}

TEST(a_trajectory_agrees_with_the_reference) {
  BRIDGE_OR_SKIP();
  Bridge* b = both_models(kModel);
  tighten_both(b);
  int differ = 0, felt = 0;
  for (int i = 0; i < 200 && !differ; i++) {
    bridge_run(b, "mj_step");
    mj_step(b->m, b->d);
    felt += count_felt(b, &differ);
  }
  test_release(b);
  assert_int_equal(differ, 0);
  assert_that(felt, >, 1000);
}

// A cutoff can be set through the interface alone, and clips all three kinds of number.
TEST(a_cutoff_agrees_with_the_reference) {
  BRIDGE_OR_SKIP();
  Bridge* b = bridge_load(kModel);
  assert_non_null(b);
  int differ = 0, clipped = 0;
  for (int i = 0; i < b->m->nsensor; i++) {
    ((mjtNum*)reference_option(b, "sensor_cutoff"))[i] = b->m->sensor_cutoff[i] = (mjtNum)0.05;
  }
  for (unsigned seed = 1; seed < 20; seed++) {
    bridge_random(b, seed, 0.02);
    count_felt_there(b, &differ);
    for (int i = 0; i < b->m->nsensordata; i++) {
      clipped += mju_abs(b->d->sensordata[i]) == (mjtNum)0.05;
    }
  }
  bridge_free(b);
  assert_int_equal(differ, 0);
  assert_that(clipped, >, 100);
}

// what can't be felt

// One forward pass with the pad a little lower than it is in the model; leaves the sensor's
// numbers.
static void press(mjtNum felt[3 * NVERT], const char* xml) {
  mjModel* m = test_model(xml);
  mjData* d = test_data(m);
  int pad = m->jnt_qposadr[m->njnt - 1];
  d->qpos[pad + 2] -= (mjtNum)0.02;
  mju_fill(d->qvel, (mjtNum)0.3, m->nv);
  mju_fill(d->sensordata, 9, m->nsensordata);
  mj_forward(m, d);
  assert_that(d->ncon, >, 0);
  assert_int_equal(m->nsensordata, 3 * NVERT);
  mju_copy(felt, d->sensordata, 3 * NVERT);
  test_release(m);
}

static int count_nonzero(const mjtNum* x, int n) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    count += x[i] != 0;
  }
  return count;
}

#define ROCK "<mesh name='rock' builtin='sphere' params='2' scale='.4 .4 .4'/>"

TEST(a_mesh_without_an_octree_is_not_felt) {
  mjtNum felt[3 * NVERT];
  press(felt, PAD(ROCK, "<geom type='mesh' mesh='rock' pos='0 0 -.4'/>", SENSOR));
  assert_int_equal(count_nonzero(felt, 3 * NVERT), 0);
}

// In the reference an SDF geom without a plugin and a height field end the program.
TEST(a_mesh_with_an_octree_is_felt_as_mesh_and_as_field) {
  mjtNum mesh[3 * NVERT], field[3 * NVERT];
  press(mesh, PAD(ROCK,
                  "<geom type='mesh' mesh='rock' pos='0 0 -.4'/>"
                  "<geom type='sdf' mesh='rock' pos='9 9 9'/>",
                  SENSOR));
  press(field, PAD(ROCK, "<geom type='sdf' mesh='rock' pos='0 0 -.4'/>", SENSOR));
  assert_that(count_nonzero(mesh, NVERT), >, 3);
  assert_close(mesh, field, 3 * NVERT, 1e-12);
}

static int warnings;

static void count_warning(const char* text) {
  warnings += strstr(text, "has no distance field") != NULL;
}

TEST(a_height_field_is_passed_through_with_a_warning) {
  mjtNum felt[3 * NVERT];
  mju_user_warning = count_warning;
  press(felt,
        PAD("<hfield name='h' nrow='3' ncol='3' size='1 1 .1 .1' elevation='1 1 1 1 1 1 1 1 0'/>",
            "<geom type='hfield' hfield='h' pos='0 0 -.1'/>", SENSOR));
  mju_user_warning = NULL;
  assert_int_equal(warnings, 1);
  assert_int_equal(count_nonzero(felt, 3 * NVERT), 0);
}

// A skin without tangents: the pressure is that of the same skin with them, up to their rounding.
TEST(a_mesh_without_tangents_feels_pressure_alone) {
  const char* floor =
      "<mujoco><asset>%s</asset><worldbody><geom type='plane' size='1 1 1'/>"
      "<body pos='0 0 .2'><freejoint/><geom size='.3'/><geom name='g' type='mesh' mesh='p'"
      " contype='0' conaffinity='0' mass='0'/></body></worldbody>"
      "<sensor><tactile geom='g' mesh='p'/></sensor></mujoco>";
#define CORNERS \
  "<mesh name='p' vertex='-.1 0 -.25 .1 0 -.25 0 .2 -.25 0 0 0' face='0 2 1 0 1 3 1 2 3 2 0 3'"
  const char* mesh[] = {
      CORNERS "/>", CORNERS " normal='0 0 1 0 0 1 0 0 1 0 0 1'/>",
      CORNERS
      " normal='1 0 0 0 1 0 0 0 1 1 0 0 0 1 0 0 0 1 1 0 0 0 1 0 0 0 1 1 0 0 0 1 0 0 0 1'/>"};
  for (int i = 0; i < 3; i++) {
    char xml[2000];
    snprintf(xml, sizeof xml, floor, mesh[i]);
    cndDiagnostics* problems = cnd_makeDiagnostics();
    mjModel* m = cnd_loadXMLString(xml, NULL, problems);
    assert_non_null(m);
    int told = cnd_diagnostic(problems, 0) &&
               strstr(cnd_diagnostic(problems, 0)->message, "three normals per vertex");
    assert_int_equal(told, i < 2);
    cnd_deleteDiagnostics(problems);
    mjData* d = mj_makeData(m);
    mju_fill(d->qvel, 1, m->nv);
    mj_forward(m, d);
    const mjtNum pressure[4] = {-0.5, -0.5, -0.5, 0};
    assert_close(d->sensordata, pressure, 4, 1e-6);
    assert_int_equal(count_nonzero(d->sensordata + 4, 8) > 0, i == 2);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// Without contacts, or without room to list them, nothing is felt.
TEST(a_full_arena_is_a_warning) {
  mjModel* m = test_model(PAD("", "<geom type='plane' size='1 1 1' pos='0 0 .02'/>", SENSOR));
  mjData* d = test_data(m);
  mj_forward(m, d);
  assert_int_equal(count_nonzero(d->sensordata, NVERT), NVERT);
  size_t top = d->pstack;
  d->pstack = (size_t)d->narena - d->parena;
  mj_sensorAcc(m, d);
  d->pstack = top;
  assert_int_equal(count_nonzero(d->sensordata, 3 * NVERT), 0);
  assert_int_equal(d->warning[mjWARN_CONTACTFULL].number, 1);
  d->ncon = 0;
  mju_fill(d->sensordata, 9, m->nsensordata);
  mj_sensorAcc(m, d);
  assert_int_equal(count_nonzero(d->sensordata, 3 * NVERT), 0);
}
